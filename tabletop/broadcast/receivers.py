"""Which receivers of events fail now: a file beside the store, for `tabletop doctor` and the page's check."""

import json
import os
import threading
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

FILE_NAME = "receivers.json"  # beside the store
MOST_BYTES = 1 << 16

Failing = dict[str, dict[str, str]]


class Receivers:
    """The receivers that fail, by name, each with `since` (ISO time) and `why` (a text).

    path: the file, written only on a change. Any thread may use it; a folder that cannot be written is ignored.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, threading.Lock()

    def failing(self) -> Failing:
        """Return what the file says, nothing if it cannot be read."""
        try:
            flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW  # it may have been replaced by anything
            with open(self._path, "rb", opener=lambda path, _: os.open(path, flags)) as file:
                found = json.loads(file.read(MOST_BYTES) or b"")
            return {name: {"since": str(one["since"]), "why": str(one["why"])} for name, one in found.items()}
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return {}

    def note(self, name: str, why: str) -> None:
        """Note why a receiver fails, empty if it works; since when stays as it was if it failed before."""
        with self._lock, suppress(OSError):
            failing = self.failing()
            before = failing.pop(name, None)
            if (before or {"why": ""})["why"] == why:
                return
            if why:
                since = before["since"] if before else datetime.now(UTC).isoformat(timespec="seconds")
                failing[name] = {"since": since, "why": why}
            partial = self._path.with_name(f"{self._path.name}.new")
            partial.write_text(json.dumps(failing, indent=1), encoding="utf-8")
            partial.replace(self._path)
