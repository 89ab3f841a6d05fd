"""Centennial: from 1 up to 12 and back to 1 with three dice. Source: dice-play.txt, "Centennial".

A referee overlooks nothing, so claims are an option. netexl.com/howtoplay/centennial says more clearly that only a
number needed by the throwing player can be claimed.
"""

from functools import lru_cache
from itertools import combinations

from tabletop.rules import Faces, Flag, Game, Result, Table, say
from tabletop.rules.families.combinations import MOST_THROWS
from tabletop.rules.families.race import play_until

DICE = 3
TOP = 12
ROUND_TRIP = 2 * TOP - 1  # moves: twelve up, eleven back

THROW_ON = Flag("throw_on", False, "a player who moves gets another throw, every time")
CLAIMS = Flag("claims", False, "players say how far they move, and others may claim a number that was overlooked")

GAME = Game(
    id="centennial",
    name="Centennial",
    other_names=("Ohio", "Martinetti"),
    source="dice-play.txt",
    dice=DICE,
    layout="track",
    min_players=1,
    joining=True,
    options=(THROW_ON, CLAIMS),
    presets={"dice-play": {}},
    help="""\
What it is about: move your marker from 1 up to 12 and back to 1. It visits every square in turn.
A turn: throw three dice once. You move to the next square if the throw makes its number: with one die, with the sum of
two or with the sum of all three. Go on for as long as the throw makes the next number too. The same die may serve for
several numbers: 1, 2 and 4 make all the numbers from 1 to 7.
The score: your moves, 23 for the round trip.
The end: the first player back on 1 wins at once; there are no ties.
House rules: moving may earn another throw, every time. Players may have to find their moves themselves; when the dice
are passed on, a player who needs a number that was overlooked may claim it and move.""",
)


async def play(table: Table) -> Result:
    """Play until a player has made the round trip."""
    for player in table.seats():
        show(table, player)
    await play_until(table, turn, lambda moves: moves == ROUND_TRIP)
    return table.highest(say("the round trip from 1 to 12 and back is complete"))


async def turn(table: Table, player: int) -> None:
    """Throw, and move as far as the dice allow."""
    show(table, player)
    while True:
        thrown = tuple(sorted(await table.roll(player, DICE)))
        before = table.scores[player]
        farthest = moves_with(numbers_of(thrown), before)
        after = await announced(table, player, farthest) if table.option(CLAIMS) else farthest
        move(table, player, after)
        if after in (ROUND_TRIP, before) or not table.option(THROW_ON):
            break
    overlooked = frozenset(map(square, range(after + 1, farthest + 1)))
    for other in table.seats(player + 1):
        if other != player and overlooked and table.scores[player] != ROUND_TRIP:
            await table.turn(other, claim(table, other, overlooked))
            if table.scores[other] == ROUND_TRIP:
                return


async def announced(table: Table, player: int, farthest: int) -> int:
    """Let the player announce how far they move; return the resulting number of moves."""
    before = table.scores[player]
    gives = {f"move {moves}": moves for moves in range(farthest - before, 0, -1)}
    if not gives:
        return before
    said = await table.choose(player, *gives, "stay", gives=gives, question=say("move how far?"))
    return before + gives.get(said, 0)


async def claim(table: Table, player: int, overlooked: frozenset[int]) -> None:
    """Let a player who needs an overlooked number claim it."""
    claimed = moves_with(overlooked, table.scores[player])
    moves = claimed - table.scores[player]
    asks = say("claim what was overlooked?")
    if moves and await table.choose(player, "claim", "leave", gives={"claim": moves}, question=asks) == "claim":
        move(table, player, claimed)


def move(table: Table, player: int, moves: int) -> None:
    """Move the player's marker to this number of moves."""
    moved = moves != table.scores[player]
    table.scores[player] = moves
    show(table, player)
    table.say("{name} moves to {n}" if moved else "{name} stays on {n}", name=table.names[player], n=square(moves))


def square(moves: int) -> int:
    """Return the square after this many moves, 0 before the first."""
    return moves if moves <= TOP else 2 * TOP - moves


def moves_with(numbers: frozenset[int], moves: int) -> int:
    """Return the number of moves after using these numbers as far as possible."""
    while moves < ROUND_TRIP and square(moves + 1) in numbers:
        moves += 1
    return moves


@lru_cache(maxsize=MOST_THROWS)
def numbers_of(thrown: Faces) -> frozenset[int]:
    """Return the value of each single die, the sum of any two and the sum of all three."""
    return frozenset(sum(dice) for size in range(1, DICE + 1) for dice in combinations(thrown, size))


def show(table: Table, player: int) -> None:
    """Write the player's square, direction, and the number needed next."""
    moves = table.scores[player]
    table.write("place", player, square(moves))
    table.write("heading", player, "up" if moves < TOP else "down")
    table.write("needs", player, square(moves + 1) if moves < ROUND_TRIP else None)
