"""Aces like the sure dice beside them are dice: of the same size and body, and as clear in all else as any die."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from tabletop.simulator.tray import SIZE_PX
from tabletop.simulator.world import World
from tabletop.simulator.world_room import any_room
from tabletop.vision.eye import read
from tabletop.vision.judge import Found
from tabletop.vision.kin import with_kin
from tabletop.vision.verdict import SURE

GREEN, WHITE, LILAC = (60, 120, 40), (215, 225, 222), (225, 150, 225)
DIE = Found(60.0, 60.0, 40.0, 0.0, (0.0, 0.98, 0.01, 0.01), (0.0, 0.0, 0.0, 0.99, 0.0, 0.01))
ACE = replace(DIE, x=160.0, kinds=(0.8, 0.18, 0.01, 0.01), faces=(0.97, 0.01, 0.01, 0.01, 0.0, 0.0))


@pytest.mark.parametrize("seed", [5006, 5028, 5035])  # rooms in which most aces were no dice
def test_big_aces_are_read_beside_others_of_their_set(seed: int) -> None:
    """White dice with one big spot in lilac, turquoise and black, thrown with other faces: all five are read right."""
    chance = Random(seed)
    room = any_room(chance)
    world = World(5, chance=chance, room=replace(room, looks=room.looks[:1]))
    end_s = world.tray.throw(faces=[1, 1, 2, 4, 6])
    world.show(end_s + 0.05)
    reading = read(world.show(end_s + 0.1), die_px=SIZE_PX, expect=5, fixed_size=True)
    assert reading.faces == (1, 1, 2, 4, 6)


def test_what_is_not_like_the_dice_is_left_as_it_is() -> None:
    """An ace is taken for a die beside one of its body and size; not beside another, and never for flat or clear."""
    assert _chance(ACE, WHITE) > 0.99
    assert _chance(ACE, tuple(round(0.93 * value) for value in WHITE)) > 0.99  # in a little shade
    assert _chance(ACE, LILAC) == pytest.approx(ACE.chance)
    assert _chance(replace(ACE, size=52.0), WHITE) == pytest.approx(ACE.chance)
    assert _chance(replace(ACE, faces=(0.6, 0.4, 0.0, 0.0, 0.0, 0.0)), WHITE) == pytest.approx(ACE.chance)
    assert _sureness(replace(ACE, kinds=(0.8, 0.08, 0.11, 0.01)), WHITE) < SURE  # it leans, as likely as not


def test_without_a_sure_die_nothing_is_like_one() -> None:
    """A thing alone may be a button."""
    assert with_kin(_picture(WHITE), (ACE,), SURE) == (ACE,)


def _picture(other: tuple[int, ...]) -> np.ndarray:
    picture = np.full((120, 240, 3), GREEN, np.uint8)
    picture[40:80, 40:80], picture[40:80, 140:180] = WHITE, other
    return picture


def _found(ace: Found, body: tuple[int, ...]) -> Found:
    return next(one for one in with_kin(_picture(body), (DIE, ace), SURE) if one.x == ace.x)


def _chance(ace: Found, body: tuple[int, ...]) -> float:
    return _found(ace, body).chance


def _sureness(ace: Found, body: tuple[int, ...]) -> float:
    return _found(ace, body).sureness
