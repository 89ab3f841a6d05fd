"""A QR code as lines for a terminal: two modules in a cell, light on dark. Pure."""

from tabletop.views.oled.pages.code_page import Modules

RIM = 2  # modules of light around the code: the standard asks for 4, and phones read it with 2
HALVES = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}  # by upper and lower half


def code_lines(code: Modules) -> list[str]:
    """Return the lines, all equally long; a terminal with dark letters on light shows the code inverted."""
    across = len(code) + 2 * RIM
    rim = [(False,) * across] * RIM
    rows = [*rim, *((False,) * RIM + row + (False,) * RIM for row in code), *rim, *rim[:1]]
    pairs = zip(rows[::2], rows[1::2], strict=False)
    return ["".join(HALVES[halves] for halves in zip(upper, lower, strict=True)) for upper, lower in pairs]
