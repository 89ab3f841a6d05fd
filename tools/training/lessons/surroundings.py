"""Training samples for the surroundings network: wide crops of candidates, half of them dice."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from tabletop.vision.network import CROP_SIDE_PX, normalised
from tabletop.vision.second_opinion import VIEWS_PX
from tools.training.candidates import CUT_EDGE_PX, CUT_PX, RENDERED, Candidate
from tools.training.variations import cut, recoloured, turn_of

BATCH = 128
PHOTOGRAPHED = 0.5, 0.125  # shares of photographs among dice and non-dice
SHIFT, LOG_SCALE, MOST_LOG_SCALE = 0.05, 0.1, 0.3  # edges; log2: how far the reader's places and sizes may be off
SMOOTH = 0.01  # chance given to the other answer (label smoothing)


@dataclass(frozen=True, slots=True, eq=False)
class SurroundingsLesson:
    """A batch. pixels: (B, 3 per view, CROP_SIDE_PX, CROP_SIDE_PX) normalised. die: (B,) 0 or 1."""

    pixels: Tensor
    die: Tensor


def surroundings_batches(every: Sequence[Candidate], seed: int) -> Iterator[SurroundingsLesson]:
    """Yield batches endlessly.

    Candidates that the reader is more certain of are drawn more often; a source of photographs in proportion to the
    square root of its dice.
    """
    rng = np.random.default_rng((seed, 6))
    groups = []
    for die, share in zip((True, False), PHOTOGRAPHED, strict=True):
        drawn = [one for one in every if one.die == die and one.source == RENDERED]
        taken = [one for one in every if one.die == die and one.source != RENDERED]
        many = round(BATCH / 2 * share) if taken else 0
        of_source = Counter(one.source for one in taken)
        rare = [of_source[one.source] ** -0.5 if die else 1.0 for one in taken]
        groups += [(drawn, [1.0 if die else one.chance for one in drawn], BATCH // 2 - many), (taken, rare, many)]
    while True:
        chosen = [
            candidates[index]
            for candidates, weights, many in groups
            if many
            for index in rng.choice(len(candidates), many, p=np.array(weights) / sum(weights))
        ]
        pixels = np.stack([_varied(one.pixels, rng) for one in chosen])
        die = torch.tensor([float(one.die) for one in chosen])
        views = [normalised(view) for view in pixels.swapaxes(0, 1)]
        yield SurroundingsLesson(torch.from_numpy(np.concatenate(views, axis=1)), die)


def surroundings_loss(answer: Tensor, lesson: SurroundingsLesson) -> Tensor:
    """Return the loss of raw outputs (B, 1), a scalar."""
    wanted = lesson.die * (1 - 2 * SMOOTH) + SMOOTH
    return functional.binary_cross_entropy_with_logits(answer[:, 0], wanted)


def _varied(pixels: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Return the views of a candidate, (views, CROP_SIDE_PX, CROP_SIDE_PX, 3), all turned and recoloured alike."""
    x, y = ((CUT_PX - 1) / 2 + float(off) for off in rng.normal(0, SHIFT, 2) * CUT_EDGE_PX)
    scale = 2.0 ** float(np.clip(rng.normal(0, LOG_SCALE), -MOST_LOG_SCALE, MOST_LOG_SCALE))
    turn, seed = turn_of(rng), int(rng.integers(1 << 31))
    views = []
    for edge_px in VIEWS_PX:
        seen, _, _ = cut(pixels, (x, y), edge_px / CUT_EDGE_PX * scale, turn, CROP_SIDE_PX, cv2.BORDER_REPLICATE)
        views.append(recoloured(seen, np.random.default_rng(seed)))
    return np.stack(views)
