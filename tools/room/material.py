"""The material of a two-coloured die: veins, swirls, speckles, pearl, glitter or halves; and scratches of any die.

Places are (3, N) float32 in the die's own axes with half an edge as the unit; colours are BGR in linear light, 0 to 1.
Everything is a function of the place, so it belongs to the solid: a rotated die shows other parts of the same veins.
"""

from typing import Literal

import numpy as np

from tabletop.simulator.scene import Bgr, Floats, linear

Pattern = Literal["veins", "swirl", "speckle", "pearl", "glitter", "two_tone"]

SPECKLE_PERIOD, GLITTER_CELLS = 11.0, 26.0  # waves per half edge (radians), cells per half edge
GLITTER_SHARE, GLITTER_LIGHT = 0.08, 0.8  # of the cells that flash, and how bright
SCRATCH_PERIOD = 19.0  # radians per half edge


def marbled(place: Floats, body: Bgr, second: Bgr, pattern: Pattern, grain: int) -> Floats:
    """Return the colour of a two-coloured body at each place, (3, N). grain: the seed of the pattern."""
    first, chance = linear(body)[:, None], np.random.default_rng(grain)  # the veins belong to the die
    if pattern == "glitter":
        flash = _hashed(np.floor(place * np.float32(GLITTER_CELLS)), chance)
        spark = (flash < GLITTER_SHARE) * (flash / np.float32(GLITTER_SHARE))
        return _floats(first + linear(second)[:, None] * np.float32(GLITTER_LIGHT) * spark)
    share = _share(place, pattern, chance)
    return _floats(first * (1 - share) + linear(second)[:, None] * share)


def _floats(values: Floats) -> Floats:
    return np.asarray(values, np.float32)


def _share(place: Floats, pattern: Pattern, chance: np.random.Generator) -> Floats:
    """Return the second colour's share at each place, (N,)."""
    wave = chance.normal(0, 2.2, (3, 3)).astype(np.float32)
    shift = chance.uniform(0, 6, 3).astype(np.float32)
    if pattern == "speckle":
        dense = chance.uniform(0.6, 1.6)
        rapid = wave * np.float32(SPECKLE_PERIOD / 2.2)
        grain = np.sin(rapid[0] @ place) + np.sin(rapid[1] @ place + shift[1]) + np.sin(rapid[2] @ place + shift[2])
        spots: Floats = np.clip((grain - np.float32(dense)) * 3, 0, 1)
        return spots
    swirl = np.sin(wave[0] @ place + shift[0]) + np.float32(0.7) * np.sin(2 * (wave[1] @ place) + shift[1])
    if pattern == "two_tone":
        halves: Floats = np.clip(0.5 + 1.5 * (wave[2] @ place + np.float32(0.5) * swirl), 0, 1)
        return halves
    vein = np.sin(wave[2] @ place * np.float32(1.5) + np.float32(2.2) * swirl + shift[2])
    sharp = {"pearl": 0.22, "swirl": 0.5}.get(pattern, 1.1)
    share: Floats = np.clip(0.5 + np.float32(sharp) * vein, 0, 1)
    return share


def scratches(place: Floats, grain: int) -> Floats:
    """Return where paint is missing, (N,) 0 to 1: patches with torn edges."""
    chance = np.random.default_rng(grain + 1)
    wave = chance.normal(0, SCRATCH_PERIOD / 2, (2, 3)).astype(np.float32)
    torn = np.sin(wave[0] @ place) + np.sin(wave[1] @ place + 1) + np.float32(0.6) * np.sin(2.3 * (wave[0] @ place) + 2)
    gone: Floats = np.clip(0.3 + torn, 0, 1)
    return gone


def _hashed(cells: Floats, chance: np.random.Generator) -> Floats:
    """Return a number from 0 to 1 for each whole-numbered cell (3, N), (N,)."""
    key = chance.uniform(20, 90, 3).astype(np.float32)
    mixed = np.sin(key @ cells) * np.float32(437.585)
    part: Floats = mixed - np.floor(mixed)
    return part
