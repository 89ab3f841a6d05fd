"""The form of a scenario: actions in a `RoomWorld`, and the throws that a good scorekeeper would take."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

from tools.room.world import RoomWorld

SETTLED = -1.0  # wait until everything begun is over
READ = -2.0  # people look at the screen: if it cannot read a die they help, until the throw is taken
PAUSE_S = 0.6  # people look at their dice
CALM, LONG_CALM = (SETTLED, PAUSE_S), (SETTLED, 2 * PAUSE_S)  # what most scenarios end with
Faces = tuple[int, ...]
Steps = Iterator[float]


@dataclass(slots=True)
class Expected:
    """The expected result of a scenario.

    throws: the real throws that a good scorekeeper takes, in order: sorted faces. maybe: which of them (by number) lay
    too briefly to be read for certain. keeping: the next throw keeps what lies aside; otherwise all dice are due again.
    rail: whether the table knows the rail's position.
    """

    throws: list[Faces] = field(default_factory=list)
    maybe: set[int] = field(default_factory=set)
    keeping: bool = False
    rail: bool = False


Scenario = Callable[[RoomWorld, Random, Expected], Steps]
"""Does things and yields how long to wait before the next: a number of seconds, `SETTLED` or `READ`."""


def throw_all(world: RoomWorld, expected: Expected, **how: bool | float) -> float:
    """Throw all dice, record it, and return when they lie still."""
    end_s = world.throw(**how)  # type: ignore[arg-type]  # flags and counts of `RoomWorld.throw`
    expected.throws.append(world.tray.lying_faces)
    return end_s


def plain(world: RoomWorld, _: Random, expected: Expected) -> Steps:
    """Throw, and nothing else."""
    throw_all(world, expected)
    yield from CALM
    yield READ
