"""Dice that are read far less surely than the others at the table have to be told."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.core.values import Die, Reading, UnsureReason
from tabletop.perception.filters import KNOWN_FROM, MARGIN, ConfidenceBaseline


def reading(*confidences: float) -> Reading:
    """Return what is seen: a die for each confidence."""
    return Reading(
        0.0, 640, 480, tuple(Die(3, 80.0 * n, 100.0, 50.0, 0.0, "white", one) for n, one in enumerate(confidences))
    )


def taught(throws: Sequence[Sequence[float]]) -> ConfidenceBaseline:
    usual = ConfidenceBaseline()
    for at_s, throw in enumerate(throws):
        usual.apply(reading(*throw))
        usual.learn(float(at_s))
    return usual


def test_a_six_read_as_a_four_at_the_edge_of_the_bar_is_unsure() -> None:
    """Dark red glitter dice with tiny golden pips: four of a throw by 0.9 and more, a 6 taken for a 4 by 0.62."""
    checked = taught([(0.89, 0.9, 0.91, 0.92, 0.92)] * 4).apply(reading(0.92, 0.9, 0.91, 0.62, 0.89))
    assert [die.confidence for die in checked.dice] == [0.92, 0.9, 0.91, 0.89]
    assert [(one.x, one.reason) for one in checked.unsure] == [(240.0, UnsureReason.UNREADABLE)]


@given(confidence=st.floats(0.6, 0.75), throws=st.integers(4, 20))
def test_dice_that_are_always_read_so_are_as_sure_as_the_eye_says(confidence: float, throws: int) -> None:
    """Hard dice or a dim lamp: that is how it is at this table."""
    usual = taught([(confidence, confidence + 0.05, confidence, confidence + 0.02, confidence)] * throws)
    assert usual.apply(reading(confidence)) == reading(confidence)


def test_one_odd_die_of_five_is_soon_one_of_them() -> None:
    """A marbled die among white ones: put in later it is asked about for some throws, and never from then on."""
    white, marbled = 0.96, 0.7
    usual = taught([(white,) * 4 + (marbled,)] * 4)
    assert usual.apply(reading(white, marbled)) == reading(white, marbled)
    changed = taught([(white,) * 5] * 8)
    asked = 0
    for throw in range(12):
        asked += len(changed.apply(reading(white, white, white, white, marbled)).unsure)
        changed.learn(100.0 + throw)
    assert 0 < asked < 5


@pytest.mark.parametrize("looks", [1, 50])
def test_dice_that_lie_there_are_learned_once(looks: int) -> None:
    """However long they lie: a throw at which people look for a minute is no more than another one."""
    usual = taught([(0.95,) * 5] * 4)
    for _ in range(looks):
        usual.apply(reading(0.7))
        usual.learn(50.0)
    assert usual.apply(reading(0.95 - MARGIN - 0.01)).unsure


def test_nothing_is_usual_in_the_first_throws() -> None:
    """What is known of fewer dice says nothing."""
    usual = taught([(0.95,) * 5] * (KNOWN_FROM // 5 - 1))
    assert usual.apply(reading(0.62)) == reading(0.62)
    assert not taught([(0.95,) * 5] * (KNOWN_FROM // 5)).apply(reading(0.62)).dice
