"""Dice with marks of their own, which nobody could know: a logo for the one, numerals, stitched eyes.

Such a die was shown face by face. What lies in the tray is compared with all that was shown, at each quarter of a turn.
"""

from collections import Counter

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.own_dice.sample import turned

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

FACES = (1, 2, 3, 4, 5, 6)
QUARTERS = (0.0, 90.0, 180.0, 270.0)  # degrees: the networks tell the turn of a square only
SHIFTS = ((0, 0), (2, 0), (-2, 0), (0, 2), (0, -2))  # pixels: a twentieth of an edge, as far as places are off
TOP = slice(13, 51)  # rows and columns of the upright crop that the top face fills
SIDE = 16  # pixels of what is compared
ROUND = 1.05  # half sides from the middle: a rounded die's corners show its surroundings
BLUR_PX = 1.2  # standard deviation: what is finer differs from photograph to photograph
LIGHT = 0.6  # factor of lightness: light changes more than colours do
PLAIN = 40.0  # length of a difference from the body that is hardly more than noise
STEEP = 25.0  # factor of likenesses as logarithms of chances: faces that differ by 0.12 are told apart 20 to 1
CLEAR = 0.04  # likeness by which a face has to be ahead of the next: e to the power of STEEP times that is 2.7
CONFUSED = 1 / 3  # of dice: where two faces show the same mark, every second die is as like to the other one
OURS = 0.5  # likeness from which something is one of the dice that were shown
BODY, BODY_STEP = slice(20, 44), 40.0  # what shows a body's colour; bytes of a Lab channel
SAME_BODY = 0.6  # steps: how far the colours of one body differ in one light


class Marks:
    """Dice that were shown, by face.

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
        """Return how like dice (M, SIDE_PX, SIDE_PX, 3) are to what was shown of each face: (M, 6), -1 to 1.

        -1: that face was not shown, or only on dice of another colour. without: the index of a known die that does not
        count, since it is the one that is asked about.
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
        """Return the pairs of faces that cannot be told apart, the smaller first, each known die judged by the others.

        A pair is named if of the known dice with either face at least CONFUSED are nearly as like to the other face.
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
