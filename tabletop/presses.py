"""From the edges of two chattering contacts to presses as people mean them. Pure: time comes with the edges.

A button that closes counts as down at once. One that opens counts as up when its contact is open `CHATTER_S` later too,
so that a contact which opens for a moment under the finger does not cut a press in two. A short press is told then, a
long one while it is still held, as soon as it is long. A button that is down when the program starts can only open:
that is no press.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

from tabletop.ports import BUTTON_NAMES, ButtonName, Edge, Press

CHATTER_S = 0.015  # contacts of small push buttons bounce for up to 12 ms; a quick tap lasts 20 ms
LONG_PRESS_S = 0.6  # held for so long, a press means something else
STUCK_S = 10.0  # nobody holds a button for so long: it is jammed, or wired wrongly


@dataclass(slots=True)
class _Contact:
    """One button.

    closed: what the contact said last. down: what we take the button for, since `since_s`. told: this press was told.
    opening: it may have been let go. look_s: then the contact is believed, until then it may chatter.
    """

    closed: bool = False
    down: bool = False
    since_s: float = 0.0
    told: bool = False
    opening: bool = False
    look_s: float = inf

    def next_s(self) -> float:
        """Return when something happens without an edge."""
        long_s = self.since_s + LONG_PRESS_S if self.down and not self.told and not self.opening else inf
        return min(self.look_s, long_s)

    def change(self, edge: Edge) -> None:
        """Take in an edge."""
        self.closed = edge.down
        if self.look_s == inf:
            self._believe(edge.time_s)

    def pass_to(self, time_s: float) -> bool | None:
        """Let what is due at `time_s` happen; return whether a press completed by it was long, None for no press."""
        if time_s < self.look_s:
            self.told = True
            return True
        self.look_s = inf
        if self.opening and not self.closed:
            short = not self.told
            self.down = self.opening = False
            return False if short else None
        self.opening = False
        if self.closed != self.down:
            self._believe(time_s)
        return None

    def _believe(self, time_s: float) -> None:
        """Begin what the contact says; the time of chatter starts even where it says nothing new."""
        if self.closed and not self.down:
            self.down, self.told, self.since_s = True, False, time_s
        else:
            self.opening = self.down and not self.closed
        self.look_s = time_s + CHATTER_S


class Presses:
    """Makes presses of edges; one for each rig, whatever its buttons are."""

    def __init__(self) -> None:
        self._contacts: dict[ButtonName, _Contact] = {name: _Contact() for name in BUTTON_NAMES}

    def feed(self, edges: Iterable[Edge], now_s: float) -> list[Press]:
        """Return the presses that these edges, oldest first, and the time up to `now_s` complete, in their order."""
        presses: list[Press] = []
        for edge in edges:
            self._pass_to(edge.time_s, presses)
            self._contacts[edge.button].change(edge)
        self._pass_to(now_s, presses)
        return presses

    def held_s(self, button: ButtonName, now_s: float) -> float:
        """Return for how long the button is down, 0.0 where it is up."""
        contact = self._contacts[button]
        return max(0.0, now_s - contact.since_s) if contact.down else 0.0

    def stuck(self, now_s: float) -> tuple[ButtonName, ...]:
        """Return the buttons that are down for longer than anybody would hold them."""
        return tuple(name for name in BUTTON_NAMES if self.held_s(name, now_s) > STUCK_S)

    def _pass_to(self, now_s: float, presses: list[Press]) -> None:
        """Let time go on: chatter ends, held buttons become long presses."""
        while True:
            name = min(BUTTON_NAMES, key=lambda button: self._contacts[button].next_s())
            due_s = self._contacts[name].next_s()
            if due_s > now_s:
                return
            long = self._contacts[name].pass_to(due_s)
            if long is not None:
                presses.append(Press(name, long))
