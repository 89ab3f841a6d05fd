"""Plus and Minus: two dice add, one subtracts, one adds, one subtracts. Source: dice-play.txt, "Plus and Minus".

The text's example has four dice on the second throw, when only three are left: it breaks its own rule.
"""

from tabletop.rules import Faces, Game, Result, Table, say
from tabletop.rules.families.combinations import parts_of
from tabletop.rules.families.rounds import play_rounds, rounds_option

DICE = 5
PLUS, MINUS = 1, -1
SET_ASIDE = ((PLUS, 2), (MINUS, 1), (PLUS, 1), (MINUS, 1))  # sign and number of dice for each of the four throws
ROUNDS_PLAYED = 5

ROUNDS = rounds_option(ROUNDS_PLAYED)

GAME = Game(
    id="plus-and-minus",
    name="Plus and Minus",
    other_names=("Plus und Minus",),
    source="dice-play.txt",
    dice=DICE,
    layout="totals",
    min_players=1,
    joining=True,
    options=(ROUNDS,),
    presets={"dice-play": {}},
    help="""\
What it is about: add and take away dice; the highest sum of five rounds wins.
A turn: throw five dice and set two aside to be added. Throw the other three and set one aside to be taken away. Throw
the other two and set one aside to be added. Throw the last one, which is taken away.
Score: the sum of all rounds; it may fall below 0.
The end: after five rounds the highest sum wins; a tie is shared.""",
)


async def play(table: Table) -> Result:
    """Play the rounds; the highest sum wins."""
    rounds = table.option(ROUNDS)
    await play_rounds(table, turn, rounds)
    return table.highest(say("the round is over") if rounds == 1 else say("all {n} rounds are played", n=rounds))


async def turn(table: Table, player: int) -> int:
    """Play the four throws; return their total."""
    total, dice = 0, DICE
    for sign, count in SET_ASIDE:
        thrown = tuple(sorted(await table.roll(player, dice)))
        aside = thrown  # the last die leaves no choice
        if dice > count:
            aside = await table.keep(player, parts(thrown, sign, count), hand=thrown, beside=table.kept)
        total += sign * sum(aside)
        table.at_stake = total
        table.say("+ {n}: {n2}" if sign == PLUS else "- {n}: {n2}", n=sum(aside), n2=total)
        dice -= count
    return total


def parts(thrown: Faces, sign: int, count: int) -> tuple[Faces, ...]:
    """Return the parts of this many dice, the best to add or to subtract first."""
    return tuple(sorted((part for part in parts_of(thrown) if len(part) == count), key=lambda part: -sign * sum(part)))
