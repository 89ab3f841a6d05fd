"""The font of the small screen: capitals seven pixels high, small letters five, descenders two.

It was drawn for this screen (`letters.txt`), because Pillow's own font has no accents and breaks up at this size. An
accented letter is composed from its base letter and combining marks, which covers all of Latin-1 and Latin Extended-A.
Hebrew letters are six pixels high, without points. Other letters come from the bitmap font GNU Unifont if the system
has it (Debian's `fonts-unifont`, GPL, not part of this package). It is located when first needed. A letter missing
there, too, is drawn as a box.
"""

import re
import unicodedata
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

FONT = Path(__file__).with_name("letters.txt")
CAP_ROWS = 7  # from the top of a capital to the baseline
DROP_ROWS = 2  # below the baseline
SPACE_COLUMNS = 2
REMEMBERED_TEXTS = 512
MOST_MARKS = 2  # on one letter: as many as languages need
SPARE_ROW = 2  # of a tall letter, dropped for an accent if no two rows are equal
JOINER = "\u200d"  # joins several emoji into one
ADDED = frozenset(  # modifiers of the previous picture: variation selectors, skin tones, flag tags
    map(chr, (*range(0xFE00, 0xFE10), *range(0x1F3FB, 0x1F400), *range(0xE0020, 0xE0080), 0x200C, 0x200D))
)
ELLIPSIS = "…"
MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")
UNIFONT_EM_PX = 16  # the font's only size: its outlines fall on whole pixels
UNIFONT_LINE_ROW = 14  # row of the baseline
UNIFONT_LEAST_ROWS = 7  # above the baseline: a capital's height here
NO_LETTER = "\U0010ffff"  # never a letter: its picture is the one for missing letters
UNIFONT_FILES = "unifont", "unifont_upper"  # common letters; emoji and rarer ones
# Right-to-left text, as far as the screen has letters for it: Hebrew, with characters between two of its letters, and
# directly after it digits or the ellipsis of a shortened name.
FROM_RIGHT = re.compile(r"[א-ת](?:(?:[א-ת\d]|[^\w\s])*[א-ת])?[\u0591-\u05c7]*[\d…]*")
DIGITS = re.compile(r"\d+")
# Letters of these scripts are drawn one by one; those of others join, or change with their marks.
SCRIPTS = frozenset((
    "ARMENIAN", "BOPOMOFO", "CANADIAN", "CHEROKEE", "CJK", "COPTIC", "CYRILLIC", "DESERET", "ETHIOPIC", "FULLWIDTH",
    "GEORGIAN", "GLAGOLITIC", "GOTHIC", "GREEK", "HALFWIDTH", "HANGUL", "HIRAGANA", "IDEOGRAPHIC", "KATAKANA", "LATIN",
    "LISU", "MODIFIER", "OGHAM", "RUNIC", "TIFINAGH", "VAI", "YI",
))  # fmt: skip
# Letters that look alike share a picture.
SHARED_PICTURES = str.maketrans(
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧΓΠΦνοκφ" + "АВЕКМНОРСТХЅІЈЗаеорсухѕіјӀ" + "׳״־‘’‚“”„—đĐ−",  # noqa: RUF001 - these are the letters meant
    "ABEZHIKMNOPTYXГПФvoкф" + "ABEKMHOPCTXSIJ3aeopcyxsijI" + '\'"-\'\',"""–ðÐ-',  # noqa: RUF001
)
SHARED_PICTURES.update({0x1F1E6 + n: 65 + n for n in range(26)})  # a flag is drawn as its country's letters

_MARKS_ABOVE = {
    "\u0300": ("#.", ".#"),  # grave
    "\u0301": (".#", "#."),  # acute
    "\u0302": (".#.", "#.#"),  # circumflex
    "\u0303": (".#.#", "#.#."),  # tilde
    "\u0304": ("###",),  # macron
    "\u0306": ("#..#", ".##."),  # breve
    "\u0307": ("#",),  # dot
    "\u0308": ("#.#",),  # diaeresis
    "\u030a": (".#.", "#.#", ".#."),  # ring
    "\u030b": ("#.#", "#.#"),  # double acute
    "\u030c": ("#.#", ".#."),  # caron
}
_MARKS_BELOW = {
    "\u0323": (".", "#"),  # dot
    "\u0326": (".#", "#."),  # comma
    "\u0327": (".#", "#."),  # cedilla
    "\u0328": ("#.", ".#"),  # ogonek
}
_DOTLESS = str.maketrans("ij", "ıȷ")  # an accent above replaces the dot
NO_PICTURE = ("#####", "#...#", "#...#", "#...#", "#...#", "#...#", "#####")

