"""Two-dice Pig: two dice, and doubles count twice. Source: dice-play.txt, "Pig", the variation, and rollin-bones.txt.

The turn is a variation in dice-play.txt; the end follows either text. Two sets of house rules are presets: `big-pig`
(dicecold.com/games/big-pig, "Big Pig") and `snake-eyes` (ourpastimes.com/rules-pig-dice-games-6299136.html, "Two-Dice
Variation of Pig"). Skunk is played in schools: Dan Brutlag, "Choice and Chance in Life: The Game of SKUNK" (Mathematics
Teaching in the Middle School, 1994).
"""

from tabletop.rules import COACH, Choice, Flag, Game, Result, Table, say
from tabletop.rules.families import pig, rounds

DICE = 2
LOSING_FACE = 1
DOUBLE_ONE, DOUBLE_ONE_SCORE = (1, 1), 25
LEAST, LEAST_WITH_DOUBLES = 2 + 2, 2 + 3
SKUNK_ROUNDS = 5  # one for each letter of the word

ONES = Choice(
    "ones",
    "replace",
    f"a double 1 ends the turn with {DOUBLE_ONE_SCORE} instead of the stake, or with {DOUBLE_ONE_SCORE} added to it; "
    f"or it adds {DOUBLE_ONE_SCORE} and the turn goes on; or it loses the whole score",
    ("replace", "add", "continue", "lose"),
)
DOUBLES = Flag("doubles", True, "any other double counts twice")
SKUNK = Flag("skunk", False, "Skunk: each throw counts for everyone who has not banked yet, for a set number of rounds")
ROUNDS = rounds.rounds_option(SKUNK_ROUNDS)

GAME = Game(
    id="two-dice-pig",
    name="Two-dice Pig",
    other_names=("Big Pig", "Snake Eyes", "Skunk", "Zwei böse Einsen"),
    source="dice-play.txt, rollin-bones.txt",
    dice=DICE,
    layout="totals",
    renamed={"total": "this round"},
    min_players=1,
    joining=True,
    options=(*pig.OPTIONS, ONES, DOUBLES, SKUNK, ROUNDS, COACH),
    presets={
        "rollin-bones": {},
        "dice-play": {"reached": "over", "replies": "equal"},
        "big-pig": {"ones": "continue"},
        "snake-eyes": {"ones": "lose", "doubles": False},
        "skunk": {"skunk": True},
    },
    help="""\
What it is about: throw two dice as often as you dare, and be the first with 100 points.
A turn: throw both dice. Their sum goes on your stake, a double counts twice (6 6 is 24), and you choose: roll on, or
bank the stake. A single 1 takes the stake away and ends the turn. A double 1 ends the turn with 25 points, whatever was
at stake. You must throw at least once. Your score is what you have banked.
The end: the first player with the target or more after a turn wins at once.
Big Pig: after a double 1 the turn goes on, with 25 more at stake.
Snake Eyes: a double 1 costs your whole score, and no double counts twice.
Skunk: five rounds. Everyone is in at first, and those who are in take turns to throw the two dice for all. The sum goes
on the total of the round. Then each player who is in may bank the total and is out, or stay in. A 1 ends the round, and
those still in score nothing for it; a double 1 costs them their whole score as well. The most points win.
House rules: A double 1 puts the 25 on top of the stake and ends the turn. It takes more than the target; the next
players of the round then have one turn each to do better, and equal is not enough. Or the target must be hit exactly: a
throw that leads beyond it loses the stake and the turn, and you cannot bank what leaves less than a throw can make.""",
)


async def play(table: Table) -> Result:
    """Play until a score has reached the target and the replies, if any, are over; for Skunk, its rounds."""
    return await (play_skunk(table) if table.option(SKUNK) else pig.play_race(table, turn, least(table)))


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
        if pig.misses(table, player, least(table)):
            return 0
        if await pig.roll_or_bank(table, player, least(table)) == "bank":
            table.say("{name} banks {n}", name=table.names[player], n=table.at_stake)
            return table.at_stake


def double_one(table: Table, player: int) -> int:
    """Return the points of a turn that was ended by a double 1."""
    points = {"replace": DOUBLE_ONE_SCORE, "add": table.at_stake + DOUBLE_ONE_SCORE, "lose": -table.scores[player]}[
        table.option(ONES)
    ]
    table.at_stake = points
    if not pig.may_bank(table, player, least(table)):
        pig.say_missed(table, player)
        return 0
    if points <= 0:
        table.say("{name} throws a double 1 and loses {n}", name=table.names[player], n=-points)
    else:
        table.say("{name} throws a double 1 and scores {n}", name=table.names[player], n=points)
    return points


def least(table: Table) -> int:
    """Return the lowest score of a throw without a 1: 2 2, or 2 3 if doubles count twice."""
    return LEAST_WITH_DOUBLES if table.option(DOUBLES) else LEAST


def throw_score(table: Table, first: int, second: int) -> int:
    """Return the points that a throw adds to the stake."""
    if (first, second) == DOUBLE_ONE:
        return DOUBLE_ONE_SCORE
    twice = first == second and table.option(DOUBLES)
    return (first + second) * (2 if twice else 1)


# Skunk


async def play_skunk(table: Table) -> Result:
    """Play the rounds of Skunk; the highest score wins."""
    first = -1
    for number in range(1, table.option(ROUNDS) + 1):
        first = next(table.seats(first + 1))
        await skunk_round(table, first, say("round {n}", n=number))
    return table.highest(say("all rounds are played"))


async def skunk_round(table: Table, first: int, row: str) -> None:
    """Throw for everybody in the round until a 1 comes or all have banked. row: the round's row on the sheet."""
    total = 0
    table.sheet["now"] = dict.fromkeys(table.seats(), "in")
    table.write_all("total", total)
    while still_in := players_in(table, first):
        thrower = still_in[0]
        first = thrower + 1
        thrown = await table.turn(thrower, table.roll(thrower, DICE), at_stake=total)
        if thrown is None:
            continue
        if LOSING_FACE in thrown:
            skunked(table, row, thrown.count(LOSING_FACE))
            return
        total += sum(thrown)
        table.write_all("total", total)
        for player in players_in(table):
            if player not in table.gone and await table.turn(player, decide(table, player, total)) == "bank":
                table.scores[player] += total
                table.write(row, player, total)
                table.write("now", player, "banked")
                table.say("{name} banks {n}", name=table.names[player], n=total)


def players_in(table: Table, first: int = 0) -> list[int]:
    """Return the present seats that are in the round, clockwise from `first`."""
    return [player for player in table.seats(first) if table.sheet["now"].get(player) == "in"]


async def decide(table: Table, player: int, total: int) -> str:
    """Let the player stay in, or bank the total."""
    table.at_stake = total
    return await table.choose(player, "roll", "bank", gives={"bank": total})


def skunked(table: Table, row: str, ones: int) -> None:
    """End the round: players still in score nothing, and lose everything with a double 1."""
    losers = players_in(table)
    for player in losers:
        table.write(row, player, 0)
        table.write("now", player, "out")
        if ones == DICE:
            table.scores[player] = 0
    if ones == DICE:
        table.say("a double 1: no points are left to {names}", names=table.names_of(losers))
    else:
        table.say("a 1: nothing in this round for {names}", names=table.names_of(losers))
