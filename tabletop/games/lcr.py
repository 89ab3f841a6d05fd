"""LCR: chips go left, to the centre, or right; be the only one with chips. Source: rollin-bones.txt, "LCR Dice".

That the last player with chips must throw once more is a house rule not in the text. The wild face is from LCR Wild
(George & Company, georgeandcompany.co, "LCR Wild"). Two can play as well; left and right are the same then.
"""

from tabletop.rules import Flag, Game, Result, Table, Whole, say
from tabletop.rules.families.counters import holders, left_behind, left_of, right_of
from tabletop.rules.families.order import first_player, order_option, write_order

PLAYERS = 3  # or more
TWO = 2
FEWEST_LEFT = 2  # the text ends the game by chips alone, so even two remaining players continue
USUAL_CHIPS, MOST_CHIPS = 3, 100
DICE = 3
L, C, R = 4, 5, 6  # the other faces are dots
WILD_FACE, ALL_WILD = 1, 3
DICE_FOR_FIRST = 2  # for a roll-off; the text does not say how to choose the starting player

ORDER = order_option()
LAST_THROW = Flag("last_throw", False, "the last player with chips must still throw, and wins without an L or an R")
CHIPS = Whole("chips", USUAL_CHIPS, "how many chips each player starts with", at_least=1, at_most=MOST_CHIPS)
WILD = Flag("wild", False, "LCR Wild: each 1 takes a chip from any other player, three 1s take the pot")
TWO_PLAYERS = Flag("two_players", False, "two may play: the left and the right neighbour are then the same")

GAME = Game(
    id="lcr",
    name="LCR",
    other_names=("Left Center Right", "Left Right Center", "LCR Wild", "Links Mitte Rechts"),
    source="rollin-bones.txt",
    dice=DICE,
    layout="counters",
    counts="chips",
    min_players=PLAYERS,
    fewest_left=FEWEST_LEFT,
    fewest_with={"two_players": TWO},
    options=(ORDER, LAST_THROW, CHIPS, WILD, TWO_PLAYERS),
    presets={"rollin-bones": {}, "lcr-wild": {"wild": True}, "lcr-for-two": {"two_players": True}},
    help="""\
What it is about: be the only player who still has chips. Everyone begins with three.
A turn: throw three dice, or one for each chip if you have fewer. For each 4 (L) a chip goes to the player on your left,
for each 5 (C) into the pot, for each 6 (R) to the player on your right. Other numbers do nothing. A player with no
chips is skipped, but is back as soon as they are given one.
The end: the only player who still has chips wins, and takes the pot.
House rules: everyone may begin with another number of chips, such as five. In a roll-off the highest sum of two dice
begins; ties are thrown again. If the last player with chips must still throw, they throw as many dice as in any turn.
Without L and R they win; otherwise they pass these chips, and play goes on. Their Cs do not count then. In LCR Wild
each 1, after the other dice, takes a chip from a player of your choice; three 1s take the pot instead. With two
players, L and R both give a chip to the other.
Coming and going: the chips of a player who leaves go into the pot. The others play on; two are enough.""",
)


async def play(table: Table) -> Result:
    """Play clockwise until only one player has chips."""
    table.scores = [table.option(CHIPS)] * len(table.names)
    chips = sum(table.scores)
    write_pot(table, chips)
    first = await first_player(table, table.option(ORDER), DICE_FOR_FIRST)
    write_order(table, table.seats(first))
    left_behind(table)
    write_pot(table, chips)
    while len(holding := holders(table, first)) > 1 or (holding and table.option(LAST_THROW)):
        player = holding[0]
        if await table.turn(player, turn(table, player, chips)):
            break
        left_behind(table)
        write_pot(table, chips)
        first = player + 1
    return ended(table, chips)


async def turn(table: Table, player: int, chips: int) -> bool:
    """Throw, and act on each die; return whether it was the winning last throw of the only holder."""
    alone = holders(table) == [player]
    thrown = await table.roll(player, min(DICE, table.scores[player]))
    left_behind(table)
    if not alone and holders(table) == [player]:
        return False  # all others with chips have left, which ends the match
    to_left, to_centre, to_right = map(thrown.count, (L, C, R))
    if alone:
        to_centre = 0
    table.scores[player] -= to_left + to_centre + to_right
    table.scores[left_of(table, player)] += to_left
    table.scores[right_of(table, player)] += to_right
    name = table.names[player]
    table.say("{name}: {n} left, {n2} into the pot, {n3} right", name=name, n=to_left, n2=to_centre, n3=to_right)
    if table.option(WILD):
        await take(table, player, thrown.count(WILD_FACE), chips)
    return alone and not to_left + to_right


async def take(table: Table, player: int, wilds: int, chips: int) -> None:
    """Take a chip from another player for each wild die, or the whole pot for three."""
    if wilds == ALL_WILD:
        pot = chips - sum(table.scores)
        table.scores[player] += pot
        table.say("{name} takes the pot of {n}", name=table.names[player], n=pot)
        return
    for _ in range(wilds):
        others: dict[str, int] = {
            say("from {name}", name=table.names[seat]): seat for seat in holders(table) if seat != player
        }
        if not others:
            return
        write_pot(table, chips)
        chosen = await table.choose(player, *others, question=say("take a chip from whom?"))
        table.scores[others[chosen]] -= 1
        table.scores[player] += 1
        table.say("{name} takes a chip from {name2}", name=table.names[player], name2=table.names[others[chosen]])


def write_pot(table: Table, chips: int) -> None:
    """Write the number of chips in the centre."""
    table.write_all("pot", chips - sum(table.scores))


def ended(table: Table, chips: int) -> Result:
    """End with the only player who has chips, who keeps them and takes the pot."""
    holding = holders(table)
    if not holding:
        return Result(tuple(table.seats()), say("everybody with chips has left: the others share the pot"))
    (winner,) = holding
    pot = chips - table.scores[winner]
    table.scores[winner] = chips
    write_pot(table, chips)
    return Result((winner,), say("{name} alone has chips, and takes the pot of {n}", name=table.names[winner], n=pot))
