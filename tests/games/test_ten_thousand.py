"""Every throw of Ten Thousand, against scoring parts enumerated here: all ways to lay combinations out of the dice.

House rules and the numbers of dice are tried as well; and random matches with variations whose default is none.
"""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement
from random import Random

import pytest

from tabletop.rules import Match

Combinations = list[tuple[tuple[int, ...], int]]


def three_pairs(points: int) -> Combinations:
    """Three pairs, two of them perhaps the same: four of a kind and a pair."""
    return [(tuple(sorted(pairs * 2)), points) for pairs in combinations_with_replacement(range(1, 7), 3)]


SINGLES: Combinations = [((1,), 100), ((5,), 50)]
TRIPLES: Combinations = [((face, face, face), 100 * face) for face in range(2, 7)]
SET_POINTS: Combinations = [((face,) * count, 1000 * (count - 3)) for face in range(1, 7) for count in (4, 5, 6)]

# The text's table of score values, each combination with its dice.
TEXT: Combinations = [*SINGLES, ((1, 1, 1), 1000), *TRIPLES, ((1, 2, 3, 4, 5, 6), 3000), *three_pairs(1500)]
# The same for the house rules: what is cited in the game's file, and Wikipedia's "adding" and "doubling".
HOUSE_RULES: Combinations = [
    *(*SINGLES, ((1, 1, 1), 1000), *TRIPLES, ((1, 2, 3, 4, 5, 6), 1500)),
    *three_pairs(750),
    *SET_POINTS,
]
FARKLE: Combinations = [
    *(*SINGLES, ((1, 1, 1), 300), *TRIPLES, ((1, 2, 3, 4, 5, 6), 1500)),
    *three_pairs(1500),
    *SET_POINTS,
    *[(tuple(sorted(two * 3)), 2500) for two in combinations_with_replacement(range(1, 7), 2)],
]
ALL_TRIPLES: Combinations = [((1, 1, 1), 1000), *TRIPLES]
ADDED: Combinations = [
    *TEXT,
    *[(dice + dice[:1] * more, points * (1 + more)) for dice, points in ALL_TRIPLES for more in (1, 2, 3)],
]
DOUBLED: Combinations = [
    *TEXT,
    *[(dice + dice[:1] * more, points * 2**more) for dice, points in ALL_TRIPLES for more in (1, 2, 3)],
]
PLAIN: Combinations = [*SINGLES, ((1, 1, 1), 1000), *TRIPLES]

HOUSES: dict[str, tuple[Combinations, dict[str, object]]] = {
    "text": (TEXT, {}),
    "farkle": (FARKLE, {"rules": "farkle", "entry": 0}),
    "farkle-house-rules": (HOUSE_RULES, {"rules": "farkle-house-rules", "entry": 0, "hot_dice": "may"}),
    "adding": (ADDED, {"alike": "adding"}),
    "doubling": (DOUBLED, {"alike": "doubling"}),
    "neither run nor pairs": (PLAIN, {"run": 0, "three_pairs": 0}),
    "seven dice": (TEXT, {"dice": 7}),
    "five dice": (PLAIN, {"dice": 5, "three_pairs": 0}),
}


@cache
def best_parts(throw: tuple[int, ...], house: str = "text") -> dict[tuple[int, ...], int]:
    """Lay out combinations, one after the other, in every way; return each set of dice laid out and its best score."""
    found: dict[tuple[int, ...], int] = {}
    for dice, points in HOUSES[house][0]:
        left = Counter(throw)
        left.subtract(dice)
        if min(left.values()) < 0:
            continue
        rest = tuple(sorted(left.elements()))
        for more, score in {**best_parts(rest, house), (): 0}.items():
            part = tuple(sorted(dice + more))
            found[part] = max(found.get(part, 0), points + score)
    return found


def with_dice_left(count: int) -> Match:
    """Bring a match to where so many dice are due: each earlier die of the six was kept as a single 1."""
    match = Match("ten-thousand", ["Ann", "Ben"])
    for due in range(6, count, -1):
        match.throw([1] + [(2, 3, 4, 6)[number % 4] for number in range(due - 1)])
        match.keep([1])
        match.choose("roll")
    return match


