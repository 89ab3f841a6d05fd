"""Teach an unknown die face by face: HOLD steps through the faces, BANK records the one that is up.

Each face is shown three times, in any order; long BANK takes back the newest. A `Teacher` looks at the die: it crops
the die and stores it with the face that the user names.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import median

import numpy as np
from numpy.typing import NDArray

from tabletop.core import FACES, ports, say
from tabletop.dialogs.commands import Decision, Dialog, MenuAction
from tabletop.views.snapshot import MenuView, Snapshot
from tabletop.vision import classifier, reader
from tabletop.vision.own_dice import Marks, Sample, stacked, upright

TIMES = 3  # per face, at different places and angles
LAY = say("lay the die in the tray, any face up")


@dataclass(frozen=True, slots=True)
class Teaching:
    """The faces taught so far.

    look: called with a face to look at the die; returns why it failed, empty on success. forget: called to drop the
    newest look. shown: the faces so far, in order. face: the selected face. note: a line about the last press.
    """

    look: Callable[[int], str]
    forget: Callable[[], None]
    shown: tuple[int, ...] = ()
    face: int = FACES[0]
    note: str = LAY

    def step_to(self, at: int) -> "Teaching":
        """Return the dialog with this line selected, from 0."""
        return replace(self, face=FACES[at])

    def press(self, press: ports.Press) -> Dialog | Decision:
        """Handle a press; return the next dialog, or the end once every face was shown often enough."""
        if press.button == "hold":
            return replace(self, face=FACES[self.face % len(FACES)], note=LAY)
        if press.long or press.repeat:
            return self if press.repeat else self._taken_back()
        if hindrance := self.look(self.face):
            return replace(self, note=hindrance)
        shown = (*self.shown, self.face)
        left = [face for face in FACES if shown.count(face) < TIMES]
        if not left:
            return MenuAction.QUIT
        face = self.face if self.face in left else left[0]
        return replace(self, shown=shown, face=face, note=say("taken: turn it, or lay another face up"))

    def _taken_back(self) -> Dialog | Decision:
        """Return what is asked without the newest look; if there is none, the end."""
        if not self.shown:
            return MenuAction.QUIT
        self.forget()
        return replace(self, shown=self.shown[:-1], face=self.shown[-1], note=say("taken back"))

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot of this dialog."""
        items = tuple(say("{n}: shown {n2} of {n3}", n=face, n2=self.shown.count(face), n3=TIMES) for face in FACES)
        menu = MenuView(say("Which face is up?"), items, self.face - 1, self.note, weighty=True)
        return Snapshot(hold=say("next"), bank=say("take"), menu=menu)


Picture = NDArray[np.uint8]

# A candidate is taken for the die from this probability on: the user says that there is one. Of eighteen dice with
# numerals, at the size the networks expect, the least likely had 0.005.
THERE, THERE_OF_SIZE = 0.05, 0.003
RIVAL = 0.6  # probability from which another candidate may be the die
NO_PICTURE = say("no picture yet: is the camera connected?")
NO_DIE = say("no die is seen: lay one in the tray")
TWO_DICE = say("more than one die is seen: leave only one")


class Teacher:
    """Looks at one die at a time and collects samples.

    look: the name of the dice's appearance. picture: returns the newest picture (H, W, 3), None if there is none yet.
    die_px: returns the edge of a die in a picture, None if unknown: a digit is then easily mistaken for the die.
    networks: None for the built-in ones.
    """

    def __init__(
        self,
        look: str,
        picture: Callable[[], Picture | None],
        die_px: Callable[[Picture], float | None] = lambda _: None,
        networks: reader.Networks | None = None,
    ) -> None:
        self.samples: list[Sample] = []
        self._look, self._picture, self._die_px, self._networks = look, picture, die_px, networks
        self._sizes: list[float] = []

    def look(self, face: int) -> str:
        """Store a sample of the die with this face; return why that failed, empty on success."""
        picture = self._picture()
        if picture is None:
            return NO_PICTURE
        die_px = self._die_px(picture) or (median(self._sizes) if self._sizes else None)
        found = reader.find_dice(picture, die_px=die_px, expect=1, networks=self._networks).found
        if not found or found[0].chance < (THERE if die_px is None else THERE_OF_SIZE):
            return NO_DIE
        if any(_apart(candidate, found[0]) and candidate.chance >= RIVAL for candidate in found[1:]):
            return TWO_DICE
        self.samples.append(Sample(upright(picture, found[0]), face, self._look))
        self._sizes.append(found[0].size)
        return ""

    def forget(self) -> None:
        """Drop the newest sample."""
        self.samples.pop()
        self._sizes.pop()

    def confused(self) -> tuple[tuple[int, int], ...]:
        """Return the pairs of faces that look alike, the smaller face first."""
        if not self.samples:
            return ()
        return Marks(stacked(self.samples), np.array([sample.face for sample in self.samples])).confused()

    @property
    def missing(self) -> tuple[int, ...]:
        """The faces not shown yet."""
        return tuple(face for face in FACES if all(sample.face != face for sample in self.samples))


def _apart(candidate: classifier.Found, other: classifier.Found) -> bool:
    return max(abs(candidate.x - other.x), abs(candidate.y - other.y)) > other.size
