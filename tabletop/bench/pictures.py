"""Pictures whose dice are known, for `tabletop bench`: rendered stills, random scenes, and labelled photographs."""

import random
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tabletop.core.errors import InputError
from tabletop.simulator.render.compose import Look, PosedDie, compose, lying
from tabletop.simulator.render.grounds import felt
from tabletop.vision.image_io import open_picture
from tabletop.vision.labels import Label, Labelled, load_labels
from training.scenes.random_scene import Truth, random_scene

SEED = 7
FELT = (70, 100, 40)  # BGR: a green tray
CLOTH = (1640, 1232)  # width and height in pixels from which the felt repeats, since drawing more of it takes seconds
COLUMNS, ROWS = 5, 4  # places for dice in a still: as many as a table needs
ASIDE = 0.1  # places: how far a die lies from the middle of its place, at most
SCENE = (640, 480, 60.0)  # width, height and usual edge of a die in pixels
MOST_IN_SCENE = 6
WHOLE = 0.75  # dice: from a top face's middle to the farthest corner that a turned die has, and a little more
MANIFEST = "manifest.json"  # in a folder of labelled photographs


@dataclass(frozen=True, slots=True)
class KnownPicture:
    """A picture with its truth. open: returns it, (H, W, 3) uint8 BGR."""

    truth: Labelled
    open: Callable[[], NDArray[np.uint8]]

    @property
    def die_px(self) -> float:
        """About the edge of its dice in pixels."""
        return self.truth.die_px


def still(width: int, height: int, die_px: float, count: int, seed: int = SEED) -> KnownPicture:
    """Return a rendered frame of `count` ivory dice on felt, at most 20; the same at every call."""
    rng = np.random.default_rng(seed)
    cloth = felt(min(height, CLOTH[1]), min(width, CLOTH[0]), FELT, rng)
    ground = np.tile(cloth, (-(-height // cloth.shape[0]), -(-width // cloth.shape[1]), 1))[:height, :width]
    dice, labels = [], []
    for place in rng.permutation(COLUMNS * ROWS)[:count]:
        x = (place % COLUMNS + 0.5 + rng.uniform(-ASIDE, ASIDE)) * width / COLUMNS
        y = (place // COLUMNS + 0.5 + rng.uniform(-ASIDE, ASIDE)) * height / ROWS
        face = int(rng.integers(1, 7))
        labels.append(Label(face, float(x), float(y)))
        dice.append(PosedDie(float(x), float(y), die_px, lying(face, float(rng.uniform(0, 90)), Look())))
    frame = compose(ground, dice)
    return KnownPicture(Labelled(die_px, tuple(labels)), lambda: frame)


def scene(number: int) -> KnownPicture:
    """Return a random scene: any dice, ground, light and camera, with things that are no dice; the same at every call.

    Dice that lean, carry an emblem, are hidden or cut by the border count for nothing.
    """
    width, height, die_px = SCENE
    rng = np.random.default_rng((SEED, number))
    seen = random_scene(rng, width=width, height=height, die_px=die_px, most=MOST_IN_SCENE)
    labels = tuple(
        Label(die.face, die.x, die.y, die.face > 0 and not die.hidden and _whole(die, width, height))
        for die in seen.dice
    )
    usual_px = float(np.median([die.size for die in seen.dice])) if seen.dice else die_px
    return KnownPicture(Labelled(usual_px, labels), lambda: seen.pixels)


def photographs(folder: Path, most: int) -> dict[str, list[KnownPicture]]:
    """Return at most that many labelled photographs of each source, the folder that holds them; the same at every call.

    Raises InputError where the folder, its manifest or a photograph drawn cannot be used.
    """
    sources: dict[str, list[tuple[Path, Labelled]]] = defaultdict(list)
    for path, truth in load_labels(folder / MANIFEST).items():
        sources[path.parent.name].append((path, truth))
    if not sources:
        raise InputError(f"{folder / MANIFEST}: expected labelled photographs, got none")
    drawn = {
        source: random.Random(SEED).sample(group, min(most, len(group)))  # noqa: S311 - a sample, no secret
        for source, group in sources.items()
    }
    missing = [path for group in drawn.values() for path, _ in group if not path.is_file()]
    if missing:
        raise InputError(f"{folder / MANIFEST}: expected the photographs that it names, there is no {missing[0]}")
    return {
        source: [KnownPicture(truth, partial(open_picture, path)) for path, truth in group]
        for source, group in drawn.items()
    }


def _whole(die: Truth, width: int, height: int) -> bool:
    reach = WHOLE * die.size
    return reach <= die.x < width - reach and reach <= die.y < height - reach
