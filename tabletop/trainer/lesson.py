"""What the network should answer in each cell of a crop."""

import numpy as np
from numpy.typing import NDArray

from tabletop.vision.cells import NOMINAL_PX, STRIDE

PEAK = 0.11  # dice: standard deviation of the bump that marks a die's middle
JUDGED = 0.2  # dice: within this of the middle a cell is asked for face, size and angle
IGNORED = 0.6  # dice: round a hidden die nothing is asked
SURE = 0.97  # what is asked of the right face; the rest goes to the others
EDGE_SHARE = 0.2  # dice: a middle nearer than this to the crop's edge is not asked for


def lesson(truth: NDArray[np.float32], seen: NDArray[np.bool_]) -> list[NDArray[np.float32]]:
    """Return the six arrays of `loss.Lesson` for one crop, without the B.

    truth: (N, 6) as in `Tiles`, in pixels of the crop. seen: (h, w), cells that show the tile at all.
    """
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
