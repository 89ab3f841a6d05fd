"""The tokens of other programs: a paired device makes and revokes them. Stored as hashes, beside the store.

A token is 256 random bits, so guesses need no limit.
"""

import re
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from tabletop.web.pairing import hashed

FILE_NAME = "tokens"  # beside the store: a line for each, with hash, date of creation and name
MOST_TOKENS = 32
TOKEN_BYTES = 32
PRIVATE = 0o600  # the mode of the file
LINE = re.compile(r"^([0-9a-f]{64}) (\d{4}-\d\d-\d\d) (.+)$", re.MULTILINE | re.ASCII)


class Tokens:
    """The valid tokens. path: their file; unreadable lines are ignored."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known = _read(path)

    @property
    def names(self) -> Mapping[str, str]:
        """The date of creation of each, by name, oldest first."""
        return {name: day for day, name in self._known.values()}

    def holder(self, token: str) -> str:
        """Return the hash of a valid token, empty for another."""
        given = hashed(token)
        return given if given in self._known else ""

    def create(self, name: str) -> str:
        """Return a new token; raises OSError, and makes none, if it cannot be stored. The name is a new one."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        known = {**self._known, hashed(token): (str(datetime.now(UTC).date()), name)}
        self._write(known)
        self._known = known
        return token

    def revoke(self, name: str) -> None:
        """Forget a token; raises OSError if it would be valid again after a restart."""
        self._known = {own: kept for own, kept in self._known.items() if kept[1] != name}
        self._write(self._known)

    def _write(self, known: Mapping[str, tuple[str, str]]) -> None:
        new = self._path.with_name(f"{self._path.name}.new")
        new.unlink(missing_ok=True)
        new.touch(PRIVATE)
        new.write_text("".join(f"{own} {day} {name}\n" for own, (day, name) in known.items()), encoding="utf-8")
        new.replace(self._path)


def _read(path: Path) -> dict[str, tuple[str, str]]:
    try:
        lines = LINE.findall(path.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return {}
    return {own: (day, name) for own, day, name in lines[:MOST_TOKENS]}
