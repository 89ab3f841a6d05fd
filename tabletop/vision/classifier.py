"""Classify candidate places: a second network looks at each, scaled to the die's size but not rotated upright.

It determines the kind of object, the face that is up, and the exact centre, edge and rotation. It looks again if the
first look was off-centre or in doubt; five times if the size of the dice is known and it saw another one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache
from math import hypot, log2

import numpy as np
from numpy.typing import NDArray

from tabletop.core.values import distance_in_edges, point_distance_in_edges
from tabletop.vision.detector import CandidatePlace
from tabletop.vision.network import EDGE_PX, Crop, Network, crop, normalised, shipped_weights

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]
MOST_LOG = 0.7  # log2: the classifier recognises no die whose edge differs by more from that of its crop


class Kind(IntEnum):
    """The kind of object at a place; the number is the index of the network's output."""

    NOTHING = 0
    FLAT = 1  # a die that lies flat, its top face free
    LEANING = 2
    COVERED = 3  # something covers the top face, or the picture ends there


KINDS = len(Kind)
FACES = slice(KINDS, KINDS + 6)
RIGHT, DOWN, SCALE, SINE, COSINE, UP_X, UP_Y = range(KINDS + 6, KINDS + 13)
# chances before softmax; offset in edges; log2 of the edge; sine and cosine of four times the turn; the way up
OUTPUTS = KINDS + 13


@dataclass(frozen=True, slots=True)
class Found:
    """The classifier's result for a place. x, y: the centre of the top face, size: its edge, in pixels of the picture.

    angle: degrees clockwise, 0 to 90. kinds: probability of each `Kind`, adding to 1. faces: probability of each face
    if it lies flat, adding to 1. logit: the detector's for the place. up: the offset from the die's centre to the
    centre of its top face, right and down; its length is the sine of the viewing angle of the top face. It is about the
    same for all dice that lie flat in one picture.
    """

    x: float
    y: float
    size: float
    angle: float
    kinds: tuple[float, ...]
    faces: tuple[float, ...]
    logit: float = 0.0
    up: tuple[float, float] = (0.0, 0.0)

    @property
    def face(self) -> int:
        """The likeliest face."""
        return self.faces.index(max(self.faces)) + 1

    @property
    def second(self) -> int:
        """The second likeliest face."""
        return max((face for face in range(1, 7) if face != self.face), key=lambda face: self.faces[face - 1])

    @property
    def chance(self) -> float:
        """The probability that there is a die, however it lies."""
        return 1 - self.kinds[Kind.NOTHING]

    @property
    def sureness(self) -> float:
        """The probability that a die lies there flat and shows `face`."""
        return self.kinds[Kind.FLAT] * max(self.faces)

    def moved(self, x: float, y: float) -> "Found":
        """Return a copy moved x to the right and y down, in pixels."""
        return replace(self, x=self.x + x, y=self.y + y)


@dataclass(frozen=True, slots=True)
class Scale:
    """Calibration of the networks' raw outputs into probabilities.

    kind_steep, face_steep: factors for the outputs of kinds and faces. detector_share, detector_lift: factor and offset
    for the detector's logit, in the logit of a die. Chosen on photographs unknown to the networks: docs/accuracy.md.
    """

    kind_steep: float
    face_steep: float
    detector_share: float
    detector_lift: float


# UNKNOWN_SIZE: places of all sizes were looked at, and many things are like dice of some size.
KNOWN_SIZE = Scale(kind_steep=1.0, face_steep=1.2, detector_share=1.0, detector_lift=0.0)
UNKNOWN_SIZE = Scale(kind_steep=1.0, face_steep=1.2, detector_share=2.2, detector_lift=-1.5)


# Quarter turns in which a candidate less sure than EVIDENT is shown again, the share of its size and of the result, and
# the factor for the chance of no die then, which is higher in a picture that is turned: docs/accuracy.md.
TURNS, EVIDENT, CLOSER, SHARE, LESS_NOTHING = (1, 2, 3), 0.85, 0.95, 0.4, 0.74
LEAST = 1e-6  # added to each probability before its logarithm


class Classifier(Network):
    """The trained classifier network. Immutable weights: equal crops give equal answers."""

    def look(self, picture: Picture, places: Sequence[CandidatePlace], scale: Scale = KNOWN_SIZE) -> tuple[Found, ...]:
        """Classify each of the places in a picture (H, W, 3), in their order."""
        looks = self.looks(picture, [(place.x, place.y, place.size) for place in places])
        return tuple(_found(answer, seen, place, scale) for (seen, answer), place in zip(looks, places, strict=True))

    def turned_sureness(self, picture: Picture, one: Found, scale: Scale = KNOWN_SIZE) -> float:
        """Return the sureness of a candidate in a picture (H, W, 3), lower if it is no such die when shown turned.

        A die is a die from all sides; printed squares and numerals are so less often.
        """
        if one.sureness >= EVIDENT:
            return one.sureness
        seen, place = crop(picture, one.x, one.y, one.size * CLOSER), CandidatePlace(one.x, one.y, one.size, one.logit)
        shown = np.stack([np.rot90(seen.pixels, turns) for turns in TURNS])
        looks = [_found(answer, seen, place, scale) for answer in self.answers(normalised(shown))]
        kinds = _blended(one.kinds, [look.kinds for look in looks])
        kinds[Kind.NOTHING] *= LESS_NOTHING
        faces = _blended(one.faces, [look.faces for look in looks])
        flat = kinds[Kind.FLAT] / kinds.sum() * faces[one.face - 1] / faces.sum()
        return min(one.sureness, float(flat))


