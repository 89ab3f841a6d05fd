"""Films and photographs as cameras, and recording a camera to a film (`--record FILE.avi`).

A film delivers every frame, with its own time; each photograph is a new throw at rest.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import cv2
import numpy as np

from tabletop.core.errors import DeviceError, InputError
from tabletop.core.ports import Camera, Frame
from tabletop.core.reconnecting import WrappedCamera
from tabletop.vision.image_io import open_picture


def silence_opencv() -> None:
    """Disable OpenCV's log output. The switch is in `cv2.utils.logging` since 4.12, before that in `cv2`."""
    if hasattr(cv2, "setLogLevel"):
        cv2.setLogLevel(0)  # silent
    else:
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)


# What FFmpeg and OpenCV have to say about a broken file, we say in one line. FFmpeg looks here once, at its first file.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")

MS_PER_S = 1000.0
USUAL_FPS = 30.0  # where the file does not say


class Film:
    """The frames of a film file, rotated as its metadata says, none dropped.

    path: any file that OpenCV can decode. Raises InputError if it contains no frame.
    """

    live = False

    def __init__(self, path: Path) -> None:
        silence_opencv()
        self._capture = cv2.VideoCapture(str(path))
        self._frame_s = 1.0 / (self._capture.get(cv2.CAP_PROP_FPS) or USUAL_FPS)
        self._time_s = -self._frame_s
        self._next = self._decode()
        if self._next is None:
            self._capture.release()
            raise InputError(f"expected a film, got a file without a frame that can be decoded: {path}")

    def _decode(self) -> Frame | None:
        good, pixels = self._capture.read()
        if not good or pixels is None:
            return None
        told_s = self._capture.get(cv2.CAP_PROP_POS_MSEC) / MS_PER_S
        steady_s = self._time_s + self._frame_s
        # files without times say 0 for ever, or jump back: then the frame rate counts
        self._time_s = told_s if told_s > self._time_s + 1e-6 and self._time_s >= 0 else max(steady_s, 0.0)
        return Frame(np.asarray(pixels, dtype=np.uint8), self._time_s)

    def read(self) -> Frame | None:
        """Return the next frame, None from the end on."""
        frame = self._next
        self._next = self._decode() if frame is not None else None
        return frame

    def close(self) -> None:
        """Close the file."""
        self._capture.release()
        self._next = None


PICTURE_SUFFIXES = frozenset((".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"))
BETWEEN_S = 1.0  # photographs carry no time that could be trusted: one a second


def pictures_in(folder: Path) -> list[Path]:
    """Return the picture files of a folder sorted by name, empty if there are none."""
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES and path.is_file())


class Photographs:
    """Picture files in the given order, rotated by their EXIF orientation.

    An unreadable file raises DeviceError when its turn comes; the next call continues with the one after it.
    """

    live = False

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = list(paths)
        self._shown = 0

    @classmethod
    def of_folder(cls, folder: Path) -> Self:
        """Open the pictures of a folder, sorted by name; raises InputError if there are none."""
        paths = pictures_in(folder)
        if not paths:
            raise InputError(f"expected photographs ({', '.join(sorted(PICTURE_SUFFIXES))}), got none in {folder}")
        return cls(paths)

    def read(self) -> Frame | None:
        """Return the next photograph, None after the last."""
        if self._shown >= len(self._paths):
            return None
        path, time_s = self._paths[self._shown], self._shown * BETWEEN_S
        self._shown += 1
        try:
            return Frame(open_picture(path), time_s, at_rest=True)
        except InputError as error:
            raise DeviceError(f"{error}; left out") from error

    def close(self) -> None:
        """Skip the remaining photographs."""
        self._shown = len(self._paths)


FPS = 30.0  # films need one steady rate; frames are repeated or left out to keep the time
CODECS = {".avi": "MJPG", ".mp4": "mp4v"}  # both are in every OpenCV wheel


class FilmRecorder(WrappedCamera):
    """A camera that passes on another camera's frames and writes them to a film.

    path: ends in .avi or .mp4; an existing file is not overwritten. Raises InputError if it cannot be written.
    """

    def __init__(self, camera: Camera, path: Path) -> None:
        if path.suffix.lower() not in CODECS:
            raise InputError(f"expected --record FILE ending in {' or '.join(CODECS)}, got {path}")
        if path.exists():
            raise InputError(f"expected a new file after --record, got one that exists: {path}")
        if not path.parent.is_dir():
            raise InputError(f"expected an existing folder for --record, got {path.parent}")
        super().__init__(camera)
        self._path = path
        self._writer: cv2.VideoWriter | None = None
        self._begun_s = 0.0
        self._written = 0

    def read(self) -> Frame | None:
        """Return the other camera's next frame and write it to the film."""
        frame: Frame | None = self._device.read()
        if frame is not None:
            self._write(frame)
        return frame

    def _write(self, frame: Frame) -> None:
        if self._writer is None:
            height, width = frame.pixels.shape[:2]
            code = cv2.VideoWriter.fourcc(*CODECS[self._path.suffix.lower()])
            self._writer = cv2.VideoWriter(str(self._path), code, FPS, (width, height))
            if not self._writer.isOpened():
                raise InputError(f"expected a film that can be written, got {self._path}: check the disk")
            self._begun_s = frame.time_s
        due = round((frame.time_s - self._begun_s) * FPS) + 1
        while self._written < due:
            self._writer.write(np.ascontiguousarray(frame.pixels))
            self._written += 1

    def close(self) -> None:
        """Finish the film and close the camera."""
        if self._writer is not None:
            self._writer.release()
        super().close()
