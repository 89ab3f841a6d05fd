"""Mexico: two dice read as a number, 21 beats all, the lowest loses a life. Source: Wikipedia, "Mexico (game)".

In the source the first player sets the number of throws for the others, both dice are always thrown, players tied for
the lowest play a round among themselves, and five stakes are lost one by one: the lives here. Mexico doubling the loss,
and holding a die, are from studentdrinkinggames.com, "Mexican"; that all tied players lose is a house rule.
"""

from collections.abc import Mapping, Sequence

from tabletop.rules import Choice, Faces, Game, Result, Table, Whole, faces_text, say
from tabletop.rules.families import counters, order, rounds

DICE = 2
USUAL_LIVES, MOST_LIVES = 5, 20
USUAL_THROWS, MOST_THROWS = 3, 10
MEXICO = (2, 1)
DOUBLE_WORTH, MEXICO_WORTH = 100, 1000  # only their order matters: doubles above 65, a Mexico above 66

LIVES = Whole("lives", USUAL_LIVES, "how many lives each player has", at_least=1, at_most=MOST_LIVES)
THROWS = Whole("throws", USUAL_THROWS, "how often the first player may throw", at_least=1, at_most=MOST_THROWS)
HOLD = Choice(
    "hold",
    "nothing",
    "which die may be held while the other is thrown again: none, a 1 or 2 (low), or any",
    ("nothing", "low", "any"),
)
LOSS = Choice(
    "loss",
    "single",
    "how many lives a round with a Mexico costs: one, two (twice), or doubled by each Mexico",
    ("single", "twice", "each"),
)
TIES = Choice(
    "ties", "play-off", "who loses if several are lowest: the loser of a play-off, or all of them", ("play-off", "all")
)

GAME = Game(
    id="mexico",
    name="Mexico",
    other_names=("Mexican", "Mexicali", "Mexiko"),
    source='Wikipedia, "Mexico (game)"',
    dice=DICE,
    layout="lives",
    counts="lives",
    renamed={"dice": "this round"},
    options=(LIVES, THROWS, HOLD, LOSS, TIES),
    presets={"wikipedia": {}, "mexico-doubles": {"loss": "twice", "hold": "low"}},
    help="""\
What it is about: be the last player with lives. Everyone begins with five.
A turn: throw both dice. They are read as a number, the higher die first: 4 and 6 are 64. Stop, or throw both again; the
last throw counts, not the best. The first player of a round may throw up to three times, the others no more often than
the first player did. A Mexico ends the turn.
The order: 21, the Mexico, beats all; then the doubles from 66 down to 11; then 65, 64, 63 and so on to 31.
The end of a round: the lowest loses a life and begins the next round. Players tied for the lowest play a round among
themselves, in seat order. A player with no lives left is out; the player to the left begins then.
The end: the last player with lives wins.
House rules: a 1 or a 2, or either die, may stay while the other die is thrown again. A round with a Mexico may cost two
lives. If every Mexico doubles the loss, one costs two lives, two cost four, and so on. Double Mexico: a round with a
Mexico costs two lives, and a 1 or a 2 may stay. If all of the lowest lose, the first of them to throw begins the next
round; if nobody would be left, the round does not count.""",
)


async def play(table: Table) -> Result:
    """Play rounds until only one player has lives."""
    table.scores = [table.option(LIVES)] * len(table.names)
    first, number = 0, 0
    while len(alive := counters.holders(table, first)) > 1:
        number += 1
        table.write_all("round", number)
        table.sheet["play-off"] = {}
        thrown = await table.among(alive, play_round(table, alive))
        losers = await lowest(table, thrown or {})
        lose(table, losers, cost(table, thrown or {}))
        first = losers[0] if losers else first
    if not alive:
        return Result(tuple(table.seats()), say("everybody with lives has left: the others share"))
    return Result(tuple(alive), say("{name} alone has lives left", name=table.names[alive[0]]))


