"""Taught dice, drawn by this test, so every face is known: letters in place of pips."""

from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.vision.classifier import Found
from tabletop.vision.own_dice import Marks, OwnDice, Sample, upright

Picture = NDArray[np.uint8]
Chances = tuple[float, float, float, float, float, float]

SIDE_PX, EDGE_PX = 120, 52
BLUE, WHITE, BLACK = (150, 90, 45), (235, 235, 235), (25, 25, 25)  # BGR
GUESS: Chances = (1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6)
NOBODY = (0.02, 0.96, 0.01, 0.01)


def chances(face: int) -> Chances:
    first, second, third, fourth, fifth, sixth = (0.95 if other == face else 0.01 for other in range(1, 7))
    return first, second, third, fourth, fifth, sixth


def drawn(chance: Random, body: tuple[int, int, int], ink: tuple[int, int, int], text: str) -> Picture:
    """Return a picture of a die with this text in its middle, at any of four turns, with glare and noise."""
    picture = np.full((SIDE_PX, SIDE_PX, 3), 120, np.uint8)
    low, high = (SIDE_PX - EDGE_PX) // 2, (SIDE_PX + EDGE_PX) // 2
    cv2.rectangle(picture, (low, low), (high, high), body, -1)
    middle = SIDE_PX // 2
    cv2.putText(picture, text, (middle - 11, middle + 11), cv2.FONT_HERSHEY_SIMPLEX, 1.0, ink, 3, cv2.LINE_AA)
    x, y = (chance.randint(low, high) for _ in range(2))
    cv2.line(picture, (x, y), (x + 14, y + 5), (230, 230, 230), 2, cv2.LINE_AA)
    light = chance.uniform(0.85, 1.15)
    noisy = picture * light + np.random.default_rng(chance.randrange(1000)).normal(0, 4, picture.shape)
    return np.rot90(np.clip(noisy, 0, 255).astype(np.uint8), chance.randrange(4)).copy()


def found(read: Chances = GUESS) -> Found:
    middle = (SIDE_PX - 1) / 2
    return Found(middle, middle, EDGE_PX, 0.0, NOBODY, read)


def shown(chance: Random, marks: str) -> list[Sample]:
    return [
        Sample(upright(drawn(chance, WHITE, BLACK, text), found()), face, "marks")
        for face, text in enumerate(marks, start=1)
        for time in range(3)
    ]


def test_marks_that_were_shown_are_read() -> None:
    """Letters in place of pips, which the networks take for a sure six, are read as the faces they were shown for."""
    chance = Random(11)
    own = OwnDice(shown(chance, "AKQJTX"))
    for face, text in enumerate("AKQJTX", start=1):
        (seen,) = own.apply(drawn(chance, WHITE, BLACK, text), [found(chances(6))])
        assert (seen.face, seen.sureness > 0.6) == (face, True), text


def test_faces_with_the_same_mark_cannot_be_told_apart() -> None:
    """A die with an X on both three and five: exactly that pair is named, and such a die stays unsure."""
    chance = Random(12)
    samples = shown(chance, "AKXJXQ")
    marks = Marks(np.stack([sample.pixels for sample in samples]), np.array([sample.face for sample in samples]))
    assert marks.confused() == ((3, 5),)
    (seen,) = OwnDice(samples).apply(drawn(chance, WHITE, BLACK, "X"), [found(chances(6))])
    assert seen.sureness < 0.6 or seen.face in (3, 5)


def test_no_candidates_give_none() -> None:
    """An empty tray stays one."""
    assert OwnDice([]).apply(np.zeros((40, 40, 3), np.uint8), []) == ()


def test_a_die_of_another_colour_is_left_to_the_networks() -> None:
    """The letter that was taught on white, now on blue: nothing that the networks say is changed."""
    chance, candidate = Random(13), found(chances(2))
    own = OwnDice(shown(chance, "AKQJTX"))
    assert own.apply(drawn(chance, BLUE, BLACK, "A"), [candidate]) == (candidate,)
