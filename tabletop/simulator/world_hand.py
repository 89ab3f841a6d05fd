"""A hand with its sleeve and its shadow, drawn once and then laid over every frame where it is."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.still_covers import SKINS, lay, limb
from tabletop.simulator.still_stamp import any_colour

Picture = NDArray[np.uint8]
Mask = NDArray[np.uint8]

LONG_EDGES, WIDE_EDGES = 16.0, 8.0  # edges of a die: the drawing, from the fingertips up the arm, and across it
TIP_EDGES = 1.0  # from the drawing's end to the fingertips
FINGER_EDGES, SPREAD_EDGES = 1.05, 1.0  # a finger against a die of 16 mm; from one finger to the next
PALM_EDGES, PALM_WIDE = 3.6, 3.6  # from the tips to the palm, and its width
WRIST_EDGES, CUFF_EDGES = 7.0, 9.0  # from the tips to the wrist and to the cuff
ARM_WIDE, SLEEVE_WIDE = 3.0, 4.2
SHADOW_SOFT_EDGES, SHADOW_EDGES, SHADOW_DARK = 0.8, 1.2, 0.45  # blur, distance at one height, light taken
COARSE = 4  # shadows are drawn so many times smaller: they are soft


@dataclass(frozen=True, slots=True)
class HandPlace:
    """Where a hand is: its fingertips in pixels, whence the arm comes (degrees clockwise from the right), its height.

    height: above the ground in edges of a die; its shadow falls the farther away.
    """

    x: float
    y: float
    arm_deg: float
    height: float = 2.0


class Hand:
    """One hand. die_px: the edge of a die in the frame, for its scale; chance: draws skin, fingers and sleeve."""

    def __init__(self, die_px: float, chance: Random) -> None:
        rng = np.random.default_rng(chance.getrandbits(32))
        self._die_px = die_px
        wide, long = round(WIDE_EDGES * die_px), round(LONG_EDGES * die_px)
        self._tip = (TIP_EDGES * die_px, wide / 2)
        self._colour = np.zeros((wide, long, 3), np.uint8)
        self._mask: Mask = np.zeros((wide, long), np.uint8)
        skin = np.asarray(rng.choice(SKINS), np.float32) * rng.uniform(0.8, 1.1)
        self._limbs(((finger, spread, FINGER_EDGES) for finger, spread in _fingers(rng)), skin)
        self._limbs(((PALM_EDGES, 0.0, PALM_WIDE), (WRIST_EDGES, 0.0, ARM_WIDE)), skin)
        if rng.random() < 0.7:  # noqa: PLR2004 - share of arms with long sleeves
            self._limbs(((CUFF_EDGES, 0.0, SLEEVE_WIDE),), np.asarray(any_colour(rng), np.float32))

    def draw(self, frame: Picture, place: HandPlace) -> Mask:
        """Lay the hand and its shadow over the frame in place; return the mask of the hand, (H, W) uint8."""
        height, width = frame.shape[:2]
        turn = self._turn(place)
        mask = np.asarray(cv2.warpAffine(self._mask, turn, (width, height)), np.uint8)
        away = SHADOW_EDGES * place.height * self._die_px
        small = np.asarray(
            cv2.warpAffine(
                self._mask,
                (turn + np.array([[0, 0, away * 0.5], [0, 0, away * 0.6]])) / COARSE,
                (-(-width // COARSE), -(-height // COARSE)),
            ),
            np.float32,
        )
        soft = cv2.GaussianBlur(small, (0, 0), SHADOW_SOFT_EDGES * place.height * self._die_px / COARSE)
        light = 1.0 - SHADOW_DARK / 255 * cv2.resize(soft, (width, height))
        np.multiply(frame, light[:, :, None], out=frame, casting="unsafe")
        box = cv2.boundingRect(mask)
        part = (slice(box[1], box[1] + box[3]), slice(box[0], box[0] + box[2]))
        if box[2] and box[3]:
            colour = np.asarray(cv2.warpAffine(self._colour, turn, (width, height)), np.float32)
            lay(frame[part], mask[part], colour[part])
        return mask

    def _turn(self, place: HandPlace) -> NDArray[np.float64]:
        angle = math.radians(place.arm_deg)
        cos, sin = math.cos(angle), math.sin(angle)
        x, y = self._tip
        return np.array([[cos, -sin, place.x - cos * x + sin * y], [sin, cos, place.y - sin * x - cos * y]])

    def _limbs(self, limbs: Iterable[tuple[float, float, float]], colour: NDArray[np.float32]) -> None:
        """Draw limbs, each from so many edges behind the fingertips, and aside, as thick as so many edges."""
        mask, shade = np.zeros_like(self._mask), np.zeros(self._mask.shape, np.float32)
        for start, aside, thick in limbs:
            one = np.array([self._tip[0] + (start + thick / 2) * self._die_px, self._tip[1] + aside * self._die_px])
            two = np.array(
                [self._colour.shape[1] + 2 * thick * self._die_px, self._tip[1] + aside * self._die_px * 0.6]
            )
            limb(mask, shade, one, two, thick * self._die_px)
        lay(self._colour, mask, colour * shade[:, :, None])
        self._mask = np.maximum(self._mask, mask)


def _fingers(rng: np.random.Generator) -> list[tuple[float, float]]:
    """Return for four fingers how far each begins behind the tip of the longest, and how far aside."""
    behind = (0.7, 0.0, 0.15, 0.9)
    return [(back + float(rng.uniform(0, 0.3)), (at - 1.5) * SPREAD_EDGES) for at, back in enumerate(behind)]
