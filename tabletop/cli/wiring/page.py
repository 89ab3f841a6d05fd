"""The page in a browser as a part of the table: opened as `--listen` says, or behind a terminal's first picture."""

import argparse
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from threading import Thread
from typing import TYPE_CHECKING, Any

from tabletop.cli.wiring.args import tell
from tabletop.core.errors import DeviceError
from tabletop.core.ports import Frame
from tabletop.dialogs.commands import Inbox, MenuAction
from tabletop.dialogs.menu import devices_page
from tabletop.session.match_session import MatchSession
from tabletop.session.table_loop import Handler, Handlers
from tabletop.store import default_path
from tabletop.views.oled.screen import Door
from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.canvas import code_lines
from tabletop.views.terminal.tray_picture import Crop
from tabletop.web.listening import USUAL_PORT, Listening, listen

if TYPE_CHECKING:
    from tabletop.web.page import Page

PORTS_TRIED = 20  # from the usual one on; then any that is free
OPENED_S = 10.0  # at most, for a page that is being opened when the table ends


class PageAtTable:
    """The page as a view of the table, also while it is not open yet.

    opened: opens it. behind: it is opened in a thread of its own, once a picture of the tray is shown: importing its
    server takes a tenth of a second, on a Pi a whole one.
    """

    def __init__(self, opened: "Callable[[Inbox], Page]", *, behind: bool) -> None:
        self.inbox = Inbox(time.monotonic)
        self._opened = opened
        self._page: Page | None = None
        self._sources: tuple[Any, ...] = ()
        self._thread = Thread(target=self._open, name="page behind", daemon=True)
        if not behind:
            self._open()

    def _open(self) -> None:
        with suppress(DeviceError) if self._thread.ident else nullcontext():
            page = self._opened(self.inbox)
            if self._sources:
                page.offer(*self._sources)
            self._page = page

    @property
    def link(self) -> str:
        """The address that lets a device in, empty while there is none."""
        return self._page.link if self._page else ""

    def offer(self, *sources: Any) -> None:  # noqa: ANN401 - those of `Page.offer`
        """Hand over what the page can show besides the table."""
        self._sources = sources
        if self._page:
            self._page.offer(*sources)

    def show(self, snapshot: Snapshot, frame: Frame | None, now_s: float) -> None:
        """Show a snapshot to everybody who looks; returns at once."""
        if self._page:
            self._page.show(snapshot, frame, now_s)
        elif frame is not None and self._thread.ident is None:
            self._thread.start()

    def notice(self, now_s: float) -> str:
        """Return a line for screens and terminal, empty for none."""
        return self._page.notice(now_s) if self._page else ""

    def door(self, now_s: float) -> Door | None:
        """Return how a phone gets in, while somebody asks."""
        return self._page.door(now_s) if self._page else None

    def devices(self) -> int:
        """Return how many devices were let in."""
        return self._page.devices() if self._page else 0

    def show_code(self) -> None:
        """Show how a device gets in."""
        if self._page:
            self._page.show_code()

    def send_away(self) -> None:
        """Let nobody press any more who was let in until now."""
        if self._page:
            self._page.send_away()

    def close(self) -> None:
        """End the page."""
        if self._thread.ident:
            self._thread.join(OPENED_S)
        if self._page:
            self._page.close()


def open_page(options: argparse.Namespace, *, behind: bool, simulated: bool, crop: Crop) -> PageAtTable | None:
    """Return the page if the options or a terminal ask for one, and say where it is; at a terminal a line says so.

    behind: without `--listen` it is served to this machine alone, from behind the first picture. simulated: whether
    simulated dice can be thrown. crop: the part of a frame that shows the tray.
    """
    listening = _listening(options) if options.listen else None
    if listening is None and not behind:
        return None

    def opened(inbox: Inbox) -> "Page":
        from tabletop.web.page import ADDRESS_S, DEVICES, Page, qr_code  # noqa: PLC0415 - the server is slow to import

        def announce() -> None:
            tell(f"the table in a browser: {page.link} (its code: {page.pairing.digits})")

        watched = sys.stderr.isatty()  # a terminal shows new digits in the picture of the table; a journal needs a line
        page = Page(
            listening or _first_free(),
            time.monotonic,
            (options.store or default_path()).with_name(DEVICES),
            simulated=simulated,
            crop=crop,
            private=options.pictures == "paired",
            renewed=(lambda: None) if watched else announce,
            inbox=inbox,
            address_s=ADDRESS_S if listening else 0.0,
        )
        if listening is not None:
            announce()
            if options.listen == "lan" and watched and (sys.stderr.encoding or "").lower().startswith("utf"):
                sys.stderr.writelines(f"{line}\n" for line in code_lines(qr_code(page.address, page.pairing.digits)))
        return page

    return PageAtTable(opened, behind=listening is None)


def _listening(options: argparse.Namespace) -> Listening:
    return listen(options.listen, USUAL_PORT if options.port is None else options.port, options.host)


def _first_free() -> Listening:
    """Listen on this machine alone, on the usual port or the next one that is free."""
    for port in range(USUAL_PORT, USUAL_PORT + PORTS_TRIED):
        with suppress(DeviceError):
            return listen("local", port)
    return listen("local", 0)


def page_handlers(page: "Page | PageAtTable") -> Handlers:
    """Return what carries out the decisions of the menu about the devices that may press on the page."""

    def done(do: Callable[[], None]) -> Handler:
        def handler(_: object, session: MatchSession | None) -> MatchSession | None:
            do()
            return session

        return handler

    return {
        MenuAction.DEVICES: lambda _, session: devices_page(page.devices(), in_match=session is not None),
        MenuAction.SHOW_CODE: done(page.show_code),
        MenuAction.SEND_AWAY: done(page.send_away),
    }
