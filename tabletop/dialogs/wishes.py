"""Decisions that come from the page, not from a dialog. They wait here for the thread that owns the match."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import Enum
from queue import Empty, SimpleQueue
from typing import Protocol, runtime_checkable

from tabletop.dialogs.decisions import Decision

Moment = tuple[int, int]
"""What is asked, named by what came before: the number of the match, and how many entries its log has."""


class Fate(Enum):
    """What became of a wish."""

    DONE = "done"
    LATE = "late"  # something else is asked by now
    REFUSED = "refused"  # the referee, or the store, does not allow it; nothing has changed


@dataclass(frozen=True, slots=True)
class Wish:
    """A decision, and the question that it answers. moment: None where it answers none, such as a new match."""

    decision: Decision
    moment: Moment | None = None
    fate: Future[Fate] = field(default_factory=Future[Fate])


class WishBox:
    """Wishes on their way: put in by any thread, taken out by the one that plays the match.

    wake: called after each, so that it is taken soon.
    """

    def __init__(self, wake: Callable[[], None] = lambda: None) -> None:
        self._wishes: SimpleQueue[Wish] = SimpleQueue()
        self._wake = wake

    def put(self, decision: Decision, moment: Moment | None = None) -> Future[Fate]:
        """Wish something; return what becomes of it. Cancelled in time, it is never done."""
        wish = Wish(decision, moment)
        self._wishes.put(wish)
        self._wake()
        return wish.fate

    def take(self) -> list[Wish]:
        """Take out what waits, the oldest first; what was cancelled meanwhile is left out."""
        wishes: list[Wish] = []
        while True:
            try:
                wish = self._wishes.get_nowait()
            except Empty:
                return wishes
            if wish.fate.set_running_or_notify_cancel():
                wishes.append(wish)


@runtime_checkable
class PutAside(Protocol):
    """A dialog that changed something of the table for as long as it is open."""

    def put_aside(self) -> None:
        """Set that right again; the dialog may come back later."""


def close_dialog(dialog: object, then: object) -> None:
    """Tell a dialog that another one, or a match, took its place: a wish does so without any press in it."""
    if dialog is not then and isinstance(dialog, PutAside):
        dialog.put_aside()
