"""The display's chip behind luma's driver: initialisation, drawing, loss and recovery. No thread, no clock.

luma's driver is created once, without a device, and its initialisation commands are captured. So the chip can be
initialised whenever it appears, and a loose wire needs no new driver. (Each one stays in memory until the program
ends.)

Only the bytes changed by a new picture are sent. Both chips store a picture as pages of eight rows; a byte is eight
pixels, the lowest bit on top. An SSD1306 takes a rectangle of columns and pages, an SH1106 a run of columns in a page.
"""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import luma.core.error
import numpy as np
from numpy.typing import NDArray

from tabletop.core.ports import Light

PAGE_ROWS = 8
COLUMNS_WINDOW, PAGES_WINDOW = 0x21, 0x22  # SSD1306: first and last of each follow
PAGE, HIGH_NIBBLE = 0xB0, 0x10  # SH1106: page, then the lower and the upper half of the column
SH1106_LEFT = 2  # its memory has 132 columns; on a few boards the glass shows those from 0 on
MESSAGE_BYTES = 2  # of each I2C message: the address, and what kind of bytes follow

Memory = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class DisplayPatch:
    """A rectangle of bytes: pages and columns, both ends included."""

    first_page: int
    last_page: int
    first_column: int
    last_column: int

    @property
    def size(self) -> int:
        """The number of bytes."""
        return (self.last_page - self.first_page + 1) * (self.last_column - self.first_column + 1)

    def joined(self, other: "DisplayPatch") -> "DisplayPatch":
        """Return the smallest patch that contains both."""
        return DisplayPatch(
            min(self.first_page, other.first_page),
            max(self.last_page, other.last_page),
            min(self.first_column, other.first_column),
            max(self.last_column, other.last_column),
        )

    def of(self, memory: Memory) -> list[int]:
        """Return its bytes, page by page."""
        part = memory[self.first_page : self.last_page + 1, self.first_column : self.last_column + 1]
        return [int(byte) for byte in part.ravel()]


class Windows:
    """Addressing of an SSD1306 in horizontal mode."""

    tall = True
    command_bytes = 6

    def command(self, patch: DisplayPatch) -> tuple[int, ...]:
        """Return the command that precedes the bytes of a patch."""
        return (
            *(COLUMNS_WINDOW, patch.first_column, patch.last_column),
            *(PAGES_WINDOW, patch.first_page, patch.last_page),
        )


class Pages:
    """Addressing of an SH1106: its patches have one page each. left: the first visible column."""

    tall = False
    command_bytes = 3

    def __init__(self, left: int = SH1106_LEFT) -> None:
        self._left = left

    def command(self, patch: DisplayPatch) -> tuple[int, ...]:
        """Return the command that precedes the bytes of a patch."""
        column = patch.first_column + self._left
        return PAGE | patch.first_page, column & 0x0F, HIGH_NIBBLE | column >> 4


Addressing = Windows | Pages


