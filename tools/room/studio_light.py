"""Light of a living room with more than one lamp: a second shadow, and more reflections on polished dice."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.scene import Light, Pane, direction


@dataclass(frozen=True, slots=True)
class StudioLight(Light):
    """A light with a second lamp. second: its strength, 0 for none, and its direction. panes: further reflections."""

    panes: tuple[Pane, ...] = ()
    second: float = 0.0
    second_azimuth_deg: float = 20.0
    second_elevation_deg: float = 50.0

    def lamps(self) -> tuple[tuple[NDArray[np.float32], float], ...]:
        """Return the direction and the strength of each lamp that casts a shadow."""
        first = Light.lamps(self)
        if not self.second:
            return first
        return (*first, (direction(self.second_azimuth_deg, self.second_elevation_deg), self.second))

    def mirrored(self) -> tuple[Pane, ...]:
        """Return everything reflected by polished dice."""
        return (*Light.mirrored(self), *self.panes)
