"""Bare places, fingers round a die, what is the table's own, and shadows that are no hands; on drawn pictures."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.core.values import Die, Reading, Rest, Unsure, UnsureReason
from tabletop.perception.camera_pose import IDENTITY
from tabletop.perception.hands import RELEARNED_S, BackgroundModel, HandDetector

EDGE = 50.0
GREEN = (60, 120, 50)  # BGR
Picture = NDArray[np.uint8]


def _die(face: int, x: float, y: float) -> Die:
    return Die(face, x, y, EDGE, 10.0, "white", 0.99)


def _cloth(levels: tuple[int, int, int]) -> Picture:
    rng = np.random.default_rng(1)
    return np.clip(rng.normal(levels, 6.0, (480, 640, 3)), 0, 255).astype(np.uint8)


def _with(picture: Picture, dice: Sequence[Die], hand: tuple[int, int] | None = None) -> Picture:
    """Return the picture with white squares for dice and a skin-coloured arm to (x, y)."""
    picture = picture.copy()
    for die in dice:
        x, y, half = round(die.x), round(die.y), round(die.size / 2)
        cv2.rectangle(picture, (x - half, y - half), (x + half, y + half), (235, 240, 240), -1)
    if hand:
        cv2.line(picture, hand, (640, hand[1]), (120, 150, 205), 100)
    return picture


def _learned(empty: Picture) -> BackgroundModel:
    """Return what an empty tray of two seconds taught."""
    ground = BackgroundModel()
    for n in range(20):
        ground.update(empty, n / 10, [], None)
    return ground


def _show(fingers: HandDetector, empty: Picture) -> None:
    """Show the empty tray for two seconds."""
    for n in range(20):
        fingers.apply(empty, Reading(n / 10, 640, 480), IDENTITY, 0.0)


def _held(ground: BackgroundModel, die: Die, others: Sequence[Die]) -> bool:
    return bool(ground.touched([die], [die, *others], ground.cover([die, *others], EDGE))[0])


@pytest.mark.parametrize(
    ("cloth", "light"),
    [(GREEN, 1.0), (GREEN, 0.7), (GREEN, 1.2), ((40, 40, 45), 1.0), ((200, 205, 205), 0.7), ((120, 60, 30), 1.2)],
)
def test_a_place_is_bare_once_die_and_hand_are_gone(cloth: tuple[int, int, int], light: float) -> None:
    """On green, black, white and blue cloth, though a lamp was switched: a hand over it or beside it is seen."""
    die, empty = _die(3, 300, 200), _cloth(cloth)
    ground = _learned(empty)
    for n in range(20, 40):
        ground.update(_with(empty, [die]), n / 10, [die], None)
    assert not _held(ground, die, [])
    told = []
    pictures = (_with(empty, [die], (300, 200)), _with(empty, [], (300, 200)), _with(empty, [], (360, 200)), empty)
    for n, picture in enumerate(pictures):
        lit = np.clip(picture * light, 0, 255).astype(np.uint8)
        ground.update(lit, 4.0 + n / 10, [], None)
        told.append((ground.bare(die, []), ground.is_clear([])))
    assert [bare for bare, _ in told] == [False, False, False, True]
    if light == 1.0:  # where a lamp was switched under a hand, it takes a while until no hand is in view for sure
        assert [open_ for _, open_ in told] == [False, False, False, True]


def test_a_die_in_fingers_is_told_from_one_that_lies() -> None:
    """The same die in the same place; other dice beside it are no fingers."""
    die, other, empty = _die(3, 300, 200), _die(4, 352, 200), _cloth(GREEN)
    ground = _learned(empty)
    ground.update(_with(empty, [die, other]), 2.0, [die, other], None)
    assert not _held(ground, die, [other])
    held = _with(_with(empty, [], (300, 200)), [die])
    ground.update(held, 2.1, [die], None)
    assert _held(ground, die, [])


def test_sunlight_round_a_die_is_no_hand() -> None:
    """A sunbeam on a part of the tray makes its cloth 1.6 times as bright: no fingers, and a place in it is bare."""
    die, empty = _die(3, 300, 200), _cloth(GREEN)
    ground = _learned(empty)
    for n, picture in enumerate((_with(empty, [die]), empty)):
        beam = picture.astype(np.float64)
        beam[:, 200:400] *= 1.6
        ground.update(np.clip(beam, 0, 255).astype(np.uint8), 2.0 + n / 10, [die] if not n else [], None)
        assert not _held(ground, die, [])
    assert ground.bare(die, [])


def test_a_still_hand_is_never_taken_for_the_ground_as_long_as_anybody_holds_a_die() -> None:
    """Two seconds; what is left lying for longer is."""
    die, empty = _die(3, 300, 200), _cloth(GREEN)
    ground = _learned(empty)
    held = _with(_with(empty, [], (300, 200)), [die])
    for n in range(20):
        ground.update(held, 2.0 + n / 10, [die], None)
        assert _held(ground, die, [])
    for n in range(20):
        ground.update(held, 4.0 + n / 10, [die], None)
    assert not _held(ground, die, [])


def test_a_nudged_camera_moves_no_ground() -> None:
    """The picture shifted by half a die, and told so: the die's place is bare, and not covered all around."""
    die, empty = _die(3, 300, 200), _cloth(GREEN)
    cv2.rectangle(empty, (150, 80), (450, 320), (30, 60, 90), 12)  # a rim, so that a shift would matter
    ground = _learned(empty)
    shift = np.array([[1.0, 0.0, 25.0], [0.0, 1.0, -18.0]])
    ground.update(np.asarray(cv2.warpAffine(empty, shift, (640, 480)), np.uint8), 2.0, [], None)
    assert not ground.is_clear([])
    back = np.array([[1.0, 0.0, -25.0], [0.0, 1.0, 18.0], [0.0, 0.0, 1.0]])
    ground.update(np.asarray(cv2.warpAffine(empty, shift, (640, 480)), np.uint8), 2.1, [], back)
    assert ground.bare(die, [])
    assert ground.is_clear([])


