"""A second opinion: another kind of network, asked about what the classifier is not sure of.

The classifier looks at a crop as a whole and answers once. The second opinion looks at it more closely and
answers in every cell; the answer at the die's middle counts. It is also shown the crop in the colours of the candidate
itself: the first channel is what differs most there, be it black from white or red from brown.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from math import exp

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.classify.classifier import Found, Kind, softmax
from tabletop.vision.classify.crops import crop, normalised
from tabletop.vision.detect.detector import STRIDE
from tabletop.vision.network import Network, shipped_weights

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]
Thing = tuple[float, float, float]

SIDE_PX, EDGE_PX = 96, 56.0  # pixels: side of the crop it is shown, and edge of the die in it
FACE = 0.42  # dice: within this of the middle lies the face whose colours count
COARSE = 8.0  # byte: colours with a smaller standard deviation are not stretched further; noise would look like pips
MOST = 4.0  # standard deviations from the face's colour at which the own colours are clipped
REACH = 0.4  # dice: only answers nearer to the middle count
CHANNELS = 6  # normalised blue, green, red; then the candidate's own colours, those that vary most first
DIE, FLAT = 0, 1  # logits: of a die's middle, and that it lies flat
FACES = slice(2, 8)
RIGHT, DOWN, SCALE = 8, 9, 10  # from the cell to the die's middle in edges; log2 of the edge in EDGE_PX
OUTPUTS = 11
AT_ONCE = 16  # crops in one pass
# Asked about candidates that the classifier is less sure of than DOUBTED and whose chance of being a die is at least
# WORTH.
DOUBTED, WORTH = 0.9, 0.05
# If N dice are expected, it is asked about the likeliest N + RIVALS candidates: with 1, 3 or any number more, the
# photographs beside the repository are read alike, at a cost of 113, 160 and 331 looks in the 44 of dice3.
RIVALS = 2
# Its log chances are weighted by SHARE, the classifier's by the rest; LIFT is added to its logit of a die, because it
# was trained on crops most of whose cells hold none. Chosen on photographs that neither network had seen,
# see docs/vision-record.md.
SHARE, LIFT = 0.35, 1.0
SPREAD_OF_ROWS = cv2.COVAR_NORMAL | cv2.COVAR_ROWS | cv2.COVAR_SCALE  # covariance of colours, one a row
LEAST = 1e-4  # added to each chance, so that neither network's certainty is final


class SecondOpinion:
    """The trained network. Holds weights only: equal crops give equal answers."""

    def __init__(self, weights: bytes) -> None:
        """Load weights in ONNX form."""
        self._network = Network(weights)

    def answers(self, picture: Picture, things: Sequence[Thing]) -> Floats:
        """Return its raw answers for the things in a picture (H, W, 3), (len(things), OUTPUTS).

        things: x, y and edge in pixels.
        """
        opinions = [np.zeros((0, OUTPUTS), np.float32)]
        for start in range(0, len(things), AT_ONCE):
            seen = [crop(picture, *thing, SIDE_PX, EDGE_PX).pixels for thing in things[start : start + AT_ONCE]]
            opinions.append(centre_answers(self._network.answers(np.stack([channels(pixels) for pixels in seen]))))
        return np.concatenate(opinions)


@cache
def shipped() -> SecondOpinion:
    """Return the second opinion that comes with the package, loaded once."""
    return SecondOpinion(shipped_weights("second_opinion"))


def with_second_opinion(
    second_opinion: SecondOpinion, picture: Picture, found: Sequence[Found], expect: int | None = None
) -> tuple[Found, ...]:
    """Return the candidates of a picture (H, W, 3), likeliest dice first; doubtful ones as both networks see them.

    The second opinion says whether a die is there and which face it shows; how it lies is left to the classifier, which
    sees more of its surroundings.
    found: likeliest first. expect: how many dice there should be, None if unknown.
    """
    both = list(found)
    rivals = found if expect is None else found[: expect + RIVALS]
    doubtful = [
        index for index, candidate in enumerate(rivals) if candidate.chance >= WORTH and candidate.sureness < DOUBTED
    ]
    answers = second_opinion.answers(
        picture, [(candidate.x, candidate.y, candidate.size) for candidate in (found[index] for index in doubtful)]
    )
    for index, answer in zip(doubtful, answers, strict=True):
        both[index] = combined(found[index], answer)
    return tuple(sorted(both, key=lambda candidate: -candidate.chance))


def combined(candidate: Found, answer: Floats) -> Found:
    """Return the classifier's candidate combined with the second opinion's answer, (OUTPUTS,)."""
    die = 1 / (1 + exp(-float(answer[DIE]) - LIFT))
    nothing, chance = _shares([candidate.kinds[Kind.NOTHING], candidate.chance], [1 - die, die])
    first, second, third, fourth, fifth, sixth = _shares(candidate.faces, softmax(answer[FACES]))
    flat, leaning, covered = (kind * chance / max(candidate.chance, LEAST) for kind in candidate.kinds[Kind.FLAT :])
    return replace(
        candidate, kinds=(nothing, flat, leaning, covered), faces=(first, second, third, fourth, fifth, sixth)
    )


def _shares(judged: Sequence[float], opinions: Sequence[float]) -> list[float]:
    """Return chances that add to 1, from the weighted means of the logarithms of both."""
    weights = [(a + LEAST) ** (1 - SHARE) * (b + LEAST) ** SHARE for a, b in zip(judged, opinions, strict=True)]
    return [weight / sum(weights) for weight in weights]


def channels(pixels: Picture, signs: Sequence[float] | None = None) -> Floats:
    """Return a crop (SIDE_PX, SIDE_PX, 3) as the second opinion takes it, (CHANNELS, SIDE_PX, SIDE_PX) float32.

    signs: 1 or -1 for each of the own colours, whose direction is arbitrary; None: light is positive, dark negative.
    """
    face = pixels[_within(SIDE_PX, FACE * EDGE_PX)].astype(np.float32)
    spread, mean_colour = cv2.calcCovarMatrix(face, np.empty(0), SPREAD_OF_ROWS, ctype=cv2.CV_64F)
    variances, axes = np.linalg.eigh(spread)
    axes = axes[:, ::-1] / np.sqrt(np.maximum(variances[::-1], 0) + COARSE**2)
    axes = axes * (np.where(axes.sum(axis=0) < 0, -1, 1) if signs is None else np.asarray(signs))
    shift = -mean_colour[0] @ axes
    shown = np.empty((CHANNELS, SIDE_PX, SIDE_PX), np.float32)
    shown[:3] = normalised(pixels[None])[0]
    for channel, colour in enumerate(cv2.split(cv2.transform(pixels.astype(np.float32), np.vstack([axes, shift]).T))):
        np.clip(colour, -MOST, MOST, out=shown[3 + channel])
    return shown


def centre_answers(cells: Floats) -> Floats:
    """Return the (B, OUTPUTS) answer at the centre cell of the likeliest die. cells: raw, (B, OUTPUTS, h, w)."""
    side = cells.shape[-1]
    best = (
        np.where(_within(side, REACH * EDGE_PX / STRIDE), cells[:, DIE], -np.inf)
        .reshape(len(cells), side * side)
        .argmax(axis=1)
    )
    return cells.reshape(len(cells), OUTPUTS, side * side)[np.arange(len(cells)), :, best]


@cache
def _within(side: int, reach: float) -> NDArray[np.bool_]:
    """Return whether each cell of a square lies nearer than `reach` cells to its middle, (side, side) bool."""
    off = np.arange(side) - (side - 1) / 2
    return np.asarray(np.hypot(off[:, None], off) < reach)
