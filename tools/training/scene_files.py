"""Training scenes with ground truth; rendered ones are drawn once and cached in a folder."""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.classifier import Kind
from tools.training.scenes.random_scene import Scene, Truth, random_scene

PART = 250  # scenes that one process draws at a time
MOST_DICE = 24  # of one rendered scene
# Fields of a die's truth: pixels and degrees, size 0: no die, face 0: none can be read (emblem); the last three are
# those of `Truth`, 0 in photographs, for which they are unknown.
X, Y, SIZE, ANGLE, FACE, KIND, UP_X, UP_Y, TILT = range(9)
FIELDS = 9

Truths = NDArray[np.float32]  # (dice, FIELDS)


def inside(truth: Truths, extent: tuple[int, int], rim: float) -> NDArray[np.bool_]:
    """Return for each die whether its centre is at least `rim` edges from the border of the scene."""
    width, height = extent
    x, y, least = truth[:, X], truth[:, Y], rim * truth[:, SIZE]
    return np.asarray((least < x) & (x < width - least) & (least < y) & (y < height - least))


@dataclass(frozen=True, slots=True)
class SceneView:
    """The parameters of a set of scenes.

    side: of a scene in pixels. smallest, largest: edges of its dice. fine: drawn this many times larger and then
    shrunk, as a photograph is before the detector looks. crowds: possible maximum numbers of dice. leaning: share of
    the dice that lean as at a wall. empty: without dice. marked: with dice that have no pips.
    """

    name: str
    side: int
    smallest: float
    largest: float
    fine: int
    crowds: tuple[int, ...]
    leaning: float = 0.0
    empty: bool = False
    marked: bool = False


FAR = SceneView("far", 128, 11.0, 30.0, 2, (3, 6, 10, 20))  # for the detector
CLOSE = SceneView("close", 144, 27.0, 72.0, 1, (5, 8))  # for the classifier
BARE_FAR, BARE_CLOSE = replace(FAR, name="bare far", empty=True), replace(CLOSE, name="bare close", empty=True)
MARKED_CLOSE = replace(CLOSE, name="marked close", empty=True, marked=True)
TIPPED = SceneView("tipped", 144, 27.0, 72.0, 1, (3, 6), leaning=0.5)  # for the tilt


@dataclass(frozen=True, slots=True, eq=False)
class Scenes:
    """A set of scenes. pixels: one (H, W, 3) uint8 BGR for each scene. truths: the dice of each.

    ups: (N, 2) direction from the dice's centres to their tops, x and y; its length is the sine of the camera's tilt.
    """

    pixels: Sequence[NDArray[np.uint8]]
    truths: Sequence[Truths]
    ups: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.truths)


def scene(view: SceneView, seed: int, index: int) -> Scene:
    """Return one scene of that view; each has a separate generator, so scenes do not depend on each other."""
    rng = np.random.default_rng((seed, len(view.name), index))
    die_px = float(np.exp(rng.uniform(np.log(view.smallest), np.log(view.largest))))
    side = view.side * view.fine
    most = int(rng.choice(view.crowds))
    return random_scene(
        rng,
        width=side,
        height=side,
        die_px=die_px * view.fine,
        most=most,
        leaning=view.leaning,
        empty=view.empty,
        marked=view.marked,
    )


def rendered(folder: Path, view: SceneView, seed: int, count: int, workers: int = 1) -> Scenes:
    """Return `count` scenes of a view from the folder, or draw them there with `workers` processes."""
    folder.mkdir(parents=True, exist_ok=True)
    file, labels, leans = (folder / f"{view.name}-{what}-{seed}-{count}.npy" for what in ("pixels", "truth", "up"))
    if not leans.exists():
        shape = (count, view.side, view.side, 3)
        np.lib.format.open_memmap(file, mode="w+", dtype=np.uint8, shape=shape).flush()
        parts = [range(start, min(start + PART, count)) for start in range(0, count, PART)]
        if workers == 1:
            drawn = [_drawn(file, view, seed, part) for part in parts]
        else:  # processes are spawned, since a fork of one with threads (OpenCV's) may hang for ever
            with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
                every = len(parts)
                drawn = list(pool.map(_drawn, [file] * every, [view] * every, [seed] * every, parts))
        np.save(labels, np.concatenate([truth for truth, _ in drawn]))
        np.save(leans, np.concatenate([up for _, up in drawn]))
    return Scenes(np.load(file, mmap_mode="r"), np.load(labels), np.load(leans))


def _drawn(file: Path, view: SceneView, seed: int, part: range) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Draw some of the scenes into the file; return their truth, (len(part), MOST_DICE, FIELDS), and their ups."""
    cv2.setNumThreads(1)
    pixels = np.load(file, mmap_mode="r+")
    truths = np.zeros((len(part), MOST_DICE, FIELDS), np.float32)
    ups = np.zeros((len(part), 2), np.float32)
    for row, index in enumerate(part):
        drawn = scene(view, seed, index)
        small = drawn.pixels
        if view.fine > 1:
            small = np.asarray(cv2.resize(small, (view.side, view.side), interpolation=cv2.INTER_AREA), np.uint8)
        pixels[index], ups[row] = small, drawn.up
        for place, die in enumerate(drawn.dice[:MOST_DICE]):
            truths[row, place] = fields(die, view.fine)
    pixels.flush()
    return truths, ups


def fields(die: Truth, fine: int = 1) -> tuple[float, ...]:
    """Return a die's ground truth in the order of FIELDS, in a picture made `fine` times smaller."""
    kind = Kind.COVERED if die.hidden else Kind.LEANING if die.leans else Kind.FLAT
    shift = (fine - 1) / 2  # the middle of the first pixel is 0 in both pictures
    return (
        (die.x - shift) / fine,
        (die.y - shift) / fine,
        die.size / fine,
        die.angle,
        die.face,
        kind,
        *die.up,
        die.tilt,
    )
