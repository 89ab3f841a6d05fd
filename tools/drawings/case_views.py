"""The case for display and buttons with its dimensions: front, side and lid, in full size."""

from tools.drawings.case import Case
from tools.drawings.stand import Hole, Slot
from tools.drawings.svg import FAINT, INK, Drawing, Point

SHEET_MM = (297.0, 132.0)
FRONT, SIDE, LID = (26.0, 42.0), (134.0, 42.0), (200.0, 42.0)  # mm: corners of the three views
SMALL, NORMAL, LARGE = 3.2, 3.8, 7.0  # mm: sizes of letters
PLASTIC, LINE = "#e4ede8", "#4f7a66"


def case_drawing(case: Case) -> Drawing:
    """Return the drawing of a case, with the same dimensions as the printable parts."""
    said = f"{case.width:g} x {case.height:g} x {case.depth:g} mm, for a display of {case.display.name} inch"
    drawing = Drawing(*SHEET_MM, "Case for display and buttons, with its measures in millimetres", said, unit="mm")
    drawing.text(14, 16, "Case for display and buttons", LARGE, font_weight=650)
    note = f"display of {case.display.name} inch; walls {case.wall:g}; all measures in mm; full size"
    drawing.text(14, 22.5, note, SMALL, fill=FAINT)
    _front(drawing, case)
    _side(drawing, case)
    _lid(drawing, case)
    return drawing


def _rect(drawing: Drawing, at: Point, slot: Slot, fill: str = "none", rx: float = 0.0, dash: str = "none") -> None:
    drawing.rect(
        at[0] + slot.left,
        at[1] + slot.top,
        slot.width,
        slot.height,
        rx=rx,
        fill=fill,
        stroke=LINE,
        stroke_width=0.3,
        stroke_dasharray=dash,
    )


def _circle(drawing: Drawing, at: Point, hole: Hole, diameter: float = 0.0, dash: str = "none") -> None:
    radius = (diameter or hole.diameter) / 2
    style = {"fill": "none" if diameter else "#fdfcf9", "stroke": LINE, "stroke_width": 0.3, "stroke_dasharray": dash}
    drawing.circle(at[0] + hole.x, at[1] + hole.y, radius, **style)


def _title(drawing: Drawing, x: float, words: str) -> None:
    drawing.text(x, SHEET_MM[1] - 7, words, NORMAL, text_anchor="middle", font_weight=600)


def _front(drawing: Drawing, case: Case) -> None:
    x, y = FRONT
    _rect(drawing, FRONT, Slot(0, 0, case.width, case.height), PLASTIC, case.corner)
    _rect(drawing, FRONT, case.pocket, dash="1.2 0.8")
    _rect(drawing, FRONT, case.window, "#fdfcf9")
    for hole, name in zip(case.buttons, ("HOLD", "BANK"), strict=True):
        _circle(drawing, FRONT, hole)
        _circle(drawing, FRONT, hole, case.bezel, "1.2 0.8")
        drawing.text(x + hole.x, y + hole.y + 1.1, name, SMALL, text_anchor="middle", fill=INK)
    for hole in case.clamp_screws:
        _circle(drawing, FRONT, hole, hole.diameter, "0.6 0.4")
    _title(drawing, x + case.width / 2, "front; dashed: board, collars")
    left, right = case.buttons
    window, d = case.window, drawing.dimension
    d((x, y), (x + case.width, y), f"{case.width:g}", SMALL, -7)
    d((x, y), (x, y + case.height), f"{case.height:g}", SMALL, -12)
    d((x, y), (x, y + left.y), f"{left.y:g}", SMALL, -5)
    bottom = y + case.height
    d((x + left.x, bottom), (x + right.x, bottom), f"{case.apart:g}; holes {case.button:g}", SMALL, 5)
    right_x = x + window.left + window.width
    d((right_x, y), (right_x, y + window.top), f"{window.top:.2f}", SMALL, x + case.width + 5 - right_x)
    d((right_x, y + window.top), (right_x, y + window.top + window.height), f"{window.height:.2f}", SMALL, 14)
    d(
        (right_x - window.width, y + window.top + window.height),
        (right_x, y + window.top + window.height),
        f"{window.width:.2f}",
        SMALL,
        3,
    )


def _side(drawing: Drawing, case: Case) -> None:
    """Draw it from its left: the front face to the left, the feet to the right."""
    x, y = SIDE
    _rect(drawing, SIDE, Slot(0, 0, case.depth, case.height), PLASTIC, 0.4)
    for ridge, height in zip(case.ridges, case.feet, strict=True):
        _rect(drawing, SIDE, Slot(case.depth, ridge.top, height, ridge.height), PLASTIC)
    inside = Slot(case.wall, case.wall, case.depth - case.wall - case.lid, case.height - 2 * case.wall)
    _rect(drawing, SIDE, inside, dash="1.2 0.8")
    cable = case.cable[1]
    _rect(drawing, SIDE, Slot(case.depth - case.lid - cable, 0, cable, case.wall), "#fdfcf9")
    _title(drawing, x + case.depth / 2, "side, with the cable outlet")
    d, top, bottom = drawing.dimension, y, y + case.height
    d((x, top), (x + case.depth, top), f"{case.depth:g}", SMALL, -7)
    ends = x + case.depth
    back, front = case.ridges
    d((ends, y + back.top), (ends + case.feet[0], y + back.top), f"{case.feet[0]:g}", SMALL, -4)
    d((ends, bottom), (ends + case.feet[1], bottom), f"{case.feet[1]:g}", SMALL, 4)
    d((x + case.wall, bottom), (ends - case.lid, bottom), f"{inside.width:g} inside", SMALL, 5)
    d((ends, y + back.top), (ends, y + front.top), f"{front.top - back.top:g}", SMALL, case.feet[0] + 4)


def _lid(drawing: Drawing, case: Case) -> None:
    x, y = LID
    _rect(drawing, LID, Slot(0, 0, case.width, case.height), "none", case.corner, "1.2 0.8")
    lid = case.lid_outline
    _rect(drawing, LID, lid, PLASTIC, case.corner - case.wall - case.play)
    for ridge in case.ridges:
        _rect(drawing, LID, ridge, "#d3e2da")
    for hole in case.lid_screws:
        _circle(drawing, LID, Hole(hole.x, hole.y, case.through))
    _title(drawing, x + case.width / 2, f"lid, {case.lid:g} thick; play {case.play:g} on each side")
    first, below, across = case.lid_screws[0], case.lid_screws[1], case.lid_screws[2]
    d, bottom = drawing.dimension, y + case.height
    d((x + lid.left, y), (x + lid.left + lid.width, y), f"{lid.width:g}", SMALL, -7)
    d((x, y + lid.top), (x, y + lid.top + lid.height), f"{lid.height:g}", SMALL, -5)
    d((x + first.x, bottom), (x + across.x, bottom), f"{across.x - first.x:g}; holes {case.through:g}", SMALL, 5)
    right = x + case.width
    d((right, y + first.y), (right, y + below.y), f"{below.y - first.y:g}", SMALL, 5)
