"""One-O-Five: five 1s, then five 2s, up to five 6s. Source: dice-play.txt, "One-O-Five"."""

from tabletop.rules import Flag, Game, Result, Table, say
from tabletop.rules.families.race import play_until

DICE = 5
LAST_TARGET = 6
ALL_SET = DICE * LAST_TARGET

THROW_ON = Flag("throw_on", False, "a throw that sets a die aside earns another in the same turn")
STRAIGHT_ON = Flag("straight_on", False, "a player who sets a fifth die throws for the next target in the same turn")

GAME = Game(
    id="one-o-five",
    name="One-O-Five",
    other_names=("Hundertfünf",),
    source="dice-play.txt",
    dice=DICE,
    layout="totals",
    min_players=1,
    joining=True,
    options=(THROW_ON, STRAIGHT_ON),
    presets={"dice-play": {}},
    help="""\
What it is about: be the first to collect five 1s, then five 2s, and so on up to five 6s.
A turn: throw the dice that are not set aside yet, once; you start with five. Dice that show your number are set aside
and stay there in later turns. If everyone shares one set of five dice, the table says how many to throw. Once all five
are set aside, your next turn begins with five dice and the next number. A die never counts for a number whose turn has
not come. Your score is how many of the thirty dice are set aside.
The end: the first player to set the fifth 6 aside wins at once; there are no ties.
House rules: A die set aside earns another throw in the same turn, for as long as each throw brings one. After the fifth
die the turn goes straight on: throw all five for the next number.""",
)


async def play(table: Table) -> Result:
    """Play until a player has rolled all six sets of five."""
    for player in table.seats():
        show(table, player)
    await play_until(table, turn, lambda score: score == ALL_SET)
    return table.highest(say("all six sets of five are rolled"))


async def turn(table: Table, player: int) -> None:
    """Throw the dice that are not set, and set aside those that show the target."""
    show(table, player)
    while True:
        target, already_set = collecting(table.scores[player])
        thrown = await table.roll(player, DICE - already_set)
        matching = tuple(face for face in thrown if face == target)
        table.kept += matching
        table.scores[player] += len(matching)
        show(table, player)
        name, now_set = table.names[player], already_set + len(matching)
        table.say("{name} sets {n} aside, and has {n2} {n3}s", name=name, n=len(matching), n2=now_set, n3=target)
        if table.scores[player] == ALL_SET:
            return
        if now_set == DICE:
            if not table.option(STRAIGHT_ON):
                return
            table.kept = ()
        elif not (matching and table.option(THROW_ON)):
            return


def collecting(score: int) -> tuple[int, int]:
    """Return the target number and how many dice are set for it, from the total number of dice set."""
    if score == ALL_SET:
        return LAST_TARGET, DICE
    return score // DICE + 1, score % DICE


def show(table: Table, player: int) -> None:
    """Write the player's target and how many dice are set for it."""
    target, already_set = collecting(table.scores[player])
    table.write("target", player, target)
    table.write("set", player, already_set)
