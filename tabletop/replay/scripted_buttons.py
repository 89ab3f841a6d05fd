"""Buttons pressed by a script: from a recording, or by a test."""

from collections.abc import Callable, Sequence

from tabletop.core.ports import Edge


class ScriptedButtons:
    """Returns the edges that were put into `waiting`, once, and without chatter."""

    def __init__(self) -> None:
        self.waiting: list[Edge] = []

    def edges(self) -> Sequence[Edge]:
        """Return what waits, oldest first, and forget it."""
        given, self.waiting = self.waiting, []
        return given

    def listen(self, call: Callable[[], None]) -> None:
        """Call nobody: a script knows when it adds edges."""

    def close(self) -> None:
        """Close nothing."""
