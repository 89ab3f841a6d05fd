"""Going to Boston: the highest of three dice, of two, and the last one. Source: dice-play.txt and rollin-bones.txt.

Both texts describe the same turn. Only rollin-bones.txt says how to break a tie: with additional rounds. They are
played under dice-play.txt as well, which says nothing (`ties=share` and `series=share` leave ties shared).
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
A turn: throw three dice and set the highest aside, only one if several are highest. Throw the other two, and again set
the highest aside. Then throw the last one. There is nothing to decide.
Scoring: the three dice are added up. The highest sum wins the round. Your score is the rounds you have won.
Ties: the players tied for a round play it off, in seat order, until one is highest. If rounds won are tied at the end,
the tied players play extra rounds.
The end: after 5 rounds, or as many as agreed, the most rounds won win.
House rules: a tied round may count for all who tied, or for no one. A tie at the end may be shared.""",
)


async def play(table: Table) -> Result:
    """Play the rounds; the player with the most rounds won wins."""
    return await boston.play_series(table, score)


def score(first: int, second: int, third: int) -> int:
    """Add up all three dice."""
    return first + second + third
