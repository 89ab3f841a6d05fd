"""Two-dice Pig: two dice, and doubles count twice. Source: dice-play.txt, "Pig", the variation, and rollin-bones.txt.

The turn is a variation of dice-play.txt; the end is that of either text. Two ways of other houses are presets:
`big-pig` (dicecold.com/games/big-pig, "Big Pig") and `snake-eyes` (ourpastimes.com/rules-pig-dice-games-6299136.html,
"Two-Dice Variation of Pig").
"""

from tabletop.rules.families import pig
from tabletop.rules.game import Game, Result
from tabletop.rules.options import Choice, Flag
from tabletop.rules.table import Table

DICE = 2
LOSING_FACE = 1
DOUBLE_ONE, DOUBLE_ONE_SCORE = (1, 1), 25

ONES = Choice(
    "ones",
    "replace",
    f"a double 1 ends the turn with {DOUBLE_ONE_SCORE} instead of the stake, or with {DOUBLE_ONE_SCORE} added to it; "
    f"or it adds {DOUBLE_ONE_SCORE} and the turn goes on; or it loses the whole score",
    ("replace", "add", "continue", "lose"),
)
DOUBLES = Flag("doubles", True, "any other double counts twice")

GAME = Game(
    id="two-dice-pig",
    name="Two-dice Pig",
    source="dice-play.txt, rollin-bones.txt",
    dice=DICE,
    min_players=1,
    joining=True,
    options=(*pig.OPTIONS, ONES, DOUBLES),
    presets={
        "rollin-bones": {},
        "dice-play": {"reached": "over", "replies": "equal"},
        "big-pig": {"ones": "continue"},
        "snake-eyes": {"ones": "lose", "doubles": False},
    },
    help="""\
What it is about: be the first with 100 points.
A turn: throw both dice. Their sum goes on your stake, a double counts twice (6 6 is 24), and you choose: roll on, or
bank the stake. A single 1 takes the stake away and ends the turn. A double 1 ends the turn with 25 points, whatever was
at stake (ones=replace). At least one throw has to be made.
Score: what you have banked. The score sheet has the number of turns of each player.
The end (rules=rollin-bones): whoever has the target or more after his turn wins at once.
The end (rules=dice-play): whoever has more than the target is ahead; the players after him in the round have one turn
each to get more still. Equal is not enough.
Other houses: rules=big-pig lets the turn go on after a double 1, with 25 more at stake (dicecold.com, "Big Pig");
rules=snake-eyes takes the whole score for it, and no double counts twice (ourpastimes.com, "Two-Dice Variation").
Options: ones=add puts the 25 on top of the stake.""",
)


async def play(table: Table) -> Result:
    """Play until a score has reached the target and the replies, if any, are over."""
    return await pig.play_race(table, turn)


async def turn(table: Table, player: int) -> int:
    """Play one turn; return the points banked."""
    while True:
        thrown = await table.roll(player, DICE)
        if thrown.count(LOSING_FACE) == 1:
            table.say("{name} throws a {n} and scores nothing", name=table.names[player], n=LOSING_FACE)
            return 0
        if thrown == DOUBLE_ONE and table.option(ONES) != "continue":
            return double_one(table, player)
        table.at_stake += throw_score(table, *thrown)
        if await table.choose(player, "roll", "bank", gives={"bank": table.at_stake}) == "bank":
            table.say("{name} banks {n}", name=table.names[player], n=table.at_stake)
            return table.at_stake


def double_one(table: Table, player: int) -> int:
    """Return what a turn gives that a double 1 has ended."""
    points = {
        "replace": DOUBLE_ONE_SCORE,
        "add": table.at_stake + DOUBLE_ONE_SCORE,
        "lose": -table.scores[player],
    }[table.option(ONES)]
    if points <= 0:
        table.say("{name} throws a double 1 and loses {n}", name=table.names[player], n=-points)
    else:
        table.say("{name} throws a double 1 and scores {n}", name=table.names[player], n=points)
    return points


def throw_score(table: Table, first: int, second: int) -> int:
    """Return what a throw adds to the stake."""
    if (first, second) == DOUBLE_ONE:
        return DOUBLE_ONE_SCORE
    twice = first == second and table.option(DOUBLES)
    return (first + second) * (2 if twice else 1)
