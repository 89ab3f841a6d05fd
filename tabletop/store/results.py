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


class Result(NamedTuple):
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


FIELDS = ", ".join(Result._fields)
SOUND = " AND ".join(f"typeof({name})='{'text' if name == 'name' else 'integer'}'" for name in Result._fields)
# One long cell for each game with its options: ten times as fast as a row for each result.
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
    ) -> Iterator[tuple[str, str, list[tuple[int, tuple[Result, ...]]]]]:
        """Yield game, options as JSON, and the results of each of its matches, by number, in the order of the seats.

        without: players whose matches are left out. game: only this one.
        """
        left_out = json.dumps([json.dumps(list(players)) for players in without])
        for of_game, options, cell in self._rows("result", ALL, game, left_out):
            if all(map(is_text, (of_game, options, cell))):
                found = sorted(json.loads(cell))
                matches = groupby(found, key=itemgetter(0))
                yield of_game, options, [(n, tuple(Result(*row[1:]) for row in rows)) for n, rows in matches]

    def missing(self, rules: str) -> list[int]:
        """Return the finished matches without results by these rules, oldest first. rules: a digest of their code."""
        return [number for (number,) in self._rows("result", MISSING, rules)]

    def keep(self, match: int, results: Iterable[Result], rules: str) -> None:
        """Store the results of a match in place of older ones."""
        rows = [(match, rules, *result) for result in results]
        with self._writing() as database:
            database.execute("DELETE FROM result WHERE match=?", (match,))
            marks = ", ".join("?" * (2 + len(Result._fields)))
            database.executemany(f"INSERT INTO result (match, rules, {FIELDS}) VALUES ({marks})", rows)  # noqa: S608

    def rename(self, name: str, new: str) -> None:
        """Follow a player who was renamed in all matches."""
        with self._writing() as database:
            database.execute("UPDATE result SET name=? WHERE name=?", (new, name))

    def forget(self, match: int | None = None) -> None:
        """Drop the results of a match, None for those of all."""
        with self._writing() as database:
            database.execute("DELETE FROM result WHERE ?1 IS NULL OR match=?1", (match,))
