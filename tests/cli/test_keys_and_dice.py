"""Keys, and taps on the page, as hands at simulated dice: one throw for each that is due, none too early or twice."""

from collections import Counter
from concurrent.futures import Future
from itertools import compress
from random import Random

import pytest
from _pytest.mark import ParameterSet
from world_table import WorldTable

from tabletop.cli.wiring.keyboard import SETTLES_S, HandsAtKeys
from tabletop.core.ports import Press
from tabletop.dialogs.commands import ACCEPTED, BUSY, STALE, Inbox, Result, ThrowDice
from tabletop.rules import Keep, Match
from tabletop.rules.catalog import game_ids
from tabletop.simulator.hands import TrayWithHands
from tabletop.views.terminal.view import Key

QUICK = ("ten-thousand",)
PLAYERS = ("Ann", "Ben", "Cleo")
PRESSES = 60
ANSWERS = 6  # throws of a match that are looked at
LONGEST_S = 12.0  # for a throw, with dice that must be nudged


class KeysTable(WorldTable):
    """A table at which people have keys only."""

    def __init__(self, game: str, seed: int) -> None:
        match = Match(game, PLAYERS)
        tray = TrayWithHands(match.game.dice, chance=Random(seed), fps=10.0)
        super().__init__(tray, match)
        self.keys = HandsAtKeys(None, tray)

    def type(self, *actions: str) -> None:
        for action in actions:
            face = int(action) if action.isdigit() else 0
            self.keys.do(Key("aside" if face else action, face), self.session, self.shown)  # type: ignore[arg-type]  # an action

    def throw(self) -> bool:
        """Press `t`, and what a player presses when the dice are not taken; return whether a throw was taken."""
        taken, until_s = len(self.throws), self.world.now_s + LONGEST_S
        self.type("throw")
        while len(self.throws) == taken and self.world.now_s < until_s:
            self.run(0.1)
            self.keys.obey(self.session, self.shown, 0.0)
            if self.shown.hint and not self.world.busy and self.shown.reading and self.shown.reading.unsure:
                self.type("nudge")
        self.run(0.4)
        return len(self.throws) > taken


def test_leaning_on_t_is_one_throw() -> None:
    """The key repeats until the throw is taken: one is thrown, and no other waits behind it."""
    table = KeysTable("ten-thousand", 3)
    while not table.throws:
        table.type("throw")
        table.keys.obey(table.session, table.shown, 0.0)
        table.run(0.1)
    table.run(3.0)
    assert len(table.throws) == 1
    assert not table.world.busy


@pytest.mark.parametrize("key", ["bank", "hold", "nudge"])
def test_leaning_on_another_key_is_over_soon_after(key: str) -> None:
    """Two seconds after the key was let go nothing is pressed or pushed any more."""
    table = KeysTable("ten-thousand", 3)
    assert table.throw()
    for _ in range(PRESSES):
        table.type(key)
        table.run(2 / PRESSES)
    table.run(2.0)
    assert not table.world.busy
    assert not table.tray.buttons.edges()
    assert table.tray.buttons.ahead_s <= 0


def test_dice_set_aside_by_hand_are_thrown_without_waiting() -> None:
    """`15t` in one go, over another part that HOLD has led to: what hands did last counts."""
    table = KeysTable("ten-thousand", 3)
    table.tray.throw(faces=(1, 5, 2, 2, 3, 6))
    table.run()
    (thrown,) = table.throws
    shown = table.press("hold")
    face = next(face for face in (1, 5) if shown.answers[0] != Keep((face,)))
    table.type(str(face))
    assert table.throw()
    keep = next(event.answer for event in table.session.match.events if isinstance(event.answer, Keep))
    assert keep.faces == (face,)
    assert len(table.throws[-1]) == len(thrown) - 1


def keeping_games() -> list[ParameterSet]:
    games = list[ParameterSet]()
    for game in game_ids():
        match, chance = Match(game, PLAYERS), Random(1)
        while match.request.kind == "roll" and isinstance(match.request.dice, int) and len(match.log) < ANSWERS:
            match.throw([chance.randint(1, 6) for _ in range(match.request.dice)])
        if match.request.kind == "keep" and len(match.request.legal) > 1:
            games.append(pytest.param(game, marks=() if game in QUICK else pytest.mark.slow))
    return games


@pytest.mark.parametrize("game", keeping_games())
def test_t_throws_what_is_not_shown_as_kept(game: str) -> None:
    """The dice that lie aside and those thrown are all dice, whatever HOLD or a BANK that keeps has led to."""
    table, chance = KeysTable(game, 5), Random(2)
    looked_at = 0
    for _ in range(ANSWERS):
        request, shown = table.session.match.request, table.shown
        if request.kind == "over" or (request.kind == "roll" and not table.throw()):
            break
        if request.kind != "keep":
            if request.kind != "roll":
                table.press("bank")
            continue
        for _ in range(chance.randint(0, 2)):
            shown = table.press("hold")
        if not (shown.answers and isinstance(shown.answers[0], Keep)):
            continue
        part, kept = shown.answers[0], Counter(compress(shown.thrown, shown.kept))
        before = len(table.session.match.events)
        table.run(SETTLES_S)  # a throw that looks as the one before is refused as too fast until then
        if not table.throw():
            table.press("bank")  # nothing is thrown after this part
            asked = table.session.match.request
            assert (asked.kind, asked.player) != ("roll", request.player), part
            looked_at += 1
            continue
        new = [event.answer for event in table.session.match.events[before:]]
        assert new[0] == part
        if kept.total() < len(shown.thrown):
            assert kept.total() + len(table.throws[-1]) == len(shown.thrown)
            assert Counter(face for _, face in table.tray.aside) == kept
        looked_at += 1
    assert looked_at


class PageTable(WorldTable):
    """Pig at simulated dice, which nobody throws but from the page."""

    def __init__(self) -> None:
        tray = TrayWithHands(1, chance=Random(3), fps=10.0)
        self.keys, self.inbox = HandsAtKeys(None, tray), Inbox(lambda: tray.now_s)
        super().__init__(tray, Match("pig", ("Ann", "Ben")), handlers=self.keys.handlers, inbox=self.inbox)

    def wait(self, seconds: float) -> None:
        end_s = self.world.now_s + seconds
        while self.world.now_s < end_s:
            self.frame()
            self.keys.obey(self.session, self.shown, 0.0)

    def throw(self, asked: int) -> Future[Result]:
        """Tap on "throw", having seen this question."""
        return self.inbox.put(ThrowDice(), asked)


@pytest.fixture
def table() -> PageTable:
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
