"""What stored matches add up to, against sums made by hand and the tables of the chi-squared distribution."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from tabletop.cli.luck import chance_of
from tabletop.cli.main import main
from tabletop.cli.stats import SUFFIX, Summaries, Summary
from tabletop.rules import Match
from tabletop.session.journal import ending_of
from tabletop.store import Store


def keep(store: Store, match: Match) -> None:
    number = store.begin(match.game.id, match.seated, match.options, "2026-01-01T00:00:00Z")
    store.append(number, 1, [("2026-01-01T00:00:01Z", event.to_json()) for event in match.log])
    if ending_of(match):
        store.end(number, ending_of(match))


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "tabletop.db"
    with Store(path) as store:
        for faces in ((6,), (3, 5, 4)):  # Ann wins at once; Ann has 3, Ben 5, Ann 7
            match = Match("pig", ["Ann", "Ben"], target=6)
            for face in faces:
                match.throw([face])
                if not match.over:
                    match.choose("bank")
            keep(store, match)
        match = Match("pig", ["Fox", "Owl"], target=6)  # only tried out, on the page: counted nowhere
        match.throw([6])
        keep(store, match)
        match = Match("pig", ["Ben", "Cid"], target=6)
        match.throw([2])
        match.correct(1, [3])
        keep(store, match)
        store.begin("my-lost-game", ["Ann"], {}, "2026-01-01T00:00:00Z")
    return path


def told(store: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["stats", "--store", str(store), *words])
    out, err = capsys.readouterr()
    return status, out, err


def test_matches_wins_and_faces_are_counted(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only matches played to their end give scores; every throw that stands gives faces, as corrected."""
    facts = json.loads(told(store, capsys, "--json")[1])
    assert (facts["matches"], facts["endings"], facts["unreadable"]) == (4, {"over": 2, "open": 1}, 1)
    assert facts["players"] == [
        {"game": "Pig", "player": "Ann", "played": 2, "won": 2, "best": 7, "mean": 6.5},
        {"game": "Pig", "player": "Ben", "played": 2, "won": 0, "best": 5, "mean": 2.5},
    ]
    assert facts["faces"] == {"1": 0, "2": 0, "3": 2, "4": 1, "5": 1, "6": 1}
    text = told(store, capsys)[1]
    assert text.startswith("4 matches, 1 open, 2 over, 1 that the rules no longer accept\n")
    assert ["Pig", "Ann", "2", "2", "7", "6.5"] in [line.split() for line in text.splitlines()]


