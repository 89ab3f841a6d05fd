"""Says once why a display shows "player 2" for a name: there for some seconds, and in the log with the remedy."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from tabletop.views.i18n.catalogue import Strings
from tabletop.views.oled.font import can_draw, can_stand_alone, letters, unifont_found
from tabletop.views.oled.screen import replaced_seats
from tabletop.views.snapshot import Snapshot

SAID_S = 10.0  # long enough for two pages, which the low screen takes
REMEDY = "its letters come with the package fonts-unifont: apt install fonts-unifont"


@dataclass(slots=True)
class _Told:
    """What displays of one height have said: of which names, the newest line, and when it began."""

    names: set[str] = field(default_factory=set)
    line: str = ""
    since_s: float = float("-inf")


class ReplacedNames:
    """Puts the line into the snapshot of a display. log: told each name once, however many displays there are."""

    def __init__(self, log: Callable[[str], None]) -> None:
        self._log = log
        self._told: dict[int, _Told] = {}
        self._logged: set[str] = set()

    def explained(self, table: Snapshot, height: int, now_s: float) -> Snapshot:
        """Return the snapshot for a display of so many rows, with the line as its hint while that is due.

        It waits for any other hint, and for a menu or a name being spelled. Times in seconds, on any one clock.
        """
        if table.hint or table.menu is not None or table.spelling is not None or table.winners:
            return table
        told = self._told.setdefault(height, _Told())
        new = [seat for seat in replaced_seats(table.players, height) if table.players[seat - 1] not in told.names]
        if new:
            told.names |= {table.players[seat - 1] for seat in new}
            told.line, told.since_s = _explanation(new, table.phrases), now_s
            self._note(new, table.players, height)
        return replace(table, hint=told.line) if now_s - told.since_s < SAID_S else table

    def _note(self, seats: Sequence[int], players: tuple[str, ...], height: int) -> None:
        for seat in seats:
            name = players[seat - 1]
            if name not in self._logged:
                self._logged.add(name)
                self._log(f"the display shows player {seat} for {name}: {_reason(name, height)}")


def _explanation(seats: Sequence[int], phrases: Strings) -> str:
    *others, last = (phrases.seat.format(n=seat) for seat in seats)
    names = f"{', '.join(others)} {phrases.joined} {last}" if others else last
    return (phrases.stand if others else phrases.stands).format(names=names)


def _reason(name: str, height: int) -> str:
    if can_draw(name):
        return f"its letters are too high for {height} rows"
    if not unifont_found() and all(can_draw(letter) or can_stand_alone(letter[0]) for letter in letters(name)):
        return REMEDY
    return "it cannot draw such letters"
