"""The luck report against published dice, sums over all results, the referee's own points, and simulated years."""

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, erfc, exp, gamma, sqrt
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from turn_odds import again, every_throw, odds_of_a_throw

from tabletop.cli import luck
from tabletop.cli.main import main
from tabletop.rules import Match
from tabletop.store import Store

# Z. Labby, "Weldon's Dice, Automated" (Chance 22, 2009): 26,306 throws of 12 dice
LABBY = (53222, 52118, 52465, 52338, 52244, 53285)
YEARS, TESTED = 1000, 20_000
# Most flagged of 1,000 fair years that a true rate of 1 in 100 exceeds once in 1,000: binomial
MOST_FLAGGED = 20


@pytest.mark.parametrize("thrown", [1, 3, 6])
def test_the_chance_of_few_dice_is_counted_out(thrown: int) -> None:
    """Against all 6^n sequences."""
    results = Counter(tuple(sorted(Counter(faces).values())) for faces in product(range(6), repeat=thrown))
    for split in results:
        square = sum(count**2 for count in split)
        far = sum(ways for other, ways in results.items() if sum(count**2 for count in other) >= square)
        counts = (*split, *[0] * (6 - len(split)))
        assert luck.chance_of(counts) == pytest.approx(far / 6**thrown, rel=1e-12)


def test_the_published_dice() -> None:
    """Labby: chi-squared 24.7 with five degrees. Weldon: 106,602 fives and sixes, 5.2 deviations (Pearson)."""
    assert sum(LABBY) == 26306 * 12
    assert 20.515 < sum((count - 52612) ** 2 for count in LABBY) / 52612 < 25.745  # 0.001 and 0.0001 in the tables
    assert 0.0001 < luck.chance_of(LABBY) < 0.001
    assert luck.deviating(LABBY, 1) == []  # so small a bias could be the reader's
    deviations = (106602 - 0.5 - 315672 / 3) / sqrt(315672 * 2 / 9)
    assert luck.at_least(106602, 315672, 1 / 3) == pytest.approx(erfc(deviations / sqrt(2)) / 2, rel=0.05)


@pytest.mark.parametrize("thrown", [1, 7, 40, 300])
def test_tails_are_exact(thrown: int) -> None:
    """Against sums of fractions."""
    share = Fraction(1, 6)
    terms = [comb(thrown, count) * share**count * (1 - share) ** (thrown - count) for count in range(thrown + 1)]
    for count in range(thrown + 1):
        assert luck.at_least(count, thrown, 1 / 6) == pytest.approx(float(sum(terms[count:])), rel=1e-9)


