"""What BANK keeps at once of a hand where boxes are filled: what people most likely want, not all the dice."""

from collections.abc import Iterator
from random import Random

import pytest
from reach import all_hands, check_reach
from table_in_words import Table

from tabletop.rules import Keep, Match
from tabletop.rules.families.combinations import parts_of

Faces = tuple[int, ...]

BOXES = 13  # of a Yahtzee sheet

AT_THE_START: list[tuple[str, str, str]] = [  # game, hand, what most people would keep of it
    ("yahtzee", "1 2 3 6 6", "6 6"),
    ("yahtzee", "1 1 2 4 6", "1 1"),
    ("yahtzee", "2 2 2 5 6", "2 2 2"),
    ("yahtzee", "1 5 5 5 5", "5 5 5 5"),
    ("yahtzee", "4 4 4 4 4", "4 4 4 4 4"),
    ("yahtzee", "3 3 5 5 5", "3 3 5 5 5"),  # a full house
    ("yahtzee", "2 2 5 5 6", "2 2 5 5"),  # nearly one
    ("yahtzee", "2 3 4 5 6", "2 3 4 5 6"),
    ("yahtzee", "1 2 3 4 6", "1 2 3 4"),  # small, and may become large
    ("yahtzee", "3 4 5 6 6", "3 4 5 6"),
    ("yahtzee", "1 2 4 5 6", "2 4 5 6"),
    ("yacht", "1 2 3 4 5", "1 2 3 4 5"),
    ("yacht", "1 1 4 6 6", "1 1 6 6"),
    ("yacht", "2 3 4 5 5", "2 3 4 5"),
    ("general", "1 1 3 4 5", "1 1 3 4 5"),  # an ace may be a 2
    ("general", "3 3 3 4 4", "3 3 3 4 4"),
    ("general", "2 2 2 3 6", "2 2 2"),
    ("crag", "3 5 5", "3 5 5"),  # 13 and a double
    ("crag", "2 5 6", "2 5 6"),  # 13
    ("crag", "1 3 5", "1 3 5"),
    ("crag", "4 4 4", "4 4 4"),
    ("crag", "4 4 6", "4 4"),
    ("crag", "3 5 6", "5 6"),
    ("yatzy", "1 2 3 4 5", "1 2 3 4 5"),
    ("yatzy", "2 2 5 5 6", "2 2 5 5"),
    ("yatzy", "1 3 3 3 6", "3 3 3"),
    ("maxi-yatzy", "1 2 3 4 5 6", "1 2 3 4 5 6"),
    ("maxi-yatzy", "3 3 6 6 6 6", "3 3 6 6 6 6"),  # a tower
    ("maxi-yatzy", "2 2 2 5 5 5", "2 2 2 5 5 5"),  # a villa
    ("maxi-yatzy", "1 2 4 5 5 5", "5 5 5"),
    ("maxi-yatzy", "1 2 2 3 4 5", "1 2 3 4 5"),  # small, and may become full
    ("kismet", "1 1 1 6 6", "1 1 1 6 6"),
    ("kismet", "2 2 2 5 5", "2 2 2 5 5"),
    ("kismet", "3 3 4 4 6", "3 3 4 4"),
    ("kismet", "1 1 2 4 5", "1 2 4 5"),
    ("balut", "1 2 4 4 4", "4 4 4"),
    ("balut", "2 3 4 5 6", "2 3 4 5 6"),
]


@pytest.mark.parametrize(("game", "hand", "kept"), AT_THE_START)
def test_what_people_most_likely_keep_stands_first(game: str, hand: str, kept: str) -> None:
    """By hand, at the start of a sheet."""
    assert Table(game).do(f"throw {hand}").shown[0] == f"keep {kept}"


def sheet_without(*boxes: str) -> Match:
    match = Match("yahtzee", ["Ann"])
    for _ in range(BOXES - len(boxes)):
        match.throw((1, 1, 2, 3, 5))
        match.keep((1, 1, 2, 3, 5))
        match.choose(next(box for box in match.request.options if box not in boxes))
    return match


