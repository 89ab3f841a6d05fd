"""Ten Thousand's odds: a scoreless throw with each number of dice, and all six scoring at once."""

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, factorial, prod

import pytest
from turn_odds import every_throw

from tabletop.rules import Match

# Counted by hand: no 1, no 5, at most two of each other face; with six dice neither three pairs of them.
# One die 4 of 6. Two: 4 * 4. Three: 4^3 - 4. Four: faces 2+2 or 2+1+1 or 1+1+1+1 of four: 36 + 144 + 24.
# Five: 2+2+1 or 2+1+1+1: 360 + 240. Six: 2+2+1+1 is 1080, and 2+2+2 scores.
SCORELESS = {1: 4, 2: 16, 3: 60, 4: 204, 5: 600, 6: 1080}


def with_dice_left(count: int) -> Match:
    match = Match("ten-thousand", ["Ann", "Ben"])
    for due in range(6, count, -1):
        match.throw([1, 2, 2, 3, 3, 4][:due])
        match.keep([1])
        match.choose("roll")
    return match


def weight(faces: tuple[int, ...]) -> int:
    return factorial(len(faces)) // prod(map(factorial, Counter(faces).values()))


@pytest.mark.parametrize(("dice", "ways"), SCORELESS.items())
def test_a_scoreless_throw(dice: int, ways: int) -> None:
    """All throws through the referee: as many lose the turn as were counted by hand.

    Published for one to five dice (farkle.games/farkle-odds, as throws that score): 2, 20, 156, 1092 and 7176.
    """
    match = with_dice_left(dice)
    lost = 0
    for faces in combinations_with_replacement(range(1, 7), dice):
        match.throw(faces)
        if match.request.player == "Ben":
            lost += weight(faces)
        match.undo()
    assert lost == ways
    if dice < 6:
        assert 6**dice - lost == {1: 2, 2: 20, 3: 156, 4: 1092, 5: 7176}[dice]
    assert (
        Fraction(lost, 6**dice)
        == [Fraction(2, 3), Fraction(4, 9), Fraction(5, 18), Fraction(17, 108), Fraction(25, 324), Fraction(5, 216)][
            dice - 1
        ]
    )


def all_six_score(faces: tuple[int, ...]) -> bool:
    """Tell by the rule: a run, three pairs, or nothing beside 1s, 5s and triples."""
    counts = Counter(faces)
    if len(counts) == 6 or all(count % 2 == 0 for count in counts.values()):
        return True
    return all(count % 3 == 0 for face, count in counts.items() if face not in (1, 5))


def test_hot_dice_at_once() -> None:
    """The whole throw may be kept exactly as often as the rule says, over all 46656 throws."""
    match = Match("ten-thousand", ["Ann", "Ben"])
    by_referee = by_rule = 0
    for faces in combinations_with_replacement(range(1, 7), 6):
        match.throw(faces)
        by_referee += weight(faces) * (faces in match.request.legal)
        by_rule += weight(faces) * all_six_score(faces)
        match.undo()
    assert by_referee == by_rule


def best_of_all_first_throws(**options: object) -> Fraction:
    """Return the mean of the highest part over all first throws, as the referee has it; a scoreless throw is 0."""
    match = Match("ten-thousand", ["Ann", "Ben"], **options)
    assert isinstance(match.request.dice, int)
    dice, total = match.request.dice, 0
    for faces in combinations_with_replacement(range(1, 7), dice):
        match.throw(faces)
        if match.request.kind == "keep":
            match.keep(match.request.legal[0])
            total += weight(faces) * match.at_stake
            match.undo()
        match.undo()
    return Fraction(total, 6**dice)


def mean_of_singles_and_triples(dice: int) -> Fraction:
    mean = Fraction(0)
    for face in range(1, 7):
        triple, single = (1000, 100) if face == 1 else (100 * face, 50 if face == 5 else 0)
        for count in range(dice + 1):
            points = count // 3 * triple + count % 3 * single
            mean += Fraction(comb(dice, count) * 5 ** (dice - count), 6**dice) * points
    return mean


@pytest.mark.parametrize("dice", [5, 6, 7])
def test_the_mean_of_a_first_throw_without_run_and_pairs(dice: int) -> None:
    """All throws through the referee give the mean of the rule exactly; about 309 points with six dice.

    (Wikipedia, "Farkle", has 302 for six dice without a derivation; neither of the two ways here gives it.)
    """
    house: dict[str, object] = {"dice": dice, "run": 0, "three_pairs": 0}
    mean = best_of_all_first_throws(**house)
    assert mean == mean_of_singles_and_triples(dice)
    if dice == 6:
        assert mean == Fraction(266875, 864)


