"""Tiles that look like dice except at their borders: dominoes of all colours, keys, dotted cards and buttons.

The surroundings network learns from many of them, because they caused most false positives in pictures without dice.
"""

import numpy as np

from tabletop.simulator.grounds import any_colour
from tools.room.chance import chance
from tools.training.scenes.decal import Bgr, Drawing, Picture, area, box, disc, empty, lay
from tools.training.scenes.prints import card, dot_rows, keyboard

HALF = (0.8, 1.3)  # width of a domino's half, in edges of the dice that would lie there
LONG = (1.5, 5.0)  # width of the other things, in the same edges
MOST = 6  # things in a picture
LEAST_CONTRAST = 120  # sum over the three channels of a tile and its pips
CORNERS, SIDES = ((-1, -1), (1, 1), (-1, 1), (1, -1)), ((-1, 0), (1, 0))
# The pips of each face, as (across, down) in spacings from the middle.
LAYOUTS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: CORNERS[:2],
    3: (*CORNERS[:2], (0, 0)),
    4: CORNERS,
    5: (*CORNERS, (0, 0)),
    6: (*CORNERS, *SIDES),
}
PLACES = {  # of pips in a half, in shares of its side
    face: tuple((0.5 + x / 4, 0.5 + y / 4) for x, y in places) for face, places in LAYOUTS.items()
}
SIX_ACROSS = tuple((y, x) for x, y in PLACES[6])


def add_tiles(frame: Picture, die_px: float, rng: np.random.Generator) -> None:
    """Scatter tiles of one or several kinds over the frame, in place."""
    height, width = frame.shape[:2]
    colours = two_colours(rng) if chance(rng, 0.6) else None
    for _ in range(int(rng.integers(1, MOST + 1))):
        at = (rng.uniform(0, width), rng.uniform(0, height))
        if chance(rng, 0.7):
            span = 2 * die_px * rng.uniform(*HALF)
            drawing = domino(span, rng, colours or two_colours(rng))
        else:
            span = die_px * float(np.exp(rng.uniform(*np.log(LONG))))
            made = (keyboard, keyboard, card, dot_rows)[int(rng.integers(4))]
            drawing = made(span, rng)
        lay(frame, drawing, at, span, rng, thick=rng.uniform(0, 0.08) if chance(rng, 0.7) else 0.0, slant=0.4)


def two_colours(rng: np.random.Generator) -> tuple[Bgr, Bgr]:
    """Return distinguishable colours of a tile and its pips: any two, black or white on any, or common ones."""
    light, dark = (235, 238, 240), (28, 26, 26)
    while True:
        kind = int(rng.integers(4))
        if kind == 0:
            body, pip = any_colour(rng), any_colour(rng)
        elif kind == 1:
            body, pip = any_colour(rng), light if chance(rng, 0.5) else dark
        else:
            body, pip = (light, dark) if chance(rng, 0.5) else (dark, light)
        if sum(abs(one - other) for one, other in zip(body, pip, strict=True)) >= LEAST_CONTRAST:
            return body, pip


def domino(span_px: float, rng: np.random.Generator, colours: tuple[Bgr, Bgr]) -> Drawing:
    """Draw a domino: two halves of up to six pips; a bar, a groove or nothing between them; corners cut or not."""
    body, pip = colours
    drawing, cover, _ = empty(span_px)
    drawing[:] = body
    cut = rng.uniform(0, 0.06) if chance(rng, 0.6) else 0.0
    top, low = 0.25, 0.75
    outline = (
        (cut, top), (1 - cut, top), (1, top + cut), (1, low - cut), (1 - cut, low), (cut, low), (0, low - cut),
        (0, top + cut),
    )  # fmt: skip
    area(cover, outline, 255)
    between = rng.random()
    if between < 0.85:  # noqa: PLR2004 - a few have nothing there
        wide, inset = rng.uniform(0.004, 0.015), rng.uniform(0, 0.08)
        shade: Bgr = pip if between < 0.6 else (body[0] // 2, body[1] // 2, body[2] // 2)  # noqa: PLR2004
        box(drawing, 0.5 - wide, top + inset, 0.5 + wide, low - inset, shade)
    radius = rng.uniform(0.035, 0.065)
    across = chance(rng, 0.5)
    for left in (0.0, 0.5):
        count = int(rng.integers(0, 7))
        places = () if not count else SIX_ACROSS if count == len(SIX_ACROSS) and across else PLACES[count]
        for x, y in places:
            disc(drawing, left + x / 2, top + y / 2, radius, pip)
    return drawing, cover
