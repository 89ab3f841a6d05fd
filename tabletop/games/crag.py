"""Crag: thirteen boxes, three dice, two throws each. Source: dice-play.txt, "Crag"."""

from tabletop.rules import COACH, Faces, Flag, Game, Result, Table, say
from tabletop.rules.families import boxes, keep_order

DICE = 3
THROWS = 2
ODD_STRAIGHT, EVEN_STRAIGHT, LOW_STRAIGHT, HIGH_STRAIGHT = (1, 3, 5), (2, 4, 6), (1, 2, 3), (4, 5, 6)
STRAIGHTS = {
    "odd straight": (ODD_STRAIGHT,),
    "even straight": (EVEN_STRAIGHT,),
    "low straight": (LOW_STRAIGHT,),
    "high straight": (HIGH_STRAIGHT,),
}
AIMS = keep_order.Aims(whole=frozenset({*STRAIGHTS, "three of a kind", "thirteen", "crag"}), straights=STRAIGHTS)
STRAIGHT_SCORE = 20
THREE_OF_A_KIND = 25
TOTAL, THIRTEEN, CRAG = 13, 26, 50

CRAG_AS_THIRTEEN = Flag("crag_as_thirteen", False, "13 with a double may also score 26 as thirteen")

GAME = Game(
    id="crag",
    name="Crag",
    source="dice-play.txt",
    dice=DICE,
    layout="boxes",
    min_players=1,
    options=(CRAG_AS_THIRTEEN, COACH),
    presets={"dice-play": {}},
    help="""\
What it is about: fill thirteen boxes with three dice. The highest total wins.
A turn: throw three dice. You may throw any or all of them again, once. Then choose an empty box and write its points,
or 0.
Ones to sixes: the sum of the dice with that number.
Straights: odd 1-3-5, even 2-4-6, low 1-2-3, high 4-5-6 score 20 each. Three of a kind scores 25.
Thirteen and crag: a total of 13 without a double (2-5-6, 3-4-6) is a thirteen and scores 26. A 13 with a double (1-6-6,
3-5-5, 4-4-5) is a crag and scores 50.
The end: when everyone has had thirteen turns. A tie is shared.
House rules: a crag may score as a thirteen as well.""",
)


async def play(table: Table) -> Result:
    """Play thirteen turns each; the highest total wins."""
    scores = scoring(table)
    sheets = boxes.new_sheets(table, scores)
    for player in boxes.boxes_due(table, sheets, scores):
        await table.turn(player, turn(table, player, sheets[player], scores))
    return table.highest(say("everybody has had thirteen turns"))


async def turn(table: Table, player: int, sheet: boxes.Sheet, scores: boxes.Scores) -> None:
    """Throw, choose an empty box, and write its points."""
    parts = keep_order.likely_first(boxes.any_part, lambda hand: boxes.empty_boxes(sheet, scores, hand.dice), AIMS)
    hand = await boxes.throw_on(table, player, await boxes.throw_first(table, player, DICE), THROWS, parts)
    await boxes.fill_a_box(table, player, sheet, boxes.empty_boxes(sheet, scores, hand.dice))


def scoring(table: Table) -> boxes.Scores:
    """Return the boxes, and the score of three sorted dice in each."""
    double_will_do = table.option(CRAG_AS_THIRTEEN)
    return {
        **boxes.UPPER_SCORES,
        "odd straight": lambda dice: STRAIGHT_SCORE if dice == ODD_STRAIGHT else 0,
        "even straight": lambda dice: STRAIGHT_SCORE if dice == EVEN_STRAIGHT else 0,
        "low straight": lambda dice: STRAIGHT_SCORE if dice == LOW_STRAIGHT else 0,
        "high straight": lambda dice: STRAIGHT_SCORE if dice == HIGH_STRAIGHT else 0,
        "three of a kind": lambda dice: THREE_OF_A_KIND if boxes.all_alike(dice) else 0,
        "thirteen": lambda dice: THIRTEEN if sum(dice) == TOTAL and (double_will_do or not double(dice)) else 0,
        "crag": lambda dice: CRAG if sum(dice) == TOTAL and double(dice) else 0,
    }


def double(dice: Faces) -> bool:
    """Whether two dice show the same face."""
    return len(set(dice)) < DICE
