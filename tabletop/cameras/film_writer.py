"""`--record`: what the camera saw, kept as a film."""

from pathlib import Path

import cv2
import numpy as np

from tabletop.core.errors import InputError
from tabletop.core.ports import Camera, Frame, Interruptible

FPS = 30.0  # films need one steady rate; frames are repeated or left out to keep the time
CODECS = {".avi": "MJPG", ".mp4": "mp4v"}  # both are in every OpenCV wheel


class FilmRecorder:
    """A camera that passes on the frames of another one and writes them to a film.

    path: ends in .avi or .mp4; an existing file is not overwritten. Raises InputError if it cannot be written.
    """

    def __init__(self, camera: Camera, path: Path) -> None:
        if path.suffix.lower() not in CODECS:
            raise InputError(f"expected --record FILE ending in {' or '.join(CODECS)}, got {path}")
        if path.exists():
            raise InputError(f"expected a new file after --record, got one that exists: {path}")
        if not path.parent.is_dir():
            raise InputError(f"expected an existing folder for --record, got {path.parent}")
        self.live = camera.live
        self._camera = camera
        self._path = path
        self._writer: cv2.VideoWriter | None = None
        self._begun_s = 0.0
        self._written = 0

    def read(self) -> Frame | None:
        """Return the other camera's next frame, written to the film."""
        frame = self._camera.read()
        if frame is not None:
            self._write(frame)
        return frame

    def interrupt(self) -> None:
        """Let a `read` that waits return: the other camera's, if it can."""
        camera: object = self._camera
        if isinstance(camera, Interruptible):
            camera.interrupt()

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
        self._camera.close()
