"""A hand that lies still for long is taken for the ground; what it leaves is known again at once."""

import numpy as np
from numpy.typing import NDArray

from tabletop.core.values import Die
from tabletop.perception.hands import RELEARNED_S, BackgroundModel

CLOTH, SKIN = (50, 30, 110), (110, 150, 200)  # BGR
HAND = slice(60, 180)  # pixels, both ways
DIE = Die(3, 120.0, 120.0, 24.0, 0.0, "white", 0.99)


def _picture(*, hand: bool) -> NDArray[np.uint8]:
    picture = np.full((240, 320, 3), CLOTH, np.uint8)
    if hand:
        picture[HAND, HAND] = SKIN
    return picture


def test_what_a_hand_leaves_that_lay_still_is_the_ground() -> None:
    """A hand comes, lies for twice as long as is learnt, and goes: a die thrown there at once is not held."""
    ground, now_s = BackgroundModel(), 0.0
    for hand, seconds in ((False, 1.0), (True, 2 * RELEARNED_S), (False, 0.1)):
        for _ in range(round(10 * seconds)):
            ground.update(_picture(hand=hand), now_s, [], None)
            now_s += 0.1
    assert ground.bare(DIE, [])
    assert ground.touched([DIE], [DIE], ground.cover([DIE], DIE.size)) == ((), ())


def test_a_hand_that_comes_again_is_a_hand() -> None:
    """The same hand at the same place, after it was taken for the ground once: what it covers is not bare."""
    ground, now_s = BackgroundModel(), 0.0
    for hand, seconds in ((False, 1.0), (True, 2 * RELEARNED_S), (False, 1.0), (True, 0.3)):
        for _ in range(round(10 * seconds)):
            ground.update(_picture(hand=hand), now_s, [], None)
            now_s += 0.1
    assert any(ground.touched([DIE], [DIE], ground.cover([DIE], DIE.size)))
    assert ground.bare(DIE, []) is False
