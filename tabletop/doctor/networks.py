"""The line about the networks that read dice: are they there, do they run, and how fast."""

import time

import numpy as np

from tabletop.core.checks import Check
from tabletop.core.message import say
from tabletop.vision.reader import read

SIDE_PX, GREY, DIE_PX = 320, 96, 40.0  # of an empty picture


def network_check() -> Check:
    """Read an empty picture twice, and time the second: the first one loads."""
    picture = np.full((SIDE_PX, SIDE_PX, 3), GREY, np.uint8)
    part, name = say("networks"), say("reading")
    try:
        read(picture, die_px=DIE_PX)
        begun_s = time.perf_counter()
        read(picture, die_px=DIE_PX)
    except Exception as error:  # noqa: BLE001 - OpenCV may raise anything on a file that is damaged
        return Check(part, name, found=False, right=False, figure=str(error), remedy=say("install the table again"))
    figure = say("{n} ms", n=round((time.perf_counter() - begun_s) * 1000))
    return Check(part, name, found=True, right=True, figure=figure)
