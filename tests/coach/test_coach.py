"""The coach against published values, by playing its policies, and on stored matches whose costs are known by hand."""

import json
from functools import cache
from itertools import product
from math import sqrt
from pathlib import Path
from random import Random

import numpy as np
import pytest
from best_play import hands, with_bonus
from box_scores import RULES
from turn_odds import mean, odds_of_a_turn

from tabletop.cli.main import main
from tabletop.coach import boxes, pig, ten_thousand
from tabletop.coach.review import advise, review
from tabletop.core.errors import InputError
from tabletop.rules import Match, Table
from tabletop.rules.families.combinations import chart_of
from tabletop.session.journal import ending_of
from tabletop.store import Store

Unseen = lambda _: None  # noqa: E731 - progress that nobody watches


ONE_DIE = pig.one_die(100, exact=False)


@pytest.fixture(scope="module")
def to_100() -> pig.Numbers:
    return pig.win_chances(ONE_DIE, Unseen)


def best(chances: pig.Numbers, own: int, other: int, stake: int, race: pig.Race = ONE_DIE) -> str:
    worth = pig.of_options(race, chances, own, other, stake)
    return max(worth, key=lambda option: worth[option])


def test_pig_has_the_published_chance(to_100: pig.Numbers) -> None:
    """Neller and Presser, "Optimal Play of the Dice Game Pig", 2004: the first player wins with 0.5306."""
    assert round(float(to_100[0, 0]), 4) == 0.5306


def test_pig_holds_where_published(to_100: pig.Numbers) -> None:
    """Neller and Presser hold at 21 on the first turn.

    With 41 against 49 hold from 22 on, except at 27 (possiblywrong.wordpress.com, "Pig (puzzle) solution", 2014).
    """
    assert [stake for stake in range(2, 30) if best(to_100, 0, 0, stake) == "bank"] == [*range(21, 30)]
    assert [stake for stake in range(2, 30) if best(to_100, 41, 49, stake) == "bank"] == [*range(22, 27), 28, 29]


def test_a_small_pig_by_hand() -> None:
    """To 2 a throw of 2 to 6 wins: p = 5/6 + (1 - p)/6 gives 6/7 by hand, exact or not where only a 2 hits.

    Exactly 2: a 2 wins, everything else loses the turn: p = 1/6 + 5/6 (1 - p) gives 6/11.
    """
    assert pig.win_chances(pig.one_die(2, exact=False), Unseen)[0, 0] == pytest.approx(6 / 7)
    assert pig.win_chances(pig.one_die(2, exact=True), Unseen)[0, 0] == pytest.approx(6 / 11)


def two_dice(goal: int, *, exact: bool = False, **options: object) -> pig.Race:
    settled = Match("two-dice-pig", ["Ann", "Ben"], **options).options
    return pig.two_dice(goal, Table(["alone"], settled), exact=exact)


class ByTheRule:
    """Two-dice Pig from the rule text alone, state by state. times: what a double counts; least: of an exact goal."""

    def __init__(self, goal: int, ones: str, times: int, least: int) -> None:
        self.goal, self.ones, self.times, self.least = goal, ones, times, least
        held = [score for score in range(goal) if self.may_hold(score)]
        self.begins = {(own, other): 0.0 for own in range(goal) for other in range(goal)}
        for _ in range(150):
            for own, other in product(held, repeat=2):
                self.begins[own, other] = self.rolled(own, other, 0, {})

    def may_hold(self, score: int) -> bool:
        return not self.least or score == self.goal or score <= self.goal - self.least

    def ended(self, score: int, own: int, other: int) -> float:
        """Return the chance after a turn that leads to this score, or to nothing where that may not be."""
        score = score if self.may_hold(score) else own
        return 1.0 if score >= self.goal else 1 - self.begins[other, score]

    def rolled(self, own: int, other: int, stake: int, known: dict[int, float]) -> float:
        total = 0.0
        for first, second in product(range(1, 7), repeat=2):
            points = 25 if first == second == 1 else (first + second) * (self.times if first == second else 1)
            if first == second == 1 and self.ones != "continue":
                total += self.ended({"replace": own + 25, "add": own + stake + 25, "lose": 0}[self.ones], own, other)
            elif 1 in (first, second) and first != second:
                total += self.ended(own, own, other)
            else:
                total += self.decided(own, other, stake + points, known)
        return total / 36

    def decided(self, own: int, other: int, stake: int, known: dict[int, float]) -> float:
        score = own + stake
        if score >= self.goal:
            return self.ended(score, own, other)
        if stake not in known:
            roll = self.rolled(own, other, stake, known)
            known[stake] = max(roll, 1 - self.begins[other, score]) if self.may_hold(score) else roll
        return known[stake]


