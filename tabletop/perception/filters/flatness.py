"""Which dice do not lie flat. A camera that stands still sees all flat dice from the same side.

A single die cannot show whether it leans or the camera does, but of several dice all flat ones look alike. A near
camera sees dice at the edge of its picture more from the side than those in the middle; how near it is also follows
from the other dice, or from what was learned over some throws.
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
LEAST_TILT = 0.1  # sine: the tilt measured of a die seen from straight above, since the reader's noise has no sign
TILT_SHARE = 0.8  # weight of `tilt` in how steeply a die is seen; the rest is the weight of the length of `up`
GUESSED_FROM = 3  # other dice, now or before, with which a die is compared while the camera is not known
UPRIGHT = 0.15  # sine: with fewer, they must all show that the camera looks straight down to within this
CAMERA_KNOWN_FROM = 20  # dice that have come to rest, from which the camera is known
CAMERA_REMEMBERED = 120  # the newest of those dice
# Thresholds named _OFF are sines of the angle between a die and the other dice. Chosen on the first throws of 300
# simulated rooms, half of them under a camera that sees 50 degrees, and on 579 photographs of flat dice:
# docs/vision-record.md.
LEAST_OFF = 0.18  # at most this is flat: a die on a crumb or a seam of the cloth may lie so
OFF_FACTOR = 3.5  # or within this factor of the median of the flat dice, if the reader is less exact than LEAST_OFF
GUESSED_OFF = 0.17  # while the camera is not known; what the others are off at most is added
MAY_LEAN_FROM = 4  # from this many other dice on, one of them may lean too
ALIKE_OFF = 0.06  # a nearness is possible if the other dice are off by no more than this at it
ALIKE_FACTOR = 1.3  # or by no more than this factor of what they are off at the best nearness
MOVED_CAMERA_DICE = 3  # dice, all of them off to the same side: then it is the camera that was moved
SAME_SIDE_SHARE = 0.5  # of what those dice are off: they may differ from each other by this
MOVED_CAMERA_LEANS = 3  # times that a die leaned, moved in between: then it is the camera that was moved
ROUNDS = 4  # iterations that find the slope of a die from how it is seen
STEEPEST = 0.95  # sine: no die is read that is seen more from the side

Floats = NDArray[np.float64]
Extent = tuple[int, int]  # width and height of a picture


@dataclass(frozen=True, slots=True)
class _CameraView:
    """What flat dice look like to a camera. slope: of straight up, as sines; limit: a die farther off leans."""

    nearness: Floats  # (1,)
    slope: Floats  # (2,)
    limit: float

    def off(self, rows: Floats, extent: Extent) -> Floats:
        """Return by how much dice differ from flat ones, (N, 2), sines, right and down."""
        return np.asarray(_slopes(rows, extent, self.nearness)[0] - self.slope, np.float64)


class FlatnessFilter:
    """What flat dice look like to one camera, learned from dice that came to rest before."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, ...]] = deque(maxlen=CAMERA_REMEMBERED)
        self._camera: _CameraView | None = None
        self._leaned_s: set[float] = set()

    def apply(self, reading: Reading) -> Reading:
        """Return the reading in which dice that do not lie flat are unsure."""
        return reading.doubting({die: die.unsure(UnsureReason.LEANS) for die in self._leaning(reading)})

    def learn(self, dice: Sequence[Die]) -> None:
        """Learn from dice that have just come to rest flat."""
        self._leaned_s.clear()
        self._seen.extend(_row(die) for die in dice)
        self._camera = None

    def note_leaning(self, arrived_s: float) -> None:
        """Note that a die that came to rest at that time leaned; too often, and everything is learned again."""
        self._leaned_s.add(arrived_s)
        if len(self._leaned_s) >= MOVED_CAMERA_LEANS:
            self._forget()

    def _leaning(self, reading: Reading) -> list[Die]:
        """Return the dice that are seen from another side than flat ones; none while nothing is known."""
        if not reading.dice:
            return []
        rows, extent = np.array([_row(die) for die in reading.dice]), (reading.width, reading.height)
        if len(self._seen) < CAMERA_KNOWN_FROM:
            slopes = _slopes(np.array([*rows, *self._seen]), extent, NEARNESS)
            return [
                die for n, die in enumerate(reading.dice) if _is_outlier(slopes[:, n], np.delete(slopes, n, axis=1))
            ]
        self._camera = self._camera or _camera_of(np.array(self._seen), extent)
        off = self._camera.off(rows, extent)
        far = np.hypot(*off.T) > self._camera.limit
        if far.all() and len(off) >= MOVED_CAMERA_DICE and _off_to_same_side(off):
            self._forget()
            return []
        return [die for die, leans in zip(reading.dice, far, strict=True) if leans]

    def _forget(self) -> None:
        self._seen.clear()
        self._leaned_s.clear()
        self._camera = None


