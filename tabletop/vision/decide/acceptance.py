"""Which of the things found are dice, which of those are sure, and why the others are not.

The bars were chosen on the labelled photographs beside the repository, see docs/vision-record.md.
"""

from collections.abc import Sequence
from math import hypot, log2
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.core.reasons import UnsureReason
from tabletop.core.values import Die, Unsure
from tabletop.vision.classify.classifier import Found, Kind
from tabletop.vision.decide.colour import body_colour, frame_tint, top_face

Picture = NDArray[np.uint8]

SURE = 0.6  # chance of a flat die with that face from which the face is told
SURE_UNTOLD = 0.7  # the same where nobody told the size: then things of all sizes are looked at
SHOWN = 0.5  # chance of being a die from which a thing is reported, where nobody said how many dice there are
DUE = 0.3  # the same for the likeliest N, where N dice are expected
# The same for an ace so plain, where the size of the dice is known well: the classifier takes large spots for no die. A
# die that is overlooked without a word is missing; named, it can be nudged or told.
PLAIN_ACE, ACE_DUE = 0.9, 0.1
EXTRA = 0.97  # the same for those beyond N
TOLD_SIZES, FIXED_SIZES = (0.42, 2.2), (0.6, 1.67)  # of die_px: 1 / 1.8 and 1 / 0.6 and what the reader is off itself
# Sine of 37 degrees: so much may the way up of two flat dice seem to differ, at the opposite ends of a near camera's
# picture. At 0.5 nine of 579 photographs had such a flat die, at 0.6 two; of rendered leaning ones both find the same.
TIPPED = 0.6
UNLIKE = 2.3  # of two sizes of dice in one picture: what is further off the usual one is none, unless it is sure
# Pixels: where no size was told, what looks smaller is a die only beside so many sure ones of its size, since stars and
# things on circuit boards look like one small die. See docs/vision-record.md.
SMALLEST, COMPANY = 22.0, 3
TINIEST = 15.0  # pixels: nothing smaller is a die there
# Pixels, sureness: from these on a small thing needs no company. A plain white die of 20 px is taken for one of 19 and
# sure by 0.88 at least; of 650 things as small in pictures without dice, many of them stars, the surest was so by 0.84.
SMALL_ALONE, SURE_ALONE = 18.0, 0.87
AGREED, ALIKE = 2, 0.3  # sure dice; log2: so many of about one size, and it is the size of the dice
EITHER = 0.15  # chance of a second face from which it is named
DARK = 40  # byte: brightest part of a top face in which nothing can be told
BRIGHTEST = 98  # per cent of the face are darker than that part: an ace's pip is 3 per cent of it
GLARE_BYTE, GLARE_SHARE = 250, 0.3  # share of a top face without any drawing left
# A spot as bright as that on a body that is darker than this: of 120 rendered dice the pips are 0.04 of their face at
# most, what glares and was not read is 0.12 and more. A large ace may be as large.
SPOT_BYTE, GLARED_BODY, SPOT_SHARE = 225, 150, 0.1
OUTSIDE = 0.42  # dice: nearer to the border than that, part of the top face is not in the picture


def plausible(found: Sequence[Found], told_px: float | None, *, fixed_size: bool = False) -> tuple[Found, ...]:
    """Return what may be dice by its size: about the size that was told, or else that of the others in the picture."""
    if told_px is not None:
        least, most = FIXED_SIZES if fixed_size else TOLD_SIZES
        return tuple(one for one in found if least <= one.size / told_px <= most)
    certain = [one for one in found if is_sure(one, SURE_UNTOLD)]
    found = [one for one in found if one.size >= SMALLEST or _plain(one) or _in_company(one, certain)]
    usual = usual_size(found)
    return tuple(
        one for one in found if usual is None or is_sure(one, SURE_UNTOLD) or 1 / UNLIKE <= one.size / usual <= UNLIKE
    )


def _plain(one: Found) -> bool:
    return one.size >= SMALL_ALONE and is_sure(one, SURE_ALONE)


def _in_company(one: Found, certain: Sequence[Found]) -> bool:
    """Return whether a small thing is as large as so many sure dice, itself among them if it is sure."""
    alike = [other for other in certain if abs(log2(other.size / one.size)) <= ALIKE]
    return one.size >= TINIEST and len(alike) >= COMPANY


def usual_size(found: Sequence[Found]) -> float | None:
    """Return the edge that most of the sureness in a picture lies at, in pixels; None if nothing is likely a die."""
    likely = [one for one in found if one.chance >= SHOWN]
    if not likely:
        return None
    logs, weights = np.log2([one.size for one in likely]), np.array([one.sureness for one in likely])
    order = np.argsort(logs)
    share = np.cumsum(weights[order])
    return float(2 ** logs[order][int(np.searchsorted(share, share[-1] / 2))])


def agreed_size(found: Sequence[Found]) -> float | None:
    """Return the edge in pixels that AGREED sure dice of a picture have within ALIKE; None if they do not agree."""
    logs = np.log2([one.size for one in found if is_sure(one, SURE_UNTOLD)])
    near = [logs[np.abs(logs - log) <= ALIKE] for log in logs]
    most = max(near, key=len, default=logs)
    return float(2 ** np.median(most)) if len(most) >= AGREED else None


