"""What the tray looks like with nothing on it: whether a place is bare, and whether fingers are round a die.

The ground is learnt from the pictures themselves: what keeps still for longer than anybody holds a die still, and is no
die. A picture is compared with it up to its brightness, so that lamps and shadows change nothing. All places are as the
camera saw them at first, in pixels of its frames.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.core.values import Die, Unsure
from tabletop.perception.hands.hand_shape import Cover, hands_in, reaching_in

Picture = NDArray[np.uint8]
Levels = NDArray[np.float32]
Mask = NDArray[np.bool_]

LONG_PX = 112  # the longer side of what is compared: dice are 5 to 10 pixels there, and a finger as wide
FIRST_S = 0.4  # what was never seen before is the ground, if it keeps still for this long
LEARNT_S = 2.6  # and what was seen, if nobody would show a die to a neighbour for longer without moving
DARK_LEVELS = 12.0  # added to both before they are divided: nothing is told of the colour of black
COLOUR_OFF = 1.3  # (now / ground) of one channel against that of another: above it the colour is another one
SHADE = (0.4, 2.2)  # (now / ground) in shadow and in light: a sunbeam on part of a tray makes it 1.6 times as bright
TABLE_SHADE, TABLE_COLOUR = (0.75, 1.35), 1.15  # of the table's most usual colour: as uneven are wood and light on it
DRIFT = 0.07  # what is brighter or darker by less is the ground as it is now
STILL_LEVELS = 10.0  # grey levels: what changes by less keeps still
DIE_EDGES = 0.95  # so far from its middle a die and its shadow may change the picture
AROUND_EDGES = 1.8  # so far round the place of a die that was picked up nothing lies over the ground
HELD_EDGES = 1.5  # so far round a die the fingers that hold it are seen
STOOD_S = 1.0  # a hand comes with the die that it holds, or later; not so long before
COVERED = 0.5  # share of the middle of a place that a die there covers at least
LEAST_KNOWN = 0.4  # share of such a ring that must be known for telling anything
LEAST_SEEN = 0.1  # and in a hand full of dice, of the ring round one of them
BARE, HELD = 0.06, 0.3  # share of it that is covered at most, or at least
LEAST_LIT = 0.1  # share of it that shows fingers themselves: else only their shadow falls there
MIDDLE_EDGES, LEAST_TABLE, MOST_ALTERED = 0.5, 0.8, 0.1  # a thing's middle; share of it that is known, that is new
OPEN = 0.013  # share of the whole picture that may be covered where no hand is in view
# A hand of the ground's own colour is still a large place that is a little brighter or darker: of 840 frames with one
# 96 % have more of it than this left when its edges are taken off, of 1,260 without one 3 in 10 (sunbeams, shadows).
ALTERED, EDGE_PX, ALTERED_OPEN = 0.06, 7, 0.005


class BackgroundModel:
    """Learns the ground under one camera."""

    def __init__(self) -> None:
        self._zoom = 1.0
        self._ground: Levels | None = None
        self._before: Levels = np.zeros((3, 0, 0), np.float32)
        self._still: Levels = np.zeros((3, 0, 0), np.float32)
        self._since_s: NDArray[np.float64] = np.zeros((0, 0))
        self._known: Mask = np.zeros((0, 0), np.bool_)
        self._covered: Mask = self._known
        self._altered: Mask = self._known
        self._now: Levels = self._before
        self._there: Mask = self._known
        self._times: Levels = self._before  # how many times as bright as the ground it is now
        self._table: Levels | None = None  # the picture with all dice elsewhere
        self._table_known: Mask = self._known

    def update(
        self, picture: Picture, time_s: float, seen: Sequence[Die | Unsure], stands: NDArray[np.float64] | None
    ) -> None:
        """Compare a frame, (H, W, 3) uint8 BGR, with the ground, and learn from it.

        seen: what was read there. stands: from its pixels to those at first, (3, 3); None if the camera stands so.
        """
        self._zoom = min(1.0, LONG_PX / max(picture.shape[:2]))
        now, there = _small(picture, self._zoom, stands)
        self._now, self._there = now, there
        if self._ground is None or self._ground.shape != now.shape:
            self._ground, self._before, self._still = now.copy(), now.copy(), now.copy()
            self._since_s = np.full(now.shape[1:], time_s)
            self._known = self._covered = self._altered = np.zeros(now.shape[1:], np.bool_)
            self._times = np.ones_like(now)
            return
        times = self._times = _times(self._ground, now, self._known & there)
        changed = _other(times) & self._known & there
        self._altered = (_most(np.abs(times - 1.0)) > ALTERED) & self._known & there
        # A hand that lay still for long was taken for the ground: what it leaves is the ground as it was before.
        self._covered = changed & _other(_times(self._before, now, self._known & there))
        moved = (_most(np.abs(now - self._still)) > STILL_LEVELS) | ~there
        np.copyto(self._still, now, where=moved)
        self._since_s[moved] = time_s
        near = self._known & (_most(np.abs(times - 1.0)) < DRIFT) | changed & ~self._covered
        long_s = time_s - self._since_s
        learnt = near | (long_s >= np.where(self._known, LEARNT_S, FIRST_S))
        learnt &= there & self._free(seen)
        np.copyto(self._before, self._ground, where=learnt & self._covered)
        np.copyto(self._ground, now, where=learnt)
        self._known = self._known | learnt

    def learn_complete_tray(self, dice: Sequence[Die]) -> None:
        """Note how the tray looks now that all dice are read: what else is there is none."""
        free = self._free(dice) & self._there
        if self._table is None or self._table.shape != self._now.shape:
            self._table, self._table_known = self._now.copy(), free
            return
        np.copyto(self._table, self._now, where=free)
        self._table_known = self._table_known | free

    def is_static_clutter(self, one: Unsure) -> bool:
        """Return whether a thing was there, just so, while all dice were read elsewhere: a knot of wood, a rim."""
        if self._table is None or self._table.shape != self._now.shape:
            return False
        middle = self._disk(one, MIDDLE_EDGES)
        known = middle & self._table_known & self._there
        if not middle.any() or known.sum() < LEAST_TABLE * middle.sum():
            return False
        times = _times(self._table, self._now, self._table_known & self._there)
        return float((_most(np.abs(times - 1.0)) > ALTERED)[known].mean()) <= MOST_ALTERED

    def bare(self, place: Die, others: Sequence[Die | Unsure]) -> bool | None:
        """Return whether nothing is where a die lay, nor round it, but other dice that lie there; None: not known."""
        share = self._share(place, 0.0, AROUND_EDGES, self._free(others))
        return None if share is None else share <= BARE

    def empty(self, one: Unsure) -> bool:
        """Return whether where something is seen, unsurely, there is but the ground."""
        share = self._share(one, 0.0, MIDDLE_EDGES, self._free(()))
        return share is not None and share <= BARE

    def covers(self, one: Unsure) -> bool:
        """Return whether there is something over the ground in the middle of a place; not where too little is known."""
        share = self._share(one, 0.0, MIDDLE_EDGES, self._free(()))
        return share is not None and share >= COVERED

    def cover(self, seen: Sequence[Die | Unsure], edge_px: float) -> Cover:
        """Return what covers the ground besides what was read. edge_px: the edge of a die in pixels of the frame."""
        covered = self._covered & self._free(seen)
        return hands_in(covered & ~self._like_table(covered), self._times, self._there, edge_px * self._zoom, len(seen))

    def _like_table(self, covered: Mask) -> Mask:
        """Return what looks like most of the table: where a shadow lay when the ground was learnt, it is bare now."""
        bare = (self._known & self._there & ~self._covered)[::2, ::2]
        if not covered.any() or not bare.any():
            return np.zeros_like(covered)
        most = np.median(self._now[:, ::2, ::2][:, bare], axis=1)[:, None, None]
        times = np.asarray((self._now + DARK_LEVELS) / (most + DARK_LEVELS), np.float32)
        low, high = np.minimum(np.minimum(times[0], times[1]), times[2]), _most(times)
        return np.asarray((low > TABLE_SHADE[0]) & (high < TABLE_SHADE[1]) & (high < TABLE_COLOUR * low), np.bool_)

    def touched(
        self, dice: Sequence[Die], seen: Sequence[Die | Unsure], cover: Cover
    ) -> tuple[tuple[Die, ...], tuple[Die, ...]]:
        """Return which dice have a hand round them, and which have something that may be one.

        seen: all that was read; cover: what is beside that. A shadow is no hand, nor is what stood there before.
        """
        either = cover.hand | cover.doubtful
        if not either.any():
            return (), ()
        free = self._free(seen)
        near = [die for die in dice if self._is_round(die, either, free)]
        held = tuple(
            die
            for die in near
            if self._is_round(die, cover.hand, free) and self._is_round(die, cover.lit, free, LEAST_LIT)
        )
        doubtful = tuple(die for die in near if die not in held)
        return held, doubtful

    def under(self, places: Sequence[Die], seen: Sequence[Die | Unsure]) -> tuple[Die, ...]:
        """Return over which places of dice that are not seen something reaches, from outside: a hand, or its shadow."""
        if not places:
            return ()
        free = self._free(seen)
        edge_px = float(np.median([die.size for die in places])) * self._zoom
        arm = reaching_in((self._altered | self._covered) & free, self._there, edge_px)
        shares = [self._share(die, 0.0, HELD_EDGES, free, LEAST_SEEN, arm) for die in places]
        return tuple(die for die, share in zip(places, shares, strict=True) if share is not None and share >= COVERED)

    def _is_round(self, die: Die, cover: Mask, free: Mask, least: float = HELD) -> bool:
        """Return whether a hand is round a die. What stood there for long before the die came does not hold it."""
        middle = self._disk(die, MIDDLE_EDGES)
        if middle.any():
            cover = cover & (self._since_s >= np.median(self._since_s[middle]) - STOOD_S)
        share = self._share(die, DIE_EDGES, HELD_EDGES, free, LEAST_SEEN, cover)
        return share is not None and share >= least

    def alone(self, seen: Sequence[Die | Unsure]) -> list[bool]:
        """Tell of each thing whether nothing but the ground and others is seen round it: it is in nobody's fingers."""
        free = self._free(seen)
        shares = [self._share(one, DIE_EDGES, HELD_EDGES, free) for one in seen]
        return [share is not None and share <= BARE for share in shares]

    def is_clear(self, seen: Sequence[Die | Unsure]) -> bool | None:
        """Return whether nothing but what was read is over the ground; None if too little of it is known."""
        free = self._free(seen) & self._known
        if free.sum() <= LEAST_KNOWN * free.size:
            return None
        inner = cv2.erode((self._altered & free).astype(np.uint8), np.ones((EDGE_PX, EDGE_PX), np.uint8))
        return float(self._covered[free].mean()) <= OPEN and float(inner.mean()) <= ALTERED_OPEN

    def _share(
        self,
        one: Die | Unsure,
        inner: float,
        outer: float,
        free: Mask,
        least: float = LEAST_KNOWN,
        cover: Mask | None = None,
    ) -> float | None:
        """Return which share of the ring around a die is covered, where it is free; None if too little is known.

        cover: what counts as covered; None: whatever is over the ground.
        """
        ring = self._disk(one, outer)
        if inner:
            ring &= ~self._disk(one, inner)
        whole = int(ring.sum())
        ring &= free & self._known
        if not whole or ring.sum() < least * whole:
            return None
        return float((self._covered if cover is None else cover)[ring].mean())

    def _free(self, seen: Sequence[Die | Unsure]) -> Mask:
        """Return where none of these is."""
        free = np.ones(self._known.shape, np.bool_)
        for one in seen:
            free &= ~self._disk(one, DIE_EDGES)
        return free

    def _disk(self, one: Die | Unsure, edges: float) -> Mask:
        high, wide = self._known.shape
        columns = np.arange(wide, dtype=np.float32) + np.float32(0.5 - one.x * self._zoom)
        rows = np.arange(high, dtype=np.float32) + np.float32(0.5 - one.y * self._zoom)
        return np.asarray((rows**2)[:, None] + (columns**2)[None] <= (edges * one.size * self._zoom) ** 2, np.bool_)


