"""Sevens: remove what makes seven, count the rest. Source: dice-play.txt, "Sevens"; rollin-bones.txt, "Seven Dice".

The first text describes a single round, the second rounds whose totals are added up. It gives no number of rounds; five
are played here. "Sevens" at gamerules.com/rules/sevens removes only pairs that make seven.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from tabletop.rules import Choice, Faces, Game, Result, Table, say
from tabletop.rules.families.combinations import MOST_THROWS, left_after, parts_of
from tabletop.rules.families.order import write_order
from tabletop.rules.families.rounds import DUE, leaders, rounds_option

DICE = 6
SEVEN = 7
THROWS = 3
PAIR = 2
SINGLE_ROUND, AGREED_ROUNDS = 1, 5

ROUNDS = rounds_option(SINGLE_ROUND)
GROUPS = Choice("groups", "any", "which dice make a seven: any number of them, or pairs only", ("any", "pairs"))
REMOVAL = Choice("removal", "all", "whether every 7 must be removed, or as many as the player likes", ("all", "free"))
TIES = Choice("ties", "shared", "how a tie for the highest total is settled", ("shared", "play-off"))

GAME = Game(
    id="sevens",
    name="Sevens",
    other_names=("Seven Dice", "Siebener"),
    source="dice-play.txt, rollin-bones.txt",
    dice=DICE,
    layout="totals",
    min_players=1,
    joining=True,
    options=(ROUNDS, GROUPS, REMOVAL, TIES),
    presets={"dice-play": {}, "rollin-bones": {"rounds": AGREED_ROUNDS}},
    help="""\
What it is about: get rid of all sevens, and have the highest total with the dice left.
A turn: throw six dice. Any dice that add up to seven must go, two or more together, until no seven can be made of the
rest; which of them is your choice. Then stop, or throw the rest again. With no dice left the turn is over and scores 0.
The first player of a round may throw up to three times, the others at most as often as the first has.
Score: the sum of the dice that are left.
The end: after one round the highest total wins; a tie is shared.
House rules: Over five rounds the totals are added up, and the player to the left begins the next round. Only two dice
make a seven. No one has to remove a seven. A tie is played off with another round, in seat order.""",
)


async def play(table: Table) -> Result:
    """Play the rounds; the highest sum of totals wins."""
    rounds, first = table.option(ROUNDS), -1
    for number in range(1, rounds + 1):
        first = next(table.seats(first + 1))
        begin_round(table, list(table.seats(first)))
        totals = await play_round(table, table.seats(first), say("round {n}", n=number), counts=True)
        first = next(iter(totals), first)
    result = table.highest(say("the round is over") if rounds == 1 else say("all {n} rounds are played", n=rounds))
    while table.option(TIES) == "play-off" and len(result.winners) > 1:
        result = await play_off(table, result)
    return result


def begin_round(table: Table, seats: Sequence[int]) -> None:
    """Write the number of throws, and the order of play."""
    table.write_all("throws", THROWS)
    write_order(table, seats)
    table.sheet["used"] = dict.fromkeys(seats, 0)


async def play_round(table: Table, seats: Iterable[int], row: str, *, counts: bool) -> dict[int, int]:
    """Let these seats play a turn each; return the total of each player who stayed, in the order of play.

    counts: whether the totals are added to the scores. The first turn sets the number of throws.
    """
    totals: dict[int, int] = {}
    throws = THROWS
    for player in seats:
        played = None if player in table.gone else await table.turn(player, turn(table, player, throws))
        if played is None:
            continue
        total, used = played
        if not totals:
            throws = used
            table.write_all("throws", throws)
        totals[player] = total
        table.write(row, player, total)
        table.scores[player] += total if counts else 0
    return totals


async def turn(table: Table, player: int, throws: int) -> tuple[int, int]:
    """Play a turn of up to this many throws; return the total of the dice left, and the throws used."""
    dice, used = DICE, 0
    while True:
        thrown = tuple(sorted(await table.roll(player, dice)))
        used += 1
        table.write("used", player, used)
        parts = removals(thrown, table.option(GROUPS), table.option(REMOVAL))
        removed = await table.keep(player, parts, hand=thrown, beside=table.kept)
        dice -= len(removed)
        table.at_stake = sum(thrown) - sum(removed)
        stops = dice == 0 or used == throws
        if stops or await table.choose(player, "roll", "stop", gives={"stop": table.at_stake}) == "stop":
            table.say("{name} scores {n}", name=table.names[player], n=table.at_stake)
            return table.at_stake, used
        table.at_stake = 0


@lru_cache(maxsize=MOST_THROWS)
def removals(thrown: Faces, groups: str, removal: str) -> tuple[Faces, ...]:
    """Return the parts of a sorted throw that may be removed, those that leave most points and dice first."""
    parts = made_of_sevens(thrown, groups)
    if removal == "all":
        parts = {part for part in parts if not sevens(left_after(thrown, part), groups)}
    return tuple(sorted(parts, key=lambda part: (sum(part), len(part), part)))


@lru_cache(maxsize=MOST_THROWS)
def made_of_sevens(thrown: Faces, groups: str) -> set[Faces]:
    """Return every part of a sorted throw that consists of groups that make seven, including ()."""
    found: set[Faces] = {()}
    for seven in sevens(thrown, groups):
        rest = made_of_sevens(left_after(thrown, seven), groups)
        found |= {tuple(sorted(seven + more)) for more in rest}
    return found


def sevens(thrown: Faces, groups: str) -> list[Faces]:
    """Return the single groups that make seven."""
    return [part for part in parts_of(thrown) if sum(part) == SEVEN and (groups == "any" or len(part) == PAIR)]


async def play_off(table: Table, result: Result) -> Result:
    """Let the tied players play rounds until one of them is ahead; the scores stay unchanged."""
    tied = result.winners
    while len(tied) > 1:
        table.say("{names} are tied and play off", names=table.names_of(tied))
        table.sheet["play-off"] = dict.fromkeys(tied, DUE)
        begin_round(table, tied)
        totals = await table.among(tied, play_round(table, tied, "play-off", counts=False))
        staying = tuple(player for player in tied if player not in table.gone)
        tied = leaders({player: total for player, total in (totals or {}).items() if player in staying}) or staying
    (winner,) = tied
    return Result(tied, say("{why}, and {name} wins the play-off", why=result.why, name=table.names[winner]))
