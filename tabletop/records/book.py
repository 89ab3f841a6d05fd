"""The book of the table: the results of all matches by game and house rules, and the records among them."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from tabletop.core.errors import InputError
from tabletop.core.message import say
from tabletop.records.deriving import store_results
from tabletop.rules import COACH, Match, load
from tabletop.rules.game import CALLED, Game
from tabletop.store import Store
from tabletop.store.database import NOT_OFFERED
from tabletop.store.results import Played
from tabletop.store.rows import stored_options
from tabletop.views.i18n.catalogue import trial_players

RecordKind = Literal["score", "streak", "turn", "throws"]
LEAST_STREAK = 2  # a single win is none
NO_RULES = (CALLED, "together")  # options that change no rule: the name of the game, and who throws when


class Variant(NamedTuple):
    """A game with its house rules: results of one variant can be compared. options: a value for each."""

    game_id: str
    options: tuple[tuple[str, int | bool | str], ...]

    @property
    def game(self) -> Game:
        """Its declaration."""
        return load(self.game_id)[0]


Book = dict[Variant, list[Played]]  # the oldest match first


class Record(NamedTuple):
    """A record. value: of its kind. name: who holds it, empty if it is not of one player. match: its number."""

    value: int
    name: str
    match: int


@lru_cache(maxsize=1024)
def variant_of(game_id: str, options: str) -> Variant | None:
    """Return the variant of a match, None if its game is gone or knows no such options. options: as JSON."""
    try:
        game, given = load(game_id)[0], stored_options(options)
        values = game.settled((name, value) for name, value in given.items() if name not in NO_RULES)
    except (InputError, ValueError):
        return None
    return Variant(game.id, tuple((name, value) for name, value in values.items() if name not in NO_RULES))


def read_book(store: Store, game_id: str | None = None) -> Book:
    """Return the results of all matches, or of one game; merged names are resolved, made-up players left out.

    Coached matches count for nothing. Two names in one match are two players, even if they were merged.
    """
    same, book = store.same_names.all(), Book()
    for game, options, matches in store.results.all(trial_players(), game_id):
        if (variant := variant_of(game, options)) is not None and not dict(variant.options).get(COACH.name):
            book.setdefault(variant, []).extend(_meant(match, same) for match in matches)
    for played in book.values():
        played.sort()  # several texts of options may mean the same
    return book


def _meant(match: Played, same: Mapping[str, str]) -> Played:
    names = [same.get(one.name, one.name) for one in match.scores] if same else ()
    if len({*names}) < len(match.scores):
        return match
    return Played(match.number, tuple(one._replace(name=name) for one, name in zip(match.scores, names, strict=True)))


def records_of(variant: Variant, played: Iterable[Played]) -> dict[RecordKind, Record]:
    """Return the records among these matches, the oldest first; a record that is only equalled stays.

    Best score and best turn are only those of games of points; where the fewest win, more points at once are no luck.
    """
    records, streaks = dict[RecordKind, Record](), Counter[str]()
    points, fewest = variant.game.counts == "points", variant.game.fewest_win

    def enter(kind: RecordKind, value: int, name: str, match: int) -> None:
        sign = -1 if kind == "score" and fewest else 1
        if kind not in records or sign * value > sign * records[kind].value:
            records[kind] = Record(value, name, match)

    for number, scores in played:
        enter("throws", scores[0].throws, "", number)
        for _, name, score, place, _, turns, _, best in scores:
            if name in NOT_OFFERED:  # deleted
                continue
            if len(scores) > 1:
                streaks[name] = streaks[name] + 1 if place == 1 else 0
                if streaks[name] >= LEAST_STREAK:
                    enter("streak", streaks[name], name, number)
            if points:
                enter("score", score, name, number)
                if turns and not fewest:
                    enter("turn", best, name, number)
    return records


def note_end(store: Store | None, number: int, match: Match) -> str:
    """Store the results of a match that has ended; return the most remarkable record that fell, or "".

    A record falls only where there was one, so none does in the first match of a variant. Made-up players set none.
    """
    if store is None or not match.over:
        return ""
    store_results(store, number, match)
    variant = variant_of(match.game.id, json.dumps(dict(match.options)))
    if variant is None or match.options.get(COACH.name):
        return ""
    played = read_book(store, match.game.id).get(variant, [])
    before = records_of(variant, (one for one in played if one.number != number))
    after = records_of(variant, played)
    text: str = ""
    match {kind: record for kind, record in after.items() if kind in before and record != before[kind]}:
        case {"score": Record(value, name)}:
            text = say("record: {name} has {n} points", name=name, n=value)
        case {"streak": Record(value, name)}:
            text = say("record: {name} has won {n} times in a row", name=name, n=value)
        case {"turn": Record(value, name)}:
            text = say("record: {name} has {n} points at once", name=name, n=value)
        case {"throws": Record(value)}:
            text = say("record: {n} throws in one match", n=value)
    return text
