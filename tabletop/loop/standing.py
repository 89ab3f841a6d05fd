"""How the camera stands, against how it stood at first: a nudged or shaken camera must not move the dice.

Every place is told as the camera saw it at first, so all that is remembered of places (dice that lie there, dice that
were kept, how flat dice are seen, the profile) stays true when the camera is nudged, and nobody has to press anything.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import atan2, cos, degrees, sin
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from tabletop.dice import Die, Reading, Unsure
from tabletop.vision.fixed_parts import LONG_PX, FixedParts, Moved, fixed_parts, known, moved, shifted, small_and_even

Picture = NDArray[np.uint8]

HERE: Moved = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
STILL_PX = 0.3  # small pixels, at the corners: less is the measurement's noise, and the camera stands as before
NOTICED_PX = 0.8  # small pixels: a camera that stays moved by more was nudged
SWING_S = 0.5  # a nudged camera swings for a while; where it is after this it stays
LOST_S = 1.5  # nothing known again for so long, in a picture that keeps still: the camera looks at something else
RENEWED_S = 4.0  # light and cloth change: the fixed parts are looked at anew this often
AROUND_EDGES = 1.1  # so far around the middle of a die the picture may change when it is thrown
QUARTER_TURN_DEG = 90.0

One = TypeVar("One", Die, Unsure)


@dataclass(frozen=True, slots=True)
class _Known:
    """A picture that is known again. stood: from its pixels to those of the first picture."""

    parts: FixedParts
    stood: Moved


class Standing:
    """Follows how one camera stands, frame by frame.

    stands: from the pixels of the newest frame to those of the first one. times_moved: how often the camera was nudged
    and stayed so. lost_since_s: since when nothing is known again, None while something is.
    """

    def __init__(self) -> None:
        self.stands: Moved = HERE
        self.times_moved = 0
        self.lost_since_s: float | None = None
        self._home: _Known | None = None
        self._newest: _Known | None = None
        self._way: Moved = HERE  # from the newest known picture to the frame
        self._corners = np.zeros((4, 3))
        self._told: Moved = HERE
        self._same_since_s = self._renewed_s = float("-inf")

    def look(self, picture: Picture, time_s: float) -> None:
        """Find out how the camera stands in this frame."""
        if self._newest is None:
            return
        evened, _ = small_and_even(picture)
        stands = self._stands(evened)
        if stands is None:
            self.lost_since_s = time_s if self.lost_since_s is None else self.lost_since_s
            self._same_since_s = time_s
            return
        self.lost_since_s = None
        if self._apart(stands, self.stands) > STILL_PX:
            self.stands, self._same_since_s = stands, time_s

    def seen(self, picture: Picture, time_s: float, movable: Sequence[Die | Unsure], *, quiet_s: float) -> bool:
        """Take in the same frame once it was read; return whether the camera was just found nudged.

        movable: what is seen there and may be gone in the next frame, in the frame's pixels. quiet_s: for how long the
        picture has kept still.
        """
        if self._newest is None or (quiet_s >= SWING_S and self._stale(time_s)):
            self._renew(picture, time_s, movable, quiet=quiet_s >= SWING_S)
        if min(quiet_s, time_s - self._same_since_s) < SWING_S or self._apart(self.stands, self._told) <= NOTICED_PX:
            return False
        self._told = self.stands
        self.times_moved += 1
        return True

    def looks_elsewhere(self, time_s: float, quiet_s: float) -> bool:
        """Tell whether the camera was moved so far that nothing is known again; then what it sees is new to it."""
        return self.lost_since_s is not None and quiet_s >= SWING_S and time_s - self.lost_since_s >= LOST_S

    def begin_here(self, picture: Picture, time_s: float, movable: Sequence[Die | Unsure]) -> bool:
        """Take the camera for standing where it stood before, whatever it sees; False where there is nothing to see."""
        if not self._renew(picture, time_s, movable, quiet=True):
            return False
        self.lost_since_s, self.times_moved = None, self.times_moved + 1
        return True

    def at_first(self, reading: Reading) -> Reading:
        """Return the reading with all places as the camera saw them at first; the same one while it stands so."""
        return carried(reading, self.stands)

    def now(self, reading: Reading) -> Reading:
        """Return a reading at first (`at_first`) with all places as the newest frame shows them."""
        return carried(reading, _back(self.stands))

    def _stands(self, evened: Picture) -> Moved | None:
        for one in (self._newest, self._home):
            way = self._way_from(one, evened) if one is not None else None
            if one is not None and way is not None:
                self._newest, self._way = one, way
                return _after(_back(way), one.stood)
        return None

    def _way_from(self, one: _Known, evened: Picture) -> Moved | None:
        """Return the way from a known picture to this one: about as before, or else shifted by anything."""
        way = moved(one.parts, evened, self._way if one is self._newest else HERE)
        if way is None and (guess := shifted(one.parts, evened)) is not None:
            way = moved(one.parts, evened, guess)
        return way

    def _stale(self, time_s: float) -> bool:
        return self.lost_since_s is None and time_s - self._renewed_s >= RENEWED_S

    def _renew(self, picture: Picture, time_s: float, movable: Sequence[Die | Unsure], *, quiet: bool) -> bool:
        """Know the camera's view by this frame from now on, if there is enough in it."""
        parts = fixed_parts(picture, [(one.x, one.y, AROUND_EDGES * one.size) for one in movable])
        self._renewed_s = time_s
        if not known(parts):
            return False
        if self._home is not None:  # what was measured from the very first picture is no sum of small errors
            way = moved(self._home.parts, parts.evened, _after(self._home.stood, _back(self.stands)))
            if way is not None:
                stands = _after(_back(way), self._home.stood)
                if self._apart(stands, self.stands) > STILL_PX:
                    self.stands = stands
        height, width = picture.shape[:2]
        self._corners = np.array([(x, y, 1.0) for x in (0, width) for y in (0, height)])
        self._newest, self._way = _Known(parts, self.stands), HERE
        if quiet:  # else a hand may be in it
            self._home = self._home or self._newest
        return True

    def _apart(self, one: Moved, other: Moved) -> float:
        """Return by how much two ways of standing differ at the picture's corners, in small pixels."""
        far = float(np.abs(self._corners @ (one - other).T).max(initial=0.0))
        return far * LONG_PX / max(float(self._corners.max(initial=0.0)), 1.0)


