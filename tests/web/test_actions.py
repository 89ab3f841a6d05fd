"""Taps on the page go the way of real buttons: the same presses, the same menus, never past what is asked."""

from collections.abc import Callable, Sequence

import pytest
from people import People, pig_at

from tabletop.core.ports import Edge, Press
from tabletop.input.presses import Presses
from tabletop.session.table_loop import TableLoop
from tabletop.views.screen_care import OFF_AFTER_S
from tabletop.views.snapshot import Entry, MenuView, Snapshot, Spelling
from tabletop.web.actions import Actions, Outcome
from tabletop.web.page_buttons import MOST_AHEAD_S, PageButtons
from tabletop.web.payload import still

TICK_S = 0.02


class Clock:
    """A time that somebody moves on."""

    now_s = 10.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    """Return a clock at ten seconds."""
    return Clock()


def presses(buttons: PageButtons, clock: Clock, seconds: float) -> list[Press]:
    """Return the presses of so many seconds."""
    felt, found = Presses(), list[Press]()
    end_s = clock.now_s + seconds
    while clock.now_s < end_s:
        clock.now_s += TICK_S
        found += felt.feed(buttons.edges(), clock.now_s)
    return found


# The buttons


def test_taps_are_presses(clock: Clock) -> None:
    """Taps made at once come one after the other, short ones short and long ones long, and nothing is repeated."""
    buttons = PageButtons(clock)
    for button, long in (("hold", False), ("hold", False), ("bank", False), ("hold", True), ("bank", True)):
        assert buttons.press(button, long=long)  # type: ignore[arg-type]  # names of buttons
    wanted = [Press("hold"), Press("hold"), Press("bank"), Press("hold", long=True), Press("bank", long=True)]
    assert presses(buttons, clock, 5.0) == wanted


@pytest.mark.parametrize("button", ["bank", "hold"])
def test_a_long_press_counts_at_once(clock: Clock, button: str) -> None:
    """Nobody waits for a finger that has gone already."""
    buttons = PageButtons(clock)
    buttons.press(button, long=True)  # type: ignore[arg-type]  # the same
    assert presses(buttons, clock, 0.1) == [Press(button, long=True)]  # type: ignore[arg-type]  # the same


def test_a_flood_is_refused(clock: Clock) -> None:
    """Only as many presses wait as are soon done; what is refused is not pressed."""
    buttons = PageButtons(clock)
    taken = sum(buttons.press("hold") for _ in range(500))
    assert 0 < taken < 50
    assert len(presses(buttons, clock, 3 * MOST_AHEAD_S)) == taken
    assert buttons.press("hold")


def test_who_waits_is_woken(clock: Clock) -> None:
    """The loop need not look all the time; closed buttons forget what nobody fetched."""
    buttons, calls = PageButtons(clock), list[int]()
    buttons.listen(lambda: calls.append(1))
    buttons.press("bank")
    assert calls == [1]
    buttons.close()
    clock.now_s += 1.0
    assert buttons.edges() == []


# At a table


class PageTable:
    """A live table whose only buttons are those of the page."""

    def __init__(self, people: People) -> None:
        self.people = people
        self.buttons = PageButtons(lambda: people.now_s)
        self.actions = Actions(self.buttons)
        buttons, handlers = [self.buttons], people.matches.handlers
        people.table = TableLoop(people.camera_thread, buttons, handlers, people.start, lit=buttons)
        people.table.begin(None)
        self.shown = Snapshot()
        self.run(TICK_S)

    def run(self, seconds: float) -> Snapshot:
        """Let the table go on."""
        end_s = self.people.now_s + seconds
        while self.people.now_s < end_s:
            self.people.now_s += TICK_S
            self.shown = self.people.table.tick(self.people.now_s)
            self.actions.see(still(self.shown), self.people.now_s)
        return self.shown

    def press(self, button: str, *, long: bool = False) -> Outcome:
        """Press as somebody does who sees what is shown now; then see what came of it."""
        outcome = self.actions.press(button, self.actions.asks, long=long)  # type: ignore[arg-type]  # the same
        self.run(0.8 if long else 0.3)
        return outcome

    def take(self, label: str) -> Outcome:
        """Take a line of the menu."""
        assert self.shown.menu is not None
        outcome = self.actions.take(self.shown.menu.items.index(label), self.actions.asks)
        self.run(2.0)
        return outcome


