"""A camera on USB as Linux and OpenCV show it, with the faults that real ones have, in simulated time.

`Plugged` is the world: the machine's ports, and what people do to the camera (`unplug`, `plug_in`, `take`, ...).
`VideoCapture` is what `cv2.VideoCapture` would be there: same calls, same answers.
"""

import os
import shutil
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

BUFFERS = 4  # V4L2 fills so many, then drops frames until one is fetched
SELECT_S = 1.0  # with OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT=1
OPEN_S = 0.2  # it takes so long to open a camera and change its mode
MANUAL, APERTURE = 1.0, 3.0  # V4L2_EXPOSURE_MANUAL, V4L2_EXPOSURE_APERTURE_PRIORITY
USUAL_EXPOSURE, USUAL_GREY = 157.0, 120  # in units of 100 us; how bright the tray is with it, 0 to 255
NOT_THERE = -1.0
Mode = tuple[int, int]


@dataclass
class Plugged:
    """The world around one camera. root: an empty folder for the machine's /dev, /sys and /proc.

    now_s: the machine's time. number: of the node the camera is at. controls: what it can be set to, with the value
    now. modes: the sizes it has, the last where nothing else is asked for. fps: frames a second it really sends.
    open_s: it takes so long to open. lux: the light on the tray, 1.0 as usual. obeys: whether it does what it is set
    to. named_share: the exposure that it names while it measures, as a share of the one it has. own_clock_s: how far
    the clock of its frames is from the machine's.
    """

    root: Path
    now_s: float = 100.0
    number: int = 0
    model: str = "HD Webcam"
    fps: float = 30.0
    open_s: float = OPEN_S
    lux: float = 1.0
    obeys: bool = True
    named_share: float = 1.0
    own_clock_s: float = 0.0
    modes: tuple[Mode, ...] = ((1280, 720), (640, 480))
    controls: dict[int, float] = field(
        default_factory=lambda: {
            cv2.CAP_PROP_AUTO_EXPOSURE: APERTURE,
            cv2.CAP_PROP_EXPOSURE: USUAL_EXPOSURE,
            cv2.CAP_PROP_GAIN: 0.0,
            cv2.CAP_PROP_AUTO_WB: 1.0,
            cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
            cv2.CAP_PROP_AUTOFOCUS: 1.0,
            cv2.CAP_PROP_FOCUS: 30.0,
        }
    )
    plugged: bool = False
    stalled: bool = False
    frozen: bool = False  # it hands out one picture for ever, without the noise of a sensor
    breaks: bool = False  # its frames arrive damaged
    holder: "VideoCapture | str | None" = None  # who has it open; a word: another program
    opened: int = 0  # how often it was opened
    on_open: Callable[[], object] = lambda: None  # called with every try to open it

    def __post_init__(self) -> None:
        (self.root / "dev").mkdir()
        self.plug_in()

    def plug_in(self, number: int | None = None) -> None:
        """Put the plug in; the machine may give it another number. It has forgotten its settings, as all do."""
        self.number = self.number if number is None else number
        self.plugged = True
        for node, index in ((self.number, "0"), (self.number + 1, "1")):  # the second one sends no pictures
            (self.root / f"dev/video{node}").touch()
            facts = self.root / f"sys/video{node}"
            facts.mkdir(parents=True)
            (facts / "name").write_text(f"{self.model}\n")
            (facts / "index").write_text(f"{index}\n")
            (facts / "device").mkdir()
            (facts / "device/subsystem").symlink_to("/sys/bus/usb")
        if cv2.CAP_PROP_AUTO_EXPOSURE in self.controls:
            self.controls[cv2.CAP_PROP_AUTO_EXPOSURE] = APERTURE

    def unplug(self) -> None:
        self.plugged = self.stalled = False
        for node in (self.number, self.number + 1):
            (self.root / f"dev/video{node}").unlink()
            shutil.rmtree(self.root / f"sys/video{node}")

    def take(self, program: str, *words: str) -> None:
        """Let another program open it. words: of its command line, none where the system does not show it."""
        self.holder = program
        process = self.root / "proc/4711"
        (process / "fd").mkdir(parents=True)
        (process / "comm").write_text(f"{program}\n")
        if words:
            (process / "cmdline").write_text("".join(f"{word}\0" for word in words))
        (process / "fd/7").symlink_to(self.root / f"dev/video{self.number}")

    def let_go(self) -> None:
        self.holder = None
        (self.root / "proc/4711/fd/7").unlink()

    def measure(self) -> None:
        """Let the camera choose its exposure by the light, unless that is held."""
        if self.controls.get(cv2.CAP_PROP_AUTO_EXPOSURE) == APERTURE and self.lux:
            self.controls[cv2.CAP_PROP_EXPOSURE] = USUAL_EXPOSURE / self.lux

    def wait(self, seconds: float) -> None:
        self.now_s += seconds
        self.measure()

    def clock(self) -> float:
        return self.now_s

    def make(self, number: int, _: int) -> "VideoCapture":
        """Open the camera at a node, as `cv2.VideoCapture(number, api)` does: without a word if that fails."""
        assert os.environ["OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT"] == "1"  # it counts only if set before opening
        self.on_open()
        return VideoCapture(self, number)


