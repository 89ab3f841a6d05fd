"""A die of a picture cut out as a sample: its top face upright, with what the networks read there."""

import numpy as np
from numpy.typing import NDArray

from tabletop.core.geometry import distance_in_edges
from tabletop.core.values import Die, Unsure
from tabletop.vision.classify.classifier import Classifier
from tabletop.vision.decide.colour import Tint, body_colour
from tabletop.vision.detect.detector import CandidatePlace
from tabletop.vision.own_dice.sample import Sample, upright

SAME_EDGES = 0.4  # how far a die may be from where the picture shows it
EVEN = 0.0  # logit of a place that is a die for certain: the classifier is only asked how it lies


def cut_out(
    picture: NDArray[np.uint8], at: Die | Unsure, face: int, throw: str, tint: Tint, classifier: Classifier
) -> Sample | None:
    """Return the die at this place of a picture (H, W, 3) with this face, None if another lies there.

    throw: its name; dice of one throw never judge each other. tint: the light of the picture, from `frame_tint`.
    """
    (found,) = classifier.look(picture, [CandidatePlace(at.x, at.y, at.size, EVEN)])
    if distance_in_edges(found, at) > SAME_EDGES:
        return None
    look = body_colour(picture, found.x, found.y, found.size, found.angle, tint)
    return Sample(upright(picture, found), face, found.faces, look, throw)
