"""Kismet: fifteen boxes, dice with coloured pips. Source: Lakeside and Endless Games, "Kismet" (ultraboardgames.com).

On Kismet's dice the face determines the colour of the pips, so any dice will do. dicegames.org, "Kismet Dice Game", has
the same points and bonuses.
"""

from tabletop.rules import Faces, Flag, Game, Result, Table, say
from tabletop.rules.families import boxes, keep_order

DICE = 5
THROWS = 3
COLOUR = {1: "black", 6: "black", 2: "red", 5: "red", 3: "green", 4: "green"}
PAIR, THREE, FOUR = 2, 3, 4
RUN, STRAIGHT = 5, 30
FLUSH = 35
FULL_HOUSE, SAME_COLOUR_HOUSE, FOUR_OF_A_KIND, KISMET = 15, 20, 25, 50  # added to the sum of all dice
BONUSES = ((78, 75), (71, 55), (63, 35))  # the points in ones to sixes, and the bonus

STRAIGHTS = ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6))
AIMS = keep_order.Aims(
    whole=frozenset({"straight", "flush", "full house", "same colour house", "kismet"}),
    straights={"straight": STRAIGHTS},
    house="full house",
    total="yarborough",
)

PENALTY = Flag("penalty", True, "another kismet makes all other players write 0 in their top empty box and lose a turn")
FOUR_AS_TWO_PAIRS = Flag("four_as_two_pairs", True, "four alike may be written as two pairs")
FIVE_AS_FULL_HOUSE = Flag("five_as_full_house", True, "five alike may be written as a full house")

GAME = Game(
    id="kismet",
    name="Kismet",
    source='Lakeside and Endless Games, "Kismet"',
    dice=DICE,
    layout="boxes",
    upper_goals=tuple(sorted(goal for goal, _ in BONUSES)),
    min_players=1,
    options=(PENALTY, FOUR_AS_TWO_PAIRS, FIVE_AS_FULL_HOUSE),
    presets={"endless-games": {}},
    help="""\
What it is about: fill fifteen boxes with five dice whose pips have colours. The highest total wins.
Colours: 1 and 6 are black, 2 and 5 red, 3 and 4 green. Any dice will do, since the colour goes with the number.
A turn: throw five dice. Set aside what you like and throw the others again, twice at most. Dice set aside may be thrown
again. Keeping all five ends the throwing. Then choose an empty box and write its points, or 0.
Ones to sixes: the sum of the dice with that number. Together 63 to 70 earn 35 more, 71 to 77 earn 55, 78 or more 75.
The other boxes: two pairs of one colour, three of a kind and yarborough, which takes anything, score the sum of all
dice. A full house, three alike and two alike, scores the sum and 15, in one colour the sum and 20. Four of a kind
scores the sum and 25, a kismet, five of a kind, the sum and 50. A straight, five in a row, scores 30. A flush, all of
one colour, scores 35. Five of a kind is also a full house, and four of a kind is also two pairs.
A further kismet: once your kismet box has scored, it goes into any other box that it fits. All others write 0 in their
topmost empty box and lose a turn by it.
The end: when all boxes are filled. A tie is shared.
House rules: a further kismet costs the others nothing. Five of a kind is not a full house, and four of a kind is not
two pairs.""",
)


async def play(table: Table) -> Result:
    """Fill fifteen boxes each; the highest total wins."""
    scores = scoring(table)
    sheets = boxes.new_sheets(table, boxes.rows_with_bonus(scores))
    for player in boxes.boxes_due(table, sheets, scores):
        if await table.turn(player, turn(table, player, sheets[player], scores)):
            for other in table.seats():
                if other != player:
                    lose_a_turn(table, other, sheets[other], scores)
    return table.highest(say("all boxes are filled"))


async def turn(table: Table, player: int, sheet: boxes.Sheet, scores: boxes.Scores) -> bool:
    """Throw, choose an empty box, and write its points; return whether the others lose a turn."""
    parts = keep_order.likely_first(boxes.any_part, lambda hand: boxes.empty_boxes(sheet, scores, hand.dice), AIMS)
    hand = await boxes.throw_on(table, player, await boxes.throw_first(table, player, DICE), THROWS, parts)
    further = table.option(PENALTY) and boxes.all_alike(hand.dice) and sheet.get("kismet", 0) > 0
    await boxes.fill_a_box(table, player, sheet, boxes.empty_boxes(sheet, scores, hand.dice), bonus)
    return further


def lose_a_turn(table: Table, player: int, sheet: boxes.Sheet, scores: boxes.Scores) -> None:
    """Write 0 in the topmost empty box, which counts as a turn; does nothing on a full sheet."""
    empty = next((box for box in scores if box not in sheet), None)
    if empty is not None:
        boxes.write_box(table, player, sheet, empty, 0)
        boxes.add_up(table, player, sheet)


def scoring(table: Table) -> boxes.Scores:
    """Return the boxes, and the score of five sorted dice in each."""
    pairs = boxes.of_groups(PAIR, PAIR, apart=not table.option(FOUR_AS_TWO_PAIRS))
    house = boxes.of_groups(THREE, PAIR, apart=not table.option(FIVE_AS_FULL_HOUSE))
    return {
        **boxes.UPPER_SCORES,
        "two pairs same colour": lambda dice: sum(dice) if any(map(pairs, by_colour(dice))) else 0,
        "three of a kind": lambda dice: sum(dice) if boxes.alike(dice)[0] >= THREE else 0,
        "straight": lambda dice: STRAIGHT if boxes.run_of(dice, RUN) else 0,
        "flush": lambda dice: FLUSH if len(by_colour(dice)) == 1 else 0,
        "full house": lambda dice: sum(dice) + FULL_HOUSE if house(dice) else 0,
        "same colour house": lambda dice: sum(dice) + SAME_COLOUR_HOUSE if any(map(house, by_colour(dice))) else 0,
        "four of a kind": lambda dice: sum(dice) + FOUR_OF_A_KIND if boxes.alike(dice)[0] >= FOUR else 0,
        "yarborough": sum,
        "kismet": lambda dice: sum(dice) + KISMET if boxes.all_alike(dice) else 0,
    }


def by_colour(dice: Faces) -> list[Faces]:
    """Return the dice grouped by the colours present, each group sorted."""
    there = dict.fromkeys(COLOUR[face] for face in dice)
    return [tuple(face for face in dice if COLOUR[face] == colour) for colour in there]


def bonus(sheet: boxes.Sheet) -> int:
    """Return the bonus earned by ones to sixes so far."""
    total = boxes.upper_total(sheet)
    return next((earned for least, earned in BONUSES if total >= least), 0)
