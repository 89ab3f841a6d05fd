"""Dice of all kinds: a random look for training and for the simulated tray."""

import numpy as np

from tabletop.simulator.scene import Bgr
from tools.room.chance import chance
from tools.room.material import Pattern
from tools.room.rare_look import RareLook

NEAR_COLOURS = 70.0  # byte values: pips nearer than this to the body's colour are hard for people too
LEAST_CONTRAST = 42.0
VEIN_CONTRAST = 85.0  # of most veins against the pips
LIGHT = 130.0  # grey value above which a body is called light

WHITES: tuple[Bgr, ...] = ((245, 248, 248), (225, 236, 240), (200, 225, 235), (235, 235, 230), (170, 205, 225))
BLACKS: tuple[Bgr, ...] = ((25, 25, 25), (45, 42, 40), (60, 40, 35), (30, 28, 50), (70, 70, 70))
COLOURS: tuple[Bgr, ...] = (
    (35, 30, 200), (30, 20, 130), (190, 70, 20), (110, 40, 15), (60, 150, 30), (40, 90, 20), (40, 210, 245),
    (20, 140, 245), (150, 40, 130), (90, 30, 70), (180, 130, 240), (160, 150, 30), (60, 90, 140), (130, 130, 130),
)  # fmt: skip
LIGHT_PIPS: tuple[Bgr, ...] = ((250, 250, 250), (240, 245, 245), (90, 200, 235), (60, 170, 215), (190, 195, 195))
DARK_PIPS: tuple[Bgr, ...] = ((18, 18, 18), (30, 25, 25), (50, 45, 45), (120, 40, 20), (30, 30, 170))
ALL = COLOURS + WHITES + BLACKS
NAMED = (WHITES, BLACKS, COLOURS)
KINDS = (0.3, 0.18, 0.4, 0.12)  # shares of white, black, coloured and odd bodies
RED: Bgr = (35, 35, 195)
DEEP: tuple[Bgr, ...] = (
    (25, 25, 25),
    (45, 35, 35),
    (90, 35, 20),
    (40, 20, 90),
    (30, 20, 110),
    (45, 70, 20),
    (60, 95, 130),
)
METALS: tuple[Bgr, ...] = (
    (70, 165, 215),
    (60, 130, 190),
    (200, 200, 200),
    (70, 110, 190),
    (25, 25, 160),
    (30, 30, 200),
)
CLEAR, TWO_COLOURS, METAL = 0.15, 0.3, 0.05  # shares of dice
WIDEST = 0.49  # pip radius over the spacing at which the six's pips just do not touch
LARGEST_ACE = 0.25  # edges
PATTERNS: tuple[Pattern, ...] = ("veins", "swirl", "speckle", "pearl", "glitter", "two_tone")
PATTERN_SHARES = (0.35, 0.2, 0.12, 0.13, 0.1, 0.1)


