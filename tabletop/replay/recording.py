"""A recording read back: its lines in order, and the pictures that were kept."""

import json
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.core.errors import InputError
from tabletop.core.values import Profile, Reading
from tabletop.replay.serialization import profile_from, reading_from

VERSION = 1  # of the form; the first line of a recording says it
Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Shot:
    """A frame as it was recorded.

    pixels: None if its picture was not kept. reading: what was read in it then, in pixels.
    """

    number: int
    time_s: float
    at_rest: bool
    pixels: NDArray[np.uint8] | None
    reading: Reading


class Recording:
    """The lines and pictures of a recording; one that is cut off is read up to there.

    head: its first line. lines: the others. pictures: how many there are.
    """

    def __init__(self, path: Path) -> None:
        self._members: dict[str, tuple[int, int]] = {}
        try:
            self._file = path.open("rb")
        except OSError as error:
            raise InputError(
                f"expected a recording of `tabletop play --record`, got {path}: {error.strerror}"
            ) from None
        lines = list(self._json_lines(self._index()))
        if not lines or lines[0].get("recording") != VERSION:
            self._file.close()
            raise InputError(f"expected a recording of `tabletop play --record FILE.tar`, got another file: {path}")
        self.head, self.lines = lines[0], tuple(lines[1:])
        self.pictures = sum(name.startswith("pictures/") for name in self._members)
        self._by_number = {line["frame"]: line for line in self.lines if "time" in line}
        self._last: tuple[int, NDArray[np.uint8] | None] = (-1, None)

    def __enter__(self) -> Self:
        """Return the recording."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self._file.close()

    @property
    def profile(self) -> Profile | None:
        """The profile with which the match was played."""
        return profile_from(self.head.get("profile"))

    @property
    def span_s(self) -> tuple[float, float]:
        """The time of the first and of the last line, on the clock of the frames."""
        times = [time_of(line) for line in self.lines]
        return (min(times), max(times)) if times else (0.0, 0.0)

    def shot(self, line: Line) -> Shot:
        """Return the frame of a line that has one."""
        line_read = self.line(line["like"]) if "like" in line else line
        time_s = float(line["time"])
        pixels = self._pixels(int(line_read["frame"])) if line_read.get("picture") else None
        return Shot(line["frame"], time_s, bool(line.get("at_rest")), pixels, reading_from(line_read, time_s))

    def picture(self, number: int) -> bytes | None:
        """Return the JPEG of a frame as it is in the file, None if it was not kept."""
        return self._data(picture_name(number))

    def line(self, number: int) -> Line:
        """Return the line of a frame by its number; a line without a reading if the recording is cut off there."""
        return self._by_number.get(number, {"frame": number, "picture": False, "size": [1, 1], "dice": []})

    def _pixels(self, number: int) -> NDArray[np.uint8] | None:
        if self._last[0] != number:
            data = self.picture(number)
            decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
            self._last = number, None if decoded is None else np.asarray(decoded, np.uint8)
        return self._last[1]

    def _data(self, name: str) -> bytes | None:
        if name not in self._members:
            return None
        offset, size = self._members[name]
        self._file.seek(offset)
        data = self._file.read(size)
        return data if len(data) == size else None

    def _index(self) -> list[str]:
        """Find where each member lies, and return the names of those with lines, in their order."""
        try:
            with tarfile.open(fileobj=self._file, mode="r:", ignore_zeros=True) as archive:
                while (member := archive.next()) is not None:
                    self._members[member.name] = member.offset_data, member.size
        except (tarfile.TarError, OSError):
            pass  # torn off: what stands before is good
        return sorted(name for name in self._members if name.startswith("lines/"))

    def _json_lines(self, chunks: list[str]) -> Iterator[Line]:
        for name in chunks:
            for line in (self._data(name) or b"").splitlines():
                try:
                    line_read = json.loads(line)
                except ValueError:
                    continue  # written over half, when the plug was pulled
                if isinstance(line_read, dict):
                    yield line_read


def picture_name(number: int) -> str:
    """Return what the picture of a frame is called in the archive."""
    return f"pictures/{number:07}.jpg"


def opened(path: Path) -> Recording:
    """Open a recording; raises InputError if the file is no recording."""
    return Recording(path)


def time_of(line: Line) -> float:
    """Return when a frame was taken, or a turn was made."""
    return float(line["time"] if "time" in line else line["turn"])
