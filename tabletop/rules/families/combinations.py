"""Parts of a throw that may be set aside, and what combinations of dice are worth in Ten Thousand and its kin."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from tabletop.rules.requests import Faces

MOST_THROWS = 1 << 12  # more than the 923 multisets of up to six dice, with room for games with more
KNOWN_PARTS = 1 << 14  # the 1715 throws of up to seven dice under several charts
RUN = (1, 2, 3, 4, 5, 6)
SHORT_RUNS = (RUN[:-1], RUN[1:])
SET_STEP = 1000  # four, five and six of a kind at 1000, 2000 and 3000; seven go on in the same way
# By the style, from the points of a triple and the number alike, from four on.
MORE_ALIKE: Mapping[str, Callable[[int, int], int]] = {
    "loose": lambda _triple, _count: 0,
    "set": lambda _triple, count: SET_STEP * (count - 3),
    "adding": lambda triple, count: triple * (count - 2),
    "doubling": lambda triple, count: triple * 2 ** (count - 3),
}


@dataclass(frozen=True, slots=True)
class Chart:
    """The points of each combination, 0 if it does not score.

    alike: a row for 1, 2, 3, ... dice that show the same, each with the points for the faces 1 to 6. short_run: 1 to 5
    or 2 to 6. The others need six dice: run: 1 to 6. three_pairs: four alike and a pair count as well, and so do six
    alike. two_triples: six alike count as well.
    """

    alike: tuple[tuple[int, ...], ...]
    run: int
    three_pairs: int = 0
    two_triples: int = 0
    short_run: int = 0


@lru_cache(maxsize=MOST_THROWS)
def parts_of(hand: Faces) -> tuple[Faces, ...]:
    """Return every different part of a sorted hand, each sorted, the whole hand first and () last."""
    sizes = range(len(hand), -1, -1)
    return tuple(part for size in sizes for part in sorted(set(combinations(hand, size))))


def alike_rows(triples: Sequence[int], style: str, most: int) -> tuple[tuple[int, ...], ...]:
    """Return the rows of a chart for three dice alike up to `most`. triples: the points of three, for faces 1 to 6."""
    more = MORE_ALIKE[style]
    return (tuple(triples), *(tuple(more(triple, count) for triple in triples) for count in range(4, most + 1)))


@lru_cache(maxsize=KNOWN_PARTS)
def scoring_parts(chart: Chart, thrown: Faces) -> tuple[Faces, ...]:
    """Return the parts of a sorted throw in which every die scores, the highest first; empty for a scoreless throw.

    Where two parts are worth the same, the one with more dice stands first.
    """
    worth = {part: part_score(chart, part) for part in parts_of(thrown)}
    return tuple(sorted((part for part in worth if worth[part]), key=lambda part: worth[part], reverse=True))


@lru_cache(maxsize=KNOWN_PARTS)
def part_score(chart: Chart, part: Faces) -> int:
    """Return the best score in which every die of this sorted part counts; 0 if there is none."""
    best = _alike(chart, part)
    for size, score_of in ((len(RUN), _of_six), (len(RUN) - 1, _of_five)):
        for some in set(combinations(part, size)):
            left = list(part)
            for face in some:
                left.remove(face)
            score, rest = score_of(chart, some), _alike(chart, tuple(left))
            if score and (rest or not left):
                best = max(best, score + rest)
    return best


def _of_five(chart: Chart, five: Faces) -> int:
    """Return what these five sorted dice score as a short run."""
    return chart.short_run if five in SHORT_RUNS else 0


def _of_six(chart: Chart, six: Faces) -> int:
    """Return the best combination that takes all of these six sorted dice."""
    counts = [six.count(face) for face in set(six)]
    return max(
        chart.run if six == RUN else 0,
        chart.three_pairs if all(count % 2 == 0 for count in counts) else 0,
        chart.two_triples if all(count % 3 == 0 for count in counts) else 0,
    )


def _alike(chart: Chart, part: Faces) -> int:
    """Return the best score with single dice and dice that are alike; 0 if one die does not count."""
    scores = [_of_one_face(chart, face, part.count(face)) for face in set(part)]
    return sum(scores) if all(scores) else 0


def _of_one_face(chart: Chart, face: int, count: int) -> int:
    """Return the best score of this many dice with this face, parted in any way; 0 if one does not count."""
    best = 0
    for size, points in enumerate(chart.alike[:count], start=1):
        left = count - size
        rest = _of_one_face(chart, face, left) if left else 0
        if points[face - 1] and (rest or not left):
            best = max(best, points[face - 1] + rest)
    return best
