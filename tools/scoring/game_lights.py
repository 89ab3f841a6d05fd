"""`python -m tools.scoring.game_lights`: are throws read beside lamps that flash with the game, and without them.

Each table throws three times: the light plays while dice tumble, as they come to rest, and between two throws. Prints
how the throws were taken at each strength, the same throws in the same room; `--each` names those that were not.
`--tables N` measures the first N of the `cases`.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise, product
from random import Random

from tabletop.perception.pipeline import FrameResult
from tabletop.simulator.scene import Bgr, Look
from tabletop.simulator.tray import LAYOUT
from tools.bench.end_to_end import EvaluationRun
from tools.room import game_lights as lights
from tools.room.game_lights import Effect, GameLights
from tools.room.room import Cloth, Room, any_room
from tools.room.world import RoomWorld, WorldTruth
from tools.scenarios.mix import any_pace

TRAYS: dict[str, Bgr] = {"white": (165, 170, 172), "brown": (52, 84, 122), "green": (52, 96, 44)}
DICE = {
    "white": Look(),
    "red": Look(body=(40, 40, 190), pip=(240, 240, 240)),
    "black": Look(body=(30, 28, 28), pip=(235, 235, 235)),
}
STRENGTHS = (0.05, 0.2, 0.5, 1.0)
SHOWS = ("fade", "bust", "rainbow", "chase", "strobe", "glow", "mains")
WAIT_S = 2.0  # for a throw, once the dice lie still and the light is steady
LATE_S = 0.5
READ_S = 0.6  # after the dice lie still the throw is taken, and the light plays
WHEN_S = {"tumble": (-0.7, -0.2), "rest": (-0.15, 0.15)}  # the light begins so long after the dice lie still
MAINS = 0.3  # share by which lamps flicker that are driven by the mains
DICE_A_TABLE = 5


@dataclass(frozen=True, slots=True)
class Table:
    """A tray with dice and a ring. high_px, seen: as of `GameLights`."""

    tray: str
    dice: str
    show: str
    seed: int
    high_px: float
    seen: bool
    fps: float

    def room(self) -> Room:
        """Return the room of this table: its own cloth and dice, in a random light with a random camera."""
        room, cloth = any_room(Random(self.seed)), TRAYS[self.tray]
        return replace(room, looks=(DICE[self.dice],), cloth=Cloth(cloth, cloth, cloth, 0.1), pump=0.0)


def cases() -> Iterator[Table]:
    """Yield the tables: each show with each tray and dice; place of the lamps, light and camera vary."""
    trays = list(product(TRAYS, DICE))
    for seed in range(1000):
        for n, show in enumerate(SHOWS):
            tray, dice = trays[(seed + n) % len(trays)]
            chance = Random(f"{seed} {show}")
            high_px, seen = chance.choice((40.0, 80.0, 160.0)), chance.random() < 0.5  # noqa: PLR2004 - half of them
            yield Table(tray, dice, show, 100 * seed + n, high_px, seen, chance.choice((10.0, 15.0)))


@dataclass(slots=True)
class Outcome:
    """How a table's throws were taken. verdicts: of each; figures: what else happened, counted; lines: what is odd."""

    verdicts: Counter[str] = field(default_factory=Counter)
    figures: Counter[str] = field(default_factory=Counter)
    lines: list[str] = field(default_factory=list)

    def add(self, other: "Outcome") -> None:
        """Add those of another table."""
        self.verdicts += other.verdicts
        self.figures += other.figures
        self.lines += other.lines


