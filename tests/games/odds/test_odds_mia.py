"""Mia's odds: how often a claim is true of dice that nobody chose."""

from fractions import Fraction
from itertools import product

from tabletop.rules import Match

THROWS = list(product(range(1, 7), repeat=2))

# Worked out by hand: of 36 throws two make each of the fourteen plain claims, one each double, two Mia. So at least 31
# are all 36, at least 32 two fewer, and so on to 65 with ten; at least 11 are 8, each double one fewer, Mia 2.
PLAIN = ["31", "32", "41", "42", "43", "51", "52", "53", "54", "61", "62", "63", "64", "65"]
BY_HAND = {claim: 36 - 2 * place for place, claim in enumerate(PLAIN)}
BY_HAND |= {f"{face}{face}": 9 - face for face in range(1, 7)} | {"21": 2}


def test_every_claim_is_as_often_true_as_the_rule_has_it() -> None:
    """The referee takes the life of the doubter as often as by hand; a Mia is 1 in 18."""
    match = Match("mia", ["Ann", "Ben"])
    match.choose("hidden")
    assert sorted(match.request.options) == sorted(BY_HAND)
    found = {}
    for claim in BY_HAND:
        match.choose(claim)
        match.choose("doubt")
        true = 0
        for throw in THROWS:
            match.throw(throw)
            true += match.scores == {"Ann": 6, "Ben": 5}
            match.undo()
        found[claim] = true
        match.undo()
        match.undo()
    assert found == BY_HAND
    assert Fraction(found["21"], len(THROWS)) == Fraction(1, 18)
