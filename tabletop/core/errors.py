"""Errors shown to users: what was expected, what came instead, where, and what to do.

Every error that a person at the table can cause derives from `TabletopError`. The command line prints its text as one
line on standard error and exits with status 2. Any other exception is a bug.
"""

TABLE = "tabletop"  # the program's name in process lists: `python -m tabletop`, or the installed command


class TabletopError(Exception):
    """Base class of all errors that are shown to users as one line."""


class InputError(TabletopError):
    """Invalid input: an argument, a file, a picture, a profile or a configuration cannot be used."""


class RefusedError(TabletopError, ValueError):
    """The rules do not allow this answer now; nothing was changed."""


class StaleError(TabletopError):
    """The thing to be changed has been changed by someone else in the meantime; nothing was changed."""


class TooFastError(TabletopError):
    """The same operation is still in progress; nothing was changed."""


class ReplayError(TabletopError):
    """A stored event no longer answers its question; the match can be read up to that event.

    match: the `tabletop.rules.Match` up to there, if there is one.
    """

    def __init__(self, text: str, match: object = None) -> None:
        super().__init__(text)
        self.match = match


class DamagedError(ReplayError):
    """A stored match or one of its events is corrupt and cannot be read."""


class StoreError(TabletopError):
    """The store cannot be opened, read or written."""


class DamagedStoreError(StoreError):
    """The store's file is damaged or was not made by this program; no match can be stored in it as it is."""


class DeviceError(TabletopError):
    """A camera, screen or button device is missing or has stopped responding.

    holder: the program that uses the device, `TABLE` for another table; empty if there is none or it is unknown.
    """

    def __init__(self, text: str, holder: str = "") -> None:
        super().__init__(text)
        self.holder = holder


def one_line(error: BaseException) -> str:
    """Return an error's text as one printable line: control characters in names are escaped."""
    return printable(" ".join(str(error).split()))


def printable(text: str) -> str:
    """Return a text that every terminal can show: undecodable bytes and control characters are escaped."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
