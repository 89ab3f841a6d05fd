"""Which bytes of a display's memory a new picture changes, and how each chip learns where they go. Pure.

Both chips keep a picture as pages of eight rows; a byte is eight pixels, the lowest bit on top. An SSD1306 takes a
rectangle of columns and pages, an SH1106 a run of columns in one page, of which the glass shows those from 2 on.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
        """How many bytes it holds."""
        return (self.last_page - self.first_page + 1) * (self.last_column - self.first_column + 1)

    def joined(self, other: "DisplayPatch") -> "DisplayPatch":
        """Return the smallest that holds both."""
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
    """How an SSD1306 in its horizontal mode learns where bytes go."""

    tall = True
    command_bytes = 6

    def command(self, patch: DisplayPatch) -> tuple[int, ...]:
        """Return the command before the bytes of a patch."""
        return (
            *(COLUMNS_WINDOW, patch.first_column, patch.last_column),
            *(PAGES_WINDOW, patch.first_page, patch.last_page),
        )


class Pages:
    """How an SH1106 learns where bytes go: its patches have one page each. left: the first column of the glass."""

    tall = False
    command_bytes = 3

    def __init__(self, left: int = SH1106_LEFT) -> None:
        self._left = left

    def command(self, patch: DisplayPatch) -> tuple[int, ...]:
        """Return the command before the bytes of a patch."""
        column = patch.first_column + self._left
        return PAGE | patch.first_page, column & 0x0F, HIGH_NIBBLE | column >> 4


Addressing = Windows | Pages


def packed(pixels: NDArray[np.bool_]) -> Memory:
    """Return the bytes of a picture, (pages, columns). pixels: (height, width) bool, height a multiple of 8."""
    height, width = pixels.shape
    return np.packbits(pixels.reshape(height // PAGE_ROWS, PAGE_ROWS, width), axis=1, bitorder="little")[:, 0, :]


def patches(before: Memory | None, after: Memory, addressing: Addressing) -> list[DisplayPatch]:
    """Return what to send, in few bytes, where the chip holds `before` (None: nobody knows what); empty if nothing."""
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
