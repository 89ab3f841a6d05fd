"""The still renderer: dice that could exist, drawn where their truth says."""

import itertools
from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.simulator.still import (
    Camera,
    Light,
    Look,
    PosedDie,
    as_rotation,
    compose,
    face_up,
    faces_of,
    from_quaternion,
    lean_deg,
    lying,
    top_centre,
    turn_about,
)
from tabletop.simulator.still_grounds import GROUNDS
from tabletop.simulator.still_looks import random_look
from tabletop.simulator.still_scene import random_scene

GREEN = (60, 130, 60)
WHITE_DIE = Look(gloss=0.0, dimple=0.0)
EVEN = Light(lamp=0.0, ambient=1.0, window=0.0)


def ground(side_px: int = 200) -> NDArray[np.uint8]:
    """Return a green sheet."""
    return np.full((side_px, side_px, 3), GREEN, np.uint8)


def upright_turns() -> list[NDArray[np.int_]]:
    """Return the 24 rotations of a cube, as signed permutation matrices of determinant 1."""
    turns = []
    for order in itertools.permutations(range(3)):
        for signs in itertools.product((1, -1), repeat=3):
            matrix = np.zeros((3, 3), int)
            for row, (column, sign) in enumerate(zip(order, signs, strict=True)):
                matrix[row, column] = sign
            if round(float(np.linalg.det(matrix))) == 1:
                turns.append(matrix)
    return turns


def pips_seen(picture: NDArray[np.uint8], die: PosedDie) -> int:
    """Count the dark spots on the top face of a white die, seen straight from above."""
    reach = round(die.size_px * 0.42)
    x, y = round(die.x), round(die.y)
    face = cv2.cvtColor(picture[y - reach : y + reach, x - reach : x + reach], cv2.COLOR_BGR2GRAY)
    return int(cv2.connectedComponents((face < 110).astype(np.uint8))[0]) - 1


@pytest.mark.parametrize("left_handed", [False, True])
def test_opposite_faces_add_to_seven(left_handed: bool) -> None:
    """Opposite faces of every die add to seven, in both hands of dice."""
    plus, minus = faces_of(Look(left_handed=left_handed))
    assert [a + b for a, b in zip(plus, minus, strict=True)] == [7, 7, 7]
    assert sorted((*plus, *minus)) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(("left_handed", "turn"), [(False, -1), (True, 1)])
def test_hand_of_dice(left_handed: bool, turn: int) -> None:
    """On right-handed dice 1, 2, 3 run counterclockwise round their corner, on left-handed ones clockwise."""
    # A corner looks at the viewer when x, y and z all point at him alike; x is right and y down in the frame.
    plus, _ = faces_of(Look(left_handed=left_handed))
    look_along = np.array([1.0, 1.0, 1.0]) / 3**0.5
    right = np.array([1.0, -1.0, 0.0]) / 2**0.5
    down = np.array([1.0, 1.0, -2.0]) / 6**0.5
    # right, down, towards the viewer must be as in the frame's axes, where det(x, y, z) = 1
    assert np.linalg.det(np.stack([right, down, look_along])) == pytest.approx(1)
    angle = {plus[axis]: np.degrees(np.arctan2(np.eye(3)[axis] @ down, np.eye(3)[axis] @ right)) for axis in range(3)}
    step = (angle[2] - angle[1]) % 360  # in the frame a growing angle goes clockwise, y being down
    assert step == pytest.approx(120 if turn == 1 else 240)


@pytest.mark.parametrize("left_handed", [False, True])
def test_all_24_orientations(left_handed: bool) -> None:
    """In the 24 ways to lie flat each face is up four times, and that many pips are drawn."""
    look = replace(WHITE_DIE, left_handed=left_handed)
    up: Counter[int] = Counter()
    for matrix in upright_turns():
        die = PosedDie(100, 100, 80, as_rotation(matrix.astype(np.float32)), look)
        up[face_up(die)] += 1
        assert pips_seen(compose(ground(), [die], EVEN, Camera(distance_px=1e6)), die) == face_up(die)
    assert up == dict.fromkeys(range(1, 7), 4)


@pytest.mark.parametrize("face", [1, 2, 3, 4, 5, 6])
def test_lying_shows_the_face(face: int) -> None:
    """A die laid with a face up has it up at any angle, level, in both hands."""
    for left_handed, angle in itertools.product((False, True), (0.0, 33.0, 200.0)):
        die = PosedDie(0, 0, 50, lying(face, angle, Look(left_handed=left_handed)), Look(left_handed=left_handed))
        assert face_up(die) == face
        assert lean_deg(die) == pytest.approx(0, abs=0.1)
        assert np.linalg.det(np.asarray(die.rotation)) == pytest.approx(1, abs=1e-5)


def test_quaternions_are_rotations() -> None:
    """A quaternion of any length gives the rotation that Rodrigues' formula gives about the same axis."""
    half = np.radians(40) / 2
    from_axis = turn_about((0.0, 0.6, 0.8), 40)
    w, y, z = 3 * np.cos(half), 3 * 0.6 * np.sin(half), 3 * 0.8 * np.sin(half)
    np.testing.assert_allclose(from_quaternion(float(w), 0.0, float(y), float(z)), from_axis, atol=1e-6)


