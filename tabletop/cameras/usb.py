"""A USB camera (any V4L2 camera), through OpenCV, and the system's information about it.

The system knows the camera's device node, its name, why it does not open, and which program uses it.
"""

import errno
import os
import sys
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.cameras import files, lines
from tabletop.cameras.live_camera import CameraFacts, Held, LiveCamera, Locks
from tabletop.cameras.words import CameraWords, camera_words
from tabletop.core.errors import TABLE, DeviceError

PROC = Path("/proc")


def holder_of(devices: Collection[Path], proc: Path = PROC) -> str:
    """Return the name of the program that has one of these devices open, empty if it is unknown.

    A table takes precedence over other programs, such as sound servers, which also open a Raspberry Pi's camera nodes.
    """
    wanted, found = {str(device) for device in devices}, list[str]()
    for process in proc.glob("[0-9]*"):
        if process.name == str(os.getpid()):
            continue
        try:
            if any(str(file.readlink()) in wanted for file in (process / "fd").iterdir()):
                found.append(_name(process))
        except OSError:  # it has ended, or belongs to another user
            continue
    return TABLE if TABLE in found else next(iter(found), "")


def is_forbidden(devices: Iterable[Path]) -> bool:
    """Return whether a service is forbidden to open one of these devices, as any user (EPERM); False if empty."""
    for device in devices:
        try:
            os.close(os.open(device, os.O_RDWR | os.O_NONBLOCK))
        except OSError as error:
            if error.errno == errno.EPERM:
                return True
    return False


def _name(process: Path) -> str:
    """Return what a program is called. process: its folder in /proc. A table is "tabletop", though Python runs it."""
    words = (process / "cmdline").read_bytes().split(b"\0") if (process / "cmdline").exists() else []
    if any(Path(os.fsdecode(word)).name == TABLE for word in words):
        return TABLE
    return (process / "comm").read_text(encoding="utf-8", errors="replace").strip()


GONE = (errno.ENOENT, errno.ENODEV, errno.ENXIO)
PICTURES_INDEX = "0"  # the kernel's index of the node that sends pictures; the others of a camera send other data
# Names of a Raspberry Pi's own video nodes (ribbon cameras, codecs, image processors) in its kernel's drivers.
OWN_NODES = ("unicam", "rp1-cfe", "bcm2835-", "rpi-", "rpivid", "pispbe")


class UsbNodes:
    """The video device nodes of a Linux machine; on other systems there are none, and cameras have no names.

    dev, sys, proc: the folders of the system.
    """

    def __init__(self, dev: Path = Path("/dev"), sys: Path = Path("/sys/class/video4linux"), proc: Path = PROC) -> None:
        self._dev, self._sys, self._proc = dev, sys, proc

    def model(self, number: int) -> str:
        """Return the camera's name for itself, empty if it is missing or has none."""
        return self._fact(number, "name")

    def find(self, number: int, model: str) -> int | None:
        """Return the node of a camera, N of /dev/videoN; None if there is no such camera.

        number: counts the USB cameras from 0 in the order of their nodes; if the system reports none on USB, all except
        a Raspberry Pi's own; if it reports none at all, all nodes. model: the camera's earlier name, empty if unknown:
        after reconnecting, its node may have changed.
        """
        if not self._sys.is_dir():
            return number
        cameras = [node for node in self._nodes() if self._fact(node, "index") in ("", PICTURES_INDEX)]
        cameras = [node for node in cameras if not self.model(node).startswith(OWN_NODES)]
        cameras = [node for node in cameras if self._is_usb(node)] or cameras
        here = cameras[number : number + 1]
        same = [node for node in (*here, *cameras) if model and self.model(node) == model]
        return next(iter((*same, *here)), None)

    def _nodes(self) -> list[int]:
        return sorted(int(path.name.removeprefix("video")) for path in self._sys.glob("video[0-9]*"))

    def _is_usb(self, number: int) -> bool:
        return (self._sys / f"video{number}/device/subsystem").resolve().name == "usb"

    def why_closed(self, number: int, camera: str) -> DeviceError:
        """Return why a camera could not be opened. camera: its word, for the message."""
        try:
            os.close(os.open(self._dev / f"video{number}", os.O_RDWR | os.O_NONBLOCK))
        except OSError as error:
            why = {errno.EACCES: lines.denied, errno.EPERM: lines.forbidden, **dict.fromkeys(GONE, lines.absent)}
            if error.errno in why:
                return DeviceError(why[error.errno](camera))
        holder = holder_of((self._dev / f"video{number}",), self._proc)
        return DeviceError(lines.busy(camera, holder), holder)

    def _fact(self, number: int, name: str) -> str:
        try:
            return (self._sys / f"video{number}" / name).read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            return ""


SELECT_S = "1"  # a stalled camera holds up `grab` for so long; OpenCV's 10 s would freeze the table
MS_PER_S = 1000.0
UNITS_PER_MS = 10.0  # V4L2 counts exposure in units of 100 us
NOT_THERE = -1.0  # what OpenCV answers for a control that the camera does not have
NEAR = 0.02  # a camera rounds what it is set to: as a share of the value


@dataclass(frozen=True, slots=True)
class _Control:
    """How something is measured by the camera or held. auto: the property that switches, None if there is none.

    on, off: its values, the likelier first. value: the property that holds the value. unit: of it in ours.
    """

    auto: int | None
    on: tuple[float, ...]
    off: float
    value: int
    unit: float = 1.0


