"""Words found in a picture of the small screen by the pixels of their letters, wherever they stand."""

import numpy as np
from numpy.typing import NDArray

from tabletop.views.oled.text import BIG, HUGE, SMALL, TALL, ink

Pixels = NDArray[np.bool_]
SIZES = (SMALL, TALL, BIG, HUGE)


def stands(picture: Pixels, text: str) -> bool:
    """Return whether a text stands in a picture, lit or dark on a lit box, whole and in any one size."""
    letters = [ink(text, size).pixels for size in SIZES]
    return any(_holds(shown, pixels) for shown in (picture, ~picture) for pixels in letters)


def _holds(picture: Pixels, letters: Pixels) -> bool:
    if letters.shape[0] > picture.shape[0] or letters.shape[1] > picture.shape[1]:
        return False
    places = np.lib.stride_tricks.sliding_window_view(picture, letters.shape)
    return bool((places == letters).all(axis=(2, 3)).any())
