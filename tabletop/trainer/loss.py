"""How far the network's answers are off."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from tabletop.trainer.network import ANGLE, DIE, FACE, SIZE

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
