"""The past matches as the page shows them: a list, and one match with its course. All texts are translated."""

from collections.abc import Mapping
from typing import Any

from tabletop.core.errors import InputError, TabletopError
from tabletop.dialogs.event_text import entry_text
from tabletop.interpret.log_views import places_standing
from tabletop.rules import CALLED, COACH, Event, Match, load
from tabletop.store import Store, StoredMatch, database
from tabletop.views.i18n.catalogue import Language
from tabletop.views.i18n.translate import GAME, LOG, phrases

AT_ONCE = 20  # matches of one answer


def listed(store: Store, wish: Mapping[str, str], before: int | None, language: Language) -> dict[str, Any]:
    """Return the newest matches that fit, as JSON values, and what the list can be limited to.

    wish: `player`, `game`, and `since` and `until`, times in UTC as the store has them; before: the number of a match.
    """
    same, (games, names) = store.same_names.all(), store.played()
    player = wish.get("player", "")
    aliases = [player, *(name for name, means in same.items() if means == player)] if player else []
    found = store.matches(before, AT_ONCE + 1, aliases, *(wish.get(name, "") for name in ("game", "since", "until")))
    called = {game: language.translate(name_of(game, {}), GAME) for game in games}
    return {
        "language": phrases(language).language_code,
        "words": {**phrases(language).past, **{name: phrases(language).page[name] for name in ("recap", "done")}},
        "matches": [_facts(match, language) for match in found[:AT_ONCE]],
        "more": len(found) > AT_ONCE,
        "players": sorted({same.get(name, name) for name in names} - database.NOT_OFFERED, key=str.casefold),
        "games": sorted(called.items(), key=lambda entry: entry[1].casefold()),
    }


def name_of(game_id: str, options: Mapping[str, Any]) -> str:
    """Return the name of a match's game in English; of a game that is no longer installed, its id."""
    try:
        name = load(game_id)[0].name
    except InputError:
        name = game_id
    return str(options.get(CALLED, name))


def _facts(match: StoredMatch, language: Language) -> dict[str, Any]:
    name = language.translate(name_of(match.game, match.options), GAME)
    if match.options.get(COACH.name):
        name = f"{name} ({phrases(language).past['coached']})"
    facts = {"number": match.number, "name": name, "players": match.players}
    return facts | {"begun": match.begun, "ending": phrases(language).past[match.ending or "open"]}


def told(store: Store, number: int, language: Language) -> dict[str, Any]:
    """Return a match as JSON values, with each player's course and all that happened, in order.

    Each event has its number as for corrections, 0 if it does not stand.

    Raises TabletopError if there is none, or the rules do not accept it.
    """
    stored = store.match(number)
    events = [Event.from_json(row.body) for row in store.events(number)]
    match = Match.replay(stored.game, stored.players, stored.options, events)
    numbers = {place: number for number, place in enumerate(places_standing(match.log), start=1)}
    lines = [_line(event, language) | {"number": numbers.get(at, 0)} for at, event in enumerate(events)]
    facts: dict[str, Any] = {"course": course_of(match), "lines": lines}
    facts |= {"winners": match.winners, "why": language.translate(match.why, ("endings",))}
    return _facts(stored, language) | facts


def _line(event: Event, language: Language) -> dict[str, Any]:
    undone = event.kind == "undo"
    text = phrases(language).past["undone"] if undone else language.translate(entry_text(event), LOG)
    faces = event.value if event.kind == "throw" else {}
    dice = list(faces.items()) if isinstance(faces, Mapping) else [(event.player or "", faces)]
    return {"kind": event.kind, "text": text, "dice": dice}


def course_of(match: Match) -> dict[str, list[int]]:
    """Return each player's scores: at the beginning, after each of their turns, and at the end.

    In a game that all play at once, after each change.
    """
    again = Match(match.game.id, match.seated, **match.options)
    course = {name: [score] for name, score in again.scores.items()}
    for event in match.events:
        asked, before = again.request.player, again.scores
        try:
            again.apply(*_drafted(again, event))
        except TabletopError:  # where a correction left it to the table what to drop
            break
        passed = again.request.player != asked or len(course) == 1
        for name, score in again.scores.items():
            if (name == asked and passed) or (asked is None and again.scores != before):
                course.setdefault(name, []).append(score)
    for name, score in match.scores.items():
        if course.setdefault(name, [])[-1:] != [score]:
            course[name].append(score)
    return course


def _drafted(match: Match, event: Event) -> tuple[Event, ...]:
    if event.kind in ("leave", "join"):
        return (match.draft_leave if event.kind == "leave" else match.draft_join)(event.player or "")
    return match.draft(event.answer)
