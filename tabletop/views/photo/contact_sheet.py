"""A contact sheet: many small crops of photographs in groups with headings, each with a few words beneath it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.views.photo.font import PAD, broken, paste, printable, shortened, tag

Picture = NDArray[np.uint8]
Bgr = tuple[int, int, int]

CROP_PX = 140  # side of each crop
AROUND = 2.0  # dice: how much of the photograph a crop shows
LETTER_PX, HEADING_PX = 13, 22
LINES = 4  # of words beneath a crop: the truth, the reading (two lines), the file
GAP_PX = 8
MOST_COLUMNS = 16
MOST_CROPS = 600  # 35 MB of crops, and a sheet of about 20 million pixels
LINE_PX = LETTER_PX + 2 * round(PAD * LETTER_PX)
PAPER: Bgr = (255, 255, 255)
INK: Bgr = (0, 0, 0)
OUTSIDE: Bgr = (150, 150, 150)  # what lies beyond the photograph's border


@dataclass(frozen=True, slots=True, eq=False)
class Exhibit:
    """One crop, (CROP_PX, CROP_PX, 3) uint8 BGR, and what is written beneath: the truth, the reading, the file."""

    picture: Picture
    truth: str
    read_as: str
    file: str


@dataclass(slots=True)
class Collection:
    """Exhibits by group, the most important group first; never more than MOST_CROPS, the least important go first.

    groups: the headings in order. shown: exhibits of each group, counts: how many there were, with those left out.
    """

    groups: Sequence[str]
    shown: dict[str, list[Exhibit]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, group: str, exhibit: Exhibit) -> None:
        """Take one exhibit in; `group` is one of the groups."""
        self.shown.setdefault(group, []).append(exhibit)
        self.counts[group] = self.counts.get(group, 0) + 1
        if sum(map(len, self.shown.values())) > MOST_CROPS:
            least = next(name for name in reversed(self.groups) if self.shown.get(name))
            self.shown[least].pop()


def crop(frame: Picture, x: float, y: float, size_px: float) -> Picture:
    """Return the surroundings of a die, (CROP_PX, CROP_PX, 3) uint8, grey beyond the frame's border."""
    side = max(AROUND * size_px, 2.0)
    left, top = x - side / 2, y - side / 2
    zoom = CROP_PX / side
    height, width = frame.shape[:2]
    first = [max(0, int(np.floor(value))) for value in (left, top)]
    last = [min(most, int(np.ceil(value + side))) for value, most in ((left, width), (top, height))]
    cut = np.full((CROP_PX, CROP_PX, 3), OUTSIDE, np.uint8)
    if first[0] >= last[0] or first[1] >= last[1]:
        return cut
    part = frame[first[1] : last[1], first[0] : last[0]]
    shape = max(1, round(part.shape[1] * zoom)), max(1, round(part.shape[0] * zoom))
    small = cv2.resize(part, shape, interpolation=cv2.INTER_AREA if zoom < 1 else cv2.INTER_CUBIC)
    paste(cut, np.asarray(small, np.uint8), round((first[0] - left) * zoom), round((first[1] - top) * zoom))
    return cut


def contact_sheet(collection: Collection, headings: Mapping[str, str], title: str) -> Picture:
    """Return the sheet, (H, W, 3) uint8 BGR: the title, then each group that has exhibits under its heading.

    headings: for each group what stands above it; the number of dice, and of those left out, is added.
    """
    most = max((len(shown) for shown in collection.shown.values()), default=0)
    columns = min(MOST_COLUMNS, max(6, most))
    width = GAP_PX + columns * (CROP_PX + GAP_PX)
    strips = [_strip(title, HEADING_PX, width)]
    for group in collection.groups:
        shown, count = collection.shown.get(group, []), collection.counts.get(group, 0)
        if not count:
            continue
        left_out = f" ({count - len(shown)} of them left out here)" if count > len(shown) else ""
        strips.append(_strip(f"{headings[group]}: {count}{left_out}", HEADING_PX, width))
        strips += [_row(shown[start : start + columns], width) for start in range(0, len(shown), columns)]
    return np.concatenate(strips)


def _strip(text: str, letter_px: int, width: int) -> Picture:
    words = tag(shortened(printable(text), letter_px, width - 2 * letter_px), letter_px, PAPER, INK)
    strip = np.full((words.shape[0] + GAP_PX, width, 3), PAPER, np.uint8)
    paste(strip, words, GAP_PX, GAP_PX // 2)
    return strip


def _row(exhibits: Sequence[Exhibit], width: int) -> Picture:
    row = np.full((CROP_PX + LINES * LINE_PX + GAP_PX, width, 3), PAPER, np.uint8)
    room = CROP_PX - 2 * round(PAD * LETTER_PX)
    for number, exhibit in enumerate(exhibits):
        left = GAP_PX + number * (CROP_PX + GAP_PX)
        paste(row, exhibit.picture, left, 0)
        file = shortened(printable(exhibit.file), LETTER_PX, room)
        lines = [exhibit.truth, *broken(exhibit.read_as, LETTER_PX, room, 2)]
        lines = [shortened(line, LETTER_PX, room) for line in lines if line] + [file]
        for line, text in enumerate(lines):
            paste(row, tag(text, LETTER_PX, PAPER, INK), left, CROP_PX + line * LINE_PX)
    return row
