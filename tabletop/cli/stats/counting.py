"""What stored matches add up to. Pure."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import erfc, exp, pi, sqrt
from typing import Any

from tabletop.cli.stats.summaries import Summary
from tabletop.core.values import FACES

OPEN = "open"


@dataclass(slots=True)
class Row:
    """One player in one game, over the matches played to their end. scores: one of each match, never empty."""

    fewest_win: bool
    won: int = 0
    scores: list[int] = field(default_factory=list)

    @property
    def played(self) -> int:
        """How many matches."""
        return len(self.scores)

    @property
    def best(self) -> int:
        """The best score: the lowest where the fewest points win."""
        return min(self.scores) if self.fewest_win else max(self.scores)

    @property
    def mean(self) -> float:
        """The mean score."""
        return sum(self.scores) / len(self.scores)


class Stats:
    """The sums. rows: (name of the game, player) -> row. endings: `over`, `left`, ... -> matches.

    unreadable: how many matches the present rules no longer accept, or whose game is gone. damaged: how many cannot be
    read any more. undated: how many were left out because only some days count and their beginning is unknown.
    """

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str], Row] = {}
        self.endings: Counter[str] = Counter()
        self.unreadable = self.undated = self.damaged = 0
        self._faces: Counter[int] = Counter()

    @property
    def matches(self) -> int:
        """How many matches were looked at."""
        return self.endings.total() + self.unreadable + self.damaged

    @property
    def faces(self) -> tuple[int, ...]:
        """How often each face was thrown, the 1 first."""
        return tuple(self._faces[face] for face in FACES)

    @property
    def chance_of_fair(self) -> float:
        """How often fair dice deviate at least as far from equal numbers: Pearson's chi-squared test."""
        return chance_of(self.faces)

    def count(self, match: Summary, ending: str | None, same: Mapping[str, str] | None = None) -> None:
        """Add a match. ending: as it is stored, None for an open one. same: names that count as another one.

        Two who sat at one match are two people, whatever was merged.
        """
        self._faces.update(dict(zip(FACES, match.faces, strict=True)))
        if not match.readable:
            self.unreadable += 1
            return
        means = {player: (same or {}).get(player, player) for player in match.players}
        if len(set(means.values())) < len(means):
            means = {player: player for player in match.players}
        self.endings[ending or OPEN] += 1
        for player, score in match.scores.items():
            row = self.rows.setdefault((match.game, means[player]), Row(match.fewest_win))
            row.scores.append(score)
            row.won += player in match.winners

    def as_json(self) -> dict[str, Any]:
        """Return all of it for programs."""
        rows = [
            {"game": game, "player": player, "played": row.played, "won": row.won, "best": row.best, "mean": row.mean}
            for (game, player), row in sorted(self.rows.items())
        ]
        return {
            "matches": self.matches,
            "endings": dict(self.endings),
            "unreadable": self.unreadable,
            **({"damaged": self.damaged} if self.damaged else {}),
            **({"undated": self.undated} if self.undated else {}),
            "players": rows,
            "faces": {str(face): self._faces[face] for face in FACES},
            "chance_of_fair": self.chance_of_fair,
        }


def chance_of(counts: tuple[int, ...]) -> float:
    """Return the chance that fair dice deviate at least as far from equal counts, 1.0 if nothing was thrown.

    counts: of the six faces. The chi-squared distribution with five degrees of freedom in closed form: Abramowitz and
    Stegun, Handbook of Mathematical Functions, 26.4.4.
    """
    expected = sum(counts) / len(FACES)
    if not expected:
        return 1.0
    square = sum((count - expected) ** 2 for count in counts) / expected
    return erfc(sqrt(square / 2)) + sqrt(2 * square / pi) * exp(-square / 2) * (1 + square / 3)
