"""Two display chips and their bus, to the byte: SSD1306 and SH1106 behind I2C, with the glass that people look at.

Follows the command tables of the chips' data sheets (Solomon Systech SSD1306, Sino Wealth SH1106), not a driver. The
glass is mounted so that a picture is upright with segments remapped and rows scanned backwards, as on common modules.
"""

import errno
import threading
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

MEMORY_ROWS = 64
WAIT_S = 30.0  # a test that waits so long has failed
ONE_ARGUMENT = dict.fromkeys((0x81, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1)  # commands of both chips


class DisplayChip:
    """What both chips share. rows: of the glass; com_pins: how it is wired to them. memory is garbage at power-on."""

    columns, left = 128, 0
    arguments = ONE_ARGUMENT

    def __init__(self, rows: int = 64, com_pins: int = 0x12, seed: int = 1) -> None:
        self.rows, self.wired_pins = rows, com_pins
        self._chance = np.random.default_rng(seed)
        self.power_up()

    def power_up(self) -> None:
        """Lose everything: registers as after reset, memory at random."""
        self.memory = self._chance.integers(0, 2, (MEMORY_ROWS, self.columns)).astype(bool)
        self.on = self.inverse = self.all_on = self.remapped = self.backwards = False
        self.start_line = self.offset = self.page = self.column = 0
        self.multiplex, self.com_pins, self.contrast = 63, 0x12, 0x7F
        self._command: list[int] = []

    @property
    def powered(self) -> bool:
        return self.on

    def write(self, payload: Sequence[int]) -> None:
        """Take one I2C message after the address: a control byte, then commands (0x00) or picture bytes (0x40)."""
        control, *rest = payload
        assert control in (0x00, 0x40), f"control byte {control:#x}"
        for byte in rest:
            self._data(byte) if control else self._take(byte)

    def glass(self) -> NDArray[np.bool_]:
        if not self.powered:
            return np.zeros((self.rows, 128), bool)
        com = self.rows - 1 - np.arange(self.rows)
        line = self.multiplex - com if self.backwards else com
        if (self.com_pins ^ self.wired_pins) & 0x10:  # rows in their order, or odd ones in the other half
            line = line // 2 + line % 2 * MEMORY_ROWS // 2
        seen = self.memory[(line + self.start_line + self.offset) % MEMORY_ROWS]
        seen = seen if self.remapped else seen[:, ::-1]
        lit = (seen[:, self.left : self.left + 128] | self.all_on) ^ self.inverse
        return np.asarray(lit & (com <= self.multiplex)[:, None], bool)

    def _take(self, byte: int) -> None:
        self._command.append(byte)
        if len(self._command) > self.arguments.get(self._command[0], 0):
            (code, *values), self._command = self._command, []
            self._obey(code, values)

    def _obey(self, code: int, values: list[int]) -> None:
        if code < 0x10:
            self.column = self.column & 0xF0 | code
        elif code < 0x20:
            self.column = self.column & 0x0F | (code & 0x0F) << 4
        elif 0xB0 <= code < 0xB8:
            self.page = code & 0x07
        elif 0x40 <= code < 0x80:
            self.start_line = code & 0x3F
        elif 0xA0 <= code < 0xB0 and not values:
            self._switch(code)
        elif 0xC0 <= code < 0xD0:
            self.backwards = bool(code & 0x08)
        elif values:
            self._set(code, values[0])

    def _switch(self, code: int) -> None:
        """Obey what is on with an odd code, off with an even one."""
        names = {0xA0: "remapped", 0xA4: "all_on", 0xA6: "inverse", 0xAE: "on"}
        if code & 0xFE in names:
            setattr(self, names[code & 0xFE], bool(code & 1))

    def _set(self, code: int, value: int) -> None:
        names = {0x81: "contrast", 0xA8: "multiplex", 0xD3: "offset", 0xDA: "com_pins"}
        if code in names:
            setattr(self, names[code], value & 0x3F if code in (0xA8, 0xD3) else value)

    def _data(self, byte: int) -> None:
        if self.column < self.columns:
            self.memory[8 * self.page : 8 * self.page + 8, self.column] = byte >> np.arange(8) & 1
        self._advance()

    def _advance(self) -> None:
        """Go on after a byte: page addressing stays in its page."""
        self.column += 1


class Sh1106(DisplayChip):
    """132 columns, of which the glass shows those from 2 on; only page addressing; makes its own voltage."""

    columns, left = 132, 2
    arguments = ONE_ARGUMENT | {0xAD: 1}


class Ssd1306(DisplayChip):
    """128 columns, three ways of addressing, and a charge pump that must be switched on."""

    arguments = ONE_ARGUMENT | {
        0x20: 1, 0x21: 2, 0x22: 2, 0x26: 6, 0x27: 6, 0x29: 5, 0x2A: 5, 0x8D: 1, 0xA3: 2,
    }  # fmt: skip

    def power_up(self) -> None:
        """Start in page addressing, with the windows open and the pump off."""
        super().power_up()
        self.mode, self.window, self.pages, self.pump = 2, (0, 127), (0, 7), False

    @property
    def powered(self) -> bool:
        return self.on and self.pump

    def _obey(self, code: int, values: list[int]) -> None:
        if code == 0x20:
            self.mode = values[0] & 0x03
        elif code == 0x21:
            self.window = (values[0] & 0x7F, values[1] & 0x7F)
            self.column = self.window[0]
        elif code == 0x22:
            self.pages = (values[0] & 0x07, values[1] & 0x07)
            self.page = self.pages[0]
        elif code == 0x8D:
            self.pump = bool(values[0] & 0x04)
        else:
            super()._obey(code, values)

    def _advance(self) -> None:
        """Go on after a byte: along the row, down the column, or along the row of one page."""
        if self.mode == 1:
            self.column += self.page == self.pages[1]
            self._next_page()
        else:
            self.column += 1
        if self.column > (self.window[1] if self.mode != 2 else 127):
            self.column = self.window[0] if self.mode != 2 else 0
            if self.mode == 0:
                self._next_page()

    def _next_page(self) -> None:
        self.page = self.pages[0] if self.page == self.pages[1] else (self.page + 1) & 0x07


class Bus:
    """An I2C bus as smbus2 offers it, with one chip at an address. budget: bytes until the wire comes off, if given."""

    def __init__(self, chip: DisplayChip, address: int = 0x3C) -> None:
        self.chip, self.address = chip, address
        self.budget: int | None = None
        self.error: OSError = OSError(errno.EREMOTEIO, "Remote I/O error")  # what a missing answer looks like
        self.bytes_sent = self.closed = 0
        self.after: Callable[[], None] = lambda: None  # called after each message
        self.changed = threading.Condition()

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        """Send one message of at most 32 bytes after the control byte."""
        assert len(data) <= 32, "more than an SMBus block"
        self._message(i2c_addr, [register, *data])

    def i2c_rdwr(self, *messages: Iterable[int]) -> None:
        """Send messages of any length (smbus2.i2c_msg)."""
        for message in messages:
            self._message(message.addr, list(message))  # type: ignore[attr-defined]  # smbus2 ships no such type

    def close(self) -> None:
        self.closed += 1

    def wait_until(self, true: Callable[[], bool]) -> bool:
        with self.changed:
            return self.changed.wait_for(true, WAIT_S)

    def _message(self, address: int, payload: list[int]) -> None:
        with self.changed:
            self.changed.notify_all()
            if address != self.address:
                raise OSError(errno.EREMOTEIO, "Remote I/O error")
            arrived = payload if self.budget is None else payload[: self.budget]
            if arrived:
                self.chip.write(arrived)
            self.bytes_sent += len(arrived)
            if self.budget is not None:
                self.budget -= len(arrived)
                if len(arrived) < len(payload):
                    raise self.error
            self.after()
