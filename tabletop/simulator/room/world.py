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
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from threading import RLock

import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.physics.landing import LeanOn
from tabletop.simulator.physics.motion import Ride
from tabletop.simulator.render.compose import PosedDie
from tabletop.simulator.room.camera_shake import Aim
from tabletop.simulator.room.config import Room
from tabletop.simulator.room.hand import Hand, HandPlace
from tabletop.simulator.room.lighting import RoomLight
from tabletop.simulator.room.lossy_camera import WorldCamera
from tabletop.simulator.room.palm import OpenPalm
from tabletop.simulator.room.sweep import sweep
from tabletop.simulator.room.visits import Step, Visit, visit
from tabletop.simulator.tray.devices import Clock, TrayCamera, Wait
from tabletop.simulator.tray.die import TrueDie
from tabletop.simulator.tray.tray import HEIGHT_PX, SIZE_PX, WIDTH_PX, Pace, Tray

Picture = NDArray[np.uint8]

FPS = 30.0
REACH_S = 0.28  # a hand needs so long from the tray's wall to the dice
LINGER_S = 0.12  # and stays so long to take hold
TAKE_S = 0.08  # from one die to the next while it takes them up
OPENS_S = 0.25  # a throwing hand is in view so long before the dice leave it
PALM_S = 0.7  # and so long where it first holds them open for all to see
CUP_S = 0.4  # to set a cup down
FREE_MASK = 20  # a byte of the hand's mask above which it hides what is under it
ARMS_DEG = (0.0, 0.0, 90.0, 270.0)  # people sit at the right, below and above; at the left is the rail
INSIDE_EDGES = (0.6, 2.4)  # so far inside the frame dice leave the hand
PALM_INSIDE_EDGES = (3.6, 5.0)  # and where they are first shown on it


