"""Draw the mat as PDF, from the places of `config.mat`.

Deliberately plain: hairlines, small grey text, and nothing square or dotted except the markers, so that nothing
distracts the reader.
"""

import io
from collections.abc import Callable, Sequence
from itertools import product

import cv2
import numpy as np
from reportlab.lib.colors import Color
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from tabletop.config.mat import DICTIONARY, QUIET_SHARE, RULER_MM, Box, Mat
from tabletop.core.message import Message, say

Translate = Callable[[str], str]

CELLS = 6  # across a marker of 4x4 bits with its black border
INK, GREY, PALE = Color(0, 0, 0), Color(0.35, 0.35, 0.35), Color(0.6, 0.6, 0.6)
FONT, BOLD, MONO = "Helvetica", "Helvetica-Bold", "Courier"
TEXT_ENCODING = "cp1252"  # of those fonts, which every reader of PDF has: other letters would be black boxes
LINE_MM = 0.25  # the areas' outlines
TITLE_PT, TEXT_PT = 9.0, 7.5
LEADING_MM = 3.9  # from one line of text to the next
BESIDE_MM = 8.0  # between the fifth marker and the words
TICK_MM, LONG_TICK_MM = 2.2, 4.0

TEXTS = ("mat",)  # the section of a language file with the words below
TITLE = say("mat for the dice tray")
STEPS = (
    say("1  Print at 100 %, not fitted to the page; check the ruler."),
    say("2  Lay it flat under the camera, which must see all five squares."),
    say("3  Then the table looks at it and guides on; run:"),
)
RULER = say("{n} mm: lay a ruler beside it; if it differs, print again at 100 %", n=int(RULER_MM))
RAIL = say("kept dice")
COMMAND = "tabletop calibrate"


def mat_pdf(mat: Mat, translate: Translate) -> bytes:
    """Return the mat as a one-page PDF. translate: translates a message to the table's language."""
    sheet = _Sheet(mat.width_mm, mat.height_mm, translate(TITLE), translate)
    for number, box in mat.markers.items():
        sheet.marker(number, box)
    sheet.outline(mat.tray, gap_mm=mat.markers[0].width * (1 + QUIET_SHARE))
    if mat.rail is not None:
        sheet.outline(mat.rail)
        sheet.along(mat.rail, RAIL)
    code, strip = mat.markers[mat.code], mat.strip
    sheet.ruler(strip.left, strip.top + strip.height / 2, RULER)
    words = f"{translate(TITLE)}, {mat.paper}"
    sheet.words(code.right + BESIDE_MM, strip.top, words, STEPS, COMMAND)
    return sheet.finished()


