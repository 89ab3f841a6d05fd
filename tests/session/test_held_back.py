"""Dice that are read and make no rest: the table says what it waits for, and BANK takes them."""

from collections.abc import Iterator
from math import inf
from pathlib import Path

import pytest
from table_play import Lying

from tabletop.core.moment import Moment
from tabletop.core.ports import Press
from tabletop.core.values import Die, Reading, Rest
from tabletop.interpret import hints
from tabletop.perception.settler import Cause, HeldBack, Hindrance
from tabletop.rules import Match
from tabletop.session.match_library import MatchLibrary
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import snapshot
from tabletop.store import Store


@pytest.fixture
def session(tmp_path: Path) -> Iterator[MatchSession]:
    """Begin a match of Pig: one die is due."""
    with Store(tmp_path / "a.db") as store:
        library = MatchLibrary(store, lambda: Moment("2026-01-01T00:00:00Z"), lambda _: None)
        yield library.begin(Match("pig", ["Ann", "Ben"]))


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
    """Two dice read where one is due are no throw that waits."""
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
