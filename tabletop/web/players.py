"""Players and records as the page's data: how everybody has done in each game with its house rules.

Matches count in the order in which they were stored. Those played alone have no winner, and no rating.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from tabletop.dialogs.setup_state import house_rules, title, unusual
from tabletop.records import book, rating
from tabletop.store import Store
from tabletop.store.database import NOT_OFFERED
from tabletop.store.results import Played, Score
from tabletop.views.i18n import catalogue, translate

FORM = 10  # newest results of a player
MOST_ROWS = 20  # of a game's standings
WITHIN = 1.96  # deviations around a rating: 95 %

Own = list[tuple[Played, Score]]  # of one player


def players_of(store: Store, language: catalogue.Language, name: str) -> dict[str, Any]:
    """Return all players, and the games of one, or of all for an unknown name, as JSON values; newest game first.

    Deleted players are left out.
    """
    games, words = book.read_book(store), translate.phrases(language)
    name = store.same_names.all().get(name, name)
    everything = [match for matches in games.values() for match in matches]
    played = Counter([one.name for match in everything for one in match.scores if one.name not in NOT_OFFERED])
    won = Counter([one.name for match in everything if match.rated for one in match.scores if one.place == 1])
    name = name if name in played else ""
    newest = sorted(games.items(), key=lambda item: -item[1][-1].number)
    told = [_game(variant, matches, name, language) for variant, matches in newest]
    return {
        "language": words.language_code,
        "words": {**words.form, **{word: words.page[word] for word in ("players", "back")}},
        "name": name,
        "players": [{"name": who, "played": count, "won": won[who]} for who, count in played.most_common()],
        "games": [game for game in told if game["rows"]],
    }


def _game(variant: book.Variant, matches: Sequence[Played], name: str, language: catalogue.Language) -> dict[str, Any]:
    own: dict[str, Own] = defaultdict(list)
    for match in matches:
        for one in match.scores:
            if name in ("", one.name) and one.name not in NOT_OFFERED:
                own[one.name].append((match, one))
    ratings = rating.ratings_of(matches) if own else {}
    rows = [_row(variant, who, results, ratings.get(who)) for who, results in own.items()]
    rows.sort(key=lambda row: (-(row["rating"] or (0.0,))[0], -row["played"]))
    settings = unusual(variant.game, dict(variant.options))
    game = {
        "game": language.translate(title(variant.game, settings), translate.GAME),
        "rules": [language.translate(rule, translate.NOTE) for rule in house_rules(variant.game, settings)],
        "rows": rows[:MOST_ROWS],
    }
    if name:
        return game | _details(name, [(match, one) for match, one in own[name] if match.rated])
    records = [
        {"kind": kind, "mean": _mean_turn(matches) if kind == "turn" else None, **record._asdict()}
        for kind, record in sorted(book.records_of(variant, matches).items())  # the score comes first
    ]
    return game | {"records": records}


def _row(variant: book.Variant, name: str, own: Own, skill: rating.Rating | None) -> dict[str, Any]:
    scores, places = [one.score for _, one in own], [one.place for match, one in own if match.rated]
    points = variant.game.counts == "points"
    return {
        "name": name,
        "rating": skill and (round(skill.skill, 1), round(WITHIN * skill.deviation, 1)),
        "played": len(own),
        "alone": len(own) - len(places),
        "won": places.count(1),
        "best": (min if variant.game.fewest_win else max)(scores) if points else None,
        "mean": round(sum(scores) / len(scores), 1) if points else None,
    }


def _details(name: str, rated: Own) -> dict[str, Any]:
    """Return form, streaks and head to head in matches against others."""
    streaks, against = [0], defaultdict[str, Counter[int]](Counter)
    for match, one in rated:
        streaks.append(streaks[-1] + 1 if one.place == 1 else 0)
        for other in match.scores:
            against[other.name][(one.place < other.place) - (one.place > other.place)] += 1
    others = sorted(against.items(), key=lambda item: -item[1].total())
    return {
        "form": [(one.place, len(match.scores)) for match, one in rated[-FORM:]],
        "streak": streaks[-1],
        "longest": max(streaks),
        "against": [
            (who, *(counts[sign] for sign in (1, 0, -1))) for who, counts in others if who not in {name, *NOT_OFFERED}
        ],
    }


def _mean_turn(matches: Sequence[Played]) -> float:
    scores = [one for match in matches for one in match.scores]
    return round(sum(one.points for one in scores) / sum(one.turns for one in scores), 1)
