"""Yahtzee: thirteen boxes, three throws each. Source: rollin-bones.txt, "Yahtzee".

dice-play.txt describes it as a variation of Yacht: the same sheet, but neither a joker nor a bonus for later yahtzees.
Kniffel follows the rules of Schmidt Spiele, "Reise-Kniffel"; Triple Yahtzee, by Milton Bradley, yahtzee-rules.com.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from tabletop.rules import COACH, Choice, Faces, Flag, Game, Result, Table, Whole, say
from tabletop.rules.families import boxes, keep_order
from tabletop.rules.families.rounds import turns_due

DICE = 5
THROWS = 3
SMALL_RUN, LARGE_RUN = 4, 5
FULL_HOUSE, SMALL_STRAIGHT, LARGE_STRAIGHT, YAHTZEE = 25, 30, 40, 50
UPPER_GOAL, UPPER_BONUS = 63, 35
YAHTZEE_BONUS, HIGHEST_BONUS = 100, 1000
COLUMNS = ("column 1", "column 2", "column 3")  # of Triple Yahtzee: each is multiplied by its number

JOKER = Flag("joker", True, "a later yahtzee must go to its upper box; if that is full, it counts in any lower box")
BONUS = Flag("bonus", True, "a later yahtzee earns 100 more if the yahtzee box holds 50")
BONUS_POINTS = Whole("bonus_points", YAHTZEE_BONUS, "what a later yahtzee earns", at_least=0, at_most=HIGHEST_BONUS)
BONUS_FOR = Choice(
    "bonus_for",
    "held",
    "when a later yahtzee earns its bonus: the yahtzee box holds 50 (held), it is written in its upper box, or both",
    ("held", "upper", "both"),
)
COLUMNS_PLAYED = Choice(
    "columns", "1", "how many columns a sheet has; the second counts twice, the third three times", ("1", "3")
)
JOKER_RULE = Choice(
    "joker_rule",
    "forced",
    "where a joker goes: to its upper box first, to any empty box, or only to a lower box",
    ("forced", "free", "original"),
)
JOKER_AFTER_ZERO = Flag("joker_after_zero", True, "a later yahtzee is a joker even if the yahtzee box holds 0")
FIVE_AS_FULL_HOUSE = Flag("five_as_full_house", False, "five alike score as a full house even if they are not a joker")

GAME = Game(
    id="yahtzee",
    name="Yahtzee",
    other_names=("Kniffel", "Triple Yahtzee"),
    source="rollin-bones.txt, dice-play.txt",
    dice=DICE,
    layout="boxes",
    upper_goals=(UPPER_GOAL,),
    min_players=1,
    options=(
        *(JOKER, BONUS, JOKER_RULE, JOKER_AFTER_ZERO, FIVE_AS_FULL_HOUSE, BONUS_POINTS, BONUS_FOR, COLUMNS_PLAYED),
        COACH,
    ),
    presets={
        "rollin-bones": {},
        "dice-play": {"joker": False, "bonus": False},
        "free-joker": {"joker_rule": "free"},
        "original-joker": {"joker_rule": "original"},
        "kniffel": {"bonus_points": 50, "bonus_for": "both"},
        "triple-yahtzee": {"columns": "3"},
    },
    help="""\
