"""Which dice do not lie flat, told by a camera that stands still: it sees all flat dice from the same side.

One die cannot say whether it leans or the camera does; of several that lie together all but one are alike. Over some
throws the camera's own lean is known, as a plane over the picture: a near camera sees dice at its edges more from the
side than those in its middle.
"""

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tabletop.dice import Die, Reading, Unsure

GUESSED_FROM = 3  # dice beside it, now or before, to tell a die from; flat ones are taken to be alike everywhere then
UPRIGHT = 0.15  # tilt; one die that is seen so much from above tells that the camera hangs over the tray
KNOWN_FROM = 20  # dice that have come to lie, before a plane is laid through them
REMEMBERED = 120  # the newest of them
# What a die is off is told twice, by its way up and by its tilt, and both are added. Of the simulated tray's flat dice
# none of 1,120 was off by more than 0.22, of those of three films none that lay still by more than 0.2; of 200 that
# leaned by 18 to 45 degrees two by less than 0.4.
LEAST_OFF = 0.26  # a die on a crumb or a seam of the cloth, 7 degrees off, may lie so
# While they are taken to be alike everywhere, which those at the rims of a picture are not: times what one of those
# others is off at most; and widths of the picture from their middle, to a camera as near as the picture is wide, or
# nearer where two of the others tell so (in a film a flat die six edges away from the others was off by 0.44). In
# 300 rooms' first throws of one to six dice one of 1,104 flat ones was called leaning (one was leant on it); of 130
# leaning ones that were read surely 118 were.
GUESSED_OFF, GUESSED_AWAY = 1.5, 0.6
APART = 0.2  # widths of the picture: nearer dice say little of how near the camera is
SPREADS_OFF = 5.0  # against the median of what flat dice are off, where the eye is less sure than that
ROUNDS, SPREADS_FAR = 4, 3.0  # of fitting; what is so many medians off is left out of the next round
COMPANY, ALIKE = 3, 0.5  # dice; share of what they are off: so many, so alike, and it is the camera that was moved
AGAIN = 3  # times a die that was moved in between leans once more: then it is the camera that was moved
REASON = "leans"

Floats = NDArray[np.float64]


class Upright:
    """What flat dice look like to one camera, learned from those that came to lie before it."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, float, float, float, float]] = deque(maxlen=REMEMBERED)
        self._planes: Floats | None = None
        self._seen_within: tuple[Floats, Floats] = (np.zeros(2), np.zeros(2))
        self._bar = 0.0
        self._leant: set[float] = set()

    def checked(self, reading: Reading) -> Reading:
        """Return the reading with the dice that do not lie flat among what is unsure."""
        leaning = self._leaning(reading.dice, reading.width)
        if not leaning:
            return reading
        if self._moved(reading.dice, leaning):
            self._forget()
            return reading
        unsure = tuple(Unsure(die.x, die.y, die.size, REASON, die.where) for die in leaning)
        left = tuple(die for die in reading.dice if die not in leaning)
        return replace(reading, dice=left, unsure=(*reading.unsure, *unsure))

    def learn(self, dice: Sequence[Die]) -> None:
        """Take in dice that have newly come to lie flat."""
        self._leant.clear()
        self._seen.extend(_row(die) for die in dice)
        if len(self._seen) >= KNOWN_FROM:
            self._fit()

    def leant(self, arrived_s: float) -> None:
        """Note that something leaned that came to lie there at that time; too often, and all is learned anew."""
        self._leant.add(arrived_s)
        if len(self._leant) >= AGAIN:
            self._forget()

    def _moved(self, dice: Sequence[Die], leaning: Collection[Die]) -> bool:
        """Tell whether it is the camera that has another place: then all dice are off, and to the same side."""
        if len(dice) < COMPANY or len(leaning) < len(dice) or self._planes is None:
            return False
        off = np.array([_row(die) for die in dice])
        away = (off[:, 2:] - _places(off) @ self._planes)[:, :2]
        usual = np.median(away, axis=0)
        return bool(np.hypot(*(away - usual).T).max() < ALIKE * float(np.hypot(*usual)))

    def _leaning(self, dice: Sequence[Die], width: int) -> set[Die]:
        """Return the dice that are seen from another side than flat ones there; none while nothing is known."""
        if not dice:
            return set()
        rows = np.array([_row(die) for die in dice])
        if self._planes is None:
            return {die for n, die in enumerate(dice) if self._odd(rows[n], np.delete(rows, n, axis=0), width)}
        within = rows.copy()  # farther out (the rail) the planes are a guess: a flat die fits them there, or their rim
        within[:, :2] = np.clip(rows[:, :2], *self._seen_within)
        off = np.minimum(_distance(rows, self._planes), _distance(within, self._planes))
        return {die for die, far in zip(dice, off, strict=True) if far > self._bar}

    def _odd(self, row: Floats, others: Floats, width: int) -> bool:
        """Tell whether a die is seen from another side than those beside it and those of the first throws."""
        known = np.vstack([others, *self._seen]) if self._seen else others
        if len(known) < GUESSED_FROM and not (len(known) and float(known[:, 4].max()) < UPRIGHT):
            return False
        usual = np.median(known, axis=0)
        plane = np.vstack([np.zeros((2, 3)), usual[2:]])
        most = float(_distance(known, plane).max())
        away = float(np.hypot(*(row - usual)[:2]))
        steep = max(GUESSED_AWAY / width, _steepest(known, APART * width))
        return bool(_distance(row[None], plane)[0] > max(LEAST_OFF, GUESSED_OFF * most, steep * away))

    def _fit(self) -> None:
        """Lay planes through what was seen, again and again without what is far off the last ones."""
        seen = near = np.array(self._seen)
        self._seen_within = seen[:, :2].min(axis=0), seen[:, :2].max(axis=0)
        for _ in range(ROUNDS):
            planes = _planes(near)
            off = _distance(seen, planes)
            near = seen[off <= max(LEAST_OFF, SPREADS_FAR * float(np.median(off)))]
        self._planes = _planes(near)
        self._bar = max(LEAST_OFF, SPREADS_OFF * float(np.median(_distance(near, self._planes))))

    def _forget(self) -> None:
        self._seen.clear()
        self._leant.clear()
        self._planes = None


def _row(die: Die) -> tuple[float, float, float, float, float]:
    return (die.x, die.y, *die.up, die.tilt)


def _planes(seen: Floats) -> Floats:
    """Return (3, 3): the way up, right and down, and the tilt, as a plane over the picture each, by least squares."""
    return np.asarray(np.linalg.lstsq(_places(seen), seen[:, 2:], rcond=None)[0], np.float64)


def _distance(seen: Floats, planes: Floats) -> Floats:
    off = seen[:, 2:] - _places(seen) @ planes
    return np.asarray(np.hypot(off[:, 0], off[:, 1]) + np.abs(off[:, 2]), np.float64)


def _steepest(seen: Floats, least_px: float) -> float:
    """Return the most by which two of these are seen from different sides, a pixel between them; least_px: of them."""
    apart = seen[:, None] - seen[None]
    off = np.hypot(apart[..., 2], apart[..., 3]) + np.abs(apart[..., 4])
    far = np.hypot(apart[..., 0], apart[..., 1])
    return float((off / np.maximum(far, least_px)).max())


def _places(seen: Floats) -> Floats:
    return np.column_stack([seen[:, :2], np.ones(len(seen))])
