"""LCR: chips go left, to the centre, right; be the only one who has any. Source: rollin-bones.txt, "LCR Dice".

That the last one with chips must throw once more is a house rule that the text does not have.
"""

from tabletop.core.message import say
from tabletop.rules.families.counters import holders, left_behind, left_of, right_of
from tabletop.rules.families.order import first_player, order_option, write_order
from tabletop.rules.game import Game, Result
from tabletop.rules.options import Flag
from tabletop.rules.table import Table

PLAYERS = 3  # or more
FEWEST_LEFT = 2  # the text ends the game by chips alone: who is left plays on, also where only two are
CHIPS = 3
DICE = 3
L, C, R = 4, 5, 6  # the other faces are dots
DICE_FOR_FIRST = 2  # of a roll-off; the text leaves the way to find the starting player open

ORDER = order_option()
LAST_THROW = Flag("last_throw", False, "the last one with chips must still throw, and wins if it has no L and no R")

GAME = Game(
    id="lcr",
    name="LCR",
    other_names=("Left Center Right", "Left Right Center"),
    source="rollin-bones.txt",
    dice=DICE,
    min_players=PLAYERS,
    fewest_left=FEWEST_LEFT,
    options=(ORDER, LAST_THROW),
    presets={"rollin-bones": {}},
    help="""\
What it is about: be the only player who still has chips. Everybody begins with three.
A turn: throw three dice, or as many as you have chips if they are fewer. For each 4 (L) a chip goes to the player on
your left, for each 5 (C) a chip goes into the pot, for each 6 (R) a chip goes to the player on your right. The other
faces are dots and move nothing. A player with no chips is skipped, but is back as soon as they are given one.
The score: the chips each holds. The row `pot`: those in the centre.
The end: as soon as one player alone has chips, he wins, and takes the pot.
order=roll: who throws the highest sum with two dice begins; ties are thrown again.
last_throw=true: the last one with chips must throw once more, as many dice as in any turn. With no L and no R he wins;
else he passes these chips, and play goes on. His Cs do not count then.
The chips of a player who leaves go into the pot. Those who are left play on, two are enough.""",
)


async def play(table: Table) -> Result:
    """Play clockwise until one player alone has chips."""
    for player in table.seats():
        table.scores[player] = CHIPS
    chips = sum(table.scores)
    write_pot(table, chips)
    first = await first_player(table, table.option(ORDER), DICE_FOR_FIRST)
    write_order(table, table.seats(first))
    left_behind(table)
    write_pot(table, chips)
    while len(holding := holders(table, first)) > 1 or (holding and table.option(LAST_THROW)):
        player = holding[0]
        if await table.turn(player, turn(table, player)):
            break
        left_behind(table)
        write_pot(table, chips)
        first = player + 1
    return ended(table, chips)


async def turn(table: Table, player: int) -> bool:
    """Throw, and act on each die; return whether it was the last one's throw and he wins by it."""
    alone = holders(table) == [player]
    thrown = await table.roll(player, min(DICE, table.scores[player]))
    left_behind(table)
    if not alone and holders(table) == [player]:
        return False  # all others with chips have left: the match ended with that
    to_left, to_centre, to_right = map(thrown.count, (L, C, R))
    if alone:
        to_centre = 0
    table.scores[player] -= to_left + to_centre + to_right
    table.scores[left_of(table, player)] += to_left
    table.scores[right_of(table, player)] += to_right
    table.say(
        "{name}: {n} left, {n2} into the pot, {n3} right",
        name=table.names[player],
        n=to_left,
        n2=to_centre,
        n3=to_right,
    )
    return alone and not to_left + to_right


def write_pot(table: Table, chips: int) -> None:
    """Write for everybody the chips in the centre."""
    table.write_all("pot", chips - sum(table.scores))


def ended(table: Table, chips: int) -> Result:
    """End with the only player who has chips: he keeps them and takes the pot."""
    holding = holders(table)
    if not holding:
        return Result(tuple(table.seats()), say("everybody with chips has left: the others share the pot"))
    (winner,) = holding
    pot = chips - table.scores[winner]
    table.scores[winner] = chips
    write_pot(table, chips)
    return Result((winner,), say("{name} alone has chips, and takes the pot of {n}", name=table.names[winner], n=pot))
