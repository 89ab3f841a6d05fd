"""The reader: one frame in, one reading out. The whole of it in order is `find_dice` and `read`.

A detector looks at the frame made small and names places where dice may be. A classifier looks closely at each of them,
and again where it is in doubt; in a photograph a second opinion is asked about what is then still in doubt. What is a
die is either sure, or named with the reason why it is not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tabletop.core.values import Reading
from tabletop.vision.classify import classifier, second_opinion
from tabletop.vision.classify.classifier import TOLD, UNTOLD, Classifier, Found
from tabletop.vision.classify.multilook import classify_all, recover_missed
from tabletop.vision.classify.second_opinion import SecondOpinion, with_second_opinion
from tabletop.vision.decide.acceptance import (
    SURE,
    SURE_UNTOLD,
    agreed_size,
    all_sure,
    chosen,
    is_sure,
    only_size,
    plausible,
    to_dice,
)
from tabletop.vision.decide.merge_side_faces import without_side_faces
from tabletop.vision.decide.nearby_dice import beside_dice
from tabletop.vision.detect import detector
from tabletop.vision.detect.detector import Detector, Place

Picture = NDArray[np.uint8]
Region = tuple[int, int, int, int]  # left, top, right, bottom in pixels, the last two outside


class Networks(NamedTuple):
    """What reads. second_opinion: None if nobody is asked but the classifier."""

    detector: Detector
    classifier: Classifier
    second_opinion: SecondOpinion | None = None


# So much smaller the detector sees dice in a second pass, 14 px: of 57 large aces whose spot alone it had seen in the
# first one it sees 55 whole there, at 12 px 46, at 17 px 47.
COARSER = 1.4
# log2: how far the size that was told may be off the one that dice are seen to have. Chosen on the photographs beside
# the repository, whose told sizes are those of boxes: see docs/vision-record.md.
HINTED_LOG = 0.35
# Sureness below which the second opinion makes no die sure: of 660 such things in the photographs beside the
# repository none became sure.
HOPE = 0.3
# Logit of the detector below which nothing is looked at in a photograph: of 2,500 such places in the photographs beside
# the repository, their size told, none showed a die that was read (of those above 14 did, all above -0.8), and of 629
# in 95 of them, their size unknown, none was likelier a die than not.
FAINTEST = -1.0


def read(
    frame: Picture,
    *,
    time_s: float = 0.0,
    die_px: float | None = None,
    expect: int | None = None,
    region: Region | None = None,
    fixed_size: bool = False,
    networks: Networks | None = None,
) -> Reading:
    """Return what is seen in one frame; nothing is remembered between calls.

    frame: (H, W, 3) uint8, BGR. die_px: about the edge of its dice in pixels, 0.6 to 1.8 times the truth, None if
    unknown: then dice of all sizes are looked for, which costs four times as much in a small picture, and in one of 12
    megapixels with large dice a hundred times. expect: how many dice there should be; it chooses among things that may
    be dice, and never makes a sure die of an unsure one. region: the part of the frame to look at. fixed_size: die_px
    is known well (a fixed camera after its first readings), so that things of another size are no dice.
    """
    height, width = frame.shape[:2]
    seen = find_dice(frame, die_px=die_px, expect=expect, region=region, fixed_size=fixed_size, networks=networks)
    dice, unsure = to_dice(frame, chosen(seen.found, expect, fixed_size=fixed_size), seen.found, seen.bar)
    return Reading(time_s, width, height, dice, unsure)


@dataclass(frozen=True, slots=True)
class Candidates:
    """All that may be dice in a frame, likeliest first, and the bar of sureness that a die must reach there."""

    found: tuple[Found, ...]
    bar: float


def find_dice(
    frame: Picture,
    *,
    die_px: float | None = None,
    expect: int | None = None,
    region: Region | None = None,
    fixed_size: bool = False,
    networks: Networks | None = None,
) -> Candidates:
    """Return what may be dice; the arguments are those of `read`.

    Where no size is told and sure dice of one size are seen, that is the size: the frame is looked at again with it. A
    single one that is very sure tells a size too, which holds if others then become sure.
    Where one was told, not all dice are sure, and the sure ones have another size, the frame is looked at again with
    theirs. Where this many dice as are expected are sure, nobody looks for fainter ones, which saves half of the time.
    Where some are not and the size is known well, the detector looks again with dice made smaller, in which it sees
    large aces. Where it is not known so well, as in a photograph, a second opinion is asked about what is in doubt; at
    the table, where every frame counts and several of them are joined, nobody waits for it.
    """
    networks = networks or shipped_networks()
    left, top, right, bottom = _inside(region, frame.shape[1], frame.shape[0])
    part = frame[top:bottom, left:right]
    if not part.size:
        return Candidates((), SURE)
    found: tuple[Found, ...] = ()
    bar = SURE_UNTOLD
    if die_px is None:
        places = _worth_a_look(networks.detector.everywhere(part))
        found = plausible(without_side_faces(classify_all(networks.classifier, part, places, UNTOLD)), None)
        die_px = agreed_size(found)
        if die_px is None and (only_px := only_size(found)) is not None:
            again, _ = _looked_told(networks, part, only_px, expect, fixed_size=False)
            if sum(is_sure(one) for one in again) > 1:
                found, bar = again, SURE
    if die_px is not None:
        bar = SURE
        found, better_px = _looked_told(networks, part, die_px, expect, fixed_size=fixed_size)
        if better_px is not None:
            found, _ = _looked_told(networks, part, better_px, expect, fixed_size=False)
    high, wide = part.shape[:2]  # what has its middle elsewhere cannot be read
    return Candidates(tuple(one.moved(left, top) for one in found if 0 <= one.x < wide and 0 <= one.y < high), bar)


def _looked_told(
    networks: Networks, part: Picture, die_px: float, expect: int | None, *, fixed_size: bool
) -> tuple[tuple[Found, ...], float | None]:
    """Return what is found where dice are told to be so large, and the size to look again with, None if this will do.

    Where that many dice cannot become sure and those that are have another size, nobody looks for faint ones here nor
    asks the second opinion: what they say would be thrown away.
    """
    finding, judging, doubting = networks

    def fitting(found: Sequence[Found]) -> tuple[Found, ...]:
        dice = beside_dice(part, plausible(found, die_px, fixed_size=fixed_size), fixed_size=fixed_size)
        return dice if fixed_size else without_side_faces(dice)

    def better(dice: Sequence[Found]) -> float | None:
        better_px = None if fixed_size or all_sure(dice, expect) else agreed_size(dice)
        return better_px if better_px is not None and abs(log2(better_px / die_px)) > HINTED_LOG else None

    def in_vain(dice: Sequence[Found]) -> bool:
        hopeful = sum(one.sureness >= HOPE for one in dice)
        return (expect is None or hopeful < expect) and better(dice) is not None

    def enough(found: Sequence[Found]) -> bool:
        dice = fitting(found)
        return all_sure(dice, expect) or in_vain(dice)

    places, known_px = finding.places(part, die_px), die_px if fixed_size else None
    places = places if fixed_size else _worth_a_look(places)
    found = classify_all(judging, part, places, TOLD, enough, known_px=known_px)
    dice = fitting(found)
    if in_vain(dice):
        return dice, better(dice)
    if doubting is not None and not fixed_size:
        dice = fitting(with_second_opinion(doubting, part, plausible(found, die_px), expect))
    if expect is None or known_px is None or all_sure(dice, expect):
        return dice, better(dice)
    missed = recover_missed(judging, part, finding.places(part, die_px * COARSER), found, known_px)
    return fitting(missed), None


def _worth_a_look(places: Sequence[Place]) -> tuple[Place, ...]:
    return tuple(place for place in places if place.logit >= FAINTEST)


def shipped_networks() -> Networks:
    """Return the networks that come with the package; the first call loads them, which takes about 20 ms."""
    return Networks(detector.shipped(), classifier.shipped(), second_opinion.shipped())


def _inside(region: Region | None, width: int, height: int) -> Region:
    left, top, right, bottom = region or (0, 0, width, height)
    return max(0, left), max(0, top), min(width, right), min(height, bottom)
