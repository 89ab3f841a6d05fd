"""From chattering edges to presses: exactly those that somebody meant, whatever contacts do and whenever we look."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.ports import BUTTON_NAMES, ButtonName, Edge, Press
from tabletop.presses import Presses

CHATTER_S = 0.012  # the worst contact that is promised to work
TELL_S = 0.02  # a short press is told so soon after the finger has gone


@dataclass(frozen=True)
class Meant:
    """What a finger does: a button is down from one time to another."""

    button: ButtonName
    down_s: float
    up_s: float

    @property
    def press(self) -> Press:
        """What it means: long from 0.6 s on, as the issue's text has it."""
        return Press(self.button, long=self.up_s - self.down_s >= 0.6)


def edge_times(changes: Sequence[tuple[float, bool]], button: ButtonName) -> list[Edge]:
    """Return a contact's edges from (time, closed)."""
    return [Edge(time_s, button, closed) for time_s, closed in changes]


def contact(time_s: float, bounces: Sequence[float], *, closed: bool) -> list[tuple[float, bool]]:
    """Return how a contact changes for good: at once, and away and back at each pair of later times."""
    times = [time_s, *sorted(time_s + bounce for bounce in bounces)]
    return [(moment, closed if count % 2 == 0 else not closed) for count, moment in enumerate(times)]


BOUNCES = st.integers(0, 6).flatmap(
    lambda pairs: st.lists(st.floats(0.0001, CHATTER_S), min_size=2 * pairs, max_size=2 * pairs)
)
SHORT_S = st.floats(0.02, 0.58)
LONG_S = st.floats(0.62, 3.0)


@st.composite
def fingers(draw: st.DrawFn, button: ButtonName) -> tuple[list[Meant], list[Edge]]:
    """Draw what one finger does, and what its contact makes of it."""
    meant, edges, time_s = [], [], draw(st.floats(0.0, 0.3))
    for _ in range(draw(st.integers(0, 5))):
        press = Meant(button, time_s, time_s + draw(SHORT_S | LONG_S))
        changes = [
            *contact(press.down_s, draw(BOUNCES), closed=True),
            *contact(press.up_s, draw(BOUNCES), closed=False),
        ]
        meant.append(press)
        edges += edge_times(changes, button)
        time_s = press.up_s + draw(st.floats(0.02, 0.4))
    return meant, edges


def told(edges: Sequence[Edge], looks: Sequence[float]) -> list[tuple[float, Press]]:
    """Ask at these times, as a loop does; return what was told, and when."""
    presses, found, waiting = Presses(), [], list(edges)
    for now_s in looks:
        due = [edge for edge in waiting if edge.time_s <= now_s]
        waiting = waiting[len(due) :]
        found += [(now_s, press) for press in presses.feed(due, now_s)]
    return found


@given(fingers("bank"), fingers("hold"), st.lists(st.floats(0.0, 20.0), max_size=40))
def test_chatter_changes_nothing(
    bank: tuple[list[Meant], list[Edge]], hold: tuple[list[Meant], list[Edge]], looks: list[float]
) -> None:
    """Each press meant is told once, as short or long as it was, however seldom one looks, both at once too."""
    edges = sorted(bank[1] + hold[1], key=lambda edge: edge.time_s)
    found = told(edges, [*sorted(looks), 100.0])
    for button, (meant, _) in zip(BUTTON_NAMES, (bank, hold), strict=True):
        assert [press for _, press in found if press.button == button] == [finger.press for finger in meant]


@given(fingers("bank"), fingers("hold"))
def test_presses_are_told_in_time(bank: tuple[list[Meant], list[Edge]], hold: tuple[list[Meant], list[Edge]]) -> None:
    """A short press when the finger goes, a long one 0.6 s after it came, both in the order in which they happened."""
    edges = sorted(bank[1] + hold[1], key=lambda edge: edge.time_s)
    looks = [count * 0.001 for count in range(int((edges[-1].time_s if edges else 0.0) * 1000) + 100)]
    found = told(edges, looks)
    for button, (meant, _) in zip(BUTTON_NAMES, (bank, hold), strict=True):
        times = [time_s for time_s, press in found if press.button == button]
        for time_s, finger in zip(times, meant, strict=True):
            earliest_s = finger.down_s + 0.6 if finger.press.long else finger.up_s
            assert earliest_s <= time_s <= earliest_s + TELL_S
    assert [press for _, press in told(edges, [100.0])] == [press for _, press in found]


@given(st.lists(st.tuples(st.floats(0.0, 2.0), st.sampled_from(BUTTON_NAMES), st.booleans()), max_size=40))
def test_any_edges_are_survived(changes: list[tuple[float, ButtonName, bool]]) -> None:
    """Noise makes no press without a closing, and no more presses than closings."""
    edges = [Edge(*change) for change in sorted(changes)]
    found = told(edges, [100.0])
    for button in BUTTON_NAMES:
        closings = sum(edge.down for edge in edges if edge.button == button)
        assert sum(press.button == button for _, press in found) <= closings


