"""The display's chip behind luma's driver: set up, drawn on, lost and found again. No thread, no clock.

luma's driver is made once, with nothing behind it, and what it says to set the chip up is written down. So the chip can
be set up whenever it appears, and a loose wire costs no new driver. (Each one stays in memory until the program ends.)
"""

import contextlib
from collections.abc import Callable
from typing import Any, Protocol

import luma.core.error
import numpy as np
from numpy.typing import NDArray
from PIL import Image

RETRY_S = 3.0  # a lost chip is tried again after this
RENEW_S = 10.0  # so often all is sent anew: a chip that lost its power for a moment neither tells nor shows anything
LOST = (OSError, luma.core.error.Error)  # what luma and the bus raise where no chip answers; a time-out is an OSError

DISPLAY_OFF, DISPLAY_ON = 0xAE, 0xAF  # commands of both chips' data sheets


class Link(Protocol):
    """luma's serial interface: commands and picture data to one chip."""

    def command(self, *cmd: int) -> None:
        """Send command bytes."""

    def data(self, data: list[int]) -> None:
        """Send bytes of a picture."""

    def cleanup(self) -> None:
        """Close the bus."""


class Wire:
    """What luma's driver writes to: first the list of what sets the chip up, then the chip.

    connect: opens the bus. Raises one of `LOST` where it cannot.
    """

    def __init__(self, connect: Callable[[], Link]) -> None:
        self.setup: list[tuple[int, ...]] = []
        self._connect = connect
        self._link: Link | None = None
        self._driver_made = self._closed = False

    def made(self) -> None:
        """Stop writing the set-up down: the driver is made."""
        self._driver_made = True

    def command(self, *cmd: int) -> None:
        """Take command bytes from the driver."""
        if self._driver_made:
            self.send(*cmd)
        else:
            self.setup.append(cmd)

    def data(self, data: list[int]) -> None:
        """Take bytes of a picture from the driver; the empty one that it begins with is not sent."""
        if self._driver_made and not self._closed:
            self._open().data(data)

    def send(self, *cmd: int) -> None:
        """Send command bytes to the chip."""
        if not self._closed:
            self._open().command(*cmd)

    def drop(self) -> None:
        """Let the bus go; the next byte opens it again."""
        link, self._link = self._link, None
        if link is not None:
            with contextlib.suppress(*LOST):
                link.cleanup()

    def cleanup(self) -> None:
        """Let the bus go for good. luma calls this when the program ends."""
        self.drop()
        self._closed = True

    def _open(self) -> Link:
        if self._link is None:
            self._link = self._connect()
        return self._link


class Panel:
    """One display, from pictures to its chip.

    driver: luma's class, such as `luma.oled.device.ssd1306`. connect: opens luma's serial interface to the chip.
    trouble: why the chip was not reached the last time, empty while all is well.
    """

    def __init__(self, driver: Callable[..., Any], connect: Callable[[], Link], *, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.trouble = ""
        self._wire = Wire(connect)
        self._driver = driver(self._wire, width=width, height=height)
        self._wire.made()
        self._settings = _settings(self._wire.setup)
        self._shown: NDArray[np.bool_] | None = None
        self._due_s = float("-inf")

    def refresh(self, pixels: NDArray[np.bool_], now_s: float) -> float:
        """Bring the picture to the chip, unless it is there or the chip was lost a moment ago.

        pixels: (height, width) bool, True is lit; not changed afterwards. now_s: on any clock that does not go back.
        Returns when to come again at the latest, though the picture is still the same.
        """
        same = self._shown is not None and np.array_equal(pixels, self._shown)
        if now_s < self._due_s and (self.trouble or same):
            return self._due_s
        try:
            self._draw(pixels, now_s)
        except LOST as error:
            self._wire.drop()
            self.trouble = " ".join(str(error).split()) or type(error).__name__
            self._due_s = now_s + RETRY_S
        else:
            self._shown, self.trouble = pixels, ""
        return self._due_s

    def off(self) -> None:
        """Switch the display off and let the bus go; afterwards nothing is sent any more."""
        with contextlib.suppress(*LOST):
            self._wire.send(DISPLAY_OFF)
        self._wire.cleanup()

    def _draw(self, pixels: NDArray[np.bool_], now_s: float) -> None:
        """Send the picture; where all is due, after the chip's settings, and the light last: its memory is garbage."""
        anew = now_s >= self._due_s
        for cmd in self._settings if anew else ():
            self._wire.send(*cmd)
        self._driver.display(Image.fromarray(pixels))
        if anew:
            self._wire.send(DISPLAY_ON)
            self._due_s = now_s + RENEW_S


def _settings(setup: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return luma's set-up without what switches the display off first and on last: a renewal would blink."""
    first, *others = setup
    return [first[1:] if first[0] == DISPLAY_OFF else first, *(cmd for cmd in others if cmd != (DISPLAY_ON,))]
