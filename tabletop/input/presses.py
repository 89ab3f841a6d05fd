"""Turn the edges of bouncing contacts into intended presses. Pure: time comes with the edges.

- A button that closes counts as down at once. One that opens counts as up if its contact is still open `CHATTER_S`
later, so that a contact which opens briefly under the finger does not split a press.
- A short press is reported on release, a long one while the button is still held, as soon as it is long. HOLD then
repeats, until BANK goes down, the button is released, or it must be stuck.
- Both at once (an arm on the box, a child's two hands) mean nothing: two buttons that went down within `TOGETHER_S` of
each other and were down at the same time give no press, and neither do two that are both down when one of them becomes
long. Each counts again once it was up. A button that goes down while the other is being released is fast typing: two
presses. A button that has already given its press, or is stuck, does not block the other.
- MENU, if there is one, acts like a long HOLD with a single tap. It is independent of the other two.
- A button that is down when the program starts gives no press until it was up.
- Edges may come late, twice or not at all. One that is older than the known state of its button is ignored; if a closed
button closes, an opening was lost, and the press starts again: better no press than a wrong one.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import inf, isinf
from typing import Literal

from tabletop.core.ports import BUTTON_NAMES, CONTACT_NAMES, ButtonName, ContactName, Edge, Press

CHATTER_S = 0.015  # contacts of small push buttons bounce for up to 12 ms; a quick tap lasts 20 ms
LONG_PRESS_S = 0.6  # a press held for this long has another meaning
REPEAT_S = 0.2  # five lines of a list a second: as fast as people can read
TOGETHER_S = 0.1  # one hand on two buttons closes them within this; two thumbs in turn take longer
LATE_S = 0.05  # a thread that delivers edges may have to wait for a processor; related edges have arrived by then
STUCK_S = 10.0  # nobody holds a button for this long: it is jammed, or miswired
FELT_S = 0.15  # a tap is shown for at least this long: less is an invisible flicker
REPEATING: ButtonName = "hold"  # the one that steps through lists

_Due = tuple[float, int]
_LOOK, _LONG, _AGAIN = range(3)  # of actions due at the same time, the contact's state comes first


@dataclass(slots=True)
class _Contact:
    """The state of one button.

    closed: the last level reported by the contact, at `heard_s`. down: the debounced state, since `since_s`. said: the
    event made of the current press: none yet, a long press, or none at all. opened_s: since when it may have been
    released, inf without a sign of it. look_s: when the contact is sampled; until then it may bounce. quiet_s: when
    it was last sampled. repeats: how many repeats this press has reported, -1 for none allowed. prompt: that of the
    edge that began the press.
    """

    button: ContactName
    closed: bool = False
    heard_s: float = -inf
    down: bool = False
    since_s: float = -inf
    said: Literal["", "long", "void"] = ""
    opened_s: float = inf
    anew_s: float = inf
    look_s: float = inf
    quiet_s: float = -inf
    repeats: int = -1
    prompt: bool = False

    @property
    def long_s(self) -> float:
        """Return when the press that it is down for is a long one."""
        return self.since_s + LONG_PRESS_S

    def was_down(self, time_s: float) -> bool:
        """Return whether the press that it is down for had begun and had not ended by then."""
        return self.down and self.since_s <= time_s < self.opened_s

    def press(self, time_s: float, *, long: bool = False) -> Press:
        """Return what a person means by it."""
        if self.button == "menu":
            return Press("hold", long=True, menu=True, time_s=time_s, down_s=self.since_s)
        return Press(self.button, long=long, prompt=self.prompt, time_s=time_s, down_s=self.since_s)

    def dues(self, other: "_Contact") -> Iterator[_Due]:
        """Yield when something happens without an edge, and what."""
        yield self.look_s, _LOOK
        if self.down and self.opened_s == inf:
            if not self.said:  # whether the other was down may only be known after its bouncing
                yield max(self.long_s, other.look_s if other.opened_s <= self.long_s else -inf), _LONG
            again_s = self.long_s + (self.repeats + 1) * REPEAT_S
            if self.repeats >= 0 and again_s < self.since_s + STUCK_S:
                yield again_s, _AGAIN

    def believe(self, time_s: float) -> bool:
        """Begin what the contact says; return whether it went down. Chatter begins even where this is nothing new."""
        self.look_s = time_s + CHATTER_S
        if self.down and not self.closed:
            self.opened_s = time_s
        if self.down or not self.closed:
            return False
        self.down, self.said, self.since_s, self.repeats = True, "", time_s, -1
        return True

    def was_held(self, edge: Edge) -> bool:
        """Take in a first edge that tells of a button held since before the program; return whether it is one."""
        if self.down or self.heard_s != -inf or (edge.down and not isinf(edge.time_s)):
            return False
        self.closed = self.down = True
        self.said = "void"
        return True


class Presses:
    """Turns edges into presses; one for each table, whatever its buttons."""

    def __init__(self) -> None:
        bank, hold, menu = (_Contact(name) for name in CONTACT_NAMES)
        self._contacts: dict[ContactName, _Contact] = {"bank": bank, "hold": hold, "menu": menu}
        self._other: dict[ContactName, _Contact] = {"bank": hold, "hold": bank, "menu": _Contact("menu")}  # never down

    def feed(self, edges: Iterable[Edge], now_s: float) -> list[Press]:
        """Return the presses that these edges and the time up to `now_s` complete, in order."""
        presses: list[Press] = []
        for edge in sorted(edges, key=lambda edge: edge.time_s):
            self._pass_to(edge.time_s, presses)
            self._hear(self._contacts[edge.button], edge, now_s)
        self._pass_to(now_s, presses)
        return presses

    def forget(self) -> None:
        """Discard the presses of buttons that are down now."""
        for contact in self._contacts.values():
            contact.said, contact.repeats = "void", -1

    @property
    def busy(self) -> bool:
        """Whether a button is in use: the next event may come without an edge."""
        return any(due_s != inf for due_s, _, _ in self._dues())

    def held_s(self, button: ContactName, now_s: float) -> float:
        """Return how long the button has been down, 0.0 if it is up."""
        contact = self._contacts[button]
        return max(0.0, now_s - contact.since_s) if contact.down else 0.0

    def both_held_s(self, now_s: float) -> float:
        """Return how long BANK and HOLD have both been down, 0.0 if one of them is up."""
        return min(self.held_s(name, now_s) for name in BUTTON_NAMES)

    def felt(self, now_s: float) -> tuple[ButtonName | None, float]:
        """Return the button that is down or was just tapped, and the elapsed part of a long press, 0 to 1.

        The newest of two; None for buttons that give no press, and for a stuck button.
        """
        found: tuple[ButtonName | None, float] = (None, 0.0)
        newest_s = -inf
        for name in BUTTON_NAMES:
            contact = self._contacts[name]
            held_s = now_s - contact.since_s
            here = held_s <= STUCK_S if contact.down else held_s < FELT_S
            if here and contact.said != "void" and contact.since_s > newest_s:
                part = max(0.0, min(1.0, held_s / LONG_PRESS_S)) if contact.down else 0.0
                found, newest_s = (name, part), contact.since_s
        return found

    def stuck(self, now_s: float) -> tuple[ContactName, ...]:
        """Return the buttons that have been down implausibly long."""
        return tuple(name for name in CONTACT_NAMES if self.held_s(name, now_s) > STUCK_S)

    @property
    def _all(self) -> Iterable[_Contact]:
        return self._contacts.values()

    def _dues(self) -> Iterator[tuple[float, int, _Contact]]:
        for contact in self._all:
            for due_s, what in contact.dues(self._other[contact.button]):
                yield due_s, what, contact

    def _hear(self, contact: _Contact, edge: Edge, now_s: float) -> None:
        if contact.was_held(edge):
            contact.since_s = now_s if edge.down else edge.time_s
        if isinf(edge.time_s) or edge.time_s < contact.heard_s:
            return
        echo = edge.down and contact.closed
        contact.heard_s, contact.closed = edge.time_s, edge.down
        if contact.look_s != inf:
            return
        if edge.time_s < contact.quiet_s and not contact.down:  # late bouncing of a release: not a new press
            contact.look_s = edge.time_s + LATE_S
            return
        if echo and contact.down:
            contact.opened_s = contact.anew_s = edge.time_s
            contact.look_s = edge.time_s + CHATTER_S
            return
        contact.prompt = edge.prompt if edge.down and not contact.down else contact.prompt
        self._believe(contact, edge.time_s)

    def _believe(self, contact: _Contact, time_s: float) -> None:
        if contact.believe(time_s):
            self._other[contact.button].repeats = -1

    def _pass_to(self, now_s: float, presses: list[Press]) -> None:
        """Let time go on: chatter ends, held buttons become long presses, and repeat."""
        while True:
            due_s, what, contact = min(self._dues(), key=lambda due: due[:2])
            if due_s > now_s:
                return
            if what == _LOOK:
                self._look(contact, presses)
            elif what == _LONG:
                self._ripen(contact, presses)
            else:
                contact.repeats += 1
                presses.append(replace(contact.press(due_s, long=True), repeat=True))

    def _look(self, contact: _Contact, presses: list[Press]) -> None:
        """Believe the contact: its chatter is over."""
        contact.quiet_s, contact.look_s = contact.look_s, inf
        if contact.opened_s != inf:
            anew_s, contact.anew_s = contact.anew_s, inf
            if not contact.closed:
                self._let_go(contact, presses)
            contact.opened_s = inf
            if contact.down and anew_s != inf:
                contact.down = False
                self._believe(contact, anew_s)
        elif contact.closed != contact.down:
            self._believe(contact, contact.quiet_s)

    def _let_go(self, contact: _Contact, presses: list[Press]) -> None:
        """Tell the short press that has ended, unless it was one of two at once."""
        if not contact.said and contact.opened_s >= contact.long_s:
            self._ripen(contact, presses)
        other = self._other[contact.button]
        if not contact.said:
            near = abs(other.since_s - contact.since_s) <= TOGETHER_S
            if near and other.down and not other.said and other.since_s < contact.opened_s:
                contact.said = other.said = "void"
            else:
                presses.append(contact.press(contact.opened_s))
        contact.down = False

    def _ripen(self, contact: _Contact, presses: list[Press]) -> None:
        """Tell the long press, unless the other button was down as well and has not had its say."""
        other = self._other[contact.button]
        if other.was_down(contact.long_s) and not other.said:
            contact.said = other.said = "void"
            return
        contact.said = "long"
        contact.repeats = 0 if contact.button == REPEATING else -1
        presses.append(contact.press(contact.long_s, long=True))
