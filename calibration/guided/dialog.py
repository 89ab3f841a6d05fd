"""The guided run as a dialog of the table: an entry of its menu, with the camera and the buttons that are in use."""

from collections.abc import Callable, Sequence
from pathlib import Path

from calibration.guided.run import GuidedRun, Holding
from calibration.guided.signs import guided_snapshot
from calibration.guided.state import Guided
from tabletop.core.message import say
from tabletop.core.ports import Press
from tabletop.core.values import Point, Profile
from tabletop.dialogs.commands import Dialog, MenuAction
from tabletop.dialogs.menu import Item, Menu, Page, failed
from tabletop.perception.pipeline import FrameResult
from tabletop.views.snapshot import Snapshot


class GuidedDialog:
    """Looks at the newest frame whenever it is drawn.

    apply: is given the profile that was saved; None while throws are to be read without one, as the dice may be others
    than those it was made with, and then the one that was there. camera: asked what it holds, None if there is none.
    """

    def __init__(
        self,
        newest: Callable[[], FrameResult | None],
        out: Path,
        apply: Callable[[Profile | None], None] = lambda _: None,
        camera: object = None,
    ) -> None:
        self._newest, self._apply, self.run = newest, apply, GuidedRun(Guided(), out, Holding(camera))
        self._before, self._reads_any = self.run.old, False

    def step_to(self, at: int) -> "GuidedDialog":
        """Return it with this line stepped to, from 0."""
        self.run.step_to(at)
        return self

    def press(self, press: Press) -> "Dialog | MenuAction":
        """Return this dialog, or once the run has ended what comes then."""
        self.run.press(press)
        self._read_any(wanted=self.run.state.step == "dice" and not self.run.over)
        if not self.run.over:
            return self
        if self.run.fault is not None:
            return failed(str(self.run.fault))
        if self.run.saved is None:
            return MenuAction.START_MENU
        self._apply(self.run.saved)
        return Menu(
            (Page(say("Calibrated"), (Item(say("play"), MenuAction.START_MENU, say("the table uses it now")),)),)
        )

    def _read_any(self, *, wanted: bool) -> None:
        """Have dice of any size read, or again those of the profile that is there."""
        if wanted != self._reads_any:
            self._reads_any = wanted
            self._apply(None if wanted else self._before)

    def put_aside(self) -> None:
        """Have dice read with the profile that was there: somebody at the page began a match instead."""
        self._read_any(wanted=False)

    def take_corners(self, corners: Sequence[Point]) -> None:
        """Take the tray's corners, in parts of the picture; see `GuidedRun.take_corners`."""
        self.run.take_corners(corners)

    @property
    def snapshot(self) -> Snapshot:
        """The page of the present step."""
        seen = self._newest()
        if seen is not None:
            self.run.see(seen)
        return guided_snapshot(self.run.state)
