"""Play with people at the table: at a terminal, or with the appliance's buttons and screen.

Also handles menu actions beyond the match: language, display, checks, calibration, and the page.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any

from tabletop.broadcast.hub import Hub
from tabletop.cameras.opening import camera_with_pictures, is_device, open_camera
from tabletop.cameras.words import check_camera, showing
from tabletop.cli.wiring import args, catching_up, devices, keyboard, main_loop, outlets, presenter, trying, unattended
from tabletop.cli.wiring.hotspot import HotspotKeeper
from tabletop.cli.wiring.updating import Updater
from tabletop.config.profile import FOLDER, USUAL, path_to_write
from tabletop.core import DeviceError, Profile, reconnecting
from tabletop.core.checks import Check, CheckedTable
from tabletop.core.ports import Buttons, Camera, LookalikeScreen, Screen
from tabletop.dialogs import setup_state, welcome
from tabletop.dialogs.commands import Dialog, Inbox, MenuAction, SetLanguage, UseChip
from tabletop.dialogs.menu import DisplayTest, check_menu, devices_page, language_page
from tabletop.doctor.camera import seen_camera
from tabletop.doctor.collect import Files, checks
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.rules import Match
from tabletop.service import admin
from tabletop.service.service_manager import Ending, ServiceManager
from tabletop.session import film_loop, match_library, match_session, observer, snapshotting, table_loop, throw_pictures
from tabletop.session.camera_thread import CameraThread
from tabletop.simulator.hands import TrayWithHands
from tabletop.simulator.tray import profile_of
from tabletop.store import Store, clock, default_path, first_steps, throws
from tabletop.views.i18n.catalogue import Language, languages, load_language
from tabletop.views.terminal.canvas import code_lines
from tabletop.views.terminal.tray_picture import Crop, crop_of
from tabletop.views.terminal.view import TerminalView

if TYPE_CHECKING:
    from tabletop.web.page import Page

MENU_DICE = 5  # in the simulated tray before a game is chosen
FIRST_QUESTIONS = 2**31  # two starts hardly ever number their questions alike; as exact in JavaScript
BEHIND_S = 1.5  # after the loop begins: its first pictures are shown, and the page's server may take its time to import
SIMULATED_FPS = 15.0  # a frame with a hand in it takes 20 ms to draw on one core
# The entry point behind the menu's `calibrate`: (newest frame, profile's file, apply, camera) -> a dialog; with `first`
# its short form for the page's first steps, with `tray` for one that is known
GROUP, NAME = "tabletop.dialogs", "calibrate"


def play_attended(
    options: argparse.Namespace,
    profile: Profile | None,
    language: Language,
    screens: tuple[Screen, ...],
    manager: ServiceManager,
    ending: Ending,
) -> int:
    """Ask what to play unless the command line says it, and play until somebody quits; return the status.

    screens: the real ones; they are closed at the end. manager: the service manager. ending: handles the signals.
    """
    if not options.game and not devices.can_ask(options):
        options.game = args.USUAL_GAME
    match = args.new_match(options) if options.game or options.players is not None else None
    with ExitStack() as open_things:
        tray = _tray(options, match) if options.camera == "sim" else None
        camera = unattended.camera_of(options, tray.camera if tray else _camera(options, profile))
        open_things.callback(camera.close)
        buttons = _buttons(options, manager)
        for button_pair in buttons:
            open_things.callback(button_pair.close)
        profile = profile_of(tray) if tray else profile
        at_terminal = devices.uses_terminal(options)
        asked = bool(options.listen)
        inbox = Inbox(time.monotonic) if asked or (at_terminal and camera.live) else None
        broadcast = outlets.Broadcast(options, page=inbox is not None, flush_s=outlets.STOP_S)
        opened = partial(
            open_page, options, inbox, simulated=tray is not None, crop=crop_of(profile), hub=broadcast.hub
        )
        pages = [opened()] if asked else []
        others = (*devices.open_views(options), *pages, *broadcast.views)
        for view in others:
            open_things.callback(view.close)
        terminal = TerminalView(tray_keys=tray is not None, crop=crop_of(profile)) if at_terminal else None
        log: Callable[[str], None] = open_things.enter_context(_told_at_the_end()) if at_terminal else args.tell
        views = presenter.Views(screens, terminal, language, others, pages[0] if pages else None)
        if match is not None and not _lays(options, camera):
            args.tell_in_turn(match)
        keys = keyboard.HandsAtKeys(terminal, tray)
        if terminal is not None:
            open_things.enter_context(terminal)
        front = main_loop.Front(keys, views, manager, ending)
        app = App(options, front, camera, profile, buttons, inbox, opened, pages, screens, at_terminal, log, broadcast)
        status, session = app.play(match, open_things)
    if session is not None and at_terminal:
        args.tell_standing(session, options)
    return status


@dataclass(frozen=True, slots=True)
class App:
    """The assembled parts of a table with people.

    buttons: the real ones. inbox: for commands from the page, None without a page. opened: opens the page. pages: the
    page, empty while it is not open. log: writes a line. broadcast: tells other programs what happens.
    """

    options: argparse.Namespace
    front: main_loop.Front
    camera: Camera
    profile: Profile | None
    buttons: tuple[Buttons, ...]
    inbox: Inbox | None
    opened: "Callable[[], Page]"
    pages: "list[Page]"
    screens: tuple[Screen, ...]
    at_terminal: bool
    log: Callable[[str], None]
    broadcast: outlets.Broadcast

    def play(self, match: Match | None, open_things: ExitStack) -> tuple[int, match_session.MatchSession | None]:
        """Open the store, begin or resume, and play; return the status and the last match."""
        options = self.options
        path = options.store or default_path()
        opening = main_loop.StoreOpening(
            path,
            self.front,
            self._pressed,
            self.inbox,
            self.log,
            asks=(self.at_terminal or self.front.manager.present) and devices.can_ask(options),
            waits=self.front.manager.present and not self.at_terminal,
        )
        store = open_things.enter_context(opening.opened())
        self.broadcast.start(store, open_things)
        open_things.enter_context(catching_up.catching_up(store.path, rates=self.inbox is not None))
        lines_out = (
            unattended.Lines(as_json=True) if options.json else _no_lines
        )  # with --json there is no terminal view
        listener = unattended.both(lines_out, self.broadcast.hub.stored)
        matches = match_library.MatchLibrary(
            store, unattended.FrameTime(live=True), listener, registers=_lays(options, self.camera)
        )
        session = None if options.resume is None else matches.resume(args.number_of(options))
        recorder = open_things.enter_context(unattended.recording(options, self.profile, film=not self.camera.live))
        real = options.camera not in ("sim", "none") and self.camera.live
        watch = PerceptionPipeline(unattended.frame_reader(options, live=real), self.profile, fault=options.setup_fault)
        if session is None and options.game and match is not None:
            session = opening.awaited(partial(self._begun, matches, match))  # last: a refusal leaves no match behind
        if not self.camera.live:
            session = session or matches.begin(args.new_match(options))
            self._play_film(watch, session, recorder)
            return 0, session
        table = self._table(watch, matches, store.path, open_things)
        table.record(recorder)
        trying.ask_if_on_trial(options.config, self.inbox)
        wakes = (*self.buttons, self.inbox if options.listen else None)  # a page behind a terminal comes second
        status = main_loop.play_live(table, session, self.front, wakes)
        return status, table.session

    @property
    def _pressed(self) -> tuple[Buttons, ...]:
        return (*self.buttons, self.front.keys.buttons)

    def _begun(self, matches: match_library.MatchLibrary, match: Match) -> match_session.MatchSession:
        """Go on with the match played last at a table that goes on with one, else begin this match."""
        goes_on = self.options.goes_on and self.camera.live and not self.at_terminal
        return (matches.continued(match) if goes_on else None) or matches.begin(match)

    def _serve(self, offer: "Callable[[Page], None]", open_things: ExitStack) -> None:
        """Hand the page what it shows besides the table; where it is not open yet, open it behind the first picture."""
        views = self.front.views

        def open_behind() -> None:
            with suppress(DeviceError):  # optional, so no error
                page = self.opened()
                open_things.callback(page.close)
                offer(page)
                self.pages.append(page)
                views.others, views.entry = (*views.others, page), page

        for page in self.pages:
            offer(page)
        if self.inbox and not self.pages:
            opening = Timer(BEHIND_S, open_behind)
            opening.daemon = True
            opening.start()
            open_things.callback(opening.join)
            open_things.callback(opening.cancel)

    def _table(
        self, watch: PerceptionPipeline, matches: match_library.MatchLibrary, store: Path, open_things: ExitStack
    ) -> table_loop.TableLoop:
        """Return the loop; what people do beyond the match is carried out by the handlers."""
        options, views = self.options, self.front.views
        table: table_loop.TableLoop
        first: first_steps.FirstSteps

        def start() -> Dialog:
            menu = matches.menu(_seated(options), home=table.session is not None)
            return welcome.Welcome(menu, lambda: any(page.welcome() for page in self.pages), first.end_welcome)

        watched = CameraThread(self.camera, watch, time.monotonic)
        held = None
        if options.throw_pictures and options.camera != "none":
            pictures = throws.ThrowPictures(store)
            open_things.callback(pictures.close)
            keeper = throw_pictures.ThrowKeeper(pictures, watched, lambda: crop_of(watch.profile))
            matches.threw, held = keeper.threw, keeper.held
        checking = TableChecks(options, self.camera, watched)
        handlers = {
            **matches.handlers,
            **language_handlers(views, store),
            **display_handlers(self.screens, store),
            **self.front.keys.handlers,
            **(self._of_the_page() if self.inbox else {}),
            **checking.handlers,
            **trying.handlers(self.log),
            **Updater().handlers,
        }
        if is_device(options.camera):
            handlers |= calibration_handlers(lambda: watched.newest, options.profile, watch.use, self.camera)
        elif options.camera == "sim":  # in a file of its own: no set-up of a real table is touched
            trial = store.with_name("simulated.toml")
            handlers |= calibration_handlers(lambda: watched.newest, trial, watch.use, tray=self.profile)
        matches.language = lambda: views.language
        matches.calibrates = is_device(options.camera) and MenuAction.CALIBRATE in handlers
        matches.phones, matches.quits = self.inbox is not None, self.at_terminal
        setup = setup_source(store, _seated(options), calibrates=matches.calibrates)
        with Store(store, looking=True) as known:
            is_new = not known.matches()
        first = first_steps.FirstSteps(
            store,
            is_new=is_new,
            sees=options.camera != "none",
            learns=MenuAction.FIRST_STEPS in handlers,
            offers=bool(self.screens) and bool(options.listen) and not self.at_terminal,
            trouble=lambda: watched.trouble_now(time.monotonic()),
        )
        offered = (setup, lambda: watch.profile, checking.now, store, held, snapshotting.of_stored, first)
        self._serve(lambda page: page.offer(*offered), open_things)
        table = table_loop.TableLoop(
            watched,
            self._pressed,
            handlers,
            start,
            no_camera=options.camera == "none",
            inbox=self.inbox,
            first_question=random.randrange(FIRST_QUESTIONS),  # noqa: S311 - no secret
            store_trouble=lambda: matches.trouble,
            switches_off=options.switches_off,
        )
        return table

    def _of_the_page(self) -> table_loop.Handlers:
        opens = self.options.listen == "lan" and admin.is_there()
        more = HotspotKeeper(self.pages).handlers if opens else {}
        return {**page_handlers(self.pages, hotspot=opens), **more}

    def _play_film(
        self, watch: PerceptionPipeline, session: match_session.MatchSession, recorder: observer.TurnRecorder | None
    ) -> None:
        """Referee a film or photographs in view of people: they can look on and quit."""

        def shown(seen: FrameResult) -> None:
            now = snapshotting.snapshot(session, seen.pixel_reading)
            self.front.views.show(now, seen, time.monotonic())
            self.front.keys.obey(session, now, 0.0)
            if self.front.keys.quit or self.front.ending.asked:
                self.camera.close()

        film_loop.run_film(
            self.camera, watch, session, on_frame=lambda _: None, shown=shown, tell=lambda _: None, recorder=recorder
        )


def _lays(options: argparse.Namespace, camera: Camera) -> bool:
    """Return whether players lay a die to say whose it is: not in a film, and not without a camera."""
    return camera.live and options.camera != "none"


def _seated(options: argparse.Namespace) -> tuple[str, ...]:
    return tuple(options.players.split(",")) if options.players else ()


def _buttons(options: argparse.Namespace, manager: ServiceManager) -> tuple[Buttons, ...]:
    """Open the real buttons; a service does not stop because they are not there yet."""
    if manager.present and options.buttons not in devices.OWN_BUTTONS:
        return (reconnecting.Reconnecting(lambda: devices.open_buttons(options, needed=True)[0], args.tell),)
    return devices.open_buttons(options)


def _no_lines(_: Mapping[str, Any]) -> None:
    """Write nothing: the screen shows it."""


@contextmanager
def _told_at_the_end() -> Iterator[Callable[[str], None]]:
    """Keep lines while the terminal shows something else, and tell them afterwards."""
    lines: list[str] = []
    try:
        yield lines.append
    finally:
        for line in lines:
            args.tell(line)


def _tray(options: argparse.Namespace, match: Match | None) -> TrayWithHands:
    chance = random.Random(options.seed)  # noqa: S311 - dice of a game, repeatable on purpose
    dice = match.game.dice if match else MENU_DICE
    return TrayWithHands(dice, chance=chance, fps=SIMULATED_FPS, clock=time.monotonic, wait=time.sleep)


def _camera(options: argparse.Namespace, profile: Profile | None) -> Camera:
    """Open the camera; an appliance does not stop because its camera is not there yet."""
    with args.naming_line(options, "camera"):
        check_camera(options.camera)
        if is_device(options.camera) and not devices.uses_terminal(options):
            shown_mm = profile.width_px / profile.px_per_mm if profile else 0.0
            return reconnecting.Reconnecting(lambda: open_camera(showing(options.camera, shown_mm)))
        return camera_with_pictures(options.camera, args.tell)


def calibration_handlers(
    newest: Callable[[], FrameResult | None],
    profile: Path | None,
    apply: Callable[[Profile | None], None],
    camera: object = None,
    tray: Profile | None = None,
) -> table_loop.Handlers:
    """Return the handlers of the menu's `calibrate` and of the first steps; empty if no package offers it.

    profile: the file to be improved; None for the default one. camera: queried for its properties. tray: one that
    is known without a file.
    """
    found = [point for point in entry_points(group=GROUP) if point.name == NAME]
    if not found:
        return {}
    out = profile or path_to_write(USUAL, default_path().with_name(FOLDER))

    def opened(decision: MenuAction, _: object) -> Dialog:
        first = {"first": True, "tray": tray} if decision is MenuAction.FIRST_STEPS else {}
        dialog: Dialog = found[0].load()(newest, out, apply, camera, **first)
        return dialog

    return dict.fromkeys((MenuAction.CALIBRATE, MenuAction.FIRST_STEPS), opened)


class TableChecks:
    """The checks of `tabletop doctor` for a running table. options: of `play`, merged with the configuration."""

    def __init__(self, options: argparse.Namespace, camera: Camera, camera_thread: CameraThread) -> None:
        self._table = CheckedTable(options.camera, options.buttons, options.screen, views=options.parts)
        self._files = Files(options.store or default_path(), options.config, options.profile)
        self._camera, self._camera_thread = camera, camera_thread
        self.handlers: table_loop.Handlers = {
            MenuAction.CHECK: lambda _, session: check_menu(
                self.now(), in_match=session is not None, updates=admin.is_there()
            )
        }

    def now(self) -> tuple[Check, ...]:
        """Return the current checks, within a tenth of a second; thread-safe."""
        trouble = self._camera_thread.trouble_now(time.monotonic())
        seen = seen_camera(self._camera, self._camera_thread.statistics, trouble)
        return checks(self._table, self._files, seen, datetime.now(tz=UTC), thorough=False)


def display_handlers(screens: Sequence[Screen], store: Path) -> table_loop.Handlers:
    """Return the handlers of the display test; empty if there is nothing to choose.

    store: the path of the store, beside which the answer is saved. The current chip is offered first.
    """
    lookalikes = [screen for screen in screens if isinstance(screen, LookalikeScreen)]
    if not lookalikes:
        return {}

    def ask(*_: object) -> DisplayTest:
        screen = lookalikes[0]
        return DisplayTest((screen.chip, *(chip for chip in screen.chips if chip != screen.chip)))

    def use(decision: UseChip, session: match_session.MatchSession | None) -> match_session.MatchSession | None:
        for screen in lookalikes:
            screen.use_chip(decision.chip)
            with suppress(OSError):  # if nothing can be written, the next start asks the configuration again
                store.with_name(devices.CHOSEN_CHIP).write_text(f"{decision.chip} {screen.named}\n", encoding="utf-8")
        return session

    return {MenuAction.DISPLAY_TEST: ask, UseChip: use}


def language_handlers(views: presenter.Views, store: Path) -> table_loop.Handlers:
    """Return the handler that changes the language. store: the path of the store, beside which the choice is saved."""
    known = languages()
    known.setdefault(views.language.code, views.language.name)  # a file of their own

    def set_language(
        decision: SetLanguage, session: match_session.MatchSession | None
    ) -> match_session.MatchSession | None:
        """Change the language now and for the next start; InputError if its file is missing or invalid."""
        views.language = load_language(decision.language)
        with suppress(OSError):  # if nothing can be written, the next start shows the old language
            devices.chosen_language(store).write_text(f"{decision.language}\n", encoding="utf-8")
        return session

    return {MenuAction.LANGUAGE: lambda *_: language_page(known, views.language.code), SetLanguage: set_language}


def setup_source(path: Path, seated: tuple[str, ...], *, calibrates: bool) -> Callable[[int], setup_state.SetupContext]:
    """Return a function that reads the store for the page's form, in any thread.

    Its argument is the number of the current match, 0 for none. calibrates: whether the camera can be set up.
    """

    def read(number: int) -> setup_state.SetupContext:
        with Store(path, looking=True) as store:
            library = match_library.MatchLibrary(store, clock.SystemClock(), lambda _: None)
            library.calibrates = calibrates
            return library.known(seated, number)

    return read


def open_page(options: argparse.Namespace, inbox: Inbox | None, *, simulated: bool, crop: Crop, hub: Hub) -> "Page":
    """Open the page as configured, and print its address; by default only for this machine.

    simulated: whether there are simulated dice to throw. crop: the part of a frame that shows the tray.
    """
    from tabletop.web.listening import USUAL_PORT, listen, listen_here  # noqa: PLC0415 - the server is slow to import
    from tabletop.web.page import ADDRESS_S, DEVICES, Page, qr_code  # noqa: PLC0415

    port = USUAL_PORT if options.port is None else options.port
    listening = listen(options.listen, port, options.host) if options.listen else listen_here()
    known = (options.store or default_path()).with_name(DEVICES)

    def announce() -> None:
        args.tell(f"the table in a browser: {page.link} (its code: {page.pairing.digits})")

    watched = sys.stderr.isatty()  # the terminal shows new digits in the picture of the table; a journal needs a line
    renewed = (lambda: None) if watched else announce
    private = options.pictures == "paired"
    hinted = ADDRESS_S if options.listen else 0.0  # else a terminal shows the address all the time
    how = {"simulated": simulated, "private": private, "address_s": hinted, "hub": hub, "config": options.config}
    page = Page(listening, time.monotonic, known, crop=crop, renewed=renewed, inbox=inbox, name=options.name, **how)
    if options.listen:
        announce()
    if options.listen == "lan" and watched and (sys.stderr.encoding or "").lower().startswith("utf"):
        sys.stderr.writelines(f"{line}\n" for line in code_lines(qr_code(page.address, page.pairing.digits)))
    return page


def page_handlers(pages: "list[Page]", *, hotspot: bool = False) -> table_loop.Handlers:
    """Return the handlers of menu decisions about paired devices.

    pages: the page, empty while it is not open. hotspot: the table can open one.
    """

    def done(do: "Callable[[Page], None]") -> table_loop.Handler:
        def handler(_: object, session: match_session.MatchSession | None) -> match_session.MatchSession | None:
            for page in pages:
                do(page)
            return session

        return handler

    return {
        MenuAction.DEVICES: lambda _, session: devices_page(
            sum(page.devices() for page in pages), in_match=session is not None, hotspot=hotspot
        ),
        MenuAction.SHOW_CODE: done(lambda page: page.show_code()),
        MenuAction.SEND_AWAY: done(lambda page: page.send_away()),
    }
