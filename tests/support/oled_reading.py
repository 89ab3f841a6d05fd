"""Texts read back from a picture of the small screen, by its letters alone: nothing is known of where they stand.

    [found.text for found in read(draw(snapshot))]     # ["Ann", "+21", "roll", "bank", ...]

Each letter in each size is laid over every place of the picture; letters that fit exactly and follow one another at the
distance of print make a text. What is dark on lit ground is read as well. 0 and O are one picture, and read as 0; an
ellipsis is three dots.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tabletop.views.oled.font import CAP_ROWS, FIGURE_ROWS, SPACE_COLUMNS, figures, letter_pixels
from tabletop.views.oled.text import BIG, FIGURE_AIR, GIANT, HUGE, NUMBER, SMALL, TALL, TRIM, WIDE_NUMBER, Size, ink

Pixels = NDArray[np.bool_]

SIZES = (WIDE_NUMBER, NUMBER, GIANT, HUGE, BIG, TALL, TRIM, SMALL)
LETTERS = "".join(map(chr, range(0x21, 0x7F))).replace("O", "").replace("|", "") + "ÄÖÜäöüßÉéŚśćĆèêàçñ"
STRIDE = 192  # bits of a row: the screen's, and room for any letter beside it
SCREEN_PX = 128
STROKES = set("lI1!")  # not where the stroke goes on below: the edge of a die
QUOTES = set("'`\"")  # before a blank they are no text: the top of a letter of a larger one beside it
NO_WORD = set("'`\"-_.,:;!~^*…()[]/\\<>=+")  # a text of these alone may be part of anything drawn


@dataclass(frozen=True, slots=True)
class Found:
    """A text as read: its top left pixel, columns and rows, and whether it is dark on lit ground."""

    text: str
    x: int
    y: int
    width: int
    height: int
    inverse: bool


@dataclass(frozen=True, slots=True)
class _Glyph:
    """A letter in one size. lit, dark: bits of a picture that must be so. step: columns to the next letter."""

    letter: str
    lit: tuple[int, ...]
    dark: tuple[int, ...]
    step: int
    pixels: Pixels
    above: int


_Onward = tuple[int, str, tuple[tuple[int, _Glyph], ...]]
"""How much ink, the text, and each letter with its column."""


def read(picture: Pixels, letters: str = LETTERS) -> tuple[Found, ...]:
    """Return the texts of a picture, (height, 128) bool, the largest first."""
    found: list[Found] = []
    for inverse in (False, True):
        shown = picture ^ inverse
        taken = np.zeros_like(picture)
        lit, blank = _Moved(_bits(shown)), _Moved(~_bits(shown))
        chains = [chain for size in SIZES for chain in _chains(shown, (lit, blank), size, letters, rimmed=inverse)]
        chains.sort(key=lambda chain: (-chain.rows, -chain.ink))
        for chain in chains:
            if not (taken & chain.mask).any():
                taken |= chain.mask
                found.append(Found(chain.text, chain.x, chain.y, chain.width, chain.rows, inverse))
    return tuple(found)


def as_read(text: str) -> str:
    """Return a text as it would be read."""
    return text.replace("O", "0").replace("…", "...").replace("–", "-")  # noqa: RUF001 - the dash is meant


@dataclass(frozen=True, slots=True, eq=False)
class _Chain:
    """Letters in a row that read as a text. mask: its lit pixels; rows: of a capital."""

    text: str
    x: int
    y: int
    width: int
    rows: int
    ink: int
    mask: Pixels


@cache
def _glyphs(size: Size, letters: str) -> tuple[_Glyph, ...]:
    found = []
    for letter in letters:
        if size.figures and letter not in figures():
            continue
        drawn = ink(letter, size)
        columns = figures()[letter].shape[1] if size.figures else letter_pixels(letter, roomy=size.heavy)[0].shape[1]
        step = columns * size.across + FIGURE_AIR if size.figures else (columns + 1 + size.heavy) * size.across
        pixels = drawn.pixels
        hangs = bool(pixels[drawn.above :].any())
        pixels = pixels if hangs else pixels[: drawn.above]
        bits = [y * STRIDE + x for y, x in zip(*np.nonzero(pixels), strict=True)]
        dark = [y * STRIDE + x for y, x in zip(*np.nonzero(~pixels), strict=True)]
        found.append(_Glyph(letter, tuple(map(int, bits)), tuple(map(int, dark)), step, pixels, drawn.above))
    return tuple(found)


class _Moved(dict[int, int]):
    """A picture as one number, moved by so many bits: all letters ask for the same few hundred."""

    def __init__(self, bits: int) -> None:
        super().__init__()
        self._bits = bits

    def __missing__(self, by: int) -> int:
        moved = self[by] = self._bits >> by
        return moved


def _chains(shown: Pixels, moved: tuple[_Moved, _Moved], size: Size, letters: str, *, rimmed: bool) -> Iterator[_Chain]:
    """Yield the texts that stand in this size, each as long as it goes. rimmed: only below a rim, as labels are.

    moved: the picture's lit pixels, and its blank ones.
    """
    lit, blank = moved
    lines: dict[int, dict[int, list[_Glyph]]] = defaultdict(lambda: defaultdict(list))
    for glyph in _glyphs(size, letters):
        places = lit[glyph.lit[0]]
        for bit in glyph.lit[1:]:
            places &= lit[bit]
            if not places:
                break
        else:
            for bit in glyph.dark:
                places &= blank[bit]
                if not places:
                    break
        while places:
            last = places.bit_length() - 1
            places ^= 1 << last
            y, x = divmod(last, STRIDE)
            if x < SCREEN_PX and _stands(shown, glyph, x, y, rimmed=rimmed):
                lines[y + glyph.above][x].append(glyph)
    space = 0 if size.figures else (SPACE_COLUMNS + 1 + size.heavy) * size.across
    for base, at in lines.items():
        yield from _longest(shown, base, at, space, _rows(size))


def _stands(shown: Pixels, glyph: _Glyph, x: int, y: int, *, rimmed: bool) -> bool:
    """Tell whether what fits is no part of something else. rimmed: it must lie below the rim of a lit box."""
    end, base = x + glyph.pixels.shape[1], y + glyph.above
    if glyph.letter in STROKES and base < shown.shape[0] and shown[base, x:end].any():
        return False
    return not rimmed or (y > 0 and not shown[y - 1, x:end].any())


def _rows(size: Size) -> int:
    """Return how high a capital is."""
    return FIGURE_ROWS * size.down if size.figures else CAP_ROWS * size.down - size.trimmed


def _longest(shown: Pixels, base: int, at: dict[int, list[_Glyph]], space: int, rows: int) -> Iterator[_Chain]:
    """Yield the chains of letters on one line, each with as much ink as may be."""
    best: dict[int, _Onward] = {}
    for x in sorted(at, reverse=True):
        for glyph in at[x]:
            onward: list[_Onward] = [(0, "", ())]
            for gap, between in ((0, ""), (space, " ")):
                after = best.get(x + glyph.step + gap)
                if after is not None and (gap == 0 or space):
                    onward.append((after[0], between + after[1], after[2]))
            more = max(onward, key=lambda run: run[0])
            total = int(glyph.pixels.sum()) + more[0]
            if x not in best or total > best[x][0]:
                best[x] = total, glyph.letter + more[1], ((x, glyph), *more[2])
    for x, (total, text, parts) in best.items():
        if not set(text) - NO_WORD - {" "} or (text[0] in QUOTES and text[1:2] == " "):
            continue
        mask = np.zeros_like(shown)
        for left, glyph in parts:
            top = base - glyph.above
            mask[top : top + glyph.pixels.shape[0], left : left + glyph.pixels.shape[1]] |= glyph.pixels
        end = parts[-1][0] + parts[-1][1].pixels.shape[1]
        around = shown[max(0, base - rows) : base]
        apart = not (around[:, x - 1].any() if x else False) and not (
            around[:, end].any() if end < SCREEN_PX else False
        )
        if apart and (len(text) > 1 or not _touched(shown, mask)):
            yield _Chain(text, x, base - rows, end - x, rows, total, mask)


def _touched(shown: Pixels, mask: Pixels) -> bool:
    """Tell whether anything lit lies right beside a letter that stands alone."""
    wide = np.pad(mask, 1)
    near = wide[:-2, 1:-1] | wide[2:, 1:-1] | wide[1:-1, :-2] | wide[1:-1, 2:]
    return bool((near & shown & ~mask).any())


def _bits(shown: Pixels) -> int:
    """Return a picture as one number: the pixel in row y and column x is bit y * STRIDE + x."""
    rows = np.zeros((shown.shape[0], STRIDE), dtype=np.bool_)
    rows[:, : shown.shape[1]] = shown
    return int.from_bytes(np.packbits(rows, axis=1, bitorder="little").tobytes(), "little")
