"""The dice of the simulated tray: where they are, what is seen and what is true; how its verbs are done. See `tray`."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from threading import RLock

import numpy as np
from numpy.typing import NDArray

from tabletop.core.errors import InputError
from tabletop.simulator.physics.landing import End, flat
from tabletop.simulator.physics.motion import Motion, Slide
from tabletop.simulator.physics.placement import Place
from tabletop.simulator.render.compose import Light, Look, PosedDie, Viewpoint
from tabletop.simulator.tray.devices import Clock, TrayButtons, TrayCamera, Wait
from tabletop.simulator.tray.die import Piece, TrayTruth
from tabletop.simulator.tray.ground import Cloth, layout, paint_ground
from tabletop.simulator.tray.renderer import CAMERA_PX, TrayPicture

WIDTH_PX, HEIGHT_PX = 640, 480
SIZE_PX = 56.0
MOST_DICE = 24  # this many still fit on the felt with a little room between them
FPS = 15.0

IVORY = Look()


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


class TrayDice:
    """Dice, a camera above them and two buttons beside them; `tray.Tray` adds what happens.

    dice: how many belong to it (all are in the hand at first). chance: draws the faces, the flights and the chatter of
    the buttons, each from a stream of its own: the faces do not depend on how dice fly. looks: of the dice in turn.
    clock, wait: pass both to have camera and buttons live; otherwise time is simulated and advances by 1 / fps a frame.
    cloth, light: what the tray is lined with and lit by. shutter_s: what moves blurs for this long. camera_px: how high
    above the felt the camera is; aside_px: how far beyond the middle.
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
        cloth: Cloth | None = None,
        light: Light | None = None,
        shutter_s: float = 0.0,
        camera_px: float = CAMERA_PX,
        aside_px: float = 0.0,
    ) -> None:
        self._faces = _stream(chance)
        self._motion_chance = _stream(chance)
        self._looks = tuple(looks)
        self._pace = pace or Pace()
        self._lock = RLock()  # a live camera is read by one thread while another throws
        self._now_s = clock() if clock else 0.0
        self._busy_s = self._now_s
        self.pieces: list[Piece] = []
        self.layout = layout(WIDTH_PX, HEIGHT_PX, SIZE_PX)
        self._picture = TrayPicture(paint_ground(self.layout, cloth), light, camera_px, aside_px)
        self._shutter_s = shutter_s
        self.camera = TrayCamera(self.show, fps=fps, clock=clock, wait=wait, noise=noise)
        self.buttons = TrayButtons(clock or (lambda: self._now_s), _stream(chance))
        self.own(dice)

    @property
    def viewpoint(self) -> Viewpoint:
        """Where the camera stands, on the tray's ground and above it."""
        return self._picture.camera

    @property
    def now_s(self) -> float:
        """The time of the newest frame."""
        return self._now_s

    @property
    def busy(self) -> bool:
        """Whether something that was begun is still going on in the newest frame."""
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
        """Have at least this many dice; new ones are in the hand. Raises InputError for fewer than 1 or too many."""
        if not 1 <= dice <= MOST_DICE:
            raise InputError(f"expected 1 to {MOST_DICE} dice in the simulated tray, got {dice}")
        with self._lock:
            while len(self.pieces) < dice:
                self.pieces.append(Piece(self._looks[len(self.pieces) % len(self._looks)]))

    # The truth.

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
        """Return the index of a loose die that shows the face, not one of `but`; None if none does."""
        for index, piece in enumerate(self.pieces):
            if piece.place and not piece.aside and piece.face == face and index not in but:
                return index
        return None

    def nearest(self, x: float, y: float) -> int | None:
        """Return the index of the die nearest to a point of the frame, None if all are in the hand."""
        lying_dice = [(index, piece.place) for index, piece in enumerate(self.pieces) if piece.place]
        if not lying_dice:
            return None
        return min(lying_dice, key=lambda die: math.hypot(die[1].x - x, die[1].y - y))[0]

    def advance(self, time_s: float) -> None:
        """Advance the tray's time to `time_s` without a picture; it never goes back."""
        with self._lock:
            self._now_s = max(self._now_s, time_s)
            for piece in self.pieces:
                piece.settle(self._now_s)

    def show(self, time_s: float) -> NDArray[np.uint8]:
        """Advance the tray's time to `time_s` and return the picture, (480, 640, 3) uint8 BGR, read-only."""
        with self._lock:
            self.advance(time_s)
            seen = [(piece, pose) for piece in self.pieces if (pose := piece.pose(self._now_s))]
            moving = [
                (pose, piece.motion_px(self._now_s, self._shutter_s))
                for piece, pose in seen
                if piece.moving(self._now_s)
            ]
            lying = [pose for piece, pose in seen if not piece.moving(self._now_s)]
        return self._picture.draw(lying, moving)

    def truth(self) -> TrayTruth:
        """Return what the newest frame shows."""
        with self._lock:
            camera = self._picture.camera
            truths = (piece.truth(index, self._now_s, camera) for index, piece in enumerate(self.pieces))
            seen = (die for die in truths if die is not None and 0 <= die.x < WIDTH_PX and 0 <= die.y < HEIGHT_PX)
            return TrayTruth(self._now_s, tuple(seen))

    # How the verbs are done.

    def carry_off(self, index: int, ride: Callable[[PosedDie], Motion]) -> None:
        """Have a visible hand take the die away. ride: the motion from where the die lies to outside the frame."""
        with self._lock:
            piece = self._piece(index)
            if piece.rest is not None:
                motion = ride(piece.rest)
                piece.lift_by(motion)
                self._busy_s = max(self._busy_s, motion.end_s)

    def thrown_next(self, dice: int | None = None) -> list[int]:
        """Return the dice that a hand must pick up for a throw of this many; see `throw`."""
        with self._lock:
            chosen = self._chosen(dice)
            return [*chosen, *(at for at, piece in enumerate(self.pieces) if not piece.aside and at not in chosen)]

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
        piece.move(Slide(piece.rest, end.rest, turn_deg, carry_px, start_s, start_s + takes_s), end.rest, end.place)
        self._busy_s = max(self._busy_s, start_s + takes_s)

    def _others(self, index: int) -> list[Place]:
        return [piece.place for at, piece in enumerate(self.pieces) if piece.place and at != index]


def _stream(chance: Random) -> Random:
    return Random(chance.getrandbits(64))  # noqa: S311 - dice of a game, repeatable by seed; no secrets


def places_of(pieces: Sequence[Piece]) -> list[Place]:
    """Return the places of the pieces that are not in the hand."""
    return [piece.place for piece in pieces if piece.place]
