"""Ten Thousand: set scoring dice aside, and throw the others while your luck holds. Source: dice-play.txt.

`farkle` is the game sold under that name, also as Pocket Farkel (reference.com/hobbies-games/
scoring-work-farkle-a1a8f6bf502af85). `farkle-house-rules` combines common house rules; Wikipedia, "Farkle", and Matt
Busche, "Farkle Scoring" (mattbusche.org/projects/farkle/scoring.php). `zilch` follows rpdillon.net/zilch.html, `greed`
GREED_RULES.txt (Jim Weirich, Ruby Koans), `zonk` partygames411.com. Cosmic Wimpout needs a special die, so it is
missing.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from tabletop.rules import COACH, Choice, Faces, Flag, Game, Result, Table, Value, Whole, say
from tabletop.rules.families import combinations, rounds
from tabletop.rules.families.race import Turn, race, replies_option

DICE = 6
TARGET_SCORE = 10_000
SCORELESS_TURNS, PENALTY = 3, 1000
LAST_DIE_BONUS = 500
CANCELLING_FACE, CANCELLING_COUNT = 2, 4
OUTRIGHT_COUNT = 6
FARKLE: Mapping[str, Value] = {"entry": 500, "run": 1500, "alike": "set", "replies": "everyone"}
FARKLE_SOLD: Mapping[str, Value] = {**FARKLE, "three_ones": 300, "two_triples": 2500}
HOUSE_THREE_PAIRS = 750
ZILCH: Mapping[str, Value] = {"target": 5000, "run": 1500, "three_pairs": 0, "alike": "doubling", "replies": "everyone"}
GREED: Mapping[str, Value] = {"target": 3000, "entry": 300, "dice": 5, "replies": "everyone"}
ZONK: Mapping[str, Value] = {"target": 5000, "dice": 5}

TARGET = Whole("target", TARGET_SCORE, "the goal of the race; 5000 makes a shorter game", 50, 1_000_000)
REPLIES = replies_option("equal")
ENTRY = Whole("entry", 0, "the points that a player needs in one turn to begin scoring", at_least=0, at_most=1500)
SCORELESS = Flag("three_scoreless", False, "scoreless first throws in three turns in a row cost 1000")
ANY_LOST_TURN = Flag("any_lost_turn", False, "three_scoreless counts every lost turn, not only scoreless first throws")
FLOOR = Flag("floor", False, "the lost 1000 never take a score below 0")
LAST_DIE = Flag("last_die", False, "a single last die gets two throws, and earns 500, 1000, ... more in one turn")
CANCEL = Flag("cancel", False, "four or more 2s in a throw cancel the whole score and end the turn")
OUTRIGHT = Flag("outright", False, "six of a kind in one throw win the game")
HOT_DICE = Choice("hot_dice", "may", "whether all dice must be thrown again once all have scored", ("may", "must"))
NUMBER = Whole("dice", DICE, "how many dice are played with", at_least=5, at_most=7)
LEAST = Whole("least", 0, "the points that every bank needs, not only the first", 0, 1500)
PENALTY_OF = Whole("penalty", PENALTY, "the points that three_scoreless takes away", at_least=0, at_most=10_000)
TIES = Choice(
    "ties",
    "first",
    "who wins if a reply equals the leader: the first to get there, all of them, or the winner of a play-off",
    ("first", "shared", "play-off"),
)

GAME = Game(
    id="ten-thousand",
    name="Ten Thousand",
    other_names=(
        *("Farkle", "Dix Mille", "10000", "Zilch", "Greed", "Zonk", "Hot Dice"),
        *("Zehntausend", "Zehntausender", "Macke"),
    ),
    source="dice-play.txt",
    dice=DICE,
    layout="totals",
    renamed={"last die": ""},
    min_players=1,
    joining=True,
    options=(
        *(TARGET, REPLIES, ENTRY, combinations.CARRY_ON, SCORELESS, ANY_LOST_TURN, FLOOR, LAST_DIE, CANCEL, OUTRIGHT),
        *(HOT_DICE, NUMBER, *combinations.OPTIONS, LEAST, combinations.PIGGYBACK, PENALTY_OF, TIES, COACH),
    ),
    presets={
        "dice-play": {},
        "farkle": FARKLE_SOLD,
        "farkle-piggyback": {**FARKLE_SOLD, "piggyback": True},
        "farkle-house-rules": {**FARKLE, "three_pairs": HOUSE_THREE_PAIRS, "hot_dice": "must"},
        "zilch": ZILCH,
        "greed": GREED,
        "zonk": ZONK,
    },
    former_presets={"pocket-farkel": "farkle"},
    help="""\
