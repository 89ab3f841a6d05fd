"""The reader: one frame in, one reading out. `find_dice` and `read` show all steps in order.

A detector finds candidate places in the shrunken frame. A classifier looks closely at each of them, and again if it is
in doubt; in a photograph, a second opinion is asked about what is still in doubt. Each die is either sure, or reported
with the reason why it is not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import log2
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tabletop.core.values import Reading, distance_in_edges
from tabletop.vision import acceptance, classifier, detector, second_opinion
from tabletop.vision.acceptance import SURE, SURE_UNKNOWN_SIZE, is_sure, without_side_faces
from tabletop.vision.classifier import Classifier, Found
from tabletop.vision.detector import CandidatePlace, Detector
from tabletop.vision.own_dice import OwnDice
from tabletop.vision.second_opinion import SecondOpinion, Surroundings, with_doubts, with_second_opinion

Picture = NDArray[np.uint8]
Region = tuple[int, int, int, int]  # left, top, right, bottom in pixels, the last two outside


class Networks(NamedTuple):
    """The networks of the reader. second_opinion, surroundings: None if unused."""

    detector: Detector
    classifier: Classifier
    second_opinion: SecondOpinion | None = None
    surroundings: Surroundings | None = None


# Factor by which dice are smaller in the detector's second pass, 14 px: of 57 dice with large aces of which the first
# pass had seen only the pip, it sees 55 whole there, against 46 at 12 px and 47 at 17 px.
COARSER = 1.4
# log2: how far the given size may differ from the one that dice are seen to have. Chosen on the photographs beside the
# repository, whose given sizes are those of upright boxes: see docs/accuracy.md.
HINTED_LOG = 0.35
# Sureness below which the second opinion makes no die sure: of 660 such candidates in the photographs beside the
# repository none became sure.
HOPE = 0.3
# Where, after one look at each place, SEEN dice are sure and of another size than the one given, one is in doubt, and
# MISSING of those expected are not sure, no second look is taken at the size given: of 1,095 photographs beside the
# repository none that was read at the size given would have been left.
SEEN, MISSING = 3, 2
WHOLE = 1.25  # edges of its top face: how large a die taken alone is with the sides that are seen
# Of the picture's shorter side, and of a place's size: where nothing is sure, a place at least this large is looked at
# smaller, since the detector may have taken what is round a die for a part of it: docs/accuracy.md.
ROUND_IT, WITHIN = 0.35, (0.5, 0.6, 0.7, 0.85)
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
    """Read the dice in one frame; nothing is remembered between calls.

    frame: (H, W, 3) uint8, BGR. die_px: approximate edge of its dice in pixels, 0.6 to 1.8 times the true one; None if
    unknown: then dice of all sizes are searched for, which costs two to four times as much, and a hundred times as much
    in a picture of 12 megapixels whose large dice are not clear. expect: how many dice there should be; it selects
    among candidates, and never makes an unsure die sure. region: the part of the frame to search. fixed_size: die_px is
    known well (a fixed camera after its first readings), so that candidates of another size are not dice. own: the
    taught dice of this table; None if there are none.
    """
    height, width = frame.shape[:2]
    seen = find_dice(frame, die_px=die_px, expect=expect, region=region, fixed_size=fixed_size, networks=networks)
    found = seen.found if own is None else own.apply(frame, seen.found)
    dice, unsure = acceptance.to_dice(frame, acceptance.chosen(found, expect, fixed_size=fixed_size), found, seen.bar)
    return Reading(time_s, width, height, dice, unsure)


@dataclass(frozen=True, slots=True)
class Candidates:
    """All candidates in a frame, likeliest first, and the threshold of sureness for a die there."""

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
    """Return the candidates; arguments as for `read`."""
    networks = networks or shipped_networks()
    left, top, right, bottom = _inside(region, frame.shape[1], frame.shape[0])
    part = frame[top:bottom, left:right]
    if not part.size:
        return Candidates((), SURE)
    if die_px is None:
        seen = _of_unknown_size(networks, part, expect)
        if networks.surroundings is not None:
            scale = classifier.KNOWN_SIZE if seen.bar == SURE else classifier.UNKNOWN_SIZE
            turned = partial(networks.classifier.turned_sureness, part, scale=scale)
            doubted = with_doubts(networks.surroundings, part, seen.found, seen.bar, turned)
            seen = Candidates(doubted, seen.bar)
    else:
        seen = _of_given_size(networks, part, die_px, expect, fixed_size=fixed_size)
    high, wide = part.shape[:2]  # a candidate whose middle is outside cannot be read
    inside = (one for one in seen.found if 0 <= one.x < wide and 0 <= one.y < high)
    return Candidates(tuple(one.moved(left, top) for one in inside), seen.bar)


def _of_unknown_size(networks: Networks, part: Picture, expect: int | None) -> Candidates:
    """Return what may be dice where no size is given: it is taken from the dice that are sure, and looked at again.

    Sure dice that agree on a size give it. So does a single one, if others become sure at its size; else other places
    are looked at in several sizes. So does a die that the picture was taken of alone, if its face becomes sure then.
    """
    passes: detector.Passes = {}
    found, certain = _find_dice_of_any_size(networks, part, expect, passes)
    if (die_px := acceptance.agreed_size(found)) is not None:
        return _of_given_size(networks, part, die_px, expect, passes)
    if (only_px := acceptance.only_size(certain)) is not None:
        retried, _ = _Search(networks, part, only_px, expect).run()
        if sum(is_sure(candidate, SURE_UNKNOWN_SIZE) for candidate in retried) > 1:
            return Candidates(retried, SURE)
        shown = [is_sure(one, SURE_UNKNOWN_SIZE) for one in found if one.chance >= acceptance.SHOWN]
        if expect != 1 and shown == [True]:
            places = networks.detector.places(part, only_px, passes)
            others = [replace(one, size=only_px * WHOLE) for one in places if distance_in_edges(one, found[0]) > WHOLE]
            looked = _looked_at_smaller(networks, part, others[: classifier.FIRST])
            found = without_side_faces([found[0], *looked])
    elif (lone := acceptance.close_up(found, min(part.shape[:2]))) is not None:
        found = _taken_alone(networks, part, lone, expect) or found
    return Candidates(found, SURE_UNKNOWN_SIZE)


def _of_given_size(
    networks: Networks,
    part: Picture,
    die_px: float,
    expect: int | None,
    passes: detector.Passes | None = None,
    *,
    fixed_size: bool = False,
) -> Candidates:
    """Return what may be dice of this size, or of the size that the sure ones have if that is another one.

    passes: what the detector saw in a look at all sizes.
    """
    found, better_px = _Search(networks, part, die_px, expect, passes, fixed_size=fixed_size).run()
    if better_px is not None:
        found, _ = _Search(networks, part, better_px, expect).run()
    return Candidates(found, SURE)


def _taken_alone(networks: Networks, part: Picture, lone: Found, expect: int | None) -> tuple[Found, ...]:
    """Return the candidates of a look at a lone die's own size that is sure of the same face; () if none is."""
    for die_px in (lone.size, lone.size * WHOLE):
        found, _ = _Search(networks, part, die_px, expect).run()
        same = [one for one in found if one.face == lone.face and distance_in_edges(one, lone) < classifier.APART]
        if any(is_sure(candidate, SURE_UNKNOWN_SIZE) for candidate in same):
            return found
    return ()


