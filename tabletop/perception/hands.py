"""Detect hands over the tray by comparison with the empty tray: places left bare, and dice held in fingers.

The background is learned from the frames: everything that stays still for longer than anybody holds a die, and is not a
die. Frames are compared with it regardless of brightness, so lamps and shadows change nothing. Places are in the
reference frame.

A change of the background is either a hand or only a shadow. An arm extends to the border of the picture and shows
colours that no shadow has. A shadow takes light away and adds none in any channel; it is no longer than the shadow of a
die, unless something large is out of view.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.core.values import SAME_DIE_EDGES, Die, Reading, Rest, Unsure, distance_in_edges
from tabletop.perception.camera_pose import IDENTITY, Homography
from tabletop.perception.tracks import NO_EVIDENCE, HandEvidence

Picture = NDArray[np.uint8]
Levels = NDArray[np.float32]
Mask = NDArray[np.bool_]

LIGHTER = 1.08  # (now / ground) in any channel: more is not a shadow; light reflected by the side of a die adds less
WARM = 1.2  # (now / ground) of red over that of blue: skin on white; a shadow in the sun takes more of the red
ARM_EDGES2 = 4.0  # squared edges of a die: four fingertips
ARM_WIDE_EDGES = 1.0  # as wide as a finger where it leaves the picture
ARM_LIGHTER = 0.2  # share of it that is lighter than the ground in some channel: skin on anything but white
HAND_EDGES2 = 8.0  # half a hand: its arm may have the colour of a tray's rim
DARK_ARM_EDGES2, SHADOW_EDGES2 = 8.0, 3.0  # the shadow of a die under a lamp at 20 degrees; several may merge
FINGER_EDGES = 0.6  # thinner areas are ignored if colours are inconclusive; a finger is as wide as a die
THIN_PX = 3  # one-pixel gaps are closed; anything thinner, such as a rim after a shake, is not a finger
NEIGHBOURS = 8  # of a pixel: diagonal ones count


@dataclass(frozen=True, slots=True)
class Cover:
    """Areas that cover the background.

    hand: a hand and its shadow; lit: the hand without shadow; doubtful: may be a hand.
    All are (h, w) bool.
    """

    hand: Mask
    lit: Mask
    doubtful: Mask


def hands_in(covered: Mask, ratios: Levels, there: Mask, edge_px: float, dice: int) -> Cover:
    """Classify what covers the background: a hand, a possible hand, or shadow.

    covered: where something other than a die covers the background, (h, w) bool; ratios: brightness now over that of
    the background, (3, h, w); there: what the camera sees, (h, w) bool. edge_px: the edge of a die in these pixels.
    dice: how many are seen, since their shadows may be included.
    """
    lighter = covered & (np.asarray(ratios.max(axis=0)) > LIGHTER)
    square = np.ones((THIN_PX, THIN_PX), np.uint8)
    whole = np.asarray(cv2.morphologyEx(covered.astype(np.uint8), cv2.MORPH_CLOSE, square), np.uint8)
    thick = cv2.morphologyEx(whole, cv2.MORPH_OPEN, square)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(thick, connectivity=NEIGHBOURS)
    area = stats[:, cv2.CC_STAT_AREA] / edge_px**2
    wide = np.bincount(labels[_border(there)], minlength=count) / edge_px
    light = np.bincount(labels[lighter], minlength=count) / np.maximum(stats[:, cv2.CC_STAT_AREA], 1)
    skin = covered & (ratios[2] > WARM * ratios[0])
    warm = np.bincount(labels[lighter | skin], minlength=count) / np.maximum(stats[:, cv2.CC_STAT_AREA], 1)
    leads_out = wide >= ARM_WIDE_EDGES
    hand = (leads_out & (area >= ARM_EDGES2) | (area >= HAND_EDGES2)) & (light >= ARM_LIGHTER)
    dark = leads_out & (area >= max(DARK_ARM_EDGES2, SHADOW_EDGES2 * dice))
    hand |= dark & (warm >= ARM_LIGHTER)
    hand[0] = dark[0] = False  # label 0 is the uncovered area
    is_hand = covered & _whole(whole, np.asarray(hand[labels]))
    is_dark = covered & np.asarray(dark[labels])
    return Cover(is_hand, is_hand & (lighter | skin), ~is_hand & (lighter & (thick > 0) | is_dark))


def reaching_in(altered: Mask, there: Mask, edge_px: float) -> Mask:
    """Return large objects that reach into the picture, (h, w) bool: a hand of any colour, or its shadow.

    altered: where the picture is slightly brighter or darker than the background, apart from dice. there, edge_px: as
    for `hands_in`.
    """
    side = max(THIN_PX, round(FINGER_EDGES * edge_px))
    thick = cv2.morphologyEx(altered.astype(np.uint8), cv2.MORPH_OPEN, np.ones((side, side), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(thick, connectivity=NEIGHBOURS)
    large = stats[:, cv2.CC_STAT_AREA] >= HAND_EDGES2 * edge_px**2
    large &= np.bincount(labels[_border(there)], minlength=count) >= ARM_WIDE_EDGES * edge_px
    large[0] = False
    return np.asarray(large[labels], np.bool_)


def _whole(pieces: NDArray[np.uint8], seeds: Mask) -> Mask:
    """Return the connected pieces that hold a seed: a hand with its thin edges."""
    count, labels = cv2.connectedComponents(pieces, connectivity=NEIGHBOURS)
    chosen = np.zeros(count, np.bool_)
    chosen[np.unique(labels[seeds])] = True
    chosen[0] = False
    return np.asarray(chosen[labels], np.bool_)


def _border(there: Mask) -> Mask:
    """Return the outermost pixels of what the camera sees."""
    inner = cv2.erode(np.pad(there, 1).astype(np.uint8), np.ones((3, 3), np.uint8))[1:-1, 1:-1]
    return np.asarray(there & (inner == 0), np.bool_)


LONG_PX = 112  # the longer side of the pictures compared: dice and fingers are 5 to 10 pixels wide there
FIRST_S = 0.4  # a place never seen before is ground if it keeps still for this long
RELEARNED_S = 2.6  # a place that has changed is ground if it keeps still for longer than anybody holds up a die
DARK_LEVELS = 12.0  # added to both before dividing: the colour of black is meaningless
COLOUR_OFF = 1.3  # (now / ground) of one channel over that of another: above this the colour is different
SHADE = (0.4, 2.2)  # (now / ground) in shadow and in light: a sunbeam makes part of a tray 1.6 times as bright
# Like SHADE and COLOUR_OFF, but against the table's median colour: wood and the light on it are this uneven.
TABLE_SHADE, TABLE_COLOUR = (0.75, 1.35), 1.15
DRIFT = 0.07  # share: smaller changes of brightness update the background
STILL_LEVELS = 10.0  # grey levels: smaller changes count as still
DIE_EDGES = 0.95  # radius in which a die and its shadow may change the picture
BARE_EDGES = 1.8  # radius that is clear if a die was picked up there
HELD_EDGES = 1.5  # radius in which fingers holding a die are seen
STOOD_S = 1.0  # objects this much older than the die do not hold it: a hand comes with its die, or later
COVERED = 0.5  # share of the middle of a place that a die there covers, at least
LEAST_KNOWN = 0.4  # share of a ring that must be known to judge it
LEAST_SEEN = 0.1  # the same for the ring round a die in a hand full of dice
BARE, HELD = 0.06, 0.3  # share of a ring that is covered, at most if bare and at least if held
LEAST_LIT = 0.1  # share of a ring that shows the fingers themselves: with less, only their shadow falls there
MIDDLE_EDGES, LEAST_TABLE, MOST_ALTERED = 0.5, 0.8, 0.1  # radius of a middle; shares of it: known, changed
OPEN = 0.013  # share of the whole picture that may be covered if no hand is in view
# A hand of the background's colour is still a large area that is slightly brighter or darker: with its edges removed,
# more than this is left in 96 % of 840 frames with such a hand, and in 3 of 10 of 1,260 without (sunbeams, shadows).
ALTERED, EDGE_PX, ALTERED_OPEN = 0.06, 7, 0.005


class BackgroundModel:
    """Learns the background under one camera."""

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
        """Compare a frame, (H, W, 3) uint8 BGR, with the background, and learn from it.

        seen: the dice read in it. pose: from its pixels to those of the reference, (3, 3); None if they are the same.
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
        self._altered = (np.maximum.reduce(np.abs(ratios - 1.0)) > ALTERED) & self._known & there
        # A hand that lay still for long was learned as background: restore the earlier background under it.
        self._covered = changed & _other(_ratios(self._before, now, self._known & there))
        moved = (np.maximum.reduce(np.abs(now - self._still)) > STILL_LEVELS) | ~there
        np.copyto(self._still, now, where=moved)
        self._since_s[moved] = time_s
        near = self._known & (np.maximum.reduce(np.abs(ratios - 1.0)) < DRIFT) | changed & ~self._covered
        long_s = time_s - self._since_s
        learned = near | (long_s >= np.where(self._known, RELEARNED_S, FIRST_S))
        learned &= there & self._free(seen)
        np.copyto(self._before, self._ground, where=learned & self._covered)
        np.copyto(self._ground, now, where=learned)
        self._known = self._known | learned

    def learn_complete_tray(self, dice: Sequence[Die]) -> None:
        """Learn the look of the tray while all dice are read: nothing else there is a die."""
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
        return float((np.maximum.reduce(np.abs(ratios - 1.0)) > ALTERED)[known].mean()) <= MOST_ALTERED

    def bare(self, place: Die, others: Sequence[Die | Unsure]) -> bool | None:
        """Return whether only other dice are at and around a die's old place; None if unknown."""
        share = self._share(place, 0.0, BARE_EDGES, self._free(others))
        return None if share is None else share <= BARE

    def empty(self, unsure: Unsure) -> bool:
        """Return whether only background is at the place of something unsure."""
        share = self._share(unsure, 0.0, MIDDLE_EDGES, self._free(()))
        return share is not None and share <= BARE

    def covers(self, unsure: Unsure) -> bool:
        """Return whether something covers the background at the centre of a place; False if too little is known."""
        share = self._share(unsure, 0.0, MIDDLE_EDGES, self._free(()))
        return share is not None and share >= COVERED

    def cover(self, seen: Sequence[Die | Unsure], edge_px: float) -> Cover:
        """Return what covers the background apart from what was read.

        edge_px: the edge of a die in pixels of the frame.
        """
        covered = self._covered & self._free(seen)
        covered &= ~self._like_table(covered)
        return hands_in(covered, self._ratios, self._there, edge_px * self._zoom, len(seen))

    def _like_table(self, covered: Mask) -> Mask:
        """Return where it looks like most of the table: bare now, though a shadow lay there while it was learned."""
        bare = (self._known & self._there & ~self._covered)[::2, ::2]
        if not covered.any() or not bare.any():
            return np.zeros_like(covered)
        median = np.median(self._now[:, ::2, ::2][:, bare], axis=1)[:, None, None]
        ratios = np.asarray((self._now + DARK_LEVELS) / (median + DARK_LEVELS), np.float32)
        low, high = np.minimum.reduce(ratios), np.maximum.reduce(ratios)
        return np.asarray((low > TABLE_SHADE[0]) & (high < TABLE_SHADE[1]) & (high < TABLE_COLOUR * low), np.bool_)

    def touched(
        self, dice: Sequence[Die], seen: Sequence[Die | Unsure], cover: Cover
    ) -> tuple[tuple[Die, ...], tuple[Die, ...]]:
        """Return the dice with a hand around them, and those with something around them that may be a hand.

        seen: everything that was read; cover: what covers the background apart from that. Shadows, and objects that
        were there before the die, do not count.
        """
        either = cover.hand | cover.doubtful
        if not either.any():
            return (), ()
        free = self._free(seen)
        near = [die for die in dice if self._is_round(die, either, free)]
        hands = (die for die in near if self._is_round(die, cover.hand, free))
        held = tuple(die for die in hands if self._is_round(die, cover.lit, free, LEAST_LIT))
        return held, tuple(die for die in near if die not in held)

    def under(self, places: Sequence[Die], seen: Sequence[Die | Unsure]) -> tuple[Die, ...]:
        """Return the places of unseen dice under something that reaches in from outside: a hand, or its shadow."""
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

    def alone(self, seen: Sequence[Die | Unsure]) -> list[Die | Unsure]:
        """Return those of `seen` that have only background and other dice around them, so are not in fingers."""
        free = self._free(seen)
        shares = [self._share(sighting, DIE_EDGES, HELD_EDGES, free) for sighting in seen]
        return [one for one, share in zip(seen, shares, strict=True) if share is not None and share <= BARE]

    def is_clear(self, seen: Sequence[Die | Unsure]) -> bool | None:
        """Return whether only what was read covers the background; None if too little background is known."""
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
        reach = edges * sighting.size * self._zoom
        return np.asarray((rows**2)[:, None] + (columns**2)[None] <= reach**2, np.bool_)


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


