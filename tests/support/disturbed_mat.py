"""A printed mat under a camera whose set-up is not as it should be."""

from dataclasses import dataclass

import cv2
import numpy as np

from tabletop.core.values import Point
from tabletop.simulator.mat_tray import MatTray, Picture, pixels


@dataclass(frozen=True, slots=True)
class Disturbance:
    """What is wrong with the set-up. light: times as bright; blur_px: of the lens; flicker: share, of 100 Hz lamps."""

    light: float = 1.0
    blur_px: float = 0.0
    flicker: float = 0.0
    hidden: tuple[int, ...] = ()


class DisturbedMat(MatTray):
    """A mat with dice. wrong: what is wrong now, can be changed."""

    wrong = Disturbance()

    def lay(self, *places: Point) -> float:
        """Lay a die with its middle at each of these places, in mm of the tray, upright; returns when they will lie."""
        self.faces = [self._chance.randint(1, 6) for _ in places]
        return self.lie([(*place, 0.0) for place in places])

    def show(self, time_s: float) -> Picture:
        """Return what is seen then, with what is wrong now."""
        picture, wrong = super().show(time_s), self.wrong
        if wrong == Disturbance():
            return picture
        picture = picture.copy()
        for number in wrong.hidden:
            left, top, right, bottom = pixels(self.mat.markers[number])
            picture[top:bottom, left:right] = (120, 150, 200)
        rows = np.arange(len(picture)) / len(picture)
        bands = wrong.light * (1 + wrong.flicker * np.sin(2 * np.pi * (3 * rows + 7.3 * time_s)))
        blurred = cv2.GaussianBlur(picture, (0, 0), wrong.blur_px) if wrong.blur_px else picture
        return np.clip(blurred * bands[:, None, None], 0, 255).astype(np.uint8)
