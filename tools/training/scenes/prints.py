"""Printed objects: text, codes, dominoes, cards, boards of other games, clocks, dots, keyboards.

Each function takes the width in pixels and a generator and returns a drawing as in `decal`. A domino's half or a card
with pips has no cube edges and casts no cube's shadow, which distinguishes it from a die.
"""

from collections.abc import Callable

import numpy as np

from tabletop.simulator.grounds import any_colour
from tools.room.chance import chance
from tools.training.scenes.decal import Bgr, Drawing, Picture, area, box, disc, empty, write
from tools.training.scenes.objects import signs

PAPERS: tuple[Bgr, ...] = ((245, 248, 248), (220, 232, 238), (190, 215, 225), (235, 225, 205))
INK: Bgr = (35, 30, 30)
QUINCUNX = ((0.25, 0.25), (0.75, 0.75), (0.25, 0.75), (0.75, 0.25), (0.25, 0.5), (0.75, 0.5))


def _paper(rng: np.random.Generator) -> tuple[Bgr, Bgr]:
    """Return colours of paper and ink."""
    if chance(rng, 0.7):
        return PAPERS[int(rng.integers(len(PAPERS)))], INK if chance(rng, 0.7) else any_colour(rng)
    return any_colour(rng), any_colour(rng)


def page(span_px: float, rng: np.random.Generator) -> Drawing:
    """Draw lines of text in a few sizes, with a heading or a box."""
    paper, ink = _paper(rng)
    drawing, cover, _ = empty(span_px, paper)
    high = rng.uniform(0.02, 0.11)
    y = high * 2
    while y < 1:
        text = " ".join(signs(rng, 9) for _ in range(int(rng.integers(1, 6))))
        write(drawing, text, 0.05, y, high, ink, int(rng.integers(0, 4)))
        y += high * rng.uniform(1.5, 2.2)
    return drawing, cover


def bar_code(span_px: float, rng: np.random.Generator) -> Drawing:
    """Draw a bar code with digits, or a square code of cells."""
    paper, ink = _paper(rng)
    drawing, cover, _ = empty(span_px, paper)
    if chance(rng, 0.5):
        x = 0.05
        while x < 0.93:  # noqa: PLR2004 - a margin of a twentieth
            wide = rng.uniform(0.008, 0.04)
            box(drawing, x, 0.1, x + wide, 0.8, ink)
            x += wide + rng.uniform(0.008, 0.05)
        write(drawing, "4 006381 333931", 0.05, 0.94, 0.07, ink)
    else:
        cells = int(rng.integers(7, 22))
        for row, column in np.argwhere(rng.random((cells, cells)) < 0.45):  # noqa: PLR2004 - share of dark cells
            box(drawing, column / cells, row / cells, (column + 1) / cells, (row + 1) / cells, ink)
    return drawing, cover


def domino(span_px: float, rng: np.random.Generator) -> Drawing:
    """Draw a domino: two halves with flat pips and a bar between them."""
    drawing, cover, _ = empty(span_px)
    body, ink = _paper(rng) if chance(rng, 0.7) else (INK, PAPERS[0])
    drawing[:] = body
    box(cover, 0.0, 0.25, 1.0, 0.75, 255)
    box(drawing, 0.49, 0.3, 0.51, 0.7, ink)
    for left in (0.0, 0.5):
        _dots(drawing, (left, 0.25, 0.5), int(rng.integers(0, 10)), rng.uniform(0.03, 0.06), ink)
    return drawing, cover


def _dots(drawing: Picture, square: tuple[float, float, float], count: int, radius: float, ink: Bgr) -> None:
    """Draw up to nine dots in rows as on dominoes; square: left, top and side."""
    left, top, side = square
    places = (*QUINCUNX, (0.5, 0.25), (0.5, 0.75))[: count - count % 2]
    for x, y in (*places, *(((0.5, 0.5),) if count % 2 else ())):
        disc(drawing, left + x * side, top + y * side, radius, ink)


