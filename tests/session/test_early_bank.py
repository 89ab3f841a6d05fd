"""BANK at a bad moment: too early, while dice move, for dice that make no rest; and the queue it waits in."""

from dataclasses import replace
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from people import LOOK_S, People, pig_at
from table_play import Lying

from tabletop.core.ports import Press
from tabletop.core.values import Die, Reading, Rest
from tabletop.interpret import hints
from tabletop.interpret.press_table import WHOSE_GO
from tabletop.perception.settler import Cause, HeldBack, Hindrance
from tabletop.rules import Keep, Match
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import snapshot
from tabletop.session.table_events import TUMBLE_S, EventQueue, SeenRest


@pytest.mark.parametrize(("falls", "next_player"), [(6, "Ann"), (1, "Ben"), (None, "Ben")])
def test_a_throw_that_is_under_way_comes_before_bank(people: People, falls: int | None, next_player: str) -> None:
    """Pig, 5 at stake, BANK while the die rolls: a 6 counts and nothing is banked; so does a 1, which ends the turn."""
    pig_at(people, 5)
    lying = people.camera_thread.newest
    assert lying is not None
    people.camera_thread.newest = replace(lying, rest=None)
    shown = people.press("bank")
    assert shown.hint == hints.BANK_WAITS
    session = people.session
    assert [event.kind for event in session.match.log] == ["throw"]
    if falls is None:
        people.camera_thread.newest = lying
        people.now_s += 0.1
        assert people.table.tick(people.now_s).scores == (5, 0)
        assert session.match.request.player == next_player
        return
    people.throw(falls)
    shown = people.table.tick(people.now_s + 0.1)
    assert shown.hint == hints.JUST_CHANGED
    assert shown.scores == (0, 0)
    assert [event.value for event in session.match.log if event.kind == "throw"] == [(5,), (falls,)]
    assert session.match.request.player == next_player


def test_a_bank_does_not_wait_for_ever(people: People) -> None:
    pig_at(people, 5)
    assert people.camera_thread.newest is not None
    people.camera_thread.newest = replace(people.camera_thread.newest, rest=None)
    people.press("bank")
    people.table.tick(people.now_s + TUMBLE_S / 2)
    assert people.table.tick(people.now_s + TUMBLE_S + 0.1).scores == (5, 0)


@pytest.mark.parametrize(("after_s", "banked"), [(-0.1, 0), (-0.01, 0), (0.0, 0), (0.07, 0), (0.15, 9), (1.0, 9)])
def test_a_bank_answers_what_its_player_could_see(people: People, after_s: float, banked: int) -> None:
    """Pig, 5 at stake; a 4 is read while the finger is down: the press was for what was shown before."""
    pig_at(people, 5)
    shown = people.throw(4)
    assert shown.at_stake == 9
    people.now_s += after_s - LOOK_S
    shown = people.press("bank")
    assert shown.scores == (banked, 0)
    assert (shown.hint == hints.JUST_CHANGED) is (banked == 0)
    assert people.press("bank").scores == (9, 0)  # it was only too early, or Ben has nothing to bank


def test_a_key_may_be_as_fast_as_it_likes(people: People) -> None:
    """Pig, 5 at stake; a 4 is taken, and a script in the terminal presses the key for BANK 0.02 s later."""
    pig_at(people, 5)
    people.throw(4)
    people.now_s += 0.02 - LOOK_S
    people.buttons.press("bank", prompt=True)
    shown = people.press("hold")  # time goes on
    assert shown.scores == (9, 0)


