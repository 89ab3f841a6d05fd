"""Enter names and faces with two buttons: HOLD steps, BANK takes, long BANK goes back. Pure.

A name is entered letter by letter, a throw die by die. The letters that most often follow the last one, "done" and
"erase" come before the alphabet, so that HOLD reaches them at once; "taken" replaces "done" if somebody has this name.
"done" comes first once there are enough letters for a short name. The accents of the last letter follow after "accent".
"""

from dataclasses import dataclass, replace
from string import ascii_lowercase, digits

from tabletop.core import FACES, ports, say
from tabletop.rules import LONGEST_NAME, Request, Throw
from tabletop.views.snapshot import Entry, Snapshot, Spelling

DONE, ERASE, ACCENT = say("done"), say("erase"), say("accent")
TAKEN = say("taken")  # replaces "done": somebody else has this name
HYPHEN = "-"  # the next letter is a capital again
SHORT_NAME = 3  # letters
# The letters that most often follow each letter, counted in 186 first names common in Germany and Britain (guessed for
# q, x, y and z): spelling a name takes 49 presses on average instead of 69.
_FOLLOW = (
    "anrs|beia|chal|dair|elrn|frai|geai|haei|iane|jaoe|kael|laie|maio"
    "|naie|onrl|pahe|quai|riae|sate|tehi|ulir|viea|weai|xaie|yvao|zaei"
)
FOLLOWING = {letters[0]: letters[1:] for letters in _FOLLOW.split("|")}
# Each letter of the alphabet with its forms in European languages, umlauts first.
ACCENTED = (
    *("aäàáâãåæāăą", "cçćč", "dďđð", "eëèéêēėęě", "gğģ", "iïìíîīį", "kķ", "lłļľ", "nñńņň", "oöòóôõøőœ", "rŕř"),
    *("sßśşšș", "tťțþ", "uüùúûūůűų", "yÿý", "zźżž"),
)


@dataclass(frozen=True, slots=True)
class TextEntry:
    """A text being entered.

    text: the text so far. taken: names already at the table. at: the index of the letter that HOLD has stepped to.
    accented: HOLD steps through the forms of the last letter.
    """

    title: str
    text: str = ""
    taken: tuple[str, ...] = ()
    at: int = 0
    accented: bool = False

    def step_to(self, at: int) -> "TextEntry":
        """Return the entry with this line selected, from 0."""
        return replace(self, at=at)

    def press(self, press: ports.Press) -> "TextEntry | str | None":
        """Return the entry after this press; the text once it is done; None for going back."""
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
        """The letters that HOLD steps through now."""
        if self.accented:
            return (self.text[-1], *accents(self.text[-1]))
        words = [TAKEN if self.text in self.taken else DONE, ERASE] if self.text else []
        words += [ACCENT] if self.text and accents(self.text[-1]) else []
        if len(self.text) == LONGEST_NAME:
            return tuple(words)
        if not self.text or self.text.endswith(HYPHEN):
            return (*words, *ascii_lowercase.upper(), *digits, *(HYPHEN if self.text else ""))
        likely = FOLLOWING.get(_forms(self.text[-1])[0], "")
        done = len(self.text) >= SHORT_NAME
        return (*words[:done], *likely, *words[done:], *ascii_lowercase, *digits, HYPHEN)

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot of this entry."""
        return Snapshot(
            hold=say("next"), bank=say("take"), spelling=Spelling(self.title, self.text, self.letters, self.at)
        )

    def _take(self, letter: str) -> "TextEntry | str":
        if self.accented:
            return replace(self, text=self.text[:-1] + letter, at=0, accented=False)
        if letter == DONE:
            return self.text
        if letter == TAKEN:
            return self
        if letter == ACCENT:
            return replace(self, at=1, accented=True)
        if letter == ERASE:
            shorter = replace(self, text=self.text[:-1], at=0)
            return replace(shorter, at=shorter.letters.index(ERASE)) if shorter.text else shorter
        return replace(self, text=self.text + letter, at=0)


def accents(letter: str) -> tuple[str, ...]:
    """Return the other forms of this letter: without a mark, or with another one."""
    others = (other.upper() if letter.isupper() else other for other in _forms(letter) if other != letter.lower())
    return tuple(other for other in others if len(other) == 1)  # some have no capital


def _forms(letter: str) -> str:
    return next((forms for forms in ACCENTED if letter.lower() in forms), letter.lower())


NO_DIE = 0  # comes after the six if the object may not be a die at all


@dataclass(frozen=True, slots=True)
class FaceEntry:
    """The faces entered so far.

    due: (player, number of dice), in the order of entry; never empty, no number below 1. faces: entered so far. face:
    the selected face. doubtful: the object may not be a die (`NO_DIE`). joint: a joint throw, possibly with only one
    player left.
    """

    due: tuple[tuple[str, int], ...]
    faces: tuple[int, ...] = ()
    face: int = FACES[0]
    doubtful: bool = False
    joint: bool = False

    @staticmethod
    def of(request: Request) -> "FaceEntry":
        """Start an entry for the throw that is due; in a joint throw the players enter their dice in seat order."""
        if isinstance(request.dice, int):
            return FaceEntry(((request.player or "", request.dice),))
        return FaceEntry(tuple(request.dice.items()), joint=True)

    def step_to(self, face: int) -> "FaceEntry":
        """Return the entry with this face selected; unchanged if the die cannot show it."""
        return replace(self, face=face) if face in self._all_faces else self

    def press(self, press: ports.Press) -> "FaceEntry":
        """Return the entry after a press; repeats, a long HOLD and extra presses change nothing."""
        if press.repeat or self.complete:
            return self
        if press.button == "bank":
            if press.long:
                return replace(self, faces=self.faces[:-1], face=self.faces[-1]) if self.faces else self
            return replace(self, faces=(*self.faces, self.face), face=FACES[0])
        return self if press.long else replace(self, face=self._after(self.face))

    def takes(self, press: ports.Press) -> bool:
        """Return whether a press is meant for the dice: long HOLD opens the menu, long BANK without faces undoes."""
        return press.button == "bank" and bool(self.faces) if press.long else True

    @property
    def complete(self) -> bool:
        """Whether every die was entered."""
        return len(self.faces) == sum(count for _, count in self.due)

    @property
    def throw(self) -> Throw:
        """The entered throw, once it is complete."""
        if not self.joint:
            return Throw(tuple(sorted(self.faces)))
        entered, own = iter(self.faces), dict[str, tuple[int, ...]]()
        for who, count in self.due:
            own[who] = tuple(sorted(next(entered) for _ in range(count)))
        return Throw(own)

    @property
    def entry(self) -> Entry:
        """The entry for views: the dice of the player whose turn it is to enter."""
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
