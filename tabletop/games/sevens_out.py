"""Sevens Out: throw two dice until a 7 comes. Source: dice-play.txt, "Sevens Out"."""

from tabletop.rules import Flag, Game, Result, Table, Whole, say
from tabletop.rules.families.race import play_until, replies_option

DICE = 2
SEVEN = 7
DOUBLES_COUNT = 2  # factor

TARGET = Whole("target", 500, "the goal of the race; the text names 500 and 1000", at_least=1, at_most=100_000)
REPLIES = replies_option(choices=("none", "equal"))
AT_ONCE = Flag("at_once", False, "a turn ends as soon as its tally reaches the target, without waiting for the 7")

GAME = Game(
    id="sevens-out",
    name="Sevens Out",
    other_names=("Sieben raus",),
    source="dice-play.txt",
    dice=DICE,
    layout="totals",
    min_players=1,
    joining=True,
    options=(TARGET, REPLIES, AT_ONCE),
    presets={"dice-play": {}},
    help="""\
What it is about: be the first with 500 points; each turn lasts until a 7 comes.
A turn: throw two dice, again and again, until they make 7. There is nothing to decide.
Scoring: each throw before the 7 scores its sum, a double twice that: 4 and 4 is 16. The 7 itself scores nothing, but
takes nothing away either. The points of the turn are written down when the 7 has come.
The end: the first player with 500 or more written down wins. A longer match goes to 1000.
House rules: The round is played to its end; then the highest score wins, and a tie is shared. A turn ends as soon as it
reaches the target, without waiting for the 7.""",
)


async def play(table: Table) -> Result:
    """Play until a player has scored the target."""
    target = table.option(TARGET)
    await play_until(table, turn, lambda score: score >= target, whole_round=table.option(REPLIES) == "equal")
    return table.highest(say("the target of {n} is reached", n=target))


async def turn(table: Table, player: int) -> None:
    """Throw until a 7 comes, announcing the tally; then add it to the score."""
    target, at_once = table.option(TARGET), table.option(AT_ONCE)
    while not (at_once and table.scores[player] + table.at_stake >= target):
        first, second = await table.roll(player, DICE)
        if first + second == SEVEN:
            break
        table.at_stake += throw_score(first, second)
        table.say("{name} has a tally of {n}", name=table.names[player], n=table.at_stake)
    table.scores[player] += table.at_stake
    table.say("{name} notes {n}", name=table.names[player], n=table.at_stake)


def throw_score(first: int, second: int) -> int:
    """Return the score of a throw other than a 7."""
    return (first + second) * (DOUBLES_COUNT if first == second else 1)
