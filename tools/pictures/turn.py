"""One turn at the simulated table, frame by frame: what the pictures of the README show.

Ann and Ben play Yahtzee. Ann throws a full house. HOLD turns it down, she throws the two twos again and has a yahtzee,
and BANK keeps it and scores 50. A hand throws rendered dice; the table reads them as it reads those before a camera.
"""

from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray
from world_table import WorldTable

from tabletop.core.ports import ButtonName
from tabletop.core.values import Reading
from tabletop.rules import Match
from tabletop.simulator.tray import Pace
from tabletop.views.snapshot import Snapshot
from tools.room.room import Room
from tools.room.world import RoomWorld

Picture = NDArray[np.uint8]

SEED = 10
FPS = 15.0
PACE = Pace(lift_s=0.25, in_hand_s=0.3)
SCORED = (  # the turns before: a throw, and the box it is written into
    ((4, 4, 4, 1, 2), "fours"),
    ((5, 5, 5, 2, 3), "fives"),
    ((2, 3, 4, 5, 5), "small straight"),
    ((5, 5, 5, 3, 1), "three of a kind"),
    ((3, 3, 3, 6, 1), "threes"),
    ((1, 2, 3, 4, 5), "large straight"),
)


@dataclass(frozen=True, slots=True)
class Moment:
    """One frame: its time, the camera's picture, its reading, and the table's screen."""

    time_s: float
    pixels: Picture
    reading: Reading | None
    shown: Snapshot


class Evening:
    """Ann and Ben at the simulated table, beginning with Ben's last throw in the tray; records every frame."""

    def __init__(self) -> None:
        self.world = RoomWorld(5, chance=Random(SEED), room=Room(noise=0.0), pace=PACE, fps=FPS)
        self.world.throw(faces=SCORED[-1][0])
        while self.world.busy:
            self.world.camera.read()
        self.table = WorldTable(self.world, begun())
        self.moments: list[Moment] = []

    def run(self, seconds: float) -> None:
        """Run the table for this long."""
        end_s = self.world.now_s + seconds
        while self.world.now_s < end_s:
            self.table.frame()
            seen = self.table.camera_thread.newest
            assert seen is not None
            self.moments.append(Moment(self.world.now_s, seen.frame.pixels, seen.pixel_reading, self.table.shown))

    def run_until(self, end_s: float, look_s: float) -> None:
        """Run the table until something is over, and a little longer to show the result."""
        self.run(end_s - self.world.now_s + look_s)

    def throw(self, *faces: int, look_s: float) -> None:
        """Throw the loose dice with these results."""
        self.run_until(self.world.throw(len(faces), faces=faces), look_s)

    def throw_again(self, *faces: int, look_s: float) -> None:
        """Throw the dice that do not show any of the wanted faces; the others stay in place."""
        lying = self.world.tray.truth().dice
        again = [die.index for die in lying if die.face not in faces]
        self.world.keep([die.index for die in lying if die.index not in again], leave=True)
        self.run_until(self.world.throw(len(again), faces=faces), look_s)

    def press(self, button: ButtonName, look_s: float) -> None:
        """Press a button."""
        self.run_until(self.world.tray.press(button), look_s)


def begun() -> Match:
    """Return a match with a few boxes filled."""
    match = Match("yahtzee", ["Ann", "Ben"])
    for faces, box in SCORED:
        match.throw(faces)
        match.keep(faces)
        match.choose(box)
    return match


def one_turn() -> list[Moment]:
    """Play the turn shown in the pictures."""
    evening = Evening()
    evening.run(0.8)
    evening.throw(6, 2, 6, 2, 6, look_s=1.2)
    evening.press("hold", look_s=0.6)
    evening.throw_again(6, 6, look_s=2.0)
    evening.press("bank", look_s=1.3)
    evening.press("bank", look_s=3.0)
    return evening.moments
