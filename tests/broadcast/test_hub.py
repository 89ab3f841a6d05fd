"""The hub: what is stored reaches every follower once and in order, wherever it stood."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path
from random import Random

import pytest

from tabletop.broadcast.history import Place
from tabletop.broadcast.hub import HELP_S, Follower, Hub
from tabletop.core.values import Moment
from tabletop.interpret.hints import idle
from tabletop.rules import Match
from tabletop.rules.conformance.trial import random_answer
from tabletop.session.match_library import MatchLibrary
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import snapshot
from tabletop.store import Store
from tabletop.store.copies import keep_copy
from tabletop.store.erasing import replace_player
from tabletop.views.snapshot import Snapshot


@contextmanager
def _table(path: Path) -> Iterator[tuple[Hub, MatchSession]]:
    hub = Hub(path)
    with Store(path) as store:
        hub.start(store.newest_sequence())
        library = MatchLibrary(store, lambda: Moment("2026-11-28T18:00:00.000Z"), hub.stored)
        yield hub, library.begin(Match("pig", ["Ann", "Ben"], target=200))
        hub.close()


def _play(session: MatchSession, answers: int, seed: int = 1) -> None:
    chance = Random(seed)
    for _ in range(answers):
        session.give(random_answer(session.match.request, chance))


def _rest(follower: Follower) -> list[str]:
    found = list[str]()
    while told := follower.take():
        found += (one.data["id"] for one in told)
    return found


def test_followers_get_all_events_once_in_order(tmp_path: Path) -> None:
    with _table(tmp_path / "a.db") as (hub, session):
        early, called = Follower(hub), threading.Event()
        hub.call(called.set)
        _play(session, 40)
        assert called.wait(10.0)
        late = Follower(hub, Place(0))
        _play(session, 40)
    ids = _rest(early)
    assert [Place.parse(text) for text in ids] == sorted(set(map(Place.parse, ids)))
    assert len(ids) > 80
    assert _rest(late) == ids
    assert "events" not in {thread.name for thread in threading.enumerate()}


def test_follower_that_fell_behind_reads_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabletop.broadcast.hub.MOST_KEPT", 10)
    with _table(tmp_path / "a.db") as (hub, session):
        slow, quick = Follower(hub), Follower(hub)
        _play(session, 60)
        _rest(quick)
    ids = _rest(slow)
    assert ids == _rest(Follower(hub, Place(0)))


def test_nothing_deleted_stays_in_memory(tmp_path: Path) -> None:
    """Whatever process deletes a player: a follower that was behind reads the new name, as one does from the store."""
    path, called = tmp_path / "a.db", threading.Event()
    keep_copy_of(path)
    with _table(path) as (hub, session):
        hub.call(called.set)
        _play(session, 20)
        assert called.wait(10.0)
    assert any("Ann" in str(one.data) for _, one in hub.kept()[1])
    replace_player(path, "Ann", "Zoe", lambda _: False)
    told = Follower(hub, Place(0)).take()
    assert told
    assert "Ann" not in str([one.data for one in told]) + str(hub.kept())
    assert any("Zoe" in str(one.data) for one in told)


def keep_copy_of(path: Path) -> None:
    with Store(path):
        pass
    keep_copy(path, date(2026, 11, 27))


def test_live_events_come_once(tmp_path: Path) -> None:
    """A hint that stands is reported, a short one is not; the state follows each change."""
    with _table(tmp_path / "a.db") as (hub, session):
        follower = Follower(hub)
        shown = snapshot(session, None)
        hint = idle(session.match.request)
        for now_s, text in (
            (0.0, ""),
            (1.0, hint),
            (1.0 + HELP_S / 2, ""),
            (5.0, hint),
            (5.0 + HELP_S, hint),
            (9.0, ""),
        ):
            hub.show(replace(shown, hint=text), None, now_s)
        assert hub.state["needs_help"] == ""
        hub.show(Snapshot(), None, 10.0)
        assert hub.state["table"] == "menu"
    live = [one.data for one in follower.take() if one.place is None]
    assert [(data["kind"], data.get("state"), data.get("needed")) for data in live] == [
        ("table", "playing", None), ("needs_help", None, True), ("needs_help", None, False), ("table", "menu", None),
    ]  # fmt: skip
    assert live[1]["text"] == hint
    assert len({data["id"] for data in live}) == len(live)
