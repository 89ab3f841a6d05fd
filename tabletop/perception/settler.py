"""Settling: from readings of a moving tray to rests.

A small state machine over readings and their times, without a clock. Every die (and everything unsure) is tracked from
frame to frame by its place. The tray is at rest when each sure die has kept its place for `REST_S` and `REST_FRAMES`; a
hand elsewhere does not matter, since it moves and is never sure.

A rest that a hand ended before it could be reported counts if all dice lay together for long enough, in at least two
frames, and the hand is over one of them now. Dice that are all read but make no rest for seconds are reported with the
reason. All lengths are in die edges, so that pixels and millimetres behave alike.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import inf
from typing import Literal

from tabletop.core.values import SAME_DIE_EDGES, UNMOVED_EDGES, Die, Reading, Rest, Unsure, distance_in_edges
from tabletop.perception import tracks
from tabletop.perception.tracks import GAP_S, NO_EVIDENCE, REST_S, HandEvidence, Sighting, Track, is_among

Cause = Literal["hidden", "held", "maybe held", "moves", "creeps", "too short"]


@dataclass(frozen=True, slots=True)
class Hindrance:
    """A die that delays a rest in one frame.

    x, y: where it was last seen, as in the reading. face: the face read there, None if unsure. cause: hidden: not seen
    in this frame; held: fingers are seen around it; maybe held: something around it may be fingers; moves: it is not
    where it was; creeps: it slides slowly; too short: it has not lain still for long enough. amount: for `moves` the
    distance in edges, otherwise the duration in seconds.
    """

    x: float
    y: float
    face: int | None
    cause: Cause
    amount: float


def hindrances(near: Sequence[Track], time_s: float) -> tuple[Hindrance, ...]:
    """Return what delays a rest at this time, empty if nothing does. near: the dice seen recently."""
    found = []
    for track in near:
        if track.is_sure() and not (track.is_still(time_s) and track.seen_s == time_s):
            cause, amount = _cause(track, time_s)
            face = track.last.face if isinstance(track.last, Die) else None
            found.append(Hindrance(track.last.x, track.last.y, face, cause, amount))
    return tuple(found)


def _cause(track: Track, time_s: float) -> tuple[Cause, float]:
    if track.seen_s != time_s:
        return "hidden", time_s - track.seen_s
    if track.fingers.held_s == time_s:
        return "held", time_s - track.arrived_s
    if track.moved.at_s == time_s:
        return "moves", track.moved.edges
    if track.creeps(time_s):
        return "creeps", time_s - track.still_since_s
    if track.is_maybe_held(time_s):
        return "maybe held", time_s - track.still_since_s
    return "too short", time_s - track.still_since_s


PATIENCE_S = 2.0  # the slowest throw is over by then


@dataclass(frozen=True, slots=True)
class HeldBack:
    """Dice that were all read for `PATIENCE_S` without a rest. rest: as if they lay still; hindrances: why not."""

    rest: Rest
    hindrances: tuple[Hindrance, ...]


class Patience:
    """Measures how long the same faces have been read without a rest."""

    def __init__(self) -> None:
        self._faces: tuple[int, ...] = ()
        self._since_s = inf

    def note(
        self, reading: Reading, near: Sequence[Track], found: tuple[Hindrance, ...], *, at_rest: bool
    ) -> HeldBack | None:
        """Return the dice that have been held back for `PATIENCE_S`, None if there are none.

        near: the dice seen recently; found: what delays them; at_rest: whether this reading completes or continues a
        rest.
        """
        sure = [track for track in near if track.is_sure()]
        lying = [(die, track.arrived_s) for track in sure if isinstance(die := track.combined(), Die)]
        faces = () if at_rest or len(lying) < len(sure) else tuple(sorted(die.face for die, _ in lying))
        if faces != self._faces:
            self._faces, self._since_s = faces, reading.time_s
        if not faces or reading.time_s - self._since_s < PATIENCE_S:
            return None
        dice = replace(reading, dice=tuple(die for die, _ in lying), unsure=())
        return HeldBack(Rest(dice, tuple(arrived_s for _, arrived_s in lying)), found)


DUE_S = 0.25  # a rest of this length is a throw, however soon a hand comes
LEAST_S = 0.06  # the part of it that must be seen: two frames at fifteen per second
LEAST_SURE_FRAMES = 2  # frames in which each die must be read as sure
COMES_S = 0.35  # a hand that took a die is seen over its place within this: three frames at ten per second


@dataclass(frozen=True, slots=True)
class SeenRest:
    """Dice that lay together. lying: each with its track; end_s: when all were last seen lying."""

    lying: tuple[tuple[Track, Die], ...]
    end_s: float

    def ended_by_hand(self, evidence: HandEvidence, time_s: float) -> bool:
        """Return whether a hand is over some of the dice now, and all others are seen where they lay."""
        if not 0 < time_s - self.end_s <= COMES_S:
            return False
        under = [is_among(evidence.under, die) for _, die in self.lying]
        unmoved = [track.seen_s == time_s and track.moved.at_s <= self.end_s for track, _ in self.lying]
        return any(under) and all(hand or still for hand, still in zip(under, unmoved, strict=True))


def seen_rest(near: Sequence[Track], time_s: float) -> SeenRest | None:
    """Return the rest that the recently seen dice make together, None if there is none or it was already reported.

    near: the tracks seen within `GAP_S`; tracks that are only unsure do not count.
    """
    sure = [track for track in near if track.is_sure()]
    if not sure or all(track.reported for track in sure):
        return None
    lying = tuple((track, die) for track in sure if isinstance(die := track.combined(), Die))
    if len(lying) < len(sure) or not all(_was_lying(track, time_s) for track in sure):
        return None
    begin_s, end_s = max(track.still_since_s for track in sure), min(track.seen_s for track in sure)
    newest = max(sure, key=lambda track: track.still_since_s)
    seen_s = end_s - begin_s
    return SeenRest(lying, end_s) if seen_s >= LEAST_S and seen_s + newest.spare_s >= DUE_S - 1e-6 else None


def _was_lying(track: Track, time_s: float) -> bool:
    """Return whether a die lay when it was last seen: it was read as sure twice there, and not in a hand."""
    sightings = [seen for at_s, seen in track.votes if isinstance(seen, Die) and at_s >= track.still_since_s]
    held = track.fingers.held_s > -inf and track.fingers.held_s >= track.still_since_s
    recent = time_s - track.seen_s <= GAP_S
    return recent and not held and len(sightings) >= LEAST_SURE_FRAMES and not track.creeps(track.seen_s)


COVERED_S = 20.0  # a hand that picks up other dice hides a die for seconds; after this it counts as taken away
MOST_OVER_S = 60.0  # if as many dice lie as ever lay at once within this time, none is covered elsewhere
START_S = 1.5  # a throw that flies when the first reading comes is over by then
TOGETHER_S = 3.0  # dice of one throw are picked up within this
ROLLED_S = 0.3  # whatever keeps moving for this long with no hand in view is rolling
ROLLED_EDGES = 0.3  # so does a throw most of whose dice move this far with nothing round them


class _Start:
    """The first moments. begun_s: when the first reading came, None until then."""

    def __init__(self) -> None:
        self.begun_s: float | None = None
        self._seen: list[Sighting] = []
        self._rested = False

    def begin(self, reading: Reading) -> float:
        """Return when the first reading came: this one if none was before it."""
        self.begun_s = reading.time_s if self.begun_s is None else self.begun_s
        return self.begun_s

    def was_in_flight(self, reading: Reading, rest: Rest | None, followed: Sequence[Track]) -> bool:
        """Return whether the first reading came in the middle of a throw: then what lay already belongs to it.

        It did if something was seen where nothing lies at this rest, and either that was a sure die and this is the
        first rest, or a die that was not there at the start has come to rest.
        """
        if reading.time_s - self.begin(reading) > START_S:
            self._seen.clear()
            return False
        self._seen += (*reading.dice, *reading.unsure)
        if rest is None or not rest.reading.dice:
            return False
        lying: list[Sighting] = [*rest.reading.dice, *rest.reading.unsure]
        gone = [seen for seen in self._seen if all(distance_in_edges(seen, other) > SAME_DIE_EDGES for other in lying)]
        came = max(rest.arrived_s) > -inf or any(
            track.is_sure() and distance_in_edges(track.last, track.first) > 1 for track in followed
        )
        first, self._rested = not self._rested, True
        return bool(gone) and (came or (first and any(isinstance(seen, Die) for seen in gone)))


class Settler:
    """Tracks the dice of one camera and turns readings into rests.

    Feed it every reading in order of time; it returns a `Rest` for each frame in which the tray is at rest, even empty,
    and None while something moves. held_back: dice that have long been read without making a rest.
    """

    def __init__(self) -> None:
        self._tracks: list[Track] = []
        self._moved_off: list[Track] = []  # dice that lay somewhere, were seen moving, and then were lost
        self._empty_since_s: float | None = None
        self.held_back: HeldBack | None = None
        self._start = _Start()
        self._passed_s = self._rest_s = -inf  # when a die that no rest had included was last seen; the last rest
        self._slid_s = self._rolled_s = -inf
        self._gaps, self._hands = tracks.FrameGaps(), tracks.HandNotes()
        self._patience = Patience()
        self._seen: SeenRest | None = None  # until it is reported, or turns out to be none
        self._lay_at_once: list[tuple[float, int]] = []  # time, and how many dice lay; fewer from entry to entry

    def feed(self, reading: Reading, evidence: HandEvidence = NO_EVIDENCE) -> Rest | None:
        """Return the rest that this reading completes or continues, None while dice move."""
        self._gaps.skip_unwatched_time(self._tracks, reading.time_s)
        self._match((*reading.dice, *reading.unsure), reading.time_s)
        self._gaps.update(self._tracks, reading.time_s)
        self._hands.note(evidence, self._tracks, self._moved_off, reading.time_s)
        begun_s = self._start.begin(reading)
        rest = self._rest(reading) or self._rest_before_hand(reading, evidence)
        if self._start.was_in_flight(reading, rest, self._tracks):
            for track in self._tracks:
                track.arrived_s = max(track.arrived_s, begun_s)
            rest = self._rest(reading) or self._rest_before_hand(reading, evidence)
        near = self._near(reading.time_s)
        self._note_seen_rest(near, reading.time_s, reported=rest is not None)
        self.held_back = self._patience.note(reading, near, self.hindrances(), at_rest=rest is not None)
        return rest

    def hindrances(self) -> tuple[Hindrance, ...]:
        """Return what delayed a rest in the last reading; empty if nothing did."""
        return hindrances(self._near(self._gaps.fed_s), self._gaps.fed_s)

    def _near(self, time_s: float) -> list[Track]:
        return [track for track in self._tracks if time_s - track.seen_s <= GAP_S]

    def _match(self, seen: tuple[Sighting, ...], time_s: float) -> None:
        """Follow each die to what was seen nearest to it; what was seen elsewhere is new."""
        self._drop_lost(time_s)
        born = -inf if self._start.begun_s is None else time_s
        for new in self._follow(seen, time_s):
            track = Track(new, born, time_s, time_s, (new.x, new.y), first=new, votes=[(time_s, new)])
            track.path.append((time_s, new.x, new.y))
            self._drop_in_flight_track(new)
            self._tracks.append(track)
        now = [track for track in self._tracks if track.seen_s == time_s and track.home.die is None]
        self._restore_covered_dice(now)

    def _drop_lost(self, time_s: float) -> None:
        """Drop the dice that have been gone for too long; those covered lie where they last were at rest."""
        missing = [track for track in self._tracks if self._gaps.is_missing(track, time_s)]
        for track in missing:
            if track.lay_still and not track.reported and track.arrived_s > -inf:
                self._passed_s = max(self._passed_s, track.seen_s)
        lost = [
            track
            for track in self._tracks
            if self._gaps.is_missing(track, time_s, COVERED_S if track.rested or self._gaps.unwatched else GAP_S)
        ]
        self._tracks = [track for track in self._tracks if track not in lost]
        self._moved_off = [
            track
            for track in (*self._moved_off, *lost)
            if track.reported and track.home.die is not None and time_s - track.seen_s <= tracks.PUSHED_S
        ]
        for track in self._tracks:
            if track in missing and track.home.die is not None:
                track.last = track.home.die

    def _follow(self, seen: tuple[Sighting, ...], time_s: float) -> list[Sighting]:
        """Follow the dice to what was seen, the nearest pairs first; return what is left."""
        free_tracks, free_seen = set(range(len(self._tracks))), set(range(len(seen)))
        for distance, i, j in self._pairs(seen):
            if i not in free_tracks or j not in free_seen:
                continue
            track = self._tracks[i]
            covered = self._gaps.is_missing(track, time_s)
            if covered and self._arrived_from_elsewhere(seen[j], track, time_s):
                continue
            if tracks.same_after_cover(track, seen[j]) if covered else distance <= SAME_DIE_EDGES:
                if covered:
                    track.reappear(time_s, rested_since=self._rest_s > track.seen_s + GAP_S)
                track.follow(seen[j], time_s)
                free_tracks.discard(i)
                free_seen.discard(j)
        return [seen[j] for j in sorted(free_seen)]

    def _restore_covered_dice(self, new: list[Track]) -> None:
        """Identify a new track with a die that lay just so: what was followed away from there only flew past over it.

        This also finds a die that fingers made look like another face, a little off its place. It does not apply if
        its place was seen bare: then it was picked up.
        """
        for track, other in product(new, [other for other in (*self._tracks, *self._moved_off) if not other.bare]):
            lay = other.home.dice(other.arrived_s)
            rested = next((die for die in lay if tracks.is_same_at_rest(die, track.last)), None)
            if rested is not None and (
                other in self._moved_off or distance_in_edges(other.last, rested) > UNMOVED_EDGES
            ):
                track.arrived_s, track.reported, track.home.die = other.arrived_s, other.reported, rested
                track.reported_arrival_s = other.reported_arrival_s
                other.arrived_s, other.home.die = track.seen_s, None
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
        tracks.mark_thrown_together(near)
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
        lay = [track for track, _ in seen.lying]
        near = [track for track in self._tracks if track in lay or reading.time_s - track.seen_s <= GAP_S]
        tracks.mark_thrown_together(lay)
        self._handle_pushed_dice(lay, seen.end_s)
        for track, die in seen.lying:
            track.rest_as(die)
        return self._report(replace(reading, time_s=seen.end_s), near, seen.lying)

    def _note_seen_rest(self, near: list[Track], time_s: float, *, reported: bool) -> None:
        """Note the dice that lie together now; earlier ones stay for as long as a hand may still come over them."""
        now = None if reported else seen_rest(near, time_s)
        if reported or now is not None or (self._seen and time_s - self._seen.end_s > COMES_S):
            self._seen = now

    def _report(self, reading: Reading, near: list[Track], lying: Sequence[tuple[Track, Sighting]]) -> Rest:
        time_s = self._rest_s = reading.time_s
        dice = [(seen, track.arrived_s) for track, seen in lying if isinstance(seen, Die)]
        unsure = [(seen, track.arrived_s) for track, seen in lying if isinstance(seen, Unsure)]
        for track in near:
            track.returned = None
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
        begun_s = self._start.begin(reading)
        bare, unwatched_s = tuple(self._hands.bare), self._gaps.unwatched_s
        return Rest(combined, arrived_s, unsure_arrived_s, *ends_s, bare, begun_s, unwatched_s)

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
        alone = 2 * sum(track.fingers.rolled_edges >= ROLLED_EDGES for track in came) > len(came)
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
        if came and not rolled and tracks.only_slid_aside(since, together, near):
            self._slid_s, heirs = time_s, list(zip(since, together, strict=True))
            self._inherit(heirs)
            return
        heirs = []
        for track in came:
            before = min(covered, key=lambda other: distance_in_edges(track.last, other.last), default=None)
            if before is None or not tracks.was_pushed(before, track):
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