def test_only_a_game_or_a_player(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Named as people name them; who has never played is told who has."""
    assert json.loads(told(store, capsys, "--json", "--player", "Cid")[1])["matches"] == 1
    assert json.loads(told(store, capsys, "--json", "--game", "PIG")[1])["matches"] == 3
    status, out, err = told(store, capsys, "--player", "Zoe")
    assert (status, out, err.count("\n"), "Ann, Ben, Cid" in err) == (2, "", 1, True)
    assert told(store.with_name("none.db"), capsys)[0] == 2


def faces(store: Path, capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, int]:
    return dict(json.loads(told(store, capsys, "--json", *words)[1])["faces"])


def kept(store: Path) -> Path:
    return store.with_name(store.name + SUFFIX)


def test_each_match_is_played_through_once(store: Path) -> None:
    """What was kept comes back; other events are another match. A whole run drops the matches that are gone."""
    one, two = (Summary("Pig", False, ["Ann"], [count] * 6, {"Ann": 7}, ["Ann"]) for count in (1, 2))
    for log, made in ((b"one", one), (b"two", two)):
        summaries = Summaries(store)
        assert summaries.of(log, partial(replace, made)) == made
        summaries.keep(whole=False)
    again = Summaries(store)
    assert (again.of(b"one", lambda: two), again.of(b"two", lambda: one)) == (one, two)
    last = Summaries(store)
    last.of(b"three", lambda: two)
    last.keep(whole=True)
    assert Summaries(store).of(b"one", lambda: two) == two


def test_kept_summaries_hide_nothing(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A correction, an event that was written over, a damaged one and a merged name show in the next run."""
    before = faces(store, capsys)
    assert kept(store).exists()
    assert faces(store, capsys) == before
    assert faces(store, capsys, "--player", "Cid") == {**dict.fromkeys("123456", 0), "3": 1}
    with Store(store) as open_store:
        stored = next(match for match in open_store.matches() if "Cid" in match.players)
        match = Match("pig", ["Ben", "Cid"], target=6)
        match.throw([2])
        match.correct(1, [3])
        match.correct(1, [5])
        open_store.append(stored.number, 3, [("2026-01-01T00:00:02Z", match.log[-1].to_json())])
    assert faces(store, capsys) == {**before, "3": before["3"] - 1, "5": before["5"] + 1}
    with closing(sqlite3.connect(store)) as database, database:  # as many events as before
        database.execute("UPDATE event SET body=replace(body, '[5]', '[4]') WHERE match=? AND n=3", (stored.number,))
    assert faces(store, capsys) == {**before, "3": before["3"] - 1, "4": before["4"] + 1}
    with closing(sqlite3.connect(store)) as database, database:
        database.execute("UPDATE event SET body='{' WHERE match=? AND n=1", (stored.number,))
    assert json.loads(told(store, capsys, "--json")[1])["damaged"] == 1


@pytest.mark.parametrize("damage", [b"", b"\xff\xfe", b"{}", None])
def test_damaged_summaries_count_as_none(store: Path, capsys: pytest.CaptureFixture[str], damage: bytes | None) -> None:
    """None: one byte of a figure is another."""
    before = told(store, capsys)
    text = kept(store).read_bytes()
    kept(store).write_bytes(text.replace(b'"Ann": 7', b'"Ann": 9') if damage is None else damage)
    assert kept(store).read_bytes() != text
    assert told(store, capsys) == before
    assert kept(store).read_bytes() == text


def test_a_changed_game_is_played_through_again(tmp_path: Path) -> None:
    """The file of a game of your own decides who has won, so another file is another result."""
    store, game = tmp_path / "tabletop.db", tmp_path / "tabletop" / "games" / "fifty.py"
    game.parent.mkdir(parents=True)
    environ = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    environ.pop("STATE_DIRECTORY", None)
    source = (Path(__file__).parents[1] / "own_games" / "fifty.py").read_text(encoding="utf-8")
    best = []
    request = {"kind": "roll", "player": "Ann", "dice": 2, "legal": [], "options": [], "gives": {}}
    with Store(store) as new:
        number = new.begin("fifty", ["Ann"], {"target": 5}, "2026-01-01T00:00:00Z")
        event = {"kind": "throw", "player": "Ann", "faces": [4, 4], "request": request}
        new.append(number, 1, [("2026-01-01T00:00:01Z", event)])
    for double in (5, 7):
        game.write_text(source.replace("DOUBLE = 5", f"DOUBLE = {double}"), encoding="utf-8")
        words = [sys.executable, "-m", "tabletop", "stats", "--json", "--store", str(store)]
        done = subprocess.run(words, capture_output=True, check=True, env=environ)
        best += [row["best"] for row in json.loads(done.stdout)["players"]]
    assert best == [5, 7]


def test_nothing_is_kept_beside_a_read_only_store(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The figures are the same."""
    store.chmod(0o444)
    told(store, capsys)
    assert not kept(store).exists()


@pytest.mark.parametrize(
    ("square", "chance"), [(1.145, 0.95), (4.351, 0.5), (9.236, 0.1), (11.070, 0.05), (15.086, 0.01)]
)
def test_the_chance_is_that_of_the_tables(square: float, chance: float) -> None:
    """Upper critical values of the chi-squared distribution with five degrees of freedom (NIST, 1.3.6.7.4)."""
    each, apart = 1_000_000, (1_000_000 * square / 2) ** 0.5
    counts = (each + round(apart), each - round(apart), each, each, each, each)
    assert chance_of(counts) == pytest.approx(chance, abs=1e-3)
    assert chance_of((0,) * 6) == 1.0
