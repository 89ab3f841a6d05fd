"""The hands over the simulated tray: they come, do something and leave."""

import math
from collections.abc import Callable, Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.physics.motion import Ride
from tabletop.simulator.render.compose import PosedDie
from tabletop.simulator.room.hand_drawing import Hand, HandPlace
from tabletop.simulator.room.visits import Step, Visit, visit
from tabletop.simulator.tray.tray import HEIGHT_PX, SIZE_PX, WIDTH_PX, Pace, Tray

REACH_S = 0.28  # a hand's movement from the tray's wall to the dice
LINGER_S = 0.12  # how long it stays there to take hold
TAKE_S = 0.08  # from one die to the next while it takes them up
OPENS_S = 0.25  # a throwing hand is in view this long before the dice leave it
ARMS_DEG = (0.0, 0.0, 90.0, 270.0)  # people sit at the right, below and above; at the left is the rail
INSIDE_EDGES = (0.6, 2.4)  # how far inside the frame dice leave the hand, from and to


class Hands:
    """All hands that are over a tray. pace: how fast they are. chance: draws where they come from."""

    def __init__(self, tray: Tray, pace: Pace, chance: Random) -> None:
        self._tray, self._pace, self._chance = tray, pace, chance
        self._visits: list[Visit] = []

    @property
    def busy(self) -> bool:
        """Whether some hand has not left yet."""
        return any(visit.end_s > self._tray.now_s for visit in self._visits)

    def throw(
        self,
        *,
        inside_edges: tuple[float, float] = INSIDE_EDGES,
        opens_s: float = OPENS_S,
        shown_s: float = 0.0,
        hand: type[Hand] = Hand,
    ) -> tuple[Visit, float]:
        """Let a hand come to throw; return its visit, and the time when the dice leave it: `in_hand_s` from now.

        inside_edges: how far inside the frame, from and to, in edges of a die. opens_s: how long the hand is in view
        before. shown_s: how much longer the dice are shown first.
        """
        fly_s = max(self._tray.now_s, self._tray.busy_until_s) + self._pace.in_hand_s
        there = self._thrower(inside_edges)
        before_s = min(self._pace.in_hand_s, opens_s * self._hurry) + shown_s
        shown = visit(
            hand(SIZE_PX, self._chance),
            fly_s - before_s,
            [(fly_s - 0.5 * (before_s + shown_s), there), (fly_s, there), (fly_s + 0.5 * OPENS_S, there)],
            fly_s + 0.5 * OPENS_S + REACH_S * self._hurry,
        )
        self._visits.append(shown)
        return shown, fly_s

    def draw(self, picture: NDArray[np.uint8], time_s: float, shutter_s: float) -> NDArray[np.uint8]:
        """Return the picture with the hands of this time drawn over it, (480, 640, 3) uint8 BGR."""
        self._visits = [visit for visit in self._visits if visit.end_s > time_s]
        return self._lay(picture, self._visits, time_s, shutter_s)[0]

    def _lay(
        self, picture: NDArray[np.uint8], visits: Sequence[Visit], time_s: float, shutter_s: float
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint8] | None]:
        """Return the picture with these hands, and the mask of what they hide; None if none is in view."""
        there = [(visit, place) for visit in visits if (place := visit.place(time_s)) is not None]
        if not there:
            return picture, None
        picture = picture.copy()
        masks = [visit.hand.draw(picture, place, visit.route(time_s, shutter_s)) for visit, place in there]
        return picture, np.asarray(np.maximum.reduce(masks), np.uint8)

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
