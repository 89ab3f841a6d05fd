"""A cell of the store that a worn card has written over: that match cannot be read, all others are as before."""

import json
import re
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.cli.main import main
from tabletop.core.errors import DamagedError, TabletopError
from tabletop.core.values import ClockState, Moment
from tabletop.doctor.collect import rows_check
from tabletop.rules import Answer, Choose, Keep, Match, Throw
from tabletop.session.match_library import MatchLibrary
from tabletop.store import Store
from tabletop.store.copies import copy_store
from tabletop.views.i18n.catalogue import load_language
from tabletop.web.payload import packed
from tabletop.web.players import players_of
from tabletop.web.setup import setup_of

AT = "2026-11-20T19:00:00.000Z"
ENDLESS = """{"kind": "throw", "player": null, "faces": [3], "request": {"kind": "roll", "player": null,
"dice": {"Ann": 1000000000000}, "legal": [], "options": [], "gives": {}}}"""
SPOILED: tuple[object, ...] = (
    "", "{", "7", "null", "true", "[]", "{}", "[1, 2]", '["Ann"]', '["Ann", "Ann"]', '[""]', '{"target": [1]}',
    '{"target": NaN}', '{"target": 1e999}', "[" * 100_000, '{"a":' * 900 + "1" + "}" * 900, '["\\ud800"]',
    '{"target": "\\ud800"}', json.dumps(["x" * 1_000_000]), "9" * 5000, b"\xff\x00", b"", None, 7, -1, 2**63 - 1, 0.5,
    "tomorrow", "9999-12-31T23:59:59Z", "0001-01-01", "\x1b[2J", "farkle", '{"kind": "throw"}', '{"kind": ["throw"]}',
    '{"kind": "throw", "player": 7, "faces": "33"}', '{"kind": "undo", "player": null}',
    '{"kind": "throw", "player": "Ann", "faces": [[1]]}', '{"kind": "correct", "player": "Ann", "event": 1e400}',
    ENDLESS,
)  # fmt: skip
BYTES_OF_NO_TEXT = "CAST(x'5b22ff225d' AS TEXT)"  # '["' + a byte that is no UTF-8 + '"]'
COLUMNS = {
    "match": ("id", "game", "players", "options", "begun", "ending"),
    "event": ("match", "n", "time", "body"),
    "clock": ("match", "n", "boot", "monotonic_ms", "trusted"),
    "colour": ("match", "name", "colour"),
    "name": ("name", "match", "remembered"),
    "preset": ("name", "game", "players", "options", "kept"),
    "same_name": ("name", "means"),
    "playing": ("match",),
    "sequence": ("id", "match", "n"),
    "result": ("match", "seat", "name", "score", "place", "throws", "turns", "points", "best", "rules"),
}


def _library(store: Store) -> MatchLibrary:
    return MatchLibrary(store, lambda: Moment(AT, ClockState("b", 1.0, trusted=True)), lambda _: None)


def _answers(match: Match, faces: tuple[int, ...]) -> Answer:
    """Return a legal answer: these faces of a throw, else the first keep or the last choice."""
    request = match.request
    if request.kind == "roll":
        return Throw(faces[: request.dice if isinstance(request.dice, int) else 0])
    return Keep(request.legal[0]) if request.kind == "keep" else Choose(request.options[-1])


def _filled(path: Path) -> None:
    """Store an open match, one that is over, one of another game, and a row in every other table."""
    with Store(path) as store:
        library = _library(store)
        for match in (Match("pig", ["Ann", "Ben"]), Match("pig", ["Ben", "Cid"], target=6), Match("farkle", ["Dan"])):
            session = library.begin(match)
            for faces in ((3, 1, 1, 5, 2, 4), (4, 5, 5, 5, 2, 2)) * 3:
                if not match.over:
                    session.give(_answers(session.match, faces))
            store.keep_colour(session.journal.number, match.players[0], "red")
        store.presets.keep("Friday", "pig", ["Ann", "Ben"], {"target": 50})
        store.same_names.merge("Anne", "Ann")
        store.remember("Cid")


