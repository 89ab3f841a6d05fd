"""One die followed from frame to frame by its place: how long it has lain, whether it creeps, what is read there."""

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import hypot

from tabletop.core.geometry import UNMOVED_EDGES, distance_in_edges, point_distance_in_edges
from tabletop.core.reasons import UnsureReason
from tabletop.core.values import Die, Unsure

REST_S = 0.13  # five frames at 30 per second: the shortest rests of the recorded films last six to eight frames
MAYBE_HELD_S = 1.0  # nobody holds a die quite still for longer, except on a hand that is clearly seen
SHORTEST_S = 0.2  # a rest of this length is caught, even if it begins just after a frame and ends just before one
LEAST_SEEN_S = 0.09  # the part of such a rest that must be seen
REST_FRAMES = 3  # a rest is seen in at least this many frames, as the shortest is at ten per second
CREEP_EDGES = 0.12  # dice at rest in the films creep by a twentieth of their edge; the remainder is reader noise
CREEP_OVER_S, CREEP_MEAN_EDGES = 0.2, 0.06  # a die that moves by no more than this in this time is at rest
NOISE_EDGES = 0.006  # the reader's places waver by 1 % of an edge at most (a root mean square of 0.6 %)
SURE_DEVIATIONS = 2.5  # standard errors: a line through noisy places is off by more once in a hundred times
SAME_ANGLE_DEG = 12.0  # the same die is turned by no more than this (the reader's angle is good to a few degrees)
MOMENT_S = 0.06  # two frames at 30 per second: a die in flight is elsewhere by then
VOTES_S = 0.4  # the faces read over this time decide together
PLACES_KEPT = 12  # newest places of a die: CREEP_OVER_S at 60 frames a second
AGREEMENT = 0.75  # share of the votes, weighted by confidence, that the winning face must have
QUARTER_TURN_DEG = 90.0  # a square looks the same after it

Sighting = Die | Unsure


