"""Going to Boston: the highest of three dice, of two, and the last one. Source: dice-play.txt and rollin-bones.txt.

Both texts describe the same turn. Only rollin-bones.txt says what breaks a tie: additional rounds; they are played
under dice-play.txt as well, which is silent (`ties=share` and `series=share` leave ties shared).
"""

from tabletop.rules import Game, Result, Table
from tabletop.rules.families import boston

GAME = Game(
    id="going-to-boston",
    name="Going to Boston",
    other_names=("Going to Town", "Newmarket", "Yankee Grab", "Nach Boston"),
    source="dice-play.txt, rollin-bones.txt",
    dice=boston.DICE,
    layout="totals",
    min_players=1,
    joining=True,
    options=boston.OPTIONS,
    presets={"dice-play": {}, "rollin-bones": {}},
    help="""\
What it is about: win the most rounds.
A turn: throw three dice; the highest is put aside, only one of them if several are highest. Throw the other two; again
the highest is put aside. Throw the last one. There is nothing to decide: the referee puts aside.
Scoring: the three dice are added up. The highest sum wins the round. Your score is the number of rounds you have won.
The score sheet: what each player has in each round, in an additional one, and in a play-off, where `due` is who still
has a turn in it.
The end: after the agreed number of rounds, 5 unless you set `rounds`, the most rounds won win.
Ties: a tied round is played off among the tied until one is highest; if the rounds won are tied at the end, the tied
play additional rounds. ties=share counts a tied round for each of them, ties=nobody for none; series=share shares the
match.
In a play-off the tied players have their turns in seat order.""",
)


async def play(table: Table) -> Result:
    """Play the rounds; the most rounds won win."""
    return await boston.play_series(table, score)


def score(first: int, second: int, third: int) -> int:
    """Add up all three dice."""
    return first + second + third
