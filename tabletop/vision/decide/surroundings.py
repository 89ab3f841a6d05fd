"""Whether a thing ends where a die ends, which the halves of a domino, keys and printed squares do not.

The classifier sees 1.6 edges of a candidate, which is not enough to tell a domino. This network sees 3.2, coarsely. It
is asked in pictures of unknown dice only, and only about what would be sure: it never makes a die sure, and at a table
whose dice are known it is not asked.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tabletop.vision.classify.classifier import Found
from tabletop.vision.classify.crops import CROP_SIDE_PX, crop, normalised
from tabletop.vision.network import Network, shipped_weights

Picture = NDArray[np.uint8]

EDGE_PX = 20.0  # edge of the die in its crop of CROP_SIDE_PX
AT_ONCE = 16  # crops in one pass
LEAST = -1.0  # logit of a die from which a sure candidate stays sure: docs/vision-record.md
DOUBTED = 0.5  # chance of no die that is given to one below it: it is reported as unsure


class Surroundings:
    """The trained network. Holds weights only: equal crops give equal answers."""

    def __init__(self, weights: bytes) -> None:
        """Load weights in ONNX form."""
        self._network = Network(weights)

    def logits(self, picture: Picture, found: Sequence[Found]) -> tuple[float, ...]:
        """Return for each candidate in a picture (H, W, 3) the logit of its being a die; () for none."""
        answers: list[float] = []
        for start in range(0, len(found), AT_ONCE):
            crops = [
                crop(picture, candidate.x, candidate.y, candidate.size, CROP_SIDE_PX, EDGE_PX).pixels
                for candidate in found[start : start + AT_ONCE]
            ]
            answers += [float(answer) for answer in self._network.answers(normalised(np.stack(crops)))[:, 0]]
        return tuple(answers)


def with_doubts(network: Surroundings, picture: Picture, found: Sequence[Found], bar: float) -> tuple[Found, ...]:
    """Return the candidates, those that are sure by `bar` and whose surroundings are no die's made doubtful."""
    asked = [candidate for candidate in found if candidate.sureness >= bar]
    doubted = {
        id(candidate) for candidate, logit in zip(asked, network.logits(picture, asked), strict=True) if logit < LEAST
    }
    return tuple(_doubted(candidate) if id(candidate) in doubted else candidate for candidate in found)


def _doubted(candidate: Found) -> Found:
    """Return the candidate with as much chance of being no die as of being any."""
    nothing, *others = candidate.kinds
    flat, leaning, covered = (value * (1 - DOUBTED) / (1 - nothing) for value in others)
    return replace(candidate, kinds=(DOUBTED, flat, leaning, covered))


@cache
def shipped() -> Surroundings:
    """Return the network that comes with the package, loaded once."""
    return Surroundings(shipped_weights("surroundings"))
