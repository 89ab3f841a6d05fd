"""The dice that people have taught a table, as the reader uses them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tabletop.vision.classify.classifier import Found
from tabletop.vision.own_dice.marks import OURS, STEEP, Marks
from tabletop.vision.own_dice.sample import Sample, stacked, upright

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]

WORTH = 0.003  # chance of a die below which a candidate is not compared: the networks take many marks for no die's
MARKED = 0.97  # chance that something as like to a taught die as OURS is one, and lies flat


class OwnDice:
    """The taught dice of one table. samples: in any order; none change nothing."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        faces = np.array([sample.face for sample in samples])
        self._marks = Marks(stacked(samples), faces) if samples else None

    def apply(self, picture: Picture, found: Sequence[Found]) -> tuple[Found, ...]:
        """Return the candidates of a picture (H, W, 3), likeliest dice first; those like a taught die have its face."""
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
    first, second, third, fourth, fifth, sixth = (chances / chances.sum()).tolist()
    _, _, leaning, covered = candidate.kinds
    rest = (1 - MARKED) / 3
    flat = leaning + covered < MARKED / 2
    kinds = (rest, MARKED, rest, rest) if flat else candidate.kinds
    return replace(candidate, kinds=kinds, faces=(first, second, third, fourth, fifth, sixth))
