"""Poker dice's odds: every hand of one throw, as published, and which hand wins how often."""

from collections import Counter
from itertools import pairwise, product

from tabletop.rules import Match

# Of 7776 throws; reference.com, "poker dice", from Wikipedia. There is no such thing as a flush.
PUBLISHED = {
    "five of a kind": 6, "four of a kind": 150, "full house": 300, "straight": 240, "three of a kind": 1200,
    "two pairs": 1800, "one pair": 3600, "high card": 480,
}  # fmt: skip
CARD = "9TJQKA"  # the faces 2, 3, 4, 5, 6 and 1


def cards(faces: tuple[int, ...]) -> str:
    shown = [CARD[(face - 2) % 6] for face in faces]
    return "".join(sorted(shown, key=lambda card: (shown.count(card), CARD.index(card)), reverse=True))


def strength(faces: tuple[int, ...]) -> tuple[int, ...]:
    """Return a hand's place among the hands of poker, then its cards: worked out from the letters."""
    hand = cards(faces)
    alike = sorted((hand.count(card) for card in set(hand)), reverse=True)
    places: list[list[int]] = [[1] * 5, [2, 1, 1, 1], [2, 2, 1], [3, 1, 1], [], [3, 2], [4, 1], [5]]
    place = 4 if hand in ("AKQJT", "KQJT9") else places.index(alike)
    return (place, *(CARD.index(card) for card in hand))


def test_every_throw_is_named() -> None:
    """The referee names each hand as often as the table of published odds has it."""
    found = Counter[str]()
    match = Match("poker-dice", ["Ann", "Ben"], throws=1)
    for faces in product(range(1, 7), repeat=5):
        match.throw(faces)
        found[match.state()["sheet"]["hand"]["Ann"]] += 1
        match.undo()
    assert found == PUBLISHED
    assert sum(PUBLISHED.values()) == 6**5


def test_of_two_hands_the_stronger_wins() -> None:
    """All 252 hands in the order of their strength: each beats the one before it, and ties only itself."""
    hands = sorted({tuple(sorted(faces)) for faces in product(range(1, 7), repeat=5)}, key=strength)
    assert len(hands) == 252
    match = Match("poker-dice", ["Ann", "Ben"], throws=1, rounds=9)
    for weaker, stronger in pairwise(hands):
        match.throw(weaker)
        match.throw(stronger)
        assert match.scores == {"Ann": 0, "Ben": 1}, (weaker, stronger)
        match.undo()
        match.throw(weaker)
        assert match.scores == {"Ann": 0, "Ben": 0}
        match.undo()
        match.undo()
    assert [cards(hand) for hand in (hands[0], hands[-1])] == ["AQJT9", "AAAAA"]
