"""Hands over the simulated tray: they come, act and leave.

A hand with its sleeve and its shadow is drawn once, from round limbs, and then placed over each frame. A visit gives
its place at any time.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator import devices, grounds, physics, scene, tray_picture
from tabletop.simulator.tray import FPS, HEIGHT_PX, SIZE_PX, WIDTH_PX, Pace, Tray

Picture = NDArray[np.uint8]
Mask = NDArray[np.uint8]
Point = NDArray[np.float64]
HALF = 127  # of a mask's byte
SKINS = ((150, 175, 225), (120, 150, 205), (90, 120, 175), (60, 80, 125), (40, 55, 90))  # BGR, from light to dark


def limb(mask: Mask, shade: NDArray[np.float32], start: Point, end: Point, thick: float) -> None:
    """Add a round limb between two points to the mask, with shading: lighter along its middle."""
    layer = np.zeros_like(mask)
    points = tuple(start.round().astype(int).tolist()), tuple(end.round().astype(int).tolist())
    cv2.line(layer, points[0], points[1], (255,), max(2, round(thick)), cv2.LINE_AA)
    away = cv2.distanceTransform((layer > HALF).astype(np.uint8), cv2.DIST_L2, 3) / max(thick / 2, 1)
    shade[:] = np.where(layer > 0, 0.55 + 0.45 * np.sqrt(np.clip(away, 0, 1)), shade)
    mask[:] = np.maximum(mask, layer)


def lay(frame: Picture, mask: Mask, colour: NDArray[np.floating]) -> None:
    """Blend a colour, (H, W, 3) or (3,), over the frame in place, weighted by the mask (H, W)."""
    share = (mask.astype(np.float32) / 255)[:, :, None]
    frame[:] = np.clip(frame * (1 - share) + colour * share, 0, 255).astype(np.uint8)


Limb = tuple[float, float, float, float, float]  # in edges: behind the tips and aside, from and to; thickness

LONG_EDGES, WIDE_EDGES = 16.0, 10.0  # edges of a die: the drawing, from the fingertips up the arm, and across it
TIP_EDGES = 1.0  # from the drawing's end to the fingertips
FINGER_EDGES, SPREAD_EDGES = 1.05, (0.95, 1.35)  # a finger against a die of 16 mm; from one finger to the next
PALM_EDGES, PALM_WIDE = 4.2, 3.8  # from the tips to the palm's middle, and its width
THUMB_EDGES, THUMB_ASIDE = 3.0, 2.9  # from the tips to the thumb's, and how far aside that is
WRIST_EDGES, CUFF_EDGES = 7.0, 9.0  # from the tips to the wrist and to the cuff
ARM_WIDE, SLEEVE_WIDE = 2.6, 3.9
LONG_SLEEVES = 0.7  # share of arms
SKIN_GRAIN = 0.06  # how uneven skin is: hair, knuckles
SHADOW_SOFT_EDGES, SHADOW_EDGES, SHADOW_DARK = 0.8, 1.2, 0.45  # blur, distance at one height, light taken
COARSE = 4  # shadows are drawn this many times smaller: they are soft


@dataclass(frozen=True, slots=True)
class HandPlace:
    """The place of a hand: fingertips in pixels, direction of the arm (degrees clockwise from the right), height.

    height: above the ground in edges of a die; the higher it is, the farther away its shadow falls.
    """

    x: float
    y: float
    arm_deg: float
    height: float = 2.0


class Hand:
    """One hand. die_px: the edge of a die in the frame, for its scale; chance: draws skin, fingers and sleeve."""

    tip_edges = TIP_EDGES

    def __init__(self, die_px: float, chance: Random) -> None:
        rng = np.random.default_rng(chance.getrandbits(32))
        self._die_px = die_px
        wide, long = round(WIDE_EDGES * die_px), round(LONG_EDGES * die_px)
        self._tip = (self.tip_edges * die_px, wide / 2)
        self._colour = np.zeros((wide, long, 3), np.uint8)
        self._mask: Mask = np.zeros((wide, long), np.uint8)
        self._paint(rng)

    def draw(self, frame: Picture, place: HandPlace, motion_px: tuple[float, float] = (0.0, 0.0)) -> Mask:
        """Draw the hand and its shadow over the frame in place; return the mask of the hand, (H, W) uint8.

        motion_px: its movement during the exposure, in pixels, which blurs it.
        """
        height, width = frame.shape[:2]
        turn = self._turn(place)
        mask = np.asarray(cv2.warpAffine(self._mask, turn, (width, height)), np.uint8)
        self._shade(frame, turn, place.height)
        left, top, wide, high = cv2.boundingRect(mask)
        if not wide or not high:
            return mask
        kernel = tray_picture.streak(motion_px)
        more = 0 if kernel is None else kernel.shape[0] // 2 + 1
        part = (slice(max(0, top - more), top + high + more), slice(max(0, left - more), left + wide + more))
        colour = np.asarray(cv2.warpAffine(self._colour, turn, (width, height)), np.uint8)[part]
        if kernel is None:
            lay(frame[part], mask[part], colour.astype(np.float32))
            return mask
        # Outside the mask the colour is black, so colour and mask blur alike and add up at the hand's edge.
        border = cv2.BORDER_REPLICATE  # the arm goes on beyond the frame
        mask[part] = cv2.filter2D(mask[part], -1, kernel, borderType=border)
        colour = np.asarray(cv2.filter2D(colour, -1, kernel, borderType=border), np.uint8)
        clear = 1.0 - mask[part].astype(np.float32)[:, :, None] / 255
        frame[part] = np.clip(frame[part] * clear + colour, 0, 255).astype(np.uint8)
        return mask

    def _shade(self, frame: Picture, turn: NDArray[np.float64], height_edges: float) -> None:
        height, width = frame.shape[:2]
        away = SHADOW_EDGES * height_edges * self._die_px
        moved = (turn + np.array([[0, 0, away * 0.5], [0, 0, away * 0.6]])) / COARSE
        size = -(-width // COARSE), -(-height // COARSE)
        small = np.asarray(cv2.warpAffine(self._mask, moved, size), np.float32)
        if not small.any():
            return
        soft = cv2.GaussianBlur(small, (0, 0), SHADOW_SOFT_EDGES * height_edges * self._die_px / COARSE)
        light = 1.0 - SHADOW_DARK / 255 * cv2.resize(soft, (width, height))
        np.multiply(frame, light[:, :, None], out=frame, casting="unsafe")

    def _turn(self, place: HandPlace) -> NDArray[np.float64]:
        angle = math.radians(place.arm_deg)
        cos, sin = math.cos(angle), math.sin(angle)
        x, y = self._tip
        return np.array([[cos, -sin, place.x - cos * x + sin * y], [sin, cos, place.y - sin * x - cos * y]])

    def _paint(self, rng: np.random.Generator) -> None:
        skin = np.asarray(rng.choice(SKINS), np.float32) * rng.uniform(0.8, 1.1)
        side = float(rng.choice((-1, 1)))  # a left hand or a right one
        spread = float(rng.uniform(*SPREAD_EDGES))
        palm = (PALM_EDGES, 0.0, PALM_EDGES + 1.2, 0.0, PALM_WIDE)
        self._limbs([*_fingers(rng, spread), palm, (WRIST_EDGES - 1.5, 0.0, LONG_EDGES + 2, 0.0, ARM_WIDE)], skin)
        aside = side * (THUMB_ASIDE + rng.uniform(-0.4, 0.8))
        self._limbs([(THUMB_EDGES, aside, PALM_EDGES + 1.0, side * 1.0, FINGER_EDGES * 1.15)], skin)
        if rng.random() < LONG_SLEEVES:
            self._limbs(
                [(CUFF_EDGES, 0.0, LONG_EDGES + 3, 0.0, SLEEVE_WIDE)], np.asarray(grounds.any_colour(rng), np.float32)
            )
        grain = cv2.GaussianBlur(rng.normal(0, 1, self._mask.shape).astype(np.float32), (0, 0), self._die_px * 0.05)
        uneven = 1 + np.asarray(grain, np.float32)[:, :, None] * (SKIN_GRAIN / max(float(np.std(grain)), 1e-6))
        self._colour = np.clip(self._colour * uneven, 0, 255).astype(np.uint8)

    def _limbs(self, limbs: Iterable[Limb], colour: NDArray[np.float32]) -> None:
        """Draw limbs; lengths in edges of a die."""
        mask, shade = np.zeros_like(self._mask), np.zeros(self._mask.shape, np.float32)
        for behind, aside, end_behind, end_aside, thick in limbs:
            tip = np.array([self._tip[0] + (behind + thick / 2) * self._die_px, self._tip[1] + aside * self._die_px])
            end = np.array([self._tip[0] + end_behind * self._die_px, self._tip[1] + end_aside * self._die_px])
            limb(mask, shade, tip, end, thick * self._die_px)
        lay(self._colour, mask, colour * shade[:, :, None])
        self._mask = np.maximum(self._mask, mask)


def _fingers(rng: np.random.Generator, spread: float) -> list[Limb]:
    """Return four fingers, the longest with its tip at the tips, that meet in the palm."""
    behind = (0.7, 0.0, 0.15, 0.9)
    fingers = []
    for at, back in enumerate(behind):
        aside = (at - 1.5) * spread
        fingers.append((back + float(rng.uniform(0, 0.3)), aside, PALM_EDGES, aside * 0.75, FINGER_EDGES))
    return fingers


OUT_PX = 2.2 * SIZE_PX  # where a hand's tips wait, outside the frame
WAITS_HEIGHT = 4.0  # and how high
Step = tuple[float, HandPlace]


@dataclass(frozen=True, slots=True)
class Visit:
    """A hand that comes and goes: at each of `times_s` (increasing) its fingertips are at the corresponding place."""

    hand: Hand
    times_s: tuple[float, ...]
    places: tuple[HandPlace, ...]

    @property
    def end_s(self) -> float:
        """The time at which it is out of view again."""
        return self.times_s[-1]

    def place(self, time_s: float) -> HandPlace | None:
        """Return the hand's place at this time, None before and after the visit."""
        return self.held(time_s) if self.times_s[0] <= time_s < self.times_s[-1] else None

    def held(self, time_s: float) -> HandPlace:
        """Return the hand's place at this time; before and after the visit, its waiting place."""
        at = min(max(bisect_right(self.times_s, time_s), 1), len(self.times_s) - 1)
        before, after = self.places[at - 1], self.places[at]
        part = (time_s - self.times_s[at - 1]) / max(self.times_s[at] - self.times_s[at - 1], 1e-6)
        part = min(max(part, 0.0), 1.0)
        part = part * part * (3 - 2 * part)
        return HandPlace(
            before.x + (after.x - before.x) * part,
            before.y + (after.y - before.y) * part,
            before.arm_deg + (after.arm_deg - before.arm_deg) * part,
            before.height + (after.height - before.height) * part,
        )

    def point(self, time_s: float) -> tuple[float, float]:
        """Return the place of its fingertips at this time, (x, y) in pixels."""
        place = self.held(time_s)
        return place.x, place.y

    def route(self, time_s: float, seconds: float) -> tuple[float, float]:
        """Return its movement during this many seconds, in pixels."""
        now, then = self.held(time_s), self.held(time_s - seconds)
        return now.x - then.x, now.y - then.y


