"""Dice that do not lie flat, told from how a camera that stands still sees the others."""

import math
from dataclasses import replace
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tabletop.core.values import Die, Reading, UnsureReason
from tabletop.perception.filters import FlatnessFilter

slopes = st.floats(-0.3, 0.3)


def die(chance: Random, lean: tuple[float, float], near: float, *, off: float = 0.0) -> Die:
    x, y = chance.uniform(0, 640), chance.uniform(0, 480)
    right = lean[0] + near * (x - 320) / 640 + chance.gauss(0, 0.01)
    down = lean[1] + near * (y - 240) / 640 + off + chance.gauss(0, 0.01)
    return Die(3, x, y, 50.0, 0.0, "white", 0.95, up=(right, down), tilt=math.hypot(right, down))


def reading(*dice: Die) -> Reading:
    return Reading(0.0, 640, 480, dice)


def taught(
    chance: Random, lean: tuple[float, float] = (0.0, 0.0), near: float = 0.0, throws: int = 5
) -> FlatnessFilter:
    upright = FlatnessFilter()
    for _ in range(throws):
        upright.learn([die(chance, lean, near) for _ in range(5)])
    return upright


@given(seed=st.integers(0, 1000), lean=st.tuples(slopes, slopes), near=st.floats(0.0, 0.6))
@example(seed=188, lean=(0.0, -0.125), near=0.5)
def test_flat_dice_are_flat_to_any_camera(seed: int, lean: tuple[float, float], near: float) -> None:
    """Leaning or near, once it is known a camera calls no flat die leaning."""
    chance = Random(seed)
    upright = taught(chance, lean, near)
    for _ in range(10):
        seen = reading(*(die(chance, lean, near) for _ in range(5)))
        assert upright.apply(seen) == seen


@given(seed=st.integers(0, 1000), lean=st.tuples(slopes, slopes), off=st.sampled_from((-0.5, -0.35, 0.35, 0.5)))
def test_one_that_leans_is_unsure(seed: int, lean: tuple[float, float], off: float) -> None:
    """A die that is seen from 20 degrees further at the side than the others is named, the others stay."""
    chance = Random(seed)
    upright = taught(chance, lean, 0.3)
    flat = [die(chance, lean, 0.3) for _ in range(4)]
    checked = upright.apply(reading(*flat, die(chance, lean, 0.3, off=off)))
    assert checked.dice == tuple(flat)
    assert [one.reason for one in checked.unsure] == [UnsureReason.LEANS]


NEAR_ROOM = """
208.87 152.9 -0.06 -0.07 0.12; 521.59 83.62 0.18 -0.22 0.24; 215.36 351.55 -0.05 0.08 0.11
383.75 227.36 0.09 -0.02 0.12; 400.93 315.27 0.04 0.01 0.1; 375.13 185.16 0.01 0.0 0.06
568.62 57.57 0.28 -0.27 0.33; 550.3 348.55 0.24 0.06 0.26; 565.53 199.76 0.26 0.01 0.25
346.4 312.92 0.02 -0.03 0.08; 571.98 331.02 0.29 0.1 0.31; 295.0 144.77 -0.01 -0.06 0.11
383.86 202.04 0.05 0.0 0.09; 403.86 305.22 0.01 0.04 0.09; 501.01 406.01 0.19 0.22 0.3
163.59 73.52 -0.08 -0.13 0.17; 503.09 73.92 0.23 -0.24 0.28; 574.27 150.41 0.26 -0.16 0.27
391.02 156.54 0.07 -0.05 0.11; 332.61 224.23 0.05 -0.01 0.09; 200.84 325.75 -0.05 -0.01 0.09
358.75 94.3 0.1 -0.14 0.17; 276.45 258.08 0.0 0.01 0.07; 266.38 105.6 -0.06 -0.12 0.16
526.34 373.88 0.24 0.13 0.3
"""  # x, y, the way up and the tilt of flat dice as the network told them in a simulated room with a near camera


def test_a_near_camera_is_known_from_five_throws() -> None:
    """By chance half of those dice are much alike to a far camera too, and the last one then seems to lean."""
    rows = [[float(number) for number in one.split()] for one in NEAR_ROOM.replace("\n", ";").split(";") if one]
    *seen, last = [
        Die(6, x, y, 56.0, 0.0, "white", 0.9, up=(right, down), tilt=tilt) for x, y, right, down, tilt in rows
    ]
    upright = FlatnessFilter()
    upright.learn(seen)
    assert upright.apply(reading(last)) == reading(last)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_before_the_camera_is_known_few_dice_tell_nothing(count: int) -> None:
    """To a camera that looks from the side, which of two or three differs from the others cannot be said."""
    chance = Random(1)
    seen = reading(*(die(chance, (0.3, 0), 0.0, off=0.5 * (n == 0)) for n in range(count)))
    assert FlatnessFilter().apply(seen) == seen


def test_one_die_seen_from_above_tells_that_the_other_leans() -> None:
    """Pig with two dice, first throw: the camera hangs over the tray, so what is seen from the side leans."""
    chance = Random(1)
    flat, leaning = die(chance, (0, 0), 0.0), die(chance, (0, 0), 0.0, off=0.5)
    assert FlatnessFilter().apply(reading(flat, leaning)).dice == (flat,)


