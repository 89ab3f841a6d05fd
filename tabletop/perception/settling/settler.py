"""Settling: from readings of a moving tray to rests.

A small state machine over readings and their times; it has no clock. Every die (and everything unsure) is followed
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
from tabletop.perception.settling.moved_by_hand import PUSHED_S, mark_thrown_together, only_slid_aside, was_pushed
from tabletop.perception.settling.patience import HeldBack, Patience
from tabletop.perception.settling.seen_rest import COMES_S, SeenRest, seen_rest
from tabletop.perception.settling.track import REST_S, Sighting, Track, is_same_at_rest, same_after_cover

COVERED_S = 20.0  # a hand that picks up other dice hides a die for seconds; after this it counts as taken away
MOST_OVER_S = 60.0  # if as many dice lie as ever lay at once within this, none is covered elsewhere
START_S = 1.5  # a throw that flies when the first reading comes is over by then
TOGETHER_S = 3.0  # dice of one throw are picked up within this
ROLLED_S = 0.3  # what moves on for this long with no hand in view rolls
ROLLED_EDGES = 0.3  # so does a throw most of whose dice move this far with nothing round them


class Settler:
    """Follows the dice of one camera from reading to reading.

    Feed it every reading in order of time; it returns a `Rest` for each frame in which the tray is at rest, even empty,
    and None while something moves. held_back: dice that have long been read without making a rest.
    """

    def __init__(self) -> None:
        self._tracks: list[Track] = []
        self._moved_off: list[Track] = []  # dice that lay somewhere, were seen moving, and then were lost
        self._empty_since_s: float | None = None
        self._begun_s: float | None = None
        self.held_back: HeldBack | None = None
        self._before: list[Sighting] = []  # what was seen just after the start
        self._rested = False
        self._passed_s = self._rest_s = -inf  # when a die that no rest had included was last seen; the last rest
        self._slid_s = self._rolled_s = -inf
        self._gaps, self._hands = FrameGaps(), HandNotes()
        self._patience = Patience()
        self._seen: SeenRest | None = None  # until it is reported, or turns out to be none
        self._lay_at_once: list[tuple[float, int]] = []  # time, and how many dice lay; fewer from entry to entry

    def feed(self, reading: Reading, evidence: HandEvidence = NO_EVIDENCE) -> Rest | None:
        """Return the rest that this reading completes or continues, or None while dice move."""
        self._gaps.skip_unwatched_time(self._tracks, reading.time_s)
        self._match((*reading.dice, *reading.unsure), reading.time_s)
        self._gaps.update(self._tracks, reading.time_s)
        self._hands.note(evidence, self._tracks, self._moved_off, reading.time_s)
        self._begun_s = reading.time_s if self._begun_s is None else self._begun_s
        rest = self._rest(reading) or self._rest_before_hand(reading, evidence)
        if reading.time_s - self._begun_s > START_S:
            self._before.clear()
        elif self._flying_at_start(reading, rest):
            for track in self._tracks:
                track.arrived_s = max(track.arrived_s, self._begun_s)
            rest = self._rest(reading) or self._rest_before_hand(reading, evidence)
        near = self._near(reading.time_s)
        self._note_seen_rest(near, reading.time_s, reported=rest is not None)
        self.held_back = self._patience.note(reading, near, self.hindrances(), at_rest=rest is not None)
        return rest

    def hindrances(self) -> tuple[Hindrance, ...]:
        """Return what held a rest back in the reading fed last; empty if nothing did."""
        return hindrances(self._near(self._gaps.fed_s), self._gaps.fed_s)

    def _near(self, time_s: float) -> list[Track]:
        """Return the tracks that were seen lately."""
        return [track for track in self._tracks if time_s - track.seen_s <= GAP_S]

    def _flying_at_start(self, reading: Reading, rest: Rest | None) -> bool:
        """Return whether the first reading came in the middle of a throw: then what lay already belongs to it.

        It did if something was seen where nothing lies at this rest, and either that was a sure die and this is the
        first rest, or a die that was not there at the start has come to rest.
        """
        self._before += (*reading.dice, *reading.unsure)
        if rest is None or not rest.reading.dice:
            return False
        lying: list[Sighting] = [*rest.reading.dice, *rest.reading.unsure]
        gone = [
            seen for seen in self._before if all(distance_in_edges(seen, other) > SAME_DIE_EDGES for other in lying)
        ]
        came = max(rest.arrived_s) > -inf or any(
            track.is_sure() and distance_in_edges(track.last, track.first) > 1 for track in self._tracks
        )
        first, self._rested = not self._rested, True
        return bool(gone) and (came or (first and any(isinstance(seen, Die) for seen in gone)))

    def _match(self, seen: tuple[Sighting, ...], time_s: float) -> None:
        gone = (
            track
            for track in self._tracks
            if track.lay_still and not track.reported and self._gaps.is_missing(track, time_s)
        )
        self._passed_s = max((self._passed_s, *(track.seen_s for track in gone if track.arrived_s > -inf)))
        lost = [
            track
            for track in self._tracks
            if self._gaps.is_missing(track, time_s, COVERED_S if track.rested or self._gaps.unwatched else GAP_S)
        ]
        self._tracks = [track for track in self._tracks if track not in lost]
        self._moved_off = [
            track
            for track in (*self._moved_off, *lost)
            if track.reported and track.rested_as is not None and time_s - track.seen_s <= PUSHED_S
        ]
        for track in self._tracks:
            if self._gaps.is_missing(track, time_s) and track.rested_as is not None:
                track.last = track.rested_as  # a covered die lies where it last was at rest
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
                    track.frames, track.still_since_s, track.reappeared = 0, time_s, True
                    taken_up = track.bare or (track.bare is None and self._rest_s > track.seen_s + GAP_S)
                    track.reappeared_s = time_s if taken_up else None
                    track.was_bare = bool(track.bare)
                track.follow(seen[j], time_s)
                free_tracks.discard(i)
                free_seen.discard(j)
        born = -inf if self._begun_s is None else time_s
        for j in sorted(free_seen):
            new = seen[j]
            track = Track(new, born, time_s, time_s, (new.x, new.y), first=new, votes=[(time_s, new)])
            track.path.append((time_s, new.x, new.y))
            self._drop_in_flight_track(new)
            self._tracks.append(track)
        self._restore_covered_dice(
            [track for track in self._tracks if track.seen_s == time_s and track.rested_as is None]
        )

    def _restore_covered_dice(self, tracks: list[Track]) -> None:
        """Identify a new track with a die that lay just so: what was followed away from there only flew past over it.

        This also finds a die that fingers made look like another face, a little off its place. It does not apply if
        its place was seen bare: then it was picked up.
        """
        for track, other in product(tracks, [other for other in (*self._tracks, *self._moved_off) if not other.bare]):
            rested = next((die for die in other.rested_dice() if is_same_at_rest(die, track.last)), None)
            if rested is not None and (
                other in self._moved_off or distance_in_edges(other.last, rested) > UNMOVED_EDGES
            ):
                track.arrived_s, track.reported, track.rested_as = other.arrived_s, other.reported, rested
                track.reported_arrival_s = other.reported_arrival_s
                other.arrived_s, other.rested_as = track.seen_s, None
                other.reported = other.rested = other.lay_still = False

    def _drop_in_flight_track(self, new: Sighting) -> None:
        """Drop the track of a die in flight that has now come here, farther than a die is followed."""
        in_flight = [
            track
            for track in self._tracks
            if not track.lay_still and track.seen_s == self._gaps.before_s and track.is_sure()
        ]
        if in_flight and isinstance(new, Die):
            nearest = min(in_flight, key=lambda track: track.distance(new))
            self._tracks = [track for track in self._tracks if track is not nearest]

    def _arrived_from_elsewhere(self, sighting: Sighting, covered: Track, time_s: float) -> bool:
        """Return whether a sighting at a covered die's place was just seen on its way there, from elsewhere."""
        return any(
            time_s - track.seen_s <= GAP_S
            and track.is_sure()
            and track.distance(sighting) <= SAME_DIE_EDGES
            and distance_in_edges(track.first, covered.last) > 1
            for track in self._tracks
        )

    def _pairs(self, seen: tuple[Sighting, ...]) -> Iterable[tuple[float, int, int]]:
        pairs = (
            (track.distance(sighting), i, j) for i, track in enumerate(self._tracks) for j, sighting in enumerate(seen)
        )
        return sorted(pair for pair in pairs if pair[0] <= SAME_DIE_EDGES)

    def _rest(self, reading: Reading) -> Rest | None:
        time_s = reading.time_s
        near = self._near(time_s)
        if any(track.is_sure() and not (track.is_still(time_s) and track.seen_s == time_s) for track in near):
            self._empty_since_s = None
            return None
        mark_thrown_together(near)
        self._handle_pushed_dice(near, time_s)
        lying = [track for track in near if track.is_still(time_s) and track.seen_s == time_s]
        if not lying:
            if self._empty_since_s is None:
                self._empty_since_s = time_s
            if time_s - self._empty_since_s < REST_S:
                return None
        return self._report(reading, near, [(track, track.combined()) for track in lying])

    def _rest_before_hand(self, reading: Reading, evidence: HandEvidence) -> Rest | None:
        """Return a rest that was seen but not reported before a hand came over it, None if there is none."""
        seen = self._seen
        if seen is None or not seen.ended_by_hand(evidence, reading.time_s):
            return None
        tracks = [track for track, _ in seen.lying]
        near = [track for track in self._tracks if track in tracks or reading.time_s - track.seen_s <= GAP_S]
        mark_thrown_together(tracks)
        self._handle_pushed_dice(tracks, seen.end_s)
        for track, die in seen.lying:
            track.rest_as(die)
        return self._report(replace(reading, time_s=seen.end_s), near, seen.lying)

    def _note_seen_rest(self, near: list[Track], time_s: float, *, reported: bool) -> None:
        """Note the dice that lie together now; earlier ones stay for as long as a hand may still come over them."""
        now = None if reported else seen_rest(near, time_s)
        if reported or now is not None or (self._seen and time_s - self._seen.end_s > COMES_S):
            self._seen = now

    def _report(self, reading: Reading, near: list[Track], lying: Sequence[tuple[Track, Sighting]]) -> Rest:
        """Return the rest of these tracks, each with what is read there, and mark them as reported."""
        time_s = self._rest_s = reading.time_s
        dice = [(seen, track.arrived_s) for track, seen in lying if isinstance(seen, Die)]
        unsure = [(seen, track.arrived_s) for track, seen in lying if isinstance(seen, Unsure)]
        for track in near:
            track.reappeared_s = None
        for track, seen in lying:
            if isinstance(seen, Die):
                track.reported, track.reported_arrival_s = True, track.arrived_s
        self._lay_at_once = [
            (at_s, count) for at_s, count in self._lay_at_once if time_s - at_s <= MOST_OVER_S and count > len(dice)
        ]
        self._lay_at_once.append((time_s, len(dice)))
        if dice and self._lay_at_once[0][1] <= len(dice):  # all dice lie in view: those that lay elsewhere were thrown
            self._tracks, self._moved_off = near, []
        combined = replace(reading, dice=tuple(die for die, _ in dice), unsure=tuple(seen for seen, _ in unsure))
        ends_s = self._passed_s, self._slid_s, self._rolled_s
        arrived_s, unsure_arrived_s = tuple(at for _, at in dice), tuple(at for _, at in unsure)
        began_s = -inf if self._begun_s is None else self._begun_s
        return Rest(combined, arrived_s, unsure_arrived_s, *ends_s, tuple(self._hands.bare), began_s)

    def _handle_pushed_dice(self, near: list[Track], time_s: float) -> None:
        """Let dice that were only pushed or turned keep their arrival time: fingers were on them until they lay again.

        If one of the dice that came to rest was thrown, or was picked up with them, then all were thrown.
        """
        came = [track for track in near if not track.reported and track.is_read() and track.arrived_s > -inf]
        gone = [
            track for track in (*self._tracks, *self._moved_off) if track.reported and track.seen_s < time_s - GAP_S
        ]
        taken_up = [track for track in gone if track.bare]
        covered = [track for track in gone if track.bare is False]
        is_open = any(-inf < self._hands.open_since_s <= track.still_since_s - ROLLED_S for track in came)
        alone = 2 * sum(track.rolled_edges >= ROLLED_EDGES for track in came) > len(came)
        rolled = is_open or alone
        if is_open and alone:
            self._rolled_s = max(track.arrived_s for track in came)
        newest_s = max((track.reported_arrival_s for track in gone), default=-inf)
        together = [track for track in gone if track.seen_s >= newest_s]  # all that lay at the end
        since = [
            track
            for track in near
            if track in came or (track.reported and track.is_read() and track.arrived_s > newest_s > -inf)
        ]
        if came and not rolled and only_slid_aside(since, together, near):
            self._slid_s, heirs = time_s, list(zip(since, together, strict=True))
            self._inherit(heirs)
            return
        heirs = []
        for track in came:
            before = min(covered, key=lambda other: distance_in_edges(track.last, other.last), default=None)
            if before is None or not was_pushed(before, track):
                return
            if any(abs(other.seen_s - before.seen_s) <= TOGETHER_S for other in taken_up):
                return
            covered.remove(before)
            heirs.append((track, before))
        self._inherit(heirs)

    def _inherit(self, heirs: list[tuple[Track, Track]]) -> None:
        for track, before in heirs:
            track.arrived_s = before.reported_arrival_s
        used = [before for _, before in heirs]
        self._tracks = [track for track in self._tracks if track not in used]
        self._moved_off = [track for track in self._moved_off if track not in used]
