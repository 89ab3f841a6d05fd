"""Three Or More: three of a kind score, and a pair may be improved. Source: dice-play.txt, "Three Or More"."""

from tabletop.rules import Choice, Faces, Flag, Game, Result, Table, Whole, say
from tabletop.rules.families import boxes
from tabletop.rules.families.rounds import play_rounds, rounds_option

DICE = 5
PAIR = 2
SCORES = {3: 3, 4: 6, 5: 12}
SUGGESTED_ROUNDS = 5

ROUNDS = rounds_option(SUGGESTED_ROUNDS)
RETHROWS = Whole("rethrows", 1, "how often the remaining dice may be thrown again in a turn", at_least=0, at_most=10)
COUNTING = Choice(
    "counting", "all", "what counts after a re-throw: the best of all dice, or only the number kept", ("all", "kept")
)
IMPROVE = Flag("improve", False, "three or four alike may be improved as well, not only a pair")

GAME = Game(
    id="three-or-more",
    name="Three Or More",
    other_names=("Drei oder mehr",),
    source="dice-play.txt",
    dice=DICE,
    layout="totals",
    min_players=1,
    joining=True,
    options=(ROUNDS, RETHROWS, COUNTING, IMPROVE),
    presets={"dice-play": {}},
    help="""\
What it is about: throw as many alike as you can; the most points after five rounds win.
A turn: throw five dice. Three or more alike score at once; without any alike you score nothing. With a pair you may
keep it and throw the three others once more; with two pairs choose one. Or keep all five and leave it at that.
Scoring: three alike are 3 points, four alike 6, five alike 12. A full house is three alike. After the second throw the
best of all five dice counts, even if it is not the number kept.
The end: after the last round the highest sum wins; a tie is shared.
House rules: Only the number kept counts. The first throw counts, or a pair may be improved several times, while there
is only a pair. Three or four alike may be improved, too.""",
)


async def play(table: Table) -> Result:
    """Play the rounds; the highest sum wins."""
    rounds = table.option(ROUNDS)
    await play_rounds(table, turn, rounds)
    return table.highest(say("the round is over") if rounds == 1 else say("all {n} rounds are played", n=rounds))


async def turn(table: Table, player: int) -> int:
    """Throw, and throw the remaining dice again if there is a pair; return the points."""
    table.sheet["throws"] = {player: 0}
    dice = tuple(sorted(await table.roll(player, DICE)))
    counted = dice
    throws = 1
    table.write("throws", player, throws)
    while throws <= table.option(RETHROWS) and (groups := improvable(counted, improve=table.option(IMPROVE))):
        table.at_stake = score(counted)
        kept = await table.keep(player, (*groups, dice), hand=dice)
        table.at_stake = score(kept)
        if kept == dice:
            break
        thrown = await table.roll(player, DICE - len(kept))
        throws += 1
        table.write("throws", player, throws)
        dice = tuple(sorted(kept + thrown))
        counted = dice if table.option(COUNTING) == "all" else tuple(face for face in dice if face in kept)
    points = score(counted)
    table.say("{name} scores {n}", name=table.names[player], n=points)
    return points


def score(dice: Faces) -> int:
    """Return the points for the largest group of equal dice."""
    return SCORES.get(boxes.alike(dice)[0], 0)


def improvable(dice: Faces, *, improve: bool) -> list[Faces]:
    """Return the groups of equal dice that may be kept for a re-throw, largest first; empty if there are none."""
    most = DICE - 1 if improve else PAIR
    if not PAIR <= boxes.alike(dice)[0] <= most:
        return []
    groups = [(face,) * dice.count(face) for face in sorted(set(dice)) if dice.count(face) >= PAIR]
    return sorted(groups, key=len, reverse=True)
