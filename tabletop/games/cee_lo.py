"""Cee-lo: 4-5-6 wins, 1-2-3 loses, a pair makes the third die your point. Source: Wikipedia, "Cee-lo", with a bank.

The same banking game is analysed by Michael Shackleford, wizardofodds.com, "Cee Lo". It is played for money; here a bet
won is a point, or one of the loser's chips. In a money game the bank stays until it is broken, and a player who beats
it with 4-5-6 or a triple may take it over: the option `bank`. The Japanese game, Chinchirorin, is a preset.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from tabletop.rules import Choice, Faces, Flag, Game, Result, Table, Whole, faces_text, say
from tabletop.rules.families.rounds import rounds_option

DICE = 3
WINNING_RUN, LOSING_RUN = (4, 5, 6), (1, 2, 3)
WINNING_SINGLE, LOSING_SINGLE = 6, 1
ACES = (1, 1, 1)
ROUNDS_OF_ALL = 12  # two, three, four and six players have the bank equally often
USUAL_CHIPS, MOST_CHIPS = 10, 1000
MOST_TRIES = 10
MULTIPLES = {"run": 2, "triple": 3, "aces": 5}  # of a bet, in Chinchirorin
NO_POINT = 0  # after the last of a limited number of throws; less than any point

ROUNDS = rounds_option(ROUNDS_OF_ALL)
COUNTING = Choice("counting", "points", "a bet won is a point, or one of the loser's chips", ("points", "chips"))
CHIPS = Whole("chips", USUAL_CHIPS, "counting=chips: how many each player starts with", at_least=1, at_most=MOST_CHIPS)
BANK = Choice(
    "bank",
    "left",
    "when the bank passes: after each round, when it loses at once, or also to the first to win by 4-5-6 or a triple",
    ("left", "lost", "taken"),
)
SIX_AND_ONE = Flag("six_and_one", True, "a pair with a 6 wins at once and with a 1 loses; else they are points")
PAYS = Choice(
    "pays",
    "even",
    "what a bet pays: 1, or 2 for 4-5-6 and 1-2-3, 3 for a triple, 5 for three 1s (multiple)",
    ("even", "multiple"),
)
TRIES = Whole("tries", 0, "throws after which a player has no point; 0: no limit", at_least=0, at_most=MOST_TRIES)

GAME = Game(
    id="cee-lo",
    name="Cee-lo",
    other_names=("Chinchiro", "Chinchirorin", "See-Low", "Four-Five-Six", "4-5-6"),
    source='Wikipedia, "Cee-lo"',
    dice=DICE,
    layout="totals",
    options=(ROUNDS, COUNTING, CHIPS, BANK, SIX_AND_ONE, PAYS, TRIES),
    presets={"wikipedia": {}, "chinchirorin": {"six_and_one": False, "pays": "multiple", "tries": 3}},
    former_presets={"chinchiro": "chinchirorin"},
    help="""\
What it is about: win the most bets. One player has the bank, and all others bet against it.
A turn: throw three dice. 4-5-6, three alike or a pair with a 6 wins at once. 1-2-3 or a pair with a 1 loses at once. A
pair with a 2, 3, 4 or 5 makes that die your point. Anything else is thrown again.
A round: the bank throws first. If it wins or loses at once, it does so against everyone, and nobody else throws.
Otherwise it has a point, and the others throw. Each wins or loses at once, or the higher point wins; with equal points
there is no bet. Then the bank passes to the left.
Scoring: a point for each bet won.
The end: when all rounds are played, the most points win; a tie is shared.
House rules: bets may be paid in chips. Everyone starts with 10, and the loser of a bet pays one. A player with no chips
is out, and nobody pays more than they have. The match also ends when one player has all the chips. The bank may stay
until it loses at once. It may also go to the first player to beat it by 4-5-6 or three alike. A pair with a 6 or a 1
may be a point too. 4-5-6 and 1-2-3 may count twice, three alike three times, three 1s five times. There may be a limit
of three throws: without a result you have no point, which is less than any point. Chinchirorin has the last three of
these rules.
Coming and going: if the banker leaves, the round ends. Open bets are off, and the bank passes to the left.""",
)

Verdict = Literal["wins", "loses", "point", "none"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a throw.

    point: the point, NO_POINT with any other verdict. bets: how many it wins or loses. special: whether it is 4-5-6 or
    three of a kind, which may take the bank.
    """

    verdict: Verdict
    point: int = NO_POINT
    bets: int = 1
    special: bool = False


