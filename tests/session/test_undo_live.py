"""Long BANK at the table: dice that lie there or tumble meanwhile."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from people import People, menu_of, pig_at

from tabletop.core.ports import Frame
from tabletop.core.values import Rest
from tabletop.dialogs.mistakes import TAKE_BACK
from tabletop.interpret.hints import ONE_TOO_MANY
from tabletop.interpret.press_table import REALLY_ROLL, WHOSE_GO
from tabletop.perception.pipeline import FrameResult
from tabletop.rules import Keep, Match, game_ids
from tabletop.session.journal import load_match
from tabletop.session.match_session import UNDONE, MatchSession
from tabletop.session.snapshotting import ROLL_OR_BANK, THROW_ONE
from tabletop.store import Store
from tabletop.views.snapshot import Snapshot


def _tick(people: People, seconds: float = 0.1) -> Snapshot:
    people.now_s += seconds
    return people.table.tick(people.now_s)


def test_the_die_lying_there_after_an_undo_is_read_by_bank_alone(people: People) -> None:
    pig_at(people, 4)
    shown = people.press("long bank", "bank")
    assert "BANK takes" in shown.hint
    assert (shown.at_stake, shown.bank, shown.unread) == (0, "take", True)
    shown = _tick(people, 5.0)
    assert (shown.hint, shown.unread) == ("", True)
    shown = people.press("bank")
    assert (shown.at_stake, shown.unread) == (4, False)


def test_an_undo_without_a_throw_does_not_speak_of_dice(people: People) -> None:
    """Somebody who sat down is taken back: the same throw is due as before, and no dice lie there for it."""
    pig_at(people)
    session = people.session
    session.join("Cleo")
    assert people.press("long bank", "bank").hint == UNDONE


def test_a_counted_die_stays_so_when_somebody_leaves_or_sits_down(people: People) -> None:
    """Ann's die lies there; with Cleo at the table, and gone again, it is nobody's throw."""
    pig_at(people, 4, "bank")
    session = people.session
    for change in (session.join, session.leave):
        change("Cleo")
        session.on_rest(people.tray.rest())
        shown = people.press("bank")
        assert (shown.asked, shown.at_stake, session.match.events[-1].kind) == ("Ben", 0, change.__name__)


UNDO = ("long bank", "bank")
NEXT = ("long bank", "hold", "bank")  # plain undo, where the first offer is a forgotten BANK


@pytest.mark.parametrize(
    ("deeds", "shown"),
    [
        # a bank that was taken back: the die that was counted before is offered to nobody, however BANK is pressed
        ((4, "bank", *UNDO, "bank"), {"scores": (4, 0), "asked": "Ben", "bank": WHOSE_GO}),
        ((4, "bank", *UNDO, "bank", "bank", "bank"), {"asked": "Ben", "at_stake": 0}),
        # so is what was counted before the oldest throw that is taken back; the newest die is a throw again
        ((4, "bank", 3, 5, *NEXT, *UNDO), {"ask": ROLL_OR_BANK, "asked": "Ben", "at_stake": 3}),
        ((4, "bank", 3, 5, *NEXT, *UNDO, "bank", *UNDO, *UNDO, "bank"), {"asked": "Ben", "at_stake": 5}),
        # Ann forgot BANK and Ben's throw is taken for hers: long BANK and BANK make it Ben's, who may go on
        ((4, 5), {"thrower": "Ann", "asked": "Ann", "at_stake": 9}),
        ((4, 5, *UNDO), {"scores": (4, 0), "asked": "Ben", "at_stake": 5, "thrower": "Ben", "hint": ""}),
        ((4, 5, *UNDO, 3), {"asked": "Ben", "at_stake": 8}),
        ((4, 5, *UNDO, 3, "bank"), {"scores": (4, 8), "asked": "Ann"}),
        # he takes it back, and BANK takes the die that still lies there, as after any undo
        ((4, 5, *UNDO, *UNDO), {"asked": "Ben", "at_stake": 0, "bank": "take"}),
        ((4, 5, *UNDO, *UNDO, "bank"), {"asked": "Ben", "at_stake": 5}),
        # his die was a 1: it is Ann's turn again, and BANK does not take the same die for her throw
        ((4, 1, *UNDO), {"scores": (4, 0), "asked": "Ann", "bank": WHOSE_GO}),
        ((4, 1, *UNDO, "bank"), {"asked": "Ann", "at_stake": 0}),
        # Ann rolled on with HOLD, so nobody has forgotten BANK: plain undo is the first offer
        ((4, "hold", "hold", 5, *UNDO), {"scores": (0, 0), "asked": "Ann", "at_stake": 4}),
        ((4, "hold", "hold", 5, *NEXT), {"scores": (4, 0), "asked": "Ben", "at_stake": 5}),
        # a HOLD that waited for its second press is forgotten by long BANK, though nothing is taken back
        ((4, "hold"), {"hold": "roll"}),
        ((4, "hold", "long bank", "hold", "bank"), {"hold": REALLY_ROLL}),
        ((4, "hold", "long bank", "hold", "bank", "hold"), {"ask": ROLL_OR_BANK}),
        # whose turn it is comes before who threw, once the throw is answered or taken back
        ((4, "bank"), {"thrower": "", "asked": "Ben", "hint": "Ann banks 4", "between": True}),
        ((4, 5, *NEXT), {"thrower": "", "between": False}),
        # a turn that has passed is between until the next throw
        ((4, "hold", "hold"), {"between": False}),
        ((4, "hold", "hold", 3, "bank", 5), {"between": False}),
    ],
)
def test_these_deeds_lead_there(people: People, deeds: tuple[int | str, ...], shown: dict[str, object]) -> None:
    pig_at(people, *deeds)
    assert {name: getattr(people.shown, name) for name in shown} == shown


def test_the_die_of_a_forgotten_bank_is_no_new_throw(people: People) -> None:
    pig_at(people, 4, 5)
    assert menu_of(people.press("long bank")).items[0] == "Ann banked first, this throw is Ben's"
    people.press("bank")
    people.tray.now_s = people.now_s
    assert people.lie(people.tray.rest()).at_stake == 5


def test_yahtzee_kept_and_written_late(people: People) -> None:
    """Ann keeps all and forgets to say so, Ben throws: two steps back, keep, box, and BANK takes Ben's dice as his."""
    people.table.begin(people.matches.begin(Match("yahtzee", ["Ann", "Ben"])))
    people.throw(3, 3, 3, 5, 5)
    assert people.throw(1, 2, 2, 4, 6).thrower == "Ann"
    presses = ("long bank", "bank", "long bank", "bank", "bank", "bank", "bank")
    assert len(presses) <= 8
    shown = people.press(*presses)
    assert (shown.scores, shown.asked, shown.ask, shown.thrown) == ((25, 0), "Ben", "keep which?", (1, 2, 2, 4, 6))


