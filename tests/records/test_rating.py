"""Ratings against the formulas as they were published, written down here once more, and against a published example."""

from math import exp, isclose, sqrt

import pytest

from tabletop.records.rating import BLOCK, Rating, ratings_of
from tabletop.store.results import Played, Score

SKILL, DEVIATION = 25.0, 25 / 3  # of a newcomer: TrueSkill's, and those of the library
BETA, TAU, KAPPA = 25 / 6, 25 / 300, 0.0001
Team = list[tuple[float, float]]


def plackett_luce(teams: list[Team], ranks: list[int]) -> list[Team]:
    """Return the ratings after one match: algorithm 4 of Weng and Lin (2011), JMLR 12, pages 267 to 300.

    Before each match the variance grows by TAU squared, as in TrueSkill.
    """
    teams = [[(mu, sqrt(sigma**2 + TAU**2)) for mu, sigma in team] for team in teams]
    means, variances = [sum(mu for mu, _ in team) for team in teams], [sum(s**2 for _, s in team) for team in teams]
    c = sqrt(sum(variance + BETA**2 for variance in variances))
    rated = list[Team]()
    for i, team in enumerate(teams):
        omega = delta = 0.0
        for q, rank in enumerate(ranks):
            if rank <= ranks[i]:
                behind = sum(exp(means[s] / c) for s, other in enumerate(ranks) if other >= rank)
                chance, tied = exp(means[i] / c) / behind, ranks.count(rank)
                omega += ((i == q) - chance) / tied
                delta += chance * (1 - chance) / tied
        omega *= variances[i] / c
        delta *= sqrt(variances[i]) / c * variances[i] / c**2
        own = [
            (mu + s**2 / variances[i] * omega, s * sqrt(max(1 - s**2 / variances[i] * delta, KAPPA))) for mu, s in team
        ]
        rated.append(own)
    return rated


def played(*matches: dict[str, int]) -> list[Played]:
    """Return matches with these places."""
    return [
        Played(
            number, tuple(Score(seat, name, 0, place, 1, 1, 0, 0) for seat, (name, place) in enumerate(match.items()))
        )
        for number, match in enumerate(matches, start=1)
    ]


MATCHES = (
    {"Ann": 1, "Ben": 2},
    {"Cid": 3, "Ann": 1, "Ben": 1},  # level
    {"Ann": 4, "Ben": 3, "Cid": 2, "Dora": 1},
    {"Ann": 1},  # alone
    {"Ben": 1, "Cid": 1},
    {"Dora": 1, "Ann": 2, "Cid": 2},
)


def test_the_formulas_here_are_the_published_ones() -> None:
    """What the authors of openskill publish for one against two: tests/models/data/plackettluce.json."""
    start = (31.321989232514305, 11.379964801443018)
    (winner,), (loser, other) = plackett_luce([[start], [start, start]], [1, 2])
    assert winner == pytest.approx((36.48967347401391, 11.237778601372977), abs=1e-9)
    assert loser == other == pytest.approx((26.154304991014694, 11.17822477763209), abs=1e-9)


@pytest.mark.parametrize("times", [1, BLOCK])
def test_ratings_are_those_of_the_formulas(times: int) -> None:
    """Of two to four players, some of them level, over many matches. Who plays alone is not rated."""
    right = dict[str, tuple[float, float]]()
    for match in MATCHES * times:
        if len(match) > 1:
            teams = [[right.get(name, (SKILL, DEVIATION))] for name in match]
            rated = plackett_luce(teams, list(match.values()))
            right.update({name: team[0] for name, team in zip(match, rated, strict=True)})
    found = ratings_of(played(*MATCHES * times))
    assert found.keys() == right.keys()
    for name, (skill, deviation) in right.items():
        assert isclose(found[name].skill, skill, abs_tol=1e-6)
        assert isclose(found[name].deviation, deviation, abs_tol=1e-6)


def test_new_matches_change_ratings_as_if_all_were_rated_at_once() -> None:
    """Whatever is remembered of earlier ones."""
    ratings_of(played(*MATCHES * BLOCK))
    ratings_of(played(*MATCHES * BLOCK, {"Ann": 1, "Zoe": 2}))
    other = ratings_of(played({"Zoe": 1, "Ann": 2}, *MATCHES * BLOCK))
    assert other["Zoe"].skill > SKILL
    again = ratings_of(played(*MATCHES * BLOCK, {"Ann": 2, "Zoe": 1}))
    assert again["Zoe"].skill > SKILL > ratings_of(played(*MATCHES * BLOCK, {"Ann": 1, "Zoe": 2}))["Zoe"].skill
    assert ratings_of(played({"Ann": 1})) == {}
    assert ratings_of(played({"Ann": 1, "Ben": 1}))["Ann"] == ratings_of(played({"Ann": 1, "Ben": 1}))["Ben"]
    assert isinstance(other["Ann"], Rating)
