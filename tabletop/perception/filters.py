"""Turn dice unsure on the basis of what this table has shown before. docs/accuracy.md has the figures.

- Dice that do not lie flat. A fixed camera sees all flat dice from the same direction; a near one sees those at the
edge more from the side, and how near it is follows from the other dice, now or over some throws.
- Dice read with far less confidence than the others here, in the same light: they usually lean, or show another face.
- Dice with low confidence that show another face at a slightly different scale or with the second opinion, since a
glossy two-colour die may be the same wrong face at every scale. This costs three more readings of a frame with such new
dice, which is one flat die in ten.
- Dice that people were asked about, until they are read clearly, even if they are nudged: a die that is barely readable
flips with the noise, and one in ten of those then shows another face.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tabletop.core.values import FACE_REASONS, STEADY_EDGES, Die, Reading, Rest, Unsure, UnsureReason, distance_in_edges

KNOWN_FROM = 20  # dice that have come to rest before the baseline is used
REMEMBERED = 25  # the newest of them: five throws of five dice, so that a new set of dice is soon the norm
# Chosen on 1,050 throws in 75 simulated rooms, a third of them with dice that lean: docs/accuracy.md.
ODD_SHARE = 0.1  # of the dice may have less confidence: allows one die in ten of another kind
MARGIN = 0.1  # confidence: a die this far below that level becomes unsure


class ConfidenceBaseline:
    """The usual confidence with which this table's dice are read.

    level: the confidence that nine of ten of the newest dice reach; None while too few are known.
    """

    def __init__(self) -> None:
        self._known: deque[float] = deque(maxlen=REMEMBERED)
        self._now: tuple[float, ...] = ()
        self._learned_s = float("-inf")
        self.level: float | None = None

    def apply(self, reading: Reading) -> Reading:
        """Return the reading with dice more than `MARGIN` below the level turned unsure."""
        self._now = tuple(die.confidence for die in reading.dice)
        if self.level is None:
            return reading
        least = self.level - MARGIN
        return reading.doubting(
            {die: die.unsure(UnsureReason.UNREADABLE) for die in reading.dice if die.confidence < least}
        )

    def learn(self, newest_s: float) -> None:
        """Learn from the dice of the last reading, unusual ones included, if one of them is new.

        newest_s: when the newest die came to rest.
        """
        if newest_s > self._learned_s:
            self._known.extend(self._now)
            if len(self._known) >= KNOWN_FROM:
                self.level = float(np.quantile(self._known, ODD_SHARE))
            self._learned_s = newest_s


# Picture width over camera distance, from a far camera to one with a field of view of 80 degrees.
NEARNESS = np.arange(0.0, 1.71, 0.1)
LEAST_TILT = 0.1  # sine: the measured tilt of a die seen from straight above, since the reader's noise has no sign
TILT_SHARE = 0.8  # weight of `tilt` in how steeply a die is seen; the rest is the weight of the length of `up`
GUESSED_FROM = 3  # other dice, now or before, needed for a comparison while the camera is unknown
UPRIGHT = 0.15  # sine: with fewer, they must all show that the camera looks straight down to within this
CAMERA_KNOWN_FROM = 20  # dice that have come to rest before the camera counts as known
CAMERA_REMEMBERED = 120  # the newest of those dice
# Thresholds named _OFF are sines of the angle between a die and the other dice. Chosen on the first throws of 300
# simulated rooms, half of them under a camera that sees 50 degrees, and on 579 photographs of flat dice:
# docs/accuracy.md.
LEAST_OFF = 0.18  # at most this is flat: a die on a crumb or a seam of the cloth may lie so
OFF_FACTOR = 3.5  # or within this factor of the median of the flat dice, if the reader is less exact than LEAST_OFF
GUESSED_OFF = 0.17  # while the camera is unknown; the largest deviation of the others is added
MAY_LEAN_FROM = 4  # from this many other dice on, one of them may lean too
ALIKE_OFF = 0.06  # a nearness is possible if the other dice deviate by no more than this
ALIKE_FACTOR = 1.3  # or by no more than this factor of their deviation at the best nearness
MOVED_CAMERA_DICE = 3  # dice, all deviating to the same side: then it is the camera that was moved
SAME_SIDE_SHARE = 0.5  # of those dice's deviation: they may differ from each other by this
MOVED_CAMERA_LEANS = 3  # times that a die leaned, moved in between: then it is the camera that was moved
ROUNDS = 4  # iterations that find the slope of a die from how it is seen
STEEPEST = 0.95  # sine: dice seen more from the side are never read

Floats = NDArray[np.float64]
Extent = tuple[int, int]  # width and height of a picture


@dataclass(frozen=True, slots=True)
class _CameraView:
    """What flat dice look like to a camera. slope: of straight up, as sines; limit: a die farther off leans."""

    nearness: Floats  # (1,)
    slope: Floats  # (2,)
    limit: float

    def off(self, rows: Floats, extent: Extent) -> Floats:
        """Return by how much dice differ from flat ones, (N, 2), sines, right and down."""
        return np.asarray(_slopes(rows, extent, self.nearness)[0] - self.slope, np.float64)


class FlatnessFilter:
    """Learns how flat dice look to one camera from dice that came to rest before."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, ...]] = deque(maxlen=CAMERA_REMEMBERED)
        self._camera: _CameraView | None = None
        self._leaned_s: set[float] = set()

    def apply(self, reading: Reading) -> Reading:
        """Return the reading with dice that do not lie flat turned unsure."""
        return reading.doubting({die: die.unsure(UnsureReason.LEANS) for die in self._leaning(reading)})

    def learn(self, dice: Sequence[Die]) -> None:
        """Learn from dice that have just come to rest flat."""
        self._leaned_s.clear()
        self._seen.extend(_row(die) for die in dice)
        self._camera = None

    def note_leaning(self, arrived_s: float) -> None:
        """Note that a die which came to rest at that time leaned; after too many, forget everything learned."""
        self._leaned_s.add(arrived_s)
        if len(self._leaned_s) >= MOVED_CAMERA_LEANS:
            self._forget()

    def _leaning(self, reading: Reading) -> list[Die]:
        """Return the dice that are seen from another side than flat ones; none while nothing is known."""
        if not reading.dice:
            return []
        rows, extent = np.array([_row(die) for die in reading.dice]), (reading.width, reading.height)
        if len(self._seen) < CAMERA_KNOWN_FROM:
            slopes = _slopes(np.array([*rows, *self._seen]), extent, NEARNESS)
            return [
                die for n, die in enumerate(reading.dice) if _is_outlier(slopes[:, n], np.delete(slopes, n, axis=1))
            ]
        self._camera = self._camera or _camera_of(np.array(self._seen), extent)
        off = self._camera.off(rows, extent)
        far = np.hypot(*off.T) > self._camera.limit
        if far.all() and len(off) >= MOVED_CAMERA_DICE and _off_to_same_side(off):
            self._forget()
            return []
        return [die for die, leans in zip(reading.dice, far, strict=True) if leans]

    def _forget(self) -> None:
        self._seen.clear()
        self._leaned_s.clear()
        self._camera = None


