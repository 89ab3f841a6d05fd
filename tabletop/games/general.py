"""General: like Yacht, with one straight, and more points for the first throw. Source: dice-play.txt, "Yacht".

The text lists it as a variation. In Puerto Rico it is Generala, whose sheet has no chance and often a second general;
see Wikipedia, "Generala" (en.wikipedia.org/wiki/Generala).
"""

from collections.abc import Callable, Mapping

from tabletop.rules import Choice, Faces, Flag, Game, Result, Table, Whole, say
from tabletop.rules.families import boxes, keep_order

DICE = 5
THROWS = 3
STRAIGHTS = ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6))
WRAPPED = ((1, 3, 4, 5, 6), (1, 2, 4, 5, 6), (1, 2, 3, 5, 6))  # 3 to 1, 4 to 2, 5 to 3
ACE, WILD_AS = 1, (2, 6)  # in a straight, an ace may also count as one of these
STRAIGHT = (25, 20)  # made with the first throw, or later
FULL_HOUSE = (35, 30)
FOUR, FOUR_OF_A_KIND = 4, (45, 40)
SMALL_GENERAL = 60
DOUBLE_GENERAL = 100
HIGHEST_STAKE, MOST_POINTS = 1000, 1000
AIMS = keep_order.Aims(
    whole=frozenset({"straight", "full house", "general", "double general"}),
    straights={"straight": STRAIGHTS},
    house="full house",
)

CHANCE = Flag("chance", True, "a box for chance, the total of all dice")
BIG_GENERAL = Choice(
    "big_general",
    "always",
    "when five alike in a first throw win at once: always, only while the general box is empty (open), or never",
    ("always", "open", "never"),
)
FIVE_AS_FOUR = Flag("five_as_four", True, "five alike may be written as four of a kind")
FIVE_AS_FULL_HOUSE = Flag("five_as_full_house", False, "five alike may be written as a full house")
PICK_UP = Flag("pick_up", True, "dice set aside may be thrown again later in the turn")
DOUBLE = Flag("double_general", False, "a box for a second general, 100 points once the first has scored")
GENERAL_POINTS = Whole("general_points", SMALL_GENERAL, "points for a general; 50 is also common", 1, MOST_POINTS)
DOUBLE_POINTS = Whole(
    "double_points", DOUBLE_GENERAL, "points for the second general; 120 is also common", 1, MOST_POINTS
)
WRAP = Flag("wrapped", False, "a straight may go on from 6 to 1: 3-4-5-6-1, 4-5-6-1-2, 5-6-1-2-3")
STAKES = Whole("stakes", 0, "what each point behind the winner costs; 0: no stakes", at_least=0, at_most=HIGHEST_STAKE)

GAME = Game(
    id="general",
    name="General",
    other_names=("Generala", "Generala Doble"),
    source="dice-play.txt",
    dice=DICE,
    layout="boxes",
    min_players=1,
    options=(
        CHANCE,
        BIG_GENERAL,
        FIVE_AS_FOUR,
        FIVE_AS_FULL_HOUSE,
        PICK_UP,
        DOUBLE,
        STAKES,
        GENERAL_POINTS,
        DOUBLE_POINTS,
        WRAP,
    ),
    presets={
        "dice-play": {},
        "generala": {"chance": False},
        "generala-doble": {"chance": False, "double_general": True, "general_points": 50, "double_points": 120},
    },
    help="""\
What it is about: fill eleven boxes with five dice. The highest total wins, or a big general at any time.
A turn: throw five dice. Set aside what you like and throw the others again, twice at most. Dice set aside may be thrown
again. Keeping all five ends the throwing. Then choose an empty box and write its points, or 0.
Ones to sixes: the sum of the dice with that number.
Straight: 1 to 5 or 2 to 6 scores 25 in the first throw, 20 later. A 1 may stand for a 2 or a 6 (1-3-4-5-6, 1-1-3-4-5).
The other boxes: a full house scores 35 in the first throw, 30 later. Four of a kind scores 45 in the first throw, 40
later. Chance scores the sum of all dice.
General: five of a kind scores 60 in the second or third throw. In the first it is a big general, and wins the match.
The end: when everyone has filled the sheet, or at a big general. A tie is shared.
House rules: Generala has no box for chance. Generala Doble has none either, but one for a second general: the first
scores 50, the second 120. Otherwise a second general scores 100, once the first has scored. A big general may win only
while the general is open, or never: then it is a general like any other. If each point behind the winner costs, say, 5,
the thrower of a big general is paid the difference by everyone, even by players with more points. If a straight may go
on from 6 to 1, then 4-5-6-1-2 and 5-6-1-2-3 are straights too (3-4-5-6-1 is one anyway). Five of a kind may score as a
full house, or not as four of a kind. Dice set aside stay there.""",
)


