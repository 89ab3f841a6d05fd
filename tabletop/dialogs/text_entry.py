"""A name put together letter by letter, and a number digit by digit: HOLD steps, BANK takes, long BANK goes back.

The letters that most often follow the last one, "done" and "erase" stand before the alphabet, so that HOLD reaches them
at once; if it cannot be done, the reason stands there instead. "done" comes first once there are letters enough for
a short name. The accents of the letter written last stand behind "accent".
"""

import unicodedata
from dataclasses import dataclass, replace
from functools import cache
from string import ascii_lowercase, digits

from tabletop.core.message import say
from tabletop.core.ports import Press
from tabletop.rules.names import LONGEST_NAME
from tabletop.views.oled.font import can_draw
from tabletop.views.snapshot import Snapshot, Spelling

DONE, ERASE, ACCENT = say("done"), say("erase"), say("accent")
TAKEN = say("taken")  # in the place of "done": somebody else has this name
HYPHEN = "-"  # the next letter is a capital again
LATIN = range(0xC0, 0x180)  # Latin-1's letters and Latin Extended-A in Unicode
DIAERESIS = "\u0308"
SHORT_NAME = 3  # letters
# The letters that follow each most often, counted in 186 first names common in Germany and Britain (guessed for q, x, y
# and z): a name is spelled with 49 presses on average so, with 69 without.
_FOLLOW = (
    "anrs|beia|chal|dair|elrn|frai|geai|haei|iane|jaoe|kael|laie|maio"
    "|naie|onrl|pahe|quai|riae|sate|tehi|ulir|viea|weai|xaie|yvao|zaei"
)
FOLLOWING = {letters[0]: letters[1:] for letters in _FOLLOW.split("|")}
# by the letter they are a form of: those that are whole in Unicode, or stand elsewhere
UNMARKED = {"a": "æ", "d": "ðđ", "h": "ħ", "l": "ł", "n": "ŋ", "o": "øœ", "s": "ßș", "t": "þŧț"}


@dataclass(frozen=True, slots=True)
class TextEntry:
    """What is being written.

    text: what stands. taken: names that somebody at the table has. least, most: the range of a number; without them a
    name is written. at: how far HOLD has stepped. accented: the letters stepped through are those of the last one.
    """

    title: str
    text: str = ""
    taken: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    at: int = 0
    accented: bool = False

    def step_to(self, at: int) -> "TextEntry":
        """Return it with this line stepped to, from 0."""
        return replace(self, at=at)

    def press(self, press: Press) -> "TextEntry | str | None":
        """Return what is being written after this press; the text once it is done; None if somebody goes back."""
        letters = self.letters
        if press.button == "hold":
            return replace(self, at=(self.at + 1) % len(letters))
        if press.repeat:
            return self
        if press.long:
            return replace(self, at=0, accented=False) if self.accented else None
        return self._take(letters[self.at])

    @property
    def letters(self) -> tuple[str, ...]:
        """What HOLD steps through now."""
        if self.accented:
            return (self.text[-1], *accents(self.text[-1]))
        words = [self.wrong or DONE, ERASE] if self.text else []
        if self.least is not None or self.most is not None:
            return (*words, *(digits if len(self.text) < len(str(self.most)) else ""))
        words += [ACCENT] if self.text and accents(self.text[-1]) else []
        if len(self.text) == LONGEST_NAME:
            return tuple(words)
        if not self.text or self.text.endswith(HYPHEN):
            return (*words, *ascii_lowercase.upper(), *digits, *(HYPHEN if self.text else ""))
        likely = FOLLOWING.get(_plain(self.text[-1]).lower(), "")
        done = len(self.text) >= SHORT_NAME
        return (*words[:done], *likely, *words[done:], *ascii_lowercase, *digits, HYPHEN)

    @property
    def wrong(self) -> str:
        """Why this cannot be done as it stands, in a word in the place of "done"; empty if it can."""
        if self.least is None or self.most is None:
            return TAKEN if self.text in self.taken else ""
        number = int(self.text or 0)
        return (
            say("from {n}", n=self.least)
            if number < self.least
            else say("up to {n}", n=self.most)
            if number > self.most
            else ""
        )

    @property
    def snapshot(self) -> Snapshot:
        """What views draw of it."""
        return Snapshot(
            hold=say("next"), bank=say("take"), spelling=Spelling(self.title, self.text, self.letters, self.at)
        )

    def _take(self, letter: str) -> "TextEntry | str":
        if self.accented:
            return replace(self, text=self.text[:-1] + letter, at=0, accented=False)
        if letter == DONE:
            return self.text
        if letter == self.wrong:
            return self
        if letter == ACCENT:
            return replace(self, at=1, accented=True)
        if letter == ERASE:
            shorter = replace(self, text=self.text[:-1], at=0)
            return replace(shorter, at=shorter.letters.index(ERASE)) if shorter.text else shorter
        return replace(self, text=self.text + letter, at=0)


@cache
def accents(letter: str) -> tuple[str, ...]:
    """Return what this letter may be instead: without a mark, or with one that the small screen can draw."""
    plain = _plain(letter)
    others = UNMARKED.get(plain.lower(), "")
    cased = others if plain.islower() else "".join(other.upper() for other in others if len(other.upper()) == 1)
    marked = [chr(code) for code in LATIN if _marks(chr(code)) and _plain(chr(code)) == plain]
    umlauts_first = sorted(marked, key=lambda found: _marks(found) != DIAERESIS)
    found = dict.fromkeys((plain, *umlauts_first, *cased))
    return tuple(other for other in found if other != letter and can_draw(other))


def _plain(letter: str) -> str:
    """Return the letter of the alphabet that this is a form of."""
    base = next((base for base, others in UNMARKED.items() if letter.lower() in others), "")
    if base:
        return base.upper() if letter.isupper() else base
    return unicodedata.normalize("NFD", letter)[:1]


def _marks(letter: str) -> str:
    return unicodedata.normalize("NFD", letter)[1:]