@dataclass(frozen=True, slots=True)
class WorldTruth:
    """What is so in one frame.

    dice: those in the frame, places as the camera now sees them. still: no die moves and the camera does not swing.
    free: no hand or cup hides a die, and none is held in an open hand. steady: the light does not change either.
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
        """Whether some die lies on no face, or on another die: it must be nudged before it counts."""
        return any(die.leaning or die.stacked for die in self.dice)


class World:
    """A tray, the hands over it, the light and the camera above.

    dice: how many belong to it. chance: draws everything. room: what does not change (`any_room` draws one). clock,
    wait: pass both to have it live. noise, drop: instead of the room's.
    """

    def __init__(
        self,
        dice: int = 5,
        *,
        chance: Random,
        room: Room | None = None,
        pace: Pace | None = None,
        fps: float = FPS,
        clock: Clock | None = None,
        wait: Wait | None = None,
        noise: float | None = None,
        drop: float | None = None,
    ) -> None:
        room = room or Room()
        room = replace(room, noise=room.noise if noise is None else noise, drop=room.drop if drop is None else drop)
        self.room = room
        self._pace = pace or Pace()
        self.tray = Tray(
            dice,
            chance=chance,
            looks=room.looks,
            pace=pace,
            fps=fps,
            clock=clock,
            wait=wait,
            cloth=room.cloth,
            light=room.light,
            shutter_s=room.shutter_s,
            camera_px=room.camera_px,
        )
        self._chance = Random(chance.getrandbits(64))  # noqa: S311 - repeatable on purpose
        self.light = RoomLight(drift=room.drift, pump=room.pump, usual=float(self.tray.show(self.tray.now_s).mean()))
        self._lock = RLock()  # a live camera is read by one thread while another throws
        self._visits: list[Visit] = []
        self._palms: list[OpenPalm] = []
        self._hidden: NDArray[np.uint8] | None = None
        self.aim = Aim()
        self.camera = WorldCamera(
            TrayCamera(self.show, fps=fps, clock=clock, wait=wait, noise=room.noise),
            room.drop,
            room.late,
            Random(chance.getrandbits(64)),  # noqa: S311 - repeatable on purpose
        )

    @property
    def now_s(self) -> float:
        """The time of the newest frame."""
        return self.tray.now_s

    @property
    def busy(self) -> bool:
        """Whether something that was begun is not over."""
        return self.tray.busy or any(one.end_s > self.now_s for one in self._visits)

    # What happens.

    def throw(
        self,
        dice: int | None = None,
        *,
        which: Sequence[int] = (),
        faces: Sequence[int] = (),
        leaning: int = 0,
        stacked: int = 0,
        lost: int = 0,
        cup: bool = False,
        open_palm: bool = False,
        shown_s: float = 0.0,
    ) -> float:
        """Take up the dice that lie there and throw; as `Tray.throw`, with a hand that is seen.

        cup: out of a cup. open_palm: the hand first holds them open, for all to see; shown_s: so long quite still.
        """
        with self._lock:
            chosen = sorted(set(which)) or self.tray.thrown_next(dice)
            self._take_up(chosen)
            if shown_s:
                self.tray.wait(shown_s)
            fly_s = max(self.now_s, self.tray.busy_until_s) + self._pace.in_hand_s
            there = self._thrower(PALM_INSIDE_EDGES if open_palm else INSIDE_EDGES)
            hand = Hand(SIZE_PX, self._chance, cup=cup)
            before_s = min(self._pace.in_hand_s, (PALM_S if open_palm else OPENS_S) * self._hurry) + shown_s
            shown = visit(
                hand,
                fly_s - before_s,
                [(fly_s - 0.5 * (before_s + shown_s), there), (fly_s, there), (fly_s + 0.5 * OPENS_S, there)],
                fly_s + 0.5 * OPENS_S + REACH_S * self._hurry,
            )
            self._visits.append(shown)
            end_s = self.tray.throw(
                dice, which=which, faces=faces, leaning=leaning, stacked=stacked, lost=lost, hand=(there.x, there.y)
            )
            if open_palm and not cup:
                held = [self.tray.pieces[index] for index in chosen]
                self._palms.append(OpenPalm(shown, held, fly_s, self._chance, still=bool(shown_s)))
            return end_s

    def keep(self, which: Sequence[int], *, leave: bool = False) -> float:
        """Carry dice to the rail, or leave them where they lie; later throws spare them."""
        with self._lock:
            for index in which:
                if not leave:
                    self._reach_die(index)
                self.tray.set_aside([index], leave=leave)
            return self.tray.busy_until_s

    def pick_up(self, which: Sequence[int] = ()) -> float:
        """Take dice up into the hand: these, or all that are loose."""
        with self._lock:
            self._take_up(list(which) or [at for at, piece in enumerate(self.tray.pieces) if not piece.aside])
            return self.tray.busy_until_s

    def nudge(self, index: int | None = None) -> float:
        """Push a die, or one drawn by chance; one that leans or lies on another falls onto the face most up."""
        with self._lock:
            index = self._reach_die(index)
            return self.tray.nudge(index)

    def turn(self, index: int, face: int, seconds: float = 0.0) -> float:
        """Turn a die to another face, with the fingers on it for so long beforehand."""
        with self._lock:
            self._reach_die(index, seconds)
            return self.tray.turn(index, face)

    def slide_all(self) -> float:
        """Slide all dice together at one side with the flat of the hand."""
        with self._lock:
            start_s = max(self.now_s, self.tray.busy_until_s)
            self._visits.append(sweep(self.tray.pieces, self.tray.layout.felt, start_s, self._hurry, self._chance))
            return self.tray.wait(self._visits[-1].end_s - start_s)

    def lean(self, index: int | None = None, *, on: LeanOn | None = None) -> float:
        """Have a hand roll a die so that it leans on a wall or on another die; what is not said is drawn by chance."""
        with self._lock:
            index = self._reach_die(index)
            drawn: LeanOn = self._chance.choice(("wall", "die"))
            return self.tray.lean(index, drawn if on is None else on)

    def stack(self, index: int | None = None) -> float:
        """Have a hand lay a die on another one."""
        with self._lock:
            index = self._reach_die(index)
            return self.tray.stack(index)

    def drop_on_floor(self, index: int | None = None) -> float:
        """Have a hand sweep a die over the wall; the next throw that asks for it has it again."""
        with self._lock:
            index = self._reach_die(index)
            return self.tray.knock_off(index)

    def wave_hand(self, seconds: float = 1.5) -> float:
        """Wave over the tray for so long, at the same time as what comes next."""
        with self._lock:
            start_s = max(self.now_s, self.tray.busy_until_s)
            count = max(2, round(seconds / 0.35))
            arm_deg = self._chance.choice(ARMS_DEG)
            steps = [(start_s + seconds * (n + 1) / (count + 1), self._anywhere(arm_deg)) for n in range(count)]
            self._visits.append(visit(Hand(SIZE_PX, self._chance), start_s, steps, start_s + seconds))
            return start_s + seconds

    def rest_hand(self, seconds: float = 1.5) -> float:
        """Lay a hand still over the tray for so long, at the same time as what comes next."""
        with self._lock:
            start_s = max(self.now_s, self.tray.busy_until_s)
            there = replace(self._anywhere(self._chance.choice(ARMS_DEG)), height=1.0)
            end_s = start_s + seconds
            steps = [(start_s + REACH_S, there), (max(end_s - REACH_S, start_s + REACH_S), there)]
            self._visits.append(visit(Hand(SIZE_PX, self._chance), start_s, steps, end_s + REACH_S))
            return end_s + REACH_S

    def set_cup(self, seconds: float = 2.0) -> float:
        """Set a cup down in the tray and take it away after so long, at the same time as what comes next."""
        with self._lock:
            start_s = max(self.now_s, self.tray.busy_until_s)
            there = replace(self._anywhere(self._chance.choice(ARMS_DEG)), height=1.0)
            down_s, up_s = start_s + CUP_S, start_s + CUP_S + seconds
            arm = Hand(SIZE_PX, self._chance)
            cup = Hand(SIZE_PX, self._chance, cup=True, arm=False)
            self._visits.append(visit(cup, start_s, [(down_s, there), (up_s, there)], up_s + CUP_S))
            self._visits.append(visit(arm, start_s, [(down_s, there)], down_s + REACH_S))
            self._visits.append(visit(arm, up_s - REACH_S, [(up_s, there)], up_s + CUP_S))
            return up_s + CUP_S

    def cast_shadow(self, seconds: float = 1.5) -> float:
        """Let somebody lean over: a hand so high that the camera sees its shadow at the rim only."""
        with self._lock:
            start_s = max(self.now_s, self.tray.busy_until_s)
            side = HandPlace(WIDTH_PX + 0.4 * SIZE_PX, HEIGHT_PX * self._chance.uniform(0.2, 0.8), 0.0, 5.0)
            shadow = visit(Hand(SIZE_PX, self._chance), start_s, [(start_s + seconds / 2, side)], start_s + seconds)
            self._visits.append(shadow)
            return start_s + seconds

    def switch_lamp(self) -> None:
        """Switch a lamp off or on, now."""
        self.light.switch(self.now_s)

    def shine(self, speed: float = 0.4) -> None:
        """Let the sun wander across the tray from now on; 0.0 ends it."""
        self.light.shine(speed, self.now_s)

    def bump_camera(self) -> None:
        """Nudge the camera now: its picture swings and stays moved and turned a little."""
        self.aim.bump(self.now_s, self._chance)

    def wait(self, seconds: float) -> float:
        """Let nothing happen for so long."""
        return self.tray.wait(seconds)

    # What is seen, and what is so.

    def show(self, time_s: float) -> Picture:
        """Let time go on to `time_s` and return the picture, (480, 640, 3) uint8 BGR."""
        with self._lock:
            picture = self.tray.show(time_s)
            self._visits = [one for one in self._visits if one.end_s > time_s]
            self._palms = [palm for palm in self._palms if palm.end_s > time_s]
            there = [(one, place) for one in self._visits if (place := one.place(time_s)) is not None]
            self._hidden = None
            if there:
                picture = picture.copy()
                shutter_s = self.room.shutter_s
                masks = [one.hand.draw(picture, place, one.route(time_s, shutter_s)) for one, place in there]
                self._hidden = np.asarray(np.maximum.reduce(masks), np.uint8)
            for palm in self._palms:
                picture = palm.draw(picture, time_s, self.room.light, self.room.shutter_s)
            return self.aim.seen(self.light.lit(picture, time_s), time_s)

    def truth(self) -> WorldTruth:
        """Return what is so in the newest frame."""
        told, time_s = self.tray.truth(), self.now_s
        dice = []
        free = not any(palm.holds(time_s) for palm in self._palms)
        for die in told.dice:
            free = free and not self._hides(die)
            x, y = self.aim.point(die.x, die.y, time_s)
            dice.append(replace(die, x=x, y=y))
        still = not told.moving and self.aim.steady(time_s)
        return WorldTruth(time_s, tuple(dice), still, free, not self.light.changing(time_s))

    def _hides(self, die: TrueDie) -> bool:
        if self._hidden is None:
            return False
        reach = die.size * 0.7
        left, top = max(0, round(die.x - reach)), max(0, round(die.y - reach))
        part = self._hidden[top : round(die.y + reach) + 1, left : round(die.x + reach) + 1]
        return bool(part.size) and int(part.max()) > FREE_MASK

    # How hands do it.

    @property
    def _hurry(self) -> float:
        """How much of the usual time these hands take."""
        return self._pace.lift_s / Pace().lift_s

    def _reach_die(self, index: int | None, seconds: float = 0.0) -> int:
        """Let a hand come to a die, hold it for so long, and leave; return which, drawn by chance if it is not said."""
        lying = [at for at, piece in enumerate(self.tray.pieces) if piece.place]
        if index is None:
            index = self._chance.choice(lying) if lying else 0
        place = self.tray.pieces[index].place
        if place is not None:
            linger_s, reach_s = LINGER_S * self._hurry + seconds, REACH_S * self._hurry
            end_s = self.tray.wait(reach_s + linger_s)
            there = HandPlace(place.x, place.y, self._arm(), 1.0)
            steps = [(end_s - linger_s, there), (end_s, there)]
            self._visits.append(visit(Hand(SIZE_PX, self._chance), end_s - linger_s - reach_s, steps, end_s + reach_s))
        return index

    def _take_up(self, chosen: Sequence[int]) -> None:
        """Let a hand come, sweep over the dice that lie, one after the other, and leave with them."""
        arm_deg = self._arm()
        towards = math.radians(arm_deg)
        lying = [(index, place) for index in chosen if (place := self.tray.pieces[index].place) is not None]
        if not lying:
            return
        # Those farthest from the arm first, so that it goes home with them.
        lying.sort(key=lambda one: one[1].x * math.cos(towards) + one[1].y * math.sin(towards))
        start_s = max(self.now_s, self.tray.busy_until_s)
        first_s, step_s = start_s + REACH_S * self._hurry, TAKE_S * self._hurry
        steps: list[Step] = [
            (first_s + n * step_s, HandPlace(place.x, place.y, arm_deg, 0.8)) for n, (_, place) in enumerate(lying)
        ]
        taken_s = steps[-1][0] + LINGER_S * self._hurry
        steps.append((taken_s, steps[-1][1]))
        sweep = visit(Hand(SIZE_PX, self._chance), start_s, steps, taken_s + REACH_S * self._hurry)
        self._visits.append(sweep)

        def taken_at(from_s: float) -> Callable[[PosedDie], Ride]:
            return lambda begin: Ride(begin, sweep.point, from_s, sweep.end_s)

        for n, (index, _) in enumerate(lying):
            self.tray.carry_off(index, taken_at(steps[n][0]))

    def _thrower(self, inside_edges: tuple[float, float]) -> HandPlace:
        """Return where a hand is that throws: just inside the frame, at one of the sides where people sit."""
        arm_deg, inside = self._chance.choice(ARMS_DEG), self._chance.uniform(*inside_edges) * SIZE_PX
        part = self._chance.uniform(0.3, 0.7)
        x, y = {
            0.0: (WIDTH_PX - inside, HEIGHT_PX * part),
            90.0: (WIDTH_PX * part, HEIGHT_PX - inside),
            270.0: (WIDTH_PX * part, inside),
        }[arm_deg]
        return HandPlace(x, y, arm_deg + self._chance.uniform(-15.0, 15.0), 2.2)

    def _arm(self) -> float:
        return self._chance.choice(ARMS_DEG) + self._chance.uniform(-25.0, 25.0)

    def _anywhere(self, arm_deg: float) -> HandPlace:
        felt = self.tray.layout.felt
        return HandPlace(
            self._chance.uniform(felt.left, felt.right),
            self._chance.uniform(felt.top, felt.bottom),
            arm_deg + self._chance.uniform(-50.0, 50.0),
            self._chance.uniform(1.5, 4.0),
        )