def random_look(rng: np.random.Generator) -> RareLook:
    """Return a die of a common kind: mostly white, black or a full colour, many marbled, clear or odd."""
    body, pip = _metals(rng) if chance(rng, 0.1) else _colours(rng)
    made = rng.random()
    clear = float(rng.uniform(0.4, 1.0)) if made < CLEAR else 0.0
    second = _second(body, pip, rng) if CLEAR <= made < CLEAR + TWO_COLOURS else None
    metal = float(rng.uniform(0.4, 0.9)) if made > 1 - METAL else 0.0
    spacing = float(rng.uniform(0.19, 0.295))
    radius = float(min(rng.uniform(0.058, 0.135), WIDEST * spacing))
    east = chance(rng, 0.06) and _grey(body) > LIGHT
    big_ace = east or chance(rng, 0.1)
    printed = chance(rng, 0.25)
    off = rng.normal(0, 0.012, 2) if chance(rng, 0.1) else (0.0, 0.0)
    lay = rng.integers(0, 2, 3)
    return RareLook(
        body=body,
        pip=pip,
        ace=RED if east or (chance(rng, 0.06) and _grey(body) > LIGHT) else None,
        ace_scale=float(min(rng.uniform(1.2, 2.3), LARGEST_ACE / radius)) if big_ace else float(rng.uniform(0.95, 1.1)),
        edge_radius=float(rng.uniform(0.02, 0.12) if chance(rng, 0.6) else rng.uniform(0.08, 0.22)),
        ball_radius=float(rng.uniform(0.67, 0.82)) if chance(rng, 0.3) else 0.0,
        pip_radius=radius,
        pip_spacing=spacing,
        six_ratio=float(rng.uniform(0.75, 1.0) if chance(rng, 0.3) else rng.uniform(0.95, 1.05)),
        dimple=0.0 if printed else float(rng.uniform(0, 1)),
        gloss=float(rng.uniform(0, 1) if chance(rng, 0.7) else rng.uniform(0.7, 1)),
        bulge=float(rng.uniform(0.008, 0.06) if chance(rng, 0.6) else rng.uniform(0.05, 0.22)),
        left_handed=bool(chance(rng, 0.5)),
        lay=(bool(lay[0]), bool(lay[1]), bool(lay[2])),
        marble=second,
        clear=clear,
        emblem=int(rng.integers(1, 200)) if chance(rng, 0.04) else 0,
        emblem_face=int(rng.choice((1, 1, 1, 6, 2))),
        grain=int(rng.integers(0, 1 << 30)),
        pattern=PATTERNS[int(rng.choice(len(PATTERNS), p=PATTERN_SHARES))],
        frost=float(rng.uniform(0.3, 1.0)) if clear and chance(rng, 0.4) else 0.0,
        metal=metal,
        pip_metal=float(rng.uniform(0.4, 1.0)) if chance(rng, 0.1) else 0.0,
        four=RED if east and chance(rng, 0.7) else None,
        ring=float(rng.uniform(0.4, 0.7)) if chance(rng, 0.025) else 0.0,
        off=(float(off[0]), float(off[1])),
        worn=float(rng.uniform(0.2, 0.7)) if not printed and chance(rng, 0.12) else 0.0,
    )


def _grey(colour: Bgr) -> float:
    return 0.11 * colour[0] + 0.59 * colour[1] + 0.3 * colour[2]


def _jitter(colour: Bgr, spread: float, rng: np.random.Generator) -> Bgr:
    blue, green, red = (int(np.clip(value + rng.normal(0, spread), 4, 252)) for value in colour)
    return blue, green, red


def _any(rng: np.random.Generator) -> Bgr:
    blue, green, red = (int(value) for value in rng.integers(8, 250, 3))
    return blue, green, red


def _pick(colours: tuple[Bgr, ...], rng: np.random.Generator) -> Bgr:
    return colours[int(rng.integers(len(colours)))]


def _colours(rng: np.random.Generator) -> tuple[Bgr, Bgr]:
    """Return body and pips, at least as distinct as on dice that are sold."""
    while True:
        kind = int(rng.choice(4, p=KINDS))
        body = _any(rng) if kind == len(NAMED) else _jitter(_pick(NAMED[kind], rng), 10, rng)
        odd = chance(rng, 0.2)
        plain = DARK_PIPS[:3] if _grey(body) > LIGHT and chance(rng, 0.8) else DARK_PIPS
        light = LIGHT_PIPS[:2] if chance(rng, 0.6) else LIGHT_PIPS
        pip = _any(rng) if odd else _jitter(_pick(plain if _grey(body) > LIGHT else light, rng), 8, rng)
        apart = float(np.linalg.norm(np.subtract(body, pip)))
        if apart > NEAR_COLOURS or (apart > LEAST_CONTRAST and chance(rng, 0.3)):
            return body, pip


def _metals(rng: np.random.Generator) -> tuple[Bgr, Bgr]:
    """Return a deep colour with pips of gold, silver, copper or dark red: dice that are hard for people too."""
    while True:
        body = _jitter(_pick(DEEP, rng), 14, rng)
        pip = _jitter(_pick(METALS, rng), 14, rng)
        if np.linalg.norm(np.subtract(body, pip)) > LEAST_CONTRAST:
            return body, pip


def _second(body: Bgr, pip: Bgr, rng: np.random.Generator) -> Bgr:
    """Return a vein's colour: darker or lighter than the body, or another hue, but not that of the pips."""
    least = LEAST_CONTRAST if chance(rng, 0.25) else VEIN_CONTRAST
    while True:
        kind = rng.random()
        if kind < 0.35:  # noqa: PLR2004 - shares of darker, of like and of other colours
            blue, green, red = (int(value * rng.uniform(0.1, 0.5)) for value in body)
            other: Bgr = (blue, green, red)
        else:
            other = _jitter(body, 35, rng) if kind < 0.6 else _jitter(_pick(ALL, rng), 15, rng)  # noqa: PLR2004
        if np.linalg.norm(np.subtract(other, pip)) > least:
            return other
