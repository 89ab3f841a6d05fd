"""Which dice do not lie flat. A camera that stands still sees all flat dice from the same side.

One die cannot say whether it leans or the camera does, but of several dice all flat ones look alike. A near camera sees
dice at the edge of its picture more from the side than those in the middle; how near it is follows from the other dice
as well, or from what was learned over some throws.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabletop.core.reasons import UnsureReason
from tabletop.core.values import Die, Reading

# Picture widths over the camera's distance, from a far camera to one that sees 80 degrees.
NEARNESS = np.arange(0.0, 1.71, 0.1)
LEAST_TILT = 0.1  # what is told of a die that is seen from right above: the reader's noise has no sign
TILT_SHARE = 0.8  # of the tilt in how far from upright a die is seen, the rest is of its way up
GUESSED_FROM = 3  # dice beside it, now or before, to tell a die from
UPRIGHT = 0.15  # or one or two under a camera that they say hangs over the tray, this sine from straight
KNOWN_FROM = 20  # dice that have come to lie, from which the camera is known
REMEMBERED = 120  # the newest of them
# All of them sines, of how a die lies against how the others do. Chosen on the first throws of 300 simulated rooms,
# half of them under a camera that sees 50 degrees, and on 579 photographs of flat dice: docs/vision-record.md.
LEAST_OFF = 0.18  # a die on a crumb or a seam of the cloth may lie so
MEDIANS_OFF = 3.5  # of what flat dice are off, where the reader is less sure than that
GUESSED_OFF = 0.17  # while the camera is not known, and what one of the others is off at most
MAY_LEAN_FROM = 4  # others, of which one may lean too
ALIKE_OFF, TIMES_LEAST = 0.06, 1.3  # so much the others may be off for a nearness to be possible; times the least
COMPANY, ALIKE = 3, 0.5  # dice; share of what they are off: so many, so alike, and it is the camera that was moved
AGAIN = 3  # times a die that was moved in between leans once more: then it is the camera that was moved
ROUNDS = 4  # of telling a slope from how a die is seen
STEEPEST = 0.95  # sine: nothing is read that is seen so much from the side

Floats = NDArray[np.float64]
Extent = tuple[int, int]  # width and height of a picture


@dataclass(frozen=True, slots=True)
class _CameraView:
    """What flat dice look like to a camera. slope: the direction straight up; bar: a die farther off leans."""

    nearness: Floats  # (1,)
    slope: Floats  # (2,)
    bar: float

    def off(self, rows: Floats, extent: Extent) -> Floats:
        """Return how far dice are from flat ones, (N, 2)."""
        return np.asarray(_slopes(rows, extent, self.nearness)[0] - self.slope, np.float64)


class FlatnessFilter:
    """What flat dice look like to one camera, learned from dice that came to rest before."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, ...]] = deque(maxlen=REMEMBERED)
        self._camera: _CameraView | None = None
        self._leant: set[float] = set()

    def apply(self, reading: Reading) -> Reading:
        """Return the reading with dice that do not lie flat as unsure."""
        return reading.doubting({die: die.unsure(UnsureReason.LEANS) for die in self._leaning(reading)})

    def learn(self, dice: Sequence[Die]) -> None:
        """Learn from dice that have newly come to rest flat."""
        self._leant.clear()
        self._seen.extend(_row(die) for die in dice)
        self._camera = None

    def note_leaning(self, arrived_s: float) -> None:
        """Note that a die that came to rest at that time leaned; too often, and everything is learned again."""
        self._leant.add(arrived_s)
        if len(self._leant) >= AGAIN:
            self._forget()

    def _leaning(self, reading: Reading) -> list[Die]:
        """Return the dice that are seen from another side than flat ones; none while nothing is known."""
        if not reading.dice:
            return []
        rows, extent = np.array([_row(die) for die in reading.dice]), (reading.width, reading.height)
        if len(self._seen) < KNOWN_FROM:
            slopes = _slopes(np.array([*rows, *self._seen]), extent, NEARNESS)
            return [
                die for n, die in enumerate(reading.dice) if _is_outlier(slopes[:, n], np.delete(slopes, n, axis=1))
            ]
        self._camera = self._camera or _camera_of(np.array(self._seen), extent)
        off = self._camera.off(rows, extent)
        far = np.hypot(*off.T) > self._camera.bar
        if far.all() and len(off) >= COMPANY and _alike(off):
            self._forget()
            return []
        return [die for die, leans in zip(reading.dice, far, strict=True) if leans]

    def _forget(self) -> None:
        self._seen.clear()
        self._leant.clear()
        self._camera = None


