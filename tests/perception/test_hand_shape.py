"""Shadows are no hands: of dice, of arms, hard, soft and coloured; a hand is one. On drawn pictures."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.core.values import Die
from tabletop.perception.hands import BackgroundModel

EDGE = 50.0
WOOD, WHITE = (52, 84, 122), (225, 230, 230)  # BGR
SKIN = (120, 150, 205)
HARD, WARM, RED = (
    (0.2, 0.2, 0.2),
    (0.45, 0.3, 0.2),
    (0.9, 0.3, 0.3),
)  # light left, by channel: of a lamp, the sun, a red die
Picture = NDArray[np.uint8]


def _die(x: float, y: float) -> Die:
    return Die(3, x, y, EDGE, 0.0, "white", 0.99)


def _table(colour: tuple[int, int, int]) -> Picture:
    return np.clip(np.random.default_rng(1).normal(colour, 5.0, (480, 640, 3)), 0, 255).astype(np.uint8)


def _shaded(
    picture: Picture, corners: Sequence[tuple[int, int]], left: Sequence[float], soft_px: float = 0.0
) -> Picture:
    """Return the picture with so much light left, by channel, within these corners."""
    mask = np.zeros(picture.shape[:2], np.float32)
    cv2.fillPoly(mask, [np.array(corners, np.int32)], (1.0,))
    if soft_px:
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), soft_px), np.float32)
    light = 1.0 - mask[..., None] * (1.0 - np.asarray(left, np.float32))
    return np.clip(picture * light, 0, 255).astype(np.uint8)


def _with_shadow(picture: Picture, die: Die, left: Sequence[float], soft_px: float = 0.0) -> Picture:
    """Return the picture with a die, whose shadow is two and a half edges long, to the right."""
    x, y, half = round(die.x), round(die.y), round(EDGE / 2)
    length = round(2.5 * EDGE)
    corners = [(x, y - half), (x + half + length, y - half), (x + half + length, y + half), (x, y + half)]
    shaded = _shaded(picture, corners, left, soft_px)
    cv2.rectangle(shaded, (x - half, y - half), (x + half, y + half), (235, 240, 240), -1)
    return shaded


def _watched(ground: BackgroundModel, empty: Picture, shown: Picture, dice: Sequence[Die]) -> tuple[int, int]:
    """Learn the empty table for two seconds; return how many of the dice then shown are held, and may be."""
    for n in range(20):
        ground.update(empty, n / 10, [], None)
    ground.update(shown, 2.0, list(dice), None)
    held, doubtful = ground.touched(list(dice), list(dice), ground.cover(list(dice), EDGE))
    return len(held), len(doubtful)


@pytest.mark.parametrize("table", [WOOD, WHITE])
@pytest.mark.parametrize(("left", "soft_px"), [(HARD, 0.0), (HARD, 12.0), (WARM, 0.0), (RED, 0.0)])
def test_the_shadow_of_a_die_is_no_hand(
    table: tuple[int, int, int], left: tuple[float, float, float], soft_px: float
) -> None:
    """Hard, soft, of the sun, and of a red die that the light shines through; also out of the picture."""
    empty = _table(table)
    for die in (_die(300, 200), _die(600, 240)):
        shown = _with_shadow(empty, die, left, soft_px)
        assert _watched(BackgroundModel(), empty, shown, [die]) == (0, 0)


@pytest.mark.parametrize("left", [HARD, RED])
def test_the_shadows_of_dice_side_by_side_are_no_hand(left: tuple[float, float, float]) -> None:
    """Five dice at the picture's edge, whose shadows run together and out of it."""
    empty = _table(WOOD)
    dice = [_die(600, 100 + 52 * n) for n in range(5)]
    shown = empty
    for die in dice:
        shown = _with_shadow(shown, die, left)
    assert _watched(BackgroundModel(), empty, shown, dice) == (0, 0)


@pytest.mark.parametrize("table", [WHITE, (120, 60, 30), (60, 120, 50), (36, 36, 38)])
def test_a_hand_is_one(table: tuple[int, int, int]) -> None:
    """Skin round a die, with an arm that leads out of the picture, on white, blue, green and black."""
    empty, die = _table(table), _die(300, 200)
    shown = empty.copy()
    cv2.line(shown, (300, 200), (640, 200), SKIN, 100)
    cv2.rectangle(shown, (275, 175), (325, 225), (235, 240, 240), -1)
    assert _watched(BackgroundModel(), empty, shown, [die]) == (1, 0)


def test_an_arm_in_the_colour_of_a_shadow_is_doubtful() -> None:
    """A black sleeve over a white table takes light in all channels, as a large shadow does: that is not known."""
    empty, die = _table(WHITE), _die(300, 200)
    shown = _shaded(empty, [(240, 130), (640, 130), (640, 270), (240, 270)], HARD)
    cv2.rectangle(shown, (275, 175), (325, 225), (235, 240, 240), -1)
    assert _watched(BackgroundModel(), empty, shown, [die]) == (0, 1)


def test_a_hand_over_a_die_that_was_read_is_seen() -> None:
    """Its place is under the hand, though the wood has its colour; that of a die that is only not read is not."""
    empty, die, other = _table(WOOD), _die(300, 200), _die(300, 400)
    ground = BackgroundModel()
    for n in range(20):
        ground.update(empty, n / 10, [], None)
    shown = _with_shadow(empty, other, HARD)
    cv2.line(shown, (270, 200), (640, 200), SKIN, 120)
    ground.update(shown, 2.0, [], None)
    assert ground.under([die, other], []) == (die,)


def test_an_arms_shadow_that_stands_still_is_no_hand() -> None:
    """It fell over half of the table for a second and more before the die came to lie in it."""
    empty, die = _table(WHITE), _die(300, 200)
    ground = BackgroundModel()
    shadow = _shaded(empty, [(200, 100), (640, 100), (640, 320), (200, 320)], HARD)
    thrown = shadow.copy()
    cv2.rectangle(thrown, (275, 175), (325, 225), (60, 60, 60), -1)
    for n in range(20):
        ground.update(empty, n / 10, [], None)
    for n in range(13):
        ground.update(shadow, 2.0 + n / 10, [], None)
    ground.update(thrown, 3.3, [die], None)
    assert ground.touched([die], [die], ground.cover([die], EDGE)) == ((), ())


def test_the_shadow_of_an_arm_that_is_in_view_holds_no_die() -> None:
    """It falls round the die, and hangs together with the arm beside it: that is doubtful, and a doubt ends."""
    empty, die = _table(WOOD), _die(300, 200)
    shown = _shaded(empty, [(200, 120), (640, 120), (640, 400), (200, 400)], HARD)
    cv2.line(shown, (330, 400), (640, 400), (60, 110, 230), 130)
    cv2.rectangle(shown, (275, 175), (325, 225), (60, 60, 60), -1)
    assert _watched(BackgroundModel(), empty, shown, [die]) == (0, 1)


def test_a_rim_that_shook_is_no_hand() -> None:
    """A light rim beside a die, seen two pixels of a hundred aside of where it was: it is too thin for an arm."""
    empty, die = _table(WOOD), _die(560, 200)
    shown = empty.copy()
    cv2.line(empty, (600, 0), (600, 480), (230, 230, 230), 12)
    cv2.line(shown, (606, 0), (606, 480), (230, 230, 230), 12)
    cv2.rectangle(shown, (535, 175), (585, 225), (60, 60, 60), -1)
    assert _watched(BackgroundModel(), empty, shown, [die]) == (0, 0)
