"""Aces: five dice each; the player who throws the last die in play as a 1 wins. Source: dice-play.txt, "Aces".

The text gives no ranking of hands for the order of play; this one is from the same publisher's Poker Dice (Poker Dice,
dice-play.com/Games/PokerDice.htm), with a straight below a full house, and faces from 6 high to 1 low.
"""

from functools import lru_cache

from tabletop.rules import Choice, Faces, Game, Result, Table, say
from tabletop.rules.families import combinations, counters
from tabletop.rules.families.order import in_order, order_option, roll_off, write_order

DICE = 5  # each
TO_CENTRE, TO_LEFT, TO_RIGHT = 1, 2, 5
STRAIGHTS = ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6))
HANDS = ("high die", "pair", "two pairs", "three alike", "straight", "full house", "four alike", "five alike")

ORDER = order_option()
LAST = Choice("last", "wins", "what throwing the last die as a 1 does", ("wins", "loses"))

GAME = Game(
    id="aces",
    name="Aces",
    other_names=("Aces to the Centre, Deuces to the Left and Fives to the Right", "Einser"),
    source="dice-play.txt",
    dice=DICE,
    layout="counters",
    counts="dice",
    dice_each=True,
    options=(ORDER, LAST),
    presets={"dice-play": {}},
    help="""\
What it is about: throw the last die in play as a 1. Everyone begins with five dice.
A turn: throw all your dice. Each 1 goes to the centre, out of play. Each 2 goes to the player on your left, each 5 to
the player on your right. Throw the rest again as long as the throw had a 1, a 2 or a 5. A player with no dice is
skipped, but is back with the first die passed to them.
The end: the player who throws the last die in play as a 1 wins.
House rules: throwing the last 1 loses, and all others win. If a roll-off decides who begins, everyone first throws five
dice. The best poker hand plays first, the next best second and so on; equal hands are thrown again. Best first: five
alike, four alike, full house, straight, three alike, two pairs, pair, high die. A 6 ranks highest, a 1 lowest. Without
a roll-off, play follows the seats.
Coming and going: the dice of a player who leaves are out of play.""",
)


async def play(table: Table) -> Result:
    """Let players throw in turn until no die is in play."""
    table.scores = [DICE] * len(table.names)
    dice = sum(table.scores)
    write_dice(table, dice)
    order = await order_of_play(table)
    counters.left_behind(table)
    write_dice(table, dice)
    while True:
        for player in in_order(table, order):
            if await table.turn(player, turn(table, player, dice)):
                return ended(table, player)
            counters.left_behind(table)
            write_dice(table, dice)
            if not counters.holders(table):  # only the leaver had dice in play
                return Result(tuple(table.seats()), say("the last dice left with their player: the others share"))


async def order_of_play(table: Table) -> list[int]:
    """Return the seats in the order of play: by seats, or the highest-ranking hand first."""
    order = list(table.seats())
    if table.option(ORDER) == "roll":
        order = await roll_off(table, order, DICE, hand_rank, between=True)
        if order:
            table.say("{name} plays first", name=table.names[order[0]])
        else:
            table.say("nobody has thrown for the order")
    write_order(table, order)
    return order


@lru_cache(maxsize=combinations.MOST_THROWS)
def hand_rank(hand: Faces) -> tuple[int, ...]:
    """Rank a hand of five as in poker: the kind, then its faces, the most frequent first."""
    faces = sorted(set(hand), key=lambda face: (hand.count(face), face), reverse=True)
    if tuple(sorted(hand)) in STRAIGHTS:
        kind = "straight"
    else:
        pattern = tuple(hand.count(face) for face in faces)
        kinds = {(5,): "five alike", (4, 1): "four alike", (3, 2): "full house", (3, 1, 1): "three alike"}
        kind = kinds.get(pattern) or {4: "pair", 3: "two pairs"}.get(len(faces), "high die")
    return (HANDS.index(kind), *faces)


async def turn(table: Table, player: int, dice: int) -> bool:
    """Throw until a throw has no 1, 2 or 5 or no die is left; return whether the last die in play is out.

    A player without dice is skipped, but is not out.
    """
    while table.scores[player]:
        thrown = await table.roll(player, table.scores[player])
        counters.left_behind(table)
        ones, twos, fives = map(thrown.count, (TO_CENTRE, TO_LEFT, TO_RIGHT))
        table.scores[player] -= ones + twos + fives
        table.scores[counters.left_of(table, player)] += twos
        table.scores[counters.right_of(table, player)] += fives
        write_dice(table, dice)
        table.say("{name}: {n} out, {n2} left, {n3} right", name=table.names[player], n=ones, n2=twos, n3=fives)
        if not sum(table.scores):
            return True
        if not ones + twos + fives:
            break
    return False


def write_dice(table: Table, dice: int) -> None:
    """Write how many dice each player holds, and how many are out of play."""
    table.sheet["dice"] = dict(enumerate(table.scores))
    table.write_all("out", dice - sum(table.scores))


def ended(table: Table, last: int) -> Result:
    """End the match: the player who threw the last die wins, or all the others."""
    if table.option(LAST) == "wins":
        return Result((last,), say("{name} throws the last die in play as a 1 and wins", name=table.names[last]))
    others = tuple(player for player in table.seats() if player != last)
    return Result(others, say("{name} throws the last die in play as a 1 and loses", name=table.names[last]))
