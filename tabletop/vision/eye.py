"""The reader: one frame in, one reading out. The whole of it in order is `read`.

A frame is scaled so that its dice have the size that the network knows best, the network marks what may be dice, the
size is corrected by what it saw, and each die found is either sure or named with the reason why it is not.
"""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from tabletop.dice import Reading
from tabletop.vision.cells import Found, Network, shipped
from tabletop.vision.glance import glance
from tabletop.vision.judge import chosen, judged
from tabletop.vision.sizes import corrected, estimated, plausible

Picture = NDArray[np.uint8]
Region = tuple[int, int, int, int]  # left, top, right, bottom in pixels, the last two outside


def read(
    frame: Picture,
    *,
    time_s: float = 0.0,
    die_px: float | None = None,
    expect: int | None = None,
    region: Region | None = None,
    fixed_size: bool = False,
    network: Network | None = None,
) -> Reading:
    """Return what is seen in one frame; nothing is remembered between calls.

    frame: (H, W, 3) uint8, BGR. die_px: about the edge of its dice in pixels, 0.6 to 1.8 times the truth, None if
    unknown (looking at several scales costs about three times as much). expect: how many dice there should be; it
    chooses among things that may be dice, and never makes a sure die of an unsure one. region: the part of the frame to
    look at. fixed_size: die_px is known well (a fixed camera after its first readings): it is not corrected, and only
    places that look like dice from afar are looked at closely, for a third of the cost.
    """
    network = network or shipped()
    height, width = frame.shape[:2]
    left, top, right, bottom = _inside(region, width, height)
    part = frame[top:bottom, left:right]
    told_px = die_px
    found: tuple[Found, ...] = ()
    if part.size:
        if die_px is None:
            die_px = estimated(partial(network.look, part), right - left, bottom - top, expect)
        if die_px is not None:
            found = glance(network, part, die_px) if fixed_size else corrected(partial(network.look, part), die_px)[1]
    found = tuple(one.moved(left, top) for one in plausible(found, told_px))
    dice, unsure = judged(frame, chosen(found, expect), found)
    return Reading(time_s, width, height, dice, unsure)


def _inside(region: Region | None, width: int, height: int) -> Region:
    left, top, right, bottom = region or (0, 0, width, height)
    return max(0, left), max(0, top), min(width, right), min(height, bottom)
