"""Hands on the dice: which places they left bare, and which dice they hold."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tabletop.core.geometry import SAME_DIE_EDGES, distance_in_edges
from tabletop.core.values import Die, Reading, Rest, Unsure
from tabletop.perception.camera.transforms import IDENTITY, Homography
from tabletop.perception.hands.background import BARE_EDGES, BackgroundModel
from tabletop.perception.settling import NO_EVIDENCE, HandEvidence

MOST_PLACES = 40  # the newest places of dice that are remembered
RECENT_S = 0.5  # a hand that takes a die is seen over its place within this
QUIET_S = 0.3  # in a still picture one look per this time is enough

Places = tuple[tuple[float, float], ...]


class HandDetector:
    """Finds hands in the tray of one camera.

    placed: converts a reading from pixels of the reference picture to the table's units. held: the dice of the last
    reading that fingers hold or may hold, in the reference picture.
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
        """Return what a frame shows of hands, and its reading without static clutter.

        flat: the reading, in the reference picture; pose: from pixels of the frame to those of the reference. quiet_s:
        for how long the picture has kept still.
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
        """Return dice in the table's units."""
        return tuple(placed for die in dice for placed in self._placed(_only(flat, die)).dice)

    def is_covered(self, unsure: Unsure) -> bool:
        """Return whether something is over the ground at this place, in the last frame."""
        return self._ground.covers(unsure)

    def _alone(self, flat: Reading, seen: Sequence[Die | Unsure]) -> Places:
        """Return the places of dice and unsure things that have only ground and other dice around them."""
        alone = [sighting for sighting, is_alone in zip(seen, self._ground.alone(seen), strict=True) if is_alone]
        dice = tuple(sighting for sighting in alone if isinstance(sighting, Die))
        unsure = tuple(sighting for sighting in alone if isinstance(sighting, Unsure))
        placed = self._placed(replace(flat, dice=dice, unsure=unsure))
        return (*((at.x, at.y) for at in placed.dice), *((at.x, at.y) for at in placed.unsure))

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
        """Note the dice of a rest; those of earlier rests whose places are not bare may be under a hand.

        expect: how many dice should lie there; if all of them are read now, whatever else is in the picture is no die.
        In a rest a die may keep its face while it is in doubt now: it is not learned as a part of the table.
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