def carried(reading: Reading, way: Moved) -> Reading:
    """Return the reading with all places taken through `way`; the same one where it moves nothing."""
    if way is HERE:
        return reading
    turn = atan2(way[1, 0], way[0, 0])
    dice = tuple(_carried(die, way) for die in reading.dice)
    return replace(
        reading,
        dice=tuple(
            replace(
                die,
                angle=(die.angle + degrees(turn)) % QUARTER_TURN_DEG,
                up=(cos(turn) * die.up[0] - sin(turn) * die.up[1], sin(turn) * die.up[0] + cos(turn) * die.up[1]),
            )
            for die in dice
        ),
        unsure=tuple(_carried(one, way) for one in reading.unsure),
    )


def _carried(one: One, way: Moved) -> One:
    x, y = way @ (one.x, one.y, 1.0)
    return replace(one, x=float(x), y=float(y))


def _back(way: Moved) -> Moved:
    """Return the way back."""
    if way is HERE:
        return HERE
    turn = np.linalg.inv(way[:, :2])
    return np.column_stack([turn, -turn @ way[:, 2]])


def _after(first: Moved, then: Moved) -> Moved:
    """Return the way that goes one way and then the other."""
    if first is HERE:
        return then
    return np.column_stack([then[:, :2] @ first[:, :2], then[:, :2] @ first[:, 2] + then[:, 2]])