def _blended(own: Sequence[float], turned: Sequence[Sequence[float]]) -> NDArray[np.float64]:
    """Return the geometric mean of the probabilities of a candidate, not normalised; those shown turned have SHARE."""
    logs = np.log(np.array([own, *turned]) + LEAST)
    return np.asarray(np.exp((1 - SHARE) * logs[0] + SHARE * logs[1:].mean(axis=0)), np.float64)


@cache
def shipped() -> Classifier:
    """Return the built-in classifier, loaded once."""
    return Classifier(shipped_weights("classifier"))


def _found(answer: Floats, seen: Crop, place: CandidatePlace, scale: Scale) -> Found:
    """Read one row of the network's output, (OUTPUTS,)."""
    edge = seen.step * EDGE_PX
    kinds = scale.kind_steep * answer[:KINDS]
    kinds[Kind.NOTHING] -= scale.detector_share * place.logit + scale.detector_lift
    return Found(
        x=seen.x + float(answer[RIGHT]) * edge,
        y=seen.y + float(answer[DOWN]) * edge,
        size=edge * 2.0 ** float(np.clip(answer[SCALE], -MOST_LOG, MOST_LOG)),
        angle=float(np.degrees(np.arctan2(answer[SINE], answer[COSINE])) / 4 % 90),
        kinds=softmax(kinds),
        faces=softmax(scale.face_steep * answer[FACES]),
        logit=place.logit,
        up=(float(answer[UP_X]), float(answer[UP_Y])),
    )


def softmax(values: Floats) -> tuple[float, ...]:
    """Return probabilities that add to 1."""
    powers = np.exp(values - values.max())
    return tuple((powers / powers.sum()).tolist())


# Logit of the detector from which a place is likely a die's: 99 of a hundred labelled dice reach it. Of the 104
# held-out photographs, of all sources, whose dice are all sure at such places, none has another die at a fainter one.
LIKELY = -0.5
FIRST = 8  # likeliest places that are looked at before it is asked whether there is use in the others
WORTH = 0.05  # chance of being a die below which there is no second look
# The same for a face that is an ace with at least SURE_ACE, if the size of the dice is known well: a large pip is often
# taken for the die itself.
SURE_ACE, ACE_WORTH = 0.75, 0.002
CLEAR = 0.9  # sureness from which one look is enough
# Sureness below which a second look at the same place is useless if the size is not known well: of 830 such candidates
# in the photographs beside the repository, 3 were read in the end.
POOR = 0.1
EVEN = 0.0  # logit: a low one of the detector at the wrong size says nothing against a die of the right size
LOOKS, AROUND = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)), 0.14  # dice: where a die of known size is looked at
# Dice; log2: a candidate whose place or size was off by more is looked at again at its corrected place
OFF, OFF_LOG = 0.16, 0.35
WIDER = 1.1  # factor by which the second look shows more around the die: two scales have to agree
LARGE_LOG = 0.65  # log2: the coarser pass sees dice with large aces at 0.8 to 1.5 times their size
ODD_LOG = 0.3  # log2: a candidate whose size differs by more from the known one was looked at at the wrong size
APART = 0.6  # edges of the larger: two candidates nearer to each other are the same die; the likelier stays


def classify_all(
    classifier: Classifier,
    picture: Picture,
    places: Sequence[CandidatePlace],
    scale: Scale = KNOWN_SIZE,
    enough: Callable[[Sequence[Found]], bool] = lambda _: False,
    in_vain: Callable[[Sequence[Found]], bool] = lambda _: False,
    *,
    known_px: float | None = None,
) -> tuple[Found, ...]:
    """Classify the places of a picture (H, W, 3); likeliest dice first, without duplicates.

    Candidates centred outside the picture are dropped, since they cannot be read. enough: whether the results for the
    likely places suffice, so that faint ones are skipped. in_vain: whether the first look at the likeliest FIRST
    places, or at all likely ones, shows that further looks are useless. known_px: the edge of the dice in pixels if it
    is known well.
    """
    at = [place for place in places if place.logit >= LIKELY]
    looks: list[Found] = []
    for some in (at[:FIRST], at[FIRST:]):
        looks += classifier.look(picture, some, scale)
        if some and in_vain(found := _non_max_suppression(_inside(picture, looks))):
            return found
    likely = _look_again(classifier, picture, at, looks, scale, known_px)
    if enough(found := _non_max_suppression(likely)):
        return found
    at = [place for place in places if place.logit < LIKELY]
    faint = _look_again(classifier, picture, at, classifier.look(picture, at, scale), scale, known_px)
    return _non_max_suppression([*likely, *faint])


