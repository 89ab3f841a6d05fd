"""Aces that look like the sure dice beside them: of one size and one body, they are dice of the same set.

A die with one big spot may be a button, a lid or a draughtsman, for all that one picture tells. Beside dice of the same
size and body, thrown with it, it is the ace. So where the size of the dice is known well, what shows an ace and is like
a sure die is taken for a die; whether it lies flat and free, and that it is an ace, has to be as clear as ever.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tabletop.vision.colour import linear, top_face
from tabletop.vision.judge import Found
from tabletop.vision.looking import ACE_WORTH, SURE_ACE

Picture = NDArray[np.uint8]
Floats = NDArray[np.floating]

ALIKE_SIZE = 0.2  # log2: 15 %
# Natural logarithms of linear light. Of flat dice of one set in the simulated rooms the hues of the bodies are apart by
# 0.06 at most, and their brightness by 0.2: one side of a tray is darker than the other.
ALIKE_HUE, ALIKE_LIGHT = 0.12, 0.3
DIM = 0.03  # linear light below which a colour of a body says nothing


def with_kin(frame: Picture, found: Sequence[Found], bar: float) -> tuple[Found, ...]:
    """Return what was found, likeliest first, with aces that look like the sure dice in the frame taken for dice.

    found: of about the size that is known. bar: sureness from which a die is sure.
    """
    doubtful = [one for one in found if one.sureness < bar and one.chance >= ACE_WORTH and one.faces[0] >= SURE_ACE]
    sure = [(one, _body(frame, one)) for one in found if one.sureness >= bar] if doubtful else []
    if not sure:
        return tuple(found)
    kin = [one for one in doubtful if any(_alike(one, _body(frame, one), *other) for other in sure)]
    both = (_as_die(one) if one in kin else one for one in found)
    return tuple(sorted(both, key=lambda one: -one.chance))


def _as_die(one: Found) -> Found:
    nothing, *kinds = one.kinds
    flat, leaning, covered = (kind / (1 - nothing) for kind in kinds)
    return replace(one, kinds=(0.0, flat, leaning, covered))


def _body(frame: Picture, one: Found) -> Floats:
    """Return the colour of a body, (3,) logarithms of linear BGR."""
    face = linear(top_face(frame, one.x, one.y, one.size, one.angle).reshape(-1, 3))
    return np.log(np.maximum(np.median(face, axis=0), DIM))


def _alike(one: Found, body: Floats, other: Found, other_body: Floats) -> bool:
    if abs(float(np.log2(one.size / other.size))) > ALIKE_SIZE:
        return False
    apart = body - other_body
    light = float(apart.mean())
    return abs(light) <= ALIKE_LIGHT and float(np.abs(apart - light).max()) <= ALIKE_HUE
