"""The drawings for makers: as committed, true to the header, and parts that fit together."""

import re
import xml.etree.ElementTree as ET
from math import atan, degrees
from pathlib import Path

import numpy as np
import pytest
from gpiozero.pins.pi import PiBoardInfo
from PIL import Image, ImageDraw

from tabletop.core.ports import FREE_PINS, PINS
from tools.drawings.__main__ import FOLDER, drawings
from tools.drawings.cameras import CAMERAS, Camera, height_table
from tools.drawings.header import HEADER, WIRES
from tools.drawings.stand import Piece, Stand
from tools.drawings.stand_sheet import laid_out, sheet_extent

ROOT = Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"
REVISIONS = {"4B": 0xC03115, "5B": 0xD04170, "Zero2W": 0x902120}  # of boards, as /proc/cpuinfo gives them
STAND = Stand()


@pytest.mark.parametrize(("model", "revision"), REVISIONS.items())
def test_the_header_is_the_boards(model: str, revision: int) -> None:
    """Each pin is what gpiozero's own data say of a Pi 4, a Pi 5 and a Zero 2 W; odd pins are one row."""
    board = PiBoardInfo.from_revision(revision)
    assert board.model == model
    pins = board.headers["J8"].pins
    assert {number: pin.name for number, pin in pins.items()} == dict(enumerate(HEADER, start=1))
    assert {number % 2 for number, pin in pins.items() if pin.col == 1} == {1}


def test_the_wires_are_possible() -> None:
    """No pin has two wires; the display is on the I2C pins; buttons and buzzer are on free GPIOs, one leg to ground."""
    board = PiBoardInfo.from_revision(REVISIONS["4B"])
    assert len({wire.pin for wire in WIRES}) == len(WIRES)
    by_end = {wire.end: board.headers["J8"].pins[wire.pin] for wire in WIRES if wire.part == "display"}
    assert (by_end["VCC"].name, by_end["GND"].name) == ("3V3", "GND")
    assert "i2c" in by_end["SDA"].interfaces & by_end["SCL"].interfaces
    assert (by_end["SDA"].name, by_end["SCL"].name) == ("GPIO2", "GPIO3")  # SDA1 and SCL1 in the BCM2711's data sheet
    numbers = dict[str, int]()
    for part in ("bank", "hold", "menu", "buzzer", "power"):
        ground, gpio = sorted(wire.name for wire in WIRES if wire.part == part)
        assert ground == "GND"
        numbers[part] = int(gpio.removeprefix("GPIO"))
    assert PINS.items() <= numbers.items()
    assert set(numbers.values()) <= set(FREE_PINS)
    assert "pwm" in board.headers["J8"].pins[32].interfaces  # for the buzzer's tones


def test_the_docs_have_the_same_wires() -> None:
    """The table in docs/wiring.md has each wire of the table of pins, and no other."""
    text = (ROOT / "docs" / "wiring.md").read_text()
    rows = re.findall(r"^\| ([\w ]+?) \| ([\w+ -]+) \| (\d+) \| (GPIO\d+|ground|3\.3 V)", text, flags=re.MULTILINE)
    names = {"ground": "GND", "3.3 V": "3V3"}
    found = [(part.split()[0].lower(), end, int(pin), names.get(name, name)) for part, end, pin, name in rows]
    assert found == [(wire.part, wire.end, wire.pin, wire.name) for wire in WIRES]


def test_the_committed_drawings_are_what_the_code_draws() -> None:
    """`python -m tools.drawings` would change nothing, and no drawing is left over."""
    assert {path.name: path.read_text() for path in FOLDER.iterdir()} == drawings()


@pytest.mark.parametrize("name", drawings())
def test_a_drawing_is_whole(name: str) -> None:
    """It is XML, has a title, and no word and no circle lies outside of it."""
    root = ET.fromstring(drawings()[name])  # noqa: S314 - our own text
    width, height = (float(word) for word in root.attrib["viewBox"].split()[2:])
    assert root.find(f"{SVG}title") is not None
    for node in root.iter():
        x, y = node.get("x") or node.get("cx"), node.get("y") or node.get("cy")
        if x is not None and y is not None:
            assert 0 <= float(x) <= width
            assert 0 <= float(y) <= height


