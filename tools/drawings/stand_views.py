"""The assembled stand with its dimensions: from the side, from the front, and the camera plate. A4, scale 1 to 3."""

from tools.drawings.cameras import CAMERAS, TRAY_MM, Camera
from tools.drawings.stand import Piece, Stand
from tools.drawings.svg import FAINT, INK, RULE, Drawing

SHEET_MM = (297.0, 210.0)  # A4, landscape
SCALE = 3.0
GROUND_Y = 174.0  # mm on the sheet: where the foot stands
SIDE_X, FRONT_X, PLATE = 34.0, 192.0, (259.0, 47.0)  # mm on the sheet: of the three views
WALL_MM = (8.0, 25.0)  # thickness and height of the tray's wall
WOOD, WOOD_LINE, END_GRAIN = "#ecd9b5", "#9a7b44", "#d9bf90"
FELT, LIGHT, LENS = "#3f6f55", "#f6d77a", "#2b2e33"
PIPS = ((-1, -1), (0, 0), (1, 1))
SMALL, NORMAL, LARGE = 3.4, 4.0, 7.0  # mm: sizes of letters


def stand_drawing(stand: Stand, camera: Camera = CAMERAS[0]) -> Drawing:
    """Return the drawing. camera: its field of view is shown from the side."""
    title = "Camera stand, with its measures in millimetres"
    said = (
        f"Lens {stand.lens:g} mm above the foot, {stand.reach:g} in front of the upright; board of {stand.board:g} mm"
    )
    drawing = Drawing(*SHEET_MM, title, said, unit="mm")
    drawing.text(14, 16, "Camera stand", LARGE, font_weight=650)
    drawing.text(
        14, 22.5, f"Plywood of {stand.board:g} mm; all measures in mm; drawn 1 to {SCALE:g}", SMALL, fill=FAINT
    )
    _from_the_side(drawing, stand, camera)
    _from_the_front(drawing, stand)
    _plate(drawing, stand.module_plate())
    _list(drawing, stand)
    return drawing


def _s(mm: float) -> float:
    return mm / SCALE


def _box(drawing: Drawing, left: float, top: float, width: float, height: float, fill: str = WOOD) -> None:
    drawing.rect(left, top, _s(width), _s(height), fill=fill, stroke=WOOD_LINE, stroke_width=0.3)


def _from_the_side(drawing: Drawing, stand: Stand, camera: Camera) -> None:
    back = SIDE_X + _s(stand.back)
    foot_top = GROUND_Y - _s(stand.board)
    top = foot_top - _s(stand.side_height)
    lens = (back + _s(stand.lens_x), foot_top - _s(stand.lens))
    half = _s(camera.seen_mm(stand.lens, above_mm=0.0)[1]) / 2
    drawing.path(
        [lens, (lens[0] - half, foot_top), (lens[0] + half, foot_top)], closed=True, fill=LIGHT, fill_opacity=0.28
    )
    drawing.line((SIDE_X - 8, GROUND_Y), (SIDE_X + 112, GROUND_Y), stroke=RULE, stroke_width=0.6)
    _box(drawing, SIDE_X, foot_top, stand.foot[1], stand.board, END_GRAIN)
    _tray(drawing, lens[0], foot_top)
    outline = [(back + _s(x), top + _s(y)) for x, y in stand.side().outline]
    drawing.path(outline, closed=True, fill=WOOD, stroke=WOOD_LINE, stroke_width=0.3)
    for slot in stand.side().slots:
        _box(drawing, back + _s(slot.left), top + _s(slot.top), slot.width, slot.height, END_GRAIN)
    plate_left, depth = lens[0] - _s(stand.plate[1]) / 2, stand.plate[1]
    _box(drawing, plate_left, lens[1] - _s(stand.board), depth, stand.board, END_GRAIN)
    drawing.rect(lens[0] - 1.7, lens[1] - _s(stand.board) - 2.2, 3.4, 4.6, rx=0.6, fill=LENS)
    drawing.line(lens, (lens[0], foot_top), stroke=FAINT, stroke_width=0.25, stroke_dasharray="3 1 0.6 1")
    drawing.text(SIDE_X + 50, GROUND_Y + 19, "from the side", NORMAL, text_anchor="middle", font_weight=600)
    drawing.text(
        SIDE_X + 50, GROUND_Y + 23.6, f"light: what {camera.name} sees", SMALL - 0.4, text_anchor="middle", fill=FAINT
    )
    d = drawing.dimension
    d((back, top), (back, foot_top), f"{stand.side_height:g}", SMALL, -12)
    d((lens[0], lens[1]), (lens[0], foot_top), f"{stand.lens:g}", SMALL, 57)
    d((back, top), (back + _s(stand.arm_length), top), f"{stand.arm_length:g}", SMALL, -7)
    front = back + _s(stand.upright)
    d((front, foot_top - 52), (lens[0], foot_top - 52), f"{stand.reach:g}", SMALL, -0.01)
    d((back, GROUND_Y), (front, GROUND_Y), f"{stand.upright:g}", SMALL, 4)
    d((SIDE_X, GROUND_Y), (SIDE_X + _s(stand.foot[1]), GROUND_Y), f"{stand.foot[1]:g}", SMALL, 10)
    arm_end = back + _s(stand.arm_length)
    d((arm_end, top), (arm_end, top + _s(stand.arm)), f"{stand.arm:g}", SMALL, 6)


