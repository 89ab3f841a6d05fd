"""Drop Dead: dice that show a 2 or a 5 are dead. Source: dice-play.txt, "Drop Dead".

The example turn in the text continues with three dice after a throw that kills three of five; the rule leaves two.
Several turns for each player: "When a trillion dice are no better than a dozen", mathwithbaddrawings.com (four).
"""

from tabletop.rules import Game, Result, Table, say
from tabletop.rules.families.rounds import play_rounds, rounds_option

DICE = 5
DEADLY = (2, 5)

ROUNDS = rounds_option(1)

GAME = Game(
    id="drop-dead",
    name="Drop Dead",
    other_names=("Tot umfallen", "Stuck in the Mud"),
    source="dice-play.txt",
    dice=DICE,
    layout="totals",
    min_players=1,
    joining=True,
    options=(ROUNDS,),
    presets={"dice-play": {}},
    help="""\
What it is about: score as long as your dice live.
A turn: throw five dice. Every die with a 2 or a 5 is dead and set aside. Throw the others again until the last one has
died: you have dropped dead. There is nothing to decide.
Scoring: a throw without a 2 and without a 5 scores the sum of its dice; any other throw scores nothing.
The end: everyone has one turn, or as many as there are rounds. The highest score wins; a tie is shared.""",
)


async def play(table: Table) -> Result:
    """Give every player a turn; the highest score wins."""
    await play_rounds(table, turn, table.option(ROUNDS))
    return table.highest(say("everybody has dropped dead"))


async def turn(table: Table, player: int) -> int:
    """Throw until all dice are dead; return the score."""
    while alive := DICE - len(table.kept):
        thrown = await table.roll(player, alive)
        dead = tuple(face for face in thrown if face in DEADLY)
        if dead:
            table.kept = tuple(sorted(table.kept + dead))
            table.say("{n} of the dice of {name} are dead", n=len(dead), name=table.names[player])
        else:
            table.at_stake += sum(thrown)
            table.say("{name} scores {n} and has {n2}", name=table.names[player], n=sum(thrown), n2=table.at_stake)
    table.say("{name} has dropped dead with {n}", name=table.names[player], n=table.at_stake)
    return table.at_stake
