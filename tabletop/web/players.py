"""Players and records as the page's data: how everybody has done in each game with its house rules.

Matches count in the order in which they were stored. Those played alone have no winner, and no rating.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from tabletop.dialogs.setup_state import house_rules, title, unusual
from tabletop.records.book import Played, Record, RecordKind, Variant, read_book, records_of
from tabletop.records.rating import Rating, ratings_of
from tabletop.store import Store
from tabletop.store.results import Result
from tabletop.views.i18n.catalogue import Language
from tabletop.views.i18n.translate import GAME, NOTE, phrases

FORM = 10  # newest results of a player
MOST_ROWS = 20  # of a game's standings
WITHIN = 1.96  # deviations around a rating: 95 %
WORDS = (
    *("all_players", "rating", "played", "alone", "won", "best", "mean", "form", "streak", "longest"),
    *("against", "better", "level", "worse", "records", "no_results", "in_match", "of_turns"),
    *("record_score", "record_streak", "record_turn", "record_throws"),
)
OF_PAGE = ("players", "back")

Own = list[tuple[Played, Result]]


def players_of(store: Store, language: Language, name: str) -> dict[str, Any]:
    """Return all players, and the games of one, or of all for an unknown name, as JSON values; newest game first."""
    book, words = read_book(store), phrases(language).form
    name = store.same_names.all().get(name, name)
    played, won = Counter[str](), Counter[str]()
    for match in (one for of_variant in book.values() for one in of_variant):
        played.update(result.name for result in match.results)
        won.update(result.name for result in match.results if match.rated and result.place == 1)
    games = sorted(book.items(), key=lambda item: -item[1][-1].number)
    told = [_game(variant, matches, name if name in played else "", language) for variant, matches in games]
    return {
        "language": phrases(language).language_code,
        "words": {word: words[word] for word in WORDS} | {word: phrases(language).page[word] for word in OF_PAGE},
        "name": name if name in played else "",
        "players": [{"name": who, "played": count, "won": won[who]} for who, count in played.most_common()],
        "games": [game for game in told if game["rows"]],
    }


def _game(variant: Variant, matches: Sequence[Played], name: str, language: Language) -> dict[str, Any]:
    own: dict[str, Own] = defaultdict(list)
    for match in matches:
        for result in match.results:
            own[result.name].append((match, result))
    shown = {who: results for who, results in own.items() if name in ("", who)}
    ratings = ratings_of(matches) if shown else {}
    rows = [_row(variant, who, results, ratings.get(who)) for who, results in shown.items()]
    rows.sort(key=lambda row: (-(row["rating"] or (0.0,))[0], -row["played"]))
    settings = unusual(variant.game, dict(variant.options))
    game = {
        "game": language.translate(title(variant.game, settings), GAME),
        "rules": [language.translate(rule, NOTE) for rule in house_rules(variant.game, settings)],
        "rows": rows[:MOST_ROWS],
    }
    if name:
        return game | (_details(name, shown[name]) if name in shown else {})
    turns = Counter[str]()
    for result in (result for match in matches for result in match.results):
        turns.update({"turns": result.turns, "points": result.points})
    records = records_of(variant, matches)
    return game | {"records": [_record(kind, record, turns) for kind, record in records.items()]}


def _row(variant: Variant, name: str, own: Own, rating: Rating | None) -> dict[str, Any]:
    scores, against = [result.score for _, result in own], [result for match, result in own if match.rated]
    points = variant.game.counts == "points"
    return {
        "name": name,
        "rating": rating and (round(rating.skill, 1), round(WITHIN * rating.deviation, 1)),
        "played": len(own),
        "alone": len(own) - len(against),
        "won": sum(result.place == 1 for result in against),
        "best": (min if variant.game.fewest_win else max)(scores) if points else None,
        "mean": round(sum(scores) / len(scores), 1) if points else None,
    }


def _details(name: str, own: Own) -> dict[str, Any]:
    rated = [(match, result) for match, result in own if match.rated]
    now = longest = 0
    against: dict[str, Counter[str]] = defaultdict(Counter)
    for match, result in rated:
        now = now + 1 if result.place == 1 else 0
        longest = max(longest, now)
        for other in match.results:
            if other.name != name:
                ahead = "better" if result.place < other.place else "worse"
                against[other.name]["level" if result.place == other.place else ahead] += 1
    return {
        "form": [{"place": result.place, "of": len(match.results)} for match, result in rated[-FORM:]],
        "streak": now,
        "longest": longest,
        "against": [
            {"name": other, **{word: counts[word] for word in ("better", "level", "worse")}}
            for other, counts in sorted(against.items(), key=lambda item: -item[1].total())
        ],
    }


def _record(kind: RecordKind, record: Record, turns: Counter[str]) -> dict[str, Any]:
    """Return a record; of a turn with what turns bring on average."""
    mean = round(turns["points"] / turns["turns"], 1) if kind == "turn" else None
    return {"kind": kind, "value": record.value, "names": record.names, "match": record.match, "mean": mean}
