"""Pig: throw one die as often as you dare; a 1 costs the turn. Source: rollin-bones.txt and dice-play.txt, "Pig".

The two texts describe the same turn and two endings: 100 or more wins at once, or more than 100 wins unless a player
who has had one turn fewer does better.
"""

from tabletop.rules.families import pig
from tabletop.rules.game import Game, Result
from tabletop.rules.table import Table

LOSING_FACE = 1

GAME = Game(
    id="pig",
    name="Pig",
    other_names=("Pig Dice",),
    source="rollin-bones.txt, dice-play.txt",
    dice=1,
    min_players=1,
    joining=True,
    options=pig.OPTIONS,
    presets={"rollin-bones": {}, "dice-play": {"reached": "over", "replies": "equal"}},
    help="""\
What it is about: be the first with 100 points.
A turn: throw the die. A 2 to a 6 goes on your stake, and you choose: roll on, or bank the stake. A 1 takes the stake
away and ends the turn. At least one throw has to be made.
Score: what you have banked. The score sheet has the number of turns of each player.
The end (rules=rollin-bones): whoever has the target or more after banking wins at once.
The end (rules=dice-play): whoever has more than the target is ahead; the players after him in the round have one turn
each to get more still. Equal is not enough.
Options: `reached` and `replies` mix these ends; replies=everyone gives all the others one more turn.""",
)


async def play(table: Table) -> Result:
    """Play until a score has reached the target and the replies, if any, are over."""
    return await pig.play_race(table, turn)


async def turn(table: Table, player: int) -> int:
    """Play one turn; return the points banked."""
    while True:
        (face,) = await table.roll(player, dice=1)
        if face == LOSING_FACE:
            table.say("{name} throws a {n} and scores nothing", name=table.names[player], n=face)
            return 0
        table.at_stake += face
        if await table.choose(player, "roll", "bank", gives={"bank": table.at_stake}) == "bank":
            table.say("{name} banks {n}", name=table.names[player], n=table.at_stake)
            return table.at_stake
