"""Dice in an open hand before they are thrown: visible and tilted, but not a throw."""

import math
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.hands import Visit
from tabletop.simulator.render import compose
from tabletop.simulator.scene import Light, PosedDie, as_rotation, lying, turn_about
from tabletop.simulator.tray import SIZE_PX, Piece
from tabletop.simulator.tray_picture import streak

Picture = NDArray[np.uint8]

BEHIND_EDGES, ASIDE_EDGES = (1.2, 3.8), (-1.5, 1.5)  # where they lie behind the fingertips and aside
APART_EDGES = 0.9  # dice in a hand touch
TILTED_DEG = (6.0, 40.0)  # a palm is hollow, so no die lies level
LARGER = 1.06  # they are nearer to the camera
SHOWN_DEG = (0.0, 8.0)  # a person who shows a die to somebody holds it level
SHAKE_EDGES, SHAKE_HZ = 0.12, 4.0  # people shake them
TRIES = 40


class OpenPalm:
    """Some dice on a hand, until each of them flies. hand: the visit; pieces: the dice, with their flights planned.

    still: they are not shaken, and lie level.
    """

    def __init__(
        self, hand: Visit, pieces: Sequence[Piece], fly_s: float, chance: Random, *, still: bool = False
    ) -> None:
        self._hand, self._fly_s = hand, fly_s
        self._shake_edges = 0.0 if still else SHAKE_EDGES
        self._held: list[tuple[float, float, PosedDie, float]] = []
        for piece in pieces:
            away = self._free(chance)
            if away is not None:
                self._held.append(
                    (*away, _held(piece, chance, SHOWN_DEG if still else TILTED_DEG), piece.motions[-1].start_s)
                )

    @property
    def end_s(self) -> float:
        """The time at which the last die leaves."""
        return max((until_s for *_, until_s in self._held), default=self._fly_s)

    def holds(self, time_s: float) -> bool:
        """Return whether any die is in the hand and in view at this time."""
        return self._hand.place(time_s) is not None and time_s < self.end_s

    def draw(self, frame: Picture, time_s: float, light: Light, shutter_s: float) -> Picture:
        """Return the frame with the dice in the hand at this time."""
        place = self._hand.place(time_s)
        if place is None:
            return frame
        arm = math.radians(place.arm_deg)
        shake = self._shake_edges * math.sin(2 * math.pi * SHAKE_HZ * time_s)
        dice = []
        for behind, aside, die, until_s in self._held:
            if time_s < until_s:
                back, side = (behind + shake) * SIZE_PX, aside * SIZE_PX
                x = place.x + back * math.cos(arm) - side * math.sin(arm)
                y = place.y + back * math.sin(arm) + side * math.cos(arm)
                turn = turn_about((0.0, 0.0, 1.0), place.arm_deg)
                dice.append(replace(die, x=x, y=y, rotation=as_rotation(turn @ np.asarray(die.rotation, np.float32))))
        if not dice:
            return frame
        drawn = compose(frame, dice, light)
        kernel = streak(self._hand.route(time_s, shutter_s))
        if kernel is None:
            return drawn
        change = np.asarray(cv2.subtract(drawn, frame, dtype=cv2.CV_16S), np.int16)
        return np.asarray(cv2.add(frame, cv2.filter2D(change, -1, kernel), dtype=cv2.CV_8U), np.uint8)

    def _free(self, chance: Random) -> tuple[float, float] | None:
        for _ in range(TRIES):
            behind, aside = chance.uniform(*BEHIND_EDGES), chance.uniform(*ASIDE_EDGES)
            if all(math.hypot(behind - place[0], aside - place[1]) > APART_EDGES for place in self._held):
                return behind, aside
        return None  # hidden below the others


def _held(piece: Piece, chance: Random, tilted_deg: tuple[float, float]) -> PosedDie:
    """Return a die as it lies in a hollow hand."""
    direction = chance.uniform(0.0, 2 * math.pi)
    tilt = turn_about((math.cos(direction), math.sin(direction), 0.0), chance.uniform(*tilted_deg))
    flat = np.asarray(lying(chance.randint(1, 6), chance.uniform(0.0, 90.0), piece.look), np.float32)
    return PosedDie(0.0, 0.0, SIZE_PX * LARGER, as_rotation(tilt @ flat), piece.look)
