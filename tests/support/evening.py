"""A match session over a tray of words, with every event that it stores."""

from collections.abc import Callable, Mapping
from typing import Any

from table_play import Lying

from tabletop.core.moment import Moment
from tabletop.core.ports import Press
from tabletop.rules import Match
from tabletop.session.match_session import MatchSession
from tabletop.store import Store

BANK, HOLD = Press("bank"), Press("hold")
Start = Callable[..., "Evening"]


class Evening:
    """A running match over a tray of words, with every told event."""

    def __init__(self, store: Store, game: str, unit: str = "px", **options: object) -> None:
        self.store, self.told = store, list[Mapping[str, Any]]()
        match = Match(game, ["Ann", "Ben"], **options)
        number = store.begin(game, match.seated, match.options, "2026-01-01T00:00:00Z")
        self.session = MatchSession(match, store, number, lambda: Moment("2026-01-01T00:00:01Z"), self.told.append)
        self.tray = Lying(unit=unit)  # type: ignore[arg-type]  # px or mm

    def see(self, *rests: object) -> None:
        """Show rests, each long enough for hints."""
        for rest in rests:
            self.session.on_rest(rest, moving_hint=False)  # type: ignore[arg-type]  # what Lying returns

    def press(self, *presses: Press) -> None:
        """Press buttons."""
        for press in presses:
            self.session.press(press, self.tray.now_s)

    @property
    def kinds(self) -> list[str]:
        """The kinds of events told so far."""
        return [event["kind"] for event in self.told]
