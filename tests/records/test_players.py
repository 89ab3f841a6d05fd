"""Players and records against an export that another program has counted, and the ends of matches by hand."""

import json
import threading
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import Any

import pytest
from recounted import Evening, evenings, totals

from tabletop.broadcast.interchange import export
from tabletop.cli.main import main
from tabletop.cli.wiring import catching_up
from tabletop.core.values import Moment
from tabletop.records.deriving import scores_of
from tabletop.rules import Match, Throw
from tabletop.rules.conformance.trial import random_answer
from tabletop.rules.events import COUNTED
from tabletop.session.journal import ending_of
from tabletop.session.match_library import MatchLibrary
from tabletop.session.match_session import MatchSession
from tabletop.store import Store
from tabletop.store.erasing import delete_match, replace_player
from tabletop.views.i18n.catalogue import ENGLISH, load_language
from tabletop.web.past import listed
from tabletop.web.players import players_of

AT = "2026-11-28T18:00:00.000Z"
NONE: dict[str, object] = {}
GAMES: tuple[tuple[str, dict[str, object]], ...] = (  # turns, one box each, tiles, joint throws, lives, the fewest win
    ("pig", {"target": 15}),
    ("pig", {"target": 25}),
    *((name, NONE) for name in ("yacht", "shut-the-box", "going-to-boston", "liars-dice", "threes", "drop-dead")),
)
WAIT_S = 60.0
NAMES = ("Ann", "ann", "Ben", "Cid")
FEWEST_WIN = {"Shut the Box", "Threes"}  # in their rules
SEEDS = range(48)


def library(store: Store) -> MatchLibrary:
    return MatchLibrary(store, lambda: Moment(AT), lambda _: None, registers=True)


def play(store: Store, seed: int) -> None:
    """Play one match at random, some with mistakes set right, some with somebody who leaves, some abandoned."""
    chance = Random(seed)
    game, options = GAMES[seed % len(GAMES)]
    names = chance.sample(
        NAMES, chance.choice((2, 2, 3)) if seed % 5 or game in ("liars-dice", "going-to-boston") else 1
    )
    session = MatchSession(Match(game, names, **options))
    while not session.match.over:
        if seed % 3 == 0 and session.match.event and chance.random() < 0.05:
            mistake(session, chance)
        elif seed % 7 == 0 and len(session.match.present) > 2 and chance.random() < 0.1:
            session.leave(session.match.present[-1])
        elif seed % 11 == 0 and chance.random() < 0.1:
            session.journal.record(session.match.draft_abandon())
        else:
            session.give(random_answer(session.match.request, chance))
    if seed % 9 == 0 and not session.match.abandoned:  # the winner is undone, and the match goes on
        session.undo(1, 0.0)
    match = session.match
    number = store.begin(game, match.seated, match.options, AT)
    store.append(number, 1, [(AT, event.to_json()) for event in match.log])
    store.end(number, ending_of(match))


def mistake(session: MatchSession, chance: Random) -> None:
    if chance.random() < 0.5:
        session.undo(1, 0.0)
        return
    number = chance.randint(1, session.match.event)
    request = [event.request for event in session.match.events if event.kind in COUNTED][number - 1]
    assert request is not None
    session.correct(number, random_answer(request, chance), 0.0)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("played") / "a.db"
    with Store(path) as store:
        for seed in SEEDS:
            play(store, seed)
    assert main(["stats", "--rebuild", "--store", str(path)]) == 0
    return path


def exported(path: Path) -> list[Evening]:
    with Store(path, looking=True) as store:
        numbers = sorted(match.number for match in store.matches())
    return evenings("".join(export(path, numbers, "csv")))


def told(path: Path, name: str = "") -> dict[str, Any]:
    with Store(path, looking=True) as store:
        return players_of(store, ENGLISH, name)


def by_game(matches: list[Evening]) -> dict[tuple[str, str], list[Evening]]:
    games = defaultdict[tuple[str, str], list[Evening]](list)
    for match in matches:
        games[match.game].append(match)
    return games


