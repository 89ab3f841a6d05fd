"""Manual entry of faces with the buttons: every throw without a camera, or a single unreadable die."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import hypot

from tabletop.core import errors, message, ports, values
from tabletop.dialogs.commands import SetFace
from tabletop.dialogs.entries import FaceEntry
from tabletop.dialogs.event_text import tray_drawing
from tabletop.interpret.unreadable import place
from tabletop.perception.pipeline import FrameResult
from tabletop.rules import Answer, Throw
from tabletop.session.match_session import MatchSession
from tabletop.views.snapshot import Asking, Snapshot, TrayDrawing

COUNT, ACCEPT, SET_DIE = (
    message.say("count"),
    message.say("accept"),
    message.say("set die"),
)  # button labels on the bottom line


@dataclass(frozen=True, slots=True)
class _DoubtEntry:
    """A die that cannot be read, when it came, and what was entered for it so far."""

    unsure: values.Unsure
    arrived_s: float
    entering: FaceEntry


class ManualEntry:
    """The manual entry in progress.

    no_camera: every throw is entered by hand; otherwise only an unreadable die, after BANK was pressed for it.
    """

    def __init__(self, *, no_camera: bool) -> None:
        self.no_camera = no_camera
        self._throw: tuple[tuple[int, int], FaceEntry] | None = None  # restarts when the question changes
        self._doubt: _DoubtEntry | None = None
        self._drawn: tuple[object, TrayDrawing | None] | None = None

    def press(self, press: ports.Press, session: MatchSession) -> bool:
        """Handle a press meant for the entry; return False if it means something else."""
        if self._of_doubt(session) is not None:
            return self._press_for_doubt(press, session)
        doubt = session.doubt
        if doubt is not None and press == ports.Press("bank"):
            unsure, arrived_s = doubt
            where = (
                message.say("die {place}", place=place(unsure, session.tray.rest))
                if session.tray.rest
                else message.say("die")
            )
            self._doubt = _DoubtEntry(unsure, arrived_s, FaceEntry(((where, 1),), doubtful=True))
            return True
        entering = self._of_throw(session)
        if entering is None or not entering.takes(press):
            return False
        entering = entering.press(press)
        self._throw = (session.journal.asked, entering)
        if entering.complete:
            session.answer(entering.throw)
        return True

    def enter(self, face: int, session: MatchSession) -> None:
        """Enter a face for the current die, as HOLD and BANK would; does nothing if the face is not allowed."""
        if self._doubt is not None and self._of_doubt(session) is not None:
            self._doubt = replace(self._doubt, entering=self._doubt.entering.step_to(face))
        elif (entering := self._of_throw(session)) is not None:
            self._throw = (session.journal.asked, entering.step_to(face))
        self.press(ports.Press("bank"), session)

    def set_face(self, decision: SetFace, seen: FrameResult | None, session: MatchSession) -> None:
        """Accept a face from the user for an unreadable die; raises StaleError if the die is no longer there."""
        found = None if seen is None or session.by_hand else _doubtful(decision, seen, session.tray.rest)
        if found is None:
            raise errors.StaleError("expected a die that cannot be read at this place, got none there")
        self._doubt = None
        session.enter_face(*found, decision.face)

    def takes(self, session: MatchSession, answers: Iterable[Answer]) -> bool:
        """Return whether these answers may be given by hand: a throw only if throws are entered by hand."""
        return self._of_throw(session) is not None or not any(isinstance(answer, Throw) for answer in answers)

    def shown(self, now: Snapshot, session: MatchSession) -> Snapshot:
        """Return the snapshot with the entered faces and the button labels added."""
        doubt = self._of_doubt(session)
        entry = doubt or self._of_throw(session)
        if entry is not None:
            asking = None if doubt else Asking(session.journal.asked, "roll", due=entry.due, joint=entry.joint)
            return replace(now, entry=entry.entry, asking=asking, hold=COUNT, bank=ACCEPT)
        return replace(now, bank=SET_DIE) if session.doubt is not None else now

    def tray(self, session: MatchSession) -> TrayDrawing | None:
        """Return the drawing of the tray that marks the unreadable die; None if all dice are readable.

        The drawing stays the same object while the same dice are there, regardless of noise in the readings.
        """
        doubt, rest = session.doubt, session.tray.rest
        if doubt is None or rest is None:
            if session.tray.rest is not None or self._of_doubt(session) is None:
                self._drawn = None
            return self._drawn[1] if self._drawn else None
        asked = self._doubt.unsure if self._doubt is not None else doubt[0]
        near = min(rest.reading.unsure, key=lambda unsure: values.distance_in_edges(unsure, asked))
        faces = tuple(die.face for die in rest.reading.dice)
        key = (faces, rest.arrived_s, rest.unsure_arrived_s, rest.reading.unsure.index(near))
        if self._drawn is None or self._drawn[0] != key:
            self._drawn = key, tray_drawing(rest, (near,))
        return self._drawn[1]

    def _press_for_doubt(self, press: ports.Press, session: MatchSession) -> bool:
        if self._doubt is None or (press.button == "hold" and press.long):
            return False
        doubt = self._doubt
        entering = doubt.entering.press(press)
        self._doubt = None if press.long or entering.complete else replace(doubt, entering=entering)
        if entering.complete:
            session.enter_face(doubt.unsure, doubt.arrived_s, entering.faces[0])
        return True

    def _of_doubt(self, session: MatchSession) -> FaceEntry | None:
        """Return what was entered for the doubtful die; a hand that nudges it ends the entry."""
        if self._doubt is None:
            return None
        if session.tray.rest is not None and (session.doubt is None or session.doubt[1] != self._doubt.arrived_s):
            self._doubt = None
            return None
        return self._doubt.entering

    def _of_throw(self, session: MatchSession) -> FaceEntry | None:
        request = session.match.request
        enters = self.no_camera or (session.owners.entered_by_hand and not isinstance(request.dice, int))
        if not enters or request.kind != "roll" or session.tray.memory.paused:
            return None
        at = session.journal.asked
        if self._throw is None or self._throw[0] != at:
            self._throw = (at, FaceEntry.of(request))
        return self._throw[1]


def _doubtful(decision: SetFace, seen: FrameResult, rest: values.Rest | None) -> tuple[values.Unsure, float] | None:
    """Return what lies at this place of the picture and cannot be read, with when it came; None for nothing."""
    if rest is None or not seen.unsure:
        return None
    pointed, there = min(
        zip(seen.pixel_reading.unsure, seen.unsure, strict=True),
        key=lambda pair: hypot(pair[0].x - decision.x, pair[0].y - decision.y),
    )
    if hypot(pointed.x - decision.x, pointed.y - decision.y) > pointed.size:
        return None
    return next(
        (pair for pair in rest.dated_unsure if values.distance_in_edges(pair[0], there) <= values.SAME_DIE_EDGES), None
    )
