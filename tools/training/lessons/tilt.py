"""Training samples for the tilt network: patches around dice that lie flat or lean, and their tilt."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tabletop.vision.classifier import Kind
from tabletop.vision.network import CROP_SIDE_PX, EDGE_PX, normalised
from tabletop.vision.second_opinion import TILT as TILT_ANSWER
from tools.training.scene_files import KIND, SIZE, TILT, UP_X, UP_Y, Scenes, Truths, X, Y, inside
from tools.training.variations import cut, recoloured, turn_of

TIPPED_BATCH, CLOSE_BATCH = 128, 64  # patches of scenes with many leaning dice, and of the classifier's
JITTER, LOG_JITTER, MOST_LOG_JITTER = 0.15, 0.1, 0.3  # dice; log2: how far the classifier's places and sizes may be off
LEANING_JITTER = 0.5  # dice: the classifier may take the other visible face of a leaning die for its top
RIM = 0.35  # dice: a die whose middle is nearer to the scene's border is not shown
LIKE = 0.3  # least correlation with the brightness before; in a negative the shadows are where light was
# Byte: standard deviation of brightness before and after, below which there is nothing to compare
DULL, DULL_MADE = 8.0, 4.0
EITHER = 0.6  # tilt from which two faces are seen nearly equally well, and `up` may be that of either
EITHER_WEIGHT = 0.3  # of `up` there


@dataclass(frozen=True, slots=True, eq=False)
class TiltLesson:
    """A batch. pixels: (B, 3, CROP_SIDE_PX, CROP_SIDE_PX) normalised. wanted: (B, 3) up, right and down, and tilt."""

    pixels: Tensor
    wanted: Tensor


def tilt_batches(tipped: Scenes, close: Scenes, seed: int) -> Iterator[TiltLesson]:
    """Yield batches endlessly."""
    rng = np.random.default_rng((seed, 3))
    shown = [[_shown(pixels, truth) for pixels, truth in zip(s.pixels, s.truths, strict=True)] for s in (tipped, close)]
    usable = [np.array([number for number, dice in enumerate(part) if len(dice)]) for part in shown]
    while True:
        rows = [
            _patch(scenes.pixels[number], dice[number], rng)
            for scenes, dice, numbers, count in zip(
                (tipped, close), shown, usable, (TIPPED_BATCH, CLOSE_BATCH), strict=True
            )
            for number in rng.choice(numbers, count)
        ]
        pixels, wanted = (np.stack(parts) for parts in zip(*rows, strict=True))
        yield TiltLesson(torch.from_numpy(normalised(pixels)), torch.from_numpy(wanted.astype(np.float32)))


def tilt_loss(answer: Tensor, lesson: TiltLesson) -> Tensor:
    """Return the loss of raw outputs (B, 3), a scalar."""
    up = (answer[:, :TILT_ANSWER] - lesson.wanted[:, :TILT_ANSWER]).norm(dim=1)
    tilt = lesson.wanted[:, TILT_ANSWER]
    weight = torch.where(tilt > EITHER, EITHER_WEIGHT, 1.0)
    return (up * weight).mean() + (answer[:, TILT_ANSWER] - tilt).abs().mean()


def _shown(pixels: NDArray[np.uint8], truth: Truths) -> Truths:
    """Return the dice of a scene that are wholly in it, flat or leaning."""
    height, width = pixels.shape[:2]
    known = (truth[:, SIZE] > 0) & np.isin(truth[:, KIND], (Kind.FLAT, Kind.LEANING))
    return np.asarray(truth[inside(truth, (width, height), RIM) & known], np.float32)


def _patch(
    pixels: NDArray[np.uint8], dice: Truths, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    die = dice[int(rng.integers(len(dice)))]
    jitter = LEANING_JITTER if die[KIND] == Kind.LEANING else JITTER
    away, direction = jitter * np.sqrt(rng.random()), rng.uniform(0, 2 * np.pi)
    x = float(die[X] + away * np.cos(direction) * die[SIZE])
    y = float(die[Y] + away * np.sin(direction) * die[SIZE])
    size = float(die[SIZE]) * 2 ** float(np.clip(rng.normal(0, LOG_JITTER), -MOST_LOG_JITTER, MOST_LOG_JITTER))
    seen, matrix, _ = cut(pixels, (x, y), EDGE_PX / size, turn_of(rng), CROP_SIDE_PX, cv2.BORDER_REPLICATE)
    up = matrix @ die[[UP_X, UP_Y]] / np.sqrt(abs(np.linalg.det(matrix)))
    return _varied(seen, rng), np.array([*up, die[TILT]])


def _varied(seen: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Return the patch recoloured, but not as its own negative."""
    while True:
        made = recoloured(seen, rng)
        if seen.std() < DULL or made.std() < DULL_MADE:
            return made
        if float(np.corrcoef(made.mean(axis=2).ravel(), seen.mean(axis=2).ravel())[0, 1]) > LIKE:
            return made
