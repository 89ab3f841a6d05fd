"""Clutter drawn on a ground before the dice: objects on tables, and things that look like pips."""

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.grounds import any_colour
from tools.room.chance import chance, soft_noise
from tools.training.scenes.decal import lay
from tools.training.scenes.objects import OBJECTS
from tools.training.scenes.prints import PRINTS

Picture = NDArray[np.uint8]
SMALL, LARGE = (0.25, 1.5), (1.0, 6.0)  # dice: widths of solid things, of printed ones


def add_things(frame: Picture, die_px: float, rng: np.random.Generator) -> None:
    """Draw some clutter into the frame, in place: one object, a few, or many of one kind."""
    kind = rng.random()
    if kind < 0.6:  # noqa: PLR2004 - shares of strewn things and of sets of one kind
        for _ in range(int(rng.integers(1, 5))):
            _add_one(frame, die_px, rng)
        return
    made = OBJECTS[int(rng.integers(len(OBJECTS)))]
    span = die_px * np.exp(rng.uniform(*np.log(SMALL)))
    slant, thick = 0.4 * rng.random(), rng.uniform(0, 0.12)
    height, width = frame.shape[:2]
    same = made(span, rng) if chance(rng, 0.4) else None
    for _ in range(int(rng.integers(3, 9))):
        at = (rng.uniform(0, width), rng.uniform(0, height))
        lay(frame, same or made(span, rng), at, span * rng.uniform(0.9, 1.1), rng, thick=thick, slant=slant)


def _add_one(frame: Picture, die_px: float, rng: np.random.Generator) -> None:
    height, width = frame.shape[:2]
    at = (rng.uniform(0, width), rng.uniform(0, height))
    kind = rng.random()
    if kind < 0.45:  # noqa: PLR2004 - shares of solid things, prints, lines, noise
        span = die_px * np.exp(rng.uniform(*np.log(SMALL)))
        lay(frame, OBJECTS[int(rng.integers(len(OBJECTS)))](span, rng), at, span, rng, thick=rng.uniform(0.01, 0.15))
    elif kind < 0.85:  # noqa: PLR2004
        span = die_px * np.exp(rng.uniform(*np.log(LARGE)))
        lay(
            frame,
            PRINTS[int(rng.integers(len(PRINTS)))](span, rng),
            at,
            span,
            rng,
            thick=float(chance(rng, 0.3)) * 0.02,
        )
    elif kind < 0.93:  # noqa: PLR2004
        _lines(frame, at, die_px, rng)
    else:
        add_blots(frame, die_px, rng)


def _lines(frame: Picture, at: tuple[float, float], die_px: float, rng: np.random.Generator) -> None:
    """Draw lines that cross: folds, cables, pencils, seams."""
    far = die_px * 6
    for _ in range(int(rng.integers(1, 4))):
        angle = rng.uniform(0, np.pi)
        start = (round(at[0] - far * np.cos(angle)), round(at[1] - far * np.sin(angle)))
        end = (round(at[0] + far * np.cos(angle)), round(at[1] + far * np.sin(angle)))
        cv2.line(frame, start, end, any_colour(rng), max(1, round(die_px * rng.uniform(0.01, 0.25))), cv2.LINE_AA)


def add_blots(frame: Picture, die_px: float, rng: np.random.Generator) -> None:
    """Lay a patch of coloured noise with a soft outline, in place: leaves, stains, a printed picture."""
    height, width = frame.shape[:2]
    x, y = rng.uniform(0, width), rng.uniform(0, height)
    period = die_px * rng.uniform(0.1, 0.5)
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    reach = die_px * rng.uniform(0.5, 2)
    inside = np.clip(2 - np.hypot(columns - x, rows - y) / reach, 0, 1)
    noise = np.stack([soft_noise(height, width, period, rng) for _ in range(3)], axis=2)
    mixed = frame + noise * inside[:, :, None] * rng.uniform(30, 130)
    frame[:] = np.clip(mixed, 0, 255).astype(np.uint8)


def add_edge(frame: Picture, rng: np.random.Generator) -> None:
    """Cover one side of the frame with something else: a tray's wall, the table beyond it, tiles with joints."""
    height, width = frame.shape[:2]
    angle = rng.uniform(0, 2 * np.pi)
    away = rng.uniform(0.1, 0.45) * max(height, width)
    normal = np.array([np.cos(angle), np.sin(angle)])
    along = np.array([-normal[1], normal[0]])
    foot = np.array([width / 2, height / 2]) + normal * away
    far = float(height + width)
    wall = rng.uniform(0.03, 0.3) * far / 3 if chance(rng, 0.6) else 0.0
    for inner, outer, colour in ((0.0, wall, any_colour(rng)), (wall, far, any_colour(rng))):
        if outer > inner:
            corners = [
                foot + normal * inner - along * far,
                foot + normal * inner + along * far,
                foot + normal * outer + along * far,
                foot + normal * outer - along * far,
            ]
            cv2.fillPoly(frame, [np.asarray(corners, np.int32)], colour, cv2.LINE_AA)