def _tray(drawing: Drawing, middle: float, floor: float) -> None:
    depth, (wall, high) = TRAY_MM[1], WALL_MM
    left = middle - _s(depth) / 2
    for x in (left - _s(wall), left + _s(depth)):
        drawing.rect(x, floor - _s(high), _s(wall), _s(high), fill="#7a5c3a")
    drawing.rect(left, floor - 1.2, _s(depth), 1.2, fill=FELT)
    for x in (-24.0, 6.0, 34.0):
        edge = _s(16)
        drawing.rect(
            middle + _s(x), floor - 1.2 - edge, edge, edge, rx=0.9, fill="#fbfbf8", stroke="#8b8f96", stroke_width=0.25
        )
        for dx, dy in PIPS:
            drawing.circle(middle + _s(x) + edge / 2 + dx * 1.4, floor - 1.2 - edge / 2 + dy * 1.4, 0.55, fill=INK)


def _from_the_front(drawing: Drawing, stand: Stand) -> None:
    foot_top = GROUND_Y - _s(stand.board)
    top, width = foot_top - _s(stand.side_height), _s(stand.foot[0])
    middle = FRONT_X
    drawing.line((middle - width / 2 - 6, GROUND_Y), (middle + width / 2 + 6, GROUND_Y), stroke=RULE, stroke_width=0.6)
    _box(drawing, middle - width / 2, foot_top, stand.foot[0], stand.board, END_GRAIN)
    brace_top = top + _s(stand.brace_top)
    _box(drawing, middle - _s(stand.apart) / 2, brace_top, stand.apart, stand.brace[1])
    outer = stand.apart / 2 + stand.board
    for x in (-outer, stand.apart / 2):
        _box(drawing, middle + _s(x), top, stand.board, stand.side_height, END_GRAIN)
    plate_top = foot_top - _s(stand.lens + stand.board)
    _box(drawing, middle - _s(stand.plate[0]) / 2, plate_top, stand.plate[0], stand.board)
    drawing.rect(middle - 2.6, plate_top - 2.2, 5.2, 2.2, rx=0.4, fill=LENS)
    drawing.text(middle, GROUND_Y + 19, "from the front", NORMAL, text_anchor="middle", font_weight=600)
    d = drawing.dimension
    inner = _s(stand.apart) / 2
    d((middle - inner, top), (middle + inner, top), f"{stand.apart:g}", SMALL, -7)
    d((middle - width / 2, GROUND_Y), (middle + width / 2, GROUND_Y), f"{stand.foot[0]:g}", SMALL, 4)
    d((middle + inner, brace_top), (middle + inner, brace_top + _s(stand.brace[1])), f"{stand.brace[1]:g}", SMALL, 9)


def _plate(drawing: Drawing, plate: Piece) -> None:
    """Draw the plate for a camera module, larger than the other views: 1 to 1.5."""
    left, top = PLATE
    scale = 1.5
    width, height = (side / scale for side in plate.extent)
    left -= width / 2
    drawing.rect(left, top, width, height, fill=WOOD, stroke=WOOD_LINE, stroke_width=0.3)
    for slot in plate.slots:
        box = (left + slot.left / scale, top + slot.top / scale, slot.width / scale, slot.height / scale)
        drawing.rect(*box, fill="#fdfcf9", stroke=WOOD_LINE, stroke_width=0.3)
    for hole in plate.holes:
        x, y = left + hole.x / scale, top + hole.y / scale
        drawing.circle(x, y, hole.diameter / 2 / scale, fill="#fdfcf9", stroke=WOOD_LINE, stroke_width=0.3)
    x, y = left + width / 2, top + height / 2
    drawing.circle(x, y, 2.6, fill="none", stroke=FAINT, stroke_width=0.25, stroke_dasharray="0.8 0.6")
    drawing.line((x - 4, y), (x + 4, y), stroke=FAINT, stroke_width=0.2)
    drawing.line((x, y - 4), (x, y + 4), stroke=FAINT, stroke_width=0.2)
    holes = sorted({(left + hole.x / scale, top + hole.y / scale) for hole in plate.holes})
    first, below, last = holes[0], holes[1], holes[-1]
    d = drawing.dimension
    d(below, (last[0], below[1]), f"{plate.holes[2].x - plate.holes[0].x:g}", SMALL, 17)
    d((last[0], first[1]), (last[0], below[1]), f"{plate.holes[1].y - plate.holes[0].y:g}", SMALL, 7)
    d((left, top), (left + width, top), f"{plate.extent[0]:g}", SMALL, -5)
    d((left, top), (left, top + height), f"{plate.extent[1]:g}", SMALL, -5)
    drawing.text(x, top + height + 16, "camera plate, from above", NORMAL, text_anchor="middle", font_weight=600)
    note = f"holes {plate.holes[0].diameter:g}; the lens in the cross"
    drawing.text(x, top + height + 20.6, note, SMALL - 0.4, text_anchor="middle", fill=FAINT)


def _list(drawing: Drawing, stand: Stand) -> None:
    """List what is cut, and what else is needed."""
    lines = [f"{piece.count}  {piece.name}" for piece in stand.pieces()[:4]]
    lines += ["4  screws M2 x 10, with nuts", "    wood glue", "", "The tray stands on the foot", "and holds it down."]
    for number, line in enumerate(lines):
        drawing.text(234, 124 + number * 5.4, line, SMALL + 0.2, style="white-space: pre")