@pytest.fixture
def at_page(people: People) -> PageTable:
    """Sit down with a page and no other button."""
    return PageTable(people)


def test_a_turn_of_pig(at_page: PageTable) -> None:
    """BANK banks what was thrown, a long BANK asks what to take back, a long HOLD opens the menu."""
    pig_at(at_page.people, 4)
    at_page.run(0.1)
    assert at_page.shown.at_stake == 4
    assert at_page.press("bank") == Outcome.DONE
    assert at_page.shown.scores == (4, 0)
    assert at_page.press("bank", long=True) == Outcome.DONE
    assert at_page.shown.menu is not None
    assert at_page.press("bank", long=True) == Outcome.DONE
    assert at_page.press("hold", long=True) == Outcome.DONE
    assert at_page.shown.menu is not None
    assert at_page.shown.menu.title == "Menu"


def test_a_line_is_taken_by_tapping_it(at_page: PageTable) -> None:
    """HOLD steps to it and BANK takes it, backwards round the end of the list as well."""
    pig_at(at_page.people, 4)
    at_page.run(0.1)
    at_page.press("hold", long=True)
    assert at_page.take("scores") == Outcome.DONE
    assert at_page.shown.menu is not None
    assert at_page.shown.menu.title != "Menu"
    at_page.press("bank", long=True)
    assert at_page.take("play on") == Outcome.DONE
    assert at_page.shown.menu is None


def test_one_of_two_wins(at_page: PageTable) -> None:
    """Two devices press BANK for the same question: the second is told, and one turn is banked."""
    pig_at(at_page.people, 4)
    at_page.run(0.1)
    asks = at_page.actions.asks
    assert at_page.actions.press("bank", asks) == Outcome.DONE
    assert at_page.actions.press("bank", asks) == Outcome.LATE
    at_page.run(0.03)
    assert at_page.actions.press("bank", asks) == Outcome.LATE
    at_page.run(0.5)
    assert at_page.actions.press("bank", asks) == Outcome.LATE
    at_page.run(0.5)
    assert at_page.shown.scores == (4, 0)
    assert at_page.shown.asked == "Ben"


def test_two_who_hold_do_not_roll_on(at_page: PageTable) -> None:
    """HOLD asks again before it rolls on, and the second HOLD says so: that has to be meant, by somebody who saw it."""
    pig_at(at_page.people, 4)
    at_page.run(0.1)
    asks = at_page.actions.asks
    assert at_page.actions.press("hold", asks) == Outcome.DONE
    assert at_page.actions.press("hold", asks) == Outcome.LATE
    at_page.run(0.5)
    assert at_page.actions.press("hold", asks) == Outcome.LATE
    at_page.run(0.5)
    assert (at_page.shown.at_stake, at_page.shown.ask) == (4, "roll or bank?")
    assert at_page.press("hold") == Outcome.DONE
    assert at_page.shown.ask == "throw one die"


def test_a_late_hold_pauses_nobody(at_page: PageTable) -> None:
    """Meant to roll on, it comes when the turn has passed, where HOLD would pause the match."""
    pig_at(at_page.people, 4)
    at_page.run(0.1)
    asks = at_page.actions.asks
    at_page.press("bank")
    assert at_page.actions.press("hold", asks) == Outcome.LATE
    at_page.run(0.3)
    assert (at_page.shown.asked, at_page.shown.paused) == ("Ben", False)


def test_a_press_that_changes_nothing_does_not_lock_bank(at_page: PageTable) -> None:
    """BANK that only says whose throw is due can be pressed again."""
    pig_at(at_page.people)
    at_page.run(0.1)
    assert [at_page.press("bank") for _ in range(3)] == [Outcome.DONE] * 3


def test_a_press_counts_while_the_display_is_dark(at_page: PageTable) -> None:
    """The display is off after an hour, but whoever presses here sees the page: BANK banks."""
    pig_at(at_page.people, 4)
    at_page.run(0.1)
    at_page.people.now_s += OFF_AFTER_S
    at_page.run(0.1)
    assert at_page.people.table.care.light(at_page.people.now_s) == "off"
    at_page.press("bank")
    assert at_page.shown.scores == (4, 0)
    assert at_page.people.table.care.light(at_page.people.now_s) == "full"


