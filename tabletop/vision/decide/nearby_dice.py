"""Dice lie among dice: a candidate of the size and colour of the sure dice is likelier to be a die.

This makes a candidate with a plain face a sure die (alone, a big red ace is taken for a counter). It never decides
between two faces, and leaves unchanged what stays in doubt. How many dice are expected plays no part here, only what
lies in the picture.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from math import exp, log2

import numpy as np
from numpy.typing import NDArray

from tabletop.vision.classify.classifier import Found, Kind
from tabletop.vision.decide.acceptance import is_sure
from tabletop.vision.decide.colour import linear, top_face

Picture = NDArray[np.uint8]
ColourOf = Callable[[Found], NDArray[np.floating]]

# Chosen on photographs that the networks had not seen, each also made worse: see docs/vision-record.md.
CERTAIN = 0.75  # sureness from which a die supports others
AS_LARGE = 0.2  # log2: difference of edges within one set of dice, as the classifier measures them
AS_LARGE_KNOWN = (
    0.4  # the same if the size of the dice is known well: the edge of a die with a large ace is measured worst
)
AS_COLOURED = (
    0.4  # natural logarithm of linear light in each channel: uneven light makes this difference within one colour
)
SIZE_LIFT, COLOUR_LIFT = 1.0, 3.0  # natural logarithm of the factor in odds: for size alone, for size and colour
# If the size of the dice is known well. Within one set of dice in the simulated rooms, hues differ by at most 0.06 and
# brightness by at most 0.2, since one side of a tray is darker than the other.
ALIKE_HUE, ALIKE_LIGHT, ALIKE_LIFT = 0.12, 0.3, 6.0
WORTH = 0.01  # chance of being a die below which nothing helps
PLAIN = 0.9  # chance of its face below which nothing helps either: other dice say nothing about its face
PLAIN_ALIKE = 0.75  # the same among dice of one set, which are seen in several frames
DARKEST = 0.004  # linear light: darker values are raised to this


def beside_dice(picture: Picture, found: Sequence[Found], *, fixed_size: bool = False) -> tuple[Found, ...]:
    """Return the candidates of a picture (H, W, 3), likeliest dice first, with chances raised by the sure dice there.

    fixed_size: the size of the dice is known well, and all candidates have about that size.
    """
    certain = [candidate for candidate in found if candidate.sureness >= CERTAIN]
    colour_of = cache(partial(_colour, picture))
    return tuple(
        sorted(
            (_lifted(colour_of, candidate, certain, fixed_size) for candidate in found),
            key=lambda candidate: -candidate.chance,
        )
    )


def _lifted(colour_of: ColourOf, candidate: Found, certain: Sequence[Found], fixed_size: bool) -> Found:
    if (
        candidate.sureness >= CERTAIN
        or candidate.chance < WORTH
        or max(candidate.faces) < (PLAIN_ALIKE if fixed_size else PLAIN)
    ):
        return candidate
    as_large = AS_LARGE_KNOWN if fixed_size else AS_LARGE
    company = [other for other in certain if abs(log2(candidate.size / other.size)) <= as_large]
    if not company:
        return candidate
    colour = colour_of(candidate)
    lift = max(_lift(colour - colour_of(other), fixed_size) for other in company)
    if max(candidate.faces) < PLAIN and lift < ALIKE_LIFT:
        return candidate
    nothing = candidate.kinds[Kind.NOTHING] * exp(-lift)
    total = nothing + candidate.chance
    flat, leaning, covered = (chance / total for chance in candidate.kinds[Kind.FLAT :])
    likelier = replace(candidate, kinds=(nothing / total, flat, leaning, covered))
    return likelier if is_sure(likelier) else candidate


def _lift(apart: NDArray[np.floating], fixed_size: bool) -> float:
    light = float(apart.mean())
    if fixed_size and abs(light) <= ALIKE_LIGHT and np.abs(apart - light).max() <= ALIKE_HUE:
        return ALIKE_LIFT
    return COLOUR_LIFT if np.abs(apart).max() < AS_COLOURED else SIZE_LIFT


def _colour(picture: Picture, candidate: Found) -> NDArray[np.floating]:
    """Return the logarithm of the body's linear light, (3,) blue, green, red."""
    face = top_face(picture, candidate.x, candidate.y, candidate.size, candidate.angle).reshape(-1, 3)
    middle = len(face) // 2  # an odd number of samples, so this is their median, as that of their linear light is
    return np.log(np.maximum(linear(np.partition(face, middle, axis=0)[middle]), DARKEST))
