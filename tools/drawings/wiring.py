"""The header and the parts wired to it, drawn from the program's table of pins."""

from dataclasses import dataclass

from tools.drawings.header import GROUND, HEADER, V3_3, V5, WIRES, Part, Wire
from tools.drawings.svg import FAINT, INK, RULE, Drawing, Point

WIDTH, HEIGHT = 1000.0, 800.0
PITCH, TOP = 31.0, 118.0  # px: from row to row of the header, and the first row
COLUMNS = (484.0, 516.0)  # px: of the odd and of the even pins
LABEL_EDGES = (456.0, 544.0)  # px: where the names beside the pins begin
LABEL_WIDTH = 54.0
ROUND = 9.0  # px: of a wire's corners
CHANNEL = 11.0  # px between wires that run side by side

COLOURS = {"VCC": "#d6453d", "GND": "#3d434b", "SDA": "#2f6fd0", "SCL": "#d39a12"}  # by an end of the display
SIGNALS: dict[Part, str] = {
    "bank": "#2d9a5f",
    "hold": "#8a55c2",
    "menu": "#14919b",
    "buzzer": "#df7321",
    "power": "#b23a72",
}
PIN_COLOURS = {V3_3: "#f0c3bf", V5: "#eba9a3", GROUND: "#b9bec5"}  # of pins that are not used
FREE = "#f3e6bd"  # of a GPIO that is not used


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a part. left, top, width, height: px. title, note: its labels."""

    left: float
    top: float
    width: float
    height: float
    title: str
    note: str

    @property
    def on_the_left(self) -> bool:
        """Whether the part is left of the header."""
        return self.left < COLUMNS[0]


PLACES: dict[Part, Place] = {
    "display": Place(60, 102.5, 214, 124, "Display", "SSD1306 or SH1106, I2C, 3.3 V"),
    "bank": Place(150, 330, 124, 76, "BANK", "push button"),
    "hold": Place(150, 482, 124, 76, "HOLD", "push button"),
    "menu": Place(726, 330, 124, 76, "MENU", "push button, may be left out"),
    "buzzer": Place(726, 482, 124, 76, "Buzzer", "passive, may be left out"),
    "power": Place(726, 634, 124, 76, "Off", "push button, not for a Pi 5; may be left out"),
}


def wiring_drawing() -> Drawing:
    """Return the drawing of the header, its parts and the wires between them."""
    said = "; ".join(f"{wire.part} {wire.end} to pin {wire.pin}, {wire.name}" for wire in WIRES)
    drawing = Drawing(WIDTH, HEIGHT, "Wiring of the table's parts to a Raspberry Pi", said)
    drawing.text(60, 52, "Wiring", 26, font_weight=650)
    drawing.text(60, 74, "Raspberry Pi 4, 5 or Zero 2 W, seen from above", 13, fill=FAINT)
    _header(drawing)
    for part, place in PLACES.items():
        _part(drawing, part, place)
    for side in (True, False):
        _wires(drawing, [wire for wire in WIRES if PLACES[wire.part].on_the_left is side])
    return drawing


def _row_y(pin: int) -> float:
    return TOP + (pin - 1) // 2 * PITCH


def _colour(wire: Wire) -> str:
    if wire.name == GROUND:
        return COLOURS["GND"]
    return COLOURS.get(wire.end) or SIGNALS[wire.part]


def _header(drawing: Drawing) -> None:
    bottom = _row_y(len(HEADER))
    drawing.rect(384, TOP - 50, 232, bottom - TOP + 112, rx=16, fill="#e8efe6", stroke="#c6d4c3", stroke_width=1.5)
    drawing.text(500, TOP - 28, "end with the microSD card", 11.5, text_anchor="middle", fill="#5d7259")
    drawing.text(500, bottom + 44, "end with the USB sockets", 11.5, text_anchor="middle", fill="#5d7259")
    drawing.rect(462, TOP - 18, 76, bottom - TOP + 36, rx=5, fill="#2b2e33")
    used = {wire.pin: _colour(wire) for wire in WIRES}
    for pin, name in enumerate(HEADER, start=1):
        odd, y = pin % 2 == 1, _row_y(pin)
        x, colour = COLUMNS[not odd], used.get(pin)
        fill = colour or PIN_COLOURS.get(name, FREE)
        if pin == 1:
            drawing.rect(x - 12, y - 12, 24, 24, rx=3, fill=fill, stroke="#ffffff", stroke_width=1)
        else:
            drawing.circle(x, y, 12, fill=fill, stroke="#ffffff" if colour else "none", stroke_width=1)
        ink = "#ffffff" if colour else "#4b4f55"
        drawing.text(x, y + 3.8, str(pin), 11, text_anchor="middle", fill=ink, font_weight=650 if colour else 400)
        _pin_name(drawing, name, LABEL_EDGES[not odd], y, colour, left=odd)


def _pin_name(drawing: Drawing, name: str, edge: float, y: float, colour: str | None, *, left: bool) -> None:
    if colour:
        start = edge - LABEL_WIDTH if left else edge
        drawing.rect(start, y - 10, LABEL_WIDTH, 20, rx=10, fill=colour)
        middle = start + LABEL_WIDTH / 2
        drawing.text(middle, y + 4, name, 11.5, text_anchor="middle", fill="#ffffff", font_weight=600)
    else:
        anchor = "end" if left else "start"
        drawing.text(edge + (-8 if left else 8), y + 4, name, 11.5, text_anchor=anchor, fill="#8c978a")


def _part(drawing: Drawing, part: Part, place: Place) -> None:
    middle = place.left + place.width / 2
    drawing.text(middle, place.top + place.height + 22, place.title, 16, text_anchor="middle", font_weight=650)
    drawing.text(middle, place.top + place.height + 39, place.note, 12, text_anchor="middle", fill=FAINT)
    if part == "display":
        _display(drawing, place)
    elif part == "buzzer":
        _plate(drawing, place)
        drawing.circle(middle, place.top + place.height / 2, 29, fill="#2b2e33")
        drawing.circle(middle, place.top + place.height / 2, 20, fill="none", stroke="#454a51", stroke_width=2)
        drawing.circle(middle, place.top + place.height / 2, 5, fill="#0f1012")
    else:
        _plate(drawing, place)
        y = place.top + place.height / 2
        drawing.rect(middle - 29, y - 29, 58, 58, rx=7, fill="#3a3f46")
        for dx in (-22, 22):
            for dy in (-22, 22):
                drawing.circle(middle + dx, y + dy, 3, fill="#6a7078")
        drawing.circle(middle, y, 20, fill=SIGNALS[part])
        drawing.circle(middle, y, 20, fill="none", stroke="#ffffff", stroke_width=1.5, stroke_opacity=0.5)


def _plate(drawing: Drawing, place: Place) -> None:
    drawing.rect(place.left, place.top, place.width, place.height, rx=10, fill="#f3f1ea", stroke=RULE, stroke_width=1.5)


def _display(drawing: Drawing, place: Place) -> None:
    left, top = place.left, place.top
    drawing.rect(left, top, place.width, place.height, rx=8, fill="#274a78")
    for y in (top + 11, top + place.height - 11):
        drawing.circle(left + 11, y, 5, fill="#fdfcf9", stroke="#b98b2e", stroke_width=2)
    drawing.rect(left + 22, top + 24, place.width - 76, place.height - 48, rx=3, fill="#0b0d10")
    glass = {"fill": "#bfe3ff", "font_family": "ui-monospace, 'DejaVu Sans Mono', monospace"}
    drawing.text(left + 32, top + 44, "Ann", 13, **glass)
    drawing.text(left + place.width - 64, top + 66, "24", 34, text_anchor="end", font_weight=700, **glass)
    drawing.text(left + 32, top + 91, "roll", 12, **glass)
    drawing.text(left + place.width - 64, top + 91, "bank", 12, text_anchor="end", **glass)


def _wires(drawing: Drawing, wires: list[Wire]) -> None:
    """Draw the wires of one side: out of the header, along a channel of their own, to the part."""
    ends = {wire: _ends(wire) for wire in wires}
    left = PLACES[wires[0].part].on_the_left
    order = sorted(wires, key=lambda wire: ends[wire][0][-1][1])  # from top to bottom, as they leave the header
    down = [wire for wire in order if ends[wire][1][1] > ends[wire][0][-1][1]]
    up = [wire for wire in order if wire not in down]
    inner = 372.0 if left else 628.0
    outwards = -CHANNEL if left else CHANNEL
    channels = {wire: inner + outwards * number for number, wire in enumerate(reversed(down))}
    channels |= {wire: inner + outwards * number for number, wire in enumerate(up)}
    for wire in order:
        out, (end_x, end_y) = ends[wire]
        x, y = channels[wire], out[-1][1]
        points = [*out, (x, y), (x, end_y), (end_x, end_y)] if abs(y - end_y) > 1 else [*out, (end_x, end_y)]
        drawing.path(points, ROUND, fill="none", stroke="#fdfcf9", stroke_width=7)
        drawing.path(points, ROUND, fill="none", stroke=_colour(wire), stroke_width=3.4, stroke_linecap="round")
        _terminal(drawing, wire, end_x, end_y, left=left)


def _ends(wire: Wire) -> tuple[list[Point], Point]:
    """Return how the wire leaves the header, and its end at the part.

    One that leaves on the other side runs between two rows of pins.
    """
    place = PLACES[wire.part]
    y, odd = _row_y(wire.pin), wire.pin % 2 == 1
    if odd == place.on_the_left:
        out = [(LABEL_EDGES[0] - LABEL_WIDTH if odd else LABEL_EDGES[1] + LABEL_WIDTH, y)]
    else:
        x, between = COLUMNS[not odd], y + PITCH / 2
        out = [(x, y + 12), (x, between), (LABEL_EDGES[odd] + (LABEL_WIDTH if odd else -LABEL_WIDTH), between)]
    of_part = sorted((other for other in WIRES if other.part == wire.part), key=_leaves_y)
    step = place.height / len(of_part)
    end_y = place.top + step * (of_part.index(wire) + 0.5)
    return out, (place.left + place.width if place.on_the_left else place.left, end_y)


def _leaves_y(wire: Wire) -> float:
    across = (wire.pin % 2 == 1) != PLACES[wire.part].on_the_left
    return _row_y(wire.pin) + (PITCH / 2 if across else 0.0)


def _terminal(drawing: Drawing, wire: Wire, x: float, y: float, *, left: bool) -> None:
    drawing.circle(x, y, 5.5, fill="#fdfcf9", stroke=_colour(wire), stroke_width=3)
    if wire.part == "display":
        drawing.text(x - 12, y + 4, wire.end, 11, text_anchor="end", fill="#dbe7f5", font_weight=600)
    elif wire.part == "buzzer":
        drawing.text(
            x + (-12 if left else 12),
            y + 5,
            wire.end.replace("-", "\N{MINUS SIGN}"),
            15,
            fill=INK,
            text_anchor="end" if left else "start",
        )
