"""Presses, commands and rests in one queue, in the order of their times."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tabletop.core.ports import Press
from tabletop.core.values import Rest
from tabletop.dialogs.commands import Command

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

    def __init__(self) -> None:
        self.put_back: Press | None = None
        self._events: list[TableEvent] = []

    def put(self, events: Iterable[TableEvent]) -> None:
        """Add events, in any order; those of the same time stay in the order in which they were put."""
        self._events = sorted((*self._events, *events), key=lambda event: event.time_s)

    def forget_put_back(self) -> bool:
        """Forget the press that was put back; return whether there was one."""
        there, self.put_back = self.put_back is not None, None
        return there

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
