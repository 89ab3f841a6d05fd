"""A thing beside sure dice of its size and colour is likelier to be one; its face is told no easier for that."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from tabletop.simulator.tray import SIZE_PX
from tabletop.vision.acceptance import SURE, beside_dice, is_sure
from tabletop.vision.classifier import Found
from tabletop.vision.reader import read
from tools.room.room import any_room
from tools.room.world import RoomWorld
from tools.scenarios.mix import SCENARIOS, mix

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


@pytest.mark.parametrize(
    ("thing", "body", "becomes_sure"),
    [
        (_thing(1, 0.25), IVORY, True),  # e to the 3 times as likely: 0.25 against 0.75 becomes 0.87 against 0.13
        (_thing(1, 0.25), GREEN, False),  # e times: 0.48
        (_thing(1, 0.45), GREEN, True),  # 0.69
        (_thing(1, 0.04), IVORY, False),  # 0.46
        (_thing(1, 0.25, size=80.0), IVORY, False),  # of another size nothing is said
        (_thing(1, 0.25, FIVE_OR_SIX), IVORY, False),
    ],
)
def test_company_makes_dice_likelier(thing: Found, body: tuple[int, int, int], becomes_sure: bool) -> None:
    """By the odds in the table above, worked out by hand; what stays in doubt stays exactly as it was."""
    certain = _thing(0, 0.97)
    assert not is_sure(thing)
    told = beside_dice(_picture(IVORY, body), (certain, thing))
    assert told[0] == certain
    assert is_sure(told[1]) is becomes_sure
    assert told[1].faces == thing.faces
    assert becomes_sure or told[1] == thing
    assert sum(told[1].kinds) == pytest.approx(1)


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


@pytest.mark.parametrize("seed", [5006, 5028])  # rooms in which most aces were no dice
def test_big_aces_are_read_beside_others_of_their_set(seed: int) -> None:
    """White dice with one big spot in lilac, turquoise and black, thrown with other faces: all five are read right."""
    chance = Random(seed)
    room = any_room(chance)
    world = RoomWorld(5, chance=chance, room=replace(room, looks=room.looks[:1]))
    end_s = world.tray.throw(faces=[1, 1, 2, 4, 6])
    world.show(end_s + 0.05)
    reading = read(world.show(end_s + 0.1), die_px=SIZE_PX, expect=5, fixed_size=True)
    assert reading.faces == (1, 1, 2, 4, 6)


@pytest.mark.parametrize("seed", [2, 11])
def test_an_ace_that_was_taken_for_the_die_is_looked_at_as_large_as_dice_are(seed: int) -> None:
    """Dark blue dice with golden pips, the one as wide as half an edge: the golden spot was taken for a small thing."""
    chance = Random(1029)
    mix(len(SCENARIOS), chance)
    room = any_room(chance)
    world = RoomWorld(5, chance=Random(seed), room=replace(room, looks=room.looks[1:2]))
    end_s = world.tray.throw(faces=[1, 1, 2, 4, 6])
    world.show(end_s + 0.05)
    reading = read(world.show(end_s + 0.1), die_px=SIZE_PX, expect=5, fixed_size=True)
    assert reading.faces == (1, 1, 2, 4, 6)


def test_an_ace_that_may_be_none_is_named() -> None:
    """Five of them at once, so that none has company: each is read or named, and nothing else is."""
    chance = Random(1029)
    mix(len(SCENARIOS), chance)
    world = RoomWorld(5, chance=Random(0), room=any_room(chance))
    end_s = world.tray.throw(faces=[1, 1, 1, 1, 1])
    world.show(end_s + 0.05)
    reading = read(world.show(end_s + 0.1), die_px=SIZE_PX, expect=7, fixed_size=True)
    assert len(reading.dice) + len(reading.unsure) == 5
    assert set(reading.faces) == {1}


@pytest.mark.parametrize(
    ("face", "body", "fixed_size", "becomes_sure"),
    [
        (0.8, IVORY, True, True),
        (0.8, IVORY, False, False),
        (0.8, GREEN, True, False),
        (0.7, IVORY, True, False),
    ],
)
def test_among_dice_of_one_set_a_face_may_be_less_plain(
    face: float, body: tuple[int, int, int], fixed_size: bool, becomes_sure: bool
) -> None:
    """Where the size is fixed, as at the table, and the colour is the same; a photograph says neither."""
    rest = (1 - face) / 5
    thing = _thing(1, 0.45, (face, rest, rest, rest, rest, rest))
    told = beside_dice(_picture(IVORY, body), (_thing(0, 0.97), thing), fixed_size=fixed_size)
    assert is_sure(told[1]) is becomes_sure
    assert becomes_sure or told[1] == thing
