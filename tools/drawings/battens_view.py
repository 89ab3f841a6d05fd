"""The batten stand from the side, with the lengths to saw. Scale 1 to 3."""

from typing import Any

from tools.drawings.battens import Battens
from tools.drawings.cameras import TRAY_MM
from tools.drawings.stand import Slot
from tools.drawings.stand_views import SCALE, WALL_MM, WOOD, WOOD_LINE
from tools.drawings.svg import FAINT, INK, RULE, Drawing

SHEET_MM = (180.0, 178.0)
BACK_X, GROUND_Y = 46.0, 158.0  # mm on the sheet: the back of the upright, and the top of the foot board
PRINTED, PRINTED_LINE = "#cfe0d7", "#4f7a66"
SMALL, NORMAL, LARGE = 3.2, 3.8, 7.0  # mm: sizes of letters


def battens_drawing(battens: Battens) -> Drawing:
    """Return the drawing; printed parts are green."""
    title = "Stand out of two battens and printed joints, with its measures in millimetres"
    said = f"Battens of {battens.side:g} x {battens.side:g} mm: {battens.upright:g} and {battens.arm:g} long"
    drawing = Drawing(*SHEET_MM, title, said, unit="mm")
    drawing.text(12, 14, "Stand out of battens", LARGE, font_weight=650)
    note = f"square battens of {battens.side:g} mm; printed parts are green; all measures in mm; drawn 1 to {SCALE:g}"
    drawing.text(12, 20, note, SMALL, fill=FAINT)
    side, stand, top = battens.side, battens.stand, battens.upright + battens.side
    lens_x = side + stand.reach
    board = stand.foot[1]
    _box(drawing, battens, Slot(side / 2 - battens.flange[1] / 2, 0.0, board, -18.0), printed=False)
    middle, thickness = side / 2, battens.flange[2]
    _box(drawing, battens, Slot(middle - battens.flange[1] / 2, 0.0, battens.flange[1], thickness))
    _tray(drawing, battens, lens_x)
    _box(drawing, battens, Slot(0.0, 0.0, side, battens.upright), printed=False)
    _box(drawing, battens, Slot(0.0, battens.upright, battens.arm, side), printed=False)
    _box(drawing, battens, Slot(middle - battens.outside / 2, 0.0, battens.outside, battens.socket))
    _corner(drawing, battens, top)
    back = lens_x - battens.behind - battens.head
    reach = battens.platform / 2 + battens.behind + battens.head
    _box(drawing, battens, Slot(back, stand.lens, reach, battens.wall))
    _box(drawing, battens, Slot(back, stand.lens, battens.head + battens.wall, battens.wall + battens.rim))
    _box(drawing, battens, Slot(lens_x - 4.0, stand.lens - 2.0, 8.0, 9.0), fill=INK)
    _measures(drawing, battens, lens_x, top)
    return drawing


def _x(mm: float) -> float:
    return BACK_X + mm / SCALE


def _y(mm: float) -> float:
    return GROUND_Y - mm / SCALE


def _box(drawing: Drawing, battens: Battens, slot: Slot, fill: str = "", *, printed: bool = True) -> None:
    """Draw a box; its top is the height of its lower edge above the foot board."""
    low, high = sorted((slot.top, slot.top + slot.height))
    colours = (PRINTED, PRINTED_LINE) if printed else (WOOD, WOOD_LINE)
    style = {"fill": fill or colours[0], "stroke": colours[1], "stroke_width": battens.wall / 16}
    drawing.rect(_x(slot.left), _y(high), slot.width / SCALE, (high - low) / SCALE, **style)


def _tray(drawing: Drawing, battens: Battens, lens_x: float) -> None:
    wall, high = WALL_MM
    left = lens_x - TRAY_MM[1] / 2
    for at in (left - wall, left + TRAY_MM[1]):
        _box(drawing, battens, Slot(at, 0.0, wall, high), fill="#7a5c3a", printed=False)


def _corner(drawing: Drawing, battens: Battens, top: float) -> None:
    wall, end, inner = battens.wall, battens.side + battens.leg, battens.bore + battens.wall
    corners = [(-wall, -wall), (end, -wall), (end, inner), (inner, inner), (inner, end), (-wall, end)]
    style: dict[str, Any] = {"fill": PRINTED, "stroke": PRINTED_LINE, "stroke_width": 0.25, "fill_opacity": 0.85}
    drawing.path([(_x(x), _y(top - y)) for x, y in corners], closed=True, **style)


def _measures(drawing: Drawing, battens: Battens, lens_x: float, top: float) -> None:
    d, side = drawing.dimension, battens.side
    drawing.line((_x(lens_x), _y(battens.stand.lens)), (_x(lens_x), _y(0)), stroke=RULE, stroke_width=0.3)
    d((_x(0), _y(battens.upright)), (_x(0), _y(0)), f"upright {battens.upright:g}", SMALL, -16)
    d((_x(0), _y(top)), (_x(battens.arm), _y(top)), f"arm {battens.arm:g}", SMALL, -7)
    d((_x(lens_x), _y(battens.stand.lens)), (_x(lens_x), _y(0)), f"lens {battens.stand.lens:g}", SMALL, 16)
    d((_x(side), _y(190)), (_x(lens_x), _y(190)), f"{battens.stand.reach:g}", SMALL, -0.01)
    left = side / 2 - battens.flange[1] / 2
    d((_x(left), _y(-18)), (_x(left + battens.stand.foot[1]), _y(-18)), f"{battens.stand.foot[1]:g}", SMALL, 5)
