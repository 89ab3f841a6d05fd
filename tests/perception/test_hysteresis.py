"""A die that people were asked about stays unsure where it lies until it is read plainly."""

import numpy as np
import pytest

from tabletop.core.ports import Frame
from tabletop.core.values import Die, Reading, Unsure, UnsureReason
from tabletop.perception.filters import ASKED_S, DoubtHysteresis
from tabletop.perception.pipeline import PerceptionPipeline

FPS = 30
UNSURE = Unsure(200.0, 100.0, 50.0, UnsureReason.TWO_FACES, faces=(2, 3))
PALE, PLAIN = (Die(3, 200.0, 100.0, 50.0, 0.0, "white", sure) for sure in (0.74, 0.95))


class Table:
    """Frames, one every thirtieth of a second."""

    def __init__(self) -> None:
        self.doubted, self.now_s = DoubtHysteresis(), 0.0

    def show(self, *shown: Die | Unsure | None, seconds: float = 1 / FPS) -> list[bool]:
        """Show these, one a frame, over and over; return for each frame whether a die was sure."""
        told = list[bool]()
        for n in range(round(seconds * FPS)):
            one = shown[n % len(shown)]
            dice = (one,) if isinstance(one, Die) else ()
            unsure = (one,) if isinstance(one, Unsure) else ()
            self.now_s += 1 / FPS
            told.append(bool(self.doubted.apply(Reading(self.now_s, 640, 480, dice, unsure)).dice))
        return told


def test_noise_makes_no_sure_die_of_one_that_people_are_asked_about() -> None:
    """As seen in a simulated room: a 2 with a faint blot in its middle, for seconds unsure, then a 3 by 0.74."""
    table = Table()
    table.show(UNSURE, seconds=1.0)
    assert not any(table.show(PALE, PALE, UNSURE, seconds=2.0))
    reading = table.doubted.apply(Reading(table.now_s, 640, 480, (PALE,)))
    assert [one.reason for one in reading.unsure] == [UNSURE.reason]


def test_what_is_read_plainly_is_sure() -> None:
    """A lamp was switched on: soon it is like any other die. Blurred by a nudge it is plain in that frame only."""
    table = Table()
    table.show(UNSURE, seconds=1.0)
    assert all(table.show(PLAIN))
    assert not any(table.show(PALE, seconds=1.0))
    assert all(table.show(PLAIN, seconds=0.4))
    assert all(table.show(PALE, seconds=1.0))


def _pale(x: float) -> Die:
    return Die(3, x, 100.0, 50.0, 0.0, "white", 0.74)


def test_a_nudge_makes_a_leaning_die_flat_and_a_blot_no_plainer() -> None:
    """Nudged twice, each time by half an edge, it is as hard to read; what does not lean any more is what it shows."""
    table = Table()
    table.show(UNSURE, seconds=1.0)
    table.show(None, seconds=0.8)
    table.show(Unsure(225.0, 100.0, 50.0, UnsureReason.UNREADABLE))
    assert not any(table.show(_pale(225.0), seconds=1.0))
    assert not any(table.show(_pale(250.0), seconds=1.0))
    assert all(table.show(_pale(300.0), seconds=1.0)), "another die, that touches it"
    leaning = Table()
    leaning.show(Unsure(200.0, 100.0, 50.0, UnsureReason.LEANS), seconds=1.0)
    assert all(leaning.show(_pale(225.0), seconds=1.0))


@pytest.mark.parametrize("unsure_s", [0.1, 0.3, ASKED_S - 0.1])
def test_a_throw_that_was_hard_to_read_for_a_moment_is_taken(unsure_s: float) -> None:
    """Quick hands do not wait until anybody has read the screen."""
    table = Table()
    table.show(UNSURE, seconds=unsure_s)
    assert all(table.show(PALE, seconds=1.0))


def test_a_die_that_is_mostly_sure_stays_so() -> None:
    """One frame of three is unsure, for as long as the others in the tray take."""
    table = Table()
    assert table.show(UNSURE, PALE, PALE, seconds=4.0).count(True) == 80


def test_fingers_over_a_die_are_no_doubt_about_it() -> None:
    """They leave, and it is what it was."""
    table = Table()
    table.show(Unsure(200.0, 100.0, 50.0, UnsureReason.PARTLY_HIDDEN), seconds=3.0)
    assert all(table.show(PALE))


def test_what_is_gone_for_long_is_forgotten() -> None:
    """Another die may come to lie just there."""
    table = Table()
    table.show(UNSURE, seconds=1.0)
    table.show(None, seconds=2.0)
    assert not any(table.show(PALE))
    table.show(None, seconds=3.2)
    assert all(table.show(PALE))


