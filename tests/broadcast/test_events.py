"""The events of matches: held to the published schema, and to what the referee says of the same match."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from played_events import AT, VALID, played

from tabletop.broadcast.history import History, Place
from tabletop.broadcast.vocabulary import VERSION, notation
from tabletop.core.errors import InputError
from tabletop.core.values import Moment
from tabletop.rules import Choose, Match, Throw, game_ids, load
from tabletop.session.match_library import MatchLibrary
from tabletop.store import Store

BEGINNING = Place(0)

COMMON = ("v", "id", "match", "n", "time")

Line = dict[str, Any]


def _all(path: Path) -> list[Line]:
    history, place, found = History(path), BEGINNING, list[Line]()
    while told := history.after(place):
        found += (one.data for one in told)
        assert told[-1].place is not None
        place = told[-1].place
    return found


@pytest.mark.parametrize("game_id", game_ids())
def test_events_of_every_game_follow_the_schema_and_the_referee(game_id: str, tmp_path: Path) -> None:
    names = ["Ann", "Ben", "Cid"][: max(2, load(game_id)[0].min_players)]
    session, lines = played(tmp_path / "a.db", Match(game_id, names), seed=7)
    events = _all(tmp_path / "a.db")
    for line in lines:
        VALID.validate(line)
    for event in events:
        VALID.validate(event)
        assert (event["v"], event["match"]) == (VERSION, session.journal.number)
    places = [Place.parse(event["id"]) for event in events]
    assert all(one < other for one, other in pairwise(places))
    logged = [event for event, place in zip(events, places, strict=True) if place.part == 0][1:]
    assert [{key: event[key] for key in line} for event, line in zip(logged, lines, strict=True)] == lines
    scores = dict(events[0]["scores"])
    for event in events:
        if event["kind"] == "score":
            scores |= {name: scores.get(name, 0) + change for name, change in event["changes"].items()}
            assert scores == event["scores"]
    if any(event["kind"] == "score" for event in events):
        assert scores == session.match.scores
    ends = [event for event in events if event["kind"] == "match_over"]
    assert bool(ends) == session.match.over
    if ends:
        assert tuple(ends[-1]["winners"]) == session.match.winners
    turns = [event["player"] for event in events if event["kind"] == "turn"]
    assert all(one != other for one, other in pairwise(turns))
    if not session.match.over:
        assert turns[-1] == session.match.request.player


def test_turns_of_pig_as_its_rules_tell_them(tmp_path: Path) -> None:
    """Ann throws 5 and banks; Ben throws 6, rolls on, throws 1 and loses them; then the 1 turns out to be a 4."""
    with Store(tmp_path / "a.db") as store:
        session = MatchLibrary(store, lambda: Moment(AT), lambda _: None).begin(Match("pig", ["Ann", "Ben"]))
        for answer in (Throw((5,)), Choose("bank"), Throw((6,)), Choose("roll"), Throw((1,))):
            session.give(answer)
        session.correct(5, Throw((4,)), 0.0)
    told = [{key: event[key] for key in event if key not in COMMON} for event in _all(tmp_path / "a.db")]
    assert [(event["kind"], event["player"]) for event in told] == [
        ("match_started", None), ("turn", "Ann"),
        ("throw", "Ann"), ("choose", "Ann"), ("score", "Ann"), ("lead_changed", "Ann"), ("turn", "Ben"),
        ("throw", "Ben"), ("choose", "Ben"), ("throw", "Ben"), ("bust", "Ben"), ("turn", "Ann"),
        ("correct", "Ben"), ("turn", "Ben"),
    ]  # fmt: skip
    assert told[2] == {"kind": "throw", "player": "Ann", "faces": [5], "notation": "1d6[5]"}
    assert told[4] == {"kind": "score", "player": "Ann", "scores": {"Ann": 5, "Ben": 0}, "changes": {"Ann": 5}}
    assert told[10] == {"kind": "bust", "player": "Ben", "lost": 6}


def test_following_goes_on_after_any_event(tmp_path: Path) -> None:
    """Whatever event a reader had last, it gets all later ones, also those of other matches, and none twice."""
    for seed in range(2):
        played(tmp_path / "a.db", Match("pig", ["Ann", "Ben"], target=20), seed)
    events = _all(tmp_path / "a.db")
    for at in (0, 1, 2, len(events) // 2, len(events) - 2):
        history, place, rest = History(tmp_path / "a.db"), Place.parse(events[at]["id"]), list[Line]()
        while told := history.after(place):
            rest += (one.data for one in told)
            place = Place.parse(rest[-1]["id"])
        assert rest == events[at + 1 :]


@pytest.mark.parametrize("text", ["", "7", "7.", ".1", "-1.0", "7.x", "\uff17.0", "1" * 30 + ".0", "7.0\n"])
def test_wrong_id_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        Place.parse(text)


def test_dice_notation() -> None:
    assert notation((1, 3, 3, 5, 6)) == "5d6[1,3,3,5,6]"
    assert notation(()) == ""