async def play_round(table: Table, seats: Sequence[int], *, tied: bool = False) -> dict[int, Faces]:
    """Let these seats play a turn each; return the dice of each player who stayed, the higher die first.

    The first player to finish a turn sets the number of throws. tied: whether this is a play-off.
    """
    found: dict[int, Faces] = {}
    throws = table.option(THROWS)
    table.write_all("throws", throws)
    table.sheet["used"] = dict.fromkeys(seats, 0)
    if tied:
        table.sheet["play-off"] = dict.fromkeys(seats, rounds.DUE)
    else:
        table.sheet["dice"] = {}
        order.write_order(table, seats)
    for player in seats:
        played = None if player in table.gone else await table.turn(player, turn(table, player, throws))
        if played is None:
            continue
        dice, used = played
        if not found:
            throws = used
            table.write_all("throws", throws)
        found[player] = dice
        table.write("play-off" if tied else "dice", player, faces_text(dice))
    return {player: dice for player, dice in found.items() if player not in table.gone}


async def turn(table: Table, player: int, throws: int) -> tuple[Faces, int]:
    """Throw up to this many times; return the dice, the higher first, and the throws used."""
    held: Faces = ()
    used = 0
    while True:
        dice = tuple(sorted((*held, *await table.roll(player, DICE - len(held))), reverse=True))
        used += 1
        table.write("used", player, used)
        high, low = dice
        table.at_stake = 10 * high + low
        stops = used == throws or dice == MEXICO
        if not stops and table.option(HOLD) == "nothing":
            stops = await table.choose(player, "roll", "stop") == "stop"
        elif not stops:
            held = await table.keep(player, held_parts(table, dice), hand=dice)
            stops = len(held) == DICE
        if stops:
            table.say("{name} has {n}", name=table.names[player], n=table.at_stake)
            return dice, used


def held_parts(table: Table, dice: Faces) -> list[Faces]:
    """Return the dice that may be held: all, which stops, one die if the option allows it, or none."""
    single = [(face,) for face in sorted(set(dice)) if table.option(HOLD) == "any" or face in MEXICO]
    return [tuple(sorted(dice)), *single, ()]


def worth(dice: Faces) -> int:
    """Return the rank of two dice, the higher first: only the order of these numbers matters."""
    high, low = dice
    if dice == MEXICO:
        return MEXICO_WORTH
    return DOUBLE_WORTH * high if high == low else 10 * high + low


async def lowest(table: Table, thrown: Mapping[int, Faces]) -> list[int]:
    """Return the losers of the round, after a play-off of players tied for the lowest; empty if nobody is left."""
    while thrown:
        least = min(map(worth, thrown.values()))
        losers = [player for player, dice in thrown.items() if worth(dice) == least and player not in table.gone]
        if len(losers) <= 1 or table.option(TIES) == "all":
            return losers
        table.say("{names} are tied and play off", names=table.names_of(losers))
        thrown = await table.among(losers, play_round(table, sorted(losers), tied=True)) or {}
    return []


def cost(table: Table, thrown: Mapping[int, Faces]) -> int:
    """Return how many lives the round costs."""
    mexicos = [*thrown.values()].count(MEXICO)
    lives = {"single": 1, "twice": 2 if mexicos else 1, "each": 1 << mexicos}
    return lives[table.option(LOSS)]


def lose(table: Table, losers: Sequence[int], lives: int) -> None:
    """Take the lives; if nobody would have any left, the round does not count."""
    if losers and not [
        player for player in counters.holders(table) if player not in losers or table.scores[player] > lives
    ]:
        table.say("nobody would be left: the round does not count")
        return
    for player in losers:
        lost = min(lives, table.scores[player])
        table.scores[player] -= lost
        if not table.scores[player]:
            table.say("{name} is out", name=table.names[player])
        elif lost == 1:
            table.say("{name} loses a life", name=table.names[player])
        else:
            table.say("{name} loses {n} lives", name=table.names[player], n=lost)
