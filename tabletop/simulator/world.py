"""The simulated tray in a living room: hands reach in, lamps are switched, the sun wanders, the camera is nudged.

    world = World(dice=5, chance=Random(1))
    world.throw()
    world.wave_hand()
    while world.busy:
        frame = world.camera.read()
    world.truth().faces             # what lies there; `still` and `free` say whether a reader could know

Everything that `tray.Tray` can do happens here with hands. A verb begins when those before it are over and returns the
time when it will be over, unless it says otherwise. The same chance gives the same pictures.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.ports import Frame
from tabletop.simulator.still import Look
from tabletop.simulator.tray import HEIGHT_PX, IVORY, SIZE_PX, WIDTH_PX, Pace, Tray
from tabletop.simulator.tray_devices import Clock, TrayCamera, Wait
from tabletop.simulator.tray_piece import TrueDie
from tabletop.simulator.world_hand import Hand, HandPlace
from tabletop.simulator.world_light import RoomLight

Picture = NDArray[np.uint8]

FPS = 30.0
REACH_S = 0.28  # a hand needs so long from the tray's wall to the dice
LINGER_S = 0.12  # and stays so long to take hold
OUT_PX = 2.2 * SIZE_PX  # where a hand's tips wait, outside the frame
BUMP_PX, BUMP_DEG = (4.0, 16.0), 1.2  # how far a nudged camera's picture moves and turns
SHAKE_S, SHAKE_PX, SHAKE_HZ = 0.35, 5.0, 9.0  # it swings for a while
FREE_MASK = 20  # a byte of the hand's mask above which it hides what is under it


@dataclass(frozen=True, slots=True)
class WorldTruth:
    """What is so in one frame.

    dice: those in the frame, places as the camera now sees them. still: no die moves and the camera does not swing.
    free: no hand hides a die. steady: the light does not change either.
    """

    time_s: float
    dice: tuple[TrueDie, ...]
    still: bool
    free: bool
    steady: bool

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces that lie in the frame, sorted; of no use while a die moves or leans."""
        return tuple(sorted(die.face for die in self.dice))

    @property
    def leaning(self) -> bool:
        """Whether some die lies on no face."""
        return any(die.leaning for die in self.dice)


@dataclass(frozen=True, slots=True)
class _Visit:
    """A hand that comes and goes: at each of `times_s` (rising) its tips are at the place beside it."""

    hand: Hand
    times_s: tuple[float, ...]
    places: tuple[HandPlace, ...]

    def place(self, time_s: float) -> HandPlace | None:
        """Return where it is then, None before and after."""
        if not self.times_s[0] <= time_s < self.times_s[-1]:
            return None
        at = next(n for n, end_s in enumerate(self.times_s) if time_s < end_s)
        one, two = self.places[at - 1], self.places[at]
        part = (time_s - self.times_s[at - 1]) / max(self.times_s[at] - self.times_s[at - 1], 1e-6)
        part = part * part * (3 - 2 * part)
        return HandPlace(
            one.x + (two.x - one.x) * part,
            one.y + (two.y - one.y) * part,
            one.arm_deg + (two.arm_deg - one.arm_deg) * part,
            one.height + (two.height - one.height) * part,
        )


