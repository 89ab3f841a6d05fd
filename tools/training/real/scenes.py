"""Training data besides rendered scenes: the photographs of each source, and collages of their dice."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tabletop.vision.classifier import Classifier
from tools.training.real.collage import Sheet, collages, cut_outs
from tools.training.real.photographs import CLOSE_PX, FAR_PX, LICENSED, photographs
from tools.training.real.splits import kept_apart
from tools.training.scene_files import Scenes

COLLAGES = 3_000  # of each sheet
NEAR_SHEET, FAR_SHEET = Sheet(144, 6, 1.0), Sheet(340, 24, FAR_PX / CLOSE_PX)  # for patches; for the detector


def real_scenes(
    folder: Path, classifier: Classifier, without: Sequence[str], apart: int, edge_px: float
) -> list[Scenes]:
    """Return the photographs of each source in use, scaled to that edge.

    apart: one of this many photographs is left out, see `splits`; 0: none.
    """
    groups = []
    for source in (name for name in LICENSED if name not in without):

        def chosen(number: int, entry: dict[str, Any], source: str = source) -> bool:
            return str(entry["file"]).startswith(f"{source}/") and not kept_apart(folder, entry, number, apart)

        groups.append(photographs(folder, classifier, chosen, edge_px))
    return [group for group in groups if len(group)]


def made_of(near: list[Scenes], seed: int, sheets: Sequence[Sheet] = (NEAR_SHEET, FAR_SHEET)) -> list[Scenes]:
    """Return collages of the photographs' dice, for patches and for the detector. near: dice of CLOSE_PX."""
    sources = cut_outs(near)
    rng = np.random.default_rng((seed, 5))
    return [collages(sources, near, COLLAGES, sheet, rng) for sheet in sheets]


def joined(first: Scenes, others: list[Scenes]) -> Scenes:
    """Return all scenes as one, in order."""
    if not others:
        return first
    parts = [first, *others]
    pixels = [picture for part in parts for picture in part.pixels]
    truths = [truth for part in parts for truth in part.truths]
    return Scenes(pixels, truths, np.concatenate([part.ups for part in parts]))
