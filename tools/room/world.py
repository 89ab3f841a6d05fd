"""The simulated tray in a living room: hands reach in, lamps are switched, sunlight moves, the camera is nudged.

    world = RoomWorld(dice=5, chance=Random(1))
    world.throw()
    world.wave_hand()
    while world.busy:
        frame = world.camera.read()
    world.truth().faces             # what lies there; `still` and `free` say whether a reader could see it

All actions of `MishapTray` happen here with hands. An action begins when those before it are over and returns the time
when it will be over, unless stated otherwise. The same random generator gives the same pictures.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from threading import RLock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.devices import Clock, Wait
from tabletop.simulator.physics import Area
from tabletop.simulator.tray import SIZE_PX, Pace, TrueDie
from tabletop.simulator.tray_picture import TrayPicture
from tools.room.camera_shake import Aim
from tools.room.game_lights import GameLights
from tools.room.hands import RoomHands
from tools.room.landing import LeanOn
from tools.room.lighting import RoomLight
from tools.room.lossy_camera import WorldCamera, noisy, over
from tools.room.room import Room
from tools.room.tray import MishapTray

if TYPE_CHECKING:
    from tabletop.core.ports import Camera

Picture = NDArray[np.uint8]

FPS = 30.0
UNDER_CUP_EDGES = 1.9  # from the middle of a cup to the sides of the square in which dice lie under it


@dataclass(frozen=True, slots=True)
class WorldTruth:
    """The ground truth of one frame.

    dice: those in the frame, at the places where the camera now sees them. still: no die moves and the camera does not
    swing. free: no hand or cup hides a die, and none is held in an open hand. steady: the light does not change either.
    """

    time_s: float
    dice: tuple[TrueDie, ...]
    still: bool
    free: bool
    steady: bool

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces in the frame, sorted; meaningless while a die moves or leans."""
        return tuple(sorted(die.face for die in self.dice))

    @property
    def leaning(self) -> bool:
        """Whether any die lies on no face, or on another die: it must be nudged before it counts."""
        return any(die.leaning or die.stacked for die in self.dice)


