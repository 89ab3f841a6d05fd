"""What a person deletes is gone from every file, also after a kill in the middle; all else is as it was."""

import json
import os
import shutil
import signal
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from played_events import AT, played

from tabletop.broadcast.history import History, Place
from tabletop.broadcast.interchange import export
from tabletop.cli.main import main
from tabletop.core.errors import InputError
from tabletop.core.values import Moment
from tabletop.replay.recorder import Recorder
from tabletop.rules import Choose, Match, Throw, game_ids, load
from tabletop.session.match_library import MatchLibrary
from tabletop.store import Store, erasing
from tabletop.store.copies import BEFORE, NEWEST, checked_store, keep_copy
from tabletop.store.erasing import delete_match, finish, replace_player
from tabletop.store.opening import MatchLock

PICTURE = b"picture of a throw"
GONE, STAYS = "Xaverl", "Yolanda"  # in no word of a game


def nobody(_: int) -> bool:
    return False


def evening(folder: Path) -> Path:
    """Leave what a table leaves: two matches, both copies, pictures, a recording of each, the cache of `stats`."""
    store = folder / "tabletop.db"
    for seed, names in enumerate(([GONE, "Zoë"], [STAYS, "Ben"])):
        session, _ = played(store, Match("pig", names), seed)
        keep_copy(store, date(2026, 1, 1 + seed))
        recorder = Recorder(folder / f"game-{seed + 1}.tar", None, {}, spare=0)
        log = [event.to_json() for event in session.match.log]
        about = {"game": "pig", "players": names, "options": dict(session.match.options)}
        recorder.turned(0.0, None, (), {"match": {**about, "log": log[:3]}})
        recorder.turned(1.0, None, (), {"events": log[3:]})
        recorder.close()
        throws = folder / "throws" / "tabletop"
        throws.mkdir(parents=True, exist_ok=True)
        (throws / f"{seed + 1}-1.jpg").write_bytes(b"%s %d" % (PICTURE, seed + 1))
        facts = {"event": {key: value for key, value in log[0].items() if key != "request"}, "reading": {}}
        (throws / f"{seed + 1}-1.json").write_text(json.dumps(facts))
    with Store(store) as opened:
        opened.presets.keep("Sunday", "pig", [GONE, "Ben"], {})
        opened.remember(GONE)
        opened.end(1, "left")
        opened.keep_colour(1, GONE, "red")
    assert main(["stats", "--store", str(store), "--json"]) == 0
    return store


def places(folder: Path, *words: bytes) -> set[str]:
    """Return the files that hold one of these words, byte by byte."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.name for path in files if any(word in path.read_bytes() for word in words)}


def exported(store: Path, *numbers: int) -> str:
    return "".join(export(store, numbers, "json"))


def rows(store: Path, number: int) -> list[Any]:
    with Store(store, looking=True) as opened:
        return [opened.match(number), opened.events(number), opened.dates()[number]]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return evening(tmp_path / "state")


def assert_deleted(store: Path, kept: list[Any]) -> None:
    """Check that of the first match not a byte is left, and that the second is as it was, also where it was copied."""
    folder = store.parent
    assert places(folder, GONE.encode(), "Zoë".encode(), b"Zo\\u00eb", b"%s 1" % PICTURE) == set()
    assert not (folder / "game-1.tar").exists()
    assert (folder / "game-2.tar").exists()
    assert places(folder, b"%s 2" % PICTURE) == {"2-1.jpg"}
    assert rows(store, 2) == kept
    assert rows(store.with_name(store.name + NEWEST), 2)[:2] == kept[:2]
    for suffix in ("", NEWEST):
        checked_store(store.with_name(store.name + suffix))
    assert not store.with_name(store.name + BEFORE).exists()


def test_a_deleted_match_is_in_no_file(store: Path) -> None:
    """Also while the table has the store open and its newest events are in the log; one new copy replaces both."""
    before = places(store.parent, GONE.encode())
    assert before >= {f"tabletop.db{suffix}" for suffix in ("", NEWEST, BEFORE, ".stats")} | {"game-1.tar", "1-1.json"}
    kept = rows(store, 2)
    with Store(store) as table:
        table.presets.keep("Sunday", "pig", ["Ben"], {})  # in the log
        delete_match(store, 1, nobody)
        replace_player(store, GONE, "", nobody)  # what the table remembers of the name besides matches
        assert store.with_name("tabletop.db-wal").stat().st_size == 0
        assert_deleted(store, kept)
        assert [match.number for match in table.matches()] == [2]


def test_a_store_from_before_a_table_was_added_loses_a_match_as_well(store: Path) -> None:
    kept = rows(store, 2)
    with closing(sqlite3.connect(store)) as database:
        for table in ("result", "deleted", "colour", "clock"):
            database.execute(f"DROP TABLE {table}")
    delete_match(store, 1, nobody)
    assert rows(store, 2)[0] == kept[0]
    assert places(store.parent, "Zoë".encode(), b"Zo\\u00eb", b"%s 1" % PICTURE) == set()


def test_numbers_and_ids_are_never_given_again(store: Path) -> None:
    """Even those of the newest match, whether the table played or imported it."""
    with Store(store, looking=True) as opened:
        newest = opened.newest_sequence()
    delete_match(store, 2, nobody)
    with Store(store) as opened:
        assert opened.newest_sequence() == newest
        assert opened.begin("pig", ["Ann", "Ben"], {}, AT) == 3
        assert opened.newest_sequence() == newest + 1
        assert opened.begin("pig", ["Ann", "Ben"], {}, AT, told=False) == 4
    delete_match(store, 4, nobody)
    with Store(store) as opened:
        assert opened.begin("pig", ["Ann", "Ben"], {}, AT) == 5


def test_while_a_large_store_is_played_with_nothing_is_deleted(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rewriting its file would make events wait; an unfinished match that nobody plays is no bar."""
    monkeypatch.setattr(erasing, "LARGE", 0)
    with Store(store) as opened:
        number = opened.begin("pig", ["Ann", "Ben"], {}, AT)
    before = exported(store, 1, 2)
    with pytest.raises(InputError):
        delete_match(store, 1, lambda one: one == number)
    assert exported(store, 1, 2) == before
    delete_match(store, 1, lambda _: False)
    with Store(store, looking=True) as opened:
        assert 1 not in [match.number for match in opened.matches()]


