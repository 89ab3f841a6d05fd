"""Games of a set number of rounds, and what breaks a tie."""

from collections.abc import Sequence

from tabletop.rules.options import Whole
from tabletop.rules.race import Turn
from tabletop.rules.table import Table

MOST_ROUNDS = 100  # no text sets a limit; nobody plays longer


def rounds_option(default: int) -> Whole:
    """Make the option `rounds` of a game."""
    return Whole("rounds", default, "how many rounds are played", at_least=1, at_most=MOST_ROUNDS)


async def play_rounds(table: Table, turn: Turn, rounds: int, *, rotating: bool = False) -> None:
    """Play turns, adding to the score what each gives; the sheet has a row for each round.

    rotating: the player to the left of the one who began the last round begins the next.
    """
    for number in range(rounds):
        for player in table.seats(number % len(table.names) if rotating else 0):
            points = await table.turn(player, turn(table, player))
            if points is not None:
                table.scores[player] += points
                table.write(f"round {number + 1}", player, points)


async def play_off(table: Table, tied: Sequence[int], turn: Turn) -> tuple[int, ...]:
    """Let the tied seats play turns in seat order until one does best; return who is left, scores untouched.

    Several are left never; nobody is where all of them have left the table.
    """
    staying = [player for player in tied if player not in table.gone]
    while len(staying) > 1:
        table.say(f"{' and '.join(table.names[player] for player in staying)} are tied and play off")
        given: dict[int, int] = {}
        for player in staying:
            points = await table.turn(player, turn(table, player))
            if points is not None:
                given[player] = points
        best = max(given.values(), default=0)
        staying = [player for player, points in given.items() if points == best and player not in table.gone]
    return tuple(staying)
