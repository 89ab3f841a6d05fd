"""A chart of the size of dice in the picture by camera height, with the size that the reader needs."""

from typing import Any

from tools.drawings.cameras import CAMERAS, TRAY_MM, Camera
from tools.drawings.svg import FAINT, INK, RULE, Drawing, Point

WIDTH, HEIGHT = 1000.0, 620.0
LEFT, RIGHT, TOP, BOTTOM = 86.0, 760.0, 104.0, 540.0  # px: of the chart's field
HEIGHTS_MM = (150.0, 600.0)
SIZES_PX = (0.0, 100.0)
PICTURE_PX = 1280  # width of the picture that the lines are for
ENOUGH_PX, TOO_SMALL_PX = 30.0, 18.0  # of a die: docs/accuracy.md
LABEL_PX = 30.0  # room that a number needs on the right of its point
GROUNDS = ("#eef5ec", "#faf1d9", "#f8dfdc")  # of sizes that are plenty, enough for plain dice, too small
COLOURS = ("#2f6fd0", "#8a55c2", "#14919b", "#df7321", "#b23a72")


def height_chart() -> Drawing:
    """Return the chart: a line for each camera, dashed while the tray is not fully visible."""
    said = "; ".join(f"{camera.name}: the tray fits from {camera.lowest_mm():.0f} mm on" for camera in CAMERAS)
    drawing = Drawing(WIDTH, HEIGHT, "How large dice are, by the height of the camera", said)
    drawing.text(LEFT, 46, "How high the camera hangs", 24, font_weight=650)
    tray = f"{TRAY_MM[0]:.0f} x {TRAY_MM[1]:.0f} mm"
    drawing.text(
        LEFT,
        72,
        f"Dice of 16 mm in a picture {PICTURE_PX} px wide; solid from where a tray of {tray} is seen whole",
        13.5,
        fill=FAINT,
    )
    _field(drawing)
    ends = _spread([(camera, colour, _at(HEIGHTS_MM[1], _size(camera, HEIGHTS_MM[1]))[1]) for camera, colour in _all()])
    for camera, colour, label_y in ends:
        _line(drawing, camera, colour)
        drawing.text(RIGHT + 12, label_y + 4, camera.name, 13, fill=colour, font_weight=600)
    return drawing


def _all() -> list[tuple[Camera, str]]:
    return list(zip(CAMERAS, COLOURS, strict=True))


def _size(camera: Camera, height_mm: float) -> float:
    return camera.die_px(height_mm, PICTURE_PX)


def _at(height_mm: float, die_px: float) -> Point:
    x = LEFT + (height_mm - HEIGHTS_MM[0]) / (HEIGHTS_MM[1] - HEIGHTS_MM[0]) * (RIGHT - LEFT)
    return x, BOTTOM - (die_px - SIZES_PX[0]) / (SIZES_PX[1] - SIZES_PX[0]) * (BOTTOM - TOP)


def _field(drawing: Drawing) -> None:
    limits = (SIZES_PX[1], ENOUGH_PX, TOO_SMALL_PX, 0.0)
    for high, low, colour in zip(limits, limits[1:], GROUNDS, strict=False):
        top, bottom = _at(HEIGHTS_MM[0], high)[1], _at(HEIGHTS_MM[0], low)[1]
        drawing.rect(LEFT, top, RIGHT - LEFT, bottom - top, fill=colour)
    for size in range(0, int(SIZES_PX[1]) + 1, 10):
        y = _at(HEIGHTS_MM[0], size)[1]
        drawing.line((LEFT, y), (RIGHT, y), stroke=RULE, stroke_width=0.8)
        drawing.text(LEFT - 10, y + 4, str(size), 12, text_anchor="end", fill=FAINT)
    for height in range(int(HEIGHTS_MM[0]), int(HEIGHTS_MM[1]) + 1, 50):
        x = _at(height, 0.0)[0]
        drawing.line((x, BOTTOM), (x, BOTTOM + 6), stroke=FAINT, stroke_width=1)
        drawing.text(x, BOTTOM + 22, str(height), 12, text_anchor="middle", fill=FAINT)
    drawing.text(
        (LEFT + RIGHT) / 2, BOTTOM + 48, "height of the lens above the tray's floor, mm", 13.5, text_anchor="middle"
    )
    x, y = LEFT - 50, (TOP + BOTTOM) / 2
    drawing.text(x, y, "edge of a die, px", 13.5, text_anchor="middle", transform=f"rotate(-90 {x:g} {y:g})")
    for middle, words in ((66.0, "plenty"), (24.0, "plain dice are read"), (9.0, "too small")):
        drawing.text(LEFT + 12, _at(0, middle)[1] + 4, words, 12.5, fill=INK, fill_opacity=0.55, font_style="italic")


def _line(drawing: Drawing, camera: Camera, colour: str) -> None:
    fits = min(max(camera.lowest_mm(), HEIGHTS_MM[0]), HEIGHTS_MM[1])
    first = next(mm for mm in _steps(*HEIGHTS_MM) if _size(camera, mm) <= SIZES_PX[1])
    style: dict[str, Any] = {"fill": "none", "stroke": colour, "stroke_linecap": "round"}
    if first < fits:
        dashed = [_at(mm, _size(camera, mm)) for mm in _steps(first, fits)]
        drawing.path(dashed, stroke_width=1.6, stroke_dasharray="1 6", **style)
    drawing.path([_at(mm, _size(camera, mm)) for mm in _steps(fits, HEIGHTS_MM[1])], stroke_width=2.8, **style)
    x, y = _at(fits, _size(camera, fits))
    drawing.circle(x, y, 5, fill="#fdfcf9", stroke=colour, stroke_width=2.4)
    others = [_at(other.lowest_mm(), 0.0)[0] - x for other in CAMERAS]
    crowded = any(0 < beside < LABEL_PX for beside in others)
    place = (x - 7, y + 16, "end") if crowded else (x + 9, y - 7, "start")
    halo: dict[str, Any] = {"stroke": GROUNDS[0], "stroke_width": 4, "paint_order": "stroke"}
    drawing.text(*place[:2], f"{fits:.0f}", 12, fill=colour, text_anchor=place[2], **halo)


def _steps(first: float, last: float) -> list[float]:
    count = max(2, round((last - first) / 10))
    return [first + (last - first) * number / count for number in range(count + 1)]


def _spread(ends: list[tuple[Camera, str, float]]) -> list[tuple[Camera, str, float]]:
    """Move labels apart that would touch, downwards."""
    placed: list[tuple[Camera, str, float]] = []
    for camera, colour, y in sorted(ends, key=lambda end: end[2]):
        placed.append((camera, colour, max(y, placed[-1][2] + 17) if placed else y))
    return placed
