"""The second opinion: what it is shown, which of its cells is heard, and what it says of drawn dice."""

from collections.abc import Sequence
from dataclasses import replace
from math import hypot
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tabletop.simulator.render import compose
from tabletop.simulator.scene import Look, PosedDie, lying
from tabletop.vision.acceptance import SHOWN, SURE
from tabletop.vision.classifier import Found, Kind
from tabletop.vision.classifier import shipped as shipped_classifier
from tabletop.vision.detector import STRIDE
from tabletop.vision.image_io import open_picture
from tabletop.vision.reader import Networks, find_dice, read, shipped_networks
from tabletop.vision.second_opinion import (
    CHANNELS,
    DIE,
    EDGE_PX,
    FACES,
    OUTPUTS,
    RIVALS,
    SIDE_PX,
    centre_answers,
    channels,
    combined,
    shipped_second_opinion,
    shipped_surroundings,
    with_doubts,
    with_second_opinion,
)
from tools.training.empty_pictures import draw
from tools.training.scene_files import CLOSE, scene

CELLS = SIDE_PX // STRIDE
MIDDLE = (SIDE_PX - 1) / 2


def _die(body: tuple[int, int, int], pip: tuple[int, int, int]) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Return a patch of a die with four pips on a bright ground, and where its pips are."""
    patch = np.full((SIDE_PX, SIDE_PX, 3), 225, np.uint8)
    half = round(EDGE_PX / 2)
    middle = round(MIDDLE)
    cv2.rectangle(patch, (middle - half, middle - half), (middle + half, middle + half), body, -1)
    pips = np.zeros((SIDE_PX, SIDE_PX), np.uint8)
    for x in (-13, 13):
        for y in (-13, 13):
            cv2.circle(pips, (middle + x, middle + y), 5, (255,), -1)
    patch[pips > 0] = pip
    return patch, pips > 0


def test_pips_of_the_bodys_brightness_stand_out_in_its_own_colours() -> None:
    """Dark red pips on a dark blue body are as dark as it; in the first own colour they are two spreads apart."""
    patch, pips = _die((70, 40, 45), (40, 40, 110))
    shown = channels(patch)
    assert shown.shape == (CHANNELS, SIDE_PX, SIDE_PX)
    body = (np.abs(patch.astype(int) - (70, 40, 45)).max(axis=2) == 0) & ~pips
    evened = [abs(float(shown[channel][pips].mean() - shown[channel][body].mean())) for channel in range(3)]
    assert max(evened) < 1
    assert abs(float(shown[3][pips].mean() - shown[3][body].mean())) > 2


@pytest.mark.parametrize("order", [(1, 2, 0), (2, 1, 0), (0, 2, 1)])
def test_own_colours_do_not_depend_on_which_channel_is_which(order: tuple[int, int, int]) -> None:
    """Blue, green and red exchanged: the same own colours, each maybe turned round."""
    rng = np.random.default_rng(3)
    patch, _ = _die((150, 90, 30), (20, 200, 240))
    noisy = np.clip(patch + rng.normal(0, 12, patch.shape) * (1, 0.6, 0.3), 0, 255).astype(np.uint8)
    own, turned = channels(noisy)[3:], channels(noisy[:, :, order])[3:]
    for one, other in zip(own, turned, strict=True):
        assert min(np.abs(one - other).max(), np.abs(one + other).max()) < 1e-2


def test_a_patch_of_one_colour_has_no_own_colours() -> None:
    """Nothing to tell apart: everything is 0, nothing is divided by it."""
    assert not channels(np.full((SIDE_PX, SIDE_PX, 3), 77, np.uint8)).any()


def test_it_is_heard_where_it_sees_a_middle_near_the_patchs() -> None:
    """The likeliest cell within reach counts, not a likelier one farther off; none is heard for nothing."""
    cells = np.full((2, OUTPUTS, CELLS, CELLS), -9.0, np.float32)
    cells[0, DIE, 0, 0], cells[0, DIE, 12, 11] = 9, 3
    cells[0, FACES, 12, 11] = np.arange(6)
    cells[1, DIE, 10, 13] = -1
    told = centre_answers(cells)
    assert told.shape == (2, OUTPUTS)
    assert told[:, DIE].tolist() == [3, -1]
    assert told[0, FACES].tolist() == list(range(6))
    assert centre_answers(cells[:0]).shape == (0, OUTPUTS)


CHANCES = st.floats(0.001, 1)
KINDS_AND_FACES = st.tuples(st.tuples(*[CHANCES] * 4), st.tuples(*[CHANCES] * 6))
ANSWERS = st.tuples(st.floats(-12, 12), *[st.floats(-9, 9)] * 6)


def _found(kinds: tuple[float, ...], faces: tuple[float, ...]) -> Found:
    nothing, flat, leaning, covered = (kind / sum(kinds) for kind in kinds)
    one, two, three, four, five, six = (face / sum(faces) for face in faces)
    return Found(50, 50, 40, 0, (nothing, flat, leaning, covered), (one, two, three, four, five, six))


def _answer(die: float, faces: Sequence[float]) -> NDArray[np.float32]:
    answer = np.zeros(OUTPUTS, np.float32)
    answer[DIE], answer[FACES] = die, faces
    return answer


@given(KINDS_AND_FACES, ANSWERS)
def test_what_both_say_together_are_chances(judged: tuple[tuple[float, ...], ...], told: tuple[float, ...]) -> None:
    """They add to 1, lie between what each says, and how a die lies stays as the classifier has it."""
    one = _found(*judged)
    both = combined(one, _answer(told[0], told[1:]))
    assert sum(both.kinds) == pytest.approx(1, abs=2e-3)
    assert sum(both.faces) == pytest.approx(1)
    assert all(0 <= chance <= 1 for chance in (*both.kinds, *both.faces))
    for kind in (Kind.LEANING, Kind.COVERED):
        assert both.kinds[kind] / both.kinds[Kind.FLAT] == pytest.approx(one.kinds[kind] / one.kinds[Kind.FLAT])
    powers = np.exp(np.array(told[1:]) - max(told[1:]))
    if powers.argmax() == np.argmax(one.faces):
        assert both.face == one.face


def test_one_who_sees_another_face_takes_the_classifiers_sureness_away() -> None:
    """A four of which the classifier is 0.7 sure: a second opinion of four makes it sure, of six doubtful."""
    one = _found((0.05, 0.9, 0.03, 0.02), (0.02, 0.02, 0.02, 0.76, 0.02, 0.16))
    four, six = (np.eye(6)[face - 1] * 5 for face in (4, 6))
    assert combined(one, _answer(6, four)).sureness > 0.8
    assert combined(one, _answer(6, six)).sureness < SURE
    assert combined(one, _answer(-6, four)).chance < one.chance


def test_only_what_is_doubtful_is_put_to_it() -> None:
    """A sure die and what is surely none stay as they are; something between the two does not."""
    picture = np.full((100, 100, 3), 90, np.uint8)
    sure, nothing = (
        _found((0.01, 0.97, 0.01, 0.01), (1, 1, 1, 400, 1, 1)),
        _found((99, 0.4, 0.3, 0.3), (1, 1, 1, 9, 1, 1)),
    )
    doubtful = _found((0.4, 0.5, 0.05, 0.05), (1, 1, 1, 9, 1, 1))
    told = with_second_opinion(shipped_second_opinion(), picture, [sure, doubtful, nothing])
    assert sure in told
    assert nothing in told
    assert doubtful not in told
    assert with_second_opinion(shipped_second_opinion(), picture, []) == ()
    few = with_second_opinion(shipped_second_opinion(), picture, [sure, *[doubtful] * 6], expect=2)
    assert few.count(doubtful) == 1 + 6 - (2 + RIVALS)  # nobody asks who comes fifth where two are due


def test_the_eye_asks_it_in_photographs_and_not_at_the_table() -> None:
    """Where the size is known well nothing changes by it; else doubtful things do, and no more faces are wrong."""
    asked, differ, wrong = shipped_networks(), 0, [0, 0]
    alone = Networks(asked.detector, asked.classifier)
    for index in range(15):
        drawn = scene(CLOSE, 92, index)
        if not drawn.dice:
            continue
        die_px = float(np.median([die.size for die in drawn.dice]))
        known = [read(drawn.pixels, die_px=die_px, fixed_size=True, networks=networks) for networks in (asked, alone)]
        assert known[0] == known[1]
        told = [read(drawn.pixels, die_px=die_px, networks=networks) for networks in (asked, alone)]
        differ += told[0] != told[1]
        for number, reading in enumerate(told):
            wrong[number] += sum(
                not any(
                    hypot(one.x - die.x, one.y - die.y) < 0.4 * one.size and one.face == die.face for one in drawn.dice
                )
                for die in reading.dice
            )
    assert differ > 2
    assert wrong[0] <= wrong[1]


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


def test_half_of_a_domino_is_no_sure_die_where_no_other_is(tmp_path: Path) -> None:
    """A drawn picture without dice, in which the classifier alone is very sure of half a black domino."""
    draw(tmp_path, 7, 185)
    picture = open_picture(tmp_path / "0185.png")
    without = find_dice(picture, networks=shipped_networks()._replace(surroundings=None))
    assert max(one.sureness for one in without.found) > 0.9
    assert not read(picture).dice


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


def test_what_is_a_die_from_one_side_only_becomes_doubtful() -> None:
    """A candidate on bare ground that claims to be rather sure is not so when turned; a clear one is not looked at."""
    ground = np.random.default_rng(3).integers(90, 110, (200, 200, 3)).astype(np.uint8)
    claimed = Found(100.0, 100.0, 40.0, 0.0, (0.2, 0.8, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    clear = replace(claimed, kinds=(0.1, 0.9, 0.0, 0.0))
    turned = shipped_classifier().turned_sureness
    assert turned(ground, claimed) < SURE < claimed.sureness
    assert turned(ground, clear) == clear.sureness
    lying_die = PosedDie(100.0, 100.0, 40.0, lying(5, 20.0, Look()), Look())
    (seen,) = find_dice(compose(ground, [lying_die]), die_px=40.0, expect=1).found[:1]
    doubtful = replace(seen, kinds=(0.2, 0.8, 0.0, 0.0))
    assert SURE < turned(compose(ground, [lying_die]), doubtful) <= doubtful.sureness


def _was_sure_and_is_reported(before: Found, after: Found) -> bool:
    return before.sureness >= SURE > after.sureness and after.chance >= SHOWN and after.faces == before.faces
