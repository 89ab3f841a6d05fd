"""A table that watches a simulated living room: which throws it took, when, and which were truly made.

Its people do what a good table's people do: where a throw is not taken because a die cannot be read, they nudge that
die, at most `MOST_NUDGES` times, and then say with the buttons what it shows.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random

import numpy as np
from numpy.typing import NDArray

from tabletop.config.profile import place
from tabletop.core.geometry import SAME_DIE_EDGES, distance_in_edges
from tabletop.core.ports import Frame
from tabletop.core.values import Die, Reading, Rest
from tabletop.interpret import TableMemory, on_rest
from tabletop.interpret.joint import ENTERED_COLOUR
from tabletop.interpret.moved_dice import as_counted
from tabletop.interpret.unreadable import EnteredFace, with_entered_faces
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.rules import Answer, Keep, Request, Throw
from tabletop.simulator.room.config import Room, any_room
from tabletop.simulator.room.world import World, WorldTruth
from tabletop.simulator.scenarios.mix import READ, SCENARIOS, SETTLED, UNSOLVED, Expected, any_pace
from tabletop.simulator.tray.tray import HEIGHT_PX, WIDTH_PX
from tabletop.simulator.tray.tray_profile import profile_of
from tabletop.vision.reader import read

Faces = tuple[int, ...]
MOST_FRAMES = 3000  # of one scenario; none lasts so long
MOST_NUDGES = 3
PEER_AFTER_S = 0.1  # a peer looks at a rest so long after it began

Read = Callable[[NDArray[np.uint8]], Reading]


@dataclass
class EvaluationResult:
    """What came of some scenarios.

    wrong, missed, false: one line each. asked: how often people had to nudge a die that could not be read. unread: how
    often that did not help, and they had to say with the buttons what dice show that the table named. delays_s: from
    the first frame in which all dice that are due lay still and in view to the throw being taken. early: throws taken
    while a die still leaned. peer_right, peer_rests: what another reader made of one frame of each rest.
    """

    throws: int = 0
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    false: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    early: int = 0
    delays_s: list[float] = field(default_factory=list)
    peer_right: int = 0
    peer_rests: int = 0
    frames: int = 0

    def add(self, other: "EvaluationResult") -> None:
        """Put what came of other scenarios to this."""
        self.throws += other.throws
        self.early += other.early
        self.peer_right += other.peer_right
        self.peer_rests += other.peer_rests
        self.frames += other.frames
        self.wrong += other.wrong
        self.missed += other.missed
        self.false += other.false
        self.unread += other.unread
        self.asked += other.asked
        self.delays_s += other.delays_s


class EvaluationRun:
    """A world, and the table that watches it: it waits for throws of all dice, or at a keep for what is not kept.

    seen: called with each frame and what was made of it, to look on. peer: another reader, compared with ours.
    """

    def __init__(
        self,
        world: World,
        *,
        rail: bool,
        seen: Callable[[FrameResult, WorldTruth], None] | None = None,
        peer: Read | None = None,
    ) -> None:
        self.world, self.dice = world, world.tray.count
        self._profile = profile_of(world.tray) if rail else None
        self.watch = PerceptionPipeline(read, self._profile)
        self.memory = TableMemory()
        self.taken: list[tuple[float, Faces]] = []
        self.keeping = False
        self.hint = ""
        self.last: FrameResult | None = None
        self.delays_s: list[float] = []
        self.early = 0
        self.peer: list[bool] = []
        self.frames = 0
        self._look_on, self._peer = seen, peer
        self._hand: Faces = ()
        self._entered: tuple[EnteredFace, ...] = ()
        self._whole_s = float("-inf")
        self._readable_s: float | None = None
        self._peer_saw: float | None = None

    def run(self, seconds: float) -> None:
        """Let frames come for this long, or until all is over."""
        begin_s = self.world.now_s
        for _ in range(MOST_FRAMES):
            over = not self.world.busy if seconds == SETTLED else self.world.now_s >= begin_s + seconds
            if over:
                return
            self._frame()

    def unread(self) -> int | None:
        """Return the first die of the tray that was not read where it lies, None if all were."""
        dice = self.last.pixel_reading.dice if self.last else ()
        for die in self.world.truth().dice:
            if not any(distance_in_edges(one, die) < SAME_DIE_EDGES for one in dice):
                return die.index
        return None

    def enter_faces(self) -> bool:
        """Say with the buttons what the dice show that the table cannot read; return whether it named any."""
        rest, true = self.last.rest if self.last else None, self._true()
        if rest is None:
            return False
        entered = tuple(
            EnteredFace(one, at_s, die.face)
            for one, at_s in zip(rest.reading.unsure, rest.unsure_arrived_s, strict=True)
            for die in true
            if distance_in_edges(one, die) < SAME_DIE_EDGES
        )
        self._entered += entered
        return bool(entered)

    def _true(self) -> tuple[Die, ...]:
        """Return the dice as they truly lie, in the units of the rests."""
        dice = [Die(die.face, die.x, die.y, die.size, 0.0, "", 1.0) for die in self.world.truth().dice]
        seen = Reading(self.world.now_s, WIDTH_PX, HEIGHT_PX, tuple(dice))
        return (place(seen, self._profile) if self._profile else seen).dice

    def _frame(self) -> None:
        frame = self.world.camera.read()
        assert frame is not None  # noqa: S101 - nobody closes this camera
        self.frames += 1
        truth = self.world.truth()
        readable = truth.still and truth.free and not truth.leaning and len(truth.dice) == self.dice
        self._readable_s = (self._readable_s if self._readable_s is not None else frame.time_s) if readable else None
        self._peer_looks(frame, truth)
        self.last = self.watch.process(frame, self.dice)
        if self._look_on is not None:
            self._look_on(self.last, truth)
        rest = self._counted(self.last.rest)
        if rest is None:
            return
        outcome = on_rest(self._request(), self.memory, rest, self.taken[-1][1] if self.keeping else (), self._allowed)
        self.memory, self.hint = outcome.memory, outcome.hint
        kept = next((answer.faces for answer in outcome.answers if isinstance(answer, Keep)), ())
        for answer in outcome.answers:
            if isinstance(answer, Throw) and isinstance(answer.faces, tuple):
                self.taken.append((frame.time_s, answer.faces))
                self._hand = tuple(sorted((*kept, *answer.faces)))
                self.early += truth.leaning
                by_hand = any(die.colour == ENTERED_COLOUR for die in rest.reading.dice)  # as long as people take
                if self._readable_s is not None and not by_hand:
                    self.delays_s.append(frame.time_s - self._readable_s)

    def _counted(self, rest: Rest | None) -> Rest | None:
        """Return the rest as a match sees it: what people said is in it, and dice that were turned are as counted."""
        if rest is None:
            return None
        counted = as_counted(with_entered_faces(rest, self._entered), self.memory, self._whole_s)
        self._whole_s = rest.reading.time_s if counted.whole else self._whole_s
        return counted.rest

    def _request(self) -> Request:
        if not self.keeping:
            return Request("roll", "Ann", self.dice)
        parts = {part for size in range(self.dice) for part in combinations(self._hand, size)}
        return Request("keep", "Ann", self.dice, legal=tuple(sorted(parts, key=lambda part: (-len(part), part))))

    def _allowed(self, answers: tuple[Answer, ...]) -> bool:
        """Return whether a keep and a throw are together all dice, as in games where what is not kept is thrown."""
        if len(answers) != 2:  # noqa: PLR2004 - a keep and a throw: nobody may stop here
            return False
        keep, throw = answers
        if not (isinstance(keep, Keep) and isinstance(throw, Throw)):
            return False
        return not Counter(keep.faces) - Counter(self._hand) and len(keep.faces) + len(throw.faces) == self.dice

    def _peer_looks(self, frame: Frame, truth: WorldTruth) -> None:
        begun_s = self._readable_s
        if self._peer is None or begun_s is None or begun_s == self._peer_saw or frame.time_s < begun_s + PEER_AFTER_S:
            return
        self._peer_saw = begun_s
        reading = self._peer(frame.pixels)
        self.peer.append(tuple(sorted(die.face for die in reading.dice)) == truth.faces)


def watch_world(
    names: Sequence[str],
    chance: Random,
    *,
    dice: int = 5,
    fps: float = 30.0,
    room: Room | None = None,
    rail: bool | None = None,
    seen: Callable[[str, FrameResult, WorldTruth], None] | None = None,
    peer: Read | None = None,
) -> EvaluationResult:
    """Play these scenarios one after the other in one room and return what came of them.

    room, rail: drawn by chance where they are not given. seen: called with the scenario and each frame, to look on.
    peer: another reader, compared with ours on one frame of each rest.
    """
    room, pace = room or any_room(chance), any_pace(chance)
    rail = chance.random() < 0.5 if rail is None else rail  # noqa: PLR2004 - half of the tables have a profile
    world = World(dice, chance=chance, room=room, pace=pace, fps=fps)
    now = ""
    look_on = (lambda one, truth: seen(now, one, truth)) if seen else None
    watcher = EvaluationRun(world, rail=rail, seen=look_on, peer=peer)
    watched = EvaluationResult()
    watcher.run(0.5)
    for n, name in enumerate(names):
        now, before, expected = f"{n} {name}", len(watcher.taken), Expected(rail=rail)
        for wait_s in _steps(name, world, chance, expected, watcher):
            if wait_s == READ:
                _helped(watcher, watched, expected, before, now)
            else:
                watcher.run(wait_s)
        _helped(watcher, watched, expected, before, now)
        _judged(watched, expected, [faces for _, faces in watcher.taken[before:]], now)
    watched.delays_s, watched.frames, watched.early = watcher.delays_s, watcher.frames, watcher.early
    watched.peer_right, watched.peer_rests = sum(watcher.peer), len(watcher.peer)
    return watched


def _steps(name: str, world: World, chance: Random, expected: Expected, watcher: EvaluationRun) -> Iterator[float]:
    for wait_s in (SCENARIOS | UNSOLVED)[name](world, chance, expected):
        watcher.keeping = expected.keeping
        yield wait_s
    watcher.keeping = False


def _helped(watcher: EvaluationRun, watched: EvaluationResult, expected: Expected, before: int, where: str) -> None:
    """Nudge what was not read as long as the throw is not taken, and say what it shows where that does not help."""
    due = len(expected.throws) - len(expected.maybe)
    for _ in range(MOST_NUDGES):
        got, index = [faces for _, faces in watcher.taken[before:]], watcher.unread()
        if index is None or (len(got) >= due and got[-1] == expected.throws[-1]):
            return
        watched.asked.append(f"{where}: {watcher.hint}")
        watcher.world.nudge(index)
        watcher.run(SETTLED)
        watcher.run(1.0)
    if watcher.enter_faces():
        watched.unread.append(f"{where}: {watcher.hint}")
        watcher.run(0.5)


def _judged(watched: EvaluationResult, expected: Expected, got: list[Faces], where: str) -> None:
    watched.throws += len(expected.throws)
    if any(got == due for due in _allowed_lists(expected)):
        return
    line = f"{where}: thrown {expected.throws}, taken {got}"
    if len(got) > len(expected.throws):
        watched.false.append(line)
    elif len(got) < len(expected.throws) - len(expected.maybe):
        watched.missed.append(line)
    else:
        watched.wrong.append(line)


def _allowed_lists(expected: Expected) -> Iterator[list[Faces]]:
    """Yield what may be taken: all throws, those left out that nobody could surely see."""
    for size in range(len(expected.maybe) + 1):
        for out in combinations(sorted(expected.maybe), size):
            yield [faces for n, faces in enumerate(expected.throws) if n not in out]
