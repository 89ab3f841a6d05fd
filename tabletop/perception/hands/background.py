"""What the tray looks like with nothing on it: whether a place is bare, and whether fingers are round a die.

The ground is learned from the pictures themselves: it is what keeps still for longer than anybody holds a die still,
and is no die. A picture is compared with it regardless of brightness, so that lamps and shadows change nothing. All
places are in the reference picture, in pixels of the frames.
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

LONG_PX = 112  # the longer side of the pictures compared: dice and fingers are 5 to 10 pixels wide there
FIRST_S = 0.4  # a place never seen before is ground if it keeps still for this long
RELEARNED_S = 2.6  # a place that has changed is ground if it keeps still for longer than anybody holds up a die
DARK_LEVELS = 12.0  # added to both before they are divided: the colour of black says nothing
COLOUR_OFF = 1.3  # (now / ground) of one channel over that of another: above this the colour is different
SHADE = (0.4, 2.2)  # (now / ground) in shadow and in light: a sunbeam makes part of a tray 1.6 times as bright
# As SHADE and COLOUR_OFF, but against the median colour of the table: wood and the light on it are this uneven.
TABLE_SHADE, TABLE_COLOUR = (0.75, 1.35), 1.15
DRIFT = 0.07  # share: whatever is brighter or darker by less is the ground as it is now
STILL_LEVELS = 10.0  # grey levels: whatever changes by less keeps still
DIE_EDGES = 0.95  # radius in which a die and its shadow may change the picture
BARE_EDGES = 1.8  # radius in which nothing lies over the ground if a die was picked up there
HELD_EDGES = 1.5  # radius in which the fingers that hold a die are seen
STOOD_S = 1.0  # whatever was there this long before the die does not hold it: a hand comes with its die, or later
COVERED = 0.5  # share of the middle of a place that a die there covers, at least
LEAST_KNOWN = 0.4  # share of a ring that must be known to judge it
LEAST_SEEN = 0.1  # the same for the ring round a die in a hand full of dice
BARE, HELD = 0.06, 0.3  # share of a ring that is covered, at most if bare and at least if held
LEAST_LIT = 0.1  # share of a ring that shows the fingers themselves: otherwise only their shadow falls there
MIDDLE_EDGES, LEAST_TABLE, MOST_ALTERED = 0.5, 0.8, 0.1  # radius of a middle; shares of it: known, changed
OPEN = 0.013  # share of the whole picture that may be covered if no hand is in view
# A hand of the ground's own colour is still a large area that is a little brighter or darker: with its edges taken off,
# more than this is left in 96 % of 840 frames with such a hand, and in 3 of 10 of 1,260 without (sunbeams, shadows).
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
        self._ratios: Levels = self._before  # brightness now over that of the ground
        self._table: Levels | None = None  # the picture with all dice elsewhere
        self._table_known: Mask = self._known

    def update(
        self, picture: Picture, time_s: float, seen: Sequence[Die | Unsure], pose: NDArray[np.float64] | None
    ) -> None:
        """Compare a frame, (H, W, 3) uint8 BGR, with the ground, and learn from it.

        seen: what was read in it. pose: from its pixels to those of the reference, (3, 3); None if they are the same.
        """
        self._zoom = min(1.0, LONG_PX / max(picture.shape[:2]))
        now, there = _small(picture, self._zoom, pose)
        self._now, self._there = now, there
        if self._ground is None or self._ground.shape != now.shape:
            self._ground, self._before, self._still = now.copy(), now.copy(), now.copy()
            self._since_s = np.full(now.shape[1:], time_s)
            self._known = self._covered = self._altered = np.zeros(now.shape[1:], np.bool_)
            self._ratios = np.ones_like(now)
            return
        ratios = self._ratios = _ratios(self._ground, now, self._known & there)
        changed = _other(ratios) & self._known & there
        self._altered = (_most(np.abs(ratios - 1.0)) > ALTERED) & self._known & there
        # A hand that lay still for long was learned as ground: under it is the ground as it was before.
        self._covered = changed & _other(_ratios(self._before, now, self._known & there))
        moved = (_most(np.abs(now - self._still)) > STILL_LEVELS) | ~there
        np.copyto(self._still, now, where=moved)
        self._since_s[moved] = time_s
        near = self._known & (_most(np.abs(ratios - 1.0)) < DRIFT) | changed & ~self._covered
        long_s = time_s - self._since_s
        learned = near | (long_s >= np.where(self._known, RELEARNED_S, FIRST_S))
        learned &= there & self._free(seen)
        np.copyto(self._before, self._ground, where=learned & self._covered)
        np.copyto(self._ground, now, where=learned)
        self._known = self._known | learned

    def learn_complete_tray(self, dice: Sequence[Die]) -> None:
        """Learn how the tray looks now that all dice are read: whatever else is there is no die."""
        free = self._free(dice) & self._there
        if self._table is None or self._table.shape != self._now.shape:
            self._table, self._table_known = self._now.copy(), free
            return
        np.copyto(self._table, self._now, where=free)
        self._table_known = self._table_known | free

    def is_static_clutter(self, unsure: Unsure) -> bool:
        """Return whether this was there, unchanged, while all dice were read elsewhere: a knot in wood, a rim."""
        if self._table is None or self._table.shape != self._now.shape:
            return False
        middle = self._disk(unsure, MIDDLE_EDGES)
        known = middle & self._table_known & self._there
        if not middle.any() or known.sum() < LEAST_TABLE * middle.sum():
            return False
        ratios = _ratios(self._table, self._now, self._table_known & self._there)
        return float((_most(np.abs(ratios - 1.0)) > ALTERED)[known].mean()) <= MOST_ALTERED

    def bare(self, place: Die, others: Sequence[Die | Unsure]) -> bool | None:
        """Return whether nothing but other dice is where a die lay and round that place; None if not known."""
        share = self._share(place, 0.0, BARE_EDGES, self._free(others))
        return None if share is None else share <= BARE

    def empty(self, unsure: Unsure) -> bool:
        """Return whether only the ground is at a place where something unsure was read."""
        share = self._share(unsure, 0.0, MIDDLE_EDGES, self._free(()))
        return share is not None and share <= BARE

    def covers(self, unsure: Unsure) -> bool:
        """Return whether something is over the ground in the middle of a place; False if too little is known."""
        share = self._share(unsure, 0.0, MIDDLE_EDGES, self._free(()))
        return share is not None and share >= COVERED

    def cover(self, seen: Sequence[Die | Unsure], edge_px: float) -> Cover:
        """Return what covers the ground apart from what was read. edge_px: the edge of a die in pixels of the frame."""
        covered = self._covered & self._free(seen)
        return hands_in(
            covered & ~self._like_table(covered), self._ratios, self._there, edge_px * self._zoom, len(seen)
        )

    def _like_table(self, covered: Mask) -> Mask:
        """Return where it looks like most of the table: bare now, though a shadow lay there while it was learned."""
        bare = (self._known & self._there & ~self._covered)[::2, ::2]
        if not covered.any() or not bare.any():
            return np.zeros_like(covered)
        median = np.median(self._now[:, ::2, ::2][:, bare], axis=1)[:, None, None]
        ratios = np.asarray((self._now + DARK_LEVELS) / (median + DARK_LEVELS), np.float32)
        low, high = np.minimum(np.minimum(ratios[0], ratios[1]), ratios[2]), _most(ratios)
        return np.asarray((low > TABLE_SHADE[0]) & (high < TABLE_SHADE[1]) & (high < TABLE_COLOUR * low), np.bool_)

    def touched(
        self, dice: Sequence[Die], seen: Sequence[Die | Unsure], cover: Cover
    ) -> tuple[tuple[Die, ...], tuple[Die, ...]]:
        """Return which dice have a hand round them, and which have something that may be one.

        seen: all that was read; cover: what covers the ground apart from that. A shadow is no hand, nor is anything
        that stood there before.
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
        """Return the places of unseen dice over which something reaches from outside: a hand, or its shadow."""
        if not places:
            return ()
        free = self._free(seen)
        edge_px = float(np.median([die.size for die in places])) * self._zoom
        arm = reaching_in((self._altered | self._covered) & free, self._there, edge_px)
        shares = [self._share(die, 0.0, HELD_EDGES, free, LEAST_SEEN, arm) for die in places]
        return tuple(die for die, share in zip(places, shares, strict=True) if share is not None and share >= COVERED)

    def _is_round(self, die: Die, cover: Mask, free: Mask, least: float = HELD) -> bool:
        """Return whether a hand is round a die. Whatever stood there long before the die came does not hold it."""
        middle = self._disk(die, MIDDLE_EDGES)
        if middle.any():
            cover = cover & (self._since_s >= np.median(self._since_s[middle]) - STOOD_S)
        share = self._share(die, DIE_EDGES, HELD_EDGES, free, LEAST_SEEN, cover)
        return share is not None and share >= least

    def alone(self, seen: Sequence[Die | Unsure]) -> list[bool]:
        """Return for each of `seen` whether only ground and other dice are round it: then it is in nobody's fingers."""
        free = self._free(seen)
        shares = [self._share(sighting, DIE_EDGES, HELD_EDGES, free) for sighting in seen]
        return [share is not None and share <= BARE for share in shares]

    def is_clear(self, seen: Sequence[Die | Unsure]) -> bool | None:
        """Return whether nothing but what was read is over the ground; None if too little ground is known."""
        free = self._free(seen) & self._known
        if free.sum() <= LEAST_KNOWN * free.size:
            return None
        inner = cv2.erode((self._altered & free).astype(np.uint8), np.ones((EDGE_PX, EDGE_PX), np.uint8))
        return float(self._covered[free].mean()) <= OPEN and float(inner.mean()) <= ALTERED_OPEN

    def _share(
        self,
        sighting: Die | Unsure,
        inner: float,
        outer: float,
        free: Mask,
        least: float = LEAST_KNOWN,
        cover: Mask | None = None,
    ) -> float | None:
        """Return the covered share of the free part of the ring around a die; None if too little of it is known.

        inner, outer: radii, in edges of the die. least: share of the ring that must be known. cover: what counts as
        covered; None for whatever is over the ground.
        """
        ring = self._disk(sighting, outer)
        if inner:
            ring &= ~self._disk(sighting, inner)
        whole = int(ring.sum())
        ring &= free & self._known
        if not whole or ring.sum() < least * whole:
            return None
        return float((self._covered if cover is None else cover)[ring].mean())

    def _free(self, seen: Sequence[Die | Unsure]) -> Mask:
        """Return the pixels outside all of these, (h, w) bool."""
        free = np.ones(self._known.shape, np.bool_)
        for sighting in seen:
            free &= ~self._disk(sighting, DIE_EDGES)
        return free

    def _disk(self, sighting: Die | Unsure, edges: float) -> Mask:
        high, wide = self._known.shape
        columns = np.arange(wide, dtype=np.float32) + np.float32(0.5 - sighting.x * self._zoom)
        rows = np.arange(high, dtype=np.float32) + np.float32(0.5 - sighting.y * self._zoom)
        return np.asarray(
            (rows**2)[:, None] + (columns**2)[None] <= (edges * sighting.size * self._zoom) ** 2, np.bool_
        )