@pytest.mark.parametrize(("after_s", "kept"), [(-0.1, None), (0.07, None), (0.15, (1,)), (1.0, (1,))])
def test_a_bank_keeps_only_what_its_player_could_see(people: People, after_s: float, kept: tuple[int] | None) -> None:
    """Yahtzee, 1 3 left lying: keep 1 3 is offered; the 3 is seen no more while the finger goes down."""
    people.table.begin(people.matches.begin(Match("yahtzee", ["Ann", "Ben"])))
    people.throw(1, 3, 3, 5, 5)
    people.lie(people.tray.pick_up(3, 5, 5))
    assert people.shown.answers == (Keep((1, 3)),)
    shown = people.lie(people.tray.pick_up(3))
    assert shown.answers == (Keep((1,)),)
    people.now_s += after_s - LOOK_S
    shown = people.press("bank")
    assert (shown.hint == hints.JUST_CHANGED) is (kept is None)
    session = people.session
    assert [event.value for event in session.match.log if event.kind == "keep"] == ([] if kept is None else [kept])
    people.press("bank")
    assert session.match.kept == (1,)


def test_a_press_before_the_next_throw_asks_whose_it_is(people: People) -> None:
    """A 1 has ended the turn in that moment: the next player has nothing that BANK could take."""
    pig_at(people, 5)
    people.throw(1)
    people.now_s -= LOOK_S
    assert people.press("bank").hint == "waiting for Ben to throw 1 die"
    assert people.table.tick(people.now_s).scores == (0, 0)


def test_a_bank_waits_for_no_camera_that_shows_nothing(people: People) -> None:
    """The table was switched on again with 5 at stake and its camera unplugged: BANK banks at once."""
    pig_at(people, 5)
    people.camera_thread.newest = None
    people.table.begin(people.matches.resume(1))
    assert people.press("bank").scores == (5, 0)


def _switched_on(people: People, lies: int) -> None:
    """Play on at a table that comes back with 5 at stake, a die in its tray."""
    people.tray.dice.clear()
    people.table.begin(people.matches.resume(1))
    rest = people.tray.throw(lies)
    people.lie(replace(rest, arrived_s=(-inf,)))


def test_a_second_bank_takes_no_old_dice(people: People) -> None:
    """Ann presses BANK again before anything is to be seen: it banks, and the die is no throw of Ben's."""
    pig_at(people, 5)
    _switched_on(people, 3)
    people.buttons.press("bank")
    people.now_s = people.buttons.press("bank") + 0.3
    shown = people.table.tick(people.now_s)  # a slow machine: both presses in one turn
    assert (shown.scores, shown.hint) == ((5, 0), hints.JUST_CHANGED)
    assert people.session.match.request.player == "Ben"
    people.now_s += 1.0
    shown = people.press("bank")
    assert (shown.scores, shown.at_stake) == ((5, 0), 3)


def test_the_throw_that_was_counted_is_offered_to_nobody(people: People) -> None:
    """The table comes back and sees the 5 that is at stake: banked, it is no throw of Ben's, however he presses."""
    pig_at(people, 5)
    _switched_on(people, 5)
    shown = people.press("bank")
    assert (shown.scores, shown.bank) == ((5, 0), WHOSE_GO)
    shown = people.press("bank")
    assert (shown.scores, shown.at_stake) == ((5, 0), 0)
    assert people.throw(5).at_stake == 5


def test_a_second_bank_begins_no_other_match(people: People) -> None:
    """Pig to 5: BANK wins it, and was pressed twice; another press asks for the next match."""
    people.table.begin(people.matches.begin(Match("pig", ["Ann", "Ben"], target=5)))
    people.throw(5)
    people.buttons.press("bank")
    people.now_s = people.buttons.press("bank") + 0.3
    people.table.tick(people.now_s)
    assert people.session.match.over
    assert people.table.menu is None
    people.now_s += 1.0
    people.press("bank")
    after = people.table
    assert after.menu is not None or (after.session is not None and not after.session.match.over)


@pytest.fixture
def session() -> MatchSession:
    return MatchSession(Match("pig", ["Ann", "Ben"]))  # one die is due


def _lies(*faces: int) -> Rest:
    rest = Lying().throw(*faces)
    assert rest is not None
    return rest


def _held_back(rest: Rest, cause: Cause) -> HeldBack:
    return HeldBack(rest, (Hindrance(rest.reading.dice[0].x, rest.reading.dice[0].y, 4, cause, 2.0),))


