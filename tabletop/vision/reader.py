"""The reader: one frame in, one reading out. The whole of it in order is `find_dice` and `read`.

A detector looks at the frame made small and names places where dice may be. A classifier looks closely at each of them,
and again if it is in doubt; in a photograph, a second opinion is asked about what is still in doubt. Each die is
either sure, or reported with the reason why it is not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tabletop.core.geometry import distance_in_edges
from tabletop.core.values import Reading
from tabletop.vision.classify import classifier, second_opinion
from tabletop.vision.classify.classifier import KNOWN_SIZE, UNKNOWN_SIZE, Classifier, Found
from tabletop.vision.classify.multilook import APART, FIRST, classify_all, recover_missed
from tabletop.vision.classify.second_opinion import SecondOpinion, with_second_opinion
from tabletop.vision.decide import surroundings
from tabletop.vision.decide.acceptance import (
    DUE,
    SHOWN,
    SURE,
    SURE_UNKNOWN_SIZE,
    agreed_size,
    all_sure,
    chosen,
    close_up,
    is_sure,
    only_size,
    plausible,
    settled,
    to_dice,
)
from tabletop.vision.decide.merge_side_faces import without_side_faces
from tabletop.vision.decide.nearby_dice import beside_dice
from tabletop.vision.decide.surroundings import Surroundings, with_doubts
from tabletop.vision.detect import detector
from tabletop.vision.detect.detector import CandidatePlace, Detector
from tabletop.vision.own_dice.model import OwnDice

Picture = NDArray[np.uint8]
Region = tuple[int, int, int, int]  # left, top, right, bottom in pixels, the last two outside


class Networks(NamedTuple):
    """The networks that read. second_opinion, surroundings: None if they are not asked."""

    detector: Detector
    classifier: Classifier
    second_opinion: SecondOpinion | None = None
    surroundings: Surroundings | None = None


# Factor by which dice are smaller in the detector's second pass, 14 px: of 57 dice with large aces of which the first
# pass had seen only the pip, it sees 55 whole there, against 46 at 12 px and 47 at 17 px.
COARSER = 1.4
# log2: how far the given size may differ from the one that dice are seen to have. Chosen on the photographs beside the
# repository, whose given sizes are those of upright boxes: see docs/vision-record.md.
HINTED_LOG = 0.35
# Sureness below which the second opinion makes no die sure: of 660 such candidates in the photographs beside the
# repository none became sure.
HOPE = 0.3
# Where, after one look at each place, SEEN dice are sure and of another size than the one given, one is in doubt, and
# MISSING of those expected are not sure, no second look is taken at the size given: of 1,095 photographs beside the
# repository none that was read at the size given would have been left.
SEEN, MISSING = 3, 2
# Sureness by which a die must be clearer in the look at all sizes to be taken from there: docs/vision-record.md.
CLEARER = 0.1
WHOLE = 1.25  # edges of its top face: how large a die taken alone is with the sides that are seen
# Logit of the detector below which nothing is looked at in a photograph: of 2,500 such places in the photographs beside
# the repository, with their size given, none showed a die that was read (14 of the places above it did, all above
# -0.8), and of 629 in 95 of them, without their size, none was likelier a die than not.
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
    own: OwnDice | None = None,
) -> Reading:
    """Return what is seen in one frame; nothing is remembered between calls.

    frame: (H, W, 3) uint8, BGR. die_px: approximate edge of its dice in pixels, 0.6 to 1.8 times the true one, None if
    unknown: then dice of all sizes are looked for, which costs two to four times as much, and a hundred times as much
    in a picture of 12 megapixels whose large dice are not clear. expect: how many dice there should be; it chooses
    among candidates, and never makes an unsure die sure. region: the part of the frame to look at. fixed_size: die_px
    is known well (a fixed camera after its first readings), so that candidates of another size are no dice. own: the
    dice that this table was taught; None for none.
    """
    height, width = frame.shape[:2]
    seen = find_dice(frame, die_px=die_px, expect=expect, region=region, fixed_size=fixed_size, networks=networks)
    found = seen.found if own is None else own.apply(frame, seen.found)
    dice, unsure = to_dice(frame, chosen(found, expect, fixed_size=fixed_size), found, seen.bar)
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

    If no size is given and sure dice agree on one, the frame is looked at again with that size; a die whose face is
    sure in both is taken from the look in which it was clearer. A single die that is very sure gives a size too, which
    is kept if others then become sure.
    If a size was given, not all dice are sure, and the sure ones have another size, the frame is looked at again with
    theirs. If the expected number of dice are sure, fainter ones are not looked for, which saves half of the time. If
    some are not sure and the size is known well, the detector looks again with the dice made smaller, where it sees
    large aces. If the size is not known well, as in a photograph, a second opinion is asked about what is in doubt; at
    the table, where every frame counts and several are joined, that would take too long. If no size is given, what
    would be sure has to have the surroundings of a die.
    """
    networks = networks or shipped_networks()
    left, top, right, bottom = _inside(region, frame.shape[1], frame.shape[0])
    part = frame[top:bottom, left:right]
    if not part.size:
        return Candidates((), SURE)
    found: tuple[Found, ...] = ()
    bar, unknown = SURE_UNKNOWN_SIZE, die_px is None
    if die_px is None:
        found, certain = _find_dice_of_any_size(networks, part, expect)
        die_px = agreed_size(found)
        if die_px is None and (only_px := only_size(certain)) is not None:
            retried, _ = _find_dice_of_size(networks, part, only_px, expect, fixed_size=False)
            if sum(is_sure(candidate, SURE_UNKNOWN_SIZE) for candidate in retried) > 1:
                found, bar = retried, SURE
        elif die_px is None and (lone := close_up(found, min(part.shape[:2]))) is not None:
            found = _taken_alone(networks, part, lone, expect) or found
    if die_px is not None:
        bar = SURE
        first = [candidate for candidate in found if is_sure(candidate, SURE_UNKNOWN_SIZE)]
        found, better_px = _find_dice_of_size(networks, part, die_px, expect, fixed_size=fixed_size)
        if better_px is not None:
            found, _ = _find_dice_of_size(networks, part, better_px, expect, fixed_size=False)
        found = with_clearer(first, found)
    if unknown and networks.surroundings is not None:
        found = with_doubts(networks.surroundings, part, found, bar)
    high, wide = part.shape[:2]  # a candidate whose middle is outside cannot be read
    return Candidates(
        tuple(candidate.moved(left, top) for candidate in found if 0 <= candidate.x < wide and 0 <= candidate.y < high),
        bar,
    )


