"""Simulated dice thrown from the page: once for each throw that is due, however many tap, and never for a later one."""

from concurrent.futures import Future
from random import Random

import pytest
from world_table import WorldTable

from tabletop.cli.wiring.keyboard import HandsAtKeys
from tabletop.core.ports import Press
from tabletop.dialogs.commands import ACCEPTED, BUSY, STALE, Inbox, Result
from tabletop.dialogs.decisions import ThrowDice
from tabletop.rules import Match
from tools.room.room import Room
from tools.room.world import RoomWorld


class PageTable(WorldTable):
    """Pig at simulated dice, which nobody throws but from the page."""

    def __init__(self) -> None:
        world = RoomWorld(1, chance=Random(3), room=Room(noise=0.0), fps=10.0)
        self.keys, self.inbox = HandsAtKeys(None, world, world.tray.buttons), Inbox(lambda: world.now_s)
        super().__init__(world, Match("pig", ("Ann", "Ben")), handlers=self.keys.handlers, inbox=self.inbox)

    def wait(self, seconds: float) -> None:
        """Let the table go on, with hands that look at it."""
        end_s = self.world.now_s + seconds
        while self.world.now_s < end_s:
            self.frame()
            self.keys.obey(self.session, self.shown, 0.0)

    def throw(self, asked: int) -> Future[Result]:
        """Tap on "throw", having seen this question."""
        return self.inbox.put(ThrowDice(), asked)


@pytest.fixture
def table() -> PageTable:
    """Return a table at which nothing was thrown yet."""
    return PageTable()


@pytest.mark.parametrize("later_s", [0.0, 0.2, 0.8])
def test_two_taps_are_one_throw(table: PageTable, later_s: float) -> None:
    """A double tap, and two devices at once, also while the dice fly; once they are read the second tap is stale."""
    asks = table.shown.question_number
    first = table.throw(asks)
    table.wait(later_s)
    second = table.throw(asks)
    table.wait(3.0)
    third = table.throw(asks)
    table.wait(0.2)
    assert [one.result(0) for one in (first, second, third)] == [ACCEPTED, BUSY, STALE]
    assert len(table.throws) == 1


def test_who_saw_what_was_thrown_may_roll_on(table: PageTable) -> None:
    """As with the key: the dice say it."""
    table.throw(table.shown.question_number)
    table.wait(3.0)
    again = table.throw(table.shown.question_number)
    table.wait(3.0)
    assert again.result(0) == ACCEPTED
    assert len(table.throws) == 2


def test_what_else_changes_does_not_make_a_throw_stale(table: PageTable) -> None:
    """Paused and on again, the same throw is due."""
    asks = table.shown.question_number
    for _ in range(2):
        table.inbox.put(Press("hold"))
        table.wait(0.2)
    assert table.shown.question_number > asks
    thrown = table.throw(asks)
    table.wait(0.2)
    assert thrown.result(0) == ACCEPTED
