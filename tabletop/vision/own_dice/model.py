"""What has been learnt of a table's own dice, as the reader uses it.

Two parts: dice with pips, learnt from play (`pips.py`), and dice with marks of their own, which were shown
(`marks.py`). What is learnt of pips is mixed with what the networks read only where that wins: each known die is
judged by those of other throws, once by the networks alone and once by each mixture; for each die that is asked about
the known dice of a like body decide which is taken.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tabletop.vision.classify.classifier import Found
from tabletop.vision.own_dice.marks import OURS, STEEP, Marks
from tabletop.vision.own_dice.pips import PipColours, likeness
from tabletop.vision.own_dice.sample import Sample, stacked, upright

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]


class Mixture(NamedTuple):
    """Factors of the networks' logarithms of chances and of the fits of layouts, in a logarithm of chances."""

    networks: float
    fits: float


# The first is the networks alone. Of the others, the last reads most of nell, the first is nearest to the networks.
MIXTURES = (Mixture(1.0, 0.0), Mixture(1.0, 3.0), Mixture(0.8, 6.0), Mixture(0.5, 10.0), Mixture(0.3, 14.0))
LEAST_DICE, LEAST_THROWS = 10, 3  # fewer say nothing about which is better
SURE = 0.65  # chance of a face from which a known die counts as read: a die that lies flat by 0.92 is then sure
WRONG = 2.0  # what a wrong die costs, in dice that are read rightly
EVERYBODY = 5.0  # known dice of other looks count together as this many of the same look
# By this share of the dice, and by AHEAD_DICE of them, a mixture has to be better than the networks alone: matteo,
# whose dice the networks know, loses nothing then.
AHEAD, AHEAD_DICE = 0.02, 1.0
# Known dice of a like body with which what is learnt has half of its weight: 0 loses a point of trays' dice, and 1 half
# a point of nell's.
HALF = 0.4
# A known die whose face has less than DOUBTED by the others, which name another one by more than CERTAIN, was
# confirmed wrongly: it is left out.
DOUBTED, CERTAIN = 0.1, 0.6
# Share of the chances that a mixture leaves open between all faces, since it is too sure of itself: as if its dice
# needed a sureness of 0.65 instead of 0.6. Without it twenty photographs of nell that were taught make more exact, but
# more silent ones too; with it there are more exact and fewer silent ones than untaught.
OPEN = 0.09
# Chance of a die below which nothing is asked; where marks are known, which the networks take for no die's.
WORTH, WORTH_MARKS = 0.05, 0.003
LEAST = 1e-4  # added to each chance, so that no network's certainty is final
MARKED = 0.97  # chance that something as like to a shown die as OURS is one, and lies flat