@pytest.mark.parametrize("name", NAMES)
def test_each_player_has_done_what_the_export_says(played: Path, name: str) -> None:
    """In each game with its house rules: matches, wins, scores, streaks, newest places, and against each other one."""
    games = {
        key: own
        for key, all_of in by_game(exported(played)).items()
        if (own := [m for m in all_of if name in m.players])
    }
    shown = told(played, name)
    assert shown["name"] == name
    newest_first = sorted(games.items(), key=lambda item: -item[1][-1].number)
    assert len(newest_first) == len(shown["games"]) > 4
    for game in shown["games"]:
        ((key, matches),) = [(key, own) for key, own in games.items() if matches_of(game, key, own, name)]
        right, (row,) = totals(matches, name), game["rows"]
        assert {word: row[word] for word in ("played", "alone", "won")} == {
            word: right[word] for word in ("played", "alone", "won")
        }
        assert (game["streak"], game["longest"]) == (right["streak"], right["longest"])
        assert [place == 1 for place, _ in game["form"]] == right["firsts"]
        if row["best"] is not None:
            assert (row["best"], row["mean"]) == (right["lowest" if key[0] in FEWEST_WIN else "highest"], right["mean"])
        for other, better, level, worse in game["against"]:
            both = [match for match in matches if other in match.players]
            assert better + level + worse == len(both)
            assert better >= sum(name in match.winners and other not in match.winners for match in both)
            assert level >= sum({name, other} <= {*match.winners} for match in both)
        assert {name, *(other for other, *_ in game["against"])} == {who for match in matches for who in match.players}


def matches_of(game: dict[str, Any], key: tuple[str, str], own: list[Evening], name: str) -> bool:
    """Return whether a game of the page is this one; Pig has two targets."""
    target = json.loads(key[1]).get("target")
    return (
        game["game"] == key[0]
        and (key[0] != "Pig" or any(str(target) in rule for rule in game["rules"]))
        and bool(own and name)
    )


def test_records_are_those_of_the_export(played: Path) -> None:
    """Best score, most throws, longest streak, and the best turn, where nothing was changed."""
    games = by_game(exported(played))
    seen = set[str]()
    for game in told(played)["games"]:
        ((key, matches),) = [(key, own) for key, own in games.items() if matches_of(game, key, own, "Ann")]
        records = {record["kind"]: record for record in game["records"]}
        seen |= records.keys()
        assert records["throws"]["value"] == max(match.throws for match in matches)
        if "score" in records:
            (value, number), fewest = (records["score"][word] for word in ("value", "match")), key[0] in FEWEST_WIN
            scores = {match.number: [match.scores[name] for name in match.players] for match in matches}
            assert value == (min if fewest else max)(score for own in scores.values() for score in own)
            assert number == min(number for number, own in scores.items() if value in own)
        streaks = [totals(matches, name)["longest"] for name in {name for match in matches for name in match.players}]
        assert records.get("streak", {"value": 1})["value"] == max(1, *streaks)
    assert seen == {"throws", "score", "streak", "turn"}


def test_turns_are_those_of_the_export(played: Path) -> None:
    """Number, sum and best of each player's turns, in matches without undo and correction."""
    with Store(played, looking=True) as store:
        stored = {number: own for _, _, matches in store.results.all([]) for number, own in matches}
    unchanged = [match for match in exported(played) if not match.changed]
    assert len(unchanged) > 20
    for match in unchanged:
        turns = {name: match.turns[name] or [0] for name in match.players}
        found = {one.name: (one.points, one.best) for one in stored[match.number]}
        assert found == {name: (sum(own), max(own)) for name, own in turns.items()}
        assert {one.name: one.turns for one in stored[match.number]} == {
            name: len(match.turns[name]) for name in match.players
        }


def pig(*answers: int, names: str = "Ann Ben", target: int = 6) -> Match:
    """Play Pig in which everybody banks the first throw."""
    match = Match("pig", names.split(), target=target)
    for face in answers:
        match.throw([face])
        if not match.over and match.request.kind == "choose":
            match.choose("bank")
    return match


def test_a_corrected_match_counts_as_if_it_had_been_read_right() -> None:
    """A three that was read as a two; the undone throw counts nowhere."""
    right, wrong = pig(3, 5, 4), pig(2, 5)
    wrong.correct(1, [3])
    wrong.throw([6])
    wrong.undo()
    wrong.throw([4])
    wrong.choose("bank")
    assert wrong.over == right.over
    assert scores_of(wrong) == scores_of(right)


def test_who_left_is_not_counted_and_an_abandoned_match_for_nobody() -> None:
    """Places are those of who stayed."""
    match = pig(3, 2, 1, names="Ann Ben Cid")
    match.leave("Ann")
    match.throw([4])
    match.choose("bank")
    assert match.winners == ("Ben",)
    assert [(one.seat, one.name, one.score, one.place) for one in scores_of(match)] == [
        (1, "Ben", 6, 1),
        (2, "Cid", 0, 2),
    ]
    match = pig(3, 2)
    match.abandon()
    assert scores_of(match) == []


