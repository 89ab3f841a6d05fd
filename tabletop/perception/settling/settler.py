"""Settling: from readings of a moving tray to rests.

A small state machine over readings and their times; it knows no clock. Every die (and everything unsure) is followed
from frame to frame by its place. The tray is at rest when each die that the reader is sure of has kept its place for
`REST_S` and `REST_FRAMES`; a hand that comes and goes elsewhere does not matter, since it moves and is never sure.

All lengths are in edges of the die, so that pixels and millimetres, near and far cameras behave alike.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from math import inf

from tabletop.core.geometry import SAME_DIE_EDGES, UNMOVED_EDGES, distance_in_edges
from tabletop.core.values import Die, Reading, Rest, Unsure
from tabletop.perception.settling.evidence import NO_EVIDENCE, HandEvidence
from tabletop.perception.settling.frame_gaps import GAP_S, FrameGaps
from tabletop.perception.settling.hand_notes import HandNotes
from tabletop.perception.settling.hindrance import Hindrance, hindrances
from tabletop.perception.settling.moved_by_hand import (
    PUSHED_S,
    mark_thrown_together,
    only_slid_aside,
    was_pushed,
)
from tabletop.perception.settling.patience import HeldBack, Patience
from tabletop.perception.settling.seen_rest import COMES_S, SeenRest, seen_rest
from tabletop.perception.settling.track import (
    REST_S,
    Sighting,
    Track,
    same_after_cover,
    same_lying,
)

COVERED_S = 20.0  # a hand that picks up other dice hides a die for seconds; after this it counts as taken away
MOST_OVER_S = 60.0  # where as many dice lie as ever lay at once within this, none of them is covered elsewhere
START_S = 1.5  # a throw that flies when the first reading comes is over by then
TOGETHER_S = 3.0  # dice of one throw are picked up within this
ROLLED_S = 0.3  # what moves on for this long with no hand in view rolls
ROLLED_EDGES = 0.3  # or so far with nothing round it, most dice of a throw


class Settler:
    """Follows the dice of one camera from reading to reading.

    Feed it every reading in the order of time; it answers with a `Rest` for each frame in which the tray is at rest,
    the empty tray included, and with None while something moves. held_back: dice that have been read for long in vain.
    """

    def __init__(self) -> None:
        self._tracks: list[Track] = []
        self._moved_off: list[Track] = []  # dice that lay somewhere, were seen moving and then no more
        self._empty_since_s: float | None = None
        self._begun_s: float | None = None
        self.held_back: HeldBack | None = None
        self._before: list[Sighting] = []  # what was seen just after the start
        self._rested = False
        self._passed_s = self._rest_s = -inf  # the second: when the tray was at rest last
        self._slid_s = self._rolled_s = -inf
        self._gaps, self._hands = FrameGaps(), HandNotes()
        self._patience = Patience()
        self._seen: SeenRest | None = None  # until it is told, or was none
        self._lain: list[tuple[float, int]] = []  # when how many dice lay at once; fewer from entry to entry

    def feed(self, reading: Reading, besides: HandEvidence = NO_EVIDENCE) -> Rest | None:
        """Return the rest that this reading completes or continues, or None while dice move."""
        self._gaps.skip_unwatched_time(self._tracks, reading.time_s)
        self._match((*reading.dice, *reading.unsure), reading.time_s)
        self._gaps.update(self._tracks, reading.time_s)
        self._hands.note(besides, self._tracks, self._moved_off, reading.time_s)
        self._begun_s = reading.time_s if self._begun_s is None else self._begun_s
        rest = self._rest(reading) or self._rest_before_hand(reading, besides)
        if reading.time_s - self._begun_s > START_S:
            self._before.clear()
        elif self._flying_at_start(reading, rest):
            for track in self._tracks:
                track.arrived_s = max(track.arrived_s, self._begun_s)
            rest = self._rest(reading) or self._rest_before_hand(reading, besides)
        near = self._near(reading.time_s)
        self._note_seen_rest(near, reading.time_s, told=rest is not None)
        self.held_back = self._patience.note(reading, near, self.hindrances(), told=rest is not None)
        return rest

    def hindrances(self) -> tuple[Hindrance, ...]:
        """Return what held a rest back in the reading fed last; empty where nothing did."""
        return hindrances(self._near(self._gaps.fed_s), self._gaps.fed_s)

    def _near(self, time_s: float) -> list[Track]:
        """Return what was seen lately."""
        return [track for track in self._tracks if time_s - track.seen_s <= GAP_S]

    def _flying_at_start(self, reading: Reading, rest: Rest | None) -> bool:
        """Return whether the first reading came in the middle of a throw: then what lay by then belongs to it.

        Something was seen where nothing lies at this rest: a sure die before anything rested, or else something, and a
        die that was not there at the start has come to rest.
        """
        self._before += (*reading.dice, *reading.unsure)
        if rest is None or not rest.reading.dice:
            return False
        lying: list[Sighting] = [*rest.reading.dice, *rest.reading.unsure]
        gone = [one for one in self._before if all(distance_in_edges(one, other) > SAME_DIE_EDGES for other in lying)]
        came = max(rest.arrived_s) > -inf or any(
            track.sure() and distance_in_edges(track.last, track.first) > 1 for track in self._tracks
        )
        first, self._rested = not self._rested, True
        return bool(gone) and (came or (first and any(isinstance(one, Die) for one in gone)))

    def _match(self, seen: tuple[Sighting, ...], time_s: float) -> None:
        gone = (
            track for track in self._tracks if track.lay and not track.reported and self._gaps.is_missing(track, time_s)
        )
        self._passed_s = max((self._passed_s, *(track.seen_s for track in gone if track.arrived_s > -inf)))
        lost = [
            track
            for track in self._tracks
            if self._gaps.is_missing(track, time_s, COVERED_S if track.rested else GAP_S)
        ]
        self._tracks = [track for track in self._tracks if track not in lost]
        self._moved_off = [
            track
            for track in (*self._moved_off, *lost)
            if track.reported and track.rested_as is not None and time_s - track.seen_s <= PUSHED_S
        ]
        for track in self._tracks:
            if self._gaps.is_missing(track, time_s) and track.rested_as is not None:
                track.last = track.rested_as  # what is covered lies where it was surely seen last
        free_tracks, free_seen = set(range(len(self._tracks))), set(range(len(seen)))
        for distance, i, j in self._pairs(seen):
            if i not in free_tracks or j not in free_seen:
                continue
            track = self._tracks[i]
            covered = self._gaps.is_missing(track, time_s)
            if covered and self._arrived_from_elsewhere(seen[j], track, time_s):
                continue
            if same_after_cover(track, seen[j]) if covered else distance <= SAME_DIE_EDGES:
                if covered:
                    track.votes.clear()
                    track.frames, track.still_since_s, track.back = 0, time_s, True
                    taken_up = track.bare or (track.bare is None and self._rest_s > track.seen_s + GAP_S)
                    track.back_s = time_s if taken_up else None
                    track.was_bare = bool(track.bare)
                track.follow(seen[j], time_s)
                free_tracks.discard(i)
                free_seen.discard(j)
        born = -inf if self._begun_s is None else time_s
        for j in sorted(free_seen):
            one = seen[j]
            track = Track(one, born, time_s, time_s, (one.x, one.y), first=one, votes=[(time_s, one)])
            track.way.append((time_s, one.x, one.y))
            self._drop_in_flight_track(one)
            self._tracks.append(track)
        self._restore_covered_dice(
            [track for track in self._tracks if track.seen_s == time_s and track.rested_as is None]
        )

    def _restore_covered_dice(self, tracks: list[Track]) -> None:
        """Let what is seen just as a die lay be that die: what was followed away from there flew past, over it.

        So is one that fingers had made another face of, a little off its place. Not where its place was seen bare:
        then it was picked up.
        """
        for track, other in product(tracks, [one for one in (*self._tracks, *self._moved_off) if not one.bare]):
            lay = next((one for one in other.lain() if same_lying(one, track.last)), None)
            if lay is not None and (other in self._moved_off or distance_in_edges(other.last, lay) > UNMOVED_EDGES):
                track.arrived_s, track.reported, track.rested_as = other.arrived_s, other.reported, lay
                track.told_s = other.told_s
                other.arrived_s, other.rested_as = track.seen_s, None
                other.reported = other.rested = other.lay = False

    def _drop_in_flight_track(self, one: Sighting) -> None:
        """Forget where a die flew in the frame before, now that it has come here: farther than a die is followed."""
        flew = [
            track for track in self._tracks if not track.lay and track.seen_s == self._gaps.before_s and track.sure()
        ]
        if flew and isinstance(one, Die):
            nearest = min(flew, key=lambda track: track.distance(one))
            self._tracks = [track for track in self._tracks if track is not nearest]

    def _arrived_from_elsewhere(self, one: Sighting, place: Track, time_s: float) -> bool:
        """Return whether what is at a covered die's place was just seen on its way there, from elsewhere."""
        return any(
            time_s - track.seen_s <= GAP_S
            and track.sure()
            and track.distance(one) <= SAME_DIE_EDGES
            and distance_in_edges(track.first, place.last) > 1
            for track in self._tracks
        )

    def _pairs(self, seen: tuple[Sighting, ...]) -> Iterable[tuple[float, int, int]]:
        pairs = ((track.distance(one), i, j) for i, track in enumerate(self._tracks) for j, one in enumerate(seen))
        return sorted(pair for pair in pairs if pair[0] <= SAME_DIE_EDGES)

    def _rest(self, reading: Reading) -> Rest | None:
        time_s = reading.time_s
        near = self._near(time_s)
        if any(track.sure() and not (track.still(time_s) and track.seen_s == time_s) for track in near):
            self._empty_since_s = None
            return None
        mark_thrown_together(near)
        self._handle_pushed_dice(near, time_s)
        lying = [track for track in near if track.still(time_s) and track.seen_s == time_s]
        if not lying:
            if self._empty_since_s is None:
                self._empty_since_s = time_s
            if time_s - self._empty_since_s < REST_S:
                return None
        return self._told(reading, near, [(track, track.joined()) for track in lying])

    def _rest_before_hand(self, reading: Reading, besides: HandEvidence) -> Rest | None:
        """Return the rest that was seen and not told before a hand came over it, None if there is none."""
        seen = self._seen
        if seen is None or not seen.ended_by_hand(besides, reading.time_s):
            return None
        tracks = [track for track, _ in seen.lay]
        near = [track for track in self._tracks if track in tracks or reading.time_s - track.seen_s <= GAP_S]
        mark_thrown_together(tracks)
        self._handle_pushed_dice(tracks, seen.end_s)
        for track, die in seen.lay:
            track.rest_as(die)
        return self._told(replace(reading, time_s=seen.end_s), near, seen.lay)

    def _note_seen_rest(self, near: list[Track], time_s: float, *, told: bool) -> None:
        """Note what lies together now; what lay before stays noted for as long as a hand may still come over it."""
        now = None if told else seen_rest(near, time_s)
        if told or now is not None or (self._seen and time_s - self._seen.end_s > COMES_S):
            self._seen = now

    def _told(self, reading: Reading, near: list[Track], lying: Sequence[tuple[Track, Sighting]]) -> Rest:
        """Return the rest in which these lie, each with what is read there, and note that it was told."""
        time_s = self._rest_s = reading.time_s
        dice = [(seen, track.arrived_s) for track, seen in lying if isinstance(seen, Die)]
        unsure = [(seen, track.arrived_s) for track, seen in lying if isinstance(seen, Unsure)]
        for track in near:
            track.back_s = None
        for track, seen in lying:
            if isinstance(seen, Die):
                track.reported, track.told_s = True, track.arrived_s
        self._lain = [one for one in self._lain if time_s - one[0] <= MOST_OVER_S and one[1] > len(dice)]
        self._lain.append((time_s, len(dice)))
        if dice and self._lain[0][1] <= len(dice):  # all lie in view: what lay elsewhere was thrown
            self._tracks, self._moved_off = near, []
        joined = replace(reading, dice=tuple(one for one, _ in dice), unsure=tuple(one for one, _ in unsure))
        ends_s = self._passed_s, self._slid_s, self._rolled_s
        return Rest(
            joined, tuple(at for _, at in dice), tuple(at for _, at in unsure), *ends_s, tuple(self._hands.bare)
        )

    def _handle_pushed_dice(self, near: list[Track], time_s: float) -> None:
        """Let dice that were only pushed or turned keep their time: fingers were on them until they lay again.

        One of those that came to lie was thrown, or has been picked up with them: then all were.
        """
        came = [track for track in near if not track.reported and track.read() and track.arrived_s > -inf]
        gone = [one for one in (*self._tracks, *self._moved_off) if one.reported and one.seen_s < time_s - GAP_S]
        taken_up = [one for one in gone if one.bare]
        free = [one for one in gone if one.bare is False]
        open_ = any(-inf < self._hands.open_since_s <= one.still_since_s - ROLLED_S for one in came)
        alone = 2 * sum(one.rolled_edges >= ROLLED_EDGES for one in came) > len(came)
        rolled = open_ or alone
        if open_ and alone:
            self._rolled_s = max(one.arrived_s for one in came)
        newest_s = max((one.told_s for one in gone), default=-inf)
        lay = [one for one in gone if one.seen_s >= newest_s]  # together, at the end
        since = [
            one for one in near if one in came or (one.reported and one.read() and one.arrived_s > newest_s > -inf)
        ]
        if came and not rolled and only_slid_aside(since, lay, near):
            self._slid_s, heirs = time_s, list(zip(since, lay, strict=True))
            self._inherit(heirs)
            return
        heirs = []
        for track in came:
            was = min(free, key=lambda one: distance_in_edges(track.last, one.last), default=None)
            if was is None or not was_pushed(was, track):
                return
            if any(abs(one.seen_s - was.seen_s) <= TOGETHER_S for one in taken_up):
                return
            free.remove(was)
            heirs.append((track, was))
        self._inherit(heirs)

    def _inherit(self, heirs: list[tuple[Track, Track]]) -> None:
        for track, was in heirs:
            track.arrived_s = was.told_s
        used = [was for _, was in heirs]
        self._tracks = [track for track in self._tracks if track not in used]
        self._moved_off = [track for track in self._moved_off if track not in used]
