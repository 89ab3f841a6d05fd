"""All views of a table together: the small screens and the terminal, drawn only where something changed."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tabletop.loop.watching import Seen
from tabletop.ports import Light, Screen
from tabletop.views.language import Language
from tabletop.views.oled import HEIGHT_PX, WIDTH_PX, Page, layout, page_at
from tabletop.views.oled_box import paint
from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal import TerminalView
from tabletop.views.translating import translated


class Views:
    """The screens and the terminal: each shown what changed, and the pages of what finds no room at once.

    language: what they are shown in, from the next snapshot on.
    """

    def __init__(self, screens: tuple[Screen, ...], terminal: TerminalView | None, language: Language) -> None:
        self.language = language
        self._screens, self._terminal = screens, terminal
        self._bare, self._since_s = Snapshot(), 0.0
        self._drawn: dict[tuple[int, int], _Drawn] = {}

    def show(self, now: Snapshot, seen: Seen | None, now_s: float, light: Light = "full") -> None:
        """Show a snapshot everywhere, and in the terminal the frame that belongs to it. light: of the screens."""
        now = translated(now, self.language)
        bare = replace(now, reading=None)
        if _unpressed(bare) != _unpressed(self._bare):  # a finger alone turns no page back
            self._since_s = now_s
        self._bare = bare
        for screen in self._screens:
            if light != "off":
                screen.show(self._pixels(now_s, screen.width, screen.height))
            screen.light(light)
        if self._terminal is not None:
            self._terminal.show(seen.frame.pixels if seen else None, now, self._pixels(now_s, WIDTH_PX, HEIGHT_PX))

    def _pixels(self, now_s: float, width: int, height: int) -> NDArray[np.bool_]:
        last = self._drawn.get((width, height))
        if last is None or last.bare != self._bare:
            last = self._drawn[width, height] = _Drawn(self._bare, layout(self._bare, width, height), {})
        page = page_at(now_s - self._since_s, len(last.pages))
        if page not in last.pictures:
            last.pictures[page] = paint(last.pages[page], width, height)
        return last.pictures[page]


@dataclass(frozen=True, slots=True)
class _Drawn:
    """What was drawn of one snapshot for one size of screen: its pages, and the pictures of those shown so far."""

    bare: Snapshot
    pages: tuple[Page, ...]
    pictures: dict[int, NDArray[np.bool_]]


def _unpressed(snapshot: Snapshot) -> Snapshot:
    return replace(snapshot, pressed=None, held=0.0)
