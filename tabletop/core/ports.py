"""The three ports of a rig: camera, buttons and screen, each real, simulated or absent.

Devices live outside `tabletop` and are found by name through the entry points `tabletop.cameras`, `tabletop.buttons`
and `tabletop.screens`. An entry point is a callable that takes one string (what stands after the colon of the
command-line word, `""` if nothing does) and returns an open device. It raises `DeviceError` saying what to do if the
device is missing, `InputError` for words it does not know. Its name holds no colon and is none of the table's own words
(`sim`, `usb`, `none`, `auto`, `keys`, `terminal`). The port of a view is `tabletop.views.port`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

ButtonName = Literal["bank", "hold"]
ContactName = Literal["bank", "hold", "menu"]  # MENU may be left out: a long HOLD does the same
Light = Literal["full", "dim", "off"]
BUTTON_NAMES: tuple[ButtonName, ...] = ("bank", "hold")
CONTACT_NAMES: tuple[ContactName, ...] = (*BUTTON_NAMES, "menu")
PINS = {"bank": 17, "hold": 27, "buzzer": 12}
"""The GPIO numbers of docs/wiring.md, which buttons and buzzer have unless people choose others."""
FREE_PINS = range(4, 28)
"""The GPIO numbers that they may have: 0 to 3 are the wires of add-on boards and of the display."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One camera picture.

    pixels: (H, W, 3) uint8, BGR. time_s: when it was exposed, never going back. at_rest: a photograph: all that it
    shows lies still, and was thrown since the frame before. trouble: what is wrong with the camera although it gives
    frames, for the screen; empty for nothing, and again empty once people have had time to read it.
    """

    pixels: NDArray[np.uint8]
    time_s: float
    at_rest: bool = False
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """A button's contact changed, chatter included. time_s: on the clock of the frames. down: True when it closed.

    prompt: no finger on a button did it, but what may be quicker: a key, or a tap that names the question it answers.
    """

    time_s: float
    button: ContactName
    down: bool
    prompt: bool = False


@dataclass(frozen=True, slots=True)
class Press:
    """One press as a person means it.

    long: held for at least `presses.LONG_PRESS_S`. repeat: the button is held on after its long press: another step of
    a list, and nothing anywhere else. menu: made with the MENU button; a long HOLD, but in a dialog it goes back.
    prompt: as in `Edge`. time_s: when it was complete, down_s: when the finger went down, on the clock of the edges;
    equal presses may differ in these three.
    """

    button: ButtonName
    long: bool = False
    repeat: bool = False
    menu: bool = False
    prompt: bool = field(default=False, compare=False)
    time_s: float = field(default=-inf, compare=False)
    down_s: float = field(default=-inf, compare=False)


class Camera(Protocol):
    """Where frames come from.

    live: True if frames come in the world's own time and late ones may be dropped; False if every frame counts
    (a film, photographs, simulated time).

    Clock: `Frame.time_s` is when the frame was exposed, in seconds of `time.monotonic` if live; any clock that begins
    anywhere if not. It never goes back.

    Pacing: one thread calls `read` without pause. It blocks until there is a frame that it has not returned before, up
    to 1.5 s, and then raises DeviceError; returning at once with an old frame would keep a processor core busy. Below 8
    frames a second a tumbling die cannot be told from one that lies.

    Pixels: (height, width, 3) uint8, BGR, of one size as long as the camera is open. The camera must not write into
    them after `read` has returned them, and the table never does. They may be read-only.

    The first frame of an entry point's camera is checked against this.
    """

    live: bool

    def read(self) -> Frame | None:
        """Return the next frame (the newest, if live), or None for ever once the source has ended.

        Raises DeviceError if the camera stopped answering; a later call tries again.
        """

    def close(self) -> None:
        """Let the device go. Closing twice does nothing."""


@runtime_checkable
class Interruptible(Protocol):
    """A camera whose `read` may wait for a second or more, and can be told to stop waiting."""

    def interrupt(self) -> None:
        """Let a `read` that waits return, and every later one at once: no frame is wanted any more. Any thread may."""


class Buttons(Protocol):
    """Where presses come from, as raw edges: `presses` makes presses of them, the same for every device."""

    def edges(self) -> Sequence[Edge]:
        """Return the edges since the last call, oldest first, at once; empty if nothing happened.

        A button that was down before the device was opened may be reported as a closing at minus infinity.
        """

    def listen(self, call: Callable[[], None]) -> None:
        """Call this, in any thread, when there is an edge to fetch, instead of looking all the time.

        It must return at once. Calling it too seldom does no harm: edges are looked for now and then as well.
        """

    def close(self) -> None:
        """Let the pins go. Closing twice does nothing."""


class Screen(Protocol):
    """A small monochrome display. width and height in pixels (128 and 64, or 128 and 32)."""

    width: int
    height: int

    def show(self, pixels: NDArray[np.bool_]) -> None:
        """Show a picture, (height, width) bool, True is lit. Returns at once; equal pictures cost nothing.

        A lost display is retried by the device itself and never raises here.
        """

    def light(self, light: Light) -> None:
        """Set how bright the picture is, so that the same one for hours does not burn in. Returns at once."""

    def close(self) -> None:
        """Switch the display off and let the bus go. Closing twice does nothing."""


@runtime_checkable
class LookalikeScreen(Protocol):
    """A screen whose chip may be another one than was said, which looks the same and needs other bytes.

    chips: all that it may be. named: the one that was said. chip: as which it is driven.
    """

    chips: tuple[str, ...]
    named: str
    chip: str

    def use_chip(self, chip: str) -> None:
        """Drive it as this one of `chips` from now on. Returns at once; nothing if it is driven so."""
