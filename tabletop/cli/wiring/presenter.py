"""All views of a table together: screens, terminal and those of other packages, drawn only when something changed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tabletop.core.ports import Light, LookalikeScreen, Screen
from tabletop.perception.pipeline import FrameResult
from tabletop.session.snapshotting import troubled
from tabletop.views.i18n.catalogue import Language, Strings
from tabletop.views.i18n.translate import HINT, translated
from tabletop.views.oled.code_page import Door, draw_door, fits
from tabletop.views.oled.font import can_draw, can_stand_alone, letters, unifont_found
from tabletop.views.oled.screen import dark_at, draw, page_at, pages, replaced_seats, shift_at, unpressed
from tabletop.views.port import View
from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.view import TerminalView

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


DOOR_S, TABLE_S = 8.0, 3.0  # long enough to get a phone out and aim it; then a look at the table


class Entry(Protocol):
    """How phones get in, as the page says."""

    def notice(self, now_s: float) -> str:
        """Return the line that screens and terminal show before any other, empty for none."""

    def door(self, now_s: float) -> Door | None:
        """Return how a phone gets in, while a person asks for it."""


class _DoorTurns:
    """Shows the door most of the time while it is wanted, and no more once a button was pressed."""

    def __init__(self) -> None:
        self._since_s, self._passed = float("inf"), False

    def due(self, door: Door | None, now_s: float, snapshot: Snapshot) -> Door | None:
        """Return the door if it is to be shown now. door: None if it was not asked for."""
        if door is None:
            self._since_s, self._passed = float("inf"), False
            return None
        self._since_s = min(self._since_s, now_s)
        self._passed = self._passed or snapshot.pressed is not None
        return None if self._passed or (now_s - self._since_s) % (DOOR_S + TABLE_S) > DOOR_S else door


class Views:
    """The screens, the terminal and the views of other packages: each shown what changed.

    language: what they are shown in, from the next snapshot on. others: the views found by their entry points. log: is
    told in one line why a display cannot show a name. entry: what screens and terminal say about phones.
    """

    def __init__(
        self,
        screens: tuple[Screen, ...],
        terminal: TerminalView | None,
        language: Language,
        others: tuple[View, ...] = (),
        log: Callable[[str], None] = lambda _: None,
        entry: Entry | None = None,
    ) -> None:
        self.language = language
        self._lookalikes = [screen for screen in screens if isinstance(screen, LookalikeScreen)]
        self._screens, self._terminal, self._others, self._entry = screens, terminal, others, entry
        self._noticed = ""
        self._door_turns = _DoorTurns()
        self._shown: tuple[Snapshot, Language] | None = None
        self._translated, self._since_s = Snapshot(), 0.0
        self._names = ReplacedNames(log)
        self._begun_s: float | None = None
        self._drawn: dict[tuple[int, int, tuple[int, int]], _Drawn] = {}

    def show(self, snapshot: Snapshot, result: FrameResult | None, now_s: float, light: Light = "full") -> None:
        """Show a snapshot everywhere. result: of the frame that belongs to it. light: how bright the screens are."""
        shown = replace(unpressed(snapshot), reading=None), self.language
        if shown != self._shown:  # a finger at a button alone does not go back to the first page
            self._shown, self._translated, self._since_s = shown, translated(*shown), now_s
        table = replace(self._translated, pressed=snapshot.pressed, held=snapshot.held)
        self._begun_s = now_s if self._begun_s is None else self._begun_s
        notice = self.language.translate(self._entry.notice(now_s) if self._entry else "", HINT)
        if notice != self._noticed:
            self._noticed, self._since_s = notice, now_s
        here = troubled(table, notice)
        shift = shift_at(now_s - self._begun_s)
        door = self._door_turns.due(self._entry.door(now_s) if self._entry else None, now_s, snapshot)
        light = "full" if notice else light  # somebody has just asked for it
        self._try_chip(snapshot)
        for screen in self._screens:
            if door is not None and fits(door.code, screen.height):
                screen.show(draw_door(door, screen.width, screen.height))
            elif light != "off":
                screen.show(self._pixels(here, now_s, screen.width, screen.height, shift))
            screen.light(light)
        if self._terminal is None and not self._others:
            return
        with_reading = replace(table, reading=snapshot.reading)
        if self._terminal is not None:
            self._terminal.show(result.frame.pixels if result else None, replace(here, reading=snapshot.reading))
        for view in self._others:
            view.show(with_reading, result.frame if result else None, now_s)

    def darken(self) -> None:
        """Switch the screens off: the program ends, and what they show would be out of date."""
        for screen in self._screens:
            screen.close()

    def _try_chip(self, snapshot: Snapshot) -> None:
        """In the display test drive the displays as the chip that is asked about."""
        if snapshot.pattern is not None:
            for lookalike in self._lookalikes:
                lookalike.use_chip(snapshot.pattern.chip)

    def _pixels(
        self, table: Snapshot, now_s: float, width: int, height: int, shift: tuple[int, int]
    ) -> NDArray[np.bool_]:
        """Draw the page that is due, unless it was drawn the last time."""
        table = self._names.explained(table, height, now_s)
        kind = width, height, shift
        last = self._drawn.get(kind)
        count = last.count if last is not None and last.table == table else pages(table, width, height)
        page = page_at(now_s - self._since_s, count)
        dark = table.tray is not None and dark_at(now_s - self._since_s)
        if last is None or (last.table, last.page, last.dark) != (table, page, dark):
            pixels = draw(table, width, height, page, shift, dark=dark)
            last = self._drawn[kind] = _Drawn(table, count, page, dark, pixels)
        return last.pixels


@dataclass(frozen=True, slots=True)
class _Drawn:
    """What was drawn the last time for one size of screen: page `page` of `count`, its blinking dice dark or lit."""

    table: Snapshot
    count: int
    page: int
    dark: bool
    pixels: NDArray[np.bool_]
