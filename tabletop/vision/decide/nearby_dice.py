"""Dice lie among dice: a thing as large as those that are sure, and of their colour, is likelier to be one of them.

It makes a sure die of a thing whose face is plain (a big red ace is taken for a counter by itself), never a face of one
that could be another, and nothing of what stays in doubt. How many dice are expected plays no part here, only what lies
in the picture.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import exp, log2

import numpy as np
from numpy.typing import NDArray

from tabletop.vision.classify.classifier import Found, Kind
from tabletop.vision.decide.acceptance import is_sure
from tabletop.vision.decide.colour import linear, top_face

Picture = NDArray[np.uint8]

# Chosen on photographs that the networks had not seen, each also made worse: see docs/vision-record.md.
CERTAIN = 0.75  # sureness from which a die is company
AS_LARGE = 0.2  # log2: of dice of one set, as the classifier tells their edges
AS_LARGE_KNOWN = 0.4  # the same where the size of the dice is known well: the edge of a large ace is told worst
AS_COLOURED = 0.4  # natural logarithm of linear light in each channel: uneven light makes as much of one colour
SIZE_LIFT, COLOUR_LIFT = 1.0, 3.0  # natural logarithm of how much likelier: for the size alone, for both
# Where the size of the dice is known well. Of dice of one set in the simulated rooms hues differ by 0.06 at most, and
# brightness by 0.2: one side of a tray is darker than the other.
ALIKE_HUE, ALIKE_LIGHT, ALIKE_LIFT = 0.12, 0.3, 6.0
WORTH = 0.01  # chance of being a die below which nothing helps
PLAIN = 0.9  # chance of its face below which nothing helps either: company says nothing of faces
PLAIN_ALIKE = 0.75  # the same among dice of one set, which several frames tell
DARKEST = 0.004  # linear light: what is darker counts as that


def beside_dice(picture: Picture, found: Sequence[Found], *, fixed_size: bool = False) -> tuple[Found, ...]:
    """Return what was found in a picture (H, W, 3), likeliest dice first, with what its company says of it.

    fixed_size: the size of the dice is known well, and all that was found is about as large.
    """
    certain = [one for one in found if one.sureness >= CERTAIN]
    return tuple(sorted((_lifted(picture, one, certain, fixed_size) for one in found), key=lambda one: -one.chance))


def _lifted(picture: Picture, one: Found, certain: Sequence[Found], fixed_size: bool) -> Found:
    if one.sureness >= CERTAIN or one.chance < WORTH or max(one.faces) < (PLAIN_ALIKE if fixed_size else PLAIN):
        return one
    as_large = AS_LARGE_KNOWN if fixed_size else AS_LARGE
    company = [other for other in certain if abs(log2(one.size / other.size)) <= as_large]
    if not company:
        return one
    colour = _colour(picture, one)
    lift = max(_lift(colour - _colour(picture, other), fixed_size) for other in company)
    if max(one.faces) < PLAIN and lift < ALIKE_LIFT:
        return one
    nothing = one.kinds[Kind.NOTHING] * exp(-lift)
    total = nothing + one.chance
    flat, leaning, covered = (chance / total for chance in one.kinds[Kind.FLAT :])
    likelier = replace(one, kinds=(nothing / total, flat, leaning, covered))
    return likelier if is_sure(likelier) else one


def _lift(apart: NDArray[np.floating], fixed_size: bool) -> float:
    light = float(apart.mean())
    if fixed_size and abs(light) <= ALIKE_LIGHT and np.abs(apart - light).max() <= ALIKE_HUE:
        return ALIKE_LIFT
    return COLOUR_LIFT if np.abs(apart).max() < AS_COLOURED else SIZE_LIFT


def _colour(picture: Picture, one: Found) -> NDArray[np.floating]:
    """Return the logarithm of the body's linear light, (3,) blue, green, red."""
    face = linear(top_face(picture, one.x, one.y, one.size, one.angle).reshape(-1, 3))
    return np.log(np.maximum(np.median(face, axis=0), DARKEST))
