"""Threes: keep at least one die of each throw, 3s count nothing, the lowest wins. Source: Wikipedia, "Threes".

In bars it is called Threes Away (rpasmd.org, "Threes Away"), without the win for five 6s. Both have a play-off for
ties.
"""

from functools import lru_cache

from tabletop.rules import Choice, Faces, Flag, Game, Result, Table, say
from tabletop.rules.families import boxes, combinations
from tabletop.rules.families.rounds import play_missed_rounds_too, play_off, rounds_option

DICE = 5
FREE_FACE = 3
LOW = 1  # the only other face that people like to keep
MOON = (6,) * DICE

ROUNDS = rounds_option(1)
SHOOT_MOON = Flag("moon", True, "five 6s set aside win the match at once")
TIES = Choice("ties", "play-off", "how a tie for the lowest total is settled", ("play-off", "shared"))

GAME = Game(
    id="threes",
    name="Threes",
    other_names=("Tripps", "Threes Away", "Dreier"),
    source='Wikipedia, "Threes"',
    dice=DICE,
    layout="totals",
    min_players=1,
    fewest_win=True,
    options=(ROUNDS, SHOOT_MOON, TIES),
    presets={"wikipedia": {}, "threes-away": {"moon": False}},
    help="""\
What it is about: have the lowest total; 3s count nothing.
A turn: throw five dice, and set aside one or more of them. Throw the rest and set aside one or more again, until all
five are aside. Dice set aside stay there.
Scoring: the sum of the five dice, each 3 counting 0. Five 3s are the best, with 0. Five 6s set aside shoot the moon and
win the match at once.
The end: when all rounds are played, usually just one, the lowest total wins. Tied players have another turn each, in
seat order, until one is lower. A player who comes back after leaving plays the rounds they missed.
House rules: Several turns are added up. A tie is shared. In Threes Away five 6s are 30 points.""",
)


class MoonError(Exception):
    """A seat has set five 6s aside: `play` ends the match. Never leaves this file."""


async def play(table: Table) -> Result:
    """Play the rounds; the lowest total wins, or the first five 6s."""
    try:
        return await play_rounds_and_tie(table)
    except MoonError as won:
        (player,) = won.args
        return Result((player,), say("{name} shoots the moon and wins at once", name=table.names[player]))


async def play_rounds_and_tie(table: Table) -> Result:
    """Play the rounds, and a play-off of players tied for the lowest total."""
    rounds = [say("round {n}", n=number) for number in range(1, table.option(ROUNDS) + 1)]
    await play_missed_rounds_too(table, turn, rounds)
    result = table.lowest(say("all rounds are played and the lowest total wins"))
    if table.option(TIES) == "shared" or len(result.winners) == 1:
        return result
    winners = await play_off(table, result.winners, turn, fewest=True)
    (winner,) = winners
    return Result(winners, say("{why}, and {name} wins the play-off", why=result.why, name=table.names[winner]))


async def turn(table: Table, player: int) -> int:
    """Throw, and set aside at least one die each time, until all are aside; return their total."""
    aside = await boxes.set_all_aside(table, player, DICE, some_of, total)
    if aside == MOON and table.option(SHOOT_MOON):
        raise MoonError(player)
    table.say("{name} scores {n}", name=table.names[player], n=total(aside))
    return total(aside)


def total(aside: Faces) -> int:
    """Add up the dice; a 3 counts nothing."""
    return sum(face for face in aside if face != FREE_FACE)


@lru_cache(maxsize=combinations.MOST_THROWS)
def some_of(thrown: Faces) -> tuple[Faces, ...]:
    """Return every part of a sorted throw with at least one die, the likeliest choices first.

    These are all 3s and 1s; without any, the lowest die; then the parts that count least, more dice first.
    """
    lowest = min(thrown, key=lambda face: total((face,)))
    likely = (
        tuple(face for face in thrown if face in (FREE_FACE, LOW)),
        tuple(face for face in thrown if face == FREE_FACE),
        (lowest,),
    )
    others = sorted(combinations.parts_of(thrown)[:-1], key=lambda part: (total(part), -len(part), part))
    return tuple(dict.fromkeys(part for part in (*likely, *others) if part))
