"""Opening the store: a service waits for one that takes nothing yet; people choose what follows a damaged one."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
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
COPY_AFTER_S = 10.0  # the table shows itself first; a copy then takes a second for 100 MB
Done = TypeVar("Done")


@dataclass(frozen=True, slots=True)
class Standby:
    """What the table shows, and to whom, while it has no store. keys: somebody quits with them."""

    keys: HandsAtKeys
    views: Views
    manager: ServiceManager
    ending: Ending

    def show(self, snapshot: Snapshot, seconds: float) -> None:
        """Show a snapshot for this long; raises EndedEarlyError if somebody quits, or a signal ends the table."""
        now_s = time.monotonic()
        self.views.show(snapshot, None, now_s)
        self.manager.turn(now_s, in_one_line(snapshot))
        self.keys.obey(None, snapshot, seconds)
        if self.keys.quit:
            raise EndedEarlyError
        if not self.keys.waits:
            self.ending.wait(seconds)
        self.ending.check()


class StoreOpening:
    """Opens the store, and does what needs it as soon as it allows that; people choose what follows a damaged one.

    buttons, inbox: with which they answer, besides the keys. asks: whether there is somebody to ask. waits: whether
    there is patience with a store that takes nothing; without it, whoever has started the program reads the error.
    log: receives what is wrong, and when no copy could be made.
    """

    def __init__(
        self,
        path: Path,
        standby: Standby,
        buttons: Sequence[Buttons],
        inbox: Inbox | None,
        log: Callable[[str], None],
        *,
        asks: bool,
        waits: bool,
    ) -> None:
        self._path, self._standby, self._log = path, standby, log
        self._asks, self._waits, self._done = asks, waits, False
        self._buttons = TableButtons(buttons, ScreenCare(), switches_off=False)
        self._inbox, self._questions = inbox, Questions()

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
            for _ in range(round(LOOK_EVERY_S / SHOW_S)):
                self._standby.show(Snapshot(hint=why), SHOW_S)

    @contextmanager
    def opened(self) -> Iterator[Store]:
        """Open the store, whichever they chose; raises StoreError, and EndedEarlyError if they quit instead.

        A copy of it is kept meanwhile, at most one a day.
        """
        with self.awaited(self._opened) as store, copying(self._path, self._log):
            self._standby.manager.outlast(lambda: store.write_began_s)
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
            for tap in chain(self._buttons.new_presses(time.monotonic()), self._taps()):
                then = tapped(menu, tap)
                menu = then if isinstance(then, Menu) else self._menu()
                self._questions.close(tap)
            self._standby.show(self._questions.numbered(menu.snapshot), TICK_S)

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
