"""Training samples for the second opinion: crops around dice, and the target for each output cell."""

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.classifier import Kind
from tabletop.vision.second_opinion import EDGE_PX, SIDE_PX, channels
from tools.room.chance import chance
from tools.training.lessons.classifier import NOBODY
from tools.training.lessons.detector import Marks, answered, moved, shown
from tools.training.scene_files import FACE, KIND, SIZE, Truths, X, Y, inside
from tools.training.variations import as_filed, cut, recoloured, turn_of

Floats = NDArray[np.float32]

MARKS = Marks(EDGE_PX, peak=0.1, asked=0.22, ignored=0.5)
ON_DIE = 0.8  # share of cuttings round a die; the rest lies anywhere
JITTER, LOG_JITTER, MOST_LOG_JITTER = 0.3, 0.2, 0.6  # dice; log2: errors of the classifier's places and sizes
ANY_LOG = 0.8  # log2: how far sizes may be off in cuttings anywhere; dice further off are not asked for
ZOOMS = (0.5, 2.8)  # at least and at most
BORDER = 0.3  # dice: a die whose middle is nearer to the scene's border is not asked for


def second_opinion_cutting(
    pixels: NDArray[np.uint8], truth: Truths, rng: np.random.Generator, up: NDArray[np.float32]
) -> tuple[Floats, Floats, Floats, Floats, Floats, NDArray[np.int64], Floats]:
    """Return an augmented crop of a scene and its targets, in the order of `batches.SecondOpinionLesson`.

    up: as in `scenes.Scenes`.
    """
    height, width = pixels.shape[:2]
    dice = truth[truth[:, SIZE] > 0]
    middle, zoom = _aim(dice, (width, height), rng)
    border = cv2.BORDER_REPLICATE if chance(rng, 0.5) else cv2.BORDER_REFLECT_101
    turn = turn_of(rng, (float(up[0]), float(up[1])))
    cutting, matrix, shift = cut(pixels, middle, zoom, turn, SIDE_PX, border)
    there = moved(dice, matrix, shift, zoom)
    odd = np.abs(np.log2(there[:, SIZE] / EDGE_PX)) > ANY_LOG
    there[odd | ~inside(dice, (width, height), BORDER), KIND] = Kind.COVERED
    seen = shown(matrix, shift, (width, height), SIDE_PX)
    bump, asked, near, facts, whose = answered(there, seen, MARKS)
    lies_flat = np.append(dice[:, KIND] == Kind.FLAT, False)
    faces = np.append(np.where(dice[:, KIND] == Kind.FLAT, dice[:, FACE] - 1, NOBODY), NOBODY)
    shows = channels(as_filed(recoloured(cutting, rng), rng), rng.choice((-1.0, 1.0), 3).tolist())
    flat = lies_flat[whose].astype(np.float32)
    return shows, bump, asked, near, facts, faces[whose].astype(np.int64), flat


def _aim(dice: Truths, extent: tuple[int, int], rng: np.random.Generator) -> tuple[tuple[float, float], float]:
    """Return the middle of a cutting in its scene, and its zoom."""
    if len(dice) and chance(rng, ON_DIE):
        die = dice[int(rng.integers(len(dice)))]
        scale = float(np.clip(rng.normal(0, LOG_JITTER), -MOST_LOG_JITTER, MOST_LOG_JITTER))
        zoom = float(np.clip(EDGE_PX / die[SIZE] * 2.0**scale, *ZOOMS))
        away, direction = JITTER * np.sqrt(rng.random()) * EDGE_PX / zoom, rng.uniform(0, 2 * np.pi)
        return (float(die[X] + away * np.cos(direction)), float(die[Y] + away * np.sin(direction))), zoom
    typical_px = float(np.median(dice[:, SIZE])) if len(dice) else EDGE_PX
    zoom = float(np.clip(EDGE_PX / typical_px * 2.0 ** rng.uniform(-ANY_LOG, ANY_LOG), *ZOOMS))
    return (float(rng.uniform(0, extent[0])), float(rng.uniform(0, extent[1]))), zoom
