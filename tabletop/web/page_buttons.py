"""The two buttons of the page: taps become edges, as those of real buttons are, and go the same way from there."""

from collections.abc import Callable, Sequence
from threading import Lock

from tabletop.core.ports import ButtonName, Edge
from tabletop.input.presses import CHATTER_S, LONG_PRESS_S

PRESS_S = 0.03  # a quick finger, longer than chatter
LONG_S = LONG_PRESS_S + 0.02  # a little more than what makes a press long
GAP_S = CHATTER_S + 0.01  # until it is certain that the button was let go
MOST_AHEAD_S = 1.0  # presses that wait for longer than this were not meant


class PageButtons:
    """A pair of buttons that are pressed from other threads. clock: that of the table."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._lock = clock, Lock()
        self._edges: list[Edge] = []
        self._free_s = float("-inf")
        self._call: Callable[[], None] = lambda: None

    def press(self, button: ButtonName, *, long: bool = False) -> bool:
        """Press a button now, or behind the presses that wait; False if too many wait, and nothing was pressed.

        A long press has been long already: its first edge lies in the past, behind the press before it, so that nobody
        waits for it.
        """
        with self._lock:
            now_s = self._clock()
            if self._free_s - now_s > MOST_AHEAD_S:
                return False
            down_s = max(self._free_s, now_s - LONG_S if long else now_s)
            up_s = down_s + (LONG_S if long else PRESS_S)
            self._edges += [Edge(at_s, button, down, prompt=True) for at_s, down in ((down_s, True), (up_s, False))]
            self._free_s = up_s + GAP_S
        self._call()
        return True

    def pressing(self, now_s: float) -> bool:
        """Return whether what was pressed may not have had its effect yet."""
        return now_s < self._free_s

    def edges(self) -> Sequence[Edge]:
        """Return the edges up to now that were not returned before, oldest first."""
        with self._lock:
            now_s = self._clock()
            due = [edge for edge in self._edges if edge.time_s <= now_s]
            self._edges = self._edges[len(due) :]
        return due

    def wake(self) -> None:
        """Wake whoever listens, without a press."""
        self._call()

    def listen(self, call: Callable[[], None]) -> None:
        """Call this when a press begins; its second edge is still to come."""
        self._call = call

    def close(self) -> None:
        """Drop the edges that were not read."""
        with self._lock:
            self._edges.clear()