def packed(pixels: NDArray[np.bool_]) -> Memory:
    """Return the bytes of a picture, (pages, columns). pixels: (height, width) bool, height a multiple of 8."""
    height, width = pixels.shape
    return np.packbits(pixels.reshape(height // PAGE_ROWS, PAGE_ROWS, width), axis=1, bitorder="little")[:, 0, :]


def patches(before: Memory | None, after: Memory, addressing: Addressing) -> list[DisplayPatch]:
    """Return the patches to send, in few bytes, if the chip holds `before` (None: unknown); empty if unchanged."""
    overhead = addressing.command_bytes + 2 * MESSAGE_BYTES
    found: list[DisplayPatch] = []
    for run in _runs(before, after, overhead):
        for n, patch in enumerate(found if addressing.tall else ()):
            both = patch.joined(run)
            if patch.last_page == run.first_page - 1 and both.size <= patch.size + run.size + overhead:
                found[n] = both
                break
        else:
            found.append(run)
    whole = DisplayPatch(0, after.shape[0] - 1, 0, after.shape[1] - 1)
    cost = sum(patch.size + overhead for patch in found)
    return [whole] if addressing.tall and cost > whole.size + overhead else found


def _runs(before: Memory | None, after: Memory, overhead: int) -> Iterator[DisplayPatch]:
    """Yield the runs of changed columns, page by page; a gap that is cheaper than a new run is sent as well."""
    for page, row in enumerate(after):
        columns = np.arange(row.size) if before is None else np.flatnonzero(before[page] != row)
        if columns.size:
            for part in np.split(columns, np.flatnonzero(np.diff(columns) > overhead) + 1):
                yield DisplayPatch(page, page, int(part[0]), int(part[-1]))


RETRY_S = 3.0  # a lost chip is tried again after this
RENEW_S = 10.0  # how often all is sent again: a chip that lost its power for a moment shows nothing and reports nothing
LOST = (OSError, luma.core.error.Error)  # what luma and the bus raise where no chip answers; a time-out is an OSError

DISPLAY_OFF, DISPLAY_ON, CONTRAST = 0xAE, 0xAF, 0x81  # commands of both chips' data sheets; a level follows contrast
DIM_CONTRAST = 0x10  # a sixteenth of the largest current: to be read in a room, and it ages the dots that much slower


class SetUp:
    """A device for luma's driver that captures the initialisation commands."""

    def __init__(self) -> None:
        self.commands: list[tuple[int, ...]] = []

    def command(self, *cmd: int) -> None:
        """Capture a command."""
        self.commands.append(cmd)

    def data(self, data: list[int]) -> None:
        """Ignore the empty picture that the driver sends first."""

    def cleanup(self) -> None:
        """Do nothing: luma calls this when the program ends."""


class Panel:
    """Drives one display: sends only the changes of a picture to its chip.

    driver: luma's class `ssd1306` or `sh1106`, which provides the initialisation. connect: opens luma's serial
    interface to the chip. left: the first column of an SH1106 that is visible. turned: whether it is upside down.
    trouble: why the chip was not reached the last time, empty while all is well.
    """

    def __init__(
        self,
        driver: Callable[..., Any],
        connect: Callable[[], Any],
        *,
        width: int,
        height: int,
        left: int = SH1106_LEFT,
        turned: bool = False,
    ) -> None:
        self.width, self.height = width, height
        self._step = -1 if turned else 1
        self.trouble = ""
        self._addressing: Addressing = Pages(left) if driver.__name__ == "sh1106" else Windows()
        self._connect = connect
        self._link: Any = None
        setup = SetUp()
        driver(setup, width=width, height=height)
        self._settings = _settings(setup.commands)
        full = next(cmd[1] for cmd in setup.commands if cmd[0] == CONTRAST)
        self._contrasts: dict[Light, int] = {"full": full, "dim": DIM_CONTRAST}
        self._memory: Memory | None = None  # what the chip surely holds
        self._light: Light | None = None
        self._contrast = -1
        self._due_s = float("-inf")

    def refresh(self, pixels: NDArray[np.bool_], now_s: float, light: Light = "full") -> float:
        """Send picture and brightness to the chip, unless they are unchanged or the chip was just lost.

        pixels: (height, width) bool, True is lit. now_s: on any monotonic clock. Returns the latest time for the next
        call, even without changes.
        """
        memory = packed(pixels[:: self._step, :: self._step])
        same = light == self._light and (
            light == "off" or (self._memory is not None and np.array_equal(memory, self._memory))
        )
        if now_s < self._due_s and (self.trouble or same):
            return self._due_s
        try:
            if light == "off":
                self._darken(now_s)
            else:
                self._draw(memory, self._contrasts[light], now_s, whole=now_s >= self._due_s or self._light == "off")
        except LOST as error:
            self._drop()
            self.trouble = " ".join(str(error).split()) or type(error).__name__
            self._memory, self._due_s = None, now_s + RETRY_S
        else:
            self._light, self.trouble = light, ""
        return self._due_s

    def forget(self) -> None:
        """Discard the known state: the chip was driven in another way, and is initialised at the next picture."""
        self._memory, self._light, self._due_s = None, None, float("-inf")

    def hand_over(self) -> None:
        """Clear all of the memory and release the bus for a panel that drives the chip in another way.

        Otherwise old content would stay where the other way writes nothing, and look as if that were right.
        """
        if self._memory is not None:
            dark = np.zeros_like(self._memory)
            with contextlib.suppress(*LOST):
                for patch in patches(None, dark, self._addressing):
                    self._send_patch(patch, dark)
        self._drop()

    def off(self) -> None:
        """Switch the display off and release the bus."""
        with contextlib.suppress(*LOST):
            self._send(DISPLAY_OFF)
        self._drop()

    def _send(self, *cmd: int) -> None:
        """Send command bytes to the chip; opens the bus if need be."""
        if self._link is None:
            self._link = self._connect()
        self._link.command(*cmd)

    def _send_patch(self, patch: DisplayPatch, memory: Memory) -> None:
        self._send(*self._addressing.command(patch))
        self._link.data(patch.of(memory))

    def _drop(self) -> None:
        """Let the bus go; the next command opens it again."""
        link, self._link = self._link, None
        if link is not None:
            with contextlib.suppress(*LOST):
                link.cleanup()

    def _darken(self, now_s: float) -> None:
        """Switch the light off; what the chip holds does not matter until it is lit again."""
        self._send(DISPLAY_OFF)
        self._memory, self._due_s = None, now_s + RENEW_S

    def _draw(self, memory: Memory, contrast: int, now_s: float, *, whole: bool) -> None:
        """Send what changed; where all is due, after the chip's settings, and the light last: its memory is garbage."""
        before, self._memory = None if whole else self._memory, None
        for cmd in self._settings if whole else ():
            self._send(*cmd)
        if whole or contrast != self._contrast:
            self._send(CONTRAST, contrast)
        for patch in patches(before, memory, self._addressing):
            self._send_patch(patch, memory)
        if whole:
            self._send(DISPLAY_ON)
            self._due_s = now_s + RENEW_S
        self._memory, self._contrast = memory, contrast


def _settings(setup: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return luma's set-up without what switches the display off first and on last, or a renewal would blink.

    The contrast is not in it either: that is the light's.
    """
    first, *others = setup
    kept = [cmd for cmd in others if cmd != (DISPLAY_ON,) and cmd[0] != CONTRAST]
    return [first[1:] if first[0] == DISPLAY_OFF else first, *kept]
