"""Pictures made smaller in halves and a rest show what one average over areas shows."""

import cv2
import numpy as np
import pytest

from tabletop.vision.network import resized


@pytest.mark.parametrize("size", [(640, 480), (641, 481), (1640, 1232), (900, 700)])
@pytest.mark.parametrize("zoom", [0.12, 0.286, 0.5, 0.7, 1.0, 1.6])
def test_as_opencv_averages_areas(size: tuple[int, int], zoom: float) -> None:
    """Within 1.5 of 255 in the mean, on a picture of blots as large as a die in it would be."""
    width, height = size
    blots = np.random.default_rng(5).uniform(0, 255, (8, 8, 3)).astype(np.float32)
    picture = cv2.resize(blots, size, interpolation=cv2.INTER_LINEAR).astype(np.uint8)
    to = round(width * zoom), round(height * zoom)
    way = cv2.INTER_AREA if zoom < 1 else cv2.INTER_LINEAR
    whole = cv2.resize(picture, to, interpolation=way).astype(float)
    small = resized(picture, *to)
    assert small.shape == (to[1], to[0], 3)
    assert small.dtype == np.uint8
    assert np.abs(small - whole).mean() < 1.5


def test_a_spot_stays_where_it_is() -> None:
    """Made smaller in three halves and a rest, a spot lies where it lay, to a tenth of its new pixels."""
    for at in (100, 611, 1203):
        picture = np.zeros((1232, 1640, 3), np.uint8)
        cv2.circle(picture, (at, at), 20, (255, 255, 255), -1)
        small = resized(picture, 164, 123)[:, :, 0].astype(float)
        rows, columns = np.indices(small.shape)
        x, y = ((grid * small).sum() / small.sum() for grid in (columns, rows))
        assert abs((x + 0.5) * 1640 / 164 - 0.5 - at) < 1.0
        assert abs((y + 0.5) * 1232 / 123 - 0.5 - at) < 1.0
