"""Yahtzee: thirteen boxes, three throws each. Source: rollin-bones.txt, "Yahtzee".

dice-play.txt tells it as a variation of Yacht: the same sheet, but neither joker nor bonus for a later yahtzee.
"""

from collections.abc import Callable, Mapping
from functools import cache

from tabletop.core.message import say
from tabletop.rules.families.boxes import (
    UPPER,
    UPPER_SCORES,
    Sheet,
    add_up,
    alike,
    all_alike,
    any_part,
    boxes_due,
    full_house,
    new_sheets,
    run_of,
    throw_first,
    throw_on,
    upper_total,
    write_box,
)
from tabletop.rules.families.keep_order import Aims, likely_first
from tabletop.rules.game import Game, Result
from tabletop.rules.options import Choice, Flag
from tabletop.rules.requests import Faces
from tabletop.rules.table import Table

DICE = 5
THROWS = 3
SMALL_RUN, LARGE_RUN = 4, 5
FULL_HOUSE, SMALL_STRAIGHT, LARGE_STRAIGHT, YAHTZEE = 25, 30, 40, 50
UPPER_GOAL, UPPER_BONUS = 63, 35
YAHTZEE_BONUS = 100

JOKER = Flag("joker", True, "a later yahtzee must go to its upper box, else counts in any lower box")
BONUS = Flag("bonus", True, "a later yahtzee earns 100 more where the yahtzee box holds 50")
JOKER_RULE = Choice(
    "joker_rule",
    "forced",
    "where a joker goes: to its upper box first, to any empty box, or only to a lower box",
    ("forced", "free", "original"),
)
JOKER_AFTER_ZERO = Flag("joker_after_zero", True, "a later yahtzee is a joker also where the yahtzee box holds 0")
FIVE_AS_FULL_HOUSE = Flag("five_as_full_house", False, "five alike are a full house even when they are no joker")

GAME = Game(
    id="yahtzee",
    name="Yahtzee",
    nearest_to=("Kniffel",),
    source="rollin-bones.txt, dice-play.txt",
    dice=DICE,
    min_players=1,
    options=(JOKER, BONUS, JOKER_RULE, JOKER_AFTER_ZERO, FIVE_AS_FULL_HOUSE),
    presets={
        "rollin-bones": {},
        "dice-play": {"joker": False, "bonus": False},
        "free-joker": {"joker_rule": "free"},
        "original-joker": {"joker_rule": "original"},
    },
    help="""\
What it is about: fill thirteen boxes with five dice; the highest total wins.
A turn: throw five dice, then set aside what you like and throw the others again, twice at most. Dice set aside may be
taken up again. Keeping all five ends the throwing. Then choose an empty box and write its points, or 0.
Upper boxes, ones to sixes: the sum of the dice with that face; 35 more once the six boxes have 63 or more.
Lower boxes: three of a kind and four of a kind, the sum of all dice; full house 25; small straight, four in a row, 30;
large straight, five in a row, 40; yahtzee, five of a kind, 50; chance, the sum of all dice.
Another yahtzee when the yahtzee box is filled: 100 more if it holds 50, and the throw is a joker: it goes to the upper
box of its face; if that is filled, to any lower box, where full house and straights count in full; if none is empty,
a 0 in an upper box.
The sheet shows what is in each box, the two bonuses once they are earned, and how many throws the turn has had. The
score is the total of all.
The end: after thirteen rounds. A tie is shared.
rules=dice-play has neither joker nor bonus for later yahtzees. Two house rules (yatzy-yahtzeeeee.dk, "Yahtzee joker
rules"): rules=free-joker lets a joker go to any empty box, and counts it in full below once its upper box is filled;
rules=original-joker lets it go to lower boxes only.
Options: joker_after_zero=false, no joker where the yahtzee box holds 0; five_as_full_house=true, five alike always
count as a full house.""",
)

