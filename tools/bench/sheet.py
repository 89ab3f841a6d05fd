"""A contact sheet of all dice that the reader gets wrong: `python -m tools.bench.sheet FOLDER OUT.png`.

FOLDER: with a `manifest.json`, as for `make bench`. The worst come first; correct dice are not shown.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from tabletop.views.photo import BLACK, WHITE, Bgr, Picture, paste, tag
from tabletop.vision.image_io import open_picture
from tabletop.vision.reader import read
from tools.bench.labels import Kind, failures, load_labels
from tools.bench.pictures import MANIFEST

HEADINGS: Mapping[Kind, str] = {
    "silent": "Wrong in silence (as many dice as there are, none unsure, other faces)",
    "wrong": "Wrong face",
    "false": "Read where no die has a label",
    "missed": "Missed",
    "unsure": "Unsure",
}
CROP_PX = 140  # side of each crop
AROUND = 2.0  # dice: how much of the photograph a crop shows
LETTER_PX, HEADING_PX = 13, 22
LINE_PX = 2 * LETTER_PX
COLUMNS = 12
MOST_CROPS = 300  # of one group: 18 MB of crops
OUTSIDE: Bgr = (150, 150, 150)  # beyond the photograph's border


@dataclass(frozen=True, slots=True, eq=False)
class Exhibit:
    """One crop, (CROP_PX, CROP_PX, 3) uint8 BGR, and the lines below it."""

    picture: Picture
    lines: tuple[str, ...]


def crop(frame: Picture, x: float, y: float, size_px: float) -> Picture:
    """Return the surroundings of a die, (CROP_PX, CROP_PX, 3) uint8, grey beyond the frame's border."""
    zoom = CROP_PX / max(AROUND * size_px, 2.0)
    placed = np.array([[zoom, 0, CROP_PX / 2 - zoom * x], [0, zoom, CROP_PX / 2 - zoom * y]])
    how = cv2.INTER_AREA if zoom < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.warpAffine(frame, placed, (CROP_PX, CROP_PX), flags=how, borderValue=OUTSIDE), np.uint8)


def contact_sheet(groups: Mapping[Kind, Sequence[Exhibit]], title: str) -> Picture:
    """Return the sheet, (H, W, 3) uint8 BGR: the title, then each non-empty group under its heading."""
    strips = [_strip(title, HEADING_PX)]
    for kind, heading in HEADINGS.items():
        if shown := groups.get(kind, ()):
            strips.append(_strip(f"{heading}: {len(shown)}", HEADING_PX))
            strips += [_row(shown[at : at + COLUMNS]) for at in range(0, min(len(shown), MOST_CROPS), COLUMNS)]
    return np.concatenate(strips)


def _strip(text: str, letter_px: int) -> Picture:
    strip = np.full((2 * letter_px, COLUMNS * CROP_PX, 3), WHITE, np.uint8)
    paste(strip, tag(ascii(text)[1:-1], letter_px, WHITE, BLACK), 0, 0)
    return strip


def _row(exhibits: Sequence[Exhibit]) -> Picture:
    lines = max(len(exhibit.lines) for exhibit in exhibits)
    row = np.full((CROP_PX + lines * LINE_PX, COLUMNS * CROP_PX, 3), WHITE, np.uint8)
    for number, exhibit in enumerate(exhibits):
        paste(row, exhibit.picture, number * CROP_PX, 0)
        for line, text in enumerate(exhibit.lines):
            words = tag(ascii(text)[1:-1], LETTER_PX, WHITE, BLACK)[:, :CROP_PX]
            paste(row, words, number * CROP_PX, CROP_PX + line * LINE_PX)
    return row


def main(words: Sequence[str]) -> int:
    """Read every photograph with the hints from its labels, and write the sheet."""
    folder, out = map(Path, words)
    groups: dict[Kind, list[Exhibit]] = {}
    labels = load_labels(folder / MANIFEST)
    failed = 0
    for path, truth in labels.items():
        frame = open_picture(path)
        found = failures(read(frame, die_px=truth.die_px, expect=truth.expect), truth)
        failed += bool(found)
        for one in found:
            exhibit = Exhibit(crop(frame, one.x, one.y, one.size), (one.truth, one.read_as, path.name[-20:]))
            groups.setdefault(one.kind, []).append(exhibit)
    sheet = contact_sheet(groups, f"{len(labels)} photographs, {failed} of them with something wrong or unsure")
    Image.fromarray(sheet[:, :, ::-1]).save(out)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