Pixels = NDArray[np.bool_]


def letters(text: str) -> tuple[str, ...]:
    """Return the letters of a text in reading order, in Unicode's form NFC.

    Each includes its combining marks and everything joined with it into one emoji.
    """
    if text.isascii():
        return tuple(text)
    found: list[str] = []
    for sign in unicodedata.normalize("NFC", text):
        if found and (is_added(sign) or found[-1].endswith(JOINER)):
            found[-1] += sign
        else:
            found.append(sign)
    return tuple(found)


def is_added(sign: str) -> bool:
    """Return whether a character is not a letter: a combining mark, or a modifier of the previous picture."""
    return sign in ADDED or unicodedata.category(sign).startswith("M")


def in_drawing_order(text: str) -> tuple[str, ...]:
    """Return the letters of a text from left to right: right-to-left parts of each word are reversed.

    A simple form of Unicode's bidirectional algorithm (UAX 9), for words in left-to-right text.
    """
    return letters(FROM_RIGHT.sub(_turned, text))


def _turned(run: re.Match[str]) -> str:
    """Return a run of letters turned round, digits that stand together in their own order."""
    turned = "".join(reversed(letters(run[0]))).translate(MIRRORED)
    return DIGITS.sub(lambda digits: digits[0][::-1], turned)


@lru_cache(maxsize=REMEMBERED_TEXTS)
def can_draw(text: str) -> bool:
    """Return whether every letter of a text can be drawn, here or with the system's font."""
    return all(letter == " " or _drawing(letter) is not None for letter in letters(text))


@cache
def letter_pixels(letter: str, *, roomy: bool = False) -> tuple[Pixels, int]:
    """Return one letter, (rows, columns) bool, and how many of its rows are above the baseline: at least CAP_ROWS.

    letter: one of `letters`. All have DROP_ROWS rows below the baseline. roomy: with gaps that stay open if every
    stroke is drawn one pixel wider.
    """
    if letter == " ":
        return np.zeros((CAP_ROWS + DROP_ROWS, SPACE_COLUMNS), dtype=np.bool_), CAP_ROWS
    return _drawing(letter, roomy=roomy) or (_picture(NO_PICTURE), CAP_ROWS)


@cache
def _drawing(letter: str, *, roomy: bool = False) -> tuple[Pixels, int] | None:
    """Return what `letter_pixels` does, None where there is no picture."""
    base, marks = _parts(letter)
    pixels = _pictures()["wide"].get(base) if roomy else None
    pixels = _pictures()["letters"].get(base) if pixels is None else pixels
    if pixels is None:
        return unifont_letter(letter[0])
    above = CAP_ROWS
    for mark in marks[:MOST_MARKS]:
        if mark in _MARKS_BELOW:
            pixels = _hang(pixels, _MARKS_BELOW[mark])
        elif mark in _MARKS_ABOVE:
            pixels, more = _crown(pixels, _MARKS_ABOVE[mark])
            above += more
    return pixels, above


def _parts(letter: str) -> tuple[str, str]:
    whole = unicodedata.normalize("NFD", letter)
    base, marks = whole[:1].translate(SHARED_PICTURES), whole[1:]
    crowned = any(mark in _MARKS_ABOVE for mark in marks)
    return (base.translate(_DOTLESS) if crowned else base), marks


@cache
def _pictures() -> dict[str, dict[str, Pixels]]:
    """Return what the font file has: its letters, and those drawn wider for strokes of two pixels."""
    found: dict[str, dict[str, Pixels]] = {}
    for section in FONT.read_text(encoding="utf-8").removeprefix("[").split("\n["):
        name, bands = section.split("]\n")
        for band in bands.strip().split("\n\n"):
            letters_of, *rows = (line.split() for line in band.splitlines())
            drawn = map(_picture, zip(*rows, strict=True))
            found.setdefault(name, {}).update(zip(letters_of, drawn, strict=True))
    return found


