"""Pyhtzee's Yahtzee beside ours. Differences in rule: see README.md."""

import sys
from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from random import Random

from pyhtzee import Pyhtzee
from pyhtzee.classes import Category, Rule
from pyhtzee.utils import CATEGORY_ACTION_OFFSET, category_to_action_map, dice_roll_to_action_map

from others.ours import Compared, Ours

BOXES: Mapping[str, Category] = {
    "ones": Category.ACES, "twos": Category.TWOS, "threes": Category.THREES, "fours": Category.FOURS,
    "fives": Category.FIVES, "sixes": Category.SIXES, "three of a kind": Category.THREE_OF_A_KIND,
    "four of a kind": Category.FOUR_OF_A_KIND, "full house": Category.FULL_HOUSE,
    "small straight": Category.SMALL_STRAIGHT, "large straight": Category.LARGE_STRAIGHT, "yahtzee": Category.YAHTZEE,
    "chance": Category.CHANCE,
}  # fmt: skip
UPPER = tuple(BOXES)[:6]
AS_JOKER = {"full house": 25, "small straight": 30, "large straight": 40}
# The rule there, and ours beside it.
RULES: Mapping[str, tuple[Rule, Sequence[str]]] = {
    "plain": (Rule.YAHTZEE, ("joker=false",)),
    "joker": (Rule.YAHTZEE_FREE_CHOICE_JOKER, ("rules=free-joker",)),
}
ALIKE = 0.3  # how often a hand is made one of equal faces, which chance alone seldom brings
STANDS = 0.3  # how often a player throws no more who could
EVERY_FIVE = "theirs takes every five alike as a joker, with any box empty"
FOURTH = "theirs allows a fourth throw in every round but the first"
GOAL, BONUS = 63, 35
LATE = "theirs gives the bonus for 63 with the sixth upper box only, not as soon as there are 63"
UPPER_BONUS = "theirs adds the number of the sixth upper box, not its points, before it looks for 63"


def play(chance: Random, rule: Rule, settings: Sequence[str], compared: Compared) -> None:
    """Play one random match of one player in both, comparing open boxes, what each gives, bonuses and the total."""
    theirs = Pyhtzee(seed=chance.randrange(1, 1 << 30), rule=rule)
    ours = Ours("yahtzee", *settings, players=1)
    more = 0  # what the known differences have brought in theirs
    while not theirs.is_finished():
        _throw_hand(theirs, ours, chance, compared)
        known = _compare_boxes(theirs, ours, compared)
        good = [one for number, one in enumerate(UPPER, 1) if one in known and ours.gives[one] > 2 * number]
        box = chance.choice(good or list(known))
        dice = list(theirs.dice)
        theirs.take_action(category_to_action_map[BOXES[box]])
        ours.tell(f"choose {box}")
        compared.events += 1
        more += known[box]
        late = _compare_upper_bonus(theirs, ours, box, compared)
        compared.same(f"the bonus with {dice}", theirs.scores.get(Category.YAHTZEE_BONUS), _cell(ours, "yahtzee bonus"))
        compared.same("the total", theirs.get_total_score() - more + late, *ours.scores)
    compared.same("the end", "over", ours.kind)
    compared.matches += 1


def compare_hands(compared: Compared) -> None:
    """Compare what each of the 252 hands gives in each of the 13 boxes of an empty sheet."""
    for hand in combinations_with_replacement(range(1, 7), 5):
        theirs = Pyhtzee(seed=1, rule=Rule.YAHTZEE)
        theirs.dice = list(hand)
        ours = Ours("yahtzee", players=1)
        ours.throw(theirs.dice)
        ours.keep(theirs.dice)
        _compare_boxes(theirs, ours, compared)
        compared.events += len(ours.options)
        compared.matches += 1


def _throw_hand(theirs: Pyhtzee, ours: Ours, chance: Random, compared: Compared) -> None:
    """Throw up to three times in both; theirs has thrown once already."""
    compared.same("throws made", theirs.sub_round, 1, known=FOURTH if theirs.sub_round == 0 else "")
    theirs.sub_round = 1
    if chance.random() < ALIKE:
        theirs.dice = [chance.randint(1, 6)] * 5
    ours.throw(theirs.dice)
    while ours.kind == "keep":
        may = [action for action in theirs.get_possible_actions() if action < CATEGORY_ACTION_OFFSET]
        compared.same("throws left", len(dice_roll_to_action_map), len(may))
        again = [chance.random() >= STANDS for _ in range(5)]
        if chance.random() < STANDS or not any(again):
            ours.keep(theirs.dice)
            break
        ours.keep([die for die, thrown in zip(theirs.dice, again, strict=True) if not thrown])
        theirs.take_action(dice_roll_to_action_map[tuple(again)])
        ours.throw([die for die, thrown in zip(theirs.dice, again, strict=True) if thrown])
        compared.events += 1


def _compare_boxes(theirs: Pyhtzee, ours: Ours, compared: Compared) -> dict[str, int]:
    actions = set(theirs.get_possible_actions())
    empty = [box for box, category in BOXES.items() if category_to_action_map[category] in actions]
    compared.same("open boxes", sorted(empty), sorted(ours.options))
    five_alike = len(set(theirs.dice)) == 1
    more: dict[str, int] = {}
    for box in ours.options:
        gives = theirs.get_action_score(category_to_action_map[BOXES[box]])[BOXES[box]]
        joker = five_alike and theirs.rule == Rule.YAHTZEE_FREE_CHOICE_JOKER and AS_JOKER.get(box) == gives
        known = EVERY_FIVE if joker and ours.gives[box] == 0 else ""
        compared.same(f"{box} with {theirs.dice}", gives, ours.gives[box], known=known)
        more[box] = gives - ours.gives[box]
    return more


def _compare_upper_bonus(theirs: Pyhtzee, ours: Ours, box: str, compared: Compared) -> int:
    """Compare the bonus for 63 in the upper boxes after this box was filled; return what ours has more."""
    bonus, ours_bonus = theirs.scores.get(Category.UPPER_SECTION_BONUS, 0), _cell(ours, "upper bonus") or 0
    filled = {one: theirs.scores[BOXES[one]] for one in UPPER if BOXES[one] in theirs.scores}
    known = LATE if len(filled) < len(UPPER) else UPPER_BONUS
    if box in filled and len(filled) == len(UPPER):  # it is reckoned now, and wrongly
        reckoned = sum(filled.values()) - filled[box] + int(BOXES[box])
        compared.same("the upper bonus by their sum", bonus, BONUS if reckoned >= GOAL else 0)
    compared.same("the upper bonus", bonus, ours_bonus, known=known)
    return int(ours_bonus - bonus)


def _cell(ours: Ours, row: str) -> int | None:
    cell = ours.state["sheet"].get(row, {}).get("Ann")
    return cell if isinstance(cell, int) else None


def main() -> None:
    """Compare all hands (`hands`), or as many matches as the first argument says by the rule that the second names."""
    compared, chance = Compared(), Random(1)
    if sys.argv[1] == "hands":
        compare_hands(compared)
    else:
        rule, settings = RULES[sys.argv[2]]
        for _ in range(int(sys.argv[1])):
            play(chance, rule, settings, compared)
    compared.tell()


if __name__ == "__main__":
    main()
