"""A table in a simulated living room: which throws it took, when, and which were really made.

The simulated people behave well: if a throw is not taken because a die cannot be read, they nudge that die, at most
`MOST_NUDGES` times, and then enter its face with the buttons.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random

import numpy as np
from numpy.typing import NDArray

from tabletop.config.profile import place
from tabletop.core.ports import Frame
from tabletop.core.values import SAME_DIE_EDGES, Die, Reading, Rest, distance_in_edges
from tabletop.interpret import TableMemory, on_rest
from tabletop.interpret.dice_state import as_counted
from tabletop.interpret.joint import ENTERED_COLOUR
from tabletop.interpret.unreadable import EnteredFace, with_entered_faces
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.rules import Answer, Keep, Request, Throw
from tabletop.simulator.tray import HEIGHT_PX, WIDTH_PX, profile_of
from tabletop.vision.reader import read
from tools.room.room import Room, any_room
from tools.room.world import RoomWorld, WorldTruth
from tools.scenarios.mix import READ, SCENARIOS, SETTLED, UNSOLVED, Expected, any_pace

Faces = tuple[int, ...]
MOST_FRAMES = 3000  # of one scenario; none lasts this long
MOST_NUDGES = 3  # of one throw
PEER_AFTER_S = 0.1  # a peer reads a rest this long after it began

Read = Callable[[NDArray[np.uint8]], Reading]


@dataclass
class EvaluationResult:
    """The outcome of some scenarios.

    wrong, missed, false: one line each. asked: one line per nudge of an unreadable die. unread: one line whenever
    nudges did not help and people had to enter faces with the buttons. delays_s: from the first frame in which all
    expected dice lay still and in view to the throw being taken. early: throws taken while a die still leaned.
    peer_right, peer_rests: how many rests another reader got right from one frame of each, and of how many.
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
        """Add the outcome of other scenarios to this one."""
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
    """A simulated world and the table that watches it: waits for throws of all dice, or at a keep for those not kept.

    seen: called with each result and the truth, for an observer. peer: another reader, compared with ours.
    """

    def __init__(
        self,
        world: RoomWorld,
        *,
        rail: bool,
        seen: Callable[[FrameResult, WorldTruth], None] | None = None,
        peer: Read | None = None,
    ) -> None:
        self.world, self.dice = world, len(world.tray.pieces)
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
        self._observer, self._peer = seen, peer
        self._hand: Faces = ()
        self._entered: tuple[EnteredFace, ...] = ()
        self._whole_s = float("-inf")
        self._readable_s: float | None = None
        self._peer_rest_s: float | None = None

    def run(self, seconds: float) -> None:
        """Process frames for this many seconds, or until everything has settled (`SETTLED`)."""
        start_s = self.world.now_s
        for _ in range(MOST_FRAMES):
            over = not self.world.busy if seconds == SETTLED else self.world.now_s >= start_s + seconds
            if over:
                return
            self._frame()

    def unread(self) -> int | None:
        """Return the index of the first die in the tray that was not read at its place, None if all were."""
        dice = self.last.pixel_reading.dice if self.last else ()
        for die in self.world.truth().dice:
            if not any(distance_in_edges(seen, die) < SAME_DIE_EDGES for seen in dice):
                return die.index
        return None

    def enter_faces(self) -> bool:
        """Enter the faces that the table cannot read, as with the buttons; return whether there were any."""
        rest, true_dice = self.last.rest if self.last else None, self._true_dice()
        if rest is None:
            return False
        entered = tuple(
            EnteredFace(unsure, at_s, die.face)
            for unsure, at_s in zip(rest.reading.unsure, rest.unsure_arrived_s, strict=True)
            for die in true_dice
            if distance_in_edges(unsure, die) < SAME_DIE_EDGES
        )
        self._entered += entered
        return bool(entered)

    def _true_dice(self) -> tuple[Die, ...]:
        """Return the dice as they really lie, in the units of the rests."""
        dice = [Die(die.face, die.x, die.y, die.size, 0.0, "", 1.0) for die in self.world.truth().dice]
        seen = Reading(self.world.now_s, WIDTH_PX, HEIGHT_PX, tuple(dice))
        return (place(seen, self._profile) if self._profile else seen).dice

    def _frame(self) -> None:
        frame = self.world.camera.read()
        assert frame is not None
        self.frames += 1
        truth = self.world.truth()
        readable = truth.still and truth.free and not truth.leaning and len(truth.dice) == self.dice
        self._readable_s = (self._readable_s if self._readable_s is not None else frame.time_s) if readable else None
        self._read_by_peer(frame, truth)
        self.last = self.watch.process(frame, self.dice)
        if self._observer is not None:
            self._observer(self.last, truth)
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
                # Dice entered with the buttons take as long as people do.
                by_hand = any(die.colour == ENTERED_COLOUR for die in rest.reading.dice)
                if self._readable_s is not None and not by_hand:
                    self.delays_s.append(frame.time_s - self._readable_s)

    def _counted(self, rest: Rest | None) -> Rest | None:
        """Return the rest as a match sees it: with entered faces, and with turned dice as they were counted."""
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
        """Return whether a keep and a throw make up all dice, as in games in which the dice not kept are thrown."""
        if len(answers) != 2:  # noqa: PLR2004 - a keep and a throw: stopping is not allowed here
            return False
        keep, throw = answers
        if not (isinstance(keep, Keep) and isinstance(throw, Throw)):
            return False
        return not Counter(keep.faces) - Counter(self._hand) and len(keep.faces) + len(throw.faces) == self.dice

    def _read_by_peer(self, frame: Frame, truth: WorldTruth) -> None:
        readable_s = self._readable_s
        if (
            self._peer is None
            or readable_s is None
            or readable_s == self._peer_rest_s
            or frame.time_s < readable_s + PEER_AFTER_S
        ):
            return
        self._peer_rest_s = readable_s
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
    """Play these scenarios one after another in one room and return their outcome.

    chance: the random generator. dice: how many. fps: frames per second. room, rail: random if not given; rail: whether
    the tray has a profile. seen: called with the scenario, each result and the truth, for an observer. peer: another
    reader, compared with ours on one frame of each rest.
    """
    room, pace = room or any_room(chance), any_pace(chance)
    rail = chance.random() < 0.5 if rail is None else rail  # noqa: PLR2004 - half of the tables have a profile
    world = RoomWorld(dice, chance=chance, room=room, pace=pace, fps=fps)
    now = ""
    observer = (lambda frame_result, truth: seen(now, frame_result, truth)) if seen else None
    run = EvaluationRun(world, rail=rail, seen=observer, peer=peer)
    result = EvaluationResult()
    run.run(0.5)
    for n, name in enumerate(names):
        now, before, expected = f"{n} {name}", len(run.taken), Expected(rail=rail)
        for wait_s in _steps(name, world, chance, expected, run):
            if wait_s == READ:
                _help(run, result, expected, before, now)
            else:
                run.run(wait_s)
        _help(run, result, expected, before, now)
        _score(result, expected, [faces for _, faces in run.taken[before:]], now)
    result.delays_s, result.frames, result.early = run.delays_s, run.frames, run.early
    result.peer_right, result.peer_rests = sum(run.peer), len(run.peer)
    return result