def visit(hand: Hand, start_s: float, steps: Sequence[Step], end_s: float) -> Visit:
    """Return a visit from outside the frame to these places and out again, both times along the arm."""
    first, last = steps[0][1], steps[-1][1]
    return Visit(
        hand,
        (start_s, *(at_s for at_s, _ in steps), end_s),
        (outside(first), *(place for _, place in steps), outside(last)),
    )


def outside(place: HandPlace) -> HandPlace:
    """Return the place outside the frame, back along its arm, from which a hand comes to `place`."""
    angle = math.radians(place.arm_deg)
    back_x, back_y = math.cos(angle), math.sin(angle)
    ways = []
    for at, back, far in ((place.x, back_x, WIDTH_PX), (place.y, back_y, HEIGHT_PX)):
        if abs(back) > 0.3:  # noqa: PLR2004 - else that side is never reached
            ways.append(((far + OUT_PX - at) if back > 0 else (at + OUT_PX)) / abs(back))
    away = max(0.0, min(ways))
    return HandPlace(place.x + away * back_x, place.y + away * back_y, place.arm_deg, WAITS_HEIGHT)


REACH_S = 0.28  # a hand's movement from the tray's wall to the dice
LINGER_S = 0.12  # how long it stays there to take hold
TAKE_S = 0.08  # from one die to the next while it takes them up
OPENS_S = 0.25  # a throwing hand is in view this long before the dice leave it
ARMS_DEG = (0.0, 0.0, 90.0, 270.0)  # people sit at the right, below and above; at the left is the rail
INSIDE_EDGES = (0.6, 2.4)  # how far inside the frame dice leave the hand, from and to
SHUTTER_S = 1 / 60  # what moves blurs for this long


