"""The letters of the small screen, drawn for it: capitals seven pixels high, small letters five, two below the line.

Pillow's own font has no accents and breaks up at this size, so the letters are pictures here. A band names its letters
and shows them below, `#` is lit; where a band has two rows more, they hang below the line. An accented letter is put
together from its letter and the marks that Unicode says it has, so that all of Latin-1 and Latin Extended-A can be
drawn. Other scripts are in `other_scripts`; what is not there either comes from the system's font (`unifont`), and a
letter that this one lacks, too, is a box.
"""

import unicodedata
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from tabletop.views.oled import other_scripts
from tabletop.views.oled.lettering import letters
from tabletop.views.oled.unifont import unifont_letter

CAP_ROWS = 7  # from the top of a capital down to the line
DROP_ROWS = 2  # below the line
SPACE_COLUMNS = 2
REMEMBERED_TEXTS = 512
MOST_MARKS = 2  # on one letter: as many as languages need
SPARE_ROW = 2  # of a high letter, given up for an accent where no two rows are alike

_BANDS = """
A     B     C     D     E    F    G     H     I   J    K     L    M     N     O     P     R     S     T
.###. ####. .###. ####. #### #### .###. #...# ### ..## #...# #... #...# #...# .###. ####. ####. .###. #####
#...# #...# #...# #...# #... #... #...# #...# .#. ...# #..#. #... ##.## ##..# #...# #...# #...# #...# ..#..
#...# #...# #.... #...# #... #... #.... #...# .#. ...# #.#.. #... #.#.# ##..# #...# #...# #...# #.... ..#..
##### ####. #.... #...# ###. ###. #.### ##### .#. ...# ##... #... #.#.# #.#.# #...# ####. ####. .###. ..#..
#...# #...# #.... #...# #... #... #...# #...# .#. ...# #.#.. #... #...# #..## #...# #.... #.#.. ....# ..#..
#...# #...# #...# #...# #... #... #...# #...# .#. #..# #..#. #... #...# #..## #...# #.... #..#. #...# ..#..
#...# ####. .###. ####. #### #... .###. #...# ### .##. #...# #### #...# #...# .###. #.... #...# .###. ..#..

U     V     W     X     Y     Z     0     1   2     3     4     5     6     7     8     9     Æ       Œ       Ø
#...# #...# #...# #...# #...# ##### .###. .#. .###. .###. ...#. ##### .###. ##### .###. .###. .###### .###### .###.
#...# #...# #...# #...# #...# ....# #...# ##. #...# #...# ..##. #.... #...# ....# #...# #...# #..#... #..#... #...#
#...# #...# #...# .#.#. .#.#. ...#. #...# .#. ....# ....# .#.#. ####. #.... ....# #...# #...# #..#... #..#... #..##
#...# #...# #.#.# ..#.. ..#.. ..#.. #...# .#. ...#. ..##. #..#. ....# ####. ...#. .###. .#### ######. #..###. #.#.#
#...# .#.#. #.#.# .#.#. ..#.. .#... #...# .#. ..#.. ....# ##### ....# #...# ..#.. #...# ....# #..#... #..#... ##..#
#...# .#.#. ##.## #...# ..#.. #.... #...# .#. .#... #...# ...#. #...# #...# ..#.. #...# #...# #..#... #..#... #...#
.###. ..#.. #...# #...# ..#.. ##### .###. ### ##### .###. ...#. .###. .###. ..#.. .###. .###. #..#### .###### .###.

a     b    c    d    e    f   h    i k    l  m     n    o    r   s    t   u    v     w     x     z    ı æ       œ
..... #... .... ...# .... .## #... # #... #. ..... .... .... ... .... .#. .... ..... ..... ..... .... . ....... .......
..... #... .... ...# .... #.. #... . #... #. ..... .... .... ... .... .#. .... ..... ..... ..... .... . ....... .......
.##.. ###. .##. .### .##. ### ###. # #..# #. ####. ###. .##. #.# .### ### #..# #...# #...# #...# #### # .##.##. .##.##.
...#. #..# #..# #..# #..# #.. #..# # #.#. #. #.#.# #..# #..# ##. #... .#. #..# #...# #.#.# .#.#. ..#. # ...#..# #..#..#
.###. #..# #... #..# #### #.. #..# # ##.. #. #.#.# #..# #..# #.. .##. .#. #..# #...# #.#.# ..#.. .#.. # .###### #..####
#..#. #..# #..# #..# #... #.. #..# # #.#. #. #.#.# #..# #..# #.. ...# .#. #..# .#.#. #.#.# .#.#. #... # #..#... #..#...
.#### ###. .##. .### .### #.. #..# # #..# .# #.#.# #..# .##. #.. ###. .## .### ..#.. .#.#. #...# #### # .###### .##.###

g    j   p    q    y    Q     ,  ;  @       _     ß    þ    (  )  [  ]  {   }   | Þ    $     ȷ   /    \\
.... ..# .... .... .... .###. .. .. ....... ..... .##. #... .# #. ## ## ..# #.. # #... ..#.. ... ...# #...
.... ... .... .... .... #...# .. .. .#####. ..... #..# #... #. .# #. .# .#. .#. # ###. .#### ... ...# #...
.### ..# ###. .### #..# #...# .. .# #.....# ..... #..# ###. #. .# #. .# .#. .#. # #..# #.#.. ..# ..#. .#..
#..# ..# #..# #..# #..# #...# .. .. #.###.# ..... #.#. #..# #. .# #. .# #.. ..# # #..# .###. ..# ..#. .#..
#..# ..# #..# #..# #..# #...# .. .. #.#.#.# ..... #..# #..# #. .# #. .# .#. .#. # ###. ..#.# ..# .#.. ..#.
#..# ..# #..# #..# #..# #..#. .# .# #.##### ..... #..# #..# #. .# #. .# .#. .#. # #... ####. ..# .#.. ..#.
.### ..# ###. .### .### .##.# .# .# #...... ..... #.#. ###. .# #. ## ## ..# #.. # #... ..#.. ..# #... ...#
...# ..# #... ...# ...# ..... #. #. .#####. ##### .... #... .. .. .. .. ... ... . .... ..... ..# .... ....
.##. ##. #... ...# .##. ..... .. .. ....... ..... .... #... .. .. .. .. ... ... . .... ..... ##. .... ....

! "   #     %     &     ' *     +     -    . : <    =    >    ?     ^   `  ~     …     –
# #.# .#.#. ##..# .##.. # ..... ..... .... . . ...# .... #... .###. .#. #. ..... ..... .....
# #.# .#.#. ##..# #..#. # ..#.. ..... .... . . ..#. .... .#.. #...# #.# .# ..... ..... .....
# ... ##### ...#. #.#.. . #.#.# ..#.. .... . # .#.. #### ..#. ....# ... .. .#..# ..... .....
# ... .#.#. ..#.. .#... . .###. ..#.. #### . . #... .... ...# ...#. ... .. #.#.# ..... #####
# ... ##### .#... #.#.# . #.#.# ##### .... . . .#.. #### ..#. ..#.. ... .. #..#. ..... .....
. ... .#.#. #..## #..#. . ..#.. ..#.. .... . # ..#. .... .#.. ..... ... .. ..... ..... .....
# ... .#.#. #..## .##.# . ..... ..#.. .... # . ...# .... #... ..#.. ... .. ..... #.#.# .....

· •   ×     ½      ¡ ¿     °   €     £     ø    ð    Ð      ł   Ł     ħ    «     »
. ... ..... #..... # ..#.. .#. .###. ..##. .... ..#. .####. .#. .#... #... ..... .....
. ... ..... #..#.. . ..... #.# #...# .#..# .... .### .#...# .#. .#... ###. ..... .....
. .## #...# #.#... # ..#.. .#. ####. .#... .##. ..#. .#...# .#. .#.#. #... .#..# #..#.
# ### .#.#. .#.##. # .#... ... #.... ####. #.## .### ####.# .## .##.. ###. #..#. .#..#
. ### ..#.. #...#. # #.... ... ####. .#... ##.# #..# .#...# ##. ##... #..# .#..# #..#.
. .## .#.#. ..##.. # #...# ... #...# .#..# #..# #..# .#...# .#. .#... #..# ..... .....
. ... #...# ...### # .###. ... .###. ####. .##. .##. .####. .#. .#### #..# ..... .....

Ħ       Ŋ     ŋ    Ŧ     ŧ
.#...#. #...# .... ##### .#.
####### ##..# .... ..#.. .#.
.#...#. ##..# ###. ..#.. ###
.#####. #.#.# #..# .###. .#.
.#...#. #..## #..# ..#.. ###
.#...#. #..## #..# ..#.. .#.
.#...#. #...# #..# ..#.. .##
....... ....# ...# ..... ...
....... ..##. .##. ..... ...
"""  # noqa: RUF001 - letters, not their likenesses

