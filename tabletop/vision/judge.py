"""Which of the things found are dice, which of those are sure, and why the others are not.

The thresholds were chosen on the labelled photographs beside the repository, see README.md here.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tabletop.dice import Die, Unsure
from tabletop.vision.cells import Found
from tabletop.vision.colour import body_colour, top_face

Picture = NDArray[np.uint8]

SURE_FACE, SURE_DIE = 0.78, 0.85  # chances of the face and of being a die at all from which a face is told
SURE_BOTH = 0.78  # and for both together: takes one silent misread in seven for one exact photograph in a hundred
SHOWN = 0.5  # chance of being a die from which a thing is reported, where nobody said how many dice there are
DUE = 0.13  # the same for the likeliest N, where N dice are expected
EXTRA = 0.98  # the same for those beyond N
NEXT = 0.78  # dice: top faces of two dice that touch are 1 apart, seen at 35 degrees 0.82; of one die on its edge 0.71
EITHER = 0.15  # chance of a second face from which it is named
DARK = 40  # byte: brightest part of a top face in which nothing can be told
GLARE_BYTE, GLARE_SHARE = 250, 0.3  # share of a top face without any drawing left
OUTSIDE = 0.35  # dice: nearer to the border than that, part of the top face is not in the picture


def chosen(found: Sequence[Found], expect: int | None) -> tuple[Found, ...]:
    """Return those taken for dice. found: likeliest first. expect: how many there should be, None if unknown."""
    if expect is None:
        return tuple(one for one in found if one.chance >= SHOWN)
    due = [one for one in found[:expect] if one.chance >= DUE]
    return (*due, *(one for one in found[expect:] if one.chance >= EXTRA))


def judged(
    frame: Picture, taken: Sequence[Found], found: Sequence[Found]
) -> tuple[tuple[Die, ...], tuple[Unsure, ...]]:
    """Return the sure dice and the unsure ones of those taken for dice, out of all that was found.

    What is expected plays no part here, only what is seen.
    """
    dice, unsure = [], []
    for one in taken:
        if _on_edge(one, found):
            unsure.append(Unsure(one.x, one.y, one.size, "leans, so that two of its faces are seen"))
        elif sure(one):
            colour = body_colour(frame, one.x, one.y, one.size, one.angle)
            dice.append(Die(one.face, one.x, one.y, one.size, one.angle, colour, round(one.sureness, 3)))
        else:
            unsure.append(Unsure(one.x, one.y, one.size, reason(frame, one)))
    return tuple(dice), tuple(unsure)


def sure(one: Found) -> bool:
    """Tell whether a die and its face are clear enough for the score."""
    return one.chance >= SURE_DIE and max(one.faces) >= SURE_FACE and one.sureness >= SURE_BOTH


def _on_edge(one: Found, found: Sequence[Found]) -> bool:
    """Tell whether another face is seen so near that both must belong to one die.

    Such faces look small, so the usual size of the dice in the frame counts where it is larger.
    """
    shown = [other for other in found if other.chance >= SHOWN]
    size = max(one.size, float(np.median([other.size for other in shown] or [0.0])))
    return any(other is not one and np.hypot(one.x - other.x, one.y - other.y) < NEXT * size for other in shown)


def reason(frame: Picture, one: Found) -> str:
    """Return why a die is not sure, in words for people."""
    height, width = frame.shape[:2]
    rim = OUTSIDE * one.size
    if not (rim <= one.x < width - rim and rim <= one.y < height - rim):
        return "part of it is outside the picture"
    patch = top_face(frame, one.x, one.y, one.size, one.angle)
    if float(np.percentile(patch, 95)) < DARK:
        return "too dark"
    if float((patch.min(axis=2) >= GLARE_BYTE).mean()) > GLARE_SHARE and patch.max() > patch.min():
        return "glare"
    ranked = sorted(range(1, 7), key=lambda face: -one.faces[face - 1])
    if one.chance < SURE_DIE:
        return "may be no die"
    if one.faces[ranked[1] - 1] >= EITHER and one.faces[ranked[2] - 1] < EITHER:
        first, second = sorted(ranked[:2])
        return f"could be {first} or {second}"
    return "leans, or part of it is hidden"
