"""Export and import: what comes back is the same match, event for event; nonsense is refused in one line."""

import csv
import json
from io import StringIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from played_events import VALID, played

from tabletop.broadcast.interchange import FORMATS, export, import_events, read_export
from tabletop.core.errors import InputError
from tabletop.rules import Match, game_ids, load
from tabletop.store import Store

NAMES = ("@Ann", "+Ben")  # a spreadsheet runs what begins so; no player's name begins with =


def _exported(path: Path, form: str) -> str:
    with Store(path, looking=True) as store:
        return "".join(export(path, sorted(match.number for match in store.matches()), form))


@pytest.mark.parametrize("form", FORMATS)
def test_matches_come_back_as_they_were(form: str, tmp_path: Path) -> None:
    """Of eight games, with undos, corrections, joint throws and cups: the same rows in the store of another table."""
    games = [*Random(form).sample(sorted(game_ids()), 6), "liars-dice", "aces"]
    for seed, game_id in enumerate(games):
        names = ["Ann", "Ben", "Cid"][: max(2, load(game_id)[0].min_players)]
        played(tmp_path / "a.db", Match(game_id, names), seed)
    text = _exported(tmp_path / "a.db", form)
    with Store(tmp_path / "a.db", looking=True) as old, Store(tmp_path / "b.db") as new:
        assert import_events(new, read_export(text)) == (len(games), 0)
        assert import_events(new, read_export(text)) == (0, len(games))
        for match in old.matches():
            assert new.match(match.number) == match
            assert [(one.time, one.body) for one in new.events(match.number)] == [
                (one.time, one.body) for one in old.events(match.number)
            ]
        assert new.newest_sequence() == 0


def test_json_is_one_list_of_valid_events(tmp_path: Path) -> None:
    played(tmp_path / "a.db", Match("pig", ["Ann", "Ben"]), 1)
    events = json.loads(_exported(tmp_path / "a.db", "json"))
    assert len(events) > 50
    for event in events:
        VALID.validate(event)


def test_csv_is_safe_in_a_spreadsheet(tmp_path: Path) -> None:
    """One row for each event, and no cell that begins like a formula, whatever players are called."""
    with Store(tmp_path / "a.db") as store:
        store.begin("pig", NAMES, {"target": 100}, "2026-11-28T18:00:00.000Z")
    rows = list(csv.reader(StringIO(_exported(tmp_path / "a.db", "csv"), newline="")))
    assert len(rows) == 1 + len(("match_started", "turn"))
    assert len({len(row) for row in rows}) == 1
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "@"))]


def test_empty_store_exports_nothing(tmp_path: Path) -> None:
    Store(tmp_path / "a.db").close()
    assert json.loads(_exported(tmp_path / "a.db", "json")) == []
    assert len(_exported(tmp_path / "a.db", "csv").splitlines()) == 1


def test_wrong_event_is_named_and_nothing_is_stored(tmp_path: Path) -> None:
    played(tmp_path / "a.db", Match("pig", ["Ann", "Ben"]), 1)
    events = json.loads(_exported(tmp_path / "a.db", "json"))
    throws = [event for event in events if event["kind"] == "throw"]
    throws[3]["faces"] = [7]
    with Store(tmp_path / "b.db") as new:
        with pytest.raises(InputError, match=f"match 1, event {throws[3]['n']}"):
            import_events(new, events)
        assert new.matches() == ()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
STARTED = {"match": 1, "n": 0, "time": "2026-11-28T18:00:00Z", "kind": "match_started", "game": "pig"}
STARTED |= {"players": ["Ann", "Ben"], "options": {}}
FIELDS = ("match", "time", "kind", "game", "players", "options", "player", "faces", "kept", "choice", "event")


@given(st.text() | JSON.map(json.dumps))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read_export(text)
    except InputError:
        return


@pytest.mark.parametrize("text", ["", "hello", "a,b,c", "a,b,c\n1,2,3\n", "<html>", "\x00", "match,n\n"])
def test_a_file_of_something_else_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_export(text)


@given(st.data())
def test_any_event_is_stored_or_refused(data: st.DataObject) -> None:
    kinds = st.sampled_from(["throw", "keep", "choose", "undo", "correct", "leave", "join", "abandon", "match_started"])
    made = st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=5)
    events = [dict(STARTED)] + [{**STARTED, "kind": data.draw(kinds), **data.draw(made)} for _ in range(3)]
    try:
        read_export(json.dumps(events))
        with TemporaryDirectory() as folder, Store(Path(folder) / "a.db") as store:
            import_events(store, events)
    except InputError:
        return
