"""How large the dice are: told, corrected by what the network sees, or found out by looking at several scales."""

from collections.abc import Callable, Sequence

import numpy as np

from tabletop.vision.cells import LOOK_PX, Found

Look = Callable[[float], tuple[Found, ...]]

SMALLEST_PX, LARGEST_PX = 25.0, 650.0  # dice that the eye reads
STEP = 1.9  # between the scales tried: the network sees dice of 0.5 to 2 times the size that it is told
ENOUGH = 3  # clear dice at one scale: more scales would tell nothing new
SINGLE = 1.5  # dice: fewer may be an accident, as six dice in rows that look like one large six
CLEAR = 0.6  # sureness of a die whose size is believed
OFF = 0.18  # log2: a told size that is further off is corrected and the picture looked at again
PLAUSIBLE = (0.42, 2.2)  # of the told size: 1 / 1.8 and 1 / 0.6, and a quarter for what the eye is off itself
FULL_SHARE = 0.9  # of the picture's shorter side: no die is larger
DEAREST_PX = 4.0e6  # pixels of the network's input: a finer scale than that is not tried


def seen_size(found: Sequence[Found]) -> float | None:
    """Return the usual edge of the dice found, None where no die is clear enough to tell."""
    clear = [one.size for one in found if one.sureness >= CLEAR]
    return float(np.median(clear)) if clear else None


def corrected(look: Look, die_px: float) -> tuple[float, tuple[Found, ...]]:
    """Return the size that the dice have and what is seen at that size, starting from a size that may be off."""
    found = look(die_px)
    size = seen_size(found)
    if size is None or abs(np.log2(size / die_px)) <= OFF:
        return die_px, found
    size = float(np.clip(size, die_px / STEP, die_px * STEP))
    return size, look(size)


def estimated(look: Look, width: int, height: int, expect: int | None = None) -> float | None:
    """Return the usual edge of the dice in a picture of that size in pixels, None where no die is seen.

    Tries scales from the largest dice to the smallest, which costs least first, and ends where as many clear dice are
    seen as are expected (ENOUGH if nobody knows), or where a finer scale shows no more dice than the one before.
    """
    from_px = min(LARGEST_PX, FULL_SHARE * min(width, height))
    sizes, weights = [], []
    best = 0.0
    enough = ENOUGH if expect is None else max(expect, ENOUGH - 1)
    scale = from_px / STEP**0.5
    while scale * STEP**0.5 > SMALLEST_PX and _dear(width, height, scale) <= DEAREST_PX:
        clear = [one for one in look(scale) if one.sureness >= CLEAR and abs(np.log2(one.size / scale)) < 1]
        total = sum(one.sureness for one in clear)
        sizes += [one.size for one in clear]
        weights += [one.sureness for one in clear]
        if len(clear) >= enough or (best > SINGLE and total < best):
            break
        best = max(best, total)
        scale /= STEP
    return _usual(sizes, weights) if sizes else None


def plausible(found: Sequence[Found], told_px: float | None) -> tuple[Found, ...]:
    """Return what may be dice of the size that was told (0.6 to 1.8 times their edge); all, if none was told."""
    if told_px is None:
        return tuple(found)
    least, most = PLAUSIBLE
    return tuple(one for one in found if least <= one.size / told_px <= most)


def _dear(width: int, height: int, die_px: float) -> float:
    return width * height * (LOOK_PX / die_px) ** 2


def _usual(sizes: Sequence[float], weights: Sequence[float]) -> float:
    """Return the size with the most weight within a fifth of it."""
    logs, weight = np.log2(sizes), np.asarray(weights)
    support = [weight[np.abs(logs - log) < OFF].sum() for log in logs]
    centre = logs[int(np.argmax(support))]
    near = np.abs(logs - centre) < OFF
    return float(2 ** np.average(logs[near], weights=weight[near]))