@pytest.mark.parametrize("kept", [False, True])
def test_a_throw_that_can_only_be_the_next_players_waits_for_bank(people: People, *, kept: bool) -> None:
    """Ten Thousand: Ann kept three dice, or has yet to; Ben throws all six. BANK banks for Ann, and they are Ben's."""
    people.table.begin(people.matches.begin(Match("ten-thousand", ["Ann", "Ben"])))
    session = people.session
    people.throw(1, 1, 1, 2, 3, 4)
    if kept:
        session.give(Keep((1, 1, 1)))
    people.throw(2, 3, 4, 5, 5, 6)
    people.tray.now_s += 1.0  # dice that have just come to rest are given a moment
    session.on_rest(people.tray.rest())
    assert session.notices.hint == "the next player's throw? BANK first"
    shown = people.press("bank")
    assert (shown.scores, shown.asked, shown.thrown) == ((1000, 0), "Ben", (2, 3, 4, 5, 5, 6))


def test_dice_moved_by_hand_are_not_the_next_players(people: People) -> None:
    people.table.begin(people.matches.begin(Match("ten-thousand", ["Ann", "Ben"])))
    session = people.session
    people.throw(1, 1, 1, 2, 3, 4)
    people.throw(1, 1, 1, 2, 3, 4)
    people.tray.now_s += 1.0
    session.on_rest(people.tray.rest())
    assert session.notices.hint.startswith("set something aside first")


def test_a_throw_while_it_is_asked_is_judged_when_it_is_left(people: People) -> None:
    """Somebody opens the question while dice tumble: leaving it takes the throw; an undo does not."""
    pig_at(people, 4)
    people.press("long bank")
    assert people.throw(5).menu is not None
    shown = people.press("hold", "bank")
    assert (shown.menu, shown.at_stake) == (None, 9)
    people.press("long bank")
    people.throw(6)
    shown = people.press("hold", "bank")  # the second offer: plain undo of the 5
    assert (shown.at_stake, shown.ask, shown.bank) == (4, THROW_ONE, "take")
    assert people.press("bank").at_stake == 10