def _small(picture: Picture, zoom: float, stands: NDArray[np.float64] | None) -> tuple[Levels, Mask]:
    """Return the picture made small, (3, h, w), as the camera saw it at first, and where it shows that."""
    height, width = picture.shape[:2]
    step = max(1, int(0.5 / zoom))  # four pixels or more for each small one are enough
    size = max(1, round(width * zoom)), max(1, round(height * zoom))
    small = np.asarray(cv2.resize(picture[::step, ::step], size, interpolation=cv2.INTER_AREA), np.float32)
    there = np.ones(small.shape[:2], np.bool_)
    if stands is not None:
        larger = np.diag([zoom, zoom, 1.0])
        way = larger @ stands @ np.linalg.inv(larger)
        small = np.asarray(cv2.warpPerspective(small, way, size), np.float32)
        there = np.asarray(cv2.warpPerspective(there.astype(np.uint8) * 255, way, size), np.uint8) == 255  # noqa: PLR2004 - all of it
    return np.ascontiguousarray(np.moveaxis(small, 2, 0)), there


def _most(planes: Levels) -> Levels:
    return np.asarray(np.maximum(np.maximum(planes[0], planes[1]), planes[2]), np.float32)


def _times(ground: Levels, now: Levels, known: Mask) -> Levels:
    """Return how many times as bright as the ground a picture is, against most of it: a lamp changes all of it."""
    times = np.asarray((now + DARK_LEVELS) / (ground + DARK_LEVELS), np.float32)
    some = known[::2, ::2]
    if some.any():
        times /= np.median(times[:, ::2, ::2][:, some], axis=1)[:, None, None]
    return times


def _other(times: Levels) -> Mask:
    """Return where a picture shows another colour than the ground, or is much brighter or darker."""
    low, high = np.minimum(np.minimum(times[0], times[1]), times[2]), _most(times)
    return np.asarray((high > COLOUR_OFF * low) | (low < SHADE[0]) | (high > SHADE[1]), np.bool_)
