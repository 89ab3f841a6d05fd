"""A die that nobody could know is shown face by face: HOLD steps through the faces, BANK takes the one that is up.

Each face is shown three times, in any order; long BANK takes the newest back. Who looks at the die is told by
functions, so that this stays pure.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from tabletop.core.message import say
from tabletop.core.ports import Press
from tabletop.core.values import FACES
from tabletop.dialogs.decisions import Decision, Dialog, MenuAction
from tabletop.views.snapshot import MenuView, Snapshot

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
