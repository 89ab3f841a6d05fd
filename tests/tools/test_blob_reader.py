"""The blob reader that ours is compared with is a fair one: it reads dice that are easy for blobs."""

import math
from collections.abc import Callable

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tabletop.core.values import FACES
from tools.bench import blob_reader
from tools.bench.blob_reader import clusters, read
from tools.bench.peer import READERS, rendered_figures, scene

Picture = NDArray[np.uint8]
Ground = Callable[[], Picture]

# where the pips of each face are, in thirds of the way from its middle to its outer pips: x, y
LAYOUT = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
WHITE, BLACK, GREY = (235, 235, 235), (25, 25, 25), (120, 120, 120)


def drawn(frame: Picture, face: int, x: float, y: float, die_px: float, turn: float, *, dark: bool) -> None:
    """Draw a die seen from above: a square with round pips, black with white pips if `dark`."""
    body, pip = (BLACK, WHITE) if dark else (WHITE, BLACK)
    corners = cv2.boxPoints(((x, y), (die_px, die_px), math.degrees(turn)))
    cv2.fillConvexPoly(frame, np.round(corners).astype(np.int32), body, cv2.LINE_AA)
    for across, down in LAYOUT[face]:
        away_x = (across * math.cos(turn) - down * math.sin(turn)) * 0.26 * die_px
        away_y = (across * math.sin(turn) + down * math.cos(turn)) * 0.26 * die_px
        cv2.circle(frame, (round(x + away_x), round(y + away_y)), round(0.1 * die_px), pip, -1, cv2.LINE_AA)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("die_px", [45.0, 90.0, 220.0])
def test_six_dice_are_read(die_px: float, *, dark: bool) -> None:
    """Each face of light and of dark dice, small and large, is read in its place."""
    side = round(2 * die_px)
    frame = np.full((2 * side, 3 * side, 3), GREY, np.uint8)
    truth = {}
    for face in LAYOUT:
        x, y = ((face - 1) % 3 + 0.5) * side, ((face - 1) // 3 + 0.5) * side
        drawn(frame, face, x, y, die_px, 0.4 * face, dark=dark)
        truth[face] = x, y
    reading = read(frame, die_px=die_px)
    assert reading.faces == (1, 2, 3, 4, 5, 6)
    assert not reading.unsure
    for die in reading.dice:
        assert math.dist((die.x, die.y), truth[die.face]) < 0.1 * die_px


def test_both_polarities_in_one_picture() -> None:
    """A black die lies beside a white one: both are read, each once."""
    frame = np.full((240, 480, 3), GREY, np.uint8)
    drawn(frame, 5, 120, 120, 80, 0.3, dark=True)
    drawn(frame, 5, 360, 120, 80, 1.0, dark=False)
    left, right = sorted(read(frame, die_px=80).dice, key=lambda die: die.x)
    assert (left.face, right.face) == (5, 5)


def test_an_empty_picture_holds_nothing() -> None:
    """A plain ground has no blobs; nor has a picture of one pixel."""
    assert not read(np.full((240, 320, 3), GREY, np.uint8), die_px=60).dice
    assert not read(np.zeros((1, 1, 3), np.uint8), die_px=60).dice


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(0, 400), st.floats(0, 400)), max_size=14))
def test_clusters_are_faces(pips: list[tuple[float, float]]) -> None:
    """However pips lie, each is in one face, none has more than six, and all lie near their face's middle."""
    faces = clusters(np.array(pips, np.float64).reshape(-1, 2))
    assert sorted(tuple(pip) for face in faces for pip in face.tolist()) == sorted(pips)
    for face in faces:
        assert 1 <= len(face) <= 6
        reach = max(math.dist(face.mean(axis=0), pip) for pip in face)
        assert reach <= blob_reader.REACH * blob_reader.DIE_PX + 1e-6


def test_a_scene_tells_only_faces_that_can_be_read() -> None:
    """Over many scenes: what counts has a face and lies whole in the picture; some dice do not count."""
    scenes = [scene(number) for number in range(12)]
    labels = [label for one in scenes for label in one.truth.labels]
    counted = [label for label in labels if label.counts]
    assert 0 < len(counted) < len(labels)
    for label in counted:
        assert label.face in FACES
        assert 0 < label.x < 640
        assert 0 < label.y < 480
    assert (scenes[3].open() == scene(3).open()).all()


def test_both_readers_are_compared_on_the_same_pictures() -> None:
    """Each kind of rendered picture has the times of both, their ratio, and shares that can be."""
    told = {figure.name: figure.value or 0.0 for figure in rendered_figures(quick=True)}
    for source in ("stills 640x480, 6 dice", "stills 1640x1232, 6 dice", "rendered scenes"):
        ratio = told[f"{source}: ours"] / told[f"{source}: blob reader"]
        assert told[f"{source}: ratio of ours to blob reader"] == pytest.approx(ratio)
        for who in READERS:
            shares = [told[f"{source}: {what} by {who}"] for what in ("read exactly", "silently wrong")]
            assert min(shares) >= 0
            assert sum(shares) <= 100, "a picture read exactly is not silently wrong"
