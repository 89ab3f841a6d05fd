"""Centennial's odds: how many throws the round trip alone takes, exactly, from the rule and from the referee."""

from fractions import Fraction
from itertools import product

from turn_odds import thrown

from tabletop.rules import Match

ROUTE = (*range(1, 13), *range(11, 0, -1))  # the squares in the order of the round trip


def makes(faces: tuple[int, ...], number: int) -> bool:
    """Tell by the rule: with each die taken or left, some dice add up to the number."""
    return any(sum(face * taken for face, taken in zip(faces, way, strict=True)) == number for way in TAKEN)


TAKEN = tuple(way for way in product((0, 1), repeat=3) if any(way))


def moves_by_the_rule(faces: tuple[int, ...], moves: int) -> int:
    while moves < len(ROUTE) and makes(faces, ROUTE[moves]):
        moves += 1
    return moves


def match_after(moves: int, **options: object) -> Match:
    """Bring a match of one player to so many moves; claims=true lets him move one square at a time."""
    match = Match("centennial", ["Ann"], claims=True, **options)
    for square in ROUTE[:moves]:
        match.throw([square, square, square] if square <= 6 else [6, square - 6, 6])
        match.choose("move 1")
    return match


def throws_by_the_referee(*, throw_on: bool) -> tuple[Fraction, Fraction]:
    """Return the mean throws and turns, from every throw at every square: each moves as far as it can."""
    throws, turns = {len(ROUTE): Fraction(0)}, {len(ROUTE): Fraction(0)}
    for moves in range(len(ROUTE) - 1, -1, -1):
        match = match_after(moves, throw_on=throw_on)
        had = match.sheet["turns"]["Ann"]
        assert isinstance(had, int)
        stay, throws_ahead, turns_ahead = Fraction(0), Fraction(0), Fraction(0)
        for faces, odds in thrown(match):
            if match.request.kind == "choose":
                match.choose(match.request.options[0])
            after = match.scores["Ann"]
            assert after == moves_by_the_rule(faces, moves)
            ended = match.sheet["turns"]["Ann"] == had + 1
            assert ended == (match.over or not throw_on or after == moves)
            if after == moves:
                stay += odds
            throws_ahead += odds * throws.get(after, Fraction(0))
            turns_ahead += odds * ((turns.get(after, Fraction(0))) + ended)
        throws[moves] = (1 + throws_ahead) / (1 - stay)
        turns[moves] = turns_ahead / (1 - stay)
    return throws[0], turns[0]


def mean_by_the_rule(*, idle: bool = False) -> Fraction:
    """Return the mean number of throws, or of those that move nothing, from the last square backwards."""
    mean = {len(ROUTE): Fraction(0)}
    for moves in range(len(ROUTE) - 1, -1, -1):
        ways = [moves_by_the_rule(faces, moves) for faces in product(range(1, 7), repeat=3)]
        stay = Fraction(ways.count(moves), 216)
        ahead = sum((Fraction(ways.count(after), 216) * mean[after] for after in set(ways) - {moves}), Fraction(0))
        mean[moves] = ((stay if idle else 1) + ahead) / (1 - stay)
    return mean[0]


def test_the_length_of_a_match_alone() -> None:
    """The referee has the mean of the rule exactly: 34.1735 throws, each a turn."""
    throws, turns = throws_by_the_referee(throw_on=False)
    assert throws == turns == mean_by_the_rule()
    assert round(float(throws), 4) == 34.1735


def test_the_variation_with_extra_throws() -> None:
    """An extra throw after each that moved: as many throws; turns are 1 more than the throws that move nothing."""
    throws, turns = throws_by_the_referee(throw_on=True)
    assert throws == mean_by_the_rule()
    assert turns == 1 + mean_by_the_rule(idle=True)


def test_claims_make_no_difference_to_one_who_overlooks_nothing() -> None:
    """Without claims the referee moves as far as the rule says, from the squares of a played match."""
    match = Match("centennial", ["Ann"])
    for start in ((6, 6, 6), (1, 2, 4), (3, 5, 2), (4, 5, 1), (5, 6, 1), (4, 6, 2), (1, 4, 4), (5, 4, 3)):
        match.throw(start)
        moves = match.scores["Ann"]
        for faces, _ in thrown(match):
            assert match.scores["Ann"] == moves_by_the_rule(faces, moves)
