"""The letters of a text, each with its marks, and the order in which they stand from left to right.

A name holds no blank, so each word has an order of its own: a score after a Hebrew name stays at its right.
"""

import unicodedata

JOINER = "\u200d"  # puts several emoji together into one
ADDED = frozenset(  # what only changes the picture before it: variation selectors, shades of skin, tags of a flag
    map(chr, (*range(0xFE00, 0xFE10), *range(0x1F3FB, 0x1F400), *range(0xE0020, 0xE0080), 0x200C, 0x200D))
)
ELLIPSIS = "…"
MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")


def letters(text: str) -> tuple[str, ...]:
    """Return the letters of a text in the order in which they are read, in Unicode's form NFC.

    With each stand its marks and all that is put together with it into one emoji.
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
    """Return whether a sign is no letter of its own: a mark, or what changes the picture before it."""
    return sign in ADDED or unicodedata.category(sign).startswith("M")


def in_drawing_order(text: str) -> tuple[str, ...]:
    """Return the letters of a text from left to right: in each word what runs from right to left is turned round.

    A simple form of Unicode's bidirectional algorithm (UAX 9), for words that stand in a text from left to right.
    """
    found = letters(text)
    if not any(map(_from_right, found)):
        return found
    placed: list[str] = []
    at = 0
    while at < len(found):
        end = _end_of_run(found, at) if _from_right(found[at]) else at + 1
        placed += _turned(found[at:end]) if _from_right(found[at]) else found[at:end]
        at = end
    return tuple(placed)


def _from_right(letter: str) -> bool:
    return unicodedata.bidirectional(letter[0]) == "R"


def _end_of_run(found: tuple[str, ...], start: int) -> int:
    """Return where what begins with a letter from right to left ends: after the last such one.

    Digits right behind it belong to it, and the ellipsis of a shortened name.
    """
    end = at = start + 1
    while at < len(found) and found[at] != " " and unicodedata.bidirectional(found[at][0]) != "L":
        digit = found[at].isdigit()
        at += 1
        if _from_right(found[at - 1]) or ((digit or found[at - 1] == ELLIPSIS) and end == at - 1):
            end = at
    return end


def _turned(run: tuple[str, ...]) -> list[str]:
    """Return a run of letters turned round, digits that stand together in their own order."""
    turned: list[str] = []
    number = 0  # digits before this one
    for letter in run:
        number = number + 1 if letter.isdigit() else 0
        turned.insert(max(0, number - 1), letter.translate(MIRRORED))
    return turned