class OwnDice:
    """The dice of one table. samples: in any order; too few of them change nothing."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        played = [sample for sample in samples if not sample.taught]
        shown = [sample for sample in samples if sample.taught]
        self.marks = Marks(stacked(shown), np.array([sample.face for sample in shown])) if shown else None
        self.left_out: tuple[Sample, ...] = ()
        self._kept: list[Sample] = []
        self._pips: PipColours | None = None
        self._gains = np.zeros((0, len(MIXTURES)), np.float32)
        if not _enough(played):
            return
        odd = _oddly_confirmed(played)
        kept = [sample for sample, is_odd in zip(played, odd, strict=True) if not is_odd]
        self.left_out = tuple(sample for sample, is_odd in zip(played, odd, strict=True) if is_odd)
        if not _enough(kept):
            return
        self._kept = kept
        self._pips, chances = _learnt(kept)
        self._gains = np.stack([_gain(each, _right(kept)) for each in chances], axis=1)

    @property
    def is_used(self) -> bool:
        """Whether anything that was learnt changes what is read."""
        return self.marks is not None or bool(self.used_looks)

    @cached_property
    def used_looks(self) -> frozenset[str]:
        """The names of the looks of dice for which what was learnt of their pips is used."""
        if self._pips is None:
            return frozenset()
        choice = self._choice(self._local_gains(likeness(self._pips.distances(self._pips.bodies))))
        return frozenset(sample.look for sample, chosen in zip(self._kept, choice, strict=True) if chosen)

    def apply(self, picture: Picture, found: Sequence[Found]) -> tuple[Found, ...]:
        """Return the candidates of a picture (H, W, 3), likeliest dice first, as the own dice are known."""
        least = WORTH if self.marks is None else WORTH_MARKS
        worth = [candidate for candidate in found if candidate.chance >= least]
        if not worth or not self.is_used:
            return tuple(found)
        pixels = np.stack([upright(picture, candidate) for candidate in worth])
        faint = [candidate for candidate in found if candidate.chance < least]
        return (*self.applied(worth, pixels), *faint)

    def applied(self, found: Sequence[Found], pixels: Picture) -> tuple[Found, ...]:
        """Return candidates, likeliest dice first, as the own dice are known.

        pixels: what they look like upright, (M, SIDE_PX, SIDE_PX, 3).
        """
        result = list(found)
        if not result:
            return ()
        faces = self.faces(pixels, np.array([candidate.faces for candidate in found]))
        alike = self.marks.likenesses(pixels) if self.marks is not None else None
        for index, candidate in enumerate(found):
            first, second, third, fourth, fifth, sixth = faces[index].tolist()
            result[index] = replace(candidate, faces=(first, second, third, fourth, fifth, sixth))
            if alike is not None and alike[index].max() >= OURS:
                result[index] = _marked(candidate, alike[index])
        return tuple(sorted(result, key=lambda candidate: -candidate.chance))

    def faces(self, pixels: Picture, read: NDArray[np.floating]) -> Floats:
        """Return the chances of faces of upright dice (M, SIDE_PX, SIDE_PX, 3), (M, 6), by pips alone.

        read: the same by the networks.
        """
        if self._pips is None:
            return np.asarray(read, np.float32)
        fits, apart = self._pips.fits(pixels)
        weights = likeness(apart)
        near = weights.sum(axis=1, keepdims=True)
        choice = self._choice(self._local_gains(weights))
        mixed = np.stack([_chances(read, fits, mixture, near / (near + HALF)) for mixture in MIXTURES])
        return np.asarray(np.where(choice[:, None] == 0, read, mixed[choice, np.arange(len(choice))]), np.float32)

    def _local_gains(self, weights: Floats) -> Floats:
        """Return what each mixture gains, (M, mixtures), by known dice of these weights, (M, N)."""
        local = weights @ self._gains + EVERYBODY * self._gains.mean(axis=0)
        return np.asarray(local / (weights.sum(axis=1, keepdims=True) + EVERYBODY), np.float32)

    def _choice(self, gains: Floats) -> NDArray[np.int_]:
        """Return which mixture is taken, (M,), by what each gains, (M, mixtures)."""
        ahead = AHEAD + AHEAD_DICE / len(self._gains)
        return np.asarray((gains - np.array([0.0] + [ahead] * (len(MIXTURES) - 1))).argmax(axis=1))


def _oddly_confirmed(samples: Sequence[Sample]) -> NDArray[np.bool_]:
    """Return which samples were confirmed wrongly, by what the others say: not by the networks, who may be wrong."""
    own = _learnt(samples)[1][-1]
    doubted = own[np.arange(len(samples)), _right(samples)] < DOUBTED
    return np.asarray(doubted & (own.max(axis=1) > CERTAIN))


def _right(samples: Sequence[Sample]) -> NDArray[np.int_]:
    return np.array([sample.face - 1 for sample in samples])


def _enough(samples: Sequence[Sample]) -> bool:
    return len(samples) >= LEAST_DICE and len({sample.throw for sample in samples}) >= LEAST_THROWS


def _learnt(samples: Sequence[Sample]) -> tuple[PipColours, list[Floats]]:
    """Return what is learnt of pips, and the chances of faces of each sample by the others, for each mixture."""
    throws = list(dict.fromkeys(sample.throw for sample in samples))
    pips = PipColours(
        stacked(samples),
        np.array([sample.face for sample in samples]),
        np.array([throws.index(sample.throw) for sample in samples]),
    )
    read, fits = np.array([sample.read for sample in samples]), pips.known_fits()
    return pips, [_chances(read, fits, mixture) for mixture in MIXTURES]


def _chances(
    read: NDArray[np.floating], fits: Floats, mixture: Mixture, share: NDArray[np.floating] | float = 1.0
) -> Floats:
    """Return chances of faces, (M, 6). share: how much of the mixture is taken, the rest being the networks alone."""
    networks = 1 - (1 - mixture.networks) * share
    logs = networks * np.log(read + LEAST) + mixture.fits * share * fits
    chances = np.exp(logs - logs.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    left_open = OPEN * share if mixture.fits else 0.0
    return np.asarray(chances * (1 - left_open) + left_open / chances.shape[1], np.float32)


def _gain(chances: Floats, right: NDArray[np.int_]) -> Floats:
    """Return what each die is worth: 1 if it is read rightly, -WRONG if wrongly, 0 if it is unsure."""
    sure = chances.max(axis=1) >= SURE
    return np.asarray(np.where(sure, np.where(chances.argmax(axis=1) == right, 1.0, -WRONG), 0.0), np.float32)


def _marked(candidate: Found, alike: Floats) -> Found:
    """Return a candidate that is like a die which was shown, with its face by that alone."""
    chances = np.exp(STEEP * (alike - alike.max()))
    first, second, third, fourth, fifth, sixth = (chances / chances.sum()).tolist()
    _, _, leaning, covered = candidate.kinds
    rest = (1 - MARKED) / 3
    flat = leaning + covered < MARKED / 2
    kinds = (rest, MARKED, rest, rest) if flat else candidate.kinds
    return replace(candidate, kinds=kinds, faces=(first, second, third, fourth, fifth, sixth))