@pytest.mark.parametrize(
    ("boxes", "hand", "kept"),
    [
        (("sixes", "twos"), (2, 2, 6, 6, 5), (6, 6)),
        (("sixes", "twos"), (1, 1, 3, 5, 5), ()),  # nothing of it can be written
        (("twos",), (2, 6, 6, 6, 6), (2,)),
        (("chance",), (1, 1, 1, 5, 6), (5, 6)),
        (("yahtzee", "chance"), (2, 2, 2, 6, 6), (2, 2, 2)),  # the full house is filled
        (("small straight", "sixes"), (2, 3, 4, 5, 5), (2, 3, 4, 5)),
        (("full house", "sixes"), (2, 3, 4, 5, 5), (5, 5)),  # no straight is wanted any more
        (("yahtzee", "sixes"), (3, 3, 6, 6, 1), (6, 6)),
    ],
)
def test_boxes_that_are_filled_count_no_more(boxes: tuple[str, ...], hand: Faces, kept: Faces) -> None:
    """By hand, late in a match: what stands first leads to a box that is still empty."""
    match = sheet_without(*boxes)
    match.throw(hand)
    assert match.request.legal[0] == kept


def keeps_of(game: str, **options: object) -> Iterator[tuple[Match, Faces]]:
    """Play a match at random and yield it at each keep, with the hand."""
    chance = Random(game)
    match = Match(game, ["Ann"], **options)
    while not match.over:
        request = match.request
        if request.kind == "roll":
            assert isinstance(request.dice, int)
            match.throw([chance.randint(1, 6) for _ in range(request.dice)])
        elif request.kind == "keep":
            yield match, max(request.legal, key=len)
            match.keep(chance.choice(request.legal))
        else:
            match.choose(chance.choice(request.options))


WORTH_ALL = {  # the boxes that take all the dice, by the rule texts
    "yahtzee": {"full house", "large straight", "yahtzee"},
    "yacht": {"full house", "little straight", "big straight", "yacht"},
    "general": {"full house", "straight", "general", "double general"},
    "crag": {"odd straight", "even straight", "low straight", "high straight", "three of a kind", "thirteen", "crag"},
    "yatzy": {"small straight", "large straight", "full house", "yatzy"},
    "maxi-yatzy": {"three pairs", "full straight", "villa", "tower", "maxi yatzy"},
    "kismet": {"straight", "flush", "full house", "same colour house", "kismet"},
    "balut": {"straight", "full house", "balut"},
}
NUMBERS = {"ones", "twos", "threes", "fours", "fives", "sixes", "chance", "yarborough", "choice"}


@pytest.mark.parametrize("game", WORTH_ALL)
def test_all_dice_stand_first_only_where_they_are_worth_it(game: str) -> None:
    """A BANK too many does not end the throwing, but where the hand makes a box that takes all of it.

    With nothing but numbers left all five may show the one that is wanted, or be high enough for chance.
    """
    for match, hand in keeps_of(game):
        assert sorted(match.request.legal) == sorted(parts_of(hand))
        gives = match.foresee(Keep(hand)).gives
        makes = any(gives.get(box, 0) > 0 for box in WORTH_ALL[game])
        assert (match.request.legal[0] == hand) == makes or gives.keys() <= NUMBERS


@pytest.mark.parametrize("game", ["yacht", "general"])
def test_dice_that_have_to_stay_are_in_all_that_is_offered(game: str) -> None:
    """Without picking up again: the parts are those with all that was kept before, in whatever order."""
    for match, hand in keeps_of(game, pick_up=False):
        kept = match.kept
        rest = list(hand)
        for face in kept:
            rest.remove(face)
        expected = [tuple(sorted((*kept, *part))) for part in parts_of(tuple(rest))]
        assert sorted(match.request.legal) == sorted(expected)
        check_reach(match.request)


@pytest.mark.slow
@pytest.mark.parametrize("game", WORTH_ALL)
def test_every_hand_at_the_start_of_a_sheet(game: str) -> None:
    """Every hand: the parts are all there, and every one is within eight presses."""
    begun = Match(game, ["Ann", "Ben"])
    assert isinstance(begun.request.dice, int)
    for hand in all_hands(begun.request.dice):
        match = Match(game, ["Ann", "Ben"])
        match.throw(hand)
        if not match.over:
            assert sorted(match.request.legal) == sorted(parts_of(hand))
            check_reach(match.request)
