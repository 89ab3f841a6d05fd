"""The book of the table: the results of all matches by game and house rules, and the records among them."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from tabletop.core.errors import InputError
from tabletop.core.message import say
from tabletop.records.deriving import store_results
from tabletop.rules import Match, load
from tabletop.rules.game import CALLED, Game
from tabletop.store import Store
from tabletop.store.results import Result
from tabletop.store.rows import stored_options
from tabletop.views.i18n.catalogue import trial_players

RecordKind = Literal["score", "streak", "turn", "throws"]
LEAST_STREAK = 2  # a single win is none
NO_RULES = (CALLED, "together")  # options that change no rule: the name of the game, and who throws when


@dataclass(frozen=True)
class Variant:
    """A game with its house rules: results of one variant can be compared. options: a value for each."""

    game: Game
    options: tuple[tuple[str, int | bool | str], ...]

    def __hash__(self) -> int:
        """Return a hash: presets, which a game has in a dictionary, have none."""
        return hash((self.game.id, self.options))


class Played(NamedTuple):
    """A finished match: its number, and the results, in seat order."""

    number: int
    results: tuple[Result, ...]

    @property
    def rated(self) -> bool:
        """Whether it was played against others, so that there is something to win."""
        return len(self.results) > 1


Book = dict[Variant, list[Played]]  # the oldest match first


class Record(NamedTuple):
    """A record. value: of its kind. names: who holds it, empty if it is not of one player. match: its number."""

    value: int
    names: tuple[str, ...]
    match: int


@lru_cache(maxsize=1024)
def variant_of(game_id: str, options: str) -> Variant | None:
    """Return the variant of a match, None if its game is gone or knows no such options. options: as JSON."""
    try:
        game, given = load(game_id)[0], stored_options(options)
        values = game.settled((name, value) for name, value in given.items() if name not in NO_RULES)
    except (InputError, ValueError):
        return None
    return Variant(game, tuple((name, value) for name, value in values.items() if name not in NO_RULES))


def read_book(store: Store, game_id: str | None = None) -> Book:
    """Return the results of all matches, or of one game; merged names are resolved, made-up players left out.

    Two names in one match are two players, even if they were merged.
    """
    same, book = store.same_names.all(), Book()
    for game, options, matches in store.results.all(trial_players(), game_id):
        if (variant := variant_of(game, options)) is not None:
            book.setdefault(variant, []).extend(Played(number, _meant(own, same)) for number, own in matches)
    for played in book.values():
        played.sort()  # several texts of options may mean the same
    return book


def _meant(results: tuple[Result, ...], same: Mapping[str, str]) -> tuple[Result, ...]:
    if same.keys().isdisjoint(result.name for result in results):
        return results
    meant = tuple(result._replace(name=same.get(result.name, result.name)) for result in results)
    return meant if len({result.name for result in meant}) == len(results) else results


def records_of(variant: Variant, played: Iterable[Played]) -> dict[RecordKind, Record]:
    """Return the records among these matches, the oldest first; a record that is only equalled stays.

    Best score and best turn are only those of games of points; where the fewest win, more points at once are no luck.
    """
    fewest, records, streaks = variant.game.fewest_win, dict[RecordKind, Record](), dict[str, int]()

    def enter(kind: RecordKind, value: int, names: tuple[str, ...], match: int) -> None:
        sign = -1 if kind == "score" and fewest else 1
        if kind not in records or sign * value > sign * records[kind].value:
            records[kind] = Record(value, names, match)

    for match in played:
        enter("throws", match.results[0].throws, (), match.number)
        for result in match.results:
            if match.rated:
                streaks[result.name] = streak = streaks.get(result.name, 0) + 1 if result.place == 1 else 0
                if streak >= LEAST_STREAK:
                    enter("streak", streak, (result.name,), match.number)
            if variant.game.counts == "points":
                enter("score", result.score, (result.name,), match.number)
                if not fewest and result.turns:
                    enter("turn", result.best, (result.name,), match.number)
    return records


def note_end(store: Store, number: int, match: Match) -> str:
    """Store the results of a match that has ended; return the most remarkable record that fell, or "".

    A record falls only where there was one, so none does in the first match of a variant.
    """
    if not match.over:
        return ""
    store_results(store, number, match)
    variant = variant_of(match.game.id, json.dumps(dict(match.options)))
    if variant is None or match.seated in trial_players():
        return ""
    played = read_book(store, match.game.id).get(variant, [])
    before = records_of(variant, (one for one in played if one.number != number))
    return fallen(before, records_of(variant, played))


def fallen(before: Mapping[RecordKind, Record], after: Mapping[RecordKind, Record]) -> str:
    """Return the most remarkable record that is new, empty if none is."""
    new = {kind: record for kind, record in after.items() if kind in before and record != before[kind]}
    match new:
        case {"score": Record(value, (name,))}:
            return say("record: {name} has {n} points", name=name, n=value)
        case {"streak": Record(value, (name,))}:
            return say("record: {name} has won {n} times in a row", name=name, n=value)
        case {"turn": Record(value, (name,))}:
            return say("record: {name} has {n} points at once", name=name, n=value)
        case {"throws": Record(value)}:
            return say("record: {n} throws in one match", n=value)
    return ""
