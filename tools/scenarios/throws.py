"""Scenarios of throwing: how dice get into the tray, what goes wrong with them, and which are kept."""

from random import Random

from tools.room.tray import leans, stands
from tools.room.world import RoomWorld
from tools.scenarios.scenario import (
    CALM,
    LONG_CALM,
    PAUSE_S,
    READ,
    SETTLED,
    Expected,
    Scenario,
    Steps,
    plain,
    throw_all,
)

MOST_KEPT = 3


def open_palm(world: RoomWorld, _: Random, expected: Expected) -> Steps:
    """Show the dice on the open hand before they are thrown."""
    throw_all(world, expected, open_palm=True)
    yield from CALM


def shown_to_a_neighbour(world: RoomWorld, chance: Random, expected: Expected) -> Steps:
    """Hold the dice quite still on the open hand, over the tray, before throwing."""
    throw_all(world, expected, open_palm=True, shown_s=chance.uniform(0.5, 2.0))
    yield from CALM


def out_of_a_cup(world: RoomWorld, _: Random, expected: Expected) -> Steps:
    """Throw out of a cup."""
    throw_all(world, expected, cup=True)
    yield from CALM


def die_on_the_floor(world: RoomWorld, _: Random, expected: Expected) -> Steps:
    """Let one die roll over the wall; it is thrown again, alone, and completes the throw."""
    world.throw(lost=1)
    yield from LONG_CALM
    gone = next(index for index, piece in enumerate(world.tray.pieces) if piece.place is None)
    world.throw(which=[gone])
    expected.throws.append(world.tray.lying_faces)
    yield from CALM


def leaning_die(world: RoomWorld, chance: Random, expected: Expected) -> Steps:
    """Let a die lean on a wall or on another die until somebody nudges it; sometimes two of them."""
    world.throw(leaning=chance.choice((1, 1, 1, 2)))
    yield from _mended(world, expected)


def stacked_die(world: RoomWorld, _: Random, expected: Expected) -> Steps:
    """Let a die lie on another one until somebody pushes it down."""
    world.throw(stacked=1)
    yield from _mended(world, expected)


def _mended(world: RoomWorld, expected: Expected) -> Steps:
    yield from LONG_CALM
    for index, piece in enumerate(world.tray.pieces):
        if leans(piece) or stands(piece):
            world.nudge(index)
    expected.throws.append(world.tray.lying_faces)
    yield from CALM


def in_parts(world: RoomWorld, chance: Random, expected: Expected) -> Steps:
    """Throw some dice, and the others a moment later: together they are the throw."""
    world.pick_up()
    first = sorted(chance.sample(range(len(world.tray.pieces)), chance.randint(1, len(world.tray.pieces) - 1)))
    world.throw(which=first)
    yield SETTLED
    yield chance.uniform(0.2, 1.0)
    world.throw(which=[index for index in range(len(world.tray.pieces)) if index not in first])
    expected.throws.append(world.tray.lying_faces)
    yield from CALM


def quick_hands(world: RoomWorld, chance: Random, expected: Expected) -> Steps:
    """Throw again a quarter of a second after the last throw came to rest."""
    throw_all(world, expected)
    yield SETTLED
    yield 0.25
    yield from plain(world, chance, expected)


def taken_up_at_once(world: RoomWorld, chance: Random, expected: Expected) -> Steps:
    """Pick the dice up as soon as they lie still, and throw again: the first throw may be missed."""
    throw_all(world, expected)
    expected.maybe.add(len(expected.throws) - 1)
    yield from plain(world, chance, expected)


def kept_on_the_rail(world: RoomWorld, chance: Random, expected: Expected) -> Steps:
    """Keep some dice on the rail and throw the others; if the rail is unknown, they are left lying."""
    yield from _kept(world, chance, expected, leave=not expected.rail)


def kept_lying(world: RoomWorld, chance: Random, expected: Expected) -> Steps:
    """Leave some dice lying and throw the others."""
    yield from _kept(world, chance, expected, leave=True)


def _kept(world: RoomWorld, chance: Random, expected: Expected, *, leave: bool) -> Steps:
    yield from plain(world, chance, expected)
    expected.keeping = True
    kept: list[int] = []
    for _ in range(chance.choice((1, 1, 2))):
        loose = [index for index in range(len(world.tray.pieces)) if index not in kept]
        kept += chance.sample(loose, chance.randint(1, min(MOST_KEPT, len(loose) - 1)))
        world.keep([index for index in kept if not world.tray.pieces[index].aside], leave=leave)
        yield SETTLED
        yield chance.uniform(0.1, PAUSE_S)
        thrown = [index for index in range(len(world.tray.pieces)) if index not in kept]
        before = _faces(world, thrown)
        world.throw(which=thrown)
        expected.throws.append(_faces(world, thrown))
        if not expected.rail and expected.throws[-1] == before:  # the table asks whether somebody only sorted them
            expected.maybe.add(len(expected.throws) - 1)
        yield from CALM
        yield READ
        if len(thrown) == 1:
            break
    expected.keeping = False
    world.tray.let_go()


def _faces(world: RoomWorld, which: list[int]) -> tuple[int, ...]:
    return tuple(sorted(world.tray.pieces[index].face for index in which))


THROWS: tuple[Scenario, ...] = (
    plain,
    open_palm,
    out_of_a_cup,
    die_on_the_floor,
    leaning_die,
    stacked_die,
    in_parts,
    quick_hands,
    taken_up_at_once,
    kept_on_the_rail,
    kept_lying,
)

# What the table does not always understand yet: if three to six dice are held quite still side by side on one hand,
# fingers are seen around only some of them, and they are taken for thrown. One or two dice held so are no throw.
UNSOLVED: tuple[Scenario, ...] = (shown_to_a_neighbour,)
