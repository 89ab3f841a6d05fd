"""The values that libcamera and Picamera2 hand to each other: sizes, formats, streams, requests, memory."""

import types
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Any

BYTES = {"RGB888": 3, "XBGR8888": 4, "SRGGB10_CSI2P": 1}  # per pixel of a row; YUV420 has 1, and half as many rows more


@dataclass(frozen=True)
class ControlId:
    """The identity of a control or property. type: of its value."""

    name: str
    type: str = "Float"


@dataclass
class ControlInfo:
    """What a control may be."""

    min: Any
    max: Any
    default: Any = None


@dataclass(frozen=True)
class Size:
    """A width and a height."""

    width: int = 0
    height: int = 0


@dataclass(frozen=True)
class Rectangle:
    """A part of the sensor."""

    x: int = 0
    y: int = 0
    width: int = 0
    height: int = 0


@dataclass(frozen=True)
class PixelFormat:
    """A format of pixels."""

    name: str

    def __str__(self) -> str:
        return self.name


class Transform:
    """How the picture is turned."""

    def __init__(self, other: "Transform | None" = None, *, hflip: int = 0, vflip: int = 0, transpose: int = 0) -> None:
        self.hflip, self.vflip, self.transpose = bool(hflip), bool(vflip), bool(transpose)
        if other is not None:
            self.hflip, self.vflip, self.transpose = other.hflip, other.vflip, other.transpose

    def __str__(self) -> str:
        return f"Transform({self.hflip}, {self.vflip}, {self.transpose})"

    __hash__ = object.__hash__


# How the camera is mounted, from 1.
Orientation = Enum(
    "Orientation", "Rotate0 Rotate0Mirror Rotate180 Rotate180Mirror Rotate90Mirror Rotate270 Rotate270Mirror Rotate90"
)


class ColorSpace:
    """A colour space."""

    YcbcrEncoding = Enum("YcbcrEncoding", ("Null", "Rec601", "Rec709"))
    Range = Enum("Range", ("Full", "Limited"))

    def __init__(self, other: "ColorSpace | str") -> None:
        self.primaries: str = other if isinstance(other, str) else other.primaries
        self.transferFunction = self.primaries
        self.ycbcrEncoding = ColorSpace.YcbcrEncoding.Rec601
        self.range = ColorSpace.Range.Full

    __hash__ = object.__hash__

    def __str__(self) -> str:
        return self.primaries


for name in ("Sycc", "Smpte170m", "Rec709", "Raw"):  # `ColorSpace.Sycc()` makes one
    setattr(ColorSpace, name, staticmethod(partial(ColorSpace, name)))


StreamRole = Enum("StreamRole", ("StillCapture", "Raw", "VideoRecording", "Viewfinder"))
ControlType = Enum("ControlType", ("Float", "Rectangle", "Size"))


class Success:
    """`FrameMetadata`: every frame that is completed here is whole, unless it is damaged."""

    Status = Enum("Status", ("Success", "Error"))


@dataclass
class Memory:
    """Where a picture lies."""

    fd: int = -1
    offset: int = 0
    length: int = 0


class FrameBuffer:
    """The memory of one picture."""

    Plane = Memory

    def __init__(self, planes: list[Memory]) -> None:
        self.planes = planes
        self.metadata = types.SimpleNamespace(status=Success.Status.Success)


@dataclass
class SensorConfiguration:
    """Which mode the sensor runs in."""

    bit_depth: int = 0
    output_size: Size = field(default_factory=Size)


class Stream:
    """The identity of a stream."""

    def __init__(self, configuration: "StreamConfiguration") -> None:
        self.configuration = configuration


class StreamConfiguration:
    """The size and format of a stream."""

    def __init__(self, formats: Any) -> None:  # noqa: ANN401 - a namespace
        self.formats, self.stream = formats, Stream(self)
        self.size, self.pixel_format = Size(), PixelFormat("XBGR8888")
        self.buffer_count, self.stride, self.color_space = 4, 0, ColorSpace("Sycc")

    @property
    def frame_size(self) -> int:
        planar = str(self.pixel_format) == "YUV420"
        return self.stride * self.size.height * (3 if planar else 2) // 2


class CameraConfiguration(list[StreamConfiguration]):
    """The streams, and the sensor's mode."""

    Status = Enum("Status", ("Valid", "Adjusted", "Invalid"))
    orientation = Orientation.Rotate0
    sensor_config: SensorConfiguration | None = None

    def at(self, number: int) -> StreamConfiguration:
        return self[number]

    def validate(self) -> Any:  # noqa: ANN401 - an enum made by name
        """Pad the rows to 64 bytes, as a Raspberry Pi does."""
        for stream in self:
            row = stream.size.width * BYTES.get(str(stream.pixel_format), 1)
            stream.stride = -(-row // 64) * 64
        return CameraConfiguration.Status.Valid


class Request:
    """One picture of each stream, asked for and filled."""

    Status = Enum("Status", ("Pending", "Complete", "Cancelled"))

    def __init__(self, cookie: int) -> None:
        self.cookie, self.buffers, self.metadata = cookie, dict[Stream, FrameBuffer](), dict[ControlId, Any]()
        self.status = Request.Status.Pending
        self.controls = dict[ControlId, Any]()

    def add_buffer(self, stream: Stream, buffer: FrameBuffer) -> None:
        self.buffers[stream] = buffer

    def set_control(self, control: ControlId, value: object) -> None:
        assert isinstance(control, ControlId)
        self.controls[control] = value

    def reuse(self) -> None:
        self.status = Request.Status.Pending
        self.controls = {}
