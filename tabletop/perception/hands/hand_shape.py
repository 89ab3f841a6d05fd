"""What covers the ground is either a hand or only a shadow: told apart by colour, size and where it leads.

An arm leads out of the picture and shows colours that no shadow has. A shadow takes light away and adds none in any
channel, whatever the colours of the lamps; it is no longer than the shadow of a die, unless something large is out of
view.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Levels = NDArray[np.float32]
Mask = NDArray[np.bool_]

LIGHTER = 1.08  # (now / ground) in any channel: above it is no shadow; light reflected by the side of a die adds less
WARM = 1.2  # (now / ground) of red over that of blue: skin on white; a shadow in the sun takes more of the red
ARM_EDGES2 = 4.0  # squared edges of a die: four fingertips
ARM_WIDE_EDGES = 1.0  # as wide as a finger where it leaves the picture
ARM_LIGHTER = 0.2  # share of it that is lighter than the ground in some channel: skin on anything but white
HAND_EDGES2 = 8.0  # half a hand: its arm may have the colour of a tray's rim
DARK_ARM_EDGES2, SHADOW_EDGES2 = 8.0, 3.0  # the shadow of a die under a lamp at 20 degrees; several may merge
FINGER_EDGES = 0.6  # whatever is thinner is ignored if colours say nothing; a finger is as wide as a die
THIN_PX = 3  # gaps of a pixel are closed; whatever is thinner than this, such as a rim that shook, is no finger
NEIGHBOURS = 8  # of a pixel: diagonal ones count


@dataclass(frozen=True, slots=True)
class Cover:
    """What covers the ground. hand: a hand and its shadow; lit: its part that is no shadow; doubtful: may be a hand.

    All are (h, w) bool.
    """

    hand: Mask
    lit: Mask
    doubtful: Mask


def hands_in(covered: Mask, ratios: Levels, there: Mask, edge_px: float, dice: int) -> Cover:
    """Return which part of what covers the ground is a hand and which may be one; the rest is shadow.

    covered: where something other than a die is over the ground, (h, w) bool; ratios: brightness now over that of the
    ground, (3, h, w); there: what the camera sees, (h, w) bool. edge_px: the edge of a die in these pixels. dice: how
    many are seen, since their shadows may be among it.
    """
    lighter = covered & (np.asarray(ratios.max(axis=0)) > LIGHTER)
    square = np.ones((THIN_PX, THIN_PX), np.uint8)
    whole = np.asarray(cv2.morphologyEx(covered.astype(np.uint8), cv2.MORPH_CLOSE, square), np.uint8)
    thick = cv2.morphologyEx(whole, cv2.MORPH_OPEN, square)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(thick, connectivity=NEIGHBOURS)
    area = stats[:, cv2.CC_STAT_AREA] / edge_px**2
    wide = np.bincount(labels[_border(there)], minlength=count) / edge_px
    light = np.bincount(labels[lighter], minlength=count) / np.maximum(stats[:, cv2.CC_STAT_AREA], 1)
    skin = covered & (ratios[2] > WARM * ratios[0])
    warm = np.bincount(labels[lighter | skin], minlength=count) / np.maximum(stats[:, cv2.CC_STAT_AREA], 1)
    leads_out = wide >= ARM_WIDE_EDGES
    hand = (leads_out & (area >= ARM_EDGES2) | (area >= HAND_EDGES2)) & (light >= ARM_LIGHTER)
    dark = leads_out & (area >= max(DARK_ARM_EDGES2, SHADOW_EDGES2 * dice))
    hand |= dark & (warm >= ARM_LIGHTER)
    hand[0] = dark[0] = False  # label 0 is what is not covered
    is_hand = covered & _whole(whole, np.asarray(hand[labels]))
    is_dark = covered & np.asarray(dark[labels])
    return Cover(is_hand, is_hand & (lighter | skin), ~is_hand & (lighter & (thick > 0) | is_dark))


def reaching_in(altered: Mask, there: Mask, edge_px: float) -> Mask:
    """Return large things that reach into the picture, (h, w) bool: a hand, even of the ground's colour, or its shadow.

    altered: where the picture is a little brighter or darker than the ground, apart from dice. there, edge_px: as for
    `hands_in`.
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
