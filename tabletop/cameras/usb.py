"""A USB camera, opened plainly through OpenCV."""

import os
import time
from typing import Self

import cv2
import numpy as np

from tabletop.core.errors import DeviceError, InputError
from tabletop.core.message import say
from tabletop.core.ports import Frame

FAILURES = 10  # an unplugged camera answers False at once for ever; a good one misses a frame now and then
RETRY_S = 2.0  # how long to wait before an unplugged camera is looked for again


class Usb:
    """The camera of /dev/videoN. Grab without pause: what is not read in time is lost, and the newest counts.

    number: N. Raises DeviceError if there is no camera or another program has it.
    """

    live = True

    def __init__(self, number: int) -> None:
        os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "1")  # seconds; 10 would freeze the table
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
        self._number = number
        self._failures = 0
        self._capture = cv2.VideoCapture(number)
        if not self._capture.isOpened():
            raise DeviceError(
                say(
                    "expected a camera at usb:{n}, got none: plug it in, close the program that uses it, or try "
                    "another number",
                    n=number,
                )
            )

    @classmethod
    def of_word(cls, word: str) -> Self:
        """Open the camera whose number stands after `usb:`; nothing there means 0."""
        if word and not (word.isascii() and word.isdigit()):
            raise InputError(f"expected a number after usb:, such as usb:0, got {word!r}")
        return cls(int(word or "0"))

    def read(self) -> Frame | None:
        """Return the next frame; raises DeviceError while the camera is gone, and looks for it again."""
        good, pixels = self._capture.read()
        if good and pixels is not None:
            self._failures = 0
            return Frame(np.asarray(pixels, dtype=np.uint8), time.monotonic())
        self._failures += 1
        if self._failures < FAILURES:
            return self.read()
        self._capture.release()
        time.sleep(RETRY_S)
        self._capture.open(self._number)
        self._failures = 0
        raise DeviceError(say("camera usb:{n} stopped answering: check its cable", n=self._number))

    def close(self) -> None:
        """Let the camera go."""
        self._capture.release()