@given(BOUNCES, st.floats(0.0, 1.0))
def test_a_button_held_at_the_start_is_no_press(bounces: list[float], first_s: float) -> None:
    """Its contact only opens, chattering; the next real press counts."""
    edges = edge_times(contact(first_s, bounces, closed=False), "hold")
    later = edge_times([(first_s + 0.1, True), (first_s + 0.2, False)], "hold")
    presses = Presses()
    assert presses.feed(edges, first_s + 0.05) == []
    assert presses.held_s("hold", first_s + 0.05) == 0.0
    assert presses.feed(later, first_s + 1.0) == [Press("hold")]


def test_a_button_held_for_ever_from_the_start_is_silent() -> None:
    """No edge ever comes; the other button works."""
    presses = Presses()
    assert presses.feed([], 60.0) == []
    assert presses.feed(edge_times([(61.0, True), (61.1, False)], "bank"), 62.0) == [Press("bank")]


def test_a_long_press_is_told_while_it_is_held() -> None:
    """At 0.6 s, not before, and not again when the button goes up; held_s tells the way there."""
    presses = Presses()
    assert presses.feed([Edge(1.0, "bank", down=True)], 1.59) == []
    assert presses.held_s("bank", 1.59) == pytest.approx(0.59)
    assert presses.held_s("hold", 1.59) == 0.0
    assert presses.feed([], 1.6) == [Press("bank", long=True)]
    assert presses.feed([], 3.0) == []
    assert presses.feed([Edge(3.0, "bank", down=False)], 4.0) == []
    assert presses.held_s("bank", 4.0) == 0.0


def test_a_finger_is_seen_at_once() -> None:
    """The very first edge counts as down, so that the screen can answer before the chatter is over."""
    presses = Presses()
    presses.feed([Edge(1.0, "hold", down=True)], 1.001)
    assert presses.held_s("hold", 1.001) > 0.0


def test_a_double_click_is_two_presses() -> None:
    """Two taps of 20 ms, 20 ms apart, with 12 ms of chatter at each change."""
    bounces = (0.001, 0.004, 0.009, 0.012)
    changes = [
        change
        for number, time_s in enumerate((0.0, 0.02, 0.04, 0.06))
        for change in contact(time_s, bounces, closed=number % 2 == 0)
    ]
    assert [press for _, press in told(edge_times(changes, "bank"), [1.0])] == [Press("bank")] * 2


def test_both_at_once_are_two_presses_in_their_order() -> None:
    """HOLD came first by a millisecond: both long presses are told in that order, even when asked late."""
    edges = [Edge(0.0, "hold", down=True), Edge(0.001, "bank", down=True)]
    assert Presses().feed(edges, 5.0) == [Press("hold", long=True), Press("bank", long=True)]


def test_a_contact_that_opens_under_the_finger_does_not_cut_the_press() -> None:
    """Two milliseconds open in the middle of a hold: one long press, no BANK by accident."""
    changes = [(0.0, True), (0.3, False), (0.302, True), (1.0, False)]
    assert [press for _, press in told(edge_times(changes, "bank"), [0.4, 2.0])] == [Press("bank", long=True)]


def test_a_press_shorter_than_chatter_counts() -> None:
    """Where the system was late and all edges of a tap bear nearly one time, the tap is not lost."""
    assert Presses().feed(edge_times([(0.0, True), (0.002, False)], "bank"), 1.0) == [Press("bank")]


def test_a_stuck_button_is_named_and_the_other_works() -> None:
    """Longer than ten seconds is no finger; when it comes free all is well again."""
    presses = Presses()
    assert presses.feed([Edge(0.0, "bank", down=True)], 9.0) == [Press("bank", long=True)]
    assert presses.stuck(9.0) == ()
    assert presses.stuck(10.5) == ("bank",)
    assert presses.feed(edge_times([(11.0, True), (11.1, False)], "hold"), 12.0) == [Press("hold")]
    assert presses.feed([Edge(13.0, "bank", down=False)], 14.0) == []
    assert presses.stuck(30.0) == ()


def test_the_contacts_of_this_test_do_chatter() -> None:
    """The helper that makes chatter changes the level each time and ends where it should."""
    changes = contact(1.0, (0.002, 0.005, 0.007, 0.011), closed=True)
    assert len(changes) == 5
    assert changes[0] == (1.0, True)
    assert changes[-1][1]
    assert all(before[1] != after[1] and before[0] <= after[0] for before, after in pairwise(changes))
