"""Passage: a point for every die that shows the point number. Source: dice-play.txt, "Passage"."""

from tabletop.rules import Choice, Flag, Game, Result, Table, Whole, say
from tabletop.rules.families import counters, order, race

DICE = 2
DICE_FOR_ORDER = DICE_FOR_POINT = 1
DOUBLE, DOUBLE_IN_VARIATION = 2, 3  # points for two dice with the point number

ORDER = order.order_option("roll")
TARGET = Whole("target", 11, "the goal of the race", at_least=1, at_most=1000)
DOUBLES = Whole("double", DOUBLE, "points for a double of the point number", DOUBLE, DOUBLE_IN_VARIATION)
EXACT = Flag("exact", False, "the target must be reached exactly; a throw that goes beyond scores nothing")
POINT = Choice("point", "match", "how long a point number holds", ("match", "round"))

GAME = Game(
    id="passage",
    name="Passage",
    source="dice-play.txt",
    dice=DICE,
    layout="totals",
    min_players=1,
    joining=True,
    options=(TARGET, ORDER, DOUBLES, EXACT, POINT),
    presets={"dice-play": {}},
    help="""\
What it is about: be the first with 11 points, one for each die with the point number.
The start: each player throws one die. The highest begins; the lowest throws once more, and that is the point number.
Players tied for highest or for lowest throw again. A player alone throws only the point number.
A turn: throw two dice once. Each die that shows the point number scores a point, so a double of it scores 2.
The end: the first player with 11 points or more wins at once.
House rules: The first seat begins, and the last one throws the point number. A double of the point number scores 3. The
target must be hit exactly; a throw beyond it scores nothing. Each round has its own point number, thrown by the same
player.""",
)


async def play(table: Table) -> Result:
    """Determine who begins and the point number, then play until a player has reached the target."""
    first, setter = await roles(table)
    order.write_order(table, table.seats(first))
    table.sheet["turns"] = dict.fromkeys(table.seats(), 0)
    point = await set_point(table, setter)
    while True:
        order.write_order(table, table.seats(first))  # players who joined since have a place as well
        for player in table.seats(first):
            await table.turn(player, turn(table, player, point))
            if player not in table.gone and table.scores[player] >= table.option(TARGET):
                return Result(
                    (player,), say("{name} has {n} and wins at once", name=table.names[player], n=table.scores[player])
                )
        if table.option(POINT) == "round":
            point = await set_point(table, setter)


async def roles(table: Table) -> tuple[int, int]:
    """Return who begins and who throws the point number: the highest and the lowest, or the first and the last seat."""
    ranked = list(table.seats())
    if table.option(ORDER) == "roll":
        ranked = await order.roll_off(table, ranked, DICE_FOR_ORDER, last=True) or list(table.seats())
    return ranked[0], ranked[-1]


async def set_point(table: Table, setter: int) -> int:
    """Let this player throw the point number; the player to their right if they have left."""
    while True:
        if setter in table.gone:
            setter = counters.right_of(table, setter)
        thrown = await table.turn(setter, table.roll(setter, DICE_FOR_POINT))
        if thrown is not None:
            (point,) = thrown
            table.write_all("point", point)
            table.say("the point number is {n}", n=point)
            return point


async def turn(table: Table, player: int, point: int) -> None:
    """Throw, and score each die with the point number."""
    thrown = await table.roll(player, DICE)
    points = thrown.count(point)
    if points == DICE:
        points = table.option(DOUBLES)
    if table.option(EXACT) and table.scores[player] + points > table.option(TARGET):
        points = 0
    table.scores[player] += points
    race.count_turn(table, player)
    table.say("{name} scores {n}", name=table.names[player], n=points)
