"""Names and scores in a grid of cells, and the order in which a finished match is read."""

from collections.abc import Sequence
from itertools import product

from tabletop.views.oled_parts import LEFT, RIGHT, Bar, Box, Part, label
from tabletop.views.oled_text import LEAST, NARROW, SMALL, TINY, Font, cap_height, fits, ink

SCORE_FONTS = (SMALL, NARROW, TINY, LEAST)
WHOLE = 99  # letters of a name: all of it
NAME_LETTERS = (WHOLE, 6, 3, 1)  # what is left of names where there is no room for more
AIR_PX = 2  # inside a cell at each side, and between name and score

Row = tuple[str, int]


def score_cells(rows: Sequence[Row], marked: Sequence[str], box: Box, columns: int, row_px: int) -> tuple[Part, ...]:
    """Place names with their scores in columns, row by row; those marked on a bar. All in the same font.

    The largest font in which all names fit whole; where there is none names lose letters, most of all in the end all
    but one. Rows below the box are left out.
    """
    width = box.width // columns
    shown = rows[: columns * max(1, box.height // row_px)]
    font, names = _set([name for name, _ in shown], [str(score) for _, score in shown], width - 2 * AIR_PX, row_px)
    parts: list[Part] = []
    for number, ((name, score), short) in enumerate(zip(shown, names, strict=True)):
        cell = Box(box.x + number % columns * width, box.y + number // columns * row_px, width, row_px)
        inner = Box(cell.x + AIR_PX, cell.y, width - 2 * AIR_PX, row_px)
        if name in marked:
            parts.append(Bar(Box(cell.x, cell.y, width - 1, row_px)))
        parts += (*label(short, inner, (font,), LEFT), *label(str(score), inner, (font,), RIGHT))
    return tuple(parts)


def ranking(players: Sequence[str], scores: Sequence[int], winners: Sequence[str]) -> tuple[Row, ...]:
    """Return the players, winners first, then from the better score to the worse.

    Whether more or less is better the winners tell.
    """
    rows = list(zip(players, scores, strict=True))
    won = [score for name, score in rows if name in winners]
    lost = [score for name, score in rows if name not in winners]
    sign = 1 if won and lost and max(won) < min(lost) else -1
    return tuple(sorted(rows, key=lambda row: (row[0] not in winners, sign * row[1])))


def _set(names: Sequence[str], scores: Sequence[str], width: int, height: int) -> tuple[Font, list[str]]:
    """Return the font and what is written of each name. Names that would look the same keep more letters."""
    font, short = LEAST, list(names)
    for letters, font in product(NAME_LETTERS, SCORE_FONTS):
        if cap_height(font) > height:
            continue
        short = [
            _prefix(name, font, width - ink(score, font).width - AIR_PX, height)
            for name, score in zip(names, scores, strict=True)
        ]
        enough = all(len(part) >= min(letters, len(name)) for part, name in zip(short, names, strict=True))
        if enough and (len(set(short)) == len(set(names)) or letters == NAME_LETTERS[-1]):
            break
    return font, short


def _prefix(name: str, font: Font, width: int, height: int) -> str:
    lengths = range(len(name), 0, -1)
    return next((name[:length] for length in lengths if fits(name[:length], font, width, height)), "")
