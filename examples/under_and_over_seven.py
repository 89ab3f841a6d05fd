"""Under and over seven: guess the sum of two dice before they roll. Source: the traditional fairground game.

Check it, then copy it into the folder of your own games and play it:
    tabletop games --check examples/under_and_over_seven.py
    cp examples/under_and_over_seven.py ~/.local/share/tabletop/games/
    tabletop play under-and-over-seven
"""

from tabletop.rules import Game, Result, Table, Whole, say
from tabletop.rules.families.rounds import play_rounds, rounds_option

DICE = 2
SEVEN = 7
UNDER, EXACTLY, OVER = "under seven", "seven", "over seven"

ROUNDS = rounds_option(10)
PAYS = Whole("pays", 4, "points for a correct guess of seven", at_least=1, at_most=100)

GAME = Game(
    id="under-and-over-seven",
    name="Under and Over Seven",
    source="the traditional fairground game",
    dice=DICE,
    min_players=1,
    joining=True,
    options=(ROUNDS, PAYS),
    presets={"usual": {}},
    help="""\
What it is about: guess whether two dice add up to less than seven, to seven, or to more.
A turn: make your guess, then throw both dice.
Scoring: a correct guess of seven scores 4 points, any other correct guess scores 1.
The end: after 10 rounds the highest score wins. A tie is shared.""",
)


async def play(table: Table) -> Result:
    """Play the rounds; the highest score wins."""
    await play_rounds(table, turn, table.option(ROUNDS))
    return table.highest(say("all rounds are played"))


async def turn(table: Table, player: int) -> int:
    """Guess, throw, and return the points."""
    guess = await table.choose(player, UNDER, EXACTLY, OVER, question=say("what will the dice add up to?"))
    total = sum(await table.roll(player, DICE))
    points = (table.option(PAYS) if guess == EXACTLY else 1) if guess == outcome(total) else 0
    table.say("{name} scores {n}", name=table.names[player], n=points)
    return points


def outcome(total: int) -> str:
    """Return the guess that this sum makes correct."""
    return EXACTLY if total == SEVEN else UNDER if total < SEVEN else OVER
