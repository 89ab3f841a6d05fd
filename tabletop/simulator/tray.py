"""A simulated dice tray: realistic enough for the reader, fair, and with the ground truth of every frame.

Its actions, such as `throw`, happen in the simulated world. Each begins when those before it are over and returns the
time when it will be over; the tray's time advances with the frames of its camera. `truth` is what the reader should
find in the newest frame.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from threading import RLock

import numpy as np
from numpy.typing import NDArray

from tabletop.core import errors, ports, values
from tabletop.simulator import devices, tray_picture
from tabletop.simulator.grounds import layout, paint_ground
from tabletop.simulator.physics import Area, End, Motion, Place, flat, lift, nudged, on_rail, scatter, slide, tumble_to
from tabletop.simulator.scene import PLAIN, Look, PosedDie, Viewpoint, face_up, lean_deg, top_centre

FLAT_DEG = 1.0  # a die tilted by less lies flat


@dataclass(frozen=True, slots=True)
class TrueDie:
    """The ground truth of one die in a frame.

    index: which of the tray's dice. x, y: the centre of its top face in the frame, in pixels; size: its edge; angle:
    degrees clockwise, 0 to 90. aside: whether it was set aside. moving: then face and angle are momentary. leaning: it
    lies on no face, and `face` is the uppermost one. stacked: it lies on another die.
    """

    index: int
    face: int
    x: float
    y: float
    size: float
    angle: float
    aside: bool
    moving: bool
    leaning: bool = False
    stacked: bool = False


@dataclass(frozen=True, slots=True)
class TrayTruth:
    """The ground truth of one frame, without dice in a hand."""

    time_s: float
    dice: tuple[TrueDie, ...]

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces in the frame, sorted; meaningless while `moving`."""
        return tuple(sorted(die.face for die in self.dice))

    @property
    def moving(self) -> bool:
        """Whether any die moves."""
        return any(die.moving for die in self.dice)


class Piece:
    """One die: its look, its final place, and the motions still to come.

    place, rest: its final place and pose; None in the hand. face: its final face. motions: unfinished ones, in order.
    """

    def __init__(self, look: Look) -> None:
        self.look = look
        self.face = 1
        self.place: Place | None = None
        self.aside = False
        self._lying: PosedDie | None = None
        self.rest: PosedDie | None = None
        self.motions: list[Motion] = []

    def move(self, motion: Motion, rest: PosedDie, place: Place) -> None:
        """Append a motion; it ends in `rest`, at `place`."""
        self.motions.append(motion)
        self.rest, self.place, self.face = rest, place, face_up(rest)

    def lift(self, hand: tuple[float, float], start_s: float, end_s: float) -> None:
        """Take the die into the hand; it is then no longer aside. Does nothing if it is in the hand already."""
        if self.rest is not None:
            self.motions.append(lift(self.rest, hand, start_s, end_s))
        self.lose()

    def lose(self) -> None:
        """Leave the tray after the current motions, into a hand or onto the floor."""
        self.aside = False
        self.rest = self.place = None

    def settle(self, time_s: float) -> None:
        """Drop finished motions."""
        while self.motions and self.motions[0].end_s <= time_s:
            over = self.motions.pop(0)
            self._lying = None if over.leaves else over.pose(over.end_s)

    def moving(self, time_s: float) -> bool:
        """Return whether it moves at a time not before the last `settle`."""
        return bool(self.motions) and self.motions[0].start_s < time_s

    def pose(self, time_s: float) -> PosedDie | None:
        """Return its pose at a time not before the last `settle`; None in the hand."""
        return self.motions[0].pose(time_s) if self.moving(time_s) else self._lying

    def motion_px(self, time_s: float, seconds: float) -> tray_picture.MotionPx:
        """Return its movement, while it moves, during this many seconds before a time, in pixels."""
        now, then = self.motions[0].pose(time_s), self.motions[0].pose(time_s - seconds)
        return now.x - then.x, now.y - then.y

    def truth(self, index: int, time_s: float, camera: Viewpoint) -> TrueDie | None:
        """Return its ground truth at this time, None in the hand."""
        pose = self.pose(time_s)
        if pose is None:
            return None
        x, y = top_centre(pose, camera)
        leans = lean_deg(pose) > FLAT_DEG
        moves = self.moving(time_s)
        stands = pose.lift_px > 0 and not moves
        return TrueDie(index, face_up(pose), x, y, pose.size_px, turn_deg(pose), self.aside, moves, leans, stands)


