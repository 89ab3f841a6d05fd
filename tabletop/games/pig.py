"""Pig: throw one die as often as you dare; a 1 costs the turn. Source: rollin-bones.txt and dice-play.txt, "Pig".

The two texts describe the same turn and two endings: 100 or more wins at once, or more than 100 wins unless a player
with one turn fewer does better. Hog (one throw of any number of dice) and a target that must be hit exactly are common
house rules; for Hog see Wikipedia, "Pig (dice game)".
"""

from tabletop.rules import COACH, Game, Result, Table, Whole, say
from tabletop.rules.families import pig

LOSING_FACE = 1
LEAST = 2  # lowest score of a throw that scores
MOST_HOG_DICE, HOG_DICE = 10, 6  # five or six dice are best on average

HOG = Whole(
    "hog", 0, "Hog: one throw a turn, with as many dice as you like up to this number; 0: no Hog", 0, MOST_HOG_DICE
)

GAME = Game(
    id="pig",
    name="Pig",
    other_names=("Pig Dice", "Hog", "Böse Eins"),
    source="rollin-bones.txt, dice-play.txt",
    dice=1,
    layout="totals",
    min_players=1,
    joining=True,
    options=(*pig.OPTIONS, HOG, COACH),
    presets={
        "rollin-bones": {},
        "dice-play": {"reached": "over", "replies": "equal"},
        "hog": {"hog": HOG_DICE},
        "exact-pig": {"reached": "exact"},
    },
    help="""\
What it is about: throw as often as you dare, and be the first with 100 points.
A turn: throw the die. A 2 to a 6 goes on your stake, and you choose: roll on, or bank the stake. A 1 takes the stake
away and ends the turn. You must throw at least once. Your score is what you have banked.
The end: the first player to bank the target or more wins at once.
Hog: choose how many dice you throw, one to six, and throw them once. Their sum is yours; with a 1 among them the turn
scores nothing.
House rules: It takes more than the target; the next players of the round then have one turn each to do better, or
everyone else has, and equal is not enough. Or the target must be hit exactly: a throw that leads beyond it loses the
stake and the turn, and you cannot bank at 99, since no throw scores 1.""",
)


async def play(table: Table) -> Result:
    """Play until a score has reached the target and the replies, if any, are over."""
    return await pig.play_race(table, hog_turn if table.option(HOG) else turn, LEAST)


async def turn(table: Table, player: int) -> int:
    """Play one turn; return the points banked."""
    while True:
        (face,) = await table.roll(player, dice=1)
        if face == LOSING_FACE:
            table.say("{name} throws a {n} and scores nothing", name=table.names[player], n=face)
            return 0
        table.at_stake += face
        if pig.misses(table, player, LEAST):
            return 0
        if await pig.roll_or_bank(table, player, LEAST) == "bank":
            table.say("{name} banks {n}", name=table.names[player], n=table.at_stake)
            return table.at_stake


async def hog_turn(table: Table, player: int) -> int:
    """Play a turn of Hog, a single throw with a chosen number of dice; return the points."""
    most = table.option(HOG)
    dice = int(await table.choose(player, *map(str, range(1, most + 1)), question=say("how many dice?")))
    thrown = await table.roll(player, dice)
    if LOSING_FACE in thrown:
        table.say("{name} throws a {n} and scores nothing", name=table.names[player], n=LOSING_FACE)
        return 0
    table.at_stake = sum(thrown)
    if not pig.may_bank(table, player, LEAST):
        pig.say_missed(table, player)
        return 0
    table.say("{name} scores {n}", name=table.names[player], n=table.at_stake)
    return table.at_stake
