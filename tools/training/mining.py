"""Mine a detector's false positives, which the classifier learns to reject."""

import numpy as np
from numpy.typing import NDArray

from tabletop.vision.classifier import Kind
from tabletop.vision.detector import Detector
from tools.training.lessons.classifier import at_place
from tools.training.scene_files import SIZE, Scenes

LOOKED_PX = (22.0, 44.0, 88.0)  # edges looked for: a die's pips, dice, clumps of dice
MOST = 12  # places kept per scene


def mine_mistakes(
    detector: Detector, scenes: Scenes, looked_px: tuple[float, ...] = LOOKED_PX
) -> list[NDArray[np.float32]]:
    """Return for each scene up to MOST false positives of the detector, (K, 3): x, y and edge."""
    every = []
    for pixels, truth in zip(scenes.pixels, scenes.truths, strict=True):
        dice, extent = truth[truth[:, SIZE] > 0], (pixels.shape[1], pixels.shape[0])
        seen = [place for die_px in looked_px for place in detector.places(np.asarray(pixels), die_px)]
        seen.sort(key=lambda place: -place.logit)
        kinds = [at_place(dice, (place.x, place.y, place.size), extent) for place in seen]
        wrong = [
            (place.x, place.y, place.size)
            for place, (kind, _, asked) in zip(seen, kinds, strict=True)
            if kind == Kind.NOTHING and asked
        ]
        every.append(np.array(wrong[:MOST], np.float32).reshape(-1, 3))
    return every
