"""The 34 games of the rule texts, and those beside them: each is there under its id and name, with players and dice."""

import json

import pytest

from tabletop.cli.main import main
from tabletop.rules import game_ids, load

# From the headings of the five texts: id, name, fewest and most players, dice. Where a text sets no number of players
# these are 1 or 2 to 10: 1 where no turn needs an opponent.
INVENTORY = """
one-o-five | One-O-Five | 1 | 10 | 5
three-or-more | Three Or More | 1 | 10 | 5
sevens | Sevens | 1 | 10 | 6
sevens-out | Sevens Out | 1 | 10 | 2
twenty-one | Twenty One | 1 | 10 | 1
ten-thousand | Ten Thousand | 1 | 10 | 6
aces | Aces | 2 | 10 | 5
ship-captain-mate-crew | Ship, Captain, Mate, and Crew | 1 | 10 | 5
centennial | Centennial | 1 | 10 | 3
everest | Everest | 1 | 10 | 3
yacht | Yacht | 1 | 10 | 5
yahtzee | Yahtzee | 1 | 10 | 5
general | General | 1 | 10 | 5
chicago | Chicago | 1 | 10 | 2
crag | Crag | 1 | 10 | 3
drop-dead | Drop Dead | 1 | 10 | 5
beetle | Beetle | 1 | 10 | 1
help-your-neighbour | Help Your Neighbour | 2 | 6 | 3
going-to-boston | Going to Boston | 1 | 10 | 3
multiplication | Multiplication | 1 | 10 | 3
pig | Pig | 1 | 10 | 1
two-dice-pig | Two-dice Pig | 1 | 10 | 2
around-the-spot | Around the Spot | 1 | 10 | 3
sequences | Sequences | 1 | 10 | 6
dice-golf | Dice Golf | 1 | 10 | 3
ten-pins | Ten Pins | 1 | 10 | 2
passage | Passage | 1 | 10 | 2
plus-and-minus | Plus and Minus | 1 | 10 | 5
catch-up | Catch Up | 2 | 10 | 2
roll-your-luck | Roll Your Luck | 2 | 10 | 1
the-dice-game | The Dice Game | 1 | 10 | 6
lcr | LCR | 3 | 10 | 3
mafia | Mafia | 2 | 8 | 5
aces-in-pot | Aces in Pot | 2 | 10 | 2
"""
# Games of other sources, which their files name: the same facts.
BESIDE = """
yatzy | Yatzy | 1 | 10 | 5
maxi-yatzy | Maxi Yatzy | 1 | 10 | 6
kismet | Kismet | 1 | 10 | 5
balut | Balut | 1 | 10 | 5
shut-the-box | Shut the Box | 1 | 10 | 2
mexico | Mexico | 2 | 10 | 2
bunco | Bunco | 2 | 4 | 3
cee-lo | Cee-lo | 2 | 10 | 3
poker-dice | Poker Dice | 1 | 10 | 5
threes | Threes | 1 | 10 | 5
mia | Mia | 2 | 10 | 2
liars-dice | Liar's Dice | 2 | 6 | 5
"""
OF_TEXTS, OTHERS = (
    [tuple(cell.strip() for cell in line.split("|")) for line in table.strip().splitlines()]
    for table in (INVENTORY, BESIDE)
)
GAMES = [*OF_TEXTS, *OTHERS]


def test_there_are_34_games_of_the_texts() -> None:
    """No game of the texts is missing, and no other one is built in but those beside them."""
    assert len(OF_TEXTS) == 34
    assert sorted(game_ids()) == sorted(game[0] for game in GAMES)


@pytest.mark.parametrize(("game_id", "name", "least", "most", "dice"), GAMES)
def test_a_game_has_the_facts_of_its_text(game_id: str, name: str, least: str, most: str, dice: str) -> None:
    """Name, players and dice are those of the text's heading."""
    game, _ = load(game_id)
    assert game.name == name
    assert (game.min_players, game.max_players, game.dice) == (int(least), int(most), int(dice))


def test_whose_dice_they_are_and_what_their_colours_tell(capsys: pytest.CaptureFixture[str]) -> None:
    """In Aces, Mafia and Liar's Dice everybody has five; Catch Up has two that differ, Roll Your Luck one each."""
    assert main(["games", "--json"]) == 0
    games = {game["id"]: game for game in json.loads(capsys.readouterr().out)}
    of_texts = {name: games[name] for name, *_ in GAMES}
    assert {name for name, game in of_texts.items() if game["dice_each"]} == {
        "aces",
        "liars-dice",
        "mafia",
        "roll-your-luck",
    }
    assert {name: game["colours"] for name, game in of_texts.items() if game["colours"] != "any"} == {
        "catch-up": "two",
        "roll-your-luck": "each",
    }
    assert main(["games"]) == 0
    assert "5 dice for each player" in capsys.readouterr().out


def test_in_dice_golf_alone_the_fewest_win() -> None:
    """Of the texts only Dice Golf's has "the lowest total"; in all others more is better, or who is out first wins."""
    assert [game_id for game_id, *_ in OF_TEXTS if load(game_id)[0].fewest_win] == ["dice-golf"]


def test_an_option_can_be_set_from_python() -> None:
    """Every option's name is a name of Python, so that it can be given as `Match(game, players, name=value)`."""
    for game_id in game_ids():
        assert all(option.name.isidentifier() for option in load(game_id)[0].all_options), game_id
