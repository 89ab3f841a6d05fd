"""Somebody who only hears the table plays every game as well as somebody who sees it."""

from pathlib import Path

import pytest
from by_ear import Hearing, Player, Seeing, Table
from sampled import sampled
from somebody import Somebody

from tabletop.rules import Match, game_ids, load
from tabletop.store import Store
from tabletop.views.i18n.catalogue import load_language

FEW = 3  # times shorter than usual are the goals, where a game has one
SEED = 51


def played(who: type[Player], game_id: str, code: str, path: Path) -> Player:
    game, _ = load(game_id)
    options = {option.name: option for option in game.all_options}
    settings: dict[str, int] = {}
    if "target" in options:
        facts = options["target"].to_json()
        settings["target"] = max(facts["min"], facts["default"] // FEW)
    if "rounds" in options:
        settings["rounds"] = 2
    match = Match(game_id, ["Ann", "Ben", "Cid"][: max(2, game.min_players)], **settings)
    with Store(path) as store:
        table = Table(Somebody(store, no_camera=False), match, load_language(code), SEED)
        player = who(table, SEED)
        player.play()
    return player


@pytest.mark.parametrize("code", ["en", "de"])
@pytest.mark.parametrize("game_id", sampled(game_ids(), 4))
def test_a_player_who_only_hears_plays_as_one_who_sees(game_id: str, code: str, tmp_path: Path) -> None:
    """Both decide from the same facts, one from the snapshot, one from the voice: they play the same match."""
    seeing = played(Seeing, game_id, code, tmp_path / "seen.db")
    hearing = played(Hearing, game_id, code, tmp_path / "heard.db")
    assert isinstance(hearing, Hearing)
    for seen, heard in zip(seeing.facts, hearing.facts, strict=False):
        assert heard == seen
    assert hearing.table.match.log == seeing.table.match.log
    assert hearing.scores == hearing.table.match.scores
    assert hearing.over
