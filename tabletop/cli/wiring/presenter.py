"""All views of a table together: screens, terminal and those of other packages, drawn only when something changed."""

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tabletop.core import message, ports
from tabletop.perception.pipeline import FrameResult
from tabletop.session.snapshotting import troubled
from tabletop.views.i18n.catalogue import Language
from tabletop.views.i18n.translate import HINT, TITLE, translated
from tabletop.views.oled import screen as display
from tabletop.views.oled.scan import draw_scan
from tabletop.views.port import View
from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.view import TerminalView

DOOR_S, TABLE_S = 8.0, 3.0  # long enough to get a phone out and aim it; then a look at the table
READY = message.say("Ready: scan me")


class Entry(Protocol):
    """How phones connect, provided by the page."""

    @property
    def link(self) -> str:
        """The address that pairs a device, empty while there is none."""

    def notice(self, now_s: float) -> str:
        """Return the line that screens and terminal show before any other, empty if there is none."""

    def door(self, now_s: float) -> display.Door | None:
        """Return how to connect a phone, while somebody asks for it."""

    def welcome(self) -> display.Door | None:
        """Return how to connect the first phone of a new table, None otherwise."""


class _DoorTurns:
    """Shows the door most of the time while it is wanted, and no more once a button was pressed."""

    def __init__(self) -> None:
        self._since_s, self._passed = float("inf"), False

    def due(self, door: display.Door | None, now_s: float, snapshot: Snapshot) -> display.Door | None:
        """Return the door if it is to be shown now. door: None if it was not asked for."""
        if door is None:
            self._since_s, self._passed = float("inf"), False
            return None
        self._since_s = min(self._since_s, now_s)
        self._passed = self._passed or snapshot.pressed is not None
        return None if self._passed or (now_s - self._since_s) % (DOOR_S + TABLE_S) > DOOR_S else door


class Views:
    """Shows changes on the screens, the terminal and the views of other packages.

    language: of the views, from the next snapshot on. others: the views from entry points, and the page. entry: the
    messages about connecting phones.
    """

    def __init__(
        self,
        screens: tuple[ports.Screen, ...],
        terminal: TerminalView | None,
        language: Language,
        others: tuple[View, ...] = (),
        entry: Entry | None = None,
    ) -> None:
        self.language = language
        self._lookalikes = [screen for screen in screens if isinstance(screen, ports.LookalikeScreen)]
        self._screens, self._terminal, self.others, self.entry = screens, terminal, others, entry
        self._noticed = ""
        self._door_turns = _DoorTurns()
        self._shown: tuple[Snapshot, Language] | None = None
        self._translated, self._since_s = Snapshot(), 0.0
        self._begun_s: float | None = None
        self._drawn: dict[tuple[int, int, tuple[int, int]], _Drawn] = {}

    def show(self, snapshot: Snapshot, result: FrameResult | None, now_s: float, light: ports.Light = "full") -> None:
        """Show a snapshot everywhere. result: of the matching frame. light: the brightness of the screens."""
        shown = replace(display.unpressed(snapshot), reading=None), self.language
        if shown != self._shown:  # a finger at a button alone does not go back to the first page
            self._shown, self._translated, self._since_s = shown, translated(*shown), now_s
        table = replace(self._translated, pressed=snapshot.pressed, held=snapshot.held)
        self._begun_s = now_s if self._begun_s is None else self._begun_s
        notice = self.language.translate(self.entry.notice(now_s) if self.entry else "", HINT)
        if notice != self._noticed:
            self._noticed, self._since_s = notice, now_s
        here = _in_letters(troubled(table, notice))
        shift = display.shift_at(now_s - self._begun_s)
        door = self._door_turns.due(self.entry.door(now_s) if self.entry else None, now_s, snapshot)
        welcome, greeting = self.entry.welcome() if self.entry and snapshot.welcome else None, ""
        if welcome is not None:
            greeting = self.language.translate(READY, TITLE) if (now_s % (DOOR_S + TABLE_S)) < DOOR_S else ""
            door, here = welcome, self._in_letters(welcome, table)
        light = "full" if notice else light  # somebody has just asked for it
        self._try_chip(snapshot)
        for screen in self._screens:
            code = _code(table, door, greeting, screen.width, screen.height)
            if code is not None:
                screen.show(code)
            elif light != "off":
                screen.show(self._pixels(here, now_s, screen.width, screen.height, shift))
            screen.light(light)
        if self._terminal is None and not self.others:
            return
        with_reading = replace(table, reading=snapshot.reading)
        if self._terminal is not None:
            self._terminal.address = self.entry.link if self.entry else ""
            self._terminal.show(result.frame.pixels if result else None, replace(here, reading=snapshot.reading))
        for view in self.others:
            view.show(with_reading, result.frame if result else None, now_s)

    def darken(self) -> None:
        """Switch the screens off at the end of the program, since their content would be out of date."""
        for screen in self._screens:
            screen.close()

    def _in_letters(self, welcome: display.Door, table: Snapshot) -> Snapshot:
        """Return the welcome for a display on which no code fits."""
        said = message.say("Ready, code {text}: {text2}", text=welcome.digits, text2=welcome.address)
        hint, bank = self.language.translate(said, TITLE), self.language.translate(message.say("go on"), ("buttons",))
        return replace(table, menu=None, hint=hint, hold="", bank=bank)

    def _try_chip(self, snapshot: Snapshot) -> None:
        """In the display test drive the displays as the chip that is asked about."""
        if snapshot.pattern is not None:
            for lookalike in self._lookalikes:
                lookalike.use_chip(snapshot.pattern.chip)

    def _pixels(
        self, table: Snapshot, now_s: float, width: int, height: int, shift: tuple[int, int]
    ) -> NDArray[np.bool_]:
        """Draw the page that is due, unless it was drawn the last time."""
        kind = width, height, shift
        last = self._drawn.get(kind)
        count = last.count if last is not None and last.table == table else display.pages(table, width, height)
        page = display.page_at(now_s - self._since_s, count)
        dark = table.tray is not None and display.dark_at(now_s - self._since_s)
        if last is None or (last.table, last.page, last.dark) != (table, page, dark):
            pixels = display.draw(table, width, height, page, shift, dark=dark)
            last = self._drawn[kind] = _Drawn(table, count, page, dark, pixels)
        return last.pixels


def _in_letters(table: Snapshot) -> Snapshot:
    """Return what the terminal and low displays show instead of a code to scan."""
    if table.scan is None or table.menu is None:
        return table
    at, items = table.menu.at, list(table.menu.items)
    items[at] = " ".join(table.scan.lines)
    return replace(table, menu=replace(table.menu, items=tuple(items), given=table.menu.given | {at}))


def _code(
    table: Snapshot, door: display.Door | None, greeting: str, width: int, height: int
) -> NDArray[np.bool_] | None:
    """Return the picture of a code for phones, None without one, or if it does not fit."""
    if table.scan is not None:
        return draw_scan(table.scan, table.hold, width, height)
    fits = door is not None and display.door_fits(door.code, height)
    return display.draw_door(door, width, height, greeting) if door is not None and fits else None


@dataclass(frozen=True, slots=True)
class _Drawn:
    """What was drawn the last time for one size of screen: page `page` of `count`, its blinking dice dark or lit."""

    table: Snapshot
    count: int
    page: int
    dark: bool
    pixels: NDArray[np.bool_]
