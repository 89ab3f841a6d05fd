"""Letters that this package has no pictures for, from the bitmap font GNU Unifont where the system has it.

Debian's package is `fonts-unifont`. The font is looked for once, when the first letter needs it. It is not part of this
package: as Debian packages it, its licence is the GPL.
"""

import os
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

EM_PX = 16  # the font's only size: then its outlines fall on whole pixels
LINE_ROW = 14  # the base line lies below so many of them
LEAST_ROWS = 7  # above the line: of a capital of `font`
NO_LETTER = "\U0010ffff"  # never a letter: its picture is that of a letter which the font lacks
FILE = re.compile(r"unifont(_upper)?([-_.]\d[\d.]*)?\.(otf|ttf)", re.IGNORECASE)
DATA_FOLDERS = "/usr/local/share:/usr/share:/Library"  # without XDG_DATA_DIRS; on a Mac fonts lie in /Library/Fonts
HOME_FOLDERS = ".local/share", "Library"
# The letters of these scripts stand side by side as they are; those of others join, or change with the marks on them.
SCRIPTS = frozenset((
    "ARMENIAN", "BOPOMOFO", "CANADIAN", "CHEROKEE", "CJK", "COPTIC", "CYRILLIC", "DESERET", "ETHIOPIC", "FULLWIDTH",
    "GEORGIAN", "GLAGOLITIC", "GOTHIC", "GREEK", "HALFWIDTH", "HANGUL", "HIRAGANA", "IDEOGRAPHIC", "KATAKANA", "LATIN",
    "LISU", "MODIFIER", "OGHAM", "RUNIC", "TIFINAGH", "VAI", "YI",
))  # fmt: skip

Pixels = NDArray[np.bool_]


def unifont_letter(letter: str) -> tuple[Pixels, int] | None:
    """Return the picture of a letter, (rows, columns) bool, and how many rows stand above the line.

    At least LEAST_ROWS stand above, always two below. None where the font is not there or lacks the letter, or where
    it cannot stand by itself. letter: one character.
    """
    if not can_stand_alone(letter):
        return None
    for font in _fonts():
        cell = _cell(letter, font)
        if cell.any() and not np.array_equal(cell, _cell(NO_LETTER, font)):
            rows, columns = (np.flatnonzero(cell.any(axis=axis)) for axis in (1, 0))
            top = min(int(rows[0]), LINE_ROW - LEAST_ROWS)
            return cell[top:, columns[0] : columns[-1] + 1], LINE_ROW - top
    return None


def unifont_found() -> bool:
    """Return whether the system has the font."""
    return bool(_fonts())


def can_stand_alone(letter: str) -> bool:
    """Return whether a letter looks the same whatever stands beside it, so that a font alone is enough to write it."""
    if unicodedata.bidirectional(letter) in {"R", "AL", "AN"}:
        return False
    kind = unicodedata.category(letter)[0]
    return kind in "NPS" or (kind == "L" and re.split("[ -]", unicodedata.name(letter, ""))[0] in SCRIPTS)


@cache
def _fonts() -> tuple[ImageFont.FreeTypeFont, ...]:
    """Return the font's files: that of the usual letters, then that of emoji and rarer ones."""
    files = sorted(_files(), key=lambda file: ("upper" in file.name.lower(), file.suffix, file.name))
    return tuple(font for font in map(_opened, files) if font is not None)


def _opened(file: Path) -> ImageFont.FreeTypeFont | None:
    try:
        return ImageFont.truetype(file, EM_PX, layout_engine=ImageFont.Layout.BASIC)
    except OSError:  # broken, or not a font
        return None


def _files() -> Iterator[Path]:
    """Yield the files in the folders that the XDG Base Directory Specification and the Mac have for fonts."""
    own = os.environ.get("XDG_DATA_HOME")
    shared = os.environ.get("XDG_DATA_DIRS") or DATA_FOLDERS
    homes = [own] if own else [str(Path("~", folder).expanduser()) for folder in HOME_FOLDERS]
    for data in (*homes, *shared.split(os.pathsep)):
        for name in ("fonts", "Fonts"):
            for folder, _, files in os.walk(Path(data, name)):
                yield from (Path(folder, file) for file in files if FILE.fullmatch(file))


def _cell(letter: str, font: ImageFont.FreeTypeFont) -> Pixels:
    """Return the pixels of a letter, (16, columns), its line below the fourteenth row."""
    columns = max(1, round(font.getlength(letter)))
    picture = Image.new("1", (columns, EM_PX))
    ImageDraw.Draw(picture).text((0, LINE_ROW), letter, fill=1, font=font, anchor="ls")
    return np.asarray(picture)