CONTROLS = {
    # V4L2_CID_EXPOSURE_AUTO: 3 is automatic at a fixed aperture, which most webcams have, 0 fully automatic, 1 manual
    "exposure": _Control(cv2.CAP_PROP_AUTO_EXPOSURE, (3.0, 0.0), 1.0, cv2.CAP_PROP_EXPOSURE, UNITS_PER_MS),
    "gain": _Control(None, (), 0.0, cv2.CAP_PROP_GAIN),  # measured together with the exposure
    "white": _Control(cv2.CAP_PROP_AUTO_WB, (1.0,), 0.0, cv2.CAP_PROP_WB_TEMPERATURE),
    "focus": _Control(cv2.CAP_PROP_AUTOFOCUS, (1.0,), 0.0, cv2.CAP_PROP_FOCUS),
}


def open_usb(text: str) -> LiveCamera:
    """Open the camera described after `usb:`; empty means the first one, with default settings.

    Raises InputError for invalid settings, DeviceError if there is no camera or it cannot be opened.
    """
    words = camera_words("usb", text)
    camera = LiveCamera(UsbOpening(words), f"usb:{words.number}", (words.width, words.height))
    camera.open()
    return camera


class UsbOpening:
    """Opens a USB camera, whichever port it is reconnected to. make, nodes: OpenCV and the system."""

    def __init__(
        self, words: CameraWords, make: Callable[[int, int], Any] = cv2.VideoCapture, nodes: UsbNodes | None = None
    ) -> None:
        self._words, self._make, self._nodes = words, make, nodes or UsbNodes()
        self._model = ""

    def __call__(self) -> "UsbSource":
        """Return the open camera, in the mode asked for if it has that; raises DeviceError."""
        os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", SELECT_S)
        files.silence_opencv()
        name, number = f"usb:{self._words.number}", self._nodes.find(self._words.number, self._model)
        if number is None:
            raise DeviceError(lines.absent(name))
        capture = self._make(number, cv2.CAP_V4L2 if sys.platform == "linux" else cv2.CAP_ANY)
        if not capture.isOpened():
            capture.release()
            raise self._nodes.why_closed(number, name)
        self._model = self._nodes.model(number)
        return UsbSource(capture, self._words, self._model)


class UsbSource:
    """An open USB camera. model: its name."""

    def __init__(self, capture: Any, words: CameraWords, model: str) -> None:  # noqa: ANN401 - a `cv2.VideoCapture`
        self._capture, self._words, self._model = capture, words, model
        self._held: dict[str, Held] = dict.fromkeys(CONTROLS, "free")
        self._kept_share = 1.0
        if words.format != "any":  # before the size: a size may exist in this format only
            capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*words.format.upper()))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, words.width)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, words.height)
        capture.set(cv2.CAP_PROP_FPS, words.fps)

    def grab(self) -> float | None:
        """Wait for the next frame; return the time of V4L2's buffer."""
        good = self._capture.grab()
        return float(self._capture.get(cv2.CAP_PROP_POS_MSEC)) / MS_PER_S if good else None

    def pixels(self) -> NDArray[np.uint8] | None:
        """Return the last grabbed frame."""
        good, pixels = self._capture.retrieve()
        return np.asarray(pixels, dtype=np.uint8) if good and pixels is not None else None

    def meter(self) -> None:
        """Enable automatic control of everything without a fixed value."""
        for name, hold in self._words.holds().items():
            control = CONTROLS[name]
            self._held[name] = "free"
            if control.auto is None or not isinstance(hold, str):
                continue
            for value in control.on:
                self._capture.set(control.auto, value)
                if self._capture.get(control.auto) == value:
                    break

    def lock(self) -> Locks:
        """Lock the measured and the fixed values."""
        measured = {name: self._capture.get(control.value) for name, control in CONTROLS.items()}
        return self._hold({name: value for name, value in measured.items() if value != NOT_THERE})

    def restore(self, locks: Locks) -> None:
        """Set these values."""
        self._hold(locks)

    def _hold(self, measured: Locks) -> Locks:
        longest = MS_PER_S / self._words.fps * UNITS_PER_MS  # a longer exposure makes fewer frames
        locks = dict[str, float]()
        for name, hold in self._words.holds().items():
            control = CONTROLS[name]
            if hold == "auto":
                continue
            value = measured.get(name) if isinstance(hold, str) else hold * control.unit
            if value is not None and name == "exposure":
                self._kept_share = min(1.0, longest / value) if value > 0 else 1.0
                value = min(value, longest)
            self._held[name] = self._set(control, value)
            if value is not None:
                locks[name] = value
        return locks

    def _set(self, control: _Control, value: float | None) -> Held:
        """Switch the measuring off and set the value, if any; return whether the camera obeyed: `set` may lie."""
        get = self._capture.get
        measured = control.auto is not None and get(control.auto) != NOT_THERE
        if control.auto is not None and measured:
            self._capture.set(control.auto, control.off)
            if get(control.auto) != control.off:
                return "free"
        if value is None or get(control.value) == NOT_THERE:
            return "locked" if measured else "absent"
        done = self._capture.set(control.value, value)
        return "locked" if done and abs(get(control.value) - value) <= max(1.0, NEAR * value) else "free"

    def facts(self) -> CameraFacts:
        """Return the mode reported by the camera, which may differ from what it sends."""
        get = self._capture.get
        code = int(get(cv2.CAP_PROP_FOURCC))
        letters = code.to_bytes(4, "little", signed=code < 0).decode("ascii", "replace").strip("\0 ")
        return CameraFacts(
            self._model,
            int(get(cv2.CAP_PROP_FRAME_WIDTH)),
            int(get(cv2.CAP_PROP_FRAME_HEIGHT)),
            max(0.0, get(cv2.CAP_PROP_FPS)),
            letters if letters.isprintable() else "",
            dict(self._held),
            None if set(map(type, self._words.holds().values())) - {str} else self._kept_share,
        )

    def close(self) -> None:
        """Release the camera."""
        self._capture.release()
