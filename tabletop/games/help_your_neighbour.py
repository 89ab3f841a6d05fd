"""Help Your Neighbour: when your number comes up, you pay; paying everything wins the pot. Source: dice-play.txt."""

from collections.abc import Mapping, Sequence

from tabletop.core.values import FACES
from tabletop.rules import Choice, Game, Result, Table, Whole, say
from tabletop.rules.families import order, rounds
from tabletop.rules.families.counters import begin_tally, left_behind, left_of, most_rounds, wins_round

MOST_PLAYERS = 6
DICE = 3
FEWEST_COUNTERS, MOST_COUNTERS = 10, 1000  # the text says at least ten; nobody has more than some hundreds

COUNTERS = Whole(
    "counters", FEWEST_COUNTERS, "counters each player has at the start of a round", FEWEST_COUNTERS, MOST_COUNTERS
)
ROUNDS = rounds.rounds_option(5)
EXITS = Choice(
    "exits",
    "split",
    "who wins if several run out at once: all, the one who owed least, or the next after the thrower",
    ("split", "fewest", "thrower"),
)

GAME = Game(
    id="help-your-neighbour",
    name="Help Your Neighbour",
    other_names=("Help Your Neighbor", "Hilf deinem Nachbarn"),
    source="dice-play.txt",
    dice=DICE,
    layout="counters",
    counts="chips",
    renamed={"counters": ""},
    max_players=MOST_PLAYERS,
    joining=True,
    options=(ROUNDS, COUNTERS, EXITS),
    presets={"dice-play": {}},
    help="""\
What it is about: be the first to have put all your counters into the pot.
The numbers: four, five or six players have one each (with four players 5 and 6 are ignored, with five the 6), three
have two each, two have three each. The sheet shows them.
A turn: throw three dice. For each die, the player with that number puts a counter into the pot, if any is left. It does
not matter who threw it.
The end of a round: the player with no counters left wins it and takes the pot. If several run out at once, they share
it, and what cannot be shared stays for the next round. All counters are then given out again, and the next player
begins.
The end: after the agreed rounds, the most rounds won win; a tie is shared.
House rules: if several run out at once, the one who owed least for that throw may win; or the thrower wins, or else the
player nearest to the thrower's left.
Coming and going: the counters of a player who leaves go into the pot, and their numbers are ignored. A player who joins
plays from the next round on.""",
)

Numbers = dict[int, tuple[int, ...]]


async def play(table: Table) -> Result:
    """Play the agreed rounds; the players take turns as first thrower."""
    first = next(table.seats())
    pot = 0
    for number in range(1, table.option(ROUNDS) + 1):
        begin_tally(table)
        table.write_all("round", number)
        pot = await play_round(table, first, pot)
        first = left_of(table, first)
    return most_rounds(table, say("all rounds are played"))


async def play_round(table: Table, first: int, pot: int) -> int:
    """Play until a player has paid all their counters; return what stays in the pot. pot: its initial counters."""
    numbers = assigned(list(table.seats()))
    table.sheet["number"] = {player: " ".join(map(str, own)) for player, own in numbers.items()}
    order.write_order(table, table.seats(first))
    for player in numbers:
        table.scores[player] = table.option(COUNTERS)
    counters = pot + sum(table.scores)
    write_counters(table, counters)
    while numbers:
        for thrower in table.seats(first):
            if thrower not in numbers:
                continue  # joined during the round
            thrown = await table.turn(thrower, table.roll(thrower, DICE))
            left_behind(table)
            for player in table.gone & numbers.keys():
                del numbers[player]
                table.write("number", player, None)
            owed = {player: sum(map(thrown.count, own)) for player, own in numbers.items()} if thrown else {}
            pay(table, owed)
            write_counters(table, counters)
            if finished := [player for player in owed if not table.scores[player]]:
                return share_pot(table, winners(table, finished, owed, thrower), counters)
    return counters  # all players with numbers have left


def assigned(players: Sequence[int]) -> Numbers:
    """Give each player the same number of numbers, in seat order."""
    each = len(FACES) // len(players)
    return {player: tuple(FACES[place * each : (place + 1) * each]) for place, player in enumerate(players)}


def pay(table: Table, owed: Mapping[int, int]) -> None:
    """Put the counters owed into the pot; a player with fewer pays them all."""
    for player, due in owed.items():
        paid = min(due, table.scores[player])
        table.scores[player] -= paid
        if paid:
            table.say("{name} pays {n}", name=table.names[player], n=paid)


def winners(table: Table, finished: Sequence[int], owed: Mapping[int, int], thrower: int) -> list[int]:
    """Return the winners of the round among the players who ran out on this throw."""
    exits = table.option(EXITS)
    if exits == "fewest":
        fewest = min(owed[player] for player in finished)
        return [player for player in finished if owed[player] == fewest]
    if exits == "thrower":
        return [next(player for player in table.seats(thrower) if player in finished)]
    return list(finished)


def share_pot(table: Table, players: Sequence[int], counters: int) -> int:
    """Divide the pot equally among these players; return the remainder, which stays."""
    share, odd = divmod(counters - sum(table.scores), len(players))
    for player in players:
        table.scores[player] += share
        wins_round(table, player)
        before = table.sheet["pots won"].get(player)
        table.write("pots won", player, share + (before if isinstance(before, int) else 0))
    write_counters(table, counters)
    names = table.names_of(players)
    if len(players) > 1:
        table.say("{names} win the round and {n} from the pot", names=names, n=share)
    else:
        table.say("{name} wins the round and {n} from the pot", name=names, n=share)
    return odd


def write_counters(table: Table, counters: int) -> None:
    """Write the counters of each player and of the pot."""
    table.sheet["counters"] = dict(enumerate(table.scores))
    table.write_all("pot", counters - sum(table.scores))
    table.sheet.setdefault("pots won", dict.fromkeys(table.seats(), 0))