async def play(table: Table) -> Result:
    """Play the rounds as long as two players can bet."""
    chips = table.option(COUNTING) == "chips"
    table.scores = [table.option(CHIPS) if chips else 0] * len(table.names)
    banker = next(table.seats())
    for number in range(1, table.option(ROUNDS) + 1):
        betting = able(table, banker)
        if len(betting) < 2:  # noqa: PLR2004 - a banker and somebody who bets
            return table.highest(say("nobody else has chips left"))
        banker = betting[0]
        table.write_all("round", number)
        table.sheet |= {"banker": {banker: "x"}, "throws": dict.fromkeys(betting, 0), "dice": {}, "result": {}}
        banker = await play_round(table, banker)
    return table.highest(say("all rounds are played"))


def able(table: Table, first: int) -> list[int]:
    """Return the present seats that can bet, clockwise from `first`."""
    chips = table.option(COUNTING) == "chips"
    return [player for player in table.seats(first) if not chips or table.scores[player]]


async def play_round(table: Table, banker: int) -> int:
    """Let the bank throw, and the others if it has a point; return who has the bank next."""
    bank = await table.turn(banker, turn(table, banker))
    taken_by = None
    for player in able(table, banker + 1):
        if bank is None:
            break
        if banker not in able(table, banker):
            table.say("the bank is broken")
            break
        if player in (banker, *table.gone):
            continue
        if bank.verdict != "point":
            settle(table, *((banker, player) if bank.verdict == "wins" else (player, banker)), bank.bets)
            continue
        own = await table.among((banker, player), table.turn(player, turn(table, player)))
        if banker in table.gone:
            break
        if own is None:
            continue
        if own.special and taken_by is None:
            taken_by = player
        compare(table, banker, bank, player, own)
    if banker in table.gone:
        table.say("the banker has left: open bets are off")
    return next_banker(table, banker, bank, taken_by)


def next_banker(table: Table, banker: int, bank: Outcome | None, taken_by: int | None) -> int:
    """Return the seat from which to look for the next banker."""
    how = table.option(BANK)
    if how == "left" or bank is None or bank.verdict == "loses":
        return next(table.seats(banker + 1))
    return taken_by if how == "taken" and taken_by is not None and taken_by not in table.gone else banker


async def turn(table: Table, player: int) -> Outcome:
    """Throw until there is a result or no throw is left; return the outcome."""
    tries, throws = table.option(TRIES), 0
    while True:
        thrown = tuple(sorted(await table.roll(player, DICE)))
        throws += 1
        found = outcome(thrown, six_and_one=table.option(SIX_AND_ONE), multiple=table.option(PAYS) == "multiple")
        table.write("throws", player, throws)
        table.write("dice", player, faces_text(thrown))
        if found.verdict == "none" and throws == tries:
            table.write("result", player, NO_POINT)
            table.say("{name} has no point", name=table.names[player])
            return Outcome("point", NO_POINT)
        if found.verdict == "none":
            table.say("{name} throws again", name=table.names[player])
            continue
        if found.verdict == "point":
            table.write("result", player, found.point)
            table.say("{name} has the point {n}", name=table.names[player], n=found.point)
        else:
            table.write("result", player, found.verdict)
        return found


def outcome(thrown: Faces, *, six_and_one: bool, multiple: bool) -> Outcome:
    """Return the outcome of a sorted throw."""
    run = MULTIPLES["run"] if multiple else 1
    if thrown == WINNING_RUN:
        return Outcome("wins", bets=run, special=True)
    if thrown == LOSING_RUN:
        return Outcome("loses", bets=run)
    counts = Counter(thrown)
    if len(counts) == 1:
        triple = MULTIPLES["aces" if thrown == ACES else "triple"] if multiple else 1
        return Outcome("wins", bets=triple, special=True)
    if len(counts) == DICE:
        return Outcome("none")
    (point,) = (face for face, count in counts.items() if count == 1)
    if six_and_one and point in (WINNING_SINGLE, LOSING_SINGLE):
        return Outcome("wins" if point == WINNING_SINGLE else "loses")
    return Outcome("point", point)


def compare(table: Table, banker: int, bank: Outcome, player: int, own: Outcome) -> None:
    """Settle the bet of a player against the bank's point."""
    if own.verdict == "wins" or (own.verdict == "point" and own.point > bank.point):
        settle(table, player, banker, own.bets)
    elif own.verdict == "loses" or own.point < bank.point:
        settle(table, banker, player, own.bets)
    else:
        table.say("equal points: no bet")


def settle(table: Table, winner: int, loser: int, bets: int) -> None:
    """Give the winner the points, or as many chips as the loser still has."""
    if table.option(COUNTING) == "chips":
        bets = min(bets, table.scores[loser])
        table.scores[loser] -= bets
    table.scores[winner] += bets
    table.say("{name} wins {n} from {name2}", name=table.names[winner], n=bets, name2=table.names[loser])