def test_a_die_with_a_hand_beside_it_is_not_alone() -> None:
    """Others that lie beside it are no hand."""
    ground, fingers = _cloth(GREEN), HandDetector(lambda reading: reading)
    dice = (_die(4, 300, 200), _die(2, 355, 200))
    _show(fingers, ground)
    seen = Reading(2.0, 640, 480, dice, (Unsure(100, 400, EDGE, UnsureReason.LEANS),))
    there = [*dice, _die(1, 100, 400)]
    places = {(die.x, die.y) for die in there}
    assert set(fingers.apply(_with(ground, there), seen, IDENTITY, 0.0)[0].alone) == places
    assert fingers.apply(_with(ground, there, (330, 230)), seen, IDENTITY, 0.0)[0].alone == ((100, 400),)


def test_what_fingers_leave_of_a_die_is_no_other_die() -> None:
    """Of a five that lies there fingers leave one pip to be seen, a third of an edge aside: it is held."""
    ground, fingers = _cloth(GREEN), HandDetector(lambda reading: reading)
    five, one = _die(5, 300, 200), _die(1, 290, 190)
    _show(fingers, ground)
    lies = Reading(2.0, 640, 480, (five,))
    fingers.apply(_with(ground, [five]), lies, IDENTITY, 0.0)
    fingers.note_rest(lies, Rest(lies, (2.0,)))
    under = _with(ground, [five], (320, 215))
    assert fingers.apply(under, Reading(2.1, 640, 480, (one,)), IDENTITY, 0.0)[0].held == (one,)
    assert fingers.apply(under, Reading(2.2, 640, 480, (five,)), IDENTITY, 0.0)[0].held == ()


def test_all_places_of_dice_that_lay_side_by_side_are_bare_once_they_are_taken_up() -> None:
    """Where nine lay close together the one in their midst hides none of its ground behind the others."""
    ground, fingers = _cloth(GREEN), HandDetector(lambda reading: reading)
    nine = [_die(1, 300 + EDGE * column, 200 + EDGE * row) for row in (-1, 0, 1) for column in (-1, 0, 1)]
    _show(fingers, ground)
    lies = Reading(2.0, 640, 480, tuple(nine))
    fingers.apply(_with(ground, nine), lies, IDENTITY, 0.0)
    fingers.note_rest(lies, Rest(lies, (2.0,) * 9))
    assert set(fingers.apply(ground, Reading(2.1, 640, 480), IDENTITY, 0.0)[0].bare) == {(die.x, die.y) for die in nine}
    left = fingers.apply(_with(ground, nine[:1]), Reading(2.2, 640, 480, tuple(nine[:1])), IDENTITY, 0.0)[0].bare
    assert set(left) == {(die.x, die.y) for die in nine[1:]}


