"""Ten Thousand: set scoring dice aside, and throw the others while your luck holds. Source: dice-play.txt.

`farkle` is the game that is sold under that name, also as Pocket Farkel (reference.com/hobbies-games/
scoring-work-farkle-a1a8f6bf502af85). `farkle-house-rules` mixes what many tables play; Wikipedia, "Farkle", and Matt
Busche, "Farkle Scoring" (mattbusche.org/projects/farkle/scoring.php). Cosmic Wimpout has a die of its own: no preset.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from tabletop.core.message import say
from tabletop.rules.families.combinations import Chart, alike_rows, part_score, scoring_parts
from tabletop.rules.families.race import race, replies_option
from tabletop.rules.game import Game, Result
from tabletop.rules.options import Choice, Flag, Value, Whole
from tabletop.rules.requests import Faces
from tabletop.rules.table import Table

DICE = 6
TARGET_SCORE = 10_000
ONE, FIVE = 100, 50
TRIPLE_OF_ONES, TRIPLE_PER_FACE = 1000, 100
RUN_SCORE = 3000
THREE_PAIRS_SCORE = 1500
SCORELESS_TURNS, PENALTY = 3, 1000
LAST_DIE_BONUS = 500
CANCELLING_FACE, CANCELLING_COUNT = 2, 4
OUTRIGHT_COUNT = 6
FARKLE: Mapping[str, Value] = {"entry": 500, "run": 1500, "alike": "set", "replies": "everyone"}
FARKLE_TRIPLE_OF_ONES, FARKLE_TWO_TRIPLES, HOUSE_THREE_PAIRS = 300, 2500, 750

TARGET = Whole(
    "target", TARGET_SCORE, "the goal of the race; 5000 makes a shorter game", at_least=50, at_most=1_000_000
)
REPLIES = replies_option("equal")
ENTRY = Whole("entry", 0, "the points of one turn with which a player may begin to score", at_least=0, at_most=1500)
CARRY_ON = Flag("carry_on", False, "the next player may take up scoreless dice and win the points lost with them")
SCORELESS = Flag("three_scoreless", False, "scoreless first throws in three successive turns lose 1000")
ANY_LOST_TURN = Flag("any_lost_turn", False, "three_scoreless counts every lost turn, not only scoreless first throws")
FLOOR = Flag("floor", False, "the lost 1000 never take a score below 0")
LAST_DIE = Flag("last_die", False, "a single last die has two throws, and earns 500, 1000, ... more in one turn")
CANCEL = Flag("cancel", False, "four or more 2s in a throw cancel the whole score and end the turn")
OUTRIGHT = Flag("outright", False, "six of a kind in one throw win the game")
HOT_DICE = Choice("hot_dice", "may", "whether all dice must be thrown again once all have scored", ("may", "must"))
NUMBER = Whole("dice", DICE, "how many dice are played with", at_least=5, at_most=7)
RUN = Whole("run", RUN_SCORE, "points for 1 to 6; 0: no such combination", at_least=0, at_most=10_000)
THREE_PAIRS = Whole(
    "three_pairs", THREE_PAIRS_SCORE, "points for three pairs; 0: no such combination", at_least=0, at_most=10_000
)
THREE_ONES = Whole("three_ones", TRIPLE_OF_ONES, "points for three 1s", at_least=3 * ONE, at_most=10_000)
TWO_TRIPLES = Whole(
    "two_triples", 0, "points for two triples in one throw; 0: each for itself", at_least=0, at_most=10_000
)
ALIKE = Choice(
    "alike",
    "loose",
    "four or more alike: a triple and loose dice; set points from 1000; the triple added or doubled for each die more",
    ("loose", "set", "adding", "doubling"),
)

GAME = Game(
    id="ten-thousand",
    name="Ten Thousand",
    other_names=("Farkle", "Dix Mille", "10000", "Zilch", "Greed", "Zonk"),
    source="dice-play.txt",
    dice=DICE,
    min_players=1,
    joining=True,
    options=(
        *(TARGET, REPLIES, ENTRY, CARRY_ON, SCORELESS, ANY_LOST_TURN, FLOOR, LAST_DIE, CANCEL, OUTRIGHT),
        *(HOT_DICE, NUMBER, RUN, THREE_PAIRS, THREE_ONES, TWO_TRIPLES, ALIKE),
    ),
    presets={
        "dice-play": {},
        "farkle": {**FARKLE, "three_ones": FARKLE_TRIPLE_OF_ONES, "two_triples": FARKLE_TWO_TRIPLES},
        "farkle-house-rules": {**FARKLE, "three_pairs": HOUSE_THREE_PAIRS, "hot_dice": "must"},
    },
    former_presets={"pocket-farkel": "farkle"},
    help="""\
