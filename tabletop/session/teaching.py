"""An unknown die is shown face by face: HOLD steps through the faces, BANK takes the one that is up.

Each face is shown three times, in any order; long BANK takes the newest back. Who looks at the die is a
`Teacher`: it cuts the die out and keeps it with the face that people say is up.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import median

import numpy as np
from numpy.typing import NDArray

from tabletop.core.message import say
from tabletop.core.ports import Press
from tabletop.core.values import FACES
from tabletop.dialogs.commands import Decision, Dialog, MenuAction
from tabletop.views.snapshot import MenuView, Snapshot
from tabletop.vision.classifier import Found
from tabletop.vision.own_dice import Marks, Sample, stacked, upright
from tabletop.vision.reader import Networks, find_dice

TIMES = 3  # each face is shown, at other places and turns
LAY = say("lay the die in the tray, any face up")


@dataclass(frozen=True, slots=True)
class Teaching:
    """What was shown so far.

    look: called with a face when the die is to be looked at; returns why that cannot be, empty if it was. forget:
    called to take the newest look back. shown: the faces so far, in their order. face: stepped to. note: a line about
    the last press.
    """

    look: Callable[[int], str]
    forget: Callable[[], None]
    shown: tuple[int, ...] = ()
    face: int = FACES[0]
    note: str = LAY

    def step_to(self, at: int) -> "Teaching":
        """Return it with this line stepped to, from 0."""
        return replace(self, face=FACES[at])

    def press(self, press: Press) -> Dialog | Decision:
        """Return what is asked after this press; once every face was shown often enough, the end."""
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
        """What views draw of it."""
        items = tuple(say("{n}: shown {n2} of {n3}", n=face, n2=self.shown.count(face), n3=TIMES) for face in FACES)
        menu = MenuView(say("Which face is up?"), items, self.face - 1, self.note, weighty=True)
        return Snapshot(hold=say("next"), bank=say("take"), menu=menu)


Picture = NDArray[np.uint8]

# Chance of a die from which the likeliest candidate is taken for it: people say that one is there. Of eighteen dice
# with numerals, as large as the networks were told, the least likely had 0.005.
THERE, THERE_OF_SIZE = 0.05, 0.003
RIVAL = 0.6  # chance of a die from which another candidate may be meant
NO_PICTURE = say("no picture yet: is the camera connected?")
NO_DIE = say("no die is seen: lay one in the tray")
TWO_DICE = say("more than one die is seen: leave only one")


class Teacher:
    """Looks at one die at a time.

    look: the name that the dice get. picture: returns the newest picture (H, W, 3), None if there is none yet.
    die_px: returns the edge of a die in a picture, None if unknown: then a digit is easily taken for the die.
    networks: None for the shipped ones.
    """

    def __init__(
        self,
        look: str,
        picture: Callable[[], Picture | None],
        die_px: Callable[[Picture], float | None] = lambda _: None,
        networks: Networks | None = None,
    ) -> None:
        self.samples: list[Sample] = []
        self._look, self._picture, self._die_px, self._networks = look, picture, die_px, networks
        self._sizes: list[float] = []

    def look(self, face: int) -> str:
        """Keep what lies there as showing this face; return why that cannot be, empty if it was."""
        picture = self._picture()
        if picture is None:
            return NO_PICTURE
        die_px = self._die_px(picture) or (median(self._sizes) if self._sizes else None)
        found = find_dice(picture, die_px=die_px, expect=1, networks=self._networks).found
        if not found or found[0].chance < (THERE if die_px is None else THERE_OF_SIZE):
            return NO_DIE
        if any(_apart(candidate, found[0]) and candidate.chance >= RIVAL for candidate in found[1:]):
            return TWO_DICE
        self.samples.append(Sample(upright(picture, found[0]), face, self._look))
        self._sizes.append(found[0].size)
        return ""

    def forget(self) -> None:
        """Take the newest look back."""
        self.samples.pop()
        self._sizes.pop()

    def confused(self) -> tuple[tuple[int, int], ...]:
        """Return the pairs of faces that cannot be told apart, the smaller first."""
        if not self.samples:
            return ()
        return Marks(stacked(self.samples), np.array([sample.face for sample in self.samples])).confused()

    @property
    def missing(self) -> tuple[int, ...]:
        """The faces that were not shown."""
        return tuple(face for face in FACES if all(sample.face != face for sample in self.samples))


def _apart(candidate: Found, other: Found) -> bool:
    return max(abs(candidate.x - other.x), abs(candidate.y - other.y)) > other.size
