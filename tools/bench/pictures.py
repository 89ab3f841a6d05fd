"""Pictures with known dice for `make bench`: rendered stills and labelled photographs."""

import random
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tabletop.core.errors import InputError
from tabletop.simulator.render import compose
from tabletop.simulator.scene import Look, PosedDie, Viewpoint, lying
from tabletop.vision.image_io import open_picture
from tools.bench.labels import Label, Labelled, load_labels
from tools.room.chance import felt

SEED = 7
FELT = (70, 100, 40)  # BGR: a green tray
CLOTH = (1640, 1232)  # pixels, width and height: the felt repeats beyond this, since drawing more of it takes seconds
COLUMNS, ROWS = 5, 4  # places for dice in a still: enough for any game
ASIDE = 0.1  # of a place: a die lies at most this far from the middle of its own
# Widths of the frame: from where it is seen, as from 0.4 m above 0.17 m of felt. From nearer, a large frame would show
# the sides of its outer dice as plainly as their tops.
DISTANCE = 1500 / 640
MANIFEST = "manifest.json"  # in a folder of labelled photographs


@dataclass(frozen=True, slots=True)
class KnownPicture:
    """A picture and its labels. open: returns the pixels, (H, W, 3) uint8 BGR."""

    truth: Labelled
    open: Callable[[], NDArray[np.uint8]]

    @property
    def die_px(self) -> float:
        """The approximate edge of its dice in pixels."""
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
    frame = compose(ground, dice, camera=Viewpoint(distance_px=DISTANCE * width))
    return KnownPicture(Labelled(die_px, tuple(labels)), lambda: frame)


def photographs(folder: Path, most: int) -> dict[str, list[KnownPicture]]:
    """Return at most `most` labelled photographs per source, the name of their folder; the same ones at every call.

    Raises InputError if the folder or its manifest is unusable, or if a selected photograph is missing.
    """
    sources: dict[str, list[tuple[Path, Labelled]]] = defaultdict(list)
    for path, truth in load_labels(folder / MANIFEST).items():
        sources[path.parent.name].append((path, truth))
    if not sources:
        raise InputError(f"{folder / MANIFEST}: expected labelled photographs, got none")
    drawn = {source: random.Random(SEED).sample(group, min(most, len(group))) for source, group in sources.items()}
    missing = [path for group in drawn.values() for path, _ in group if not path.is_file()]
    if missing:
        raise InputError(f"{folder / MANIFEST}: expected the photographs that it names, there is no {missing[0]}")
    return {
        source: [KnownPicture(truth, partial(open_picture, path)) for path, truth in group]
        for source, group in drawn.items()
    }
