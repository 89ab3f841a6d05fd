"""Pictures made smaller by averaging, quickly.

OpenCV averages areas of whole pixels ten times as fast as areas that cut pixels, so a picture is halved as long as it
stays larger than asked for; only the last step is fractional.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]


def resized(picture: Picture, width: int, height: int) -> Picture:
    """Return a picture (H, W, 3) at another size, (height, width, 3); areas are averaged where it becomes smaller.

    The whole picture is shown. If a side with an odd number of pixels is halved, its last pixel is left out, which
    moves nothing by more than half a pixel of the result.
    """
    while _halves(picture.shape[1], width) and _halves(picture.shape[0], height):
        high, wide = picture.shape[0] // 2, picture.shape[1] // 2
        even = picture[: 2 * high, : 2 * wide]
        picture = np.asarray(cv2.resize(even, (wide, high), interpolation=cv2.INTER_AREA), np.uint8)
    if picture.shape[:2] == (height, width):
        return picture
    shrinks = width < picture.shape[1]
    interpolation = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, (width, height), interpolation=interpolation), np.uint8)


def _halves(side: int, wanted: int) -> bool:
    return side >= (4 if side % 2 else 2) * wanted
