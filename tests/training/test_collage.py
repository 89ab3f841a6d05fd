"""Real dice cut out and laid on other grounds: here rendered dice stand for real ones, so the truth is known."""

import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.render import compose
from tabletop.simulator.scene import Light, Look, PosedDie, Viewpoint, lying
from tabletop.vision.classifier import Kind, shipped
from tabletop.vision.detector import CandidatePlace
from tools.training.real.collage import Sheet, collages, cut_outs
from tools.training.scene_files import ANGLE, FACE, FIELDS, SIZE, Scenes, X, Y

EDGE_PX = 48.0
EXTENT = 240


def photograph(face: int, turn: float, ground: int = 90) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    picture = np.full((EXTENT, EXTENT, 3), ground, np.uint8)
    die = PosedDie(EXTENT / 2, EXTENT / 2, EDGE_PX, lying(face, turn, Look()), Look())
    drawn = compose(picture, [die], Light(), Viewpoint(distance_px=EDGE_PX * 40, x=EXTENT / 2, y=EXTENT / 2))
    truth = np.zeros((1, FIELDS), np.float32)
    truth[0, :6] = (EXTENT / 2, EXTENT / 2, EDGE_PX, turn % 90, face, Kind.FLAT)
    return drawn, truth


def test_the_truth_of_a_collage_is_where_its_dice_are() -> None:
    """The reader's classifier finds at each place of a collage the face, the size and the turn that its truth says."""
    drawn = [photograph(face, 17 * face) for face in range(1, 7)]
    source = Scenes([pixels for pixels, _ in drawn], [truth for _, truth in drawn], np.zeros((6, 2), np.float32))
    sources = cut_outs([source])
    made = collages(sources, [source], 40, Sheet(144, 3, 1.0), np.random.default_rng(4))
    asked = right = 0
    for pixels, truth in zip(made.pixels, made.truths, strict=True):
        assert pixels.shape == (144, 144, 3)
        for die in truth:
            edge = float(die[SIZE])
            if not all(edge < float(die[axis]) < 144 - edge for axis in (X, Y)):
                continue
            (seen,) = shipped().look(pixels, [CandidatePlace(float(die[X]), float(die[Y]), edge, 0.0)])
            asked += 1
            turned = abs((seen.angle - float(die[ANGLE]) + 45) % 90 - 45)
            right += seen.face == die[FACE] and turned < 8 and 0.85 < seen.size / edge < 1.18
    assert asked >= 8
    assert right >= 0.9 * asked