class _Watch:
    """One table: its world with the ring, and what watches it."""

    def __init__(self, table: Table, strength: float) -> None:
        room, self._chance = table.room(), Random(table.seed)
        mains = MAINS if table.show == "mains" else 0.0
        self._ring = GameLights(room, LAYOUT, strength, high_px=table.high_px, seen=table.seen, mains=mains)
        pace = any_pace(self._chance)
        self._world = RoomWorld(
            DICE_A_TABLE, chance=self._chance, room=room, pace=pace, fps=table.fps, lights=self._ring
        )
        self._run = EvaluationRun(self._world, rail=False, seen=self._note)
        self._name, self.outcome = f"{table} x{strength}", Outcome()
        self._run.run(READ_S)

    def throw(self, effect: Effect, when: str) -> None:
        """Throw once while the light plays, and wait until the throw is taken."""
        run, world, ring, before = self._run, self._world, self._ring, len(self._run.taken)
        end_s = world.throw()
        faces = world.tray.lying_faces
        if when == "between":
            run.run(end_s + READ_S - world.now_s)
            ring.play(effect, world.now_s)
        else:
            earliest_s, latest_s = WHEN_S[when]
            ring.play(effect, max(world.now_s, end_s + self._chance.uniform(earliest_s, latest_s)))
        steady_s = max(end_s, ring.ends_s)
        run.run(steady_s - world.now_s)
        while len(run.taken) == before and world.now_s < steady_s + WAIT_S:
            run.run(0.1)
        run.run(0.5)  # whatever is invented comes now
        taken = run.taken[before:]
        verdict = _verdict([got for _, got in taken], faces)
        if verdict == "right" and taken[0][0] > steady_s + LATE_S:
            verdict = "late"
        if verdict == "lost" and run.hint:
            verdict = "asked"
        self.outcome.verdicts[verdict] += 1
        if verdict != "right":
            late_s = [f"{at_s - steady_s:.2f}" for at_s, _ in taken]
            self.outcome.lines.append(f"{verdict}: {self._name} {when}: {faces}, {taken} {late_s} {run.hint}")

    def end(self) -> Outcome:
        """Return how it went."""
        if (last := self._run.last) is not None:
            self.outcome.figures.update({"camera nudged": last.nudged, "camera moved a lot": last.elsewhere})
        return self.outcome

    def _note(self, seen: FrameResult, truth: WorldTruth) -> None:
        if truth.still and truth.free and len(truth.dice) == DICE_A_TABLE:
            hands = any(hindrance.cause in ("held", "maybe held") for hindrance in seen.hindrances)
            self.outcome.figures.update({"still frames": 1, "frames with a false hand": int(hands)})


def watch(table: Table, strength: float) -> Outcome:
    """Throw three times beside this ring; strength 0.0 for a dark one."""
    watched = _Watch(table, strength)
    for effect, when in zip(shows(table, Random(table.seed)), ("tumble", "rest", "between"), strict=True):
        watched.throw(effect, when)
    return watched.end()


def _verdict(got: list[tuple[int, ...]], faces: tuple[int, ...]) -> str:
    if got == [faces]:
        return "right"
    return "lost" if not got else "invented" if len(got) > 1 else "wrong"


def shows(table: Table, chance: Random) -> Iterator[Effect]:
    """Yield what the ring plays, one effect for each throw."""
    turns = chance.sample(lights.TURNS, 4)
    base = chance.choice((lights.OFF, turns[0]))
    for before, after in pairwise(turns):
        yield {
            "fade": lights.fade(before, after),
            "bust": lights.blink(lights.RED, leaves=base),
            "rainbow": lights.rainbow(leaves=base),
            "chase": lights.chase(after, leaves=base),
            "strobe": lights.blink(lights.WHITE, 16, 8.0, leaves=base),
            "glow": replace(lights.fade(turns[0], turns[0]), lasts_s=0.0),
            "mains": replace(lights.fade(lights.WHITE, lights.WHITE), lasts_s=0.0),
        }[table.show]


def main() -> int:
    """Measure the tables and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=63)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--strength", type=float, action="append")
    parser.add_argument("--each", action="store_true")
    options = parser.parse_args()
    tables = [table for table, _ in zip(cases(), range(options.tables), strict=False)][options.skip :]
    for strength in options.strength or (0.0, *STRENGTHS):
        total = Outcome()
        for table in tables:
            if options.only in str(table):
                outcome = watch(table, strength)
                total.add(outcome)
                if options.each:
                    sys.stdout.write("".join(line + "\n" for line in outcome.lines))
                    sys.stdout.flush()
        sys.stdout.write(f"{strength:.2f}: {dict(total.verdicts)} {dict(total.figures)}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
