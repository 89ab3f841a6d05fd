"""The Raspberry Pi's own camera, through Picamera2: `--camera pi`, or `pi:0,size=1280x720,fps=30,focus=2.5`.

Insert the ribbon into the camera socket with its contacts towards the socket's contacts, while the power is off.
Picamera2 comes with Raspberry Pi OS (`sudo apt install python3-picamera2`) and is imported when the camera is opened.

A movable lens scans once (AfMode auto, AfTrigger) and stays where it was sharp. If it finds nothing, as on a plain
cloth, it is set to the distance of the tray: LensPosition is 1 / metres.
"""

import logging
import os
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from math import radians, tan
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.cameras import lines, usb
from tabletop.cameras.live_camera import CameraFacts, Held, LiveCamera, Locks
from tabletop.cameras.words import CameraWords, camera_words
from tabletop.core import DeviceError, say

USUAL_FOCUS = 2.9  # dioptres: 0.345 m, the lens of the stand in docs/building.md over the middle of its tray
FIELD_DEG, WIDE_FIELD_DEG = 66.0, 102.0  # across, of Camera Module 3 and its wide model, as their maker states them
MM_PER_M = 1000.0
# Of each sensor the smallest mode that sees all of the tray: its size, bits, and pictures a second (kernel's drivers).
# Picamera2 knows no more without configuring the camera for every mode, which takes more memory than a small board has.
MODES: Mapping[str, tuple[tuple[int, int], int, float]] = {
    "imx708": ((2304, 1296), 10, 56.0),  # Camera Module 3
    "imx219": ((1640, 1232), 10, 41.0),  # Camera Module 2
    "imx477": ((2028, 1520), 12, 40.0),  # HQ Camera
    "ov5647": ((1296, 972), 10, 46.0),  # Camera Module 1
}


def picamera2_module() -> ModuleType:
    """Return Picamera2; raises DeviceError saying how to install it, or what it conflicts with."""
    try:
        import picamera2  # noqa: PLC0415 - half a second, and only on a Raspberry Pi
    except ImportError as error:
        missing = (error.name or "picamera2").partition(".")[0]
        needs = say("camera pi needs {text}, which is not installed: sudo apt install python3-picamera2", text=missing)
        raise DeviceError(needs) from error
    except ValueError as error:  # "numpy.dtype size changed": built for another numpy than the one installed
        line = say("camera pi does not work with this numpy: install with numpy<2 ({text})", text=str(error))
        raise DeviceError(line) from error
    return picamera2  # type: ignore[no-any-return]  # it ships no types


def widest_mode(camera: Any, fps: float) -> dict[str, Any]:  # noqa: ANN401 - Picamera2 ships no types
    """Return the smallest sensor mode that is fast enough and sees as much of the tray as any such mode.

    The mode nearest to the requested size is often a crop of the sensor's centre: the tray would not be in view. fps:
    frames a second. Empty if no mode is fast enough.
    """
    size, bits, most_fps = MODES.get(str(camera.camera_properties.get("Model", "")).partition("_")[0], ((0, 0), 0, 0.0))
    if fps <= most_fps:
        return {"output_size": size, "bit_depth": bits}
    modes = [mode for mode in camera.sensor_modes if mode.get("fps", 0.0) >= fps * 0.99]
    if not modes:
        return {}
    best = max(modes, key=lambda mode: (mode["crop_limits"][2] * mode["crop_limits"][3], -mode["size"][0]))
    return {"output_size": best["size"], "bit_depth": best["bit_depth"]}


def usual_focus(model: str, shown_mm: int) -> float:
    """Return the dioptres for the tray's distance. shown_mm: the visible width of its plane, 0 if unknown."""
    if not shown_mm:
        return USUAL_FOCUS
    field = WIDE_FIELD_DEG if "wide" in model else FIELD_DEG
    return 2 * MM_PER_M * tan(radians(field) / 2) / shown_mm


GRAB_S = 1.0  # without a time-out a loose ribbon blocks for ever
CLOSE_S = 2.0  # closing a camera whose ribbon is loose may block: then it is left behind
NS_PER_S, US_PER_S, US_PER_MS = 1e9, 1e6, 1e3
BUFFERS = 4  # one is filled, one is read, one is held, one to spare
FORMAT = "RGB888"  # libcamera's name for B, G, R in memory, as OpenCV has it
# Which controls hold what, with what a request's metadata calls its value.
CONTROLS: Mapping[str, str] = {
    "exposure": "ExposureTime",
    "gain": "AnalogueGain",
    "white": "ColourGains",
    "focus": "LensPosition",
}
DEV, NODES = Path("/dev"), "media[0-9]*"  # libcamera keeps a camera's media device open while it has the camera
MANUAL_FOCUS, AUTO_FOCUS, CONTINUOUS_FOCUS = 0, 1, 2  # libcamera's AfModeEnum
START_SCAN = 0  # libcamera's AfTriggerEnum
FOCUSED, FOCUS_FAILED = 2, 3  # libcamera's AfStateEnum; 0 is idle, 1 scanning
SCAN_S = 5.0  # a scan takes one or two seconds; one that hangs is given up


