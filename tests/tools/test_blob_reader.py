"""The blob reader that ours is compared with is a fair one: it reads dice that are easy for blobs."""

import math

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tools.bench.blob_reader import read
from tools.bench.peer import READERS, rendered_figures

Picture = NDArray[np.uint8]

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
