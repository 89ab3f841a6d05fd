"""Joint throws and a game of your own: a small package, found by its entry point, played through every contract."""

import re
from pathlib import Path

import pytest

from tabletop.cli.main import main
from tabletop.core.errors import InputError, RefusedError
from tabletop.rules import Event, Match, game_ids
from tabletop.rules.protocol import obey

DUEL = '''
"""Duel: everybody throws at once, then each in seat order keeps the throw or gives it up; two rounds, highest wins."""

from tabletop.rules.game import Game, Result
from tabletop.rules.options import Whole
from tabletop.rules.table import Table

DICE = Whole("dice", 1, "dice each", at_least=1, at_most=3)
GAME = Game(
    id="duel", name="Duel", source="this test", dice=6, presets={"test": {}}, help="For a test.", options=(DICE,)
)


async def play(table: Table) -> Result:
    for _ in range(2):
        faces = await table.roll_together(dict.fromkeys(table.seats(), table.option(DICE)))
        for player, own in faces.items():
            if player not in table.gone:
                await table.turn(player, decide(table, player, sum(own)))
    return table.highest("two rounds are over")


async def decide(table: Table, player: int, points: int) -> None:
    table.at_stake = points
    if await table.choose(player, "take", "leave", gives={"take": points}) == "take":
        table.scores[player] += points
    table.write("total", player, table.scores[player])
'''


@pytest.fixture
def _duel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "duel_for_test.py").write_text(DUEL, encoding="utf-8")
    (tmp_path / "half_a_duel.py").write_text(DUEL.partition("async def play")[0], encoding="utf-8")
    facts = tmp_path / "duel-1.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: duel\nVersion: 1\n", encoding="utf-8")
    points = "[tabletop.games]\nduel = duel_for_test\nhalf-duel = half_a_duel\nbroken-duel = pathlib\n"
    (facts / "entry_points.txt").write_text(points, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.usefixtures("_duel")
def test_a_game_of_a_package_is_listed_and_played() -> None:
    """It stands among the others; one that declares no game is told."""
    assert {"duel", "broken-duel", "pig"} <= set(game_ids())
    assert Match("duel", ["Ann", "Ben"]).game.name == "Duel"
    with pytest.raises(InputError, match="pathlib to declare GAME"):
        Match("broken-duel", ["Ann", "Ben"])
    with pytest.raises(InputError, match="half_a_duel to declare GAME"):
        Match("half-duel", ["Ann", "Ben"])


@pytest.mark.usefixtures("_duel")
def test_a_broken_game_does_not_hide_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    """The list has the games that can be loaded, standard error a line for each other one, and the status is 2."""
    assert main(["games"]) == 2
    listed, told = capsys.readouterr()
    assert re.search(r"^duel +Duel, 2 to 10 players, 6 dice$", listed, re.MULTILINE)
    assert re.search(r"^pig +Pig, 1 to 10 players, 1 die\b", listed, re.MULTILINE)
    assert told.count("\n") == 2
    assert "broken-duel" in told


@pytest.mark.usefixtures("_duel")
def test_a_joint_throw_by_the_line_protocol() -> None:
    """The player is null, dice and thrown are objects, decisions follow in seat order with that player's stake."""
    match = Match("duel", ["Ann", "Ben"], dice=2)
    state = obey(match, "state")
    assert (state["request"]["player"], state["request"]["dice"]) == (None, {"Ann": 2, "Ben": 2})
    state = obey(match, "throw Ben=5,6 Ann=3,4")
    assert state["thrown"] == {"Ann": [3, 4], "Ben": [5, 6]}
    assert (state["request"]["player"], state["at_stake"]) == ("Ann", 7)
    state = obey(match, "choose take")
    assert (state["request"]["player"], state["at_stake"], state["scores"]) == ("Ben", 11, {"Ann": 7, "Ben": 0})
    state = obey(match, "correct 1 Ann=1,1 Ben=2,2")
    assert (state["scores"], state["at_stake"], state["dropped"]) == ({"Ann": 2, "Ben": 0}, 4, [])
    state = obey(match, "choose leave")
    assert (state["at_stake"], state["request"]["dice"]) == (0, {"Ann": 2, "Ben": 2})
    assert state["sheet"] == {"total": {"Ann": 2, "Ben": 0}}
    stored = [event.to_json() for event in match.log]
    assert Match.replay("duel", match.seated, match.options, map(Event.from_json, stored)).state() == match.state()


@pytest.mark.usefixtures("_duel")
@pytest.mark.parametrize(
    "line",
    [
        "throw 3 5", "throw Ann=3", "throw Ann=3 Ben=5 Cid=1", "throw Ann=3 Ann=5", "throw Ann=3 Ben=",
        "throw Ann=3 Ben=7", "throw Ann=3 Ben=5,5", "throw Ann=3 5", "throw =3 Ben=5", "throw",
    ],
)  # fmt: skip
def test_a_wrong_joint_throw_is_refused(line: str) -> None:
    """Each player once, with as many faces as he has dice."""
    match = Match("duel", ["Ann", "Ben"])
    assert list(obey(match, line)) == ["error"]
    assert match.log == ()


@pytest.mark.usefixtures("_duel")
def test_leaving_a_joint_throw() -> None:
    """Those who stay are asked again without him; two are needed, so the last one wins."""
    match = Match("duel", ["Ann", "Ben", "Cid"])
    match.leave("Ben")
    assert match.request.dice == {"Ann": 1, "Cid": 1}
    with pytest.raises(RefusedError, match="a joint throw"):
        match.throw({"Ann": [3], "Ben": [4], "Cid": [5]})
    match.throw({"Ann": [3], "Cid": [5]})
    match.leave("Ann")
    assert (match.winners, match.why) == (("Cid",), "everybody else has left")
    match.undo()
    assert match.request.player == "Ann"