@pytest.mark.parametrize("cloth", [(60, 120, 50), (25, 25, 25), (120, 60, 30)])
def test_where_nothing_but_the_ground_is_there_is_no_die(cloth: tuple[int, int, int]) -> None:
    """Something unsure that is seen on the bare cloth hides no bare place; a die there, or fingers, do."""
    ground, fingers = _cloth(cloth), HandDetector(lambda reading: reading)
    die, beside = _die(4, 300, 200), Unsure(355, 210, EDGE, UnsureReason.MAY_BE_NO_DIE)
    _show(fingers, ground)
    lies = Reading(2.0, 640, 480, (die,))
    fingers.apply(_with(ground, [die]), lies, IDENTITY, 0.0)
    fingers.note_rest(lies, Rest(lies, (2.0,)))
    empty = Reading(2.1, 640, 480, (), (beside,))
    assert fingers.apply(ground, empty, IDENTITY, 0.0)[0].bare == ((300, 200),)
    for shown in (_with(ground, [_die(4, 355, 210)]), _with(ground, [], (355, 210))):
        assert fingers.apply(shown, empty, IDENTITY, 0.0)[0].bare == ()


def test_what_was_there_while_all_dice_were_read_is_the_tables() -> None:
    """A knot in the wood is none of the dice, though it became a little darker since; what came there is."""
    ground, die, knot = BackgroundModel(), _die(3, 500, 300), Unsure(120, 80, EDGE, UnsureReason.MAY_BE_NO_DIE)
    empty = _cloth((90, 120, 160))
    cv2.circle(empty, (120, 80), 20, (20, 30, 40), -1)
    ground.update(_with(empty, [die]), 0.0, [die, knot], None)
    assert not ground.is_static_clutter(knot)
    ground.learn_complete_tray([die])
    for n, light in enumerate((1.0, 0.9, 1.1)):
        lit = np.clip(empty * light, 0, 255).astype(np.uint8)
        ground.update(lit, 1.0 + n, [knot], None)
        assert ground.is_static_clutter(knot)
        ground.update(_with(lit, [_die(2, 120, 80)]), 1.5 + n, [knot], None)
        assert not ground.is_static_clutter(knot)
    assert not ground.is_static_clutter(Unsure(500, 300, EDGE, UnsureReason.LEANS))


def test_nobody_is_asked_about_what_is_the_tables() -> None:
    """A knot is read as something unsure: until all dice that are due lie there it is told, and then no more."""
    fingers, die, knot = (
        HandDetector(lambda reading: reading),
        _die(3, 500, 300),
        Unsure(120, 80, EDGE, UnsureReason.MAY_BE_NO_DIE),
    )
    wood = _cloth((90, 120, 160))
    cv2.circle(wood, (120, 80), 20, (20, 30, 40), -1)
    seen = Reading(0.0, 640, 480, (die,), (knot,))
    for n in range(3):
        assert fingers.apply(_with(wood, [die]), replace(seen, time_s=n / 10), IDENTITY, 0.0)[1].unsure == (knot,)
    fingers.note_rest(seen, Rest(seen, (0.0,)), 2)
    assert fingers.apply(_with(wood, [die]), replace(seen, time_s=0.5), IDENTITY, 0.0)[1].unsure == (knot,)
    fingers.note_rest(seen, Rest(seen, (0.0,)), 1)
    for time_s, quiet_s in ((0.6, 0.0), (0.7, 0.1)):
        told = fingers.apply(_with(wood, [die]), replace(seen, time_s=time_s), IDENTITY, quiet_s)[1]
        assert (told.dice, told.unsure) == ((die,), ())


def test_a_die_in_doubt_is_not_the_tables() -> None:
    """A counted die that seems to lean now keeps its face in the rest; it is reported still, also when others go."""
    hands, die, left = HandDetector(lambda reading: reading), _die(3, 500, 300), _die(5, 120, 80)
    felt = _cloth(GREEN)
    leans = left.unsure(UnsureReason.LEANS)
    both, rest = _with(felt, [die, left]), Rest(Reading(0.4, 640, 480, (die, left)), (0.0, 0.0))
    for n in range(3):
        hands.apply(both, Reading(n / 10, 640, 480, (die, left)), IDENTITY, 0.0)
    seen = Reading(0.4, 640, 480, (die,), (leans,))
    assert hands.apply(both, seen, IDENTITY, 0.0)[1].unsure == (leans,)
    hands.note_rest(seen, rest, 2)
    assert hands.apply(both, replace(seen, time_s=0.5), IDENTITY, 0.0)[1].unsure == (leans,)
    alone = Reading(1.0, 640, 480, (), (leans,))
    assert hands.apply(_with(felt, [left]), alone, IDENTITY, 0.0)[1].unsure == (leans,)


