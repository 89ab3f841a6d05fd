"""The welcome of a new table: a display shows how to connect the first phone, before the start menu."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from tabletop.core.ports import Press
from tabletop.dialogs.commands import Decision, Dialog
from tabletop.views.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Welcome:
    """The start menu, with the welcome before it until somebody presses or a phone comes in.

    menu: the start menu. wanted: whether the welcome is still shown. end: called when a button is pressed.
    """

    menu: Dialog
    wanted: Callable[[], bool]
    end: Callable[[], None]

    def step_to(self, at: int) -> Dialog:
        """Return the start menu with this line selected: only a phone that is in can do that."""
        return self.menu.step_to(at)

    def press(self, press: Press) -> Dialog | Decision:
        """End the welcome; the press does nothing else."""
        if not self.wanted():
            return self.menu.press(press)
        self.end()
        return self.menu

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot of the start menu: phones and the terminal show that."""
        return replace(self.menu.snapshot, welcome=self.wanted())
