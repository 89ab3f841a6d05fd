"""The log of a match, and which entries are in force. Undo and correct are entries too; nothing is removed.

Which events are in force follows from the log alone, without playing: a correction lists the numbers it dropped.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from tabletop.core.errors import ReplayError
from tabletop.rules.events import COUNTED, Correction, Event
from tabletop.rules.requests import Answer, Choose, Faces, Request

Misread = tuple[tuple[int, int], ...]  # of one player's dice: the face that was read, and the right one


@dataclass(frozen=True, slots=True)
class LogView:
    """An event in force. exact: False after an earlier event was corrected: its question may have changed."""

    event: Event
    exact: bool = True


class History:
    """log: every entry, oldest first. standing: the events in force that are neither undo nor correct, oldest first."""

    def __init__(self) -> None:
        self.log: list[Event] = []
        self.standing: list[LogView] = []
        self.count = 0  # throws, keeps and choices in force
        # For each entry in force: the state before it; None: one event fewer.
        self._before: list[tuple[list[LogView], int] | None] = []

    @property
    def can_undo(self) -> bool:
        """Whether there is an entry in force."""
        return bool(self._before)

    def add(self, event: Event) -> bool:
        """Add an entry; return whether earlier events changed. Raises ReplayError if it cannot follow this log."""
        if event.kind == "undo":
            self._undo()
        elif isinstance(event.value, Correction):
            corrected = corrected_standing(self.standing, event.value)
            self._before.append((self.standing, self.count))
            self.standing, self.count = corrected, _count(corrected)
        else:
            self._before.append(None)
            self.standing.append(LogView(event))
            self.count += event.kind in COUNTED
        self.log.append(event)
        return event.kind in ("undo", "correct")

    def _undo(self) -> None:
        if not self._before:
            raise ReplayError("expected an entry to undo, got none")
        before = self._before.pop()
        if before is None:
            self.count -= self.standing.pop().event.kind in COUNTED
        else:
            self.standing, self.count = before


def _count(standing: list[LogView]) -> int:
    return sum(view.event.kind in COUNTED for view in standing)


def index_of(standing: list[LogView], number: int) -> int | None:
    """Return the index of the throw, keep or choice with this number (from 1), None if there is none."""
    counted = [index for index, view in enumerate(standing) if view.event.kind in COUNTED]
    return counted[number - 1] if 1 <= number <= len(counted) else None


def corrected_standing(standing: list[LogView], correction: Correction) -> list[LogView]:
    """Return the events in force after a correction, later ones no longer exact; ReplayError if it names none."""
    at = index_of(standing, correction.number)
    end = index_of(standing, min(correction.dropped)) if correction.dropped else len(standing)
    if at is None or end is None or end <= at:
        raise ReplayError(f"expected a correction of an event that stands, got number {correction.number}")
    answer = correction.answer
    value = answer.option if isinstance(answer, Choose) else answer.faces
    corrected = LogView(replace(standing[at].event, value=value), standing[at].exact)
    after = [LogView(view.event, exact=False) for view in standing[at + 1 : end]]
    stands = [*standing[:at], corrected, *after]
    for number, faces in correction.carried:
        place = index_of(stands, number)
        if place is None or place <= at or stands[place].event.kind != "keep":
            raise ReplayError(f"expected a keep after event {correction.number} to carry it on, got number {number}")
        stands[place] = LogView(replace(stands[place].event, value=faces), exact=False)
    return stands


# A corrected die in the keeps after it


def misread(was: Event, right: Answer) -> dict[str | None, Misread]:
    """Return the dice that a correction changes, for each player; empty if it changes the number of dice."""
    if isinstance(right, Choose):
        return {}
    if isinstance(was.value, Mapping) and isinstance(right.faces, Mapping):
        return {name: _changed(was.value[name], faces) for name, faces in right.faces.items()}
    if isinstance(was.value, tuple) and isinstance(right.faces, tuple):
        return {was.player: _changed(was.value, right.faces)}
    return {}


def _changed(read: Faces, right: Faces) -> Misread:
    if len(read) != len(right):
        return ()
    return tuple(zip(_without(read, right), _without(right, read), strict=True))


def _without(faces: Faces, others: Faces) -> list[int]:
    left, rest = Counter(others), []
    for face in faces:
        if left[face]:
            left[face] -= 1
        else:
            rest.append(face)
    return rest


def followed(part: Faces, wrong: Misread, request: Request) -> tuple[Faces, Misread]:
    """Return a kept part after a correction, and the misread dice in it.

    The part is unchanged if it is still legal; otherwise as few dice as possible get their right face. If that does not
    help either, the part is returned unchanged.
    """
    for count in range(len(wrong) + 1):
        for held in combinations(wrong, count):
            there = Counter(part)
            there.subtract(read for read, _ in held)
            if min(there.values(), default=0) < 0:
                continue
            there.update(right for _, right in held)
            now = tuple(sorted(there.elements()))
            if now in request.legal:
                return now, held
    return part, ()
