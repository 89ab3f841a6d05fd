"""One picture of all taught dice: a row for each look and face, the newest first."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.config.own_dice import MOST_A_FACE
from tabletop.core.errors import InputError
from tabletop.core.values import FACES
from tabletop.vision.own_dice import SIDE_PX, Sample

Picture = NDArray[np.uint8]

GAP_PX = 4  # between dice
NAME_PX = 130  # width of the names of looks and faces
INK, GROUND = (30, 30, 30), 235  # BGR; a byte
LETTER = 0.45  # size of the letters, in OpenCV's measure


def write_sheet(samples: Sequence[Sample], path: Path) -> None:
    """Write the picture; raises InputError if that cannot be."""
    rows = [
        _row(
            f"{look or '-'}: {face}",
            [sample for sample in reversed(samples) if (sample.look, sample.face) == (look, face)],
        )
        for look in dict.fromkeys(sample.look for sample in samples)
        for face in FACES
    ]
    fine, packed = cv2.imencode(".png", np.concatenate(rows))
    try:
        if not fine or path.suffix.lower() != ".png":
            raise InputError(f"{path}: expected a file name that ends in .png")
        path.write_bytes(packed.tobytes())
    except OSError as error:
        raise InputError(f"{path}: expected a place to write the sheet to: {error.strerror}") from None


def _row(name: str, samples: Sequence[Sample]) -> Picture:
    step = SIDE_PX + GAP_PX
    row = np.full((step, NAME_PX + step * MOST_A_FACE, 3), GROUND, np.uint8)
    shown = "".join(letter if letter.isascii() else "?" for letter in name)  # OpenCV's letters are ASCII
    cv2.putText(row, shown[:16], (GAP_PX, step // 2), cv2.FONT_HERSHEY_SIMPLEX, LETTER, INK, 1, cv2.LINE_AA)
    for number, sample in enumerate(samples[:MOST_A_FACE]):
        left = NAME_PX + number * step
        row[:SIDE_PX, left : left + SIDE_PX] = sample.pixels
    return row