def test_an_interval_is_the_known_one_widened() -> None:
    """No success in n: Clopper and Pearson's upper limit is 1 - tail^(1/n). A marked face's interval leaves 1/6 out."""
    low, high = luck.interval(0, 50, 1)
    assert low == 0
    assert high == pytest.approx(1 - (0.01 / 12) ** (1 / 50) + 0.003, abs=1e-5)
    for count in range(100, 240):
        low, high = luck.interval(count, 1000, 2)
        counts = (count, *[(1000 - count) // 5] * 4, 1000 - count - 4 * ((1000 - count) // 5))
        assert (1 in luck.deviating(counts, 2)) == (not low <= 1 / 6 <= high)


OPTIONS = [("pig", {}), *(("two-dice-pig", {"ones": ones, "doubles": doubles})
           for ones in ("replace", "add", "continue", "lose") for doubles in (True, False))]  # fmt: skip


@pytest.mark.parametrize(("game", "options"), OPTIONS)
def test_points_beyond_expectation_are_the_referees(game: str, options: dict[str, object]) -> None:
    """Each throw's points, and the mean and spread of all that it could have come to, from the referee's scores."""
    chance, match = Random(52), Match(game, ["Ann", "Ben"], **options)
    beyond, variance = dict.fromkeys(match.players, Fraction()), dict.fromkeys(match.players, Fraction())
    for _ in range(60):
        if match.over:
            break
        request = match.request
        if request.kind == "choose":
            match.choose(chance.choice(request.options))
            continue
        assert isinstance(request.dice, int)
        thrower = str(request.player)

        def held(at: Match, thrower: str = thrower) -> int:
            stake = at.at_stake if at.request.player == thrower else 0
            return at.scores[thrower] + stake

        odds = odds_of_a_throw(again(match), held)
        before = held(match)
        mean = sum((points - before) * share for points, share in odds.items())
        match.throw(chance.choices([faces for faces, _ in every_throw(request.dice)])[0])
        beyond[thrower] += held(match) - before - mean
        variance[thrower] += sum((points - before - mean) ** 2 * share for points, share in odds.items())
    gains = luck.points(match)
    assert gains is not None
    for player in ("Ann", "Ben"):
        assert gains[player].beyond == pytest.approx(float(beyond[player]))
        assert gains[player].variance == pytest.approx(float(variance[player]))
    assert sum(gain.throws for gain in gains.values()) == sum(event.kind == "throw" for event in match.events)


def test_a_stake_is_lost_by_leaving() -> None:
    """Ann leaves with 5 at stake and comes back: her next 1 loses nothing, as the referee has it."""
    match = Match("pig", ["Ann", "Ben"])
    match.throw([5])
    match.leave("Ann")
    match.throw([2])
    match.choose("bank")
    match.join("Ann")
    while match.request.player != "Ann":
        match.throw([2])
        match.choose("bank")
    assert match.at_stake == 0
    match.throw([1])
    gains = luck.points(match)
    assert gains is not None
    assert gains["Ann"].beyond == pytest.approx(5 - 20 / 6 + 0 - 20 / 6)


@pytest.mark.parametrize(
    "match", [("pig", {"hog": 6}), ("pig", {"reached": "exact"}), ("two-dice-pig", {"skunk": True})]
)
def test_other_rules_have_no_points(match: tuple[str, dict[str, object]]) -> None:
    assert luck.points(Match(match[0], ["Ann", "Ben"], **match[1])) is None


def stored(path: Path, matches: int) -> Path:
    """Store matches of Pig with a misread die that was corrected and a throw that was undone, in Ann's red die."""
    with Store(path) as store:
        for _ in range(matches):
            match = Match("pig", ["Ann", "Ben"], target=100)
            match.throw([2])
            match.correct(1, [3])
            match.choose("roll")
            match.throw([6])
            match.undo()
            number = store.begin("pig", match.seated, match.options, "2026-01-01T00:00:00Z")
            store.append(number, 1, [("2026-01-01T00:00:01Z", event.to_json()) for event in match.log])
            store.keep_colour(number, "Ann", "red")
    return path


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Corrected throws count as corrected, undone ones not, damaged matches not at all. Colours are sets as well."""
    path = stored(tmp_path / "tabletop.db", 2)
    with Store(path) as store:
        number = store.begin("pig", ["Ann", "Ben"], {}, "2026-01-01T00:00:00Z")
        store.append(number, 1, [("2026-01-01T00:00:01Z", {"kind": "nothing"})])
    assert main(["stats", "--luck", "--json", "--store", str(path)]) == 0
    facts = json.loads(capsys.readouterr().out)
    three = {"1": 0, "2": 0, "3": 2, "4": 0, "5": 0, "6": 0}
    assert {dice["dice"]: dice["faces"] for dice in facts["sets"]} == {"all": three, "Pig": three, "red die": three}
    assert [dice["chance_of_fair"] for dice in facts["sets"]] == pytest.approx([1 / 6] * 3)
    (ann,) = facts["players"]
    assert (ann["player"], ann["unit"], ann["throws"]) == ("Ann", "points", 2)
    assert ann["beyond"] == pytest.approx(2 * (3 - 20 / 6))  # 2 to 6 points, none for a 1
    assert main(["stats", "--luck", "--store", str(path)]) == 0
    assert str(facts["found_after"]) in capsys.readouterr().out


def evening(path: Path, matches: int, chance: Random) -> None:
    """Store matches of Pig of random decisions, with throws that were misread and corrected, and some undone."""
    with Store(path) as store:
        for _ in range(matches):
            match = Match("pig", ["Ann", "Ben"], target=60)
            while not match.over:
                if match.request.kind == "roll":
                    match.throw([chance.randint(1, 6)])
                    if chance.random() < 0.1:
                        match.correct(match.event, [chance.randint(1, 6)])
                    elif chance.random() < 0.1:
                        match.undo()
                else:
                    match.choose(chance.choice(["roll", "roll", "bank"]))
            number = store.begin("pig", match.seated, match.options, "2026-01-01T00:00:00Z")
            store.append(number, 1, [("2026-01-01T00:00:01Z", event.to_json()) for event in match.log])
            store.end(number, "over")


def in_force(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the throws and choices of an exported match that hold in the end."""
    made: list[dict[str, Any]] = []
    before: list[list[dict[str, Any]]] = []
    for row in rows:
        if row["kind"] == "undo":
            made = before.pop()
        elif row["kind"] in ("throw", "choose", "correct"):
            before.append(list(made))
            if row["kind"] == "correct":
                at = row["event"] - 1
                made[at] = {**made[at], "faces": row["faces"]}
                made = made[: min(row["dropped"], default=len(made) + 1) - 1]
            else:
                made.append(row)
    return made


def chance_by_area(counts: list[int]) -> float:
    """Return the area under the density of chi-squared with five degrees beyond these counts, by Simpson's rule."""
    mean = sum(counts) / 6
    far, end, steps = sum((count - mean) ** 2 / mean for count in counts), 200.0, 20_000
    wide = (end - far) / steps
    places = [far + at * wide for at in range(steps + 1)]
    height = [float(x**1.5 * exp(-x / 2) / (2**2.5 * gamma(2.5))) for x in places]
    return wide / 3 * (height[0] + height[-1] + 4 * sum(height[1:-1:2]) + 2 * sum(height[2:-1:2]))


def least_share(count: int, thrown: int, tail: float) -> float:
    """Return the share with which so many come as rarely as `tail`: by halving."""
    low, high = 0.0, count / thrown
    for _ in range(30):
        share = (low + high) / 2
        more = sum(comb(thrown, n) * share**n * (1 - share) ** (thrown - n) for n in range(count, thrown + 1))
        low, high = (share, high) if more < tail else (low, share)
    return low


def test_the_report_is_what_the_export_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Faces, chance, intervals and luck, counted again from `tabletop export` without the program."""
    path = tmp_path / "tabletop.db"
    evening(path, 6, Random(52))
    assert main(["export", "--format", "json", "--store", str(path)]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert {"undo", "correct"} <= {row["kind"] for row in rows}
    counts, luck_of = [0] * 6, dict.fromkeys(("Ann", "Ben"), (0, 0.0, 0.0))
    for number in {row["match"] for row in rows}:
        stake = 0
        for row in in_force([row for row in rows if row["match"] == number]):
            if row["kind"] == "throw":
                (face,) = row["faces"]
                counts[face - 1] += 1
                throws, beyond, variance = luck_of[row["player"]]
                mean = (20 - stake) / 6
                spread = (stake**2 + 4 + 9 + 16 + 25 + 36) / 6 - mean**2
                gain = face if face > 1 else -stake
                luck_of[row["player"]] = (throws + 1, beyond + gain - mean, variance + spread)
                stake = stake + face if face > 1 else 0
            elif row["choice"] == "bank":
                stake = 0
    assert main(["stats", "--luck", "--json", "--store", str(path)]) == 0
    facts = json.loads(capsys.readouterr().out)
    (dice,) = facts["sets"]
    thrown = sum(counts)
    assert thrown > 100
    assert [dice["faces"][str(face)] for face in range(1, 7)] == counts
    assert dice["chance_of_fair"] == pytest.approx(chance_by_area(counts), abs=1e-6)
    for face, count in enumerate(counts, start=1):
        low = least_share(count, thrown, 0.01 / 12) - 0.003
        high = 1 - least_share(thrown - count, thrown, 0.01 / 12) + 0.003
        assert dice["intervals"][str(face)] == pytest.approx([low, high], abs=1e-5)
    told = {row["player"]: (row["throws"], row["beyond"], row["deviation"] ** 2) for row in facts["players"]}
    assert {name: pytest.approx(own) for name, own in luck_of.items()} == told


def test_a_store_without_throws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tabletop.db"
    with Store(path) as store:
        store.begin("pig", ["Ann", "Ben"], {}, "2026-01-01T00:00:00Z")
    assert main(["stats", "--luck", "--json", "--store", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["sets"] == []


@pytest.mark.slow
def test_a_thousand_matches_in_two_seconds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From the summaries that an earlier run has kept."""
    path = stored(tmp_path / "tabletop.db", 1000)
    main(["stats", "--store", str(path)])
    start = perf_counter()
    assert main(["stats", "--luck", "--store", str(path)]) == 0
    assert perf_counter() - start < 2
    assert "2000 dice" not in capsys.readouterr().err


def flagged(rng: np.random.Generator, shares: list[float]) -> bool:
    """Return whether a year's report flags: seven games, two colours that share all dice, and the sum of all."""
    games = [rng.multinomial(thrown, shares) for thrown in rng.integers(30, 3000, 7)]
    whole = np.sum(games, axis=0)
    red = rng.binomial(whole, 0.5)
    sets = [whole, *games, red, whole - red]
    return any(luck.deviating(tuple(map(int, counts)), len(sets)) for counts in sets)


@pytest.mark.slow
@pytest.mark.parametrize("misread", [0.0, luck.MISREAD])
def test_fair_years_flag_at_most_one_in_a_hundred(misread: float) -> None:
    """Also if the reader errs as often as it may, always from a 1 to a 6."""
    rng = np.random.default_rng(52)
    shares = [1 / 6 - misread, *[1 / 6] * 4, 1 / 6 + misread]
    assert sum(flagged(rng, shares) for _ in range(YEARS)) <= MOST_FLAGGED


@pytest.mark.slow
@pytest.mark.parametrize("misread", [0.0, luck.MISREAD])
@pytest.mark.parametrize("tests", [1, 10])
def test_a_loaded_die_is_found(tests: int, misread: float) -> None:
    """After the stated number of throws in 90 of 100 cases, also if the reader hides it; after a third of it rarely."""
    rng = np.random.default_rng(52)
    shares = [0.16 + misread, *[0.16] * 4, 0.2 - misread]

    def found(thrown: int) -> float:
        return float(
            np.mean([6 in luck.deviating(tuple(map(int, c)), tests) for c in rng.multinomial(thrown, shares, TESTED)])
        )

    thrown = luck.found_after(tests)
    assert found(thrown) > 0.9 - 3 * sqrt(0.09 / TESTED)
    assert found(thrown // 3) < 0.5


@pytest.mark.slow
def test_a_loaded_die_hides_among_fair_ones() -> None:
    """As the report says: of five dice one shows 6 one time in five, and it is thrown as often as is stated."""
    rng = np.random.default_rng(52)
    alone = luck.found_after(1)
    found = 0
    for one, four in zip(
        rng.multinomial(alone, [0.16] * 5 + [0.2], TESTED), rng.multinomial(4 * alone, [1 / 6] * 6, TESTED), strict=True
    ):
        found += 6 in luck.deviating(tuple(map(int, one + four)), 1)
    assert found < TESTED / 4