def ride(
    begin: scene.PosedDie, place: Callable[[float], tuple[float, float]], start_s: float, end_s: float
) -> physics.Motion:
    """Return the motion of a die carried by a visible hand, and away at the end. place: the hand's place at a time."""
    from_x, from_y = place(start_s)

    def at(time_s: float, part: float) -> scene.PosedDie:
        to_x, to_y = place(time_s)
        lift_px = begin.size_px * min(0.5, part)
        return replace(begin, x=begin.x + to_x - from_x, y=begin.y + to_y - from_y, lift_px=lift_px)

    return physics.Motion(start_s, end_s, at, leaves=True)


class Hands:
    """All hands over a tray. pace: how fast they are. chance: draws where they come from."""

    def __init__(self, tray: Tray, pace: Pace, chance: Random) -> None:
        self._tray, self._pace, self._chance = tray, pace, chance
        self._visits: list[Visit] = []

    @property
    def busy(self) -> bool:
        """Whether any hand is still there."""
        return any(visit.end_s > self._tray.now_s for visit in self._visits)

    def throw(
        self,
        *,
        inside_edges: tuple[float, float] = INSIDE_EDGES,
        opens_s: float = OPENS_S,
        shown_s: float = 0.0,
        hand: type[Hand] = Hand,
    ) -> tuple[Visit, float]:
        """Let a hand come to throw; return its visit, and when the dice leave it: `in_hand_s` from now.

        inside_edges: how far inside the frame, minimum and maximum, in edges of a die. opens_s: how long the hand is in
        view before. shown_s: how much longer the dice are shown first.
        """
        fly_s = max(self._tray.now_s, self._tray.busy_until_s) + self._pace.in_hand_s
        there = self._thrower(inside_edges)
        before_s = min(self._pace.in_hand_s, opens_s * self._hurry) + shown_s
        shown = visit(
            hand(SIZE_PX, self._chance),
            fly_s - before_s,
            [(fly_s - 0.5 * (before_s + shown_s), there), (fly_s, there), (fly_s + 0.5 * OPENS_S, there)],
            fly_s + 0.5 * OPENS_S + REACH_S * self._hurry,
        )
        self._visits.append(shown)
        return shown, fly_s

    def draw(self, picture: NDArray[np.uint8], time_s: float, shutter_s: float) -> NDArray[np.uint8]:
        """Return the picture with the hands at this time drawn over it, (480, 640, 3) uint8 BGR."""
        self._visits = [visit for visit in self._visits if visit.end_s > time_s]
        return self.lay(picture, self._visits, time_s, shutter_s)[0]

    def lay(
        self, picture: NDArray[np.uint8], visits: Sequence[Visit], time_s: float, shutter_s: float
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint8] | None]:
        """Return the picture with these hands, and the mask of what they hide; None if none is in view."""
        there = [(visit, place) for visit in visits if (place := visit.place(time_s)) is not None]
        if not there:
            return picture, None
        picture = picture.copy()
        masks = [visit.hand.draw(picture, place, visit.route(time_s, shutter_s)) for visit, place in there]
        return picture, np.asarray(np.maximum.reduce(masks), np.uint8)

    @property
    def _hurry(self) -> float:
        """The share of the normal time that these hands take."""
        return self._pace.lift_s / Pace().lift_s

    def reach_die(self, index: int | None, seconds: float = 0.0) -> int:
        """Let a hand come to a die, hold it for this long, and leave; return its index, random if not given."""
        lying = [at for at, piece in enumerate(self._tray.pieces) if piece.place]
        if index is None:
            index = self._chance.choice(lying) if lying else 0
        place = self._tray.pieces[index].place
        if place is not None:
            linger_s, reach_s = LINGER_S * self._hurry + seconds, REACH_S * self._hurry
            end_s = self._tray.wait(reach_s + linger_s)
            there = HandPlace(place.x, place.y, self._arm(), 1.0)
            steps = [(end_s - linger_s, there), (end_s, there)]
            self._visits.append(visit(Hand(SIZE_PX, self._chance), end_s - linger_s - reach_s, steps, end_s + reach_s))
        return index

    def take_up(self, chosen: Sequence[int]) -> None:
        """Let a hand come, pick up the lying dice one after the other, and leave with them."""
        arm_deg = self._arm()
        towards = math.radians(arm_deg)
        lying = [(index, place) for index in chosen if (place := self._tray.pieces[index].place) is not None]
        if not lying:
            return
        # Those farthest from the arm first, so that it goes home with them.
        lying.sort(key=lambda die: die[1].x * math.cos(towards) + die[1].y * math.sin(towards))
        start_s = max(self._tray.now_s, self._tray.busy_until_s)
        first_s, step_s = start_s + REACH_S * self._hurry, TAKE_S * self._hurry
        steps: list[Step] = [
            (first_s + n * step_s, HandPlace(place.x, place.y, arm_deg, 0.8)) for n, (_, place) in enumerate(lying)
        ]
        taken_s = steps[-1][0] + LINGER_S * self._hurry
        steps.append((taken_s, steps[-1][1]))
        sweep = visit(Hand(SIZE_PX, self._chance), start_s, steps, taken_s + REACH_S * self._hurry)
        self._visits.append(sweep)
        for n, (index, _) in enumerate(lying):
            self._tray.carry_off(index, partial(ride, place=sweep.point, start_s=steps[n][0], end_s=sweep.end_s))

    def _thrower(self, inside_edges: tuple[float, float]) -> HandPlace:
        """Return where a throwing hand is: just inside the frame, at one of the sides where people sit."""
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