def test_the_card_names_every_wire_beside_its_pin() -> None:
    """On the side of its row, at its pin's height; a wire to ground says so."""
    texts = list(ET.fromstring(drawings()["wiring-card.svg"]).iter(f"{SVG}text"))  # noqa: S314 - our own text
    for wire in WIRES:
        (pin,) = (text for text in texts if text.text == str(wire.pin))
        x, y, side = float(pin.attrib["x"]), float(pin.attrib["y"]), "end" if wire.pin % 2 else "start"
        beside = [text for text in texts if abs(float(text.attrib["y"]) - y) < 1 and text.get("text-anchor") == side]
        (words,) = (text.text or "" for text in beside)
        assert (float(beside[0].attrib["x"]) < x) is (side == "end")
        assert words.lower().startswith(wire.part)
        assert {"GND": "ground", "3V3": "3.3 V"}.get(wire.name, wire.name) in words
        assert wire.part != "display" or f" {wire.end}:" in words


def test_the_card_is_black_and_white_and_to_scale() -> None:
    """An A5 page in millimetres without a colour; the line to check a print by is as long as it says."""
    root = ET.fromstring(drawings()["wiring-card.svg"])  # noqa: S314 - our own text
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("210mm", "148mm", "0 0 210 148")
    colours = {node.get(key, "none") for node in root.iter() for key in ("fill", "stroke")} - {"none"}
    assert colours
    assert all(colour[1:3] == colour[3:5] == colour[5:7] for colour in colours)
    (said,) = (
        float(words[0]) for text in root.iter(f"{SVG}text") if (words := re.findall(r"^(\d+) mm", text.text or ""))
    )
    lengths = [float(line.attrib["x2"]) - float(line.attrib["x1"]) for line in root.iter(f"{SVG}line")]
    assert said in lengths


def raster(piece: Piece, corner: tuple[float, float], size: tuple[int, int], *, turned: bool) -> np.ndarray:
    image = Image.new("1", size)
    width, height = piece.extent
    points = [(width - x, height - y) if turned else (x, y) for x, y in piece.outline]
    ImageDraw.Draw(image).polygon([(x + corner[0], y + corner[1]) for x, y in points], fill=1)
    return np.asarray(image)


def test_parts_lie_apart_on_the_board() -> None:
    """All of them are there as often as they are needed, none overlaps another, and the board is a usual one."""
    width, height = sheet_extent(STAND)
    assert width <= 600
    assert height <= 400
    size = (round(width), round(height))
    covered = sum(raster(piece, corner, size, turned=turned).astype(int) for piece, corner, turned in laid_out(STAND))
    assert np.max(covered) == 1
    names = [piece.name for piece, _, _ in laid_out(STAND)]
    assert {piece.name: piece.count for piece in STAND.pieces()} == {name: names.count(name) for name in names}


def teeth(piece: Piece, axis: int, edge: float) -> list[tuple[float, float]]:
    """Return where an outline touches a line: pairs of first and last along the other axis."""
    ends = sorted(point[1 - axis] for point in piece.outline if point[axis] == edge)
    return list(zip(ends[::2], ends[1::2], strict=True))