# Drawn wider where every stroke is two pixels wide.
_ROOMY_BANDS = """
M       W       N      m       w
#.....# #.....# #....# ....... .......
##...## #.....# ##...# ....... .......
#.#.#.# #.....# #.#..# ######. #.....#
#..#..# #..#..# #.#..# #..#..# #.....#
#.....# #..#..# #..#.# #..#..# #..#..#
#.....# ##.#.## #...## #..#..# #..#..#
#.....# .#...#. #....# #..#..# .##.##.
"""

_ALL = f"{_BANDS}{other_scripts.BANDS}"
_ROOMY = f"{_ROOMY_BANDS}{other_scripts.ROOMY_BANDS}"

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
_SAME_PICTURE = str.maketrans("‘’‚“”„—đĐ−", '\'\',"""–ðÐ-')  # noqa: RUF001 - these are the letters meant
_SAME_PICTURE.update({0x1F1E6 + n: 65 + n for n in range(26)})  # a flag is drawn as the letters of its country
_DOTLESS = str.maketrans("ij", "ıȷ")  # a mark above takes the place of the dot
_BOX = ("#####", "#...#", "#...#", "#...#", "#...#", "#...#", "#####")

Pixels = NDArray[np.bool_]


@lru_cache(maxsize=REMEMBERED_TEXTS)
def can_draw(text: str) -> bool:
    """Return whether every letter of a text has a picture, here or in the system's font."""
    return all(letter == " " or _drawing(letter) is not None for letter in letters(text))