def test_what_the_run_and_three_pairs_add() -> None:
    """The run takes the place of a 1 and a 5 in 720 throws; three pairs take the place of less in 2256.

    Counted for the pairs: three different faces 20 * 90, four of a kind and a pair 30 * 15, six of a kind 6. They take
    the place of what their 1s and 5s and triples score: in pairs 200 and 100 for 1s and 5s, each in half of the throws
    of three different; in four and two the triple, the fourth die and the pair; six alike as two triples keep 2000 if
    they are 1s, and 1400 at most else.
    """
    plain = mean_of_singles_and_triples(6)
    run = Fraction(720 * (3000 - 150), 6**6)
    three_different = 90 * (20 * 1500 - 10 * 200 - 10 * 100)
    four_and_two = 0
    for four in range(1, 7):
        for two in set(range(1, 7)) - {four}:
            single = {1: 100, 5: 50}
            triple = 1000 if four == 1 else 100 * four
            four_and_two += 15 * max(0, 1500 - triple - single.get(four, 0) - 2 * single.get(two, 0))
    six_alike = sum(1500 - 200 * face for face in range(2, 7))
    pairs = Fraction(three_different + four_and_two + six_alike, 6**6)
    assert best_of_all_first_throws(three_pairs=0) == plain + run
    assert best_of_all_first_throws() == plain + run + pairs


@pytest.mark.parametrize(("dice", "ways"), [(5, 600), (6, 1440), (7, 2520)])
def test_a_scoreless_first_throw_without_three_pairs(dice: int, ways: int) -> None:
    """Six dice: the 1080 above and 2+2+2, which is 360 more: 5 in 162 (Wikipedia, "Farkle", "Probabilities").

    Seven dice without score have no 1 and no 5, and at most two of each other face: 2+2+2+1 or more.

    Counted by hand: three faces twice and one once, 4 * 7!/8 = 2520; but then three pairs score. So with three pairs
    nothing is left: every throw of seven dice scores.
    """
    house: dict[str, object] = {"dice": dice, "three_pairs": 0}
    assert scoreless_ways(dice, house) == ways
    assert scoreless_ways(dice, {"dice": dice}) == {5: 600, 6: 1080, 7: 0}[dice]


def scoreless_ways(dice: int, house: dict[str, object]) -> int:
    match = Match("ten-thousand", ["Ann", "Ben"], **house)
    lost = 0
    for faces in combinations_with_replacement(range(1, 7), dice):
        match.throw(faces)
        lost += weight(faces) * (match.request.player == "Ben")
        match.undo()
    return lost


def test_four_2s_and_six_of_a_kind() -> None:
    """Of 46656 throws 15 * 25 + 6 * 5 + 1 = 406 cancel, and 6 win outright; where both are played six 2s win."""
    match = Match("ten-thousand", ["Ann", "Ben"], cancel=True, outright=True)
    cancelled = won = 0
    for faces in combinations_with_replacement(range(1, 7), 6):
        match.throw(faces)
        won += weight(faces) * match.over
        cancelled += weight(faces) * ("whole score" in match.said)
        match.undo()
    assert (cancelled, won) == (405, 6)


def test_the_last_die() -> None:
    """A 1 or 5 in two throws of one die: 1 - (4/6)^2 = 5/9; in one throw 1/3. All faces through the referee."""
    for two_throws, odds in ((True, Fraction(5, 9)), (False, Fraction(1, 3))):
        match = Match("ten-thousand", ["Ann", "Ben"], last_die=two_throws)
        match.throw([1, 1, 1, 5, 5, 2])
        match.keep([1, 1, 1, 5, 5])
        match.choose("roll")
        scored = Fraction(0)
        for face in range(1, 7):
            match.throw([face])
            if match.request.legal:
                scored += Fraction(1, 6)
            elif match.request.player == "Ann":
                for again in range(1, 7):
                    match.throw([again])
                    scored += Fraction(bool(match.request.legal), 36)
                    match.undo()
            match.undo()
        assert scored == odds


def test_runs_of_five_dice() -> None:
    """With five dice 2 * 5! of 7776 throws are a run, and only these score all five dice at once as one."""
    match = Match("ten-thousand", ["Ann"], dice=5, short_run=1500)
    runs = Fraction(0)
    for faces, chance in every_throw(5):
        match.throw(faces)
        if match.request.kind == "keep" and faces in match.request.legal:
            match.keep(faces)
            runs += chance * (match.at_stake == 1500 and len(set(faces)) == 5)
            match.undo()
        match.undo()
    assert runs == Fraction(2 * factorial(5), 6**5)


def test_a_piggyback_of_one_die() -> None:
    """A single die left wins the points of the player before with odds of 1 in 3: a 1 or a 5."""
    match = Match("ten-thousand", ["Ann", "Ben"], piggyback=True)
    match.throw((1, 1, 1, 5, 5, 2))
    match.keep((1, 1, 1, 5, 5))
    match.choose("bank")
    match.choose("take")
    won = Fraction(0)
    for faces, chance in every_throw(1):
        match.throw(faces)
        if match.request.kind == "keep":
            match.keep(faces)
            won += chance * (match.at_stake == 1100 + {1: 100, 5: 50}[faces[0]])
            match.undo()
        match.undo()
    assert won == Fraction(1, 3)