def _small(picture: Picture, zoom: float, pose: NDArray[np.float64] | None) -> tuple[Levels, Mask]:
    """Return the picture made small, (3, h, w), in the reference's place, and which pixels of that it shows, (h, w)."""
    height, width = picture.shape[:2]
    step = max(1, int(0.5 / zoom))  # at least four pixels for each small one are enough
    size = max(1, round(width * zoom)), max(1, round(height * zoom))
    small = np.asarray(cv2.resize(picture[::step, ::step], size, interpolation=cv2.INTER_AREA), np.float32)
    there = np.ones(small.shape[:2], np.bool_)
    if pose is not None:
        larger = np.diag([zoom, zoom, 1.0])
        homography = larger @ pose @ np.linalg.inv(larger)
        small = np.asarray(cv2.warpPerspective(small, homography, size), np.float32)
        there = np.asarray(cv2.warpPerspective(there.astype(np.uint8) * 255, homography, size), np.uint8) == 255  # noqa: PLR2004 - all of it
    return np.ascontiguousarray(np.moveaxis(small, 2, 0)), there


def _most(planes: Levels) -> Levels:
    return np.asarray(np.maximum(np.maximum(planes[0], planes[1]), planes[2]), np.float32)


def _ratios(ground: Levels, now: Levels, known: Mask) -> Levels:
    """Return brightness over that of the ground, (3, h, w), divided by its median: a lamp changes all of it."""
    ratios = np.asarray((now + DARK_LEVELS) / (ground + DARK_LEVELS), np.float32)
    some = known[::2, ::2]
    if some.any():
        ratios /= np.median(ratios[:, ::2, ::2][:, some], axis=1)[:, None, None]
    return ratios


def _other(ratios: Levels) -> Mask:
    """Return where a picture differs from the ground in colour, or is much brighter or darker, (h, w) bool."""
    low, high = np.minimum(np.minimum(ratios[0], ratios[1]), ratios[2]), _most(ratios)
    return np.asarray((high > COLOUR_OFF * low) | (low < SHADE[0]) | (high > SHADE[1]), np.bool_)
