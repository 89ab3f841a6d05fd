"""Fifty: two dice, and only doubles score. Source: the common parlour game, as it is told everywhere.

A game of your own, written by the ten steps of docs/adding-a-game.md; it is not one of the built-in games.
"""

from tabletop.rules.families.race import race
from tabletop.rules.game import Game, Result
from tabletop.rules.options import Choice, Flag, Whole
from tabletop.rules.table import Table

DICE = 2
DOUBLE = 5
DOUBLE_SIX, DOUBLE_SIX_FACE = 25, 6
WIPING_FACE = 3

TARGET = Whole("target", 50, "the goal of the race", at_least=5, at_most=1000)
WIPES = Flag("wipes", True, "a double three takes the whole score away; else it scores nothing")
REPLIES = Choice(
    "replies", "none", "who gets one more turn after someone reaches the target", ("none", "equal", "everyone")
)

GAME = Game(
    id="fifty",
    name="Fifty",
    source="the common parlour game",
    dice=DICE,
    min_players=1,
    joining=True,
    options=(TARGET, WIPES, REPLIES),
    presets={"usual": {}, "gentle": {"wipes": False}},
    help="""\
What it is about: be the first with 50 points.
A turn: throw both dice once. There is nothing to decide.
Scoring: a double is 5, a double six 25; a double three takes away all that you have. Other throws are nothing.
The score sheet shows how many turns each player has had.
The end: whoever has the target or more wins at once. Under rules=gentle a double three only scores nothing.""",
)


async def play(table: Table) -> Result:
    """Play until a score has reached the target."""
    target = table.option(TARGET)
    return await race(table, turn, lambda score: score >= target, table.option(REPLIES))


async def turn(table: Table, player: int) -> int:
    """Throw once; return what the throw adds to the score."""
    first, second = await table.roll(player, DICE)
    if first != second:
        return 0
    if first == WIPING_FACE:
        lost = table.scores[player] if table.option(WIPES) else 0
        table.say("{name} throws a double three and loses {n}", name=table.names[player], n=lost)
        return -lost
    points = DOUBLE_SIX if first == DOUBLE_SIX_FACE else DOUBLE
    table.say("{name} scores {n}", name=table.names[player], n=points)
    return points