def _taken_alone(networks: Networks, part: Picture, lone: Found, expect: int | None) -> tuple[Found, ...]:
    """Return the candidates of a look at a lone die's own size that is sure of the same face; () if none is."""
    for die_px in (lone.size, lone.size * WHOLE):
        found, _ = _find_dice_of_size(networks, part, die_px, expect, fixed_size=False)
        same = [one for one in found if one.face == lone.face and distance_in_edges(one, lone) < APART]
        if any(is_sure(candidate, SURE_UNKNOWN_SIZE) for candidate in same):
            return found
    return ()


def with_clearer(first: Sequence[Found], found: Sequence[Found]) -> tuple[Found, ...]:
    """Return the candidates, likeliest first, each from the look in which it was clearer if both are sure of its face.

    first: sure dice of the look at all sizes. found: of the look at the size that they agree on, which has the last
    word on what is in doubt. Where a die is smaller than the others, that look may take top and side for its top.
    """

    def clearest(now: Found) -> Found:
        clearer = (
            before
            for before in first
            if is_sure(now)
            and before.face == now.face
            and before.sureness - now.sureness >= CLEARER
            and distance_in_edges(before, now) < APART
        )
        return next(clearer, now)

    return without_side_faces(sorted(map(clearest, found), key=lambda candidate: -candidate.chance))


