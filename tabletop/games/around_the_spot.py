"""Around the Spot: faces with a centre pip score. Source: dice-play.txt, "Around the Spot"."""

from tabletop.rules import Choice, Faces, Game, Result, Table, say
from tabletop.rules.families.rounds import play_rounds, rounds_option

DICE = 3
THROWS = 3
POINTS = {1: 1, 3: 2, 5: 4}
ROUNDS_PLAYED = 4

ROUNDS = rounds_option(ROUNDS_PLAYED)
THIRD = Choice(
    "third",
    "doubles",
    "a third triple of 2, 4 or 6 in a turn, after the second undid the first: doubles again, or does nothing",
    ("doubles", "nothing"),
)

GAME = Game(
    id="around-the-spot",
    name="Around the Spot",
    other_names=("Flower Petals", "Rund um den Punkt"),
    source="dice-play.txt",
    dice=DICE,
    layout="totals",
    min_players=1,
    joining=True,
    options=(ROUNDS, THIRD),
    presets={"dice-play": {}},
    help="""\
What it is about: throw 1s, 3s and 5s, the faces with a spot in the middle. Play lasts four rounds.
A turn: three throws of all three dice. Three 2s, three 4s or three 6s double the score of the turn and
give a free throw. A second such triple is free too, but takes the doubling back; a third doubles again.
Scoring: each 1 is one point, each 3 two points, each 5 four points.
The end: after four rounds the highest total wins; a tie is shared.
House rules: a third triple does nothing: a turn is then doubled only once.""",
)


async def play(table: Table) -> Result:
    """Play the rounds; the highest total wins."""
    table.sheet |= {"throws": {}, "doubled": {}}
    await play_rounds(table, turn, table.option(ROUNDS))
    return table.highest(say("all rounds are played and the highest total wins"))


async def turn(table: Table, player: int) -> int:
    """Play one turn; return its points, with any doubling applied."""
    points = throws = triples = 0
    while True:
        doubled = doubling(table, triples)
        table.at_stake = points * (2 if doubled == "yes" else 1)
        table.write("throws", player, throws)
        table.write("doubled", player, doubled)
        if throws == THROWS:
            table.say("{name} scores {n}", name=table.names[player], n=table.at_stake)
            return table.at_stake
        thrown = await table.roll(player, DICE)
        if is_free(thrown):
            triples += 1
        else:
            throws += 1
            points += sum(POINTS.get(face, 0) for face in thrown)


def is_free(thrown: Faces) -> bool:
    """Whether this is a triple 2, 4 or 6."""
    return len(set(thrown)) == 1 and thrown[0] not in POINTS


def doubling(table: Table, triples: int) -> str:
    """Return whether this many triples of 2, 4 or 6 double the turn: `yes`, `no`, or `never` if no more can."""
    if table.option(THIRD) == "nothing" and triples > 1:
        return "never"
    return "yes" if triples % 2 else "no"