@cache
def _picture(width: int, height: int, grey: int, noise: int) -> NDArray[np.uint8]:
    pixels = np.full((height, width, 3), grey, np.uint8)
    pixels[height // 2 :, : width // 2] ^= np.random.default_rng(noise).integers(
        0, 2, (height - height // 2, width // 2, 1), dtype=np.uint8
    )
    pixels[:60, :60] = 0
    pixels.flags.writeable = False
    return pixels


class VideoCapture:
    """What `cv2.VideoCapture` is at a plugged camera."""

    def __init__(self, world: Plugged, number: int) -> None:
        self._world = world
        self._asked, self._mode = [640, 480], world.modes[-1]  # OpenCV asks for 640x480 of its own accord
        self._format = float(cv2.VideoWriter.fourcc(*"YUYV"))
        self._open = world.plugged and number == world.number and world.holder is None
        self._unplugged = False  # once: this capture never works again
        self._waiting = deque[float]()  # frames in the buffers, by the time of their exposure
        self._frame_s, self._retrieved = 0.0, 0
        if self._open:
            world.holder = self
            world.opened += 1
            world.wait(world.open_s)
        self._next_s = world.clock()

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self._open

    def grab(self) -> bool:
        """Fetch the oldest frame in the buffers, or wait for one, a second at most."""
        world = self._world
        self._unplugged = self._unplugged or not world.plugged
        if not self._open or self._unplugged:
            return False  # at once
        if world.stalled:
            world.wait(SELECT_S)
            self._next_s = world.clock()
            return False
        while self._next_s <= world.clock():
            if len(self._waiting) < BUFFERS:
                self._waiting.append(self._next_s)
            self._next_s += 1.0 / world.fps
        if not self._waiting:
            if self._next_s - world.clock() > SELECT_S:
                world.wait(SELECT_S)
                return False
            world.wait(self._next_s - world.clock())
            return self.grab()
        self._frame_s = self._waiting.popleft()
        return True

    def retrieve(self) -> tuple[bool, NDArray[np.uint8] | None]:
        """Decode the frame grabbed last: grey, with a black corner, as bright as light and exposure make it."""
        if self._world.breaks:
            return False, None
        width, height = self._mode
        self._retrieved += 1
        noise = 0 if self._world.frozen else self._retrieved % 2
        return True, _picture(width, height, self._grey(), noise)

    def _grey(self) -> int:
        """Return how bright the tray comes out: measured by the camera, or at the exposure held."""
        world = self._world
        share = world.lux * world.controls.get(cv2.CAP_PROP_EXPOSURE, USUAL_EXPOSURE) / USUAL_EXPOSURE
        return min(255, round(USUAL_GREY * share))

    def get(self, propId: int, /) -> float:  # noqa: N803 - OpenCV's name
        known = {
            cv2.CAP_PROP_POS_MSEC: (self._frame_s + self._world.own_clock_s) * 1000.0,
            cv2.CAP_PROP_FRAME_WIDTH: float(self._mode[0]),
            cv2.CAP_PROP_FRAME_HEIGHT: float(self._mode[1]),
            cv2.CAP_PROP_FPS: self._world.fps,
            cv2.CAP_PROP_FOURCC: self._format,
        }
        if propId in known:
            return known[propId]
        self._world.measure()
        value = self._world.controls.get(propId, NOT_THERE)
        measures = self._world.controls.get(cv2.CAP_PROP_AUTO_EXPOSURE) == APERTURE
        return value * self._world.named_share if propId == cv2.CAP_PROP_EXPOSURE and measures else value

    def set(self, propId: int, value: float, /) -> bool:  # noqa: N803 - OpenCV's name
        """Set a property. A camera that does not obey says True all the same."""
        world = self._world
        if propId in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT):
            self._asked[propId == cv2.CAP_PROP_FRAME_HEIGHT] = int(value)
            width, height = self._asked
            if (width, height) in world.modes:
                self._mode = width, height
            return True
        if propId == cv2.CAP_PROP_FOURCC:
            self._format = value
            return True
        if propId in world.controls and world.obeys:
            world.controls[propId] = value
        return propId in world.controls or propId == cv2.CAP_PROP_FPS

    def release(self) -> None:
        if self._world.holder is self:
            self._world.holder = None
        self._open = False