@dataclass(slots=True, eq=False)
class Track:
    """One die followed over frames.

    first: the first sighting; anchor: (x, y) where it came to rest; path: its newest places as (time, x, y); votes:
    what was read there, with times, newest last. rested: it has lain still there, and was read; a die only seen flying
    by, or carried off, claims no place. lay_still: it has lain still for `MOMENT_S`. rested_as: the die as it last lay;
    arrived_as: when it came to rest there, and the die as it first lay, since fingers over a die may make it look like
    another face.

    reappeared: something is seen at its place again and has not lain still since; if it only passes there, it is
    another die. reappeared_s: when it was seen there again after a rest without it, until the next rest; was_bare:
    whether its place was seen bare before that. reported: a rest has included it; reported_arrival_s: its arrival time
    in the last such rest. left_alone: no hand has been in view since it was last seen. bare: whether its place was seen
    bare since it lay there; None if unknown.

    spare_s: how much longer it may have lain still than was seen: from the frame before, and until the frame to come;
    spare_before_s: the first part of that. alone_from: the sighting since which nothing was round it in any frame;
    rolled_edges: the farthest it moved since then. moved_edges, moved_s: its distance from the anchor when it was last
    too far from it, and that time. held_s: when it was last in fingers; maybe_held_s: when it last may have been.
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
    reappeared_s: float | None = None
    was_bare: bool = False
    lay_still: bool = False
    reported: bool = False
    reported_arrival_s: float = float("-inf")
    bare: bool | None = None
    left_alone: bool = False
    spare_s: float = 0.0
    spare_before_s: float = 0.0
    rested_as: Die | None = None
    arrived_as: tuple[float, Die] | None = None
    alone_from: Sighting | None = None
    rolled_edges: float = 0.0
    moved_edges: float = 0.0
    moved_s: float = float("-inf")
    held_s: float = float("-inf")
    maybe_held_s: float = float("-inf")
    path: deque[tuple[float, float, float]] = field(default_factory=lambda: deque(maxlen=PLACES_KEPT))
    votes: list[tuple[float, Sighting]] = field(default_factory=list)

    def distance(self, seen: Sighting) -> float:
        """Return the distance of `seen` from the last place, in edges."""
        return distance_in_edges(seen, self.last)

    def follow(self, seen: Sighting, time_s: float) -> None:
        """Note what was seen of this die in a new frame."""
        moved = point_distance_in_edges(*self.anchor, seen)
        if moved > CREEP_EDGES:
            self.moved_edges, self.moved_s = moved, time_s
            self._lie_since(seen, time_s)
            # A die that is unsure because of fingers over it need not have moved.
            self.rested = self.rested and (isinstance(seen, Unsure) or self._is_home(seen))
            if self.reappeared and not self._is_home(seen) and self.bare is not False:
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
            is_unchanged = self._same_face(seen) and (self.rested_as is None or self._is_home(seen))
            if self.reappeared and not is_unchanged and self.bare is not False:
                self.arrived_s = self.still_since_s
            self.rest_as(self.combined())

    def rest_as(self, sighting: Sighting) -> None:
        """Note that it lies still, and what is read there."""
        self.rested, self.reappeared, self.bare = True, False, None
        if isinstance(sighting, Die):
            self.rested_as = sighting
            if self.arrived_as is None or self.arrived_as[0] != self.arrived_s:
                self.arrived_as = self.arrived_s, sighting

    def rested_dice(self) -> Iterator[Die]:
        """Yield the die as it last lay, and as it first lay at that place; nothing if it never lay."""
        if self.rested_as is not None:
            yield self.rested_as
            if (
                self.arrived_as is not None
                and self.arrived_as[0] == self.arrived_s
                and self._is_home(self.arrived_as[1])
            ):
                yield self.arrived_as[1]

    def _lie_since(self, seen: Sighting, time_s: float) -> None:
        """Restart its rest at the first of those newest places that are all near to where it is seen now."""
        near = CREEP_EDGES * max(seen.size, 1e-9)
        while self.path and any(hypot(x - seen.x, y - seen.y) > near for _, x, y in self.path):
            gone_s = self.path.popleft()[0]
            self.spare_before_s = (self.path[0][0] if self.path else time_s) - gone_s
        self.still_since_s, *place = self.path[0] if self.path else (time_s, seen.x, seen.y)
        self.anchor, self.frames = (place[0], place[1]), len(self.path)
        self.votes = [vote for vote in self.votes if vote[0] >= self.still_since_s]

    def _is_home(self, seen: Sighting) -> bool:
        """Return whether it is where it last lay: a die half covered by fingers is seen a little off its place."""
        rested = self.rested_as
        return rested is not None and distance_in_edges(seen, rested) <= UNMOVED_EDGES

    def _same_face(self, seen: Sighting) -> bool:
        return not isinstance(seen, Die) or self.rested_as is None or seen.face == self.rested_as.face

    def is_still(self, time_s: float) -> bool:
        """Return whether it has lain still for long enough."""
        long_s = min(REST_S, max(LEAST_SEEN_S, SHORTEST_S - self.spare_s))
        long_enough = self.frames >= REST_FRAMES and time_s - self.still_since_s >= long_s - 1e-6
        return long_enough and not self.creeps(time_s) and not self.is_maybe_held(time_s)

    def is_maybe_held(self, time_s: float) -> bool:
        """Return whether fingers may be on it now; a die that has lain still for `MAYBE_HELD_S` is taken to be free."""
        return self.maybe_held_s == time_s and time_s - self.still_since_s < MAYBE_HELD_S - 1e-6

    def creeps(self, time_s: float) -> bool:
        """Return whether it slides on slowly, by a line fitted to its newest places: noise has no direction.

        It may still have been moving at the first of them: without that one the others may be a rest of their own.
        """
        path = [place for place in self.path if time_s - place[0] <= CREEP_OVER_S + 1e-6]
        if len(path) < REST_FRAMES or not _slides(path, self.last.size):
            return False
        rest_s = SHORTEST_S - (self.spare_s - self.spare_before_s) - (path[1][0] - path[0][0])
        return len(path) <= REST_FRAMES or time_s - path[1][0] < rest_s - 1e-6 or _slides(path[1:], self.last.size)

    def note_held(self, time_s: float) -> None:
        """Note that it is in fingers: a die that has just come is not lying still then."""
        at_home = isinstance(self.last, Die) and self._same_face(self.last) and self._is_home(self.last)
        if not self.reported or (self.reappeared and not at_home):
            self.still_since_s, self.frames, self.lay_still, self.held_s = time_s, 0, False, time_s

    def note_maybe_held(self, time_s: float) -> None:
        """Note that it may be in fingers: a die that has just come then takes longer to be at rest."""
        if not self.reported or self.reappeared:
            self.maybe_held_s = time_s

    def note_roll(self, *, alone: bool) -> None:
        """Note how far it has moved while nothing was round it."""
        if not alone:
            self.alone_from = None
        elif self.alone_from is None:
            self.alone_from = self.last
        else:
            self.rolled_edges = max(self.rolled_edges, distance_in_edges(self.last, self.alone_from))

    def is_sure(self) -> bool:
        """Return whether any frame of this rest was sure of it."""
        return any(isinstance(seen, Die) for _, seen in self.votes)

    def is_read(self) -> bool:
        """Return whether the frames of this rest agree on the face that it shows."""
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
