"""A service whose configuration names a game: the plug is pulled in the middle of a match, and that match goes on."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from service_program import listening, service

from tabletop.core.values import Moment
from tabletop.rules import Choose, Match, Throw
from tabletop.session.match_library import MatchLibrary
from tabletop.store import Store


def pig(**options: int) -> Match:
    return Match("pig", ["Ann", "Ben"], **options)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "tabletop.db") as store:
        yield store


def library(store: Store) -> MatchLibrary:
    return MatchLibrary(store, lambda: Moment("2026-12-24T18:00:00Z"), lambda _: None)


def played(store: Store, match: Match) -> int:
    """Begin a match and throw once; return its number."""
    session = library(store).begin(match)
    session.give(Throw((3,)))
    return session.journal.number


def continued(store: Store, match: Match) -> int | None:
    session = library(store).continued(match)
    return None if session is None else session.journal.number


def test_the_match_that_was_played_last_goes_on(store: Store) -> None:
    """Also where a newer one was put aside for it; when it is over, the newer one."""
    first, second = played(store, pig()), played(store, pig(target=10))
    assert continued(store, pig()) == second
    session = library(store).resume(first)
    assert continued(store, pig()) == first
    while not session.match.over:
        session.give(Choose("bank") if session.match.request.kind == "choose" else Throw((6,)))
    assert continued(store, pig()) == second


def test_without_an_unfinished_match_a_new_one_begins(store: Store) -> None:
    """A match that was ended does not count; one in which nothing has happened yet is taken up, and not made twice."""
    assert continued(store, pig()) is None
    store.end(played(store, pig()), "left")
    assert continued(store, pig()) is None
    untouched = library(store).begin(pig()).journal.number
    assert continued(store, pig()) == untouched
    assert continued(store, pig(target=50)) is None


def test_a_match_that_the_rules_no_longer_accept_stands_in_nobodys_way(store: Store) -> None:
    """It is passed over: the service starts, with the one before, or with a new one."""
    first = played(store, pig())
    broken = store.begin("pig", ["Ann", "Ben"], {"target": 50}, "2026-12-24T18:00:00Z")
    store.append(broken, 1, [("2026-12-24T18:00:01Z", {"kind": "throw", "faces": [9], "request": {"kind": "roll"}})])
    assert continued(store, pig()) == first
    store.end(first, "left")
    assert continued(store, pig()) is None


def test_the_service_goes_on_with_it(tmp_path: Path) -> None:
    """Though its configuration names another game: the status is that match's, and no other was begun."""
    with Store(tmp_path / "tabletop.db") as store:
        played(store, pig())
    configured = 'camera = "usb:63"\nbuttons = "none"\nscreen = "none"\nlisten = "local"\ngame = "ten-thousand"\n'
    with listening(tmp_path) as listener, service(tmp_path, configured):
        assert listener.hears("READY=1".__eq__)
        assert listener.hears(lambda line: line.startswith("STATUS="))
    with Store(tmp_path / "tabletop.db", looking=True) as store:
        assert [(match.game, match.events) for match in store.matches()] == [("pig", 1)]
