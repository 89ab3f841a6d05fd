"""Training data for the surroundings network: the reader's candidates in pictures of unknown dice, in wide crops.

From rendered scenes without and with dice, and from labelled photographs. All are read by the built-in networks.
"""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.classifier import Found
from tabletop.vision.image_io import open_picture
from tabletop.vision.network import crop
from tabletop.vision.reader import find_dice, shipped_networks
from tools.training.real.photographs import LICENSED
from tools.training.real.splits import kept_apart
from tools.training.scenes.random_scene import Truth, random_scene

CUT_PX, CUT_EDGE_PX = 128, 32.0  # side of a cutting, and the edge of the die in it: four dice wide
BARE, TILES, MARKED, WITH_DICE, IN_ROW = 9_000, 3_000, 4_000, 3_000, 2_000  # rendered scenes
MARKED_BESIDE = 3  # every how many scenes with dice have marked ones beside them
# Added to the seed: not those that are measured with.
BARE_SEED, DICE_SEED, TILES_SEED, ROW_SEED, MARKED_SEED = 1_002, 1_001, 1_003, 1_004, 1_005
BARE_PX, DICE_PX = (240, 240), (480, 360)  # width and height of the scenes
BARE_EDGES, DICE_EDGES = (22.0, 75.0), (20.0, 80.0)  # pixels, the edge of the dice that lie or would lie there
MOST_IN_ROW = 4
CROWDS = (1, 2, 5, 6, 10)
LEAST, BESIDE_DICE = 0.1, 0.15  # chance of a die from which a candidate is kept; in rendered scenes with dice
LIKELY = 0.4  # the same for a die
ON, OFF, SIZE_LOG = 0.28, 0.7, 0.5  # edges from a true die's middle, log2 of its size: nearer is the die, farther none
BOX_ON, BOX_OFF = 0.35, 1.0  # the same of a label's box, of its longer side
BOX_SIZES = (0.45, 1.3)  # of the box's longer side
RENDERED = "rendered"
AT_ONCE = 5

Label = Callable[[Found], bool | None]  # whether a candidate is a die; None if that cannot be said


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """One candidate. pixels: (CUT_PX, CUT_PX, 3) uint8 BGR. die: whether it is one. chance: the reader's.

    source: its.
    """

    pixels: NDArray[np.uint8]
    die: bool
    chance: float
    source: str


def candidates(
    folder: Path, seed: int, workers: int, photographs: Path | None, without: Sequence[str], apart: int
) -> list[Candidate]:
    """Return all candidates; those of rendered scenes are cached in the folder. without, apart: as in `Plan`."""
    file = folder / f"candidates-{seed}.npz"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
            bare = pool.map(partial(bare_scene, seed), range(BARE), chunksize=AT_ONCE)
            tiles = pool.map(partial(bare_scene, seed, kind="tiles"), range(TILES), chunksize=AT_ONCE)
            marked = pool.map(partial(bare_scene, seed, kind="marked"), range(MARKED), chunksize=AT_ONCE)
            dice = pool.map(partial(scene_with_dice, seed), range(WITH_DICE), chunksize=AT_ONCE)
            rows = pool.map(partial(scene_in_row, seed), range(IN_ROW), chunksize=AT_ONCE)
            made = [candidate for part in (*bare, *tiles, *marked, *dice, *rows) for candidate in part]
        np.savez(
            file,
            pixels=np.stack([one.pixels for one in made]),
            die=np.array([one.die for one in made]),
            chance=np.array([one.chance for one in made], np.float32),
        )
    stored = np.load(file)
    parts = (stored["pixels"], stored["die"], stored["chance"])
    drawn = [Candidate(pixels, bool(die), float(chance), RENDERED) for pixels, die, chance in zip(*parts, strict=True)]
    return drawn + ([] if photographs is None else _photographed(photographs, without, apart))


