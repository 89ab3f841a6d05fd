"""Correcting at the table, with two buttons: from the menu to the offers, and dice that lie there meanwhile."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from people import People, pig_at

from tabletop.rules import Match, game_ids
from tabletop.rules.conformance.trial import random_answer
from tabletop.session.journal import load_match
from tabletop.store import Store
from tabletop.views.snapshot import Snapshot


def _correct(people: People, *labels: str) -> Snapshot:
    people.press("long hold")
    shown = people.choose("correct")
    for label in labels:
        shown = people.choose(label)
    return shown


def test_a_die_is_corrected_with_two_buttons(people: People) -> None:
    """Menu, correct, throw, face, sure; the die that lies there is no new throw."""
    pig_at(people, 4)
    shown = _correct(people, "Ann: 4", "6", "correct it")
    assert (shown.menu, shown.at_stake, shown.hint) == (None, 6, "corrected")
    assert people.press("bank").scores == (6, 0)


def test_the_newest_throw_is_within_eight_presses(people: People) -> None:
    """Long HOLD, twice HOLD, and BANK for "correct", the throw, the first face and "correct it"."""
    pig_at(people, 4)
    presses = ("long hold", "hold", "hold", "bank", "bank", "bank", "bank")
    assert len(presses) <= 8
    shown = people.press(*presses)
    assert (shown.menu, shown.asked, shown.thrown) == (None, "Ben", (1,))


def test_it_can_be_left(people: People) -> None:
    """The last line leaves everything as it was."""
    pig_at(people, 4)
    shown = _correct(people, "Ann: 4", "6", "leave it")
    assert (shown.menu, shown.at_stake) == (None, 4)


def test_nothing_to_correct_is_one_line(people: People) -> None:
    """Before the first throw."""
    pig_at(people)
    shown = _correct(people)
    assert (shown.menu, shown.hint) == (None, "nothing to correct")


def test_what_was_lost_is_offered_one_at_a_time(people: People) -> None:
    """Ann's 5 was a 1: Ben's throws are offered again, each with BANK; the die in the tray counts for none of them."""
    pig_at(people, 4, 5, "bank", 3, 6, "bank")
    shown = _correct(people, "Ann: 5", "1", "correct it")
    assert shown.menu is not None
    assert (shown.menu.items, shown.bank, shown.hold) == (("Ben: throw 3",), "take", "leave")
    assert shown.menu.note == "3 more after it; HOLD leaves them all"
    for item in ("Ben: roll", "Ben: throw 6", "Ben: bank 9"):
        shown = people.press("bank")
        assert shown.menu is not None
        assert shown.menu.items == (item,)
    shown = people.press("bank")
    assert (shown.menu, shown.scores, shown.asked, shown.bank) == (None, (0, 9), "Ann", "whose go?")


def test_hold_ends_the_offering(people: People) -> None:
    """Ben throws again instead."""
    pig_at(people, 4, 5, "bank", 3, "bank")
    _correct(people, "Ann: 5", "1", "correct it")
    shown = people.press("hold")
    assert (shown.menu, shown.asked, shown.ask) == (None, "Ben", "throw one die")
    shown = people.throw(6)
    assert (shown.menu, shown.at_stake) == (None, 6)


def test_long_presses_do_what_they_do_in_play(people: People) -> None:
    """With an answer offered long BANK asks what to take back and long HOLD opens the menu; both lead back to it."""
    pig_at(people, 4, 5, "bank", 3, "bank")
    offered = _correct(people, "Ann: 5", "1", "correct it").menu
    assert offered is not None
    shown = people.press("long bank")
    assert shown.menu is not None
    assert (shown.menu.title, shown.menu.items[0]) == ("Take back?", "Ann: corrected to throw 1")
    assert people.choose("leave it").menu == offered
    shown = people.press("long hold")
    assert shown.menu is not None
    assert (shown.menu.title, shown.menu.items[shown.menu.at]) == ("Menu", "play on")
    assert people.press("bank").menu == offered
    people.press("bank", "long bank")
    assert people.press("bank").scores == (0, 0)  # Ben's throw, given again, is taken back


def test_dice_thrown_meanwhile_count_for_nothing(people: People) -> None:
    """While a correction is put together, and while something is offered: only BANK takes what lies there then."""
    pig_at(people, 4)
    people.press("long hold")
    for label in ("correct", "Ann: 4", "6"):
        people.choose(label)
    people.throw(2)
    assert people.choose("correct it").at_stake == 6
    pig_at(people, 4, 5, "bank", 3, "bank")
    people.press("long hold")
    for label in ("correct", "Ann: 5", "1"):
        people.choose(label)
    people.throw(2)
    people.choose("correct it")
    people.throw(6)
    assert people.press("bank").menu is not None
    shown = people.press("bank")
    assert (shown.menu, shown.scores, shown.asked, shown.ask) == (None, (0, 3), "Ann", "throw one die")


def test_the_question_that_was_lost_is_asked_first(people: People) -> None:
    """Ann's 1 was a 4: she is asked to roll or to bank; after her bank Ben's throw is offered."""
    pig_at(people, 1, 3, "bank")
    shown = _correct(people, "Ann: 1", "4", "correct it")
    assert (shown.menu, shown.asked, shown.ask) == (None, "Ann", "roll or bank?")
    shown = people.press("bank")
    assert shown.menu is not None
    assert shown.menu.items == ("Ben: throw 3",)


def test_an_undo_of_the_correction_brings_everything_back(people: People) -> None:
    """Long BANK says that it takes the correction back, and the points that this gives again."""
    pig_at(people, 4, 5, "bank", 3, "bank")
    _correct(people, "Ann: 5", "1", "correct it")
    shown = people.press("hold", "long bank")
    assert shown.menu is not None
    assert shown.menu.items[0] == "Ann: corrected to throw 1"
    assert shown.menu.note == "Ann: +9 points; Ben: +3 points"
    shown = people.press("bank")
    assert (shown.menu, shown.scores, shown.asked) == (None, (9, 3), "Ann")


def test_a_store_that_cannot_write_corrects_nothing(people: People) -> None:
    """A correction and an answer offered anew: one line, and everything as before; later both work."""
    pig_at(people, 4, 5, "bank", 3)
    session = people.table.session
    assert session is not None
    database = people.store._database  # noqa: SLF001 - only SQLite itself can be told to fail
    before = session.match.state()
    database.execute("CREATE TRIGGER full BEFORE INSERT ON event BEGIN SELECT RAISE(FAIL, 'no'); END")
    shown = _correct(people, "Ann: 5", "1", "correct it")
    assert shown.hint != ""
    assert session.match.state() == before
    database.execute("DROP TRIGGER full")
    shown = _correct(people, "Ann: 5", "1", "correct it")
    database.execute("CREATE TRIGGER full BEFORE INSERT ON event BEGIN SELECT RAISE(FAIL, 'no'); END")
    shown = people.press("bank")
    assert shown.menu is not None
    assert (shown.menu.title, shown.menu.note != "") == ("That failed", True)
    database.execute("DROP TRIGGER full")
    shown = people.press("bank", "bank")
    assert (shown.menu, shown.asked, shown.at_stake) == (None, "Ben", 3)


@settings(max_examples=15, deadline=None)
@given(st.randoms(use_true_random=False), st.lists(st.booleans(), min_size=5, max_size=30))
def test_random_corrections_never_break_it(
    tmp_path_factory: pytest.TempPathFactory, chance: Random, presses: list[bool]
) -> None:
    """In any game: whatever is corrected, taken and left, the store leads to the match at the table."""
    game = chance.choice(game_ids())
    with Store(tmp_path_factory.mktemp("evening") / "a.db") as store:
        people = People(store)
        people.table.begin(people.matches.begin(Match(game, ["Ann", "Ben", "Cleo"])))
        session = people.table.session
        assert session is not None
        for _ in range(chance.randint(1, 20)):
            if not session.match.over:
                session.give(random_answer(session.match.request, chance))
        people.press("long hold")
        people.choose("correct")
        for bank in presses:
            people.press("bank" if bank else "hold")
            if people.table.session is not session:
                break
            again = load_match(store, store.match(session.journal.number))
            assert again.state() == session.match.state()