def _loosened(path: Path, out: Path) -> None:
    """Copy a store into tables that take anything in any column: a card knows no types."""
    with closing(sqlite3.connect(path)) as old, closing(sqlite3.connect(out)) as new:
        old.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for (sql,) in old.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall():
            plain = (
                re.sub(r"\) STRICT(, )?", ") ", sql)
                .replace("NOT NULL", "")
                .replace("REFERENCES match (id)", "")
                .replace("ON DELETE CASCADE", "")
            )
            new.execute(plain.replace("WITHOUT ROWID", "").replace("CHECK (one = 1)", ""))
        for table in COLUMNS:
            rows = old.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608 - one of ours
            new.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * len(rows[0]))})", rows)  # noqa: S608 - the same
        new.execute(f"PRAGMA application_id={old.execute('PRAGMA application_id').fetchone()[0]}")
        new.execute("PRAGMA user_version=1")
        new.commit()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[int, str]]:
    folder = tmp_path_factory.mktemp("whole")
    _filled(folder / "strict.db")
    _loosened(folder / "strict.db", folder / "a.db")
    return folder / "a.db", {number: _told("replay", str(number), folder / "a.db")[1] for number in (1, 2, 3)}


def _told(command: str, word: str, store: Path) -> tuple[int, str, str]:
    """Run a command as a shell does; a traceback fails the test."""
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        status = main([command, *([word] if word else []), "--store", str(store)])
    out.getvalue().encode()
    return status, out.getvalue(), err.getvalue()


def _dump(path: Path) -> list[list[tuple[object, ...]]]:
    with closing(sqlite3.connect(path)) as database:
        database.text_factory = bytes
        queries = ("SELECT * FROM match WHERE id<=3", "SELECT * FROM event WHERE match<=3")
        return [database.execute(query).fetchall() for query in queries]


cells = st.sampled_from([(table, column) for table, columns in COLUMNS.items() for column in columns])


@settings(max_examples=25, deadline=None)
@given(cell=cells, chance=st.randoms(use_true_random=False), value=st.sampled_from((*SPOILED, BYTES_OF_NO_TEXT)))
def test_one_damaged_cell_costs_one_match_at_most(
    whole: tuple[Path, dict[int, str]], cell: tuple[str, str], chance: Random, value: object
) -> None:
    """Everything else is shown, counted, played on and begun as before; what is damaged is named, and left as it is."""
    path, shown = whole
    table, column = cell
    with TemporaryDirectory() as folder:
        store_path = Path(shutil.copy(path, Path(folder) / "a.db"))
        key = "id" if table == "match" else "match" if "match" in COLUMNS[table] else "name"
        with closing(sqlite3.connect(store_path)) as database:
            row, number = chance.choice(database.execute(f"SELECT rowid, {key} FROM {table}").fetchall())  # noqa: S608
            filled = value if value == BYTES_OF_NO_TEXT else "?"
            try:
                given = () if value == BYTES_OF_NO_TEXT else (value,)
                database.execute(f"UPDATE {table} SET {column}={filled} WHERE rowid={row}", given)  # noqa: S608
            except sqlite3.Error:  # a number that is there already, or none where there must be one
                return
            database.commit()
        touched = {number, value} if table in ("match", "event") else set()
        before = _dump(store_path)
        _check_commands(store_path, {number: text for number, text in shown.items() if number not in touched})
        _check_play(store_path, touched)
        assert _dump(store_path) == before


def _check_commands(path: Path, shown: Mapping[int, str]) -> None:
    assert {number: _told("replay", str(number), path)[1] for number in shown} == dict(shown)
    for command, word in (("replay", ""), ("replay", "--json"), ("stats", ""), ("stats", "--json")):
        status, _, err = _told(command, word, path)
        assert (status, err) == (0, "")
    for number in {1, 2, 3} - set(shown):
        status, _, err = _told("replay", str(number), path)
        assert (status, err.count("\n")) in ((0, 0), (2, 1))
    copy_store(path, path.with_name("b.db"))