@pytest.mark.parametrize("hidden_s", [0.1, 0.8, 2.5])
def test_nothing_is_known_of_a_die_while_it_is_hidden(hidden_s: float) -> None:
    """Fingers come and go: one unsure frame before, one after; and one plain frame of a die that was nudged."""
    table = Table()
    table.show(PALE, seconds=0.5)
    table.show(UNSURE)
    table.show(None, seconds=hidden_s)
    table.show(UNSURE)
    assert all(table.show(PALE, seconds=2.0))
    asked = Table()
    asked.show(UNSURE, seconds=1.0)
    asked.show(None, seconds=hidden_s)
    asked.show(PLAIN)
    assert not any(asked.show(PALE, seconds=1.0))


def test_at_a_dim_table_what_is_read_as_the_others_are_is_plain() -> None:
    """Nine of ten dice are read by 0.72 and more there: 0.74 is all that can be had."""
    doubted = DoubtHysteresis()
    for n in range(40):
        doubted.apply(Reading(n / FPS, 640, 480, (), (UNSURE,)), 0.72)
    assert doubted.apply(Reading(40 / FPS, 640, 480, (PALE,)), 0.72).dice == (PALE,)
    assert not doubted.apply(Reading(41 / FPS, 640, 480, (PALE,)), 0.8).dice


def test_a_die_that_was_asked_about_is_named_on_while_it_lies_there() -> None:
    """Pale pips on a salmon die: nudged, it is not even seen. Once it is taken up there is nothing to ask about."""
    doubted = DoubtHysteresis()
    for n in range(30):
        doubted.apply(Reading(n / FPS, 640, 480, (), (UNSURE,)))
    neighbour = Die(5, 300.0, 100.0, 50.0, 0.0, "white", 0.95)
    for n in range(30, 300):
        told = doubted.apply(Reading(n / FPS, 640, 480, (neighbour,)), None, lambda one: (one.x, one.size) == (200, 50))
        assert told.dice == (neighbour,)
        assert told.unsure == (UNSURE,)
    assert not doubted.apply(Reading(10.0, 640, 480, (neighbour,)), None, lambda _: False).unsure
    beside = Die(2, 235.0, 100.0, 50.0, 0.0, "white", 0.95)
    assert not doubted.apply(Reading(10.1, 640, 480, (beside,)), None, lambda _: True).unsure, "it was nudged there"


@pytest.mark.parametrize("hand", [True, False])
def test_it_is_followed_where_it_is_nudged_to_and_no_finger_is(hand: bool) -> None:
    """Nudged, it is taken for no die at first, and then for nothing; fingers beside it are seen while it still lies."""
    doubted = DoubtHysteresis()
    for n in range(30):
        doubted.apply(Reading(n / FPS, 640, 480, (), (UNSURE,)))
    beside = Unsure(232.0, 100.0, 50.0, UnsureReason.MAY_BE_NO_DIE)
    lies_at = 200.0 if hand else 232.0
    doubted.apply(Reading(30 / FPS, 640, 480, (), (beside,)), None, lambda one: one.x == lies_at)
    told = doubted.apply(Reading(31 / FPS, 640, 480), None, lambda one: one.x == lies_at)
    assert [(one.x, one.reason) for one in told.unsure] == [(lies_at, UNSURE.reason)]


def test_the_watch_asks_on_after_a_second_of_doubt() -> None:
    """From frames to what is seen: beside a plain die one is unsure for a second, then sure by noise alone."""
    neighbour = Die(5, 400.0, 300.0, 50.0, 0.0, "white", 0.95)

    def read(*_: object, time_s: float, **__: object) -> Reading:
        doubtful = time_s < 1.0
        return Reading(time_s, 640, 480, (neighbour,) if doubtful else (neighbour, PALE), (UNSURE,) if doubtful else ())

    watch, rng = PerceptionPipeline(read, tipped=lambda _, dice: tuple(dice)), np.random.default_rng(1)
    pictures = [rng.integers(60, 200, (120, 160, 3), np.uint8) for _ in range(2)]
    seen = [watch.process(Frame(pictures[n % 2], n / 15)).reading for n in range(30)]
    assert seen[-1].dice == (neighbour,)
    assert [one.reason for one in seen[-1].unsure] == [UNSURE.reason]


def test_what_was_unsure_for_a_moment_is_not_named_on() -> None:
    """A hand, mostly."""
    doubted = DoubtHysteresis()
    for n in range(5):
        doubted.apply(Reading(n / FPS, 640, 480, (), (UNSURE,)))
    assert not doubted.apply(Reading(5 / FPS, 640, 480), None, lambda _: True).unsure
