"""Correcting with two buttons: from the menu to what is asked again, and dice that lie there meanwhile."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from people import People, menu_of, pig_at

from tabletop.dialogs.mistakes import CORRECT_IT, LEAVE_IT
from tabletop.rules import Match, game_ids
from tabletop.rules.conformance.trial import random_answer
from tabletop.session.journal import load_match
from tabletop.session.snapshotting import THROW_ONE
from tabletop.store import Store
from tabletop.views.snapshot import Snapshot


def _correct(people: People, *labels: str) -> Snapshot:
    shown = people.menu("correct")
    for label in labels:
        shown = people.choose(label)
    return shown


def test_a_die_is_corrected_with_two_buttons(people: People) -> None:
    """Menu, correct, throw, face, sure; the die that lies there is no new throw."""
    pig_at(people, 4)
    shown = _correct(people, "Ann: 4", "6", CORRECT_IT)
    assert (shown.menu, shown.at_stake, shown.hint) == (None, 6, "corrected")
    assert people.press("bank").scores == (6, 0)


def test_the_newest_throw_is_within_eight_presses_and_can_be_left(people: People) -> None:
    pig_at(people, 4)
    shown = _correct(people, "Ann: 4", "6", LEAVE_IT)
    assert (shown.menu, shown.at_stake) == (None, 4)
    presses = ("long hold", "hold", "hold", "bank", "bank", "bank", "bank")
    assert len(presses) <= 8
    shown = people.press(*presses)
    assert (shown.menu, shown.asked, shown.thrown) == (None, "Ben", (1,))


def test_nothing_to_correct_is_one_line(people: People) -> None:
    pig_at(people)
    shown = _correct(people)
    assert (shown.menu, shown.hint) == (None, "nothing to correct")


def test_answers_that_are_lost_are_counted_and_asked_again(people: People) -> None:
    """Ann's 5 was a 1: her bank and Ben's turn are lost, Ben throws again; the die in the tray is no throw."""
    pig_at(people, 4, 5, "bank", 3, "bank")
    shown = _correct(people, "Ann: 5", "1", CORRECT_IT)
    assert (shown.menu, shown.scores, shown.asked, shown.ask) == (None, (0, 0), "Ben", THROW_ONE)
    assert shown.hint == "corrected; 3 answers are lost"
    assert people.throw(6).at_stake == 6


def test_dice_thrown_meanwhile_count_for_nothing(people: People) -> None:
    """What is thrown while a correction is put together is no throw of the corrected match."""
    pig_at(people, 4)
    people.menu("correct", "Ann: 4", "6")
    people.throw(2)
    assert people.choose(CORRECT_IT).at_stake == 6


def test_an_undo_of_the_correction_brings_everything_back(people: People) -> None:
    """Long BANK says that it takes the correction back, and the points that this gives again."""
    pig_at(people, 4, 5, "bank", 3, "bank")
    _correct(people, "Ann: 5", "1", CORRECT_IT)
    shown = people.press("long bank")
    assert menu_of(shown).items[0] == "Ann: corrected, threw 1"
    assert menu_of(shown).note == "Ann: +9 points; Ben: +3 points"
    shown = people.press("bank")
    assert (shown.menu, shown.scores, shown.asked) == (None, (9, 3), "Ann")


def test_a_store_that_cannot_write_corrects_nothing(people: People) -> None:
    pig_at(people, 4, 5, "bank", 3)
    session = people.session
    database = people.store._database  # noqa: SLF001 - only SQLite itself can be told to fail
    before = session.match.state()
    database.execute("CREATE TRIGGER full BEFORE INSERT ON event BEGIN SELECT RAISE(FAIL, 'no'); END")
    shown = _correct(people, "Ann: 5", "1", CORRECT_IT)
    assert shown.hint != ""
    assert session.match.state() == before
    database.execute("DROP TRIGGER full")
    assert _correct(people, "Ann: 5", "1", CORRECT_IT).asked == "Ben"


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
        people.menu("correct")
        for bank in presses:
            people.press("bank" if bank else "hold")
            if people.table.session is not session:
                break
            again = load_match(store, store.match(session.journal.number))
            assert again.state() == session.match.state()
