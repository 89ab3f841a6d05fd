"""Generala beside our General: every hand in every box, made with one throw and with two. Differences: README.md."""

import sys
from collections.abc import Mapping
from itertools import combinations_with_replacement

from generala import Category
from generala.categories import NUMBERS, FourOfAKind, FullHouse, Generala, Straight

from others.ours import Compared, Ours

# Theirs takes the points as arguments: they are those of our rule text.
UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
BOXES: Mapping[str, Category] = {
    **dict(zip(UPPER, NUMBERS, strict=True)),
    "straight": Straight(score=20, first_roll_bonus=5),
    "full house": FullHouse(score=30, first_roll_bonus=5),
    "four of a kind": FourOfAKind(score=40, first_roll_bonus=5),
    "general": Generala(score=60, first_roll_bonus=0),
}
NOTHING = [1, 2, 3, 4, 6]
WILD_ACE = "theirs has no wild ace in a straight"
FIVE_AS_FOUR = "theirs takes five alike not as four of a kind"


def compare(hand: tuple[int, ...], throws: int, compared: Compared) -> None:
    """Make this hand with one throw or with two, and compare what each box gives."""
    ours = Ours("general", "big_general=never", *sys.argv[1:], players=1)
    if throws > 1:
        ours.throw(NOTHING)
        ours.keep([])
    ours.throw(list(hand))
    ours.keep(list(hand))
    counts = [hand.count(face) for face in range(1, 7)]
    for box, category in BOXES.items():
        theirs, gives = int(category.score(counts, throws, BOXES.values())), ours.gives[box]
        known = ""
        if box == "straight" and theirs == 0 and 1 in hand:
            known = WILD_ACE
        elif box == "four of a kind" and theirs == 0 and len(set(hand)) == 1:
            known = FIVE_AS_FOUR
        compared.same(f"{box} with {hand} in throw {throws}", theirs, gives, known=known)
        compared.events += 1


def main() -> None:
    """Compare all 252 hands twice, under the settings that are the arguments."""
    compared = Compared()
    for throws in (1, 2):
        for hand in combinations_with_replacement(range(1, 7), 5):
            compare(hand, throws, compared)
            compared.matches += 1
    compared.tell()


if __name__ == "__main__":
    main()
