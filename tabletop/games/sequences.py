"""Sequences: runs that begin with 1. Source: dice-play.txt, "Sequences".

Finishing the round once a player has reached the target is from dicecold.com/games/hearts.
"""

from functools import lru_cache

from tabletop.rules import Choice, Faces, Flag, Game, Result, Table, Whole, say
from tabletop.rules.families import combinations, race

DICE = 6
RUN_SCORES = (0, 5, 10, 15, 20, 25)  # by the length of the run from 1; the score of a whole run is an option
WHOLE_RUN = 6
CANCELLING, CANCELLING_ONES = 1, 3
SIXES, SIXES_SCORES = 6, {5: 35, 6: 70}

TARGET = Whole("target", 100, "the goal of the race", at_least=1, at_most=10_000)
WHOLE = Choice("whole", "35", "what the whole run 1 to 6 scores", ("35", "30"))
ONES = Choice(
    "ones", "total", "what three 1s cost: the whole score, that throw, or nothing", ("total", "throw", "nothing")
)
WITH_SIXES = Flag("sixes", False, "five 6s score 35 and six 6s score 70")
REPLIES = race.replies_option(choices=("none", "equal"))

GAME = Game(
    id="sequences",
    name="Sequences",
    other_names=("Straight Shooter", "Hearts", "Hearts Due", "Straßen"),
    source="dice-play.txt",
    dice=DICE,
    layout="totals",
    min_players=1,
    joining=True,
    options=(TARGET, WHOLE, ONES, WITH_SIXES, REPLIES),
    presets={"dice-play": {}},
    help="""\
What it is about: throw runs that begin with 1, and be the first with 100 points.
A turn: throw six dice once. There is nothing to decide.
Scoring: the longest run that begins with 1: 1 is 5; 1 2 is 10; 1 2 3 is 15; 1 2 3 4 is 20; 1 2 3 4 5 is 25; 1 to 6 is
35. A number counts once, however often it is there. Three 1s or more score nothing and wipe out your whole score.
The end: the first player with the target or more wins at once.
House rules: The whole run scores 30. Three 1s spoil only their own throw, or cost nothing. Five 6s score 35 and six 6s
70; of two combinations in one throw the better counts. The round is played to its end; then the highest score wins, and
a tie is shared.""",
)


async def play(table: Table) -> Result:
    """Play until a player has reached the target."""
    target = table.option(TARGET)
    await race.play_until(table, turn, lambda score: score >= target, whole_round=table.option(REPLIES) == "equal")
    return table.highest(say("the target of {n} is reached", n=target))


async def turn(table: Table, player: int) -> None:
    """Throw once and score it."""
    name = table.names[player]
    thrown = tuple(sorted(await table.roll(player, DICE)))
    if thrown.count(CANCELLING) >= CANCELLING_ONES and table.option(ONES) != "nothing":
        if table.option(ONES) == "total":
            table.scores[player] = 0
            table.say("{name} throws three 1s and starts from 0 again", name=name)
        else:
            table.say("{name} throws three 1s and scores nothing", name=name)
        return
    scored = run_score(thrown, int(table.option(WHOLE)))
    if table.option(WITH_SIXES):
        scored = max(scored, SIXES_SCORES.get(thrown.count(SIXES), 0))
    table.scores[player] += scored
    table.say("{name} scores {n}", name=name, n=scored)


@lru_cache(maxsize=combinations.MOST_THROWS)
def run_score(thrown: Faces, whole: int) -> int:
    """Return the score of a throw's longest run from 1."""
    length = 0
    while length + 1 in thrown:
        length += 1
    return whole if length == WHOLE_RUN else RUN_SCORES[length]
