"""When a frame was exposed, out of what the driver says and when the frame arrived. Pure."""

from math import inf

OLD_S = 0.5  # older than this is a frame that waited in the driver's queue: after a pause the first four are
EARLY_S = 0.1  # a frame of the future by more than this comes from another clock
DOUBTS = 8  # so many frames in a row that seem old are none: the driver has four buffers, some have eight
APART_S = 1e-3  # least time between two frames, so that their times still rise


class FrameTimes:
    """The true times of the frames of one camera, rising."""

    def __init__(self) -> None:
        self._strange = 0  # frames in a row whose time cannot be that of a fresh frame
        self._last_s = -inf

    def exposed_s(self, reported_s: float, arrived_s: float) -> float | None:
        """Return when a frame was exposed, None if it is an old one that should be dropped.

        reported_s: by the driver; 0.0 if it does not say. arrived_s: when it was grabbed, on the clock that counts.
        A driver whose frames all seem old or of the future has another clock: then they count when they arrive.
        """
        age_s = arrived_s - reported_s
        fresh = -EARLY_S <= age_s <= OLD_S
        self._strange = 0 if fresh else self._strange + 1
        if not fresh and reported_s > 0.0 and age_s > OLD_S and self._strange < DOUBTS:
            return None
        time_s = min(reported_s, arrived_s) if fresh else arrived_s
        self._last_s = max(time_s, self._last_s + APART_S)
        return self._last_s
