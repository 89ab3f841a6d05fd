"""Export matches as events of version 1, JSON or CSV, and import them again."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from io import StringIO
from itertools import groupby
from pathlib import Path
from typing import Any

from tabletop.broadcast.history import History
from tabletop.broadcast.vocabulary import Fields
from tabletop.core.errors import InputError, TabletopError, one_line
from tabletop.records.deriving import store_results
from tabletop.rules import Event, Match
from tabletop.rules.events import EVENT_KINDS, answer_from
from tabletop.store import Store

FORMATS = ("json", "csv")
TEXTS = ("time", "kind", "player", "game", "name", "ask", "choice", "why")  # columns whose cells are plain texts
COLUMNS = (
    *("match", "n", "time", "kind", "player", "faces", "notation", "kept", "choice", "event", "dropped", "carried"),
    *("ask", "lost", "scores", "changes", "leaders", "winners", "why", "game", "name", "players", "options", "v"),
)
FORMULA = ("=", "+", "-", "@", "\t", "\r", "'")  # a spreadsheet runs a text that begins so, unless ' stands before it
MOST_BYTES = 200_000_000  # of a file to import: 7,000 matches in JSON, 12,000 in CSV


def export(path: Path, numbers: Iterable[int], form: str) -> Iterator[str]:
    """Yield the lines of an export, in the order of these matches. form: one of `FORMATS`. Raises StoreError."""
    history = History(path)
    events = (event for number in numbers for event in history.of_match(number))
    if form == "csv":
        yield _row(COLUMNS)
        yield from (_row(_cell(name, event) for name in COLUMNS) for event in events)
        return
    last = "["
    for event in events:
        yield f"{last}\n"
        last = json.dumps(event, ensure_ascii=False) + ","
    yield f"{last.removesuffix(',')}\n]\n" if last != "[" else "[]\n"


def _cell(name: str, event: Mapping[str, Any]) -> str:
    value = event.get(name)
    if value is None:
        return ""
    if name not in TEXTS and not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return f"'{value}" if value.startswith(FORMULA) else value


def _row(cells: Iterable[str]) -> str:
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue()


def read_export(text: str) -> list[Fields]:
    """Read an export, JSON or CSV; raises InputError naming the place of the first mistake."""
    try:
        if text.lstrip()[:1] in ("[", "{"):
            start = text.lstrip()
            found = json.loads(start) if start.startswith("[") else [json.loads(line) for line in start.splitlines()]
        else:
            rows = csv.DictReader(StringIO(text, newline=""), strict=True)
            if not {"match", "kind"} <= {*(rows.fieldnames or ())}:
                raise InputError("expected an export of matches, JSON or CSV: its first line has no match and kind")
            found = [{name: _value(name, cell) for name, cell in row.items() if cell} for row in rows]
    except (ValueError, csv.Error, RecursionError) as error:
        raise InputError(f"expected an export of matches, JSON or CSV: {one_line(error)}") from None
    if not all(isinstance(event, dict) and type(event.get("match")) is int and event.get("kind") for event in found):
        raise InputError("expected events, each with match and kind, as `tabletop export` writes them")
    return found


def _value(name: Any, cell: Any) -> Any:  # noqa: ANN401 - the csv module gives None for cells too many
    if name in TEXTS or not isinstance(cell, str) or name == "notation":
        return cell.removeprefix("'") if isinstance(cell, str) else cell
    return json.loads(cell)


def import_events(store: Store, events: list[Fields]) -> tuple[int, int]:
    """Store the matches of an export under new numbers, once all of them are checked. Followers do not get them.

    Returns how many were stored, and how many the store had already. Raises InputError naming match and event, and
    StoreError.
    """
    there = {(match.begun, match.game, match.players, match.events) for match in store.matches()}
    played = [_replayed(number, list(own)) for number, own in groupby(events, key=lambda event: event["match"])]
    new = [one for one in played if (one[0], one[1].game.id, one[1].seated, len(one[2])) not in there]
    for begun, match, entries in new:
        number = store.begin(match.game.id, match.seated, dict(match.options), begun, told=False)
        store.append(number, 1, [(time, event.to_json()) for time, event in entries], told=False)
        if match.over:
            store.end(number, "abandoned" if match.abandoned else "over")
            store_results(store, number, match)
    return len(new), len(played) - len(new)


def _replayed(number: int, lines: list[Fields]) -> tuple[str, Match, list[tuple[str, Event]]]:
    """Play one match again by its rules; raises InputError naming the event that cannot be."""
    first = lines[0]
    if first["kind"] != "match_started":
        raise InputError(f"match {number}: expected match_started first, got {first['kind']!r:.40}")
    entries = list[tuple[str, Event]]()
    try:
        begun = _time(first)
        options = {name: value for name, value in first["options"].items() if value is not None}
        match = Match(str(first["game"]), first["players"], **options)
        for line in lines[1:]:
            if line["kind"] in EVENT_KINDS:
                (event,) = _drafted(match, line)
                match.apply(event)
                entries.append((_time(line), event))
    except (TabletopError, KeyError, TypeError, ValueError, AttributeError) as error:
        why = one_line(error) if isinstance(error, TabletopError) else f"expected an event of version 1 ({error!r:.60})"
        raise InputError(f"match {number}, event {len(entries) + 1}: {why}") from None
    return begun, match, entries


def _time(line: Fields) -> str:
    datetime.fromisoformat(line["time"])
    return str(line["time"])


def _drafted(match: Match, line: Fields) -> tuple[Event, ...]:
    kind = line["kind"]
    if kind == "undo":
        return match.draft_undo()
    if kind == "abandon":
        return match.draft_abandon()
    if kind in ("leave", "join"):
        return (match.draft_leave if kind == "leave" else match.draft_join)(line["player"])
    answer = answer_from(line)
    return match.draft_correct(line["event"], answer) if kind == "correct" else match.draft(answer)
