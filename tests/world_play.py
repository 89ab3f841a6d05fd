"""Watching a simulated living room: which throws were taken, when, and which were truly made."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from tabletop.interpret import Attention, on_rest
from tabletop.loop.watching import Watch
from tabletop.rules import Request, Throw
from tabletop.simulator.scenarios import SCENARIOS, SETTLED, Told
from tabletop.simulator.world import World
from tabletop.vision.eye import read

Faces = tuple[int, ...]
MOST_FRAMES = 3000  # of one scenario; none lasts so long


@dataclass
class Seen:
    """What came of some scenarios.

    delays_s: from the first frame in which all dice that are due lay still and in view to the throw being taken.
    """

    throws: int = 0
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    false: list[str] = field(default_factory=list)
    delays_s: list[float] = field(default_factory=list)


class Room:
    """A world, and the table that watches it and waits for throws of all its dice, one after the other."""

    def __init__(self, world: World, dice: int) -> None:
        self.world, self.dice = world, dice
        self.watch = Watch(read)
        self.attention = Attention()
        self.taken: list[tuple[float, Faces]] = []
        self.hints: list[str] = []
        self._readable_s: float | None = None
        self.delays_s: list[float] = []

    def run(self, seconds: float) -> None:
        """Let frames come for so long, or until all is over."""
        begin_s = self.world.now_s
        for _ in range(MOST_FRAMES):
            over = not self.world.busy if seconds == SETTLED else self.world.now_s >= begin_s + seconds
            if over:
                return
            self._frame()

    def _frame(self) -> None:
        frame = self.world.camera.read()
        assert frame is not None
        truth = self.world.truth()
        readable = truth.still and truth.free and not truth.leaning and len(truth.dice) == self.dice
        self._readable_s = (self._readable_s if self._readable_s is not None else frame.time_s) if readable else None
        rest = self.watch.look(frame, self.dice).rest
        if rest is None:
            return
        outcome = on_rest(Request("roll", "Ann", self.dice), self.attention, rest, (), lambda _: True)
        self.attention = outcome.attention
        self.hints.append(outcome.hint)
        for answer in outcome.answers:
            assert isinstance(answer, Throw)
            assert isinstance(answer.faces, tuple)
            self.taken.append((frame.time_s, answer.faces))
            if self._readable_s is not None:
                self.delays_s.append(frame.time_s - self._readable_s)


def watch_room(names: Sequence[str], chance: Random, *, dice: int = 5, fps: float = 30.0, drop: float = 0.03) -> Seen:
    """Play these scenarios one after the other in one room and return what was seen."""
    world = World(dice, chance=chance, fps=fps, drop=drop)
    room, seen = Room(world, dice), Seen()
    room.run(0.5)
    for n, name in enumerate(names):
        told, before = Told(), len(room.taken)
        for wait_s in SCENARIOS[name](world, chance, told):
            room.run(wait_s)
        got = [faces for _, faces in room.taken[before:]]
        seen.throws += len(told.throws)
        where = f"{n} {name}: thrown {told.throws}, taken {got}"
        if got != told.throws:
            if len(got) > len(told.throws):
                seen.false.append(where)
            elif len(got) < len(told.throws):
                seen.missed.append(where)
            else:
                seen.wrong.append(where)
    seen.delays_s = room.delays_s
    return seen
