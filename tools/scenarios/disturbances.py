"""Disturbances: hands, cups, children, lamps, sunlight, a nudged camera. None of them is a throw."""

from random import Random

from tools.room.world import RoomWorld
from tools.scenarios.scenario import CALM, LONG_CALM, PAUSE_S, SETTLED, Expected, Scenario, Steps, plain, throw_all


def waving_afterwards(world: RoomWorld, chance: Random, expected: Expected) -> Steps:
    """Let a hand pass over the dice after they were read."""
    yield from plain(world, chance, expected)
    world.wave_hand(chance.uniform(0.8, 1.8))
    yield from CALM


def hand_in_the_way(world: RoomWorld, chance: Random, expected: Expected) -> Steps:
    """Hold a hand over the dice when they come to rest; they count once it is gone."""
    end_s = throw_all(world, expected)
    yield max(0.0, end_s - world.now_s - 0.3)
    world.wave_hand(chance.uniform(0.6, 1.2))
    yield from CALM


def hand_laid_down(world: RoomWorld, chance: Random, expected: Expected) -> Steps:
    """Hold a hand still over some of the dice, as they come to rest or afterwards."""
    end_s = throw_all(world, expected)
    yield max(0.0, end_s - world.now_s - chance.uniform(-0.8, 0.4))
    world.rest_hand(chance.uniform(0.5, 2.0))
    yield from CALM


def two_hands(world: RoomWorld, chance: Random, expected: Expected) -> Steps:
    """Let two people point at the dice at the same time."""
    yield from plain(world, chance, expected)
    world.wave_hand(chance.uniform(0.8, 1.5))
    world.rest_hand(chance.uniform(0.5, 1.5))
    yield from CALM


def cup_set_down(world: RoomWorld, chance: Random, expected: Expected) -> Steps:
    """Set a cup down among the dice, and take it away."""
    yield from plain(world, chance, expected)
    world.set_cup(chance.uniform(0.5, 2.5))
    yield from CALM


def empty_tray_waved_over(world: RoomWorld, chance: Random, expected: Expected) -> Steps:
    """Take the dice up, wave over the empty tray with them in the hand, then throw."""
    world.pick_up()
    yield SETTLED
    world.wave_hand(chance.uniform(0.6, 1.5))
    yield SETTLED
    yield from plain(world, chance, expected)


def nudged_afterwards(world: RoomWorld, chance: Random, expected: Expected) -> Steps:
    """Push a die after the throw was read: no new throw."""
    yield from plain(world, chance, expected)
    world.nudge(chance.randrange(len(world.tray.pieces)))
    yield from CALM


def turned_afterwards(world: RoomWorld, chance: Random, expected: Expected) -> Steps:
    """Turn a die to another face after the throw was read: the throw stands."""
    yield from plain(world, chance, expected)
    index = chance.randrange(len(world.tray.pieces))
    world.turn(index, 7 - world.tray.pieces[index].face)
    yield from LONG_CALM


def turned_slowly_afterwards(world: RoomWorld, chance: Random, expected: Expected) -> Steps:
    """Turn a die with the fingers on it for a while, after the throw was read: the throw stands."""
    yield from plain(world, chance, expected)
    index = chance.randrange(len(world.tray.pieces))
    world.turn(index, 7 - world.tray.pieces[index].face, chance.uniform(0.5, 3.5))
    yield from LONG_CALM


def leant_afterwards(world: RoomWorld, chance: Random, expected: Expected) -> Steps:
    """Knock a die over after the throw was read, so that it leans or lies on another: the throw stands."""
    yield from plain(world, chance, expected)
    if chance.random() < 0.7:  # noqa: PLR2004 - share
        world.lean()
    else:
        world.stack()
    yield from LONG_CALM


def swept_off_afterwards(world: RoomWorld, chance: Random, expected: Expected) -> Steps:
    """Sweep a die onto the floor after the throw was read: the throw stands."""
    yield from plain(world, chance, expected)
    world.drop_on_floor()
    yield from LONG_CALM


def children_fiddling(world: RoomWorld, chance: Random, expected: Expected) -> Steps:
    """Push dice around for some seconds."""
    yield from plain(world, chance, expected)
    for _ in range(4):
        world.nudge(chance.randrange(len(world.tray.pieces)))
        yield SETTLED
        yield chance.uniform(0.05, 0.5)


def all_pushed_together(world: RoomWorld, chance: Random, expected: Expected) -> Steps:
    """Push every die a little, one after the other: they were not thrown."""
    yield from plain(world, chance, expected)
    for index in chance.sample(range(len(world.tray.pieces)), len(world.tray.pieces)):
        world.nudge(index)
    yield from LONG_CALM


def all_slid_aside(world: RoomWorld, chance: Random, expected: Expected) -> Steps:
    """Slide all dice to one side with the flat of the hand, after the throw was read: they were not thrown."""
    yield from plain(world, chance, expected)
    world.slide_all()
    yield from LONG_CALM


def lamp_switched(world: RoomWorld, chance: Random, expected: Expected) -> Steps:
    """Switch a lamp off or on, during the throw or after it."""
    end_s = throw_all(world, expected)
    yield max(0.0, end_s - world.now_s + chance.uniform(-0.6, 0.6))
    world.switch_lamp()
    yield from LONG_CALM


def sun_wandering(world: RoomWorld, chance: Random, expected: Expected) -> Steps:
    """Let sunlight move across the tray."""
    world.shine(chance.uniform(0.2, 0.7))
    yield from plain(world, chance, expected)
    yield PAUSE_S
    world.shine(0.0)


def camera_bumped(world: RoomWorld, chance: Random, expected: Expected) -> Steps:
    """Nudge the camera after the throw was read: no new throw."""
    yield from plain(world, chance, expected)
    world.bump_camera()
    yield 2 * PAUSE_S


def camera_bumped_while_they_roll(world: RoomWorld, chance: Random, expected: Expected) -> Steps:
    """Nudge the camera while dice tumble: the throw counts once all is still."""
    end_s = throw_all(world, expected)
    yield max(0.0, end_s - world.now_s - chance.uniform(0.1, 0.7))
    world.bump_camera()
    yield from LONG_CALM


def leaning_over(world: RoomWorld, chance: Random, expected: Expected) -> Steps:
    """Let somebody's shadow fall on the tray while dice tumble."""
    world.cast_shadow(2.5)
    yield from plain(world, chance, expected)


MEANWHILE: tuple[Scenario, ...] = (
    waving_afterwards,
    hand_in_the_way,
    hand_laid_down,
    two_hands,
    cup_set_down,
    empty_tray_waved_over,
    nudged_afterwards,
    turned_afterwards,
    turned_slowly_afterwards,
    leant_afterwards,
    swept_off_afterwards,
    children_fiddling,
    all_pushed_together,
    all_slid_aside,
    lamp_switched,
    sun_wandering,
    camera_bumped,
    camera_bumped_while_they_roll,
    leaning_over,
)
