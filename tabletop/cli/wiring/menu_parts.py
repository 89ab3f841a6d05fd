"""What the menu of the running table does beyond the match: language, display, check, calibration, and the page."""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING

from tabletop.cli.wiring.args import tell
from tabletop.cli.wiring.devices import CHOSEN_CHIP, chosen_language
from tabletop.cli.wiring.presenter import Views
from tabletop.config.profile import FOLDER, USUAL, path_to_write
from tabletop.core.checks import Check, CheckedTable
from tabletop.core.ports import Camera, LookalikeScreen, Screen
from tabletop.core.values import Profile
from tabletop.dialogs.commands import MenuAction, SetLanguage, UseChip
from tabletop.dialogs.menu import DisplayTest, check_menu, devices_page, language_page
from tabletop.dialogs.setup_state import SetupContext
from tabletop.doctor.camera import seen_camera
from tabletop.doctor.collect import Files, checks
from tabletop.perception.pipeline import FrameResult
from tabletop.session.camera_thread import CameraThread
from tabletop.session.match_library import MatchLibrary
from tabletop.session.match_session import MatchSession
from tabletop.session.table_loop import Handler, Handlers
from tabletop.store import Store, default_path
from tabletop.store.clock import SystemClock
from tabletop.views.i18n.catalogue import languages, load_language
from tabletop.views.terminal.canvas import code_lines
from tabletop.views.terminal.tray_picture import Crop

if TYPE_CHECKING:
    from tabletop.web.page import Page

GROUP, NAME = (
    "tabletop.dialogs",
    "calibrate",
)  # the entry point: (newest frame, profile's file, apply, camera) -> a dialog


def calibration_handlers(
    newest: Callable[[], FrameResult | None],
    profile: Path | None,
    apply: Callable[[Profile | None], None],
    camera: object = None,
) -> Handlers:
    """Return what carries out the menu's `calibrate`; empty if no package offers it.

    profile: the file that is made better; None: that of the usual set-up. camera: asked what it holds.
    """
    found = [point for point in entry_points(group=GROUP) if point.name == NAME]
    if not found:
        return {}
    out = profile or path_to_write(USUAL, default_path().with_name(FOLDER))
    return {MenuAction.CALIBRATE: lambda *_: found[0].load()(newest, out, apply, camera)}


class TableChecks:
    """What `tabletop doctor` would say of a running table. options: of `play`, the configuration merged into them."""

    def __init__(self, options: argparse.Namespace, camera: Camera, camera_thread: CameraThread) -> None:
        self._table = CheckedTable(options.camera, options.buttons, options.screen)
        self._files = Files(options.store or default_path(), options.config, options.profile)
        self._camera, self._camera_thread = camera, camera_thread
        self.handlers: Handlers = {
            MenuAction.CHECK: lambda _, session: check_menu(self.now(), in_match=session is not None)
        }

    def now(self) -> tuple[Check, ...]:
        """Return the checks as they stand, within a tenth of a second; any thread may ask."""
        trouble = self._camera_thread.trouble_now(time.monotonic())
        seen = seen_camera(self._camera, self._camera_thread.statistics, trouble)
        return checks(self._table, self._files, seen, datetime.now(tz=UTC), thorough=False)


def display_handlers(screens: Sequence[Screen], store: Path) -> Handlers:
    """Return what carries out the display test; empty where there is nothing to choose.

    store: the matches, beside which the answer is kept. The chip that is used now is asked about first.
    """
    lookalikes = [screen for screen in screens if isinstance(screen, LookalikeScreen)]
    if not lookalikes:
        return {}

    def ask(*_: object) -> DisplayTest:
        screen = lookalikes[0]
        return DisplayTest((screen.chip, *(chip for chip in screen.chips if chip != screen.chip)))

    def use(decision: UseChip, session: MatchSession | None) -> MatchSession | None:
        for screen in lookalikes:
            screen.use_chip(decision.chip)
            with suppress(OSError):  # if nothing can be written, the next start asks the configuration again
                store.with_name(CHOSEN_CHIP).write_text(f"{decision.chip} {screen.named}\n", encoding="utf-8")
        return session

    return {MenuAction.DISPLAY_TEST: ask, UseChip: use}


def language_handlers(views: Views, store: Path) -> Handlers:
    """Return what carries out a change of the views' language. store: the matches, beside which the choice is kept."""
    known = languages()
    known.setdefault(views.language.code, views.language.name)  # a file of their own

    def set_language(decision: SetLanguage, session: MatchSession | None) -> MatchSession | None:
        """Show this language from now on, and after the next start; InputError if its file is gone or broken."""
        views.language = load_language(decision.language)
        with suppress(OSError):  # if nothing can be written, the next start shows the old language
            chosen_language(store).write_text(f"{decision.language}\n", encoding="utf-8")
        return session

    return {MenuAction.LANGUAGE: lambda *_: language_page(known, views.language.code), SetLanguage: set_language}


def setup_source(path: Path, seated: tuple[str, ...]) -> Callable[[int], SetupContext]:
    """Return what reads the store for the form of the page, in whatever thread it is called.

    It takes the number of the match that is played, 0 for none.
    """

    def read(number: int) -> SetupContext:
        with Store(path, looking=True) as store:
            return MatchLibrary(store, SystemClock(), lambda _: None).known(seated, number)

    return read


def open_page(options: argparse.Namespace, *, simulated: bool, crop: Crop) -> "Page | None":
    """Open the page if the options ask for one, and say where it is.

    simulated: whether simulated dice can be thrown. crop: the part of a frame that shows the tray.
    """
    if options.listen is None:
        return None
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
    return page


def page_handlers(page: "Page") -> Handlers:
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
