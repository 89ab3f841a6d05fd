"""A display that keeps what it is given, in place of a real one."""

import numpy as np
from numpy.typing import NDArray

from tabletop.core.ports import Light


class Glass:
    """pictures: all that were shown; pixels: the newest, dark at first. lights: all that were set."""

    link, width = "", 128

    def __init__(self, height: int = 64) -> None:
        self.height, self.pixels = height, np.zeros((height, self.width), np.bool_)
        self.pictures, self.lights = list[NDArray[np.bool_]](), list[Light]()

    def show(self, pixels: NDArray[np.bool_]) -> None:
        self.pixels = pixels
        self.pictures.append(pixels)

    def light(self, light: Light) -> None:
        self.lights.append(light)

    def close(self) -> None:
        """Nothing to close."""
