"""Catch Up: two dice travel round the circle; the player who gets both takes a token. Source: dice-play.txt.

In the text two players throw to the rhythm of a chant, wherever they sit. Here both throw into one tray, and their dice
are told apart by colour; the chant is up to the players.
"""

from tabletop.rules import Choice, Flag, Game, Result, Table, Whole, say
from tabletop.rules.families.counters import left_of, right_of

DICE = 2
PASSES = 6
TOKENS = 3

TARGET = Whole("target", TOKENS, "tokens needed to win", at_least=1, at_most=100)
TOGETHER = Flag("together", True, "both throw at once, with dice of different colours; otherwise in turn")
RESTART = Choice("restart", "catcher", "who gets die 1 after a catch; die 2 goes opposite", ("catcher", "first"))

GAME = Game(
    id="catch-up",
    name="Catch Up",
    other_names=("Einholen",),
    source="dice-play.txt",
    dice=DICE,
    layout="totals",
    colours="two",
    joining=True,
    options=(TARGET, TOGETHER, RESTART),
    presets={"dice-play": {}},
    help="""\
What it is about: end up with both dice, and take a token for it.
The start: the first player has die 1, the player opposite, or nearly so, has die 2. The dice have different colours.
A beat: both throw their die at once. A player who throws a 6 passes the die on: die 1 to the left, die 2 to the right.
Two dice that cross between neighbours do not meet. A player who then has both dice takes a token and keeps die 1; die 2
goes to the player opposite.
The end: the first player with three tokens wins.
House rules: players may throw one after the other: first die 1, then die 2, and then the dice are passed. After a
catch, die 1 may go back to the first player.
Coming and going: the die of a player who leaves goes on the way it was going. If the dice meet like this, nobody takes
a token.""",
)


async def play(table: Table) -> Result:
    """Play beat after beat until a player has collected all tokens."""
    holding = opposite(table, next(table.seats()))
    while True:
        write_dice(table, holding)
        thrown = await beat(table, holding)
        holding = passed(table, holding, thrown)
        catcher, other = holding
        if catcher == other and catcher not in table.gone:
            table.scores[catcher] += 1
            write_dice(table, holding)
            table.say("{name} has both dice and takes token {n}", name=table.names[catcher], n=table.scores[catcher])
            if table.scores[catcher] >= table.option(TARGET):
                name, tokens = table.names[catcher], table.scores[catcher]
                why = say("{name} has 1 token" if tokens == 1 else "{name} has {n} tokens", name=name, n=tokens)
                return Result((catcher,), why)
            holding = opposite(table, catcher if table.option(RESTART) == "catcher" else next(table.seats()))
        holding = without_leavers(table, holding)


def opposite(table: Table, first: int) -> tuple[int, int]:
    """Return this seat, or the next one present, and the seat opposite."""
    circle = list(table.seats(first))
    return circle[0], circle[len(circle) // 2]


async def beat(table: Table, holding: tuple[int, int]) -> dict[int, int]:
    """Let both throw; return the faces of the players who have not left in the meantime."""
    if table.option(TOGETHER):
        faces = await table.roll_together(dict.fromkeys(holding, 1))
        return {player: face for player, (face,) in faces.items()}
    thrown = {}
    for player in holding:
        own = await table.turn(player, table.roll(player, 1)) if player not in table.gone else None
        if own is not None:
            (thrown[player],) = own
    return thrown


def passed(table: Table, holding: tuple[int, int], thrown: dict[int, int]) -> tuple[int, int]:
    """Pass the dice that show a 6: the first to the left, the second to the right."""
    first, second = holding
    if thrown.get(first) == PASSES:
        first = left_of(table, first)
        table.say("die 1 goes left to {name}", name=table.names[first])
    if thrown.get(second) == PASSES:
        second = right_of(table, second)
        table.say("die 2 goes right to {name}", name=table.names[second])
    return first, second


def without_leavers(table: Table, holding: tuple[int, int]) -> tuple[int, int]:
    """Take the dice from players who have left."""
    first, second = holding
    if first in table.gone:
        first = left_of(table, first)
    if second in table.gone:
        second = right_of(table, second)
    return opposite(table, first) if first == second else (first, second)


def write_dice(table: Table, holding: tuple[int, int]) -> None:
    """Write who has which die."""
    first, second = holding
    table.sheet["die"] = {first: "1 and 2"} if first == second else {first: 1, second: 2}
