"""How fairly dice fell and how lucky players were: exact statistics of counts, without chance, clock or file.

A report flags a face only if fair dice and the reader's errors cannot explain its share, at a level divided by the
number of tests in the report (Bonferroni). So at most 1 in 100 reports on fair dice flags anything.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import erfc, exp, factorial, lgamma, log, log1p, pi, prod, sqrt
from typing import Any

from tabletop.core.values import FACES
from tabletop.rules import Match

FAIR = 1 / len(FACES)
LEVEL = 0.01  # of all reports on fair dice at most this share flags a face
MISREAD = 0.003  # of the surest dice, with the wrong face (docs/accuracy.md: 99.7 % right); an adversary chooses which
LOADED, POWER = 0.2, 0.9  # the die that a report promises to find, and how often it does
FEW = 36  # dice; up to here chance is counted out, with 6 expected of each face the approximation is good
PRECISION = 1e-6  # of a share
USUAL_SD = 1.96  # 19 of 20 normal deviations are smaller
POINTS, PIPS = "points", "pips"
ONE, DOUBLE_ONE, DOUBLE_ONE_SCORE = 1, (1, 1), 25
PIGS = ("pig", "two-dice-pig")  # games whose throws have a value without a strategy

Counts = tuple[int, ...]


def chance_of(counts: Counts) -> float:
    """Return the probability that fair dice deviate at least this far from equal counts, 1.0 without throws.

    counts: of the six faces. For few dice exact, by counting all results; otherwise the chi-squared distribution with
    five degrees of freedom in closed form: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.4.4.
    """
    thrown, sides = sum(counts), len(FACES)
    if thrown <= FEW:
        square = sum(count**2 for count in counts)
        far = (split for split in _splits(thrown, sides, thrown) if sum(count**2 for count in split) >= square)
        return float(Fraction(sum(map(_ways, far)), sides**thrown))
    expected = thrown / sides
    deviation = sum((count - expected) ** 2 for count in counts) / expected
    return erfc(sqrt(deviation / 2)) + sqrt(2 * deviation / pi) * exp(-deviation / 2) * (1 + deviation / 3)


def _splits(total: int, parts: int, most: int) -> Iterator[Counts]:
    """Yield the ways to split a total into so many counts of at most `most`, largest first."""
    if parts == 0:
        yield from ((),) if total == 0 else ()
        return
    for first in range(min(total, most), -1, -1):
        if first * parts < total:
            break
        for rest in _splits(total - first, parts - 1, first):
            yield (first, *rest)


def _ways(split: Counts) -> int:
    """Return how many sequences of throws have these counts, for any assignment of counts to faces."""
    alike = prod(map(factorial, Counter(split).values()))
    return factorial(sum(split)) // prod(map(factorial, split)) * (factorial(len(split)) // alike)


def at_least(count: int, thrown: int, share: float) -> float:
    """Return the binomial probability of at least this many."""
    if count <= 0 or count > thrown:
        return float(count <= 0)
    if count <= thrown * share:
        return 1 - at_least(thrown - count + 1, thrown, 1 - share)
    chosen = lgamma(thrown + 1) - lgamma(count + 1) - lgamma(thrown - count + 1)
    term, total = exp(chosen + count * log(share) + (thrown - count) * log1p(-share)), 0.0
    while term > total * 1e-16:
        total += term
        term *= (thrown - count) / (count + 1) * share / (1 - share)
        count += 1
    return total


def deviating(counts: Counts, tests: int) -> list[int]:
    """Return the faces that fair dice and the reader's errors do not explain. tests: sets of dice in the report."""
    thrown, tail = sum(counts), LEVEL / (2 * len(FACES) * tests)
    return [
        face
        for face, count in zip(FACES, counts, strict=True)
        if at_least(count, thrown, FAIR + MISREAD) < tail or at_least(thrown - count, thrown, 1 - FAIR + MISREAD) < tail
    ]


def interval(count: int, thrown: int, tests: int) -> tuple[float, float]:
    """Return the limits of a face's true share: Clopper and Pearson's, joint for all faces and sets, then widened."""
    tail = LEVEL / (2 * len(FACES) * tests)
    below, above = _lowest(count, thrown, tail), 1 - _lowest(thrown - count, thrown, tail)
    return max(0.0, below - MISREAD), min(1.0, above + MISREAD)


def _lowest(count: int, thrown: int, tail: float) -> float:
    low, high = 0.0, count / thrown
    while high - low > PRECISION:
        middle = (low + high) / 2
        low, high = (low, middle) if at_least(count, thrown, middle) > tail else (middle, high)
    return low


@cache
def found_after(tests: int) -> int:
    """Return after how many dice that are all LOADED towards a face it is flagged with POWER, even if misread.

    One such die among fair ones may never be: among five, its share of the sixes is within what misreads may do.
    """
    tail = LEVEL / (2 * len(FACES) * tests)

    def found(thrown: int) -> bool:
        few, many = 0, thrown  # `many` would be flagged, `few` not
        while many - few > 1:
            middle = (few + many) // 2
            few, many = (few, middle) if at_least(middle, thrown, FAIR + MISREAD) < tail else (middle, many)
        return at_least(many, thrown, LOADED - MISREAD) >= POWER

    low, high = 1, 1 << 20
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if found(middle) else (middle, high)
    return high


@dataclass(frozen=True, slots=True)
class Gain:
    """What throws gained beyond their expectation, and the variance of that."""

    throws: int = 0
    beyond: float = 0.0
    variance: float = 0.0

    def __add__(self, other: "Gain") -> "Gain":
        return Gain(self.throws + other.throws, self.beyond + other.beyond, self.variance + other.variance)


