"""Draw test pictures without dice: `python -m tools.training.empty_pictures --out FOLDER --count 500 --seed 7`.

Carpets, rugs, gravel, prints, cloths and tables with objects on them, at the size of a table camera's pictures. `python
-m tools.training.measure --empty FOLDER` reads them.
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np

from tools.training.scenes.random_scene import random_scene

EXTENTS = ((640, 480), (480, 640), (800, 600))  # pixels
DIE_PX = (24.0, 80.0)  # edge of the dice that would lie there: patterns and things are drawn in its proportion
AT_ONCE = 5


def main() -> int:
    """Draw the pictures into a folder; equal seeds give equal pictures."""
    parser = argparse.ArgumentParser(prog="python -m tools.training.empty_pictures", description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--workers", type=int, default=2, help="processor cores")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(options.workers, get_context("spawn")) as pool:
        list(pool.map(partial(draw, options.out, options.seed), range(options.count), chunksize=AT_ONCE))
    return 0


def draw(folder: Path, seed: int, number: int) -> None:
    """Draw one picture; each has its own generator."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng((seed, number))
    width, height = EXTENTS[int(rng.integers(len(EXTENTS)))]
    die_px = float(np.exp(rng.uniform(*np.log(DIE_PX))))
    scene = random_scene(rng, width=width, height=height, die_px=die_px, empty=True)
    cv2.imwrite(str(folder / f"{number:04}.png"), scene.pixels)


if __name__ == "__main__":
    sys.exit(main())
