"""The terminal as a view and as a keyboard: the tray with the reading, text beside it, one line of keys.

`TerminalView` is a context manager: leaving the block, an exception, SIGTERM and SIGHUP all restore the terminal;
Ctrl-Z does so until `fg`.
"""

import os
import signal
import sys
import termios
import time
import tty
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from io import StringIO
from types import FrameType, TracebackType
from typing import Any, Literal, Self, TextIO

import blessed
import numpy as np
from numpy.typing import NDArray

from tabletop.core.errors import InputError
from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal import panel, tray_picture
from tabletop.views.terminal.help import help_pages
from tabletop.views.terminal.layout import LEAST_COLUMNS, LEAST_ROWS, Shown, compose

__all__ = ["Key", "TerminalView", "compose"]


Action = Literal[
    "throw", "bank", "hold", "long bank", "long hold", "aside", "back", "nudge", "switch", "numbers", "help", "quit"
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Key:
    """The meaning of a key.

    face: 1 to 6 for `aside` (set a die with this face aside), else 0. label: the text printed on the key.
    """

    action: Action
    face: int = 0
    label: str = field(default="", compare=False)


KEYS: dict[Action, tuple[str, ...]] = {
    "throw": ("t", " "),
    "bank": ("b", "\r", "\n", "KEY_ENTER"),
    "hold": ("h", "KEY_DOWN"),
    "long bank": ("B", "u"),
    "long hold": ("H", "m"),
    "back": ("0",),
    "nudge": ("n",),
    "switch": ("\t", "KEY_TAB"),
    "numbers": ("#",),
    "help": ("?", "KEY_F1", "\x1b[11~", "\x1b[[A"),  # F1 of rxvt and PuTTY, and of the Linux console
    "quit": ("q", "Q", "\x03", "\x04"),  # Ctrl-C and Ctrl-D if the terminal passes them on
}
ACTIONS = {key: action for action, keys in KEYS.items() for key in keys}
FACES = "123456"
DICE_ACTIONS: tuple[Action, ...] = ("throw", "aside", "back", "nudge")  # those that need simulated dice
NAMELESS = {" ": "SPACE", "\x1b": "ESC", "\x7f": "BACKSPACE", "\x08": "BACKSPACE"}


def meaning(text: str, name: str | None = None) -> Key | None:
    """Return the meaning of a key, None if it has none. text: as typed; name: of a special key ("KEY_ENTER")."""
    if text in FACES and len(text) == 1:
        return Key("aside", int(text), text)
    action = ACTIONS.get(name or "") or ACTIONS.get(text)
    return Key(action, label=label(text, name)) if action else None


def label(text: str, name: str | None = None) -> str:
    """Return the label of a key: its letter, or the name of a special key without "KEY_"; empty if unknown."""
    if name:
        return name.removeprefix("KEY_")
    return text if text.isprintable() and text.strip() else NAMELESS.get(text, "")


CANNOT_MOVE = ("dumb", "unknown", "")  # values of TERM for terminals without cursor movement
# Control sequences of ISO 6429 and xterm; terminals that do not know those with a question mark ignore them.
CLEAR, ERASE_LINE = "\x1b[0m\x1b[2J\x1b[H", "\x1b[K"
HIDE_CURSOR, SHOW_CURSOR = "\x1b[?25l", "\x1b[?25h"
OTHER_SCREEN, FIRST_SCREEN = "\x1b[?1049h", "\x1b[?1049l"
ESCAPE, INTERRUPTS = "\x1b", ("\x03", "\x04")  # Ctrl-C and Ctrl-D end the program from the help too
UNFINISHED = (ESCAPE, "\x1b[", "\x1bO")  # as returned by blessed: alone, or as Alt with a letter
ENDING = (signal.SIGTERM, signal.SIGHUP)
REMARK_S = 3.0  # long enough to read a remark about a key twice
MOST_KEYS = 32  # keys taken at once: a key that repeats faster than the table ticks must not block it


def colours_of(environ: Mapping[str, str]) -> int:
    """Return the number of colours of the terminal named in the environment, 0 for none or with `NO_COLOR`."""
    if environ.get("NO_COLOR"):
        return 0
    return int(blessed.Terminal(environ.get("TERM", "dumb"), StringIO(), force_styling=True).number_of_colors)


@dataclass(slots=True)
class _Drawn:
    """What is on the screen. source, pixels: what it was drawn from. size: columns and rows, (0, 0) for nothing."""

    lines: list[str] = field(default_factory=list)
    source: tuple[object, ...] = ()
    pixels: NDArray[np.uint8] | None = None
    size: tuple[int, int] = (0, 0)


class TerminalView:
    """A view that fills the terminal, and reads the keys typed there.

    out: the terminal to draw on, standard output by default. environ: the environment (`NO_COLOR`; see no-color.org).
    tray_keys: whether there are simulated dice to throw. crop: the part of the camera's picture to show. clock: in
    seconds, for remarks that disappear. Entering raises InputError if `out` is not a terminal or has less than 40
    columns or 12 rows. A terminal without cursor movement (`TERM=dumb`) gets a line for each change. address: of the
    page, shown from the next picture on.
    """

    def __init__(
        self,
        out: TextIO | None = None,
        *,
        environ: Mapping[str, str] | None = None,
        tray_keys: bool = True,
        crop: tray_picture.Crop = tray_picture.WHOLE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._out = out or sys.stdout
        environ = os.environ if environ is None else environ
        self._clock = clock
        self.address = ""
        # Without styling: with it blessed queries the terminal, and waits ten seconds for silent ones.
        self._terminal = blessed.Terminal(stream=self._out, force_styling=None)
        self._moves = environ.get("TERM", "dumb") not in CANNOT_MOVE
        unicode = (self._out.encoding or "ascii").lower().replace("-", "") in ("utf8", "utf16", "gb18030")
        self._shown = Shown(0, 0, colours_of(environ), unicode=unicode, tray_keys=tray_keys, crop=crop)
        self._remark_until_s = 0.0
        self._fd = -1
        self._saved: list[Any] | None = None
        self._handlers: dict[signal.Signals, Any] = {}
        self._drawn = _Drawn()
        self._snapshot = Snapshot()  # the newest one: determines the meaning of keys

    def __enter__(self) -> Self:
        if not (self._out.isatty() and sys.stdin.isatty()):
            raise InputError("expected a terminal to draw on, got a pipe or a file: start it in a terminal")
        columns, rows = self.size
        if columns < LEAST_COLUMNS or rows < LEAST_ROWS:
            raise InputError(
                f"expected a terminal of at least {LEAST_COLUMNS} columns and {LEAST_ROWS} rows, got {columns} and "
                f"{rows}: enlarge it"
            )
        self._fd = self._out.fileno()
        self._saved = termios.tcgetattr(sys.stdin)
        for number in (*ENDING, signal.SIGTSTP):
            if signal.getsignal(number) is not signal.SIG_IGN:  # `nohup` sets that: then it stays ignored
                handler = self._on_stop if number == signal.SIGTSTP else self._on_end
                self._handlers[number] = signal.signal(number, handler)
        self._take_over()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Restore the terminal. Closing twice does nothing."""
        if self._saved is None:
            return
        self._give_back()
        self._saved = None
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self._handlers.clear()

    @property
    def size(self) -> tuple[int, int]:
        """The current number of columns and rows."""
        return self._terminal.width, self._terminal.height

    def show(self, pixels: NDArray[np.uint8] | None, snapshot: Snapshot) -> None:
        """Draw the table, writing only the lines that changed.

        pixels: the frame, (H, W, 3) uint8 BGR, None before the first.
        """
        shown, self._snapshot = self._now(), snapshot
        reading = snapshot.reading and (snapshot.reading.dice, snapshot.reading.unsure)
        now = (shown, replace(snapshot, reading=None), reading)
        drawn = self._drawn  # Ctrl-Z replaces it, and the next picture is drawn whole
        if now == drawn.source and pixels is drawn.pixels:
            return
        drawn.source, drawn.pixels = now, pixels
        if self._moves:
            self._draw(drawn, compose(pixels, snapshot, shown), (shown.columns, shown.rows))
        else:
            self._tell(drawn, snapshot, shown.remark)

    def keys(self, timeout_s: float = 0.0) -> list[Key]:
        """Return the keys typed since the last call; if there are none, wait for one for this long.

        TAB and the help are handled here, and so are unknown keys, with a remark.
        """
        found: list[Key] = []
        for _ in range(MOST_KEYS):
            typed = self._terminal.inkey(timeout=0 if found else timeout_s, esc_delay=0.02)
            if not typed:
                break
            text = self._whole(str(typed))
            key = self._obey(text, typed.name if text == typed else None)
            if key is None:
                timeout_s = 0.0
            else:
                found.append(key)
        return found

    def means_nothing(self, key: str) -> None:
        """Show for a moment that this key does nothing here. key: its label, empty if unknown."""
        phrases = self._snapshot.phrases
        self._say(phrases.unknown_key.format(text=key or phrases.this_key))

    def too_fast(self) -> None:
        """Show for a moment that a key came too soon after the previous one."""
        self._say(self._snapshot.phrases.page["flood"])

    def _say(self, remark: str) -> None:
        self._shown = replace(self._shown, remark=remark)
        self._remark_until_s = self._clock() + REMARK_S

    def _whole(self, typed: str) -> str:
        """Return the beginning of a sequence with what came at once behind it: one key that blessed does not know."""
        if typed in UNFINISHED:
            while more := self._terminal.inkey(timeout=0):
                typed += str(more)
        return typed

    def _obey(self, text: str, name: str | None) -> Key | None:
        """Return what a key means for the match, None for nothing: it turned a page, or means nothing."""
        key = meaning(text, name)
        if self._shown.help_page is not None and text not in INTERRUPTS:
            self._turn_help(text)
            return None
        self._shown = replace(self._shown, remark="")
        if key is None or (key.action in DICE_ACTIONS and not self._shown.tray_keys):
            self.means_nothing(label(text, name))
            return None
        if key.action == "switch":
            self._shown = replace(self._shown, sheet=not self._shown.sheet)
            return None
        if key.action == "numbers":
            self._shown = replace(self._shown, numbers=not self._shown.numbers)
            return None
        if key.action == "help":
            self._shown = replace(self._shown, help_page=0)
            return None
        return key

    def _turn_help(self, text: str) -> None:
        """Show the next page; the table after the last, or after Esc."""
        pages = help_pages(self._snapshot, *self.size, tray=self._shown.tray_keys)
        page = min(self._shown.help_page or 0, len(pages) - 1) + 1
        self._shown = replace(self._shown, help_page=None if text == ESCAPE or page >= len(pages) else page)

    def _now(self) -> Shown:
        """Return how the table is to be shown now: a remark whose time is over goes away."""
        columns, rows = self.size
        remark = self._shown.remark if self._clock() < self._remark_until_s else ""
        self._shown = replace(self._shown, columns=columns, rows=rows, remark=remark, address=self.address)
        return self._shown

    def _draw(self, drawn: _Drawn, lines: list[str], size: tuple[int, int]) -> None:
        """Write the lines that differ from what is drawn; everything, on a cleared screen, at another size."""
        whole = size != drawn.size
        parts = [CLEAR] if whole else []
        before = [""] * len(lines) if whole else drawn.lines
        for row, line in enumerate(lines):
            if before[row] != line:
                parts.append(f"\x1b[{row + 1};1H{line}{ERASE_LINE}")
        drawn.lines, drawn.size = lines, size
        self._write("".join(parts))

    def _tell(self, drawn: _Drawn, snapshot: Snapshot, remark: str) -> None:
        """Write one line where it differs from the one before, for a terminal that cannot move its cursor."""
        words = remark or panel.told(snapshot)
        if words and drawn.lines != [words]:
            drawn.lines = [words]
            self._write(words + "\r\n")

    def _write(self, text: str) -> None:
        """Write past the buffer of the stream, so that nothing left in it can come out after the end."""
        left = memoryview(text.encode(self._out.encoding or "ascii", "replace"))
        while left and self._saved is not None:
            left = left[os.write(self._fd, left) :]

    def _take_over(self) -> None:
        self._drawn = _Drawn()
        tty.setcbreak(sys.stdin.fileno())
        if self._moves:
            self._write(OTHER_SCREEN + HIDE_CURSOR)
        else:
            self._write(panel.keys_line(self.size[0], tray=self._shown.tray_keys) + "\r\n")

    def _give_back(self) -> None:
        if self._moves:
            self._write(CLEAR + SHOW_CURSOR + FIRST_SCREEN)
        if self._saved is not None:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._saved)

    def _on_end(self, number: int, frame: FrameType | None) -> None:
        """Give the terminal back, then let the signal do what it would have done without us."""
        handler = self._handlers.get(signal.Signals(number), signal.SIG_DFL)
        self.close()
        if callable(handler):
            handler(number, frame)
        else:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)

    def _on_stop(self, _number: int, _frame: FrameType | None) -> None:
        """Give the shell its terminal back on Ctrl-Z; after `fg`, draw everything again."""
        self._give_back()
        os.kill(os.getpid(), signal.SIGSTOP)
        self._take_over()
