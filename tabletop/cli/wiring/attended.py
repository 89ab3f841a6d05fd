"""Playing with people at the table: a terminal, or the appliance's buttons and screen."""

import argparse
import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabletop.cameras.opening import camera_with_pictures, is_device, open_camera
from tabletop.cameras.words import check_camera, showing
from tabletop.cli.wiring.args import USUAL_GAME, naming_line, new_match, number_of, tell, tell_one_by_one, tell_standing
from tabletop.cli.wiring.devices import OWN_BUTTONS, can_ask, open_buttons, open_views, uses_terminal
from tabletop.cli.wiring.keyboard import HandsAtKeys
from tabletop.cli.wiring.main_loop import Standby, StoreOpening, play_live
from tabletop.cli.wiring.menu_parts import (
    TableChecks,
    calibration_handlers,
    display_handlers,
    language_handlers,
    open_page,
    page_handlers,
    setup_source,
)
from tabletop.cli.wiring.presenter import Views
from tabletop.cli.wiring.unattended import FrameTime, Lines, camera_of, frame_reader, recording
from tabletop.core.ports import Buttons, Camera, Screen
from tabletop.core.reconnecting import Reconnecting
from tabletop.core.values import Profile
from tabletop.dialogs.commands import Dialog, MenuAction
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.rules import Match
from tabletop.service.service_manager import Ending, ServiceManager
from tabletop.session.camera_thread import CameraThread
from tabletop.session.film_loop import run_film
from tabletop.session.match_library import MatchLibrary
from tabletop.session.match_session import MatchSession
from tabletop.session.observer import TurnRecorder
from tabletop.session.snapshotting import snapshot
from tabletop.session.table_loop import TableLoop
from tabletop.simulator.tray import Tray, profile_of
from tabletop.store import default_path
from tabletop.views.i18n.catalogue import Language
from tabletop.views.terminal.tray_picture import crop_of
from tabletop.views.terminal.view import TerminalView

if TYPE_CHECKING:
    from tabletop.web.page import Page

MENU_DICE = 5  # in the simulated tray before a game is chosen
FIRST_QUESTIONS = 2**31  # two starts hardly ever number their questions alike; as exact in JavaScript
SIMULATED_FPS = 15.0  # a frame with a hand in it takes 20 ms to draw on one core


def play_attended(
    options: argparse.Namespace,
    profile: Profile | None,
    language: Language,
    screens: tuple[Screen, ...],
    manager: ServiceManager,
    ending: Ending,
) -> int:
    """Ask what to play unless the command line says it, play until somebody quits; return the status.

    screens: the real ones; they are closed at the end. manager: who started the program. ending: hears the signals.
    """
    if not options.game and not can_ask(options):
        options.game = USUAL_GAME
    match = new_match(options) if options.game or options.players is not None else None
    with ExitStack() as open_things:
        tray = _tray(options, match) if options.camera == "sim" else None
        camera = camera_of(options, tray.camera if tray else _camera(options, profile))
        open_things.callback(camera.close)
        buttons = _buttons(options, manager)
        for button_pair in buttons:
            open_things.callback(button_pair.close)
        profile = profile_of(tray) if tray else profile
        page = open_page(options, simulated=tray is not None, crop=crop_of(profile))
        others = (*open_views(options), *((page,) if page else ()))
        for view in others:
            open_things.callback(view.close)
        at_terminal = uses_terminal(options)
        terminal = TerminalView(tray_keys=tray is not None, crop=crop_of(profile)) if at_terminal else None
        log: Callable[[str], None] = open_things.enter_context(_told_at_the_end()) if at_terminal else tell
        views = Views(screens, terminal, language, others, page)
        if match is not None and not _lays(options, camera):
            tell_one_by_one(match)
        keys = HandsAtKeys(terminal, tray)
        if terminal is not None:
            open_things.enter_context(terminal)
        app = App(options, manager, ending, camera, profile, buttons, page, screens, at_terminal, keys, views, log)
        status, session = app.play(match, open_things)
    if session is not None and at_terminal:
        tell_standing(session, options)
    return status