def only_size(found: Sequence[Found]) -> float | None:
    """Return the edge in pixels of the only sure die of a picture if it is very sure; None if there is no such die."""
    sure = [one for one in found if is_sure(one, SURE_UNTOLD)]
    return sure[0].size if len(sure) == 1 and is_sure(sure[0], SURE_ALONE) else None


def chosen(found: Sequence[Found], expect: int | None, *, fixed_size: bool = False) -> tuple[Found, ...]:
    """Return those taken for dice.

    found: likeliest first. expect: how many there should be, None if unknown. fixed_size: the size is known well.
    """
    if expect is None:
        return tuple(one for one in found if one.chance >= SHOWN)
    due = [
        one for one in found[:expect] if one.chance >= (ACE_DUE if fixed_size and one.faces[0] >= PLAIN_ACE else DUE)
    ]
    return (*due, *(one for one in found[expect:] if one.chance >= EXTRA))


def to_dice(
    frame: Picture, taken: Sequence[Found], found: Sequence[Found], bar: float = SURE
) -> tuple[tuple[Die, ...], tuple[Unsure, ...]]:
    """Return the sure dice and the unsure ones of those taken for dice, out of all that was found.

    bar: SURE or SURE_UNTOLD. What is expected plays no part here, only what is seen.
    """
    dice, unsure = [], []
    tint = frame_tint(frame) if taken else None
    for one in taken:
        if is_tipped(one, found, bar):
            unsure.append(Unsure(one.x, one.y, one.size, UnsureReason.LEANS))
        elif is_sure(one, bar):
            colour = body_colour(frame, one.x, one.y, one.size, one.angle, tint)
            dice.append(Die(one.face, one.x, one.y, one.size, one.angle, colour, round(one.sureness, 3), up=one.up))
        else:
            unsure.append(doubt(frame, one))
    return tuple(dice), tuple(unsure)


def is_sure(one: Found, bar: float = SURE) -> bool:
    """Return whether a die and its face are clear enough for the score."""
    return one.sureness >= bar


def all_sure(found: Sequence[Found], expect: int | None) -> bool:
    """Return whether as many dice as are expected are sure; never where nobody said how many there are."""
    return expect is not None and sum(is_sure(one) for one in found) >= expect


def is_tipped(one: Found, found: Sequence[Found], bar: float = SURE) -> bool:
    """Return whether a die is seen from another side than the others in the picture: it does not lie as they do.

    Of two dice that differ the one that shows more of its side leans. A die alone may lie flat under a leaning camera.
    """
    others = [other.up for other in found if other is not one and is_sure(other, bar)]
    if not others:
        return False
    right, down = (median(up[axis] for up in others) for axis in (0, 1))
    if hypot(one.up[0] - right, one.up[1] - down) <= TIPPED:
        return False
    return len(others) > 1 or hypot(*one.up) > hypot(right, down)


def doubt(frame: Picture, one: Found) -> Unsure:
    """Return what was found as an unsure die, with the reason why its face is not given."""
    faces = _likely_faces(one)
    reason = UnsureReason.TWO_FACES if faces else UnsureReason.UNREADABLE
    reason = _hindrance(frame, one) or (reason if faces or max(one.faces) < SURE_UNTOLD else UnsureReason.MAY_BE_NO_DIE)
    return Unsure(one.x, one.y, one.size, reason, faces=faces if reason is UnsureReason.TWO_FACES else ())


def _likely_faces(one: Found) -> tuple[int, ...]:
    """Return the two faces that are likely, the smaller one first; empty if one or three are."""
    first, second, third = sorted(range(1, 7), key=lambda face: -one.faces[face - 1])[:3]
    likely = one.faces[second - 1] >= EITHER and one.faces[third - 1] < EITHER
    return tuple(sorted((first, second))) if likely else ()


def _hindrance(frame: Picture, one: Found) -> UnsureReason | None:
    """Return what keeps a die from being read, None if its pips alone are in doubt."""
    height, width = frame.shape[:2]
    rim = OUTSIDE * one.size
    if not (rim <= one.x < width - rim and rim <= one.y < height - rim):
        return UnsureReason.OUTSIDE_PICTURE
    patch = top_face(frame, one.x, one.y, one.size, one.angle)
    if float(np.percentile(patch, BRIGHTEST)) < DARK:
        return UnsureReason.TOO_DARK
    if _glares(patch, one.face):
        return UnsureReason.GLARE
    return REASONS.get(Kind(int(np.argmax(one.kinds))))


def _glares(patch: Picture, face: int) -> bool:
    """Return whether light hides the drawing of a top face, or lies on a darker one in a spot larger than its pips."""
    least = patch.min(axis=2)
    if float((least >= GLARE_BYTE).mean()) > GLARE_SHARE:
        return bool(patch.max() > patch.min())
    if face == 1 or float(np.median(least)) > GLARED_BODY:
        return False
    _, _, spots, _ = cv2.connectedComponentsWithStats((least >= SPOT_BYTE).astype(np.uint8), connectivity=4)
    return bool(spots[1:, cv2.CC_STAT_AREA].max(initial=0) > SPOT_SHARE * least.size)


REASONS = {
    Kind.NOTHING: UnsureReason.MAY_BE_NO_DIE,
    Kind.LEANING: UnsureReason.LEANS,
    Kind.COVERED: UnsureReason.PARTLY_HIDDEN,
}
