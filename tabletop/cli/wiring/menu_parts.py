"""What the menu of the running table does beyond the match: language, display, check, calibration, and the page."""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tabletop.cli.wiring.args import tell
from tabletop.cli.wiring.devices import CHOSEN_CHIP, chosen_language
from tabletop.cli.wiring.presenter import Views
from tabletop.config.profile import FOLDER, USUAL, path_to_write
from tabletop.core.checks import Check, CheckedTable
from tabletop.core.ports import Camera, LookalikeScreen, Screen
from tabletop.core.values import Profile
from tabletop.dialogs.commands import MenuAction, SetLanguage, UseChip
from tabletop.dialogs.menu import DisplayTest, Menu, check_menu, devices_page, language_page
from tabletop.dialogs.setup_state import SetupContext
from tabletop.doctor.camera import seen_camera
from tabletop.doctor.collect import checks
from tabletop.doctor.files import Files
from tabletop.perception.pipeline import FrameResult
from tabletop.session.camera_thread import CameraThread
from tabletop.session.match_library import MatchLibrary
from tabletop.session.match_session import MatchSession
from tabletop.session.table_loop import Handler, Handlers
from tabletop.store import Store, default_path
from tabletop.store.clock import SystemClock
from tabletop.views.i18n.catalogue import Language, languages, load_language
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

    def now(self) -> tuple[Check, ...]:
        """Return the checks as they stand, within a tenth of a second; any thread may ask."""
        trouble = self._camera_thread.trouble_now(time.monotonic())
        seen = seen_camera(self._camera, self._camera_thread.statistics, trouble)
        return checks(self._table, self._files, seen, datetime.now(tz=UTC), thorough=False)

    @property
    def handlers(self) -> Handlers:
        """What carries out the decision to see them."""
        return {MenuAction.CHECK: lambda _, session: check_menu(self.now(), in_match=session is not None)}


class DisplayChoice:
    """The display test, as people do it. store: the matches, beside which the answer is kept."""

    def __init__(self, screens: Sequence[Screen], store: Path) -> None:
        self._store = store
        self._screens = [screen for screen in screens if isinstance(screen, LookalikeScreen)]

    @property
    def handlers(self) -> Handlers:
        """What carries out the decisions about the display; none where there is nothing to choose."""
        return {MenuAction.DISPLAY_TEST: lambda *_: self.question, UseChip: self._use} if self._screens else {}

    @property
    def question(self) -> DisplayTest:
        """Which picture is clean, the chip used now first."""
        screen = self._screens[0]
        return DisplayTest((screen.chip, *(chip for chip in screen.chips if chip != screen.chip)))

    def _use(self, decision: UseChip, session: MatchSession | None) -> MatchSession | None:
        """Drive the display so from now on, and after the next start."""
        for screen in self._screens:
            screen.use_chip(decision.chip)
            with suppress(OSError):  # if nothing can be written, the next start asks the configuration again
                self._store.with_name(CHOSEN_CHIP).write_text(f"{decision.chip} {screen.named}\n", encoding="utf-8")
        return session


class LanguageSetting:
    """The language of the views, as people change it. store: the matches, beside which the choice is kept."""

    def __init__(self, views: Views, store: Path) -> None:
        self._views, self._store = views, store
        self._languages = languages()
        self._languages.setdefault(views.language.code, views.language.name)  # a file of their own

    @property
    def question(self) -> Menu:
        """Which language, the one spoken now first."""
        return language_page(self._languages, self._views.language.code)

    @property
    def handlers(self) -> Handlers:
        """What carries out the decisions about the language."""
        return {MenuAction.LANGUAGE: lambda *_: self.question, SetLanguage: self._set}

    def _set(self, decision: SetLanguage, session: MatchSession | None) -> MatchSession | None:
        """Show this language from now on, and after the next start; InputError if its file is gone or broken."""
        code = decision.language
        self._views.language = load_language(code)
        with suppress(OSError):  # if nothing can be written, the next start shows the old language
            chosen_language(self._store).write_text(f"{code}\n", encoding="utf-8")
        return session


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


class Access(Protocol):
    """Who may press on the page."""

    def devices(self) -> int:
        """Return how many devices were let in."""

    def show_code(self) -> None:
        """Show how another one gets in."""

    def send_away(self) -> None:
        """Revoke the right to press of all devices let in until now."""


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
