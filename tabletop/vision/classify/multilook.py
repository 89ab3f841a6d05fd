"""How often the classifier looks: once at each place, and again if the first look was off its middle or in doubt.

What is known to be as large as dice are, and was taken for a thing of another size, is looked at five times instead.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import hypot, log2

import numpy as np
from numpy.typing import NDArray

from tabletop.vision.classify.classifier import TOLD, Classifier, Found, Scale
from tabletop.vision.detect.detector import Place

Picture = NDArray[np.uint8]

# Logit of the detector from which a place is likely a die's: of a hundred labelled dice 99 have it. Of 104 photographs
# of all sources left out whose dice are all found sure at such places none has another die at a fainter one.
LIKELY = -0.5
WORTH = 0.05  # chance of being a die below which nobody looks again
# The same for an ace so sure, where the size of the dice is known well: a large one is often taken for the die itself.
SURE_ACE, ACE_WORTH = 0.75, 0.002
CLEAR = 0.9  # sureness from which one look is enough
# Sureness below which a second look at the same place is of no use where the size is not known well: of 830 such things
# in the photographs beside the repository 3 were read in the end.
POOR = 0.1
EVEN = 0.0  # logit: what the detector made of the wrong size says nothing against a die of the right one
LOOKS, AROUND = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)), 0.14  # dice: where one of known size is looked at
OFF, OFF_LOG = 0.16, 0.35  # dice; log2: a place or size that was off by more is looked at again where it really is
WIDER = 1.1  # the second look shows so much more round the die: two scales have to agree
LARGE_LOG = 0.65  # log2: the coarser pass takes large aces for 0.8 to 1.5 times as large as they are
ODD_LOG = 0.3  # log2: what is taken for so much larger or smaller than dice are known to be was looked at wrongly
APART = 0.6  # dice: of two nearer than that the less likely one is the same die


def classify_all(
    classifier: Classifier,
    picture: Picture,
    places: Sequence[Place],
    scale: Scale = TOLD,
    enough: Callable[[Sequence[Found]], bool] = lambda _: False,
    *,
    known_px: float | None = None,
) -> tuple[Found, ...]:
    """Return what is found at the places of a picture (H, W, 3), likeliest dice first, each once.

    What has its middle outside the picture is left out: nobody can tell what that is. enough: whether what is found at
    the likely places is all that is wanted; then nobody looks at the faint ones. known_px: the edge of the dice where
    it is known well.
    """
    likely = _looked_at(classifier, picture, [place for place in places if place.logit >= LIKELY], scale, known_px)
    if enough(found := _non_max_suppression(likely)):
        return found
    faint = _looked_at(classifier, picture, [place for place in places if place.logit < LIKELY], scale, known_px)
    return _non_max_suppression([*likely, *faint])


def recover_missed(
    classifier: Classifier, picture: Picture, places: Sequence[Place], found: Sequence[Found], known_px: float
) -> tuple[Found, ...]:
    """Return what was found, and what is where nothing was that may be a die, likeliest dice first, each once.

    places: of a coarser pass, in which a large ace is seen as a whole die: in the fine one its spot is all that stands
    out, and the classifier, shown that alone, knows no die by it.
    """
    likely_dice = [one for one in found if one.chance >= WORTH]
    free = [
        place
        for place in places
        if abs(log2(place.size / known_px)) <= LARGE_LOG
        and all(hypot(place.x - one.x, place.y - one.y) >= APART * known_px for one in likely_dice)
    ]
    worth = [one for one in classifier.look(picture, free, TOLD) if _worth(one, known_px)]
    return _non_max_suppression(
        [*found, *(_classify_at_known_size(classifier, picture, one, known_px, TOLD) for one in worth)]
    )


def _looked_at(
    classifier: Classifier, picture: Picture, places: Sequence[Place], scale: Scale, known_px: float | None
) -> list[Found]:
    height, width = picture.shape[:2]
    both = list(classifier.look(picture, places, scale))
    wrongly = list[int]()
    if known_px is not None:
        wrongly = [index for index, one in enumerate(both) if _looked_at_wrongly(one, places[index], known_px)]
        for index in wrongly:
            both[index] = _classify_at_known_size(classifier, picture, both[index], known_px, scale)
    doubtful = [
        index for index, one in enumerate(both) if index not in wrongly and _doubtful(one, places[index], known_px)
    ]
    again = classifier.look(picture, [_again(both[index]) for index in doubtful], scale)
    for index, second in zip(doubtful, again, strict=True):
        both[index] = _agreed(both[index], second)
    return [one for one in both if 0 <= one.x < width and 0 <= one.y < height]


def _classify_at_known_size(
    classifier: Classifier, picture: Picture, one: Found, known_px: float, scale: Scale
) -> Found:
    """Return what the classifier makes of a thing as large as dice are, on the mean of looks at it and round it.

    Of the middle of a large ace one look tells little: moved by a seventh of an edge it may say the opposite.
    """
    edge, off = known_px * WIDER, known_px * AROUND
    places = [Place(one.x + x * off, one.y + y * off, edge, max(one.logit, EVEN)) for x, y in LOOKS]
    looks = classifier.look(picture, places, scale)
    nothing, flat, leaning, covered = np.mean([look.kinds for look in looks], axis=0).tolist()
    first, second, third, fourth, fifth, sixth = np.mean([look.faces for look in looks], axis=0).tolist()
    kinds, faces = (nothing, flat, leaning, covered), (first, second, third, fourth, fifth, sixth)
    return replace(looks[0], kinds=kinds, faces=faces)


def _non_max_suppression(found: Sequence[Found]) -> tuple[Found, ...]:
    kept: list[Found] = []
    for one in sorted(found, key=lambda one: -one.chance):
        if all(hypot(one.x - other.x, one.y - other.y) >= APART * max(one.size, other.size) for other in kept):
            kept.append(one)
    return tuple(kept)


def _looked_at_wrongly(one: Found, at: Place, known_px: float) -> bool:
    """Return whether something that may be a die is, or was taken for, a die of another size than the others."""
    sizes = (one.size, at.size)
    return _worth(one, known_px) and any(abs(log2(size / known_px)) > ODD_LOG for size in sizes)


def _worth(one: Found, known_px: float | None) -> bool:
    return one.chance >= (WORTH if known_px is None or one.faces[0] < SURE_ACE else ACE_WORTH)


def _doubtful(one: Found, at: Place, known_px: float | None) -> bool:
    if not _worth(one, known_px):
        return False
    off = hypot(one.x - at.x, one.y - at.y) > OFF * one.size or abs(log2(one.size / at.size)) > OFF_LOG
    poor = POOR if known_px is None else 0.0
    return off or poor <= one.sureness < CLEAR


def _again(one: Found) -> Place:
    """Return where and how large it is looked at again."""
    return Place(one.x, one.y, one.size * WIDER, one.logit)


def _agreed(first: Found, second: Found) -> Found:
    """Return what both looks say together: the mean of their chances, at the second one's place."""
    nothing, flat, leaning, covered = ((a + b) / 2 for a, b in zip(first.kinds, second.kinds, strict=True))
    one, two, three, four, five, six = ((a + b) / 2 for a, b in zip(first.faces, second.faces, strict=True))
    return replace(second, kinds=(nothing, flat, leaning, covered), faces=(one, two, three, four, five, six))
