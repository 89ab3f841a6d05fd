"""What lies below Picamera2: libcamera and the kernel's memory for pictures, as far as Picamera2 asks for them.

`Sensor` is the world: the camera at the end of the ribbon, and what happens to it (`loose`, `busy`, `hangs`).
`installed` puts the modules in place. The names `pidng`, `prctl` and `kms` are imported by Picamera2 at its start, for
raw files, recording and monitors; there are no files of theirs to install here, so they are empty.
"""

import os
import select
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np
from libcamera_values import (
    CameraConfiguration,
    ColorSpace,
    ControlId,
    ControlInfo,
    ControlType,
    FrameBuffer,
    Orientation,
    PixelFormat,
    Rectangle,
    Request,
    SensorConfiguration,
    Size,
    StreamConfiguration,
    StreamRole,
    Success,
    Transform,
)

Size2 = tuple[int, int]


@dataclass
class Sensor:
    """The camera at the end of the ribbon.

    fps: pictures a second. lux: the light, 1.0 as usual. modes: size and what part of the sensor it sees, each with
    pictures a second. loose: no picture comes. busy: another program has it. hangs: `stop` does not come back. there:
    it was found when the power came on. set_to: what it is set to now. lens: whether it can focus. acquired: how often
    it was opened and not closed. sharp: the dioptres at which the lens would be sharp, None over a plain cloth.
    scan_hangs: it scans for ever. lens_at: where it stands, in dioptres. af: AfState, 0 idle, 1 scanning, 2 focused, 3
    failed. webcams: cameras on USB that libcamera lists, too.
    """

    fps: float = 60.0
    lux: float = 1.0
    lens: bool = True
    loose: bool = False
    busy: bool = False
    there: bool = True
    hangs: bool = False
    modes: Mapping[Size2, tuple[Size2, float]] = field(
        default_factory=lambda: {
            (1536, 864): ((3072, 1728), 120.0),
            (2304, 1296): ((4608, 2592), 56.0),
            (4608, 2592): ((4608, 2592), 14.0),
        }
    )
    set_to: dict[str, Any] = field(default_factory=dict)
    acquired: int = 0
    sharp: float | None = 2.4
    scan_hangs: bool = False
    lens_at: float = 1.0
    lens_range: tuple[float, float] = (0.0, 15.0)
    af: int = 0
    scans: int = 0  # frames of the scan that are left
    configured: int = 0  # how often
    webcams: int = 0

    def focus(self, controls: Mapping[str, Any]) -> None:
        """Move the lens as these controls say; only a trigger in auto mode begins a scan, of half a second."""
        self.set_to.update(controls)
        if "AfMode" in controls and controls["AfMode"] == 0:
            self.af = 0
        if self.set_to.get("AfMode", 0) == 0:
            self.lens_at = self.set_to.get("LensPosition", self.lens_at)
        elif controls.get("AfTrigger") == 0 and self.set_to["AfMode"] == 1 and self.af != 1:
            self.af, self.scans = 1, round(self.fps / 2)

    def expose(self) -> None:
        """Let a frame's time pass: continuous focus sees no reason to scan."""
        if self.af == 1 and not self.scan_hangs:
            self.scans -= 1
            self.lens_at = min(self.lens_at + 0.3, self.lens_range[1])
            if self.scans <= 0:
                self.af = 3 if self.sharp is None else 2
                self.lens_at = self.lens_at if self.sharp is None else self.sharp


