"""A simulated dice tray: real enough for the reader, fair, and it knows the truth of every frame.

The recipe:

    tray = Tray(dice=5, chance=Random(1))
    tray.throw()
    while tray.busy:
        frame = tray.camera.read()
    tray.truth().faces              # what the reader should say of that frame

Its verbs are things that happen in the world. Each begins when those before it are over and returns the time when it
will be; the tray's time goes on with the frames of its camera.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from threading import RLock

import numpy as np
from numpy.typing import NDArray

from tabletop.errors import InputError
from tabletop.ports import ButtonName
from tabletop.simulator.motion import Slide, tumble_to
from tabletop.simulator.still import Look, PosedDie, as_rotation, lying, turn_about
from tabletop.simulator.tray_devices import Clock, TrayButtons, TrayCamera, Wait
from tabletop.simulator.tray_ground import layout, paint_ground
from tabletop.simulator.tray_picture import TrayPicture
from tabletop.simulator.tray_piece import Piece, Truth
from tabletop.simulator.tray_places import Place, at_wall, nudged, on_rail, scatter

WIDTH_PX, HEIGHT_PX = 640, 480
SIZE_PX = 56.0
MOST_DICE = 24  # so many still fit on the felt with a little room between them
FPS = 15.0

SIDE_S = 0.4  # to carry a die to the rail
NUDGE_S = 0.2
FLOOR_PX = 2 * SIZE_PX  # a die on the floor has left the frame by so much
STAGGER_S = 0.12  # dice leave the hand within this time

IVORY = Look()


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast the hands at the tray are, in seconds.

    lift_s: to pick the dice up. in_hand_s: to shake them; the dice set aside are alone in the tray for so long.
    tumble_s: shortest and longest time from the hand to rest.
    """

    lift_s: float = 0.3
    in_hand_s: float = 0.6
    tumble_s: tuple[float, float] = (0.8, 1.2)


BRISK = Pace(lift_s=0.1, in_hand_s=0.5, tumble_s=(0.4, 0.5))  # for matches in simulated time, paid for by the frame


