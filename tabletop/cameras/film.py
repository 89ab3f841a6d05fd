"""A film as a camera: every frame, in the film's own time."""

import os
from pathlib import Path

import cv2
import numpy as np

from tabletop.cameras.quiet import silence_opencv
from tabletop.core.errors import InputError
from tabletop.core.ports import Frame

# What FFmpeg and OpenCV have to say about a broken file, we say in one line. FFmpeg looks here once, at its first file.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")

MS_PER_S = 1000.0
USUAL_FPS = 30.0  # where the file does not say


class Film:
    """The frames of a film file, turned upright as the file says, none dropped.

    path: any file that OpenCV can decode. Raises InputError if there is not one frame in it.
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
        """Return the next frame, or None for ever at the end."""
        frame = self._next
        self._next = self._decode() if frame is not None else None
        return frame

    def close(self) -> None:
        """Let the file go."""
        self._capture.release()
        self._next = None
