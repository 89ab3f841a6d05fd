"""Taps on the page: they answer the question that their person saw, through the same dialogs as buttons."""

from concurrent.futures import Future
from dataclasses import replace

import pytest
from people import People, pig_at
from tapped_table import TappedTable

from tabletop.core.ports import Press
from tabletop.dialogs.commands import ACCEPTED, REFUSED, STALE, Command, Questions, Result, TakeLine
from tabletop.rules import Match
from tabletop.views.screen_care import OFF_AFTER_S
from tabletop.views.snapshot import Entry, MenuView, Snapshot, Spelling


@pytest.fixture
def table(people: People) -> TappedTable:
    """Sit down with a phone and no other button, after a four in Pig."""
    tapped = TappedTable(people)
    tapped.table.begin(None)
    pig_at(people, 4)
    tapped.look(5)
    return tapped


def become(put: Result | Future[Result]) -> Result:
    """Return what became of a command."""
    return put.result(0) if isinstance(put, Future) else put


def test_a_turn_of_pig(table: TappedTable) -> None:
    """BANK banks what was thrown, undo asks what to take back, the menu opens, and back closes it."""
    assert table.shown.at_stake == 4
    assert table.tap("bank") == ACCEPTED
    assert table.shown.scores == (4, 0)
    assert table.tap("undo") == ACCEPTED
    assert table.shown.menu is not None
    assert table.tap("undo") == ACCEPTED
    assert table.tap("menu") == ACCEPTED
    assert table.shown.menu is not None
    assert table.shown.menu.main


def test_a_line_is_taken_by_tapping_it(table: TappedTable) -> None:
    """Wherever HOLD has stepped to; the way back leads to that line."""
    table.tap("menu")
    assert table.take("scores") == ACCEPTED
    assert table.shown.menu is not None
    assert not table.shown.menu.main
    table.tap("undo")
    assert table.shown.menu.items[table.shown.menu.at] == "scores"
    assert table.take("play on") == ACCEPTED
    assert table.shown.menu is None


def test_a_face_is_entered_with_one_tap(people: People) -> None:
    """Where nobody watches the tray; a face that a die does not have changes nothing."""
    table = TappedTable(people, no_camera=True)
    table.table.begin(people.matches.begin(Match("pig", ("Ann", "Ben"))))
    table.look()
    assert table.tap("take", 4) == ACCEPTED
    assert table.shown.at_stake == 4


def test_a_name_is_spelled_with_a_tap_a_letter(people: People) -> None:
    """Wherever HOLD stands in the alphabet."""
    table = TappedTable(people)
    table.table.begin(None)
    table.look()
    for at in (0, -1, 0):  # Pig, other players, a new name
        assert table.shown.menu is not None
        table.tap("take", at % len(table.shown.menu.items))
    for letter in "Al":
        assert table.shown.spelling is not None
        assert table.tap("take", table.shown.spelling.letters.index(letter)) == ACCEPTED
    assert table.shown.spelling is not None
    assert table.shown.spelling.text == "Al"


def test_of_two_who_tap_bank_one_wins(table: TappedTable) -> None:
    """Two devices answer the same question at once: one turn is banked, and the other device has to look again."""
    asks = table.shown.question_number
    first, second = (table.put(do="bank", asks=asks) for _ in range(2))
    table.look()
    assert (become(first), become(second)) == (ACCEPTED, STALE)
    assert table.send(do="bank", asks=asks) == STALE
    assert (table.shown.scores, table.shown.asked) == ((4, 0), "Ben")


def test_a_tap_after_a_press_in_the_same_moment_is_stale(table: TappedTable) -> None:
    """The button was first: what the tap answers is not asked any more, although nobody has seen that yet."""
    asks = table.shown.question_number
    first = table.inbox.put(Press("bank"))
    second = table.put(do="bank", asks=asks)
    table.look()
    assert (become(first), become(second)) == (ACCEPTED, STALE)


def test_two_who_hold_do_not_roll_on(table: TappedTable) -> None:
    """HOLD asks again before it rolls on: that has to be meant, by somebody who saw it."""
    asks = table.shown.question_number
    first, second = (table.put(do="hold", asks=asks) for _ in range(2))
    table.look()
    assert (become(first), become(second)) == (ACCEPTED, STALE)
    assert table.send(do="hold", asks=asks) == STALE
    assert table.shown.at_stake == 4
    assert table.shown.awaited == 0
    assert table.tap("hold") == ACCEPTED
    assert table.shown.awaited == 1


