"""Recognise dice that people have taught: with a logo for the one, numerals, stitched eyes.

Such a die was shown face by face. A die in the tray is cropped upright and compared with all samples, in each quarter
turn.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.classifier import Found
from tabletop.vision.network import CROP_SIDE_PX, EDGE_PX, crop

Picture = NDArray[np.uint8]

SIDE_PX = CROP_SIDE_PX  # side of an upright crop, in which the die's edge is EDGE_PX
WIDE_PX = 92  # side of the crop that is turned: more than SIDE_PX times the root of 2, so that no corner is missing


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """A die with a known face.

    pixels: (SIDE_PX, SIDE_PX, 3) uint8, BGR, upright. face: 1 to 6. look: the name of the set of dice it belongs to.
    """

    pixels: Picture
    face: int
    look: str


def upright(picture: Picture, die: Found) -> Picture:
    """Return the top face of a die in a picture (H, W, 3), rotated upright: (SIDE_PX, SIDE_PX, 3) uint8."""
    seen = crop(picture, die.x, die.y, die.size, WIDE_PX, EDGE_PX)
    return turned(seen.pixels, die.angle, (die.x - seen.x) / seen.step, (die.y - seen.y) / seen.step)


def turned(pixels: Picture, angle: float, right: float = 0.0, down: float = 0.0) -> Picture:
    """Return the centre of a square picture rotated anticlockwise by degrees, (SIDE_PX, SIDE_PX, 3) uint8.

    right, down: offset of the new centre from the picture's centre, in pixels.
    """
    middle = (pixels.shape[0] - 1) / 2
    matrix = cv2.getRotationMatrix2D((middle + right, middle + down), angle, 1.0)
    matrix[:, 2] += (SIDE_PX - 1) / 2 - middle - np.array([right, down])
    result = cv2.warpAffine(pixels, matrix, (SIDE_PX, SIDE_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(result, np.uint8)


def stacked(samples: Sequence[Sample]) -> NDArray[np.uint8]:
    """Return the pixels of samples, (N, SIDE_PX, SIDE_PX, 3)."""
    return np.stack([sample.pixels for sample in samples]) if samples else np.zeros((0, SIDE_PX, SIDE_PX, 3), np.uint8)


Floats = NDArray[np.float32]

FACES = (1, 2, 3, 4, 5, 6)
QUARTERS = (0.0, 90.0, 180.0, 270.0)  # degrees: the networks only know the rotation of a square
SHIFTS = ((0, 0), (2, 0), (-2, 0), (0, 2), (0, -2))  # pixels: a twentieth of an edge, as far as places are off
TOP = slice(13, 51)  # rows and columns of the upright crop that the top face fills
SIDE = 16  # pixels of the compared pictures
ROUND = 1.05  # half sides from the middle: a rounded die's corners show its surroundings
BLUR_PX = 1.2  # standard deviation: finer detail differs between photographs
LIGHT = 0.6  # factor of lightness: light changes more than colours do
PLAIN = 40.0  # length of a difference from the body that is hardly more than noise
STEEP = 25.0  # factor of likenesses as logarithms of chances: faces that differ by 0.12 are told apart 20 to 1
CLEAR = 0.04  # likeness by which a face has to be ahead of the next: e to the power of STEEP times that is 2.7
CONFUSED = 1 / 3  # of dice: where two faces show the same mark, every second die is as like to the other one
OURS = 0.5  # likeness from which something is one of the dice that were shown
BODY, BODY_STEP = slice(20, 44), 40.0  # what shows a body's colour; bytes of a Lab channel
SAME_BODY = 0.6  # steps: how far the colours of one body differ in one light


class Marks:
    """The samples of taught dice, by face.

    pixels: (N, SIDE_PX, SIDE_PX, 3) uint8, upright, N at least 1. faces: (N,) int, 1 to 6.
    """

    def __init__(self, pixels: Picture, faces: NDArray[np.int_]) -> None:
        self._pixels, self._faces = pixels, faces
        self._known = np.stack(
            [
                np.stack([_vector(turned(each, angle, *shift)) for angle in QUARTERS for shift in SHIFTS])
                for each in pixels
            ]
        )
        self._bodies = np.stack([_body(each) for each in pixels])

    def likenesses(self, pixels: Picture, *, without: int | None = None) -> Floats:
        """Return the similarity of dice (M, SIDE_PX, SIDE_PX, 3) to the samples of each face: (M, 6), -1 to 1.

        -1: no samples of that face, or only of another colour. without: the index of a sample to ignore, because it is
        the die in question.
        """
        result = np.full((len(pixels), len(FACES)), -1.0, np.float32)
        for index, each in enumerate(pixels):
            alike = (self._known @ _vector(each)).max(axis=1)
            alike[np.linalg.norm(self._bodies - _body(each), axis=1) > SAME_BODY] = -1.0
            if without is not None:
                alike[without] = -1.0
            for face in FACES:
                result[index, face - 1] = alike[self._faces == face].max(initial=-1.0)
        return result

    def confused(self) -> tuple[tuple[int, int], ...]:
        """Return the pairs of faces that cannot be told apart, the smaller first, each sample judged by the others.

        A pair is listed if at least CONFUSED of the samples with either face are nearly as similar to the other face.
        """
        mistaken = Counter[tuple[int, int]]()
        for index, face in enumerate(self._faces.tolist()):
            (alike,) = self.likenesses(self._pixels[index : index + 1], without=index)
            for other in FACES:
                if other != face and alike[other - 1] > max(alike[face - 1] - CLEAR, -1.0):
                    mistaken[min(face, other), max(face, other)] += 1
        known = Counter(self._faces.tolist())
        return tuple(
            sorted(pair for pair, times in mistaken.items() if times >= CONFUSED * sum(known[face] for face in pair))
        )


def _vector(pixels: Picture) -> Floats:
    """Return what is compared of an upright die: how its pixels differ from its body, of length below 1."""
    lab = np.asarray(cv2.cvtColor(pixels[TOP, TOP], cv2.COLOR_BGR2LAB), np.float32)
    small = np.asarray(
        cv2.resize(cv2.GaussianBlur(lab, (0, 0), BLUR_PX), (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.float32
    )
    steps = (np.arange(SIDE) - (SIDE - 1) / 2) / ((SIDE - 1) / 2)
    face = small[np.hypot(steps[:, None], steps) < ROUND] * np.array([LIGHT, 1, 1], np.float32)
    row = (face - np.median(face, axis=0)).ravel()
    return np.asarray(row / (np.linalg.norm(row) + PLAIN), np.float32)


def _body(pixels: Picture) -> Floats:
    """Return the colour of an upright die's body, (3,), in steps of Lab."""
    lab = np.asarray(cv2.cvtColor(pixels[BODY, BODY], cv2.COLOR_BGR2LAB), np.float32)
    return np.asarray(np.median(lab.reshape(-1, 3), axis=0) * (LIGHT, 1, 1) / BODY_STEP, np.float32)