@dataclass(frozen=True, slots=True)
class App:
    """What is wired at a table with people. buttons: the real ones. page: None without one. log: takes a line."""

    options: argparse.Namespace
    manager: ServiceManager
    ending: Ending
    camera: Camera
    profile: Profile | None
    buttons: tuple[Buttons, ...]
    page: "Page | None"
    screens: tuple[Screen, ...]
    at_terminal: bool
    keys: HandsAtKeys
    views: Views
    log: Callable[[str], None]

    def play(self, match: Match | None, open_things: ExitStack) -> tuple[int, MatchSession | None]:
        """Open the store, begin or resume, and play; return the status and the match that was played last."""
        options = self.options
        path = options.store or default_path()
        opening = StoreOpening(
            path,
            Standby(self.keys, self.views, self.manager, self.ending),
            self._pressed,
            self.page.inbox if self.page else None,
            self.log,
            asks=(self.at_terminal or self.manager.present) and can_ask(options),
            waits=self.manager.present and not self.at_terminal,
        )
        store = open_things.enter_context(opening.opened())
        lines_out = Lines(as_json=True) if options.json else _no_lines  # with --json there is no terminal view
        matches = MatchLibrary(store, FrameTime(live=True), lines_out, registers=_lays(options, self.camera))
        session = None if options.resume is None else matches.resume(number_of(options))
        recorder = open_things.enter_context(recording(options, self.profile, film=not self.camera.live))
        real = options.camera not in ("sim", "none") and self.camera.live
        watch = PerceptionPipeline(frame_reader(options, live=real), self.profile, fault=options.setup_fault)
        if session is None and options.game and match is not None:
            session = opening.awaited(partial(self._begun, matches, match))  # last: a refusal leaves no match behind
        if not self.camera.live:
            session = session or matches.begin(new_match(options))
            self._play_film(watch, session, recorder)
            return 0, session
        table = self._table(watch, matches, store.path)
        table.record(recorder)
        wakes = (*self.buttons, self.page.inbox if self.page else None)
        status = play_live(table, session, self.keys, self.views, wakes, self.manager, self.ending)
        return status, table.session

    @property
    def _pressed(self) -> tuple[Buttons, ...]:
        return (*self.buttons, self.keys.buttons)

    def _begun(self, matches: MatchLibrary, match: Match) -> MatchSession:
        """Go on with the match played last at a table that goes on with one, else begin this match."""
        goes_on = self.options.goes_on and self.camera.live and not self.at_terminal
        return (matches.continued(match) if goes_on else None) or matches.begin(match)

    def _table(self, watch: PerceptionPipeline, matches: MatchLibrary, store: Path) -> TableLoop:
        """Return the loop; what people do beyond the match is carried out by the handlers."""
        options, views, page = self.options, self.views, self.page
        table: TableLoop

        def start() -> Dialog:
            return matches.menu(_seated(options), home=table.session is not None)

        watched = CameraThread(self.camera, watch, time.monotonic)
        checking = TableChecks(options, self.camera, watched)
        handlers = {
            **matches.handlers,
            **language_handlers(views, store),
            **display_handlers(self.screens, store),
            **self.keys.handlers,
            **(page_handlers(page) if page else {}),
            **checking.handlers,
        }
        if is_device(options.camera):
            handlers |= calibration_handlers(lambda: watched.newest, options.profile, watch.use, self.camera)
        matches.calibrates = MenuAction.CALIBRATE in handlers
        matches.phones = page is not None
        if page:
            page.offer(setup_source(store, _seated(options)), lambda: watch.profile, checking.now)
        table = TableLoop(
            watched,
            self._pressed,
            handlers,
            start,
            no_camera=options.camera == "none",
            inbox=page.inbox if page else None,
            first_question=random.randrange(FIRST_QUESTIONS),  # noqa: S311 - no secret
            store_trouble=lambda: matches.trouble,
            switches_off=options.switches_off,
        )
        return table

    def _play_film(self, watch: PerceptionPipeline, session: MatchSession, recorder: TurnRecorder | None) -> None:
        """Referee a film or photographs in view of people: they can look on and quit."""

        def shown(seen: FrameResult) -> None:
            now = snapshot(session, seen.pixel_reading)
            self.views.show(now, seen, time.monotonic())
            self.keys.obey(session, now, 0.0)
            if self.keys.quit or self.ending.asked:
                self.camera.close()

        run_film(
            self.camera, watch, session, on_frame=lambda _: None, shown=shown, tell=lambda _: None, recorder=recorder
        )


def _lays(options: argparse.Namespace, camera: Camera) -> bool:
    """Return whether players lay a die to say whose it is: not in a film, and not without a camera."""
    return camera.live and options.camera != "none"


def _seated(options: argparse.Namespace) -> tuple[str, ...]:
    return tuple(options.players.split(",")) if options.players else ()


def _buttons(options: argparse.Namespace, manager: ServiceManager) -> tuple[Buttons, ...]:
    """Open the real buttons; a service does not stop because they are not there yet."""
    if manager.present and options.buttons not in OWN_BUTTONS:
        return (Reconnecting(lambda: open_buttons(options, needed=True)[0], tell),)
    return open_buttons(options)


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
            tell(line)


def _tray(options: argparse.Namespace, match: Match | None) -> Tray:
    chance = random.Random(options.seed)  # noqa: S311 - dice of a game, repeatable on purpose
    dice = match.game.dice if match else MENU_DICE
    return Tray(dice, chance=chance, fps=SIMULATED_FPS, clock=time.monotonic, wait=time.sleep)


def _camera(options: argparse.Namespace, profile: Profile | None) -> Camera:
    """Open the camera; an appliance does not stop because its camera is not there yet."""
    with naming_line(options, "camera"):
        check_camera(options.camera)
        if is_device(options.camera) and not uses_terminal(options):
            shown_mm = profile.width_px / profile.px_per_mm if profile else 0.0
            return Reconnecting(lambda: open_camera(showing(options.camera, shown_mm)))
        return camera_with_pictures(options.camera, tell)