def _row(die: Die) -> tuple[float, ...]:
    return (die.x, die.y, *die.up, die.tilt)


def _slopes(seen: Floats, extent: Extent, nearness: Floats) -> Floats:
    """Return where the upward normal of each die points for each nearness of the camera: (C, N, 2) sines, right, down.

    seen: (N, 5), x, y, `up` and `tilt` as the reader measures them: relative to the line of sight to that die, which
    differs from place to place. The result is relative to the camera's own line of sight, so alike for all flat dice.
    """
    wide, high = extent
    away = (seen[:, :2] - (wide / 2, high / 2)) / wide
    rays = np.concatenate([away * nearness[:, None, None], np.ones((len(nearness), len(seen), 1))], axis=2)
    rays /= np.linalg.norm(rays, axis=2, keepdims=True)
    aside, along = rays[..., :2], rays[..., 2]
    lengths = np.hypot(seen[:, 2], seen[:, 3])
    tilts = np.sqrt(np.maximum(seen[:, 4] ** 2 - LEAST_TILT**2, 0.0))
    slopes_seen = (
        seen[:, 2:4] * (((1 - TILT_SHARE) * lengths + TILT_SHARE * tilts) / np.maximum(lengths, 1e-6))[:, None]
    )
    slopes = slopes_seen - aside
    for _ in range(ROUNDS):
        level = np.sqrt(np.maximum(1 - (slopes**2).sum(axis=2), 1 - STEEPEST**2))
        slopes = slopes_seen + ((slopes * aside).sum(axis=2) - level * along)[..., None] * aside
    return np.asarray(slopes, np.float64)


def _is_outlier(slopes: Floats, others: Floats) -> bool:
    """Return whether a die is seen from another side than the dice beside it and those of the first throws.

    slopes, others: of the die, (C, 2), and of the other dice, (C, N, 2), for each nearness. The die is an outlier if it
    differs at every nearness at which the others are alike, or all but one of MAY_LEAN_FROM or more.
    """
    if not others.shape[1]:
        return False
    typical = np.median(others, axis=1)
    off = np.sort(np.linalg.norm(others - typical[:, None], axis=2), axis=1)
    spread = off[:, -2 if off.shape[1] >= MAY_LEAN_FROM else -1]
    possible = spread <= max(ALIKE_OFF, ALIKE_FACTOR * float(spread.min()))
    if others.shape[1] < GUESSED_FROM:
        possible &= np.linalg.norm(others, axis=2).max(axis=1) < UPRIGHT
    off = np.where(possible, np.linalg.norm(slopes - typical, axis=1), 0.0 if not possible.any() else np.inf)
    best = int(off.argmin())
    return bool(off[best] > GUESSED_OFF + spread[best])


def _camera_of(seen: Floats, extent: Extent) -> _CameraView:
    """Return the camera for which these dice, (N, 5), look most alike; one in ten may have leaned."""
    slopes = _slopes(seen, extent, NEARNESS)
    typical = np.median(slopes, axis=1)
    off = np.linalg.norm(slopes - typical[:, None], axis=2)
    best = int(off.mean(axis=1).argmin())  # the median of a few dice would depend too much on chance
    return _CameraView(
        NEARNESS[best : best + 1], typical[best], max(LEAST_OFF, OFF_FACTOR * float(np.median(off[best])))
    )


def _off_to_same_side(off: Floats) -> bool:
    """Return whether dice that are all off are off to the same side: then it is the camera that has moved."""
    typical = np.median(off, axis=0)
    return bool(np.hypot(*(off - typical).T).max() < SAME_SIDE_SHARE * float(np.hypot(*typical)))
