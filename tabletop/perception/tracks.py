"""Track one die from frame to frame by its place: how long it has lain, whether it creeps, what is read there.

Also notes what frames show of hands on each die (held, left alone, picked up), decides whether dice that came to rest
were thrown or only pushed by hand, and keeps the times between frames.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from math import hypot, inf
from typing import NamedTuple

from tabletop.core.values import (
    SAME_DIE_EDGES,
    UNMOVED_EDGES,
    Die,
    Unsure,
    UnsureReason,
    distance_in_edges,
    point_distance_in_edges,
)

REST_S = 0.13  # five frames at 30 per second: the shortest rests of the recorded films last six to eight frames
MAYBE_HELD_S = 1.0  # nobody holds a die quite still for longer, except on a hand that is clearly seen
SHORTEST_S = 0.2  # a rest of this length is caught, even if it begins just after a frame and ends just before one
LEAST_SEEN_S = 0.09  # the part of such a rest that must be seen
REST_FRAMES = 3  # a rest is seen in at least this many frames, as the shortest is at ten per second
CREEP_EDGES = 0.12  # dice at rest in the films creep by a twentieth of their edge; the remainder is reader noise
CREEP_OVER_S, CREEP_MEAN_EDGES = 0.2, 0.06  # a die that moves by no more than this in this time is at rest
NOISE_EDGES = 0.006  # measured places vary by at most 1 % of an edge (root mean square 0.6 %)
SURE_DEVIATIONS = 2.5  # standard errors: a line through noisy places exceeds this once in a hundred times
SAME_ANGLE_DEG = 12.0  # the same die is rotated by no more than this (the measured angle is good to a few degrees)
MOMENT_S = 0.06  # two frames at 30 per second: a die in flight is elsewhere by then
VOTES_S = 0.4  # the faces read over this time are combined
PLACES_KEPT = 12  # newest places of a die: CREEP_OVER_S at 60 frames a second
AGREEMENT = 0.75  # share of the votes, weighted by confidence, that the winning face must have
QUARTER_TURN_DEG = 90.0  # a square looks the same after a quarter turn

Sighting = Die | Unsure


@dataclass(slots=True)
class Fingers:
    """What fingers do to a die.

    held_s: when it was last in fingers; maybe_s: when it last may have been. alone_from: the sighting since which
    nothing was around it in any frame; rolled_edges: the farthest it moved since then.
    """

    held_s: float = -inf
    maybe_s: float = -inf
    alone_from: Sighting | None = None
    rolled_edges: float = 0.0

    def note_roll(self, last: Sighting, *, alone: bool) -> None:
        """Update the distance the die has moved while nothing was around it."""
        if not alone:
            self.alone_from = None
        elif self.alone_from is None:
            self.alone_from = last
        else:
            self.rolled_edges = max(self.rolled_edges, distance_in_edges(last, self.alone_from))


class Move(NamedTuple):
    """The last move of a die: the distance from its old place, and the time."""

    edges: float
    at_s: float


NEVER_MOVED = Move(0.0, -inf)


class Return(NamedTuple):
    """When a die reappeared, and whether its place was seen bare before."""

    at_s: float
    was_bare: bool


@dataclass(slots=True)
class Home:
    """Where a die lay. die: as it last lay, None if it never did.

    first: when it came to rest there, and the die as it first lay, since fingers over a die may make it look like
    another face.
    """

    die: Die | None = None
    first: tuple[float, Die] | None = None

    def note(self, die: Die, arrived_s: float) -> None:
        """Note that it lies still there since this time."""
        self.die = die
        if self.first is None or self.first[0] != arrived_s:
            self.first = arrived_s, die

    def dice(self, arrived_s: float) -> Iterator[Die]:
        """Yield the die as it last lay, and as it first lay at that place; nothing if it never lay."""
        if self.die is not None:
            yield self.die
            if self.first is not None and self.first[0] == arrived_s and self.holds(self.first[1]):
                yield self.first[1]

    def holds(self, seen: Sighting) -> bool:
        """Return whether it is seen at home: a die half covered by fingers appears slightly off its place."""
        return self.die is not None and distance_in_edges(seen, self.die) <= UNMOVED_EDGES

    def same_face(self, seen: Sighting) -> bool:
        """Return whether it does not show another face."""
        return not isinstance(seen, Die) or self.die is None or seen.face == self.die.face


@dataclass(slots=True, eq=False)
class Track:
    """One die tracked over frames.

    first: the first sighting; anchor: (x, y) where it came to rest; path: its newest places as (time, x, y); votes:
    what was read there, with times, newest last. rested: it has lain still there, and was read; a die only seen flying
    by, or carried off, does not occupy its place. lay_still: it has lain still for `MOMENT_S`. home: where it last lay.

    reappeared: something is seen at its place again and has not lain still since; if it only passes there, it is
    another die. returned: that it was seen there again after a rest without it, until the next rest. reported: a rest
    has included it; reported_arrival_s: its arrival time in the last such rest. left_alone: no hand has been in view
    since it was last seen. bare: whether its place was seen bare since it lay there; None if unknown.

    spare_s: how much longer it may have lain still than was seen: since the previous frame, and until the next frame;
    spare_before_s: the first part of that. moved: when it was last too far from the anchor.
    """

    last: Sighting
    arrived_s: float
    still_since_s: float
    seen_s: float
    anchor: tuple[float, float]
    first: Sighting
    frames: int = 1
    rested: bool = False
    reappeared: bool = False
    returned: Return | None = None
    lay_still: bool = False
    reported: bool = False
    reported_arrival_s: float = -inf
    bare: bool | None = None
    left_alone: bool = False
    spare_s: float = 0.0
    spare_before_s: float = 0.0
    home: Home = field(default_factory=Home)
    fingers: Fingers = field(default_factory=Fingers)
    moved: Move = NEVER_MOVED
    path: deque[tuple[float, float, float]] = field(default_factory=lambda: deque(maxlen=PLACES_KEPT))
    votes: list[tuple[float, Sighting]] = field(default_factory=list)

    def distance(self, seen: Sighting) -> float:
        """Return the distance of `seen` from the last place, in edges."""
        return distance_in_edges(seen, self.last)

    def follow(self, seen: Sighting, time_s: float) -> None:
        """Update the track with a sighting in a new frame."""
        moved = point_distance_in_edges(*self.anchor, seen)
        if moved > CREEP_EDGES:
            self.moved = Move(moved, time_s)
            self._lie_since(seen, time_s)
            # A die that is unsure because fingers cover it need not have moved.
            self.rested = self.rested and (isinstance(seen, Unsure) or self.home.holds(seen))
            if self.reappeared and not self.home.holds(seen) and self.bare is not False:
                self.arrived_s, self.reappeared = time_s, False
        self.frames += 1
        self.last, self.seen_s = seen, time_s
        self.path.append((time_s, seen.x, seen.y))
        self.votes = [vote for vote in self.votes if time_s - vote[0] <= VOTES_S]
        self.votes.append((time_s, seen))
        self.lay_still = self.lay_still or (
            self.frames > 1 and time_s - self.still_since_s >= MOMENT_S and self.is_sure()
        )
        if self.is_still(time_s) and self.is_sure():
            is_unchanged = self.home.same_face(seen) and (self.home.die is None or self.home.holds(seen))
            if self.reappeared and not is_unchanged and self.bare is not False:
                self.arrived_s = self.still_since_s
            self.rest_as(self.combined())

    def reappear(self, time_s: float, *, rested_since: bool) -> None:
        """Note that something is seen at its covered place. rested_since: there was a rest without it."""
        self.votes.clear()
        self.frames, self.still_since_s, self.reappeared = 0, time_s, True
        taken_up = self.bare or (self.bare is None and rested_since)
        self.returned = Return(time_s, bool(self.bare)) if taken_up else None

    def rest_as(self, sighting: Sighting) -> None:
        """Note that the die lies still, and its reading."""
        self.rested, self.reappeared, self.bare = True, False, None
        if isinstance(sighting, Die):
            self.home.note(sighting, self.arrived_s)

    def _lie_since(self, seen: Sighting, time_s: float) -> None:
        """Restart its rest at the first of those newest places that are all near to where it is seen now."""
        near = CREEP_EDGES * max(seen.size, 1e-9)
        while self.path and any(hypot(x - seen.x, y - seen.y) > near for _, x, y in self.path):
            gone_s = self.path.popleft()[0]
            self.spare_before_s = (self.path[0][0] if self.path else time_s) - gone_s
        self.still_since_s, *place = self.path[0] if self.path else (time_s, seen.x, seen.y)
        self.anchor, self.frames = (place[0], place[1]), len(self.path)
        self.votes = [vote for vote in self.votes if vote[0] >= self.still_since_s]

    def is_still(self, time_s: float) -> bool:
        """Return whether it has lain still long enough."""
        long_s = min(REST_S, max(LEAST_SEEN_S, SHORTEST_S - self.spare_s))
        long_enough = self.frames >= REST_FRAMES and time_s - self.still_since_s >= long_s - 1e-6
        return long_enough and not self.creeps(time_s) and not self.is_maybe_held(time_s)

    def is_maybe_held(self, time_s: float) -> bool:
        """Return whether fingers may be on it now; a die that has lain still for `MAYBE_HELD_S` is taken to be free."""
        return self.fingers.maybe_s == time_s and time_s - self.still_since_s < MAYBE_HELD_S - 1e-6

    def creeps(self, time_s: float) -> bool:
        """Return whether it slides slowly, using a line fitted to its newest places: noise has no direction.

        It may still have been moving at the first of them, so the others alone may be a rest.
        """
        path = [place for place in self.path if time_s - place[0] <= CREEP_OVER_S + 1e-6]
        if len(path) < REST_FRAMES or not _slides(path, self.last.size):
            return False
        rest_s = SHORTEST_S - (self.spare_s - self.spare_before_s) - (path[1][0] - path[0][0])
        return len(path) <= REST_FRAMES or time_s - path[1][0] < rest_s - 1e-6 or _slides(path[1:], self.last.size)

    def note_held(self, time_s: float) -> None:
        """Note that it is in fingers: then a die that has just come is not lying still."""
        at_home = isinstance(self.last, Die) and self.home.same_face(self.last) and self.home.holds(self.last)
        if not self.reported or (self.reappeared and not at_home):
            self.still_since_s, self.frames, self.lay_still, self.fingers.held_s = time_s, 0, False, time_s

    def note_maybe_held(self, time_s: float) -> None:
        """Note that it may be in fingers: then a die that has just come takes longer to be at rest."""
        if not self.reported or self.reappeared:
            self.fingers.maybe_s = time_s

    def is_sure(self) -> bool:
        """Return whether any frame of this rest was sure of it."""
        return any(isinstance(seen, Die) for _, seen in self.votes)

    def is_read(self) -> bool:
        """Return whether the frames of this rest agree on its face."""
        return isinstance(self.combined(), Die)

    def combined(self) -> Sighting:
        """Return the combined result of the frames of this rest: a die, or unsure if they disagree."""
        weights: Counter[int] = Counter()
        for _, seen in self.votes:
            if isinstance(seen, Die):
                weights[seen.face] += seen.confidence  # type: ignore[assignment]  # a Counter takes floats as well
        dice = [seen for _, seen in self.votes if isinstance(seen, Die)]
        if 2 * len(dice) < len(self.votes):
            return next(seen for _, seen in reversed(self.votes) if isinstance(seen, Unsure))
        (face, weight), *others = weights.most_common()
        last = next(die for die in reversed(dice) if die.face == face)
        if weight < AGREEMENT * sum(weights.values()):
            lower, higher = sorted((face, others[0][0]))
            return last.unsure(UnsureReason.TWO_FACES, (lower, higher))
        return replace(last, confidence=weight / sum(1 for die in dice if die.face == face))


def _slides(path: Sequence[tuple[float, float, float]], size: float) -> bool:
    """Return whether these places (time, x, y) move along a line by more than noise explains: the die creeps."""
    middle_s = sum(at_s for at_s, _, _ in path) / len(path)
    spread = sum((at_s - middle_s) ** 2 for at_s, _, _ in path)
    if not spread:
        return False
    speed_x, speed_y = (sum((place[0] - middle_s) * place[axis] for place in path) / spread for axis in (1, 2))
    noise_edges = SURE_DEVIATIONS * NOISE_EDGES * CREEP_OVER_S / spread**0.5
    return bool(hypot(speed_x, speed_y) * CREEP_OVER_S > (CREEP_MEAN_EDGES + noise_edges) * size)


def same_after_cover(track: Track, seen: Sighting) -> bool:
    """Return whether `seen`, at the place of a covered die, may be that die."""
    if track.distance(seen) > UNMOVED_EDGES:
        return False
    return is_same_at_rest(track.last, seen) or not (isinstance(seen, Die) and isinstance(track.last, Die))


def is_same_at_rest(before: Sighting, seen: Sighting) -> bool:
    """Return whether two dice lie at the same place with the same face and angle; False if either is unsure."""
    if not (isinstance(before, Die) and isinstance(seen, Die)) or distance_in_edges(before, seen) > UNMOVED_EDGES:
        return False
    turn = abs(seen.angle - before.angle) % QUARTER_TURN_DEG
    return seen.face == before.face and min(turn, QUARTER_TURN_DEG - turn) <= SAME_ANGLE_DEG


@dataclass(frozen=True, slots=True)
class HandEvidence:
    """The evidence about hands in one frame. Places are (x, y), as in the reading.

    bare: places where dice lay and nothing is now: a thrown die is picked up first. covered: places where dice lay that
    have something over or beside them: a die that is pushed or turned has fingers on it. held: dice of the reading with
    fingers around them. doubtful: dice with something around them that may be fingers. under: places where dice were
    read a moment ago and a hand is over now. open: whether no hand is in view at all; None if unknown. alone: places of
    dice and unsure things that have only background and other dice around them.
    """

    bare: tuple[tuple[float, float], ...] = ()
    covered: tuple[tuple[float, float], ...] = ()
    held: tuple[Die, ...] = ()
    doubtful: tuple[Die, ...] = ()
    under: tuple[tuple[float, float], ...] = ()
    open: bool | None = None
    alone: tuple[tuple[float, float], ...] = ()


NO_EVIDENCE = HandEvidence()


GAPS_KEPT = 8  # the newest times between two frames: the next frame may come as late as any of them
GAP_S = 0.2  # a reader may miss a die for a frame or two
UNWATCHED_S = 0.6  # between two frames: at ten per second no five in a row are late
JUST_COVERED_S = GAP_S + 0.01  # an unwatched die counts as covered


class FrameGaps:
    """The times of readings. fed_s, before_s: the newest time and the one before; infinite if there is none.

    unwatched: whether the gap before the newest reading was too long to know what happened. unwatched_s: start and end
    of the newest such gap; a die that was there at its end may first be read `GAP_S` later.
    """

    def __init__(self) -> None:
        self.unwatched = False
        self.unwatched_s = (-inf, -inf)
        self.before_s = self.fed_s = inf
        self._gaps_s: deque[float] = deque(maxlen=GAPS_KEPT)

    def skip_unwatched_time(self, tracks: Iterable[Track], time_s: float) -> None:
        """Exclude unwatched time, such as a camera stall: a die found as before has not moved."""
        gap_s, self.before_s, self.fed_s = time_s - self.fed_s, self.fed_s, time_s
        self.unwatched = gap_s > UNWATCHED_S
        if self.unwatched:
            self.unwatched_s = self.before_s, time_s + GAP_S
            self.before_s = inf
            for track in tracks:
                track.seen_s += gap_s - JUST_COVERED_S
        elif gap_s > 0:
            self._gaps_s.append(gap_s)

    def update(self, tracks: Iterable[Track], time_s: float) -> None:
        """Update for each die how much longer it may have lain still than was seen."""
        if not self._gaps_s:
            return
        for track in tracks:
            if track.still_since_s == time_s and track.frames == 1:
                track.spare_before_s = self._gaps_s[-1]
            track.spare_s = track.spare_before_s + max(self._gaps_s)

    def is_missing(self, track: Track, time_s: float, seconds: float = GAP_S) -> bool:
        """Return whether a die was not seen for this long although frames came: late and lost frames prove nothing."""
        return time_s - track.seen_s > seconds and track.seen_s < self.before_s


PUSHED_S = 6.0  # fingers may be on a die for this long
PUSHED_EDGES = 1.5  # and push it this far unseen, if its face stays the same
TURNED_EDGES = 0.8  # and this far if they turn it over
FLIGHT_S = 1.0  # the dice of one throw are first read within this time


def mark_thrown_together(tracks: list[Track]) -> None:
    """Count a die as thrown if it took the place of a die that was gone meanwhile, and others came with it.

    Nobody puts a die back exactly there at that moment. If its place was not seen bare, most of the others must have
    come too: a hand that lay still for so long that it counted as background may just have left.
    """
    for track in tracks:
        if (returned := track.returned) is None:
            continue
        others = [other for other in tracks if other.is_sure() and other is not track]
        arrived = [other for other in others if not other.reported and other.returned is None]
        company = [other for other in arrived if abs(other.arrived_s - returned.at_s) <= FLIGHT_S]
        if (company and returned.was_bare) or (len(company) > 1 and 2 * len(company) > len(others)):
            track.arrived_s, track.returned = returned.at_s, None


def only_slid_aside(arrived: list[Track], gone: list[Track], near: list[Track]) -> bool:
    """Return whether all dice may only have been slid aside under a hand that was in view all the time.

    If so, the same faces are there, and nothing else from before is. arrived: everything that came since, which may
    include dice of an earlier rest that lacked one unreadable die. near: all tracks seen recently.
    """
    if not arrived or len(arrived) != len(gone) or any(track.reported and track not in arrived for track in near):
        return False
    if any(track.left_alone or arrived[0].arrived_s - track.seen_s > PUSHED_S for track in gone):
        return False
    faces_now = sorted(die.face for die in (track.combined() for track in arrived) if isinstance(die, Die))
    faces_before = sorted(track.home.die.face for track in gone if track.home.die is not None)
    return faces_now == faces_before


def is_among(places: tuple[tuple[float, float], ...], sighting: Sighting) -> bool:
    """Return whether a sighting is at one of these places (x, y)."""
    return any(point_distance_in_edges(x, y, sighting) <= UNMOVED_EDGES for x, y in places)


def was_pushed(before: Track, now: Track) -> bool:
    """Return whether the die `now` may be the die `before`, pushed by fingers: near enough and soon enough."""
    rested = before.home.die
    if rested is None or now.arrived_s - before.seen_s > PUSHED_S:
        return False
    reach_edges = PUSHED_EDGES if isinstance(now.last, Die) and now.last.face == rested.face else TURNED_EDGES
    return min(distance_in_edges(now.last, rested), distance_in_edges(now.last, before.last)) <= reach_edges


BARE_KEPT = 20  # newest places where dice were picked up: a hand holds no more dice than this
# Between picking up dice and throwing them, no hand is in view for this long: two frames at ten per second
OPEN_S = 0.09


class HandNotes:
    """What hands did to the dice.

    open_since_s: since when no hand has been in view; infinite while one is, minus infinity while unknown. bare: the
    newest places where dice were picked up, as (x, y, time).
    """

    def __init__(self) -> None:
        self.open_since_s = -inf
        self.bare: deque[tuple[float, float, float]] = deque(maxlen=BARE_KEPT)

    def note(self, evidence: HandEvidence, tracks: Sequence[Track], moved_off: Iterable[Track], time_s: float) -> None:
        """Update which dice are held in fingers, and which places are bare."""
        if evidence.open is not True:
            self.open_since_s = inf if evidence.open is False else -inf
        elif self.open_since_s == inf:
            self.open_since_s = time_s
        is_open = time_s - self.open_since_s >= OPEN_S - 1e-6
        alone = is_open and all(track.reported or track.seen_s < time_s for track in tracks)
        for track in chain(tracks, moved_off):
            track.left_alone = track.seen_s < time_s and (alone or track.left_alone)
            if track.seen_s == time_s:
                _note_fingers(track, evidence, time_s)
            elif (rested := track.home.die) is not None:
                if is_among(evidence.bare, rested):
                    if track.reported and not track.bare:
                        self.bare.append((rested.x, rested.y, time_s))
                    track.bare = True
                elif track.bare is None and is_among(evidence.covered, rested):
                    track.bare = False


def _note_fingers(track: Track, evidence: HandEvidence, time_s: float) -> None:
    track.fingers.note_roll(track.last, alone=is_among(evidence.alone, track.last))
    if any(distance_in_edges(track.last, die) < SAME_DIE_EDGES for die in evidence.held):
        track.note_held(time_s)
    elif any(distance_in_edges(track.last, die) < SAME_DIE_EDGES for die in evidence.doubtful):
        track.note_maybe_held(time_s)
