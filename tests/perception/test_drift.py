"""A set-up that changes in play: small shifts are followed, large ones and another light are said."""

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest
from disturbed_mat import Disturbance, DisturbedMat

from calibration.guided.look import Watcher
from tabletop.config.mat import find_markers, mat_of
from tabletop.core.ports import Frame
from tabletop.core.values import Die, Profile, Reading, Rest, SetUp, Unsure, UnsureReason
from tabletop.perception.drift import LOOK_S, RECENT_DICE, SAID_AFTER, DriftWatch
from tabletop.perception.pipeline import PerceptionPipeline

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def tray() -> DisturbedMat:
    return DisturbedMat(mat_of("A4", "left"), chance=Random(1))


@pytest.fixture(scope="module")
def profile(tray: DisturbedMat) -> Profile:
    look = Watcher().look(tray.read().pixels, 0.0)
    assert look.view is not None
    setup = SetUp(look.lighting.level, look.view.error_mm, 20, 0.05)
    return replace(look.view.profile(16.0), setup=setup)


def looked(profile: Profile, pictures: list[np.ndarray[tuple[int, ...], np.dtype[np.uint8]]]) -> DriftWatch:
    watch = DriftWatch(profile)
    for number, picture in enumerate(pictures):
        watch.look(picture, number * LOOK_S, reference=True)
    return watch


def test_a_small_shift_is_followed(tray: DisturbedMat, profile: Profile) -> None:
    """The camera sagged by 12 pixels, 5 mm: places are right all the same, and nothing is said."""
    picture = tray.read().pixels
    assert looked(profile, [picture]).profile is profile
    watch = looked(profile, [np.roll(picture, (12, -9), axis=(0, 1))])
    assert watch.text == ""
    assert watch.profile is not None
    shifted = np.array(profile.tray_px) + np.array([-9, 12])
    assert np.abs(np.array(watch.profile.tray_px) - shifted).max() < 0.5
    assert watch.profile.rail_px is not None
    assert profile.rail_px is not None
    assert np.abs(np.array(watch.profile.rail_px) - np.array(profile.rail_px) - np.array([-9, 12])).max() < 1.0
    assert watch.profile.px_per_mm == pytest.approx(profile.px_per_mm, rel=0.005)


def test_a_large_shift_is_said(tray: DisturbedMat, profile: Profile) -> None:
    """The camera was hung twice as high: it is said, and the profile stays as it was made."""
    picture = tray.read().pixels
    small = np.full_like(picture, 90)
    half = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    small[: half.shape[0], : half.shape[1]] = half
    watch = looked(profile, [small])
    assert watch.text == "the camera has moved since set-up: calibrate"
    assert watch.profile is profile


def test_a_shift_that_takes_markers_out_of_view_is_said(tray: DisturbedMat, profile: Profile) -> None:
    """By 40 mm, and two markers are cut off: nothing can be followed, so it is said until they are where they were.

    A marker that is covered, its set-up as it was or followed, says nothing.
    """
    picture = tray.read().pixels
    shifted = np.full_like(picture, 90)
    shifted[:, 100:] = picture[:, :-100]
    assert set(find_markers(shifted)) == {0, 3}
    watch = looked(profile, [shifted])
    assert watch.text == "the camera has moved since set-up: calibrate"
    assert watch.profile is profile
    watch.look(picture, 2 * LOOK_S, reference=True)
    assert watch.text == ""
    sagged = np.roll(picture, (16, -9), axis=(0, 1))
    watch = looked(profile, [sagged])
    for number, before in enumerate((sagged, shifted), start=1):
        part = before.copy()
        part[: part.shape[0] // 2, : part.shape[1] // 2] = 90
        watch.look(part, number * LOOK_S, reference=True)
        assert watch.text == ("" if before is sagged else "the camera has moved since set-up: calibrate")


def test_another_light_is_said_after_a_while(tray: DisturbedMat, profile: Profile) -> None:
    """Somebody who passes the lamp is no reason; a lamp that is off is one, until it is on again."""
    bright = tray.read().pixels
    tray.wrong = Disturbance(light=0.35)
    dark = tray.read().pixels
    tray.wrong = Disturbance()
    assert looked(profile, [bright, dark, bright, dark, bright]).text == ""
    assert looked(profile, [bright, dark, dark]).text == "", "two looks, 5 s apart, may be one visitor"
    assert looked(profile, [dark] * SAID_AFTER).text == "much darker than when set up"
    assert looked(profile, [dark] * SAID_AFTER + [bright] * SAID_AFTER).text == ""
    low = replace(profile, setup=replace(profile.setup or SetUp(0.0), light_level=100.0))
    assert looked(low, [bright] * SAID_AFTER).text == "much brighter than when set up"


def test_more_unsure_dice_are_said(profile: Profile) -> None:
    """Of forty dice ten unsure, where it was one in twenty; forty sure ones later it is forgotten."""
    watch = DriftWatch(profile)
    die, doubt = Die(3, 50, 50, 16, 0, "red", 0.9), Unsure(90, 50, 16, UnsureReason.GLARE)
    doubtful = Rest(Reading(0, 640, 480, (die,) * 3, (doubt,)), (0.0,) * 3, (0.0,))
    sure = Rest(Reading(0, 640, 480, (die,) * 4), (0.0,) * 4)
    for _ in range(RECENT_DICE // 4 - 1):
        watch.count(doubtful)
    assert watch.text == ""
    watch.count(doubtful)
    assert watch.text == "more dice unsure than when set up"
    for _ in range(RECENT_DICE // 4):
        watch.count(sure)
    assert watch.text == ""


def test_a_profile_that_saw_nothing_is_not_watched(tray: DisturbedMat, profile: Profile) -> None:
    """Made by hand, or none at all: nothing is looked for, nothing said."""
    picture = np.roll(tray.read().pixels, 12, axis=0)
    by_hand = replace(profile, setup=None)
    assert looked(by_hand, [picture]).profile is by_hand
    watch = DriftWatch(None)
    watch.look(picture, 0.0, reference=True)
    assert (watch.profile, watch.text) == (None, "")


def test_the_pipeline_says_it_and_places_are_right(tray: DisturbedMat, profile: Profile) -> None:
    """In a still tray the drift is in the result of a frame; a die is placed by the shifted markers."""
    picture = np.roll(tray.read().pixels, 12, axis=0)

    def read(frame: object, *, time_s: float, **_: object) -> Reading:  # noqa: ARG001 - all frames are alike
        x, y = profile.tray_px[0]
        return Reading(time_s, picture.shape[1], picture.shape[0], (Die(3, x + 100, y + 112, 40, 0, "red", 1.0),))

    pipeline = PerceptionPipeline(read, profile, lambda _, dice: tuple(dice))
    seen = [pipeline.process(Frame(picture, second / 4)) for second in range(8)][-1]
    assert seen.drift == ""
    (die,) = seen.reading.dice
    assert (die.x, die.y) == pytest.approx((100 / profile.px_per_mm,) * 2, abs=0.5)
    dark = (picture * 0.3).astype(np.uint8)
    later = [pipeline.process(Frame(dark, 10 + second)) for second in range(30)][-1]
    assert later.drift == "much darker than when set up"


def test_only_calibration_writes_profiles() -> None:
    """Nothing that plays names what writes one: neither the table nor its hardware, except where it is defined."""
    writers = {
        path.relative_to(ROOT).as_posix()
        for package in ("tabletop", "hardware")
        for path in (ROOT / package).rglob("*.py")
        if {"save_profile", "replace_profile"} & set(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    }
    assert writers == {"tabletop/config/profile.py"}
