"""A dice cup or a mug, seen from above: alone, or in a hand."""

import cv2
import numpy as np

from tabletop.simulator.grounds import any_colour
from tabletop.simulator.hands import Hand

CUP_EDGES = 2.1  # radius of a dice cup or a mug of 7 cm


class Cup(Hand):
    """A cup without a hand. Parameters: those of `Hand`."""

    tip_edges = CUP_EDGES + 0.2

    def _paint(self, rng: np.random.Generator) -> None:
        blue, green, red = (int(value) for value in any_colour(rng))
        middle = (round(self._tip[0]), round(self._tip[1]))
        for share, gain in ((1.0, 1.0), (0.86, 0.55), (0.74, 0.3)):
            radius = round(CUP_EDGES * share * self._die_px)
            colour = (round(blue * gain), round(green * gain), round(red * gain))
            cv2.circle(self._colour, middle, radius, colour, -1, cv2.LINE_AA)
        cv2.circle(self._mask, middle, round(CUP_EDGES * self._die_px), (255,), -1, cv2.LINE_AA)


class HandWithCup(Cup):
    """A hand that holds a cup at its fingertips."""

    def _paint(self, rng: np.random.Generator) -> None:
        Hand._paint(self, rng)  # noqa: SLF001 - the arm below the cup
        super()._paint(rng)
