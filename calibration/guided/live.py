"""The guided calibration of `tabletop calibrate`: in a table loop, with real devices or a simulated person."""

import argparse
import random
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from calibration.guided import dialog, signs
from calibration.guided.state import STEPS, THROWS, Check, Guided
from tabletop.cameras.opening import open_camera
from tabletop.cli.wiring import devices, main_loop
from tabletop.config.mat import mat_of
from tabletop.core import InputError
from tabletop.core.ports import Buttons, Camera, Frame, Press
from tabletop.dialogs.commands import Dialog, MenuAction
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.session import camera_thread, snapshotting, table_loop
from tabletop.simulator.devices import TrayButtons
from tabletop.simulator.mat_tray import MatTray
from tabletop.views.snapshot import MenuView, Snapshot
from tabletop.vision.reader import read

SIMULATED_FPS = 8.0
LOOKED_S = 1.5  # the simulated person looks for this long before each press: the lamp's flicker is known by then
PATIENCE_S = 20.0  # for a throw to be counted


class DiceWatch(PerceptionPipeline):
    """Reads dice of any size while they are needed; otherwise passes on the frames only, which is faster."""

    def __init__(self, wanted: Callable[[], bool]) -> None:
        super().__init__(read)
        self._wanted = wanted

    def process(self, frame: Frame, expect: int | None = None) -> FrameResult:
        """Process a frame."""
        return super().process(frame, expect) if self._wanted() else self.nothing_seen(frame)


class GuidedCommand(dialog.GuidedDialog):
    """The guided calibration as a whole program. thread: reads the camera for it."""

    def __init__(self, camera: Camera, out: Path, state: Guided, clock: Callable[[], float] | None = None) -> None:
        watch = DiceWatch(lambda: self.state.step == "dice")
        self.thread = camera_thread.CameraThread(camera, watch, clock)
        super().__init__(lambda: self.thread.newest, out, lambda _: watch.use(None), camera, state)

    def press(self, press: Press) -> "Dialog | MenuAction":
        """Handle a press; quit after the end."""
        super().press(press)
        return MenuAction.QUIT if self.over else self

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot of the current step, with camera problems."""
        shown, seen = snapshotting.troubled(super().snapshot, self.thread.trouble), self.thread.newest
        return shown if seen is None else replace(shown, reading=seen.pixel_reading)

    def table(self, buttons: Sequence[Buttons]) -> table_loop.TableLoop:
        """Return a table loop with this as its only dialog."""
        return table_loop.TableLoop(self.thread, buttons, {}, lambda: self)


def guide_live(options: argparse.Namespace, state: Guided, out: Path) -> dialog.GuidedDialog:
    """Guide people until they save or leave; return the finished dialog."""
    if not devices.can_ask(options):
        raise InputError(
            "expected buttons and a screen, or a terminal, to be guided; from pictures: tabletop calibrate mat PICTURE"
        )
    with ExitStack() as open_things:
        camera = open_camera(options.camera)
        open_things.callback(camera.close)
        if not camera.live:
            raise InputError(f"expected a camera over a tray, got a film or photographs: {options.camera}")
        run = GuidedCommand(camera, out, state, time.monotonic)
        main_loop.play_dialog(options, run.thread, run)
    return run


def guide_simulated(
    state: Guided, out: Path, seed: int | None, tell: Callable[[str], None] = lambda _: None
) -> dialog.GuidedDialog:
    """Simulate a person who presses BANK throughout and throws simulated dice on a mat, without waiting.

    tell: called with a line for each press: the content of the screen.
    """
    tray = MatTray(mat_of("A4", "left"), chance=random.Random(seed), fps=SIMULATED_FPS)  # noqa: S311 - repeatable
    buttons = TrayButtons(lambda: tray.now_s, random.Random(0))  # noqa: S311 - chatter
    run = GuidedCommand(tray, out, state)
    table = run.table((buttons,))
    table.begin(None)

    def wait(until: Callable[[], bool], longest_s: float) -> None:
        end_s = tray.now_s + longest_s
        while not (until() or run.over) and tray.now_s < end_s and run.thread.step():
            table.tick(tray.now_s)

    while True:
        wait(lambda: False, LOOKED_S)
        if run.over:
            return run
        thrown = len(run.state.throws)
        if run.state.step == "dice" and thrown < THROWS:
            tray.throw()
            wait(lambda: len(run.state.throws) > thrown or run.state.step != "dice", PATIENCE_S)  # noqa: B023 - run at once
        else:
            tell(_in_a_line(signs.guided_snapshot(run.state).menu))
            buttons.press("hold" if run.state.note and run.state.step == "report" else "bank")


def _in_a_line(page: MenuView | None) -> str:
    """Return a page as one line: its title, the line that BANK takes, and its note."""
    return "" if page is None else ", ".join(filter(None, (f"{page.title}: {page.items[page.at]}", page.note)))


def report(checks: tuple[Check, ...]) -> str:
    """Return the report as text, a line for each check."""
    wide = max((len(check.text) for check in checks), default=0)
    return "\n".join(f"  {check.text:<{wide}}  {check.advice or check.asks or 'good'}" for check in checks)


def states_of(part: str | None) -> Guided:
    """Return the initial state for this step alone; None for all steps."""
    return Guided(STEPS if part is None else tuple(step for step in STEPS if step == part))