def card(span_px: float, rng: np.random.Generator) -> Drawing:
    """Draw a playing card: an index in the corners and signs in two columns."""
    drawing, cover, _ = empty(span_px)
    drawing[:] = PAPERS[int(rng.integers(2))]
    box(cover, 0.15, 0.0, 0.85, 1.0, 255)
    ink = (40, 30, 190) if chance(rng, 0.5) else INK
    write(drawing, str(int(rng.integers(2, 11))), 0.18, 0.12, 0.1, ink)
    sharp = chance(rng, 0.5)
    for y in np.linspace(0.2, 0.8, int(rng.integers(1, 5))):
        for x in (0.36, 0.64) if chance(rng, 0.8) else (0.5,):
            if sharp:
                area(drawing, ((x, y - 0.07), (x + 0.05, y), (x, y + 0.07), (x - 0.05, y)), ink)
            else:
                disc(drawing, x - 0.02, y, 0.035, ink)
                disc(drawing, x + 0.02, y, 0.035, ink)
                area(drawing, ((x - 0.05, y + 0.01), (x + 0.05, y + 0.01), (x, y + 0.08)), ink)
    return drawing, cover


def dot_rows(span_px: float, rng: np.random.Generator) -> Drawing:
    """Draw rows of dots: braille, a perforated plate, a loudspeaker, patterned cloth, ellipses."""
    paper, ink = _paper(rng)
    drawing, cover, _ = empty(span_px, paper)
    if chance(rng, 0.4):
        cover[:] = 0
    rows, columns = int(rng.integers(1, 8)), int(rng.integers(2, 8))
    step = 0.9 / max(rows, columns)
    radius, skipped = step * rng.uniform(0.15, 0.42), rng.uniform(0, 0.5) if chance(rng, 0.3) else 0.0
    for row in range(rows):
        for column in range(columns):
            if rng.random() >= skipped:
                x, y = 0.05 + step * (column + 0.5 + 0.5 * (row % 2) * (rows % 2)), 0.05 + step * (row + 0.5)
                disc(drawing, x, y, radius, ink)
                disc(cover, x, y, radius, 255)
    return drawing, cover


def board(span_px: float, rng: np.random.Generator) -> Drawing:
    """Draw a board: chess, go with stones, ludo with its rings, or hexagons with numbers."""
    light, dark = any_colour(rng), any_colour(rng)
    drawing, cover, _ = empty(span_px, light)
    kind, cells = rng.random(), int(rng.integers(3, 9))
    step = 1 / cells
    for row in range(cells):
        for column in range(cells):
            x, y = column * step, row * step
            if kind < 0.35 and (row + column) % 2:  # noqa: PLR2004 - shares of the kinds of boards
                box(drawing, x, y, x + step, y + step, dark)
            elif 0.35 <= kind < 0.6:  # noqa: PLR2004
                box(drawing, x + step * 0.47, y, x + step * 0.53, y + step, dark)
                box(drawing, x, y + step * 0.47, x + step, y + step * 0.53, dark)
                if chance(rng, 0.25):
                    disc(drawing, x + step / 2, y + step / 2, step * 0.46, INK if chance(rng, 0.5) else PAPERS[0])
            elif 0.6 <= kind < 0.8 and chance(rng, 0.8):  # noqa: PLR2004
                disc(drawing, x + step / 2, y + step / 2, step * 0.4, dark)
                disc(drawing, x + step / 2, y + step / 2, step * 0.32, PAPERS[0] if chance(rng, 0.5) else light)
            elif kind >= 0.8:  # noqa: PLR2004
                angles = np.arange(6) * np.pi / 3 + np.pi / 6
                middle = np.array([x + step / 2 * (1 + row % 2), y + step / 2])
                area(drawing, middle + step * 0.53 * np.stack([np.cos(angles), np.sin(angles)], 1), any_colour(rng))
                disc(drawing, float(middle[0]), float(middle[1]), step * 0.25, PAPERS[2])
                write(drawing, signs(rng, 1), middle[0] - step * 0.1, middle[1] + step * 0.1, step * 0.2, INK)
    return drawing, cover