LOWER: Mapping[str, Callable[[Faces], int]] = {
    "three of a kind": lambda dice: sum(dice) if alike(dice)[0] >= 3 else 0,  # noqa: PLR2004 - the box's name
    "four of a kind": lambda dice: sum(dice) if alike(dice)[0] >= 4 else 0,  # noqa: PLR2004 - the box's name
    "full house": lambda dice: FULL_HOUSE if full_house(dice, five_alike=False) else 0,
    "small straight": lambda dice: SMALL_STRAIGHT if run_of(dice, SMALL_RUN) else 0,
    "large straight": lambda dice: LARGE_STRAIGHT if run_of(dice, LARGE_RUN) else 0,
    "yahtzee": lambda dice: YAHTZEE if all_alike(dice) else 0,
    "chance": sum,
}
JOKER_SCORES: Mapping[str, int] = {
    "full house": FULL_HOUSE,
    "small straight": SMALL_STRAIGHT,
    "large straight": LARGE_STRAIGHT,
}
BOXES = (*UPPER, *LOWER)
SMALL, LARGE = ((1, 2, 3, 4), (2, 3, 4, 5), (3, 4, 5, 6)), ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6))
AIMS = Aims(
    whole=frozenset({"full house", "large straight", "yahtzee"}),
    straights={"small straight": SMALL, "large straight": LARGE},
    house="full house",
)
ROWS = (*UPPER, "upper bonus", *LOWER, "yahtzee bonus")


@cache
def box_score(box: str, dice: Faces) -> int:
    """Return what these five dice, sorted, score in this box without a joker."""
    return UPPER_SCORES[box](dice) if box in UPPER else LOWER[box](dice)


async def play(table: Table) -> Result:
    """Play thirteen rounds; the highest total wins."""
    sheets = new_sheets(table, ROWS)
    for player in boxes_due(table, sheets, BOXES):
        await table.turn(player, turn(table, player, sheets[player]))
    return table.highest(say("all thirteen rounds are played"))


async def turn(table: Table, player: int, sheet: Sheet) -> None:
    """Throw, choose a box, and write its points on the player's sheet."""
    parts = likely_first(any_part, lambda hand: open_boxes(table, hand.dice, sheet), AIMS)
    hand = await throw_on(table, player, await throw_first(table, player, DICE), THROWS, parts)
    gives = open_boxes(table, hand.dice, sheet)
    box = await table.choose(player, *gives, gives=gives, question=say("which box?"))
    if table.option(BONUS) and all_alike(hand.dice) and sheet.get("yahtzee") == YAHTZEE:
        sheet["yahtzee bonus"] = sheet.get("yahtzee bonus", 0) + YAHTZEE_BONUS
        table.say("{name} earns {n} for another yahtzee", name=table.names[player], n=YAHTZEE_BONUS)
    write_box(table, player, sheet, box, gives[box])
    if upper_total(sheet) >= UPPER_GOAL:
        sheet["upper bonus"] = UPPER_BONUS
    add_up(table, player, sheet)


def open_boxes(table: Table, dice: Faces, sheet: Sheet) -> dict[str, int]:
    """Return the boxes that may be filled with these dice, in the sheet's order, and what each would score."""
    gives = {box: box_score(box, dice) for box in BOXES if box not in sheet}
    if not all_alike(dice):
        return gives
    if table.option(FIVE_AS_FULL_HOUSE) and "full house" in gives:
        gives["full house"] = FULL_HOUSE
    if not is_joker(table, sheet):
        return gives
    own = next(box for box, face in UPPER.items() if face == dice[0])
    joker = gives | {box: points for box, points in JOKER_SCORES.items() if box in gives}
    lower = {box: points for box, points in joker.items() if box in LOWER}
    match table.option(JOKER_RULE):
        case "free":
            return gives if own in gives else joker
        case "forced" if own in gives:
            return {own: gives[own]}
        case _:
            return lower or dict.fromkeys(gives, 0)


def is_joker(table: Table, sheet: Sheet) -> bool:
    """Whether five alike are another yahtzee, which counts in the place of something else."""
    filled = "yahtzee" in sheet and (table.option(JOKER_AFTER_ZERO) or sheet["yahtzee"] == YAHTZEE)
    return table.option(JOKER) and filled