class _Sheet:
    """One page on its long side, measured in mm from its top left corner."""

    def __init__(self, width_mm: float, height_mm: float, title: str, translate: Translate) -> None:
        self._height, self._translate, self._file = height_mm, translate, io.BytesIO()
        self._canvas = Canvas(self._file, pagesize=(width_mm * mm, height_mm * mm), invariant=1)
        self._canvas.setTitle(title)
        self._canvas.setCreator("tabletop")
        self._canvas.setViewerPreference("PrintScaling", "None")  # viewers that know it do not fit to the page

    def marker(self, number: int, box: Box) -> None:
        """Draw a marker: a black square with the white cells in one path, so that no seams show between them."""
        cells = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(DICTIONARY), number, CELLS)
        side = box.width / CELLS
        self._canvas.setFillColor(INK)
        x, y = self._point(box.left, box.bottom)
        self._canvas.rect(x, y, box.width * mm, box.height * mm, stroke=0, fill=1)
        white = self._canvas.beginPath()
        for row, column in product(range(CELLS), repeat=2):
            if np.asarray(cells)[row, column]:
                x, y = self._point(box.left + column * side, box.top + (row + 1) * side)
                white.rect(x, y, side * mm, side * mm)
        self._canvas.setFillColor(Color(1, 1, 1))
        self._canvas.drawPath(white, stroke=0, fill=1)

    def outline(self, box: Box, gap_mm: float = 0.0) -> None:
        """Draw a thin frame, leaving this much out at each corner."""
        self._canvas.setStrokeColor(PALE)
        self._canvas.setLineWidth(LINE_MM * mm)
        for y in (box.top, box.bottom):
            self._canvas.line(*self._point(box.left + gap_mm, y), *self._point(box.right - gap_mm, y))
        for x in (box.left, box.right):
            self._canvas.line(*self._point(x, box.top + gap_mm), *self._point(x, box.bottom - gap_mm))

    def along(self, box: Box, text: Message) -> None:
        """Write a word along the longer side of a box, small and in its corner."""
        self._canvas.saveState()
        if box.height > box.width:
            self._canvas.translate(*self._point(box.right - LEADING_MM / 2, box.bottom - LEADING_MM))
            self._canvas.rotate(90)
        else:
            self._canvas.translate(*self._point(box.left + LEADING_MM, box.bottom - LEADING_MM / 2))
        self._write(0, 0, self._said(text), FONT, TEXT_PT, PALE)
        self._canvas.restoreState()

    def ruler(self, left_mm: float, y_mm: float, text: Message) -> None:
        """Draw the ruler, a tick each 5 mm, with a line of text above it and its numbers below."""
        self._canvas.setStrokeColor(GREY)
        self._canvas.setLineWidth(LINE_MM * mm)
        self._canvas.line(*self._point(left_mm, y_mm), *self._point(left_mm + RULER_MM, y_mm))
        for at in range(0, int(RULER_MM) + 1, 5):
            tick = LONG_TICK_MM if at % 50 == 0 else TICK_MM if at % 10 == 0 else TICK_MM / 2
            x = left_mm + at
            self._canvas.line(*self._point(x, y_mm), *self._point(x, y_mm + tick))
            if at % 50 == 0:
                side = -1 if at == RULER_MM else 1  # the last number stands before its tick
                x, y = self._point(x + side * 1.2, y_mm + LONG_TICK_MM)
                self._canvas.setFont(FONT, TEXT_PT)
                self._canvas.setFillColor(GREY)
                (self._canvas.drawRightString if side < 0 else self._canvas.drawString)(x, y, str(at))
        x, y = self._point(left_mm, y_mm - 2.5)
        self._write(x, y, self._said(text), FONT, TEXT_PT, GREY)

    def words(self, left_mm: float, top_mm: float, title: str, steps: Sequence[Message], command: str) -> None:
        """Write a title, what to do, and the command that comes last."""
        x, y = self._point(left_mm, top_mm + LEADING_MM / 2)
        self._write(x, y, title, BOLD, TITLE_PT, GREY)
        for count, step in enumerate(steps, start=1):
            self._write(x, y - count * LEADING_MM * mm, self._said(step), FONT, TEXT_PT, GREY)
        y -= (len(steps) + 1) * LEADING_MM * mm
        self._write(x + LEADING_MM * mm, y, command, MONO, TEXT_PT, GREY)

    def finished(self) -> bytes:
        """Return the file."""
        self._canvas.showPage()
        self._canvas.save()
        return self._file.getvalue()

    def _said(self, text: Message) -> str:
        """Return the text in the table's language, in English where the font lacks a letter."""
        said = self._translate(text)
        return said if said == said.encode(TEXT_ENCODING, "replace").decode(TEXT_ENCODING) else str(text)

    def _write(self, x: float, y: float, text: str, font: str, size_pt: float, colour: Color) -> None:
        self._canvas.setFont(font, size_pt)
        self._canvas.setFillColor(colour)
        self._canvas.drawString(x, y, text)

    def _point(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """Return a place in PDF's units, which count from the bottom."""
        return x_mm * mm, (self._height - y_mm) * mm