def clock(span_px: float, rng: np.random.Generator) -> Drawing:
    """Draw the face of a clock, a dial, a gauge."""
    paper, ink = _paper(rng)
    drawing, cover, _ = empty(span_px)
    drawing[:] = paper
    disc(cover, 0.5, 0.5, 0.49, 255)
    disc(drawing, 0.5, 0.5, 0.47, ink, 0.03)
    dotted = chance(rng, 0.5)
    for hour in range(12):
        x, y = 0.5 + 0.38 * np.sin(hour * np.pi / 6), 0.5 - 0.38 * np.cos(hour * np.pi / 6)
        if dotted:
            disc(drawing, x, y, 0.025, ink)
        else:
            write(drawing, str(hour or 12), x - 0.05, y + 0.04, 0.09, ink)
    for far, wide in ((0.25, 0.02), (0.35, 0.012)):
        angle = rng.uniform(0, 2 * np.pi)
        along, side = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        area(drawing, 0.5 + np.stack([wide * side, far * along, -wide * side, -0.05 * along]), ink)
    disc(drawing, 0.5, 0.5, 0.03, ink)
    return drawing, cover


def keyboard(span_px: float, rng: np.random.Generator) -> Drawing:
    """Draw rows of lettered keys: of a laptop, a calculator, a telephone."""
    frame, key = any_colour(rng), any_colour(rng) if chance(rng, 0.5) else (25, 25, 28)
    ink = (225, 225, 225) if sum(key) < 380 else INK  # noqa: PLR2004 - half of three bytes
    drawing, cover, _ = empty(span_px, frame)
    cells = int(rng.integers(3, 7))
    step, gap = 1 / cells, rng.uniform(0.04, 0.2)
    high = rng.uniform(0.15, 0.4) * step
    for row in range(cells):
        for column in range(-1, cells):
            left, top = (column + 0.25 * (row % 4)) * step, row * step
            box(
                drawing,
                left + step * gap / 2,
                top + step * gap / 2,
                left + step * (1 - gap / 2),
                top + step * (1 - gap / 2),
                key,
            )
            write(drawing, signs(rng, 1 if chance(rng, 0.8) else 3), left + step * 0.3, top + step * 0.65, high, ink)
    return drawing, cover


def label(span_px: float, rng: np.random.Generator) -> Drawing:
    """Draw one to three large characters without paper: letters on cloth, a logo, punctuation that looks like pips."""
    drawing, cover, _ = empty(span_px)
    drawing[:] = any_colour(rng)
    text = (
        signs(rng, 4)
        if chance(rng, 0.6)
        else str(rng.choice((":", "...", "::", "o o", "%", "8", "..", "*", ". :", "oo")))
    )
    write(cover, text, 0.1, 0.65, rng.uniform(0.15, 0.6), 255, int(rng.integers(0, 4)))
    return drawing, cover


def eyed_cloth(span_px: float, rng: np.random.Generator) -> Drawing:
    """Draw a print of ringed eyes, flowers or circles in rows."""
    paper, cover_colour = any_colour(rng), [any_colour(rng) for _ in range(4)]
    drawing, cover, _ = empty(span_px, paper)
    cells, radii = int(rng.integers(2, 6)), sorted(rng.uniform(0.08, 0.48, 4), reverse=True)
    petals = int(rng.choice((0, 0, 5, 6)))
    for row in range(cells + 1):
        for column in range(cells + 1):
            x, y = (column + 0.5 * (row % 2)) / cells, row / cells
            for petal in range(petals):
                angle = petal * 2 * np.pi / petals
                disc(
                    drawing,
                    x + 0.3 / cells * np.cos(angle),
                    y + 0.3 / cells * np.sin(angle),
                    0.12 / cells,
                    cover_colour[0],
                )
            for radius, colour in zip(radii, cover_colour, strict=True):
                disc(drawing, x, y, radius / cells * (0.4 if petals else 1), colour)
    return drawing, cover


PRINTS: tuple[Callable[[float, np.random.Generator], Drawing], ...] = (
    page, page, bar_code, domino, domino, card, dot_rows, dot_rows, board, board, clock, keyboard, label, label,
    eyed_cloth,
)  # fmt: skip
