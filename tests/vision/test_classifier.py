"""The classifier looks at many places in one pass, and no place changes what is said of another."""

import numpy as np
import pytest

from tabletop.vision.classifier import shipped
from tabletop.vision.detector import CandidatePlace
from tabletop.vision.network import FLATTEST, normalised
from tools.bench.pictures import still

KNOWN = still(640, 480, 60.0, 18)
PLACES = [CandidatePlace(one.x, one.y, 60.0, 1.0) for one in KNOWN.truth.labels]


@pytest.mark.parametrize("many", [1, 2, 3, 16, 18])
def test_a_place_is_seen_alike_alone_and_among_others(many: int) -> None:
    """The network is shown up to 16 crops at once: none is read with another's pixels."""
    picture, classifier = KNOWN.open(), shipped()
    together = classifier.look(picture, PLACES[:many])
    alone = [classifier.look(picture, [place])[0] for place in PLACES[:many]]
    assert [one.face for one in together] == [label.face for label in KNOWN.truth.labels[:many]]
    for one, other in zip(together, alone, strict=True):
        assert one.kinds == pytest.approx(other.kinds, abs=1e-4)
        assert one.faces == pytest.approx(other.faces, abs=1e-4)
        assert (one.x, one.y, one.size) == pytest.approx((other.x, other.y, other.size), abs=1e-2)


def test_crops_are_shown_with_mean_0_and_spread_1() -> None:
    """Measured with numpy in 64 bits; a crop that is nearly uniform is not stretched."""
    chance = np.random.default_rng(3)
    crops = np.stack([chance.integers(40, 200, (64, 64, 3), np.uint8), np.full((64, 64, 3), (10, 90, 200), np.uint8)])
    shown = normalised(crops)
    assert shown.shape == (2, 3, 64, 64)
    assert shown.dtype == np.float32
    for one, pixels in zip(shown, crops.astype(np.float64), strict=True):
        wanted = (pixels - pixels.mean()) / pixels.std()
        assert np.abs(one - wanted.transpose(2, 0, 1)).max() < 1e-4
    dull = np.full((1, 64, 64, 3), 90, np.uint8)
    dull[0, :32] = 92
    assert np.abs(normalised(dull)).max() == pytest.approx(1 / FLATTEST, abs=1e-4)
