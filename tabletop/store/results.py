"""The results of finished matches, a row for each player: derived from the events, so they may be dropped at any time.

`tabletop.records` derives them, when a match ends and when rows are missing. A deleted match takes its rows along.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import groupby
from operator import itemgetter
from sqlite3 import Connection
from typing import Any, NamedTuple

from tabletop.store.rows import is_text


class Score(NamedTuple):
    """How one player did in one match.

    seat: from 0. place: from 1, which all winners have. throws: of all players. turns: how many the player had, with
    `points` in all and `best` in the best one.
    """

    seat: int
    name: str
    score: int
    place: int
    throws: int
    turns: int
    points: int
    best: int


class Played(NamedTuple):
    """A finished match: its number, and how those did who were present at its end, in the order of their seats."""

    number: int
    scores: tuple[Score, ...]

    @property
    def rated(self) -> bool:
        """Whether it was played against others, so that there was something to win."""
        return len(self.scores) > 1


FIELDS = ", ".join(Score._fields)
SOUND = " AND ".join(f"typeof({name})='{'text' if name == 'name' else 'integer'}'" for name in Score._fields)
# One long cell for each game with its options: ten times as fast as a row for each score.
ALL = f"""
SELECT game, options, json_group_array(json_array(match, {FIELDS})) FROM match JOIN result ON match=id
WHERE ending='over' AND (?1 IS NULL OR game=?1) AND players NOT IN (SELECT value FROM json_each(?2)) AND {SOUND}
GROUP BY game, options
"""  # noqa: S608 - the names of columns
MISSING = """
SELECT id FROM match WHERE ending='over' AND NOT EXISTS (SELECT 1 FROM result WHERE match=id AND rules=?) ORDER BY id
"""


class StoredResults:
    """The results in one store. rows: answers a query about a table, by its name. writing: opens a transaction."""

    def __init__(
        self, rows: Callable[..., list[tuple[Any, ...]]], writing: Callable[[], AbstractContextManager[Connection]]
    ) -> None:
        self._rows, self._writing = rows, writing

    def all(
        self, without: Iterable[Sequence[str]], game: str | None = None
    ) -> Iterator[tuple[str, str, Iterator[Played]]]:
        """Yield game, options as JSON, and its matches, by number. without: their players. game: only this one."""
        left_out = json.dumps([json.dumps(list(players)) for players in without])
        for of_game, options, cell in self._rows("result", ALL, game, left_out):
            if all(map(is_text, (of_game, options, cell))):
                found = groupby(sorted(json.loads(cell)), key=itemgetter(0))
                yield of_game, options, (Played(n, tuple(Score(*row[1:]) for row in rows)) for n, rows in found)

    def missing(self, rules: str) -> list[int]:
        """Return the finished matches without results by these rules, oldest first. rules: a digest of their code."""
        return [number for (number,) in self._rows("result", MISSING, rules)]

    def keep(self, match: int, scores: Iterable[Score], rules: str) -> None:
        """Store the results of a match in place of older ones."""
        with self._writing() as database:
            database.execute("DELETE FROM result WHERE match=?", (match,))
            query = f"INSERT INTO result (match, rules, {FIELDS}) VALUES (?, ?{', ?' * len(Score._fields)})"  # noqa: S608
            database.executemany(query, [(match, rules, *score) for score in scores])

    def forget(self) -> None:
        """Drop the results of all matches."""
        with self._writing() as database:
            database.execute("DELETE FROM result")
