"""Multiplication: Going to Boston, but the last die multiplies. Source: dice-play.txt and rollin-bones.txt."""

from tabletop.rules import Game, Result, Table
from tabletop.rules.families import boston

GAME = Game(
    id="multiplication",
    name="Multiplication",
    other_names=("Multiplikation",),
    source="dice-play.txt, rollin-bones.txt",
    dice=boston.DICE,
    layout="totals",
    min_players=1,
    joining=True,
    options=boston.OPTIONS,
    presets={"dice-play": {}, "rollin-bones": {}},
    help="""\
What it is about: win the most rounds by adding two dice and multiplying by a third.
A turn: throw three dice; the highest is put aside, only one of them if several are highest. Throw the other two; again
the highest is put aside. Throw the last one. There is nothing to decide: the table puts the dice aside.
Scoring: the first two dice are added up and multiplied by the third. The highest product wins the round. Your score is
the number of rounds you have won.
The end: after 5 rounds, or as many as you agree on, the player with the most rounds wins.
Ties: a tied round is played off, in seat order, until one player is highest. Players tied at the end play extra rounds.
House rules: A tied round counts for everyone who tied, or for no one. A tie at the end is shared.""",
)


async def play(table: Table) -> Result:
    """Play the rounds; the player with the most rounds won wins."""
    return await boston.play_series(table, score)


def score(first: int, second: int, third: int) -> int:
    """Multiply the sum of the first two dice by the third."""
    return (first + second) * third
