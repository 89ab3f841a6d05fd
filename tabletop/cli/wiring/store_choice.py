"""Opening the store: a service waits for one that takes nothing yet; people choose what follows a damaged one."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import Path
from threading import Timer
from typing import TypeVar

from tabletop.cli.wiring.args import tell
from tabletop.cli.wiring.keyboard import HandsAtKeys
from tabletop.cli.wiring.main_loop import TICK_S
from tabletop.cli.wiring.presenter import Views
from tabletop.core.errors import DamagedStoreError, StoreError, TabletopError, one_line
from tabletop.core.message import say
from tabletop.core.ports import Buttons, Press
from tabletop.dialogs.commands import ACCEPTED, REFUSED, Inbox, Questions, TakeLine, Tap, tapped
from tabletop.dialogs.menu import Item, Menu, Page, failed
from tabletop.service.service_manager import EndedEarlyError, Ending, ServiceManager
from tabletop.session.snapshotting import in_one_line
from tabletop.session.table_events import TableButtons
from tabletop.session.table_loop import LOOK_EVERY_S
from tabletop.store import Store
from tabletop.store.copies import begin_again, keep_copy, kept_copies, opened_store
from tabletop.store.opening import store_trouble
from tabletop.views.screen_care import ScreenCare
from tabletop.views.snapshot import Snapshot

SHOW_S = 0.25  # between two pictures: what is shown has several pages, and phones ask for it
Done = TypeVar("Done")


class StorePatience:
    """Does what needs the store as soon as the store allows it.

    path: of the store. views: show meanwhile what is wrong with it. manager: is told, and that the program lives.
    waits: whether there is patience at all; without it, whoever has started the program reads the error.
    """

    def __init__(self, path: Path, views: Views, manager: ServiceManager, ending: Ending, *, waits: bool) -> None:
        self._waits, self._path, self._views, self._manager, self._ending = waits, path, views, manager, ending

    def awaited(self, do: Callable[[], Done]) -> Done:
        """Return what `do` returns once it raises no StoreError; raises EndedEarlyError if a signal ends the table."""
        told = ""
        while True:
            try:
                return do()
            except StoreError as error:
                if not self._waits:
                    raise
                why = store_trouble(self._path) if self._path.parent.is_dir() else ""
                why = why or str(error)
            if why != told:
                tell(why)
                told = why
            self._show(Snapshot(hint=why))

    def _show(self, snapshot: Snapshot) -> None:
        """Show this for as long as the store is left alone."""
        for _ in range(round(LOOK_EVERY_S / SHOW_S)):
            now_s = time.monotonic()
            self._views.show(snapshot, None, now_s)
            self._manager.turn(now_s, in_one_line(snapshot))
            self._ending.wait(SHOW_S)
            self._ending.check()


COPY_AFTER_S = 10.0  # the table shows itself first; a copy then takes a second for 100 MB


class StoreChoice:
    """Opens the store; asks the people at the table where it is damaged.

    buttons, keys, inbox: with which they answer. views: show the question. asks: whether there is somebody to ask.
    log: is told what is wrong, and when no copy could be made.
    """

    def __init__(
        self,
        path: Path,
        buttons: Sequence[Buttons],
        keys: HandsAtKeys,
        views: Views,
        manager: ServiceManager,
        ending: Ending,
        *,
        inbox: Inbox | None,
        asks: bool,
        log: Callable[[str], None],
    ) -> None:
        self._path, self._keys, self._views, self._manager, self._ending = path, keys, views, manager, ending
        self._buttons = TableButtons(buttons, ScreenCare(), switches_off=False)
        self._asks, self._done, self._log = asks, False, log
        self._inbox, self._questions = inbox, Questions()

    @contextmanager
    def opened(self, patience: StorePatience) -> Iterator[Store]:
        """Open the store, whichever they chose; raises StoreError, and EndedEarlyError if they quit instead.

        A copy of it is kept meanwhile, at most one a day. patience: for a card that is full.
        """
        with patience.awaited(self._opened) as store, copying(self._path, self._log):
            self._manager.outlast(lambda: store.write_began_s)
            yield store

    def _opened(self) -> Store:
        while True:
            try:
                return opened_store(self._path)
            except DamagedStoreError as error:
                if not self._asks:
                    raise
                self._log(one_line(error))
                self._ask()

    def _ask(self) -> None:
        menu, before, self._done = self._menu(), _state(self._path), False
        while not self._done and _state(self._path) == before:  # or it was put right from elsewhere
            now_s = time.monotonic()
            for tap in chain(self._buttons.new_presses(now_s), self._taps()):
                then = tapped(menu, tap)
                menu = then if isinstance(then, Menu) else self._menu()
                self._questions.close(tap)
            shown = self._questions.numbered(menu.snapshot)
            self._views.show(shown, None, now_s)
            self._manager.turn(now_s, in_one_line(shown))
            self._keys.obey(None, shown, TICK_S)
            if self._keys.quit:
                raise EndedEarlyError
            if not self._keys.waits:
                self._ending.wait(TICK_S)
            self._ending.check()

    def _taps(self) -> Iterator[Tap]:
        """Yield what people tapped on the page, one by one, since each may change what is asked."""
        for command in self._inbox.take() if self._inbox else ():
            result = self._questions.judge(command)
            if result is None and isinstance(command.wants, Press | TakeLine):
                yield command.wants
                result = ACCEPTED
            command.result.set_result(result or REFUSED)

    def _menu(self) -> Menu:
        copies = [
            Item(
                say("copy of {text}", text=f"{copy.day:%Y-%m-%d}"),
                partial(self._begin, copy.path),
                say("{n} matches; the damaged file is kept", n=copy.matches),
            )
            for copy in kept_copies(self._path)
        ]
        note = say("the damaged file is kept: see `tabletop doctor`")
        new = Item(say("start a new store"), partial(self._begin, None), note)
        return Menu((Page(say("The store is damaged"), (*copies, new)),))

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
    """Keep a copy of the store, at most one a day, once the table has shown itself."""

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
