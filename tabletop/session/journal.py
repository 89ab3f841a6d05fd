"""Where a running match keeps its events."""

from collections.abc import Mapping
from typing import Any, Protocol


class EventSink(Protocol):
    """Where events go; `tabletop.store.Store` is one."""

    def keep_colour(self, match: int, name: str, colour: str) -> None:
        """Remember the colour of a player's die; raises StoreError."""

    def change_options(self, match: int, options: Mapping[str, Any]) -> None:
        """Set other options for a match in which nothing has happened; raises StoreError."""

    def append(self, match: int, first: int, events: list[tuple[str, Mapping[str, Any]]]) -> None:
        """Put (time, body) pairs on disk, all or none; raises StoreError."""

    def end(self, match: int, ending: Any) -> None:  # noqa: ANN401 - the store's own words for an ending
        """Note how the match ended."""