@pytest.mark.parametrize("count", range(1, 7))
def test_all_throws_of_so_many_dice(count: int) -> None:
    """Legal is exactly every part in which all dice score; each scores its best; nothing legal ends the turn."""
    match = with_dice_left(count)
    before = (6 - count) * 100
    for throw in combinations_with_replacement(range(1, 7), count):
        match.throw(throw)
        parts = best_parts(throw)
        if not parts:
            assert match.request.kind == "roll"
            assert match.request.player == "Ben"
            assert match.scores == {"Ann": 0, "Ben": 0}
        else:
            assert set(match.request.legal) == set(parts), throw
            assert [parts[part] for part in match.request.legal] == sorted(parts.values(), reverse=True)
        for part, points in parts.items():
            match.keep(part)
            assert match.at_stake == before + points, (throw, part)
            assert match.request.gives == {"bank": before + points}
            left = count - len(part)
            match.choose("roll")
            assert match.request.dice == (left or 6)
            match.undo()
            match.undo()
        match.undo()


@pytest.mark.parametrize("house", HOUSES)
def test_the_first_throw_of_every_house(house: str) -> None:
    """All first throws with the number of dice of the house: legal is every part that scores, each scores its best."""
    match = Match("ten-thousand", ["Ann", "Ben"], **HOUSES[house][1])
    assert isinstance(match.request.dice, int)
    for throw in combinations_with_replacement(range(1, 7), match.request.dice):
        match.throw(throw)
        parts = best_parts(throw, house)
        assert set(match.request.legal) == set(parts), throw
        assert [parts[part] for part in match.request.legal] == sorted(parts.values(), reverse=True), throw
        for part, points in parts.items():
            match.keep(part)
            assert match.at_stake == points, (throw, part)
            match.undo()
        match.undo()


def test_the_oracle_has_the_printed_values() -> None:
    """The enumeration above gives the text's own table and sample turn."""
    assert best_parts((1, 1, 2, 4, 5, 6))[1, 1, 5] == 250
    assert best_parts((1, 6, 6, 6))[1, 6, 6, 6] == 700
    assert best_parts((2, 3, 3, 4, 6, 6)) == {}
    assert best_parts((2, 2, 2, 2, 3, 3))[2, 2, 2, 2, 3, 3] == 1500
    assert best_parts((1, 2, 3, 4, 5, 6))[1, 2, 3, 4, 5, 6] == 3000
    assert best_parts((1, 1, 1, 1, 1, 1))[1, 1, 1, 1, 1, 1] == 2000
    assert best_parts((6, 6, 6, 6, 6, 6))[6, 6, 6, 6, 6, 6] == 1500
    assert best_parts((3, 3, 3, 3), "farkle-house-rules")[3, 3, 3, 3] == 1000
    assert best_parts((1, 1, 4, 4, 6, 6), "farkle-house-rules")[1, 1, 4, 4, 6, 6] == 750
    assert best_parts((3, 3, 3, 3, 3), "adding")[3, 3, 3, 3, 3] == 900
    assert best_parts((3, 3, 3, 3, 3), "doubling")[3, 3, 3, 3, 3] == 1200


@pytest.mark.parametrize("seed", range(6))
def test_a_match_with_every_variation_ends_and_replays(seed: int) -> None:
    """Random legal play under all variations at once: options that the conformance suite leaves at 0 are played too."""
    rng = Random(seed)
    options = {"entry": 500, "carry_on": True, "three_scoreless": True, "last_die": True, "cancel": True}
    house = {"alike": rng.choice(["set", "adding", "doubling"]), "dice": rng.choice([5, 6, 7]), "two_triples": 2500}
    match = Match("ten-thousand", ["Ann", "Ben", "Cid"], **options, **house, target=4000, replies="everyone")
    while not match.over:
        request = match.request
        if request.kind == "keep":
            match.keep(rng.choice(request.legal))
        elif request.kind == "choose":
            match.choose(rng.choice(request.options))
        else:
            assert isinstance(request.dice, int)
            match.throw([rng.randint(1, 6) for _ in range(request.dice)])
        assert match.event < 4000
    assert max(match.scores.values()) == match.scores[match.winners[0]] >= 4000
    again = Match.replay("ten-thousand", match.seated, match.options, match.events)
    assert again.state() == match.state()
