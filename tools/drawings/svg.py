"""SVG drawings as text: shapes in the order of painting. The same calls give the same bytes."""

from collections.abc import Iterable, Sequence
from html import escape

Point = tuple[float, float]

FONT = "system-ui, 'Segoe UI', 'Helvetica Neue', 'DejaVu Sans', sans-serif"
PAPER, INK, FAINT, RULE = (
    "#fdfcf9",
    "#22252a",
    "#7d8590",
    "#d9d5cb",
)  # of every drawing: ground, text, small text, lines


class Drawing:
    """One drawing, width x height in `unit` ("px" or "mm"); numbers inside are in the same unit.

    title, description: texts for screen readers. ground: the background colour, empty for none.
    """

    def __init__(
        self, width: float, height: float, title: str, description: str, unit: str = "px", ground: str = PAPER
    ) -> None:
        self.width, self.height = width, height
        size = f'width="{_n(width)}{unit}" height="{_n(height)}{unit}" viewBox="0 0 {_n(width)} {_n(height)}"'
        self._parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="{FONT}">',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(description)}</desc>",
        ]
        if ground:
            self.rect(0, 0, width, height, fill=ground)

    def rect(self, left: float, top: float, width: float, height: float, **style: object) -> None:
        """Add a rectangle. style: attributes of SVG with _ for -, such as `rx`, `fill`, `stroke_width`."""
        self._add("rect", x=left, y=top, width=width, height=height, **style)

    def circle(self, x: float, y: float, radius: float, **style: object) -> None:
        """Add a circle."""
        self._add("circle", cx=x, cy=y, r=radius, **style)

    def line(self, start: Point, end: Point, **style: object) -> None:
        """Add a straight line."""
        self._add("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], **style)

    def path(self, points: Sequence[Point], radius: float = 0.0, *, closed: bool = False, **style: object) -> None:
        """Add a line through these points; corners of an open one are rounded by up to `radius`."""
        self._add("path", d=_rounded(points, radius) + ("Z" if closed else ""), **style)

    def shape(self, commands: str, **style: object) -> None:
        """Add a path given in SVG's own commands."""
        self._add("path", d=commands, **style)

    def text(self, x: float, y: float, words: str, size: float, **style: object) -> None:
        """Add a line of text. y: its baseline."""
        attributes = _attributes({"x": x, "y": y, "font_size": size, "fill": INK, **style})
        self._parts.append(f"<text {attributes}>{escape(words)}</text>")

    def dimension(self, start: Point, end: Point, words: str, size: float, offset: float) -> None:
        """Add a dimension line between two points of a horizontal or vertical edge.

        offset: the distance from the edge, to the right or below if positive.
        """
        upright = start[0] == end[0]
        dx, dy = (offset, 0.0) if upright else (0.0, offset)
        a, b = (start[0] + dx, start[1] + dy), (end[0] + dx, end[1] + dy)
        thin = {"stroke": FAINT, "stroke_width": size * 0.07}
        for at, edge in ((a, start), (b, end)):
            self.line(edge, (at[0] + dx * 0.12, at[1] + dy * 0.12), **thin)
            tick = size * 0.3
            self.line((at[0] - tick, at[1] + tick), (at[0] + tick, at[1] - tick), stroke=FAINT, stroke_width=size * 0.1)
        self.line(a, b, **thin)
        x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
        if upright:
            x += size * (1.0 if offset > 0 else -0.45)
            self.text(x, y, words, size, text_anchor="middle", fill=FAINT, transform=f"rotate(-90 {_n(x)} {_n(y)})")
        else:
            self.text(x, y + size * (1.05 if offset > 0 else -0.35), words, size, text_anchor="middle", fill=FAINT)

    def as_text(self) -> str:
        """Return the whole file."""
        return "\n".join([*self._parts, "</svg>", ""])

    def _add(self, tag: str, **attributes: object) -> None:
        self._parts.append(f"<{tag} {_attributes(attributes)}/>")


def _attributes(values: dict[str, object]) -> str:
    return " ".join(f'{name.replace("_", "-")}="{_word(value)}"' for name, value in values.items())


def _word(value: object) -> str:
    return _n(value) if isinstance(value, int | float) else escape(str(value))


def _n(number: float) -> str:
    return f"{round(number, 3):g}" if abs(number) < 1e5 else str(number)  # noqa: PLR2004 - :g keeps six digits


def _rounded(points: Sequence[Point], radius: float) -> str:
    """Return the commands of a line through points, each corner replaced by a curve that begins `radius` before it."""
    commands = [f"M{_xy(points[0])}"]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        enter, leave = _towards(corner, before, radius), _towards(corner, after, radius)
        commands += [f"L{_xy(enter)}", f"Q{_xy(corner)} {_xy(leave)}"] if radius else [f"L{_xy(corner)}"]
    return "".join([*commands, f"L{_xy(points[-1])}"])


def _towards(start: Point, end: Point, distance: float) -> Point:
    """Return the point this far from start towards end, half the way at most."""
    length = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5
    share = min(distance, length / 2) / length if length else 0.0
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _xy(point: Iterable[float]) -> str:
    return " ".join(_n(number) for number in point)
