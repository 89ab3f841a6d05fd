"""Yahtzee: thirteen boxes, three throws each. Source: rollin-bones.txt, "Yahtzee".

dice-play.txt tells it as a variation of Yacht: the same sheet, but neither joker nor bonus for a later yahtzee.
"""

from collections.abc import Callable, Mapping
from functools import cache
from itertools import pairwise

from tabletop.rules.game import Game, Result
from tabletop.rules.options import Flag
from tabletop.rules.parts import parts_of
from tabletop.rules.questions import Faces
from tabletop.rules.table import Table

DICE = 5
THROWS = 3
SMALL_RUN, LARGE_RUN = 4, 5
FULL_HOUSE, SMALL_STRAIGHT, LARGE_STRAIGHT, YAHTZEE = 25, 30, 40, 50
UPPER_GOAL, UPPER_BONUS = 63, 35
YAHTZEE_BONUS = 100

JOKER = Flag("joker", True, "a later yahtzee must go to its upper box, else counts in any lower box")
BONUS = Flag("bonus", True, "a later yahtzee earns 100 more where the yahtzee box holds 50")

GAME = Game(
    id="yahtzee",
    name="Yahtzee",
    source="rollin-bones.txt, dice-play.txt",
    dice=DICE,
    min_players=1,
    options=(JOKER, BONUS),
    presets={"rollin-bones": {}, "dice-play": {"joker": False, "bonus": False}},
    help="""\
What it is about: fill thirteen boxes with five dice; the highest total wins.
A turn: throw five dice, then set aside what you like and throw the others again, twice at most. Dice set aside may be
taken up again. Keeping all five ends the throwing. Then choose an empty box and write its points, or 0.
Upper boxes, ones to sixes: the sum of the dice with that face; 35 more once the six boxes have 63.
Lower boxes: three of a kind and four of a kind, the sum of all dice; full house 25; small straight, four in a row, 30;
large straight, five in a row, 40; yahtzee, five of a kind, 50; chance, the sum of all dice.
Another yahtzee when the yahtzee box is filled: 100 more if it holds 50, and the throw is a joker: it goes to the upper
box of its face; if that is filled, to any lower box, where full house and straights count in full; if none is empty,
a 0 in an upper box.
The end: after thirteen rounds. A tie is shared.""",
)

UPPER: Mapping[str, int] = {"ones": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6}


def _run_of(dice: Faces, length: int) -> bool:
    """Whether so many consecutive numbers are among the dice."""
    longest = running = 1
    for low, high in pairwise(sorted(set(dice))):
        running = running + 1 if high == low + 1 else 1
        longest = max(longest, running)
    return longest >= length


def _alike(dice: Faces) -> list[int]:
    """How many dice show each face thrown, most first."""
    return sorted((dice.count(face) for face in set(dice)), reverse=True)


LOWER: Mapping[str, Callable[[Faces], int]] = {
    "three of a kind": lambda dice: sum(dice) if _alike(dice)[0] >= 3 else 0,  # noqa: PLR2004 - the box's name
    "four of a kind": lambda dice: sum(dice) if _alike(dice)[0] >= 4 else 0,  # noqa: PLR2004 - the box's name
    "full house": lambda dice: FULL_HOUSE if _alike(dice) == [3, 2] else 0,
    "small straight": lambda dice: SMALL_STRAIGHT if _run_of(dice, SMALL_RUN) else 0,
    "large straight": lambda dice: LARGE_STRAIGHT if _run_of(dice, LARGE_RUN) else 0,
    "yahtzee": lambda dice: YAHTZEE if _alike(dice) == [DICE] else 0,
    "chance": sum,
}
JOKER_SCORES: Mapping[str, int] = {
    "full house": FULL_HOUSE,
    "small straight": SMALL_STRAIGHT,
    "large straight": LARGE_STRAIGHT,
}
BOXES = (*UPPER, *LOWER)
ROWS = (*UPPER, "upper bonus", *LOWER, "yahtzee bonus")


@cache
def box_score(box: str, dice: Faces) -> int:
    """Return what these five dice, sorted, score in this box without a joker."""
    if box in UPPER:
        return UPPER[box] * dice.count(UPPER[box])
    return LOWER[box](dice)


async def play(table: Table) -> Result:
    """Play thirteen rounds; the highest total wins."""
    sheets: dict[int, dict[str, int]] = {player: {} for player in table.seats()}
    table.sheet |= {row: {} for row in ROWS}
    for _ in BOXES:
        for player in table.seats():
            await table.turn(player, turn(table, player, sheets[player]))
    return table.highest("all thirteen rounds are played")


async def turn(table: Table, player: int, sheet: dict[str, int]) -> None:
    """Throw, choose a box, and write its points on the player's sheet."""
    dice = await throws(table, player)
    gives = open_boxes(dice, sheet, joker=table.option(JOKER))
    box = await table.choose(player, *gives, gives=gives)
    if table.option(BONUS) and is_yahtzee(dice) and sheet.get("yahtzee") == YAHTZEE:
        sheet["yahtzee bonus"] = sheet.get("yahtzee bonus", 0) + YAHTZEE_BONUS
        table.say(f"{table.names[player]} earns {YAHTZEE_BONUS} for another yahtzee")
    sheet[box] = gives[box]
    table.say(f"{table.names[player]} writes {gives[box]} for {box}")
    if sum(sheet.get(upper, 0) for upper in UPPER) >= UPPER_GOAL:
        sheet["upper bonus"] = UPPER_BONUS
    for row, points in sheet.items():
        table.write(row, player, points)
    table.scores[player] = sum(sheet.values())


async def throws(table: Table, player: int) -> Faces:
    """Throw up to three times; return the five dice, sorted."""
    dice = tuple(sorted(await table.roll(player, DICE)))
    for _ in range(THROWS - 1):
        kept = await table.keep(player, parts_of(dice), hand=dice)
        if len(kept) == DICE:
            break
        thrown = await table.roll(player, DICE - len(kept))
        dice = tuple(sorted(kept + thrown))
    return dice


def is_yahtzee(dice: Faces) -> bool:
    """Whether all dice show the same face."""
    return len(set(dice)) == 1


def open_boxes(dice: Faces, sheet: Mapping[str, int], *, joker: bool) -> dict[str, int]:
    """Return the boxes that may be filled with these dice, in the sheet's order, and what each would score."""
    empty = [box for box in BOXES if box not in sheet]
    if not (joker and is_yahtzee(dice) and "yahtzee" in sheet):
        return {box: box_score(box, dice) for box in empty}
    own = next(box for box, face in UPPER.items() if face == dice[0])
    if own in empty:
        return {own: box_score(own, dice)}
    lower = {box: JOKER_SCORES.get(box, box_score(box, dice)) for box in empty if box in LOWER}
    return lower or dict.fromkeys(empty, 0)
