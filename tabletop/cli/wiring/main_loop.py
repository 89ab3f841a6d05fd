"""The loop of a table at which people sit: it turns when a button is pressed, and now and then for everything else."""

import argparse
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Protocol

from tabletop.cli.wiring.devices import language_of, open_buttons, open_screens, uses_terminal
from tabletop.cli.wiring.keyboard import HandsAtKeys
from tabletop.cli.wiring.presenter import Views
from tabletop.config.file import configuration
from tabletop.dialogs.commands import Dialog
from tabletop.service.service_manager import POWER_OFF_STATUS, Ending, ServiceManager
from tabletop.session.camera_thread import CameraThread
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import in_one_line
from tabletop.session.table_loop import TableLoop
from tabletop.views.terminal.view import TerminalView

ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
TICK_S = 0.05  # twenty turns of the loop a second: what the camera sees is shown within three of its frames
BUSY_TICK_S = 0.015  # while a finger is at a button: presses are acknowledged, and long ones filled, without being late
KEYS_TICK_S = 0.02  # who waits for keys is not woken by real buttons beside them, so it looks more often
NOBODY = ServiceManager()
SWITCH_S = 0.0005  # how long one thread may keep the others waiting; Python's own 5 ms double the way to the display


class Wakes(Protocol):
    """Something that people act with while the loop waits: buttons, or an inbox."""

    def listen(self, call: Callable[[], None]) -> None:
        """Call this from any thread when somebody acts."""


def play_dialog(options: argparse.Namespace, camera_thread: CameraThread, dialog: Dialog) -> None:
    """Open buttons, screens and the terminal, and turn the loop of a table that shows one dialog until it ends."""
    with ExitStack() as open_things:
        buttons, screens = open_buttons(options), open_screens(options)
        for close in (*(pair.close for pair in buttons), *(screen.close for screen in screens)):
            open_things.callback(close)
        terminal = TerminalView(tray_keys=False) if uses_terminal(options) else None
        if terminal is not None:
            open_things.enter_context(terminal)
        keys = HandsAtKeys(terminal, None)
        views = Views(screens, terminal, language_of(options, configuration(options.config), os.environ))
        table = TableLoop(camera_thread, (*buttons, keys.buttons), {}, lambda: dialog)
        play_live(table, None, keys, views, buttons)


def play_live(
    table: TableLoop,
    session: MatchSession | None,
    keys: HandsAtKeys,
    views: Views,
    wakes: Sequence[Wakes | None] = (),
    manager: ServiceManager = NOBODY,
    ending: Ending | None = None,
) -> int:
    """Turn the loop until somebody quits or a signal ends it; return the status with which the program should end.

    wakes: the real buttons and the inbox, None for none: they wake it. manager: who started the program; if somebody
    switches the table off, it switches the machine off. ending: has heard the signals before.
    """
    ending = ending or Ending()
    for one in filter(None, wakes):
        one.listen(ending.wake)
    with ending.heeded(ENDING):
        return _turned(table, session, keys, views, manager, ending, waits=any(wakes))


def _turned(
    table: TableLoop,
    session: MatchSession | None,
    keys: HandsAtKeys,
    views: Views,
    manager: ServiceManager,
    ending: Ending,
    *,
    waits: bool,
) -> int:
    table.camera_thread.start()
    try:
        with _short_turns():
            table.begin(session)
            while not (ending.asked or table.over or keys.quit):
                now_s = time.monotonic()
                now = table.tick(now_s)
                views.show(now, table.camera_thread.newest, now_s, table.care.light(now_s))
                manager.turn(now_s, in_one_line(now))
                tick_s = BUSY_TICK_S if table.busy else KEYS_TICK_S if waits and keys.waits else TICK_S
                keys.obey(table.session, now, tick_s)
                if not keys.waits:
                    ending.wait(tick_s)
    finally:
        status = POWER_OFF_STATUS if table.over and manager.present else 0
        manager.stopping(status)
        views.darken()  # first, because a camera may take its time to stop
        table.camera_thread.stop()
    return status


@contextmanager
def _short_turns() -> Iterator[None]:
    """Let no thread keep the others waiting: the reader works without pause, and a press must not wait for it."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_S)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