def test_body_fills_its_square() -> None:
    """Straight from above a die covers its edge squared on the ground, less its rounded corners, at its place."""
    die = PosedDie(90.5, 110.5, 60, lying(1, 0, WHITE_DIE), replace(WHITE_DIE, blank=True, edge_radius=0.02))
    seen = compose(ground(), [die], EVEN, Camera(distance_px=1e6))
    body = seen[:, :, 2] > 180
    rows, columns = np.nonzero(body)
    assert body.sum() == pytest.approx(60 * 60, rel=0.03)
    assert (columns.mean(), rows.mean()) == (pytest.approx(90.5, abs=0.3), pytest.approx(110.5, abs=0.3))


def test_top_centre_is_where_the_ace_is_drawn() -> None:
    """With a leaning near camera the ace of a lying die is drawn at `top_centre`."""
    camera = Camera(tilt_deg=30, tilt_azimuth_deg=25, distance_px=600, x=100, y=100)
    for x, y in ((60.0, 70.0), (150.0, 120.0)):
        die = PosedDie(x, y, 70, lying(1, 20, WHITE_DIE), replace(WHITE_DIE, pip=(0, 0, 255), body=(255, 255, 255)))
        seen = compose(ground(), [die], EVEN, camera).astype(int)
        red = (seen[:, :, 2] - seen[:, :, 0] > 120) & (seen[:, :, 1] < 60)
        count, _, _, middles = cv2.connectedComponentsWithStats(red.astype(np.uint8))
        nearest = min(np.hypot(*(middles[i] - top_centre(die, camera))) for i in range(1, count))
        assert nearest < 2.0


def test_shadow_falls_away_from_the_lamp() -> None:
    """A lamp at the left darkens the ground at the right of a die, and far ground keeps its bytes."""
    die = PosedDie(100, 100, 50, lying(3, 0, WHITE_DIE), WHITE_DIE)
    seen = compose(ground(), [die], Light(azimuth_deg=180, elevation_deg=45), Camera(distance_px=1e6))
    assert seen[100, 140].sum() < 0.75 * sum(GREEN)
    assert seen[100, 60].sum() > 0.85 * sum(GREEN)
    assert tuple(seen[5, 5]) == GREEN


def test_ground_is_left_alone_and_bytes_are_the_same() -> None:
    """`compose` copies; equal arguments give equal bytes; dice outside the frame draw nothing."""
    sheet = ground()
    die = PosedDie(80, 80, 40, from_quaternion(0.3, 0.5, 0.1, 0.8), Look(marble=(9, 80, 20), clear=0.0), lift_px=15)
    first, second = compose(sheet, [die]), compose(sheet, [die])
    assert (first == second).all()
    assert (sheet == ground()).all()
    assert (compose(sheet, [replace(die, x=-900.0)]) == sheet).all()
    assert (compose(sheet, []) == sheet).all()


def test_translucent_dice_show_the_far_pips() -> None:
    """Under the ace of a translucent die the six of the far face makes the top less even than on an opaque one."""
    solid = replace(WHITE_DIE, body=(30, 20, 190), pip=(240, 240, 240))
    spreads = []
    for look in (solid, replace(solid, clear=1.0)):
        die = PosedDie(100, 100, 90, lying(1, 0, look), look)
        top = compose(ground(), [die], EVEN, Camera(distance_px=1e6))[65:85, 65:135]
        spreads.append(float(top[:, :, 2].std()))
    assert spreads[1] > spreads[0] + 3


@pytest.mark.parametrize("name", sorted(GROUNDS))
def test_grounds_are_seeded(name: str) -> None:
    """Each ground has the size asked for and is the same for the same generator state."""
    one, two = (GROUNDS[name](40, 61, (90, 120, 60), np.random.default_rng(4), 30.0) for _ in range(2))
    assert one.shape == (40, 61, 3)
    assert one.dtype == np.uint8
    assert (one == two).all()


def test_random_scenes_are_seeded_and_possible() -> None:
    """A scene is the same for the same seed; dice lie in the frame's reach, with faces from 0 to 6, none in another."""
    for seed in range(12):
        one, two = (random_scene(np.random.default_rng(seed), width=120, height=90, die_px=30) for _ in range(2))
        assert (one.pixels == two.pixels).all()
        assert one.dice == two.dice
        assert one.pixels.shape == (90, 120, 3)
        for die in one.dice:
            assert 0 <= die.face <= 6
            assert 0 <= die.angle < 90
        for a, b in itertools.combinations(one.dice, 2):
            assert np.hypot(a.x - b.x, a.y - b.y) > 0.3 * min(a.size, b.size)


def test_random_looks_have_pips_that_can_be_told() -> None:
    """No random die has pips of its body's colour, and pips neither overlap nor leave the face."""
    for seed in range(200):
        look = random_look(np.random.default_rng(seed))
        assert np.linalg.norm(np.subtract(look.body, look.pip)) > 40
        assert look.pip_spacing + look.pip_radius < 0.5
        assert 2 * look.pip_radius < look.pip_spacing * 2**0.5


def test_six_dice_are_drawn_for_a_moving_tray() -> None:
    """Six dice of 60 px in a 640 x 480 frame touch only their surroundings: the far corner keeps the very bytes."""
    sheet = np.full((480, 640, 3), GREEN, np.uint8)
    dice = [PosedDie(100 + 70 * i, 240, 60, lying(i + 1, 15 * i, Look()), Look()) for i in range(6)]
    seen = compose(sheet, dice)
    assert (seen[:60] == sheet[:60]).all()
    assert (seen[240] != sheet[240]).any()
