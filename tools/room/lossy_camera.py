"""A camera as people own them: some frames never arrive, and the times of some are late."""

from random import Random

from tabletop.core.ports import Frame
from tabletop.simulator.devices import TrayCamera

LATEST_FRAMES = 2.0  # a late frame's time is at most this many frame periods late
APART_S = 1e-3  # least time between frames, so that their times still rise


class WorldCamera:
    """The tray's camera with its faults.

    drop: share of frames that never arrive. late: share of frames whose time is that of their arrival, up to two frames
    after they were exposed; the frames behind them are then held up too, and follow quickly one after another.
    """

    def __init__(self, camera: TrayCamera, drop: float, late: float, chance: Random) -> None:
        self.live = camera.live
        self._camera, self._drop, self._late, self._chance = camera, drop, late, chance
        self._last_time_s = float("-inf")

    def read(self) -> Frame | None:
        """Return the next frame that arrives, None once closed."""
        while (frame := self._camera.read()) is not None and self._chance.random() < self._drop:
            pass
        if frame is None or not self._late:
            return frame
        time_s = frame.time_s
        if self._chance.random() < self._late:
            time_s += self._chance.uniform(0.0, LATEST_FRAMES) * self._camera.frame_s
        self._last_time_s = max(time_s, self._last_time_s + APART_S)
        return Frame(frame.pixels, self._last_time_s)

    def close(self) -> None:
        """End the frames."""
        self._camera.close()