class Camera:
    """libcamera's camera."""

    id = "/base/soc/i2c0mux/i2c@1/imx708@1a"

    def __init__(self, sensor: Sensor, ids: Callable[[str], ControlId], ready: Callable[[Request], None]) -> None:
        self._sensor, self._ids, self._ready = sensor, ids, ready
        self._queue: list[Request] = []
        self._lock, self._running = threading.Lock(), threading.Event()
        self._thread: threading.Thread | None = None
        self._mode: Size2 = next(iter(sensor.modes))
        self.released = threading.Event()
        self.properties = {ids("Model"): "imx708", ids("ColorFilterArrangement"): 0, ids("Location"): 2}

    @property
    def controls(self) -> dict[ControlId, ControlInfo]:
        """What may be set; the limits follow the mode."""
        (width, height), fps = self._sensor.modes[self._mode]
        crop = ControlId("ScalerCrop", "Rectangle"), ControlInfo(*[Rectangle(0, 0, width, height)] * 3)
        known = {
            "ExposureTime": (0, 66666), "AnalogueGain": (1.0, 16.0), "ColourGains": (0.0, 32.0),
            "AeEnable": (False, True), "AwbEnable": (False, True),
            "FrameDurationLimits": (int(1e6 / fps), 1000000), "NoiseReductionMode": (0, 4),
            **({"LensPosition": self._sensor.lens_range} if self._sensor.lens else {}),
            **({"AfMode": (0, 2), "AfTrigger": (0, 1)} if self._sensor.lens else {}),
        }  # fmt: skip
        return {**{self._ids(name): ControlInfo(*limits) for name, limits in known.items()}, crop[0]: crop[1]}

    def acquire(self) -> None:
        if self._sensor.busy:
            raise RuntimeError("failed to acquire camera: Device or resource busy")
        self._sensor.acquired += 1

    def release(self) -> None:
        self._sensor.acquired -= 1
        self.released.set()

    def generate_configuration(self, roles: Sequence[Any]) -> CameraConfiguration:
        raw = types.SimpleNamespace(
            pixel_formats=[PixelFormat("SRGGB10_CSI2P")], sizes=lambda _: [Size(*size) for size in self._sensor.modes]
        )
        return CameraConfiguration([StreamConfiguration(raw) for _ in roles])

    def configure(self, configuration: CameraConfiguration) -> int:
        assert configuration.sensor_config is not None
        size = configuration.sensor_config.output_size
        self._mode = size.width, size.height
        self._sensor.set_to["mode"] = self._mode
        self._sensor.configured += 1
        return 0

    def create_request(self, cookie: int) -> Request:
        return Request(cookie)

    def start(self, controls: Mapping[ControlId, Any]) -> None:
        self._set(controls)
        self._running.set()
        self._thread = threading.Thread(target=self._fill, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End, and give back what was not filled."""
        while self._sensor.hangs:
            threading.Event().wait(0.01)
        self._running.clear()
        assert self._thread is not None
        self._thread.join()
        with self._lock:
            self._queue.clear()

    def queue_request(self, request: Request) -> None:
        with self._lock:
            self._queue.append(request)

    def _set(self, controls: Mapping[ControlId, Any]) -> None:
        known = {control.name for control in self.controls} | {"ExposureTimeMode", "AnalogueGainMode"}
        for control, value in controls.items():
            assert control.name in known, control
            self._sensor.set_to[control.name] = value
        self._sensor.focus({control.name: value for control, value in controls.items()})

    def _fill(self) -> None:
        tick = threading.Event()
        while self._running.is_set():
            tick.wait(1.0 / self._sensor.fps)
            with self._lock:
                request = self._queue.pop(0) if self._queue and not self._sensor.loose else None
            if request is not None:
                self._complete(request)

    def _complete(self, request: Request) -> None:
        """Fill the memory of every stream with what the sensor sees, and tell with which controls."""
        sensor = self._sensor
        self._set(request.controls)
        sensor.expose()
        by_hand = sensor.set_to.get("ExposureTimeMode") == 1
        exposure_us = sensor.set_to.get("ExposureTime", 0) if by_hand else min(10000 / max(sensor.lux, 1e-3), 33333)
        grey = min(255, round(120 * sensor.lux * exposure_us / 10000))
        for stream, buffer in request.buffers.items():
            self._draw(stream.configuration, buffer, grey)
        found = {
            "SensorTimestamp": time.monotonic_ns(), "ExposureTime": int(exposure_us),
            "FrameDuration": int(1e6 / sensor.fps), "AnalogueGain": sensor.set_to.get("AnalogueGain") or 1.5,
            "ColourGains": sensor.set_to.get("ColourGains", (2.0, 1.5)),
            **({"LensPosition": sensor.lens_at, "AfState": sensor.af} if sensor.lens else {}),
        }  # fmt: skip
        request.metadata = {self._ids(name): value for name, value in found.items()}
        request.status = Request.Status.Complete
        self._ready(request)

    @staticmethod
    def _draw(configuration: StreamConfiguration, buffer: FrameBuffer, grey: int) -> None:
        """Blue is brighter than red by ten; what pads a row is white."""
        width, height, stride = configuration.size.width, configuration.size.height, configuration.stride
        picture = np.full(configuration.frame_size, 255, np.uint8)
        rows = picture[: stride * height].reshape(height, stride)
        if str(configuration.pixel_format) == "RGB888":  # blue comes first in memory
            rows[:, : width * 3] = np.tile(np.clip([grey + 10, grey, grey], 0, 255).astype(np.uint8), width)
        else:
            rows[:, :width] = grey
        os.pwrite(buffer.planes[0].fd, picture.tobytes(), buffer.planes[0].offset)


class CameraManager:
    """libcamera's list of cameras. event_fd: can be read when requests are ready."""

    current: "CameraManager"

    def __init__(self, sensor: Sensor, ids: Callable[[str], ControlId]) -> None:
        self.event_fd = os.eventfd(0, os.EFD_NONBLOCK)
        self._done: list[Request] = []
        self._lock = threading.Lock()
        self._camera, self._sensor = Camera(sensor, ids, self._ready), sensor

    @classmethod
    def singleton(cls) -> "CameraManager":
        return cls.current

    @property
    def cameras(self) -> list[Camera]:
        ids = (f"/base/scb/pcie@7d500000/pci@0,0/usb@0,0-1.{n}:1.0-046d:0825" for n in range(self._sensor.webcams))
        webcams = [types.SimpleNamespace(id=name, properties={ControlId("Model"): "HD Webcam"}) for name in ids]
        return [*webcams, *([self._camera] if self._sensor.there else [])]  # type: ignore[list-item]  # only listed

    def _ready(self, request: Request) -> None:
        with self._lock:
            self._done.append(request)
        os.eventfd_write(self.event_fd, 1)

    def get_ready_requests(self) -> list[Request]:
        if select.select([self.event_fd], [], [], 0)[0]:
            os.eventfd_read(self.event_fd)
        with self._lock:
            done, self._done = self._done, []
        return done


def _ioctl(fd: int, request: int, argument: Any = 0, *_: object) -> object:  # noqa: ANN401 - as the kernel's
    """Answer what Picamera2 asks the kernel: memory for pictures, a name for it, and that it may be read now."""
    if hasattr(argument, "len"):
        argument.fd = os.memfd_create("picture")
        os.ftruncate(argument.fd, argument.len)
    return 0 if fd or request else -1


@contextmanager
def installed(sensor: Sensor, packages: str) -> Iterator[types.ModuleType]:
    """Put a camera below the Picamera2 of a folder of packages, and return Picamera2."""
    ids: dict[str, ControlId] = {}

    def control(name: str) -> ControlId:
        return ids.setdefault(name, ControlId(name))

    class NoiseReduction(IntEnum):
        Off = 0
        Fast = 1
        HighQuality = 2
        Minimal = 3

    colour = types.SimpleNamespace(MONO=9)
    names = ("ExposureTime", "ExposureTimeMode", "AnalogueGain", "AnalogueGainMode")
    draft = types.SimpleNamespace(NoiseReductionModeEnum=NoiseReduction)
    controls = types.SimpleNamespace(draft=draft, **{name: control(name) for name in names})
    libcamera = types.ModuleType("libcamera")
    for name, value in {
        "StreamRole": StreamRole, "ControlType": ControlType, "Transform": Transform, "Orientation": Orientation,
        "ColorSpace": ColorSpace, "Size": Size, "Rectangle": Rectangle, "PixelFormat": PixelFormat,
        "SensorConfiguration": SensorConfiguration, "FrameBuffer": FrameBuffer, "FrameMetadata": Success,
        "Request": Request, "Camera": Camera, "CameraManager": CameraManager, "controls": controls,
        "CameraConfiguration": CameraConfiguration,
        "properties": types.SimpleNamespace(draft=types.SimpleNamespace(ColorFilterArrangementEnum=colour)),
        "_libcamera": types.SimpleNamespace(ColorSpace=ColorSpace, Transform=Transform),
    }.items():  # fmt: skip
        setattr(libcamera, name, value)
    empty = {name: types.ModuleType(name) for name in ("pidng", "pidng.camdefs", "pidng.core", "prctl", "kms")}
    vars(empty["pidng.camdefs"])["Picamera2Camera"] = vars(empty["pidng.core"])["PICAM2DNG"] = object
    formats = ("RGB888", "BGR888", "XRGB8888", "XBGR8888", "YUV420", "YVU420", "NV12")
    vars(empty["kms"])["PixelFormats"] = types.SimpleNamespace(**dict.fromkeys(formats))
    before = dict(sys.modules)
    CameraManager.current = CameraManager(sensor, control)
    sys.modules.update(empty, libcamera=libcamera)
    sys.path.append(packages)
    try:
        import picamera2  # noqa: PLC0415 - it is there only now
        from picamera2 import dma_heap  # noqa: PLC0415
        from picamera2.allocators import dmaallocator  # noqa: PLC0415

        kernel = types.SimpleNamespace(ioctl=_ioctl)
        dma_heap.fcntl = dmaallocator.fcntl = kernel
        dma_heap.heapNames = [os.devnull]
        yield picamera2
    finally:
        sys.path.remove(packages)
        for name in set(sys.modules) - set(before):
            if name.partition(".")[0] in ("picamera2", "libcamera", "pidng", "prctl", "kms"):
                del sys.modules[name]
