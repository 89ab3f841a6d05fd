"""Errors for people: what was expected, what came instead, where, and what to do.

Every error that a person at the table can cause derives from `TabletopError`; the command line prints its text as one
line on standard error and ends with status 2. Anything else is a defect of ours.
"""

TABLE = "tabletop"  # how a table is called among programs: `python -m tabletop`, or the installed command


class TabletopError(Exception):
    """Base of all errors that people get as one line."""


class InputError(TabletopError):
    """Something given from outside cannot be used: an argument, a file, a picture, a profile, a configuration."""


class RefusedError(TabletopError, ValueError):
    """An answer that the rules do not allow now; nothing was changed."""


class StaleError(TabletopError):
    """What was to be changed has been changed by somebody else meanwhile; nothing was changed."""


class TooFastError(TabletopError):
    """What is wanted is still under way; nothing was changed."""


class ReplayError(TabletopError):
    """A stored event no longer answers the question it was stored with; the match stays readable up to there.

    match: the `tabletop.rules.Match` up to there, where there is one.
    """

    def __init__(self, text: str, match: object = None) -> None:
        super().__init__(text)
        self.match = match


class DamagedError(ReplayError):
    """A stored match or one of its events cannot be read any more: something else has written over it."""


class StoreError(TabletopError):
    """The store cannot be opened, read or written."""


class DamagedStoreError(StoreError):
    """The file of the store is damaged, or is none of ours: as it is, no match can be stored there."""


class DeviceError(TabletopError):
    """A camera, a screen or buttons are missing, or stopped answering.

    holder: the program that has the device, `TABLE` for a table of ours; empty if there is none, or nobody can tell.
    """

    def __init__(self, text: str, holder: str = "") -> None:
        super().__init__(text)
        self.holder = holder


def one_line(error: BaseException) -> str:
    """Return what an error says as one line that every terminal can show: control characters of names as escapes."""
    return printable(" ".join(str(error).split()))


def printable(text: str) -> str:
    """Return a text as every terminal can show it: bytes of no encoding and control characters as escapes."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
