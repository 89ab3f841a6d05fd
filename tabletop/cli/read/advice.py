"""What to try where a photograph gave no dice, or only doubts: a line for people, after the table."""

from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tabletop.core.values import Reading

LONGEST_PX = 2000  # a larger photograph is searched smaller: in 108 million pixels the search took 90 s, so 2 s
EDGES_PX = (15.0, 22.0, 33.0, 50.0, 75.0, 110.0, 165.0)  # a named size may be off by a half: these leave no gap


def advice(frame: "NDArray[np.uint8]", reading: "Reading", die_px: float | None, expect: int | None) -> str:
    """Return what to try next, "" if the reading has dice and nothing is in doubt.

    frame: the photograph that was read, (H, W, 3) uint8 BGR. die_px, expect: what the reader was told, None if nothing.
    Where nothing was found it is read again at several sizes, so that the size of the dice can be named.
    """
    if reading.dice and not reading.unsure:
        return ""
    if not reading.dice and die_px is None and (edge := _likely_edge(frame, expect)):
        return f"if there are dice, try --die-px {edge:.0f} (the edge of a die in pixels)"
    if not reading.dice and not reading.unsure:
        return "nothing that looks like a die: try --die-px N (the edge of a die in pixels), more light, or from nearer"
    missing = [
        words
        for words, given in (
            ("--die-px N (the edge of a die in pixels)", die_px),
            ("--expect N (how many dice)", expect),
        )
        if given is None
    ]
    return f"to be surer: try {' and '.join(missing)}" if missing else ""


def _likely_edge(frame: "NDArray[np.uint8]", expect: int | None) -> float | None:
    """Return the edge in pixels with which most dice are found, and most surely; None if there are none with any."""
    import cv2  # noqa: PLC0415
    import numpy as np  # noqa: PLC0415

    from tabletop.vision.reader import read  # noqa: PLC0415 - heavy imports wait until a picture is read

    scale = max(1.0, max(frame.shape[:2]) / LONGEST_PX)
    small = np.asarray(cv2.resize(frame, None, fx=1 / scale, fy=1 / scale, interpolation=cv2.INTER_AREA), np.uint8)
    readings = [read(small, die_px=edge, expect=expect).dice for edge in EDGES_PX]
    best = max(readings, key=lambda dice: (len(dice), sum(die.confidence for die in dice)))
    return scale * median(die.size for die in best) if best else None