def _find_dice_of_any_size(
    networks: Networks, part: Picture, expect: int | None, passes: detector.Passes
) -> tuple[tuple[Found, ...], tuple[Found, ...]]:
    """Return the candidates for dice of unknown size, and those that may give a size to look again with.

    As soon as a few looks find clear dice of one size, all of them if it is known how many, nothing else is looked at:
    the look at that size finds the others. Where nothing is sure, tiny dice are looked for too. A single tiny die that
    is not very sure may be a star or a crumb; but if another becomes sure when looked for at its size, both are dice.
    """
    large: tuple[CandidatePlace, ...] = ()
    looked = dict[CandidatePlace, Found]()
    for large in networks.detector.coarse_to_fine(part, passes):
        first = _worth_a_look(large)[: classifier.FIRST]
        new = [place for place in first if place not in looked]
        looked.update(zip(new, networks.classifier.look(part, new, classifier.UNKNOWN_SIZE), strict=True))
        seen = tuple(looked[place] for place in first)
        if acceptance.settled(seen) and (expect is None or sum(is_sure(candidate) for candidate in seen) >= expect):
            return seen, seen
    found = acceptance.plausible(_looked_at(networks, part, networks.detector.everywhere(part, large)), None)
    if any(is_sure(candidate, SURE_UNKNOWN_SIZE) for candidate in found):
        return found, found
    tiny = _looked_at(networks, part, networks.detector.tiny(part))
    kept = acceptance.plausible(tiny, None)
    clear = acceptance.agreed_size(kept) is not None or any(is_sure(one, acceptance.SURE_ALONE) for one in kept)
    if clear:
        return kept, tiny
    fills = [place for place in large if place.size >= ROUND_IT * min(part.shape[:2])]
    inner = _looked_at_smaller(networks, part, fills)
    return (inner if any(one.chance >= acceptance.SHOWN for one in inner) else found), tiny


def _looked_at(networks: Networks, part: Picture, places: Sequence[CandidatePlace]) -> tuple[Found, ...]:
    found = classifier.classify_all(
        networks.classifier, part, _worth_a_look(places), classifier.UNKNOWN_SIZE, in_vain=acceptance.settled
    )
    return without_side_faces(found)


