"""The stand's parts side by side on one board, for a laser cutter or a fretsaw: millimetres, full size."""

from typing import Any

from tools.drawings.stand import Piece, Stand
from tools.drawings.svg import Drawing, Point

EDGE = 5.0  # mm: from the board's edge to the first part
GAP = 10.0  # mm: between parts
CUT = "#d01c1c"  # red lines are cut
WRITTEN = "#1c4fd0"  # blue words are engraved, or left out
HAIRLINE = 0.2  # mm

Laid = tuple[Piece, Point, bool]  # a part, where its corner lies, and whether it is turned by half a turn


def laid_out(stand: Stand) -> tuple[Laid, ...]:
    """Return each part and its place: the second side rotated into the first, the brace between them."""
    side, foot, brace, module, webcam = stand.pieces()
    second_x = EDGE + stand.upright + GAP
    right = second_x + side.extent[0] + GAP
    below = EDGE + foot.extent[1] + GAP
    between = (EDGE + right - GAP - brace.extent[0]) / 2, (2 * EDGE + side.extent[1] - brace.extent[1]) / 2
    return (
        (side, (EDGE, EDGE), False),
        (side, (second_x, EDGE), True),
        (foot, (right, EDGE), False),
        (brace, between, False),
        (module, (right, below), False),
        (webcam, (right + module.extent[0] + GAP, below), False),
    )


def sheet_extent(stand: Stand) -> tuple[float, float]:
    """Return the width and height of the board needed for the parts, in mm."""
    corners = [(x + piece.extent[0], y + piece.extent[1]) for piece, (x, y), _ in laid_out(stand)]
    return max(x for x, _ in corners) + EDGE, max(y for _, y in corners) + EDGE


def sheet_drawing(stand: Stand) -> Drawing:
    """Return the sheet; it contains only lines to cut and names to engrave."""
    width, height = sheet_extent(stand)
    said = f"Board of {stand.board:g} mm, {width:.0f} x {height:.0f} mm. Red: cut. Blue: engrave."
    drawing = Drawing(width, height, "Parts of the camera stand, full size", said, unit="mm", ground="")
    for piece, corner, turned in laid_out(stand):
        _draw(drawing, piece, corner, turned=turned)
    return drawing


def _draw(drawing: Drawing, piece: Piece, corner: Point, *, turned: bool) -> None:
    width, height = piece.extent

    def at(x: float, y: float) -> Point:
        return (corner[0] + width - x, corner[1] + height - y) if turned else (corner[0] + x, corner[1] + y)

    line: dict[str, Any] = {"fill": "none", "stroke": CUT, "stroke_width": HAIRLINE}
    drawing.path([at(x, y) for x, y in piece.outline], closed=True, **line)
    for slot in piece.slots:
        x, y = at(slot.left, slot.top)
        left, top = (x - slot.width, y - slot.height) if turned else (x, y)
        drawing.rect(left, top, slot.width, slot.height, **line)
    for hole in piece.holes:
        drawing.circle(*at(hole.x, hole.y), hole.diameter / 2, **line)
    x, y = at(*_name_place(piece))
    drawing.text(x, y, piece.name, 5, fill=WRITTEN, text_anchor="middle")


def _name_place(piece: Piece) -> Point:
    """Return where a part's name stands, in its own millimetres, clear of its slots."""
    width, height = piece.extent
    return (width / 2, height - 5.0) if piece.name.startswith("plate") else (width / 2, 22.0)
