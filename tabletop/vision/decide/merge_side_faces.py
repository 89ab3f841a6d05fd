"""Under a leaning camera a die shows a side face below its top face, both with pips: that is one die, not two.

A side face looks like a top face seen straight on. The other dice show that no top face looks like that in this
picture: their tops are seen at a slant, and all flat dice at the same slant.
"""

from collections.abc import Sequence
from math import hypot, log2

from tabletop.vision.classify.classifier import Found

LEANS = 0.15  # sine of 9 degrees: if a top is seen at a smaller slant, no side face could be read
STRAIGHT = 0.35  # of the top's own slant: a face seen at a smaller slant does not lie as the top does
LIKELY = 0.5  # chance of being a die from which a candidate may have side faces
# From the middle of a top to that of a side face, in edges: along the slant 0.5 for a camera right above and 0.7 for
# one at 45 degrees, and more since dice are rounded and the classifier is inexact; across it half an edge if the die is
# turned.
NEAREST, FARTHEST, ACROSS = 0.4, 1.1, 0.55
ALIKE = 0.7  # log2: by how much the edges of both may differ


def without_side_faces(found: Sequence[Found]) -> tuple[Found, ...]:
    """Return the candidates, likeliest first, except those that are a side face of another that is likely a die."""
    aslant = [die for die in found if die.chance >= LIKELY and hypot(*die.up) >= LEANS]
    return tuple(candidate for candidate in found if not any(_is_side_of(candidate, die) for die in aslant))


def _is_side_of(candidate: Found, die: Found) -> bool:
    away = (candidate.x - die.x) / die.size, (candidate.y - die.y) / die.size
    if hypot(*away) > FARTHEST + ACROSS or abs(log2(candidate.size / die.size)) > ALIKE:
        return False
    slant = hypot(*die.up)
    right, down = -die.up[0] / slant, -die.up[1] / slant  # towards the camera
    if -(candidate.up[0] * right + candidate.up[1] * down) > STRAIGHT * slant:
        return False
    along, across = away[0] * right + away[1] * down, away[0] * down - away[1] * right
    return NEAREST <= along <= FARTHEST and abs(across) <= ACROSS
