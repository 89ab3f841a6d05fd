"""One die followed from frame to frame by its place: since when it lies, whether it creeps, what is read there."""

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import hypot

from tabletop.core.geometry import UNMOVED_EDGES, distance_in_edges, point_distance_in_edges
from tabletop.core.reasons import UnsureReason
from tabletop.core.values import Die, Unsure

REST_S = 0.13  # five frames at 30 a second: the shortest rests of the recorded films last six to eight frames
DOUBT_S = 1.0  # nobody holds a die quite still for longer, but on a hand that is surely seen
SHORTEST_S = 0.2  # a rest so long is caught, though it begins after a frame and ends before one
LEAST_SEEN_S = 0.09  # of which so much is seen
REST_FRAMES = 3  # at ten frames a second it shows three frames
CREEP_EDGES = 0.12  # dice at rest in the films creep by a twentieth of their edge; the rest is the reader's own noise
CREEP_OVER_S, CREEP_MEAN_EDGES = 0.2, 0.06  # so much in so long is a rest
NOISE_EDGES = 0.006  # the reader's places waver by 1 % of an edge at most (a root mean square of 0.6 %)
SURE_TIMES = 2.5  # a line through places that waver is off by more once in a hundred times
SAME_ANGLE_DEG = 12.0  # and turned by no more than this (the reader's angle is good to a few degrees)
MOMENT_S = 0.06  # two frames at 30 a second: what only flies is elsewhere by then
VOTES_S = 0.4  # the faces read over this time decide together
PLACES_KEPT = 12  # newest places of a die: CREEP_OVER_S at 60 frames a second
AGREEMENT = 0.75  # share of the votes (weighed by confidence) that the face taken must have
QUARTER_TURN_DEG = 90.0  # a square looks the same after it

Sighting = Die | Unsure


