"""The guided run at a table: its loop, with time as an argument of `tick`, and the devices or a simulated person."""

import argparse
import random
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from calibration.guided.run import GuidedRun, Holding
from calibration.guided.signs import guided_snapshot
from calibration.guided.state import STEPS, THROWS, Check, Guided
from tabletop.cameras.opening import open_camera
from tabletop.cli.wiring.devices import can_ask
from tabletop.cli.wiring.main_loop import play_dialog
from tabletop.config.mat import mat_of
from tabletop.core.errors import InputError
from tabletop.core.ports import Buttons, Frame
from tabletop.core.values import Reading
from tabletop.input.presses import Presses
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.session.camera_thread import CameraThread
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import troubled
from tabletop.simulator.devices import TrayButtons
from tabletop.simulator.mat_tray import MatTray
from tabletop.views.screen_care import ScreenCare
from tabletop.views.snapshot import MenuView, Snapshot
from tabletop.vision.reader import read

HELD_STEPS = 12  # pictures on the way to a long press, as in play


class GuidedWatch(PerceptionPipeline):
    """Hands frames on as they are; after `read_throws` it reads the dice in them."""

    def __init__(self) -> None:
        super().__init__(read)
        self._reading: PerceptionPipeline | None = None

    def read_throws(self) -> None:
        """Read dice of any size from now on: how large these are is what is asked."""
        self._reading = PerceptionPipeline(read)

    def read_nothing(self) -> None:
        """Hand frames on as they are again."""
        self._reading = None

    def process(self, frame: Frame, expect: int | None = None) -> FrameResult:
        """Return the result of a frame."""
        if self._reading is not None:
            return self._reading.process(frame, expect)
        height, width = frame.pixels.shape[:2]
        nothing = Reading(frame.time_s, width, height)
        return FrameResult(frame, nothing, nothing, None)


class GuidedTable:
    """Guides through the steps, and writes the profile in the end.

    camera_thread: reads with `watch`. buttons: any number of pairs. state: where the run stands. out: the profile's
    file, which is replaced only by a better one. holding: asks the camera what it holds. over: whether the
    run has ended.
    """

    session: MatchSession | None = None  # no match is played here

    def __init__(
        self,
        camera_thread: CameraThread,
        watch: GuidedWatch,
        buttons: Sequence[Buttons],
        state: Guided,
        out: Path,
        holding: Holding | None = None,
    ) -> None:
        self.camera_thread, self.care, self._run = camera_thread, ScreenCare(), GuidedRun(state, out, holding)
        self._watch, self._buttons, self._presses = watch, buttons, Presses()
        self._reads = False

    @property
    def run(self) -> GuidedRun:
        """The run: its state, and whether a profile was saved."""
        return self._run

    @property
    def over(self) -> bool:
        """Whether the run has ended."""
        return self._run.over

    @property
    def busy(self) -> bool:
        """Whether a finger is at a button."""
        return self._presses.busy

    def begin(self, session: MatchSession | None) -> None:
        """Do nothing: no match is played."""

    def tick(self, now_s: float) -> Snapshot:
        """Process what happened up to `now_s` and return what views show."""
        edges = [edge for buttons in self._buttons for edge in buttons.edges()]
        self.care.light(now_s)
        if edges:
            self.care.stir(now_s)
        for press in self._presses.feed(edges, now_s):
            self._run.press(press)
        seen = self.camera_thread.newest
        if seen is not None:
            self._run.see(seen)
        reads = self._run.state.step == "dice"
        if reads != self._reads:
            self._reads = reads
            if reads:
                self._watch.read_throws()
            else:
                self._watch.read_nothing()
        button, part = self._presses.felt(now_s)
        shown = replace(guided_snapshot(self._run.state), reading=seen.pixel_reading if seen else None)
        if trouble := self.camera_thread.trouble_now(now_s):
            shown = troubled(shown, trouble)
        return shown if button is None else replace(shown, pressed=button, held=int(part * HELD_STEPS) / HELD_STEPS)


SIMULATED_FPS = 8.0
LOOKED_S = 1.5  # the simulated person looks for this long before each press: the lamp's flicker is known by then
PATIENCE_S = 20.0  # for a throw to be counted


def guide_live(options: argparse.Namespace, state: Guided, out: Path) -> GuidedTable:
    """Let people be guided until they save or leave; return the table as it is then."""
    if not can_ask(options):
        raise InputError(
            "expected buttons and a screen, or a terminal, to be guided; from pictures: tabletop calibrate mat PICTURE"
        )
    with ExitStack() as open_things:
        camera = open_camera(options.camera)
        open_things.callback(camera.close)
        if not camera.live:
            raise InputError(f"expected a camera over a tray, got a film or photographs: {options.camera}")
        watch = GuidedWatch()
        thread = CameraThread(camera, watch, time.monotonic)
        tables = list[GuidedTable]()

        def table_of(buttons: tuple[Buttons, ...]) -> GuidedTable:
            tables.append(GuidedTable(thread, watch, buttons, state, out, Holding(camera)))
            return tables[0]

        play_dialog(options, table_of)
    return tables[0]


def guide_simulated(
    state: Guided, out: Path, seed: int | None, tell: Callable[[str], None] = lambda _: None
) -> GuidedTable:
    """Let a simulated person press BANK all along and throw simulated dice on a mat; nothing is waited for.

    tell: receives a line for each press: what the screen shows then.
    """
    tray = MatTray(mat_of("A4", "left"), chance=random.Random(seed), fps=SIMULATED_FPS)  # noqa: S311 - repeatable
    watch = GuidedWatch()
    thread = CameraThread(tray.camera, watch)
    buttons = TrayButtons(lambda: tray.camera.now_s, random.Random(0))  # noqa: S311 - chatter
    table = GuidedTable(thread, watch, (buttons,), state, out)

    def run(until: Callable[[], bool], longest_s: float) -> None:
        end_s = tray.camera.now_s + longest_s
        while not (until() or table.over) and tray.camera.now_s < end_s and thread.step():
            table.tick(tray.camera.now_s)

    while True:
        run(lambda: False, LOOKED_S)
        if table.over:
            return table
        if table.run.state.step == "dice" and len(table.run.state.throws) < THROWS:
            thrown = len(table.run.state.throws)
            tray.throw()
            run(lambda: len(table.run.state.throws) > thrown or table.run.state.step != "dice", PATIENCE_S)  # noqa: B023 - run at once
        else:
            tell(_in_a_line(guided_snapshot(table.run.state).menu))
            buttons.press("hold" if table.run.state.note and table.run.state.step == "report" else "bank")


def _in_a_line(page: MenuView | None) -> str:
    """Return what a page shows: its title, the line that BANK takes, and what is said of it."""
    return "" if page is None else ", ".join(filter(None, (f"{page.title}: {page.items[page.at]}", page.note)))


def report(checks: tuple[Check, ...]) -> str:
    """Return the report as text, a line for each check."""
    wide = max((len(check.text) for check in checks), default=0)
    return "\n".join(f"  {check.text:<{wide}}  {check.advice or check.asks or 'good'}" for check in checks)


def states_of(part: str | None) -> Guided:
    """Return the run of this step alone; None: of all."""
    return Guided(STEPS if part is None else tuple(step for step in STEPS if step == part))
