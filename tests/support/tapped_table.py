"""A table whose people have a phone only: what they send becomes commands as it does in the page's server."""

from concurrent.futures import Future
from typing import Any

from people import People

from tabletop.dialogs.commands import Inbox, Result
from tabletop.session.table_loop import TableLoop
from tabletop.views.snapshot import Snapshot
from tabletop.web.commands import command_of
from tabletop.web.page import Page
from tabletop.web.payload import still

TICK_S = 0.02


class TappedTable:
    """shown: what the phone shows. page: a real one that takes and shows the same."""

    def __init__(self, people: People, *, no_camera: bool = False, page: Page | None = None) -> None:
        self.people, self._page = people, page
        self.inbox = page.inbox if page else Inbox(lambda: people.now_s)
        self.table = people.table = TableLoop(
            people.camera_thread,
            [],
            people.matches.handlers,
            people.start,
            no_camera=no_camera,
            inbox=self.inbox,
            first_question=500,
        )
        self.shown = Snapshot()

    def look(self, ticks: int = 1) -> Snapshot:
        for _ in range(ticks):
            self.people.now_s += TICK_S
            self.shown = still(self.table.tick(self.people.now_s))
            if self._page:
                self._page.show(self.shown, None, self.people.now_s)
        return self.shown

    def put(self, **sent: Any) -> Result | Future[Result]:  # noqa: ANN401 - values of JSON
        read = command_of(sent, self.shown)
        return read if isinstance(read, Result) else self.inbox.put(*read)

    def send(self, **sent: Any) -> Result:  # noqa: ANN401 - values of JSON
        put = self.put(**sent)
        self.look()
        return put.result(0) if isinstance(put, Future) else put

    def tap(self, do: str, at: int = 0) -> Result:
        """Tap a button, or a line of a list, as somebody does who sees what is shown now."""
        return self.send(do=do, at=at, asks=self.shown.question_number)

    def take(self, label: str) -> Result:
        assert self.shown.menu is not None
        return self.tap("take", self.shown.menu.items.index(label))
