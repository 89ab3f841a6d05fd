"""Which of what covers the ground is a hand, and which only a shadow: by colour, size, and where it leads.

An arm leads out of the picture and shows colours that no shadow has. A shadow takes light and adds none, in no channel,
whatever its lamps' colours are; it is no longer than a die's, unless something large is out of view.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Levels = NDArray[np.float32]
Mask = NDArray[np.bool_]

LIGHTER = 1.08  # (now / ground) in any channel: no shadow; light that a die's side throws on the ground adds less
WARM = 1.2  # (now / ground) of red against that of blue: skin on white; a shadow in the sun takes more of the red
ARM_EDGES2 = 4.0  # squared edges of a die: four fingertips
ARM_WIDE_EDGES = 1.0  # as wide as a finger where it leaves the picture
ARM_LIGHTER = 0.2  # share of it that is lighter than the ground in some channel: skin on anything but white
HAND_EDGES2 = 8.0  # half of a hand: its arm may have the colour of a tray's rim
DARK_ARM_EDGES2, SHADOW_EDGES2 = 8.0, 3.0  # the shadow of a die under a lamp at 20 degrees; several may run together
FINGER_EDGES = 0.6  # what is thinner is left out where colours tell nothing; a finger is as wide as a die
THIN_PX = 3  # gaps of a pixel are closed, and what is thinner than this, such as a rim that shook, is no finger
NEIGHBOURS = 8  # of a pixel


@dataclass(frozen=True, slots=True)
class Cover:
    """What covers the ground. hand: a hand and its shadow; lit: what of that is no shadow; doubtful: may be a hand.

    All are (h, w) bool.
    """

    hand: Mask
    lit: Mask
    doubtful: Mask


def hands_in(covered: Mask, times: Levels, there: Mask, edge_px: float, dice: int) -> Cover:
    """Return what of the ground's cover is a hand and what may be one; the rest are shadows.

    covered: where something is over the ground that is no die, (h, w); times: how many times as bright as the ground it
    is, (3, h, w); there: what the camera sees, (h, w). edge_px: the edge of a die in these pixels. dice: how many
    are seen, whose shadows may be among it.
    """
    lighter = covered & (np.asarray(times.max(axis=0)) > LIGHTER)
    square = np.ones((THIN_PX, THIN_PX), np.uint8)
    whole = np.asarray(cv2.morphologyEx(covered.astype(np.uint8), cv2.MORPH_CLOSE, square), np.uint8)
    thick = cv2.morphologyEx(whole, cv2.MORPH_OPEN, square)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(thick, connectivity=NEIGHBOURS)
    area = stats[:, cv2.CC_STAT_AREA] / edge_px**2
    wide = np.bincount(labels[_border(there)], minlength=count) / edge_px
    light = np.bincount(labels[lighter], minlength=count) / np.maximum(stats[:, cv2.CC_STAT_AREA], 1)
    skin = covered & (times[2] > WARM * times[0])
    warm = np.bincount(labels[lighter | skin], minlength=count) / np.maximum(stats[:, cv2.CC_STAT_AREA], 1)
    leads_out = wide >= ARM_WIDE_EDGES
    hand = (leads_out & (area >= ARM_EDGES2) | (area >= HAND_EDGES2)) & (light >= ARM_LIGHTER)
    dark = leads_out & (area >= max(DARK_ARM_EDGES2, SHADOW_EDGES2 * dice))
    hand |= dark & (warm >= ARM_LIGHTER)
    hand[0] = dark[0] = False  # what is not covered
    is_hand = covered & _whole(whole, np.asarray(hand[labels]))
    is_dark = covered & np.asarray(dark[labels])
    return Cover(is_hand, is_hand & (lighter | skin), ~is_hand & (lighter & (thick > 0) | is_dark))


def reaching_in(altered: Mask, there: Mask, edge_px: float) -> Mask:
    """Return what large reaches into the picture: a hand, also in the ground's own colour, or its shadow; (h, w).

    altered: where the picture is a little brighter or darker than the ground, beside dice. there, edge_px: as above.
    """
    side = max(THIN_PX, round(FINGER_EDGES * edge_px))
    thick = cv2.morphologyEx(altered.astype(np.uint8), cv2.MORPH_OPEN, np.ones((side, side), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(thick, connectivity=NEIGHBOURS)
    large = stats[:, cv2.CC_STAT_AREA] >= HAND_EDGES2 * edge_px**2
    large &= np.bincount(labels[_border(there)], minlength=count) >= ARM_WIDE_EDGES * edge_px
    large[0] = False
    return np.asarray(large[labels], np.bool_)


def _whole(pieces: NDArray[np.uint8], seeds: Mask) -> Mask:
    """Return the connected pieces that hold a seed: a hand with its thin edges."""
    count, labels = cv2.connectedComponents(pieces, connectivity=NEIGHBOURS)
    chosen = np.zeros(count, np.bool_)
    chosen[np.unique(labels[seeds])] = True
    chosen[0] = False
    return np.asarray(chosen[labels], np.bool_)


def _border(there: Mask) -> Mask:
    """Return the outermost pixels of what the camera sees."""
    inner = cv2.erode(np.pad(there, 1).astype(np.uint8), np.ones((3, 3), np.uint8))[1:-1, 1:-1]
    return np.asarray(there & (inner == 0), np.bool_)