def _row(die: Die) -> tuple[float, ...]:
    return (die.x, die.y, *die.up, die.tilt)


def _slopes(seen: Floats, extent: Extent, nearness: Floats) -> Floats:
    """Return where the upward normal of each die points for each nearness of the camera: (C, N, 2) sines, right, down.

    seen: (N, 5), x, y, `up` and `tilt` as the reader measures them: relative to the line of sight to that die, which
    differs from place to place. The result is relative to the camera's own line of sight, so alike for all flat dice.
    """
    wide, high = extent
    away = (seen[:, :2] - (wide / 2, high / 2)) / wide
    rays = np.concatenate([away * nearness[:, None, None], np.ones((len(nearness), len(seen), 1))], axis=2)
    rays /= np.linalg.norm(rays, axis=2, keepdims=True)
    aside, along = rays[..., :2], rays[..., 2]
    lengths = np.hypot(seen[:, 2], seen[:, 3])
    tilts = np.sqrt(np.maximum(seen[:, 4] ** 2 - LEAST_TILT**2, 0.0))
    slopes_seen = (
        seen[:, 2:4] * (((1 - TILT_SHARE) * lengths + TILT_SHARE * tilts) / np.maximum(lengths, 1e-6))[:, None]
    )
    slopes = slopes_seen - aside
    for _ in range(ROUNDS):
        level = np.sqrt(np.maximum(1 - (slopes**2).sum(axis=2), 1 - STEEPEST**2))
        slopes = slopes_seen + ((slopes * aside).sum(axis=2) - level * along)[..., None] * aside
    return np.asarray(slopes, np.float64)