class RoomWorld:
    """A tray with the hands over it, the light and the camera above.

    dice: how many there are. chance: the random generator. room: the constants (`any_room` draws one). clock, wait:
    pass both for real time. noise, drop: override the room's. lights: around the same room's tray.
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
        lights: GameLights | None = None,
    ) -> None:
        self.room = room = room or Room()
        tray = MishapTray(
            dice,
            chance=chance,
            looks=room.looks,
            pace=pace,
            fps=fps,
            clock=clock,
            wait=wait,
            picture=lights.picture if lights else TrayPicture(room.ground(), room.light, room.viewpoint()),
        )
        tray.shutter_s = room.shutter_s
        self._lights = lights
        self.tray, self._lock = tray, RLock()  # a live camera is read by one thread while another throws
        self._chance = Random(chance.getrandbits(64))
        self.light = RoomLight(drift=room.drift, pump=room.pump, base_level=float(tray.show(tray.now_s).mean()))
        self.aim = Aim()
        self._hands = RoomHands(tray, pace or Pace(), self._chance, room.light)
        self.camera: Camera = WorldCamera(
            over(tray.camera, noisy(self.show, room.noise if noise is None else noise)),
            room.drop if drop is None else drop,
            room.late,
            Random(chance.getrandbits(64)),
        )

    @property
    def now_s(self) -> float:
        """The time of the newest frame."""
        return self.tray.now_s

    @property
    def busy(self) -> bool:
        """Whether something that was begun is still going on."""
        return self.tray.busy or self._hands.busy

    # What happens.

    def keep(self, which: Sequence[int], *, leave: bool = False) -> float:
        """Carry dice to the rail, or leave them where they lie; later throws spare them."""
        with self._lock:
            for index in which:
                if not leave:
                    self._hands.reach_die(index)
                self.tray.set_aside([index], leave=leave)
            return self.tray.busy_until_s

    def nudge(self, index: int | None = None) -> float:
        """Push a die, random if not given; its face stays up."""
        with self._lock:
            return self.tray.nudge(self._hands.reach_die(index))

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
        """Pick up the lying dice and throw them, like `MishapTray.throw`, with a visible hand.

        cup: out of a cup. open_palm: the hand first shows them on the open palm, held still for shown_s seconds.
        """
        with self._lock:
            chosen = sorted(set(which)) or self.tray.thrown_next(dice)
            self._hands.take_up(chosen)
            if shown_s:
                self.tray.wait(shown_s)
            visit, fly_s = self._hands.come_to_throw(cup=cup, open_palm=open_palm, shown_s=shown_s)
            end_s = self.tray.throw(
                dice, which=which, faces=faces, leaning=leaning, stacked=stacked, lost=lost, hand=visit.point(fly_s)
            )
            if open_palm and not cup:
                held = [self.tray.pieces[index] for index in chosen]
                self._hands.show_palm(visit, held, fly_s, still=bool(shown_s))
            return end_s

    def pick_up(self, which: Sequence[int] = ()) -> float:
        """Take dice into the hand: these, or all loose ones."""
        with self._lock:
            self._hands.take_up(list(which) or [at for at, piece in enumerate(self.tray.pieces) if not piece.aside])
            return self.tray.busy_until_s

    def turn(self, index: int, face: int, seconds: float = 0.0) -> float:
        """Turn a die to another face, with the fingers on it for this long beforehand."""
        with self._lock:
            self._hands.reach_die(index, seconds)
            return self.tray.turn(index, face)

    def slide_all(self) -> float:
        """Slide all dice together to one side with the flat of the hand."""
        with self._lock:
            return self.tray.wait(self._hands.sweep_together())

    def lean(self, index: int | None = None, *, on: LeanOn | None = None) -> float:
        """Let a hand roll a die so that it leans on a wall or on another die; random if not given."""
        with self._lock:
            index = self._hands.reach_die(index)
            drawn: LeanOn = self._chance.choice(("wall", "die"))
            return self.tray.lean(index, drawn if on is None else on)

    def stack(self, index: int | None = None) -> float:
        """Let a hand place a die on another one."""
        with self._lock:
            index = self._hands.reach_die(index)
            return self.tray.stack(index)

    def drop_on_floor(self, index: int | None = None) -> float:
        """Let a hand sweep a die over the wall; the next throw that asks for it brings it back."""
        with self._lock:
            index = self._hands.reach_die(index)
            return self.tray.knock_off(index)

    def wave_hand(self, seconds: float = 1.5) -> float:
        """Wave over the tray for this long, while other actions continue."""
        with self._lock:
            return self._hands.wave(seconds)

    def rest_hand(self, seconds: float = 1.5) -> float:
        """Hold a hand still over the tray for this long, while other actions continue."""
        with self._lock:
            return self._hands.hold_still(seconds)

    def set_cup(self, seconds: float = 2.0) -> float:
        """Set a cup down in the tray and take it away after this long, while other actions continue."""
        with self._lock:
            return self._hands.set_cup(seconds)

    def throw_hidden(self, faces: Sequence[int] = ()) -> float:
        """Throw the loose dice under a cup, which then covers them in the middle of the tray until `lift_cup`.

        faces: the result, instead of chance.
        """
        with self._lock:
            self._hands.take_up(self.tray.thrown_next(None))
            felt = self.tray.layout.felt
            x, y = round((felt.left + felt.right) / 2), round((felt.top + felt.bottom) / 2)
            down_s = self._hands.cover(x, y)
            half = round(UNDER_CUP_EDGES * SIZE_PX)
            return self.tray.lay(Area(x - half, y - half, x + half, y + half), faces, down_s)

    def lift_cup(self) -> float:
        """Lift the cup in the tray; the dice under it stay in place."""
        with self._lock:
            return self.tray.wait(self._hands.uncover() - max(self.now_s, self.tray.busy_until_s))

    def cover(self) -> float:
        """Set a cup over the dice again, in the middle of the tray, where `throw_hidden` left them."""
        with self._lock:
            felt = self.tray.layout.felt
            down_s = self._hands.cover((felt.left + felt.right) / 2, (felt.top + felt.bottom) / 2)
            return self.tray.wait(down_s - max(self.now_s, self.tray.busy_until_s))

    def cast_shadow(self, seconds: float = 1.5) -> float:
        """Let somebody lean over: a hand so high that the camera sees only its shadow at the border."""
        with self._lock:
            return self._hands.lean_over(seconds)

    def switch_lamp(self) -> None:
        """Switch a lamp off or on, now."""
        self.light.switch(self.now_s)

    def shine(self, speed: float = 0.4) -> None:
        """Let sunlight move across the tray from now on; 0.0 ends it."""
        self.light.shine(speed, self.now_s)

    def bump_camera(self) -> None:
        """Nudge the camera now: its picture swings and stays slightly shifted and rotated."""
        self.aim.bump(self.now_s, self._chance)

    def wait(self, seconds: float) -> float:
        """Do nothing for this long."""
        return self.tray.wait(seconds)

    # What is seen, and the truth.

    def show(self, time_s: float) -> Picture:
        """Advance time to `time_s` and return the picture, (480, 640, 3) uint8 BGR."""
        with self._lock:
            picture = self._hands.draw(self.tray.show(time_s), time_s, self.room.shutter_s)
            picture = self._lights.lit(picture, time_s) if self._lights else picture
            return self.aim.seen(self.light.lit(picture, time_s), time_s)

    def truth(self) -> WorldTruth:
        """Return the ground truth of the newest frame."""
        truth, time_s = self.tray.truth(), self.now_s
        dice = []
        free = not self._hands.hold_dice(time_s)
        for die in truth.dice:
            free = free and not self._hands.hide(die)
            x, y = self.aim.point(die.x, die.y, time_s)
            dice.append(replace(die, x=x, y=y))
        still = not truth.moving and self.aim.steady(time_s)
        return WorldTruth(time_s, tuple(dice), still, free, not self.light.changing(time_s))
