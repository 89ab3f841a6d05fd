"""One die of the simulated tray through time, and the truth about it."""

import math
from dataclasses import dataclass

from tabletop.simulator.physics.motion import Lift, Motion
from tabletop.simulator.physics.placement import Place
from tabletop.simulator.render.compose import Look, PosedDie, Viewpoint, face_up, lean_deg, top_centre

FLAT_DEG = 1.0  # a die tilted by less lies flat


@dataclass(frozen=True, slots=True)
class TrueDie:
    """One die as it truly is in a frame.

    index: which of the tray's dice. x, y: the centre of its top face in the frame, in pixels; size: its edge; angle:
    degrees clockwise, 0 to 90. aside: whether it was set aside. moving: then face and angle are momentary.
    leaning: it lies on no face, and `face` is the uppermost one. stacked: it lies on another die.
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
    """What is in the tray in one frame; dice in a hand are not in it."""

    time_s: float
    dice: tuple[TrueDie, ...]

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces that lie in the frame, sorted; meaningless while `moving`."""
        return tuple(sorted(die.face for die in self.dice))

    @property
    def moving(self) -> bool:
        """Whether some die moves."""
        return any(die.moving for die in self.dice)


class Piece:
    """One die: how it is made, where it will lie once its motions are over, and the motions still to come.

    place: None while it is (or will be) in the hand. face: the one that is up once all is over.
    """

    def __init__(self, look: Look) -> None:
        self.look = look
        self.face = 1
        self.place: Place | None = None
        self.aside = False
        self._lying: PosedDie | None = None
        self._rest: PosedDie | None = None
        self._motions: list[Motion] = []

    @property
    def rest(self) -> PosedDie | None:
        """How it lies once all its motions are over; None in the hand."""
        return self._rest

    @property
    def leans(self) -> bool:
        """Whether it will lie on no face once its motions are over."""
        return self._rest is not None and lean_deg(self._rest) > FLAT_DEG

    @property
    def stands(self) -> bool:
        """Whether it will lie on another die once its motions are over."""
        return self._rest is not None and self._rest.lift_px > 0

    @property
    def leaves_hand_s(self) -> float:
        """When its last motion to come begins."""
        return self._motions[-1].start_s if self._motions else float("-inf")

    def stands_on(self, place: Place, size_px: float) -> bool:
        """Return whether it will lie on the die at that place."""
        on = self.place
        return self.stands and on is not None and max(abs(on.x - place.x), abs(on.y - place.y)) < size_px / 2

    def motion_px(self, time_s: float, seconds: float) -> tuple[float, float]:
        """Return how far it has come within this many seconds before a time not before the last `settle`, in pixels."""
        if not self.moving(time_s) or seconds <= 0:
            return 0.0, 0.0
        now, then = self._motions[0].pose(time_s), self._motions[0].pose(time_s - seconds)
        return now.x - then.x, now.y - then.y

    def move(self, motion: Motion, rest: PosedDie, place: Place) -> None:
        """Add a motion after those to come; it ends in `rest`, at `place`."""
        self._motions.append(motion)
        self._rest, self.place, self.face = rest, place, face_up(rest)

    def lift(self, hand: tuple[float, float], start_s: float, end_s: float) -> None:
        """Take the die into the hand; it is then no longer aside. In the hand already, nothing happens."""
        if self._rest is not None:
            self.lift_by(Lift(self._rest, *hand, start_s, end_s))
        self.aside = False

    def lift_by(self, motion: Motion) -> None:
        """Take the die into the hand by this motion, which leads out of the frame; it is then no longer aside."""
        self._motions.append(motion)
        self.lose()

    def lose(self) -> None:
        """Leave the tray once its motions are over: the die is then on the floor, where a hand picks it up."""
        self.aside = False
        self._rest = self.place = None

    def settle(self, time_s: float) -> None:
        """Forget the motions that are over."""
        while self._motions and self._motions[0].end_s <= time_s:
            over = self._motions.pop(0)
            self._lying = None if over.leaves else over.pose(over.end_s)

    def moving(self, time_s: float) -> bool:
        """Return whether it moves at a time not before the last `settle`."""
        return bool(self._motions) and self._motions[0].start_s < time_s

    def pose(self, time_s: float) -> PosedDie | None:
        """Return how it lies or flies at a time not before the last `settle`; None in the hand."""
        return self._motions[0].pose(time_s) if self.moving(time_s) else self._lying

    def truth(self, index: int, time_s: float, camera: Viewpoint) -> TrueDie | None:
        """Return the truth at that time, None in the hand."""
        pose = self.pose(time_s)
        if pose is None:
            return None
        x, y = top_centre(pose, camera)
        leans = lean_deg(pose) > FLAT_DEG
        moves = self.moving(time_s)
        stands = pose.lift_px > 0 and not moves
        return TrueDie(index, face_up(pose), x, y, pose.size_px, turn_deg(pose), self.aside, moves, leans, stands)


def turn_deg(die: PosedDie) -> float:
    """Return how far a die that lies flat is turned, degrees clockwise, 0 to 90."""
    level = min(range(3), key=lambda axis: abs(die.rotation[2][axis]))
    return math.degrees(math.atan2(die.rotation[1][level], die.rotation[0][level])) % 90.0