class Tray:
    """A tray with dice, a camera above it and two buttons beside it.

    dice: how many belong to it (all are in the hand at first). chance: draws the faces, the flights and the chatter of
    the buttons, each from a stream of its own: the faces do not depend on how dice fly. looks: of the dice in turn.
    clock, wait: pass both to have camera and buttons live; else time is simulated and goes on by 1 / fps a frame.
    """

    def __init__(
        self,
        dice: int = 5,
        *,
        chance: Random,
        looks: Sequence[Look] = (IVORY,),
        pace: Pace | None = None,
        fps: float = FPS,
        clock: Clock | None = None,
        wait: Wait | None = None,
        noise: float = 0.0,
    ) -> None:
        self._faces = _stream(chance)
        self._ways = _stream(chance)
        self._looks = tuple(looks)
        self._pace = pace or Pace()
        self._lock = RLock()  # a live camera is read by one thread while another throws
        self._now_s = clock() if clock else 0.0
        self._busy_s = self._now_s
        self.pieces: list[Piece] = []
        self.layout = layout(WIDTH_PX, HEIGHT_PX, SIZE_PX)
        self._picture = TrayPicture(paint_ground(self.layout))
        self.camera = TrayCamera(self.show, fps=fps, clock=clock, wait=wait, noise=noise)
        self.buttons = TrayButtons(clock or (lambda: self._now_s), _stream(chance))
        self.own(dice)

    @property
    def now_s(self) -> float:
        """The time of the newest frame."""
        return self._now_s

    @property
    def busy(self) -> bool:
        """Whether something that was begun is not over in the newest frame."""
        return self._now_s < self._busy_s

    @property
    def busy_until_s(self) -> float:
        """When everything begun so far will be over."""
        return self._busy_s

    @property
    def count(self) -> int:
        """How many dice belong to the tray."""
        return len(self.pieces)

    def own(self, dice: int) -> None:
        """Have at least so many dice; new ones are in the hand. Raises InputError for fewer than 1 or too many."""
        if not 1 <= dice <= MOST_DICE:
            raise InputError(f"expected 1 to {MOST_DICE} dice in the simulated tray, got {dice}")
        with self._lock:
            while len(self.pieces) < dice:
                self.pieces.append(Piece(self._looks[len(self.pieces) % len(self._looks)]))

    # The world's verbs.

    def throw(
        self,
        dice: int | None = None,
        *,
        which: Sequence[int] = (),
        faces: Sequence[int] = (),
        leaning: int = 0,
        lost: int = 0,
    ) -> float:
        """Pick dice up and throw them; returns when they will lie.

        dice: how many: the loose ones (those that are not needed are taken into the hand), and where they do not
        suffice those set aside too. Without it all loose ones, or all where none is loose. which:
        exactly these instead, by index; all others are left alone. faces: what they shall show, instead of chance.
        leaning: so many of them, the first ones, come to lean on a wall. lost: so many, the last ones, roll over the
        wall and fall on the floor: they are in nobody's hand until the next throw asks for them.
        """
        with self._lock:
            chosen = sorted(set(which)) or self._chosen(dice)
            if faces and len(faces) != len(chosen):
                raise InputError(f"expected {len(chosen)} faces for the dice thrown, got {len(faces)}")
            drawn = list(faces) or [self._faces.randint(1, 6) for _ in chosen]
            pieces = [self._piece(index) for index in chosen]
            if not which:
                spare = (index for index, piece in enumerate(self.pieces) if not piece.aside and index not in chosen)
                chosen = [*chosen, *spare]
            fly_s = self._take_up(chosen)
            taken = [piece.place for piece in self.pieces if piece.place]
            places = scatter(self.layout.felt, len(pieces), taken, SIZE_PX, self._ways)
            hand = self._hand()
            for at, (piece, face, place) in enumerate(zip(pieces, drawn, places, strict=True)):
                start_s = fly_s + self._ways.uniform(0.0, STAGGER_S)
                end_s = start_s + self._ways.uniform(*self._pace.tumble_s)
                rest = _posed(piece.look, face, place)
                if at < leaning:
                    place, tilt_deg = at_wall(self.layout.felt, [*taken, *places[at + 1 :]], SIZE_PX, self._ways)  # noqa: PLW2901 - it slides on to the wall
                    rest = _tilted(_posed(piece.look, face, place), tilt_deg)
                    taken.append(place)
                elif at >= len(pieces) - lost:
                    rest = replace(rest, y=-FLOOR_PX if rest.y < HEIGHT_PX / 2 else HEIGHT_PX + FLOOR_PX)
                piece.move(tumble_to(rest, hand, start_s, end_s, self._ways), rest, place)
                if at >= len(pieces) - lost:
                    piece.lose()
                self._busy_s = max(self._busy_s, end_s)
            return self._busy_s

    def turn(self, index: int, face: int) -> float:
        """Turn a lying die by hand so that another face is up; a die in the hand stays there."""
        with self._lock:
            piece = self._piece(index)
            if piece.place is None:
                return self._busy_s
            start_s = self._begin()
            rest = _posed(piece.look, face, piece.place)
            piece.move(
                tumble_to(rest, (piece.place.x, piece.place.y), start_s, start_s + NUDGE_S, self._ways),
                rest,
                piece.place,
            )
            self._busy_s = start_s + NUDGE_S
            return self._busy_s

    def wait(self, seconds: float) -> float:
        """Let nothing happen for so long after what was begun; returns when that is over."""
        with self._lock:
            self._busy_s = self._begin() + seconds
            return self._busy_s

    def set_aside(self, which: Sequence[int], *, leave: bool = False) -> float:
        """Keep dice, by index: carry them to the rail, or leave them where they lie; later throws spare them.

        Where the rail is full they are left lying. Dice in the hand and those already aside are passed over.
        """
        with self._lock:
            start_s = self._begin()
            for index in which:
                piece = self._piece(index)
                if piece.aside or piece.place is None:
                    continue
                piece.aside = True
                place = None if leave else on_rail(self.layout.rail, self._others(index), SIZE_PX, self._ways)
                if place is not None:
                    self._carry(index, place, start_s, SIDE_S)
            return self._busy_s

    def set_aside_faces(self, faces: Sequence[int], *, leave: bool = False) -> float:
        """Keep loose dice that show these faces. Raises InputError where they do not lie there; nothing moves then."""
        with self._lock:
            which: list[int] = []
            for face in faces:
                index = self.loose_with(face, but=which)
                if index is None:
                    raise InputError(f"expected a loose die that shows {face}, got {list(self.loose_faces)}")
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
                    place = scatter(self.layout.felt, 1, self._others(index), SIZE_PX, self._ways)[0]
                    self._carry(index, place, start_s, SIDE_S)
            return self._busy_s

    def nudge(self, index: int) -> float:
        """Push a die a little and turn it; its face stays up. A die in the hand stays there."""
        with self._lock:
            piece = self._piece(index)
            if piece.place is None:
                return self._busy_s
            narrow = self.layout.rail.holds(piece.place.x, piece.place.y)
            area = self.layout.rail if narrow else self.layout.felt
            place = nudged(area, piece.place, self._others(index), SIZE_PX, self._ways, narrow=narrow)
            self._carry(index, place, self._begin(), NUDGE_S, carry_px=0.0)
            return self._busy_s

    def pick_up(self, which: Sequence[int] = ()) -> float:
        """Take dice out of the tray into the hand: these, or all that are loose."""
        with self._lock:
            chosen = list(which) or [index for index, piece in enumerate(self.pieces) if not piece.aside]
            hand = self._hand()
            start_s = self._begin()
            for index in chosen:
                self._piece(index).lift(hand, start_s, start_s + self._pace.lift_s)
                self._busy_s = start_s + self._pace.lift_s
            return self._busy_s

    def press(self, button: ButtonName, *, long: bool = False) -> float:
        """Press a button, with all the chatter of its contact; returns when it will be up again."""
        return self.buttons.press(button, long=long)

    # What is so.

    @property
    def lying_faces(self) -> tuple[int, ...]:
        """What all dice in the frame will show when all is at rest, sorted."""
        return tuple(sorted(piece.face for piece in self.pieces if piece.place))

    @property
    def loose_faces(self) -> tuple[int, ...]:
        """What the dice not set aside will show when all is at rest, sorted."""
        return tuple(sorted(piece.face for piece in self.pieces if piece.place and not piece.aside))

    @property
    def aside_faces(self) -> tuple[int, ...]:
        """The faces set aside, sorted."""
        return tuple(sorted(piece.face for piece in self.pieces if piece.place and piece.aside))

    @property
    def aside(self) -> tuple[tuple[int, int], ...]:
        """The index and the face of each die set aside."""
        return tuple((at, piece.face) for at, piece in enumerate(self.pieces) if piece.place and piece.aside)

    def loose_with(self, face: int, *, but: Sequence[int] = ()) -> int | None:
        """Return the index of a loose die that shows the face, not one of `but`; None where none does."""
        for index, piece in enumerate(self.pieces):
            if piece.place and not piece.aside and piece.face == face and index not in but:
                return index
        return None

    def nearest(self, x: float, y: float) -> int | None:
        """Return the index of the die nearest to a point of the frame, None where all are in the hand."""
        lying_dice = [(index, piece.place) for index, piece in enumerate(self.pieces) if piece.place]
        if not lying_dice:
            return None
        return min(lying_dice, key=lambda one: math.hypot(one[1].x - x, one[1].y - y))[0]

    def advance(self, time_s: float) -> None:
        """Let the tray's time go on to `time_s` without a picture; it never goes back."""
        with self._lock:
            self._now_s = max(self._now_s, time_s)
            for piece in self.pieces:
                piece.settle(self._now_s)

    def show(self, time_s: float) -> NDArray[np.uint8]:
        """Let the tray's time go on to `time_s` and return the picture, (480, 640, 3) uint8 BGR, read-only."""
        with self._lock:
            self.advance(time_s)
            seen = [(piece.moving(self._now_s), pose) for piece in self.pieces if (pose := piece.pose(self._now_s))]
        return self._picture.draw(
            [pose for moving, pose in seen if not moving], [pose for moving, pose in seen if moving]
        )

    def truth(self) -> Truth:
        """Return what the newest frame shows."""
        with self._lock:
            camera = self._picture.camera
            told = (piece.truth(index, self._now_s, camera) for index, piece in enumerate(self.pieces))
            seen = (die for die in told if die is not None and 0 <= die.x < WIDTH_PX and 0 <= die.y < HEIGHT_PX)
            return Truth(self._now_s, tuple(seen))

    # How the verbs are done.

    def _begin(self) -> float:
        return max(self._now_s, self._busy_s)

    def _piece(self, index: int) -> Piece:
        if not 0 <= index < len(self.pieces):
            raise InputError(f"expected the number of a die, 0 to {len(self.pieces) - 1}, got {index}")
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
        self._busy_s = start_s + self._pace.in_hand_s
        return self._busy_s

    def _hand(self) -> tuple[float, float]:
        """Return where a hand waits: outside the frame, at the right."""
        return (WIDTH_PX + 1.6 * SIZE_PX, HEIGHT_PX * self._ways.uniform(0.3, 0.7))

    def _carry(self, index: int, place: Place, start_s: float, takes_s: float, carry_px: float = SIZE_PX) -> None:
        piece = self.pieces[index]
        begin = piece.rest
        if begin is None or piece.place is None:
            return
        rest = _posed(piece.look, piece.face, place)
        # A quarter turn looks the same from above but lays the sides otherwise: go on from the true one.
        turn_deg = place.angle_deg - piece.place.angle_deg
        piece.move(Slide(begin, rest, turn_deg, carry_px, start_s, start_s + takes_s), rest, place)
        self._busy_s = max(self._busy_s, start_s + takes_s)

    def _others(self, index: int) -> list[Place]:
        return [piece.place for at, piece in enumerate(self.pieces) if piece.place and at != index]


def _stream(chance: Random) -> Random:
    return Random(chance.getrandbits(64))  # noqa: S311 - dice of a game, repeatable by seed; no secrets


def _tilted(die: PosedDie, tilt_deg: float) -> PosedDie:
    """Return the die raised on its lower or upper side, as against a wall above or below it."""
    rotation = turn_about((1.0, 0.0, 0.0), tilt_deg) @ np.asarray(die.rotation, np.float32)
    return replace(die, rotation=as_rotation(rotation))


def _posed(look: Look, face: int, place: Place) -> PosedDie:
    return PosedDie(place.x, place.y, SIZE_PX, lying(face, place.angle_deg, look), look)