What it is about: be the first with 10,000 points.
A turn: throw six dice. Set aside at least one die that scores; its points go on your stake. Then bank the stake, or
throw the dice that are left. With all six set aside you may throw all six again. A throw without any score takes the
stake away and ends the turn.
Scoring: each 1 is 100 and each 5 is 50; three alike are 100 times their number, but three 1s 1000; 1 to 6 in one throw
are 3000; three pairs in one throw are 1500, and so are four alike with a pair. Only dice of one throw combine.
The end: a player with the target or more is ahead; the next players of the round have one turn each to do better. Equal
is not enough.
House rules: The first bank needs 500, or every bank needs 300. Six of a kind in one throw wins, even six 2s. Four or
more 2s in one throw wipe out the whole score. A single last die may be thrown twice for a 1 or a 5, which brings 500
more, then 1000 and 1500 in the same turn. 1 to 5 or 2 to 6 may score; they are the runs with five dice. At the end
everyone else gets one more turn. Players tied then share the win, or play off in seat order until one turn brings more.
House rules for lost turns: The next player may take over the dice that did not score. If they score, the lost points go
on the stake as well; otherwise the turn is over. A player whose first throw scores nothing in three successive turns
loses 1000 or 500; the score may stop at 0. Or any three successive lost turns count.
Farkle as it is sold: the first bank needs 500. Three 1s are 300, 1 to 6 is 1500, three pairs 1500, two triples 2500;
four, five and six alike are 1000, 2000 and 3000. All others have a last turn.
Farkle with piggyback: the same, and after a bank the next player may go on with the dice left, or with all if none are
left, and the points just banked. If the dice score, those points go on the stake as well; otherwise the turn is over.
Farkle house rules: as it is sold, but three 1s are 1000, three pairs 750, and two triples score on their own. When all
six have scored they must be thrown again.
Zilch: play to 5000. 1 to 6 is 1500, three pairs score nothing; four, five and six alike are two, four and eight times
the triple. All others have a last turn.
Greed: play to 3000 with five dice; the first bank needs 300. Only 1s, 5s and triples score. All others have a last
turn.
Zonk: play to 5000 with five dice. Only 1s, 5s and triples score.""",
)


@dataclass(slots=True)
class TurnState:
    """State that the turns of a match pass on.

    entered: the seats that have begun to score. scoreless: for each seat, the number of consecutive turns that began
    with a scoreless throw, or were ended by one. left: the dice and points that the last turn left to the next player.
    """

    chart: combinations.Chart
    entered: set[int] = field(default_factory=set)
    scoreless: Counter[int] = field(default_factory=Counter)
    left: combinations.LeftOver | None = None


class OutrightError(Exception):
    """A seat has thrown six of a kind, which wins: `play` ends the match. Never leaves this file."""


async def play(table: Table) -> Result:
    """Play until a score has reached the target, the replies are over, and a tie, if it matters, is broken."""
    state, target = TurnState(combinations.chart_of(table, table.option(NUMBER))), table.option(TARGET)
    for player in table.seats():
        write_rows(table, player, state)
    play_turn = partial(turn, state=state)
    try:
        result = await race(table, play_turn, lambda score: score >= target, table.option(REPLIES))
        state.left = None  # a play-off does not take over dice
        return await tie_broken(table, result, play_turn)
    except OutrightError as won:
        (player,) = won.args
        return Result((player,), say("{name} throws six of a kind and wins outright", name=table.names[player]))


async def tie_broken(table: Table, result: Result, turn: Turn) -> Result:
    """Return the result of the race, including players tied with the winner if the option says so."""
    best = max(table.scores[player] for player in result.winners)
    tied = tuple(player for player in table.seats() if table.scores[player] == best)
    if len(tied) == 1 or table.option(TIES) == "first":
        return result
    if table.option(TIES) == "shared":
        return Result(tied, say("{names} have {n}", names=table.names_of(tied), n=best))
    (winner,) = await rounds.play_off(table, tied, turn)
    names, name = table.names_of(tied), table.names[winner]
    return Result((winner,), say("{names} have {n}, and {name} wins the play-off", names=names, n=best, name=name))


async def turn(table: Table, player: int, state: TurnState) -> int:
    """Play one turn; return the change of the score: the points banked, or a negative penalty."""
    left, state.left = state.left, None
    dice, taken_up = await combinations.take_up(table, player, left, table.option(NUMBER))
    bonuses, first = 0, True
    while True:
        write_rows(table, player, state, bonuses)
        thrown = await throw(table, player, dice, state)
        if taken_up:
            combinations.write_offer(table, 0, 0)  # they are either won or lost now
        if table.option(OUTRIGHT) and max(map(thrown.count, thrown)) >= OUTRIGHT_COUNT:
            raise OutrightError(player)
        parts = combinations.scoring_parts(state.chart, thrown)
        if first and not table.option(ANY_LOST_TURN):
            state.scoreless[player] = 0 if parts else state.scoreless[player] + 1
        if table.option(CANCEL) and thrown.count(CANCELLING_FACE) >= CANCELLING_COUNT:
            return cancel(table, player, state)
        if not parts:
            return lose(table, player, dice, state)
        table.at_stake += taken_up
        taken_up, first = 0, False
        kept = await table.keep(player, parts, hand=thrown, beside=table.kept)
        table.at_stake += combinations.part_score(state.chart, kept)
        if dice == 1 and table.option(LAST_DIE):
            bonuses += 1
            table.at_stake += LAST_DIE_BONUS * bonuses
            table.say("the last die scores: {n} more", n=LAST_DIE_BONUS * bonuses)
        dice -= len(kept)
        if await decide(table, player, dice, state) == "bank":
            return bank(table, player, dice, state)
        if dice == 0:
            dice, table.kept = table.option(NUMBER), ()


def bank(table: Table, player: int, dice: int, state: TurnState) -> int:
    """End a turn by banking, with this many dice left; return the points."""
    state.entered.add(player)
    state.scoreless[player] = 0
    if table.option(combinations.PIGGYBACK):
        state.left = combinations.leave_over(table, player, dice or table.option(NUMBER))
    write_rows(table, player, state)
    table.say("{name} banks {n}", name=table.names[player], n=table.at_stake)
    return table.at_stake


async def decide(table: Table, player: int, dice: int, state: TurnState) -> str:
    """Let the player roll on or bank, or only roll if banking is not allowed yet."""
    must = dice == 0 and table.option(HOT_DICE) == "must"
    if dice == 0:
        table.say("all dice score: they must be thrown again" if must else "all dice score: they may be thrown again")
    if player not in state.entered and table.at_stake < table.option(ENTRY):
        table.say("{n} in one turn are needed to begin", n=table.option(ENTRY))
        must = True
    elif table.at_stake < table.option(LEAST):
        table.say("{n} in one turn are needed to bank", n=table.option(LEAST))
        must = True
    if must:
        return await table.choose(player, "roll")
    return await table.choose(player, "roll", "bank", gives={"bank": table.at_stake})


# The variations, in the order of the text; the first of them is in `decide`


def lose(table: Table, player: int, dice: int, state: TurnState) -> int:
    """End a turn after a scoreless throw of this many dice; return 0, or the penalty for three in a row, below 0."""
    name = table.names[player]
    table.say("{name} scores nothing and loses {n}", name=name, n=table.at_stake)
    if table.option(combinations.CARRY_ON) and table.at_stake:
        state.left = combinations.leave_over(table, player, dice)
    penalty, any_lost = 0, table.option(ANY_LOST_TURN)
    state.scoreless[player] += any_lost
    if table.option(SCORELESS) and state.scoreless[player] == SCORELESS_TURNS:
        state.scoreless[player] = 0  # start counting to three again
        penalty = table.option(PENALTY_OF)
        penalty = min(penalty, max(0, table.scores[player])) if table.option(FLOOR) else penalty
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
    """Throw; a last die that does not score may be thrown again, if that rule is played. Return the faces sorted."""
    thrown = await table.roll(player, dice)
    if dice == 1 and table.option(LAST_DIE) and not combinations.scoring_parts(state.chart, thrown):
        table.say("the last die may be thrown once more")
        table.write("last die", player, 1)
        thrown = await table.roll(player, dice)
        table.write("last die", player, 0)
    return tuple(sorted(thrown))


def cancel(table: Table, player: int, state: TurnState) -> int:
    """Cancel the player's whole score and the stake; a throw of 2s does not count as scoreless, though."""
    table.say("{name} throws four 2s or more and loses the whole score", name=table.names[player])
    table.scores[player] = 0
    write_rows(table, player, state)
    return 0


# The score sheet


def write_rows(table: Table, player: int, state: TurnState, bonuses: int = 0) -> None:
    """Write the counters of the variations in play."""
    if table.option(ENTRY):
        table.write("entered", player, "yes" if player in state.entered else "no")
    if table.option(SCORELESS):
        table.write("scoreless", player, state.scoreless[player])
    combinations.begin_offers(table)
    if table.option(LAST_DIE):
        table.write("next bonus", player, LAST_DIE_BONUS * (bonuses + 1))
        table.write("last die", player, 0)  # how often it was thrown without a score
