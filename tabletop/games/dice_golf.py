"""Dice Golf: throw three dice until a double shows; the fewest throws over 18 holes win. Source: dice-play.txt."""

from collections import Counter

from tabletop.rules import Game, Result, Table, say
from tabletop.rules.families.rounds import rounds_option, turns_due

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
    holes = table.option(ROUNDS)
    table.sheet |= {say("hole {n}", n=hole): {} for hole in range(1, holes + 1)}
    played = Counter[int]()  # seat -> holes
    # not simply once around: fewer holes would mean a better total, so returning players catch up
    for player in turns_due(table, holes, lambda seat: played[seat]):
        throws = await table.turn(player, turn(table, player))
        if throws is not None:
            played[player] += 1
            table.write(say("hole {n}", n=played[player]), player, throws)
            table.scores[player] += throws
    return table.lowest(say("all holes are played and the fewest throws win"))


async def turn(table: Table, player: int) -> int:
    """Play one hole; return the number of throws, including the one with the double."""
    while True:
        thrown = await table.roll(player, DICE)
        table.at_stake += 1
        if len(set(thrown)) < DICE:
            table.say("{name} needs {n} for the hole", name=table.names[player], n=table.at_stake)
            return table.at_stake