What it is about: be the first with 10,000 points.
A turn: throw six dice. Set aside at least one die that scores; its points go on your stake. Then bank the stake, or
throw the dice that are left. With all six set aside you may throw all six again. A throw without any score takes the
stake away and ends the turn.
Scoring: each 1 is 100 and each 5 is 50; three alike are 100 times their face, three 1s are 1000; 1 to 6 in one throw
are 3000; three pairs in one throw are 1500, and so are four alike with a pair. Only dice of one throw make a
combination.
The score sheet: the turns each has had; with the options below also who has entered, how many scoreless turns came one
after the other, the lost points and dice that may be taken up, the next bonus for a last die, and how often
that was thrown in vain.
The end: whoever has the target or more is ahead; the players after him in the round have one turn each to get more
still (replies=everyone: all others have one). Equal is not enough.
entry=500: until a turn has brought so much it cannot be banked. carry_on: after a lost turn you may take up its
scoreless dice; if they score, the points lost are yours, else your turn is over. three_scoreless: three first throws
without score, in turns one after the other, lose 1000, with any_lost_turn three lost turns; with floor never below 0.
last_die: a single die left may be thrown twice for a 1 or 5, which brings 500 more, then 1000, 1500 in the same turn.
cancel: four or more 2s in a throw take the whole score away. outright: six of a kind in a throw win, six 2s as well.
rules=farkle, the game that is sold: 500 to enter, three 1s 300, the run 1500, three pairs 1500, four, five, six of a
kind 1000, 2000, 3000, two triples 2500; a last turn for everybody.
rules=farkle-house-rules: the same, but three 1s 1000, three pairs 750, two triples each for itself; after all six have
scored they must be thrown again (values as on Wikipedia, "Farkle").""",
)


@dataclass(slots=True)
class LostTurn:
    """What a lost turn leaves on the table: whose it was, how many dice scored nothing, the points forfeited."""

    player: int
    dice: int
    points: int


@dataclass(slots=True)
class TurnState:
    """What the turns of a match leave for the turns after them.

    entered: the seats that have begun to score. scoreless: for each seat, how many turns in succession began with a
    scoreless throw, or were ended by one. lost: the turn just played, if it was lost with points.
    """

    chart: Chart
    entered: set[int] = field(default_factory=set)
    scoreless: Counter[int] = field(default_factory=Counter)
    lost: LostTurn | None = None


class OutrightError(Exception):
    """A seat throws six of a kind: `play` ends the match with it. It never leaves this file."""


async def play(table: Table) -> Result:
    """Play until a score has reached the target and the replies are over."""
    state, target = TurnState(chart_of(table)), table.option(TARGET)
    for player in table.seats():
        write_rows(table, player, state)
    try:
        return await race(
            table,
            lambda table, player: turn(table, player, state),
            lambda score: score >= target,
            table.option(REPLIES),
        )
    except OutrightError as won:
        (player,) = won.args
        return Result((player,), say("{name} throws six of a kind and wins outright", name=table.names[player]))


async def turn(table: Table, player: int, state: TurnState) -> int:
    """Play one turn; return what it adds to the score: the points banked, or what a penalty takes away."""
    dice, taken_up = await take_up(table, player, state)
    bonuses, first = 0, True
    while True:
        write_rows(table, player, state, bonuses)
        thrown = await throw(table, player, dice, state)
        if taken_up:
            write_lost(table, 0, 0)  # they are won, or lost for good
        if table.option(OUTRIGHT) and max(map(thrown.count, thrown)) >= OUTRIGHT_COUNT:
            raise OutrightError(player)
        parts = scoring_parts(state.chart, thrown)
        if first and not table.option(ANY_LOST_TURN):
            state.scoreless[player] = 0 if parts else state.scoreless[player] + 1
        if table.option(CANCEL) and thrown.count(CANCELLING_FACE) >= CANCELLING_COUNT:
            return cancel(table, player, state)
        if not parts:
            return lose(table, player, dice, state)
        table.at_stake += taken_up
        taken_up, first = 0, False
        kept = await table.keep(player, parts, hand=thrown, beside=table.kept)
        table.at_stake += part_score(state.chart, kept)
        if dice == 1 and table.option(LAST_DIE):
            bonuses += 1
            table.at_stake += LAST_DIE_BONUS * bonuses
            table.say("the last die scores: {n} more", n=LAST_DIE_BONUS * bonuses)
        dice -= len(kept)
        if await decide(table, player, dice, state) == "bank":
            state.entered.add(player)
            state.scoreless[player] = 0
            write_rows(table, player, state)
            table.say("{name} banks {n}", name=table.names[player], n=table.at_stake)
            return table.at_stake
        if dice == 0:
            dice, table.kept = table.option(NUMBER), ()


async def decide(table: Table, player: int, dice: int, state: TurnState) -> str:
    """Let the player roll on or bank, or only roll if he may not bank yet."""
    must = dice == 0 and table.option(HOT_DICE) == "must"
    if dice == 0:
        table.say("all dice score: they must be thrown again" if must else "all dice score: they may be thrown again")
    if player not in state.entered and table.at_stake < table.option(ENTRY):
        table.say("{n} in one turn are needed to begin", n=table.option(ENTRY))
        must = True
    if must:
        return await table.choose(player, "roll")
    return await table.choose(player, "roll", "bank", gives={"bank": table.at_stake})


# The score values


def chart_of(table: Table) -> Chart:
    """Return what the dice score in this match."""
    triples = (table.option(THREE_ONES), *(TRIPLE_PER_FACE * face for face in range(2, 7)))
    return Chart(
        alike=((ONE, 0, 0, 0, FIVE, 0), (0,) * 6, *alike_rows(triples, table.option(ALIKE), table.option(NUMBER))),
        run=table.option(RUN),
        three_pairs=table.option(THREE_PAIRS),
        two_triples=table.option(TWO_TRIPLES),
    )


# The variations, in the order of the text; the first of them is in `decide`


async def take_up(table: Table, player: int, state: TurnState) -> tuple[int, int]:
    """Offer the scoreless dice of the turn before; return how many dice to throw, and the points they win.

    Who takes them up and scores nothing has forfeited no points of his own: the next player is offered nothing.
    """
    lost, state.lost = state.lost, None
    dice, points, asks = table.option(NUMBER), 0, say("take up the dice?")
    if lost and lost.player != player and await table.choose(player, "take", "refuse", question=asks) == "take":
        dice, points = lost.dice, lost.points
        if dice == 1:
            table.say("{name} takes up {n} die for {n2}", name=table.names[player], n=dice, n2=points)
        else:
            table.say("{name} takes up {n} dice for {n2}", name=table.names[player], n=dice, n2=points)
    elif table.option(CARRY_ON):
        write_lost(table, 0, 0)
    return dice, points


def lose(table: Table, player: int, dice: int, state: TurnState) -> int:
    """End a turn by a scoreless throw of this many dice; return 0, or what three scoreless turns cost, below 0."""
    name = table.names[player]
    table.say("{name} scores nothing and loses {n}", name=name, n=table.at_stake)
    if table.option(CARRY_ON) and table.at_stake:
        state.lost = LostTurn(player, dice, table.at_stake)
        write_lost(table, table.at_stake, dice)
    penalty, any_lost = 0, table.option(ANY_LOST_TURN)
    state.scoreless[player] += any_lost
    if table.option(SCORELESS) and state.scoreless[player] == SCORELESS_TURNS:
        state.scoreless[player] = 0  # the next three are counted again
        penalty = min(PENALTY, max(0, table.scores[player])) if table.option(FLOOR) else PENALTY
        table.say(
            "{name} has lost {n} turns in a row and loses {n2} more"
            if any_lost
            else "{name} has begun {n} turns without a score and loses {n2} more",
            name=name,
            n=SCORELESS_TURNS,
            n2=penalty,
        )
    write_rows(table, player, state)
    return -penalty


async def throw(table: Table, player: int, dice: int, state: TurnState) -> Faces:
    """Throw, a last die twice if that is played and the first throw does not score; return the faces sorted."""
    thrown = await table.roll(player, dice)
    if dice == 1 and table.option(LAST_DIE) and not scoring_parts(state.chart, thrown):
        table.say("the last die may be thrown once more")
        table.write("last die", player, 1)
        thrown = await table.roll(player, dice)
        table.write("last die", player, 0)
    return tuple(sorted(thrown))


def cancel(table: Table, player: int, state: TurnState) -> int:
    """Take the player's whole score away, and the stake with it; 2s are no scoreless throw, though."""
    table.say("{name} throws four 2s or more and loses the whole score", name=table.names[player])
    table.scores[player] = 0
    write_rows(table, player, state)
    return 0


# The score sheet


def write_rows(table: Table, player: int, state: TurnState, bonuses: int = 0) -> None:
    """Write what the variations in play count."""
    if table.option(ENTRY):
        table.write("entered", player, "yes" if player in state.entered else "no")
    if table.option(SCORELESS):
        table.write("scoreless", player, state.scoreless[player])
    if table.option(CARRY_ON) and "lost points" not in table.sheet:
        write_lost(table, 0, 0)
    if table.option(LAST_DIE):
        table.write("next bonus", player, LAST_DIE_BONUS * (bonuses + 1))
        table.write("last die", player, 0)  # how often it has been thrown in vain


def write_lost(table: Table, points: int, dice: int) -> None:
    """Write the points that a lost turn forfeited, and how many dice may be taken up, or are being thrown, for them."""
    table.write_all("lost points", points)
    table.write_all("lost dice", dice)
