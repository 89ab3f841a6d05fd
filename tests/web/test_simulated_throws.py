"""Simulated dice thrown from the page: once for each throw that is due, however many tap, and never for a later one."""

from dataclasses import replace

import pytest

from tabletop.views.snapshot import MatchRecord, Snapshot
from tabletop.web.actions import SETTLES_S, Actions, Outcome
from tabletop.web.page_buttons import PageButtons

TICK_S = 0.05
FLIES_S = 1.2


class SimulatedTable:
    """A page before simulated dice, and a hand that throws them as soon as it is told."""

    def __init__(self) -> None:
        self.now_s, self.lands_s, self.throws = 10.0, 0.0, 0
        self.actions = Actions(PageButtons(lambda: self.now_s), simulated=True, asks=500)
        self.shown = snapshot(0)
        self.run(TICK_S)

    def run(self, seconds: float) -> None:
        """Let the table go on."""
        end_s = self.now_s + seconds
        while self.now_s < end_s:
            self.now_s += TICK_S
            if self.actions.thrown(rolls=self.now_s < self.lands_s):
                self.throws, self.lands_s = self.throws + 1, self.now_s + FLIES_S
            self.actions.see(self.shown, self.now_s)


def snapshot(entries: int) -> Snapshot:
    """Return what is shown when so much stands in the log."""
    record = MatchRecord(1, entries, "pig", ("Ann", "Ben"), {}, (), (), {})
    return Snapshot("Pig", ("Ann", "Ben"), (0, 0), "Ann", "throw one die", number=1, record=record)


@pytest.fixture
def table() -> SimulatedTable:
    """Return a table at which nothing was thrown yet."""
    return SimulatedTable()


@pytest.mark.parametrize("later_s", [0.0, 0.2, 0.9, FLIES_S + 0.3])
def test_two_taps_are_one_throw(table: SimulatedTable, later_s: float) -> None:
    """A double tap, and two devices at once: the second is told, also while the dice fly and until they are read."""
    asks = table.actions.asks
    assert table.actions.throw(asks) == Outcome.DONE
    table.run(later_s)
    assert table.actions.throw(asks) == Outcome.FLOOD  # which is said as "too fast"
    table.run(5.0)
    assert table.throws == 1


def test_a_late_tap_does_not_roll_on(table: SimulatedTable) -> None:
    """What was thrown is read by now, and another throw would stake it: only who saw that can mean it."""
    asks = table.actions.asks
    table.actions.throw(asks)
    table.run(FLIES_S + 0.3)
    table.shown = replace(snapshot(1), ask="roll or bank?", at_stake=4)
    table.run(TICK_S)
    assert table.actions.throw(asks) == Outcome.LATE
    assert table.actions.throw(table.actions.asks) == Outcome.DONE
    table.run(TICK_S)
    assert table.throws == 2


def test_what_could_not_be_read_is_thrown_again(table: SimulatedTable) -> None:
    """At once where something is said about the dice, else after a moment; who has not seen it named the same throw."""
    for said in ("a die leans", ""):
        assert table.actions.throw(table.actions.asks) == Outcome.DONE
        table.run(FLIES_S + 2 * TICK_S)
        table.shown = replace(table.shown, hint=said)
        table.run(TICK_S if said else SETTLES_S + TICK_S)
    assert table.actions.throw(table.actions.asks) == Outcome.DONE


def test_what_else_changes_does_not_make_a_throw_late(table: SimulatedTable) -> None:
    """Paused and on again, the same throw is due."""
    asks = table.actions.asks
    for paused in (True, False):
        table.shown = replace(table.shown, paused=paused)
        table.run(TICK_S)
    assert table.actions.asks > asks
    assert table.actions.throw(asks) == Outcome.DONE


def test_a_question_of_before_a_restart_throws_nothing(table: SimulatedTable) -> None:
    """Numbers begin elsewhere at each start."""
    assert [table.actions.throw(asks) for asks in (0, 499, 10**6)] == [Outcome.LATE] * 3
