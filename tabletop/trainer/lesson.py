"""What the network should answer, and how far it is off."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from tabletop.trainer.network import ANGLE, DIE, FACE, NOMINAL_PX, SIZE, STRIDE

PEAK = 0.11  # dice: standard deviation of the bump that marks a die's middle
JUDGED = 0.2  # dice: within this of the middle a cell is asked for face, size and angle
IGNORED = 0.6  # dice: round a hidden die nothing is asked
SURE = 0.97  # what is asked of the right face; the rest goes to the others
EDGE_SHARE = 0.2  # dice: a middle nearer than this to the crop's edge is not asked for
SIZE_WEIGHT, ANGLE_WEIGHT, FACE_WEIGHT = 0.6, 0.3, 1.0
FIRM = 2  # power of the focal loss (Lin and others 2017), 4 for the bumps' flanks (Zhou and others 2019)


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """Answers for a batch.

    bump: (B, h, w) 0 to 1. asked: (B, h, w) weight of the die's answer. near: (B, h, w) weight of the others. face:
    (B, 6, h, w). size: (B, h, w). angle: (B, 2, h, w).
    """

    bump: Tensor
    asked: Tensor
    near: Tensor
    face: Tensor
    size: Tensor
    angle: Tensor


def lesson(truth: NDArray[np.float32], seen: NDArray[np.bool_]) -> list[NDArray[np.float32]]:
    """Return the arrays of a `Lesson` for one crop. truth: (N, 6); seen: (h, w)."""
    height, width = seen.shape
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32) * STRIDE + (STRIDE / 2 - 0.5)
    bump = np.zeros((height, width), np.float32)
    asked = seen.astype(np.float32)
    near = np.zeros((height, width), np.float32)
    closest = np.full((height, width), 9.0, np.float32)
    face = np.full((6, height, width), 1 / 6, np.float32)
    size = np.zeros((height, width), np.float32)
    angle = np.zeros((2, height, width), np.float32)
    for x, y, edge, degrees, value, hidden in truth:
        if edge <= 0:
            continue
        away = np.hypot(columns - x, rows - y) / edge
        rim = EDGE_SHARE * edge
        inside = rim < x < width * STRIDE - rim and rim < y < height * STRIDE - rim
        if hidden or not inside:
            asked[away < IGNORED] = 0
            continue
        hill = np.exp(-((away / PEAK) ** 2) / 2)
        hill[hill >= hill.max()] = 1
        bump = np.maximum(bump, hill)
        mine = (away < JUDGED) & (away < closest)
        closest = np.where(mine, away, closest)
        near[mine] = 1
        size[mine] = np.log2(edge / NOMINAL_PX)
        angle[0, mine], angle[1, mine] = np.sin(np.radians(4 * degrees)), np.cos(np.radians(4 * degrees))
        target = np.full(6, 1 / 6, np.float32)
        if value:
            target[:] = (1 - SURE) / 5
            target[int(value) - 1] = SURE
        face[:, mine] = target[:, None]
    return [bump, asked, near * (asked > 0), face, size, angle]


def loss(answer: Tensor, wanted: Lesson) -> Tensor:
    """Return how far raw outputs (B, OUTPUTS, h, w) are off, one number."""
    logit = answer[:, DIE][:, 0]
    chance = torch.sigmoid(logit)
    peak = (wanted.bump >= 1).float() * wanted.asked
    hit = peak * (1 - chance) ** FIRM * functional.softplus(-logit)
    miss = (1 - peak) * wanted.asked * (1 - wanted.bump) ** (2 * FIRM) * chance**FIRM * functional.softplus(logit)
    die = (hit + miss).sum() / peak.sum().clamp(min=1)
    count = wanted.near.sum().clamp(min=1)
    face = -(wanted.face * functional.log_softmax(answer[:, FACE], dim=1)).sum(dim=1)
    size = (answer[:, SIZE][:, 0] - wanted.size).abs()
    angle = (answer[:, ANGLE] - wanted.angle).abs().sum(dim=1)
    others = (FACE_WEIGHT * face + SIZE_WEIGHT * size + ANGLE_WEIGHT * angle) * wanted.near
    return die + others.sum() / count