@pytest.mark.parametrize("ones", ["replace", "add", "continue", "lose"])
@pytest.mark.parametrize(("doubles", "exact"), [(True, False), (False, True)])
def test_two_dice_pig_by_the_rule(ones: str, *, doubles: bool, exact: bool) -> None:
    """To 11 points, which a double 1 passes and other throws may miss."""
    race = two_dice(11, exact=exact, ones=ones, doubles=doubles)
    expected = ByTheRule(11, ones, 2 if doubles else 1, (5 if doubles else 4) * exact)
    assert pig.win_chances(race, Unseen)[0, 0] == pytest.approx(expected.begins[0, 0], abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "dice"), [("pig", 1), ("two-dice-pig", 2)])
def test_the_policy_of_pig_wins_as_often_as_it_says(game: str, dice: int, to_100: pig.Numbers) -> None:
    """Best play against best play through the referee: 0.5306 for the first, within three standard errors."""
    race = ONE_DIE if dice == 1 else two_dice(100)
    chances = to_100 if dice == 1 else pig.win_chances(race, Unseen)
    decided = cache(lambda own, other, stake: best(chances, own, other, stake, race))
    rng, won, matches = Random("pig"), 0, 2000
    for _ in range(matches):
        match = Match(game, ["Ann", "Ben"])
        while not match.over:
            if match.request.kind == "roll":
                match.throw([rng.randint(1, 6) for _ in range(dice)])
            else:
                own, other = sorted(match.scores, key=lambda name: name != match.request.player)
                match.choose(decided(match.scores[own], match.scores[other], match.at_stake))
        won += match.winners == ("Ann",)
    assert won / matches == pytest.approx(float(chances[0, 0]), abs=3 * sqrt(0.25 / matches))


def played(throws: list[int], **options: object) -> Match:
    """Return Pig to 6 in which everybody banks every throw."""
    match = Match("pig", ["Ann", "Ben"], **{"target": 6, **options})
    for face in throws:
        match.throw([face])
        if match.request.kind == "choose":
            match.choose("bank")
    return match


