"""A service whose store takes nothing yet, on a full card or one that may only be read: it says so, and tries again."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from tabletop.cli.wiring.args import tell
from tabletop.cli.wiring.presenter import Views
from tabletop.core.errors import StoreError
from tabletop.service.service_manager import Ending, ServiceManager
from tabletop.session.snapshotting import in_one_line
from tabletop.session.table_loop import LOOK_EVERY_S
from tabletop.store.opening import store_trouble
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