def _find_dice_of_any_size(
    networks: Networks, part: Picture, expect: int | None
) -> tuple[tuple[Found, ...], tuple[Found, ...]]:
    """Return the candidates for dice of unknown size, and those that may give a size to look again with.

    As soon as a few looks find clear dice of one size, all of them if it is known how many, nothing else is looked at:
    the look at that size finds the others. Where nothing is sure, tiny dice are looked for too. A single tiny die may
    be a star or a crumb, and is no candidate; but if another becomes sure when looked for at its size, both are.
    """

    def looked_at(places: Sequence[CandidatePlace]) -> tuple[Found, ...]:
        found = classify_all(networks.classifier, part, _worth_a_look(places), UNKNOWN_SIZE, in_vain=settled)
        return without_side_faces(found)

    large: tuple[CandidatePlace, ...] = ()
    looked = dict[CandidatePlace, Found]()
    for large in networks.detector.coarse_to_fine(part):
        first = _worth_a_look(large)[:FIRST]
        new = [place for place in first if place not in looked]
        looked.update(zip(new, networks.classifier.look(part, new, UNKNOWN_SIZE), strict=True))
        seen = tuple(looked[place] for place in first)
        if settled(seen) and (expect is None or sum(is_sure(candidate) for candidate in seen) >= expect):
            return seen, seen
    found = plausible(looked_at(networks.detector.everywhere(part, large)), None)
    if any(is_sure(candidate, SURE_UNKNOWN_SIZE) for candidate in found):
        return found, found
    tiny = looked_at(networks.detector.tiny(part))
    kept = plausible(tiny, None)
    return (kept if agreed_size(kept) is not None else found), tiny


def _find_dice_of_size(
    networks: Networks, part: Picture, die_px: float, expect: int | None, *, fixed_size: bool
) -> tuple[tuple[Found, ...], float | None]:
    """Return the candidates for dice of this size, and the size to look again with, None if there is no need.

    If the expected number of dice cannot become sure, and the sure ones have another size, faint ones are not looked
    for and the second opinion is not asked, since the result would be thrown away.
    """

    def fitting(found: Sequence[Found]) -> tuple[Found, ...]:
        dice = beside_dice(part, plausible(found, die_px, fixed_size=fixed_size), fixed_size=fixed_size)
        return dice if fixed_size else without_side_faces(dice)

    def better(dice: Sequence[Found]) -> float | None:
        better_px = None if fixed_size or all_sure(dice, expect) else agreed_size(dice)
        return better_px if better_px is not None and abs(log2(better_px / die_px)) > HINTED_LOG else None

    def in_vain(dice: Sequence[Found]) -> bool:
        hopeful = sum(candidate.sureness >= HOPE for candidate in dice)
        return (expect is None or hopeful < expect) and better(dice) is not None

    def of_other_size(found: Sequence[Found]) -> bool:
        dice = fitting(found)
        sure = sum(is_sure(candidate) for candidate in dice)
        in_doubt = any(candidate.chance >= DUE and not is_sure(candidate) for candidate in dice)
        missing = expect is not None and expect - sure >= MISSING
        return in_doubt and missing and sure >= SEEN and better(dice) is not None

    def enough(found: Sequence[Found]) -> bool:
        dice = fitting(found)
        return all_sure(dice, expect) or in_vain(dice) or (not fixed_size and _mostly_sure(dice, expect))

    places, known_px = networks.detector.places(part, die_px), die_px if fixed_size else None
    places = places if fixed_size else _worth_a_look(places)
    found = classify_all(networks.classifier, part, places, KNOWN_SIZE, enough, of_other_size, known_px=known_px)
    dice = fitting(found)
    if in_vain(dice):
        return dice, better(dice)
    if networks.second_opinion is not None and not fixed_size:
        dice = fitting(with_second_opinion(networks.second_opinion, part, plausible(found, die_px), expect))
    if expect is None or known_px is None or all_sure(dice, expect):
        return dice, better(dice)
    missed = recover_missed(
        networks.classifier, part, networks.detector.places(part, die_px * COARSER), found, known_px
    )
    return fitting(missed), None


def _mostly_sure(found: Sequence[Found], expect: int | None) -> bool:
    """Return whether the expected number are likelier dice than not and more than half of them sure.

    Then none at a faint place would be taken: of 1,095 photographs beside the repository none lost a die.
    """
    if expect is None:
        return False
    likely = sum(candidate.chance >= SHOWN for candidate in found)
    return likely >= expect < 2 * sum(is_sure(candidate) for candidate in found)


def _worth_a_look(places: Sequence[CandidatePlace]) -> tuple[CandidatePlace, ...]:
    return tuple(place for place in places if place.logit >= FAINTEST)


def shipped_networks() -> Networks:
    """Return the networks that come with the package; the first call loads them, which takes about 20 ms."""
    return Networks(detector.shipped(), classifier.shipped(), second_opinion.shipped(), surroundings.shipped())


def _inside(region: Region | None, width: int, height: int) -> Region:
    left, top, right, bottom = region or (0, 0, width, height)
    return max(0, left), max(0, top), min(width, right), min(height, bottom)