def bare_scene(seed: int, number: int, *, kind: Literal["bare", "tiles", "marked"] = "bare") -> list[Candidate]:
    """Return the candidates in one scene without dice. kind: what lies there, as in `random_scene`."""
    cv2.setNumThreads(1)
    added = {"bare": BARE_SEED, "tiles": TILES_SEED, "marked": MARKED_SEED}[kind]
    rng = np.random.default_rng((added + seed, number))
    die_px = float(np.exp(rng.uniform(*np.log(BARE_EDGES))))
    width, height = BARE_PX
    scene = random_scene(
        rng, width=width, height=height, die_px=die_px, empty=True, tiles=kind == "tiles", marked=kind == "marked"
    )
    return _cut(scene.pixels, lambda _: False, RENDERED)


def scene_with_dice(seed: int, number: int) -> list[Candidate]:
    """Return the candidates in one scene with dice."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng((DICE_SEED + seed, number))
    die_px = float(np.exp(rng.uniform(*np.log(DICE_EDGES))))
    width, height = DICE_PX
    most, marked = int(rng.choice(CROWDS)), number % MARKED_BESIDE == 0
    scene = random_scene(rng, width=width, height=height, die_px=die_px, most=most, marked=marked)
    return _cut(scene.pixels, partial(_is_true, scene.dice), RENDERED, BESIDE_DICE)


def scene_in_row(seed: int, number: int) -> list[Candidate]:
    """Return the candidates in one scene of dice that lie edge to edge, like the halves of dominoes."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng((ROW_SEED + seed, number))
    die_px = float(np.exp(rng.uniform(*np.log(BARE_EDGES))))
    width, height = BARE_PX
    scene = random_scene(rng, width=width, height=height, die_px=die_px, most=MOST_IN_ROW, in_row=True)
    return _cut(scene.pixels, partial(_is_true, scene.dice), RENDERED, BESIDE_DICE)


def _is_true(dice: Sequence[Truth], found: Found) -> bool | None:
    if not dice:
        return False
    die = min(dice, key=lambda die: float(np.hypot(die.x - found.x, die.y - found.y)) / die.size)
    away = float(np.hypot(die.x - found.x, die.y - found.y)) / die.size
    if away < ON and abs(np.log2(die.size / found.size)) < SIZE_LOG:
        return None if die.hidden or die.leans else True
    return False if away > OFF else None


def _is_labelled(dice: Sequence[dict[str, Any]], found: Found) -> bool | None:
    def away(box: Sequence[float]) -> float:
        left, top, right, bottom = box
        return float(np.hypot((left + right) / 2 - found.x, (top + bottom) / 2 - found.y)) / _side(box)

    nearest = min((die["box"] for die in dice), key=away, default=None)
    if nearest is None or away(nearest) > BOX_OFF:
        return False
    fits = BOX_SIZES[0] < found.size / _side(nearest) < BOX_SIZES[1]
    return True if away(nearest) < BOX_ON and fits else None


def _side(box: Sequence[float]) -> float:
    return max(box[2] - box[0], box[3] - box[1])


def _photographed(folder: Path, without: Sequence[str], apart: int) -> list[Candidate]:
    images = json.loads((folder / "manifest.json").read_text())["images"]
    found: list[Candidate] = []
    for number, entry in enumerate(images):
        source = entry["file"].split("/")[0]
        if source in LICENSED and source not in without and not kept_apart(folder, entry, number, apart):
            found += _cut(open_picture(folder / entry["file"]), partial(_is_labelled, entry["dice"]), source)
    return found


def _cut(picture: NDArray[np.uint8], label: Label, source: str, least: float = LEAST) -> list[Candidate]:
    """Return the candidates of which `label` knows whether they are dice."""
    made = []
    for found in find_dice(picture, networks=shipped_networks()._replace(surroundings=None)).found:
        die = label(found) if found.chance >= least else None
        if die is not None and (not die or found.chance >= LIKELY):
            cutting = crop(picture, found.x, found.y, found.size, CUT_PX, CUT_EDGE_PX)
            made.append(Candidate(cutting.pixels, die, found.chance, source))
    return made
