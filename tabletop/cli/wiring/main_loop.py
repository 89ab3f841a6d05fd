"""The main loop of a table with people: it runs when a button is pressed, and regularly for everything else.

The store is opened first: a service waits for one that cannot be written yet, and people choose what to do with a
damaged one.
"""

import argparse
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import Path
from threading import Timer
from typing import Protocol, TypeVar

from tabletop.cli.wiring import args, devices, keyboard, presenter
from tabletop.config.file import configuration
from tabletop.core import message, ports
from tabletop.core.errors import DamagedStoreError, StoreError, TabletopError, one_line
from tabletop.dialogs.commands import ACCEPTED, REFUSED, Dialog, Inbox, Questions, TakeLine, Tap, tapped
from tabletop.dialogs.menu import Item, Menu, Page, failed
from tabletop.service.service_manager import POWER_OFF_STATUS, EndedEarlyError, Ending, ServiceManager
from tabletop.session import match_session, snapshotting, table_events, table_loop
from tabletop.session.camera_thread import CameraThread
from tabletop.store import Store, erasing, opening
from tabletop.store.copies import begin_again, keep_copy, kept_copies, opened_store
from tabletop.views.screen_care import ScreenCare
from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.view import TerminalView

ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
TICK_S = 0.05  # twenty turns of the loop a second: what the camera sees is shown within three of its frames
BUSY_TICK_S = 0.015  # while a finger is at a button: presses are acknowledged, and long ones filled, without being late
KEYS_TICK_S = 0.02  # who waits for keys is not woken by real buttons beside them, so it looks more often
SWITCH_S = 0.0005  # how long one thread may keep the others waiting; Python's own 5 ms double the way to the display


class Wakes(Protocol):
    """A source of user actions that wakes the loop: buttons, or an inbox."""

    def listen(self, call: Callable[[], None]) -> None:
        """Call `call` from any thread when somebody acts."""


@dataclass(frozen=True, slots=True)
class Front:
    """The outward side of a table: its views, and what ends it.

    keys: include the one to quit. manager: the service manager. ending: handles the signals.
    """

    keys: keyboard.HandsAtKeys
    views: presenter.Views
    manager: ServiceManager = field(default_factory=ServiceManager)
    ending: Ending = field(default_factory=Ending)

    def show(self, snapshot: Snapshot, seconds: float) -> None:
        """Show a snapshot for this long; raises EndedEarlyError if somebody quits, or a signal ends the table."""
        now_s = time.monotonic()
        self.views.show(snapshot, None, now_s)
        self.manager.turn(now_s, snapshotting.in_one_line(snapshot))
        self.keys.obey(None, snapshot, seconds)
        if self.keys.quit:
            raise EndedEarlyError
        if not self.keys.waits:
            self.ending.wait(seconds)
        self.ending.check()


def play_dialog(options: argparse.Namespace, camera_thread: CameraThread, dialog: Dialog) -> None:
    """Open buttons, screens and the terminal, and run the loop for a single dialog until it ends."""
    with ExitStack() as open_things:
        buttons, screens = devices.open_buttons(options), devices.open_screens(options)
        for close in (*(pair.close for pair in buttons), *(screen.close for screen in screens)):
            open_things.callback(close)
        terminal = TerminalView(tray_keys=False) if devices.uses_terminal(options) else None
        if terminal is not None:
            open_things.enter_context(terminal)
        keys = keyboard.HandsAtKeys(terminal, None)
        views = presenter.Views(
            screens, terminal, devices.language_of(options, configuration(options.config), os.environ)
        )
        table = table_loop.TableLoop(camera_thread, (*buttons, keys.buttons), {}, lambda: dialog)
        play_live(table, None, Front(keys, views), buttons)


def play_live(
    table: table_loop.TableLoop,
    session: match_session.MatchSession | None,
    front: Front,
    wakes: Sequence[Wakes | None] = (),
) -> int:
    """Run the loop until somebody quits or a signal ends it; return the program's exit status.

    wakes: the real buttons and the inbox, None for missing ones: they wake the loop. If somebody switches the table
    off, a service manager switches the machine off.
    """
    keys, views, manager, ending = front.keys, front.views, front.manager, front.ending
    waits = any(wakes) and keys.waits
    for one in filter(None, wakes):
        one.listen(ending.wake)
    with ending.heeded(ENDING):
        table.camera_thread.start()
        try:
            with _short_turns():
                table.begin(session)
                while not (ending.asked or table.over or keys.quit):
                    now_s = time.monotonic()
                    now = table.tick(now_s)
                    views.show(now, table.camera_thread.newest, now_s, table.care.light(now_s))
                    manager.turn(now_s, snapshotting.in_one_line(now))
                    tick_s = BUSY_TICK_S if table.busy else KEYS_TICK_S if waits else TICK_S
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


