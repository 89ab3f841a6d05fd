"""The Dice Game: set all scoring dice aside, and throw the others if you dare. Source: the-dice-game.txt.

The chart of points was a picture and is lost. The text gives only a 5, three 4s, three 5s and the run; everything else
is assumed here and can be set by an option.
"""

from functools import partial

from tabletop.rules import Flag, Game, Result, Table, Whole
from tabletop.rules.families.combinations import Chart, part_score, scoring_parts
from tabletop.rules.families.race import race, replies_option

DICE = 6
SHORT_GAME = 5000
FIVE, THREE_FOURS, THREE_FIVES, RUN_SCORE = 50, 400, 500, 1000  # given by the text
ON_THE_BOARD = 1000
THREE_LEAST, MOST = 100, 10_000  # the range of assumed values


def assumed(name: str, points: int, what: str, at_least: int = 0) -> Whole:
    """Return the option for a value of the lost chart; 0, if allowed, means no score."""
    return Whole(name, points, f"points for {what}: assumed, since the chart is lost", at_least, MOST)


TARGET = Whole("target", SHORT_GAME, "the goal: 5000, or 10000 for a longer game", 50, 1_000_000)
REPLIES = replies_option()
BOARD = Flag("board", False, "a player's first bank needs 1000 points in one turn")
CHOICE = Flag("choice", False, "the player chooses which scoring dice to set aside, at least one")
ONE = assumed("one", 100, "each 1", FIVE)
THREE_ONES = assumed("three_ones", 1000, "three 1s", 3 * FIVE)
THREE_TWOS = assumed("three_twos", 200, "three 2s", THREE_LEAST)
THREE_THREES = assumed("three_threes", 300, "three 3s", THREE_LEAST)
THREE_SIXES = assumed("three_sixes", 600, "three 6s", THREE_LEAST)
FOUR_ALIKE = assumed("four_alike", 0, "four alike")
FIVE_ALIKE = assumed("five_alike", 0, "five alike")
SIX_ALIKE = assumed("six_alike", 0, "six alike")
THREE_PAIRS = assumed("three_pairs", 0, "three pairs")

GAME = Game(
    id="the-dice-game",
    name="The Dice Game",
    other_names=("Das Würfelspiel",),
    source="the-dice-game.txt",
    dice=DICE,
    layout="totals",
    min_players=1,
    joining=True,
    options=(
        *(TARGET, REPLIES, BOARD, CHOICE, ONE, THREE_ONES, THREE_TWOS, THREE_THREES, THREE_SIXES),
        *(FOUR_ALIKE, FIVE_ALIKE, SIX_ALIKE, THREE_PAIRS),
    ),
    presets={"the-dice-game": {}},
    help="""\
What it is about: be the first with 5000 points, or with 10,000 in a longer match.
A turn: throw six dice. All dice that score are set aside and counted. Then bank the points of the turn, or throw the
dice that are left. When all six have scored you may throw all six again. A throw without any score loses the points of
the turn and ends it.
Scoring: each 5 is 50, three 4s are 400, three 5s are 500, and 1 to 6 is 1000. Combinations count only within one throw.
The original chart is lost, so the other values are assumed, and you may change them: each 1 is 100; three 1s are 1000,
three 2s, 3s and 6s 200, 300 and 600; four, five or six alike and three pairs score nothing extra.
The end: the first player with the target wins at once.
House rules: You choose which scoring dice to set aside, one at least. The first bank needs 1000 points in one turn. The
round is played to its end, or everyone else gets one more turn.""",
)


async def play(table: Table) -> Result:
    """Play until a score has reached the target, and the replies, if any, are over."""
    target, chart = table.option(TARGET), chart_of(table)
    on_the_board: set[int] = set()
    for player in table.seats():
        write_board(table, player, on_the_board)
    play_turn = partial(turn, chart=chart, on_the_board=on_the_board)
    return await race(table, play_turn, lambda score: score >= target, table.option(REPLIES))


def chart_of(table: Table) -> Chart:
    """Return the chart from the given and the assumed values."""
    triples = (
        *(table.option(THREE_ONES), table.option(THREE_TWOS), table.option(THREE_THREES)),
        *(THREE_FOURS, THREE_FIVES, table.option(THREE_SIXES)),
    )
    more = (table.option(FOUR_ALIKE), table.option(FIVE_ALIKE), table.option(SIX_ALIKE))
    return Chart(
        alike=((table.option(ONE), 0, 0, 0, FIVE, 0), (0,) * 6, triples, *((points,) * 6 for points in more)),
        run=RUN_SCORE,
        three_pairs=table.option(THREE_PAIRS),
    )


async def turn(table: Table, player: int, chart: Chart, on_the_board: set[int]) -> int:
    """Play one turn; return the points recorded."""
    write_board(table, player, on_the_board)
    dice = DICE
    while True:
        thrown = tuple(sorted(await table.roll(player, dice)))
        parts = scoring_parts(chart, thrown)
        if not parts:
            table.say("{name} scores nothing and loses {n}", name=table.names[player], n=table.at_stake)
            return 0
        all_that_score = parts[:1]
        kept = await table.keep(
            player, parts if table.option(CHOICE) else all_that_score, hand=thrown, beside=table.kept
        )
        table.at_stake += part_score(chart, kept)
        dice -= len(kept)
        if dice == 0:
            table.say("all six dice score: they may be thrown again")
        if await decide(table, player, on_the_board) == "bank":
            on_the_board.add(player)
            write_board(table, player, on_the_board)
            table.say("{name} banks {n}", name=table.names[player], n=table.at_stake)
            return table.at_stake
        if dice == 0:
            dice, table.kept = DICE, ()


async def decide(table: Table, player: int, on_the_board: set[int]) -> str:
    """Let the player roll on or bank, or only roll if the points are not enough to get on the board."""
    if table.option(BOARD) and player not in on_the_board and table.at_stake < ON_THE_BOARD:
        table.say("{n} in one turn are needed to get on the board", n=ON_THE_BOARD)
        return await table.choose(player, "roll")
    return await table.choose(player, "roll", "bank", gives={"bank": table.at_stake})


def write_board(table: Table, player: int, on_the_board: set[int]) -> None:
    """Write whether the player is on the board, if that rule is played."""
    if table.option(BOARD):
        table.write("on the board", player, "yes" if player in on_the_board else "no")
