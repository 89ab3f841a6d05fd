"""Rendered tiles: drawn once, kept in a folder as two arrays, and varied on the fly while learning."""

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.still_grounds import happens
from tabletop.simulator.still_scene import Scene, random_scene
from tabletop.vision.cells import STRIDE

TILE_PX = 144
CROP_PX = 112  # what the network sees of a tile, after turning and zooming
RIM_PX = 2.0  # next to a tile's border nothing is asked
PART = 500  # tiles that one process draws at a time
MOST_DICE = 10
SMALLEST_PX, LARGEST_PX = 27.0, 68.0  # edges of the dice in tiles
FIELDS = 6  # of a die's truth: x, y, size, angle, face, hidden; size 0 means that there is none


@dataclass(frozen=True, slots=True, eq=False)
class Tiles:
    """pixels: (N, TILE_PX, TILE_PX, 3) uint8 BGR. truth: (N, MOST_DICE, FIELDS) float32."""

    pixels: NDArray[np.uint8]
    truth: NDArray[np.float32]


def tile(seed: int, index: int) -> Scene:
    """Return tile `index` of that seed; each has its own generator, so a tile never depends on those before it."""
    rng = np.random.default_rng((seed, index))
    die_px = float(np.exp(rng.uniform(np.log(SMALLEST_PX), np.log(LARGEST_PX))))
    return random_scene(rng, width=TILE_PX, height=TILE_PX, die_px=die_px)


def rendered(folder: Path, seed: int, count: int, workers: int = 1) -> Tiles:
    """Return `count` tiles from the folder, or draw them there with so many processes."""
    folder.mkdir(parents=True, exist_ok=True)
    file, labels = folder / f"tiles-{seed}-{count}.npy", folder / f"truth-{seed}-{count}.npy"
    if not labels.exists():
        np.lib.format.open_memmap(file, mode="w+", dtype=np.uint8, shape=(count, TILE_PX, TILE_PX, 3)).flush()
        parts = [range(start, min(start + PART, count)) for start in range(0, count, PART)]
        if workers == 1:
            truths = [_drawn(file, seed, part) for part in parts]
        else:  # processes are started anew, since a copy of one with threads (OpenCV's) may stand still for ever
            with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
                truths = list(pool.map(_drawn, [file] * len(parts), [seed] * len(parts), parts))
        np.save(labels, np.concatenate(truths))
    return Tiles(np.load(file, mmap_mode="r"), np.load(labels))


def _drawn(file: Path, seed: int, part: range) -> NDArray[np.float32]:
    """Draw some of the tiles into the file; return their truth, (len(part), MOST_DICE, FIELDS)."""
    cv2.setNumThreads(1)
    pixels = np.load(file, mmap_mode="r+")
    truth = np.zeros((len(part), MOST_DICE, FIELDS), np.float32)
    for row, index in enumerate(part):
        scene = tile(seed, index)
        pixels[index] = scene.pixels
        for place, die in enumerate(scene.dice[:MOST_DICE]):
            truth[row, place] = (die.x, die.y, die.size, die.angle, die.face, die.hidden)
    pixels.flush()
    return truth


def varied(
    pixels: NDArray[np.uint8], truth: NDArray[np.float32], rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.bool_]]:
    """Return a turned, zoomed, mirrored and recoloured crop, its truth, and which cells show the tile at all."""
    angle, zoom = rng.uniform(0, 360), float(np.exp(rng.uniform(np.log(0.75), np.log(1.4))))
    mirror = -1.0 if happens(rng, 0.5) else 1.0
    cosine, sine = np.cos(np.radians(angle)) * zoom, np.sin(np.radians(angle)) * zoom
    turn = np.array([[cosine * mirror, -sine], [sine * mirror, cosine]])
    focus = np.full(2, TILE_PX / 2) + rng.uniform(-20, 20, 2)
    shift = CROP_PX / 2 - turn @ focus
    matrix = np.hstack([turn, shift[:, None]]).astype(np.float32)
    crop = cv2.warpAffine(pixels, matrix, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cells = CROP_PX // STRIDE
    middles = np.arange(cells) * STRIDE + STRIDE / 2 - 0.5
    grid = np.stack(np.meshgrid(middles, middles), axis=2) - shift
    back = grid @ np.linalg.inv(turn).T
    seen = np.all((back > RIM_PX) & (back < TILE_PX - RIM_PX), axis=2)
    moved = truth.copy()
    moved[:, :2] = truth[:, :2] @ turn.T + shift
    moved[:, 2] *= zoom
    moved[:, 3] = (mirror * truth[:, 3] + angle) % 90
    return recoloured(np.asarray(crop, np.uint8), rng), moved, seen


def recoloured(crop: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Return the crop with its channels swapped, inverted, grey or brighter: faces do not depend on colours."""
    if happens(rng, 0.4):
        crop = crop[:, :, rng.permutation(3)]
    if happens(rng, 0.12):
        crop = 255 - crop
    if happens(rng, 0.1):
        crop = np.repeat(crop.mean(axis=2, keepdims=True).astype(np.uint8), 3, axis=2)
    if happens(rng, 0.4):
        gain, lift = rng.uniform(0.6, 1.35), rng.uniform(-25, 25)
        crop = np.clip(crop * gain + lift, 0, 255).astype(np.uint8)
    return np.ascontiguousarray(crop)