def open_pi(text: str) -> LiveCamera:
    """Open the camera described after `pi:`; empty means the first one, with default settings.

    Raises InputError for invalid settings, DeviceError if there is no camera, or Picamera2 is not installed.
    """
    words = camera_words("pi", text)
    camera = LiveCamera(PiOpening(words), name_of(words), (words.width, words.height))
    camera.open()
    return camera


def name_of(words: CameraWords) -> str:
    """Return the name of a camera for messages."""
    return f"pi:{words.number}" if words.number else "pi"


class PiOpening:
    """Opens the Pi's camera, waiting for one that is still being released."""

    def __init__(self, words: CameraWords) -> None:
        self._words = words
        self._closing: threading.Thread | None = None

    def __call__(self) -> "PiSource":
        """Return the running camera; raises DeviceError."""
        name = name_of(self._words)
        if self._closing is not None and self._closing.is_alive():
            raise DeviceError(say("camera {text} hangs: switch off, push its ribbon in, switch on", text=name))
        module = picamera2_module()
        known = module.Picamera2.global_camera_info()
        at_ribbons = [place for place, info in enumerate(known) if "i2c" in info["Id"]]  # the others are on USB
        if self._words.number >= len(at_ribbons):
            loose = say("expected a camera at {text}, got none: switch off, push its ribbon in", text=name)
            raise DeviceError(lines.forbidden(name) if usb.is_forbidden(DEV.glob(NODES)) else loose)
        camera = module.Picamera2.__new__(module.Picamera2)  # to hold it even if it does not open
        try:
            camera.__init__(at_ribbons[self._words.number])
        except RuntimeError as error:
            with suppress(AttributeError):  # it leaves its pipe open: one more for every try
                camera.notifymeread.close()
                os.close(camera.notifyme_w)
            logging.getLogger("picamera2").setLevel(logging.CRITICAL)  # said once, not with every try
            raise _why_closed(error, name) from error
        logging.getLogger("picamera2").setLevel(logging.NOTSET)
        source = PiSource(camera, self._words, self._let_go)
        try:
            source.configure()
        except Exception:  # any failure: released, so that the next try finds the camera free
            source.close()
            raise
        return source

    def _let_go(self, camera: Any) -> None:  # noqa: ANN401 - Picamera2 ships no types
        """Close a camera in a thread that may be left behind."""
        self._closing = threading.Thread(target=camera.close, name="closing the camera", daemon=True)
        self._closing.start()
        self._closing.join(CLOSE_S)


def _why_closed(error: BaseException, name: str) -> DeviceError:
    """Return why Picamera2 did not open: its own error only says that it did not; the cause says why."""
    causes = list[str]()
    cause: BaseException | None = error
    while cause is not None:
        causes.append(str(cause))
        cause = cause.__cause__ or cause.__context__
    said = " ".join(causes)
    if "acquire" in said or "busy" in said.lower():
        holder = usb.holder_of(tuple(DEV.glob(NODES)))
        return DeviceError(lines.busy(name, holder), holder)
    return DeviceError(lines.failed(name, causes[-1]))


