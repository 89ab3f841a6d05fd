"""What lies at a place: a second network looks at each place closely, scaled to the die's size but not turned upright.

It says what kind of thing is there, which face is up, and what its middle, edge and turn really are.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tabletop.vision.classify.crops import EDGE_PX, Crop, crop, normalised
from tabletop.vision.detect.detector import CandidatePlace
from tabletop.vision.network import Network, shipped_weights

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]
MOST_LOG = 0.7  # log2: the classifier recognises no die whose edge differs by more from that of its crop
AT_ONCE = 16  # crops in one pass


class Kind(IntEnum):
    """What may be at a place; the number is that of the network's output."""

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
    """What the classifier says of a place. x, y: the middle of the top face, size: its edge, in pixels of the picture.

    angle: degrees clockwise, 0 to 90. kinds: chance of each `Kind`, adding to 1. faces: chance of each face if it lies
    flat, adding to 1. logit: the detector's for the place.
    up: the offset from its middle to its top, right and down; its length is the sine of the angle at which the top is
    seen. It is about the same for all dice that lie flat in one picture.
    """

    x: float
    y: float
    size: float
    angle: float
    kinds: tuple[float, float, float, float]
    faces: tuple[float, float, float, float, float, float]
    logit: float = 0.0
    up: tuple[float, float] = (0.0, 0.0)

    @property
    def face(self) -> int:
        """The likeliest face."""
        return self.faces.index(max(self.faces)) + 1

    @property
    def second(self) -> int:
        """The face that is likeliest after `face`."""
        return max((face for face in range(1, 7) if face != self.face), key=lambda face: self.faces[face - 1])

    @property
    def chance(self) -> float:
        """The chance that a die is there, however it lies."""
        return 1 - self.kinds[Kind.NOTHING]

    @property
    def sureness(self) -> float:
        """The chance that a die lies there flat and shows `face`."""
        return self.kinds[Kind.FLAT] * max(self.faces)

    def moved(self, x: float, y: float) -> "Found":
        """Return the same, x further right and y further down, in pixels."""
        return replace(self, x=self.x + x, y=self.y + y)


@dataclass(frozen=True, slots=True)
class Scale:
    """How the networks' answers become chances: as trained, they are not calibrated.

    kind_steep, face_steep: factors of the answers for kinds and faces. detector_share, detector_lift: factor of
    the detector's logit, and what is added to it, in the logit of a die. Chosen on photographs unknown to the networks:
    docs/vision-record.md.
    """

    kind_steep: float
    face_steep: float
    detector_share: float
    detector_lift: float


# UNKNOWN_SIZE: places of all sizes were looked at, and many things are like dice of some size.
KNOWN_SIZE = Scale(kind_steep=1.0, face_steep=1.2, detector_share=1.0, detector_lift=0.0)
UNKNOWN_SIZE = Scale(kind_steep=1.0, face_steep=1.2, detector_share=2.2, detector_lift=-1.5)


class Classifier:
    """The trained network that looks at crops. Holds weights only: equal crops give equal answers."""

    def __init__(self, weights: bytes) -> None:
        """Load weights in ONNX form."""
        self._network = Network(weights)

    def look(self, picture: Picture, places: Sequence[CandidatePlace], scale: Scale = KNOWN_SIZE) -> tuple[Found, ...]:
        """Return what is at each of the places in a picture (H, W, 3), in their order."""
        found: list[Found] = []
        for start in range(0, len(places), AT_ONCE):
            crops = [crop(picture, place.x, place.y, place.size) for place in places[start : start + AT_ONCE]]
            answers = self._network.answers(normalised(np.stack([cut.pixels for cut in crops])))
            each = zip(answers, crops, places[start : start + AT_ONCE], strict=True)
            found += [_found(answer, seen, place, scale) for answer, seen, place in each]
        return tuple(found)


@cache
def shipped() -> Classifier:
    """Return the classifier that comes with the package, loaded once."""
    return Classifier(shipped_weights("classifier"))


def _found(answer: Floats, seen: Crop, place: CandidatePlace, scale: Scale) -> Found:
    """Read one row of the network's output, (OUTPUTS,)."""
    edge = seen.step * EDGE_PX
    kinds = scale.kind_steep * answer[:KINDS]
    kinds[Kind.NOTHING] -= scale.detector_share * place.logit + scale.detector_lift
    nothing, flat, leaning, covered = softmax(kinds)
    first, second, third, fourth, fifth, sixth = softmax(scale.face_steep * answer[FACES])
    return Found(
        x=seen.x + float(answer[RIGHT]) * edge,
        y=seen.y + float(answer[DOWN]) * edge,
        size=edge * 2.0 ** float(np.clip(answer[SCALE], -MOST_LOG, MOST_LOG)),
        angle=float(np.degrees(np.arctan2(answer[SINE], answer[COSINE])) / 4 % 90),
        kinds=(nothing, flat, leaning, covered),
        faces=(first, second, third, fourth, fifth, sixth),
        logit=place.logit,
        up=(float(answer[UP_X]), float(answer[UP_Y])),
    )


def softmax(values: Floats) -> list[float]:
    """Return chances that add to 1."""
    powers = np.exp(values - values.max())
    return [float(value) for value in powers / powers.sum()]