def test_who_is_level_shares_a_place() -> None:
    """Two throw better dice than the third, and the same ones."""
    match = Match("yacht", ["Ann", "Ben", "Cid"])
    while not match.over:
        match.throw([1, 1, 1, 1, 2] if match.request.player == "Ben" else [6, 6, 6, 6, 5])
        if match.request.kind == "keep":
            match.keep(max(match.request.legal, key=len))
        match.choose(match.request.options[0])
    assert match.winners == ("Ann", "Cid")
    assert {one.name: one.place for one in scores_of(match)} == {"Ann": 1, "Ben": 3, "Cid": 1}


def test_results_follow_deletions_new_names_and_merged_ones(played: Path, tmp_path: Path) -> None:
    """Nothing else has to be told; and all of it comes back when it is derived again."""
    path = tmp_path / "a.db"
    path.write_bytes(played.read_bytes())
    before = told(path)
    with Store(path) as store:
        store.results.forget()
    assert told(path)["games"] == []
    assert main(["stats", "--rebuild", "--store", str(path)]) == 0
    assert told(path) == before
    delete_match(path, exported(path)[0].number, lambda _: False)
    replace_player(path, "Cid", "Zoe", lambda _: False)
    with Store(path) as store:
        store.same_names.merge("ann", "Ben")
    after = told(path)
    assert {one["name"] for one in after["players"]} >= {"Ann", "Ben", "Zoe"}
    assert "Cid" not in json.dumps(after)
    assert sum(one["played"] for one in after["players"]) < sum(one["played"] for one in before["players"])
    assert told(path, "ann")["name"] == "Ben"
    assert main(["stats", "--rebuild", "--store", str(path)]) == 0
    assert told(path) == after


def test_a_deleted_player_is_in_no_list(played: Path, tmp_path: Path) -> None:
    """Nor in ratings and records; the matches of the others count as before."""
    path = tmp_path / "a.db"
    path.write_bytes(played.read_bytes())
    before = {one["name"]: one for one in told(path)["players"]}
    replace_player(path, "Cid", "", lambda _: False)
    after = told(path)
    assert {one["name"]: one for one in after["players"]} == {name: before[name] for name in ("Ann", "ann", "Ben")}
    pages = [after, *(told(path, name) for name in ("Ann", "ann", "Ben"))]
    assert '"#' not in json.dumps([page["games"] for page in pages])
    assert told(path, "#1")["name"] == ""
    with Store(path, looking=True) as store:
        assert {*listed(store, {}, None, ENGLISH)["players"]} == {"Ann", "ann", "Ben"}


def test_the_table_may_be_dropped(played: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(played.read_bytes())
    before = told(path)
    with Store(path) as store, store._writing() as database:  # noqa: SLF001 - as somebody with the sqlite3 shell
        database.execute("DROP TABLE result")
    assert told(path)["players"] == []
    assert main(["stats", "--rebuild", "--store", str(path)]) == 0
    assert told(path) == before


def test_a_table_derives_what_is_missing(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as after an update; what cannot be read by today's rules has no results, and holds up nothing."""
    path = tmp_path / "a.db"
    path.write_bytes(played.read_bytes())
    before = told(path)
    with Store(path) as store:
        store.results.forget()
        number = store.begin("a-game-that-is-gone", ["Ann"], {}, AT)
        store.end(number, "over")
    monkeypatch.setattr(catching_up, "FIRST_S", 0.0)
    monkeypatch.setattr(catching_up, "PAUSE_S", 0.0)
    with catching_up.catching_up(path, rates=True):
        (thread,) = [one for one in threading.enumerate() if one.name == "results"]
        thread.join(WAIT_S)
    assert told(path) == before


def test_made_up_players_count_nowhere(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as store:
        session = library(store).begin(Match("pig", ["Fox", "Owl"], target=6))
        session.give(Throw((6,)))
        assert players_of(store, ENGLISH, "")["players"] == []


def test_texts_are_in_the_language_of_the_table(played: Path) -> None:
    with Store(played, looking=True) as store:
        german = players_of(store, load_language("de"), "Ann")
    assert german["language"] == "de"
    assert "Siege" in german["words"].values()
