"""What a recording stores of each loop iteration: the match, the answers and the messages shown."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, Protocol

from tabletop.core.ports import Edge, Frame
from tabletop.core.values import Reading
from tabletop.dialogs.commands import TakeLine, Tap
from tabletop.interpret import TableMemory
from tabletop.session.match_session import MatchSession


class RecordSink(Protocol):
    """Stores a recording; `tabletop.replay.Recorder` is one. The methods never block."""

    def add_frame(self, frame: Frame, reading: Reading) -> None:
        """Add a frame and its reading, in pixels."""

    def turned(self, now_s: float, frame: Frame | None, edges: Sequence[Edge], changes: Mapping[str, Any]) -> None:
        """Add a loop iteration and its changes."""

    @property
    def current_notice(self) -> str:
        """A one-line message about the recording for the users; empty if there is none."""


class TurnRecorder:
    """Records the changes of each loop iteration.

    notes: the destination. taps: presses of this iteration not made with a button, in order. decided: whether a
    decision was made on the page, which no edge, tap or frame can reproduce: the match is then recorded as it is.
    """

    def __init__(self, notes: RecordSink) -> None:
        self.notes = notes
        self.taps: list[Tap] = []
        self.decided = False
        self._running: MatchSession | None = None
        self._log = 0
        self._known: dict[str, Any] = {"attention": None, "laying": None, "hint": "", "menu": False}
        self._options: dict[str, Any] = {}
        self._said = ""
        self._frame: Frame | None = None

    def begin(self, frame: Frame, session: MatchSession) -> None:
        """Record the match played from this frame on, before the frame changes it."""
        if session is not self._running:
            self.turn(frame.time_s, None, (), session, menu=False, busy=False)

    def turn(
        self,
        now_s: float,
        frame: Frame | None,
        edges: Sequence[Edge],
        session: MatchSession | None,
        *,
        menu: bool,
        busy: bool,
    ) -> None:
        """Record an iteration, unless nothing has changed.

        frame: the processed frame. menu: whether a dialog has the buttons. busy: whether a button may be down.
        """
        taps, decided, self.taps, self.decided = self.taps, self.decided, [], False
        changes: dict[str, Any] = {}
        now: dict[str, Any] = {"menu": menu}
        if session is not None:
            now |= {"attention": memory_json(session.tray.memory), "hint": session.notices.hint}
            now["laying"] = owners_json(session)
            match = session.match
            if decided or session is not self._running or match.options != self._options:
                log = [event.to_json() for event in match.log]
                about = {"game": match.game.id, "players": list(match.seated), "options": dict(match.options)}
                changes["match"] = {**about, "log": log}
                self._known |= {"attention": None, "laying": None}
                self._options = dict(match.options)
            elif len(match.log) > self._log:
                changes["events"] = [event.to_json() for event in match.log[self._log :]]
            self._running, self._log = session, len(match.log)
        changes |= {name: value for name, value in now.items() if value != self._known[name]}
        self._known |= now
        if taps:
            changes["taps"] = [tap.at if isinstance(tap, TakeLine) else [tap.button, tap.long] for tap in taps]
        if changes or edges or busy or frame is not self._frame:
            self._frame = frame
            self.notes.turned(now_s, frame, edges, changes)

    def news(self) -> str:
        """Return a message about the recording that has not been shown yet; empty if there is none."""
        before, self._said = self._said, self.notes.current_notice
        return self._said if self._said != before else ""


def memory_json(memory: TableMemory) -> dict[str, Any]:
    """Return the memory that decides which dice count, as JSON: null for a time that never was."""
    spent_s = memory.ignored_until_s if isfinite(memory.ignored_until_s) else None
    changes = {"spent_s": spent_s, "counted_s": memory.counted_s, "laid": list(memory.kept_faces)}
    return changes | ({"paused": True} if memory.paused else {})


def memory_from(changes: Mapping[str, Any]) -> TableMemory:
    """Return the memory that `memory_json` wrote."""
    spent_s = float("-inf") if changes["spent_s"] is None else float(changes["spent_s"])
    return TableMemory(spent_s, changes["counted_s"], tuple(changes["laid"]), paused=bool(changes.get("paused")))


def owners_json(session: MatchSession) -> dict[str, Any] | None:
    """Return the owners of dice, and whether any must still be laid down, as JSON; None if no player lays dice."""
    owners = session.owners
    if not (owners.registers or owners.colours or owners.entered_by_hand):
        return None
    return {"colours": dict(owners.colours), "lays": owners.registers, "tells": owners.entered_by_hand}


def restore_owners(laying: Mapping[str, Any] | None, session: MatchSession) -> bool:
    """Restore the result of `owners_json`; return whether that changes anything. None: nothing was recorded."""
    if laying is None or laying == owners_json(session):
        return False
    session.owners.restore(laying["colours"], registers=bool(laying["lays"]), entered_by_hand=bool(laying["tells"]))
    return True
