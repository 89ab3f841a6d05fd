"""Replay a recording with the current code, and report which decisions would differ.

Every frame, edge and iteration of the loop is replayed at its time. What cannot be repeated (a match chosen from the
store's menus) is taken from the recording. If a decision differs it is reported, and the match continues as recorded,
so that one difference does not cause all the others.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from tabletop.cameras.opening import Absent
from tabletop.core import InputError, Reading
from tabletop.core.ports import Edge, Frame, Press
from tabletop.dialogs.commands import Decision, Dialog, Inbox, MenuAction, TakeLine, Tap
from tabletop.input.presses import Presses
from tabletop.perception.frame_reader import ReadFrame
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.replay.recording import Line, Recording, Shot, edge_from, time_of
from tabletop.rules import Event, Match
from tabletop.session import camera_thread, film_loop, match_session, observer, table_loop
from tabletop.views.snapshot import Snapshot


class ScriptedButtons:
    """Returns the edges in `waiting`, once, and without bouncing."""

    def __init__(self) -> None:
        self.waiting: list[Edge] = []

    def edges(self) -> Sequence[Edge]:
        """Return and remove the waiting edges, oldest first."""
        given, self.waiting = self.waiting, []
        return given

    def listen(self, call: Callable[[], None]) -> None:
        """Do nothing: a script knows when it adds edges."""

    def close(self) -> None:
        """Do nothing."""


READ_NEAR_S = 1.5  # a reading that differs this shortly before a different decision may be its reason


class ReplayReader:
    """Reads the frames of a recording; for frames whose picture was not stored it returns the recorded reading.

    read: reads a frame, as in `PerceptionPipeline`.
    """

    def __init__(self, read: ReadFrame) -> None:
        self._read = read
        self._shot: Shot | None = None
        self._otherwise: tuple[float, str, str] | None = None

    def frames(self, shots: Sequence[Shot]) -> Iterator[Frame]:
        """Yield the frames of these shots, one by one; for a shot without a picture, a unique placeholder."""
        for shot in shots:
            self._shot, pixels, reading = shot, shot.pixels, shot.reading
            if pixels is None:
                pixels = np.zeros((reading.height, reading.width, 3), np.uint8)
                pixels += np.arange(reading.width, dtype=np.uint8)[None, :, None]  # a black one would not be looked at
                pixels[0, 0] = [shot.number >> bits & 0xFF for bits in (16, 8, 0)]
            yield Frame(pixels, shot.time_s, shot.at_rest)

    def __call__(
        self, frame: NDArray[np.uint8], *, time_s: float, die_px: float | None, expect: int | None, fixed_size: bool
    ) -> Reading:
        """Return the reading of the frame that is looked at now."""
        if self._shot is not None and self._shot.pixels is None:
            return replace(self._shot.reading, time_s=time_s)
        return self._read(frame, time_s=time_s, die_px=die_px, expect=expect, fixed_size=fixed_size)

    def compare(self, shots: Sequence[Shot], seen: Sequence[FrameResult]) -> None:
        """Note the newest frame whose reading differs now."""
        for shot, result in zip(shots, seen, strict=False):
            then, now = _faces(shot.reading), _faces(result.pixel_reading)
            if then != now:
                self._otherwise = shot.time_s, then, now

    def otherwise(self, time_s: float) -> tuple[str, str] | None:
        """Return the recorded and the current reading, if they differ shortly before this time."""
        if self._otherwise is None or self._otherwise[0] < time_s - READ_NEAR_S:
            return None
        return self._otherwise[1:]


def _faces(reading: Reading) -> str:
    return " ".join([*map(str, sorted(die.face for die in reading.dice)), *["?"] * len(reading.unsure)]) or "nothing"


PATIENCE_S = 1.0  # a decision that comes this much earlier or later is the same


@dataclass(frozen=True, slots=True)
class DecisionDifference:
    """A decision that would differ now.

    number: of the event in the log of its match, from 1. time_s: since the recording began. then, now: None for no
    event. read: (recorded reading, current reading) shortly before, None if they are equal.
    """

    number: int
    time_s: float
    then: Event | None
    now: Event | None
    read: tuple[str, str] | None = None


@dataclass(slots=True)
class Counted:
    """Counts of a replay. blind: frames without a picture, for which the recorded reading was used."""

    frames: int = 0
    blind: int = 0
    events: int = 0


class RecordingReplay:
    """Replays a recording.

    played: the recording. read: reads a frame, as in `PerceptionPipeline`. look_on: called with each result.
    """

    def __init__(
        self, played: Recording, read: ReadFrame, look_on: Callable[[FrameResult], None] | None = None
    ) -> None:
        self.counted, self._look_on = Counted(), look_on
        self._played, self._zero_s = played, played.span_s[0]
        self._eye = ReplayReader(read)
        watch = PerceptionPipeline(self._eye, played.profile)
        head = played.head
        self._way: _Film | _Table = _Film(watch) if head.get("way") == "film" else _Table(watch, head)
        self._then: deque[_Happened] = deque()
        self._now: deque[_Happened] = deque()
        self._base: Mapping[str, Any] | None = None
        self._log: list[Event] = []
        self._memory: Mapping[str, Any] | None = None
        self._laying: Mapping[str, Any] | None = None
        self._seen_log = 0

    def differences(self, progress: Callable[[float], None]) -> Iterator[DecisionDifference]:
        """Yield each decision that differs. progress: called with the time since the beginning, in seconds."""
        waiting: deque[Shot] = deque()
        for line in self._played.lines:
            progress(time_of(line) - self._zero_s)
            if "time" in line:
                waiting.append(self._played.shot(line))
            else:
                yield from self._turn(line, waiting)
        yield from self._compared(float("inf"))

    def _turn(self, line: Line, waiting: deque[Shot]) -> Iterator[DecisionDifference]:
        shots = list[Shot]()
        while waiting and line["frame"] is not None and waiting[0].number <= line["frame"]:
            shots.append(waiting.popleft())
        self.counted.frames += len(shots)
        self.counted.blind += sum(shot.pixels is None for shot in shots)
        now_s = float(line["turn"])
        edges = [edge_from(data) for data in line.get("edges", ())]
        taps = [TakeLine(tap) if isinstance(tap, int) else Press(*tap) for tap in line.get("taps", ())]
        seen = self._way.turn(now_s, self._eye.frames(shots), edges, taps)
        self._eye.compare(shots, seen)
        if self._look_on is not None:
            for one in seen:
                self._look_on(one)
        self._note_now(now_s)
        self._memory = line.get("attention", self._memory)
        self._laying = line.get("laying", None if "match" in line else self._laying)
        for data in line.get("events", ()):
            self._log.append(Event.from_json(data))
            self._then.append(_Happened(now_s, len(self._log), self._log[-1]))
            self.counted.events += 1
        if "match" in line:
            yield from self._compared(float("inf"))
            self._base = line["match"]
            self._log = [Event.from_json(data) for data in line["match"]["log"]]
            self._go_on_as_then()
        else:
            self._lay_as_then(line)
            if line.get("menu") is False:
                self._way.close_menu(self._memory)
        yield from self._compared(now_s)

    def _lay_as_then(self, line: Line) -> None:
        """Take over whose die is whose, if that was found then."""
        session = self._way.session
        if session is None or "laying" not in line or not observer.restore_owners(line["laying"], session):
            return
        if self._memory is not None:
            session.tray.memory = observer.memory_from(self._memory)

    def _note_now(self, now_s: float) -> None:
        session = self._way.session
        if session is None:
            return
        for number, event in enumerate(session.match.log[self._seen_log :], start=self._seen_log + 1):
            self._now.append(_Happened(now_s, number, event))
        self._seen_log = len(session.match.log)

    def _compared(self, now_s: float) -> Iterator[DecisionDifference]:
        """Yield the first difference that is certain by now, and go on as it went then."""
        while self._then and self._now and _same(self._then[0], self._now[0]):
            self._then.popleft()
            self._now.popleft()
        both = bool(self._then and self._now)
        oldest_s = min((happened[0].time_s for happened in (self._then, self._now) if happened), default=now_s)
        if not both and now_s - oldest_s <= PATIENCE_S:
            return
        then, now = (happened[0] if happened else None for happened in (self._then, self._now))
        happened = then or now
        if happened is None:
            return
        events = then.event if then else None, now.event if now else None
        at_s = happened.time_s - self._zero_s
        yield DecisionDifference(happened.number, at_s, *events, self._eye.otherwise(oldest_s))
        self._go_on_as_then()

    def _go_on_as_then(self) -> None:
        self._then.clear()
        self._now.clear()
        if self._base is None:
            return
        match = Match.replay(self._base["game"], self._base["players"], self._base["options"], self._log)
        memory = observer.memory_from(self._memory) if self._memory is not None else None
        session = match_session.MatchSession(match, number=0, memory=memory)
        observer.restore_owners(self._laying, session)
        self._way.begin(session)
        self._seen_log = len(match.log)


@dataclass(frozen=True, slots=True)
class _Happened:
    time_s: float
    number: int
    event: Event


def _same(happened: _Happened, other: _Happened) -> bool:
    data, again = happened.event, other.event
    alike = (data.kind, data.player, data.value) == (again.kind, again.player, again.value)
    return alike and abs(happened.time_s - other.time_s) <= PATIENCE_S


class _Film:
    """A film, photographs or simulated players: one frame a turn, and no menus."""

    def __init__(self, watch: PerceptionPipeline) -> None:
        self.session: match_session.MatchSession | None = None
        self._watch, self._presses = watch, Presses()

    def begin(self, session: match_session.MatchSession) -> None:
        """Play this match."""
        self.session = session

    def turn(
        self, now_s: float, frames: Iterator[Frame], edges: Sequence[Edge], taps: Sequence[Tap]
    ) -> list[FrameResult]:
        """Play a turn again."""
        presses = [*self._presses.feed(edges, now_s), *(tap for tap in taps if isinstance(tap, Press))]
        if self.session is None:
            return [self._watch.process(frame) for frame in frames]
        return [film_loop.step(frame, self._watch, self.session, presses) for frame in frames]

    def close_menu(self, memory: Mapping[str, Any] | None) -> None:
        """Do nothing: there is none."""


class _Table:
    """People at a table: the same loop in which they played."""

    def __init__(self, watch: PerceptionPipeline, head: Mapping[str, Any]) -> None:
        self._watch, self._edges = watch, ScriptedButtons()
        self._now_s = 0.0
        self._inbox = Inbox(lambda: self._now_s)
        self._watcher = camera_thread.CameraThread(Absent(), watch)
        self._table = table_loop.TableLoop(
            self._watcher,
            [self._edges],
            dict.fromkeys((*get_args(Decision), *MenuAction), lambda *_: _RecordedMenu()),
            _RecordedMenu,
            no_camera=bool(head.get("no_camera")),
            inbox=self._inbox,
        )
        self._table.begin(None)

    @property
    def session(self) -> match_session.MatchSession | None:
        """The match that is played."""
        return self._table.session

    def begin(self, session: match_session.MatchSession) -> None:
        """Play this match."""
        self._table.begin(session)

    def turn(
        self, now_s: float, frames: Iterator[Frame], edges: Sequence[Edge], taps: Sequence[Tap]
    ) -> list[FrameResult]:
        """Play a turn again."""
        self._now_s = now_s
        for tap in taps:
            self._inbox.put(tap)
        seen = [self._watch.process(frame, self._watcher.expect) for frame in frames]
        for result in seen:
            self._watcher.publish(result)
        self._edges.waiting.extend(edges)
        with suppress(InputError):  # a menu that leads elsewhere
            self._table.tick(now_s)
        return seen

    def close_menu(self, memory: Mapping[str, Any] | None) -> None:
        """Go on with the match, if people came back to it from a menu that cannot be repeated."""
        if isinstance(self._table.menu, _RecordedMenu) and self.session is not None:
            self._table.menu = None
            if memory is not None:
                self.session.tray.memory = observer.memory_from(memory)


class _RecordedMenu:
    """Stands for menus that read the store: what was decided there is in the recording."""

    @property
    def snapshot(self) -> Snapshot:
        """Nothing to see."""
        return Snapshot()

    def step_to(self, _: int) -> "_RecordedMenu":
        """Stay."""
        return self

    def press(self, press: Press) -> Dialog | Decision:  # noqa: ARG002 - whatever it is
        """Stay."""
        return self