WORTH = 0.003  # chance of a die below which a candidate is not compared: the networks take many marks for no die's
MARKED = 0.97  # chance that something as like to a taught die as OURS is one, and lies flat


class OwnDice:
    """The taught dice of one table. samples: in any order; without any, nothing changes."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        faces = np.array([sample.face for sample in samples])
        self._marks = Marks(stacked(samples), faces) if samples else None

    def apply(self, picture: Picture, found: Sequence[Found]) -> tuple[Found, ...]:
        """Return the candidates of a picture (H, W, 3), likeliest dice first, with faces set by similar taught dice."""
        if self._marks is None:
            return tuple(found)
        told = [_told(candidate, picture, self._marks) for candidate in found]
        return tuple(sorted(told, key=lambda candidate: -candidate.chance))


def _told(candidate: Found, picture: Picture, marks: Marks) -> Found:
    """Return a candidate with the face of the taught die that it is like; any other as it is."""
    if candidate.chance < WORTH:
        return candidate
    (alike,) = marks.likenesses(upright(picture, candidate)[None])
    return _marked(candidate, alike) if alike.max() >= OURS else candidate


def _marked(candidate: Found, alike: Floats) -> Found:
    """Return a candidate that is like a taught die, with its face by that alone."""
    chances = np.exp(STEEP * (alike - alike.max()))
    _, _, leaning, covered = candidate.kinds
    rest = (1 - MARKED) / 3
    flat = leaning + covered < MARKED / 2
    kinds = (rest, MARKED, rest, rest) if flat else candidate.kinds
    return replace(candidate, kinds=kinds, faces=tuple((chances / chances.sum()).tolist()))