def test_a_match_that_is_played_stays(store: Path) -> None:
    """At another table, which locks it; a match that is not there is named."""
    before = exported(store, 1, 2)
    with Store(store) as opened:
        number = opened.begin("pig", [GONE, "Ben"], {}, AT)
        told, tells = os.pipe()
        child = os.fork()
        if not child:
            assert MatchLock(store).take(number)
            os.write(tells, b"!")
            signal.pause()
        try:
            os.read(told, 1)
            lock = MatchLock(store)

            def playing(one: int) -> bool:
                return not lock.take(one)

            with pytest.raises(InputError):
                delete_match(store, number, playing)
            with pytest.raises(InputError):
                replace_player(store, GONE, "", playing)
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            lock.close()
    assert exported(store, 1, 2) == before
    with pytest.raises(InputError, match="got 9"):
        delete_match(store, 9, nobody)


def killed_at(line: int, store: Path) -> bool:
    """Delete in another process, killed once this many lines of the deletion have run; return whether it was."""
    child = os.fork()
    if not child:
        run = 0

        def trace(frame: FrameType, _: str, __: object) -> Any:  # noqa: ANN401 - as sys.settrace has it
            nonlocal run
            if not frame.f_code.co_filename.endswith("erasing.py"):
                return None
            run += 1
            if run == line:
                os.kill(os.getpid(), signal.SIGKILL)
            return trace

        sys.settrace(trace)
        delete_match(store, 1, nobody)
        os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def killed_everywhere(left: Path, step: int) -> Iterator[str]:
    with closing(sqlite3.connect(left)) as database, database:  # names that no match has are another deletion
        database.execute("DELETE FROM preset")
        database.execute("DELETE FROM name")
    kept, whole, line = rows(left, 2), exported(left, 1), 1
    while True:
        store = Path(shutil.copytree(left.parent, left.parent.parent / f"killed {line}")) / left.name
        killed = killed_at(line, store)
        begun = store.with_name("tabletop.db.erasing").exists()
        finish(store)
        if not begun and killed and places(store.parent, GONE.encode()):
            assert exported(store, 1) == whole
            yield "whole"
        else:
            assert_deleted(store, kept)
            yield "deleted"
        if not killed:
            return
        line += step


def test_a_killed_deletion_is_finished_at_the_next_start(store: Path) -> None:
    """Or has not begun. The kernel kills it between two lines."""
    assert {*killed_everywhere(store, 150)} == {"whole", "deleted"}


@pytest.mark.slow
def test_wherever_it_is_killed(store: Path) -> None:
    assert {*killed_everywhere(store, 1)} == {"whole", "deleted"}


# Players


@pytest.mark.parametrize("games", [["aces", "lcr", "pig"], pytest.param(sorted(game_ids()), marks=pytest.mark.slow)])
def test_a_renamed_player_has_played_the_same_matches(tmp_path: Path, games: list[str]) -> None:
    """With undos and corrections; the slow one in all games: the export has the new name in the places of the old."""
    store = tmp_path / "tabletop.db"
    for seed, game_id in enumerate(games):
        played(store, Match(game_id, [GONE, STAYS, "Cid", "Dan"][: max(2, load(game_id)[0].min_players)]), seed)
    numbers = range(1, 1 + len(games))
    before = exported(store, *numbers)
    with Store(store) as opened:
        opened.same_names.merge("xavi", GONE)
    replace_player(store, GONE, "Zita", nobody)
    assert exported(store, *numbers) == before.replace(GONE, "Zita")
    assert places(tmp_path, GONE.encode(), b"xavi") == set()