def _is_outlier(slopes: Floats, others: Floats) -> bool:
    """Return whether a die is seen from another side than the dice beside it and those of the first throws.

    slopes, others: of the die, (C, 2), and of the other dice, (C, N, 2), for each nearness. The die is an outlier if it
    differs at every nearness at which the others are alike, or all but one of MAY_LEAN_FROM or more.
    """
    if not others.shape[1]:
        return False
    typical = np.median(others, axis=1)
    off = np.sort(np.linalg.norm(others - typical[:, None], axis=2), axis=1)
    spread = off[:, -2 if off.shape[1] >= MAY_LEAN_FROM else -1]
    possible = spread <= max(ALIKE_OFF, ALIKE_FACTOR * float(spread.min()))
    if others.shape[1] < GUESSED_FROM:
        possible &= np.linalg.norm(others, axis=2).max(axis=1) < UPRIGHT
    off = np.where(possible, np.linalg.norm(slopes - typical, axis=1), 0.0 if not possible.any() else np.inf)
    best = int(off.argmin())
    return bool(off[best] > GUESSED_OFF + spread[best])


def _camera_of(seen: Floats, extent: Extent) -> _CameraView:
    """Return the camera for which these dice, (N, 5), look most alike; one in ten may have leaned."""
    slopes = _slopes(seen, extent, NEARNESS)
    typical = np.median(slopes, axis=1)
    off = np.linalg.norm(slopes - typical[:, None], axis=2)
    best = int(off.mean(axis=1).argmin())  # the median of a few dice would depend too much on chance
    return _CameraView(
        NEARNESS[best : best + 1], typical[best], max(LEAST_OFF, OFF_FACTOR * float(np.median(off[best])))
    )


def _off_to_same_side(off: Floats) -> bool:
    """Return whether dice that are all off are off to the same side: then it is the camera that has moved."""
    typical = np.median(off, axis=0)
    return bool(np.hypot(*(off - typical).T).max() < SAME_SIDE_SHARE * float(np.hypot(*typical)))


DOUBTFUL = 0.88  # confidence: one flat die in ten is read with less
SCALES = (0.96, 1.04)  # of the size that the reader is given
RESCALED_EDGES = 0.3  # at another scale, whatever is this near is the same die, whatever its face
RECHECK_S = 1.0  # a die that differed at another scale is checked again after this: a hand may have been in the way
RESULT_KEPT_S = 3.0  # the result for a die is kept for this long after the die was last seen


class ReadAgain(Protocol):
    """Reads the frame again at another scale."""

    def __call__(self, share: float, *, closely: bool = False) -> Reading:
        """Return the reading at this share of the dice's size. closely: with the second opinion."""


@dataclass(slots=True)
class _CheckedDie:
    """The result for a die. doubt: the die as an unsure one, None if it is sure."""

    die: Die
    doubt: Unsure | None
    looked_s: float
    seen_s: float


