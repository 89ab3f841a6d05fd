"""A measurement of the simulated tray, in simulated time: somebody who knows the truth throws, looks and presses.

His presses go through the contacts of simulated buttons, and what he is asked comes from the real reader: the figures
are those of the reader on the simulated tray, and the dialog is proved on the way.
"""

from collections.abc import Callable
from random import Random

from calibration.score.journal import Journal
from calibration.score.pictures import Pictures
from calibration.score.table import ScoreTable
from tabletop.core.geometry import point_distance_in_edges
from tabletop.dialogs.scoring.dialog import MISSED, Scoring
from tabletop.dialogs.scoring.roll import LEANS, NO_DIE, Roll
from tabletop.perception.pipeline import PerceptionPipeline
from tabletop.session.camera_thread import CameraThread
from tabletop.simulator.room.world import World
from tabletop.simulator.tray.die import TrueDie
from tabletop.simulator.tray.tray import BRISK
from tabletop.simulator.tray.tray_profile import profile_of
from tabletop.views.snapshot import Snapshot
from tabletop.vision.reader import read

FPS = 10.0  # as in a simulated match: simulated time is paid for by the frame
LOOK_S = 0.4  # people look before they press
THERE_EDGES = 1.0  # how far from its uppermost face a die that leans may be reported
PATIENCE_S = 4.0  # a throw that is not asked about by then was not seen: he presses BANK, then throws again


class SimulatedScorer:
    """Somebody at a simulated tray who always answers truly.

    throw: throws the dice, in place of five dice thrown by chance; for tests, which let dice fall on the floor.
    """

    def __init__(self, world: World, throw: Callable[[], object] | None = None) -> None:
        self._world, self._throw = world, throw or world.throw
        self._ready_s = self._thrown_s = float("-inf")

    def act(self, state: Scoring) -> None:
        """Do the next thing, if it is time for it."""
        world = self._world
        if world.busy or world.now_s < self._ready_s:
            return
        if state.step == "watch":
            if world.now_s - self._thrown_s < PATIENCE_S:
                return
            self._throw()
            self._thrown_s = world.tray.busy_until_s
        elif state.step == "done" or (state.step == "question" and self._is_right(state.asked)):
            self._press("bank")
            self._thrown_s = float("-inf")
        elif (line := self._wanted_line(state)) != state.at:
            self._press("hold")
        elif line is not None:
            self._press("bank")

    def _press(self, button: str) -> None:
        end_s = self._world.tray.press("bank" if button == "bank" else "hold")
        self._ready_s = end_s + LOOK_S

    def _is_right(self, roll: Roll | None) -> bool:
        return roll is not None and self._truths(roll) == list(roll.true) and self._unseen(roll) == sorted(roll.missed)

    def _wanted_line(self, state: Scoring) -> int | None:
        """Return the line that the truth is on; at the question none, so that HOLD opens the list."""
        roll = state.asked
        if roll is None or state.step == "question":
            return None
        truths = self._truths(roll)
        if state.step == "die":
            wrong = [at for at, (said, true) in enumerate(zip(roll.true, truths, strict=True)) if said != true]
            return wrong[0] if wrong else len(roll.seen) + len(roll.missed)
        unseen = self._unseen(roll)
        for face in roll.missed:
            unseen.remove(face)
        return state.face_choices.index(unseen[0] if state.which == MISSED else truths[state.which])

    def _truths(self, roll: Roll) -> list[int]:
        """Return the true face of each thing that was reported, `NO_DIE` where none lies."""
        matched = self._matched(roll)
        return [_truth(matched[at]) if at in matched else NO_DIE for at in range(len(roll.seen))]

    def _unseen(self, roll: Roll) -> list[int]:
        """Return the faces of the dice of which nothing was reported, sorted."""
        matched = {die.index for die in self._matched(roll).values()}
        return sorted(die.face for die in self._world.tray.truth().dice if die.index not in matched)

    def _matched(self, roll: Roll) -> dict[int, TrueDie]:
        """Return index of what was reported -> the die that lies there; the nearest first, each at most once."""
        dice, matched = list(self._world.tray.truth().dice), dict[int, TrueDie]()
        pairs = [
            (point_distance_in_edges(thing.x, thing.y, die), at, die)
            for at, thing in enumerate(roll.seen)
            for die in dice
        ]
        for distance, at, die in sorted(pairs, key=lambda pair: pair[0]):
            if distance < THERE_EDGES and at not in matched and die in dice:
                matched[at] = die
                dice.remove(die)
        return matched


def _truth(die: TrueDie) -> int:
    return LEANS if die.leaning else die.face


def score_simulated(
    state: Scoring,
    journal: Journal,
    pictures: Pictures | None,
    seed: int | None,
    shown: Callable[[Snapshot], None] = lambda _: None,
) -> ScoreTable:
    """Measure the simulated tray until the goal is reached; return the table as it is then. seed: of the dice."""
    chance = Random(seed)  # noqa: S311 - repeatable on purpose
    world = World.of(state.dice or 1, chance=chance, noise=1.0, pace=BRISK, fps=FPS)
    profile = profile_of(world.tray)
    thread = CameraThread(world.camera, PerceptionPipeline(read, profile))
    table = ScoreTable(thread, (world.tray.buttons,), state, journal, pictures, profile)
    scorer = SimulatedScorer(world)
    while not table.over and thread.step():
        shown(table.tick(world.now_s))
        scorer.act(table.state)
    return table
