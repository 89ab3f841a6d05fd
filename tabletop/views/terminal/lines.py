"""Lines of text in several styles, cut and wrapped by the cells they take. Pure."""

from collections.abc import Iterable

from tabletop.views.terminal.canvas import PLAIN, Canvas, Style, cells_of

Span = tuple[str, Style]
Line = tuple[Span, ...]

EMPTY: Line = ()


def line(text: str, style: Style = PLAIN) -> Line:
    """Return a line in one style."""
    return ((text, style),)


def width(text: str) -> int:
    """Return how many cells a text takes."""
    return sum(map(cells_of, text))


def cut(text: str, columns: int) -> str:
    """Return as much of a text as fits into so many cells."""
    taken = 0
    for at, char in enumerate(text):
        taken += cells_of(char)
        if taken > columns:
            return text[:at]
    return text


def padded(text: str, columns: int, *, right: bool = False) -> str:
    """Return a text of exactly so many cells: cut, or with blanks behind (in front if it stands at the right)."""
    text = cut(text, max(columns, 0))
    blanks = " " * (columns - width(text))
    return blanks + text if right else text + blanks


def wrapped(text: str, columns: int, indent: str = "") -> list[str]:
    """Return a text in lines of at most so many cells, broken at blanks; later lines begin with the indent.

    A word that is longer is cut into pieces. An empty text gives no line.
    """
    columns = max(columns, width(indent) + 2)  # room for one wide character
    lines: list[str] = []
    current = ""
    for word in text.split():
        rest = word
        if current.strip() and width(current) + 1 + width(rest) <= columns:
            current += " " + rest
            continue
        if current.strip():
            lines.append(current)
            current = indent
        while width(current) + width(rest) > columns:
            piece = cut(rest, columns - width(current))
            lines.append(current + piece)
            current, rest = indent, rest[len(piece) :]
        current += rest
    return [*lines, current] if current.strip() else lines


def plain(lines: Iterable[Line]) -> list[str]:
    """Return lines without their styles, blanks at their ends cut off."""
    return ["".join(text for text, _ in spans).rstrip() for spans in lines]


def write(canvas: Canvas, column: int, row: int, columns: int, lines: Iterable[Line]) -> None:
    """Write lines one below the other, each cut after so many cells."""
    for down, spans in enumerate(lines):
        at = 0
        for text, style in spans:
            shown = cut(text, columns - at)
            canvas.text(column + at, row + down, shown, style)
            at += width(shown)
            if shown != text:
                break