def test_the_menu_asks_as_well(people: People) -> None:
    """Who does not know of long BANK finds undo in the menu, with the same question."""
    pig_at(people, 4)
    shown = people.menu("undo")
    assert menu_of(shown).title == TAKE_BACK
    assert people.press("bank").at_stake == 0


def _seen(people: People, rest: Rest) -> Snapshot:
    people.now_s = people.tray.now_s
    people.camera_thread.newest = FrameResult(
        Frame(np.zeros((4, 4, 3), np.uint8), people.now_s), rest.reading, rest.reading, rest
    )
    return people.table.tick(people.now_s)


def test_an_undo_over_an_empty_tray_offers_no_dice_there(people: People) -> None:
    """Nothing lies there that BANK could take: the screen does not say so, on any of its lines."""
    pig_at(people, 4)
    people.tray.now_s = people.now_s
    _seen(people, people.tray.pick_up())
    shown = people.press("long bank", "bank")
    assert (shown.ask, shown.hint, shown.bank) == (THROW_ONE, UNDONE, WHOSE_GO)


def test_a_long_press_is_answered_over_a_hint_that_stands(people: People) -> None:
    """Two dice lie where one is due, which the table goes on saying after it has said that nothing can be undone."""
    pig_at(people)
    people.throw(4, 5)
    people.tray.now_s += 5
    assert _seen(people, people.tray.rest()).hint == ONE_TOO_MANY
    assert people.press("long bank").hint == "nothing to undo"
    assert _tick(people, 5.0).hint == ONE_TOO_MANY


def test_a_press_says_nothing_that_was_said_before(people: People) -> None:
    """Ann banked some time ago: a pause in Ben's turn is no news of hers."""
    pig_at(people, 4)
    assert people.press("bank").hint == "Ann banks 4"
    assert _tick(people, 5.0).hint == ""
    assert people.press("bank").hint == "waiting for Ben to throw 1 die"
    shown = people.press("hold")
    assert (shown.paused, shown.hint) == (True, "")


def test_the_thrower_is_named_as_long_as_it_is_news(people: People) -> None:
    pig_at(people)
    assert _tick(people).thrower == ""
    assert people.throw(4).thrower == "Ann"
    assert [_tick(people, seconds).thrower for seconds in (3.0, 2.0)] == ["Ann", ""]


PLAYERS = ["Ann", "Ben", "Cleo"]


@pytest.mark.parametrize("game", ["pig", "twenty-one"])
def test_an_evening_of_people_who_forget_bank(people: People, game: str) -> None:
    """Half of the BANKs are forgotten and made up for: the matches are those of people who never forget."""
    chance = Random(f"evening {game}")
    assert sum(_forgetful_match(people, Match(game, PLAYERS, target=40), chance) for _ in range(4)) > 2


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
            people.press("long bank", "bank")
            slips += 1
        assert session.match.state() == meant.state()
    return slips


# The store


def test_a_store_that_cannot_write_leaves_everything_as_it_is(people: People) -> None:
    """A throw and its only possible keep: both undos are stored or none; one line says why."""
    people.table.begin(people.matches.begin(Match("ten-thousand", ["Ann", "Ben"])))
    people.throw(1, 2, 3, 4, 4, 6)
    session, store = people.session, people.store
    database = store._database  # noqa: SLF001 - only SQLite itself can be told to fail
    before, log = session.match.state(), len(session.match.log)
    database.execute("CREATE TRIGGER full BEFORE INSERT ON event WHEN NEW.n > 3 BEGIN SELECT RAISE(FAIL, 'no'); END")
    shown = people.press("long bank", "bank")
    assert (shown.menu, bool(shown.hint)) == (None, True)
    stored = len(store.events(session.journal.number))
    assert (session.match.state(), len(session.match.log), stored) == (before, log, log)
    database.execute("DROP TRIGGER full")
    assert people.press("long bank", "bank").ask == "throw 6 dice"
    assert len(store.events(session.journal.number)) == len(session.match.log)


def test_an_ending_that_could_not_be_noted_is_noted_later(people: People) -> None:
    """The events are on disk, which is what counts; the list of open matches is put right with the next one."""
    pig_at(people, 6, target=6)
    database = people.store._database  # noqa: SLF001 - only SQLite itself can be told to fail
    people.press("bank")
    database.execute("CREATE TRIGGER stuck BEFORE UPDATE ON match BEGIN SELECT RAISE(FAIL, 'no'); END")
    shown = people.press("long bank", "bank")
    assert (shown.at_stake, shown.hint) == (6, UNDONE)
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
