"""Batches for PyTorch, and the loss functions of the networks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from tabletop.vision.classifier import DOWN, FACES, KINDS, RIGHT, SCALE, SINE, UP_X, UP_Y, Kind
from tabletop.vision.detector import MIDDLE, SPREAD
from tabletop.vision.network import normalised
from tabletop.vision.second_opinion import DIE
from tabletop.vision.second_opinion import FACES as SECOND_OPINION_FACES
from tabletop.vision.second_opinion import FLAT as SECOND_OPINION_FLAT
from tabletop.vision.second_opinion import RIGHT as SECOND_OPINION_RIGHT
from tools.training.lessons.classifier import NOBODY, classifier_patch
from tools.training.lessons.detector import detector_cutting
from tools.training.lessons.second_opinion import second_opinion_cutting
from tools.training.scene_files import Scenes

FIRM = 2  # power of the focal loss (Lin and others 2017), 4 for the bumps' flanks (Zhou and others 2019)
SMOOTH_KIND, SMOOTH_FACE = 0.01, 0.02  # chance given to the other answers (label smoothing)
OFFSET_WEIGHT, SCALE_WEIGHT, ANGLE_WEIGHT, UP_WEIGHT = 2.0, 0.6, 0.15, 0.6
LIES_WEIGHT = 0.5  # of the second opinion's answer whether a die lies flat
UNKNOWN_UP = 0.95  # length of `up` in photographs, for which the camera's lean is not recorded


@dataclass(frozen=True, slots=True, eq=False)
class DetectorLesson:
    """A batch. pixels: (B, 3, CROP_PX, CROP_PX) normalised; all others per cell, h = w = CROP_PX / STRIDE.

    bump: (B, h, w) 0 to 1. asked: (B, h, w) weight of the die's answer. near: (B, h, w) weight of the others. facts:
    (B, 3, h, w) offset right and down in edges, log2 of the edge.
    """

    pixels: Tensor
    bump: Tensor
    asked: Tensor
    near: Tensor
    facts: Tensor


def detector_batch(
    scenes: Scenes, chosen: NDArray[np.int64], rng: np.random.Generator, *, upright: bool = False
) -> DetectorLesson:
    """Return one augmented crop of each of the chosen scenes. upright: tilted cameras are held upright."""
    rows = [
        detector_cutting(scenes.pixels[index], scenes.truths[index], rng, _up(scenes, index, upright=upright))
        for index in chosen
    ]
    pixels, *others = (torch.from_numpy(np.stack(parts)) for parts in zip(*rows, strict=True))
    return DetectorLesson((pixels.permute(0, 3, 1, 2).float() - MIDDLE) / SPREAD, *others)


def _up(scenes: Scenes, index: int, *, upright: bool) -> tuple[float, float] | None:
    return (float(scenes.ups[index][0]), float(scenes.ups[index][1])) if upright else None


def detector_loss(answer: Tensor, wanted: DetectorLesson) -> Tensor:
    """Return the loss of raw outputs (B, 4, h, w), a scalar."""
    logit = answer[:, 0]
    chance = torch.sigmoid(logit)
    peak = (wanted.bump >= 1).float() * wanted.asked
    hit = peak * (1 - chance) ** FIRM * functional.softplus(-logit)
    miss = (1 - peak) * wanted.asked * (1 - wanted.bump) ** (2 * FIRM) * chance**FIRM * functional.softplus(logit)
    die = (hit + miss).sum() / peak.sum().clamp(min=1)
    facts = ((answer[:, 1:] - wanted.facts).abs().sum(dim=1) * wanted.near).sum() / wanted.near.sum().clamp(min=1)
    return die + facts


@dataclass(frozen=True, slots=True, eq=False)
class ClassifierLesson:
    """A batch. pixels: (B, 3, CROP_SIDE_PX, CROP_SIDE_PX) normalised.

    kind: (B,) int64. face: (B,) int64, 0 to 5 or NOBODY. facts: (B, 7) offset right and down in edges, log2 of the
    size, sine and cosine of four times the rotation, the way up. placed, asked: (B,) weight of the facts, and of the
    whole.
    """

    pixels: Tensor
    kind: Tensor
    face: Tensor
    facts: Tensor
    placed: Tensor
    asked: Tensor


def classifier_batch(
    scenes: Scenes,
    places: Sequence[NDArray[np.float32]],
    chosen: NDArray[np.int64],
    rng: np.random.Generator,
    *,
    upright: bool = False,
    filed: float = 0.0,
) -> ClassifierLesson:
    """Return one patch of each of the chosen scenes.

    places: (K, 3) for each scene, x, y and edge of a detector's false positives. upright: as above. filed: share of the
    patches made like small dice in a file.
    """
    rows = [
        classifier_patch(
            scenes.pixels[index],
            scenes.truths[index],
            places[index],
            rng,
            scenes.ups[index],
            upright=upright,
            filed=filed,
        )
        for index in chosen
    ]
    pixels, kind, face, facts, placed, asked = (np.stack(parts) for parts in zip(*rows, strict=True))
    return ClassifierLesson(
        torch.from_numpy(normalised(pixels)),
        torch.from_numpy(kind.astype(np.int64)),
        torch.from_numpy(face.astype(np.int64)),
        torch.from_numpy(facts.astype(np.float32)),
        torch.from_numpy(placed.astype(np.float32)),
        torch.from_numpy(asked.astype(np.float32)),
    )


def classifier_loss(answer: Tensor, wanted: ClassifierLesson) -> Tensor:
    """Return the loss of raw outputs (B, OUTPUTS), a scalar."""
    kinds = functional.cross_entropy(answer[:, :KINDS], wanted.kind, reduction="none", label_smoothing=SMOOTH_KIND)
    flat = (wanted.kind == Kind.FLAT) * (wanted.face != NOBODY) * wanted.asked
    faces = functional.cross_entropy(
        answer[:, FACES], wanted.face.clamp(min=0), reduction="none", label_smoothing=SMOOTH_FACE
    )
    placed = wanted.placed * wanted.asked * (wanted.kind != Kind.LEANING)
    off = (answer[:, RIGHT : UP_Y + 1] - wanted.facts).abs()
    many, whole = placed.sum().clamp(min=1), flat.sum().clamp(min=1)
    place = (off[:, RIGHT - RIGHT : DOWN - RIGHT + 1].sum(dim=1) * placed).sum() / many
    scale = (off[:, SCALE - RIGHT] * placed).sum() / many
    angle = (off[:, SINE - RIGHT : UP_X - RIGHT].sum(dim=1) * flat).sum() / whole
    known = flat * (wanted.facts[:, UP_X - RIGHT :].norm(dim=1) < UNKNOWN_UP)
    up = (off[:, UP_X - RIGHT :].sum(dim=1) * known).sum() / known.sum().clamp(min=1)
    return (
        (kinds * wanted.asked).mean()
        + (faces * flat).sum() / whole
        + OFFSET_WEIGHT * place
        + SCALE_WEIGHT * scale
        + ANGLE_WEIGHT * angle
        + UP_WEIGHT * up
    )


@dataclass(frozen=True, slots=True, eq=False)
class SecondOpinionLesson(DetectorLesson):
    """A batch. pixels: (B, CHANNELS, SIDE_PX, SIDE_PX), h = w = SIDE_PX / STRIDE; the detector's targets and two more.

    face: (B, h, w) int64, 0 to 5 or NOBODY: the face of the flat die for a near cell. flat: (B, h, w), 1 if that die
    lies flat.
    """

    face: Tensor
    flat: Tensor


def second_opinion_batch(scenes: Scenes, chosen: NDArray[np.int64], rng: np.random.Generator) -> SecondOpinionLesson:
    """Return one augmented crop of each of the chosen scenes; tilted cameras are held upright."""
    rows = [
        second_opinion_cutting(scenes.pixels[index], scenes.truths[index], rng, scenes.ups[index]) for index in chosen
    ]
    return SecondOpinionLesson(*(torch.from_numpy(np.stack(parts)) for parts in zip(*rows, strict=True)))


def second_opinion_loss(answer: Tensor, wanted: SecondOpinionLesson) -> Tensor:
    """Return the loss of raw outputs (B, OUTPUTS, h, w), a scalar."""
    place = detector_loss(torch.cat([answer[:, DIE : DIE + 1], answer[:, SECOND_OPINION_RIGHT:]], dim=1), wanted)
    lies = functional.binary_cross_entropy_with_logits(answer[:, SECOND_OPINION_FLAT], wanted.flat, reduction="none")
    has_face = wanted.near * (wanted.face != NOBODY)
    faces = functional.cross_entropy(
        answer[:, SECOND_OPINION_FACES], wanted.face.clamp(min=0), reduction="none", label_smoothing=SMOOTH_FACE
    )
    flat = (lies * wanted.near).sum() / wanted.near.sum().clamp(min=1)
    return place + LIES_WEIGHT * flat + (faces * has_face).sum() / has_face.sum().clamp(min=1)
