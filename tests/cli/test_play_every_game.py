"""Every game at the simulated table: thrown, read by the reader, decided by buttons, to its end."""

import json
from functools import partial
from pathlib import Path
from random import Random

import pytest
from sampled import sampled

from tabletop.cli.main import main
from tabletop.core.values import Moment
from tabletop.rules import Match, game_ids, load
from tabletop.rules.conformance.trial import random_answer
from tabletop.session.match_library import MatchLibrary
from tabletop.session.match_session import MatchSession
from tabletop.store import Store

SHORTER = 5  # times shorter than usual are the goals, where a game has one
FEW_ROUNDS = 2
MOMENT = partial(Moment, "2026-01-01T00:00:00Z")
SEEN_EVENTS = 50  # of a longer match only the end is played at the table: a throw takes half a second to draw and read


def short(game_id: str) -> dict[str, int]:
    options = {option.name: option for option in load(game_id)[0].all_options}
    settings: dict[str, int] = {}
    if "target" in options:
        facts = options["target"].to_json()
        settings["target"] = max(facts["min"], facts["default"] // SHORTER)
    if "rounds" in options:
        settings["rounds"] = FEW_ROUNDS
    return settings


def begin(match: Match, path: Path) -> bool:
    """Store a long match that the referee alone has played nearly to its end; return whether it is that long."""
    trial = MatchSession(Match(match.game.id, match.seated, **match.options), None, 1, MOMENT, lambda _: None)
    chance = Random(match.game.id)
    while not trial.match.over:
        trial.give(random_answer(trial.match.request, chance))
    most = trial.match.event - SEEN_EVENTS
    if most <= 0:
        return False
    chance = Random(match.game.id)
    with Store(path) as store:
        session = MatchLibrary(store, MOMENT, lambda _: None).begin(match)
        while session.match.event < most:
            session.give(random_answer(match.request, chance))
    return True


@pytest.mark.parametrize("game_id", sampled(game_ids()))
def test_every_game_is_played_to_its_end_through_the_eye(
    game_id: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Simulated players finish the match; what was told, given to the referee, is the end of the same match."""
    game, _ = load(game_id)
    players, settings = ["Ann", "Ben", "Cid"][: max(2, game.min_players)], short(game_id)
    sets = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    match = Match(game_id, players, **settings)
    words = (
        ["--resume", "1"] if begin(match, tmp_path / "match.db") else [game_id, "--players", ",".join(players), *sets]
    )
    assert main(["play", *words, "--json", "--seed", "7", "--store", str(tmp_path / "match.db")]) == 0
    for event in map(json.loads, capsys.readouterr().out.splitlines()):
        assert event["player"] == match.request.player
        if event["kind"] == "throw":
            match.throw(event["faces"])
        elif event["kind"] == "keep":
            match.keep(event["kept"])
        else:
            match.choose(event["choice"])
    assert match.over
    assert match.winners
