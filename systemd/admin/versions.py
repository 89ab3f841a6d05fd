"""The versions of the program on this machine: the one that runs, and the one before."""

import re
from pathlib import Path

from request import CURRENT, HOME, SETTINGS

KEY = SETTINGS / "release.pub"
ADDRESS = SETTINGS / "release.url"
NAMED = re.compile(r'^__version__ = "([\w.+-]{1,40})"$', re.MULTILINE)


def before() -> Path | None:
    """Return the version that ran before this one."""
    current = CURRENT.resolve()
    found = (path.parent for path in HOME.glob("versions/*/ran") if (path.parent / "whole").exists())
    return max((path for path in found if path.resolve() != current), default=None)


def name_of(version: Path | None) -> str | None:
    """Return the number of this version."""
    try:
        found = NAMED.search((version / "source/tabletop/__init__.py").read_text()) if version else None
    except (OSError, UnicodeError):
        found = None
    return found and found[1]


def shown() -> dict[str, object]:
    """Return the numbers of both, and from where updates can come."""
    updates = {"key": KEY.exists(), "release": KEY.exists() and ADDRESS.exists()}
    return {"current": name_of(CURRENT), "previous": name_of(before()), **updates}
