"""The command line: one module per command, found by name, imported only when it is used.

A command module has `arguments(parser)` and `run(options) -> int`. Commands of other packages come through the
entry-point group `tabletop.commands`; their modules also have `HELP`, one line.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import entry_points
from io import TextIOWrapper
from typing import NoReturn, Protocol, cast

from tabletop import __version__
from tabletop.core.errors import InputError, TabletopError, one_line

# name -> one line of help; the module is tabletop.cli.NAME
COMMANDS = {
    "play": "play a game with real or simulated camera, buttons and screen",
    "read": "read the dice in photographs",
    "referee": "referee a game line by line, for other programs",
    "games": "list games and show their rules",
    "dice": "teach, list, forget or copy dice with logos or numerals",
    "replay": "replay a stored match, a recording or a script of examples",
    "export": "write matches as events, for spreadsheets and other programs",
    "import": "store the matches of an export",
    "delete": "delete a match or a player for good, or rename a player",
    "stats": "count matches, wins, best scores and thrown faces",
    "coach": "say after a match which decisions cost most",
    "backup": "write matches, profiles, taught dice and your games to one archive",
    "restore": "restore an archive of `tabletop backup`",
    "doctor": "check every part of the table and say what to fix",
}
MODULES = {"import": "tabletop.cli.import_matches"}  # whose name is a word of Python
BAD_INPUT_STATUS = 2
LAST_STREAM = 2  # the file descriptor of standard error
SHORT_OF_MEMORY = ("can't start new thread", "Insufficient memory")  # messages of CPython and OpenCV
INTERRUPTED_STATUS = 130  # 128 + SIGINT, as shells have it


class Command(Protocol):
    """The interface of a command module. HELP: one line, only for commands of other packages."""

    HELP: str

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's arguments."""

    def run(self, options: argparse.Namespace) -> int:
        """Run the command and return the exit status; raises TabletopError for user errors."""


class _Parser(argparse.ArgumentParser):
    """A parser whose complaints are one line, as all our errors are."""

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing the usage."""
        raise InputError(f"{message}; see `{self.prog} --help`")


def _added_commands() -> dict[str, str]:
    return {point.name: point.value for point in entry_points(group="tabletop.commands") if point.name not in COMMANDS}


def _overview(added: dict[str, str]) -> str:
    width = max(map(len, [*COMMANDS, *added]))
    lines = [f"  {name:<{width}}  {text}" for name, text in COMMANDS.items()]
    lines += [f"  {name:<{width}}  {cast('Command', import_module(added[name])).HELP}" for name in sorted(added)]
    return "\n".join(["commands:", *lines, "", "Run `tabletop COMMAND --help` for details."])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    User errors, lack of memory and file errors become one line on standard error and status 2.
    """
    _make_streams_safe()
    words = list(sys.argv[1:] if arguments is None else arguments)
    name = " ".join(["tabletop", *words[:1]])
    try:
        status = _dispatch(words)
        sys.stdout.flush()  # a full disk is reported here, not while the interpreter ends
    except TabletopError as error:
        return _refuse(f"{name}: {one_line(error)}")
    except KeyboardInterrupt:
        return INTERRUPTED_STATUS
    except BrokenPipeError:  # the reader of our output has closed it
        _drop_output()
        return 0
    except OSError as error:
        return _refuse(f"{name}: {error.filename or 'standard output'}: {error.strerror or one_line(error)}")
    except Exception as error:
        if not (why := _missing(error)):
            raise
        return _refuse(f"{name}: {why}")
    return status


def _missing(error: Exception) -> str:
    """Return which package or how much memory is missing, empty for any other error."""
    if isinstance(error, ModuleNotFoundError):
        return f"expected the package {error.name}, got none: pip install 'dice-referee[pi,web,mat,mqtt]'"
    # SystemError: CPython 3.11 fails to set an exception where memory ran out within an import
    if isinstance(error, MemoryError | ImportError | SystemError) or any(
        word in str(error) for word in SHORT_OF_MEMORY
    ):
        return f"not enough memory, or a part is missing: {one_line(error) or 'out of memory'}"
    return ""


def _make_streams_safe() -> None:
    """Give the streams that are closed an empty end, and write letters that the terminal has not as escapes.

    File descriptors 0 to 2 are taken first: otherwise the store could be opened as one of them, and printed into.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= LAST_STREAM:
        pass
    os.close(descriptor)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 - open to the end
        elif mode == "w" and isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _refuse(line: str) -> int:
    """Write the one line about what is wrong, if it can be written, and return the status."""
    _drop_output()
    try:
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    except OSError:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115, PTH123 - for the interpreter's last flush
    return BAD_INPUT_STATUS


def _drop_output() -> None:
    """Write what can be written of the output; drop the rest, and what the interpreter would flush at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115, PTH123 - the same


def _dispatch(words: list[str]) -> int:
    added = _added_commands()
    if not words or words[0] in ("-h", "--help"):
        text = f"usage: tabletop COMMAND ...\n\nA referee for real dice on a real table.\n\n{_overview(added)}\n"
        (sys.stdout if words else sys.stderr).write(text)
        return 0 if words else BAD_INPUT_STATUS
    name = words[0]
    if name == "--version":
        sys.stdout.write(f"tabletop {__version__}\n")
        return 0
    if name not in COMMANDS and name not in added:
        known = ", ".join([*COMMANDS, *sorted(added)])
        sys.stderr.write(f"tabletop: expected one of the commands {known}, got {name!r}\n")
        return BAD_INPUT_STATUS
    command = cast("Command", import_module(added.get(name) or MODULES.get(name) or f"tabletop.cli.{name}"))
    parser = _Parser(prog=f"tabletop {name}", description=COMMANDS.get(name) or command.HELP, allow_abbrev=False)
    command.arguments(parser)
    try:
        options = parser.parse_args(words[1:])
    except SystemExit as end:  # after --help
        return int(end.code or 0)
    return command.run(options)
