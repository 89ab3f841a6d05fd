"""Aces in Pot: be the last to hold counters, and then throw no 6. Source: aces-in-pot.txt."""

from tabletop.rules import Choice, Game, Result, Table, say
from tabletop.rules.families import order, rounds
from tabletop.rules.families.counters import begin_tally, holders, left_behind, left_of, most_rounds, wins_round

COUNTERS = 2  # each, in each round
DICE = 2
TO_POT, TO_LEFT = 1, 6
LAST_THROWS = 3  # of the only holder, all without a 6

ROUNDS = rounds.rounds_option(1)
ORDER = order.order_option()
DEBT = Choice("debt", "pot", "which payment comes first if there are too few counters for both", ("pot", "left"))

GAME = Game(
    id="aces-in-pot",
    name="Aces in Pot",
    other_names=("Einser in den Pott",),
    source="aces-in-pot.txt",
    dice=DICE,
    layout="counters",
    counts="chips",
    joining=True,
    options=(ROUNDS, ORDER, DEBT),
    presets={"aces-in-pot": {}},
    help="""\
What it is about: be the only player who still has counters. Everyone begins each round with two.
A turn: throw two dice. For each 1 a counter goes into the pot, for each 6 a counter goes to the player on your left. If
you have only one counter for a 1 and a 6, it goes into the pot. Then the next player to the left with counters throws.
A player with none sits out, but is back as soon as they are given one.
The last player with counters: throw both dice up to three times; 1s do not count. Three throws without a 6 win the
round and the pot. At the first 6 a counter goes to the left for each 6, as far as there are any, and so do the dice.
The end: after the agreed rounds, the most rounds won win; a tie is shared. Each round begins one seat further to the
left.
House rules: in a roll-off the highest sum of two dice begins the first round; ties are thrown again. A last counter for
a 1 and a 6 may go to the left instead.
Coming and going: the counters of a player who leaves go into the pot. A player who joins has two from the next round
on. Until then they play only if a neighbour's 6 gives them one.""",
)


async def play(table: Table) -> Result:
    """Play the agreed rounds."""
    first = await order.first_player(table, table.option(ORDER), DICE)
    for number in range(1, table.option(ROUNDS) + 1):
        begin_tally(table)
        table.write_all("round", number)
        await play_round(table, first)
        first = left_of(table, first)
    return most_rounds(table, say("all rounds are played"))


async def play_round(table: Table, first: int) -> None:
    """Give out the counters, and play until the last holder has thrown no 6."""
    order.write_order(table, table.seats(first))
    for player in table.seats():
        table.scores[player] = COUNTERS
    counters = sum(table.scores)
    write_pot(table, counters)
    while holding := holders(table, first):
        player = holding[0]
        if await table.turn(player, turn(table, player, counters)):
            pot = counters - table.scores[player]
            table.say("{name} wins the round and takes the pot of {n}", name=table.names[player], n=pot)
            table.scores[player] = counters
            write_pot(table, counters)
            wins_round(table, player)
            return
        left_behind(table)
        write_pot(table, counters)
        first = player + 1
    table.say("everybody with counters has left: nobody wins the round")


async def turn(table: Table, player: int, counters: int) -> bool:
    """Throw, and pay for aces and sixes; return whether the only holder has thrown three times without a 6."""
    name = table.names[player]
    for throw in range(1, LAST_THROWS + 1):
        thrown = await table.roll(player, DICE)
        left_behind(table)
        aces, sixes = thrown.count(TO_POT), thrown.count(TO_LEFT)
        alone = holders(table) == [player]
        if alone:
            aces = 0
        to_pot, to_left = paid(table.scores[player], aces, sixes, table.option(DEBT))
        table.scores[player] -= to_pot + to_left
        table.scores[left_of(table, player)] += to_left
        write_pot(table, counters)
        if not alone:
            table.say("{name}: {n} into the pot, {n2} left", name=name, n=to_pot, n2=to_left)
            return False
        if to_left:
            table.say("{name} throws a 6 and passes {n} to the left", name=name, n=to_left)
            return False
        table.write_all("throws", throw)
        table.say("{name} has thrown {n} of {n2} without a 6", name=name, n=throw, n2=LAST_THROWS)
    return True


def paid(held: int, aces: int, sixes: int, first: str) -> tuple[int, int]:
    """Return how many counters go into the pot and how many to the left, limited to those held."""
    if first == "left":
        to_left = min(sixes, held)
        return min(aces, held - to_left), to_left
    to_pot = min(aces, held)
    return to_pot, min(sixes, held - to_pot)


def write_pot(table: Table, counters: int) -> None:
    """Write the counters in the pot, and reset the number of last throws."""
    table.write_all("pot", counters - sum(table.scores))
    table.write_all("throws", 0)
