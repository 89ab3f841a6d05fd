"""The surroundings of what looks like a die: the halves of dominoes are none, the same squares alone are."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.simulator.render import compose
from tabletop.simulator.scene import Look, PosedDie, lying
from tabletop.vision.acceptance import SHOWN, SURE
from tabletop.vision.classifier import Found
from tabletop.vision.reader import find_dice, read, shipped_networks
from tabletop.vision.second_opinion import shipped_surroundings, with_doubts

EDGE = 44  # pixels
PIPS = {4: [(-1, -1), (-1, 1), (1, -1), (1, 1)], 5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)]}
COLOURS = [((235, 238, 240), (25, 25, 25)), ((30, 30, 32), (240, 240, 240)), ((190, 222, 236), (40, 50, 70))]
GROUNDS = [(70, 110, 60), (120, 150, 190), (60, 50, 45)]


def domino(number: int) -> NDArray[np.uint8]:
    """Return a drawn domino, five above four, on a plain ground with some noise."""
    body, pip = COLOURS[number % len(COLOURS)]
    ground = GROUNDS[number % len(GROUNDS)]
    picture = np.full((360, 480, 3), ground, np.uint8)
    middle = (240, 180)
    cv2.rectangle(
        picture, (middle[0] - EDGE // 2, middle[1] - EDGE), (middle[0] + EDGE // 2, middle[1] + EDGE), body, -1
    )
    cv2.line(picture, (middle[0] - EDGE // 2 + 4, middle[1]), (middle[0] + EDGE // 2 - 4, middle[1]), pip, 2)
    for face, side in ((5, -1), (4, 1)):
        for x, y in PIPS[face]:
            spot = (middle[0] + x * EDGE // 4, middle[1] + side * EDGE // 2 + y * EDGE // 4)
            cv2.circle(picture, spot, EDGE // 10, pip, -1, cv2.LINE_AA)
    turn = cv2.getRotationMatrix2D(middle, 37.0 * number, 1.0)
    turned = cv2.warpAffine(picture, turn, (480, 360), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    noise = np.random.default_rng(number).normal(0, 3, turned.shape)
    return np.asarray(np.clip(turned + noise, 0, 255), np.uint8)


def test_halves_of_dominoes_are_no_sure_dice() -> None:
    """Of nine drawn dominoes none shows a sure die, where the reader without this network is sure of some."""
    alone = shipped_networks()._replace(surroundings=None)
    sure = [[len(read(domino(number), networks=networks).dice) for number in range(9)] for networks in (None, alone)]
    assert sum(sure[0]) == 0
    assert sum(sure[1]) > 0


@pytest.mark.parametrize("touching", [False, True])
def test_dice_stay_sure_alone_and_side_by_side(touching: bool) -> None:
    """Two rendered dice a hand apart, and two that touch along an edge, which look most like a domino."""
    ground = np.full((360, 480, 3), (70, 110, 60), np.uint8)
    away = EDGE if touching else 3 * EDGE
    dice = [
        PosedDie(160.0 + place * away, 170.0, float(EDGE), lying(face, 20.0 if not touching else 0.0, Look()), Look())
        for place, face in enumerate((5, 4))
    ]
    assert sorted(die.face for die in read(compose(ground, dice)).dice) == [4, 5]


def test_it_only_makes_doubtful_what_was_sure() -> None:
    """What is asked about stays reported, everything else is as it was, and a told size asks nothing."""
    picture = domino(0)
    networks = shipped_networks()
    before = find_dice(picture, networks=networks._replace(surroundings=None)).found
    after = with_doubts(shipped_surroundings(), picture, before, SURE)
    assert len(after) == len(before)
    assert any(one != other for one, other in zip(before, after, strict=True))
    for one, other in zip(before, after, strict=True):
        assert one == other or _was_sure_and_is_reported(one, other)
    assert with_doubts(shipped_surroundings(), picture, (), SURE) == ()
    sized = [
        read(picture, die_px=float(EDGE), networks=each) for each in (networks, networks._replace(surroundings=None))
    ]
    assert sized[0] == sized[1]


def _was_sure_and_is_reported(before: Found, after: Found) -> bool:
    return before.sureness >= SURE > after.sureness and after.chance >= SHOWN and after.faces == before.faces
