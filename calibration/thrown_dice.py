"""The dice of a throw during calibration, cut out of its picture: their colours and pips are measured there."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tabletop.config.profile import place
from tabletop.core.values import Die, Profile, Reading, distance_in_edges
from tabletop.vision import classifier
from tabletop.vision.colour import body_colour, frame_tint
from tabletop.vision.detector import CandidatePlace
from tabletop.vision.own_dice import Sample, upright

SAME_EDGES = 0.4  # how far a die may be from where the picture shows it
EVEN = 0.0  # logit of a place that is a die for certain: the classifier is only asked how it lies


def in_tray(pixels: Reading, profile: Profile) -> tuple[Die, ...]:
    """Return the sure dice of a reading in pixels that lie in the tray, still in pixels."""
    placed = place(pixels, profile).dice
    return tuple(die for die, there in zip(pixels.dice, placed, strict=True) if there.where == "tray")


def samples_of(picture: NDArray[np.uint8], dice: Sequence[Die]) -> tuple[Sample, ...]:
    """Return these dice of a picture (H, W, 3) with the faces that were read; `look` is the colour of the body.

    A die that is not where the picture shows one is left out.
    """
    tint, network, samples = frame_tint(picture), classifier.shipped(), list[Sample]()
    for die in dice:
        (found,) = network.look(picture, [CandidatePlace(die.x, die.y, die.size, EVEN)])
        if distance_in_edges(found, die) <= SAME_EDGES:
            look = body_colour(picture, found.x, found.y, found.size, found.angle, tint)
            samples.append(Sample(upright(picture, found), die.face, look))
    return tuple(samples)
