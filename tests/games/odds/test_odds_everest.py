"""Everest's odds: how many boxes the first throw crosses off, and how long the last box takes."""

from fractions import Fraction
from itertools import product

from turn_odds import every_throw

from tabletop.rules import Match

NUMBERS = range(1, 13)


def test_the_first_throw_crosses_off() -> None:
    """With every box open the best way takes 107/36 boxes on average: 3, but 2 for three alike.

    Three dice that are not all alike are three numbers of which none is there more than twice. Three alike are three
    times the same number, for which there are two rows: it is crossed off twice, or once beside its double.
    """
    match = Match("everest", ["Ann"])
    mean = Fraction(0)
    for faces, odds in every_throw(3):
        match.throw(faces)
        best = match.request.options[0]
        assert match.request.gives[best] == max(match.request.gives.values()) == (2 if len(set(faces)) == 1 else 3)
        mean += odds * match.request.gives[best]
        match.undo()
    assert mean == 3 - Fraction(6, 216) == Fraction(107, 36)


def ways_by_the_rule(number: int) -> int:
    """Count the 216 throws of which some dice, each taken or left, add up to the number."""
    taken = [way for way in product((0, 1), repeat=3) if any(way)]
    return sum(
        any(sum(face * take for face, take in zip(faces, way, strict=True)) == number for way in taken)
        for faces in product(range(1, 7), repeat=3)
    )


def with_one_left(left: int) -> Match:
    match = Match("everest", ["Ann"])
    for number in (*NUMBERS, *NUMBERS):
        if match.sheet[str(number)]["Ann"] == "x-" and number == left:
            continue
        match.throw((number, 6, 6) if number <= 6 else (number - 6, 6, 6))
        match.choose(str(number))
    return match


def test_the_last_box() -> None:
    """With one box open it is crossed off exactly as often as its number can be made, and that wins.

    By hand: a 1 is in 216 - 125 = 91 throws; 12 is the sum of three dice in 25, and of two 6s in 16 others.
    """
    ways = {number: ways_by_the_rule(number) for number in NUMBERS}
    assert ways[1] == 91
    assert ways[12] == 25 + 16
    for number in NUMBERS:
        match = with_one_left(number)
        assert match.scores["Ann"] == 23
        odds = Fraction(0)
        for faces, chance in every_throw(3):
            match.throw(faces)
            if match.request.options == (str(number), "pass"):
                odds += chance
            else:
                assert match.request.options == ("pass",)
            match.choose("pass")
        assert odds == Fraction(ways[number], 216)
