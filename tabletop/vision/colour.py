"""The plain word for a die's colour."""

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

REACH = 0.40  # dice: from the middle to the outermost sample, inside the rounded edge
SAMPLES = 11  # along each side
DARK = 62  # value (0 to 255) below which a body is black
PALE = 58  # saturation (0 to 255) below which a body has no hue
BRIGHT = 140  # value above which such a body is white, else grey
# upper ends of the hues in OpenCV's degrees / 2 (0 to 180), with their words
HUES = ((8, "red"), (19, "orange"), (34, "yellow"), (85, "green"), (100, "turquoise"), (130, "blue"), (150, "purple"),
        (170, "pink"), (180, "red"))  # fmt: skip
BROWN_VALUE = 130  # a dark orange is called brown


def body_colour(frame: Picture, x: float, y: float, size: float, angle: float) -> str:
    """Return the word for the body of a die there; frame: (H, W, 3) BGR, lengths in pixels, angle in degrees."""
    patch = top_face(frame, x, y, size, angle)
    pixels = patch.reshape(-1, 3)
    middle = np.median(pixels, axis=0).astype(np.uint8)  # pips cover a fifth at most, so the middle is body
    hue, saturation, value = (int(part) for part in cv2.cvtColor(middle[None, None], cv2.COLOR_BGR2HSV)[0, 0])
    if value < DARK:
        return "black"
    if saturation < PALE:
        return "white" if value >= BRIGHT else "grey"
    word = next(word for end, word in HUES if hue <= end)
    return "brown" if word == "orange" and value < BROWN_VALUE else word


def top_face(frame: Picture, x: float, y: float, size: float, angle: float) -> Picture:
    """Return SAMPLES x SAMPLES pixels of the top face, upright, (SAMPLES, SAMPLES, 3)."""
    steps = np.linspace(-REACH, REACH, SAMPLES) * size
    across, down = np.meshgrid(steps, steps)
    cosine, sine = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    columns = np.clip(np.rint(x + across * cosine - down * sine), 0, frame.shape[1] - 1).astype(int)
    rows = np.clip(np.rint(y + across * sine + down * cosine), 0, frame.shape[0] - 1).astype(int)
    face: Picture = frame[rows, columns]
    return face