def _picture(rows: tuple[str, ...]) -> Pixels:
    """Return the pixels of rows of `#`, with empty rows below the line if there are none."""
    lit = np.array([[dot == "#" for dot in row] for row in rows], dtype=np.bool_)
    return np.pad(lit, ((0, max(0, CAP_ROWS + DROP_ROWS - len(rows))), (0, 0)))


def _crown(pixels: Pixels, mark: tuple[str, ...]) -> tuple[Pixels, int]:
    """Put a mark above a letter, one row of air between; return also by how many rows it grew.

    A high letter gives up one of its own rows, so that a line with an accent is hardly higher than one without.
    """
    crown = np.array([[dot == "#" for dot in row] for row in mark], dtype=np.bool_)
    if pixels[0].any():
        pixels = np.vstack([np.zeros_like(pixels[:1]), np.delete(pixels, _spare_row(pixels), axis=0)])
    top = int(np.flatnonzero(pixels.any(axis=1))[0])
    start = top - 1 - len(mark)
    more = max(0, -start)
    width = max(pixels.shape[1], crown.shape[1])
    whole = np.zeros((pixels.shape[0] + more, width), dtype=np.bool_)
    left = (width - pixels.shape[1]) // 2
    whole[more:, left : left + pixels.shape[1]] = pixels
    over = (width - crown.shape[1] + 1) // 2
    whole[start + more : start + more + len(mark), over : over + crown.shape[1]] |= crown
    return whole, more


def _spare_row(pixels: Pixels) -> int:
    """Return the row of a high letter that is missed least: one that is as the row below it."""
    alike = (row for row in range(1, CAP_ROWS - 2) if np.array_equal(pixels[row], pixels[row + 1]))
    return next(alike, SPARE_ROW)


def _hang(pixels: Pixels, mark: tuple[str, ...]) -> Pixels:
    hung = np.array([[dot == "#" for dot in row] for row in mark], dtype=np.bool_)
    whole = np.pad(pixels, ((0, 0), (0, max(0, hung.shape[1] - pixels.shape[1]))))
    left = (whole.shape[1] - hung.shape[1] + 1) // 2
    whole[-DROP_ROWS:, left : left + hung.shape[1]] |= hung
    return whole


def unifont_letter(letter: str) -> tuple[Pixels, int] | None:
    """Return the picture of a letter, (rows, columns) bool, and how many rows are above the baseline.

    At least UNIFONT_LEAST_ROWS are above, always two below. None if the font is missing or lacks the letter, or if it
    cannot stand alone. letter: one character.
    """
    if not _can_stand_alone(letter):
        return None
    for font in _system_fonts():
        cell = _cell(letter, font)
        if cell.any() and not np.array_equal(cell, _cell(NO_LETTER, font)):
            rows, columns = (np.flatnonzero(cell.any(axis=axis)) for axis in (1, 0))
            top = min(int(rows[0]), UNIFONT_LINE_ROW - UNIFONT_LEAST_ROWS)
            return cell[top:, columns[0] : columns[-1] + 1], UNIFONT_LINE_ROW - top
    return None


def _can_stand_alone(letter: str) -> bool:
    """Return whether a letter looks the same whatever stands beside it, so that a font alone is enough to write it."""
    if unicodedata.bidirectional(letter) in {"R", "AL", "AN"}:
        return False
    kind = unicodedata.category(letter)[0]
    return kind in "NPS" or (kind == "L" and re.split("[ -]", unicodedata.name(letter, ""))[0] in SCRIPTS)


@cache
def _system_fonts() -> tuple[ImageFont.FreeTypeFont, ...]:
    """Return the font's files, wherever the system has its fonts; those that are not there or broken are left out."""
    fonts = []
    for name in UNIFONT_FILES:
        with suppress(OSError):
            fonts.append(ImageFont.truetype(name, UNIFONT_EM_PX, layout_engine=ImageFont.Layout.BASIC))
    return tuple(fonts)


def _cell(letter: str, font: ImageFont.FreeTypeFont) -> Pixels:
    """Return the pixels of a letter, (16, columns), its line below the fourteenth row."""
    columns = max(1, round(font.getlength(letter)))
    picture = Image.new("1", (columns, UNIFONT_EM_PX))
    ImageDraw.Draw(picture).text((0, UNIFONT_LINE_ROW), letter, fill=1, font=font, anchor="ls")
    return np.asarray(picture)
