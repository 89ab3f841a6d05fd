"""What a WLED lamp shows: the player's colour, and for a moment what happened. Pure.

A state is the body of `POST /json/state`. Every change is a fade, so that nothing flashes.
"""

from collections.abc import Mapping
from typing import Any

from tabletop.broadcast.vocabulary import Fields

Colour = tuple[int, int, int]

SEATS: tuple[Colour, ...] = (  # the page's colours of players (static/board.css), at full brightness
    (0, 239, 255), (255, 102, 0), (75, 124, 255), (255, 80, 174), (255, 252, 0),
    (63, 255, 127), (166, 102, 255), (255, 166, 79), (198, 228, 255), (255, 54, 43),
)  # fmt: skip
RED, GREEN, AMBER, CALM = (255, 0, 0), (0, 255, 0), (255, 140, 0), (255, 180, 107)
BRIGHT, DIM = 128, 48  # of 255
FADE = 7  # tenths of a second
SHOWN_S, RAINBOW_S = 1.2, 6.0  # at least; also what a fade takes, so that no two changes flash
SOLID, RAINBOW = 0, 9  # effects


def solid(colour: Colour, bri: int = BRIGHT) -> Fields:
    """Return the state in which all lamps have this colour."""
    return {"on": True, "bri": bri, "tt": FADE, "seg": {"fx": SOLID, "col": [list(colour)]}}


RAINBOW_STATE: Fields = {"on": True, "bri": BRIGHT, "tt": FADE, "seg": {"fx": RAINBOW, "sx": 60, "pal": 0}}


class Light:
    """Follows the events of a table. Only the newest matters: a lamp that was away is not shown what it missed."""

    def __init__(self) -> None:
        self._steady, self._sent = solid(CALM, DIM), Fields()
        self._moment: Fields | None = None
        self._helping = False
        self._players: list[str] = []

    def note(self, event: Mapping[str, Any], now: Mapping[str, Any]) -> None:
        """Note an event. now: the table's state, as `state_of` returns it."""
        kind, player = event["kind"], event["player"]
        if kind == "match_started":
            self._players = event["players"]
        elif kind == "table":
            player, self._players = now["turn"], now["players"]
        if kind == "turn" or (kind == "table" and event["state"] == "playing"):
            self._steady = solid(self._colour(player, now))
        elif kind == "match_over" or (kind == "table" and event["state"] in ("menu", "over")):
            self._steady = solid(CALM, DIM)
            self._moment = RAINBOW_STATE if event.get("winners") else self._moment
        elif kind == "bust":
            self._moment = solid(RED)
        elif kind == "score" and max(event["changes"].values()) > 0:
            self._moment = solid(GREEN)
        elif kind == "needs_help":
            self._helping = event["needed"]

    def take(self) -> tuple[Fields, float] | None:
        """Return the next state and how many seconds it stays, None if the lamp shows it already."""
        moment, self._moment = self._moment, None
        state = moment or (solid(AMBER) if self._helping else self._steady)
        if state == self._sent:
            return None
        self._sent = state
        return state, RAINBOW_S if state is RAINBOW_STATE else SHOWN_S

    def _colour(self, player: str | None, now: Mapping[str, Any]) -> Colour:
        if player not in self._players:
            self._players = now["players"]
        return SEATS[self._players.index(player) % len(SEATS)] if player in self._players else CALM