def test_something_lies_where_it_covers_the_ground() -> None:
    """A die that the reader does not see, or a hand; not where it was taken away, nor where no ground is known."""
    fingers, empty, die = HandDetector(lambda one: one), _cloth(GREEN), _die(3, 300, 200)
    place = Unsure(300, 200, EDGE, UnsureReason.TWO_FACES, faces=(2, 4))
    assert not fingers.is_covered(place)
    for n in range(10):
        fingers.apply(empty, Reading(n / 10, 640, 480), IDENTITY, 0.0)
    told = []
    for n, picture in enumerate((empty, _with(empty, [die]), _with(empty, [], (300, 200)), empty)):
        fingers.apply(picture, Reading(1.0 + n / 10, 640, 480), IDENTITY, 0.0)
        told.append(fingers.is_covered(place))
    assert told == [False, True, True, False]


WOOD, WHITE, SKIN = (52, 84, 122), (225, 230, 230), (120, 150, 205)  # BGR
# Light left, by channel: of a lamp, the sun, a red die.
HARD, WARM, RED = (0.2, 0.2, 0.2), (0.45, 0.3, 0.2), (0.9, 0.3, 0.3)


def _shaded(
    picture: Picture, corners: Sequence[tuple[int, int]], left: Sequence[float], soft_px: float = 0.0
) -> Picture:
    mask = np.zeros(picture.shape[:2], np.float32)
    cv2.fillPoly(mask, [np.array(corners, np.int32)], (1.0,))
    if soft_px:
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), soft_px), np.float32)
    light = 1.0 - mask[..., None] * (1.0 - np.asarray(left, np.float32))
    return np.clip(picture * light, 0, 255).astype(np.uint8)


def _with_shadow(picture: Picture, die: Die, left: Sequence[float], soft_px: float = 0.0) -> Picture:
    x, y, half = round(die.x), round(die.y), round(EDGE / 2)
    length = round(2.5 * EDGE)
    corners = [(x, y - half), (x + half + length, y - half), (x + half + length, y + half), (x, y + half)]
    shaded = _shaded(picture, corners, left, soft_px)
    cv2.rectangle(shaded, (x - half, y - half), (x + half, y + half), (235, 240, 240), -1)
    return shaded


def _watched(empty: Picture, shown: Picture, dice: Sequence[Die]) -> tuple[int, int]:
    """Learn the empty table; return how many of the dice then shown are held, and may be."""
    ground = _learned(empty)
    ground.update(shown, 2.0, list(dice), None)
    held, doubtful = ground.touched(list(dice), list(dice), ground.cover(list(dice), EDGE))
    return len(held), len(doubtful)


@pytest.mark.parametrize("table", [WOOD, WHITE])
@pytest.mark.parametrize(("left", "soft_px"), [(HARD, 0.0), (HARD, 12.0), (WARM, 0.0), (RED, 0.0)])
def test_the_shadow_of_a_die_is_no_hand(
    table: tuple[int, int, int], left: tuple[float, float, float], soft_px: float
) -> None:
    """Hard, soft, of the sun, and of a red die that the light shines through; also out of the picture."""
    empty = _cloth(table)
    for die in (_die(3, 300, 200), _die(3, 600, 240)):
        shown = _with_shadow(empty, die, left, soft_px)
        assert _watched(empty, shown, [die]) == (0, 0)


@pytest.mark.parametrize("left", [HARD, RED])
def test_the_shadows_of_dice_side_by_side_are_no_hand(left: tuple[float, float, float]) -> None:
    """Five dice at the picture's edge, whose shadows run together and out of it."""
    empty = _cloth(WOOD)
    dice = [_die(3, 600, 100 + 52 * n) for n in range(5)]
    shown = empty
    for die in dice:
        shown = _with_shadow(shown, die, left)
    assert _watched(empty, shown, dice) == (0, 0)


@pytest.mark.parametrize("table", [WHITE, (120, 60, 30), (60, 120, 50), (36, 36, 38)])
def test_a_hand_is_one(table: tuple[int, int, int]) -> None:
    """Skin round a die, with an arm that leads out of the picture, on white, blue, green and black."""
    empty, die = _cloth(table), _die(3, 300, 200)
    shown = empty.copy()
    cv2.line(shown, (300, 200), (640, 200), SKIN, 100)
    shown = _with(shown, [die])
    assert _watched(empty, shown, [die]) == (1, 0)


