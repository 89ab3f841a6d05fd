"""OpenSpiel's Yacht beside ours. Differences in rule: see README.md."""

import re
import sys
from collections.abc import Mapping, Sequence
from random import Random

import pyspiel

from others.ours import Compared, Ours

BOXES: Mapping[str, str] = {
    "Ones": "ones", "Twos": "twos", "Threes": "threes", "Fours": "fours", "Fives": "fives", "Sixes": "sixes",
    "Chance": "chance", "Four of a Kind": "four of a kind", "Full House": "full house",
    "Small Straight": "little straight", "Large Straight": "big straight", "Yacht": "yacht",
}  # fmt: skip
ALIKE = 0.3  # how often a throw is made one of equal faces, which chance alone seldom brings
EQUAL: dict[int, list[int]] = {}  # of so many throws there are: those of equal faces
ALL_DICE = "theirs counts all five dice as four of a kind"
FIVE_AS_HOUSE = "theirs takes five of a kind as a full house"


def play(chance: Random, settings: Sequence[str], compared: Compared) -> None:
    """Play one random match in both, comparing dice due, parts, open boxes, what each gives, and totals."""
    theirs = pyspiel.load_game("yacht").new_initial_state()
    ours = Ours("yacht", *settings)
    more = [0, 0]  # what the known differences have brought each in theirs
    while not theirs.is_terminal():
        if theirs.is_chance_node():
            action = _throw(theirs, ours, chance, compared)
        else:
            compared.same("whose turn", theirs.current_player(), ours.player)
            words = {one: theirs.action_to_string(one) for one in theirs.legal_actions()}
            action = chance.choice(list(words))
            if ours.kind == "choose":
                gives = _compare_boxes(theirs, ours, words, compared)
                box = _box(words[action])
                more[ours.player] += gives[box] - ours.gives[box]
                ours.tell(f"choose {box}")
            else:
                compared.same("what is asked", "keep", ours.kind)
                dice = _dice(theirs)
                parts = {one: _kept(dice, word) for one, word in words.items()}
                legal = sorted(map(list, {tuple(part) for part in parts.values()}))
                compared.same("parts", legal, sorted(ours.state["request"]["legal"]))
                ours.keep(parts[action])
        theirs.apply_action(action)
        compared.events += 1
        totals = _totals(str(theirs))
        compared.same("totals", [total - known for total, known in zip(totals, more, strict=True)], ours.scores)
    compared.same("the end", "over", ours.kind)
    if more == [0, 0]:
        first, second = theirs.returns()
        ahead = [0, 1] if first == second else [int(second > first)]
        compared.same("winners", ahead, ours.winners)
    compared.matches += 1


def _throw(theirs: pyspiel.State, ours: Ours, chance: Random, compared: Compared) -> int:
    actions = theirs.legal_actions()
    if len(actions) not in EQUAL:
        EQUAL[len(actions)] = [one for one in actions if len(set(_numbers(theirs.action_to_string(-1, one)))) == 1]
    action = chance.choice(EQUAL[len(actions)] if chance.random() < ALIKE else actions)
    faces = _numbers(theirs.action_to_string(-1, action))
    compared.same("dice due", len(faces), ours.state["request"]["dice"])
    ours.throw(faces)
    return int(action)


def _compare_boxes(theirs: pyspiel.State, ours: Ours, words: Mapping[int, str], compared: Compared) -> dict[str, int]:
    """Compare which boxes are open, and what each would give; return what theirs would, which is asked by trying."""
    compared.same("open boxes", sorted(map(_box, words.values())), sorted(ours.options))
    player, dice = theirs.current_player(), sorted(_dice(theirs))
    alike = max(map(dice.count, dice))
    before = _totals(str(theirs))[player]
    told: dict[str, int] = {}
    for action, word in words.items():
        tried = theirs.clone()
        tried.apply_action(action)
        box, gives = _box(word), _totals(str(tried))[player] - before
        known = ""
        if box == "four of a kind" and gives == sum(dice) and ours.gives[box] == 4 * dice[2]:
            known = ALL_DICE
        elif box == "full house" and alike == len(dice) and gives == sum(dice) and ours.gives[box] == 0:
            known = FIVE_AS_HOUSE
        compared.same(f"{box} with {dice}", gives, ours.gives[box], known=known)
        told[box] = gives
    return told


def _box(word: str) -> str:
    return BOXES[word.removeprefix("Score in ")]


def _dice(theirs: pyspiel.State) -> list[int]:
    told = re.search(r"^Dice: (.*)$", str(theirs), flags=re.MULTILINE)
    return _numbers(told[1] if told else "")


def _kept(dice: Sequence[int], word: str) -> list[int]:
    """Return the dice that are kept, sorted; theirs names the places of those thrown again, from 0."""
    again = set() if word == "Keep all" else set(_numbers(word))
    return sorted(die for place, die in enumerate(dice) if place not in again)


def _totals(state: str) -> list[int]:
    return [int(total) for total in re.findall(r"total: (\d+)", state)]


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


def main() -> None:
    """Play as many matches as the first argument says, under the settings that are the others."""
    compared, chance = Compared(), Random(1)
    for _ in range(int(sys.argv[1])):
        play(chance, sys.argv[2:], compared)
    compared.tell()


if __name__ == "__main__":
    main()