What it is about: fill thirteen boxes with five dice; the highest total wins.
A turn: throw five dice, then set aside what you like and throw the others again, twice at most. Dice set aside may be
thrown again. Keeping all five ends the throwing. Then choose an empty box and write its points there, or 0.
Upper boxes, ones to sixes: the sum of the dice with that number; 35 more once the six boxes have 63 or more.
Lower boxes: three of a kind and four of a kind, the sum of all dice; full house 25; small straight, a run of four, 30;
large straight, a run of five, 40; Yahtzee, five of a kind, 50; chance, the sum of all dice.
Another Yahtzee: once the Yahtzee box is filled, a later one earns 100 more if the box holds 50, and the throw is a
joker. It goes to the upper box of its number; if that is filled, to any lower box, where full house and straights count
in full; if none is empty, a 0 goes in an upper box.
The end: after thirteen rounds. A tie is shared.
Kniffel (Schmidt): a later Yahtzee earns 50, not 100, and only if the Yahtzee box holds 50 and it is written in its
upper box. As a joker it earns nothing more.
Triple Yahtzee: each box can be filled three times, in three columns, so there are 39 rounds. First choose the box, then
the column. The second column counts twice, the third three times, bonuses too; the sheet shows 18/-/25. A Yahtzee is a
later one when all three Yahtzee boxes are filled; it is a joker when its upper box is filled in all columns.
House rules: Without jokers, a later Yahtzee earns no bonus either. A free joker goes to any empty box, and counts in
full below once its upper box is filled. An original joker goes to a lower box only. A 0 in the Yahtzee box rules out
jokers. Five of a kind always counts as a full house. The bonus of a later Yahtzee is higher or lower, or needs its
upper box.""",
)

LOWER: Mapping[str, Callable[[Faces], int]] = {
    "three of a kind": lambda dice: sum(dice) if boxes.alike(dice)[0] >= 3 else 0,  # noqa: PLR2004 - the box's name
    "four of a kind": lambda dice: sum(dice) if boxes.alike(dice)[0] >= 4 else 0,  # noqa: PLR2004 - the box's name
    "full house": lambda dice: FULL_HOUSE if boxes.full_house(dice, five_alike=False) else 0,
    "small straight": lambda dice: SMALL_STRAIGHT if boxes.run_of(dice, SMALL_RUN) else 0,
    "large straight": lambda dice: LARGE_STRAIGHT if boxes.run_of(dice, LARGE_RUN) else 0,
    "yahtzee": lambda dice: YAHTZEE if boxes.all_alike(dice) else 0,
    "chance": sum,
}
JOKER_SCORES: Mapping[str, int] = {
    "full house": FULL_HOUSE,
    "small straight": SMALL_STRAIGHT,
    "large straight": LARGE_STRAIGHT,
}
BOXES = (*boxes.UPPER, *LOWER)
SMALL, LARGE = ((1, 2, 3, 4), (2, 3, 4, 5), (3, 4, 5, 6)), ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6))
AIMS = keep_order.Aims(
    whole=frozenset({"full house", "large straight", "yahtzee"}),
    straights={"small straight": SMALL, "large straight": LARGE},
    house="full house",
)
Sheets = Sequence[boxes.Sheet]  # of one player, a sheet for each column
ROWS = (*boxes.UPPER, "upper bonus", *LOWER, "yahtzee bonus")


@cache
def box_score(box: str, dice: Faces) -> int:
    """Return the score of five sorted dice in this box without a joker."""
    return boxes.UPPER_SCORES[box](dice) if box in boxes.UPPER else LOWER[box](dice)


async def play(table: Table) -> Result:
    """Play thirteen rounds for each column; the highest total wins."""
    columns = int(table.option(COLUMNS_PLAYED))
    every = [boxes.new_sheets(table, ROWS) for _ in range(columns)]
    rounds = len(BOXES) * columns
    sheets = {player: tuple(sheets[player] for sheets in every) for player in table.seats()}
    for player in turns_due(table, rounds, lambda seat: sum(len(sheet.keys() & set(BOXES)) for sheet in sheets[seat])):
        await table.turn(player, turn(table, player, sheets[player]))
    if columns == 1:
        return table.highest(say("all thirteen rounds are played"))
    return table.highest(say("all {n} rounds are played", n=rounds))


async def turn(table: Table, player: int, sheets: Sheets) -> None:
    """Throw, choose a box and its column, and write its points there."""
    parts = keep_order.likely_first(boxes.any_part, lambda hand: worth_making(table, hand.dice, sheets), AIMS)
    hand = await boxes.throw_on(table, player, await boxes.throw_first(table, player, DICE), THROWS, parts)
    gives = open_boxes(table, hand.dice, sheets)
    box = await table.choose(player, *gives, gives=gives, question=say("which box?"))
    sheet = sheets[0] if len(sheets) == 1 else await choose_column(table, player, sheets, box, gives[box])
    if earns_bonus(table, hand.dice, sheets, box):
        points = table.option(BONUS_POINTS)
        sheet["yahtzee bonus"] = sheet.get("yahtzee bonus", 0) + points
        table.say("{name} earns {n} for another yahtzee", name=table.names[player], n=points)
    boxes.write_box(table, player, sheet, box, gives[box])
    if boxes.upper_total(sheet) >= UPPER_GOAL:
        sheet["upper bonus"] = UPPER_BONUS
    add_up_columns(table, player, sheets)


async def choose_column(table: Table, player: int, sheets: Sheets, box: str, points: int) -> boxes.Sheet:
    """Let the player choose a column in which this box is empty; its points are multiplied by the column's number."""
    gives = {name: points * times for times, name in enumerate(COLUMNS, start=1) if box not in sheets[times - 1]}
    column = await table.choose(player, *gives, gives=gives, question=say("which column?"))
    return sheets[COLUMNS.index(column)]