class RescaleCheck:
    """Rereads doubtful dice at other scales; remembers the results while the dice stay where they are."""

    def __init__(self) -> None:
        self._checked: list[_CheckedDie] = []
        self._before: tuple[Die, ...] = ()

    def apply(self, reading: Reading, look: ReadAgain) -> Reading:
        """Return the reading with dice that differ when read again turned unsure. look: reads this frame.

        A die is checked once it is at rest: while it rolls, its result does not matter.
        """
        now_s, before = reading.time_s, self._before
        self._before = reading.dice
        self._checked = [checked for checked in self._checked if now_s - checked.seen_s <= RESULT_KEPT_S]
        doubtful = [die for die in reading.dice if die.confidence < DOUBTFUL]
        if due := [die for die in doubtful if self._is_due(die, before, now_s)]:
            others = [*(look(share) for share in SCALES), look(1.0, closely=True)]
            self._checked = [checked for checked in self._checked if not any(_is_same(checked.die, die) for die in due)]
            self._checked += [_CheckedDie(die, _doubt(die, others), now_s, now_s) for die in due]
        doubts = dict[Die, Unsure]()
        for die in doubtful:
            for checked in self._checked:
                if _is_same(checked.die, die):
                    checked.seen_s = now_s
                    if checked.doubt is not None:
                        doubts[die] = die.unsure(checked.doubt.reason, checked.doubt.faces)
        return reading.doubting(doubts)

    def _is_due(self, die: Die, before: Sequence[Die], now_s: float) -> bool:
        known = next((checked for checked in self._checked if _is_same(checked.die, die)), None)
        if known is not None:
            return known.doubt is not None and now_s - known.looked_s > RECHECK_S
        return any(_is_same(other, die) for other in before)


def _doubt(die: Die, others: Sequence[Reading]) -> Unsure | None:
    """Return the die as an unsure one, None if it shows the same face in the other looks."""
    faces = [
        next((seen.face for seen in other.dice if distance_in_edges(seen, die) <= RESCALED_EDGES), None)
        for other in others
    ]
    if all(face == die.face for face in faces):
        return None
    another = next((face for face in faces if face not in (None, die.face)), None)
    if another is None:
        return die.unsure(UnsureReason.UNREADABLE)
    return die.unsure(UnsureReason.TWO_FACES, (min(die.face, another), max(die.face, another)))


def _is_same(earlier: Die, die: Die) -> bool:
    return earlier.face == die.face and distance_in_edges(earlier, die) <= STEADY_EDGES


ASKED_S = 0.5  # a die unsure for this much longer than sure is one that people have been asked about
PLAIN_S = 0.3  # a die plain for this long is like any other; while it is nudged, a blot on it is blurred
PLACE_KEPT_S = 3.0  # a place that was not seen for this long is forgotten
NUDGED_EDGES = 0.9  # a nudge moves a die by at most this: the next die cannot be nearer than an edge


@dataclass(slots=True)
class _DoubtfulPlace:
    """A place with a die that was unsure.

    unsure_s: how much longer it was unsure than sure. asked: whether that was long enough to ask people. plain_s: how
    long it has been plain.
    """

    x: float
    y: float
    size: float
    doubt: Unsure
    seen_s: float
    unsure_s: float = 0.0
    asked: bool = False
    plain_s: float = 0.0

    def unsure_die(self) -> Unsure:
        """Return the die that people are asked about."""
        return replace(self.doubt, x=self.x, y=self.y, size=self.size, where="tray")

    def see(self, sighting: Die | Unsure, now_s: float, before_s: float, plain: float) -> bool:
        """Note how the die is seen; return whether it may be reported as sure. before_s: time of the frame before.

        Time in which it was hidden counts neither as sure nor as unsure.
        """
        passed_s = now_s - before_s if self.seen_s == before_s else 0.0
        is_plain = isinstance(sighting, Die) and sighting.confidence >= plain
        if isinstance(sighting, Unsure):
            self.doubt = sighting
            self.unsure_s += passed_s
        elif not self.asked:
            self.unsure_s -= passed_s
        self.plain_s = self.plain_s + passed_s if is_plain and passed_s else 0.0
        self.asked = self.asked or self.unsure_s >= ASKED_S
        self.seen_s = now_s
        if self.asked and self.doubt.reason is not UnsureReason.LEANS:
            self.x, self.y = sighting.x, sighting.y
        return is_plain or not self.asked

    def miss(self, now_s: float) -> None:
        """Note that nothing is read there, though something is there."""
        self.seen_s, self.plain_s = now_s, 0.0

    def is_over(self, now_s: float) -> bool:
        """Return whether the place is like any other again, or forgotten."""
        return now_s - self.seen_s > PLACE_KEPT_S or self.unsure_s < 0 or self.plain_s >= PLAIN_S


