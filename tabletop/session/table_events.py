"""Inputs of the table: presses, commands and rests in one queue, and all buttons as one pair."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, isinf

from tabletop.core import Rest, say
from tabletop.core.ports import Buttons, ContactName, Edge, Press
from tabletop.dialogs.commands import Command, Inbox
from tabletop.input.presses import Presses
from tabletop.views import screen_care, snapshot

TUMBLE_S = 1.5  # dice seen by the camera tumble for no longer than this


@dataclass(frozen=True, slots=True)
class SeenRest:
    """The rest in a frame at `time_s`, None while something moves."""

    time_s: float
    rest: Rest | None


TableEvent = Press | Command | SeenRest


class EventQueue:
    """A queue of presses, commands and rests, ordered by time.

    A press made while dice were moving can be put back: it is delivered again after the rest in which they lie, or
    after the longest time that dice tumble. A newer press replaces it.
    """

    def __init__(self, inbox: Inbox | None = None) -> None:
        self.put_back: Press | None = None
        self._inbox = inbox
        self._events: list[TableEvent] = []

    def put(self, events: Iterable[TableEvent]) -> None:
        """Add events, in any order; events with the same time keep the order in which they were added."""
        self._events = sorted((*self._events, *events), key=lambda event: event.time_s)

    def take_commands(self) -> None:
        """Move the commands from the inbox to the queue."""
        self.put(self._inbox.take() if self._inbox else ())

    def __iter__(self) -> Iterator[TableEvent]:
        """Yield what was put, the oldest first, until nothing is left."""
        while self._events:
            event = self._events.pop(0)
            if isinstance(event, Press) or (isinstance(event, Command) and isinstance(event.wants, Press)):
                self.put_back = None
            yield event
            if isinstance(event, SeenRest) and self.put_back and self._may_come_again(event, self.put_back):
                press, self.put_back = self.put_back, None
                yield press

    @staticmethod
    def _may_come_again(event: SeenRest, press: Press) -> bool:
        return event.rest is not None or event.time_s - press.time_s > TUMBLE_S


HELD_STEPS = 12  # animation steps of a long press: one every 50 ms
SWITCH_OFF_S = 4.0  # both buttons held for this long: longer than an accidental lean that sees the countdown
TELL_OFF_S = 1.0  # shows the countdown from then on; before that it may be an arm on the box
STUCK: dict[ContactName, str] = {
    "bank": say("BANK is stuck: check the button"),
    "hold": say("HOLD is stuck: check the button"),
    "menu": say("MENU is stuck: check the button"),
}


class TableButtons:
    """All buttons of a table, combined into one pair.

    buttons: any number of pairs. care: controls the screen brightness. switches_off: whether holding BANK and HOLD for
    `SWITCH_OFF_S` switches the table off.

    edges: those of the newest iteration.
    """

    def __init__(self, buttons: Sequence[Buttons], care: screen_care.ScreenCare, *, switches_off: bool) -> None:
        self.edges: list[Edge] = []
        self._buttons, self._care, self._switches_off = buttons, care, switches_off
        self._presses = Presses()

    @property
    def busy(self) -> bool:
        """Whether a button is down, so that the next iteration should come soon."""
        return self._presses.busy

    def new_presses(self, now_s: float) -> list[Press]:
        """Return the new presses, without one that only lights a dark screen."""
        self.edges = [edge for buttons in self._buttons for edge in buttons.edges()]
        dark = self._care.light(now_s) == "off"
        presses = self._presses.feed(self.edges, now_s)
        if self.edges:
            self._care.stir(now_s)
        if dark and self.edges:
            self._presses.forget()
            return []
        return presses

    def held_from_the_start(self) -> bool:
        """Return, once, whether HOLD was already down when the program started."""
        return any(edge.button == "hold" and edge.down and isinf(edge.time_s) for edge in self.edges)

    def leaving(self, now_s: float) -> str:
        """Return the countdown line while both buttons are held, empty if that does nothing."""
        left_s = self.off_in_s(now_s)
        counting = left_s < SWITCH_OFF_S - TELL_OFF_S
        return say("hold to switch off: {n}", n=max(1, ceil(left_s))) if counting else ""

    def stuck(self, now_s: float) -> str:
        """Return a warning about a button that has been down implausibly long, empty if there is none."""
        stuck = self._presses.stuck(now_s)
        return STUCK[stuck[0]] if stuck else ""

    def feedback(self, now: snapshot.Snapshot, now_s: float) -> snapshot.Snapshot:
        """Add feedback for a button that is down; the result of the press follows later."""
        button, part = self._presses.felt(now_s)
        return now if button is None else replace(now, pressed=button, held=int(part * HELD_STEPS) / HELD_STEPS)

    def off_in_s(self, now_s: float) -> float:
        """Return how long both buttons must still be held to switch the table off; at 0 or less it is time."""
        return SWITCH_OFF_S - (self._presses.both_held_s(now_s) if self._switches_off else 0.0)
