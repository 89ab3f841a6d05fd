"""Visits: hands and cups that come into view and go. Where they are at a time; pure."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from tabletop.simulator.room.hand_drawing import Hand, HandPlace
from tabletop.simulator.tray.tray import HEIGHT_PX, SIZE_PX, WIDTH_PX

OUT_PX = 2.2 * SIZE_PX  # where a hand's tips wait, outside the frame
WAITS_HEIGHT = 4.0  # and how high
Step = tuple[float, HandPlace]


@dataclass(frozen=True, slots=True)
class Visit:
    """A hand that comes and goes: at each of `times_s` (rising) its tips are at the place beside it."""

    hand: Hand
    times_s: tuple[float, ...]
    places: tuple[HandPlace, ...]

    @property
    def end_s(self) -> float:
        """When it is out of view again."""
        return self.times_s[-1]

    def place(self, time_s: float) -> HandPlace | None:
        """Return where it is then, None before and after."""
        return self.held(time_s) if self.times_s[0] <= time_s < self.times_s[-1] else None

    def held(self, time_s: float) -> HandPlace:
        """Return where it is then; before and after, where it waits."""
        at = min(max(bisect_right(self.times_s, time_s), 1), len(self.times_s) - 1)
        before, after = self.places[at - 1], self.places[at]
        part = (time_s - self.times_s[at - 1]) / max(self.times_s[at] - self.times_s[at - 1], 1e-6)
        part = min(max(part, 0.0), 1.0)
        part = part * part * (3 - 2 * part)
        return HandPlace(
            before.x + (after.x - before.x) * part,
            before.y + (after.y - before.y) * part,
            before.arm_deg + (after.arm_deg - before.arm_deg) * part,
            before.height + (after.height - before.height) * part,
        )

    def point(self, time_s: float) -> tuple[float, float]:
        """Return the place of its tips then, (x, y) in pixels."""
        place = self.held(time_s)
        return place.x, place.y

    def route(self, time_s: float, seconds: float) -> tuple[float, float]:
        """Return how far it has come within this many seconds, in pixels."""
        now, then = self.held(time_s), self.held(time_s - seconds)
        return now.x - then.x, now.y - then.y


def visit(hand: Hand, start_s: float, steps: Sequence[Step], end_s: float) -> Visit:
    """Return a visit from outside the frame to these places and out again, both times along the arm."""
    first, last = steps[0][1], steps[-1][1]
    return Visit(
        hand,
        (start_s, *(at_s for at_s, _ in steps), end_s),
        (outside(first), *(place for _, place in steps), outside(last)),
    )


def outside(place: HandPlace) -> HandPlace:
    """Return where a hand waits before it reaches that place: back along its arm, outside the frame."""
    angle = math.radians(place.arm_deg)
    back_x, back_y = math.cos(angle), math.sin(angle)
    ways = []
    for at, back, far in ((place.x, back_x, WIDTH_PX), (place.y, back_y, HEIGHT_PX)):
        if abs(back) > 0.3:  # noqa: PLR2004 - else that side is never reached
            ways.append(((far + OUT_PX - at) if back > 0 else (at + OUT_PX)) / abs(back))
    away = max(0.0, min(ways))
    return HandPlace(place.x + away * back_x, place.y + away * back_y, place.arm_deg, WAITS_HEIGHT)
