"""Names, numbers and faces entered with two buttons: HOLD steps, BANK takes, long BANK goes back. Pure.

A name is put together letter by letter, a number digit by digit, a throw die by die. The letters that most often follow
the last one, "done" and "erase" stand before the alphabet, so that HOLD reaches them at once; if it cannot be done, the
reason stands there instead. "done" comes first once there are letters enough for a short name. The accents of the
letter written last stand behind "accent".
"""

import unicodedata
from dataclasses import dataclass, replace
from functools import cache
from string import ascii_lowercase, digits

from tabletop.core.message import say
from tabletop.core.ports import Press
from tabletop.core.values import FACES
from tabletop.rules import Request, Throw
from tabletop.rules.names import LONGEST_NAME
from tabletop.views.oled.font import can_draw
from tabletop.views.snapshot import Entry, Snapshot, Spelling

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


NO_DIE = 0  # counted up to after the six, where what lies there may not be a die at all


@dataclass(frozen=True, slots=True)
class FaceEntry:
    """What was entered so far.

    due: (player, number of dice), in the order in which they are entered; never empty, no number below 1. faces:
    entered so far. face: counted up to. doubtful: the thing may not be a die (`NO_DIE`). joint: a joint throw, of which
    sometimes only one player is left.
    """

    due: tuple[tuple[str, int], ...]
    faces: tuple[int, ...] = ()
    face: int = FACES[0]
    doubtful: bool = False
    joint: bool = False

    @staticmethod
    def of(request: Request) -> "FaceEntry":
        """Begin with the throw that is due; in a joint throw the players enter their dice in seat order."""
        if isinstance(request.dice, int):
            return FaceEntry(((request.player or "", request.dice),))
        return FaceEntry(tuple(request.dice.items()), joint=True)

    def step_to(self, face: int) -> "FaceEntry":
        """Return the entry with this face counted up to; the same if the die cannot show it."""
        return replace(self, face=face) if face in self._all_faces else self

    def press(self, press: Press) -> "FaceEntry":
        """Return the entry after a press; a repeated press, a long HOLD and a press too many change nothing."""
        if press.repeat or self.complete:
            return self
        if press.button == "bank":
            if press.long:
                return replace(self, faces=self.faces[:-1], face=self.faces[-1]) if self.faces else self
            return replace(self, faces=(*self.faces, self.face), face=FACES[0])
        return self if press.long else replace(self, face=self._after(self.face))

    def takes(self, press: Press) -> bool:
        """Return whether a press is meant for the dice: a long HOLD is the menu's, a long BANK at first undo's."""
        return press.button == "bank" and bool(self.faces) if press.long else True

    @property
    def complete(self) -> bool:
        """Whether every die was entered."""
        return len(self.faces) == sum(count for _, count in self.due)

    @property
    def throw(self) -> Throw:
        """The throw that was entered, once it is complete."""
        if not self.joint:
            return Throw(tuple(sorted(self.faces)))
        entered, own = iter(self.faces), dict[str, tuple[int, ...]]()
        for who, count in self.due:
            own[who] = tuple(sorted(next(entered) for _ in range(count)))
        return Throw(own)

    @property
    def entry(self) -> Entry:
        """What views draw: the dice of the player whose turn it is to enter."""
        before = 0
        for who, count in self.due:
            if len(self.faces) < before + count:
                return Entry(who, self.faces[before:], count, self.face)
            before += count
        who, count = self.due[-1]
        return Entry(who, self.faces[-count:], count, self.face)

    def _after(self, face: int) -> int:
        return self._all_faces[(self._all_faces.index(face) + 1) % len(self._all_faces)]

    @property
    def _all_faces(self) -> tuple[int, ...]:
        return (*FACES, NO_DIE) if self.doubtful else FACES
