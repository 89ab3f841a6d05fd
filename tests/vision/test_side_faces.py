"""Side faces of dice under a leaning camera, where they are and what they look like computed from the camera."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from labelled import PHOTOS, needs_photos
from numpy.typing import NDArray

from tabletop.vision.acceptance import without_side_faces
from tabletop.vision.classifier import Found
from tabletop.vision.image_io import open_picture
from tabletop.vision.reader import read, with_clearer

EDGE = 60.0


def seen(x: float, y: float, up: tuple[float, float], chance: float = 0.95) -> Found:
    """Return what a classifier says of a flat six there."""
    return Found(x, y, EDGE, 0.0, (1 - chance, chance, 0.0, 0.0), (0, 0, 0, 0, 0, 1), up=up)


def turned(lean_deg: float, azimuth_deg: float) -> NDArray[np.float64]:
    """Return what turns places on a table into places in a far camera's picture: lean it, then turn the picture."""
    lean, around = np.radians(lean_deg), np.radians(azimuth_deg)
    leant = np.array([[1, 0, 0], [0, np.cos(lean), -np.sin(lean)], [0, np.sin(lean), np.cos(lean)]])
    about = np.array([[np.cos(around), -np.sin(around), 0], [np.sin(around), np.cos(around), 0], [0, 0, 1]])
    return np.asarray(about @ leant)


@given(st.floats(12, 60), st.floats(0, 360), st.floats(0, 90), st.floats(0.5, 0.97))
def test_side_faces_are_no_dice_and_neighbours_are(lean: float, azimuth: float, yaw: float, chance: float) -> None:
    """The side face that shows most is left out; dice that touch on all four sides, lying alike, stay."""
    camera = turned(lean, azimuth)
    along = np.radians(yaw) + np.pi / 2 * np.arange(4)
    sides = np.stack([np.cos(along), np.sin(along), np.zeros(4)])
    up = camera @ np.array([0, 0, 1])
    tops = [(EDGE * camera @ (sides[:, side] * reach + [0, 0, 0.5])) for side in range(4) for reach in (0, 1)]
    dice = [seen(float(x), float(y), (float(up[0]), float(up[1]))) for x, y, _ in (tops[0], *tops[1::2])]
    assert without_side_faces(dice) == tuple(dice)
    facing = int(np.argmax((camera @ sides)[2]))
    side = EDGE / 2 * camera @ sides[:, facing]
    face = seen(float(side[0]), float(side[1]), (0.01, -0.02), chance)
    assert without_side_faces([dice[0], face]) == (dice[0],)
    assert without_side_faces([face, dice[0]]) == (dice[0],)
    assert without_side_faces([replace(dice[0], kinds=(0.6, 0.4, 0.0, 0.0)), face])[1:] == (face,)


def test_a_camera_straight_above_shows_no_side_faces() -> None:
    """Where tops are seen straight on, whatever lies beside a die is another one."""
    dice = [seen(100, 100, (0.0, -0.1)), seen(100, 142, (0.0, 0.0)), seen(142, 100, (0.1, 0.0))]
    assert without_side_faces(dice) == tuple(dice)
    assert without_side_faces([]) == ()


def test_a_clearer_look_moves_a_die_and_settles_no_doubt() -> None:
    """Both looks sure of the same face: the clearer one says where it is. A face that the last look doubts stays so."""
    top, between = seen(100, 100, (0.0, -0.8), 0.95), seen(106, 118, (0.0, 0.0), 0.75)
    assert with_clearer([top], [between]) == (top,)
    assert with_clearer([between], [top]) == (top,)
    doubtful = seen(106, 118, (0.0, 0.0), 0.4)
    assert with_clearer([top], [doubtful]) == (doubtful,)
    another = replace(between, faces=(1, 0, 0, 0, 0, 0))
    assert with_clearer([top], [another]) == (another,)
    assert with_clearer([top], []) == with_clearer([], []) == ()


@needs_photos
@pytest.mark.parametrize("name", ["matteo/Train_dice_42.jpg", "matteo/Train_dice_46.jpg", "matteo/Train_three_27.jpg"])
def test_side_faces_in_photographs(name: str) -> None:
    """Photographs in which side faces were taken for dice when nobody said how many there are."""
    photo = next(one for one in json.loads((PHOTOS / "manifest.json").read_text())["images"] if one["file"] == name)
    reading = read(open_picture(PHOTOS / photo["file"]))
    assert sorted(die.face for die in reading.dice) == sorted(die["face"] for die in photo["dice"])
    assert not reading.unsure
