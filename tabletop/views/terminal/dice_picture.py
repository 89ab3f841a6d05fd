"""Dice as people know them: pips in a drawn die, as large as there is room. Pure."""

from functools import lru_cache
from typing import NamedTuple

from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.canvas import HALVES, PLAIN, Canvas, Line, Rgb, Span, Style

# The pips of each face in a grid of three by three, counted row by row.
PIPS = {1: (4,), 2: (0, 8), 3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}
SIZES = ((2, 4), (1, 1))  # of a pip in half cells; and of so many parts of the room the dice may take one
TINY = " ⚀⚁⚂⚃⚄⚅"  # dice of one cell, by face
TINY_CELLS = 3
IN_HAND = 0  # the face of a die that is still to be thrown

INK: Rgb = (24, 24, 30)
LOOSE, KEPT, ASKED = Style((226, 222, 208), INK), Style((130, 225, 140), INK), Style((255, 190, 60), INK)
UNTHROWN = Style((74, 78, 88), INK)
MARKED = Style(bold=True, reverse=True)  # where colours are few


class _Die(NamedTuple):
    face: int
    kept: bool
    asked: bool

    @property
    def style(self) -> Style:
        return UNTHROWN if self.face == IN_HAND else ASKED if self.asked else KEPT if self.kept else LOOSE


def dice_lines(snapshot: Snapshot, columns: int, rows: int, canvas: Canvas, *, numbers: bool) -> list[Line]:
    """Return the dice that were thrown: those set aside have a bracket below, the one in question an arrow.

    Before the first throw there are as many blank ones as are due, where colours tell them from others. numbers:
    whether each face stands below its die as well. Dice take one row where there is no room for pictures.
    """
    faces = snapshot.thrown or (IN_HAND,) * (snapshot.awaited if canvas.rich else 0)
    marks = snapshot.kept if len(snapshot.kept) == len(faces) else (False,) * len(faces)
    dice = [_Die(face, kept, at == snapshot.cursor) for at, (face, kept) in enumerate(zip(faces, marks, strict=True))]
    for pip, parts in SIZES if canvas.unicode else ():
        picture = drawn(IN_HAND, pip)
        rows_of = _in_rows(dice, columns, len(picture[0]) + 1)
        if len(picture[0]) <= columns and len(rows_of) * (len(picture) + 1) <= rows // parts:
            return [row for some in rows_of for row in _large(some, pip, rich=canvas.rich, numbers=numbers)]
    return [_tiny(some, canvas, numbers=numbers) for some in _in_rows(dice, columns, TINY_CELLS + 1)][: max(rows, 0)]


def _in_rows(dice: list[_Die], columns: int, wide: int) -> list[list[_Die]]:
    """Return the dice in rows, all about equally long. wide: cells of a die with the gap behind it."""
    count = -(-len(dice) // max((columns + 1) // wide, 1))
    a_row = -(-len(dice) // count) if count else 1
    return [dice[first : first + a_row] for first in range(0, len(dice), a_row)]


@lru_cache
def drawn(face: int, pip: int) -> tuple[str, ...]:
    """Return the rows of a die in half blocks: its body is full, its pips are holes."""
    side = 3 * pip + 4
    holes = [[False] * side for _ in range(side)] + [[True] * side] * (side % 2)
    for at in PIPS.get(face, ()):
        top, left = (1 + place * (pip + 1) for place in divmod(at, 3))
        for row in holes[top : top + pip]:
            row[left : left + pip] = [True] * pip
    pairs = zip(holes[::2], holes[1::2], strict=True)
    return tuple("".join(HALVES[halves] for halves in zip(*pair, strict=True)) for pair in pairs)


def _large(dice: list[_Die], pip: int, *, rich: bool, numbers: bool) -> list[Line]:
    lines: list[Line] = []
    high = len(drawn(IN_HAND, pip))
    for row in range(high):
        spans: list[Span] = []
        for die in dice:
            text = drawn(die.face, pip)[row]
            ends = text.count(text[0]) == len(text) and row + 1 == high  # below its edge there is no ink
            style = Style(die.style.fg, None if ends else INK) if rich else PLAIN
            spans += [(text, style), (" ", PLAIN)]
        lines.append(tuple(spans))
    wide = len(drawn(IN_HAND, pip)[0])
    below = []
    for die in dice:
        number = str(die.face) if numbers and die.face else ""
        mark = f"└{number.center(wide - 2, '─')}┘" if die.kept else number.center(wide)
        below.append(("▲" + number).center(wide) if die.asked else mark)
    return [*lines, ((" ".join(below), PLAIN),)]


def _tiny(dice: list[_Die], canvas: Canvas, *, numbers: bool) -> Line:
    spans: list[Span] = []
    for die in dice:
        face = str(die.face or " ") if numbers or not canvas.unicode else TINY[die.face]
        text = f">{face} " if die.asked else f"[{face}]" if die.kept else f" {face} "
        rich = Style(INK, die.style.fg, bold=True)
        spans += [(text, rich if canvas.rich else MARKED if die.asked or die.kept else PLAIN), (" ", PLAIN)]
    return tuple(spans)