def _ratios(ground: Levels, now: Levels, known: Mask) -> Levels:
    """Return brightness over that of the ground, (3, h, w), divided by its median: a lamp changes all of it."""
    ratios = np.asarray((now + DARK_LEVELS) / (ground + DARK_LEVELS), np.float32)
    some = known[::2, ::2]
    if some.any():
        ratios /= np.median(ratios[:, ::2, ::2][:, some], axis=1)[:, None, None]
    return ratios


def _other(ratios: Levels) -> Mask:
    """Return where a picture differs from the ground in colour, or is much brighter or darker, (h, w) bool."""
    low, high = np.minimum.reduce(ratios), np.maximum.reduce(ratios)
    return np.asarray((high > COLOUR_OFF * low) | (low < SHADE[0]) | (high > SHADE[1]), np.bool_)


MOST_PLACES = 40  # the newest places of dice that are remembered
RECENT_S = 0.5  # a hand that takes a die is seen over its place within this
QUIET_S = 0.3  # in a still picture one look per this time is enough

Places = tuple[tuple[float, float], ...]


class HandDetector:
    """Detects hands in the tray of one camera.

    placed: converts a reading from pixels of the reference frame to the table's units. held: the dice of the last
    reading that fingers hold or may hold, in the reference frame.
    """

    def __init__(self, placed: Callable[[Reading], Reading]) -> None:
        self._placed = placed
        self._ground = BackgroundModel()
        self._rested: list[tuple[Die, Die]] = []  # in the reference picture, and in the table's units
        self._recent: list[tuple[Die, float]] = []  # dice that were read lately, each with its time
        self._looked_s = float("-inf")
        self._last = NO_EVIDENCE
        self.held: tuple[Die, ...] = ()

    def apply(
        self, picture: NDArray[np.uint8], flat: Reading, pose: Homography, quiet_s: float
    ) -> tuple[HandEvidence, Reading]:
        """Return the evidence of hands in a frame, and its reading without static clutter.

        flat: the reading, in the reference frame; pose: from pixels of the frame to those of the reference. quiet_s:
        for how long the picture has been still.
        """
        known = all(_at(die, [rested for rested, _ in self._rested]) for die in flat.dice)
        last = self._last
        if quiet_s and flat.time_s - self._looked_s < QUIET_S and known and not (last.held or last.doubtful):
            return last, self._without_clutter(flat)
        self._looked_s = flat.time_s
        self._ground.update(picture, flat.time_s, [*flat.dice, *flat.unsure], None if pose is IDENTITY else pose)
        flat = self._without_clutter(flat)
        seen: list[Die | Unsure] = [*flat.dice, *(unsure for unsure in flat.unsure if not self._ground.empty(unsure))]
        rested = [die for die, _ in self._rested]
        held, doubtful, under = self._hands(flat, seen)
        self.held = (*held, *doubtful)
        bare, covered = self._former_places(flat, seen)
        self._last = HandEvidence(
            bare,
            covered,
            self._placed_dice(flat, held),
            self._placed_dice(flat, doubtful),
            tuple((die.x, die.y) for die in self._placed_dice(flat, under)),
            self._ground.is_clear([*seen, *rested]),
            self._alone(flat, seen),
        )
        return self._last, flat

    def _hands(self, flat: Reading, seen: Sequence[Die | Unsure]) -> tuple[tuple[Die, ...], ...]:
        """Return new dice that a hand holds, new dice that it may hold, and dice read lately that it is over now."""
        rested = [die for die, _ in self._rested]
        new = [die for die in flat.dice if not _at(die, [before for before in rested if before.face == die.face])]
        gone = [(die, at_s) for die, at_s in self._recent if not _at(die, flat.dice)]
        gone = [(die, at_s) for die, at_s in gone if flat.time_s - at_s <= RECENT_S]
        self._recent = [*((die, flat.time_s) for die in flat.dice), *gone]
        if not self._recent:
            return (), (), ()
        cover = self._ground.cover(seen, float(np.median([die.size for die, _ in self._recent])))
        under = self._ground.under([die for die, _ in gone], seen)
        return *self._ground.touched(new, seen, cover), under

    def _placed_dice(self, flat: Reading, dice: Sequence[Die]) -> tuple[Die, ...]:
        return tuple(placed for die in dice for placed in self._placed(_only(flat, die)).dice)

    def is_covered(self, unsure: Unsure) -> bool:
        """Return whether something covered the background at this place in the last frame."""
        return self._ground.covers(unsure)

    def _alone(self, flat: Reading, seen: Sequence[Die | Unsure]) -> Places:
        """Return the places of dice and unsure things that have only ground and other dice around them."""
        alone = self._ground.alone(seen)
        dice = tuple(sighting for sighting in alone if isinstance(sighting, Die))
        unsure = tuple(sighting for sighting in alone if isinstance(sighting, Unsure))
        placed = self._placed(replace(flat, dice=dice, unsure=unsure))
        things: list[Die | Unsure] = [*placed.dice, *placed.unsure]
        return tuple((at.x, at.y) for at in things)

    def _former_places(self, flat: Reading, seen: Sequence[Die | Unsure]) -> tuple[Places, Places]:
        """Return which of the places where dice lay are bare, and which have something over or beside them.

        The ground round one of them says nothing while others may lie there; once those are bare it does.
        """
        gone = {die: placed for die, placed in self._rested if not _at(die, flat.dice)}
        free: dict[Die, bool | None] = {}
        for _ in gone:
            there = [die for die, _ in self._rested if not free.get(die)]
            newly_free = {die: self._is_bare(die, there, seen) for die in gone if free.get(die) is None}
            free |= newly_free
            if not any(newly_free.values()):
                break
        bare, covered = ([at for die, at in gone.items() if free[die] is is_bare] for is_bare in (True, False))
        return tuple((at.x, at.y) for at in bare), tuple((at.x, at.y) for at in covered)

    def _is_bare(self, place: Die, there: Sequence[Die], seen: Sequence[Die | Unsure]) -> bool | None:
        others = [die for die in there if die is not place]
        free = self._ground.bare(place, others)
        beside = any(distance_in_edges(sighting, place) < BARE_EDGES and not _at(sighting, others) for sighting in seen)
        return free and not beside

    def _without_clutter(self, flat: Reading) -> Reading:
        """Return the reading without unsure things that were there already while all dice were read elsewhere."""
        unsure = tuple(each for each in flat.unsure if not self._ground.is_static_clutter(each))
        return flat if len(unsure) == len(flat.unsure) else replace(flat, unsure=unsure)

    def note_rest(self, flat: Reading, rest: Rest, expect: int | None = None) -> None:
        """Remember the dice of a rest; dice of earlier rests whose places are not bare may be under a hand.

        expect: how many dice should be there; if all of them are read now, nothing else in the picture is a die. A die
        in a rest may keep its face while it is in doubt now: it is not learned as part of the table.
        """
        pairs = ((die, placed) for die in flat.dice for placed in self._placed(_only(flat, die)).dice)
        lying = [(die, placed) for die, placed in pairs if _at(placed, rest.reading.dice)]
        if expect and len(lying) >= expect:
            self._ground.learn_complete_tray(flat.dice)
        now = [die for die, _ in lying]
        left = [(die, placed) for die, placed in self._rested if (placed.x, placed.y) not in self._last.bare]
        self._rested = [*lying, *(pair for pair in left if not _at(pair[0], now))][:MOST_PLACES]


def _only(flat: Reading, die: Die) -> Reading:
    return Reading(flat.time_s, flat.width, flat.height, (die,))


def _at(place: Die | Unsure, seen: Sequence[Die]) -> bool:
    return any(distance_in_edges(die, place) < SAME_DIE_EDGES for die in seen)
