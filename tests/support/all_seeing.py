"""A reader that knows what is so in the simulated room: what is then decided is not the reader's fault."""

import numpy as np
from numpy.typing import NDArray

from tabletop.core.ports import Frame
from tabletop.core.values import Die, Reading, Unsure, UnsureReason
from tabletop.interpret import TableMemory, on_rest
from tabletop.perception.camera_pose import IDENTITY, apply_to_reading
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.rules import Request, Throw
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


class WatchedWorld:
    """Somebody who waits for throws of all dice of a world, through a camera that can be put anywhere over it.

    way: from the pixels of the world's picture to those of the camera's. taken: the throws.
    """

    def __init__(self, world: RoomWorld) -> None:
        self.world, self.dice, self.way = world, len(world.tray.pieces), IDENTITY
        self.eye, self.watch = AllSeeing(world), PerceptionPipeline(self._read)
        self.memory, self.taken = TableMemory(), list[tuple[int, ...]]()

    def _read(
        self, frame: NDArray[np.uint8], *, time_s: float, die_px: float | None, expect: int | None, fixed_size: bool
    ) -> Reading:
        seen = self.eye(frame, time_s=time_s, die_px=die_px, expect=expect, fixed_size=fixed_size)
        return apply_to_reading(seen, self.way)

    def picture(self, pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return pixels

    def run(self, seconds: float) -> FrameResult:
        """Watch until all that was begun is over, and so many seconds more; return what was seen last."""
        end_s = max(self.world.now_s, self.world.tray.busy_until_s) + seconds
        while True:
            frame = self.world.camera.read()
            assert frame is not None
            seen = self.watch.process(Frame(self.picture(frame.pixels), frame.time_s), self.dice)
            if seen.rest is not None:
                outcome = on_rest(Request("roll", "Ann", self.dice), self.memory, seen.rest, (), lambda _: True)
                self.memory = outcome.memory
                self.taken += [answer.faces for answer in outcome.answers if isinstance(answer, Throw)]  # type: ignore[misc]  # no joint throws here
            if self.world.now_s >= end_s and not self.world.busy:
                return seen


def places(seen: FrameResult) -> list[tuple[float, float]]:
    assert seen.rest is not None
    return sorted((die.x, die.y) for die in seen.rest.reading.dice)