def add_up_columns(table: Table, player: int, sheets: Sheets) -> None:
    """Update the player's column on the shared sheet; a row with several columns reads 18/-/25.

    The score is the grand total.
    """
    if len(sheets) == 1:
        boxes.add_up(table, player, sheets[0])
        return
    for row in ROWS:
        if any(row in sheet for sheet in sheets):
            table.write(row, player, "/".join(str(sheet.get(row, "-")) for sheet in sheets))
    table.scores[player] = sum(times * sum(sheet.values()) for times, sheet in enumerate(sheets, start=1))


def open_boxes(table: Table, dice: Faces, sheets: Sheets) -> dict[str, int]:
    """Return the boxes that may be filled with these dice, in the order of the sheet, and their scores."""
    gives = {box: box_score(box, dice) for box in BOXES if any(box not in sheet for sheet in sheets)}
    if not boxes.all_alike(dice):
        return gives
    if table.option(FIVE_AS_FULL_HOUSE) and "full house" in gives:
        gives["full house"] = FULL_HOUSE
    if not is_joker(table, sheets):
        return gives
    own = own_box(dice)
    joker = gives | {box: points for box, points in JOKER_SCORES.items() if box in gives}
    lower = {box: points for box, points in joker.items() if box in LOWER}
    match table.option(JOKER_RULE):
        case "free":
            return gives if own in gives else joker
        case "forced" if own in gives:
            return {own: gives[own]}
        case _:
            return lower or dict.fromkeys(gives, 0)


def worth_making(table: Table, dice: Faces, sheets: Sheets) -> dict[str, int]:
    """Return the possible goals with these dice: the open boxes, and another yahtzee if it earns a bonus."""
    gives = open_boxes(table, dice, sheets)
    earns = any(earns_bonus(table, dice, sheets, box) for box in gives)
    return gives | {"yahtzee": table.option(BONUS_POINTS)} if earns else gives


def own_box(dice: Faces) -> str:
    """Return the upper box of a yahtzee's face."""
    return next(box for box, face in boxes.UPPER.items() if face == dice[0])


def is_joker(table: Table, sheets: Sheets) -> bool:
    """Whether five of a kind are another yahtzee, which may fill another box as a joker."""
    return table.option(JOKER) and all(
        "yahtzee" in sheet and (table.option(JOKER_AFTER_ZERO) or sheet["yahtzee"] == YAHTZEE) for sheet in sheets
    )


def earns_bonus(table: Table, dice: Faces, sheets: Sheets, box: str) -> bool:
    """Whether these dice, about to be written in this box, are a later yahtzee that earns a bonus."""
    if not (table.option(BONUS) and boxes.all_alike(dice)):
        return False
    when = table.option(BONUS_FOR)
    enough = range(YAHTZEE + 1) if when == "upper" else (YAHTZEE,)
    return all(sheet.get("yahtzee") in enough for sheet in sheets) and (when == "held" or box == own_box(dice))
