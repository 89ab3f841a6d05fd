"""Bunco: in round n every n scores, three of them are a bunco; 21 rings the bell.

Source: World Bunco Association rules.
worldbunco.com describes a party of several tables: the bell at the head table ends the round at all of them, and
winners change tables. Here there is one table, the head table. Whether a turn continues after the bell, and whether a
mini bunco ends the turn (buncobabz.com), differs between parties: options.
"""

from collections.abc import Mapping, Sequence

from tabletop.core.values import FACES
from tabletop.rules import Choice, Flag, Game, Result, Table, Whole, say
from tabletop.rules.families import order, rounds

MOST_PLAYERS = 4  # at a table of Bunco
PARTNERS_OF = 4  # players needed for two pairs
DICE = 3
BUNCO, MINI_BUNCO = 21, 5
USUAL_BELL, HIGHEST_BELL = 21, 100
ROUNDS_OF_ALL = 6  # one for each face

ROUNDS = rounds.rounds_option(ROUNDS_OF_ALL)
PARTNERS = Flag("partners", False, "four players play as two teams, partners opposite each other")
BELL_AT = Whole("bell_at", USUAL_BELL, "the points at which the bell rings", at_least=5, at_most=HIGHEST_BELL)
BELL = Choice(
    "bell",
    "now",
    "when the bell ends a round: at once (now), after the turn, or when all have had equal turns (round)",
    ("now", "turn", "round"),
)
MINI_ENDS = Flag("mini_ends", False, "a mini bunco scores and ends the turn")
DECIDES = Choice(
    "decides", "rounds", "what decides the match: most rounds won, buncos or points", ("rounds", "buncos", "points")
)

GAME = Game(
    id="bunco",
    name="Bunco",
    other_names=("Bunko", "Bonko"),
    source="World Bunco Association, worldbunco.com",
    dice=DICE,
    layout="totals",
    max_players=MOST_PLAYERS,
    options=(ROUNDS, PARTNERS, BELL_AT, BELL, MINI_ENDS, DECIDES),
    presets={"world-bunco": {}, "bunco-partners": {"partners": True}},
    help="""\
What it is about: win the most rounds. In round 1 the 1s count, in round 2 the 2s, and so on up to 6.
A turn: throw three dice. Each die with the number of the round is a point. Three of them are a bunco: 21 points. Three
of another number are a mini bunco: 5 points. As long as you score, throw all three again. A throw without points ends
the turn, but what has been scored stays.
The bell: it rings as soon as somebody has 21 points in the round, and ends the round. The most points win it. Players
who are tied have another turn each, in seat order. The next round begins one seat further to the left.
The end: after six rounds, the most rounds won win; a tie is shared.
House rules: the most buncos or the most points may decide. In round 7 the 1s count again. When four players play as two
teams, the first and the third are partners, and so are the second and the fourth. They share points and rounds won;
buncos are each player's own. If one leaves, the partner plays on alone. The bell may end the round only after the turn,
or when everyone has had the same number of turns. A mini bunco may end the turn.""",
)

Side = tuple[int, ...]  # the seats that play together


async def play(table: Table) -> Result:
    """Play the rounds; the side with the most rounds won, buncos or points wins."""
    partners = table.option(PARTNERS) and len(table.names) == PARTNERS_OF
    sides: list[Side] = [(0, 2), (1, 3)] if partners else [(player,) for player in range(len(table.names))]
    rows = ("what counts", "points", "play-off", "rounds won", "buncos", "mini buncos", "all points")
    table.sheet |= {row: dict.fromkeys(range(len(table.names)), 0) for row in rows}
    first = -1
    for number in range(1, table.option(ROUNDS) + 1):
        first = next(table.seats(first + 1))
        table.write_all("round", number)
        table.write_all("what counts", FACES[(number - 1) % len(FACES)])
        table.sheet |= {"points": dict.fromkeys(range(len(table.names)), 0), "play-off": {}}
        order.write_order(table, table.seats(first))
        await play_round(table, sides, first)
    return table.highest(say("all rounds are played"))