def test_in_the_first_throw_the_one_that_differs_from_the_others_leans() -> None:
    """Four dice that are seen alike, and one from elsewhere; three and two; of two against two nothing is said."""
    chance = Random(1)
    flat = [die(chance, (0.2, 0.1), 0.0) for _ in range(4)]
    checked = FlatnessFilter().apply(reading(*flat, die(chance, (0.2, 0.1), 0.0, off=0.3)))
    assert checked.dice == tuple(flat)
    assert [one.reason for one in checked.unsure] == [UnsureReason.LEANS]
    five = [die(chance, (0.0, 0.0), 0.0, off=0.5 * (n < 2)) for n in range(5)]
    assert FlatnessFilter().apply(reading(*five)).dice == tuple(five[2:])
    assert FlatnessFilter().apply(reading(*five[:4])).dice == tuple(five[:4])


def test_in_a_first_throw_a_near_camera_sees_a_far_die_from_its_side() -> None:
    """Four dice tell how near the camera is: what lies at its rim is as flat as they are, though seen from its side.

    To a camera so near that its picture is as wide as it is away; where the four are seen alike it is far, and what is
    seen so at the rim leans.
    """
    near = [_from_near(x, y) for x, y in ((150.0, 240.0), (250.0, 100.0), (330.0, 400.0), (420.0, 200.0))]
    rim = _from_near(600.0, 300.0)
    assert math.hypot(*rim.up) > 0.4
    seen = reading(*near, rim)
    assert FlatnessFilter().apply(seen) == seen
    far = [replace(one, up=(0.01, -0.01), tilt=0.1) for one in near]
    assert FlatnessFilter().apply(reading(*far, rim)).dice == tuple(far)


def _from_near(x: float, y: float) -> Die:
    """Return a flat die as a camera sees it that is as far away as its picture is wide: as the line of sight falls."""
    right, down = (x - 320) / 640, (y - 240) / 640
    long = math.sqrt(right**2 + down**2 + 1)
    up = (right / long, down / long)
    return Die(3, x, y, 50.0, 0.0, "white", 0.95, up=up, tilt=math.hypot(0.1, *up))


@given(seed=st.integers(0, 1000), lean=st.tuples(slopes, slopes), near=st.floats(0.0, 0.25))
def test_after_a_throw_of_five_what_leans_a_lot_is_named(seed: int, lean: tuple[float, float], near: float) -> None:
    """Before the camera is known, dice are compared with those seen: what leans by 30 degrees and more is named."""
    chance = Random(seed)
    upright = taught(chance, lean, near, throws=1)
    flat = [die(chance, lean, near) for _ in range(4)]
    assert upright.apply(reading(*flat)) == reading(*flat)
    off = 0.7 * (1 if lean[1] >= 0 else -1)
    assert upright.apply(reading(*flat, die(chance, lean, near, off=off))).dice == tuple(flat)


def test_where_all_are_off_the_camera_was_moved() -> None:
    """Then nothing leans, and the camera is learned again."""
    chance = Random(3)
    upright = taught(chance)
    seen = reading(*(die(chance, (0.4, 0.0), 0.0) for _ in range(5)))
    assert upright.apply(seen) == seen
    assert upright.apply(seen) == seen
    one = reading(*(die(chance, (0.4, 0.0), 0.0, off=0.4 * (n == 0)) for n in range(5)))
    assert upright.apply(one).dice == one.dice[1:]


@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_die_alone_that_leans_again_and_again_lies_flat(times: int) -> None:
    """Nudged twice and still leaning: it is the camera that was moved; nobody has to nudge it for ever."""
    chance = Random(4)
    upright = taught(chance)
    alone = reading(die(chance, (0.0, 0.4), 0.0))
    for time in range(times):
        assert upright.apply(alone).unsure
        upright.note_leaning(float(time))
        upright.note_leaning(float(time))
    assert bool(upright.apply(alone).unsure) is (times < 3)


def test_on_the_rail_where_none_was_thrown_flat_dice_are_flat() -> None:
    """Five throws onto a third of the picture, seen a little unevenly: of two dice beside it the flat one is flat."""
    chance, upright = Random(3), FlatnessFilter()
    for _ in range(5):
        thrown = [die(chance, (0.0, 0.0), 0.0) for _ in range(5)]
        upright.learn([replace(one, x=400 + one.x / 4, up=(one.up[0] + one.x / 4000, 0.0)) for one in thrown])
    beside = replace(die(chance, (0.0, 0.0), 0.0), x=30.0, up=(0.1, 0.0), tilt=0.1)
    leaning = replace(beside, up=(0.45, 0.0), tilt=0.45)
    assert upright.apply(reading(beside)).dice == (beside,)
    assert upright.apply(reading(leaning)).dice == ()


def test_dice_that_lean_among_those_learned_from_do_no_harm() -> None:
    """One in ten leaned unnoticed; one that leans is named all the same, and flat ones are not."""
    chance = Random(2)
    upright = FlatnessFilter()
    for _ in range(10):
        upright.learn([die(chance, (0.1, 0.0), 0.2, off=0.4 * (chance.random() < 0.1)) for _ in range(5)])
    flat = [die(chance, (0.1, 0.0), 0.2) for _ in range(4)]
    checked = upright.apply(reading(*flat, die(chance, (0.1, 0.0), 0.2, off=0.4)))
    assert checked.dice == tuple(flat)