def _looked_at_smaller(networks: Networks, part: Picture, places: Sequence[CandidatePlace]) -> tuple[Found, ...]:
    within = [replace(place, size=place.size * share) for place in places for share in WITHIN]
    looks = networks.classifier.look(part, within, classifier.UNKNOWN_SIZE)
    return _looked_at(networks, part, [*within, *(CandidatePlace(one.x, one.y, one.size, one.logit) for one in looks)])


@dataclass(frozen=True, slots=True)
class _Search:
    """A search for dice of one size. expect, fixed_size: as in `read`."""

    networks: Networks
    part: Picture
    die_px: float
    expect: int | None
    passes: detector.Passes | None = None
    fixed_size: bool = False

    def run(self) -> tuple[tuple[Found, ...], float | None]:
        """Return the candidates, and the size in pixels to search again with, None if there is no need.

        Faint candidates are looked at only if the likely ones are not enough. What is in doubt then gets a second
        opinion in a photograph; at a table, where every frame counts and several are joined, that would take too long:
        there the detector looks again with the dice made smaller, where it sees large aces.
        """
        networks, part, die_px = self.networks, self.part, self.die_px
        known_px = die_px if self.fixed_size else None
        places = networks.detector.places(part, die_px, self.passes)
        places = places if self.fixed_size else _worth_a_look(places)
        found = classifier.classify_all(
            networks.classifier,
            part,
            places,
            classifier.KNOWN_SIZE,
            self._enough,
            self._of_other_size,
            known_px=known_px,
        )
        dice = self._dice(found)
        if self._in_vain(dice):
            return dice, self._better_px(dice)
        if networks.second_opinion is not None and not self.fixed_size:
            asked = with_second_opinion(networks.second_opinion, part, acceptance.plausible(found, die_px), self.expect)
            dice = self._dice(asked)
        if self.expect is None or known_px is None or acceptance.all_sure(dice, self.expect):
            return dice, self._better_px(dice)
        coarse = networks.detector.places(part, die_px * COARSER)
        return self._dice(classifier.recover_missed(networks.classifier, part, coarse, found, known_px)), None

    def _dice(self, found: Sequence[Found]) -> tuple[Found, ...]:
        """Return those of this size, likelier beside dice of their kind; in a photograph without side faces."""
        found = acceptance.plausible(found, self.die_px, fixed_size=self.fixed_size)
        dice = acceptance.beside_dice(self.part, found, fixed_size=self.fixed_size)
        return dice if self.fixed_size else without_side_faces(dice)

    def _better_px(self, dice: Sequence[Found]) -> float | None:
        """Return the size of the sure dice if it is another one and some are not sure."""
        better_px = None if self.fixed_size or acceptance.all_sure(dice, self.expect) else acceptance.agreed_size(dice)
        return better_px if better_px is not None and abs(log2(better_px / self.die_px)) > HINTED_LOG else None

    def _in_vain(self, dice: Sequence[Found]) -> bool:
        """Return whether the expected number cannot become sure at this size: the result would be thrown away."""
        hopeful = sum(candidate.sureness >= HOPE for candidate in dice)
        return (self.expect is None or hopeful < self.expect) and self._better_px(dice) is not None

    def _of_other_size(self, found: Sequence[Found]) -> bool:
        """Return whether one look shows that the dice have another size."""
        dice = self._dice(found)
        sure = sum(is_sure(candidate) for candidate in dice)
        in_doubt = any(candidate.chance >= acceptance.DUE and not is_sure(candidate) for candidate in dice)
        missing = self.expect is not None and self.expect - sure >= MISSING
        return in_doubt and missing and sure >= SEEN and self._better_px(dice) is not None

    def _enough(self, found: Sequence[Found]) -> bool:
        """Return whether fainter places need no look, which saves half of the time."""
        dice = self._dice(found)
        mostly = not self.fixed_size and _mostly_sure(dice, self.expect)
        return acceptance.all_sure(dice, self.expect) or self._in_vain(dice) or mostly


def _mostly_sure(found: Sequence[Found], expect: int | None) -> bool:
    """Return whether the expected number are likelier dice than not and more than half of them sure.

    Then none at a faint place would be taken: of 1,095 photographs beside the repository none lost a die.
    """
    if expect is None:
        return False
    likely = sum(candidate.chance >= acceptance.SHOWN for candidate in found)
    return likely >= expect < 2 * sum(is_sure(candidate) for candidate in found)


def _worth_a_look(places: Sequence[CandidatePlace]) -> tuple[CandidatePlace, ...]:
    return tuple(place for place in places if place.logit >= FAINTEST)


def shipped_networks() -> Networks:
    """Return the built-in networks; the first call loads them, which takes about 20 ms."""
    return Networks(
        detector.shipped(),
        classifier.shipped(),
        second_opinion.shipped_second_opinion(),
        second_opinion.shipped_surroundings(),
    )


def _inside(region: Region | None, width: int, height: int) -> Region:
    left, top, right, bottom = region or (0, 0, width, height)
    return max(0, left), max(0, top), min(width, right), min(height, bottom)
