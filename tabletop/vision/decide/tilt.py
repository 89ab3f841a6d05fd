"""How dice are tipped against the line of sight, which one camera sees alike of all dice that lie flat.

A die that lies flat under a leaning camera looks like one that leans under a straight one, so a single picture says
nothing about a single die. A camera that stands still does: see `perception/filters/flatness.py`.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tabletop.core.values import Die
from tabletop.vision.classify.crops import crop, normalised
from tabletop.vision.network import Network, shipped_weights

Picture = NDArray[np.uint8]

UP_X, UP_Y, TILT = range(3)
OUTPUTS = 3
AT_ONCE = 16  # crops in one pass


class TiltNetwork:
    """The trained network. Holds weights only: equal crops give equal answers."""

    def __init__(self, weights: bytes) -> None:
        """Load weights in ONNX form."""
        self._network = Network(weights)

    def tipped(self, picture: Picture, dice: Sequence[Die]) -> tuple[Die, ...]:
        """Return the dice of a picture (H, W, 3) with their `up` and `tilt`, in their order; () for no dice."""
        dice_out: list[Die] = []
        for start in range(0, len(dice), AT_ONCE):
            part = dice[start : start + AT_ONCE]
            crops = [crop(picture, die.x, die.y, die.size).pixels for die in part]
            answers = self._network.answers(normalised(np.stack(crops)))
            dice_out += [
                replace(die, up=(float(answer[UP_X]), float(answer[UP_Y])), tilt=float(answer[TILT]))
                for die, answer in zip(part, answers, strict=True)
            ]
        return tuple(dice_out)


@cache
def shipped() -> TiltNetwork:
    """Return the network that comes with the package, loaded once."""
    return TiltNetwork(shipped_weights("tilt"))
