"""Buttons whose presses are told: out of a recording, or by whoever tries the table without a device."""

from collections.abc import Callable, Sequence

from tabletop.core.ports import Edge


class ScriptedButtons:
    """Gives the edges that were put into `waiting`, once, and without chatter."""

    def __init__(self) -> None:
        self.waiting: list[Edge] = []

    def edges(self) -> Sequence[Edge]:
        """Return what waits, oldest first; afterwards nothing does."""
        given, self.waiting = self.waiting, []
        return given

    def listen(self, call: Callable[[], None]) -> None:
        """Call nobody: who puts edges in knows of them."""

    def close(self) -> None:
        """Close nothing."""
