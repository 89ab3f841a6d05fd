"""Pictures of the rolls with their labels, as a set of labelled photographs that measures and trains readers.

In the folder lie `manifest.json` and `rolls/`, a PNG for each roll, as the camera gave it. The manifest has the form
that `tabletop read --labels` and the benchmarks take: `{"images": [{"file", "set", "width", "height",
"die_px", "roi", "dice": [{"face", "box"}], "origin", "licence"}], "throws": []}`. Boxes are upright, in pixels;
`die_px` is the median edge of the dice.
"""

import json
import math
import os
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.core.errors import InputError
from tabletop.dialogs.scoring.roll import LEANS, NO_DIE, Roll, Seen

MANIFEST, ROLLS = "manifest.json", "rolls"
MADE_BY = "tabletop calibrate score"  # marks our manifest: no other is ever changed
SET, LICENCE = "tray", "your own: they are on this device only"
BYTES_PER_MB = 1_000_000
MOST_MB = 200  # unless asked otherwise: four hundred pictures of 640x480, and less than a card has to spare
DIGITS = 5


class Pictures:
    """The pictures kept in one folder.

    folder: made if it is not there; InputError if something else than our pictures is in it. most_mb: how large all
    pictures together may become; no other is kept then. full: whether that has happened.
    """

    def __init__(self, folder: Path, most_mb: float = MOST_MB) -> None:
        self.full = False
        self._folder, self._most_bytes = folder, most_mb * BYTES_PER_MB
        self._images = self._load()
        try:
            (folder / ROLLS).mkdir(parents=True, exist_ok=True)
            self._bytes = sum(path.stat().st_size for path in (folder / ROLLS).iterdir())
        except OSError as error:
            raise InputError(f"{folder}: expected a folder for the pictures: {error.strerror}") from None
        if not self._images:
            self._write_manifest()  # from now on the folder is known to be ours

    def keep(self, pixels: NDArray[np.uint8]) -> str:
        """Write a picture, (H, W, 3) uint8 BGR, and return its name; empty if there is no room. It has no label."""
        packed = cv2.imencode(".png", pixels)[1].tobytes()
        if self._bytes + len(packed) > self._most_bytes:
            self.full = True
            return ""
        taken = (int(path.stem) for path in (self._folder / ROLLS).glob("*.png") if path.stem.isdigit())
        name = f"{ROLLS}/{max(taken, default=0) + 1:0{DIGITS}}.png"
        self._write(self._folder / name, packed)
        self._bytes += len(packed)
        return name

    def label(self, roll: Roll) -> None:
        """Write what lies in the picture of this roll into the manifest; nothing if it has no picture."""
        if roll.picture:
            self._images[roll.picture] = entry_of(roll)
            self._write_manifest()

    def unlabel(self, roll: Roll, *, remove: bool) -> None:
        """Take the picture of this roll out of the manifest. remove: and out of the folder, for good."""
        if self._images.pop(roll.picture, None) is not None:
            self._write_manifest()
        if remove and roll.picture:
            path = self._folder / roll.picture
            with suppress(OSError):
                size = path.stat().st_size
                path.unlink()
                self._bytes -= size

    def _write_manifest(self) -> None:
        text = json.dumps({"made_by": MADE_BY, "images": list(self._images.values()), "throws": []}, indent=1)
        self._write(self._folder / MANIFEST, text.encode())

    def _write(self, path: Path, packed: bytes) -> None:
        """Write a file, whole or not at all."""
        part = path.with_name(f"{path.name}.part")
        try:
            with part.open("wb") as file:
                file.write(packed)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except OSError as error:
            with suppress(OSError):
                part.unlink()
            raise InputError(f"{path}: expected a place for the pictures: {error.strerror}") from None

    def _load(self) -> dict[str, dict[str, Any]]:
        path = self._folder / MANIFEST
        if not path.exists():
            if (self._folder / ROLLS).exists() and any((self._folder / ROLLS).iterdir()):
                raise InputError(f"{self._folder}: expected no {ROLLS}/ without a {MANIFEST}; name another folder")
            return {}
        try:
            manifest = json.loads(path.read_bytes())
            if manifest["made_by"] == MADE_BY:
                return {str(image["file"]): dict(image) for image in manifest["images"]}
        except (OSError, ValueError, LookupError, TypeError, RecursionError):
            pass
        raise InputError(f"{path}: expected a manifest that `{MADE_BY}` wrote; name another folder")


def entry_of(roll: Roll) -> dict[str, Any]:
    """Return what the manifest says of one picture. Things that are no dice have no label."""
    dice = [(thing, true) for thing, true in zip(roll.seen, roll.true, strict=True) if true != NO_DIE]
    return {
        "file": roll.picture,
        "set": SET,
        "width": round(roll.width),
        "height": round(roll.height),
        "die_px": round(median(thing.size for thing, _ in dice), 1),
        "roi": None,
        "dice": [_label(thing, true) for thing, true in dice],
        "origin": MADE_BY,
        "licence": LICENCE,
    }


def _label(thing: Seen, true: int) -> dict[str, Any]:
    """Return the label of one die; one that leans has no face, and is passed over by all who score."""
    box = _box(thing.x, thing.y, thing.size, thing.angle)
    return {"face": None, "custom_face": True, "box": box} if true == LEANS else {"face": true, "box": box}


def _box(x: float, y: float, size: float, angle: float) -> list[float]:
    """Return the upright box round a square that is turned by `angle` degrees: left, top, right, bottom."""
    turn = math.radians(angle)
    half = size * (abs(math.cos(turn)) + abs(math.sin(turn))) / 2
    return [round(side, 1) for side in (x - half, y - half, x + half, y + half)]
