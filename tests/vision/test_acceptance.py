"""What the reader makes of what was found: which things are dice, which dice are sure, and why the others are not."""

import json
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from labelled import PHOTOS, needs_photos
from numpy.typing import NDArray

from tabletop.core.message import reason_text
from tabletop.core.values import Reading, UnsureReason
from tabletop.simulator.tray import SIZE_PX
from tabletop.vision.acceptance import (
    SURE,
    SURE_UNKNOWN_SIZE,
    agreed_size,
    beside_dice,
    chosen,
    close_up,
    doubt,
    is_sure,
    only_size,
    plausible,
    to_dice,
    without_side_faces,
)
from tabletop.vision.classifier import Found
from tabletop.vision.image_io import open_picture
from tabletop.vision.reader import read
from tools.room.room import any_room
from tools.room.world import RoomWorld
from tools.scenarios.mix import SCENARIOS, mix

Faces = tuple[float, float, float, float, float, float]
Kinds = tuple[float, float, float, float]


def found(chance: float, faces: Faces = (1, 0, 0, 0, 0, 0), x: float = 50.0, kinds: Kinds | None = None) -> Found:
    """Return something found, at y = 50 with an edge of 20 px; a flat die by that chance, or whatever `kinds` say."""
    return Found(x, 50.0, 20.0, 0.0, kinds or (1 - chance, chance, 0.0, 0.0), faces)


@given(st.lists(st.floats(0.08, 1.0), max_size=9), st.integers(0, 9))
def test_expecting_never_makes_a_sure_die(chances: list[float], expect: int) -> None:
    """However many dice are expected, each sure die is as sure as without, and sureness is never below the bar."""
    frame = np.full((100, 100, 3), 90, np.uint8)
    things = [found(chance, x=40.0 * index) for index, chance in enumerate(sorted(chances, reverse=True))]
    told, _ = to_dice(frame, chosen(things, expect), things)
    blind, _ = to_dice(frame, chosen(things, None), things)
    assert set(told) <= set(blind)
    assert all(die.confidence >= SURE for die in told)


def test_expected_number_chooses_the_likeliest() -> None:
    """Two expected: a third that is unlikely is left out; a third that is sure is told as well."""
    assert len(chosen([found(0.99), found(0.98), found(0.5)], 2)) == 2
    assert len(chosen([found(0.999), found(0.998), found(0.997)], 2)) == 3
    assert len(chosen([found(0.99), found(0.98), found(0.7, x=80.0)], 2)) == 3
    assert len(chosen([found(0.99), found(0.98), found(0.7, x=60.0)], 2)) == 2  # half on another die
    assert len(chosen([found(0.95), found(0.3)], 2)) == 2
    assert len(chosen([found(0.95), found(0.3)], None)) == 1
    # Of the labelled photographs 31 have a die beside sure ones that is only just likelier a die than not.
    assert len(chosen([found(0.9), found(0.9, x=20.0), found(0.55, x=80.0)], None)) == 3


def test_what_fills_a_picture_is_what_it_was_taken_of() -> None:
    """A faint thing is looked at again if it is half as large as the picture; a likely one from a quarter of it on."""
    faint, likely = found(0.3), found(0.6)
    assert close_up([faint], 40) == faint
    assert close_up([faint], 41) is None
    assert close_up([likely], 80) == likely
    assert close_up([likely], 81) is None
    assert close_up([likely, faint], 40) == likely
    assert close_up([likely, likely], 40) is None
    assert close_up([found(0.1)], 20) is None
    assert close_up([found(0.9)], 40) is None  # sure already
    assert close_up([], 40) is None


