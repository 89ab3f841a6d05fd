"""What a small screen is made of: labels, dice, bars. A layout is a tuple of parts; painting is here, placing elsewhere."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabletop.views.oled_text import FALLING, Font, cap_height, ink, largest, shortened, wrapped

LEFT, CENTRE, RIGHT = 0.0, 0.5, 1.0  # where in its box a text stands

PIPS = {  # where the pips of a face lie, (column, row) of three by three; as on every western die
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}
DIE_RIM_PX = 2  # the edge line and one pixel of air


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of pixels: columns x to x + width - 1, rows y to y + height - 1."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column behind it."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The first row below it."""
        return self.y + self.height

    def holds(self, other: "Box") -> bool:
        """Tell whether the other box lies wholly inside."""
        return self.x <= other.x and self.y <= other.y and other.right <= self.right and other.bottom <= self.bottom

    def meets(self, other: "Box") -> bool:
        """Tell whether the two share a pixel."""
        across = self.x < other.right and other.x < self.right
        return across and self.y < other.bottom and other.y < self.bottom


@dataclass(frozen=True, slots=True)
class Label:
    """A text. x: its first lit column; baseline: the first row below its capital letters."""

    text: str
    font: Font
    x: int
    baseline: int

    @property
    def box(self) -> Box:
        """The ink."""
        shape = ink(self.text, self.font)
        return Box(self.x, self.baseline - shape.rise, shape.width, shape.height)


@dataclass(frozen=True, slots=True)
class DieSize:
    """How a die is drawn: pips of `pip` by `pip` pixels, `gap` between them."""

    pip: int
    gap: int

    @property
    def edge(self) -> int:
        """The edge in pixels."""
        return 2 * DIE_RIM_PX + 3 * self.pip + 2 * self.gap


@dataclass(frozen=True, slots=True)
class DieFace:
    """A die: kept ones are filled, the others outlined. x, y: its upper left corner."""

    face: int
    kept: bool
    size: DieSize
    x: int
    y: int

    @property
    def box(self) -> Box:
        """The whole die."""
        return Box(self.x, self.y, self.size.edge, self.size.edge)


@dataclass(frozen=True, slots=True)
class Bar:
    """A filled rectangle; labels that stand on it are dark."""

    box: Box


Part = Label | DieFace | Bar


def paint(parts: Iterable[Part], width: int, height: int) -> NDArray[np.bool_]:
    """Return the picture, (height, width) bool. Bars come before what stands on them."""
    pixels = np.zeros((height, width), np.bool_)
    for part in parts:
        box = part.box
        window = pixels[box.y : box.bottom, box.x : box.right]
        if isinstance(part, Label):
            window ^= ink(part.text, part.font).mask
        elif isinstance(part, Bar):
            window |= True
        else:
            window |= _die(part.face, part.kept, part.size)
    return pixels


def label(text: str, box: Box, fonts: Sequence[Font] = FALLING, at: float = CENTRE) -> tuple[Label, ...]:
    """Place a text in the largest of the fonts that fits the box, shortened if none does; nothing for a blank text."""
    font = largest(text, fonts, box.width, box.height)
    if font is None:
        font = fonts[-1]
        text = shortened(text, font, box.width, box.height)
    shape = ink(text, font)
    if not shape.width:
        return ()
    centred = box.y + (box.height + cap_height(font)) // 2
    baseline = min(max(centred, box.y + shape.rise), box.bottom - shape.height + shape.rise)
    return (Label(text, font, box.x + round((box.width - shape.width) * at), baseline),)


def paragraph(text: str, box: Box, fonts: Sequence[Font]) -> tuple[Label, ...]:
    """Place a text on as many lines as the box has room for, in the first font in which it fits; else shortened."""
    for font in fonts:
        lines = wrapped(text, font, box.width)
        if len(lines) * font.size <= box.height:
            return _lines(lines, font, box)
    font = fonts[-1]
    room = max(1, box.height // font.size)
    lines = wrapped(text, font, box.width)
    last = shortened(" ".join(lines[room - 1 :]), font, box.width, font.size)
    return _lines((*lines[: room - 1], last), font, box)


def button_bar(hold: str, bank: str, box: Box, fonts: Sequence[Font]) -> tuple[Part, ...]:
    """Place what the buttons do, HOLD at the left, BANK at the right, each on a bar; no bar where it does nothing."""
    half = box.width // 2 - 1
    sides = ((hold, box.x), (bank, box.right - half))
    parts: list[Part] = []
    for text, x in sides:
        side = Box(x, box.y, half, box.height)
        if text:
            parts += (Bar(side), *label(text, Box(x + 1, side.y, half - 2, side.height), fonts))
    return tuple(parts)


def _lines(lines: Sequence[str], font: Font, box: Box) -> tuple[Label, ...]:
    top = box.y + (box.height - len(lines) * font.size) // 2
    rows = (Box(box.x, top + number * font.size, box.width, font.size) for number in range(len(lines)))
    return tuple(part for line, row in zip(lines, rows, strict=True) for part in label(line, row, (font,), LEFT))


def _die(face: int, kept: bool, size: DieSize) -> NDArray[np.bool_]:
    """Return a die, (edge, edge) bool; other faces than 1 to 6 have no pips."""
    pixels = np.full((size.edge, size.edge), kept, np.bool_)
    pixels[[0, -1], :] = pixels[:, [0, -1]] = True
    pixels[[0, 0, -1, -1], [0, -1, 0, -1]] = False
    for column, row in PIPS.get(face, ()):
        x, y = (DIE_RIM_PX + place * (size.pip + size.gap) for place in (column, row))
        pixels[y : y + size.pip, x : x + size.pip] = not kept
    return pixels