class World:
    """A tray, the hands over it, the light and the camera above.

    dice: how many belong to it. chance: draws everything. clock, wait: pass both to have it live. noise: of the sensor,
    in grey levels. drop: share of frames that never arrive.
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
        noise: float = 1.5,
        drop: float = 0.0,
    ) -> None:
        self.tray = Tray(dice, chance=chance, looks=looks, pace=pace, fps=fps, clock=clock, wait=wait)
        self.light = RoomLight()
        self._chance = Random(chance.getrandbits(64))  # noqa: S311 - repeatable on purpose
        self._visits: list[_Visit] = []
        self._hidden: NDArray[np.uint8] | None = None
        self._bumped_s = -math.inf
        self._aim = (0.0, 0.0, 0.0)
        self._aim_before = (0.0, 0.0, 0.0)
        self.camera = WorldCamera(
            TrayCamera(self.show, fps=fps, clock=clock, wait=wait, noise=noise),
            drop,
            Random(chance.getrandbits(64)),  # noqa: S311 - repeatable on purpose
        )

    @property
    def now_s(self) -> float:
        """The time of the newest frame."""
        return self.tray.now_s

    @property
    def busy(self) -> bool:
        """Whether something that was begun is not over."""
        return self.tray.busy or any(visit.times_s[-1] > self.now_s for visit in self._visits)

    # What happens.

    def throw(
        self,
        dice: int | None = None,
        *,
        which: Sequence[int] = (),
        faces: Sequence[int] = (),
        leaning: int = 0,
        lost: int = 0,
    ) -> float:
        """Reach for the dice that lie there, take them away and throw; as `Tray.throw`, with a hand."""
        lying = [piece.place for piece in self.tray.pieces if piece.place and not piece.aside]
        if lying:
            x, y = sum(place.x for place in lying) / len(lying), sum(place.y for place in lying) / len(lying)
            self._reach(x, y, self.tray.wait(REACH_S + LINGER_S) - REACH_S - LINGER_S)
        return self.tray.throw(dice, which=which, faces=faces, leaning=leaning, lost=lost)

    def keep(self, which: Sequence[int]) -> float:
        """Carry dice to the rail."""
        for index in which:
            self._reach_die(index)
            self.tray.set_aside([index])
        return self.tray.busy_until_s

    def nudge(self, index: int) -> float:
        """Push a die; a leaning one falls onto a face: the one that is most up."""
        self._reach_die(index)
        return self.tray.nudge(index)

    def turn(self, index: int, face: int) -> float:
        """Turn a die to another face."""
        self._reach_die(index)
        return self.tray.turn(index, face)

    def wave_hand(self, seconds: float = 1.5) -> float:
        """Wave over the tray for so long, at the same time as what comes next."""
        start_s = max(self.now_s, self.tray.busy_until_s)
        count = max(2, round(seconds / 0.35))
        steps = [self._anywhere() for _ in range(count)]
        times = [start_s + seconds * (n + 1) / (count + 1) for n in range(count)]
        self._visit(start_s, list(zip(times, steps, strict=True)), start_s + seconds)
        return start_s + seconds

    def cast_shadow(self, seconds: float = 1.5) -> float:
        """Let somebody lean over: a hand so high that the camera sees its shadow at the rim only."""
        start_s = max(self.now_s, self.tray.busy_until_s)
        side = HandPlace(WIDTH_PX + 0.4 * SIZE_PX, HEIGHT_PX * self._chance.uniform(0.2, 0.8), 0.0, 5.0)
        self._visit(start_s, [(start_s + seconds / 2, side)], start_s + seconds)
        return start_s + seconds

    def switch_lamp(self) -> None:
        """Switch a lamp off or on, now."""
        self.light.switch(self.now_s)

    def shine(self, speed: float = 0.4) -> None:
        """Let the sun wander across the tray from now on; 0.0 ends it."""
        self.light.shine(speed, self.now_s)

    def bump_camera(self) -> None:
        """Nudge the camera now: its picture swings and stays moved and turned a little."""
        away, angle = self._chance.uniform(*BUMP_PX), self._chance.uniform(0, 2 * math.pi)
        turn = self._chance.uniform(-BUMP_DEG, BUMP_DEG)
        self._aim_before, self._bumped_s = self._aim, self.now_s
        self._aim = (away * math.cos(angle), away * math.sin(angle), turn)

    def wait(self, seconds: float) -> float:
        """Let nothing happen for so long."""
        return self.tray.wait(seconds)

    # What is seen, and what is so.

    def show(self, time_s: float) -> Picture:
        """Let time go on to `time_s` and return the picture, (480, 640, 3) uint8 BGR."""
        picture = self.tray.show(time_s)
        self._visits = [visit for visit in self._visits if visit.times_s[-1] > time_s]
        places = [(visit.hand, place) for visit in self._visits if (place := visit.place(time_s)) is not None]
        self._hidden = None
        if places:
            picture = picture.copy()
            masks = [hand.draw(picture, place) for hand, place in places]
            self._hidden = np.asarray(np.maximum.reduce(masks), np.uint8)
        picture = self.light.lit(picture, time_s)
        aim = self._aimed(time_s)
        if any(aim):
            picture = np.asarray(
                cv2.warpAffine(picture, self._turned(aim), (WIDTH_PX, HEIGHT_PX), borderMode=cv2.BORDER_REPLICATE),
                np.uint8,
            )
        return picture

    def truth(self) -> WorldTruth:
        """Return what is so in the newest frame."""
        told, time_s = self.tray.truth(), self.now_s
        matrix = self._turned(self._aimed(time_s))
        dice = []
        free = True
        for die in told.dice:
            free = free and not self._hides(die)
            x, y = matrix @ (die.x, die.y, 1.0)
            dice.append(
                TrueDie(
                    die.index, die.face, float(x), float(y), die.size, die.angle, die.aside, die.moving, die.leaning
                )
            )
        still = not told.moving and time_s - self._bumped_s > SHAKE_S
        return WorldTruth(time_s, tuple(dice), still, free, not self.light.changing(time_s))

    def _hides(self, die: TrueDie) -> bool:
        if self._hidden is None:
            return False
        reach = die.size * 0.7
        left, top = max(0, round(die.x - reach)), max(0, round(die.y - reach))
        part = self._hidden[top : round(die.y + reach) + 1, left : round(die.x + reach) + 1]
        return bool(part.size) and int(part.max()) > FREE_MASK

    def _reach_die(self, index: int) -> None:
        place = self.tray.pieces[index].place
        if place is not None:
            self._reach(place.x, place.y, self.tray.wait(REACH_S + LINGER_S) - REACH_S - LINGER_S)

    def _reach(self, x: float, y: float, start_s: float) -> None:
        """Let a hand come to a point from `start_s`, take hold, and leave."""
        arm = self._chance.uniform(-25.0, 25.0)
        there = HandPlace(x, y, arm, 1.0)
        reached_s = start_s + REACH_S
        self._visit(start_s, [(reached_s, there), (reached_s + LINGER_S, there)], reached_s + LINGER_S + REACH_S)

    def _visit(self, start_s: float, steps: Sequence[tuple[float, HandPlace]], end_s: float) -> None:
        first, last = steps[0][1], steps[-1][1]
        self._visits.append(
            _Visit(
                Hand(SIZE_PX, self._chance),
                (start_s, *(at_s for at_s, _ in steps), end_s),
                (_outside(first), *(place for _, place in steps), _outside(last)),
            )
        )

    def _anywhere(self) -> HandPlace:
        felt = self.tray.layout.felt
        return HandPlace(
            self._chance.uniform(felt.left, felt.right),
            self._chance.uniform(felt.top, felt.bottom),
            self._chance.uniform(-50.0, 50.0),
            self._chance.uniform(1.5, 4.0),
        )

    def _aimed(self, time_s: float) -> tuple[float, float, float]:
        """Return how the picture is moved (pixels) and turned (degrees) at that time."""
        since_s = time_s - self._bumped_s
        if since_s > SHAKE_S:
            return self._aim
        part = max(0.0, since_s) / SHAKE_S
        swing = SHAKE_PX * (1 - part) * math.sin(2 * math.pi * SHAKE_HZ * since_s)
        x, y, turn = (a + (b - a) * min(1.0, 3 * part) for a, b in zip(self._aim_before, self._aim, strict=True))
        return x + swing, y - 0.6 * swing, turn

    @staticmethod
    def _turned(aim: tuple[float, float, float]) -> NDArray[np.float64]:
        matrix = np.asarray(cv2.getRotationMatrix2D((WIDTH_PX / 2, HEIGHT_PX / 2), aim[2], 1.0), np.float64)
        matrix[:, 2] += aim[:2]
        return matrix


class WorldCamera:
    """The tray's camera, of whose frames some never arrive. drop: their share; chance: draws which."""

    def __init__(self, camera: TrayCamera, drop: float, chance: Random) -> None:
        self.live = camera.live
        self._camera, self._drop, self._chance = camera, drop, chance

    def read(self) -> Frame | None:
        """Return the next frame that arrives, None once closed."""
        while (frame := self._camera.read()) is not None and self._chance.random() < self._drop:
            pass
        return frame

    def close(self) -> None:
        """End the frames."""
        self._camera.close()


def _outside(place: HandPlace) -> HandPlace:
    """Return where a hand waits before it reaches that place: back along its arm, outside the frame."""
    angle = math.radians(place.arm_deg)
    away = (WIDTH_PX + OUT_PX - place.x) / max(math.cos(angle), 0.3)
    return HandPlace(place.x + away * math.cos(angle), place.y + away * math.sin(angle), place.arm_deg, 4.0)