# Like Scores, but depends on the number of throws and the sheet.
HandScores = Mapping[str, Callable[[boxes.BoxHand, boxes.Sheet], int]]


async def play(table: Table) -> Result:
    """Fill all boxes; the highest total wins, but a big general wins at once."""
    scores = scoring(table)
    sheets = boxes.new_sheets(table, (*scores, "pays") if table.option(STAKES) else scores)
    for player in boxes.boxes_due(table, sheets, scores):
        if await table.turn(player, turn(table, player, sheets[player], scores)):
            write_stakes(table, table.scores[player])
            return Result((player,), say("{name} throws a big general and wins at once", name=table.names[player]))
        write_stakes(table, max(table.scores[seat] for seat in table.seats()))
    return table.highest(say("everybody has had {n} turns", n=len(scores)))


async def turn(table: Table, player: int, sheet: boxes.Sheet, scores: HandScores) -> bool:
    """Throw, choose an empty box, and write its points; return whether a big general ends the match."""
    hand = await boxes.throw_first(table, player, DICE)
    if is_big_general(table, hand, sheet):
        return True

    def gives(hand: boxes.BoxHand) -> Mapping[str, int]:
        return {box: score(hand, sheet) for box, score in scores.items() if box not in sheet}

    parts = keep_order.likely_first(boxes.parts_allowed(pick_up=table.option(PICK_UP)), gives, AIMS)
    hand = await boxes.throw_on(table, player, hand, THROWS, parts)
    await boxes.fill_a_box(table, player, sheet, gives(hand))
    return False


def scoring(table: Table) -> HandScores:
    """Return the boxes in play, and the score of a hand in each."""
    five_will_do = table.option(FIVE_AS_FULL_HOUSE)
    chance = {"chance": on_dice(sum)}
    double: HandScores = {
        "double general": lambda hand, sheet: (
            table.option(DOUBLE_POINTS) if boxes.all_alike(hand.dice) and sheet.get("general") else 0
        )
    }
    return {
        **{box: on_dice(score) for box, score in boxes.UPPER_SCORES.items()},
        "straight": lambda hand, _: made(hand, STRAIGHT) if is_straight(table, hand.dice) else 0,
        "full house": lambda hand, _: made(hand, FULL_HOUSE) * boxes.full_house(hand.dice, five_alike=five_will_do),
        "four of a kind": lambda hand, _: made(hand, FOUR_OF_A_KIND) if is_four_of_a_kind(table, hand.dice) else 0,
        **(chance if table.option(CHANCE) else {}),
        "general": lambda hand, _: table.option(GENERAL_POINTS) if boxes.all_alike(hand.dice) else 0,
        **(double if table.option(DOUBLE) else {}),
    }


def on_dice(score: Callable[[Faces], int]) -> Callable[[boxes.BoxHand, boxes.Sheet], int]:
    """Return a score that depends on the dice alone."""
    return lambda hand, _: score(hand.dice)


def made(hand: boxes.BoxHand, scores: tuple[int, int]) -> int:
    """Return the first score for a hand made with one throw, the second for a later one."""
    with_one_throw, later = scores
    return with_one_throw if hand.throws == 1 else later


def is_straight(table: Table, dice: Faces) -> bool:
    """Whether these dice are a straight, with each ace as itself or wild."""
    shown = tuple(sorted(dice))
    if shown in STRAIGHTS or (table.option(WRAP) and shown in WRAPPED):
        return True
    if ACE not in dice:
        return False
    others = list(dice)
    others.remove(ACE)
    return any(is_straight(table, (*others, face)) for face in WILD_AS)


def is_four_of_a_kind(table: Table, dice: Faces) -> bool:
    """Whether four dice show the same face, or five if they count too."""
    return boxes.alike(dice)[0] == FOUR or (boxes.all_alike(dice) and table.option(FIVE_AS_FOUR))


def is_big_general(table: Table, hand: boxes.BoxHand, sheet: boxes.Sheet) -> bool:
    """Whether a first throw is a big general."""
    when = table.option(BIG_GENERAL)
    return boxes.all_alike(hand.dice) and (when == "always" or (when == "open" and "general" not in sheet))


def write_stakes(table: Table, winning: int) -> None:
    """Show what each present player owes for the points between them and the winner.

    The thrower of a big general may have fewer points than others: then these owe the difference as well.
    """
    if stake := table.option(STAKES):
        table.sheet["pays"] = {seat: stake * abs(winning - table.scores[seat]) for seat in table.seats()}
