"""The simulated tray's camera and buttons, which implement the device ports, in simulated or real time."""

from collections.abc import Callable, Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from tabletop.core.ports import ButtonName, Edge, Frame

Clock = Callable[[], float]
Wait = Callable[[float], None]

PRESS_S = 0.12  # how long a person holds a button for a plain press
LONG_S = 0.75  # and for a long one: until something happens on the screen, then a little
BETWEEN_PRESSES_S = 0.22
CHATTER_S = 0.006  # J. Ganssle, "A Guide to Debouncing": switches bounce for 1.6 ms in the mean, 6.2 ms at most
CHATTERS = 3  # at most this many times a contact opens again while it closes


class TrayCamera:
    """A camera over the simulated tray.

    show: returns the picture for a time. Without a clock each `read` is one frame later (simulated time from 0.0, not
    live). With a clock and a wait the camera is live: `read` waits for the next frame time and uses the clock's time;
    frames not read in time are dropped.
    """

    def __init__(
        self,
        show: Callable[[float], NDArray[np.uint8]],
        *,
        fps: float,
        clock: Clock | None = None,
        wait: Wait | None = None,
    ) -> None:
        self.live = clock is not None
        self.frame_s = 1.0 / fps
        self._show = show
        self._clock = clock
        self._wait = wait
        self._count = 0
        self._due_s = clock() if clock else 0.0
        self._closed = False

    def read(self) -> Frame | None:
        """Return the next frame (pixels are read-only; the same array while nothing changes), None once closed."""
        if self._closed:
            return None
        time_s = self._next_time_s()
        self._count += 1
        return Frame(self._show(time_s), time_s)

    def close(self) -> None:
        """End the frames."""
        self._closed = True

    def _next_time_s(self) -> float:
        if self._clock is None:
            return self._count * self.frame_s
        now_s = self._clock()
        if now_s < self._due_s and self._wait:
            self._wait(self._due_s - now_s)
            now_s = max(self._clock(), self._due_s)
        next_s = self._due_s + self.frame_s
        self._due_s = next_s if now_s < next_s else now_s + self.frame_s  # late: restart the rhythm from now
        return now_s


class TrayButtons:
    """Two buttons with bouncing contacts. now: the time on the clock of the frames; chance: draws the bouncing."""

    def __init__(self, now: Clock, chance: Random) -> None:
        self._now = now
        self._chance = chance
        self._edges: list[Edge] = []
        self._free_s = float("-inf")
        self._call: Callable[[], None] = lambda: None

    @property
    def ahead_s(self) -> float:
        """How long a press would wait for those before it, in seconds; 0 or less if not at all."""
        return self._free_s - self._now()

    def press(self, button: ButtonName, *, long: bool = False, prompt: bool = False) -> float:
        """Press a button now, or after the presses already begun. Returns when the last contact will have opened.

        prompt: with a key (`Edge`).
        """
        down_s = max(self._now(), self._free_s)
        up_s = down_s + (LONG_S if long else PRESS_S)
        self._change(down_s, button, down=True, prompt=prompt)
        end_s = self._change(up_s, button, down=False, prompt=prompt)
        self._free_s = end_s + BETWEEN_PRESSES_S
        self._call()
        return end_s

    def edges(self) -> Sequence[Edge]:
        """Return the new edges up to now, oldest first."""
        now_s = self._now()
        due = [edge for edge in self._edges if edge.time_s <= now_s]
        self._edges = self._edges[len(due) :]
        return due

    def listen(self, call: Callable[[], None]) -> None:
        """Call `call` when a press begins; its later edges are still to come."""
        self._call = call

    def close(self) -> None:
        """Drop unread edges."""
        self._edges.clear()

    def _change(self, time_s: float, button: ButtonName, *, down: bool, prompt: bool) -> float:
        times = sorted(self._chance.uniform(0.0, CHATTER_S) for _ in range(2 * self._chance.randint(0, CHATTERS)))
        for count, after_s in enumerate((0.0, *times)):
            self._edges.append(Edge(time_s + after_s, button, down if count % 2 == 0 else not down, prompt=prompt))
        return self._edges[-1].time_s
