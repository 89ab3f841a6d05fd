"""Training samples for the classifier: patches around dice, beside dice, and at the detector's false positives."""

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.classifier import Kind
from tabletop.vision.network import CROP_SIDE_PX, EDGE_PX
from tools.room.chance import chance
from tools.training.scene_files import ANGLE, FACE, KIND, SIZE, Truths, X, Y
from tools.training.variations import as_filed, cut, recoloured, turn_of

At = tuple[float, float, float]

ON_DIE, BESIDE = 0.6, 0.1  # shares of patches on a die and beside one; the rest lies where no die is
JITTER, LOG_JITTER = 0.22, 0.18  # dice; log2: how far the detector's places and sizes may be off
MOST_LOG_JITTER = 0.55
# Dice: a patch whose middle is nearer than DIE to a die's shows it, farther than NO_DIE does not; between: not asked.
DIE, NO_DIE = 0.28, 0.4
SAME_LOG, OTHER_LOG = 0.65, 0.85  # log2: the same two limits for the size
BORDER = 0.42  # dice: a die whose middle is nearer to the scene's border counts as covered
BORDER_SHARE = 0.15  # share of the patches chosen at the border that are kept
RANDOM_PX = (16.0, 80.0)  # edges of random places without dice
RANDOM_TRIES = 4  # of these, the place with the most contrast is taken
MINED = 0.8  # share of places without dice that the detector named
LEAST_FILED = 0.35  # of the side of a patch made like small dice in a file: 14 pixels of a die
NOBODY = -1  # no face: none can be read, or there is no die


def classifier_patch(
    pixels: NDArray[np.uint8],
    truth: Truths,
    places: NDArray[np.float32],
    rng: np.random.Generator,
    up: NDArray[np.float32],
    *,
    upright: bool = False,
    filed: float = 0.0,
) -> tuple[NDArray[np.uint8], int, int, list[float], float, float]:
    """Return an augmented patch of a scene, and its kind, face, facts, placed and asked for `batches.ClassifierLesson`.

    places: (K, 3), x, y and edge of a detector's false positives. up: as in `scenes.Scenes`. upright: a tilted camera
    is held upright. filed: share of patches made like small dice in a file.
    """
    dice = truth[truth[:, SIZE] > 0]
    x, y, size = _place(pixels, dice, places, rng)
    turn = turn_of(rng, (float(up[0]), float(up[1])) if upright else None)
    border = cv2.BORDER_REPLICATE if chance(rng, 0.5) else cv2.BORDER_REFLECT_101
    patch, matrix, _ = cut(pixels, (x, y), EDGE_PX / size, turn, CROP_SIDE_PX, border)
    height, width = pixels.shape[:2]
    kind, die, asked = at_place(dice, (x, y, size), (width, height))
    patch = as_filed(recoloured(patch, rng), rng, filed, LEAST_FILED)
    if die is None:
        return patch, kind, NOBODY, [0.0] * 7, 0.0, asked
    right, down = matrix @ np.array([die[X] - x, die[Y] - y]) / EDGE_PX
    angle = np.radians(4 * (turn[1] * die[ANGLE] + turn[0]))
    scale = float(np.log2(die[SIZE] / size))
    seen_up = matrix @ up / np.sqrt(abs(np.linalg.det(matrix)))
    facts = [float(right), float(down), scale, float(np.sin(angle)), float(np.cos(angle)), *map(float, seen_up)]
    return patch, kind, int(die[FACE]) - 1, facts, 1.0, asked


def at_place(dice: Truths, at: At, extent: tuple[int, int]) -> tuple[Kind, NDArray[np.float32] | None, float]:
    """Return the content of a patch at (x, y, edge), the die if there is one, and its weight (0 or 1).

    extent: width and height of the scene; a die whose top face it cuts is covered.
    """
    x, y, size = at
    if not len(dice):
        return Kind.NOTHING, None, 1.0
    away = np.hypot(dice[:, X] - x, dice[:, Y] - y) / dice[:, SIZE]
    die = dice[int(away.argmin())]
    near, scale = float(away.min()), abs(float(np.log2(die[SIZE] / size)))
    if near < DIE and scale < SAME_LOG:
        width, height = extent
        rim = BORDER * die[SIZE]
        whole = rim < die[X] < width - rim and rim < die[Y] < height - rim
        kind = Kind(int(die[KIND]))
        return (Kind.COVERED if kind == Kind.FLAT and not whole else kind), die, 1.0
    return Kind.NOTHING, None, 0.0 if near < NO_DIE and scale < OTHER_LOG else 1.0


def _place(pixels: NDArray[np.uint8], dice: Truths, places: NDArray[np.float32], rng: np.random.Generator) -> At:
    """Return where to look: on a die as a detector would have found it, beside one, or where there is none."""
    height, width = pixels.shape[:2]
    lot = rng.random()
    if len(dice) and lot < ON_DIE + BESIDE:
        die = dice[int(rng.integers(len(dice)))]
        rim = BORDER * die[SIZE]
        whole = rim < die[X] < width - rim and rim < die[Y] < height - rim
        if whole or chance(rng, BORDER_SHARE):
            if lot < ON_DIE:
                away = JITTER * np.sqrt(rng.random())
                scale = float(np.clip(rng.normal(0, LOG_JITTER), -MOST_LOG_JITTER, MOST_LOG_JITTER))
            elif chance(rng, 0.6):
                away, scale = rng.uniform(NO_DIE, 1.2), float(rng.normal(0, 0.3))
            else:
                away, scale = rng.uniform(0, NO_DIE), float(rng.choice((-1, 1)) * rng.uniform(OTHER_LOG, 2))
            direction = rng.uniform(0, 2 * np.pi)
            x = die[X] + away * np.cos(direction) * die[SIZE]
            y = die[Y] + away * np.sin(direction) * die[SIZE]
            return float(x), float(y), float(die[SIZE]) * 2.0**scale
    if len(places) and chance(rng, MINED):
        place = places[int(rng.integers(len(places)))]
        return float(place[0]), float(place[1]), float(place[2]) * 2.0 ** float(rng.normal(0, 0.12))
    return _random_place(pixels, rng)


def _random_place(pixels: NDArray[np.uint8], rng: np.random.Generator) -> At:
    height, width = pixels.shape[:2]
    best, most = (0.0, 0.0, 1.0), -np.inf
    for _ in range(RANDOM_TRIES):
        x, y = float(rng.uniform(0, width)), float(rng.uniform(0, height))
        size = float(np.exp(rng.uniform(*np.log(RANDOM_PX))))
        reach = max(1, round(size / 2))
        shown = pixels[max(0, int(y) - reach) : int(y) + reach + 1, max(0, int(x) - reach) : int(x) + reach + 1]
        much = float(shown.std()) if shown.size else 0.0
        if much > most:
            best, most = (x, y, size), much
    return best
