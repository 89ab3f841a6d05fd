"""Draw dice with pips, as large as there is room. Pure."""

from functools import lru_cache

from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.canvas import HALVES, PLAIN, Canvas, Line, Rgb, Span, Style, line

# The pips of each face in a grid of three by three, counted row by row.
PIPS = {1: (4,), 2: (0, 8), 3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}
TINY = " ⚀⚁⚂⚃⚄⚅"  # dice of one cell, by face
IN_HAND = 0  # the face of a die still to be thrown
# The size of a pip in half cells, with one between pips and around them, 0 for a die of one cell; and the largest
# fraction (one nth) of the room that the dice may take. The first that fits is drawn.
SIZES = ((2, 4), (1, 1), (0, 1))

INK: Rgb = (24, 24, 30)
LOOSE, KEPT, ASKED, UNTHROWN = (226, 222, 208), (130, 225, 140), (255, 190, 60), (74, 78, 88)


Die = tuple[int, bool, bool]  # face, whether it is kept, whether it is in question


def dice_lines(snapshot: Snapshot, columns: int, rows: int, canvas: Canvas, *, numbers: bool) -> list[Line]:
    """Return the thrown dice: those set aside have a bracket below, the one in question an arrow.

    Before the first throw there are as many blank dice as are due, if colours can show the difference. numbers: whether
    each face is also printed below its die.
    """
    faces = snapshot.thrown or (IN_HAND,) * (snapshot.awaited if canvas.rich else 0)
    marks = snapshot.kept if len(snapshot.kept) == len(faces) else (False,) * len(faces)
    dice = [(face, kept, at == snapshot.cursor) for at, (face, kept) in enumerate(zip(faces, marks, strict=True))]
    lines: list[Line] = []
    for pip, parts in (SIZES if canvas.unicode else SIZES[-1:]) if dice else ():
        wide = len(drawn(IN_HAND, pip)[0]) + 1
        count = -(-len(dice) // max((columns + 1) // wide, 1))  # of rows, about equally long
        a_row = -(-len(dice) // count)
        drawn_rows = (dice[first : first + a_row] for first in range(0, len(dice), a_row))
        lines = [row for some in drawn_rows for row in _row(some, pip, rich=canvas.rich, numbers=numbers)]
        if wide <= columns + 1 and len(lines) <= rows // parts:
            break
    return lines[: max(rows, 0)]


@lru_cache
def drawn(face: int, pip: int) -> tuple[str, ...]:
    """Return the rows of a die in half blocks: the body is full, the pips are holes."""
    if pip == 0:
        return (f" {TINY[face]} ",)
    side = 3 * pip + 4
    holes = [[False] * side for _ in range(side)] + [[True] * side] * (side % 2)
    for at in PIPS.get(face, ()):
        top, left = (1 + place * (pip + 1) for place in divmod(at, 3))
        for row in holes[top : top + pip]:
            row[left : left + pip] = [True] * pip
    pairs = zip(holes[::2], holes[1::2], strict=True)
    return tuple("".join(HALVES[halves] for halves in zip(*pair, strict=True)) for pair in pairs)


def _row(dice: list[Die], pip: int, *, rich: bool, numbers: bool) -> list[Line]:
    """Return dice beside each other, and below them their marks."""
    high, wide = len(drawn(IN_HAND, pip)), len(drawn(IN_HAND, pip)[0])
    lines: list[Line] = []
    for row in range(high):
        spans: list[Span] = []
        for face, kept, asked in dice:
            colour = UNTHROWN if face == IN_HAND else ASKED if asked else KEPT if kept else LOOSE
            below = None if pip % 2 and row + 1 == high else INK  # no ink below the edge of a die
            style = Style(INK, colour) if pip == 0 else Style(colour, below)
            spans += [(drawn(face, pip)[row], style if rich else PLAIN), (" ", PLAIN)]
        lines.append(tuple(spans))
    marks = []
    for face, kept, asked in dice:
        number = str(face or "") * numbers
        bracket = f"└{number.center(wide - 2, '─')}┘"
        marks.append(f"▲{number}".center(wide) if asked else bracket if kept else number.center(wide))
    return [*lines, line(" ".join(marks))]
