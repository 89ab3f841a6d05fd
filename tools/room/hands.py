"""Actions of hands besides throwing: show dice, wave, rest, sweep, and set cups down; and what they hide."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.hands import (
    ARMS_DEG,
    INSIDE_EDGES,
    OPENS_S,
    REACH_S,
    Hand,
    HandPlace,
    Hands,
    Visit,
    outside,
    visit,
)
from tabletop.simulator.scene import Light
from tabletop.simulator.tray import HEIGHT_PX, SIZE_PX, WIDTH_PX, Pace, Piece, TrueDie
from tools.room.cup import Cup, HandWithCup
from tools.room.palm import OpenPalm
from tools.room.sweep import sweep
from tools.room.tray import MishapTray

PALM_S = 0.7  # a hand that holds the dice open for all to see is in view this long before they leave it
CUP_S = 0.4  # to set a cup down
WIDE_CUP = 1.35  # a cup of 9 cm, under which dice lie, against a mug
STANDS_S = 1e6  # a cup that stands there stays for longer than anybody plays
FREE_MASK = 20  # a byte of the hand's mask above which it hides the pixels below
PALM_INSIDE_EDGES = (3.6, 5.0)  # how far inside the frame dice are shown on the palm, from and to


class RoomHands(Hands):
    """All hands and cups over a tray. light: falls on the dice in an open hand. The rest: as for `Hands`."""

    def __init__(self, tray: MishapTray, pace: Pace, chance: Random, light: Light) -> None:
        super().__init__(tray, pace, chance)
        self._light = light
        self._palms: list[OpenPalm] = []
        self._cup: Visit | None = None  # stands in the tray until it is lifted
        self._hidden: NDArray[np.uint8] | None = None

    def come_to_throw(self, *, cup: bool, open_palm: bool, shown_s: float) -> tuple[Visit, float]:
        """Let a hand come to throw, like `throw`: out of a cup, or from the open palm."""
        return self.throw(
            inside_edges=PALM_INSIDE_EDGES if open_palm else INSIDE_EDGES,
            opens_s=PALM_S if open_palm else OPENS_S,
            shown_s=shown_s,
            hand=HandWithCup if cup else Hand,
        )

    def show_palm(self, visit: Visit, held: Sequence[Piece], fly_s: float, *, still: bool) -> None:
        """Let the throwing hand hold these dice open until they fly. still: it does not move."""
        self._palms.append(OpenPalm(visit, held, fly_s, self._chance, still=still))

    def sweep_together(self) -> float:
        """Slide all dice together with the flat of the hand; return the duration in seconds."""
        start_s = max(self._tray.now_s, self._tray.busy_until_s)
        self._visits.append(sweep(self._tray.pieces, self._tray.layout.felt, start_s, self._hurry, self._chance))
        return self._visits[-1].end_s - start_s

    def wave(self, seconds: float) -> float:
        """Wave over the tray for this long; return when it will be over."""
        start_s = max(self._tray.now_s, self._tray.busy_until_s)
        count = max(2, round(seconds / 0.35))
        arm_deg = self._chance.choice(ARMS_DEG)
        steps = [(start_s + seconds * (n + 1) / (count + 1), self._anywhere(arm_deg)) for n in range(count)]
        self._visits.append(visit(Hand(SIZE_PX, self._chance), start_s, steps, start_s + seconds))
        return start_s + seconds

    def hold_still(self, seconds: float) -> float:
        """Hold a hand still over the tray for this long; return when it will be over."""
        start_s = max(self._tray.now_s, self._tray.busy_until_s)
        there = replace(self._anywhere(self._chance.choice(ARMS_DEG)), height=1.0)
        end_s = start_s + seconds
        steps = [(start_s + REACH_S, there), (max(end_s - REACH_S, start_s + REACH_S), there)]
        self._visits.append(visit(Hand(SIZE_PX, self._chance), start_s, steps, end_s + REACH_S))
        return end_s + REACH_S

    def set_cup(self, seconds: float) -> float:
        """Set a cup down and take it away after this long; return when it will be over."""
        start_s = max(self._tray.now_s, self._tray.busy_until_s)
        there = replace(self._anywhere(self._chance.choice(ARMS_DEG)), height=1.0)
        down_s, up_s = start_s + CUP_S, start_s + CUP_S + seconds
        arm = Hand(SIZE_PX, self._chance)
        cup = Cup(SIZE_PX, self._chance)
        self._visits.append(visit(cup, start_s, [(down_s, there), (up_s, there)], up_s + CUP_S))
        self._visits.append(visit(arm, start_s, [(down_s, there)], down_s + REACH_S))
        self._visits.append(visit(arm, up_s - REACH_S, [(up_s, there)], up_s + CUP_S))
        return up_s + CUP_S

    def cover(self, x: float, y: float) -> float:
        """Set a cup down at this place, where it stays until `uncover`; return when it is down."""
        start_s = max(self._tray.now_s, self._tray.busy_until_s)
        there = HandPlace(x, y, self._arm(), 1.0)
        down_s = start_s + CUP_S
        cup = Cup(WIDE_CUP * SIZE_PX, self._chance)
        self._cup = visit(cup, start_s, [(down_s, there), (STANDS_S, there)], STANDS_S + CUP_S)
        self._visits.append(visit(Hand(SIZE_PX, self._chance), start_s, [(down_s, there)], down_s + REACH_S))
        return down_s

    def uncover(self) -> float:
        """Take the cup away, if there is one; return when it will be gone."""
        start_s = max(self._tray.now_s, self._tray.busy_until_s)
        if self._cup is None:
            return start_s
        there, up_s = self._cup.held(start_s), start_s + REACH_S
        times_s, places = (start_s, up_s, up_s + CUP_S), (there, there, outside(there))
        self._visits.append(Visit(self._cup.hand, times_s, places))
        self._visits.append(visit(Hand(SIZE_PX, self._chance), start_s, [(up_s, there)], up_s + CUP_S))
        self._cup = None
        return up_s + CUP_S

    def lean_over(self, seconds: float) -> float:
        """Hold a hand so high that the camera sees only its shadow at the border; return when it will be over."""
        start_s = max(self._tray.now_s, self._tray.busy_until_s)
        side = HandPlace(WIDTH_PX + 0.4 * SIZE_PX, HEIGHT_PX * self._chance.uniform(0.2, 0.8), 0.0, 5.0)
        shadow = visit(Hand(SIZE_PX, self._chance), start_s, [(start_s + seconds / 2, side)], start_s + seconds)
        self._visits.append(shadow)
        return start_s + seconds

    def draw(self, picture: NDArray[np.uint8], time_s: float, shutter_s: float) -> NDArray[np.uint8]:
        """Return the picture with the hands and cups at this time drawn over it, (480, 640, 3) uint8 BGR."""
        self._visits = [visit for visit in self._visits if visit.end_s > time_s]
        self._palms = [palm for palm in self._palms if palm.end_s > time_s]
        visits = self._visits if self._cup is None else [self._cup, *self._visits]
        picture, self._hidden = self.lay(picture, visits, time_s, shutter_s)
        for palm in self._palms:
            picture = palm.draw(picture, time_s, self._light, shutter_s)
        return picture

    def hold_dice(self, time_s: float) -> bool:
        """Return whether an open hand holds dice now."""
        return any(palm.holds(time_s) for palm in self._palms)

    def hide(self, die: TrueDie) -> bool:
        """Return whether a hand or a cup hides part of this die in the newest picture."""
        if self._hidden is None:
            return False
        reach = die.size * 0.7
        left, top = max(0, round(die.x - reach)), max(0, round(die.y - reach))
        part = self._hidden[top : round(die.y + reach) + 1, left : round(die.x + reach) + 1]
        return bool(part.size) and int(part.max()) > FREE_MASK

    def _anywhere(self, arm_deg: float) -> HandPlace:
        felt = self._tray.layout.felt
        return HandPlace(
            self._chance.uniform(felt.left, felt.right),
            self._chance.uniform(felt.top, felt.bottom),
            arm_deg + self._chance.uniform(-50.0, 50.0),
            self._chance.uniform(1.5, 4.0),
        )