def _row(die: Die) -> tuple[float, ...]:
    return (die.x, die.y, *die.up, die.tilt)


def _slopes(seen: Floats, extent: Extent, nearness: Floats) -> Floats:
    """Return where the way up of each die points for each nearness of the camera, (C, N, 2), right and down, as sines.

    seen: (N, 5), x, y, the way up and the tilt as the reader tells them: against the line of sight to that die, which
    is another one at each place. What comes out is against the camera's own line of sight, so alike for all flat dice.
    """
    wide, high = extent
    away = (seen[:, :2] - (wide / 2, high / 2)) / wide
    rays = np.concatenate([away * nearness[:, None, None], np.ones((len(nearness), len(seen), 1))], axis=2)
    rays /= np.linalg.norm(rays, axis=2, keepdims=True)
    aside, along = rays[..., :2], rays[..., 2]
    ways = np.hypot(seen[:, 2], seen[:, 3])
    tilts = np.sqrt(np.maximum(seen[:, 4] ** 2 - LEAST_TILT**2, 0.0))
    slopes_seen = seen[:, 2:4] * (((1 - TILT_SHARE) * ways + TILT_SHARE * tilts) / np.maximum(ways, 1e-6))[:, None]
    slopes = slopes_seen - aside
    for _ in range(ROUNDS):
        level = np.sqrt(np.maximum(1 - (slopes**2).sum(axis=2), 1 - STEEPEST**2))
        slopes = slopes_seen + ((slopes * aside).sum(axis=2) - level * along)[..., None] * aside
    return np.asarray(slopes, np.float64)


def _is_outlier(one: Floats, others: Floats) -> bool:
    """Return whether a die is seen from another side than the dice beside it and those of the first throws.

    one, others: (C, 2) and (C, N, 2), their slopes for each nearness: for any nearness at which the others are alike,
    or all but one of MAY_LEAN_FROM.
    """
    if not others.shape[1]:
        return False
    usual = np.median(others, axis=1)
    off = np.sort(np.linalg.norm(others - usual[:, None], axis=2), axis=1)
    spread = off[:, -2 if off.shape[1] >= MAY_LEAN_FROM else -1]
    possible = spread <= max(ALIKE_OFF, TIMES_LEAST * float(spread.min()))
    if others.shape[1] < GUESSED_FROM:
        possible &= np.linalg.norm(others, axis=2).max(axis=1) < UPRIGHT
    off = np.where(possible, np.linalg.norm(one - usual, axis=1), 0.0 if not possible.any() else np.inf)
    best = int(off.argmin())
    return bool(off[best] > GUESSED_OFF + spread[best])


def _camera_of(seen: Floats, extent: Extent) -> _CameraView:
    """Return the camera for which these dice, (N, 5), are most alike; one in ten may have leaned."""
    slopes = _slopes(seen, extent, NEARNESS)
    usual = np.median(slopes, axis=1)
    off = np.linalg.norm(slopes - usual[:, None], axis=2)
    best = int(off.mean(axis=1).argmin())  # of few dice the median alone would be too much by chance
    return _CameraView(
        NEARNESS[best : best + 1], usual[best], max(LEAST_OFF, MEDIANS_OFF * float(np.median(off[best])))
    )


def _alike(off: Floats) -> bool:
    """Return whether dice that are all off are off to the same side: then it is the camera that has moved."""
    usual = np.median(off, axis=0)
    return bool(np.hypot(*(off - usual).T).max() < ALIKE * float(np.hypot(*usual)))