async def play_round(table: Table, sides: Sequence[Side], first: int) -> None:
    """Play turns until the bell rings; the side with the most points wins the round."""
    ringing = False
    while not ringing:
        for player in table.seats(first):
            await table.turn(player, turn(table, player, sides, bell=table.option(BELL) == "now"))
            ringing = rung(table, sides)
            if ringing and table.option(BELL) != "round":
                break
    table.say("the bell rings: {n}", n=max(number_of(table, "points", player) for player in table.seats()))
    best = leading(table, sides, sides)
    while len(best) > 1:
        best = await play_off(table, sides, best)
    for side in best:
        add(table, "rounds won", side, 1, decides="rounds")
        winners = present(table, side)
        if len(winners) > 1:
            table.say("{names} win the round", names=table.names_of(winners))
        else:
            table.say("{name} wins the round", name=table.names_of(winners))


async def turn(table: Table, player: int, sides: Sequence[Side], *, bell: bool) -> None:
    """Throw as long as points are scored. bell: whether the turn ends as soon as the bell rings."""
    side = next(side for side in sides if player in side)
    counts = number_of(table, "what counts", player)
    while True:
        thrown = await table.roll(player, DICE)
        points = thrown.count(counts)
        mini = not points and len(set(thrown)) == 1
        if points == DICE:
            points = BUNCO
            add(table, "buncos", (player,), 1, decides="buncos")
            table.say("{name} throws a bunco", name=table.names[player])
        elif mini:
            points = MINI_BUNCO
            add(table, "mini buncos", (player,), 1)
            table.say("{name} throws a mini bunco", name=table.names[player])
        elif points:
            table.say("{name} scores {n}", name=table.names[player], n=points)
        else:
            table.say("{name} scores nothing", name=table.names[player])
        table.at_stake += points
        add(table, "points", side, points)
        add(table, "all points", side, points, decides="points")
        if not points or (mini and table.option(MINI_ENDS)) or (bell and rung(table, sides)):
            return


def number_of(table: Table, row: str, player: int) -> int:
    """Return the number in a cell of the sheet, 0 if it is empty."""
    cell = table.sheet[row].get(player)
    return cell if isinstance(cell, int) else 0


def add(table: Table, row: str, side: Side, number: int, decides: str = "") -> None:
    """Add to the cells of a side, and to its scores if this row decides the match."""
    for player in side:
        table.write(row, player, number_of(table, row, player) + number)
        table.scores[player] += number * (table.option(DECIDES) == decides)


def present(table: Table, side: Side) -> list[int]:
    """Return the players of a side who have not left."""
    return [player for player in side if player not in table.gone]


def rung(table: Table, sides: Sequence[Side]) -> bool:
    """Whether a side at the table has enough points to ring the bell."""
    return any(
        number_of(table, "points", side[0]) >= table.option(BELL_AT) for side in sides if present(table, side)
    ) or not any(present(table, side) for side in sides)


def leading(table: Table, sides: Sequence[Side], among: Sequence[Side]) -> list[Side]:
    """Return the sides at the table with the most points in the round."""
    points: Mapping[int, int] = {
        place: number_of(table, "points", side[0])
        for place, side in enumerate(sides)
        if side in among and present(table, side)
    }
    return [sides[place] for place in rounds.leaders(points)]


async def play_off(table: Table, sides: Sequence[Side], tied: Sequence[Side]) -> list[Side]:
    """Give each player of the tied sides a turn that adds to their points; return the sides with the most."""
    seats = [player for side in tied for player in present(table, side)]
    table.say("{names} are tied and play off", names=table.names_of(sorted(seats)))
    table.sheet["play-off"] = dict.fromkeys(sorted(seats), rounds.DUE)
    for player in sorted(seats):
        if sum(bool(present(table, side)) for side in tied) > 1 and player not in table.gone:
            await table.turn(player, turn(table, player, sides, bell=False))
            table.write("play-off", player, number_of(table, "points", player))
    return leading(table, sides, tied)