def test_an_arm_in_the_colour_of_a_shadow_is_doubtful() -> None:
    """A black sleeve over a white table takes light in all channels, as a large shadow does: that is not known."""
    empty, die = _cloth(WHITE), _die(3, 300, 200)
    shown = _shaded(empty, [(240, 130), (640, 130), (640, 270), (240, 270)], HARD)
    shown = _with(shown, [die])
    assert _watched(empty, shown, [die]) == (0, 1)


def test_a_hand_over_a_die_that_was_read_is_seen() -> None:
    """Its place is under the hand, though the wood has its colour; that of a die that is only not read is not."""
    empty, die, other = _cloth(WOOD), _die(3, 300, 200), _die(3, 300, 400)
    ground = _learned(empty)
    shown = _with_shadow(empty, other, HARD)
    cv2.line(shown, (270, 200), (640, 200), SKIN, 120)
    ground.update(shown, 2.0, [], None)
    assert ground.under([die, other], []) == (die,)


def test_an_arms_shadow_that_stands_still_is_no_hand() -> None:
    """It fell over half of the table for a second and more before the die came to lie in it."""
    empty, die = _cloth(WHITE), _die(3, 300, 200)
    shadow = _shaded(empty, [(200, 100), (640, 100), (640, 320), (200, 320)], HARD)
    thrown = shadow.copy()
    cv2.rectangle(thrown, (275, 175), (325, 225), (60, 60, 60), -1)
    ground = _learned(empty)
    for n in range(13):
        ground.update(shadow, 2.0 + n / 10, [], None)
    ground.update(thrown, 3.3, [die], None)
    assert ground.touched([die], [die], ground.cover([die], EDGE)) == ((), ())


def test_the_shadow_of_an_arm_that_is_in_view_holds_no_die() -> None:
    """It falls round the die, and hangs together with the arm beside it: that is doubtful, and a doubt ends."""
    empty, die = _cloth(WOOD), _die(3, 300, 200)
    shown = _shaded(empty, [(200, 120), (640, 120), (640, 400), (200, 400)], HARD)
    cv2.line(shown, (330, 400), (640, 400), (60, 110, 230), 130)
    cv2.rectangle(shown, (275, 175), (325, 225), (60, 60, 60), -1)
    assert _watched(empty, shown, [die]) == (0, 1)


def test_a_rim_that_shook_is_no_hand() -> None:
    """A light rim beside a die, seen two pixels of a hundred aside of where it was: it is too thin for an arm."""
    empty, die = _cloth(WOOD), _die(3, 560, 200)
    shown = empty.copy()
    cv2.line(empty, (600, 0), (600, 480), (230, 230, 230), 12)
    cv2.line(shown, (606, 0), (606, 480), (230, 230, 230), 12)
    cv2.rectangle(shown, (535, 175), (585, 225), (60, 60, 60), -1)
    assert _watched(empty, shown, [die]) == (0, 0)


def _comes_and_goes(*phases: tuple[bool, float]) -> BackgroundModel:
    """Show a plain cloth with a square hand on it or without, each for so many seconds."""
    ground, empty = BackgroundModel(), np.full((480, 640, 3), (50, 30, 110), np.uint8)
    hand = empty.copy()
    hand[120:360, 120:360] = (110, 150, 200)
    frames = [hand if shown else empty for shown, seconds in phases for _ in range(round(10 * seconds))]
    for n, picture in enumerate(frames):
        ground.update(picture, n / 10, [], None)
    return ground


UNDER = _die(3, 240, 240)


def test_what_a_hand_leaves_that_lay_still_is_the_ground() -> None:
    """A hand comes, lies for twice as long as is learnt, and goes: a die thrown there at once is not held."""
    ground = _comes_and_goes((False, 1.0), (True, 2 * RELEARNED_S), (False, 0.1))
    assert ground.bare(UNDER, [])
    assert ground.touched([UNDER], [UNDER], ground.cover([UNDER], EDGE)) == ((), ())


def test_a_hand_that_comes_again_is_a_hand() -> None:
    """The same hand at the same place, after it was taken for the ground once: what it covers is not bare."""
    ground = _comes_and_goes((False, 1.0), (True, 2 * RELEARNED_S), (False, 1.0), (True, 0.3))
    assert any(ground.touched([UNDER], [UNDER], ground.cover([UNDER], EDGE)))
    assert ground.bare(UNDER, []) is False
