"""Dice Golf: throw three dice until a double shows; the fewest throws over 18 holes win. Source: dice-play.txt."""

from tabletop.rules import Game, Result, Table, say
from tabletop.rules.families.rounds import play_missed_rounds_too, rounds_option

DICE = 3
HOLES = 18

ROUNDS = rounds_option(HOLES)

GAME = Game(
    id="dice-golf",
    name="Dice Golf",
    other_names=("Würfelgolf",),
    source="dice-play.txt",
    dice=DICE,
    layout="holes",
    min_players=1,
    fewest_win=True,
    options=(ROUNDS,),
    presets={"dice-play": {}},
    help="""\
What it is about: play 18 holes with as few throws as you can.
A turn: each turn is one hole. Throw three dice, again and again, until two or three of them are alike.
Scoring: a hole counts all its throws, the last one included. Your score is the total of all your holes, and low is
good.
The end: when everyone has played all holes, the lowest total wins; a tie is shared. Players who come back after leaving
play the holes they missed.
House rules: half a course has 9 holes.""",
)


async def play(table: Table) -> Result:
    """Play all the holes; the lowest total wins."""
    holes = [say("hole {n}", n=number) for number in range(1, table.option(ROUNDS) + 1)]
    await play_missed_rounds_too(table, turn, holes)
    return table.lowest(say("all holes are played and the fewest throws win"))


async def turn(table: Table, player: int) -> int:
    """Play one hole; return the number of throws, including the one with the double."""
    while True:
        thrown = await table.roll(player, DICE)
        table.at_stake += 1
        if len(set(thrown)) < DICE:
            table.say("{name} needs {n} for the hole", name=table.names[player], n=table.at_stake)
            return table.at_stake
