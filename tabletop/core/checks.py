"""What `tabletop doctor` finds, as values, and what its checks get to know.

A package adds checks of its own through the entry point `tabletop.checks`: a callable that takes a `CheckedTable` and
returns checks. It never raises, and takes no part from a table that is being played at.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

MODEL_FILE = "proc/device-tree/model"  # under the root: what a Raspberry Pi says it is


@dataclass(frozen=True, slots=True)
class Check:
    """One line of what was found out.

    part: what it belongs to, such as "camera"; name: what was looked at, such as "frame rate". found: whether it is
    there at all. right: whether it is as it should be, None if that cannot be said, or nobody asked for it. figure:
    what was measured or read, empty for nothing. remedy: what to do, empty if it is right.
    """

    part: str
    name: str
    found: bool
    right: bool | None
    figure: str = ""
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class CheckedTable:
    """What should be checked.

    camera, buttons, screen: the words of the command line or the configuration, "auto" where nobody said. root: the
    system's root folder.
    """

    camera: str = "auto"
    buttons: str = "auto"
    screen: str = "auto"
    root: Path = Path("/")

    @property
    def on_a_pi(self) -> bool:
        """Whether this is a Raspberry Pi: there a part that nobody named is missing, elsewhere it is not needed."""
        try:
            return "Raspberry Pi" in (self.root / MODEL_FILE).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return False


Checking = Callable[[CheckedTable], Iterable[Check]]
"""What the entry point `tabletop.checks` gives."""


def is_missing(table: CheckedTable, word: str) -> bool | None:
    """Return what a part that was not found is: False (not right) if somebody asked for it or needs it, else None."""
    return False if word != "auto" or table.on_a_pi else None


def measured(part: str, name: str, right: bool, figure: str, remedy: str) -> Check:
    """Return the check of something that is there. remedy: what to do if it is not right."""
    return Check(part, name, found=True, right=right, figure=figure, remedy="" if right else remedy)