def test_tabs_fit_their_slots() -> None:
    """Foot, brace and camera plate: as many slots as tabs, as far apart, longer and wider by the fit alone."""
    side, foot, brace, module, webcam = STAND.pieces()
    down = teeth(side, 1, STAND.side_height + STAND.board)
    column = sorted({(slot.top, slot.top + slot.height) for slot in foot.slots})
    assert len(down) == 2
    assert len(foot.slots) == 4
    for (first, last), (top, bottom) in zip(down, column, strict=True):
        assert top - first == pytest.approx(STAND.back)
        assert bottom - top == pytest.approx(last - first + 0.1)
    across = sorted({slot.left for slot in foot.slots})
    assert across[1] - across[0] == pytest.approx(STAND.apart + STAND.board)
    for plate in (module, webcam):
        lefts = sorted(slot.left for slot in plate.slots if slot.width == pytest.approx(STAND.board + 0.1))
        assert lefts[1] - lefts[0] == pytest.approx(STAND.apart + STAND.board)
    tabs = [last - first for first, last in teeth(brace, 0, 0.0)]
    assert tabs == pytest.approx([slot.height - 0.1 for slot in side.slots])
    tops = [first for first, _ in teeth(brace, 0, 0.0)]
    assert np.diff(tops) == pytest.approx(np.diff([slot.top for slot in side.slots]))


def test_the_lens_hangs_where_the_drawing_says() -> None:
    """From the foot up: board, lens; the module's holes are 21 and 12.5 mm apart, the lens between two of them."""
    side, _, _, module, _ = STAND.pieces()
    plate_top = max(y for x, y in side.outline if x > STAND.upright and y < STAND.side_height / 2)
    assert STAND.side_height - plate_top == pytest.approx(STAND.lens)  # the tab ends where the plate's underside is
    xs, ys = sorted({hole.x for hole in module.holes}), sorted({hole.y for hole in module.holes})
    assert np.diff(xs) == pytest.approx([21.0])
    assert np.diff(ys) == pytest.approx([12.5])
    assert (np.mean(xs), ys[0]) == pytest.approx((module.extent[0] / 2, module.extent[1] / 2))
    for piece in STAND.pieces():
        for slot in piece.slots:
            for hole in piece.holes:
                assert not (
                    slot.left - 1.1 < hole.x < slot.left + slot.width + 1.1
                    and slot.top - 1.1 < hole.y < slot.top + slot.height + 1.1
                )


@pytest.mark.parametrize(
    ("name", "sensor_mm", "focal_mm"),
    [
        ("Camera Module 2", (3.68, 2.76), 3.04),
        ("Camera Module 3", (6.45, 3.63), 4.74),
        ("Camera Module 3 Wide", (6.45, 3.63), 2.75),
    ],
)
def test_a_field_of_view_goes_with_its_sensor(name: str, sensor_mm: tuple[float, float], focal_mm: float) -> None:
    """Within 3 degrees it is what the published sensor and focal length give; the lenses are no ideal ones."""
    (camera,) = (camera for camera in CAMERAS if camera.name == name)
    ideal = [2 * degrees(atan(side / 2 / focal_mm)) for side in sensor_mm]
    assert [camera.horizontal_deg, camera.vertical_deg] == pytest.approx(ideal, abs=3.0)


def test_what_a_camera_sees_from_a_height() -> None:
    """At 90 degrees the width is twice the distance to the tops of the dice; the lowest height just shows the tray."""
    square = Camera("square", 90.0, 90.0)
    assert square.seen_mm(116.0) == pytest.approx((200.0, 200.0))
    assert square.die_px(116.0, 1000) == pytest.approx(80.0)
    assert square.lowest_mm((300.0, 200.0), 20.0) == pytest.approx(170.0 + 16.0)
    for camera in CAMERAS:
        width, depth = camera.seen_mm(camera.lowest_mm())
        assert min(width / 340, depth / 240) == pytest.approx(1.0)


def test_the_stand_suits_the_cameras_of_the_table() -> None:
    """From its height every camera module sees the whole tray, and dice of 30 px or more in a picture 1536 px wide."""
    for camera in CAMERAS[:3]:
        assert camera.lowest_mm() < STAND.lens
        assert camera.die_px(STAND.lens, 1536) > 30


def test_the_docs_have_the_heights() -> None:
    """The table of cameras in docs/building.md is computed."""
    text = (ROOT / "docs" / "building.md").read_text()
    assert "\n".join(height_table(STAND.lens)) in text
