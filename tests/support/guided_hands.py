"""Somebody who is guided through a calibration: two buttons, a mat with dice, simulated time."""

from collections.abc import Callable
from pathlib import Path
from random import Random

from disturbed_mat import DisturbedMat

from calibration.guided.live import GuidedTable, GuidedWatch
from calibration.guided.state import STEPS, Guided
from tabletop.config.mat import mat_of
from tabletop.core.ports import ButtonName
from tabletop.session.camera_thread import CameraThread
from tabletop.simulator.devices import TrayButtons
from tabletop.views.snapshot import Snapshot

LONGEST_S = 20.0  # in simulated time, for anything that is waited for


class Guest:
    """One run. tray: what the camera sees. table: what is asked. shown: the newest snapshot."""

    def __init__(self, out: Path, state: Guided | None = None, dice: int = 5, fps: float = 8.0) -> None:
        self.tray = DisturbedMat(mat_of("A4", "left"), dice, chance=Random(3), fps=fps)
        watch = GuidedWatch()
        self._thread = CameraThread(self.tray.camera, watch)
        self._buttons = TrayButtons(lambda: self.tray.camera.now_s, Random(0))
        self.table = GuidedTable(self._thread, watch, (self._buttons,), state or Guided(STEPS), out)
        self.shown = Snapshot()

    def wait(self, until: Callable[[], bool], longest_s: float = LONGEST_S) -> bool:
        """Let time pass until something is so; return whether it came to be."""
        end_s = self.tray.camera.now_s + longest_s
        while not until() and self.tray.camera.now_s < end_s and self._thread.step():
            self.shown = self.table.tick(self.tray.camera.now_s)
        return until()

    def pause(self, seconds: float) -> None:
        """Let this much time pass."""
        self.wait(lambda: False, seconds)

    def press(self, button: ButtonName, *, long: bool = False) -> None:
        """Press, and wait until that has been obeyed."""
        self._buttons.press(button, long=long)
        self.pause(1.4 if long else 0.6)

    def throw(self) -> None:
        """Throw all dice and wait until the throw was counted."""
        before = len(self.table.run.state.throws)
        self.tray.throw()
        assert self.wait(lambda: len(self.table.run.state.throws) > before or self.table.run.state.step != "dice")