class TrayWithHands(Tray):
    """A tray whose dice are thrown, set aside and nudged by hands that its camera sees. Parameters: those of `Tray`."""

    shutter_s = SHUTTER_S

    def __init__(
        self,
        dice: int = 5,
        *,
        chance: Random,
        fps: float = FPS,
        clock: devices.Clock | None = None,
        wait: devices.Wait | None = None,
    ) -> None:
        super().__init__(dice, chance=chance, fps=fps, clock=clock, wait=wait)
        self._hands = Hands(self, self._pace, Random(chance.getrandbits(64)))  # noqa: S311 - repeatable on purpose

    @property
    def busy(self) -> bool:
        """Whether something that was begun is still going on in the newest frame."""
        return super().busy or self._hands.busy

    def show(self, time_s: float) -> NDArray[np.uint8]:
        """Advance the tray's time to `time_s` and return the picture, (480, 640, 3) uint8 BGR."""
        with self._lock:
            return self._hands.draw(super().show(time_s), time_s, self.shutter_s)

    def throw(
        self,
        dice: int | None = None,
        *,
        which: Sequence[int] = (),
        faces: Sequence[int] = (),
        hand: tuple[float, float] | None = None,
    ) -> float:
        """Pick dice up and throw them like `Tray.throw`: one hand picks them up, and one throws."""
        with self._lock:
            self._hands.take_up(sorted(set(which)) or self.thrown_next(dice))
            thrower, fly_s = self._hands.throw()
            return super().throw(dice, which=which, faces=faces, hand=hand or thrower.point(fly_s))

    def keep(self, index: int) -> float:
        """Set a die aside like `Tray.set_aside`, with a hand."""
        with self._lock:
            return self.set_aside([self._hands.reach_die(index)])

    def nudge(self, index: int) -> float:
        """Push a die like `Tray.nudge`, with a hand."""
        with self._lock:
            return super().nudge(self._hands.reach_die(index))
