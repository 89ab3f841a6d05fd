"""The past matches as the page shows them: a list, one match with its course, and what people change about them.

All texts are translated. Nothing here may run in the thread that plays.
"""

from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from tabletop.broadcast.interchange import import_events, read_export
from tabletop.core.errors import InputError, ReplayError, TabletopError, one_line
from tabletop.core.message import say
from tabletop.dialogs.event_text import all_faces, entry_text
from tabletop.rules import Event, Match, load
from tabletop.rules.game import CALLED
from tabletop.store import Store, StoredMatch
from tabletop.store.clock import written
from tabletop.store.erasing import delete_match, replace_player
from tabletop.views.i18n.catalogue import Language
from tabletop.views.i18n.translate import GAME, LOG, NOTE, phrases
from tabletop.web.setup import checked_players

AT_ONCE = 20  # matches of one answer
MOST_DIGITS = 18  # of a number: SQLite's are no larger


def listed(path: Path, wish: Mapping[str, str], language: Language) -> dict[str, Any]:
    """Return the newest matches that fit, as JSON values, and what the list can be limited to; raises InputError.

    wish: `before`, the number of a match; `player`; `game`; `since` and `until`, days here.
    """
    with Store(path, looking=True) as store:
        same, (game_ids, everybody) = store.same_names.all(), store.played()
        player, game = wish.get("player", ""), wish.get("game", "")
        names = [player, *(name for name, means in same.items() if means == player)] if player else []
        span = (_midnight(wish.get("since", ""), 0), _midnight(wish.get("until", ""), 1))
        before = number_in(wish, "before") if wish.get("before") else None
        found = store.matches(before, AT_ONCE + 1, names, game, span)
    games = [(game_id, language.translate(name_of(game_id, {}), GAME)) for game_id in game_ids]
    return {
        "language": phrases(language).language_code,
        "words": dict(phrases(language).past),
        "matches": [_facts(match, language) for match in found[:AT_ONCE]],
        "more": len(found) > AT_ONCE,
        "players": sorted({same.get(name, name) for name in everybody}, key=str.casefold),
        "games": sorted(games, key=lambda entry: entry[1].casefold()),
    }


def number_in(wish: Mapping[str, str], name: str = "match") -> int:
    """Return the number of a match in the parameters of an address; raises InputError."""
    text = wish.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise InputError(f"expected the number of a match, got {text[:20]!r}")
    return int(text)


def _midnight(day: str, later: int) -> str:
    """Return when a day begins here, in UTC, or the day after so many; empty for none."""
    try:
        return written(datetime.combine(date.fromisoformat(day) + timedelta(later), datetime.min.time())) if day else ""
    except (ValueError, OverflowError):
        raise InputError(f"expected a day, such as 2026-12-24, got {day[:20]!r}") from None


def name_of(game_id: str, options: Mapping[str, Any]) -> str:
    """Return the name of a match's game in English; of a game that is no longer installed, its id."""
    try:
        name = load(game_id)[0].name
    except InputError:
        name = game_id
    return str(options.get(CALLED, name))


def _facts(match: StoredMatch, language: Language) -> dict[str, Any]:
    begun = f"{datetime.fromisoformat(match.begun).astimezone():%Y-%m-%d %H:%M}" if match.begun else ""
    name = language.translate(name_of(match.game, match.options), GAME)
    facts = {"number": match.number, "name": name, "players": match.players}
    return facts | {"begun": begun, "ending": phrases(language).past[match.ending or "open"]}


def told(path: Path, number: int, language: Language) -> dict[str, Any]:
    """Return a match as JSON values: for each player the scores after each own turn, and all that happened, in order.

    What the rules do not accept any more is left out, and `why` says so. Raises InputError and StoreError.
    """
    with Store(path, looking=True) as store:
        stored = store.match(number)
        rows = store.events(number)
    why, events, match = "", list[Event](), None
    try:
        events = [Event.from_json(row.body) for row in rows]
        match = Match.replay(stored.game, stored.players, stored.options, events)
    except (TabletopError, ValueError) as error:
        match = error.match if isinstance(error, ReplayError) and isinstance(error.match, Match) else None
        why = one_line(error)
    if match is None:
        return _facts(stored, language) | {"course": {}, "lines": [], "winners": [], "why": why}
    why = why or language.translate(match.why, ("endings",))
    lines = [_line(event, language) for event in events]
    facts = {"course": course_of(match), "lines": lines, "winners": match.winners, "why": why}
    return _facts(stored, language) | facts


def _line(event: Event, language: Language) -> dict[str, Any]:
    taken_back = event.kind == "undo"
    text = phrases(language).past["undone"] if taken_back else language.translate(entry_text(event), LOG)
    faces = all_faces(event.answer.faces) if event.kind == "throw" else ()  # type: ignore[union-attr]  # of a throw
    return {"kind": event.kind, "text": text, "who": event.player or "", "dice": faces}


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


def change(path: Path, sent: Mapping[str, Any], playing: Callable[[int], bool], folders: tuple[Path, ...]) -> None:
    """Delete the match with the number `match` for good, or the `player`, or call them `new`; raises InputError.

    Raises StoreError and OSError as well.
    """
    number, player, new = (sent.get(key) for key in ("match", "player", "new"))
    if type(number) is int:
        delete_match(path, number, playing, folders)
    elif isinstance(player, str) and player and (new is None or isinstance(new, str)):
        if new is not None:
            checked_players([new])
        replace_player(path, player, new or "", playing, folders)
    else:
        raise InputError("expected the number of a match, or the name of a player")


def take_in(path: Path, text: str, language: Language) -> str:
    """Store the matches of an export; return what became of them, in words. Raises InputError and StoreError."""
    try:
        with Store(path) as store:
            stored, known = import_events(store, read_export(text))
    except InputError as error:
        raise InputError(say("this file cannot be imported ({text})", text=one_line(error))) from error
    return language.translate(say("{n} matches stored, {n2} were there already", n=stored, n2=known), NOTE)
