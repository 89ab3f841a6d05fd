"""Chicago: eleven rounds for the totals 2 to 12. Source: dice-play.txt, "Chicago"."""

from itertools import cycle

from tabletop.rules import Choice, Game, Result, Table, say
from tabletop.rules.families.rounds import DUE, leaders

DICE = 2
TOTALS = range(2, 13)  # all totals of two dice, one for each round

TIES = Choice(
    "ties", "extra", "how a tie is settled: extra rounds for the tied players, or a shared win", ("extra", "shared")
)

GAME = Game(
    id="chicago",
    name="Chicago",
    other_names=("Rotation",),
    source="dice-play.txt",
    dice=DICE,
    layout="totals",
    min_players=1,
    joining=True,
    options=(TIES,),
    presets={"dice-play": {}},
    help="""\
What it is about: throw the total that the round asks for.
A turn: throw two dice once.
Scoring: round one asks for 2, round two for 3, and so on up to 12. If you throw the total, you score that many points;
any other throw scores nothing.
The end: after eleven rounds the highest score wins. Players who are tied play on, for 2, 3 and so on again, until one
is ahead.
House rules: a tie may be shared.""",
)


async def play(table: Table) -> Result:
    """Play eleven rounds; the highest total score wins."""
    table.sheet |= {row: {} for row in ("asked for", *map(str, TOTALS))}
    for total in TOTALS:
        table.write_all("asked for", total)
        for player in table.seats():
            scored = await table.turn(player, turn(table, player, total))
            table.write(str(total), player, scored)
    if table.option(TIES) == "extra":
        await extra_rounds(table)
    played_on = "extra" in table.sheet
    return table.highest(say("extra rounds have broken the tie") if played_on else say("all eleven rounds are played"))


async def turn(table: Table, player: int, total: int) -> int:
    """Throw once; write and return the points scored."""
    thrown = await table.roll(player, DICE)
    scored = total if sum(thrown) == total else 0
    table.scores[player] += scored
    table.say("{name} throws {n} and scores {n2}", name=table.names[player], n=sum(thrown), n2=scored)
    return scored


async def extra_rounds(table: Table) -> None:
    """Let the tied players play for one total after another, from 2 again, until one of them is ahead."""
    for total in cycle(TOTALS):
        tied = leaders({player: table.scores[player] for player in table.seats()})
        if len(tied) == 1:
            return
        table.write_all("asked for", total)
        table.sheet["extra"] = dict.fromkeys(tied, DUE)
        table.say("{names} are tied and play on", names=table.names_of(tied))
        for player in tied:
            if player not in table.gone:
                scored = await table.turn(player, turn(table, player, total))
                table.write("extra", player, scored)