def test_reasons_are_for_people() -> None:
    """The reason names what is wrong: two faces, darkness, glare, the border, how it lies, or that it may be none."""
    grey = np.full((100, 100, 3), 90, np.uint8)
    split = (0.0, 0.0, 0.0, 0.55, 0.45, 0.0)
    assert reason_text(doubt(grey, found(0.99, split))) == "could be 4 or 5"
    assert reason_text(doubt(grey // 9, found(0.99, split))) == "too dark"
    ace = grey // 9
    ace[46:55, 46:55] = 220  # the pip of a black die in a bright room
    assert reason_text(doubt(ace, found(0.99, split))) == "could be 4 or 5"
    assert reason_text(doubt(grey, found(0.99, split, x=3.0))) == "part of it is outside the picture"
    assert reason_text(doubt(grey, found(0.4))) == "may not be a die"
    assert reason_text(doubt(grey, found(0.99, (0.2, 0.2, 0.2, 0.2, 0.1, 0.1)))) == "its face cannot be read"
    assert reason_text(doubt(grey, found(0.1, kinds=(0.1, 0.1, 0.7, 0.1)))) == "leans"
    assert reason_text(doubt(grey, found(0.1, kinds=(0.1, 0.1, 0.1, 0.7)))) == "part of it is hidden"
    shiny = np.full((100, 100, 3), 255, np.uint8)
    shiny[::2, ::2] = 90
    assert reason_text(doubt(shiny, found(0.99, split))) == "glare"
    streak = grey.copy()
    streak[40:60, 47:50] = 245  # across the top, 20 px wide, of a die that is no ace
    assert reason_text(doubt(streak, found(0.99, split))) == "glare"
    pips = grey.copy()
    pips[45:48, 45:48] = pips[53:56, 53:56] = 245
    assert reason_text(doubt(pips, found(0.99, split))) == "could be 4 or 5"


def test_a_die_seen_from_another_side_than_the_others_leans() -> None:
    """Three dice show the same way up; a fourth that shows another leans. Of two, it is the one that shows its side."""
    grey = np.full((100, 100, 3), 90, np.uint8)
    three = [replace(found(0.95, x=20.0 * index), up=(0.3, -0.3)) for index in range(3)]
    other = replace(found(0.95, x=80.0), up=(-0.3, 0.3))
    dice, unsure = to_dice(grey, [*three, other], [*three, other])
    assert [die.x for die in dice] == [0, 20, 40]
    assert [one.reason for one in unsure] == [UnsureReason.LEANS]
    straight = replace(other, up=(0.0, 0.0))
    steep = replace(three[0], up=(0.45, -0.45))
    assert [die.x for die in to_dice(grey, [steep, straight], [steep, straight])[0]] == [80]
    assert len(to_dice(grey, [steep], [steep])[0]) == 1


def test_expecting_fewer_never_makes_a_leaning_die_sure() -> None:
    """A die that leans beside another one leans as well where only one die is expected and it is the likeliest."""
    grey = np.full((100, 100, 3), 90, np.uint8)
    straight, steep = found(0.9, x=20.0), replace(found(0.95, x=80.0), up=(0.4, -0.5))
    both = [steep, straight]
    for expect in (None, 1, 2):
        dice, _ = to_dice(grey, chosen(both, expect), both)
        assert steep.x not in [die.x for die in dice]


def test_sure_dice_of_one_size_tell_the_size() -> None:
    """Two sure dice of 30 and 33 px tell it, beside a sure one of 90; two that differ, or doubtful ones, do not."""
    sizes = [replace(found(0.9, x=50.0 * index), size=size) for index, size in enumerate((30.0, 33.0, 90.0))]
    assert 30 <= (agreed_size(sizes) or 0) <= 33
    assert agreed_size(sizes[1:]) is None
    assert agreed_size([replace(one, kinds=(0.5, 0.5, 0.0, 0.0)) for one in sizes]) is None
    assert agreed_size([]) is None


def test_a_single_sure_die_tells_a_size() -> None:
    """Of 0.95: its size. A tiny one of 0.75, one beside another sure die, or none: none."""
    certain = replace(found(0.95), size=30.0)
    assert only_size([certain, replace(found(0.5), size=90.0)]) == 30
    assert only_size([replace(found(0.75), size=30.0)]) == 30
    assert only_size([replace(found(0.75), size=20.0)]) is None
    assert only_size([certain, replace(found(0.75), size=90.0)]) is None
    assert only_size([]) is None


def test_things_too_small_are_no_dice() -> None:
    """Blind, small things are left out, but several sure ones and one that is very sure stay.

    A size that was given decides alone.
    """
    four = [replace(found(0.95, x=30.0 * index), size=25.0) for index in range(4)]
    certain = replace(found(0.95, x=300.0), size=100.0)
    assert plausible([*four, certain], None) == (*four, certain)
    assert plausible([*four, certain], 25.0) == tuple(four)
    assert plausible([replace(four[0], size=10.0)], None) == ()
    small = [replace(found(0.8, x=30.0 * index), size=19.0) for index in range(4)]
    unsure = replace(found(SURE_UNKNOWN_SIZE - 0.04, x=200.0), size=20.0)
    assert plausible([*small[:2], unsure], None) == ()  # two small sure things may be stars
    assert plausible([*small[:3], unsure], None) == (*small[:3], unsure)
    assert plausible([replace(four[0], size=19.0), unsure], None) == (replace(four[0], size=19.0),)
    assert plausible([replace(one, size=10.0) for one in four], None) == ()
    assert plausible([], None) == ()


IVORY, GREEN = (200, 225, 235), (60, 140, 50)  # BGR
PLAIN_ONE = (0.98, 0.004, 0.004, 0.004, 0.004, 0.004)
FIVE_OR_SIX = (0.0, 0.0, 0.0, 0.0, 0.7, 0.3)


def _picture(*bodies: tuple[int, int, int]) -> np.ndarray:
    """Return a picture of plain squares of 60 px, one beside the other, their middles at y = 50 and x = 50, 150, ..."""
    picture = np.full((100, 100 * len(bodies), 3), 30, np.uint8)
    for n, body in enumerate(bodies):
        picture[20:80, 100 * n + 20 : 100 * n + 80] = body
    return picture


def _thing(n: int, flat: float, faces: tuple[float, ...] = PLAIN_ONE, size: float = 60.0) -> Found:
    one, two, three, four, five, six = faces
    return Found(100.0 * n + 50, 50.0, size, 0.0, (1 - flat, flat, 0.0, 0.0), (one, two, three, four, five, six))


def _face(share: float) -> Faces:
    rest = (1 - share) / 5
    return share, rest, rest, rest, rest, rest


@pytest.mark.parametrize(
    ("thing", "body", "fixed_size", "becomes_sure"),
    [
        (_thing(1, 0.25), IVORY, False, True),  # e to the 3 times as likely: 0.25 against 0.75 becomes 0.87 to 0.13
        (_thing(1, 0.25), GREEN, False, False),  # e times: 0.48
        (_thing(1, 0.45), GREEN, False, True),  # 0.69
        (_thing(1, 0.04), IVORY, False, False),  # 0.46
        (_thing(1, 0.25, size=80.0), IVORY, False, False),  # of another size nothing is said
        (_thing(1, 0.25, FIVE_OR_SIX), IVORY, False, False),
        # Where the size is fixed, as at the table, and the colour is the same, a face may be less plain...
        (_thing(1, 0.45, _face(0.8)), IVORY, True, True),
        (_thing(1, 0.45, _face(0.8)), IVORY, False, False),
        (_thing(1, 0.45, _face(0.8)), GREEN, True, False),
        (_thing(1, 0.45, _face(0.7)), IVORY, True, False),
        # ...and an ace of the same set be measured a quarter longer than it is.
        (_thing(1, 0.25, size=76.0), IVORY, True, True),
        (_thing(1, 0.25, size=76.0), IVORY, False, False),
    ],
)
def test_company_makes_dice_likelier(
    thing: Found, body: tuple[int, int, int], fixed_size: bool, becomes_sure: bool
) -> None:
    """By the odds in the table above, worked out by hand; what stays in doubt stays exactly as it was."""
    certain = _thing(0, 0.97)
    assert not is_sure(thing)
    told = beside_dice(_picture(IVORY, body), (certain, thing), fixed_size=fixed_size)
    (lifted,) = (one for one in told if one != certain)
    assert is_sure(lifted) is becomes_sure
    assert lifted == (replace(thing, kinds=lifted.kinds) if becomes_sure else thing)
    assert sum(lifted.kinds) == pytest.approx(1)


def test_without_company_nothing_changes() -> None:
    """Alone, or among doubtful things only, a thing is what it is; the likeliest comes first."""
    picture = _picture(IVORY, IVORY)
    doubtful, other = _thing(0, SURE - 0.1), _thing(1, SURE - 0.05)
    assert beside_dice(picture, (doubtful,)) == (doubtful,)
    assert beside_dice(picture, (doubtful, other)) == (other, doubtful)
    assert beside_dice(picture, ()) == ()


def test_a_die_that_leans_stays_leaning() -> None:
    """Company speaks against that nothing is there, not for lying flat."""
    leaning = replace(_thing(1, 0.0), kinds=(0.2, 0.3, 0.5, 0.0))
    assert not is_sure(beside_dice(_picture(IVORY, IVORY), (_thing(0, 0.97), leaning))[1])


def _read_aces(seed: int, room_seed: int, looks: slice, faces: list[int], expect: int) -> Reading:
    chance = Random(room_seed)
    if room_seed == DARK_BLUE:
        mix(len(SCENARIOS), chance)
    room = any_room(chance)
    world = RoomWorld(5, chance=Random(seed) if seed else chance, room=replace(room, looks=room.looks[looks]))
    end_s = world.tray.throw(faces=faces)
    world.show(end_s + 0.05)
    return read(world.show(end_s + 0.1), die_px=SIZE_PX, expect=expect, fixed_size=True)


DARK_BLUE = 1029  # the seed of a room with dark blue dice with golden pips, the one as wide as half an edge


@pytest.mark.parametrize(
    ("seed", "room_seed", "looks"),
    [
        (0, 5006, slice(1)),  # white dice with one big spot in lilac, turquoise and black: most aces were no dice
        (0, 5028, slice(1)),
        (2, DARK_BLUE, slice(1, 2)),  # the golden spot was taken for a small thing
        (11, DARK_BLUE, slice(1, 2)),
    ],
)
def test_big_aces_are_read_beside_others_of_their_set(seed: int, room_seed: int, looks: slice) -> None:
    """Thrown with other faces: all five are read right."""
    assert _read_aces(seed, room_seed, looks, [1, 1, 2, 4, 6], 5).faces == (1, 1, 2, 4, 6)


def test_an_ace_that_may_be_none_is_named() -> None:
    """Five of them at once, so that none has company: each is read or named, and nothing else is."""
    reading = _read_aces(7, DARK_BLUE, slice(None), [1, 1, 1, 1, 1], 7)
    assert len(reading.dice) + len(reading.unsure) == 5
    assert set(reading.faces) == {1}


EDGE = 60.0


def seen(x: float, y: float, up: tuple[float, float], chance: float = 0.95) -> Found:
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


@needs_photos
@pytest.mark.parametrize("name", ["matteo/Train_dice_42.jpg", "matteo/Train_dice_46.jpg", "matteo/Train_three_27.jpg"])
def test_side_faces_in_photographs(name: str) -> None:
    """Photographs in which side faces were taken for dice when nobody said how many there are."""
    photo = next(one for one in json.loads((PHOTOS / "manifest.json").read_text())["images"] if one["file"] == name)
    reading = read(open_picture(PHOTOS / photo["file"]))
    assert sorted(die.face for die in reading.dice) == sorted(die["face"] for die in photo["dice"])
    assert not reading.unsure