@cache
def letter_pixels(letter: str, *, roomy: bool = False) -> tuple[Pixels, int]:
    """Return one letter, (rows, columns) bool, and how many of its rows stand above the line: CAP_ROWS, or more.

    letter: one of `lettering.letters`. All have DROP_ROWS rows below the line. roomy: with gaps that
    stay open where every stroke is drawn one pixel wider.
    """
    if letter == " ":
        return np.zeros((CAP_ROWS + DROP_ROWS, SPACE_COLUMNS), dtype=np.bool_), CAP_ROWS
    return _drawing(letter, roomy=roomy) or (_picture(_BOX), CAP_ROWS)


@cache
def _drawing(letter: str, *, roomy: bool = False) -> tuple[Pixels, int] | None:
    """Return what `letter_pixels` does, None where there is no picture."""
    base, marks = _parts(letter)
    pixels = _pictures(_ROOMY).get(base) if roomy else None
    pixels = _pictures().get(base) if pixels is None else pixels
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
    whole = unicodedata.normalize("NFD", letter.translate(_SAME_PICTURE))
    base, marks = whole[:1].translate(other_scripts.SHARED_PICTURES), whole[1:]
    crowned = any(mark in _MARKS_ABOVE for mark in marks)
    return (base.translate(_DOTLESS) if crowned else base), marks


@cache
def _pictures(bands: str = _ALL) -> dict[str, Pixels]:
    found = {}
    for band in bands.strip().split("\n\n"):
        letters_of, *rows = (line.split() for line in band.splitlines())
        for letter, picture in zip(letters_of, zip(*rows, strict=True), strict=True):
            found[letter] = _picture(picture)
    return found


def _picture(rows: tuple[str, ...]) -> Pixels:
    """Return the pixels of rows of `#`, with empty rows below the line if there are none."""
    lit = np.array([[dot == "#" for dot in row] for row in rows], dtype=np.bool_)
    return np.pad(lit, ((0, CAP_ROWS + DROP_ROWS - len(rows)), (0, 0)))


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
    """Put a mark below a letter."""
    hung = np.array([[dot == "#" for dot in row] for row in mark], dtype=np.bool_)
    whole = np.pad(pixels, ((0, 0), (0, max(0, hung.shape[1] - pixels.shape[1]))))
    left = (whole.shape[1] - hung.shape[1] + 1) // 2
    whole[-DROP_ROWS:, left : left + hung.shape[1]] |= hung
    return whole
