"""Maxi Yatzy: twenty boxes, six dice, throws saved for later turns. Source: maxiyatzy.com, "MaxiYatzy regler".

This is the sheet sold by Alga in Sweden. svenskaspelregler.se, "Maxi yatzy regler", has a bonus of 50 from 75 points in
the upper boxes, and no saved throws.
"""

from collections.abc import Mapping

from tabletop.rules import Flag, Game, Result, Table, Whole, say
from tabletop.rules.families import boxes, keep_order

DICE = 6
THROWS = 3  # per turn; unused ones are saved
PAIR, THREE, FOUR, FIVE = 2, 3, 4, 5
SMALL_STRAIGHT, SMALL_SCORE = (1, 2, 3, 4, 5), 15
LARGE_STRAIGHT, LARGE_SCORE = (2, 3, 4, 5, 6), 20
FULL_STRAIGHT, FULL_SCORE = (1, 2, 3, 4, 5, 6), 21
MAXI_YATZY = 100
USUAL_GOAL, MOST_UPPER = 84, 126  # four dice of each face; all six dice of each
USUAL_BONUS, HIGHEST_BONUS = 100, 1000
SAVED_ROW = "saved"

AIMS = keep_order.Aims(
    whole=frozenset({"three pairs", "full straight", "villa", "tower", "maxi yatzy"}),
    straights={
        "small straight": (SMALL_STRAIGHT,),
        "large straight": (LARGE_STRAIGHT,),
        "full straight": (FULL_STRAIGHT,),
    },
    house="full house",
)

SAVE_THROWS = Flag("save_throws", True, "unused throws are saved for later turns")
GOAL = Whole("goal", USUAL_GOAL, "the points in ones to sixes that earn the bonus", at_least=1, at_most=MOST_UPPER)
BONUS = Whole("bonus", USUAL_BONUS, "points for reaching the goal in ones to sixes", at_least=0, at_most=HIGHEST_BONUS)
SAME_FACE = Flag("same_face", False, "pairs, house, villa and tower may use dice that are all alike")

GAME = Game(
    id="maxi-yatzy",
    name="Maxi Yatzy",
    other_names=("Maxi", "Maxi Yatsy", "Maxi Yahtzee", "Maksi Jatsi"),
    source='maxiyatzy.com, "MaxiYatzy regler"',
    dice=DICE,
    layout="boxes",
    min_players=1,
    options=(SAVE_THROWS, GOAL, BONUS, SAME_FACE),
    presets={"saved-throws": {}, "short-maxi": {"save_throws": False, "goal": 75, "bonus": 50}},
    help="""\
What it is about: fill twenty boxes with six dice. The highest total wins.
A turn: throw six dice. Set aside what you like and throw the others again, twice at most. Dice set aside may be thrown
again. Keeping all six ends the throwing. Then choose an empty box and write its points, or 0. Throws that you do not
make are saved: make them in a later turn, as many as you like.
Ones to sixes: the sum of the dice with that number, and 100 more once the six boxes have 84 or more.
Pairs and kinds: one, two or three pairs and three, four or five of a kind score the sum of the dice that make them, the
highest if there are several. Pairs have different numbers.
Full house, villa, tower: a full house, three and two alike, scores the sum of the five. A villa, three and three alike,
and a tower, two and four alike, score the sum of all.
Straights: the small one, 1 to 5, scores 15. The large one, 2 to 6, scores 20. The full one, 1 to 6, scores 21.
Chance: the sum of all dice.
Maxi yatzy: six of a kind scores 100.
The end: when everyone has had twenty turns. A tie is shared.
House rules: without saved throws, throws not made are lost, and the bonus is 50 for 75 in ones to sixes. If pairs,
house, villa and tower may be all alike, 4 4 4 4 are two pairs too, and six alike are anything but a straight.""",
)


async def play(table: Table) -> Result:
    """Fill twenty boxes each; the highest total wins."""
    scores = scoring(apart=not table.option(SAME_FACE))
    sheets = boxes.new_sheets(table, boxes.rows_with_bonus(scores))
    saved = dict.fromkeys(sheets, 0)
    for player in boxes.boxes_due(table, sheets, scores):
        await table.turn(player, turn(table, player, sheets[player], saved, scores))
    return table.highest(say("everybody has had {n} turns", n=len(scores)))


async def turn(table: Table, player: int, sheet: boxes.Sheet, saved: dict[int, int], scores: boxes.Scores) -> None:
    """Throw, using saved throws as well; choose an empty box, write its points, and save unused throws."""

    def gives(hand: boxes.BoxHand) -> Mapping[str, int]:
        return boxes.empty_boxes(sheet, scores, hand.dice)

    throws = THROWS + saved[player]
    parts = keep_order.likely_first(boxes.any_part, gives, AIMS)
    hand = await boxes.throw_on(table, player, await boxes.throw_first(table, player, DICE), throws, parts)
    await boxes.fill_a_box(table, player, sheet, gives(hand), boxes.goal_bonus(table.option(GOAL), table.option(BONUS)))
    if table.option(SAVE_THROWS):
        saved[player] = throws - hand.throws
        table.write(SAVED_ROW, player, saved[player])


def scoring(*, apart: bool) -> boxes.Scores:
    """Return the boxes, and the score of six sorted dice in each.

    apart: whether groups of equal dice must have different faces.
    """
    return {
        **boxes.UPPER_SCORES,
        "one pair": boxes.of_groups(PAIR),
        "two pairs": boxes.of_groups(PAIR, PAIR, apart=apart),
        "three pairs": boxes.of_groups(PAIR, PAIR, PAIR, apart=apart),
        "three of a kind": boxes.of_groups(THREE),
        "four of a kind": boxes.of_groups(FOUR),
        "five of a kind": boxes.of_groups(FIVE),
        "small straight": boxes.all_of(SMALL_STRAIGHT, SMALL_SCORE),
        "large straight": boxes.all_of(LARGE_STRAIGHT, LARGE_SCORE),
        "full straight": boxes.all_of(FULL_STRAIGHT, FULL_SCORE),
        "full house": boxes.of_groups(THREE, PAIR, apart=apart),
        "villa": boxes.of_groups(THREE, THREE, apart=apart),
        "tower": boxes.of_groups(FOUR, PAIR, apart=apart),
        "chance": sum,
        "maxi yatzy": lambda dice: MAXI_YATZY if boxes.all_alike(dice) else 0,
    }
