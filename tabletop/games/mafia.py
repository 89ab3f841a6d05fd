"""Mafia: be the first to lose your five dice, and the others pay you. Source: rollin-bones.txt, "Mafia Dice"."""

from tabletop.rules import Game, Result, Table, Whole, say
from tabletop.rules.families import counters, rounds
from tabletop.rules.families.order import first_player, order_option, write_order

MOST_PLAYERS = 8
DICE = 5  # each, in each round
PASSED, REMOVED = 6, 1
DICE_FOR_FIRST = 2
MOST_POINTS = 10_000

ROUNDS = rounds.rounds_option(5)
ORDER = order_option()
STAKE = Whole("stake", 50, "points each player starts with; the rules suggest 50 or 100", 1, MOST_POINTS)

GAME = Game(
    id="mafia",
    name="Mafia",
    other_names=("Mafia Dice",),
    source="rollin-bones.txt",
    dice=DICE,
    layout="counters",
    renamed={"dice": "dice left"},
    dice_each=True,
    max_players=MOST_PLAYERS,
    joining=True,
    options=(ROUNDS, ORDER, STAKE),
    presets={"rollin-bones": {}},
    help="""\
What it is about: be the first with no dice left. The others pay you for the dice they still have.
The start: everyone has 50 points and five dice. The first player says which way play goes round the table, for the
whole match.
A turn: throw all your dice once. Each 6 goes to the next player, each 1 is out of the round.
The end of a round: the player with no dice left wins it. The others throw their remaining dice, one after the other,
and pay the winner that many points, or all they have. A player with no points left is out of the match. The winner
begins the next round.
The end: after the agreed rounds, or when only one player has points, the most points win; a tie is shared.
House rules: in a roll-off the highest sum of two dice is the first player; ties are thrown again. Everyone may start
with another number of points.
Coming and going: the dice of a player who leaves are out of the round, their points out of the match. A player who
joins has as many points as all had at the start, and plays from the next round on.""",
)

Dice = dict[int, int]


async def play(table: Table) -> Result:
    """Play the agreed rounds, as long as two players have points."""
    given = give_points(table, set())
    first = await first_player(table, table.option(ORDER), DICE_FOR_FIRST)
    clockwise = await direction(table, first)
    for number in range(1, table.option(ROUNDS) + 1):
        counters.begin_tally(table)
        given |= give_points(table, given)
        seats = list(table.seats(first)) if clockwise else list(table.seats(first + 1))[::-1]
        order = [player for player in seats if table.scores[player]]
        if len(order) == 1:
            return Result(tuple(order), say("{name} alone has points left", name=table.names[order[0]]))
        if not order:
            return table.highest(say("everybody with points has left: the others share"))
        table.write_all("round", number)
        first = await play_round(table, order)
    return table.highest(say("all rounds are played"))


def give_points(table: Table, given: set[int]) -> set[int]:
    """Give the starting points to players who have not had them; return those players."""
    new = set(table.seats()) - given
    for player in new:
        table.scores[player] = table.option(STAKE)
    return new


async def direction(table: Table, first: int) -> bool:
    """Let the first player choose the direction of play for the match; return whether it is clockwise."""
    way = None
    while way is None:
        first = next(table.seats(first))
        write_order(table, table.seats(first))
        asked = table.choose(first, "clockwise", "counter-clockwise", question=say("play which way round?"))
        way = await table.turn(first, asked)
    table.write_all("passing", "left" if way == "clockwise" else "right")
    return way == "clockwise"


async def play_round(table: Table, order: list[int]) -> int:
    """Play until one player has no dice left, and let the others pay; return who begins the next round."""
    write_order(table, order)
    held = dict.fromkeys(order, DICE)
    table.sheet["pays"] = {}
    write_dice(table, held, len(order))
    begins = await until_no_dice_are_left(table, order, held)
    if begins in held:
        await others_pay(table, begins, order, held)
    return begins


async def until_no_dice_are_left(table: Table, order: list[int], held: Dice) -> int:
    """Play in turn until one player has no dice or is alone; return the seat. If all have left, the last one asked."""
    place = 0
    while True:
        player = order[place % len(order)]
        place += 1
        if player not in held:
            continue
        thrown = await table.turn(player, table.roll(player, held[player]))
        for leaver in table.gone & held.keys():
            del held[leaver]
        if thrown and len(held) > 1:
            pass_on(table, held, player, next_player(order, held, player), thrown)
        write_dice(table, held, len(order))
        if len(held) <= 1:
            return next(iter(held), player)
        for winner in order:
            if held.get(winner) == 0:
                return winner


def next_player(order: list[int], held: Dice, player: int) -> int:
    """Return the next player in the order of play who has dice."""
    place = order.index(player)
    return next(other for other in order[place + 1 :] + order[:place] if other in held)


def pass_on(table: Table, held: Dice, player: int, neighbour: int, thrown: tuple[int, ...]) -> None:
    """Pass every 6 to the next player, and remove every 1 from the round."""
    sixes, ones = thrown.count(PASSED), thrown.count(REMOVED)
    held[player] -= sixes + ones
    held[neighbour] += sixes
    table.say("{name} passes {n}, and {n2} out", name=table.names[player], n=sixes, n2=ones)


async def others_pay(table: Table, winner: int, order: list[int], held: Dice) -> None:
    """Score the round, and let the others throw their remaining dice and pay the winner the sum."""
    counters.wins_round(table, winner)
    table.say("{name} wins the round: the others throw to pay", name=table.names[winner])
    place = order.index(winner)
    payers = [player for player in order[place + 1 :] + order[:place] if player in held]
    for player in payers:
        table.write("pays", player, "due")
    for player in payers:
        if winner in table.gone or player in table.gone:
            continue  # nobody to pay, or nobody to be paid
        thrown = await table.turn(player, table.roll(player, held[player]))
        if thrown is None or winner in table.gone:
            continue
        paid = min(sum(thrown), table.scores[player])
        table.scores[player] -= paid
        table.scores[winner] += paid
        table.write("pays", player, paid)
        payer, paid_to = table.names[player], table.names[winner]
        if table.scores[player]:
            table.say("{name} pays {name2} {n}", name=payer, name2=paid_to, n=paid)
        else:
            table.say("{name} pays {name2} {n} and is out", name=payer, name2=paid_to, n=paid)


def write_dice(table: Table, held: Dice, players: int) -> None:
    """Write how many dice each player has, and how many are out of the round that this many players began."""
    table.sheet["dice"] = dict(held)
    table.write_all("out", players * DICE - sum(held.values()))