@pytest.mark.parametrize(
    ("cause", "hint"),
    [("held", hints.HAND_AT_DICE), ("maybe held", hints.HAND_AT_DICE), ("moves", hints.DICE_NOT_STILL)],
)
def test_dice_that_wait_in_vain_are_told_and_bank_takes_them(session: MatchSession, cause: Cause, hint: str) -> None:
    """Read for long and no rest: the table says why, the bottom line says that BANK takes them, and it does, once."""
    rest = _lies(4)
    session.on_rest(None)
    session.hold_back(_held_back(rest, cause))
    assert session.notices.hint == hint
    assert snapshot(session, None).bank == "take"
    session.press(Press("bank"), rest.reading.time_s)
    assert session.match.at_stake == 4
    session.hold_back(_held_back(rest, cause))
    assert session.notices.hint == ""
    assert [event.kind for event in session.match.log] == ["throw"]


def test_what_waited_in_vain_and_is_gone_is_told_no_more(session: MatchSession) -> None:
    """BANK takes nothing then, and where the dice come to rest the throw is taken as always."""
    rest = _lies(4)
    session.on_rest(None)
    session.hold_back(_held_back(rest, "held"))
    session.hold_back(None)
    assert session.notices.hint == ""
    session.press(Press("bank"), rest.reading.time_s)
    assert session.match.at_stake == 0
    session.on_rest(rest)
    assert session.match.at_stake == 4


def test_another_number_of_dice_than_is_due_waits_in_silence(session: MatchSession) -> None:
    session.hold_back(_held_back(_lies(4, 5), "held"))
    assert session.notices.hint == ""


def test_dice_that_lay_there_before_are_told_after_two_seconds(session: MatchSession) -> None:
    """They are no throw that anybody saw: BANK takes them, and the table says so once they have lain for a while."""
    die = Die(4, 100.0, 100.0, 50.0, 0.0, "white", 0.99)
    told = []
    for time_s in (1.0, 2.0, 2.9, 3.1):
        session.on_rest(Rest(Reading(time_s, 640, 480, (die,)), (-inf,)))
        told.append(session.notices.hint)
    assert told == ["", "", "", hints.LAY_THERE]
    session.press(Press("bank"), 3.2)
    assert session.match.at_stake == 4


LYING = Rest(Reading(0.0, 640, 480), ())
TIMES = st.floats(0.0, 10.0)
EVENTS = st.lists(
    st.one_of(
        st.builds(SeenRest, TIMES, st.sampled_from([None, LYING])),
        st.builds(Press, st.sampled_from(["bank", "hold"]), time_s=TIMES),
    )
)


@given(first=EVENTS, second=EVENTS)
def test_the_oldest_comes_first(first: list[Press | SeenRest], second: list[Press | SeenRest]) -> None:
    queue = EventQueue()
    queue.put(first)
    queue.put(second)
    given_out = list(queue)
    times = [event.time_s for event in given_out]
    assert times == sorted(event.time_s for event in (*first, *second))
    assert list(queue) == []


PRESSED, STEPPED = Press("bank", time_s=1.0), Press("hold", time_s=1.2)
MOVES, LIES = SeenRest(1.1, None), SeenRest(1.5, LYING)
LATE = SeenRest(1.0 + TUMBLE_S + 0.1, None)


@pytest.mark.parametrize(
    ("events", "out"),
    [
        ([LIES, PRESSED, MOVES], [PRESSED, MOVES, LIES, PRESSED]),  # it waits until the dice lie
        ([LIES, PRESSED, MOVES, STEPPED], [PRESSED, MOVES, STEPPED, LIES]),  # or until another press replaces it
        ([PRESSED, MOVES, LATE], [PRESSED, MOVES, LATE, PRESSED]),  # what moves for longer is no throw
    ],
)
def test_a_press_that_was_put_back_comes_again(events: list[Press | SeenRest], out: list[Press | SeenRest]) -> None:
    queue, seen = EventQueue(), list[object]()
    queue.put(events)
    for event in queue:
        if event is PRESSED and event not in seen:
            queue.put_back = PRESSED
        seen.append(event)
    assert seen == out
