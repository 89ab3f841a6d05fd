"""What the store gives out: matches as it lists them, and events. Cells are checked: a card may spoil any of them."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NoReturn, get_args

from tabletop.core.moment import ClockState

Ending = Literal["over", "left", "abandoned"]
LONGEST_WORD = 200  # characters of a game's id, or of a player's name, which has a dozen letters with their marks


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """One match as the store lists it. ending: None while it is open. events: how many are stored.

    damage: names the columns that cannot be read, and stand here as empty; a match with damage cannot be played.
    """

    number: int
    game: str
    players: tuple[str, ...]
    options: Mapping[str, Any]
    begun: str
    ending: Ending | None
    events: int
    damage: str = ""


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """One event as stored. n: from 1. time: ISO 8601, UTC. clock: None where it was not noted.

    body: JSON-able; empty, which no event is, where it is damaged or missing.
    """

    n: int
    time: str
    body: Mapping[str, Any]
    clock: ClockState | None = None


def _refuse(figure: str) -> NoReturn:
    raise ValueError(f"expected whole numbers in the store, got {figure[:20]}")


_DECODER = json.JSONDecoder(parse_float=_refuse, parse_constant=_refuse)


def is_text(cell: object) -> bool:
    """Return whether a cell holds text in UTF-8: damaged bytes are lone surrogates, which no file or page takes."""
    try:
        return isinstance(cell, str) and cell.encode() is not None
    except UnicodeEncodeError:
        return False


def sound(row: Sequence[object], *types: type) -> bool:
    """Return whether the cells are of these types, in their order, and texts are in UTF-8."""
    return all(type(cell) is kind and (kind is not str or is_text(cell)) for cell, kind in zip(row, types, strict=True))


def stored_json(cell: object) -> Any:  # noqa: ANN401 - any value of JSON
    """Return what the JSON of a cell says; raises ValueError if it cannot be read, or holds a lone surrogate."""
    if not isinstance(cell, str) or not is_text(cell):
        raise ValueError("expected text in UTF-8, got something else")
    try:
        value = _DECODER.decode(cell)
        if "\\u" in cell:
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise ValueError("expected a flat value, got nested ones without end") from None
    return value


def stored_players(cell: object) -> tuple[str, ...]:
    """Return the names of a column `players`; raises ValueError."""
    names = stored_json(cell)
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise ValueError("expected a list of names, got something else")
    if max(map(len, names)) > LONGEST_WORD:
        raise ValueError("expected names, got an endless one")
    return tuple(names)


def stored_options(cell: object) -> dict[str, Any]:
    """Return the values of a column `options`; raises ValueError."""
    options = stored_json(cell)
    if not isinstance(options, dict) or not all(isinstance(value, bool | int | str) for value in options.values()):
        raise ValueError("expected options with a value each, got something else")
    return options


def _game(cell: object) -> str:
    if not isinstance(cell, str) or not is_text(cell) or not 0 < len(cell) <= LONGEST_WORD:
        raise ValueError("expected the id of a game, got something else")
    return cell


def _begun(cell: object) -> str:
    if not isinstance(cell, str) or not cell.isascii():
        raise ValueError("expected a date, got something else")
    datetime.fromisoformat(cell)
    return cell


def _ending(cell: object) -> Ending | None:
    if cell is not None and cell not in get_args(Ending):
        raise ValueError("expected how a match ended, got something else")
    return cell  # type: ignore[return-value]  # one of them, as was just seen


def stored_match(number: int, cells: Sequence[object], events: int) -> StoredMatch:
    """Return a match. cells: of the columns game, players, options, begun and ending."""
    readers: dict[str, tuple[Callable[[object], Any], Any]] = {
        "game": (_game, ""), "players": (stored_players, ()), "options": (stored_options, {}), "begun": (_begun, ""),
        "ending": (_ending, None),
    }  # fmt: skip
    values, damaged = dict[str, Any](), list[str]()
    for (column, (read, empty)), cell in zip(readers.items(), cells, strict=True):
        try:
            values[column] = read(cell)
        except ValueError:
            values[column] = empty
            damaged.append(column)
    return StoredMatch(number, events=events, damage=", ".join(damaged), **values)


def stored_event(n: int, time: object, body: object, clock: ClockState | None = None) -> StoredEvent:
    """Return an event; with an empty body if one of its cells is damaged."""
    try:
        read = stored_json(body)
    except ValueError:
        read = None
    if not isinstance(read, dict) or not is_text(time):
        return StoredEvent(n, "", {})
    return StoredEvent(n, str(time), read, clock)
