"""How often the classifier looks: once at each place, and again if the first look was off its middle or in doubt.

If the size of the dice is known and a candidate was classified at another size, it is looked at five times instead.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import hypot, log2

import numpy as np
from numpy.typing import NDArray

from tabletop.core.geometry import distance_in_edges, point_distance_in_edges
from tabletop.vision.classify.classifier import KNOWN_SIZE, Classifier, Found, Scale
from tabletop.vision.detect.detector import CandidatePlace

Picture = NDArray[np.uint8]

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
OFF, OFF_LOG = (
    0.16,
    0.35,
)  # dice; log2: a candidate whose place or size was off by more is looked at again where it really is
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
    """Return what is found at the places of a picture (H, W, 3), likeliest dice first, each once.

    Candidates whose middle lies outside the picture are left out, since they cannot be read. enough: whether what is
    found at the likely places is all that is wanted; then the faint ones are not looked at. in_vain: whether what one
    look at the likeliest FIRST places found, or at all likely ones, shows that there is no use in looking further.
    known_px: the edge of the dice in pixels if it is known well.
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
    """Return what was found, and what the places without a likely die show, likeliest dice first, each once.

    places: of a coarser pass, in which a die with a large ace is seen as a whole: in the fine pass only its pip stands
    out, and the classifier does not recognise a die by the pip alone.
    """
    likely_dice = [candidate for candidate in found if candidate.chance >= WORTH]
    free = [
        place
        for place in places
        if abs(log2(place.size / known_px)) <= LARGE_LOG
        and all(hypot(place.x - die.x, place.y - die.y) >= APART * known_px for die in likely_dice)
    ]
    worth = [candidate for candidate in classifier.look(picture, free, KNOWN_SIZE) if _worth(candidate, known_px)]
    return _non_max_suppression(
        [
            *found,
            *(_classify_at_known_size(classifier, picture, candidate, known_px, KNOWN_SIZE) for candidate in worth),
        ]
    )


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
        wrong_size = [
            index for index, candidate in enumerate(both) if _has_wrong_size(candidate, places[index], known_px)
        ]
        for index in wrong_size:
            both[index] = _classify_at_known_size(classifier, picture, both[index], known_px, scale)
    doubtful = [
        index
        for index, candidate in enumerate(both)
        if index not in wrong_size and _doubtful(candidate, places[index], known_px)
    ]
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
    nothing, flat, leaning, covered = np.mean([look.kinds for look in looks], axis=0).tolist()
    first, second, third, fourth, fifth, sixth = np.mean([look.faces for look in looks], axis=0).tolist()
    kinds, faces = (nothing, flat, leaning, covered), (first, second, third, fourth, fifth, sixth)
    return replace(looks[0], kinds=kinds, faces=faces)


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
    """Return the place and size of the second look at a candidate."""
    return CandidatePlace(candidate.x, candidate.y, candidate.size * WIDER, candidate.logit)


def _mean_of_looks(first_look: Found, second_look: Found) -> Found:
    """Return the mean of both looks' chances, at the place of the second look."""
    nothing, flat, leaning, covered = ((a + b) / 2 for a, b in zip(first_look.kinds, second_look.kinds, strict=True))
    first, second, third, fourth, fifth, sixth = (
        (a + b) / 2 for a, b in zip(first_look.faces, second_look.faces, strict=True)
    )
    return replace(
        second_look, kinds=(nothing, flat, leaning, covered), faces=(first, second, third, fourth, fifth, sixth)
    )
