"""How a simulated die moves: thrown, pushed along the ground, or lifted away. Pure functions of time.

Kinematics, not physics: a path that looks right and ends exactly in the pose that chance has drawn.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Protocol

import numpy as np

from tabletop.simulator.render.compose import PosedDie, as_rotation, turn_about

AIRBORNE = 0.72  # part of a throw's time after which the die no longer leaves the ground
ROLLING = 0.88  # part of a throw's time after which it lies on its face and only slides and turns
HOPS = 2.5  # half a hop from the hand, then two bounces; the half makes it end on the ground
HOP_EDGES = 2.2  # height of the hand above the ground, in edges of the die


class Motion(Protocol):
    """A die's motion between two times; until `start_s` it stays where it was, from `end_s` on where `pose` ends."""

    @property
    def start_s(self) -> float:
        """When the die starts to move."""

    @property
    def end_s(self) -> float:
        """When it has come to rest, or has left."""

    @property
    def leaves(self) -> bool:
        """Whether it leads out of the frame, into a hand."""

    def pose(self, time_s: float) -> PosedDie:
        """Return where the die is; time_s is clipped to start and end."""


def part_of(motion: Motion, time_s: float) -> float:
    """Return how much of the motion is over, 0 to 1."""
    return min(max((time_s - motion.start_s) / (motion.end_s - motion.start_s), 0.0), 1.0)


@dataclass(frozen=True, slots=True)
class Tumble:
    """A throw: in from (from_x, from_y) in hops, rolling over its edges, ever slower, until it lies as `rest`.

    roll_deg: how far it still has to roll forward at the start; spin_deg: how far to turn about the vertical;
    bend_px: how far its path bows to the side.
    """

    rest: PosedDie
    from_x: float
    from_y: float
    roll_deg: float
    spin_deg: float
    bend_px: float
    start_s: float
    end_s: float
    leaves: bool = False

    def pose(self, time_s: float) -> PosedDie:
        """Return the die in the air or rolling; exactly `rest` at the end."""
        part = part_of(self, time_s)
        if part >= 1.0:
            return self.rest
        along_x, along_y = self.rest.x - self.from_x, self.rest.y - self.from_y
        length = math.hypot(along_x, along_y) or 1.0
        along_x, along_y = along_x / length, along_y / length
        left = (1.0 - part) ** 2
        side = self.bend_px * math.sin(math.pi * part) * (1.0 - part)
        rolling = 1.0 - min(part / ROLLING, 1.0)
        # The top moves ahead, so the axis lies across the path; the die still has to roll what is left about it.
        roll = turn_about((-along_y, along_x, 0.0), -self.roll_deg * rolling**1.4)
        spin = turn_about((0.0, 0.0, 1.0), -self.spin_deg * left)
        flying = min(part / AIRBORNE, 1.0)
        hop = abs(math.cos(math.pi * HOPS * flying)) * (1.0 - flying) ** 1.5
        return replace(
            self.rest,
            x=self.rest.x - along_x * length * left - along_y * side,
            y=self.rest.y - along_y * length * left + along_x * side,
            rotation=as_rotation(roll @ spin @ np.asarray(self.rest.rotation, np.float32)),
            lift_px=self.rest.lift_px + HOP_EDGES * self.rest.size_px * hop,
        )


@dataclass(frozen=True, slots=True)
class Slide:
    """A hand pushes the die over the ground, or carries it low: from one flat pose to another with the same face up."""

    begin: PosedDie
    rest: PosedDie
    turn_deg: float
    carry_px: float
    start_s: float
    end_s: float
    leaves: bool = False

    def pose(self, time_s: float) -> PosedDie:
        """Return the die in motion, lifted by at most `carry_px`; exactly `rest` at the end."""
        part = part_of(self, time_s)
        if part >= 1.0:
            return self.rest
        eased = part * part * (3.0 - 2.0 * part)
        turn = turn_about((0.0, 0.0, 1.0), -self.turn_deg * (1.0 - eased))
        return replace(
            self.rest,
            x=self.begin.x + (self.rest.x - self.begin.x) * eased,
            y=self.begin.y + (self.rest.y - self.begin.y) * eased,
            rotation=as_rotation(turn @ np.asarray(self.rest.rotation, np.float32)),
            lift_px=self.begin.lift_px * (1.0 - eased)
            + self.rest.lift_px * eased
            + self.carry_px * math.sin(math.pi * part),
        )


@dataclass(frozen=True, slots=True)
class Lift:
    """A hand takes the die away to (to_x, to_y), which lies outside the frame."""

    begin: PosedDie
    to_x: float
    to_y: float
    start_s: float
    end_s: float
    leaves: bool = True

    def pose(self, time_s: float) -> PosedDie:
        """Return the die on its way out, ever higher and faster."""
        part = part_of(self, time_s)
        return replace(
            self.begin,
            x=self.begin.x + (self.to_x - self.begin.x) * part**2,
            y=self.begin.y + (self.to_y - self.begin.y) * part**2,
            lift_px=self.begin.lift_px + HOP_EDGES * self.begin.size_px * part,
        )


@dataclass(frozen=True, slots=True)
class Ride:
    """A visible hand carries the die along, and away at the end. place: where the hand is at a time, (x, y)."""

    begin: PosedDie
    place: Callable[[float], tuple[float, float]]
    start_s: float
    end_s: float
    leaves: bool = True

    def pose(self, time_s: float) -> PosedDie:
        """Return the die beside the moving hand that took it."""
        from_x, from_y = self.place(self.start_s)
        to_x, to_y = self.place(min(max(time_s, self.start_s), self.end_s))
        lift_px = self.begin.size_px * min(0.5, part_of(self, time_s))
        return replace(self.begin, x=self.begin.x + to_x - from_x, y=self.begin.y + to_y - from_y, lift_px=lift_px)


def tumble_to(rest: PosedDie, hand: tuple[float, float], start_s: float, end_s: float, chance: Random) -> Tumble:
    """Return a throw from the hand at (x, y) that ends in `rest`, with the looks of the flight drawn from `chance`."""
    from_x, from_y = hand
    length = math.hypot(rest.x - from_x, rest.y - from_y)
    # A die that rolls without sliding turns by its path over half its edge; thrown dice slide for much of the path.
    rolled_deg = math.degrees(length / (rest.size_px / 2))
    return Tumble(
        rest=rest,
        from_x=from_x,
        from_y=from_y,
        roll_deg=rolled_deg * chance.uniform(0.5, 0.8),
        spin_deg=chance.uniform(-200.0, 200.0),
        bend_px=chance.uniform(-1.0, 1.0) * rest.size_px,
        start_s=start_s,
        end_s=end_s,
    )
