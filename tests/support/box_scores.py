"""What a hand scores in each box of the box games, written from the rule texts alone: by counts and sets."""

from collections import Counter
from collections.abc import Callable

from best_play import Faces

Score = Callable[[Faces], int]
NAMES = ("ones", "twos", "threes", "fours", "fives", "sixes")
UPPER: dict[str, Score] = {box: lambda hand, face=face: face * hand.count(face) for face, box in enumerate(NAMES, 1)}  # type: ignore[misc]


def counts(hand: Faces) -> list[int]:
    """Return how many dice are alike, fewest first: a full house is [2, 3]."""
    return sorted(Counter(hand).values())


def highest(hand: Faces, *groups: int) -> int:
    """Return the highest total of groups of dice alike, each of another face, 0 where they are not there."""
    first, *more = groups
    totals = []
    for face in {face for face in hand if hand.count(face) >= first}:
        rest = highest(tuple(die for die in hand if die != face), *more) if more else 0
        totals += [first * face + rest] if rest or not more else []
    return max(totals, default=0)


def row(hand: Faces, length: int) -> bool:
    return any(set(range(low, low + length)) <= set(hand) for low in range(1, 8 - length))


def colours(hand: Faces) -> set[int]:
    """Return Kismet's colours in the hand; the two faces of a colour add up to 7."""
    return {min(face, 7 - face) for face in hand}


def pairs_of_a_colour(hand: Faces) -> bool:
    return any(hand.count(face) // 2 + hand.count(7 - face) // 2 > 1 for face in (1, 2, 3))


def generals_straight(hand: Faces) -> bool:
    """Try each ace as itself, as a 2 and as a 6."""
    tried: list[Faces] = [()]
    for die in hand:
        tried = [(*some, face) for some in tried for face in ((1, 2, 6) if die == 1 else (die,))]
    return any(row(some, 5) for some in tried)


RULES: dict[str, dict[str, Score]] = {
    "yahtzee": UPPER
    | {
        "three of a kind": lambda hand: sum(hand) * (counts(hand)[-1] > 2),
        "four of a kind": lambda hand: sum(hand) * (counts(hand)[-1] > 3),
        "full house": lambda hand: 25 * (counts(hand) == [2, 3]),
        "small straight": lambda hand: 30 * row(hand, 4),
        "large straight": lambda hand: 40 * row(hand, 5),
        "yahtzee": lambda hand: 50 * (counts(hand) == [5]),
        "chance": sum,
    },
    "yacht": UPPER
    | {
        "little straight": lambda hand: 30 * (hand == (1, 2, 3, 4, 5)),
        "big straight": lambda hand: 30 * (hand == (2, 3, 4, 5, 6)),
        "full house": lambda hand: sum(hand) * (counts(hand) == [2, 3]),
        "four of a kind": lambda hand: highest(hand, 4),
        "chance": sum,
        "yacht": lambda hand: 50 * (counts(hand) == [5]),
    },
    "general": UPPER
    | {
        "straight": lambda hand: 25 * generals_straight(hand),
        "full house": lambda hand: 35 * (counts(hand) == [2, 3]),
        "four of a kind": lambda hand: 45 * (counts(hand)[-1] > 3),
        "chance": sum,
        "general": lambda hand: 60 * (counts(hand) == [5]),
    },
    "yatzy": UPPER
    | {
        "one pair": lambda hand: highest(hand, 2),
        "two pairs": lambda hand: highest(hand, 2, 2),
        "three of a kind": lambda hand: highest(hand, 3),
        "four of a kind": lambda hand: highest(hand, 4),
        "small straight": lambda hand: 15 * (hand == (1, 2, 3, 4, 5)),
        "large straight": lambda hand: 20 * (hand == (2, 3, 4, 5, 6)),
        "full house": lambda hand: sum(hand) * (counts(hand) == [2, 3]),
        "chance": sum,
        "yatzy": lambda hand: 50 * (counts(hand) == [5]),
    },
    "maxi-yatzy": UPPER
    | {
        "one pair": lambda hand: highest(hand, 2),
        "two pairs": lambda hand: highest(hand, 2, 2),
        "three pairs": lambda hand: sum(hand) * (counts(hand) == [2, 2, 2]),
        "three of a kind": lambda hand: highest(hand, 3),
        "four of a kind": lambda hand: highest(hand, 4),
        "five of a kind": lambda hand: highest(hand, 5),
        "small straight": lambda hand: 15 * ({1, 2, 3, 4, 5} <= set(hand)),
        "large straight": lambda hand: 20 * ({2, 3, 4, 5, 6} <= set(hand)),
        "full straight": lambda hand: 21 * (len(set(hand)) == 6),
        "full house": lambda hand: highest(hand, 3, 2),
        "villa": lambda hand: sum(hand) * (counts(hand) == [3, 3]),
        "tower": lambda hand: sum(hand) * (counts(hand) == [2, 4]),
        "chance": sum,
        "maxi yatzy": lambda hand: 100 * (counts(hand) == [6]),
    },
    "kismet": UPPER
    | {
        "two pairs same colour": lambda hand: sum(hand) * pairs_of_a_colour(hand),
        "three of a kind": lambda hand: sum(hand) * (counts(hand)[-1] > 2),
        "straight": lambda hand: 30 * row(hand, 5),
        "flush": lambda hand: 35 * (len(colours(hand)) == 1),
        "full house": lambda hand: (sum(hand) + 15) * (counts(hand) in ([2, 3], [5])),
        "same colour house": lambda hand: (
            (sum(hand) + 20) * (counts(hand) in ([2, 3], [5]) and len(colours(hand)) == 1)
        ),
        "four of a kind": lambda hand: (sum(hand) + 25) * (counts(hand)[-1] > 3),
        "yarborough": sum,
        "kismet": lambda hand: (sum(hand) + 50) * (counts(hand) == [5]),
    },
    "balut": {box: UPPER[box] for box in NAMES[3:]}
    | {
        "straight": lambda hand: sum(hand) * row(hand, 5),
        "full house": lambda hand: sum(hand) * (counts(hand) == [2, 3]),
        "choice": sum,
        "balut": lambda hand: (sum(hand) + 20) * (counts(hand) == [5]),
    },
    "crag": UPPER
    | {
        "odd straight": lambda hand: 20 * (hand == (1, 3, 5)),
        "even straight": lambda hand: 20 * (hand == (2, 4, 6)),
        "low straight": lambda hand: 20 * (hand == (1, 2, 3)),
        "high straight": lambda hand: 20 * (hand == (4, 5, 6)),
        "three of a kind": lambda hand: 25 * (counts(hand) == [3]),
        "thirteen": lambda hand: 26 * (sum(hand) == 13 and len(set(hand)) == 3),
        "crag": lambda hand: 50 * (sum(hand) == 13 and len(set(hand)) < 3),
    },
}
