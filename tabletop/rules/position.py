"""The position in a match: what players and views need to know."""

from collections.abc import Mapping
from typing import Any

from tabletop.core.message import join
from tabletop.rules.coroutine import Run
from tabletop.rules.events import Event, request_json
from tabletop.rules.history import History
from tabletop.rules.requests import Faces, Request
from tabletop.rules.table import Cell

LEFT_ROW, AWAY = "has left", "yes"  # not `left`: that is a side of the table as well


class Position:
    """The position in a match; `Match` is one that can go on."""

    _history: History
    _run: Run

    @property
    def players(self) -> tuple[str, ...]:
        """The names in seat order, players who joined later last; players who have left are still among them."""
        return tuple(self._run.table.names)

    @property
    def present(self) -> tuple[str, ...]:
        """The names of the players who have not left."""
        return tuple(self._run.table.names[seat] for seat in self._run.table.seats())

    @property
    def request(self) -> Request:
        """What the game waits for."""
        return self._run.request

    @property
    def scores(self) -> dict[str, int]:
        """The current scores, by which the winner is judged."""
        return dict(zip(self.players, self._run.table.scores, strict=True))

    @property
    def at_stake(self) -> int:
        """The points of the running turn that are not safe yet."""
        return self._run.table.at_stake

    @property
    def thrown(self) -> Faces | Mapping[str, Faces]:
        """The faces last taken."""
        return self._run.table.thrown

    @property
    def kept(self) -> Faces:
        """The dice set aside in this turn."""
        return self._run.table.kept

    @property
    def kept_before(self) -> Faces:
        """The dice that had been set aside in the turn when the last throw was made."""
        return self._run.table.kept_before

    @property
    def sheet(self) -> dict[str, dict[str, Cell]]:
        """The rows of the score sheet, each with a cell for each player, None if it is empty.

        The row `has left` is the referee's own: the last one, and only there while somebody has left.
        """
        table = self._run.table
        away: dict[int, Cell] = dict.fromkeys(table.gone, AWAY)
        rows = table.sheet | ({LEFT_ROW: away} if away else {})
        return {label: {name: row.get(seat) for seat, name in enumerate(table.names)} for label, row in rows.items()}

    @property
    def said(self) -> str:
        """The effect of the last answer in a few words; may be empty."""
        return join("; ", self._run.table.said)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self._run.result is not None

    @property
    def abandoned(self) -> bool:
        """Whether the match has ended without a winner: everybody left, or it was given up."""
        return self._run.abandoned

    @property
    def winners(self) -> tuple[str, ...]:
        """The winners; empty until the end, and after an abandoned match."""
        return tuple(self.players[seat] for seat in self._run.result.winners) if self._run.result else ()

    @property
    def why(self) -> str:
        """Why the match ended; empty until then."""
        return self._run.result.why if self._run.result else ""

    @property
    def log(self) -> tuple[Event, ...]:
        """Every entry, undo and correct too."""
        return tuple(self._history.log)

    @property
    def events(self) -> tuple[Event, ...]:
        """The events that stand: throws, keeps, choices, and who left and joined."""
        return tuple(view.event for view in self._history.standing)

    @property
    def event(self) -> int:
        """How many throws, keeps and choices stand."""
        return self._history.count

    @property
    def asked_at(self) -> tuple[tuple[str, int], ...]:
        """Where in the game's code the question was asked: file and line, `play` first; empty at the end."""
        return tuple(self._run.asked_at())

    def state(self) -> dict[str, Any]:
        """Return the JSON object that `tabletop referee` prints: every key always present, plain values."""
        thrown = self.thrown
        faces = {name: list(own) for name, own in thrown.items()} if isinstance(thrown, Mapping) else list(thrown)
        return {
            "event": self.event,
            "request": request_json(self.request),
            "thrown": faces,
            "kept": list(self.kept),
            "scores": self.scores,
            "at_stake": self.at_stake,
            "sheet": self.sheet,
            "said": self.said,
            "winners": list(self.winners),
            "why": self.why,
        }