def test_a_late_hold_pauses_nobody(table: TappedTable) -> None:
    """Meant to roll on, it comes when the turn has passed, where HOLD would pause the match."""
    asks = table.shown.question_number
    table.tap("bank")
    assert table.send(do="hold", asks=asks) == STALE
    assert (table.shown.asked, table.shown.paused) == ("Ben", False)


def test_a_tap_that_changes_nothing_does_not_lock_bank(table: TappedTable) -> None:
    """BANK that only says whose throw is due can be tapped again."""
    table.tap("bank")
    assert [table.tap("bank") for _ in range(3)] == [ACCEPTED] * 3


def test_a_tap_counts_while_the_display_is_dark(table: TappedTable) -> None:
    """The display is off after an hour, but the person who taps sees the page: BANK banks, and the display is lit."""
    table.people.now_s += OFF_AFTER_S
    table.look()
    assert table.table.care.light(table.people.now_s) == "off"
    table.tap("bank")
    assert table.shown.scores == (4, 0)
    assert table.table.care.light(table.people.now_s) == "full"


# Questions


def judged(questions: Questions, wants: Press | TakeLine, asked: int) -> Result | None:
    """Return why a command that answers this question is not carried out, None if it is."""
    return questions.judge(Command(wants, asked))


LISTS = [
    (Snapshot(menu=MenuView("Which?", ("a", "b", "c", "d"))), 4),
    (Snapshot(spelling=Spelling("Name?", "An", ("a", "b", "n", "done"))), 4),
    (Snapshot(entry=Entry("Ann", (3,), 5, 1)), 7),
    (Snapshot("Pig", ("Ann", "Ben"), (0, 0)), 0),
]


@pytest.mark.parametrize(("shown", "length"), LISTS, ids=["menu", "letters", "faces", "no list"])
def test_only_a_line_that_is_there_can_be_taken(shown: Snapshot, length: int) -> None:
    """Others are refused, before any dialog sees them."""
    questions = Questions(500)
    questions.numbered(shown)
    taken = [at for at in range(-1, 70) if judged(questions, TakeLine(at), questions.number) is None]
    assert taken == [*range(length)]


def test_hold_may_step_quicker_than_the_phone_shows() -> None:
    """It names the list, wherever it has stepped to since; for another list it is stale, and so is BANK."""
    questions = Questions(500)
    questions.numbered(Snapshot(menu=MenuView("Which?", ("a", "b", "c"))))
    asks = questions.number
    for at in (1, 2):
        assert judged(questions, Press("hold"), asks) is None
        questions.close(Press("hold"))
        assert judged(questions, Press("hold"), asks) is None
        questions.numbered(Snapshot(menu=MenuView("Which?", ("a", "b", "c"), at)))
        assert judged(questions, Press("bank"), asks) == STALE
    questions.numbered(Snapshot(menu=MenuView("Really?", ("a", "b", "c"), 2)))
    assert judged(questions, Press("hold"), asks) == STALE
    assert judged(questions, Press("hold"), questions.number + 1) == STALE


@pytest.mark.parametrize("asked", [0, 499, 10**6])
def test_a_question_of_before_a_restart_is_stale(asked: int) -> None:
    """Numbers begin elsewhere at each start."""
    questions = Questions(500)
    questions.numbered(Snapshot("Pig", ("Ann", "Ben"), (0, 0)))
    assert judged(questions, Press("bank"), asked) == STALE


def test_what_bank_answers() -> None:
    """A hint or a lit button leaves the question as it is; another offer, or another line of a menu, does not."""
    asks = Snapshot("Pig", ("Ann", "Ben"), (3, 7), "Ann", "roll or bank?")
    for other, number in (
        ({"hint": "one die is missing"}, 501),
        ({"pressed": "bank", "held": 0.5}, 501),
        ({"at_stake": 6}, 502),
        ({"asked": "Ben"}, 502),
        ({"paused": True}, 502),
    ):
        questions = Questions(500)
        questions.numbered(asks)
        assert questions.numbered(replace(asks, **other)).question_number == number


def test_what_cannot_be_done_is_refused(table: TappedTable) -> None:
    """Real dice cannot be thrown from a phone."""
    assert table.tap("throw") == REFUSED
    assert table.tap("dance") == REFUSED
