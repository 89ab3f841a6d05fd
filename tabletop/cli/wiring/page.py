"""The page in a browser, as `--listen` and `--port` ask for it; its server is imported only then."""

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from tabletop.cli.wiring.args import tell
from tabletop.config.file import PICTURES
from tabletop.core.checks import Check
from tabletop.core.errors import InputError
from tabletop.core.values import Profile
from tabletop.dialogs.commands import Inbox
from tabletop.dialogs.decisions import MenuAction
from tabletop.dialogs.menu import devices_page
from tabletop.dialogs.setup_state import SetupContext
from tabletop.session.handlers import Handler, Handlers
from tabletop.session.match_library import MatchLibrary
from tabletop.session.match_session import MatchSession
from tabletop.store import Store, default_path
from tabletop.store.clock import SystemClock
from tabletop.views.i18n.catalogue import Language
from tabletop.views.oled.code_page import Door
from tabletop.views.port import View
from tabletop.views.terminal.canvas import code_lines
from tabletop.views.terminal.tray_picture import Crop


def check_listen(options: argparse.Namespace) -> None:
    """Raise InputError for a word of --listen or --pictures that is not known, and for a port that is of no use."""
    check_pictures(options.pictures)
    if options.listen is not None:
        from tabletop.web.listening import check_word, port_of  # noqa: PLC0415 - most tables have no page

        check_word(options.listen)
        options.port = None if options.port is None else port_of(options.port)
    elif options.port is not None:
        raise InputError("expected --listen local or --listen lan for this --port, got neither")


def check_pictures(word: str) -> None:
    """Raise InputError unless `--pictures` knows this word."""
    if word not in PICTURES:
        raise InputError(f"expected --pictures {' or '.join(PICTURES)}, got {word!r}")


@dataclass(frozen=True, slots=True)
class PageParts:
    """What a page adds to the table; without one, nothing.

    notice: the line that only screens and terminal show now, for a time; door: how a phone gets in, at the same time.
    inbox: the commands of those who are there. offer_setup: takes what reads what can be offered there to set a match
    up. offer_profile: takes what returns the profile that is read with. offer_checks: takes what checks the table.
    handlers: carry out what the menu of the table decides about the devices that were let in.
    """

    views: tuple[View, ...] = ()
    notice: Callable[[float], str] = lambda _: ""
    door: Callable[[float], Door | None] = lambda _: None
    inbox: Inbox | None = None
    offer_setup: Callable[[Callable[[int], tuple[SetupContext, Language]]], None] = lambda _: None
    offer_profile: Callable[[Callable[[], Profile | None]], None] = lambda _: None
    offer_checks: Callable[[Callable[[], tuple[tuple[Check, ...], Language]]], None] = lambda _: None
    handlers: Handlers = field(default_factory=dict)


def setup_source(
    path: Path, seated: tuple[str, ...], language: Callable[[], Language]
) -> Callable[[int], tuple[SetupContext, Language]]:
    """Return what reads the store for the form of the page, in whatever thread it is called.

    It takes the number of the match that is played, 0 for none.
    """

    def read(number: int) -> tuple[SetupContext, Language]:
        with Store(path, looking=True) as store:
            return MatchLibrary(store, SystemClock(), lambda _: None).known(seated, number), language()

    return read


def open_page(options: argparse.Namespace, *, simulated: bool, crop: Crop) -> PageParts:
    """Open the page if somebody asks for one, and say where it is.

    simulated: whether simulated dice can be thrown. crop: the part of a frame that shows the tray.
    """
    if options.listen is None:
        return PageParts()
    from tabletop.web.listening import USUAL_PORT, listen  # noqa: PLC0415 - the server costs a tenth of a second
    from tabletop.web.page import DEVICES, Page, qr_code  # noqa: PLC0415

    listening = listen(options.listen, USUAL_PORT if options.port is None else options.port, options.host)
    devices = (options.store or default_path()).with_name(DEVICES)

    def announce() -> None:
        digits = page.pairing.digits
        place = page.address if "://" in page.address else f"http://{page.address}"
        tell(f"the table in a browser: {place}/#{digits} (its code: {digits})")

    watched = sys.stderr.isatty()  # the terminal shows new digits in the picture of the table; a journal needs a line
    renewed = (lambda: None) if watched else announce
    private = options.pictures == "paired"
    page = Page(listening, time.monotonic, devices, simulated=simulated, crop=crop, private=private, renewed=renewed)
    announce()
    if options.listen == "lan" and watched and (sys.stderr.encoding or "").lower().startswith("utf"):
        sys.stderr.writelines(f"{line}\n" for line in code_lines(qr_code(page.address, page.pairing.digits)))
    return PageParts(
        (page,),
        page.notice,
        page.door,
        page.inbox,
        page.offer_setup,
        page.offer_profile,
        page.offer_checks,
        handlers_of(page),
    )


class Access(Protocol):
    """Who may press on the page."""

    def devices(self) -> int:
        """Return how many devices were let in."""

    def show_code(self) -> None:
        """Show how another one gets in."""

    def send_away(self) -> None:
        """Let nobody press any more who was let in until now."""


def handlers_of(access: Access) -> Handlers:
    """Return what carries out the decisions of the menu about the devices."""

    def done(do: Callable[[], None]) -> Handler:
        def handler(_: object, session: MatchSession | None) -> MatchSession | None:
            do()
            return session

        return handler

    return {
        MenuAction.DEVICES: lambda _, session: devices_page(access.devices(), in_match=session is not None),
        MenuAction.SHOW_CODE: done(access.show_code),
        MenuAction.SEND_AWAY: done(access.send_away),
    }
