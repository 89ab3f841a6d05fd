"""Random scenes of the still renderer: possible dice, with the truth of what is seen of them."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.simulator.render import compose
from tabletop.simulator.scene import Light, Look, PosedDie, Viewpoint, as_rotation, lying, turn_about
from tools.room.rare_look import RareLook
from tools.training.scenes.random_scene import LEANS_DEG, truth_of
from tools.training.scenes.visibility import Hidden, hidden_shares

GREEN = (60, 130, 60)
WHITE_DIE = RareLook(gloss=0.0, dimple=0.0)
EVEN = Light(lamp=0.0, ambient=1.0, window=0.0)


def ground(side_px: int = 200) -> NDArray[np.uint8]:
    return np.full((side_px, side_px, 3), GREEN, np.uint8)


@pytest.mark.parametrize("face", [1, 2, 3, 4, 5, 6])
def test_leans_from_the_angle_on(face: int) -> None:
    """A die leans in its truth exactly where it is tipped by more than LEANS_DEG, and then has no face."""
    look = Look(left_handed=face % 2 == 0)
    for axis_deg, tipped in itertools.product((0.0, 50.0, 260.0), (0.0, LEANS_DEG - 0.1, LEANS_DEG + 0.1, 40.0)):
        axis = (float(np.cos(np.radians(axis_deg))), float(np.sin(np.radians(axis_deg))), 0.0)
        rotation = turn_about(axis, tipped) @ np.asarray(lying(face, 17.0, look), np.float32)
        truth = truth_of(PosedDie(50, 50, 30, as_rotation(rotation), look), Viewpoint())
        assert truth.leans == (tipped > LEANS_DEG)
        assert truth.face == (0 if truth.leans else face)


@pytest.mark.parametrize("turn_deg", [0.0, 30.0, 200.0])
@pytest.mark.parametrize("lean_deg", [0.0, 10.0, 30.0, 44.0, 50.0, 80.0])
def test_tilt_is_how_far_the_nearest_face_looks_away(lean_deg: float, turn_deg: float) -> None:
    """From straight above, a die tipped about its edge by a shows a face at an angle of a, or of 90 degrees less a."""
    look = Look()
    axis = (float(np.cos(np.radians(turn_deg))), float(np.sin(np.radians(turn_deg))), 0.0)
    tipped = turn_about(axis, lean_deg) @ np.asarray(lying(3, turn_deg, look), np.float32)
    truth = truth_of(PosedDie(50, 50, 30, as_rotation(tipped), look), Viewpoint())
    nearest = min(lean_deg, 90 - lean_deg)
    assert truth.tilt == pytest.approx(np.sin(np.radians(nearest)), abs=1e-5)
    assert abs(np.dot(truth.up, axis[:2])) < 1e-5  # it tips across the axis


@pytest.mark.parametrize("off_deg", [0.0, 15.0, 35.0])
def test_a_flat_die_is_seen_as_far_from_the_side_as_the_camera_leans(off_deg: float) -> None:
    """Under a far camera that leans by that angle's sine; beside one that stands straight by its part in the frame."""
    look = Look()
    flat = PosedDie(50, 50, 30, lying(4, 0.0, look), look)
    leaning = truth_of(flat, Viewpoint(tilt_deg=off_deg, distance_px=1e7, x=50, y=50))
    assert leaning.tilt == pytest.approx(np.sin(np.radians(off_deg)), abs=1e-4)
    beside = truth_of(flat, Viewpoint(distance_px=1000, x=50 + 1000 * float(np.tan(np.radians(off_deg))), y=50))
    assert beside.tilt == pytest.approx(np.sin(np.radians(off_deg)) * np.cos(np.radians(off_deg)), abs=1e-4)
    # The side that is seen is the one towards the camera, so the top lies away from it.
    assert beside.up == pytest.approx((-beside.tilt, 0.0), abs=1e-4)


@pytest.mark.parametrize("tilt_deg", [0.0, 25.0, 45.0])
@pytest.mark.parametrize(("right", "down"), [(20, 12), (36, 10), (0, 44), (-30, -30), (70, 0)])
def test_hidden_share_is_what_is_drawn_over_the_top(tilt_deg: float, right: float, down: float) -> None:
    """The hidden share is that of the top's pixels that have the covering die's colour once it is drawn."""
    camera = Viewpoint(tilt_deg=tilt_deg, distance_px=1e5, x=100, y=100)
    look = replace(WHITE_DIE, blank=True, edge_radius=0.01, bulge=0.0)
    low = PosedDie(100, 100, 60, lying(1, 0, look), look)
    high = PosedDie(100 + right, 100 + down, 50, lying(2, 30, look), replace(look, body=(250, 30, 30)))
    alone = compose(ground(), [low], EVEN, camera)
    both = compose(alone, [high], EVEN, camera)
    top = alone[:, :, 1] >= alone[:, :, 1].max() - 6  # a top is lit more by the sky than sides are
    covered = (both[:, :, 0].astype(int) - both[:, :, 2] > 60) & top  # the covering die is blue
    told = hidden_shares([[low], [high]], camera, np.zeros((200, 200), bool))
    assert told[1] == [Hidden(0.0, 0.0)]
    assert told[0][0].top == pytest.approx(covered.sum() / top.sum(), abs=0.03)


def test_a_small_die_before_a_large_one_stays_seen() -> None:
    """Seen from the side, a small die that stands before a large one hides it, not the other way round."""
    camera = Viewpoint(tilt_deg=35, tilt_azimuth_deg=0, distance_px=1e5)
    nearer = 1 if camera.turn()[2, 1] > 0 else -1  # which way down the frame the ground comes nearer
    lean = float(camera.turn()[1, 1])
    large = PosedDie(100, 90, 80, lying(1, 0, WHITE_DIE), WHITE_DIE)
    red = replace(WHITE_DIE, body=(20, 20, 230))
    step = nearer * (40 + 15) * lean + 25 * float(camera.turn()[1, 2])  # it touches, and its middle is 25 px lower
    small = PosedDie(100, 90 + step, 30, lying(1, 0, red), red)
    for dice in ([large, small], [small, large]):
        together, alone = compose(ground(), dice, EVEN, camera), compose(ground(), [small], EVEN, camera)
        red_alone = (alone[:, :, 2] > 150) & (alone[:, :, 0] < 80)
        red_seen = (together[:, :, 2] > 150) & (together[:, :, 0] < 80)
        assert red_seen.sum() >= 0.98 * red_alone.sum()
