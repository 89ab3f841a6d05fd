"""Faces entered with two buttons, die by die: HOLD counts up, BANK accepts. Pure.

For a table without a camera, where people throw real dice and the table is their score sheet, and for a single die that
the camera cannot read.
"""

from dataclasses import dataclass, replace

from tabletop.core.ports import Press
from tabletop.core.values import FACES
from tabletop.rules import Request, Throw
from tabletop.views.snapshot import Entry

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
