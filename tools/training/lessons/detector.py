"""Training samples for the detector: crops of scenes, and the target for each output cell."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.classifier import Kind
from tabletop.vision.detector import EDGE_PX, STRIDE
from tools.room.chance import chance
from tools.training.scene_files import KIND, SIZE, Truths, X, Y
from tools.training.variations import cut, recoloured, turn_of

CROP_PX = 96
ZOOMS = (0.8, 1.25)
RIM_PX = 1.0  # cells this near to a scene's border are not asked
VARIED = 0.7  # share of cuttings that are made worse
NOBODYS = -1
RIM = 0.15  # dice: a die whose middle is nearer to the cutting's border is not asked for


def detector_cutting(
    pixels: NDArray[np.uint8], truth: Truths, rng: np.random.Generator, up: tuple[float, float] | None = None
) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Return an augmented crop of a scene, (CROP_PX, CROP_PX, 3), and bump, asked, near and facts of `answered`."""
    height, width = pixels.shape[:2]
    zoom = float(np.exp(rng.uniform(*np.log(ZOOMS))))
    free = np.maximum(0, np.array([width, height]) - 0.7 * CROP_PX)
    middle = np.array([width, height]) / 2 + rng.uniform(-0.5, 0.5, 2) * free
    at = (float(middle[0]), float(middle[1]))
    crop, matrix, shift = cut(pixels, at, zoom, turn_of(rng, up), CROP_PX, cv2.BORDER_REPLICATE)
    bump, asked, near, facts, _ = answered(
        moved(truth, matrix, shift, zoom), shown(matrix, shift, (width, height), CROP_PX)
    )
    return recoloured(crop, rng) if chance(rng, VARIED) else crop, bump, asked, near, facts


def moved(truth: Truths, matrix: NDArray[np.float64], shift: NDArray[np.float64], zoom: float) -> Truths:
    """Return places and sizes in pixels of a crop; matrix, shift: as returned by `cut`."""
    there = truth.copy()
    there[:, : Y + 1] = truth[:, : Y + 1] @ matrix.T + shift
    there[:, SIZE] *= zoom
    return there


def shown(
    matrix: NDArray[np.float64], shift: NDArray[np.float64], extent: tuple[int, int], side: int
) -> NDArray[np.float32]:
    """Return 1 for cells of a crop that show any of the scene, else 0, (h, w); matrix, shift: as returned by `cut`.

    extent: width and height of the scene. side: of the crop, pixels.
    """
    cells = np.arange(side // STRIDE) * STRIDE + STRIDE / 2 - 0.5
    back = (np.stack(np.meshgrid(cells, cells), axis=2) - shift) @ np.linalg.inv(matrix).T
    return np.asarray(np.all((back > RIM_PX) & (back < np.array(extent) - 1 - RIM_PX), axis=2), np.float32)


@dataclass(frozen=True, slots=True)
class Marks:
    """How dice are encoded in cells. edge_px: the edge whose log2 is 0; the others in die edges.

    peak: standard deviation of the bump at a die's centre. asked: cells within this distance of the centre have targets
    for place and size. ignored: cells within this distance of a covered die, or of one centred outside, have none.
    """

    edge_px: float
    peak: float
    asked: float
    ignored: float


DETECTOR_MARKS = Marks(EDGE_PX, peak=0.13, asked=0.28, ignored=0.55)


def answered(
    truth: Truths, seen: NDArray[np.float32], marks: Marks = DETECTOR_MARKS
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], NDArray[np.int64]]:
    """Return bump, asked, near and facts of `batches.DetectorLesson` for one crop, and whose die is near.

    truth: in pixels of the crop. seen: (h, w), 1 for cells that show the scene at all. The last is (h, w), the row of
    truth, -1 for no die.
    """
    height, width = seen.shape
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32) * STRIDE + (STRIDE / 2 - 0.5)
    bump, near, asked = np.zeros((height, width), np.float32), np.zeros((height, width), np.float32), seen.copy()
    facts = np.zeros((3, height, width), np.float32)
    closest, whose = np.full((height, width), np.inf, np.float32), np.full((height, width), NOBODYS)
    for row in np.nonzero(truth[:, SIZE] > 0)[0]:
        die = truth[row]
        x, y, edge = float(die[X]), float(die[Y]), float(die[SIZE])
        away = np.hypot(columns - x, rows - y) / edge
        rim = RIM * edge
        inside = rim < x < width * STRIDE - rim and rim < y < height * STRIDE - rim
        if die[KIND] == Kind.COVERED or not inside:
            asked[away < marks.ignored] = 0
            continue
        hill = np.exp(-((away / marks.peak) ** 2) / 2)
        hill[np.unravel_index(int(away.argmin()), away.shape)] = 1
        bump = np.maximum(bump, hill)
        mine = (away < marks.asked) & (away < closest)
        closest[mine], near[mine], whose[mine] = away[mine], 1, row
        facts[:, mine] = np.stack(
            [
                (x - columns[mine]) / edge,
                (y - rows[mine]) / edge,
                np.full(int(mine.sum()), np.log2(edge / marks.edge_px)),
            ]
        )
    return bump.astype(np.float32), asked, near * (asked > 0), facts, whose
