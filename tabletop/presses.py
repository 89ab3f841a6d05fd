"""From the edges of two chattering contacts to presses as people mean them. Pure: time comes with the edges.

The first edge counts at once; what the contact does in the `CHATTER_S` after it is looked at only when they are over.
A short press is told when the button is let go, a long one while it is still held, as soon as it is long.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from tabletop.ports import BUTTON_NAMES, ButtonName, Edge, Press

CHATTER_S = 0.015  # contacts of small push buttons bounce for up to 12 ms; a quick tap lasts 20 ms
LONG_PRESS_S = 0.6  # held for so long, a press means something else
STUCK_S = 10.0  # nobody holds a button for so long: it is jammed, or wired wrongly


@dataclass(slots=True)
class _Contact:
    """One button. down: as we take it; level: what the contact last said; quiet_s: when chatter is over."""

    down: bool = False
    level: bool = False
    since_s: float = 0.0
    quiet_s: float = float("-inf")
    told: bool = True


class Presses:
    """Makes presses of edges; one for each rig, whatever its buttons are."""

    def __init__(self) -> None:
        self._contacts: dict[ButtonName, _Contact] = {name: _Contact() for name in BUTTON_NAMES}

    def feed(self, edges: Iterable[Edge], now_s: float) -> list[Press]:
        """Return the presses that these edges, oldest first, and the time up to `now_s` complete."""
        presses: list[Press] = []
        for edge in edges:
            self._advance(edge.time_s, presses)
            contact = self._contacts[edge.button]
            contact.level = edge.down
            if edge.time_s >= contact.quiet_s:
                self._settle(edge.button, edge.time_s, presses)
        self._advance(now_s, presses)
        return presses

    def held_s(self, button: ButtonName, now_s: float) -> float:
        """Return for how long the button is down, 0.0 where it is up."""
        contact = self._contacts[button]
        return max(0.0, now_s - contact.since_s) if contact.down else 0.0

    def stuck(self, now_s: float) -> tuple[ButtonName, ...]:
        """Return the buttons that are down for longer than anybody would hold them."""
        return tuple(name for name in BUTTON_NAMES if self.held_s(name, now_s) > STUCK_S)

    def _advance(self, now_s: float, presses: list[Press]) -> None:
        """Let time go on: chatter ends, held buttons become long presses."""
        for name, contact in self._contacts.items():
            if now_s >= contact.quiet_s:
                self._settle(name, contact.quiet_s, presses)
            if contact.down and not contact.told and now_s - contact.since_s >= LONG_PRESS_S:
                contact.told = True
                presses.append(Press(name, long=True))

    def _settle(self, name: ButtonName, time_s: float, presses: list[Press]) -> None:
        """Take over the contact's level, if it has changed."""
        contact = self._contacts[name]
        if contact.level == contact.down:
            return
        if contact.down and not contact.told:
            presses.append(Press(name, long=time_s - contact.since_s >= LONG_PRESS_S))
        contact.down, contact.since_s, contact.quiet_s = contact.level, time_s, time_s + CHATTER_S
        contact.told = not contact.down
