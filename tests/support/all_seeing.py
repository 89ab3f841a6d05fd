"""A reader that knows what is so in the simulated room: what is then decided is not the reader's fault."""

import numpy as np
from numpy.typing import NDArray

from tabletop.core.values import Die, Reading, Unsure, UnsureReason
from tools.room.world import RoomWorld


class AllSeeing:
    """Reads the newest frame of a world: every die that no hand hides. frames: how many it was asked for."""

    def __init__(self, world: RoomWorld) -> None:
        self.world, self.frames = world, 0

    def __call__(
        self, frame: NDArray[np.uint8], *, time_s: float, die_px: float | None, expect: int | None, fixed_size: bool
    ) -> Reading:
        """Return what is true of the frame, whatever is told and expected."""
        assert die_px is None or die_px > 0
        assert expect is None or expect > 0
        assert not fixed_size or die_px
        self.frames += 1
        truth = self.world.truth()
        flat = [die for die in truth.dice if not die.leaning]
        dice = tuple(Die(die.face, die.x, die.y, die.size, die.angle, "white", 0.99) for die in flat)
        leaning = tuple(Unsure(die.x, die.y, die.size, UnsureReason.LEANS) for die in truth.dice if die.leaning)
        height, width = frame.shape[:2]
        return Reading(time_s, width, height, dice, leaning) if truth.free else Reading(time_s, width, height)
