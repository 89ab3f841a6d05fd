"""Every game at the simulated table: thrown, read by the reader, decided by buttons, to its end."""

import json
from pathlib import Path

import pytest

from tabletop.cli.main import main
from tabletop.rules import Match, game_ids, load

SHORTER = 5  # times shorter than usual are the goals, where a game has one
FEW_ROUNDS = 2


def short(game_id: str) -> dict[str, int]:
    """Return settings with which the game is over soon."""
    options = {option.name: option for option in load(game_id)[0].all_options}
    settings: dict[str, int] = {}
    if "target" in options:
        facts = options["target"].to_json()
        settings["target"] = max(facts["min"], facts["default"] // SHORTER)
    if "rounds" in options:
        settings["rounds"] = FEW_ROUNDS
    return settings


@pytest.mark.slow
@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_is_played_to_its_end_through_the_eye(
    game_id: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Simulated players finish the match; what was told, given to the referee, is the same whole match."""
    game, _ = load(game_id)
    players, settings = ["Ann", "Ben", "Cid"][: max(2, game.min_players)], short(game_id)
    sets = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    words = ["play", game_id, "--players", ",".join(players), *sets, "--json", "--seed", "7"]
    assert main([*words, "--store", str(tmp_path / "match.db")]) == 0
    match = Match(game_id, players, **settings)
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
