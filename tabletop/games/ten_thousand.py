"""Ten Thousand: set scoring dice aside, and throw the others while your luck holds. Source: dice-play.txt.

The basic game; the variations of the text are not in here yet.
"""

from functools import lru_cache

from tabletop.rules.game import Game, Result
from tabletop.rules.options import Choice, Whole
from tabletop.rules.parts import MOST_THROWS, parts_of
from tabletop.rules.questions import Faces
from tabletop.rules.race import race
from tabletop.rules.table import Table

DICE = 6
SINGLES = {1: 100, 5: 50}
TRIPLE_OF_ONES, TRIPLE_PER_FACE = 1000, 100
RUN, RUN_SCORE = (1, 2, 3, 4, 5, 6), 3000
THREE_PAIRS_SCORE = 1500

TARGET = Whole("target", 10_000, "the goal of the race", at_least=50, at_most=1_000_000)
REPLIES = Choice(
    "replies", "equal", "who has a turn left after somebody reached the target", ("none", "equal", "everyone")
)

GAME = Game(
    id="ten-thousand",
    name="Ten Thousand",
    other_names=("Farkle", "Dix Mille"),
    source="dice-play.txt",
    dice=DICE,
    min_players=1,
    joining=True,
    options=(TARGET, REPLIES),
    presets={"dice-play": {}},
    help="""\
What it is about: be the first with 10,000 points.
A turn: throw six dice. Set aside at least one die that scores; its points go on your stake. Then bank the stake, or
throw the dice that are left. With all six set aside you may throw all six again. A throw without any score takes the
stake away and ends the turn.
Scoring: each 1 is 100 and each 5 is 50; three alike are 100 times their face, three 1s are 1000; 1 to 6 in one throw
are 3000; three pairs in one throw are 1500, and so are four alike with a pair. Only dice of one throw make a
combination.
The end: whoever has the target or more is ahead; the players after him in the round have one turn each to get more
still. Equal is not enough.""",
)


async def play(table: Table) -> Result:
    """Play until a score has reached the target and the replies are over."""
    target = table.option(TARGET)
    return await race(table, turn, lambda score: score >= target, table.option(REPLIES))


async def turn(table: Table, player: int) -> int:
    """Play one turn; return the points banked."""
    dice = DICE
    while True:
        thrown = await table.roll(player, dice)
        parts = scoring_parts(tuple(sorted(thrown)))
        if not parts:
            table.say(f"{table.names[player]} throws no score and loses {table.at_stake}")
            return 0
        kept = await table.keep(player, parts, hand=thrown, beside=table.kept)
        table.at_stake += part_score(kept)
        dice -= len(kept)
        if dice == 0:
            table.say("all six dice score: they may be thrown again")
        if await table.choose(player, "roll", "bank", gives={"bank": table.at_stake}) == "bank":
            table.say(f"{table.names[player]} banks {table.at_stake}")
            return table.at_stake
        if dice == 0:
            dice, table.kept = DICE, ()


@lru_cache(maxsize=MOST_THROWS)
def scoring_parts(thrown: Faces) -> tuple[Faces, ...]:
    """Return the parts of a sorted throw in which every die scores, the highest first; empty for a scoreless throw."""
    return tuple(sorted((part for part in parts_of(thrown) if part_score(part)), key=part_score, reverse=True))


@lru_cache(maxsize=MOST_THROWS)
def part_score(part: Faces) -> int:
    """Return the best score in which every die of this sorted part counts; 0 where there is none."""
    return max(_run(part), _three_pairs(part), _triples_and_singles(part))


def _run(part: Faces) -> int:
    return RUN_SCORE if part == RUN else 0


def _three_pairs(part: Faces) -> int:
    """Four alike and a pair are three pairs, and so are six alike."""
    return THREE_PAIRS_SCORE if len(part) == DICE and all(part.count(face) % 2 == 0 for face in part) else 0


def _triples_and_singles(part: Faces) -> int:
    score = 0
    for face in set(part):
        triples, singles = divmod(part.count(face), 3)
        if singles and face not in SINGLES:
            return 0
        triple = TRIPLE_OF_ONES if face == 1 else TRIPLE_PER_FACE * face
        score += triples * triple + singles * SINGLES.get(face, 0)
    return score
