"""The reader on rendered dice, whose truth the renderer knows, and on a few labelled photographs."""

import itertools

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tabletop.core.values import Reading
from tabletop.simulator.grounds import layout, paint_ground
from tabletop.simulator.render import compose
from tabletop.simulator.scene import Light, Look, PosedDie, Viewpoint, face_up, lying, top_centre
from tabletop.vision.acceptance import SURE
from tabletop.vision.network import CROP_SIDE_PX, crop
from tabletop.vision.network import EDGE_PX as CROP_EDGE_PX
from tabletop.vision.reader import read
from tools.room.chance import felt, from_quaternion
from tools.room.rare_look import RareLook
from tools.training.scenes.grounds import paper, wood

LOOKS = {
    "white": Look(),
    "ivory, ball-cut": Look(body=(215, 230, 238), edge_radius=0.04, ball_radius=0.72),
    "black": Look(body=(35, 32, 30), pip=(235, 238, 240)),
    "red translucent": RareLook(body=(35, 25, 190), pip=(245, 245, 245), clear=0.8, gloss=0.6),
    "blue, gold pips": Look(body=(130, 50, 20), pip=(80, 190, 230), left_handed=True),
    "green, turned lays": RareLook(body=(50, 130, 30), pip=(245, 245, 245), lay=(True, True, True)),
    "yellow, big ace": Look(body=(40, 205, 240), pip=(20, 20, 20), ace_scale=1.7),
    "marbled purple": RareLook(body=(120, 40, 100), pip=(240, 240, 240), marble=(70, 20, 50), grain=5),
}


