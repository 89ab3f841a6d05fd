"""Decide which candidates are dice, which of those are sure, and why the others are not.

The thresholds were chosen on the labelled photographs beside the repository, see docs/accuracy.md.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from math import exp, hypot, log2
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.core.values import Die, Unsure, UnsureReason
from tabletop.vision.classifier import Found, Kind
from tabletop.vision.colour import body_colour, frame_tint, linear, top_face

Picture = NDArray[np.uint8]

SURE = 0.6  # chance of a flat die with that face from which the face is given
SURE_UNKNOWN_SIZE = 0.7  # the same if no size was given: then candidates of all sizes are looked at
SETTLED = 0.85  # the same for dice beside which no others are looked for: at 0.8 a photograph was lost, at this none
SHOWN = 0.5  # chance of being a die from which a candidate is reported if the number of dice is unknown
# Pixels; the same for smaller things: of 15 such things in the photographs beside the repository one was a die.
TINY_SHOWN_PX, TINY_SHOWN = 20.0, 0.8
DUE = 0.3  # the same for the likeliest N if N dice are expected
# The same for a face that is an ace with at least PLAIN_ACE, if the size of the dice is known well: the classifier
# often takes large pips for no die. A silently overlooked die is missing; a reported one can be nudged or entered.
PLAIN_ACE, ACE_DUE = 0.9, 0.1
# The same for those beyond N that are not sure; a die that is sure is never left out, if it can lie beside those N.
# See docs/accuracy.md.
EXTRA = 0.97
HINTED_SIZES, FIXED_SIZES = (0.42, 2.2), (0.6, 1.67)  # of die_px: 1 / 1.8 and 1 / 0.6, and the reader's own error
# Sine of 37 degrees: the `up` of two flat dice may seem to differ by this, at opposite ends of a near camera's picture.
# At 0.5 nine of 579 photographs had such a flat die, at 0.6 two; both find the same rendered leaning dice.
TIPPED = 0.6
# Pixels; dice: if no size was given, a smaller candidate is a die only if COMPANY sure ones have its size, since stars
# and parts on circuit boards look like single small dice. See docs/accuracy.md.
SMALLEST, COMPANY = 22.0, 3
PAIR = 2  # the same for dice that are sure by SURE_ALONE
TINIEST = 11.0  # pixels: nothing smaller is a die there
# Sureness from which a small candidate needs no others of its size. Of 47 photographed dice of 11 to 20 px 38 reach it.
# In 830 pictures without dice one thing does, half a domino; of 650 other small ones, many of them stars, none does.
SURE_ALONE = 0.87
AGREED, ALIKE = 2, 0.42  # sure dice; log2: AGREED dice whose sizes differ by at most ALIKE give the size of the dice
# Of the picture's shorter side: a lone thing this large is what the picture was taken of. Smaller ones, looked at again
# in their own size, made three sure dice more in 500 pictures without dice.
CLOSE_UP = 0.25
# Chance of a die from which a thing counts that FILLS the picture, as a share of its shorter side. Of 41 photographs of
# one die in which nothing was sure, each is larger than 0.57 of it; from 0.3 on two more stay unread: accuracy.md.
FAINT, FILLS = 0.2, 0.5
EITHER = 0.15  # chance of a second face from which it is named too
DARK = 40  # byte: if the brightest part of a top face is darker, nothing can be read
BRIGHTEST = 98  # per cent of the face that are darker than its brightest part: an ace's pip covers 3 per cent
GLARE_BYTE, GLARE_SHARE = 250, 0.3  # a larger share of the top face at this byte shows no pips any more
# Byte of a spot, byte of the body below which it counts, and share of the face. In 120 rendered dice, pips cover at
# most 0.04 of the face, and glares that prevented reading at least 0.12. A large ace may be as large.
SPOT_BYTE, GLARED_BODY, SPOT_SHARE = 225, 150, 0.1
OUTSIDE = 0.42  # dice: if the middle is nearer to the border, part of the top face is not in the picture


def plausible(found: Sequence[Found], die_px: float | None, *, fixed_size: bool = False) -> tuple[Found, ...]:
    """Return the candidates with a plausible size: about `die_px` pixels, or if it is None, not too small for one."""
    if die_px is not None:
        least, most = FIXED_SIZES if fixed_size else HINTED_SIZES
        return tuple(candidate for candidate in found if least <= candidate.size / die_px <= most)
    certain = [candidate for candidate in found if is_sure(candidate, SURE_UNKNOWN_SIZE)]
    return tuple(one for one in found if one.size >= SMALLEST or _plain(one) or _in_company(one, certain))


def _plain(candidate: Found) -> bool:
    return candidate.size >= TINIEST and is_sure(candidate, SURE_ALONE)


def _in_company(candidate: Found, certain: Sequence[Found]) -> bool:
    """Return whether a small candidate is as large as COMPANY sure dice, or a PAIR of very sure ones, with itself."""
    alike = [other for other in certain if abs(log2(other.size / candidate.size)) <= ALIKE]
    very_sure = [other for other in alike if is_sure(other, SURE_ALONE)]
    return candidate.size >= TINIEST and (len(alike) >= COMPANY or len(very_sure) >= PAIR)


def agreed_size(found: Sequence[Found]) -> float | None:
    """Return the edge in pixels on which at least AGREED sure dice agree within ALIKE; None if they do not."""
    logs = np.log2([candidate.size for candidate in found if is_sure(candidate, SURE_UNKNOWN_SIZE)])
    near = [logs[np.abs(logs - log) <= ALIKE] for log in logs]
    most = max(near, key=len, default=logs)
    return float(2 ** np.median(most)) if len(most) >= AGREED else None


def settled(found: Sequence[Found]) -> bool:
    """Return whether all candidates of a plausible size are clear and agree on it, so that the search can stop."""
    likely = [candidate for candidate in plausible(found, None) if candidate.chance >= SHOWN]
    return all(is_sure(candidate, SETTLED) for candidate in likely) and agreed_size(likely) is not None


def only_size(found: Sequence[Found]) -> float | None:
    """Return the edge in pixels of the only sure die in a picture; None if there is not exactly one.

    A tiny die counts only if it is very sure.
    """
    sure = [candidate for candidate in found if is_sure(candidate, SURE_UNKNOWN_SIZE)]
    if len(sure) != 1:
        return None
    return sure[0].size if is_sure(sure[0], SURE_UNKNOWN_SIZE if sure[0].size >= SMALLEST else SURE_ALONE) else None


def close_up(found: Sequence[Found], shorter_px: int) -> Found | None:
    """Return the die in a close-up picture of one die, if its face is in doubt; None for other pictures.

    found: likeliest first. shorter_px: the shorter side of the picture. If nothing is likely a die, a candidate that
    fills the picture may be one.
    """
    likely = [candidate for candidate in found if candidate.chance >= SHOWN] or [
        candidate for candidate in found[:1] if candidate.chance >= FAINT and candidate.size >= FILLS * shorter_px
    ]
    if len(likely) != 1 or likely[0].size < CLOSE_UP * shorter_px or is_sure(likely[0], SURE_UNKNOWN_SIZE):
        return None
    return likely[0]


def chosen(found: Sequence[Found], expect: int | None, *, fixed_size: bool = False) -> tuple[Found, ...]:
    """Return the candidates accepted as dice.

    found: likeliest first. expect: how many there should be, None if unknown. fixed_size: the size is known well.
    """
    if expect is None:
        return tuple(candidate for candidate in found if candidate.chance >= SHOWN and not _crumb(candidate))

    def bar(one: Found) -> float:
        return ACE_DUE if fixed_size and one.faces[0] >= PLAIN_ACE else DUE

    due = [one for one in found[:expect] if one.chance >= bar(one)]
    others = (one for one in found[expect:] if one.chance >= EXTRA or (is_sure(one) and _lies_beside(one, due)))
    return (*due, *others)


def _lies_beside(candidate: Found, others: Sequence[Found]) -> bool:
    """Return whether none of the others is nearer than dice can lie: an edge from middle to middle."""
    return all(
        hypot(candidate.x - other.x, candidate.y - other.y) >= (candidate.size + other.size) / 2 for other in others
    )


def _crumb(candidate: Found) -> bool:
    """Return whether a tiny thing is too unlike a die to be asked about."""
    return candidate.size < TINY_SHOWN_PX and candidate.chance < TINY_SHOWN and not is_sure(candidate)


def to_dice(
    frame: Picture, taken: Sequence[Found], found: Sequence[Found], bar: float = SURE
) -> tuple[tuple[Die, ...], tuple[Unsure, ...]]:
    """Return the sure and the unsure dice among `taken`, which were chosen from all candidates in `found`.

    bar: SURE or SURE_UNKNOWN_SIZE. Expectations play no part here.
    """
    dice, unsure = [], []
    tint = frame_tint(frame) if taken else None
    for candidate in taken:
        if is_tipped(candidate, found, bar):
            unsure.append(Unsure(candidate.x, candidate.y, candidate.size, UnsureReason.LEANS))
        elif is_sure(candidate, bar):
            lies = candidate.x, candidate.y, candidate.size, candidate.angle
            colour, sureness = body_colour(frame, *lies, tint), round(candidate.sureness, 3)
            dice.append(Die(candidate.face, *lies, colour, sureness, up=candidate.up, second=candidate.second))
        else:
            unsure.append(doubt(frame, candidate))
    return tuple(dice), tuple(unsure)


def is_sure(candidate: Found, bar: float = SURE) -> bool:
    """Return whether a die and its face are clear enough for the score."""
    return candidate.sureness >= bar


def all_sure(found: Sequence[Found], expect: int | None) -> bool:
    """Return whether at least `expect` dice are sure; False if the number is unknown."""
    return expect is not None and sum(is_sure(candidate) for candidate in found) >= expect


def is_tipped(candidate: Found, found: Sequence[Found], bar: float = SURE) -> bool:
    """Return whether a die is seen from another side than the others in the picture, so that it lies differently.

    If only two dice differ, the one that shows more of its side leans. A single die may lie flat under a leaning
    camera.
    """
    others = [other.up for other in found if other is not candidate and is_sure(other, bar)]
    if not others:
        return False
    right, down = (median(up[axis] for up in others) for axis in (0, 1))
    if hypot(candidate.up[0] - right, candidate.up[1] - down) <= TIPPED:
        return False
    return len(others) > 1 or hypot(*candidate.up) > hypot(right, down)


def doubt(frame: Picture, candidate: Found) -> Unsure:
    """Return the candidate as an unsure die, with the reason."""
    faces = _likely_faces(candidate)
    plain = max(candidate.faces) >= SURE_UNKNOWN_SIZE
    unread = UnsureReason.MAY_BE_NO_DIE if plain else UnsureReason.UNREADABLE
    reason = _hindrance(frame, candidate) or (UnsureReason.TWO_FACES if faces else unread)
    faces = faces if reason is UnsureReason.TWO_FACES else ()
    return Unsure(candidate.x, candidate.y, candidate.size, reason, faces=faces)


def _likely_faces(candidate: Found) -> tuple[int, ...]:
    """Return the two likely faces, the smaller first; empty if only one is likely, or three are."""
    first, second, third = sorted(range(1, 7), key=lambda face: -candidate.faces[face - 1])[:3]
    likely = candidate.faces[second - 1] >= EITHER and candidate.faces[third - 1] < EITHER
    return tuple(sorted((first, second))) if likely else ()


def _hindrance(frame: Picture, candidate: Found) -> UnsureReason | None:
    """Return what keeps a die from being read, None if only its pips are in doubt."""
    height, width = frame.shape[:2]
    rim = OUTSIDE * candidate.size
    if not (rim <= candidate.x < width - rim and rim <= candidate.y < height - rim):
        return UnsureReason.OUTSIDE_PICTURE
    face_pixels = top_face(frame, candidate.x, candidate.y, candidate.size, candidate.angle)
    if float(np.percentile(face_pixels, BRIGHTEST)) < DARK:
        return UnsureReason.TOO_DARK
    if _glares(face_pixels, candidate.face):
        return UnsureReason.GLARE
    return REASONS.get(Kind(int(np.argmax(candidate.kinds))))


def _glares(face_pixels: Picture, face: int) -> bool:
    """Return whether glare hides the pips of a top face, or lies on a darker body in a spot larger than the pips."""
    least = face_pixels.min(axis=2)
    if float((least >= GLARE_BYTE).mean()) > GLARE_SHARE:
        return bool(face_pixels.max() > face_pixels.min())
    if face == 1 or float(np.median(least)) > GLARED_BODY:
        return False
    _, _, spots, _ = cv2.connectedComponentsWithStats((least >= SPOT_BYTE).astype(np.uint8), connectivity=4)
    return bool(spots[1:, cv2.CC_STAT_AREA].max(initial=0) > SPOT_SHARE * least.size)


REASONS = {
    Kind.NOTHING: UnsureReason.MAY_BE_NO_DIE,
    Kind.LEANING: UnsureReason.LEANS,
    Kind.COVERED: UnsureReason.PARTLY_HIDDEN,
}


LEANS = 0.15  # sine of 9 degrees: if a top is seen at a smaller slant, no side face could be read
STRAIGHT = 0.35  # of the top's own slant: a face seen at a smaller slant does not lie as the top does
SIDE_LIKELY = 0.5  # chance of being a die from which a candidate may have side faces
# From the middle of a top to that of a side face, in edges: along the slant 0.5 for a camera right above and 0.7 for
# one at 45 degrees, and more since dice are rounded and the classifier is inexact; across it half an edge if the die is
# turned.
NEAREST, FARTHEST, ACROSS = 0.4, 1.1, 0.55
SIDE_ALIKE = 0.7  # log2: by how much the edges of both may differ


def without_side_faces(found: Sequence[Found]) -> tuple[Found, ...]:
    """Return the candidates, likeliest first, without side faces of others that are likely dice."""
    aslant = [die for die in found if die.chance >= SIDE_LIKELY and hypot(*die.up) >= LEANS]
    return tuple(candidate for candidate in found if not any(_is_side_of(candidate, die) for die in aslant))


def _is_side_of(candidate: Found, die: Found) -> bool:
    away = (candidate.x - die.x) / die.size, (candidate.y - die.y) / die.size
    if hypot(*away) > FARTHEST + ACROSS or abs(log2(candidate.size / die.size)) > SIDE_ALIKE:
        return False
    slant = hypot(*die.up)
    right, down = -die.up[0] / slant, -die.up[1] / slant  # towards the camera
    if -(candidate.up[0] * right + candidate.up[1] * down) > STRAIGHT * slant:
        return False
    along, across = away[0] * right + away[1] * down, away[0] * down - away[1] * right
    return NEAREST <= along <= FARTHEST and abs(across) <= ACROSS


ColourOf = Callable[[Found], NDArray[np.floating]]

# Chosen on photographs that the networks had not seen, each also made worse: see docs/accuracy.md.
CERTAIN = 0.75  # sureness from which a die supports others
AS_LARGE = 0.2  # log2: difference of edges within one set of dice, as the classifier measures them
# The same if the size of the dice is known well: the edge of a die with a large ace is measured worst
AS_LARGE_KNOWN = 0.4
# Natural logarithm of linear light in each channel: uneven light makes this difference within one colour
AS_COLOURED = 0.4
SIZE_LIFT, COLOUR_LIFT = 1.0, 3.0  # natural logarithm of the factor in odds: for size alone, for size and colour
# If the size of the dice is known well. Within one set of dice in the simulated rooms, hues differ by at most 0.06 and
# brightness by at most 0.2, since one side of a tray is darker than the other.
ALIKE_HUE, ALIKE_LIGHT, ALIKE_LIFT = 0.12, 0.3, 6.0
WORTH_A_LIFT = 0.01  # chance of being a die below which nothing helps
PLAIN = 0.9  # chance of its face below which nothing helps either: other dice say nothing about its face
PLAIN_ALIKE = 0.75  # the same among dice of one set, which are seen in several frames
DARKEST = 0.004  # linear light: darker values are raised to this


def beside_dice(picture: Picture, found: Sequence[Found], *, fixed_size: bool = False) -> tuple[Found, ...]:
    """Return the candidates of a picture (H, W, 3), likeliest first, with probabilities raised by nearby sure dice.

    fixed_size: the size of the dice is known well, and all candidates have about that size.
    """
    certain = [candidate for candidate in found if candidate.sureness >= CERTAIN]
    colour_of = cache(partial(_colour, picture))
    lifted = (_lifted(colour_of, candidate, certain, fixed_size) for candidate in found)
    return tuple(sorted(lifted, key=lambda candidate: -candidate.chance))


def _lifted(colour_of: ColourOf, candidate: Found, certain: Sequence[Found], fixed_size: bool) -> Found:
    least = PLAIN_ALIKE if fixed_size else PLAIN
    if candidate.sureness >= CERTAIN or candidate.chance < WORTH_A_LIFT or max(candidate.faces) < least:
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
    lies = (chance / total for chance in candidate.kinds[Kind.FLAT :])
    likelier = replace(candidate, kinds=(nothing / total, *lies))
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
