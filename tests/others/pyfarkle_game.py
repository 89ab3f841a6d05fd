"""Pyfarkle beside our Ten Thousand: every part of every throw, and random matches. Differences: see README.md."""

import random
import sys
from itertools import combinations_with_replacement
from random import Random

from pyfarkle.game import Player

from others.ours import NAMES, Compared, Ours

DICE, TARGET, ENTRY = 6, 10_000, 500
SETTINGS = (f"entry={ENTRY}", "run=1500", "three_pairs=750", "alike=adding")
STOPS = 0.4  # how often a player banks who may
FOUR_AND_PAIR = "theirs takes three pairs, but not four alike and a pair, as three pairs"


def compare_parts(compared: Compared) -> None:
    """Compare each throw of one to six dice: which parts may be kept, and what each is worth."""
    for count in range(1, DICE + 1):
        for thrown in combinations_with_replacement(range(1, 7), count):
            compared.matches += 1
            ours = Ours("ten-thousand", *(one for one in SETTINGS if not one.startswith("entry")))
            _throw_away(ours, DICE - count)
            before = ours.state["at_stake"]
            ours.throw(list(thrown))
            legal = {tuple(part) for part in ours.state["request"]["legal"]} if ours.kind == "keep" else set()
            theirs = Player("one", threshold=0)
            theirs.roll, theirs.rollcount = list(thrown), 1
            compared.same(f"a farkle with {thrown}", theirs.is_farkle, ours.player == 1)
            for part in {part for size in range(1, count + 1) for part in _parts(thrown, size)}:
                worth = theirs.hold(_places(list(thrown), part))
                compared.events += 1
                if part in legal:
                    ours.keep(list(part))
                    points = ours.state["at_stake"] - before
                    ours.tell("undo")
                else:
                    points = 0
                known = FOUR_AND_PAIR if _is_four_and_pair(part) and points == 750 else ""
                compared.same(f"{part} of {thrown}", worth, points, known=known)


def _throw_away(ours: Ours, dice: int) -> None:
    """Set so many ones aside first, as single dice."""
    for left in range(DICE, DICE - dice, -1):
        ours.throw([1, *[2, 3, 4, 6, 2][: left - 1]])
        ours.keep([1])
        ours.tell("choose roll")


def _parts(thrown: tuple[int, ...], size: int) -> set[tuple[int, ...]]:
    if size == 0:
        return {()}
    return {
        (thrown[first], *rest)
        for first in range(len(thrown) - size + 1)
        for rest in _parts(thrown[first + 1 :], size - 1)
    }


def _places(dice: list[int], part: tuple[int, ...]) -> list[int]:
    left: list[int | None] = [*dice]
    places = []
    for face in part:
        places.append(left.index(face))
        left[places[-1]] = None
    return places


def _is_four_and_pair(part: tuple[int, ...]) -> bool:
    return sorted(part.count(face) for face in set(part)) == [2, 4]


def play(chance: Random, compared: Compared) -> None:
    """Play one random match in both: faces are theirs, parts and presses are drawn; stake and scores at every step."""
    ours = Ours("ten-thousand", *SETTINGS, "replies=none")
    players = [Player(name, threshold=ENTRY, triple_farkle=0) for name in NAMES[:2]]
    seat = 0
    while ours.kind != "over":
        theirs = players[seat]
        compared.same("whose turn", seat, ours.player)
        thrown = theirs.rollem()
        compared.same("dice due", len(thrown), ours.state["request"]["dice"])
        ours.throw(thrown)
        compared.events += 1
        if theirs.is_farkle:
            theirs.newturn()
            seat = 1 - seat
        elif _keep_and_bank(theirs, ours, chance, compared):
            theirs.bank()
            seat = 1 - seat
        compared.same("scores", [one.totalscore for one in players], ours.scores)
    ended = [number for number, one in enumerate(players) if one.totalscore >= TARGET]
    compared.same("the winner", ended, ours.winners)
    compared.matches += 1


def _keep_and_bank(theirs: Player, ours: Ours, chance: Random, compared: Compared) -> bool:
    parts = [part for part in ours.state["request"]["legal"] if not _is_four_and_pair(tuple(part))]
    part = chance.choice(parts)
    theirs.hold(_places(list(theirs.roll), tuple(part)))
    ours.keep(part)
    compared.same(
        f"the stake after {part} of {theirs.roll}", theirs.turnscore + theirs.holdscore, ours.state["at_stake"]
    )
    compared.same(
        "what may be done", [theirs.can_roll, theirs.can_bank], [one in ours.options for one in ("roll", "bank")]
    )
    banks = theirs.can_bank and chance.random() < STOPS
    ours.tell("choose bank" if banks else "choose roll")
    compared.events += 1
    return bool(banks)


def main() -> None:
    """Compare all parts of all throws (`parts`), or as many matches as the first argument says."""
    compared = Compared()
    if sys.argv[1] == "parts":
        compare_parts(compared)
    else:
        random.seed(1)  # theirs draws the faces
        chance = Random(1)
        for _ in range(int(sys.argv[1])):
            play(chance, compared)
    compared.tell()


if __name__ == "__main__":
    main()
