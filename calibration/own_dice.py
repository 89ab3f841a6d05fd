"""The dice of a calibration, kept as this table's own: cut out of its throws, added to the file that play reads."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tabletop.config.own_dice import bounded, load_own_dice, save_own_dice
from tabletop.config.profile import place
from tabletop.core.values import Die, Profile, Reading
from tabletop.vision.classify import classifier
from tabletop.vision.decide.colour import frame_tint
from tabletop.vision.own_dice.cutting import cut_out
from tabletop.vision.own_dice.sample import Sample


def in_tray(pixels: Reading, profile: Profile) -> tuple[Die, ...]:
    """Return the sure dice of a reading in pixels that lie in the tray, still in pixels."""
    placed = place(pixels, profile).dice
    return tuple(die for die, there in zip(pixels.dice, placed, strict=True) if there.where == "tray")


def samples_of(picture: NDArray[np.uint8], dice: Sequence[Die], throw: str) -> tuple[Sample, ...]:
    """Return these dice of a picture (H, W, 3) as samples with the faces that were read. throw: its name."""
    tint, network = frame_tint(picture), classifier.shipped()
    cut = (cut_out(picture, die, die.face, throw, tint, network) for die in dice)
    return tuple(sample for sample in cut if sample is not None)


def add_own_dice(samples: Sequence[Sample], path: Path) -> None:
    """Add dice whose faces people have let stand to the file of own dice; nothing is written without any.

    A file that is damaged stays as it is. Raises InputError if it cannot be read or written.
    """
    if samples:
        save_own_dice(bounded([*load_own_dice(path), *samples]), path)
