"""A camera: the photographs of a folder, in the order in which they were saved.

Install the examples (`pip install ./examples`), then play with photographs from a phone:
    tabletop play pig --camera newest-last:photos
"""

from pathlib import Path

import cv2
import numpy as np

from tabletop import Camera, Frame
from tabletop.core.errors import DeviceError

SUFFIXES = {".jpg", ".jpeg", ".png"}
BETWEEN_S = 1.0  # the time from one photograph to the next, on the camera's own clock


class FolderCamera:
    """Return each photograph as one frame in which all dice lie still.

    live is False: the table waits for every frame and drops none.
    """

    live = False

    def __init__(self, paths: list[Path]) -> None:
        self._left = paths
        self._time_s = 0.0

    def read(self) -> Frame | None:
        """Return the next photograph, None after the last one; raise DeviceError for a file that is no picture."""
        if not self._left:
            return None
        path = self._left.pop(0)
        self._time_s += BETWEEN_S
        pixels = cv2.imread(str(path))  # (height, width, 3) uint8 in BGR, turned as its EXIF data says
        if pixels is None:
            raise DeviceError(f"expected a picture, got {path}; it is skipped")
        return Frame(pixels.astype(np.uint8), self._time_s, at_rest=True)

    def close(self) -> None:
        """Return no more frames."""
        self._left.clear()


def open_folder(options: str) -> Camera:
    """Open `--camera newest-last:FOLDER`; options is the text after the colon."""
    folder = Path(options)
    if not options or not folder.is_dir():
        raise DeviceError(f"expected --camera newest-last:FOLDER with a folder of photographs, got {options!r}")
    paths = [path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES]
    return FolderCamera(sorted(paths, key=lambda path: (path.stat().st_mtime, path.name)))
