"""What a recording learns of each turn of the loop: the match, the answers, and what people were shown."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, Protocol

from tabletop.core.ports import Edge, Frame
from tabletop.core.values import Reading
from tabletop.dialogs.commands import TakeLine, Tap
from tabletop.interpret import TableMemory
from tabletop.session.match_session import MatchSession


class RecordSink(Protocol):
    """Keeps what a recording consists of; `tabletop.replay.Recorder` is one. Neither method waits for anything."""

    def add_frame(self, frame: Frame, reading: Reading) -> None:
        """Take a frame and its reading, in pixels."""

    def turned(self, now_s: float, frame: Frame | None, edges: Sequence[Edge], changes: Mapping[str, Any]) -> None:
        """Take a turn of the loop and what is new in it."""

    @property
    def current_notice(self) -> str:
        """What people should know about the recording now, in one line; empty while there is nothing."""


class TurnRecorder:
    """Passes on what is new in each turn.

    notes: where it goes. taps: what people pressed in this turn without a button, in its order. decided: whether
    something was decided on the page, which no edge, tap or frame can repeat: the match is noted as it stands then.
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
        """Note the match that is played from this frame on, before the frame has changed it."""
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
        """Note a turn, unless nothing is new in it.

        frame: the one that was processed. menu: whether a dialog has the buttons. busy: whether a button may be down.
        """
        taps, decided, self.taps, self.decided = self.taps, self.decided, [], False
        changes: dict[str, Any] = {}
        now: dict[str, Any] = {"menu": menu}
        if session is not None:
            now |= {"attention": memory_json(session.tray.memory), "hint": session.notices.hint}
            now["laying"] = laying_json(session)
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
        """Return what people should know about the recording and have not seen yet; empty for nothing."""
        before, self._said = self._said, self.notes.current_notice
        return self._said if self._said != before else ""


def memory_json(memory: TableMemory) -> dict[str, Any]:
    """Return what decides which dice count, as JSON: null for a time that never was."""
    spent_s = memory.ignored_until_s if isfinite(memory.ignored_until_s) else None
    changes = {"spent_s": spent_s, "counted_s": memory.counted_s, "laid": list(memory.kept_faces)}
    return changes | ({"paused": True} if memory.paused else {})


def memory_from(changes: Mapping[str, Any]) -> TableMemory:
    """Return the memory that `memory_json` wrote."""
    spent_s = float("-inf") if changes["spent_s"] is None else float(changes["spent_s"])
    return TableMemory(spent_s, changes["counted_s"], tuple(changes["laid"]), paused=bool(changes.get("paused")))


def laying_json(session: MatchSession) -> dict[str, Any] | None:
    """Return whose die is whose, or is still to be laid, as JSON; None if no player is asked to lay one."""
    owners = session.owners
    if not (owners.registers or owners.colours or owners.entered_by_hand):
        return None
    return {"colours": dict(owners.colours), "lays": owners.registers, "tells": owners.entered_by_hand}


def take_laying(laying: Mapping[str, Any] | None, session: MatchSession) -> bool:
    """Restore what `laying_json` returned; return whether that changes anything. None: nothing was written."""
    if laying is None or laying == laying_json(session):
        return False
    session.owners.restore(laying["colours"], registers=bool(laying["lays"]), entered_by_hand=bool(laying["tells"]))
    return True