def tray(
    look: Look, seed: int, *, count: int = 6, die_px: float = 60.0, width: int = 640, height: int = 480
) -> tuple[NDArray[np.uint8], list[PosedDie]]:
    """Return a frame of dice spread over a ground, straight from above."""
    rng = np.random.default_rng(seed)
    ground = (felt, paper, wood)[seed % 3](height, width, ((60, 95, 45), (150, 160, 165), (60, 90, 130))[seed % 3], rng)
    columns = max(1, int(width // (1.9 * die_px)))
    dice = []
    for place in range(count):
        x = (place % columns + 0.5) * width / columns + rng.uniform(-0.2, 0.2) * die_px
        y = (place // columns + 0.7) * 1.9 * die_px
        face = int(rng.integers(1, 7))
        dice.append(PosedDie(float(x), float(y), die_px, lying(face, float(rng.uniform(0, 360)), look), look))
    camera = Viewpoint(distance_px=14 * die_px)
    return compose(ground, dice, Light(azimuth_deg=float(rng.uniform(0, 360)), window=0.3), camera), dice


def misread(reading: Reading, dice: list[PosedDie]) -> list[tuple[int, int]]:
    """Return (true face, face read) of each sure die that is wrong; a die where there is none has true face 0."""
    wrong = []
    for seen in reading.dice:
        near = [die for die in dice if np.hypot(die.x - seen.x, die.y - seen.y) < 0.45 * die.size_px]
        truth = face_up(near[0]) if near else 0
        if truth != seen.face:
            wrong.append((truth, seen.face))
    return wrong


@pytest.mark.parametrize("name", LOOKS)
def test_reads_dice_of_all_kinds(name: str) -> None:
    """Of six spread dice every one is found where it is drawn, with its face, edge and angle; told the size or not."""
    frame, dice = tray(LOOKS[name], seed=len(name))
    for die_px in (60.0, None):
        reading = read(frame, die_px=die_px, expect=6, time_s=2.5)
        assert not misread(reading, dice)
        assert len(reading.dice) + len(reading.unsure) == 6
        assert len(reading.dice) >= 5
        assert (reading.time_s, reading.width, reading.height, reading.unit) == (2.5, 640, 480, "px")
        for seen in reading.dice:
            camera = Viewpoint(distance_px=14 * 60, x=320, y=240)
            assert min(np.hypot(*np.subtract(top_centre(die, camera), (seen.x, seen.y))) for die in dice) < 0.1 * 60
            assert seen.size == pytest.approx(60, rel=0.25)
            assert 0 <= seen.angle < 90
            assert SURE <= seen.confidence <= 1


@pytest.mark.parametrize("die_px", [25.0, 40.0, 130.0, 400.0])
def test_reads_dice_of_all_sizes(die_px: float) -> None:
    """Dice from 25 to 400 px are read alike, blind."""
    width, height = round(7 * die_px), round(5 * die_px)
    if die_px > 300:
        width, height = round(1.6 * die_px), round(1.5 * die_px)
    frame, dice = tray(LOOKS["white"], 4, count=1 if die_px > 300 else 5, die_px=die_px, width=width, height=height)
    reading = read(frame)
    assert not misread(reading, dice)
    assert len(reading.dice) >= len(dice) - 1


@pytest.mark.parametrize("share", [0.6, 1.8])
def test_told_size_may_be_off(share: float) -> None:
    """A told size of 0.6 to 1.8 times the truth gives the same faces at the same places."""
    frame, dice = tray(LOOKS["black"], 9)
    reading = read(frame, die_px=60 * share, expect=6)
    assert not misread(reading, dice)
    assert len(reading.dice) >= 5


def test_a_fixed_size_leaves_out_what_is_no_die_of_that_size() -> None:
    """Where the size is known well, dice of that size are read as before, and one of half the size is none."""
    look = LOOKS["white"]
    dice = [PosedDie(100 + 150.0 * i, 200, 60, lying(2 + i, 30 * i, look), look) for i in range(3)]
    small = PosedDie(550, 100, 28, lying(6, 10, look), look)
    frame = compose(felt(400, 640, (60, 110, 50), np.random.default_rng(2)), [*dice, small])
    assert read(frame, die_px=60, fixed_size=True).faces == (2, 3, 4)
    assert read(frame, die_px=60).faces == (2, 3, 4, 6)


def test_dice_laid_like_pips_are_dice() -> None:
    """Six dice in two rows of three, which from afar look like one large six, are read as six dice, blind."""
    look = LOOKS["white"]
    dice = [
        PosedDie(100.0 + 200 * (i % 3), 140.0 + 200 * (i // 3), 60, lying(i + 1, 20.0 * i, look), look)
        for i in range(6)
    ]
    frame = compose(np.full((480, 640, 3), (60, 110, 50), np.uint8), dice)
    assert read(frame).faces == (1, 2, 3, 4, 5, 6)


def test_touching_dice_are_told_apart() -> None:
    """Nine dice in a block of three by three, touching, are nine dice."""
    look = LOOKS["white"]
    dice = [
        PosedDie(200 + 61.0 * i, 150 + 61.0 * j, 60, lying(1 + (2 * i + j) % 6, 0, look), look)
        for i, j in itertools.product(range(3), range(3))
    ]
    frame = compose(wood(480, 640, (60, 90, 130), np.random.default_rng(1)), dice, camera=Viewpoint(distance_px=2000))
    reading = read(frame, die_px=60, expect=9)
    assert not misread(reading, dice)
    assert len(reading.dice) >= 8


def test_an_empty_tray_is_empty() -> None:
    """Grounds without dice give no sure die, blind or told a size; nor do black, white and tiny pictures."""
    rng = np.random.default_rng(3)
    frames = [make(240, 320, (70, 110, 60), rng) for make in (felt, paper, wood)]
    frames += [np.full((200, 200, 3), value, np.uint8) for value in (0, 128, 255)]
    frames += [np.zeros(shape, np.uint8) for shape in ((1, 1, 3), (1, 400, 3), (3, 2, 3))]
    for frame in frames:
        for die_px in (None, 40.0):
            assert read(frame, die_px=die_px).dice == ()
    assert read(frames[0], die_px=40, expect=5).dice == ()


def test_dice_that_are_missing_are_not_seen_elsewhere() -> None:
    """Where six dice are due and two lie in the simulated tray, its wood and bars are not named as doubtful dice."""
    look = LOOKS["ivory, ball-cut"]
    ground = paint_ground(layout(640, 480, 56.0))
    dice = [PosedDie(466, 116, 56, lying(1, 12, look), look), PosedDie(324, 345, 56, lying(4, 70, look), look)]
    reading = read(compose(ground, dice, camera=Viewpoint(distance_px=3000)), die_px=56, expect=6)
    assert reading.faces == (1, 4)
    assert reading.unsure == ()


def test_a_die_on_its_edge_is_no_sure_die() -> None:
    """Beside dice that lie flat, one that stands on an edge shows no face to score, and none is told surely."""
    look = LOOKS["white"]
    flat = [PosedDie(60 + 200.0 * i, 180, 60, lying(4 + i, 20 * i, look), look) for i in range(2)]
    on_edge = PosedDie(160, 70, 60, from_quaternion(0.924, 0.383, 0.0, 0.0), look)
    frame = compose(
        np.full((240, 320, 3), (60, 110, 50), np.uint8), [*flat, on_edge], camera=Viewpoint(distance_px=5000)
    )
    reading = read(frame, die_px=60, expect=3)
    assert sorted(die.face for die in reading.dice) == [4, 5]
    assert reading.unsure


def test_region_is_in_the_frame_s_pixels() -> None:
    """Reading a region gives places in the whole frame, and nothing from outside; a region outside gives nothing."""
    frame, dice = tray(LOOKS["white"], 1)
    half = [die for die in dice if die.x < 260]
    reading = read(frame, die_px=60, region=(0, 0, 320, 480))
    assert not misread(reading, dice)
    assert {face_up(die) for die in half} <= {seen.face for seen in reading.dice}
    assert all(seen.x < 320 for seen in reading.dice)
    assert read(frame, die_px=60, region=(700, 10, 900, 90)).dice == ()


def test_reading_remembers_nothing() -> None:
    """The same frame gives the same reading whatever was read between."""
    frame, _ = tray(LOOKS["red translucent"], 2)
    other, _ = tray(LOOKS["white"], 5, die_px=90)
    first = read(frame, die_px=60)
    read(other)
    assert read(frame, die_px=60) == first


@pytest.mark.parametrize(
    ("look", "seed"),
    [("black", 7), ("black", 10), ("red translucent", 8), ("blue, gold pips", 7), ("marbled purple", 10)],
)
def test_a_size_told_much_too_large_is_put_right_by_the_dice(look: str, seed: int) -> None:
    """Small dice of which one was in doubt are all read once they are looked at in the size that the others have."""
    frame, dice = tray(LOOKS[look], seed, count=8, die_px=24)
    reading = read(frame, die_px=1.8 * 24, expect=8)
    assert not reading.unsure
    assert sorted(die.face for die in reading.dice) == sorted(face_up(die) for die in dice)


@given(st.integers(1, 60), st.integers(1, 60), st.floats(-40, 100), st.floats(-40, 100), st.floats(1, 90))
def test_crops_show_what_is_there(width: int, height: int, x: float, y: float, size: float) -> None:
    """A crop of any place and size has its shape and only pixels of the picture; its middle and step tell where."""
    picture = np.full((height, width, 3), 77, np.uint8)
    cut = crop(picture, x, y, size)
    assert cut.pixels.shape == (CROP_SIDE_PX, CROP_SIDE_PX, 3)
    assert (cut.pixels == 77).all()
    assert abs(cut.x - x) <= 1
    assert abs(cut.y - y) <= 1
    assert cut.step * CROP_EDGE_PX == pytest.approx(size, rel=0.1, abs=1)


def test_mixed_sizes_in_one_picture() -> None:
    """Dice of which the largest is twice the smallest are all read in one picture, blind and told a size between."""
    look = LOOKS["white"]
    edges = (36.0, 50.0, 72.0)
    dice = [
        PosedDie(90 + 110.0 * i, 120 + 60.0 * (i % 2), edges[i % 3], lying(1 + i, 25.0 * i, look), look)
        for i in range(5)
    ]
    frame = compose(felt(320, 640, (60, 110, 50), np.random.default_rng(2)), dice, camera=Viewpoint(distance_px=2000))
    assert read(frame).faces == (1, 2, 3, 4, 5)
    assert read(frame, die_px=50, expect=5).faces == (1, 2, 3, 4, 5)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 70), st.integers(1, 70), st.integers(0, 2**32 - 1), st.sampled_from([None, 5.0, 40.0, 300.0]))
def test_any_pixels_are_read(width: int, height: int, seed: int, die_px: float | None) -> None:
    """Noise of any size and shape is read without an error, and what is told lies in the picture."""
    frame = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    reading = read(frame, die_px=die_px, expect=3)
    places = [(die.x, die.y) for die in reading.dice] + [(one.x, one.y) for one in reading.unsure]
    for x, y in places:
        assert -8 <= x <= width + 8
        assert -8 <= y <= height + 8


@pytest.mark.parametrize("die_px", [180.0, 210.0])
@pytest.mark.parametrize("face", range(1, 7))
def test_a_die_on_a_bright_grille_with_rings_is_not_passed_over(die_px: float, face: int) -> None:
    rows, columns = np.mgrid[0:608, 0:808]
    frame = np.full((608, 808, 3), (20, 30, 30), np.uint8)
    frame[(columns % 60 < 14) | (rows % 60 < 14)] = (190, 240, 250)
    away = np.hypot(columns - 400, rows - 300) / die_px
    for ring in (0.95, 1.25, 1.7):
        frame[(away > ring) & (away < ring + 0.1)] = (200, 255, 255)
    look = Look(body=(40, 25, 190), pip=(240, 240, 240), edge_radius=0.03, ball_radius=0.72)
    dice = [PosedDie(400.0, 300.0, die_px, lying(face, 20.0, look), look)]
    sharp = compose(frame, dice, Light(), Viewpoint(distance_px=3 * die_px))
    overexposed = 1.6 * cv2.GaussianBlur(sharp, (0, 0), 2).astype(np.float32)
    seen = read(np.clip(overexposed, 0, 255).astype(np.uint8))
    assert len(seen.dice) + len(seen.unsure) == 1
    assert misread(seen, dice) == []