def _steps(name: str, world: RoomWorld, chance: Random, expected: Expected, run: EvaluationRun) -> Iterator[float]:
    for wait_s in (SCENARIOS | UNSOLVED)[name](world, chance, expected):
        run.keeping = expected.keeping
        yield wait_s
    run.keeping = False


def _help(run: EvaluationRun, result: EvaluationResult, expected: Expected, before: int, where: str) -> None:
    """Nudge an unread die while the throw is not taken, and enter its face if that does not help."""
    due = len(expected.throws) - len(expected.maybe)
    for _ in range(MOST_NUDGES):
        got, index = [faces for _, faces in run.taken[before:]], run.unread()
        if index is None or (len(got) >= due and got[-1] == expected.throws[-1]):
            return
        result.asked.append(f"{where}: {run.hint}")
        run.world.nudge(index)
        run.run(SETTLED)
        run.run(1.0)
    if run.enter_faces():
        result.unread.append(f"{where}: {run.hint}")
        run.run(0.5)


def _score(result: EvaluationResult, expected: Expected, got: list[Faces], where: str) -> None:
    result.throws += len(expected.throws)
    if any(got == due for due in _allowed_lists(expected)):
        return
    line = f"{where}: thrown {expected.throws}, taken {got}"
    if len(got) > len(expected.throws):
        result.false.append(line)
    elif len(got) < len(expected.throws) - len(expected.maybe):
        result.missed.append(line)
    else:
        result.wrong.append(line)


def _allowed_lists(expected: Expected) -> Iterator[list[Faces]]:
    """Yield each list of throws that may be taken: all of them, or without some that nobody could be sure to see."""
    for size in range(len(expected.maybe) + 1):
        for out in combinations(sorted(expected.maybe), size):
            yield [faces for n, faces in enumerate(expected.throws) if n not in out]
