"""Long BANK over an evening: people who forget BANK, a store that fails, and anything at random."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from people import People, menu_of, pig_at

from tabletop.rules import Match, game_ids
from tabletop.session.journal import load_match
from tabletop.session.match_session import MatchSession
from tabletop.store import Store

PLAYERS = ["Ann", "Ben", "Cleo"]


@pytest.mark.parametrize("game", ["pig", "twenty-one"])
def test_an_evening_of_people_who_forget_bank(people: People, game: str) -> None:
    """Half of the BANKs are forgotten and made up for: the matches are those of people who never forget."""
    chance = Random(f"evening {game}")
    assert sum(_forgetful_match(people, Match(game, PLAYERS, target=40), chance) for _ in range(5)) > 3


def _forgetful_match(people: People, meant: Match, chance: Random) -> int:
    """Play a match as it is meant beside one at the table; return how often BANK was forgotten."""
    people.table.begin(people.matches.begin(Match(meant.game.id, meant.seated, **meant.options)))
    session, slips = people.session, 0
    while not meant.over:
        face, asked = chance.randint(1, 6), meant.request
        stops = asked.kind == "choose" and chance.random() < 0.5
        if asked.kind == "choose":
            meant.choose(asked.options[1] if stops else "roll")
        forgets = stops and meant.request.kind == "roll" and chance.random() < 0.5
        if not stops or forgets:
            meant.throw([face])
            assert people.throw(face).thrower == asked.player
        else:
            people.press("bank")
        if forgets:
            shown = people.press("long bank")
            assert menu_of(shown).items[0].startswith(f"{asked.player} ")
            people.press("bank")
            slips += 1
        assert session.match.state() == meant.state()
    return slips


# The store


def test_a_store_that_cannot_write_leaves_everything_as_it_is(people: People) -> None:
    """Undo and the forgotten bank are stored whole or not at all; one line says why, and later they work."""
    pig_at(people, 4)
    people.throw(5)
    session, store = people.session, people.store
    database = store._database  # noqa: SLF001 - only SQLite itself can be told to fail
    before, log = session.match.state(), len(session.match.log)
    database.execute("CREATE TRIGGER full BEFORE INSERT ON event WHEN NEW.n > 4 BEGIN SELECT RAISE(FAIL, 'no'); END")
    shown = people.press("long bank", "bank")  # four events: the second of them is one too many
    assert shown.menu is None
    assert shown.hint != ""
    assert (session.match.state(), len(session.match.log), len(store.events(session.journal.number))) == (
        before,
        log,
        log,
    )
    database.execute("DROP TRIGGER full")
    shown = people.press("long bank", "bank")
    assert shown.scores == (4, 0)
    assert len(store.events(session.journal.number)) == len(session.match.log)


def test_an_ending_that_could_not_be_noted_is_noted_later(people: People) -> None:
    """The events are on disk, which is what counts; the list of open matches is put right with the next one."""
    pig_at(people, 6, target=6)
    database = people.store._database  # noqa: SLF001 - only SQLite itself can be told to fail
    people.press("bank")
    database.execute("CREATE TRIGGER stuck BEFORE UPDATE ON match BEGIN SELECT RAISE(FAIL, 'no'); END")
    shown = people.press("long bank", "bank")
    assert (shown.at_stake, shown.hint) == (6, "undone")
    session = people.session
    assert people.store.match(session.journal.number).ending == "over"
    database.execute("DROP TRIGGER stuck")
    people.throw(5)
    assert people.store.match(session.journal.number).ending is None


def test_a_match_whose_ending_was_not_noted_is_offered_again_once_resumed(people: People) -> None:
    """The plug was pulled between an undo past the end and the note of it."""
    pig_at(people, 6, target=6)
    people.press("bank", "long bank", "bank")
    session = people.session
    people.store.end(session.journal.number, "over")
    assert not people.matches.resume(session.journal.number).match.over
    assert people.store.match(session.journal.number).ending is None


# Whatever people do


@settings(max_examples=20, deadline=None)
@given(st.randoms(use_true_random=False), st.lists(st.integers(0, 9), min_size=5, max_size=60))
def test_random_presses_and_throws_never_break_it(
    tmp_path_factory: pytest.TempPathFactory, chance: Random, deeds: list[int]
) -> None:
    """In any game, whatever is pressed and thrown: no error, and the store always leads to the match at the table."""
    game = chance.choice(game_ids())
    with Store(tmp_path_factory.mktemp("evening") / "a.db") as store:
        people = People(store)
        match = Match(game, PLAYERS[: max(2, Match(game, PLAYERS).game.min_players)])
        people.table.begin(people.matches.begin(match))
        for deed in deeds:
            session = people.table.session
            if session is None:
                break
            if deed < 4:
                _throw_what_is_due(people, session, chance)
            else:
                people.press(("bank", "bank", "hold", "long bank", "long bank", "long hold")[deed - 4])
            session = people.table.session
            if session is not None:
                again = load_match(store, store.match(session.journal.number))
                assert again.state() == session.match.state()


def _throw_what_is_due(people: People, session: MatchSession, chance: Random) -> None:
    request = session.match.request
    due = request.dice if isinstance(request.dice, int) and request.kind == "roll" else chance.randint(1, 6)
    people.throw(*(chance.randint(1, 6) for _ in range(due)))
