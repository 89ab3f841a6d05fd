"""Changing light: lamps, a camera that adjusts its exposure, moving sunlight, as functions of time.

A frame's brightness is the lamp's, times the camera's exposure. Real cameras follow a change within half a second;
meanwhile the whole picture changes brightness.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

EXPOSURE_S = 0.35  # time constant of a webcam's automatic exposure
EXPOSURE_RANGE = (0.55, 1.8)  # how far it can go down and up
DIM = 0.5  # light left when one of two lamps is off
LAMP_TINT = (1.12, 1.0, 0.9)  # blue, green, red of one lamp relative to both: the window's light is colder
BEAM_GAIN = 0.6  # how much brighter a sunbeam is than the rest
BEAM_WIDE = 0.35  # of the frame's width
DRIFT_S = (3.0, 7.3)  # periods of a wandering exposure, which together never repeat
PUMP_RANGE = (0.7, 1.4)  # how far the picture's content moves the exposure
METERED = 16  # metering every 16th pixel is enough


@dataclass(slots=True)
class RoomLight:
    """The light over the tray and the camera's exposure, both changing from frame to frame.

    on: whether the second lamp is on. beam_speed: of a sunbeam across the frame, widths per second, 0.0 for none.
    drift: share by which the exposure always varies. pump: how much it follows the picture's content, 0 to 1;
    base_level: the mean byte of the content when it was set.
    """

    on: bool = True
    beam_speed: float = 0.0
    drift: float = 0.0
    pump: float = 0.0
    base_level: float = 0.0
    _exposure: float = 1.0
    _time_s: float = 0.0
    _beam_began_s: float = 0.0
    _changed_s: float = -math.inf

    def switch(self, time_s: float) -> None:
        """Switch the second lamp on or off."""
        self.on, self._changed_s = not self.on, time_s

    def shine(self, speed: float, time_s: float) -> None:
        """Let a sunbeam move in from the left; 0.0 ends it."""
        self.beam_speed, self._beam_began_s, self._changed_s = speed, time_s, time_s

    def changing(self, time_s: float) -> bool:
        """Return whether lamp and exposure are still settling, or the sunbeam moves."""
        return time_s - self._changed_s < 4 * EXPOSURE_S or bool(self.beam_speed)

    def lit(self, frame: Picture, time_s: float) -> Picture:
        """Return the frame in the light at this time; the same array if nothing changes it."""
        lamp = 1.0 if self.on else DIM
        target = min(max(1.0 / lamp, EXPOSURE_RANGE[0]), EXPOSURE_RANGE[1])
        if self.pump and self.base_level:
            seen = float(frame[::METERED, ::METERED].mean())
            target *= min(max(self.base_level / max(seen, 1.0), PUMP_RANGE[0]), PUMP_RANGE[1]) ** self.pump
        passed_s, self._time_s = max(0.0, time_s - self._time_s), time_s
        self._exposure += (target - self._exposure) * (1.0 - math.exp(-passed_s / EXPOSURE_S))
        wander = sum(math.sin(2 * math.pi * time_s / period_s) for period_s in DRIFT_S) / len(DRIFT_S)
        gain = lamp * self._exposure * (1.0 + self.drift * wander)
        tint = (1.0, 1.0, 1.0) if self.on else LAMP_TINT
        if self.beam_speed:
            frame = self._with_beam(frame, (time_s - self._beam_began_s) * self.beam_speed)
        if all(abs(gain * channel - 1.0) < 0.002 for channel in tint):  # noqa: PLR2004 - half a grey level
            return frame
        # Cameras store the root of the light, about; so does the renderer.
        levels = np.arange(256)[None, :, None] * np.sqrt(gain * np.asarray(tint))[None, None, :]
        return np.asarray(cv2.LUT(frame, np.clip(levels, 0, 255).astype(np.uint8)), np.uint8)

    def _with_beam(self, frame: Picture, part: float) -> Picture:
        height, width = frame.shape[:2]
        across = np.arange(width, dtype=np.float32) / width
        slant = np.arange(height, dtype=np.float32)[:, None] / width * 0.4
        inside = np.abs(across[None, :] + slant - (part - BEAM_WIDE)) < BEAM_WIDE / 2
        soft = cv2.blur(inside.astype(np.float32), (9, 9))
        return np.asarray(np.clip(frame * (1 + BEAM_GAIN * soft[:, :, None]), 0, 255), np.uint8)
