"""A hand with its sleeve and its shadow: drawn once and then laid over every frame at its place."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.render.grounds import any_colour
from tabletop.simulator.render.occluders import SKINS, lay, limb
from tabletop.simulator.tray.renderer import streak

Picture = NDArray[np.uint8]
Mask = NDArray[np.uint8]
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
    """Where a hand is: its fingertips in pixels, where its arm comes from (degrees clockwise from the right), height.

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
        """Lay the hand and its shadow over the frame in place; return the mask of the hand, (H, W) uint8.

        motion_px: how far it moves while the frame is exposed, in pixels; it blurs along this.
        """
        height, width = frame.shape[:2]
        turn = self._turn(place)
        mask = np.asarray(cv2.warpAffine(self._mask, turn, (width, height)), np.uint8)
        self._shade(frame, turn, place.height)
        left, top, wide, high = cv2.boundingRect(mask)
        if not wide or not high:
            return mask
        kernel = streak(motion_px)
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
        small = np.asarray(
            cv2.warpAffine(
                self._mask,
                (turn + np.array([[0, 0, away * 0.5], [0, 0, away * 0.6]])) / COARSE,
                (-(-width // COARSE), -(-height // COARSE)),
            ),
            np.float32,
        )
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
        thumb = (
            THUMB_EDGES,
            side * (THUMB_ASIDE + rng.uniform(-0.4, 0.8)),
            PALM_EDGES + 1.0,
            side * 1.0,
            FINGER_EDGES * 1.15,
        )
        self._limbs([thumb], skin)
        if rng.random() < LONG_SLEEVES:
            self._limbs([(CUFF_EDGES, 0.0, LONG_EDGES + 3, 0.0, SLEEVE_WIDE)], np.asarray(any_colour(rng), np.float32))
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
