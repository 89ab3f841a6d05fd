"""From chattering edges of two or three buttons to presses: exactly those that somebody meant, whenever we look."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from math import inf
from random import Random

import pytest
from fingers import MS, REPEAT, SEEDS, Finger, burst, chattering, contact, meant, one_hand
from hypothesis import assume, given
from hypothesis import strategies as st

from tabletop.core.ports import BUTTON_NAMES, ButtonName, ContactName, Edge, Press
from tabletop.input.presses import STUCK_S, Presses

TELL_S = 0.02  # a short press is told so soon after the finger has gone

BANK, BANK_LONG = Press("bank"), Press("bank", long=True)
MENU = Press("hold", long=True, menu=True)
HOLD, HOLD_LONG, AGAIN = Press("hold"), Press("hold", long=True), Press("hold", long=True, repeat=True)


def told(edges: Sequence[Edge], looks: Sequence[float]) -> list[tuple[float, Press]]:
    """Ask at these times, as a loop does; return what was told, and when."""
    presses, found, waiting = Presses(), [], list(edges)
    for now_s in looks:
        due = [edge for edge in waiting if edge.time_s <= now_s]
        waiting = [edge for edge in waiting if edge.time_s > now_s]
        found += [(now_s, press) for press in presses.feed(due, now_s)]
    return found


def edges_of(button: ButtonName, *times: float) -> list[Edge]:
    """Return the edges of a clean contact: closing, opening, closing, ..."""
    return [Edge(time_s, button, count % 2 == 0) for count, time_s in enumerate(times)]


def only(button: ButtonName, found: Sequence[tuple[float, Press]]) -> list[Press]:
    return [press for _, press in found if press.button == button]


@given(one_hand("bank"), one_hand("hold"), SEEDS, st.lists(st.floats(0.0, 20.0), max_size=40))
def test_chatter_changes_nothing(bank: list[Finger], hold: list[Finger], seed: int, looks: list[float]) -> None:
    """Each press meant is told once, as short or long as it was, however seldom one looks, two hands together too."""
    fingers = [*bank, *hold]
    found = told(chattering(fingers, seed), [*sorted(looks), 100.0])
    for button in BUTTON_NAMES:
        assert only(button, found) == [press for _, press in meant(fingers) if press.button == button]


@given(one_hand("bank"), one_hand("hold"), SEEDS)
def test_presses_are_told_in_time(bank: list[Finger], hold: list[Finger], seed: int) -> None:
    """A short press when the finger goes, a long one 0.6 s after it came, and its repeats five times a second."""
    fingers = [*bank, *hold]
    edges = chattering(fingers, seed)
    found = told(edges, [count * 0.002 for count in range(int((edges[-1].time_s if edges else 0.0) * 500) + 50)])
    for button in BUTTON_NAMES:
        times = [time_s for time_s, press in found if press.button == button]
        clear = [time / (1000 * MS) for time, press in meant(fingers) if press.button == button]
        for time_s, earliest_s in zip(times, clear, strict=True):
            assert earliest_s <= time_s <= earliest_s + TELL_S + 0.002  # somebody looks every 2 ms
    assert [press for _, press in told(edges, [100.0])] == [press for _, press in found]


def late(edges: Sequence[Edge], most_s: float, chance: Random) -> list[Press]:
    """Return what is told where each edge has its true time but is handed on later, those of one look in any order."""
    arrivals = accumulate((edge.time_s + chance.uniform(0.0, most_s) for edge in edges), max)
    waiting = list(zip(arrivals, edges, strict=True))
    presses, found, now_s = Presses(), list[Press](), 0.0
    while waiting or presses.busy:
        now_s += chance.uniform(0.001, 0.02)
        here = [edge for at_s, edge in waiting if at_s <= now_s]
        waiting = waiting[len(here) :]
        chance.shuffle(here)
        found += presses.feed(here, now_s)
    return found


@given(st.sampled_from(BUTTON_NAMES).flatmap(one_hand), SEEDS)
def test_edges_that_come_a_little_late_change_nothing(fingers: list[Finger], seed: int) -> None:
    """Each is handed on up to 3 ms late, and nobody lets go just before something is told."""
    assume(all((finger.up - finger.down) % REPEAT < 190 * MS for finger in fingers))
    assert late(chattering(fingers, seed), 0.003, Random(seed)) == [press for _, press in meant(fingers)]


@given(st.lists(st.integers(0, 5), max_size=6), SEEDS)
def test_a_late_end_of_chatter_is_no_press(releases: list[int], seed: int) -> None:
    """A finger that goes is one press, though the end of its chatter is handed on up to 30 ms late."""
    edges, chance = list[Edge](), Random(seed)
    for count, pairs in enumerate(releases):
        up_s = count + 0.2
        edges += edges_of("bank", float(count), up_s, *(up_s + after / 10_000 for after in burst(chance, pairs)))
    assert late(edges, 0.03, chance) == [BANK] * len(releases)


@given(one_hand("bank"), one_hand("hold"), SEEDS)
def test_edges_told_twice_change_nothing(bank: list[Finger], hold: list[Finger], seed: int) -> None:
    """The same edge again at once, and all of them again much later."""
    edges = chattering([*bank, *hold], seed)
    twice = [edge for edge in edges for _ in range(2)]
    assert told(twice, [100.0]) == told(edges, [100.0])
    presses = Presses()
    first = presses.feed(edges, 100.0)
    assert [(100.0, press) for press in first] == told(edges, [100.0])
    assert presses.feed(edges[:-1], 101.0) == []


@given(one_hand("bank"), one_hand("hold"), SEEDS, st.sets(st.integers(0, 80)), st.floats(20.0, 30.0))
def test_lost_edges_are_got_over(
    bank: list[Finger], hold: list[Finger], seed: int, lost: set[int], later_s: float
) -> None:
    """Whatever was lost, afterwards a tap is that tap; and never were there more presses than the contacts closed."""
    edges = [edge for count, edge in enumerate(chattering([*bank, *hold], seed)) if count not in lost]
    presses = Presses()
    found = presses.feed(edges, later_s)
    for button in BUTTON_NAMES:
        closings = sum(edge.down for edge in edges if edge.button == button)
        assert sum(press.button == button and not press.repeat for press in found) <= closings
    for button in BUTTON_NAMES:
        later_s += 20.0
        assert presses.feed([], later_s - 1.0).count(Press(button)) == 0
        assert presses.feed(edges_of(button, later_s, later_s + 0.1), later_s + 1.0) == [Press(button)]


@given(st.lists(st.tuples(st.floats(0.0, 2.0), st.sampled_from(BUTTON_NAMES), st.booleans()), max_size=40))
def test_any_edges_are_survived(changes: list[tuple[float, ButtonName, bool]]) -> None:
    """Noise makes no press without a closing, and no more presses than closings."""
    edges = [Edge(*change) for change in changes]
    found = told(edges, [1.0, 1.0, 100.0])
    for button in BUTTON_NAMES:
        closings = sum(edge.down for edge in edges if edge.button == button)
        assert sum(press.button == button and not press.repeat for _, press in found) <= closings


@given(st.integers(0, 5), SEEDS, st.booleans(), st.floats(0.1, 60.0))
def test_a_button_held_at_the_start_is_no_press(pairs: int, seed: int, known: bool, first_s: float) -> None:
    """Whether the device tells that it was closed before or not: its contact opens, chattering; the next one counts."""
    times = [first_s, *(first_s + after / (1000 * MS) for after in burst(Random(seed), pairs))]
    edges = [Edge(time_s, "hold", count % 2 == 1) for count, time_s in enumerate(times)]
    presses = Presses()
    assert presses.feed([Edge(-inf, "hold", down=True)] if known else [], 0.0) == []
    assert presses.felt(0.05) == (None, 0.0)
    assert presses.feed(edges, first_s + 0.05) == []
    assert presses.held_s("hold", first_s + 0.05) == 0.0
    assert presses.feed(edges_of("hold", first_s + 0.1, first_s + 0.2), first_s + 1.0) == [HOLD]


def test_a_button_held_for_ever_from_the_start_is_stuck_or_silent() -> None:
    """Told by its device it is named after ten seconds; without any edge it is silent. The other button works."""
    presses = Presses()
    assert presses.feed([Edge(-inf, "hold", down=True)], 5.0) == []
    assert presses.feed(edges_of("bank", 6.0, 6.1), 7.0) == [BANK]
    assert presses.stuck(14.0) == ()
    assert presses.stuck(15.5) == ("hold",)
    assert not presses.busy
    assert presses.feed(edges_of("bank", 61.0, 62.0), 63.0) == [BANK_LONG]
    assert Presses().feed([], 60.0) == []


def test_a_long_press_is_told_while_it_is_held() -> None:
    """At 0.6 s, not before, and not again when the button goes up; held_s tells the way there."""
    presses = Presses()
    assert presses.feed([Edge(1.0, "bank", down=True)], 1.59) == []
    assert presses.held_s("bank", 1.59) == pytest.approx(0.59)
    assert presses.held_s("hold", 1.59) == 0.0
    assert presses.feed([], 1.6) == [BANK_LONG]
    assert presses.feed([], 3.0) == []
    assert presses.feed([Edge(3.0, "bank", down=False)], 4.0) == []
    assert presses.held_s("bank", 4.0) == 0.0


def test_a_finger_is_felt_at_once() -> None:
    """The very first edge counts as down, so that the screen can answer before the chatter is over."""
    presses = Presses()
    assert presses.felt(0.9) == (None, 0.0)
    presses.feed([Edge(1.0, "hold", down=True)], 1.001)
    button, part = presses.felt(1.001)
    assert (button, round(part, 3)) == ("hold", 0.002)
    presses.feed([], 1.3)
    assert [presses.felt(1.3)[0], round(presses.felt(1.3)[1], 6)] == ["hold", 0.5]
    presses.feed([], 2.0)
    assert presses.felt(2.0) == ("hold", 1.0)
    presses.feed([Edge(2.0, "hold", down=False)], 2.1)
    assert presses.felt(2.1) == (None, 0.0)


def test_busy_tells_whether_something_happens_without_an_edge() -> None:
    """From the first edge until the press is told and its chatter is over; not for a button that is stuck."""
    edges = (Edge(1.0, "hold", down=True), Edge(1.3, "hold", down=False), Edge(2.0, "hold", down=True))
    presses, busy = Presses(), []
    for now_s in (0.5, 1.001, 1.2, 1.301, 1.4, 2.1, 3.0, 11.7, 12.0, 500.0):
        presses.feed([edge for edge in edges if now_s - 0.3 < edge.time_s <= now_s], now_s)
        busy.append(presses.busy)
    assert busy == [False, True, True, True, False, True, True, True, False, False]


def test_a_tap_is_felt_long_enough_to_be_seen() -> None:
    """A tap of 20 ms is acknowledged for 0.1 s at least, and not for half a second."""
    presses = Presses()
    presses.feed(edges_of("bank", 1.0, 1.02), 1.05)
    assert presses.felt(1.1) == ("bank", 0.0)
    assert presses.felt(1.5) == (None, 0.0)


def test_what_gives_no_press_is_not_felt() -> None:
    presses = Presses()
    presses.feed([Edge(1.0, "hold", down=True), Edge(1.01, "bank", down=True)], 1.1)
    assert presses.felt(1.1)[0] == "bank"
    presses.feed([], 1.7)
    assert presses.felt(1.7) == (None, 0.0)
    presses = Presses()
    presses.feed([Edge(1.0, "hold", down=True)], 11.5)
    assert presses.felt(11.5) == (None, 0.0)


def level(button: ButtonName, *changes: tuple[float, bool]) -> list[Edge]:
    """Return what a contact says: when, and whether it is closed."""
    return [Edge(time_s, button, down) for time_s, down in changes]


BOUNCES = (0.0, 0.001, 0.004, 0.009, 0.012)
DOUBLE_CLICK = [
    (change_s + bounce, (number + count) % 2 == 0)
    for number, change_s in enumerate((0.0, 0.02, 0.04, 0.06))
    for count, bounce in enumerate(BOUNCES)
]


@pytest.mark.parametrize(
    ("edges", "presses"),
    [
        # a button held at the start opens for a moment under the finger, and is let go later: no press
        (level("hold", (1.0, False), (1.01, True), (9.0, False)), []),
        # a stuck HOLD stops after ten seconds, 46 lines later
        (level("hold", (0.0, True)), [HOLD_LONG, *[AGAIN] * 46]),
        # who takes a line with the other thumb still down takes the line that was there
        ([*edges_of("hold", 0.0, 3.0), *edges_of("bank", 1.05, 1.5)], [HOLD_LONG, AGAIN, AGAIN, BANK]),
        # two taps of 20 ms, 20 ms apart, with 12 ms of chatter at each change
        (level("bank", *DOUBLE_CLICK), [BANK, BANK]),
        # the second hand comes later, but before anything was told: no undo, no menu
        ([*edges_of("bank", 0.0, 3.0), *edges_of("hold", 0.4, 2.0)], []),
        # BANK goes down while HOLD is let go: quick fingers
        ([*edges_of("hold", 0.0, 0.2), *edges_of("bank", 0.15, 0.3)], [HOLD, BANK]),
        # two milliseconds open in the middle of a long press
        (edges_of("bank", 0.0, 0.3, 0.302, 1.0), [BANK_LONG]),
        # a late system: all edges of a tap bear nearly one time
        (edges_of("bank", 0.0, 0.002), [BANK]),
        (edges_of("bank", 0.0, 0.0), [BANK]),
        # closed, and closed again: it was open between, and the later closing is a press
        (level("bank", (0.0, True), (0.5, True), (0.7, False)), [BANK]),
        # a closing in the chatter of letting go: the opening before it was lost
        (level("bank", (0.0, True), (0.1, True), (0.105, False)), [BANK]),
        (level("bank", (0.0, True), (0.5, True), (0.505, False)), [BANK]),
        (level("bank", (0.0, True), (0.9, True), (0.905, False)), [BANK_LONG]),
    ],
)
@pytest.mark.parametrize("looks", [[1000.0], [0.4, 1.005, 5.0, 1000.0]])
def test_what_contacts_do_gives_these_presses(edges: list[Edge], presses: list[Press], looks: list[float]) -> None:
    assert [press for _, press in told(sorted(edges, key=lambda edge: edge.time_s), looks)] == presses


@pytest.mark.parametrize("held_s", [0.02, 0.3, 0.7, 5.0])
@pytest.mark.parametrize("apart_s", [0.001, 0.05, 0.099])
def test_both_at_once_are_no_press(held_s: float, apart_s: float) -> None:
    """A child leans on the box: nothing is banked, nothing undone, however long; each counts again afterwards."""
    edges = [*edges_of("hold", 1.0, 1.0 + held_s + apart_s), *edges_of("bank", 1.0 + apart_s, 1.0 + held_s + 0.11)]
    after = [*edges_of("bank", 9.0, 9.1), *edges_of("hold", 9.2, 9.3)]
    assert [press for _, press in told(sorted([*edges, *after], key=lambda edge: edge.time_s), [20.0])] == [BANK, HOLD]


@pytest.mark.parametrize(("stuck", "long"), [("bank", [BANK_LONG]), ("menu", [MENU])])
def test_a_stuck_button_is_named_and_the_others_work(stuck: ContactName, long: list[Press]) -> None:
    presses = Presses()
    assert presses.feed([Edge(0.0, stuck, down=True)], 9.0) == long
    assert presses.stuck(STUCK_S) == ()
    assert presses.stuck(STUCK_S + 0.1) == (stuck,)
    assert presses.feed(edges_of("hold", 11.0, 11.1), 12.0) == [HOLD]
    assert presses.feed(edges_of("hold", 12.0, 12.7), 13.0) == [HOLD_LONG]
    assert presses.feed([Edge(13.0, stuck, down=False)], 14.0) == []
    assert presses.stuck(30.0) == ()
    assert presses.feed(edges_of("bank", 31.0, 31.1), 32.0) == [BANK]


def test_what_is_forgotten_is_no_press() -> None:
    """The finger that woke the screen has done its work, however long it stays; the next one counts."""
    presses = Presses()
    presses.feed([Edge(0.0, "hold", down=True)], 0.01)
    presses.forget()
    assert presses.felt(0.02) == (None, 0.0)
    assert presses.feed([Edge(2.0, "hold", down=False)], 3.0) == []
    assert presses.feed(edges_of("hold", 4.0, 4.1), 5.0) == [HOLD]
    presses.feed(edges_of("bank", 6.0, 6.02), 6.03)
    presses.forget()
    assert presses.feed([], 7.0) == []


def test_the_contacts_of_this_test_do_chatter() -> None:
    """The helper that makes a bad contact changes the level each time, in order, and begins and ends as the finger."""
    finger, gaps = Finger("bank", 1000, 9000), 0
    for seed in range(50):
        edges = contact(finger, Random(seed))
        assert (edges[0].time_s, edges[0].down, edges[-1].down) == (0.1, True, False)
        assert all(before.down != after.down and before.time_s <= after.time_s for before, after in pairwise(edges))
        assert 0.9 <= edges[-1].time_s <= 0.912
        gaps += any(0.115 <= edge.time_s < 0.9 for edge in edges)
    assert 20 < gaps < 50


def test_the_oracle_of_this_test_says_what_people_were_told() -> None:
    """A tap, a long press with two repeats, two at once, quick fingers."""
    a_tap, held = Finger("bank", 0, 200 * MS), Finger("hold", 1000 * MS, 2100 * MS)
    assert [press for _, press in meant([a_tap, held])] == [BANK, HOLD_LONG, AGAIN, AGAIN]
    assert meant([Finger("bank", 0, 900 * MS), Finger("hold", 50 * MS, 120 * MS)]) == []
    quick = [Finger("bank", 0, 300 * MS), Finger("hold", 250 * MS, 400 * MS)]
    assert meant(quick) == [(300 * MS, BANK), (400 * MS, HOLD)]


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