class PiSource:
    """An open Raspberry Pi camera. camera: a `Picamera2`. let_go: closes it."""

    def __init__(self, camera: Any, words: CameraWords, let_go: Any) -> None:  # noqa: ANN401 - it ships no types
        self._camera, self._words, self._let_go = camera, words, let_go
        self._request: Any = None  # the frame grabbed last; its buffer is ours until it is released
        self._metadata: Mapping[str, Any] = {}
        self._held: dict[str, Held] = {name: "free" if self._has(name) else "absent" for name in CONTROLS}
        self._scan_s: float | None = None  # when the lens began to scan, None before
        self._unfocused_mm = 0
        self._closed = False

    def configure(self) -> None:
        """Configure the stream, which starts with the first `grab`; earlier settings apply to the first frame."""
        camera, words = self._camera, self._words
        period_us = round(US_PER_S / words.fps)
        controls = {"FrameDurationLimits": (period_us, period_us)}  # no exposure is longer than this, then
        config = camera.create_video_configuration(
            main={"size": (words.width, words.height), "format": FORMAT},
            buffer_count=BUFFERS,
            controls={name: value for name, value in controls.items() if name in camera.camera_controls},
            sensor=widest_mode(camera, words.fps),
            display=None,
            encode=None,
        )
        camera.configure(config)

    def grab(self) -> float | None:
        """Wait for the next frame; return when its first row was exposed."""
        self._release()
        if not self._camera.started:
            self._camera.start()
        try:
            self._request = self._camera.capture_request(wait=GRAB_S)
        except TimeoutError:
            self._camera.cancel_all_and_flush()  # else the request that comes later is never given back
            return None
        self._metadata = self._request.get_metadata()
        return float(self._metadata.get("SensorTimestamp", 0)) / NS_PER_S

    def pixels(self) -> NDArray[np.uint8] | None:
        """Return the last grabbed frame."""
        return None if self._request is None else np.asarray(self._request.make_array("main"), dtype=np.uint8)

    def meter(self) -> None:
        """Enable automatic control of everything without a fixed value."""
        measuring: dict[str, dict[str, Any]] = {
            "exposure": {"AeEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0},  # 0: as it likes
            "white": {"AwbEnable": True},
            "focus": {"AfMode": CONTINUOUS_FOCUS if self._words.focus == "auto" else AUTO_FOCUS},
        }
        self._scan_s = None
        for name, hold in self._words.holds().items():
            if isinstance(hold, str):
                self._set(measuring.get(name, {}))
            if self._has(name):
                self._held[name] = "free"

    def lock(self) -> Locks | None:
        """Lock the measured and the fixed values; None while the lens is still focusing."""
        measured = self._metadata
        locks = {name: float(measured[key]) for name, key in CONTROLS.items() if name != "white" and key in measured}
        if "ColourGains" in measured:
            locks["red"], locks["blue"] = map(float, measured["ColourGains"])
        self._unfocused_mm = 0
        if self._words.focus == "lock" and "AfMode" in self._camera.camera_controls:
            state, now_s = measured.get("AfState"), time.monotonic()
            if self._scan_s is None:  # only now the light is as it should be
                self._scan_s = now_s
                self._set({"AfMode": AUTO_FOCUS, "AfTrigger": START_SCAN})
                return None
            if state not in (FOCUSED, FOCUS_FAILED) and now_s - self._scan_s < SCAN_S:
                return None
            if state != FOCUSED or "focus" not in locks:
                locks["focus"] = self._in_range(usual_focus(self._model(), self._words.shows))
                self._unfocused_mm = round(MM_PER_M / locks["focus"]) if locks["focus"] else 0
        return self._hold(locks)

    def _in_range(self, dioptres: float) -> float:
        least, most, *_ = self._camera.camera_controls["LensPosition"]
        return float(min(max(dioptres, least), most))

    def restore(self, locks: Locks) -> None:
        """Set these values."""
        self._hold(locks)

    def _hold(self, measured: Locks) -> Locks:
        holds = self._words.holds()
        locks = dict(measured)
        for name, hold in holds.items():
            if not isinstance(hold, str) and name != "white":
                locks[name] = hold * US_PER_MS if name == "exposure" else hold
        fixed: dict[str, dict[str, Any]] = {}
        if "exposure" in locks and "gain" in locks:  # the two are measured together
            values = {"ExposureTime": int(locks["exposure"]), "AnalogueGain": locks["gain"]}
            fixed["exposure"] = fixed["gain"] = {"AeEnable": False, **values}
        if "red" in locks:
            fixed["white"] = {"AwbEnable": False, "ColourGains": (locks["red"], locks["blue"])}
        if "focus" in locks:
            locks["focus"] = self._in_range(locks["focus"]) if self._has("focus") else locks["focus"]
            fixed["focus"] = {"AfMode": MANUAL_FOCUS, "LensPosition": locks["focus"]}
        for name, controls in fixed.items():
            if holds[name] != "auto" and self._has(name):
                self._set(controls)
                self._held[name] = "locked"
        return locks

    def _has(self, name: str) -> bool:
        return CONTROLS[name] in self._camera.camera_controls

    def _set(self, controls: Mapping[str, Any]) -> None:
        """Set those that this camera has: Picamera2 refuses all if there is one that it has not."""
        known = self._camera.camera_controls
        self._camera.set_controls({name: value for name, value in controls.items() if name in known})

    def facts(self) -> CameraFacts:
        """Return the running mode."""
        main = self._camera.camera_configuration()["main"]
        period_us = float(self._metadata.get("FrameDuration", 0))
        fps = US_PER_S / period_us if period_us else 0.0
        width, height = main["size"]
        form = str(main["format"])
        return CameraFacts(self._model(), width, height, fps, form, dict(self._held), unfocused_mm=self._unfocused_mm)

    def _model(self) -> str:
        return str(self._camera.camera_properties.get("Model", ""))

    def close(self) -> None:
        """Release the camera, or abandon it if it hangs."""
        if self._closed:
            return
        self._closed = True
        self._camera.cancel_all_and_flush()  # a request that waits for ever would be waited for by closing, too
        self._release()
        self._let_go(self._camera)

    def _release(self) -> None:
        """Give the buffer back, for the camera to fill again."""
        request, self._request = self._request, None
        if request is not None:
            request.release()