def pips(counts: Counts) -> Gain:
    """Return the deviation of the pips, for games whose throws have no value without a strategy."""
    mean = sum(FACES) / len(FACES)
    beyond = sum(count * (face - mean) for face, count in zip(FACES, counts, strict=True))
    return Gain(sum(counts), beyond, sum(counts) * sum((face - mean) ** 2 for face in FACES) / len(FACES))


def points(match: Match) -> dict[str, Gain] | None:
    """Return each player's points beyond expectation, given the decisions taken; None if that needs a strategy."""
    options = match.options
    if match.game.id not in PIGS or options["reached"] == "exact" or options.get("hog") or options.get("skunk"):
        return None
    ones, doubles = str(options.get("ones")), bool(options.get("doubles"))
    gains, scores, stakes = dict.fromkeys(match.players, Gain()), Counter[str](), Counter[str]()
    for event in match.events:
        player = event.player or ""
        if event.kind == "throw" and isinstance(event.value, tuple):
            lost = scores[player] if ones == "lose" else 0
            gain = gain_of(event.value, stakes[player], lost, ones, doubles=doubles)
            mean, variance = _spread(len(event.value), stakes[player], lost, ones, doubles=doubles)
            gains[player] += Gain(1, gain - mean, variance)
            stakes[player] += gain
        if event.value == "bank" or (
            isinstance(event.value, tuple) and ONE in event.value and (event.value, ones) != (DOUBLE_ONE, "continue")
        ):
            scores[player] += stakes[player]
        elif event.kind != "leave":
            continue
        stakes[player] = 0
    return gains


def gain_of(faces: Sequence[int], stake: int, score: int, ones: str, *, doubles: bool) -> int:
    """Return what a throw of Pig changes in score and stake together. score: what a double 1 may lose."""
    if faces.count(ONE) == 1:
        return -stake
    if faces == DOUBLE_ONE:
        return {"replace": DOUBLE_ONE_SCORE - stake, "lose": -score - stake}.get(ones, DOUBLE_ONE_SCORE)
    return sum(faces) * (2 if doubles and len(set(faces)) < len(faces) else 1)


@cache
def _spread(dice: int, stake: int, score: int, ones: str, *, doubles: bool) -> tuple[float, float]:
    """Return the mean and the variance of a throw's gain."""
    every = [gain_of(faces, stake, score, ones, doubles=doubles) for faces in product(FACES, repeat=dice)]
    mean = sum(every) / len(every)
    return mean, sum((gain - mean) ** 2 for gain in every) / len(every)


def report(sets: Mapping[str, Counts], players: Mapping[tuple[str, str, str], Gain]) -> dict[str, Any]:
    """Return the report as JSON values. sets: name -> faces. players: by game, player, unit."""
    thrown_sets = {name: counts for name, counts in sets.items() if any(counts)}
    tests = max(1, len(thrown_sets))
    rows = ((*key, players[key], sqrt(players[key].variance)) for key in sorted(players) if players[key].throws)
    return {
        "level": LEVEL,
        "misread": MISREAD,
        "found_after": found_after(tests),
        "sets": [
            {
                "dice": name,
                "thrown": sum(counts),
                "faces": dict(zip(map(str, FACES), counts, strict=True)),
                "intervals": {
                    str(face): interval(count, sum(counts), tests) for face, count in zip(FACES, counts, strict=True)
                },
                "chance_of_fair": chance_of(counts),
                "exact": sum(counts) <= FEW,
                "deviating": deviating(counts, tests),
            }
            for name, counts in thrown_sets.items()
        ],
        "players": [
            {
                "game": game,
                "player": player,
                "unit": unit,
                "throws": gain.throws,
                "beyond": gain.beyond,
                "deviation": spread,
                "usual": abs(gain.beyond) <= USUAL_SD * spread,
            }
            for game, player, unit, gain, spread in rows
        ],
    }


def text(facts: Mapping[str, Any]) -> str:
    """Return a report as text. facts: as `report` returns them."""
    lines = []
    for dice in facts["sets"]:
        how = "exact" if dice["exact"] else "Pearson's chi-squared test"
        lines.append(f"{dice['dice']}: {dice['thrown']} dice thrown")
        for face, (low, high) in dice["intervals"].items():
            count, mark = dice["faces"][face], "  deviates" if int(face) in dice["deviating"] else ""
            share = count / dice["thrown"]
            lines.append(f"  {face}: {count:>6}  {share:>6.1%}, true share {low:.1%} to {high:.1%}{mark}")
        lines.append(f"  fair dice deviate as far in {dice['chance_of_fair']:.1%} of all cases ({how})")
    flags = any(dice["deviating"] for dice in facts["sets"])
    lines += [
        "",
        "neither fair dice nor the usual misreads explain a marked face: test the die and the reader"
        if flags
        else "nothing here that fair dice and the usual misreads do not explain",
        f"Dice that all show 6 one time in five would be found after about {facts['found_after']} of them.",
        "Fewer cannot rule that out, and one such die can hide among fair ones: throw it alone.",
        f"All intervals hold together in {1 - facts['level']:.0%} of reports, with {facts['misread']:.1%} misread.",
        "",
    ]
    for row in facts["players"]:
        what = "within what chance does" if row["usual"] else "beyond what chance does"
        lines.append(
            f"{row['game']}, {row['player']}: {row['beyond']:+.1f} {row['unit']} in {row['throws']} "
            f"{'throws' if row['unit'] == POINTS else 'dice'}, {what} 19 times in 20"
        )
    if any(not row["usual"] for row in facts["players"]):
        lines.append("One player in 20 is beyond by chance alone. It says nothing about the next throw.")
    if any(row["unit"] == PIPS for row in facts["players"]):
        lines.append("Pips: more than the mean of the dice; what a throw is worth in these games depends on strategy.")
    return "\n".join(lines) + "\n"