class DoubtHysteresis:
    """Remembers which dice were unsure for a long time, and keeps them unsure until they are read clearly."""

    def __init__(self) -> None:
        self._places: list[_DoubtfulPlace] = []
        self._before_s = float("-inf")

    def apply(
        self, reading: Reading, level: float | None = None, is_covered: Callable[[Unsure], bool] = lambda _: False
    ) -> Reading:
        """Return the reading with dice that were unsure for long, and are not clear now, still unsure.

        level: the confidence with which this table's dice are read, None while unknown; if it is low, as under a dim
        lamp, a die read with this confidence is clear. is_covered: whether something covers the ground at a place; then
        a die that people were asked about stays in the reading, even if nothing is read there now.
        """
        now_s, before_s, self._before_s = reading.time_s, self._before_s, reading.time_s
        plain = DOUBTFUL if level is None else min(DOUBTFUL, level)
        self._places = [place for place in self._places if not place.is_over(now_s)]
        for unsure in reading.unsure:
            place, about_its_face = self._at(unsure), unsure.reason in FACE_REASONS
            if place is None and about_its_face:
                self._places.append(_DoubtfulPlace(unsure.x, unsure.y, unsure.size, unsure, now_s))
            elif place is not None and about_its_face:
                place.see(unsure, now_s, before_s, plain)
            elif place is not None and place.asked and not is_covered(place.unsure_die()):
                place.x, place.y = unsure.x, unsure.y  # it was nudged to here, and no hand is where it lay
                place.miss(now_s)
        pairs = ((die, self._at(die)) for die in reading.dice)
        held_back = {
            die: die.unsure(place.doubt.reason, place.doubt.faces)
            for die, place in pairs
            if place and not place.see(die, now_s, before_s, plain)
        }
        seen: list[Die | Unsure] = [*reading.dice, *reading.unsure]
        unread = [place for place in self._places if place.asked and place.seen_s < now_s]
        missed = list[Unsure]()
        for place in unread:
            if not _near(place.unsure_die(), seen) and is_covered(place.unsure_die()):
                place.miss(now_s)
                missed.append(place.unsure_die())
        result = reading.doubting(held_back)
        return replace(result, unsure=(*result.unsure, *missed)) if missed else result

    def _at(self, sighting: Die | Unsure) -> _DoubtfulPlace | None:
        """Return the place of this die, or the one it was nudged from after people had been asked about its face."""
        near = sorted(self._places, key=lambda place: distance_in_edges(place, sighting))
        nudged = (
            place
            for place in near
            if place.asked
            and place.doubt.reason is not UnsureReason.LEANS
            and distance_in_edges(place, sighting) <= NUDGED_EDGES
        )
        return next((place for place in near if distance_in_edges(place, sighting) <= STEADY_EDGES), next(nudged, None))


def _near(unsure: Unsure, seen: Sequence[Die | Unsure]) -> bool:
    return any(distance_in_edges(unsure, sighting) <= NUDGED_EDGES for sighting in seen)


class DoubtFilters:
    """All filters of one camera that remember dice."""

    def __init__(self) -> None:
        self._flatness, self._confidence, self._hysteresis = FlatnessFilter(), ConfidenceBaseline(), DoubtHysteresis()

    def apply(self, reading: Reading, is_covered: Callable[[Unsure], bool]) -> Reading:
        """Apply all filters to a reading in the reference frame. is_covered: see `DoubtHysteresis`."""
        seen = self._confidence.apply(self._flatness.apply(reading))
        return self._hysteresis.apply(seen, self._confidence.level, is_covered)

    def learn_flat(self, dice: Sequence[Die]) -> None:
        """Learn from dice that have just come to rest flat."""
        self._flatness.learn(dice)

    def note_rest(self, rest: Rest, newest_s: float) -> None:
        """Learn from a rest. newest_s: when the newest sure die came to rest."""
        self._confidence.learn(max((newest_s, *rest.unsure_arrived_s)))
        for unsure, arrived_s in rest.dated_unsure:
            if unsure.reason is UnsureReason.LEANS:
                self._flatness.note_leaning(arrived_s)
