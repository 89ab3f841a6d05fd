"""What the newest picture says about camera and lamp, as signs that somebody reads from the other side of the table."""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.guided.checks import focus_advice, framing_advice, light_advice
from calibration.guided.look import Look, Watcher
from calibration.guided.pages import marker_note
from tabletop.config.markers import MARKERS, find_all
from tabletop.core.message import say
from tabletop.core.values import Sign, Signs

Corners = tuple[tuple[float, float], ...]


class ArmSigns:
    """Looks at one camera's pictures in their order; it remembers the best sharpness: a lens turned too far is said."""

    def __init__(self) -> None:
        self._watcher, self._best = Watcher(), 0.0

    def __call__(self, pixels: NDArray[np.uint8], time_s: float, tray: Corners = ()) -> Signs:
        """Return the signs of a picture, (H, W, 3) BGR.

        tray: the corners of one that was measured before, in parts of the picture; it counts where no marker is seen.
        """
        look = self._watcher.look(pixels, time_s)
        self._best = max(self._best, look.sharpness or 0.0)
        outlines = tuple(tuple((float(x), float(y)) for x, y in outline) for outline in find_all(pixels).values())
        if look.markers or not tray:
            return Signs(outlines, signs_of(look, self._best))
        high, wide = pixels.shape[:2]
        ring = tuple((wide * x, high * y) for x, y in tray)
        filled = float(cv2.contourArea(np.array(tray, np.float32)))
        return Signs((ring,), signs_of(replace(look, filled=filled), self._best, known=True))


def signs_of(look: Look, best: float, *, known: bool = False) -> tuple[Sign, ...]:
    """Return what a look says. best: the best sharpness until now. known: the tray is, without a marker."""
    found = known or look.view is not None or look.tray is not None
    markers = say("not needed") if known else say("{n} of {n2}", n=len(look.markers), n2=len(MARKERS))
    framing = say("{n} % of picture", n=round(100 * look.filled)) if found else say("not known yet")
    return (
        Sign(say("markers"), markers, "" if found else marker_note(look)),
        Sign(say("tray"), framing, framing_advice(look) if found else say("show a marker")),
        Sign(say("sharpness"), say("{n} of 100", n=round(look.sharpness or 0)), focus_advice(look.sharpness, best)),
        Sign(say("light"), say("{n} of 255", n=round(look.lighting.level)), light_advice(look.lighting)),
    )
