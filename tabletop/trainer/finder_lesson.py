"""What the finder learns from: cuttings of scenes, and what each cell of its output should say."""

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.still_grounds import happens
from tabletop.trainer.scenes import KIND, SIZE, Truths, X, Y
from tabletop.trainer.variations import cut, recoloured, turn_of
from tabletop.vision.finder import EDGE_PX, STRIDE
from tabletop.vision.judge import Kind

CROP_PX = 96
ZOOMS = (0.8, 1.25)
RIM_PX = 1.0  # next to a scene's border nothing is asked
VARIED = 0.7  # share of cuttings that are made worse
PEAK = 0.13  # dice: standard deviation of the bump that marks a die's middle
ASKED = 0.28  # dice: within this of the middle a cell is asked for place and size
IGNORED = 0.55  # dice: round a covered die, or one whose middle is outside, nothing is asked
RIM = 0.15  # dice: a middle nearer than this to the cutting's border is not asked for


def finder_cutting(
    pixels: NDArray[np.uint8], truth: Truths, rng: np.random.Generator, up: tuple[float, float] | None = None
) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Return a varied cutting of a scene, (CROP_PX, CROP_PX, 3), and what `finder_answer` says of it."""
    height, width = pixels.shape[:2]
    zoom = float(np.exp(rng.uniform(*np.log(ZOOMS))))
    free = np.maximum(0, np.array([width, height]) - 0.7 * CROP_PX)
    middle = np.array([width, height]) / 2 + rng.uniform(-0.5, 0.5, 2) * free
    at = (float(middle[0]), float(middle[1]))
    crop, matrix, shift = cut(pixels, at, zoom, turn_of(rng, up), CROP_PX, cv2.BORDER_REPLICATE)
    cells = np.arange(CROP_PX // STRIDE) * STRIDE + STRIDE / 2 - 0.5
    back = (np.stack(np.meshgrid(cells, cells), axis=2) - shift) @ np.linalg.inv(matrix).T
    seen = np.all((back > RIM_PX) & (back < np.array([width, height]) - 1 - RIM_PX), axis=2)
    moved = truth.copy()
    moved[:, : Y + 1] = truth[:, : Y + 1] @ matrix.T + shift
    moved[:, SIZE] *= zoom
    return recoloured(crop, rng) if happens(rng, VARIED) else crop, *finder_answer(moved, seen.astype(np.float32))


def finder_answer(
    truth: Truths, seen: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Return bump, asked, near and facts of `batches.FinderLesson` for one cutting.

    truth: in pixels of the cutting. seen: (h, w), 1 for cells that show the scene at all.
    """
    height, width = seen.shape
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32) * STRIDE + (STRIDE / 2 - 0.5)
    bump, near, asked = np.zeros((height, width), np.float32), np.zeros((height, width), np.float32), seen.copy()
    facts = np.zeros((3, height, width), np.float32)
    closest = np.full((height, width), np.inf, np.float32)
    for die in truth[truth[:, SIZE] > 0]:
        x, y, edge = float(die[X]), float(die[Y]), float(die[SIZE])
        away = np.hypot(columns - x, rows - y) / edge
        rim = RIM * edge
        inside = rim < x < width * STRIDE - rim and rim < y < height * STRIDE - rim
        if die[KIND] == Kind.COVERED or not inside:
            asked[away < IGNORED] = 0
            continue
        hill = np.exp(-((away / PEAK) ** 2) / 2)
        hill[np.unravel_index(int(away.argmin()), away.shape)] = 1
        bump = np.maximum(bump, hill)
        mine = (away < ASKED) & (away < closest)
        closest[mine], near[mine] = away[mine], 1
        facts[:, mine] = np.stack(
            [(x - columns[mine]) / edge, (y - rows[mine]) / edge, np.full(int(mine.sum()), np.log2(edge / EDGE_PX))]
        )
    return bump.astype(np.float32), asked, near * (asked > 0), facts