def recover_missed(
    classifier: Classifier, picture: Picture, places: Sequence[CandidatePlace], found: Sequence[Found], known_px: float
) -> tuple[Found, ...]:
    """Return the candidates plus those at places without a likely die, likeliest dice first, without duplicates.

    places: from a coarser pass, which sees a die with a large ace as a whole: in the fine pass only its pip stands out,
    and the classifier does not recognise a die by the pip alone.
    """
    likely_dice = [candidate for candidate in found if candidate.chance >= WORTH]
    free = [
        place
        for place in places
        if abs(log2(place.size / known_px)) <= LARGE_LOG
        and all(hypot(place.x - die.x, place.y - die.y) >= APART * known_px for die in likely_dice)
    ]
    worth = [candidate for candidate in classifier.look(picture, free, KNOWN_SIZE) if _worth(candidate, known_px)]
    sized = (_classify_at_known_size(classifier, picture, candidate, known_px, KNOWN_SIZE) for candidate in worth)
    return _non_max_suppression([*found, *sized])


def _look_again(
    classifier: Classifier,
    picture: Picture,
    places: Sequence[CandidatePlace],
    looks: Sequence[Found],
    scale: Scale,
    known_px: float | None,
) -> list[Found]:
    """Return what the first looks at the places found, as it is after another look where it is in doubt."""
    both = list(looks)
    wrong_size = list[int]()
    if known_px is not None:
        wrong_size = [n for n, candidate in enumerate(both) if _has_wrong_size(candidate, places[n], known_px)]
        for index in wrong_size:
            both[index] = _classify_at_known_size(classifier, picture, both[index], known_px, scale)
    doubtful = [n for n, one in enumerate(both) if n not in wrong_size and _doubtful(one, places[n], known_px)]
    second_looks = classifier.look(picture, [_second_look_place(both[index]) for index in doubtful], scale)
    for index, second in zip(doubtful, second_looks, strict=True):
        both[index] = _mean_of_looks(both[index], second)
    return _inside(picture, both)


def _inside(picture: Picture, found: Sequence[Found]) -> list[Found]:
    height, width = picture.shape[:2]
    return [candidate for candidate in found if 0 <= candidate.x < width and 0 <= candidate.y < height]


def _classify_at_known_size(
    classifier: Classifier, picture: Picture, candidate: Found, known_px: float, scale: Scale
) -> Found:
    """Return a candidate classified at the known size of the dice: the mean of looks at it and around it.

    A single look at the middle of a large ace says little: moved by a seventh of an edge it may say the opposite.
    """
    edge, off = known_px * WIDER, known_px * AROUND
    places = [
        CandidatePlace(candidate.x + x * off, candidate.y + y * off, edge, max(candidate.logit, EVEN)) for x, y in LOOKS
    ]
    looks = classifier.look(picture, places, scale)
    kinds = tuple(np.mean([look.kinds for look in looks], axis=0).tolist())
    return replace(looks[0], kinds=kinds, faces=tuple(np.mean([look.faces for look in looks], axis=0).tolist()))


def _non_max_suppression(found: Sequence[Found]) -> tuple[Found, ...]:
    kept: list[Found] = []
    for candidate in sorted(found, key=lambda candidate: -candidate.chance):
        if all(distance_in_edges(candidate, other) >= APART for other in kept):
            kept.append(candidate)
    return tuple(kept)


def _has_wrong_size(candidate: Found, at: CandidatePlace, known_px: float) -> bool:
    """Return whether a candidate that may be a die was detected or classified at another size than the known one."""
    sizes = (candidate.size, at.size)
    return _worth(candidate, known_px) and any(abs(log2(size / known_px)) > ODD_LOG for size in sizes)


def _worth(candidate: Found, known_px: float | None) -> bool:
    return candidate.chance >= (WORTH if known_px is None or candidate.faces[0] < SURE_ACE else ACE_WORTH)


def _doubtful(candidate: Found, at: CandidatePlace, known_px: float | None) -> bool:
    if not _worth(candidate, known_px):
        return False
    moved = point_distance_in_edges(at.x, at.y, candidate) > OFF
    off = moved or abs(log2(candidate.size / at.size)) > OFF_LOG
    poor = POOR if known_px is None else 0.0
    return off or poor <= candidate.sureness < CLEAR


def _second_look_place(candidate: Found) -> CandidatePlace:
    return CandidatePlace(candidate.x, candidate.y, candidate.size * WIDER, candidate.logit)


def _mean_of_looks(first_look: Found, second_look: Found) -> Found:
    kinds = tuple((a + b) / 2 for a, b in zip(first_look.kinds, second_look.kinds, strict=True))
    faces = tuple((a + b) / 2 for a, b in zip(first_look.faces, second_look.faces, strict=True))
    return replace(second_look, kinds=kinds, faces=faces)