@dataclass(slots=True, eq=False)
class Track:
    """One die followed over frames.

    first: as it was seen at first; anchor: where it came to lie; way: its newest places with their times; votes:
    what was read there, newest last. rested: it has lain there still, read; what was only seen flying by, or
    carried off, is nobody's place. back: something is seen again at its place and has not lain still since; if it
    only passes there it is another die. back_s: when it was seen there again after a rest without it, until the
    next rest; was_bare: whether its place was seen bare before that. rested_as: as it lay last; came_as: when and how
    it came to lie there, since fingers over a die may make another face of it. lay: it has lain still for a moment.
    reported: a rest has shown it; told_s: since when it lay there, as the last one said. left_alone: whether no hand
    was in view since it was seen last. bare: whether its place was seen bare since it lay there; None: nobody could
    tell.
    spare_s: for how much longer than it was seen still it may lie still: since the frame before that, and until the one
    to come. alone_from: since where it was seen with nothing round it in each frame; rolled_edges: how far it moved so
    at most. moved_edges, moved_s: how far it was from where it had come to lie when that was last too far, and when.
    held_s: when it was last in fingers; doubted_s: when it may have been.
    """

    last: Sighting
    arrived_s: float
    still_since_s: float
    seen_s: float
    anchor: tuple[float, float]
    first: Sighting
    frames: int = 1
    rested: bool = False
    back: bool = False
    back_s: float | None = None
    was_bare: bool = False
    lay: bool = False
    reported: bool = False
    told_s: float = float("-inf")
    bare: bool | None = None
    left_alone: bool = False
    spare_s: float = 0.0
    spare_before_s: float = 0.0
    rested_as: Die | None = None
    came_as: tuple[float, Die] | None = None
    alone_from: Sighting | None = None
    rolled_edges: float = 0.0
    moved_edges: float = 0.0
    moved_s: float = float("-inf")
    held_s: float = float("-inf")
    doubted_s: float = float("-inf")
    way: deque[tuple[float, float, float]] = field(default_factory=lambda: deque(maxlen=PLACES_KEPT))
    votes: list[tuple[float, Sighting]] = field(default_factory=list)

    def distance(self, seen: Sighting) -> float:
        """Return how far `seen` lies from the last place, in edges."""
        return distance_in_edges(seen, self.last)

    def follow(self, seen: Sighting, time_s: float) -> None:
        """Note what was seen of this die in a new frame."""
        moved = point_distance_in_edges(*self.anchor, seen)
        if moved > CREEP_EDGES:
            self.moved_edges, self.moved_s = moved, time_s
            self._lie_since(seen, time_s)
            # Fingers over a die are no proof that it moved.
            self.rested = self.rested and (isinstance(seen, Unsure) or self._home(seen))
            if self.back and not self._home(seen) and self.bare is not False:
                self.arrived_s, self.back = time_s, False
        self.frames += 1
        self.last, self.seen_s = seen, time_s
        self.way.append((time_s, seen.x, seen.y))
        self.votes = [vote for vote in self.votes if time_s - vote[0] <= VOTES_S]
        self.votes.append((time_s, seen))
        self.lay = self.lay or (self.frames > 1 and time_s - self.still_since_s >= MOMENT_S and self.sure())
        if self.still(time_s) and self.sure():
            as_it_lay = self._same_face(seen) and (self.rested_as is None or self._home(seen))
            if self.back and not as_it_lay and self.bare is not False:
                self.arrived_s = self.still_since_s
            self.rest_as(self.joined())

    def rest_as(self, lies: Sighting) -> None:
        """Note that it lies still, and what is read there."""
        self.rested, self.back, self.bare = True, False, None
        if isinstance(lies, Die):
            self.rested_as = lies
            if self.came_as is None or self.came_as[0] != self.arrived_s:
                self.came_as = self.arrived_s, lies

    def lain(self) -> Iterator[Die]:
        """Yield it as it lay last, and as it came to lie at that place; nothing if it never lay."""
        if self.rested_as is not None:
            yield self.rested_as
            if self.came_as is not None and self.came_as[0] == self.arrived_s and self._home(self.came_as[1]):
                yield self.came_as[1]

    def _lie_since(self, seen: Sighting, time_s: float) -> None:
        """Begin its rest again: with the first of its newest places that are all near to where it is seen now."""
        near = CREEP_EDGES * max(seen.size, 1e-9)
        while self.way and any(hypot(x - seen.x, y - seen.y) > near for _, x, y in self.way):
            gone_s = self.way.popleft()[0]
            self.spare_before_s = (self.way[0][0] if self.way else time_s) - gone_s
        self.still_since_s, *place = self.way[0] if self.way else (time_s, seen.x, seen.y)
        self.anchor, self.frames = (place[0], place[1]), len(self.way)
        self.votes = [vote for vote in self.votes if vote[0] >= self.still_since_s]

    def _home(self, seen: Sighting) -> bool:
        """Return whether it is where it last lay: half covered by fingers a die is seen a little off its place."""
        lay = self.rested_as
        return lay is not None and distance_in_edges(seen, lay) <= UNMOVED_EDGES

    def _same_face(self, seen: Sighting) -> bool:
        return not isinstance(seen, Die) or self.rested_as is None or seen.face == self.rested_as.face

    def still(self, time_s: float) -> bool:
        """Return whether it has lain still for long enough."""
        long_s = min(REST_S, max(LEAST_SEEN_S, SHORTEST_S - self.spare_s))
        long_enough = self.frames >= REST_FRAMES and time_s - self.still_since_s >= long_s - 1e-6
        return long_enough and not self.creeps(time_s) and not self.doubted(time_s)

    def doubted(self, time_s: float) -> bool:
        """Return whether fingers may be on it now. What lies still for so long without them being sure has none."""
        return self.doubted_s == time_s and time_s - self.still_since_s < DOUBT_S - 1e-6

    def creeps(self, time_s: float) -> bool:
        """Return whether it slides on slowly, by the line through its newest places: noise has no direction.

        In the first of them it may still have moved: without that one the others may be a rest of their own.
        """
        way = [place for place in self.way if time_s - place[0] <= CREEP_OVER_S + 1e-6]
        if len(way) < REST_FRAMES or not _slides(way, self.last.size):
            return False
        rest_s = SHORTEST_S - (self.spare_s - self.spare_before_s) - (way[1][0] - way[0][0])
        return len(way) <= REST_FRAMES or time_s - way[1][0] < rest_s - 1e-6 or _slides(way[1:], self.last.size)

    def hold(self, time_s: float) -> None:
        """Count no stillness of a die that has come and is in fingers."""
        at_home = isinstance(self.last, Die) and self._same_face(self.last) and self._home(self.last)
        if not self.reported or (self.back and not at_home):
            self.still_since_s, self.frames, self.lay, self.held_s = time_s, 0, False, time_s

    def doubt(self, time_s: float) -> None:
        """Note that a die that has come may be in fingers: its stillness counts, but for a while it is no rest."""
        if not self.reported or self.back:
            self.doubted_s = time_s

    def roll(self, *, alone: bool) -> None:
        """Note how far it came while nothing was round it."""
        if not alone:
            self.alone_from = None
        elif self.alone_from is None:
            self.alone_from = self.last
        else:
            self.rolled_edges = max(self.rolled_edges, distance_in_edges(self.last, self.alone_from))

    def sure(self) -> bool:
        """Return whether any frame since it lies here was sure of it."""
        return any(isinstance(seen, Die) for _, seen in self.votes)

    def read(self) -> bool:
        """Return whether the frames of this rest say together which face it shows."""
        return isinstance(self.joined(), Die)

    def joined(self) -> Sighting:
        """Return what the frames of this rest say together: a die, or unsure where they disagree."""
        weights: Counter[int] = Counter()
        for _, seen in self.votes:
            if isinstance(seen, Die):
                weights[seen.face] += seen.confidence  # type: ignore[assignment]  # a Counter weighs by floats as well
        dice = [seen for _, seen in self.votes if isinstance(seen, Die)]
        if 2 * len(dice) < len(self.votes):
            return next(seen for _, seen in reversed(self.votes) if isinstance(seen, Unsure))
        (face, weight), *others = weights.most_common()
        last = next(die for die in reversed(dice) if die.face == face)
        if weight < AGREEMENT * sum(weights.values()):
            lower, higher = sorted((face, others[0][0]))
            return last.unsure(UnsureReason.TWO_FACES, (lower, higher))
        return replace(last, confidence=weight / sum(1 for die in dice if die.face == face))


