"""Own dice, drawn by this test, so that every face is known: red pips on blue marble, and marks that are no pips."""

from dataclasses import replace
from random import Random

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.vision.classify.classifier import Found
from tabletop.vision.own_dice.marks import Marks
from tabletop.vision.own_dice.model import OwnDice
from tabletop.vision.own_dice.sample import Chances, Sample, upright

Picture = NDArray[np.uint8]

SIDE_PX, EDGE_PX = 120, 52
BLUE, RED, WHITE, BLACK = (150, 90, 45), (70, 60, 150), (235, 235, 235), (25, 25, 25)  # BGR
SPOTS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
GUESS: Chances = (1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6)
NOBODY = (0.02, 0.96, 0.01, 0.01)


def chances(face: int) -> Chances:
    """Return what networks say that take a die for this face."""
    first, second, third, fourth, fifth, sixth = (0.95 if other == face else 0.01 for other in range(1, 7))
    return first, second, third, fourth, fifth, sixth


def drawn(chance: Random, body: tuple[int, int, int], ink: tuple[int, int, int], face: int, text: str = "") -> Picture:
    """Return a picture of a die in its middle, at any of four turns, with glare and noise; text: instead of pips."""
    picture = np.full((SIDE_PX, SIDE_PX, 3), 120, np.uint8)
    low, high = (SIDE_PX - EDGE_PX) // 2, (SIDE_PX + EDGE_PX) // 2
    cv2.rectangle(picture, (low, low), (high, high), body, -1)
    middle, spacing = SIDE_PX // 2, int(0.24 * EDGE_PX)
    if text:
        cv2.putText(picture, text, (middle - 11, middle + 11), cv2.FONT_HERSHEY_SIMPLEX, 1.0, ink, 3, cv2.LINE_AA)
    else:
        for column, row in SPOTS[face]:
            at = (middle + column * spacing, middle + row * spacing)
            cv2.circle(picture, at, 5, ink, -1, cv2.LINE_AA)
    x, y = (chance.randint(low, high) for _ in range(2))
    cv2.line(picture, (x, y), (x + 14, y + 5), (230, 230, 230), 2, cv2.LINE_AA)
    light = chance.uniform(0.85, 1.15)
    noisy = picture * light + np.random.default_rng(chance.randrange(1000)).normal(0, 4, picture.shape)
    return np.rot90(np.clip(noisy, 0, 255).astype(np.uint8), chance.randrange(4)).copy()


def found(read: Chances = GUESS) -> Found:
    """Return the candidate in the middle of a drawn picture."""
    middle = (SIDE_PX - 1) / 2
    return Found(middle, middle, EDGE_PX, 0.0, NOBODY, read)


def played(chance: Random, throws: int, ink: tuple[int, int, int], read: Chances | None = None) -> list[Sample]:
    """Return five dice a throw, blue ones, as people confirmed them. read: None if the networks read them rightly."""
    samples = []
    for throw in range(throws):
        for _ in range(5):
            face = chance.randint(1, 6)
            pixels = upright(drawn(chance, BLUE, ink, face), found())
            samples.append(Sample(pixels, face, read or chances(face), "blue", str(throw)))
    return samples


def right_share(own: OwnDice, chance: Random, ink: tuple[int, int, int], read: Chances) -> float:
    """Return the share of 120 dice, twenty of each face, that are read rightly with these own dice."""
    right = 0
    for number in range(120):
        face = number % 6 + 1
        (seen,) = own.apply(drawn(chance, BLUE, ink, face), [found(read)])
        right += seen.face == face and seen.sureness > 0.6
    return right / 120


def test_dice_that_the_networks_cannot_read_are_read_once_ten_throws_were_confirmed() -> None:
    """Red pips on blue, of which the networks know nothing, are read by what fifty confirmed dice showed."""
    own = OwnDice(played(Random(1), 10, RED, GUESS))
    assert own.is_used
    assert right_share(own, Random(2), RED, GUESS) > 0.95


def test_wrong_confirmations_are_left_out() -> None:
    """Of sixty confirmed dice two are wrong: those two are named, and the others are read as before."""
    samples = played(Random(3), 12, RED, GUESS)
    wrong = [7, 38]
    for index in wrong:
        samples[index] = replace(samples[index], face=samples[index].face % 6 + 1)
    own = OwnDice(samples)
    assert {id(sample) for sample in own.left_out} >= {id(samples[index]) for index in wrong}
    assert len(own.left_out) <= 5
    assert right_share(own, Random(4), RED, GUESS) > 0.93


def test_dice_that_the_networks_read_are_left_to_them() -> None:
    """Where the networks were right about every confirmed die, nothing that they say is changed."""
    own = OwnDice(played(Random(5), 12, WHITE))
    assert not own.is_used
    picture, candidate = drawn(Random(6), BLUE, WHITE, 4), found(chances(2))
    assert own.apply(picture, [candidate])[0].faces == pytest.approx(candidate.faces)


def test_few_dice_change_nothing() -> None:
    """Two throws are too few to know anything."""
    own = OwnDice(played(Random(7), 2, RED, GUESS))
    candidate = found(chances(3))
    assert own.apply(drawn(Random(8), BLUE, RED, 5), [candidate]) == (candidate,)


def test_a_body_unlike_all_known_ones_is_left_to_the_networks() -> None:
    """What was learnt of blue dice says nothing about a white one."""
    own = OwnDice(played(Random(9), 10, RED, GUESS))
    (seen,) = own.apply(drawn(Random(10), WHITE, BLACK, 2), [found(chances(2))])
    assert seen.face == 2
    assert seen.sureness > 0.85


def shown(chance: Random, marks: str) -> list[Sample]:
    """Return a die with these six marks for its faces, each shown three times."""
    return [
        Sample(
            upright(drawn(chance, WHITE, BLACK, face, text), found()),
            face,
            GUESS,
            "marks",
            f"{face}{time}",
            taught=True,
        )
        for face, text in enumerate(marks, start=1)
        for time in range(3)
    ]


def test_marks_that_were_shown_are_read() -> None:
    """Letters in place of pips, which the networks take for a sure six, are read as the faces they were shown for."""
    chance = Random(11)
    own = OwnDice(shown(chance, "AKQJTX"))
    for face, text in enumerate("AKQJTX", start=1):
        (seen,) = own.apply(drawn(chance, WHITE, BLACK, face, text), [found(chances(6))])
        assert (seen.face, seen.sureness > 0.6) == (face, True), text


def test_faces_with_the_same_mark_cannot_be_told_apart() -> None:
    """A die with an X on both three and five: exactly that pair is named, and such a die stays unsure."""
    chance = Random(12)
    samples = shown(chance, "AKXJXQ")
    marks = Marks(np.stack([sample.pixels for sample in samples]), np.array([sample.face for sample in samples]))
    assert marks.confused() == ((3, 5),)
    (seen,) = OwnDice(samples).apply(drawn(chance, WHITE, BLACK, 3, "X"), [found(chances(6))])
    assert seen.sureness < 0.6 or seen.face in (3, 5)


def test_no_candidates_give_none() -> None:
    """An empty tray stays one."""
    assert OwnDice([]).apply(np.zeros((40, 40, 3), np.uint8), []) == ()
