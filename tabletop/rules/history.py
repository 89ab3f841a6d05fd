"""The log of a match, and what of it stands: undo and correct are entries like any other, and nothing is forgotten.

Which events stand follows from the log alone, without playing: a correction carries the numbers that it dropped.
"""

from dataclasses import dataclass, replace

from tabletop.core.errors import ReplayError
from tabletop.rules.events import COUNTED, Correction, Event
from tabletop.rules.requests import Choose


@dataclass(frozen=True, slots=True)
class LogView:
    """An event that stands. exact: False once an earlier event was corrected: the question may now read otherwise."""

    event: Event
    exact: bool = True


class History:
    """log: every entry, oldest first. standing: the events in force that are neither undo nor correct, oldest first."""

    def __init__(self) -> None:
        self.log: list[Event] = []
        self.standing: list[LogView] = []
        self.count = 0  # of the throws, keeps and choices that stand
        self._before: list[list[LogView] | None] = []  # per entry in force: what stood before, None: one event fewer

    @property
    def can_undo(self) -> bool:
        """Whether an entry is in force."""
        return bool(self._before)

    def add(self, event: Event) -> bool:
        """Add an entry; return whether events before it changed. ReplayError if it cannot follow this log."""
        if event.kind == "undo":
            self._undo()
        elif isinstance(event.value, Correction):
            corrected = corrected_standing(self.standing, event.value)
            self._before.append(self.standing)
            self.standing = corrected
        else:
            self._before.append(None)
            self.standing.append(LogView(event))
        self.log.append(event)
        changed = event.kind in ("undo", "correct")
        self.count = _count(self.standing) if changed else self.count + (event.kind in COUNTED)
        return changed

    def _undo(self) -> None:
        if not self._before:
            raise ReplayError("expected an entry to undo, got none")
        before = self._before.pop()
        if before is None:
            self.standing.pop()
        else:
            self.standing = before


def _count(standing: list[LogView]) -> int:
    return sum(view.event.kind in COUNTED for view in standing)


def index_of(standing: list[LogView], number: int) -> int | None:
    """Return the index of the throw, keep or choice with this number (from 1), None if there is none."""
    counted = [index for index, view in enumerate(standing) if view.event.kind in COUNTED]
    return counted[number - 1] if 1 <= number <= len(counted) else None


def corrected_standing(standing: list[LogView], correction: Correction) -> list[LogView]:
    """Return what stands after it, the later events no longer exact; ReplayError if there is no such event."""
    at = index_of(standing, correction.number)
    end = index_of(standing, min(correction.dropped)) if correction.dropped else len(standing)
    if at is None or end is None or end <= at:
        raise ReplayError(f"expected a correction of an event that stands, got number {correction.number}")
    answer = correction.answer
    value = answer.option if isinstance(answer, Choose) else answer.faces
    corrected = LogView(replace(standing[at].event, value=value), standing[at].exact)
    return [*standing[:at], corrected, *(LogView(view.event, exact=False) for view in standing[at + 1 : end])]
