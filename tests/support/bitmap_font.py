"""A bitmap font for tests in place of the system's: the 256 bits of a letter's SHA-256 are its picture.

use_font(monkeypatch, folder, "太郎")      # from now on the display draws these letters, and no others of other scripts
"""

import sys
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

EM_PX = 16
HEAD = """STARTFONT 2.1
FONT -test-test-medium-r-normal--16-160-72-72-c-160-iso10646-1
SIZE 16 72 72
FONTBOUNDINGBOX 16 16 0 -2
STARTPROPERTIES 3
PIXEL_SIZE 16
FONT_ASCENT 14
FONT_DESCENT 2
ENDPROPERTIES
CHARS {count}
"""
GLYPH = """STARTCHAR U+{code:04X}
ENCODING {code}
SWIDTH 1000 0
DWIDTH 16 0
BBX 16 16 0 -2
BITMAP
{rows}
ENDCHAR
"""


def cell(letter: str) -> NDArray[np.bool_]:
    """Return the 16 by 16 pixels of a letter of the font."""
    return np.unpackbits(np.frombuffer(sha256(letter.encode()).digest(), np.uint8)).reshape(EM_PX, EM_PX).astype(bool)


def write_font(file: Path, letters: str) -> None:
    """Write a font with these letters and, first, the picture of a missing one: Adobe's BDF 2.1."""
    file.parent.mkdir(parents=True, exist_ok=True)
    glyphs = [GLYPH.format(code=ord(letter), rows=_rows(letter)) for letter in ("\0", *sorted(letters))]
    file.write_text("".join((HEAD.format(count=len(glyphs)), *glyphs, "ENDFONT\n")))


def use_font(monkeypatch: pytest.MonkeyPatch, folder: Path, letters: str) -> None:
    """Let the display find a font with these letters, and forget what it has drawn before; an empty text: no font."""
    if letters:
        write_font(folder / "fonts" / "unifont.otf", letters)
    monkeypatch.setenv("XDG_DATA_DIRS", str(folder))
    forget_letters()


def forget_letters() -> None:
    """Empty everything that remembers what letters look like."""
    for name, module in list(sys.modules.items()):
        if name.startswith("tabletop.views.oled."):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def _rows(letter: str) -> str:
    digits = sha256(letter.encode()).hexdigest()
    return "\n".join(digits[at : at + 4] for at in range(0, len(digits), 4))
