"""What comes in at the table: presses, commands and rests in one queue, and all buttons as one pair."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, isinf

from tabletop.core.message import say
from tabletop.core.ports import Buttons, ContactName, Edge, Press
from tabletop.core.values import Rest
from tabletop.dialogs.commands import Command, Inbox
from tabletop.input.presses import Presses
from tabletop.views.screen_care import ScreenCare
from tabletop.views.snapshot import Snapshot

TUMBLE_S = 1.5  # once the camera sees dice, they tumble for no longer than this


@dataclass(frozen=True, slots=True)
class SeenRest:
    """What a frame at `time_s` showed: a rest, or None while something moved."""

    time_s: float
    rest: Rest | None


TableEvent = Press | Command | SeenRest


class EventQueue:
    """Hands out presses, commands and rests in the order of their times.

    A press that was made while dice moved can be put back: it comes again behind the rest in which they lie, or when
    they must lie by all odds. A newer press replaces it.
    """

    def __init__(self, inbox: Inbox | None = None) -> None:
        self.put_back: Press | None = None
        self._inbox = inbox
        self._events: list[TableEvent] = []

    def put(self, events: Iterable[TableEvent]) -> None:
        """Add events, in any order; those of the same time stay in the order in which they were put."""
        self._events = sorted((*self._events, *events), key=lambda event: event.time_s)

    def take_commands(self) -> None:
        """Add what the inbox holds."""
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


HELD_STEPS = 12  # pictures on the way to a long press: one every 50 ms
SWITCH_OFF_S = 4.0  # both buttons held for this long: nobody leans on a box that long without seeing the count
TELL_OFF_S = 1.0  # from then on the count is shown; before that it is an arm on the box
STUCK: dict[ContactName, str] = {
    "bank": say("BANK is stuck: check the button"),
    "hold": say("HOLD is stuck: check the button"),
    "menu": say("MENU is stuck: check the button"),
}


class TableButtons:
    """All buttons of a table, as one pair.

    buttons: any number of pairs. care: how bright the screens are. switches_off: whether BANK and HOLD held for
    `SWITCH_OFF_S` switch the table off.

    edges: those of the newest turn.
    """

    def __init__(self, buttons: Sequence[Buttons], care: ScreenCare, *, switches_off: bool) -> None:
        self.edges: list[Edge] = []
        self._buttons, self._care, self._switches_off = buttons, care, switches_off
        self._presses = Presses()

    @property
    def busy(self) -> bool:
        """Whether a finger is at a button, so that the next turn should come soon."""
        return self._presses.busy

    def new_presses(self, now_s: float) -> list[Press]:
        """Return the presses that count: the one that lights a dark screen was only made to see something."""
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
        """Return, in the turn that shows it, whether HOLD was down before the program began."""
        return any(edge.button == "hold" and edge.down and isinf(edge.time_s) for edge in self.edges)

    def leaving(self, now_s: float) -> str:
        """Return the line that counts down while both are held, empty where they do nothing."""
        left_s = self.off_in_s(now_s)
        counting = left_s < SWITCH_OFF_S - TELL_OFF_S
        return say("hold to switch off: {n}", n=max(1, ceil(left_s))) if counting else ""

    def stuck(self, now_s: float) -> str:
        """Return the line about a button that is down for longer than anybody would hold it, empty for none."""
        stuck = self._presses.stuck(now_s)
        return STUCK[stuck[0]] if stuck else ""

    def feedback(self, now: Snapshot, now_s: float) -> Snapshot:
        """Acknowledge the button that is down; its outcome follows."""
        button, part = self._presses.felt(now_s)
        return now if button is None else replace(now, pressed=button, held=int(part * HELD_STEPS) / HELD_STEPS)

    def off_in_s(self, now_s: float) -> float:
        """Return how long both buttons must still be held to switch the table off; 0 or less if it is to be."""
        return SWITCH_OFF_S - (self._presses.both_held_s(now_s) if self._switches_off else 0.0)
