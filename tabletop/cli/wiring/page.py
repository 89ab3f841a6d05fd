"""The page in a browser, as `--listen` and `--port` ask for it; its server is imported only then."""

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tabletop.cli.wiring.args import tell
from tabletop.core.errors import InputError
from tabletop.core.ports import Buttons
from tabletop.dialogs.setup.state import SetupContext
from tabletop.dialogs.wishes import WishBox
from tabletop.session.match_library import MatchLibrary
from tabletop.store import Store, default_path
from tabletop.views.i18n.catalogue import Language
from tabletop.views.oled.pages.code_page import Door
from tabletop.views.port import View
from tabletop.views.terminal.tray_picture import Crop


def check_listen(options: argparse.Namespace) -> None:
    """Raise InputError for a word of --listen that is not known, and for a port that cannot be or is of no use."""
    if options.listen is not None:
        from tabletop.web.listening import check_word, port_of  # noqa: PLC0415 - most tables have no page

        check_word(options.listen)
        options.port = None if options.port is None else port_of(options.port)
    elif options.port is not None:
        raise InputError("expected --listen local or --listen lan for this --port, got neither")


@dataclass(frozen=True, slots=True)
class PageParts:
    """What a page adds to the table; without one, nothing.

    throws: whether somebody there wished to throw the simulated dice since the last call. notice: the line that only
    screens and terminal show now, for a time; door: how a phone gets in, at the same time. wishes: what somebody there
    decides. offer_setup: takes what reads what can be offered there to set a match up.
    """

    views: tuple[View, ...] = ()
    buttons: tuple[Buttons, ...] = ()
    throws: Callable[[], bool] = lambda: False
    notice: Callable[[float], str] = lambda _: ""
    door: Callable[[float], Door | None] = lambda _: None
    wishes: WishBox | None = None
    offer_setup: Callable[[Callable[[], tuple[SetupContext, Language]]], None] = lambda _: None


def setup_source(
    path: Path, seated: tuple[str, ...], language: Callable[[], Language]
) -> Callable[[], tuple[SetupContext, Language]]:
    """Return what reads the store for the form of the page, in whatever thread it is called."""

    def read() -> tuple[SetupContext, Language]:
        with Store(path, looking=True) as store:
            return MatchLibrary(store, str, lambda _: None).known(seated), language()

    return read


def open_page(options: argparse.Namespace, *, simulated: bool, crop: Crop) -> PageParts:
    """Open the page if somebody asks for one, and say where it is.

    simulated: whether simulated dice can be thrown. crop: the part of a frame that shows the tray.
    """
    if options.listen is None:
        return PageParts()
    from tabletop.web.listening import USUAL_PORT, listen  # noqa: PLC0415 - the server costs a tenth of a second
    from tabletop.web.page import DEVICES, Page  # noqa: PLC0415

    listening = listen(options.listen, USUAL_PORT if options.port is None else options.port)
    devices = (options.store or default_path()).with_name(DEVICES)
    page = Page(listening, time.monotonic, devices, simulated=simulated, crop=crop)
    digits = page.pairing.digits
    tell(f"the table in a browser: http://{page.address}/#{digits} (its code: {digits})")
    wishes, offer = page.actions.wishes, page.offer_setup
    return PageParts((page,), (page.buttons,), page.actions.thrown, page.notice, page.door, wishes, offer)
