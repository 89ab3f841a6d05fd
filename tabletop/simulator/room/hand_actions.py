"""The hands over the simulated tray: they come, do something and leave, and hide what is under them."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.physics.motion import Ride
from tabletop.simulator.render.compose import Light, PosedDie
from tabletop.simulator.room.hand_drawing import Hand, HandPlace
from tabletop.simulator.room.palm import OpenPalm
from tabletop.simulator.room.sweep import sweep
from tabletop.simulator.room.visits import Step, Visit, outside, visit
from tabletop.simulator.tray.die import Piece, TrueDie
from tabletop.simulator.tray.tray import HEIGHT_PX, SIZE_PX, WIDTH_PX, Pace, Tray

REACH_S = 0.28  # a hand's movement from the tray's wall to the dice
LINGER_S = 0.12  # how long it stays there to take hold
TAKE_S = 0.08  # from one die to the next while it takes them up
OPENS_S = 0.25  # a throwing hand is in view this long before the dice leave it
PALM_S = 0.7  # and this long if it first holds them open for all to see
CUP_S = 0.4  # to set a cup down
WIDE_CUP = 1.35  # a cup of 9 cm, under which dice lie, against a mug
STANDS_S = 1e6  # a cup that stands there stays for longer than anybody plays
FREE_MASK = 20  # a byte of the hand's mask above which it hides what is under it
ARMS_DEG = (0.0, 0.0, 90.0, 270.0)  # people sit at the right, below and above; at the left is the rail
INSIDE_EDGES = (0.6, 2.4)  # how far inside the frame dice leave the hand, from and to
PALM_INSIDE_EDGES = (3.6, 5.0)  # and where they are first shown on it


@dataclass(frozen=True, slots=True)
class HandThrow:
    """A hand that throws. from_px: where the dice leave it, (x, y) in pixels; at_s: when."""

    visit: Visit
    from_px: tuple[float, float]
    at_s: float


class Hands:
    """All hands that are over a tray. pace: how fast they are. chance: draws where they come from."""

    def __init__(self, tray: Tray, pace: Pace, chance: Random) -> None:
        self._tray, self._pace, self._chance = tray, pace, chance
        self._visits: list[Visit] = []
        self._palms: list[OpenPalm] = []
        self._cup: Visit | None = None  # that stands in the tray until it is lifted
        self._hidden: NDArray[np.uint8] | None = None

    @property
    def busy(self) -> bool:
        """Whether some hand has not left yet."""
        return any(visit.end_s > self._tray.now_s for visit in self._visits)

    def throw(self, *, cup: bool, open_palm: bool, shown_s: float) -> HandThrow:
        """Let a hand come to throw; the dice leave it `in_hand_s` from now. shown_s: how long they are shown first."""
        fly_s = max(self._tray.now_s, self._tray.busy_until_s) + self._pace.in_hand_s
        there = self._thrower(PALM_INSIDE_EDGES if open_palm else INSIDE_EDGES)
        hand = Hand(SIZE_PX, self._chance, cup=cup)
        before_s = min(self._pace.in_hand_s, (PALM_S if open_palm else OPENS_S) * self._hurry) + shown_s
        shown = visit(
            hand,
            fly_s - before_s,
            [(fly_s - 0.5 * (before_s + shown_s), there), (fly_s, there), (fly_s + 0.5 * OPENS_S, there)],
            fly_s + 0.5 * OPENS_S + REACH_S * self._hurry,
        )
        self._visits.append(shown)
        return HandThrow(shown, (there.x, there.y), fly_s)

    def show_palm(self, throw: HandThrow, held: Sequence[Piece], *, still: bool) -> None:
        """Let the hand that throws hold these dice open for all to see. still: it does not move meanwhile."""
        self._palms.append(OpenPalm(throw.visit, held, throw.at_s, self._chance, still=still))

    def sweep_together(self) -> float:
        """Slide all dice together with the flat of the hand; return how long that takes, in seconds."""
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
        cup = Hand(SIZE_PX, self._chance, cup=True, arm=False)
        self._visits.append(visit(cup, start_s, [(down_s, there), (up_s, there)], up_s + CUP_S))
        self._visits.append(visit(arm, start_s, [(down_s, there)], down_s + REACH_S))
        self._visits.append(visit(arm, up_s - REACH_S, [(up_s, there)], up_s + CUP_S))
        return up_s + CUP_S

    def cover(self, x: float, y: float) -> float:
        """Set a cup down at this place, where it stays until `uncover`; return when it is down."""
        start_s = max(self._tray.now_s, self._tray.busy_until_s)
        there = HandPlace(x, y, self._arm(), 1.0)
        down_s = start_s + CUP_S
        cup = Hand(WIDE_CUP * SIZE_PX, self._chance, cup=True, arm=False)
        self._cup = visit(cup, start_s, [(down_s, there), (STANDS_S, there)], STANDS_S + CUP_S)
        self._visits.append(visit(Hand(SIZE_PX, self._chance), start_s, [(down_s, there)], down_s + REACH_S))
        return down_s

    def uncover(self) -> float:
        """Take the cup away that stands there, if one does; return when it will be gone."""
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
        """Hold a hand so high that the camera sees only its shadow at the rim; return when it will be over."""
        start_s = max(self._tray.now_s, self._tray.busy_until_s)
        side = HandPlace(WIDTH_PX + 0.4 * SIZE_PX, HEIGHT_PX * self._chance.uniform(0.2, 0.8), 0.0, 5.0)
        shadow = visit(Hand(SIZE_PX, self._chance), start_s, [(start_s + seconds / 2, side)], start_s + seconds)
        self._visits.append(shadow)
        return start_s + seconds

    def draw(self, picture: NDArray[np.uint8], time_s: float, light: Light, shutter_s: float) -> NDArray[np.uint8]:
        """Return the picture with the hands of this time drawn over it, (480, 640, 3) uint8 BGR."""
        self._visits = [visit for visit in self._visits if visit.end_s > time_s]
        self._palms = [palm for palm in self._palms if palm.end_s > time_s]
        visits = self._visits if self._cup is None else [self._cup, *self._visits]
        there = [(visit, place) for visit in visits if (place := visit.place(time_s)) is not None]
        self._hidden = None
        if there:
            picture = picture.copy()
            masks = [visit.hand.draw(picture, place, visit.route(time_s, shutter_s)) for visit, place in there]
            self._hidden = np.asarray(np.maximum.reduce(masks), np.uint8)
        for palm in self._palms:
            picture = palm.draw(picture, time_s, light, shutter_s)
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

    @property
    def _hurry(self) -> float:
        """The share of the normal time that these hands take."""
        return self._pace.lift_s / Pace().lift_s

    def reach_die(self, index: int | None, seconds: float = 0.0) -> int:
        """Let a hand come to a die, hold it for this long, and leave; return which, drawn by chance if not given."""
        lying = [at for at, piece in enumerate(self._tray.pieces) if piece.place]
        if index is None:
            index = self._chance.choice(lying) if lying else 0
        place = self._tray.pieces[index].place
        if place is not None:
            linger_s, reach_s = LINGER_S * self._hurry + seconds, REACH_S * self._hurry
            end_s = self._tray.wait(reach_s + linger_s)
            there = HandPlace(place.x, place.y, self._arm(), 1.0)
            steps = [(end_s - linger_s, there), (end_s, there)]
            self._visits.append(visit(Hand(SIZE_PX, self._chance), end_s - linger_s - reach_s, steps, end_s + reach_s))
        return index

    def take_up(self, chosen: Sequence[int]) -> None:
        """Let a hand come, pick up the lying dice one after the other, and leave with them."""
        arm_deg = self._arm()
        towards = math.radians(arm_deg)
        lying = [(index, place) for index in chosen if (place := self._tray.pieces[index].place) is not None]
        if not lying:
            return
        # Those farthest from the arm first, so that it goes home with them.
        lying.sort(key=lambda die: die[1].x * math.cos(towards) + die[1].y * math.sin(towards))
        start_s = max(self._tray.now_s, self._tray.busy_until_s)
        first_s, step_s = start_s + REACH_S * self._hurry, TAKE_S * self._hurry
        steps: list[Step] = [
            (first_s + n * step_s, HandPlace(place.x, place.y, arm_deg, 0.8)) for n, (_, place) in enumerate(lying)
        ]
        taken_s = steps[-1][0] + LINGER_S * self._hurry
        steps.append((taken_s, steps[-1][1]))
        sweep = visit(Hand(SIZE_PX, self._chance), start_s, steps, taken_s + REACH_S * self._hurry)
        self._visits.append(sweep)

        def taken_at(from_s: float) -> Callable[[PosedDie], Ride]:
            return lambda begin: Ride(begin, sweep.point, from_s, sweep.end_s)

        for n, (index, _) in enumerate(lying):
            self._tray.carry_off(index, taken_at(steps[n][0]))

    def _thrower(self, inside_edges: tuple[float, float]) -> HandPlace:
        """Return where a throwing hand is: just inside the frame, at one of the sides where people sit."""
        arm_deg, inside = self._chance.choice(ARMS_DEG), self._chance.uniform(*inside_edges) * SIZE_PX
        part = self._chance.uniform(0.3, 0.7)
        x, y = {
            0.0: (WIDTH_PX - inside, HEIGHT_PX * part),
            90.0: (WIDTH_PX * part, HEIGHT_PX - inside),
            270.0: (WIDTH_PX * part, inside),
        }[arm_deg]
        return HandPlace(x, y, arm_deg + self._chance.uniform(-15.0, 15.0), 2.2)

    def _arm(self) -> float:
        return self._chance.choice(ARMS_DEG) + self._chance.uniform(-25.0, 25.0)

    def _anywhere(self, arm_deg: float) -> HandPlace:
        felt = self._tray.layout.felt
        return HandPlace(
            self._chance.uniform(felt.left, felt.right),
            self._chance.uniform(felt.top, felt.bottom),
            arm_deg + self._chance.uniform(-50.0, 50.0),
            self._chance.uniform(1.5, 4.0),
        )