def _check_play(path: Path, touched: set[object]) -> None:
    """Play on in the open matches, begin another, and show menu and form."""
    with Store(path) as store:
        library = _library(store)
        menu = library.menu()
        assert menu.snapshot.menu is not None
        json.dumps(setup_of(library.known(()), load_language("en")), ensure_ascii=False).encode()
        for number in (1, 3):
            try:
                library.resume(number)
            except TabletopError as error:
                if number not in touched:
                    raise AssertionError(number) from error
        packed(players_of(store, load_language("en"), "Ann"))
        session = library.begin(Match("pig", ["Eva"]))
        session.give(Throw((6,)))
        assert store.match(session.journal.number).events == 1
        library.continued(Match("pig", ["Eva"]))


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        ("UPDATE match SET options='[1' WHERE id=1", "match 1: options"),
        ("UPDATE match SET players='7', begun='noon' WHERE id=1", "match 1: players, begun"),
        ("UPDATE event SET body='null' WHERE match=1 AND n=2", "match 1: event 2"),
        ("DELETE FROM event WHERE match=1 AND n=2", "match 1: event 2"),
        ("""UPDATE event SET body='{"kind": "keep"}' WHERE match=1 AND n=1""", "match 1: event 1"),
    ],
)
def test_the_damaged_match_is_named_everywhere(
    whole: tuple[Path, dict[int, str]], tmp_path: Path, spoil: str, named: str
) -> None:
    """`doctor` names match and cell, `replay` refuses in one line, `stats` counts it, the menu points to the check."""
    path = Path(shutil.copy(whole[0], tmp_path / "a.db"))
    before = rows_check(path, thorough=True)
    assert before is not None
    assert before.right
    with closing(sqlite3.connect(path)) as database:
        database.execute(spoil)
        database.commit()
    check = rows_check(path, thorough=True)
    assert check is not None
    assert (check.right, check.figure) == (False, named)
    assert json.loads(_told("stats", "--json", path)[1])["damaged"] == 1
    status, _, err = _told("replay", "1", path)
    assert (status, err.count("\n")) == (2, 1)
    with Store(path) as store:
        with pytest.raises(DamagedError):
            _library(store).resume(1)
        if "kind" not in spoil:  # what is JSON, and no event, is found when somebody wants to go on
            assert _library(store).known(()).unreadable == 1
            assert [match.number for match in _library(store).open_matches()] == [3]


def test_a_match_that_lost_its_row_leaves_its_number_alone(tmp_path: Path) -> None:
    """The next match takes a number at which no events stand; else none of its throws could be stored."""
    _filled(tmp_path / "a.db")
    with closing(sqlite3.connect(tmp_path / "a.db")) as database:
        database.execute("DELETE FROM match WHERE id=3")
        database.commit()
    with Store(tmp_path / "a.db") as store:
        session = _library(store).begin(Match("pig", ["Eva"]))
        session.give(Throw((6,)))
        assert session.journal.number == 4


@pytest.mark.parametrize(
    ("instead", "named"),
    [
        ("VIEW name AS SELECT 1 AS name", "name: row 1"),
        ("TABLE name AS SELECT x'00' AS name", "name: row 1"),
        ("VIEW name AS SELECT name FROM gone", "no such table: main.gone"),
    ],
)
def test_another_table_than_ours_is_named(tmp_path: Path, instead: str, named: str) -> None:
    """A column of a type that the store does not use is damage, and ends no check."""
    _filled(tmp_path / "a.db")
    with closing(sqlite3.connect(tmp_path / "a.db")) as database:
        database.executescript(f"DROP TABLE name; CREATE {instead}")
    check = rows_check(tmp_path / "a.db", thorough=True)
    assert check is not None
    assert (check.right, check.figure) == (False, named)
