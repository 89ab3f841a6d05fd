"""A second opinion: a network of another kind, asked about what the classifier is not sure of.

The classifier looks at a patch as a whole and answers once. The second opinion looks at it closer, answers in every
cell, and is heard where it sees a die's middle. It is also shown the patch in the colours of the thing itself: what
differs most there is the first channel, be it black from white or red from brown.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from math import exp

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.classify.classifier import Found, Kind, softmax
from tabletop.vision.classify.crops import normalised, patch
from tabletop.vision.detect.detector import STRIDE

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]
Thing = tuple[float, float, float]

SIDE_PX, EDGE_PX = 96, 56.0  # side of what it is shown, pixels; edge that the die gets in it
FACE = 0.42  # dice: within this of the middle lies the face whose colours count
COARSE = 8.0  # byte: colours that spread less than that are not spread further; noise would look like pips
MOST = 4.0  # spreads: what is further off the face's colour is as far off
REACH = 0.4  # dice: nearer to the middle than that it is heard
CHANNELS = 6  # brightness evened, blue, green, red; then the thing's own colours, those that spread most first
DIE, FLAT = 0, 1  # logits: of a die's middle, and that it lies flat
FACES = slice(2, 8)
RIGHT, DOWN, SCALE = 8, 9, 10  # from the cell to the die's middle in edges; log2 of the edge in EDGE_PX
OUTPUTS = 11
AT_ONCE = 16  # patches in one pass
# Asked about what the classifier is less sure of than DOUBTED, and does not hold for nothing by more than WORTH.
DOUBTED, WORTH = 0.9, 0.05
# Where N dice are expected it is asked about the likeliest N and so many more: with 1, 3 or any number the photographs
# beside the repository are read alike, for 113, 160 and 331 looks in the 44 of dice3.
RIVALS = 2
# Its logarithms of chances count SHARE, the classifier's the rest; LIFT is added to its logit of a die, which was
# learnt where most cells hold none. Chosen on photographs that neither had seen, see docs/vision-record.md.
SHARE, LIFT = 0.35, 1.0
LEAST = 1e-4  # added to each chance, so that no one's certainty is final


class SecondOpinion:
    """The trained network. Holds weights only: equal patches give equal answers."""

    def __init__(self, weights: bytes) -> None:
        """Load weights in ONNX form."""
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(weights, np.uint8))

    def answers(self, picture: Picture, things: Sequence[Thing]) -> Floats:
        """Return what it says of things in a picture (H, W, 3), (len(things), OUTPUTS) raw values.

        things: x, y and edge in pixels.
        """
        opinions = [np.zeros((0, OUTPUTS), np.float32)]
        for start in range(0, len(things), AT_ONCE):
            seen = [patch(picture, *thing, SIDE_PX, EDGE_PX).pixels for thing in things[start : start + AT_ONCE]]
            self._net.setInput(np.stack([channels(one) for one in seen]))
            opinions.append(heard(np.asarray(self._net.forward(), np.float32)))
        return np.concatenate(opinions)


@cache
def shipped() -> SecondOpinion:
    """Return the second opinion that comes with the package, loaded once."""
    return SecondOpinion(resources.files("tabletop.vision").joinpath("weights", "second_opinion.onnx").read_bytes())


def with_second_opinion(
    second_opinion: SecondOpinion, picture: Picture, found: Sequence[Found], expect: int | None = None
) -> tuple[Found, ...]:
    """Return what was found in a picture (H, W, 3), likeliest dice first, doubtful things as both see them.

    The second opinion says whether a die is there and which face; how it lies is left to the classifier, who sees all
    round it.
    found: likeliest first. expect: how many dice there should be, None if unknown.
    """
    both = list(found)
    rivals = found if expect is None else found[: expect + RIVALS]
    doubtful = [index for index, one in enumerate(rivals) if one.chance >= WORTH and one.sureness < DOUBTED]
    answers = second_opinion.answers(
        picture, [(one.x, one.y, one.size) for one in (found[index] for index in doubtful)]
    )
    for index, answer in zip(doubtful, answers, strict=True):
        both[index] = agreed(found[index], answer)
    return tuple(sorted(both, key=lambda one: -one.chance))


def agreed(one: Found, answer: Floats) -> Found:
    """Return what the classifier found with the second opinion's answer, (OUTPUTS,), counted in."""
    die = 1 / (1 + exp(-float(answer[DIE]) - LIFT))
    nothing, chance = _shares([one.kinds[Kind.NOTHING], one.chance], [1 - die, die])
    first, second, third, fourth, fifth, sixth = _shares(one.faces, softmax(answer[FACES]))
    flat, leaning, covered = (kind * chance / max(one.chance, LEAST) for kind in one.kinds[Kind.FLAT :])
    return replace(one, kinds=(nothing, flat, leaning, covered), faces=(first, second, third, fourth, fifth, sixth))


def _shares(judged: Sequence[float], opinions: Sequence[float]) -> list[float]:
    """Return chances that add to 1, from the weighted means of both one's logarithms."""
    each = [(a + LEAST) ** (1 - SHARE) * (b + LEAST) ** SHARE for a, b in zip(judged, opinions, strict=True)]
    return [one / sum(each) for one in each]


def channels(pixels: Picture, signs: Sequence[float] | None = None) -> Floats:
    """Return a patch (SIDE_PX, SIDE_PX, 3) as the second opinion takes it, (CHANNELS, SIDE_PX, SIDE_PX) float32.

    signs: 1 or -1 for each of the own colours, since nothing says which end of a colour comes first; none: light is
    more than dark.
    """
    light = pixels.astype(np.float32)
    face = light[_within(SIDE_PX, FACE * EDGE_PX)]
    usual = face.mean(axis=0)
    spread, ways = np.linalg.eigh(np.cov(face.T, bias=True))
    ways = ways[:, ::-1] / np.sqrt(np.maximum(spread[::-1], 0) + COARSE**2)
    ways = ways * (np.where(ways.sum(axis=0) < 0, -1, 1) if signs is None else np.asarray(signs))
    own = np.clip((light - usual) @ ways.astype(np.float32), -MOST, MOST)
    return np.concatenate([normalised(pixels[None])[0], own.transpose(2, 0, 1)], dtype=np.float32)


def heard(cells: Floats) -> Floats:
    """Return (B, OUTPUTS) out of the raw answers of all cells (B, OUTPUTS, h, w): of the likeliest die's middle."""
    side = cells.shape[-1]
    best = (
        np.where(_within(side, REACH * EDGE_PX / STRIDE), cells[:, DIE], -np.inf)
        .reshape(len(cells), side * side)
        .argmax(axis=1)
    )
    return cells.reshape(len(cells), OUTPUTS, side * side)[np.arange(len(cells)), :, best]


@cache
def _within(side: int, reach: float) -> NDArray[np.bool_]:
    """Return what lies nearer than `reach` to the middle of a square of that side, (side, side)."""
    off = np.arange(side) - (side - 1) / 2
    return np.asarray(np.hypot(off[:, None], off) < reach)
