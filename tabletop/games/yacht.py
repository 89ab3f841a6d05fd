"""Yacht: twelve boxes, three throws each. Source: dice-play.txt, "Yacht".

The score sheet printed there is shared with Yahtzee: it has one box and a bonus more than the text, and four of a kind
counts all dice. It is the preset `printed-sheet`.
"""

from tabletop.rules import COACH, Choice, Faces, Flag, Game, Result, Table, say
from tabletop.rules.families import boxes, keep_order

DICE = 5
THROWS = 3
LITTLE_STRAIGHT, BIG_STRAIGHT, STRAIGHT = (1, 2, 3, 4, 5), (2, 3, 4, 5, 6), 30
THREE, FOUR = 3, 4
YACHT = 50
BONUS_GOAL, BONUS = 63, 35  # of the printed sheet

AIMS = keep_order.Aims(
    whole=frozenset({"little straight", "big straight", "full house", "yacht"}),
    straights={"little straight": (LITTLE_STRAIGHT,), "big straight": (BIG_STRAIGHT,)},
    house="full house",
)

FOUR_OF_A_KIND = Choice("four_of_a_kind", "four", "what four of a kind scores: four dice, or all five", ("four", "all"))
FIVE_AS_FOUR = Flag("five_as_four", True, "five alike may be written as four of a kind")
FIVE_AS_FULL_HOUSE = Flag("five_as_full_house", False, "five alike may be written as a full house")
PICK_UP = Flag("pick_up", True, "dice set aside may be thrown again later in the turn")
THREE_OF_A_KIND = Flag("three_of_a_kind", False, "a thirteenth box, three of a kind, the total of all dice")
UPPER_BONUS = Flag("upper_bonus", False, "35 bonus points for 63 or more in ones to sixes")

GAME = Game(
    id="yacht",
    name="Yacht",
    other_names=("Cheerio", "Yot", "Yam"),
    source="dice-play.txt",
    dice=DICE,
    layout="boxes",
    upper_goals=(BONUS_GOAL,),
    min_players=1,
    options=(FOUR_OF_A_KIND, FIVE_AS_FOUR, FIVE_AS_FULL_HOUSE, PICK_UP, THREE_OF_A_KIND, UPPER_BONUS, COACH),
    presets={"dice-play": {}, "printed-sheet": {"four_of_a_kind": "all", "three_of_a_kind": True, "upper_bonus": True}},
    help="""\
What it is about: fill twelve boxes with five dice; the highest total wins.
A turn: throw five dice, then set aside what you like and throw the others again, twice at most. Dice set aside may be
thrown again. Keeping all five ends the throwing. Then choose an empty box and write its points there, or 0.
Ones to sixes: the sum of the dice with that number.
The other boxes: little straight, 1 to 5, and big straight, 2 to 6, are 30; full house, three alike and two alike, and
chance are the sum of all dice; four of a kind is the sum of the four; Yacht, five of a kind, is 50.
The end: when everyone has had twelve turns. The score is the total of all boxes; a tie is shared.
House rules: With bonus, four of a kind counts all dice, three of a kind is a thirteenth box, and 63 or more in ones to
sixes earn 35. Five of a kind may score as a full house, or not as four of a kind. Dice set aside stay there.""",
)


async def play(table: Table) -> Result:
    """Play twelve turns each, or as many as there are boxes; the highest total wins."""
    scores = scoring(table)
    sheets = boxes.new_sheets(table, (*scores, "upper bonus") if table.option(UPPER_BONUS) else scores)
    for player in boxes.boxes_due(table, sheets, scores):
        await table.turn(player, turn(table, player, sheets[player], scores))
    return table.highest(say("everybody has had {n} turns", n=len(scores)))


async def turn(table: Table, player: int, sheet: boxes.Sheet, scores: boxes.Scores) -> None:
    """Throw, choose an empty box, and write its points."""
    allowed = boxes.parts_allowed(pick_up=table.option(PICK_UP))
    parts = keep_order.likely_first(allowed, lambda hand: boxes.empty_boxes(sheet, scores, hand.dice), AIMS)
    hand = await boxes.throw_on(table, player, await boxes.throw_first(table, player, DICE), THROWS, parts)
    bonus = boxes.goal_bonus(BONUS_GOAL, BONUS if table.option(UPPER_BONUS) else 0)
    await boxes.fill_a_box(table, player, sheet, boxes.empty_boxes(sheet, scores, hand.dice), bonus)


def scoring(table: Table) -> boxes.Scores:
    """Return the boxes in play, and the score of five sorted dice in each."""
    five_will_do = table.option(FIVE_AS_FULL_HOUSE)
    three: boxes.Scores = {"three of a kind": lambda dice: sum(dice) if boxes.alike(dice)[0] >= THREE else 0}
    return {
        **boxes.UPPER_SCORES,
        "little straight": lambda dice: STRAIGHT if dice == LITTLE_STRAIGHT else 0,
        "big straight": lambda dice: STRAIGHT if dice == BIG_STRAIGHT else 0,
        "full house": lambda dice: sum(dice) if boxes.full_house(dice, five_alike=five_will_do) else 0,
        **(three if table.option(THREE_OF_A_KIND) else {}),
        "four of a kind": lambda dice: four_of_a_kind(table, dice),
        "chance": sum,
        "yacht": lambda dice: YACHT if boxes.all_alike(dice) else 0,
    }


def four_of_a_kind(table: Table, dice: Faces) -> int:
    """Return the total of the four equal dice, or of all dice."""
    if boxes.alike(dice)[0] < FOUR or (boxes.all_alike(dice) and not table.option(FIVE_AS_FOUR)):
        return 0
    face = dice[DICE // 2]  # the middle die is one of the four
    return FOUR * face if table.option(FOUR_OF_A_KIND) == "four" else sum(dice)
