"""OpenSpiel's Pig beside ours. Differences in rule: see README.md."""

import re
import sys
from random import Random

import pyspiel

from others.ours import Compared, Ours

TARGET = 100
STOPS = 0.25  # how often a player stops who may
BEFORE_A_THROW = "theirs may stop before any throw"
FORCED = "theirs must stop once the stake is enough to win"


def play(chance: Random, players: int, compared: Compared) -> None:
    """Play one random match in both, comparing whose turn it is, what may be done, scores and stake at every step."""
    theirs = pyspiel.load_game(f"pig(players={players},winscore={TARGET})").new_initial_state()
    ours = Ours("pig", f"target={TARGET}", players=players)
    while not theirs.is_terminal():
        if theirs.is_chance_node():
            action = chance.choice(theirs.legal_actions())
            ours.throw([int(theirs.action_to_string(-1, action).split()[-1])])
        else:
            compared.same("whose turn", theirs.current_player(), ours.player)
            word = _decide(theirs, ours, chance, compared)
            action = {theirs.action_to_string(one): one for one in theirs.legal_actions()}[word]
            if ours.kind == "choose":
                ours.tell("choose " + {"roll": "roll", "stop": "bank"}[word])
        theirs.apply_action(action)
        compared.events += 1
        scores, stake = _told(str(theirs))
        if not theirs.is_terminal():  # at the end theirs has the stake both in the score and at stake
            compared.same("stake", stake, ours.state["at_stake"])
            compared.same("scores", scores, ours.scores)
    compared.same("the end", "over", ours.kind)
    compared.same("winners", [seat for seat, gain in enumerate(theirs.returns()) if gain > 0], ours.winners)
    compared.matches += 1


def _decide(theirs: pyspiel.State, ours: Ours, chance: Random, compared: Compared) -> str:
    """Compare what may be done now; return what both do."""
    words = {theirs.action_to_string(action) for action in theirs.legal_actions()}
    stake = ours.state["at_stake"]
    if ours.kind == "roll":
        compared.same("what may be done", sorted(words), ["roll"], known=BEFORE_A_THROW if stake == 0 else "")
        return "roll"
    may = sorted({"roll": "roll", "bank": "stop"}[option] for option in ours.options)
    enough = ours.scores[ours.player] + stake >= TARGET
    compared.same("what may be done", sorted(words), may, known=FORCED if enough and words == {"stop"} else "")
    return "stop" if words == {"stop"} or chance.random() < STOPS else "roll"


def _told(state: str) -> tuple[list[int], int]:
    found = re.search(r"Scores: ([\d ]+), Turn total: (\d+)", state)
    if not found:
        raise ValueError(f"expected scores and a turn total, got {state}")
    return [int(score) for score in found[1].split()], int(found[2])


def main() -> None:
    """Play as many matches as the first argument says, with two to four players."""
    compared, chance = Compared(), Random(1)
    for number in range(int(sys.argv[1])):
        play(chance, 2 + number % 3, compared)
    compared.tell()


if __name__ == "__main__":
    main()