def turn_deg(die: PosedDie) -> float:
    """Return the rotation of a die lying flat, degrees clockwise, 0 to 90."""
    level = min(range(3), key=lambda axis: abs(die.rotation[2][axis]))
    return math.degrees(math.atan2(die.rotation[1][level], die.rotation[0][level])) % 90.0


WIDTH_PX, HEIGHT_PX = 640, 480
SIZE_PX = 56.0
LAYOUT = layout(WIDTH_PX, HEIGHT_PX, SIZE_PX)
MOST_DICE = 24  # this many still fit on the felt with a little room between them
FPS = 15.0


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast the hands at the tray are, in seconds.

    lift_s: to pick the dice up. in_hand_s: to shake them; the dice set aside are alone in the tray for this long.
    tumble_s: shortest and longest time from the hand to rest.
    """

    lift_s: float = 0.3
    in_hand_s: float = 0.6
    tumble_s: tuple[float, float] = (0.8, 1.2)


BRISK = Pace(lift_s=0.1, in_hand_s=0.5, tumble_s=(0.4, 0.5))  # for matches in simulated time, which cost time per frame


SIDE_S = 0.4  # to carry a die to the rail
NUDGE_S = 0.2
STAGGER_S = 0.12  # dice leave the hand within this time


class Tray:
    """A tray with dice, a camera above it and two buttons beside it.

    dice: how many it has (all are in the hand at first). chance: draws the faces, the flights and the bouncing of the
    buttons, each from a separate stream: the faces do not depend on how dice fly. looks: of the dice in turn. clock,
    wait: pass both for live camera and buttons; otherwise time is simulated and advances by 1 / fps per frame. picture:
    draws it, with a custom ground, light or camera.

    now_s: the time of the newest frame. busy_until_s: when everything begun so far will be over.
    """

    shutter_s = 0.0  # what moves blurs for this long

    def __init__(
        self,
        dice: int = 5,
        *,
        chance: Random,
        looks: Sequence[Look] = (PLAIN,),
        pace: Pace | None = None,
        fps: float = FPS,
        clock: devices.Clock | None = None,
        wait: devices.Wait | None = None,
        picture: tray_picture.TrayPicture | None = None,
    ) -> None:
        self._faces = _stream(chance)
        self._motion_chance = _stream(chance)
        self._looks = tuple(looks)
        self._pace = pace or Pace()
        self._lock = RLock()  # a live camera is read by one thread while another throws
        self.now_s = clock() if clock else 0.0
        self.busy_until_s = self.now_s
        self.pieces: list[Piece] = []
        self.layout = LAYOUT
        self._picture = picture or tray_picture.TrayPicture(paint_ground(LAYOUT))
        self.camera = devices.TrayCamera(self.show, fps=fps, clock=clock, wait=wait)
        self.buttons = devices.TrayButtons(clock or (lambda: self.now_s), _stream(chance))
        self.own(dice)

    @property
    def busy(self) -> bool:
        """Whether something that was begun is still going on in the newest frame."""
        return self.now_s < self.busy_until_s

    def own(self, dice: int) -> None:
        """Have at least this many dice; new ones are in the hand. Raises InputError for fewer than 1 or too many."""
        if not 1 <= dice <= MOST_DICE:
            raise errors.InputError(f"expected 1 to {MOST_DICE} dice in the simulated tray, got {dice}")
        with self._lock:
            while len(self.pieces) < dice:
                self.pieces.append(Piece(self._looks[len(self.pieces) % len(self._looks)]))

    # The truth.

    @property
    def lying_faces(self) -> tuple[int, ...]:
        """The final faces of all dice in the frame, sorted."""
        return tuple(sorted(piece.face for piece in self.pieces if piece.place))

    @property
    def aside(self) -> tuple[tuple[int, int], ...]:
        """The index and the face of each die set aside."""
        return tuple((at, piece.face) for at, piece in enumerate(self.pieces) if piece.place and piece.aside)

    def loose_with(self, face: int) -> int | None:
        """Return the index of a loose die that shows the face, None if there is none."""
        loose = (at for at, piece in enumerate(self.pieces) if piece.place and not piece.aside and piece.face == face)
        return next(loose, None)

    def nearest(self, x: float, y: float) -> int | None:
        """Return the index of the die nearest to a point of the frame, None if all are in the hand."""
        lying_dice = [(index, piece.place) for index, piece in enumerate(self.pieces) if piece.place]
        if not lying_dice:
            return None
        return min(lying_dice, key=lambda die: math.hypot(die[1].x - x, die[1].y - y))[0]

    def advance(self, time_s: float) -> None:
        """Advance the tray's time to `time_s` without a picture; it never goes back."""
        with self._lock:
            self.now_s = max(self.now_s, time_s)
            for piece in self.pieces:
                piece.settle(self.now_s)

    def show(self, time_s: float) -> NDArray[np.uint8]:
        """Advance the tray's time to `time_s` and return the picture, (480, 640, 3) uint8 BGR, read-only."""
        with self._lock:
            self.advance(time_s)
            seen = [(piece, pose) for piece in self.pieces if (pose := piece.pose(self.now_s))]
            moving = [
                (pose, piece.motion_px(self.now_s, self.shutter_s)) for piece, pose in seen if piece.moving(self.now_s)
            ]
            lying = [pose for piece, pose in seen if not piece.moving(self.now_s)]
        return self._picture.draw(lying, moving)

    def truth(self) -> TrayTruth:
        """Return the ground truth of the newest frame."""
        with self._lock:
            camera = self._picture.camera
            truths = (piece.truth(index, self.now_s, camera) for index, piece in enumerate(self.pieces))
            seen = (die for die in truths if die is not None and 0 <= die.x < WIDTH_PX and 0 <= die.y < HEIGHT_PX)
            return TrayTruth(self.now_s, tuple(seen))

    # What happens.

    def throw(
        self,
        dice: int | None = None,
        *,
        which: Sequence[int] = (),
        faces: Sequence[int] = (),
        hand: tuple[float, float] | None = None,
    ) -> float:
        """Pick dice up and throw them; returns when they will lie still.

        dice: how many: the loose ones (surplus ones stay in the hand), and if they do not suffice, those set aside too.
        None: all loose ones, or all dice if none is loose. which: exactly these instead, by index; all others are left
        alone. faces: the result, instead of chance. hand: where in the frame they are thrown from; None: from outside.
        """
        with self._lock:
            chosen = sorted(set(which)) or self._chosen(dice)
            if faces and len(faces) != len(chosen):
                raise errors.InputError(f"expected {len(chosen)} faces for the dice thrown, got {len(faces)}")
            drawn = list(faces) or [self._faces.randint(1, 6) for _ in chosen]
            pieces = [self._piece(index) for index in chosen]
            fly_s = self._take_up(chosen if which else self.thrown_next(dice))
            taken = [piece.place for piece in self.pieces if piece.place]
            places = scatter(self.layout.felt, len(pieces), taken, SIZE_PX, self._motion_chance)
            hand = hand or self._hand()
            times = []
            for _ in pieces:
                start_s = fly_s + self._motion_chance.uniform(0.0, STAGGER_S)
                times.append((start_s, start_s + self._motion_chance.uniform(*self._pace.tumble_s)))
            for at, end in self._ends(pieces, drawn, places):
                motion = tumble_to(end.rest, hand, *times[at], self._motion_chance)
                pieces[at].move(motion, end.rest, end.place)
                self.busy_until_s = max(self.busy_until_s, times[at][1])
            return self.busy_until_s

    def _ends(
        self, pieces: Sequence[Piece], faces: Sequence[int], places: Sequence[Place]
    ) -> Iterator[tuple[int, End]]:
        """Yield which die comes to rest next, by its number among the thrown ones, and how it lies."""
        for at, (piece, face, place) in enumerate(zip(pieces, faces, places, strict=True)):
            yield at, End(place, flat(piece.look, face, place, SIZE_PX))

    def wait(self, seconds: float) -> float:
        """Do nothing for this long after the current actions; returns when that is over."""
        with self._lock:
            self.busy_until_s = self._begin() + seconds
            return self.busy_until_s

    def set_aside(self, which: Sequence[int], *, leave: bool = False) -> float:
        """Keep dice, by index: carry them to the rail, or leave them where they lie; later throws spare them.

        If the rail is full, they are left lying. Dice in the hand and those already aside are ignored.
        """
        with self._lock:
            start_s = self._begin()
            for index in which:
                piece = self._piece(index)
                if piece.aside or piece.place is None:
                    continue
                piece.aside = True
                place = None if leave else on_rail(self.layout.rail, self._others(index), SIZE_PX, self._motion_chance)
                if place is not None:
                    self._carry(index, place, start_s, SIDE_S)
            return self.busy_until_s

    def sort_out(self, faces: Sequence[int], *, leave: bool = False) -> float:
        """Have exactly these faces aside: put other dice back, and keep loose ones, like `set_aside`.

        Nothing moves if they are not all there.
        """
        with self._lock:
            missing = Counter(faces)
            if missing - Counter(self.lying_faces):
                return self.busy_until_s
            back, which = list[int](), list[int]()
            for index, face in self.aside:
                if missing[face]:
                    missing[face] -= 1
                else:
                    back.append(index)
            self.take_back(back)
            for index, piece in enumerate(self.pieces):
                if piece.place and not piece.aside and missing[piece.face]:
                    missing[piece.face] -= 1
                    which.append(index)
            return self.set_aside(which, leave=leave)

    def take_back(self, which: Sequence[int]) -> float:
        """Put dice that were set aside back among the loose ones, on the felt."""
        with self._lock:
            start_s = self._begin()
            for index in which:
                piece = self._piece(index)
                if not piece.aside or piece.place is None:
                    continue
                piece.aside = False
                if self.layout.rail.holds(piece.place.x, piece.place.y):
                    place = scatter(self.layout.felt, 1, self._others(index), SIZE_PX, self._motion_chance)[0]
                    self._carry(index, place, start_s, SIDE_S)
            return self.busy_until_s

    def nudge(self, index: int) -> float:
        """Push a die a little and rotate it; its face stays up. A die in the hand stays there."""
        with self._lock:
            place = self._piece(index).place
            if place is not None:
                narrow = self.layout.rail.holds(place.x, place.y)
                area = self.layout.rail if narrow else self.layout.felt
                place = nudged(area, place, self._others(index), SIZE_PX, self._motion_chance, narrow=narrow)
                self._carry(index, place, self._begin(), NUDGE_S, carry_px=0.0)
            return self.busy_until_s

    def press(self, button: ports.ButtonName, *, long: bool = False) -> float:
        """Press a button, with realistic bouncing; returns when it will be up again."""
        return self.buttons.press(button, long=long)

    # How the verbs are done.

    def carry_off(self, index: int, carried: Callable[[PosedDie], Motion]) -> None:
        """Let a visible hand take the die away. carried: the motion from the die's place to outside the frame."""
        with self._lock:
            piece = self._piece(index)
            if piece.rest is not None:
                motion = carried(piece.rest)
                piece.motions.append(motion)
                piece.lose()
                self.busy_until_s = max(self.busy_until_s, motion.end_s)

    def thrown_next(self, dice: int | None = None) -> list[int]:
        """Return the dice that a hand must pick up for a throw of this many; see `throw`."""
        with self._lock:
            chosen = self._chosen(dice)
            return [*chosen, *(at for at, piece in enumerate(self.pieces) if not piece.aside and at not in chosen)]

    def _begin(self) -> float:
        return max(self.now_s, self.busy_until_s)

    def _piece(self, index: int) -> Piece:
        if not 0 <= index < len(self.pieces):
            raise errors.InputError(f"expected the number of a die, 0 to {len(self.pieces) - 1}, got {index}")
        return self.pieces[index]

    def _chosen(self, dice: int | None) -> list[int]:
        """Return the dice to be thrown: loose ones first, then those set aside."""
        loose = [index for index, piece in enumerate(self.pieces) if not piece.aside]
        if dice is None:
            return loose or list(range(len(self.pieces)))
        self.own(dice)
        aside = [index for index, piece in enumerate(self.pieces) if piece.aside]
        loose = [index for index, piece in enumerate(self.pieces) if not piece.aside]
        return sorted((loose + aside[::-1])[:dice])

    def _take_up(self, dice: Sequence[int]) -> float:
        """Lift these dice; return when they are shaken and fly."""
        start_s = self._begin()
        if any(self.pieces[index].place for index in dice):
            hand = self._hand()
            for index in dice:
                self.pieces[index].lift(hand, start_s, start_s + self._pace.lift_s)
            start_s += self._pace.lift_s
        self.busy_until_s = start_s + self._pace.in_hand_s
        return self.busy_until_s

    def _hand(self) -> tuple[float, float]:
        """Return where a hand waits: outside the frame, at the right."""
        return (WIDTH_PX + 1.6 * SIZE_PX, HEIGHT_PX * self._motion_chance.uniform(0.3, 0.7))

    def _carry(self, index: int, place: Place, start_s: float, takes_s: float, carry_px: float = SIZE_PX) -> None:
        piece = self.pieces[index]
        begin = piece.rest
        if begin is None or piece.place is None:
            return
        rest = flat(piece.look, piece.face, place, SIZE_PX)
        self._slide(piece, End(place, rest), start_s, takes_s, carry_px)

    def _slide(self, piece: Piece, end: End, start_s: float, takes_s: float, carry_px: float = 0.0) -> None:
        if piece.rest is None or piece.place is None:
            return
        # A quarter turn looks the same from above but turns the sides: start from the true angle.
        turn_deg = end.place.angle_deg - piece.place.angle_deg
        piece.move(slide(piece.rest, end.rest, turn_deg, carry_px, start_s, start_s + takes_s), end.rest, end.place)
        self.busy_until_s = max(self.busy_until_s, start_s + takes_s)

    def _others(self, index: int) -> list[Place]:
        return [piece.place for at, piece in enumerate(self.pieces) if piece.place and at != index]


def _stream(chance: Random) -> Random:
    return Random(chance.getrandbits(64))  # noqa: S311 - dice of a game, repeatable by seed; no secrets


def profile_of(tray: Tray) -> values.Profile:
    """Return the profile that a perfect calibration of this tray would give."""
    layout = tray.layout
    felt, scale = layout.felt, 1.0 / layout.px_per_mm
    return values.Profile(
        width_px=layout.width_px,
        height_px=layout.height_px,
        tray_px=_corners(felt),
        tray_mm=((felt.right - felt.left) * scale, (felt.bottom - felt.top) * scale),
        homography=((scale, 0.0, -felt.left * scale), (0.0, scale, -felt.top * scale), (0.0, 0.0, 1.0)),
        px_per_mm=layout.px_per_mm,
        die_mm=SIZE_PX * scale,
        rail_px=_corners(layout.rail),
    )


def _corners(area: Area) -> values.Quad:
    left, top, right, bottom = map(float, (area.left, area.top, area.right, area.bottom))
    return (left, top), (right, top), (right, bottom), (left, bottom)