def _slides(way: Sequence[tuple[float, float, float]], size: float) -> bool:
    """Return whether these places (time, x, y) are along a line, as those of a die that creeps, not by noise alone."""
    middle_s = sum(at_s for at_s, _, _ in way) / len(way)
    spread = sum((at_s - middle_s) ** 2 for at_s, _, _ in way)
    if not spread:
        return False
    speed_x, speed_y = (sum((place[0] - middle_s) * place[axis] for place in way) / spread for axis in (1, 2))
    wavers = SURE_TIMES * NOISE_EDGES * CREEP_OVER_S / spread**0.5
    return bool(hypot(speed_x, speed_y) * CREEP_OVER_S > (CREEP_MEAN_EDGES + wavers) * size)


def same_after_cover(track: Track, seen: Sighting) -> bool:
    """Return whether what is seen where a covered die lay may be that die."""
    if track.distance(seen) > UNMOVED_EDGES:
        return False
    return same_lying(track.last, seen) or not (isinstance(seen, Die) and isinstance(track.last, Die))


def same_lying(lay: Sighting, seen: Sighting) -> bool:
    """Return whether two dice lie at the same place with the same face, turned alike; never where one is unsure."""
    if not (isinstance(lay, Die) and isinstance(seen, Die)) or distance_in_edges(lay, seen) > UNMOVED_EDGES:
        return False
    turn = abs(seen.angle - lay.angle) % QUARTER_TURN_DEG
    return seen.face == lay.face and min(turn, QUARTER_TURN_DEG - turn) <= SAME_ANGLE_DEG
