"""The state of the table for other programs, from a snapshot. Pure."""

from collections.abc import Iterator

from tabletop.broadcast.vocabulary import VERSION, Fields, notation
from tabletop.views.snapshot import Snapshot


def state_of(snapshot: Snapshot) -> Fields:
    """Return the state as `GET /api/v1/state` and the MQTT topic `tabletop/ID/state` have it.

    match: None while no match is shown. turn: None if all players are asked, or none. needs_help: what
    the display says, in the table's language, empty if all is well.
    """
    return {
        "v": VERSION,
        "table": table_of(snapshot),
        "match": snapshot.number or None,
        "game": snapshot.game,
        "players": list(snapshot.players),
        "scores": dict(zip(snapshot.players, snapshot.scores, strict=False)),
        "turn": snapshot.asked or None,
        "ask": snapshot.ask,
        "at_stake": snapshot.at_stake,
        "thrown": list(snapshot.thrown),
        "notation": notation(snapshot.thrown),
        "kept": [face for face, kept in zip(snapshot.thrown, snapshot.kept, strict=False) if kept],
        "needs_help": _hint(snapshot),
        "winners": list(snapshot.winners),
        "language": snapshot.language.code,
    }


def table_of(snapshot: Snapshot) -> str:
    """Return menu, playing, paused or over."""
    if snapshot.menu is not None or snapshot.spelling is not None or not snapshot.players:
        return "menu"
    if snapshot.winners or snapshot.why:
        return "over"
    return "paused" if snapshot.paused else "playing"


class TableState:
    """Detects changes that are not stored: the table's state, and whether a player must help.

    stands_s: a hint counts once it has stood this long.
    """

    def __init__(self, stands_s: float) -> None:
        self._stands_s = stands_s
        self._table, self._told = "", ""
        self._hint, self._since_s = "", 0.0

    def changes(self, snapshot: Snapshot, now_s: float) -> Iterator[Fields]:
        """Yield a live event for each change since the last snapshot."""
        table, hint = table_of(snapshot), _hint(snapshot)
        if table != self._table:
            self._table = table
            yield {"kind": "table", "player": None, "state": table}
        if hint != self._hint:
            self._hint, self._since_s = hint, now_s
        if hint != self._told and (not hint or now_s - self._since_s >= self._stands_s):
            self._told = hint
            yield {"kind": "needs_help", "player": snapshot.asked or None, "needed": bool(hint), "text": hint}


def _hint(snapshot: Snapshot) -> str:
    return "" if snapshot.told or snapshot.menu is not None else snapshot.hint
