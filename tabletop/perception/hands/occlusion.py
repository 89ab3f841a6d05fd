"""Where hands are on the dice: which places they left bare, and which dice are held."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tabletop.core.geometry import SAME_DIE_EDGES, distance_in_edges
from tabletop.core.values import Die, Reading, Rest, Unsure
from tabletop.perception.camera.transforms import IDENTITY, Homography
from tabletop.perception.hands.background import AROUND_EDGES, BackgroundModel
from tabletop.perception.settling import NO_EVIDENCE, HandEvidence

MOST_PLACES = 40  # places of dice that are remembered, the newest
RECENT_S = 0.5  # a hand that takes a die is seen over its place by then
QUIET_S = 0.3  # in a picture that keeps still a look in so long is enough

Places = tuple[tuple[float, float], ...]


class HandDetector:
    """Looks at one camera's tray, besides its dice.

    placed: takes a reading in pixels of the first frame to how the table measures. held: the dice of the last reading
    that fingers hold or may hold, as the camera saw them at first.
    """

    def __init__(self, placed: Callable[[Reading], Reading]) -> None:
        self._placed = placed
        self._ground = BackgroundModel()
        self._lay: list[tuple[Die, Die]] = []  # as the camera saw them, and as the table measures
        self._recent: list[tuple[Die, float]] = []  # dice that were read lately, each with when
        self._looked_s = float("-inf")
        self._last = NO_EVIDENCE
        self.held: tuple[Die, ...] = ()

    def apply(
        self, picture: NDArray[np.uint8], flat: Reading, pose: Homography, quiet_s: float
    ) -> tuple[HandEvidence, Reading]:
        """Return what is seen besides the dice of a frame, and what was read without what is the table's own.

        flat: what was read in it, as the camera saw it at first; pose: from its pixels to those. quiet_s: for how
        long the picture has kept still.
        """
        known = all(_at(die, [one for one, _ in self._lay]) for die in flat.dice)
        last = self._last
        if quiet_s and flat.time_s - self._looked_s < QUIET_S and known and not (last.held or last.doubtful):
            return last, self._without_table(flat)
        self._looked_s = flat.time_s
        self._ground.update(picture, flat.time_s, [*flat.dice, *flat.unsure], None if pose is IDENTITY else pose)
        flat = self._without_table(flat)
        seen: list[Die | Unsure] = [*flat.dice, *(one for one in flat.unsure if not self._ground.empty(one))]
        lay = [die for die, _ in self._lay]
        held, doubtful, under = self._hands(flat, seen)
        self.held = (*held, *doubtful)
        bare, covered = self._left(flat, seen)
        self._last = HandEvidence(
            bare,
            covered,
            self._placed_dice(flat, held),
            self._placed_dice(flat, doubtful),
            tuple((die.x, die.y) for die in self._placed_dice(flat, under)),
            self._ground.is_clear([*seen, *lay]),
            self._alone(flat, seen),
        )
        return self._last, flat

    def _hands(self, flat: Reading, seen: Sequence[Die | Unsure]) -> tuple[tuple[Die, ...], ...]:
        """Return the new dice that a hand holds, those that it may hold, and dice read lately that it is over now."""
        lay = [die for die, _ in self._lay]
        new = [die for die in flat.dice if not _at(die, [one for one in lay if one.face == die.face])]
        gone = [(die, at_s) for die, at_s in self._recent if not _at(die, flat.dice)]
        gone = [(die, at_s) for die, at_s in gone if flat.time_s - at_s <= RECENT_S]
        self._recent = [*((die, flat.time_s) for die in flat.dice), *gone]
        if not self._recent:
            return (), (), ()
        cover = self._ground.cover(seen, float(np.median([die.size for die, _ in self._recent])))
        under = self._ground.under([die for die, _ in gone], seen)
        return *self._ground.touched(new, seen, cover), under

    def _placed_dice(self, flat: Reading, dice: Sequence[Die]) -> tuple[Die, ...]:
        """Return dice as the table measures."""
        return tuple(one for die in dice for one in self._placed(_with_one(flat, die)).dice)

    def is_covered(self, one: Unsure) -> bool:
        """Return whether something is over the ground there, as seen in the last frame."""
        return self._ground.covers(one)

    def _alone(self, flat: Reading, seen: Sequence[Die | Unsure]) -> Places:
        """Return where things are that nothing but the ground and other dice is round."""
        alone = [one for one, is_so in zip(seen, self._ground.alone(seen), strict=True) if is_so]
        dice = tuple(one for one in alone if isinstance(one, Die))
        unsure = tuple(one for one in alone if isinstance(one, Unsure))
        placed = self._placed(replace(flat, dice=dice, unsure=unsure))
        return (*((one.x, one.y) for one in placed.dice), *((one.x, one.y) for one in placed.unsure))

    def _left(self, flat: Reading, seen: Sequence[Die | Unsure]) -> tuple[Places, Places]:
        """Return which of the places where dice lay are bare, and which have something over or beside them.

        The ground round one of them tells nothing where others may lie; once those are bare it does.
        """
        left = {die: placed for die, placed in self._lay if not _at(die, flat.dice)}
        free: dict[Die, bool | None] = {}
        for _ in left:
            there = [die for die, _ in self._lay if not free.get(die)]
            newly_free = {die: self._is_bare(die, there, seen) for die in left if free.get(die) is None}
            free |= newly_free
            if not any(newly_free.values()):
                break
        bare, covered = ([at for die, at in left.items() if free[die] is one] for one in (True, False))
        return tuple((at.x, at.y) for at in bare), tuple((at.x, at.y) for at in covered)

    def _is_bare(self, place: Die, there: Sequence[Die], seen: Sequence[Die | Unsure]) -> bool | None:
        others = [one for one in there if one is not place]
        free = self._ground.bare(place, others)
        beside = any(distance_in_edges(one, place) < AROUND_EDGES and not _at(one, others) for one in seen)
        return free and not beside

    def _without_table(self, flat: Reading) -> Reading:
        """Return the reading without what was there already while all dice were read elsewhere."""
        left = tuple(one for one in flat.unsure if not self._ground.is_static_clutter(one))
        return flat if len(left) == len(flat.unsure) else replace(flat, unsure=left)

    def note_rest(self, flat: Reading, rest: Rest, expect: int | None = None) -> None:
        """Note what lies there at a rest; what lay there before, at a place that is not bare, may be under a hand.

        expect: how many dice should lie there; where they do, whatever else is in the picture is no die.
        """
        if expect and len(rest.reading.dice) >= expect:
            self._ground.learn_complete_tray(flat.dice)
        pairs = ((die, placed) for die in flat.dice for placed in self._placed(_with_one(flat, die)).dice)
        lying = [(die, placed) for die, placed in pairs if _at(placed, rest.reading.dice)]
        now = [die for die, _ in lying]
        left = [(die, placed) for die, placed in self._lay if (placed.x, placed.y) not in self._last.bare]
        self._lay = [*lying, *(pair for pair in left if not _at(pair[0], now))][:MOST_PLACES]


def _with_one(flat: Reading, die: Die) -> Reading:
    return Reading(flat.time_s, flat.width, flat.height, (die,))


def _at(place: Die | Unsure, seen: Sequence[Die]) -> bool:
    return any(distance_in_edges(one, place) < SAME_DIE_EDGES for one in seen)
