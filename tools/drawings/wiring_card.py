"""The wiring as a card to print and place beside the Pi: A5, black and white, displays in full size."""

from tools.drawings.case import DISPLAYS, Display
from tools.drawings.header import GROUND, HEADER, ONE_LEG, OTHER_LEG, V3_3, WIRES, Wire
from tools.drawings.svg import Drawing

SHEET_MM = (210.0, 148.0)  # A5, landscape
PITCH = 2 * 2.54  # mm: the header is drawn twice its size
TOP, COLUMNS = 30.0, (70.0, 70.0 + PITCH)  # mm: the first row, and the two columns of pins
SMALL, NORMAL, LARGE = 3.0, 3.3, 6.5  # mm: sizes of letters
BLACK, GREY, WHITE = "#000000", "#8a8a8a", "#ffffff"
PIN = 1.9  # mm: radius
SHOWN_X = 136.0  # mm: left edge of the displays
SCREENS = {"0.96": "ssd1306", "1.3": "sh1106"}  # what such modules mostly are: docs/wiring.md
WIRE_COLOURS = {"VCC": "red", "SDA": "blue", "SCL": "yellow", "+": "orange"}  # as in wiring.svg, in words
BUTTON_COLOURS = {"bank": "green", "hold": "violet", "menu": "turquoise", "power": "pink"}
OPTIONAL = {"menu", "buzzer", "power"}
NAMES = {GROUND: "ground", V3_3: "3.3 V"}
CHECK_MM = 50.0  # the line by which a print is checked


def colour_of(wire: Wire) -> str:
    """Return the colour word of this wire."""
    if wire.name == GROUND:
        return "black"
    return WIRE_COLOURS.get(wire.end) or BUTTON_COLOURS[wire.part]


def words_of(wire: Wire) -> str:
    """Return the card's label for this wire's pin."""
    part = wire.part if wire.part in {"display", "buzzer"} else wire.part.upper()
    end = "" if wire.end in {ONE_LEG, OTHER_LEG} else f" {wire.end}"
    star = " *" if wire.part in OPTIONAL else ""
    return f"{part}{end}: {NAMES.get(wire.name, wire.name)}, {colour_of(wire)}{star}"


def card_drawing() -> Drawing:
    """Return the card. It uses words and shapes in place of the colours in the coloured drawing."""
    said = "; ".join(f"pin {wire.pin}: {words_of(wire)}" for wire in WIRES)
    drawing = Drawing(*SHEET_MM, "Wiring card", said, unit="mm", ground=WHITE)
    drawing.text(10, 13, "Wiring card", LARGE, font_weight=650, fill=BLACK)
    drawing.text(
        10,
        18.5,
        "Raspberry Pi 4, 5 or Zero 2 W, from above: even pins at the board's edge. Unplug it first.",
        SMALL,
        fill=BLACK,
    )
    _header(drawing)
    for display, top in zip(DISPLAYS, (28.0, 68.0), strict=True):
        _display(drawing, display, top)
    _button(drawing, SHOWN_X, 116.0)
    drawing.line((10, 141), (10 + CHECK_MM, 141), stroke=BLACK, stroke_width=0.4)
    for x in (10, 10 + CHECK_MM):
        drawing.line((x, 139.5), (x, 142.5), stroke=BLACK, stroke_width=0.4)
    drawing.text(10, 138.3, f"{CHECK_MM:g} mm when printed at 100 %", SMALL, fill=BLACK)
    drawing.text(72, 142, "* optional", SMALL, fill=BLACK)
    return drawing


def _header(drawing: Drawing) -> None:
    bottom = TOP + (len(HEADER) // 2 - 1) * PITCH
    style = {"fill": "none", "stroke": BLACK, "stroke_width": 0.4}
    drawing.rect(COLUMNS[0] - 3.2, TOP - 3.2, PITCH + 6.4, bottom - TOP + 6.4, rx=0.8, **style)
    middle = (COLUMNS[0] + COLUMNS[1]) / 2
    drawing.text(middle, TOP - 4.6, "microSD end", SMALL, text_anchor="middle", fill=BLACK)
    drawing.text(middle, bottom + 6.6, "USB end", SMALL, text_anchor="middle", fill=BLACK)
    wires = {wire.pin: wire for wire in WIRES}
    for pin in range(1, len(HEADER) + 1):
        odd = pin % 2 == 1
        x, y = COLUMNS[not odd], TOP + (pin - 1) // 2 * PITCH
        wire = wires.get(pin)
        drawing.circle(x, y, PIN, fill=BLACK if wire else WHITE, stroke=BLACK if wire else GREY, stroke_width=0.25)
        fill = WHITE if wire else GREY
        drawing.text(x, y + 0.75, str(pin), 2.1, text_anchor="middle", fill=fill, font_weight=650 if wire else 400)
        if wire:
            edge, away = (COLUMNS[0] - 3.2, -1) if odd else (COLUMNS[1] + 3.2, 1)
            drawing.line((edge, y), (edge + away * 3, y), stroke=BLACK, stroke_width=0.3)
            anchor = "end" if odd else "start"
            drawing.text(edge + away * 4, y + 1.1, words_of(wire), NORMAL, text_anchor=anchor, fill=BLACK)


def _display(drawing: Drawing, display: Display, top: float) -> None:
    """Draw a module in full size, its pins at the top, and what the configuration calls it."""
    (width, height), (lit, high) = display.board, display.active
    drawing.rect(SHOWN_X, top, width, height, rx=1, fill=WHITE, stroke=BLACK, stroke_width=0.4)
    left, middle = SHOWN_X + (width - lit) / 2, top + height / 2 - display.above
    drawing.rect(left, middle - high / 2, lit, high, fill=BLACK)
    for number in range(4):
        drawing.circle(SHOWN_X + width / 2 + (number - 1.5) * 2.54, top + 1.7, 0.7, fill=BLACK)
    x = SHOWN_X + width + 3
    lines = (
        f"{display.name} inch",
        f'screen = "{SCREENS[display.name]}"',
        "Full size. Go by the",
        "names at the pins.",
    )
    for number, words in enumerate(lines):
        drawing.text(x, top + 6 + number * 4.6, words, SMALL, fill=BLACK, font_weight=400 if number else 650)


def _button(drawing: Drawing, left: float, top: float) -> None:
    """Draw a tactile switch in full size; two legs that lie diagonally are marked."""
    drawing.rect(left, top, 12, 12, rx=1, fill=WHITE, stroke=BLACK, stroke_width=0.4)
    drawing.circle(left + 6, top + 6, 3.4, fill=WHITE, stroke=BLACK, stroke_width=0.4)
    for x, y, used in ((-1.2, 3.5, True), (13.2, 3.5, False), (-1.2, 8.5, False), (13.2, 8.5, True)):
        drawing.circle(left + x, top + y, 1.1, fill=BLACK if used else WHITE, stroke=BLACK, stroke_width=0.3)
    for number, words in enumerate(("A button with four legs:", "use two that lie diagonally.", "Either way round.")):
        drawing.text(left + 18, top + 3.5 + number * 4.6, words, SMALL, fill=BLACK)
