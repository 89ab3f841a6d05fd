"""Under a leaning camera a die shows a side face below its top one, and pips are on both: one die, not two.

A side face looks like a top face seen straight on. The other dice tell that nothing is seen so in that picture: their
tops are seen from the side, and flat dice all from the same one.
"""

from collections.abc import Sequence
from math import hypot, log2

from tabletop.vision.classify.classifier import Found

LEANS = 0.15  # sine of 9 degrees: where a top is seen less aslant, no side face could be read
STRAIGHT = 0.35  # of the top's own slant: what is seen less aslant than that does not lie as it does
LIKELY = 0.5  # chance of being a die from which a thing has side faces
# From the middle of a top to that of a side face, in edges: down the picture 0.5 for a camera right above and 0.7 for
# one at 45 degrees, and more as dice are rounded and the classifier is off; across it half an edge if the die is
# turned.
NEAREST, FARTHEST, ACROSS = 0.4, 1.1, 0.55
ALIKE = 0.7  # log2: the edges that are told of both


def without_side_faces(found: Sequence[Found]) -> tuple[Found, ...]:
    """Return what was found, likeliest first, but for what is a side face of another thing that is likely a die."""
    aslant = [die for die in found if die.chance >= LIKELY and hypot(*die.up) >= LEANS]
    return tuple(one for one in found if not any(_is_side_of(one, die) for die in aslant))


def _is_side_of(one: Found, die: Found) -> bool:
    slant = hypot(*die.up)
    if abs(log2(one.size / die.size)) > ALIKE:
        return False
    right, down = -die.up[0] / slant, -die.up[1] / slant  # towards the camera
    if -(one.up[0] * right + one.up[1] * down) > STRAIGHT * slant:
        return False
    away = (one.x - die.x) / die.size, (one.y - die.y) / die.size
    along, across = away[0] * right + away[1] * down, away[0] * down - away[1] * right
    return NEAREST <= along <= FARTHEST and abs(across) <= ACROSS