def test_programs_follow_a_match_that_goes_on_under_a_new_name(tmp_path: Path) -> None:
    store, history, place = tmp_path / "tabletop.db", History(tmp_path / "tabletop.db"), Place(0)
    with Store(store) as opened:
        library = MatchLibrary(opened, lambda: Moment(AT), lambda _: None)
        session = library.begin(Match("pig", [GONE, "Ben"]))
        session.give(Throw((3,)))
        session.give(Choose("roll"))
        while told := history.after(place):
            place = told[-1].place or place
        replace_player(store, GONE, "Zita", nobody)
        library.resume(session.journal.number).give(Throw((4,)))
    (thrown,) = (one.data for one in history.after(place) if one.data["kind"] == "throw")
    assert (thrown["player"], thrown["faces"]) == ("Zita", [4])


@pytest.mark.parametrize(("game", "word"), [("pig", "bank"), ("lcr", "Ann"), ("mia", "true")])
def test_a_word_of_a_game_is_no_name(tmp_path: Path, game: str, word: str) -> None:
    """A player who is called as a choice is renamed, and the choice is not: as if they had always had the name."""
    for folder, name in (("a", word), ("b", "Zita")):
        (tmp_path / folder).mkdir()
        played(tmp_path / folder / "tabletop.db", Match(game, [name, "Ben", "Cid"]), 7)
    replace_player(tmp_path / "a" / "tabletop.db", word, "Zita", nobody)
    one, other = (rows(tmp_path / folder / "tabletop.db", 1) for folder in ("a", "b"))
    assert one == other


def test_a_deleted_player_is_a_seat_in_the_matches_of_others(store: Path) -> None:
    """What they played alone goes; pictures of the others' matches stay, under the new name."""
    played(store, Match("yacht", [GONE]), 3)
    before = exported(store, 1, 2)
    replace_player(store, GONE, "", nobody)
    assert exported(store, 1, 2) == before.replace(GONE, "#1")
    assert places(store.parent, GONE.encode()) == set()
    assert places(store.parent, b"%s 1" % PICTURE) == {"1-1.jpg"}
    assert json.loads((store.parent / "throws/tabletop/1-1.json").read_text())["event"]["player"] == "#1"
    with Store(store) as opened:
        assert [match.number for match in opened.matches()] == [2, 1]
        assert {*opened.names()} == {STAYS, "Zoë", "Ben"}
        assert opened.colours(1) == {"#1": "red"}
        assert opened.presets.all() == ()
    with pytest.raises(InputError):
        replace_player(store, GONE, "", nobody)


def test_players_who_sat_together_are_two(store: Path) -> None:
    """Others can be merged; then one name is left."""
    before = exported(store, 1, 2)
    with pytest.raises(InputError, match=f"{GONE} and Zoë"):
        replace_player(store, GONE, "Zoë", nobody)
    assert exported(store, 1, 2) == before
    replace_player(store, GONE, STAYS, nobody)
    assert exported(store, 1, 2) == before.replace(GONE, STAYS)
    with Store(store) as opened:
        assert set(opened.names()) == {STAYS, "Zoë", "Ben"}


# The command


def test_the_command_asks(store: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice; where nobody can answer, it wants --yes."""
    words = ["delete", "1", "--store", str(store)]
    assert main(words) == 2
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    for answers in (["no"], ["yes", "no"]):
        left = iter(answers)
        monkeypatch.setattr("builtins.input", lambda _, left=left: next(left))
        assert main(words) == 2
        assert next(left, None) is None
    assert GONE in exported(store, 1)
    left = iter(["yes", "yes"])
    monkeypatch.setattr("builtins.input", lambda _: next(left))
    (store.parent / "tabletop.db.damaged-2026-11-01").touch()
    capsys.readouterr()
    assert main(words) == 0
    assert "tabletop.db.damaged-2026-11-01" in capsys.readouterr().out
    assert main([*words, "--yes"]) == 2  # gone
    assert main(["delete", "--player", "Ben", "--rename", "Bea", "--store", str(store), "--yes"]) == 0
    assert places(store.parent, b'"Ben"') == set()
    for wrong in (["delete"], ["delete", "2", "--rename", "Bob"], ["delete", "--player", "Bea", "--rename", "a b"]):
        assert main([*wrong, "--store", str(store), "--yes"]) == 2
