"""MENU, and both buttons held: what a third button and two long fingers come to, through contacts that chatter."""

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from fingers import MS, SEEDS, Finger, burst, chattering, one_hand
from hypothesis import given
from hypothesis import strategies as st

from tabletop.core.ports import Edge, Press
from tabletop.input.presses import STUCK_S, Presses

MENU = Press("hold", long=True, menu=True)


def menu_edges(fingers: list[tuple[int, int]], seed: int) -> list[Edge]:
    """Return what a bad contact makes of these presses of MENU: chatter of up to 12 ms at both ends."""
    chance, edges = Random(seed), list[Edge]()
    for begin, end in fingers:
        for time, closed in ((begin, True), (end, False)):
            for after in (0, *burst(chance, chance.randint(0, 4))):
                edges.append(Edge((time + after) / (1000 * MS), "menu", closed))
                closed = not closed  # noqa: PLW2901 - chatter
    return edges


@st.composite
def taps(draw: st.DrawFn) -> list[tuple[int, int]]:
    """Draw presses of MENU, short and long, at least 20 ms apart, in tenths of a millisecond."""
    now, found = 0, []
    for _ in range(draw(st.integers(0, 5))):
        now += draw(st.integers(30, 900)) * MS
        found.append((now, now + draw(st.integers(20, 3000)) * MS))
        now = found[-1][1]
    return found


@given(taps(), one_hand("bank"), one_hand("hold"), SEEDS)
def test_each_press_of_menu_counts_once(
    menu: list[tuple[int, int]], bank: list[Finger], hold: list[Finger], seed: int
) -> None:
    """However long it is held and whatever the other fingers do; and those mean what they mean without it."""
    others = chattering([*bank, *hold], seed)
    both = sorted([*others, *menu_edges(menu, seed)], key=lambda edge: edge.time_s)
    found = Presses().feed(both, 100.0)
    assert [press for press in found if press.menu] == [MENU] * len(menu)
    assert [press for press in found if not press.menu] == Presses().feed(others, 100.0)


def test_menu_comes_when_the_finger_goes_or_is_long() -> None:
    """At the latest 0.6 s after it came; nothing is shown at the labels of the other two meanwhile."""
    presses = Presses()
    assert presses.feed([Edge(1.0, "menu", True)], 1.3) == []
    assert presses.felt(1.3) == (None, 0.0)
    assert presses.feed([], 1.61) == [MENU]
    assert presses.feed([Edge(2.0, "menu", False)], 9.0) == []


def test_a_stuck_menu_button_is_named() -> None:
    """After ten seconds, alone; BANK goes on working beside it."""
    presses = Presses()
    presses.feed([Edge(1.0, "menu", True)], 2.0)
    assert presses.stuck(1.0 + STUCK_S) == ()
    assert presses.stuck(1.1 + STUCK_S) == ("menu",)
    edges = [Edge(20.0, "bank", True), Edge(20.1, "bank", False)]
    assert presses.feed(edges, 21.0) == [Press("bank")]


@pytest.mark.parametrize("first", ["bank", "hold"])
def test_both_held_counts_from_the_later_one(first: str) -> None:
    """Up to the moment when one of them is let go; together they are no press."""
    second = "hold" if first == "bank" else "bank"
    presses = Presses()
    begun = [Edge(1.0, first, True), Edge(1.05, second, True)]  # type: ignore[arg-type]  # a parameter of the test
    assert presses.feed(begun, 3.0) == []
    assert presses.both_held_s(3.05) == pytest.approx(2.0)
    assert presses.feed([replace(begun[0], time_s=4.0, down=False)], 4.1) == []
    assert presses.both_held_s(4.1) == 0.0


def test_both_held_is_never_more_than_either() -> None:
    """Also where one button has had its say before: HOLD long, then BANK beside it."""
    presses = Presses()
    presses.feed([Edge(1.0, "hold", True)], 2.0)
    presses.feed([Edge(3.0, "bank", True)], 5.0)
    times = [presses.both_held_s(now_s) for now_s in (3.0, 4.0, 6.0)]
    assert [round(after - before, 6) for before, after in pairwise(times)] == [1.0, 2.0]
