"""Shut the Box: throw two dice and shut tiles that add up to them. Source: James Masters, "Shut the Box".

His Online Guide to Traditional Games (tradgames.org.uk) has the pub game: nine tiles, one die or two once 7, 8 and 9
are shut, the lowest sum of open tiles wins. Boxes with ten and twelve tiles, one die for a sum of 6 or less, and tiles
read as the digits of a number are in Wikipedia, "Shut the box".
"""

from collections import Counter
from functools import lru_cache
from itertools import combinations

from tabletop.rules import Choice, Flag, Game, Result, Table, Whole, say
from tabletop.rules.families.rounds import rounds_option, turns_due

DICE = 2
USUAL_TILES, MOST_TILES = 9, 12
HIGH_TILE = 7  # tiles from here on need two dice
MOST_OF_ONE_DIE = 6
OPEN, SHUT = "-", "x"
KNOWN_WAYS = 1 << 13  # the 4096 sets of twelve tiles with all relevant totals

ROUNDS = rounds_option(1)
TILES = Whole("tiles", USUAL_TILES, "how many tiles the box has", at_least=USUAL_TILES, at_most=MOST_TILES)
ONE_DIE = Choice(
    "one_die",
    "high",
    "when one die may be thrown: once 7 and up are shut, once open tiles add up to 6 or less (low), or never",
    ("high", "low", "never"),
)
MUST = Flag("must_one", False, "one die must be thrown as soon as it is allowed")
COUNT = Choice(
    "count", "sum", "what open tiles count: their sum, or their digits read as one number", ("sum", "digits")
)
ALL_SHUT = Choice("all_shut", "wins", "what shutting all tiles does: it wins at once, or scores 0", ("wins", "zero"))

GAME = Game(
    id="shut-the-box",
    name="Shut the Box",
    other_names=("Klappbrett", "Klappenspiel", "Canoga", "Batten Down the Hatches", "Jackpot"),
    source='James Masters, "Shut the Box" (Online Guide to Traditional Games)',
    dice=DICE,
    layout="tiles",
    min_players=1,
    fewest_win=True,
    options=(ROUNDS, TILES, ONE_DIE, MUST, COUNT, ALL_SHUT),
    presets={"masters": {}, "twelve-tiles": {"tiles": MOST_TILES}},
    help="""\
What it is about: shut as many of the tiles 1 to 9 as you can; the fewest points win.
A turn: all tiles are open. Throw two dice and shut any open tiles that add up to the total: for 8 that is 8, or 1 7, or
1 2 5, and so on. Then throw again. Once 7, 8 and 9 are shut you may throw one die instead of two. The turn ends when no
open tiles add up to the throw.
Scoring: the sum of the tiles that are still open. A player who shuts them all wins the match at once.
The end: when all rounds are played the lowest total wins; a tie is shared. A player who comes back after leaving plays
the rounds they missed.
House rules: The box is larger, with 10 or 12 tiles. One die is allowed once the open tiles add up to 6 or less, or
never. One die must be thrown as soon as it is allowed. Open tiles are read as one number: 2, 5 and 8 are 258. Shutting
every tile scores 0, and the others play on.""",
)

Tiles = tuple[int, ...]


async def play(table: Table) -> Result:
    """Play the rounds; the lowest total wins, or the first player to shut all tiles."""
    rounds = table.option(ROUNDS)
    tiles = tuple(range(1, table.option(TILES) + 1))
    table.sheet |= {str(tile): {} for tile in tiles}
    table.sheet |= {say("round {n}", n=number): {} for number in range(1, rounds + 1)}
    played = Counter[int]()  # seat -> rounds
    # fewer rounds would mean a better total, so returning players catch up
    for player in turns_due(table, rounds, lambda seat: played[seat]):
        left = await table.turn(player, turn(table, player, tiles))
        if left is None:
            continue
        points = counted(table, left)
        played[player] += 1
        table.write(say("round {n}", n=played[player]), player, points)
        table.scores[player] += points
        if not left and table.option(ALL_SHUT) == "wins":
            return Result((player,), say("{name} has shut the box and wins at once", name=table.names[player]))
        table.say("{name} scores {n}", name=table.names[player], n=points)
    return table.lowest(say("all rounds are played and the fewest points win"))


async def turn(table: Table, player: int, tiles: Tiles) -> Tiles:
    """Throw and shut tiles until the throw cannot be used or all are shut; return the open tiles."""
    left = tiles
    while left:
        show(table, player, tiles, left)
        thrown = await table.roll(player, await dice_thrown(table, player, left))
        ways = {" ".join(map(str, shut)): shut for shut in made_of(left, sum(thrown))}
        if not ways:
            table.say("{name} cannot make {n}", name=table.names[player], n=sum(thrown))
            break
        chosen = await table.choose(player, *ways, question=say("shut which?"))
        left = tuple(tile for tile in left if tile not in ways[chosen])
        table.say("{name} shuts {faces}", name=table.names[player], faces=chosen)
    show(table, player, tiles, left)
    return left


async def dice_thrown(table: Table, player: int, left: Tiles) -> int:
    """Return how many dice to throw; the player chooses if the tiles allow it."""
    allowed = {"high": max(left) < HIGH_TILE, "low": sum(left) <= MOST_OF_ONE_DIE, "never": False}
    one = allowed[table.option(ONE_DIE)]
    if not one or table.option(MUST):
        return 1 if one else DICE
    return 1 if await table.choose(player, "one die", "two dice", question=say("how many dice?")) == "one die" else DICE


@lru_cache(maxsize=KNOWN_WAYS)
def made_of(left: Tiles, total: int) -> tuple[Tiles, ...]:
    """Return every set of open tiles that adds up to the total, those with the fewest and highest tiles first."""
    ways = [shut for size in range(1, len(left) + 1) for shut in combinations(left, size) if sum(shut) == total]
    return tuple(sorted(ways, key=lambda shut: (len(shut), [-tile for tile in shut[::-1]])))


def counted(table: Table, left: Tiles) -> int:
    """Return the points for the open tiles, 0 if there are none."""
    if table.option(COUNT) == "digits":
        return int("".join(map(str, left)) or "0")
    return sum(left)


def show(table: Table, player: int, tiles: Tiles, left: Tiles) -> None:
    """Write which tiles are open, and their score."""
    for tile in tiles:
        table.write(str(tile), player, OPEN if tile in left else SHUT)
    table.at_stake = counted(table, left)
