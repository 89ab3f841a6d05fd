"""The detector: band by band it tells what it tells in one go, and dice of any size are looked for once."""

from random import Random

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.simulator.grounds import felt
from tabletop.simulator.render import compose
from tabletop.simulator.scene import Look, PosedDie, Viewpoint, lying
from tabletop.vision import detector
from tabletop.vision.reader import read


def dice_on_felt(width: int, height: int, edge_px: float, count: int) -> tuple[NDArray[np.uint8], list[int]]:
    """Return a picture of ivory dice far apart under a camera far away, and their faces."""
    chance, look = Random(4), Look()
    faces = [chance.randint(1, 6) for _ in range(count)]
    middles = [(width * (n + 1) / (count + 1), height * chance.uniform(0.3, 0.7)) for n in range(count)]
    dice = [
        PosedDie(x, y, edge_px, lying(face, chance.uniform(0, 360), look), look)
        for face, (x, y) in zip(faces, middles, strict=True)
    ]
    small = felt(480, 640, (60, 95, 45), np.random.default_rng(2))
    ground = np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)
    return compose(ground, dice, camera=Viewpoint(distance_px=5.0 * width, x=width / 2, y=height / 2)), sorted(faces)


def test_bands_tell_what_the_whole_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same places in one go and in bands of 16 rows, to the network's own rounding."""
    picture, _ = dice_on_felt(640, 480, 30.0, 6)
    whole = detector.shipped().places(picture, 30.0)
    monkeypatch.setattr(detector, "BAND_PX", 16.0 * 640)
    banded = detector.shipped().places(picture, 30.0)
    assert len(whole) >= 6
    assert [(one.x, one.y, one.size, one.logit) for one in banded] == [
        pytest.approx((one.x, one.y, one.size, one.logit), rel=1e-3, abs=1e-2) for one in whole
    ]


@pytest.mark.parametrize("die_px", [4.0, 0.01])
def test_a_size_that_cannot_be_costs_no_memory(die_px: float) -> None:
    """A hint of four pixels, or less, makes no picture larger than it is: dice of 30 are too large for it."""
    picture, _ = dice_on_felt(640, 480, 30.0, 2)
    assert detector.shipped().places(picture, die_px) == detector.shipped().places(picture, detector.EDGE_PX)


@pytest.mark.parametrize("height", [1, 3])
def test_a_strip_has_no_dice_and_costs_nothing(height: int) -> None:
    """However long it is: made so large that a die might fill it, it would not fit into any memory."""
    strip = np.zeros((height, 1_000_000, 3), np.uint8)
    assert not any(detector.shipped().coarse_to_fine(strip))
    assert detector.shipped().everywhere(strip, ()) == ()


@pytest.mark.parametrize("die_px", [110.0, 150.0])
def test_large_dice_are_found_before_the_last_pass(die_px: float) -> None:
    """From coarse to fine: no pass forgets a die of one before, and four large ones need only the first passes."""
    picture, faces = dice_on_felt(1280, 960, die_px, 4)
    dice = read(picture, die_px=die_px, expect=4).dice
    assert sorted(die.face for die in dice) == faces
    found = [
        sum(any(np.hypot(die.x - place.x, die.y - place.y) < 0.3 * die.size for place in places) for die in dice)
        for places in detector.shipped().coarse_to_fine(picture)
    ]
    assert found == sorted(found)
    assert 4 in found[:-1]
    assert read(picture).faces == tuple(faces)


@pytest.mark.parametrize("die_px", [20.0, 25.0, 32.0, 40.0, 50.0, 63.0])
def test_two_small_dice_are_read_though_nobody_told_their_size(die_px: float) -> None:
    """A first throw of plain white dice on a plain dark cloth: no size lies between two passes of the detector."""
    look = Look(body=(235, 235, 235), pip=(25, 25, 25))
    places = ((192.0, 288.0, 5), (448.0, 192.0, 4))
    dice = [PosedDie(x, y, die_px, lying(face, 10.0 * face, look)) for x, y, face in places]
    picture = compose(felt(480, 640, (38, 34, 36), np.random.default_rng(3)), dice)
    assert sorted(read(picture).faces) == [4, 5]


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(640, 480), (1000, 700), (4000, 3000)])
def test_small_dice_are_found_in_pictures_of_any_size(width: int, height: int) -> None:
    """Dice of 28 pixels, size and number unknown."""
    picture, faces = dice_on_felt(width, height, 28.0, 5)
    assert sorted(read(picture).faces) == faces