def test_a_stored_match_is_graded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ann banks 2 of 6, Ben throws a 1, Ann wins, which costs nothing; the kept table may be damaged."""
    path, match = tmp_path / "tabletop.db", played([2, 1, 6])
    with Store(path) as store:
        number = store.begin("pig", match.seated, match.options, "2026-01-01T00:00:00Z")
        store.append(number, 1, [("2026-01-01T00:00:01Z", event.to_json()) for event in match.log])
        store.end(number, ending_of(match))
    assert main(["coach", str(number), "--json", "--store", str(path)]) == 0
    first, last = fresh = json.loads(capsys.readouterr().out)["decisions"]
    assert (last["player"], last["did"], last["cost"]) == ("Ann", "bank", 0.0)
    assert (first["event"], first["did"], first["best"]) == (2, "bank", "roll")
    assert main(["coach", str(number), "--json", "--store", str(path)]) == 0  # with the table that was kept
    assert json.loads(capsys.readouterr().out)["decisions"] == fresh
    assert main(["coach", str(number), "--store", str(path)]) == 0
    assert f"{first['cost']:.2%}" in capsys.readouterr().out
    (table,) = tmp_path.glob("*.npy")
    table.write_bytes(b"damaged")
    assert main(["coach", str(number), "--json", "--store", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["decisions"] == fresh


@pytest.mark.parametrize(
    "match",
    [
        Match("pig", ["Ann", "Ben"]),
        played([6], replies="everyone", reached="at"),
        played([6], target=201),
        Match("two-dice-pig", ["Ann", "Ben"], skunk=True),
        Match("ten-thousand", ["Ann", "Ben"], rules="farkle-piggyback"),
        Match("yacht", ["Ann"], pick_up=False),
        Match("mia", ["Ann", "Ben"]),
    ],
)
def test_what_is_not_covered_is_refused(match: Match, tmp_path: Path) -> None:
    """An open match first of all: the coach never speaks during one."""
    with pytest.raises(InputError):
        review(match, tmp_path / "tabletop.db", Unseen)
    if not match.over:
        match.abandon()
        with pytest.raises(InputError):
            review(match, tmp_path / "tabletop.db", Unseen)


@pytest.mark.parametrize(
    ("game", "preset", "times", "goal"),
    [
        ("crag", "dice-play", 2, 0),
        ("yacht", "dice-play", 3, 0),
        pytest.param("yahtzee", "free-joker", 3, 63, marks=pytest.mark.slow),
        pytest.param("yahtzee", "rollin-bones", 3, 63, marks=pytest.mark.slow),
        pytest.param("yahtzee", "dice-play", 3, 63, marks=pytest.mark.slow),
    ],
)
def test_boxes_have_the_best_mean(game: str, preset: str, times: int, goal: int, tmp_path: Path) -> None:
    """Yahtzee: 254.5896 with the free joker (Verhoeff, 1999), the others as in test_odds_yahtzee_best.py.

    Crag and Yacht: worked out from the rule texts by another program. Matches played by the solution have that mean
    within three standard errors, and every decision of theirs costs nothing.
    """
    options = Match(game, ["Ann"], rules=preset).options
    solution = boxes.of_game(game, options)
    assert solution is not None
    solution.solve(Unseen)
    if goal:
        expected = {"free-joker": 254.5896, "rollin-bones": 254.5877, "dice-play": 245.8708}[preset]
    else:
        points = np.array([[score(hand) for score in RULES[game].values()] for hand in hands(solution.dice)], float)
        expected = float(with_bonus(solution.dice, times, points, 0, 0)[0, 0])
    assert solution.to_come[0, 0, 0] == pytest.approx(expected, abs=5e-5)
    rng = Random("boxes")
    done = [Match(game, ["Ann"], rules=preset) for _ in range(2 if goal else 60)]
    totals = [by_solution(match, solution, rng) for match in done]
    if not goal:
        assert np.mean(totals) == pytest.approx(expected, abs=3 * float(np.std(totals)) / sqrt(len(totals)))
    unit, decisions = review(done[0], tmp_path / "tabletop.db", Unseen)
    assert unit == "points"
    assert len(decisions) > 12
    assert sum(decision.cost for decision in decisions) == 0


def by_solution(match: Match, solution: boxes.Solution, rng: Random) -> int:
    """Play alone by the solution; return the total."""
    while not match.over:
        if match.request.kind == "roll":
            assert isinstance(match.request.dice, int)
            match.throw([rng.randint(1, 6) for _ in range(match.request.dice)])
            continue
        assert isinstance(match.thrown, tuple)
        cells = {box: match.sheet[box]["Ann"] for box in solution.boxes}
        sheet = {box: int(points) for box, points in cells.items() if points is not None}
        hand = tuple(sorted(match.kept_before + match.thrown))
        written, parts = solution.of_hand(sheet, hand, int(match.sheet["throws"]["Ann"] or 0))
        if match.request.kind == "keep":
            match.keep(max((parts[part], part) for part in match.request.legal)[1])
        else:
            match.choose(max(match.request.options, key=written.__getitem__))
    return match.scores["Ann"]


def test_a_last_box_by_hand(tmp_path: Path) -> None:
    """Crag with only sixes to fill: from 6 6 1 keeping both 6s is best; keeping nothing costs 12 + 1 - 3.

    Three dice thrown again bring 3 / 6 sixes of 6 points, so 3; two kept and one thrown bring 12 and 1.
    """
    match = Match("crag", ["Ann"])
    for box in [name for name in match.sheet if name not in ("throws", "sixes")]:
        match.throw([1, 2, 4])
        match.keep([1, 2, 4])
        match.choose(box)
    match.throw([6, 6, 1])
    match.keep([])
    match.throw([1, 1, 2])
    match.choose("sixes")
    *_, last = review(match, tmp_path / "tabletop.db", Unseen)[1]
    assert (last.did, last.best) == ("keep nothing", "keep 6 6")
    assert last.cost == pytest.approx(10)


def test_advice_only_in_a_coached_match(tmp_path: Path) -> None:
    """The last box of above, while it is played: the answers as they cost there; without the house rule a refusal."""
    for coach in (True, False):
        match = Match("crag", ["Ann"], coach=coach)
        for box in [name for name in match.sheet if name not in ("throws", "sixes")]:
            match.throw([1, 2, 4])
            match.keep([1, 2, 4])
            match.choose(box)
        if not coach:
            with pytest.raises(InputError, match="coach"):
                advise(match, tmp_path / "tabletop.db", Unseen)
            return
        assert advise(match, tmp_path / "tabletop.db", Unseen) == ("points", [])
        match.throw([6, 6, 1])
        unit, answers = advise(match, tmp_path / "tabletop.db", Unseen)
        assert (unit, answers[0].did, answers[0].cost) == ("points", "keep 6 6", 0)
        assert {one.did: one.cost for one in answers}["keep nothing"] == pytest.approx(10)


def turn_of(preset: str) -> tuple[ten_thousand.Turn, int]:
    options = Match("ten-thousand", ["Ann"], rules=preset).options
    dice = int(options["dice"])
    chart = chart_of(Table(["alone"], options), dice)
    least = max(int(options["least"]), int(options["entry"]))
    return ten_thousand.Turn(chart, dice, least, must=options["hot_dice"] == "must"), dice


@pytest.mark.parametrize(
    ("stake", "dice", "published"),
    [(50, 5, 363.834), (100, 5, 399.911), (150, 4, 307.673), (200, 3, 257.584), (250, 3, 293.4)],
)
def test_a_turn_is_worth_what_was_published(stake: int, dice: int, published: float) -> None:
    """Ryan McKenna's table of expected values (rmckenna21.blogspot.com), with his points.

    His three pairs are of three faces; ours may be four alike with a pair, which makes a turn worth a little more.
    """
    rules = {"run": 1500, "three_pairs": 750, "three_ones": 1000, "alike": "adding"}
    chart = chart_of(Table(["alone"], Match("ten-thousand", ["Ann"], **rules).options), 6)
    turn = ten_thousand.Turn(chart, 6, 0, must=False)
    assert published < turn.of_options(stake, dice)["roll"] < published + 0.2


def test_a_last_die_by_hand() -> None:
    """With one die left a 1 or a 5 scores, two in six, and all six dice are free again; so from 300 on banking is best.

    After it about 577 more are to come: (300 + 75 + 577 * 0.97..) / 3 is just above 300, and 350 just below.
    """
    turn, _ = turn_of("dice-play")
    for stake in (50, 200, 250):
        worth = turn.of_options(stake, 1)
        assert worth["roll"] > worth["bank"] == stake
        again = [turn.of_options(stake + points, 0) for points in (100, 50)]
        assert worth["roll"] == pytest.approx(sum(max(after.values()) for after in again) / 6)
    assert turn.of_options(300, 1)["roll"] < 300


@pytest.mark.slow
def test_the_best_turn_has_the_mean_it_says() -> None:
    """Greed: every throw of the best turn through the referee, until the stake is banked or lost."""
    turn, dice = turn_of("zonk")

    def decide(match: Match) -> None:
        assert isinstance(match.thrown, tuple)
        if match.request.kind == "keep":
            worth = turn.of_parts(match.at_stake, tuple(sorted(match.thrown)))
            match.keep(max((worth[part], part) for part in match.request.legal)[1])
        else:
            left = len(match.thrown) - len(match.kept) + len(match.kept_before)
            roll, bank = turn.of_options(match.at_stake, left).values()
            match.choose("roll" if roll > bank and match.at_stake < 4000 else "bank")

    match = Match("ten-thousand", ["Ann", "Ben"], rules="zonk", target=1_000_000)
    odds = odds_of_a_turn(match, decide, lambda match: match.scores["Ann"])
    assert float(mean(odds)) == pytest.approx(turn.of_options(0, dice)["roll"], abs=0.5)


def test_a_turn_is_graded(tmp_path: Path) -> None:
    """Ann keeps a single 5 of 1 1 5, then banks 50: both cost. In reach of the goal nothing counts."""
    match = Match("ten-thousand", ["Ann", "Ben"], target=1000)
    match.throw([1, 1, 5, 2, 3, 4])
    match.keep([5])
    match.choose("bank")
    match.throw([1, 1, 1, 2, 3, 4])
    match.keep([1, 1, 1])
    match.choose("bank")
    unit, decisions = review(match, tmp_path / "tabletop.db", Unseen)
    assert unit == "points"
    assert [(one.player, one.did) for one in decisions] == [("Ann", "keep 5"), ("Ann", "bank")]
    assert all(one.cost > 0 for one in decisions)
    assert decisions[1].best == "roll"