SHOW_S = 0.25  # between two pictures: a screen has several pages, and phones poll for it
COPY_AFTER_S = 10.0  # the table shows itself first; a copy then takes a second for 100 MB
Done = TypeVar("Done")


class StoreOpening:
    """Opens the store, and runs actions that need it as soon as possible; people choose what to do with a damaged one.

    buttons, inbox: for their answers, besides the keys. asks: whether there is anybody to ask. waits: whether to wait
    for a store that cannot be written; if not, the error ends the program. log: called with errors, and when no copy
    could be made.
    """

    def __init__(
        self,
        path: Path,
        front: Front,
        buttons: Sequence[ports.Buttons],
        inbox: Inbox | None,
        log: Callable[[str], None],
        *,
        asks: bool,
        waits: bool,
    ) -> None:
        self._path, self._front, self._log = path, front, log
        self._asks, self._waits, self._done = asks, waits, False
        self._buttons = table_events.TableButtons(buttons, ScreenCare(), switches_off=False)
        self._inbox, self._questions = inbox, Questions()

    def awaited(self, do: Callable[[], Done]) -> Done:
        """Return the result of `do` once it raises no StoreError; raises EndedEarlyError if a signal ends the table."""
        told = ""
        while True:
            try:
                return do()
            except StoreError as error:
                if not self._waits:
                    raise
                why = opening.store_trouble(self._path) if self._path.parent.is_dir() else ""
                why = why or str(error)
            if why != told:
                args.tell(why)
                told = why
            for _ in range(round(table_loop.LOOK_EVERY_S / SHOW_S)):
                self._front.show(Snapshot(hint=why), SHOW_S)

    @contextmanager
    def opened(self) -> Iterator[Store]:
        """Open the store, or its replacement; raises StoreError, and EndedEarlyError if people quit instead.

        A copy of it is made in the meantime, at most one a day.
        """
        with self.awaited(self._opened) as store, copying(self._path, self._log):
            self._front.manager.outlast(lambda: store.write_began_s)
            yield store

    def _opened(self) -> Store:
        while True:
            try:
                with suppress(OSError, StoreError):  # the table plays; the next start tries again
                    erasing.finish(self._path)
                return opened_store(self._path)
            except DamagedStoreError as error:
                if not self._asks:
                    raise
                self._log(one_line(error))
                self._ask()

    def _ask(self) -> None:
        menu, before, self._done = self._menu(), _state(self._path), False
        while not self._done and _state(self._path) == before:  # or it was put right from elsewhere
            for tap in chain(self._buttons.new_presses(time.monotonic()), self._taps()):
                then = tapped(menu, tap)
                menu = then if isinstance(then, Menu) else self._menu()
                self._questions.close(tap)
            self._front.show(self._questions.numbered(menu.snapshot), TICK_S)

    def _taps(self) -> Iterator[Tap]:
        """Yield what people tapped on the page, one by one, since each may change what is asked."""
        for command in self._inbox.take() if self._inbox else ():
            result = self._questions.judge(command)
            if result is None and isinstance(command.wants, ports.Press | TakeLine):
                yield command.wants
                result = ACCEPTED
            command.result.set_result(result or REFUSED)

    def _menu(self) -> Menu:
        copies = [
            Item(
                message.say("copy of {text}", text=f"{copy.day:%Y-%m-%d}"),
                partial(self._begin, copy.path),
                message.say("{n} matches; the damaged file is kept", n=copy.matches),
            )
            for copy in kept_copies(self._path)
        ]
        note = message.say("the damaged file is kept: see `tabletop doctor`")
        new = Item(message.say("start a new store"), partial(self._begin, None), note)
        return Menu((Page(message.say("The store is damaged"), (*copies, new)),))

    def _begin(self, copy: Path | None, menu: Menu) -> Menu:
        try:
            begin_again(self._path, copy)
        except (OSError, TabletopError) as error:
            return failed(one_line(error))
        self._done = True
        return menu


def _state(path: Path) -> tuple[int, int, int] | None:
    """Return what changes when a file is written or replaced; None if it is not there."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


@contextmanager
def copying(path: Path, log: Callable[[str], None]) -> Iterator[None]:
    """Copy the store in the background, at most once a day, after the table has appeared."""

    def copy() -> None:
        try:
            keep_copy(path, datetime.now().astimezone().date())
        except (OSError, StoreError) as error:
            log(f"no copy of the store was made: {one_line(error)}")

    timer = Timer(COPY_AFTER_S, copy)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
