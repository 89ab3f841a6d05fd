"""The results of `tabletop doctor` as values, and the input of its checks.

Packages add checks through the entry point `tabletop.checks`: a callable that takes a `CheckedTable` and returns
checks. It must not raise, and must not open a device that a running table uses.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

MODEL_FILE = "proc/device-tree/model"  # below the root folder: the board's model name


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check.

    part: the component, such as "camera". name: the property, such as "frame rate". found: whether the component
    exists. right: whether the result is as it should be; None if unknown, or if the component is not configured.
    figure: the value measured or read, empty if there is none. remedy: what to do, empty if right. instead: the setting
    that would be right, as in "screen.address=0x3d", empty if unknown.
    """

    part: str
    name: str
    found: bool
    right: bool | None
    figure: str = ""
    remedy: str = ""
    instead: str = ""


@dataclass(frozen=True, slots=True)
class CheckedTable:
    """The table to check.

    camera, buttons, screen: the option words from the command line or the configuration; "auto" if not given. root: the
    root folder of the file system. views: those of the configuration, as in "voice:volume=3".
    """

    camera: str = "auto"
    buttons: str = "auto"
    screen: str = "auto"
    root: Path = Path("/")
    views: tuple[str, ...] = ()

    @property
    def on_a_pi(self) -> bool:
        """Whether this is a Raspberry Pi: there, a part left at "auto" is expected; elsewhere it is optional."""
        try:
            return "Raspberry Pi" in (self.root / MODEL_FILE).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return False


Checking = Callable[[CheckedTable], Iterable[Check]]
"""What the entry point `tabletop.checks` gives."""


def is_missing(table: CheckedTable, word: str) -> bool | None:
    """Return the `right` value of a part that was not found: False if it was configured or is expected, else None."""
    return False if word != "auto" or table.on_a_pi else None


def measured(part: str, name: str, right: bool, figure: str, remedy: str) -> Check:
    """Return a check of a part that was found. remedy: what to do if it is not right."""
    return Check(part, name, found=True, right=right, figure=figure, remedy="" if right else remedy)
