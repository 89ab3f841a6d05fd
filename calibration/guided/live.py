"""The guided run with people at the table: two buttons and a screen, or a terminal; or simulated, with nobody."""

import argparse
import os
import random
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from calibration.guided.checks import Check
from calibration.guided.holding import Holding
from calibration.guided.pages import guided_snapshot
from calibration.guided.state import STEPS, THROWS, Guided
from calibration.guided.table import GuidedTable, GuidedWatch
from tabletop.cameras.opening import open_camera
from tabletop.cli.wiring.devices import can_ask, language_of, open_buttons, open_screens, uses_terminal
from tabletop.cli.wiring.keyboard import HandsAtKeys
from tabletop.cli.wiring.main_loop import play_live
from tabletop.cli.wiring.presenter import Views
from tabletop.config.file import configuration
from tabletop.config.mat import mat_of
from tabletop.core.errors import InputError
from tabletop.session.camera_thread import CameraThread
from tabletop.simulator.devices import TrayButtons
from tabletop.simulator.mat_tray import MatTray
from tabletop.views.snapshot import MenuView
from tabletop.views.terminal.view import TerminalView

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
        buttons, screens = open_buttons(options), open_screens(options)
        for close in (*(pair.close for pair in buttons), *(screen.close for screen in screens)):
            open_things.callback(close)
        terminal = TerminalView(tray_keys=False) if uses_terminal(options) else None
        if terminal is not None:
            open_things.enter_context(terminal)
        language = language_of(options, configuration(options.config), os.environ)
        keys = HandsAtKeys(terminal, None, TrayButtons(time.monotonic, random.Random(0)))  # noqa: S311 - chatter
        table = GuidedTable(thread, watch, (*buttons, keys.buttons), state, out, Holding(camera))
        play_live(table, None, keys, Views(screens, terminal, language), buttons)
    return table


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
