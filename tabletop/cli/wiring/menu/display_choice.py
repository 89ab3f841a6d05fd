"""Which chip the display has, as people say in the display test: asked, used at once, and kept beside the matches."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tabletop.cli.wiring.devices import CHOSEN
from tabletop.core.ports import LookalikeScreen, Screen
from tabletop.dialogs.decisions import MenuAction, UseChip
from tabletop.dialogs.menu import DisplayTest
from tabletop.session.handlers import Handlers
from tabletop.session.match_session import MatchSession


class DisplayChoice:
    """The display test, as people do it. store: the matches, beside which the answer is kept."""

    def __init__(self, screens: Sequence[Screen], store: Path) -> None:
        self._store = store
        self._screens = [screen for screen in screens if isinstance(screen, LookalikeScreen)]

    @property
    def handlers(self) -> Handlers:
        """What carries out the decisions about the display; none where there is nothing to choose."""
        return {MenuAction.DISPLAY_TEST: lambda *_: self.question, UseChip: self._use} if self._screens else {}

    @property
    def question(self) -> DisplayTest:
        """Which picture is clean, the chip used now first."""
        screen = self._screens[0]
        return DisplayTest((screen.chip, *(chip for chip in screen.chips if chip != screen.chip)))

    def _use(self, decision: UseChip, session: MatchSession | None) -> MatchSession | None:
        """Drive the display so from now on, and after the next start."""
        for screen in self._screens:
            screen.use_chip(decision.chip)
            with suppress(OSError):  # if nothing can be written, the next start asks the configuration again
                self._store.with_name(CHOSEN).write_text(f"{decision.chip} {screen.named}\n", encoding="utf-8")
        return session
