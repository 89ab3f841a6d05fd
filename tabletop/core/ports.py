"""The three device ports of a table: camera, buttons and screen, each real, simulated or absent.

Devices live outside `tabletop` and are found by name through the entry points `tabletop.cameras`, `tabletop.buttons`
and `tabletop.screens`. An entry point is a callable that takes one string (the part of the command-line word after the
colon, `""` if there is none) and returns an open device. It raises `DeviceError` with a remedy if the device is
missing, and `InputError` for settings it does not know. Its name contains no colon and is not one of the reserved words
(`sim`, `usb`, `none`, `auto`, `keys`, `terminal`). The port of a view is `tabletop.views.port`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

ButtonName = Literal["bank", "hold"]
ContactName = Literal["bank", "hold", "menu"]  # the MENU button is optional: a long HOLD does the same
Light = Literal["full", "dim", "off"]
BUTTON_NAMES: tuple[ButtonName, ...] = ("bank", "hold")
CONTACT_NAMES: tuple[ContactName, ...] = (*BUTTON_NAMES, "menu")
PINS = {"bank": 17, "hold": 27, "buzzer": 12}
"""The GPIO numbers of docs/wiring.md, which buttons and buzzer have unless people choose others."""
FREE_PINS = range(4, 28)
"""The GPIO numbers that they may have: 0 to 3 are the wires of add-on boards and of the display."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One camera frame.

    pixels: (H, W, 3) uint8, BGR. time_s: the time of exposure; never decreases. at_rest: True for a photograph:
    everything in it lies still and was thrown since the previous frame. trouble: a problem of the camera that still
    delivers frames, for the screen; empty if there is none, or once people have had time to read it.
    """

    pixels: NDArray[np.uint8]
    time_s: float
    at_rest: bool = False
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """A change of a button's contact, bounces included. time_s: on the clock of the frames. down: True when it closed.

    prompt: not made by a finger on a button but by a faster source: a key, or a tap that names the question it answers.
    """

    time_s: float
    button: ContactName
    down: bool
    prompt: bool = False


@dataclass(frozen=True, slots=True)
class Press:
    """One debounced press.

    long: held for at least `presses.LONG_PRESS_S`. repeat: the button is still held after its long press; steps through
    a list and means nothing elsewhere. menu: made with the MENU button: a long HOLD, except that in a dialog it goes
    back. prompt: as in `Edge`. time_s: when the press was complete; down_s: when the button went down; both on the
    clock of the edges. Equality ignores these three.
    """

    button: ButtonName
    long: bool = False
    repeat: bool = False
    menu: bool = False
    prompt: bool = field(default=False, compare=False)
    time_s: float = field(default=-inf, compare=False)
    down_s: float = field(default=-inf, compare=False)


class Camera(Protocol):
    """A source of frames.

    live: True if frames arrive in real time and late ones may be dropped; False if every frame counts (a film,
    photographs, simulated time).

    Clock: `Frame.time_s` is the time of exposure: seconds of `time.monotonic` if live, otherwise any clock with any
    origin. It never goes back.

    Pacing: one thread calls `read` in a loop. It blocks for up to 1.5 s until a new frame arrives, then raises
    DeviceError; returning an old frame at once would keep a processor core busy. Below 8 frames a second a tumbling die
    cannot be told from one at rest.

    Pixels: (height, width, 3) uint8, BGR, of a constant size while the camera is open. The camera must not write to
    them after `read` has returned them, and the table never does. They may be read-only.

    The first frame of a camera from an entry point is checked against this contract.
    """

    live: bool

    def read(self) -> Frame | None:
        """Return the next frame (the newest, if live); None from the end of the source on.

        Raises DeviceError if the camera has stopped responding; the next call tries again.
        """

    def close(self) -> None:
        """Release the device. Closing twice does nothing."""


@runtime_checkable
class Interruptible(Protocol):
    """A camera whose `read` may block for a second or more and can be interrupted."""

    def interrupt(self) -> None:
        """Make a blocked `read`, and every later one, return at once. May be called from any thread."""


class Buttons(Protocol):
    """A source of raw button edges; `presses` turns them into presses, the same way for every device."""

    def edges(self) -> Sequence[Edge]:
        """Return the edges since the last call, oldest first, without waiting; empty if there are none.

        A button held since before the device was opened may be reported as closing at minus infinity.
        """

    def listen(self, call: Callable[[], None]) -> None:
        """Call `call`, from any thread, whenever there is an edge to fetch, as an alternative to polling.

        `call` must return at once. Missed calls do no harm: edges are polled now and then as well.
        """

    def close(self) -> None:
        """Release the pins. Closing twice does nothing."""


class Screen(Protocol):
    """A small monochrome display. width, height: in pixels (128 and 64, or 128 and 32)."""

    width: int
    height: int

    def show(self, pixels: NDArray[np.bool_]) -> None:
        """Show a picture, (height, width) bool, True is lit. Returns at once; repeating a picture costs nothing.

        If the display is lost, the device retries; it never raises here.
        """

    def light(self, light: Light) -> None:
        """Set the brightness, to prevent burn-in when one picture stays for hours. Returns at once."""

    def close(self) -> None:
        """Switch the display off and release the bus. Closing twice does nothing."""


@runtime_checkable
class LookalikeScreen(Protocol):
    """A screen whose controller chip cannot be identified: similar modules use chips with different commands.

    chips: the possible chips. named: the configured one. chip: the one in use.
    """

    chips: tuple[str, ...]
    named: str
    chip: str

    def use_chip(self, chip: str) -> None:
        """Drive the display as this one of `chips` from now on.

        Returns at once; does nothing if it is already in use.
        """
