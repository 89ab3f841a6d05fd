"""Balut: seven categories, four times each; points for their totals. Source: balut.org, "Rules", of 1979.

This is the game of the International Balut Federation. diceworldgame.com, "Balut!", and Wikipedia, "Balut (game)", have
the same points; goldcup.games, "Balut", has the simple game, in which only the total decides.
"""

from collections.abc import Mapping

from tabletop.rules import Choice, Flag, Game, Result, Table, say
from tabletop.rules.families import boxes, keep_order, rounds

DICE = 5
THROWS = 3
TIMES = 4  # each category is filled this often
PAIR, THREE = 2, 3
LOW_STRAIGHT, LOW_SCORE = (1, 2, 3, 4, 5), 15
HIGH_STRAIGHT, HIGH_SCORE = (2, 3, 4, 5, 6), 20
BALUT = 20  # added to the sum of all dice

# Points for a category: from a certain sum on, if all four entries are above 0, or for each entry.
FROM_SUM: Mapping[str, tuple[int, int]] = {"fours": (52, 2), "fives": (65, 2), "sixes": (78, 2), "choice": (100, 2)}
FOR_ALL: Mapping[str, int] = {"straight": 4, "full house": 3}
FOR_EACH: Mapping[str, int] = {"balut": 2}
LOWEST_POINTS, FIRST_STEP, STEP, HIGHEST_POINTS = -2, 300, 50, 6  # for the total: -2 below 300, one more for each 50

AIMS = keep_order.Aims(
    whole=frozenset({"straight", "full house", "balut"}),
    straights={"straight": (LOW_STRAIGHT, HIGH_STRAIGHT)},
    house="full house",
    total="choice",
)

Entries = dict[str, list[int]]  # category -> entries of one player, in the order of writing

WINNER = Choice("winner", "points", "what decides: the points, or the total alone", ("points", "sum"))
FIVE_AS_FULL_HOUSE = Flag("five_as_full_house", False, "five alike may be written as a full house")

GAME = Game(
    id="balut",
    name="Balut",
    source='balut.org, "Rules"',
    dice=DICE,
    layout="boxes",
    min_players=1,
    options=(WINNER, FIVE_AS_FULL_HOUSE),
    presets={"balut.org": {}, "simple-balut": {"winner": "sum"}},
    help="""\
What it is about: fill seven boxes with five dice, each of them four times. The most points win.
A turn: throw five dice. Set aside what you like and throw the others again, twice at most. Dice set aside may be thrown
again. Keeping all five ends the throwing. Then choose a box with room and write its score, or 0.
Fours, fives, sixes: the sum of the dice with that number.
The other boxes: a straight from 1 to 5 scores 15, from 2 to 6 it scores 20. A full house, three alike and two alike,
scores the sum of all dice. So does choice, with any dice. A balut, five of a kind, scores the sum and 20.
Points: fours from 52, fives from 65, sixes from 78 and choice from 100 earn 2 each. Four straights earn 4, four full
houses 3. Each balut earns 2. Once the sheet is full, the total of all scores earns points as well: -2 below 300, -1
from 300, 0 from 350, 1 from 400 and so on, 6 from 650.
The end: after 28 turns each. A tie is shared.
House rules: Simple Balut has no points, and the highest total wins. Five of a kind may score as a full house.""",
)


async def play(table: Table) -> Result:
    """Fill seven categories four times each; the most points win."""
    scores = scoring(table)
    table.sheet |= {row: {} for row in (*scores, "total")}
    sheets: dict[int, Entries] = {player: {category: [] for category in scores} for player in table.seats()}
    turns = TIMES * len(scores)
    for player in rounds.turns_due(table, turns, lambda seat: filled(sheets[seat])):
        await table.turn(player, turn(table, player, sheets[player], scores))
    return table.highest(say("everybody has had {n} turns", n=turns))


async def turn(table: Table, player: int, sheet: Entries, scores: boxes.Scores) -> None:
    """Throw, choose a category with room, and write its score."""

    def gives(hand: boxes.BoxHand) -> dict[str, int]:
        return {category: score(hand.dice) for category, score in scores.items() if len(sheet[category]) < TIMES}

    parts = keep_order.likely_first(boxes.any_part, gives, AIMS)
    hand = await boxes.throw_on(table, player, await boxes.throw_first(table, player, DICE), THROWS, parts)
    given = gives(hand)
    category = await table.choose(player, *given, gives=given, question=say("which box?"))
    sheet[category].append(given[category])
    table.say("{name} writes {n} for {box}", name=table.names[player], n=given[category], box=category)
    table.write(category, player, "/".join(map(str, sheet[category])))
    table.write("total", player, total(sheet))
    table.scores[player] = total(sheet) if table.option(WINNER) == "sum" else points(sheet)


def scoring(table: Table) -> boxes.Scores:
    """Return the categories, and the score of five sorted dice in each."""
    low, high = boxes.all_of(LOW_STRAIGHT, LOW_SCORE), boxes.all_of(HIGH_STRAIGHT, HIGH_SCORE)
    return {
        **{box: boxes.UPPER_SCORES[box] for box in ("fours", "fives", "sixes")},
        "straight": lambda dice: low(dice) + high(dice),
        "full house": boxes.of_groups(THREE, PAIR, apart=not table.option(FIVE_AS_FULL_HOUSE)),
        "choice": sum,
        "balut": lambda dice: sum(dice) + BALUT if boxes.all_alike(dice) else 0,
    }


def filled(sheet: Entries) -> int:
    """Return how many turns are on this sheet."""
    return sum(map(len, sheet.values()))


def total(sheet: Entries) -> int:
    """Return the total of all scores."""
    return sum(map(sum, sheet.values()))


def points(sheet: Entries) -> int:
    """Return the current points; those for the total are added once the sheet is full."""
    earned = sum(reward for category, (least, reward) in FROM_SUM.items() if sum(sheet[category]) >= least)
    earned += sum(reward for category, reward in FOR_ALL.items() if made(sheet[category]) == TIMES)
    earned += sum(reward * made(sheet[category]) for category, reward in FOR_EACH.items())
    if filled(sheet) < TIMES * len(sheet):
        return earned
    return earned + max(LOWEST_POINTS, min(HIGHEST_POINTS, (total(sheet) - FIRST_STEP) // STEP - 1))


def made(entries: list[int]) -> int:
    """Return how many entries are more than 0."""
    return sum(score > 0 for score in entries)
