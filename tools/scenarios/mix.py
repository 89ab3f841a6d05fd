"""A random mix of scenarios on which the perception of the tray is tested.

A scenario does things in a `RoomWorld` and yields how long to wait before the next: a number of seconds, `SETTLED`,
until everything begun is over, or `READ`, until the throw is taken. It adds to `Expected` every throw that a good
scorekeeper takes; nothing else counts as one.
"""

from collections.abc import Sequence
from random import Random

from tabletop.simulator.tray import Pace
from tools.scenarios.disturbances import MEANWHILE
from tools.scenarios.scenario import READ, SETTLED, Expected, Scenario, Steps
from tools.scenarios.throws import THROWS
from tools.scenarios.throws import UNSOLVED as UNSOLVED_THROWS

__all__ = ["READ", "SCENARIOS", "SETTLED", "UNSOLVED", "Expected", "Scenario", "Steps", "any_pace", "mix"]

SCENARIOS: dict[str, Scenario] = {scenario.__name__: scenario for scenario in (*THROWS, *MEANWHILE)}
UNSOLVED: dict[str, Scenario] = {scenario.__name__: scenario for scenario in UNSOLVED_THROWS}  # in no mix


def mix(count: int, chance: Random) -> Sequence[str]:
    """Return this many scenarios in random order, each as often as the others, give or take one."""
    names: list[str] = []
    while len(names) < count:
        names += chance.sample(list(SCENARIOS), len(SCENARIOS))
    return names[:count]


def any_pace(chance: Random) -> Pace:
    """Return the speed of a random person's hands."""
    slow = chance.uniform(0.7, 1.4)
    shortest_s = chance.uniform(0.4, 0.8)
    return Pace(lift_s=0.3 * slow, in_hand_s=chance.uniform(0.3, 0.9), tumble_s=(shortest_s, shortest_s * 1.6))
