"""Yatzy: fifteen boxes, five dice, three throws each. Source: Wikipedia, "Yatzy".

This is the sheet sold by Alga in Sweden; yatzy-yahtzeeeee.dk, "Yatzy - the Scandinavian version", has it too.
"""

from tabletop.rules import Flag, Game, Result, Table, Whole, say
from tabletop.rules.families import boxes, keep_order

DICE = 5
THROWS = 3
PAIR, THREE, FOUR = 2, 3, 4
SMALL_STRAIGHT, SMALL_SCORE = (1, 2, 3, 4, 5), 15
LARGE_STRAIGHT, LARGE_SCORE = (2, 3, 4, 5, 6), 20
YATZY = 50
BONUS_GOAL, USUAL_BONUS, HIGHEST_BONUS = 63, 50, 1000

AIMS = keep_order.Aims(
    whole=frozenset({"small straight", "large straight", "full house", "yatzy"}),
    straights={"small straight": (SMALL_STRAIGHT,), "large straight": (LARGE_STRAIGHT,)},
    house="full house",
)

IN_ORDER = Flag("in_order", False, "boxes must be filled from top to bottom")
BONUS = Whole("bonus", USUAL_BONUS, "points for 63 or more in ones to sixes", at_least=0, at_most=HIGHEST_BONUS)
FOUR_AS_TWO_PAIRS = Flag("four_as_two_pairs", False, "four alike may be written as two pairs")
FIVE_AS_FULL_HOUSE = Flag("five_as_full_house", False, "five alike may be written as a full house")

GAME = Game(
    id="yatzy",
    name="Yatzy",
    other_names=("Forced Yatzy", "Yatsy", "Yatze", "Jatzy", "Jatsi"),
    source='Wikipedia, "Yatzy"',
    dice=DICE,
    layout="boxes",
    upper_goals=(BONUS_GOAL,),
    min_players=1,
    options=(IN_ORDER, BONUS, FOUR_AS_TWO_PAIRS, FIVE_AS_FULL_HOUSE),
    presets={"scandinavian": {}, "forced-yatzy": {"in_order": True}},
    help="""\
What it is about: fill fifteen boxes with five dice; the highest total wins.
A turn: throw five dice, then set aside what you like and throw the others again, twice at most. Dice set aside may be
thrown again. Keeping all five ends the throwing. Then choose an empty box and write its points there, or 0.
Ones to sixes: the sum of the dice with that number; 50 more once the six boxes have 63 or more.
Pairs, three and four of a kind: the sum of the dice that make it, the highest if there are two.
The other boxes: small straight, 1 to 5, is 15; large straight, 2 to 6, is 20; full house, three alike and two alike,
and chance are the sum of all dice; Yatzy, five of a kind, is 50.
The end: when everyone has had fifteen turns. A tie is shared.
Forced Yatzy: the boxes are filled from top to bottom, from ones down to Yatzy.
House rules: The bonus is 100, or there is none. 4 4 4 4 may score as two pairs, five of a kind as a full house.""",
)


async def play(table: Table) -> Result:
    """Fill fifteen boxes each; the highest total wins."""
    scores = scoring(table)
    sheets = boxes.new_sheets(table, boxes.rows_with_bonus(scores))
    for player in boxes.boxes_due(table, sheets, scores):
        await table.turn(player, turn(table, player, sheets[player], scores))
    return table.highest(say("everybody has had {n} turns", n=len(scores)))


async def turn(table: Table, player: int, sheet: boxes.Sheet, scores: boxes.Scores) -> None:
    """Throw, choose an empty box, and write its points."""

    def gives(hand: boxes.BoxHand) -> dict[str, int]:
        empty = boxes.empty_boxes(sheet, scores, hand.dice)
        return dict(list(empty.items())[:1]) if table.option(IN_ORDER) else empty

    parts = keep_order.likely_first(boxes.any_part, gives, AIMS)
    hand = await boxes.throw_on(table, player, await boxes.throw_first(table, player, DICE), THROWS, parts)
    bonus = boxes.goal_bonus(BONUS_GOAL, table.option(BONUS))
    await boxes.fill_a_box(table, player, sheet, gives(hand), bonus)


def scoring(table: Table) -> boxes.Scores:
    """Return the boxes, and the score of five sorted dice in each."""
    return {
        **boxes.UPPER_SCORES,
        "one pair": boxes.of_groups(PAIR),
        "two pairs": boxes.of_groups(PAIR, PAIR, apart=not table.option(FOUR_AS_TWO_PAIRS)),
        "three of a kind": boxes.of_groups(THREE),
        "four of a kind": boxes.of_groups(FOUR),
        "small straight": boxes.all_of(SMALL_STRAIGHT, SMALL_SCORE),
        "large straight": boxes.all_of(LARGE_STRAIGHT, LARGE_SCORE),
        "full house": boxes.of_groups(THREE, PAIR, apart=not table.option(FIVE_AS_FULL_HOUSE)),
        "chance": sum,
        "yatzy": lambda dice: YATZY if boxes.all_alike(dice) else 0,
    }
