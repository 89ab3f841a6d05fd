"""The simulated living room: what it shows is what it says; who watches it takes throws and nothing else."""

from collections import Counter
from random import Random
from statistics import median

import numpy as np
import pytest
from world_play import Room, watch_room

from tabletop.simulator.scenarios import SCENARIOS, SETTLED, Told
from tabletop.simulator.world import World
from tabletop.vision.eye import read

MIX_SEED = 20  # of the mix of scenarios, lights and hands; committed so that everybody sees the same one
HANDS_S = 20.0


def settled(world: World, seconds: float = 0.2) -> np.ndarray:
    """Let everything begun come to its end and return the last picture."""
    end_s = world.wait(seconds)
    while True:
        frame = world.camera.read()
        assert frame is not None
        if world.now_s >= end_s and not world.busy:
            return frame.pixels


def test_the_same_chance_gives_the_same_pictures() -> None:
    """Hands, light and camera included."""
    pictures = []
    for _ in range(2):
        world = World(2, chance=Random(4), fps=15.0)
        world.wave_hand()
        world.throw()
        for _ in range(24):
            frame = world.camera.read()
            assert frame is not None
        world.switch_lamp()
        world.bump_camera()
        pictures += [settled(world, 0.1)]
    assert np.array_equal(pictures[0], pictures[1])


def test_what_the_reader_sees_lies_where_the_truth_says() -> None:
    """Also after the camera was nudged: faces right, places within a tenth of an edge."""
    world = World(5, chance=Random(6), noise=0.0)
    world.throw()
    settled(world)
    world.bump_camera()
    reading = read(settled(world, 0.6), time_s=0.0, die_px=56.0, expect=5, fixed_size=False)
    truth = world.truth()
    assert reading.faces == truth.faces
    for die in truth.dice:
        assert min(np.hypot(one.x - die.x, one.y - die.y) for one in reading.dice) < 0.1 * die.size


def test_a_lost_die_is_not_in_the_picture_and_a_leaning_one_is_told() -> None:
    """Of five dice one is on the floor and one leans; nothing that shows a face is left out."""
    world = World(5, chance=Random(8))
    world.throw(leaning=1, lost=1)
    settled(world)
    truth = world.truth()
    assert Counter(die.leaning for die in truth.dice) == {True: 1, False: 3}
    assert truth.leaning


def test_no_die_is_ever_impossible() -> None:
    """Every pose of a leaning, falling or turned die is a proper rotation: opposite faces add to seven."""
    world = World(4, chance=Random(9))
    world.throw(leaning=2)
    world.nudge(0)
    world.turn(1, 6)
    while world.busy:
        world.camera.read()
        for piece in world.tray.pieces:
            pose = piece.pose(world.now_s)
            if pose is not None:
                turn = np.asarray(pose.rotation)
                assert np.allclose(turn @ turn.T, np.eye(3), atol=1e-4)
                assert np.linalg.det(turn) > 0


def test_a_hand_carries_dice_to_the_rail() -> None:
    """Two of three dice: the faces stay, those two lie left of the felt, and the reader sees all three."""
    world = World(3, chance=Random(5), noise=0.0)
    world.throw(faces=[2, 4, 6])
    settled(world)
    faces = {die.index: die.face for die in world.truth().dice}
    world.keep([0, 2])
    reading = read(settled(world), time_s=0.0, die_px=56.0, expect=3, fixed_size=False)
    truth = world.truth()
    assert {die.index: die.face for die in truth.dice} == faces
    assert {die.index for die in truth.dice if die.x < world.tray.layout.felt.left} == {0, 2}
    assert reading.faces == (2, 4, 6)


def test_a_hand_hides_dice_and_is_gone_afterwards() -> None:
    """While it is there the truth says that the view is not free; afterwards the picture is as before."""
    world = World(5, chance=Random(3), noise=0.0)
    world.throw()
    before = settled(world)
    world.wave_hand(1.5)
    free = []
    while world.busy:
        world.camera.read()
        free.append(world.truth().free)
    assert not all(free)
    assert np.array_equal(settled(world), before)


def test_a_camera_makes_up_for_a_lamp() -> None:
    """Half the light is gone at once; two seconds later the picture is about as bright as it was."""
    world = World(2, chance=Random(1), noise=0.0)
    bright = settled(world).mean()
    world.switch_lamp()
    frame = world.camera.read()
    assert frame is not None
    assert frame.pixels.mean() < 0.85 * bright
    assert settled(world, 2.0).mean() == pytest.approx(bright, rel=0.1)


def test_a_throw_is_taken_once() -> None:
    """Thrown, read, and nothing else; at fifteen frames a second."""
    seen = watch_room(["plain"], Random(3), fps=15.0)
    assert seen.throws == 1
    assert not (seen.wrong + seen.missed + seen.false)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_sixty_throws_among_hands_lamps_and_accidents(part: int) -> None:
    """Fifteen of a mix drawn from a committed seed: none wrong, missed or invented, taken in a quarter of a second."""
    chance = Random(MIX_SEED + part)
    seen = watch_room([chance.choice(list(SCENARIOS)) for _ in range(15)], chance)
    assert seen.throws >= 15
    assert not (seen.wrong + seen.missed + seen.false)
    assert median(seen.delays_s) <= 0.25


@pytest.mark.slow
def test_twenty_seconds_of_hands_are_no_throw() -> None:
    """Hands, shadows, a lamp and the sun over dice that lie there: nothing is taken."""
    world = World(5, chance=Random(MIX_SEED), drop=0.03)
    room = Room(world, 5)
    for wait_s in SCENARIOS["plain"](world, Random(1), Told()):
        room.run(wait_s)
    taken = list(room.taken)
    begin_s = world.now_s
    while world.now_s < begin_s + HANDS_S:
        world.wave_hand()
        world.cast_shadow()
        world.switch_lamp()
        world.shine(0.3)
        room.run(SETTLED)
    assert len(taken) == 1
    assert room.taken == taken


@pytest.mark.soak
@pytest.mark.parametrize("part", range(20))
def test_a_thousand_throws(part: int) -> None:
    """Fifty of a thousand, in other rooms: at most two in a thousand wrong means that a part has at most one."""
    chance = Random(1000 + part)
    seen = watch_room(
        [chance.choice(list(SCENARIOS)) for _ in range(50)], chance, fps=chance.choice((15.0, 24.0, 30.0, 60.0))
    )
    assert not seen.missed
    assert not seen.false
    assert len(seen.wrong) <= 1
