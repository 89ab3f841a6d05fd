"""Sort the possible keeps by likelihood, in games that fill the boxes of a sheet.

A complete combination is kept. Otherwise people keep equal dice or a run, all but one die of it first; with neither,
their best number. This models sensible family play, not optimal play: BANK and HOLD offer it first.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tabletop.rules import Faces
from tabletop.rules.families.boxes import UPPER, BoxHand, Parts
from tabletop.rules.families.combinations import MOST_THROWS

NUMBERS = {face: box for box, face in UPPER.items()}
PAIR, RUN = 2, 2  # equal dice, or dice in a run, worth keeping
THREE = 3  # equal dice in a full house
HIGH = 4  # from here on a die is worth more than the average of another throw


@dataclass(frozen=True, slots=True)
class Aims:
    """The combinations that a game's boxes need.

    whole: the boxes that need every die of the hand. straights: for each straight, the sets of faces that make it.
    house: the box that two pairs lead to, empty if there is none. total: the box that scores the total of any dice.
    """

    whole: frozenset[str]
    straights: Mapping[str, tuple[Faces, ...]]
    house: str = ""
    total: str = "chance"


def likely_first(parts: Parts, gives: Callable[[BoxHand], Mapping[str, int]], aims: Aims) -> Parts:
    """Return the same parts, those that people are likeliest to keep first.

    parts: what may be kept, including the whole hand. gives: the score in each empty box if all of it is kept now.
    """

    def ordered(hand: BoxHand) -> Sequence[Faces]:
        allowed, boxes = parts(hand), gives(hand)
        made = any(boxes.get(box, 0) > 0 for box in aims.whole)
        ways = tuple(faces for box, ways in aims.straights.items() if box in boxes for faces in ways)
        wanted = _wanted(hand.dice, frozenset(boxes), ways, aims.total, two_pairs=aims.house in boxes)
        likely = (_smallest(allowed, part) for part in ((hand.dice, *wanted) if made else wanted))
        return tuple(dict.fromkeys((*likely, *allowed)))

    return ordered


def _smallest(parts: Sequence[Faces], wanted: Faces) -> Faces:
    """Return the smallest of these parts that has all that is wanted: dice kept before may have to stay."""
    if wanted in parts:
        return wanted
    return min((part for part in parts if not Counter(wanted) - Counter(part)), key=len)


@lru_cache(maxsize=MOST_THROWS)
def _wanted(
    hand: Faces, boxes: frozenset[str], ways: tuple[Faces, ...], total: str, *, two_pairs: bool
) -> tuple[Faces, ...]:
    """Return what they would keep of a hand with which nothing is made, the likeliest first.

    boxes: the empty ones. ways: the faces of each straight that is still to be made. total: as in `Aims`.
    """
    if boxes <= {*UPPER, total}:
        return _numbers(hand, boxes, total)
    alike, run = _alike(hand, boxes), _run(hand, ways)
    most = len(hand) - 1
    house = _house(hand)
    ideas = (
        (alike, len(alike) >= most),
        (run, len(run) >= most),
        (hand, run in ways),
        (house[-most:], two_pairs and len(set(house)) > 1),
        (alike, len(alike) >= PAIR),
        (run, len(run) >= max(RUN, most - 1)),
        (alike, True),
    )
    return tuple(dict.fromkeys(part for part, sensible in ideas if sensible))


def _numbers(hand: Faces, boxes: Iterable[str], total: str) -> tuple[Faces, ...]:
    """Return what they would keep where only numbers, and perhaps the total, are still to be written."""
    open_faces = [face for face in set(hand) if NUMBERS[face] in boxes]
    ideas = [_all_of(hand, face) for face in sorted(open_faces, key=lambda face: (hand.count(face), face))[::-1]]
    high = tuple(face for face in hand if face >= HIGH)
    likely = (*ideas, *([high] if total in boxes else []))
    return likely if hand in likely else (*likely, ())


def _alike(hand: Faces, boxes: Iterable[str]) -> Faces:
    """Return the most dice that are alike, those first whose number is still to be written, then the higher."""
    return _all_of(hand, max(hand, key=lambda face: (hand.count(face), NUMBERS[face] in boxes, face)))


def _house(hand: Faces) -> Faces:
    """Return the dice of the two highest pairs, of each at most the three that a house takes."""
    paired = sorted(face for face in set(hand) if hand.count(face) >= PAIR)[-2:]
    return tuple(face for face in paired for _ in range(min(THREE, hand.count(face))))


def _all_of(hand: Faces, face: int) -> Faces:
    return (face,) * hand.count(face)


def _run(hand: Faces, ways: Sequence[Faces]) -> Faces:
    """Return the dice that have most of a straight, those first with which most straights can be made, then the higher.

    Empty where there is no straight to be made.
    """
    on_the_way = Counter(tuple(face for face in faces if face in hand) for faces in ways)
    return max(on_the_way, key=lambda part: (len(part), on_the_way[part], part), default=())
