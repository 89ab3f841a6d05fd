"""The simulated tray with the hands over it: they throw, keep and nudge the dice.

    world = World.of(dice=5, chance=Random(1))
    world.throw()
    while world.busy:
        frame = world.camera.read()
    world.tray.truth().faces        # what lies there

A verb begins when those before it are over and returns the time when it will be over. The same chance gives the same
pictures.
"""

from collections.abc import Sequence
from random import Random
from threading import RLock
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.devices import Clock, Wait
from tabletop.simulator.hands import Hands
from tabletop.simulator.tray import Pace, Tray

if TYPE_CHECKING:
    from tabletop.core.ports import Camera

Picture = NDArray[np.uint8]

FPS = 30.0
SHUTTER_S = 1 / 60  # what moves blurs for this long


class World:
    """A tray, the hands over it and the camera above. shutter_s: what moves blurs for this long."""

    def __init__(self, tray: Tray, hands: Hands, *, shutter_s: float = SHUTTER_S) -> None:
        self.tray, self._hands, self._shutter_s = tray, hands, shutter_s
        self._lock = RLock()  # a live camera is read by one thread while another throws
        self.camera: Camera = tray.camera.over(self.show)

    @classmethod
    def of(
        cls,
        dice: int,
        *,
        chance: Random,
        pace: Pace | None = None,
        fps: float = FPS,
        clock: Clock | None = None,
        wait: Wait | None = None,
    ) -> Self:
        """Return a world with this many dice. The parameters are those of `Tray`; the hands have the same pace."""
        tray = Tray(dice, chance=chance, pace=pace, fps=fps, clock=clock, wait=wait, shutter_s=SHUTTER_S)
        return cls(tray, Hands(tray, pace or Pace(), Random(chance.getrandbits(64))))  # noqa: S311 - repeatable

    @property
    def now_s(self) -> float:
        """The time of the newest frame."""
        return self.tray.now_s

    @property
    def busy(self) -> bool:
        """Whether something that was begun is still going on."""
        return self.tray.busy or self._hands.busy

    def throw(self, dice: int | None = None, *, which: Sequence[int] = (), faces: Sequence[int] = ()) -> float:
        """Pick up the lying dice and throw them, as `Tray.throw` does, with a visible hand."""
        with self._lock:
            self._hands.take_up(sorted(set(which)) or self.tray.thrown_next(dice))
            hand, fly_s = self._hands.throw()
            return self.tray.throw(dice, which=which, faces=faces, hand=hand.point(fly_s))

    def keep(self, which: Sequence[int], *, leave: bool = False) -> float:
        """Carry dice to the rail, or leave them where they lie; later throws spare them."""
        with self._lock:
            for index in which:
                if not leave:
                    self._hands.reach_die(index)
                self.tray.set_aside([index], leave=leave)
            return self.tray.busy_until_s

    def nudge(self, index: int | None = None) -> float:
        """Push a die, or one drawn by chance; its face stays up."""
        with self._lock:
            return self.tray.nudge(self._hands.reach_die(index))

    def show(self, time_s: float) -> Picture:
        """Advance time to `time_s` and return the picture, (480, 640, 3) uint8 BGR."""
        with self._lock:
            return self._hands.draw(self.tray.show(time_s), time_s, self._shutter_s)
