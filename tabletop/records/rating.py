"""Ratings of players at one table by openskill: the Plackett-Luce model of Weng and Lin (2011).

A rating is a skill and its uncertainty, both in the same unit: 25 and 8.3 for a newcomer, whose skill is thus within 25
plus or minus 17 with 95 %.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from tabletop.store.database import NOT_OFFERED
from tabletop.store.results import Played

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

BLOCK = 128  # matches that are rated at once: a new match repeats those of the last block only
BLOCKS = 1024  # in memory


class Rating(NamedTuple):
    """The skill of one player and its standard deviation."""

    skill: float
    deviation: float


Ratings = tuple[tuple[str, Rating], ...]
Ranks = tuple[tuple[str, int], ...]


def ratings_of(played: Iterable[Played]) -> dict[str, Rating]:
    """Return the ratings of players after these matches of one table, the oldest first.

    Matches of one player count for nothing. Players with the same place are level. Deleted players have none: each of
    them counts as a newcomer.
    """
    ranks = [tuple((one.name, one.place) for one in match.scores) for match in played if match.rated]
    ratings: Ratings = ()
    for at in range(0, len(ranks), BLOCK):
        ratings = _rated(ratings, tuple(ranks[at : at + BLOCK]))
    return dict(ratings)


@cache
def _model() -> "PlackettLuce":
    from openskill.models import PlackettLuce  # noqa: PLC0415 - only who looks at ratings waits for it

    return PlackettLuce()


@lru_cache(maxsize=BLOCKS)
def _rated(before: Ratings, matches: tuple[Ranks, ...]) -> Ratings:
    """Return the ratings after some more matches."""
    model = _model()
    known = {name: model.rating(mu=rating.skill, sigma=rating.deviation) for name, rating in before}
    for ranks in matches:
        teams = [[known.get(name) or model.rating()] for name, _ in ranks]
        rated = model.rate(teams, ranks=[float(place) for _, place in ranks])
        known.update({name: team[0] for (name, _), team in zip(ranks, rated, strict=True) if name not in NOT_OFFERED})
    return tuple((name, Rating(one.mu, one.sigma)) for name, one in known.items())
