"""All views of a table together: the small screens and the terminal, drawn only where something changed."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tabletop.core.ports import Light, Screen
from tabletop.perception.pipeline import FrameResult
from tabletop.views.i18n.catalogue import Language
from tabletop.views.i18n.translate import translated
from tabletop.views.oled.screen import HEIGHT_PX, WIDTH_PX, draw, page_at, pages, shift_at, unpressed
from tabletop.views.oled.tray import dark_at
from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.view import TerminalView


class Views:
    """The screens and the terminal: each shown what changed, and the pages of what finds no room at once.

    language: what they are shown in, from the next snapshot on.
    """

    def __init__(self, screens: tuple[Screen, ...], terminal: TerminalView | None, language: Language) -> None:
        self.language = language
        self._screens, self._terminal = screens, terminal
        self._asked: tuple[Snapshot, Language] | None = None
        self._said, self._since_s = Snapshot(), 0.0
        self._begun_s: float | None = None
        self._drawn: dict[tuple[int, int, tuple[int, int]], _Drawn] = {}

    def show(self, now: Snapshot, seen: FrameResult | None, now_s: float, light: Light = "full") -> None:
        """Show a snapshot everywhere, and in the terminal the frame that belongs to it. light: of the screens."""
        asked = replace(unpressed(now), reading=None), self.language
        if asked != self._asked:  # a finger alone turns no page back
            self._asked, self._said, self._since_s = asked, translated(*asked), now_s
        said = replace(self._said, pressed=now.pressed, held=now.held)
        self._begun_s = now_s if self._begun_s is None else self._begun_s
        shift = shift_at(now_s - self._begun_s)
        for screen in self._screens:
            if light != "off":
                screen.show(self._pixels(said, now_s, screen.width, screen.height, shift))
            screen.light(light)
        if self._terminal is not None:
            pixels = self._pixels(said, now_s, WIDTH_PX, HEIGHT_PX, (0, 0))
            self._terminal.show(seen.frame.pixels if seen else None, replace(said, reading=now.reading), pixels)

    def _pixels(
        self, said: Snapshot, now_s: float, width: int, height: int, shift: tuple[int, int]
    ) -> NDArray[np.bool_]:
        """Draw the page that is due, unless that was drawn the last time."""
        kind = width, height, shift
        last = self._drawn.get(kind)
        count = last.count if last is not None and last.said == said else pages(said, width, height)
        page = page_at(now_s - self._since_s, count)
        dark = said.tray is not None and dark_at(now_s - self._since_s)
        if last is None or (last.said, last.page, last.dark) != (said, page, dark):
            pixels = draw(said, width, height, page, shift, dark=dark)
            last = self._drawn[kind] = _Drawn(said, count, page, dark, pixels)
        return last.pixels


@dataclass(frozen=True, slots=True)
class _Drawn:
    """What was drawn the last time for one size of screen, which page of how many, and whether what blinks was dark."""

    said: Snapshot
    count: int
    page: int
    dark: bool
    pixels: NDArray[np.bool_]
