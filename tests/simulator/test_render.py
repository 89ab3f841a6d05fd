"""The still renderer: dice that could exist, drawn where their truth says."""

import itertools
from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.simulator.render import compose
from tabletop.simulator.scene import Light, PosedDie, Viewpoint, as_rotation, face_up, faces_of, lying, top_centre
from tools.room.chance import from_quaternion
from tools.room.rare_look import RareLook

GREEN = (60, 130, 60)
WHITE_DIE = RareLook(gloss=0.0, dimple=0.0)
EVEN = Light(lamp=0.0, ambient=1.0, window=0.0)


def ground(side_px: int = 200) -> NDArray[np.uint8]:
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
    reach = round(die.size_px * 0.42)
    x, y = round(die.x), round(die.y)
    face = cv2.cvtColor(picture[y - reach : y + reach, x - reach : x + reach], cv2.COLOR_BGR2GRAY)
    return int(cv2.connectedComponents((face < 110).astype(np.uint8))[0]) - 1


@pytest.mark.parametrize(("left_handed", "turn"), [(False, -1), (True, 1)])
def test_hand_of_dice(left_handed: bool, turn: int) -> None:
    """On right-handed dice 1, 2, 3 run counterclockwise round their corner, on left-handed ones clockwise."""
    # A corner looks at the viewer when x, y and z all point at him alike; x is right and y down in the frame.
    plus, _ = faces_of(RareLook(left_handed=left_handed))
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
        assert pips_seen(compose(ground(), [die], EVEN, Viewpoint(distance_px=1e6)), die) == face_up(die)
    assert up == dict.fromkeys(range(1, 7), 4)


def test_body_fills_its_square() -> None:
    """Straight from above a die covers its edge squared on the ground, less its rounded corners, at its place."""
    die = PosedDie(90.5, 110.5, 60, lying(1, 0, WHITE_DIE), replace(WHITE_DIE, blank=True, edge_radius=0.02))
    seen = compose(ground(), [die], EVEN, Viewpoint(distance_px=1e6))
    body = seen[:, :, 2] > 180
    rows, columns = np.nonzero(body)
    assert body.sum() == pytest.approx(60 * 60, rel=0.03)
    assert (columns.mean(), rows.mean()) == (pytest.approx(90.5, abs=0.3), pytest.approx(110.5, abs=0.3))


def test_top_centre_is_where_the_ace_is_drawn() -> None:
    """With a leaning near camera the ace of a lying die is drawn at `top_centre`."""
    camera = Viewpoint(tilt_deg=30, tilt_azimuth_deg=25, distance_px=600, x=100, y=100)
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
    seen = compose(ground(), [die], Light(azimuth_deg=180, elevation_deg=45), Viewpoint(distance_px=1e6))
    assert seen[100, 140].sum() < 0.75 * sum(GREEN)
    assert seen[100, 60].sum() > 0.85 * sum(GREEN)
    assert tuple(seen[5, 5]) == GREEN


def test_ground_is_left_alone_and_bytes_are_the_same() -> None:
    """`compose` copies; equal arguments give equal bytes; dice outside the frame draw nothing."""
    sheet = ground()
    die = PosedDie(80, 80, 40, from_quaternion(0.3, 0.5, 0.1, 0.8), RareLook(marble=(9, 80, 20), clear=0.0), lift_px=15)
    first, second = compose(sheet, [die]), compose(sheet, [die])
    assert (first == second).all()
    assert (sheet == ground()).all()
    assert (compose(sheet, [replace(die, x=-900.0)]) == sheet).all()
    assert (compose(sheet, []) == sheet).all()
