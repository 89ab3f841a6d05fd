"""What happens at a table while people throw dice, drawn by chance: the mix on which watching the tray is proved.

A scenario does things in a `World` and yields how long to wait before the next: a number of seconds, or `SETTLED`,
until everything begun is over. It notes in `Told` every throw that a good scorekeeper takes, and nothing else is one.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

from tabletop.simulator.world import World

SETTLED = -1.0  # wait until everything begun is over
PAUSE_S = 0.6  # people look at their dice
Steps = Iterator[float]


@dataclass(slots=True)
class Told:
    """The throws that were truly made, in their order: their faces, sorted."""

    throws: list[tuple[int, ...]] = field(default_factory=list)


Scenario = Callable[[World, Random, Told], Steps]


def plain(world: World, _: Random, told: Told) -> Steps:
    """Throw, and nothing else."""
    world.throw()
    told.throws.append(world.tray.lying_faces)
    yield SETTLED
    yield PAUSE_S


def waving_afterwards(world: World, chance: Random, told: Told) -> Steps:
    """Let a hand pass over the dice after they were read."""
    yield from plain(world, chance, told)
    world.wave_hand(chance.uniform(0.8, 1.8))
    yield SETTLED
    yield PAUSE_S


def hand_in_the_way(world: World, chance: Random, told: Told) -> Steps:
    """Have a hand over the dice when they come to rest; they count once it is gone."""
    end_s = world.throw()
    told.throws.append(world.tray.lying_faces)
    yield max(0.0, end_s - world.now_s - 0.3)
    world.wave_hand(chance.uniform(0.6, 1.2))
    yield SETTLED
    yield PAUSE_S


def die_on_the_floor(world: World, _: Random, told: Told) -> Steps:
    """Let one die roll over the wall; it is thrown again, alone, and completes the throw."""
    world.throw(lost=1)
    yield SETTLED
    yield 2 * PAUSE_S
    gone = next(index for index, piece in enumerate(world.tray.pieces) if piece.place is None)
    world.tray.throw(which=[gone])
    told.throws.append(world.tray.lying_faces)
    yield SETTLED
    yield PAUSE_S


def leaning_die(world: World, _: Random, told: Told) -> Steps:
    """Have a die lean on the wall until somebody nudges it."""
    world.throw(leaning=1)
    yield SETTLED
    yield 2 * PAUSE_S
    world.nudge(next(index for index, piece in enumerate(world.tray.pieces) if piece.leans))
    told.throws.append(world.tray.lying_faces)
    yield SETTLED
    yield PAUSE_S


def nudged_afterwards(world: World, chance: Random, told: Told) -> Steps:
    """Push a die after the throw was read: no new throw."""
    yield from plain(world, chance, told)
    world.nudge(chance.randrange(world.tray.count))
    yield SETTLED
    yield PAUSE_S


def turned_afterwards(world: World, chance: Random, told: Told) -> Steps:
    """Turn a die to another face after the throw was read: the throw stands."""
    yield from plain(world, chance, told)
    index = chance.randrange(world.tray.count)
    world.turn(index, 7 - world.tray.pieces[index].face)
    yield SETTLED
    yield 2 * PAUSE_S


def children_fiddling(world: World, chance: Random, told: Told) -> Steps:
    """Push dice about for some seconds."""
    yield from plain(world, chance, told)
    for _ in range(4):
        world.nudge(chance.randrange(world.tray.count))
        yield SETTLED
        yield chance.uniform(0.05, 0.5)


def quick_hands(world: World, chance: Random, told: Told) -> Steps:
    """Throw again a quarter of a second after the last throw came to rest."""
    world.throw()
    told.throws.append(world.tray.lying_faces)
    yield SETTLED
    yield 0.25
    yield from plain(world, chance, told)


def lamp_switched(world: World, chance: Random, told: Told) -> Steps:
    """Switch a lamp off or on, in the middle of the throw or after it."""
    end_s = world.throw()
    told.throws.append(world.tray.lying_faces)
    yield max(0.0, end_s - world.now_s + chance.uniform(-0.6, 0.6))
    world.switch_lamp()
    yield SETTLED
    yield 2 * PAUSE_S


def sun_wandering(world: World, chance: Random, told: Told) -> Steps:
    """Let sunlight wander across the tray."""
    world.shine(chance.uniform(0.2, 0.7))
    yield from plain(world, chance, told)
    yield PAUSE_S
    world.shine(0.0)


def camera_bumped(world: World, chance: Random, told: Told) -> Steps:
    """Nudge the camera after the throw was read: no new throw."""
    yield from plain(world, chance, told)
    world.bump_camera()
    yield 2 * PAUSE_S


def leaning_over(world: World, chance: Random, told: Told) -> Steps:
    """Let somebody's shadow fall on the tray while dice tumble."""
    world.cast_shadow(2.5)
    yield from plain(world, chance, told)


SCENARIOS: dict[str, Scenario] = {
    scenario.__name__: scenario
    for scenario in (
        plain,
        waving_afterwards,
        hand_in_the_way,
        die_on_the_floor,
        leaning_die,
        nudged_afterwards,
        turned_afterwards,
        children_fiddling,
        quick_hands,
        lamp_switched,
        sun_wandering,
        camera_bumped,
        leaning_over,
    )
}