# Lists


def seen(actions: Actions, clock: Clock, snapshot: Snapshot) -> Sequence[Edge]:
    """Show a snapshot when all presses have had their effect; return the edges since."""
    clock.now_s += 0.5
    actions.see(snapshot, clock.now_s)
    clock.now_s += 0.05
    return [edge for edge in actions.buttons.edges() if edge.down]


LISTS: list[tuple[Callable[[int], Snapshot], int]] = [
    (lambda at: Snapshot(menu=MenuView("Which?", ("a", "b", "c", "d"), at)), 4),
    (lambda at: Snapshot(spelling=Spelling("Name?", "An", ("a", "b", "n", "done"), at)), 4),
    (lambda at: Snapshot(entry=Entry("Ann", (3,), 5, at)), 7),
]


@pytest.mark.parametrize(("made", "length"), LISTS, ids=["menu", "letters", "faces"])
def test_hold_steps_until_the_line_is_there(clock: Clock, made: Callable[[int], Snapshot], length: int) -> None:
    """One HOLD, a look, one more, and BANK only where the wish is."""
    actions = Actions(PageButtons(clock))
    seen(actions, clock, made(3))
    assert actions.take(1, actions.asks) == Outcome.DONE
    wanted = [*range(3, length), 0]
    for at in wanted:
        assert [edge.button for edge in seen(actions, clock, made(at))] == ["hold"]
    assert [edge.button for edge in seen(actions, clock, made(1))] == ["bank"]
    assert seen(actions, clock, made(1)) == []


def test_steps_may_be_quicker_than_what_is_seen(clock: Clock) -> None:
    """HOLD that steps on names the list, wherever it has come to since; of another list it is late."""
    actions = Actions(PageButtons(clock))
    seen(actions, clock, Snapshot(menu=MenuView("Which?", ("a", "b", "c"))))
    asks = actions.asks
    for at in (1, 2):
        assert [actions.press("hold", asks), actions.press("hold", asks)] == [Outcome.DONE] * 2
        seen(actions, clock, Snapshot(menu=MenuView("Which?", ("a", "b", "c"), at)))
    seen(actions, clock, Snapshot(menu=MenuView("Really?", ("a", "b", "c"), 2)))
    assert actions.press("hold", asks) == Outcome.LATE
    assert actions.press("hold", actions.asks + 1) == Outcome.LATE


def test_nothing_is_taken_from_another_list(clock: Clock) -> None:
    """If the list changes on the way, the wish is dropped; BANK of somebody else is refused meanwhile."""
    actions = Actions(PageButtons(clock))
    seen(actions, clock, Snapshot(menu=MenuView("Which?", ("a", "b", "c"))))
    actions.take(2, actions.asks)
    assert actions.press("bank", actions.asks) == Outcome.LATE
    assert len(seen(actions, clock, Snapshot(menu=MenuView("Which?", ("a", "b", "c"))))) == 1
    assert seen(actions, clock, Snapshot(menu=MenuView("Really?", ("a", "b", "c"), 2))) == []
    assert seen(actions, clock, Snapshot(menu=MenuView("Which?", ("a", "b", "c"), 2))) == []


def test_a_list_that_does_not_step_is_given_up(clock: Clock) -> None:
    """HOLD is not pressed for ever."""
    actions = Actions(PageButtons(clock))
    stuck = Snapshot(menu=MenuView("Which?", ("a", "b", "c")))
    seen(actions, clock, stuck)
    actions.take(2, actions.asks)
    assert sum(len(seen(actions, clock, stuck)) for _ in range(20)) == 3


def test_what_is_not_there_cannot_be_taken(clock: Clock) -> None:
    """No line beyond the list, none without a list, no throw of real dice."""
    actions = Actions(PageButtons(clock))
    seen(actions, clock, Snapshot(menu=MenuView("Which?", ("a", "b"))))
    assert [actions.take(at, actions.asks) for at in (-1, 2)] == [Outcome.UNKNOWN] * 2
    seen(actions, clock, Snapshot("Pig", ("Ann", "Ben"), (0, 0)))
    assert actions.take(0, actions.asks) == Outcome.UNKNOWN
    assert actions.throw(actions.asks) == Outcome.UNKNOWN
    assert not actions.thrown()
