"""Playing with people at the table: a terminal, or the appliance's buttons and screen."""

import argparse
import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

from tabletop.cameras.opening import camera_with_pictures, is_device, open_camera
from tabletop.cameras.words import check_camera, showing
from tabletop.cli.wiring.args import USUAL_GAME, naming_line, new_match, number_of, tell, tell_one_by_one, tell_standing
from tabletop.cli.wiring.devices import OWN_BUTTONS, can_ask, open_buttons, open_views, uses_terminal
from tabletop.cli.wiring.keyboard import HandsAtKeys
from tabletop.cli.wiring.main_loop import play_live
from tabletop.cli.wiring.menu_parts import (
    DisplayChoice,
    LanguageSetting,
    PageParts,
    TableChecks,
    calibration_handlers,
    open_page,
    setup_source,
)
from tabletop.cli.wiring.presenter import Views
from tabletop.cli.wiring.store_choice import StoreChoice, StorePatience
from tabletop.cli.wiring.unattended import FrameTime, Lines, camera_of, frame_reader, recording
from tabletop.core.ports import Buttons, Camera, Screen
from tabletop.core.reconnecting import Reconnecting
from tabletop.core.values import Profile
from tabletop.dialogs.decisions import Dialog, MenuAction
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.rules import Match
from tabletop.service.service_manager import Ending, ServiceManager
from tabletop.session.camera_thread import CameraThread
from tabletop.session.film_loop import run_film
from tabletop.session.handlers import Handlers
from tabletop.session.match_library import MatchLibrary
from tabletop.session.match_session import MatchSession
from tabletop.session.observer import TurnRecorder
from tabletop.session.snapshotting import snapshot
from tabletop.session.table_loop import TableLoop
from tabletop.simulator.devices import TrayButtons
from tabletop.simulator.tray import profile_of
from tabletop.simulator.world import World
from tabletop.store import default_path
from tabletop.views.i18n.catalogue import Language
from tabletop.views.terminal.tray_picture import crop_of
from tabletop.views.terminal.view import TerminalView

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
    status = 0
    if not options.game and not can_ask(options):
        options.game = USUAL_GAME
    match = new_match(options) if options.game or options.players is not None else None
    with ExitStack() as open_things:
        world = _world(options, match) if options.camera == "sim" else None
        camera = camera_of(options, world.camera if world else _camera(options, profile))
        open_things.callback(camera.close)
        buttons = _buttons(options, manager)
        for button_pair in buttons:
            open_things.callback(button_pair.close)
        profile = profile_of(world.tray) if world else profile
        page = open_page(options, simulated=world is not None, crop=crop_of(profile))
        others = (*open_views(options), *page.views)
        for view in others:
            open_things.callback(view.close)
        at_terminal = uses_terminal(options)
        terminal = TerminalView(tray_keys=world is not None, crop=crop_of(profile)) if at_terminal else None
        log: Callable[[str], None] = open_things.enter_context(_told_at_the_end()) if at_terminal else tell
        views = Views(screens, terminal, language, others, log, page.notice, page.door)
        path = options.store or default_path()
        patience = StorePatience(path, views, manager, ending, waits=manager.present and not at_terminal)
        lines_out = Lines(as_json=True) if options.json else _no_lines  # with --json there is no terminal view
        lays = camera.live and options.camera != "none"
        if match is not None and not lays:
            tell_one_by_one(match)
        keys = HandsAtKeys(terminal, world, _pressed(world))
        if terminal is not None:
            open_things.enter_context(terminal)
        choice = StoreChoice(
            path,
            (*buttons, keys.buttons),
            keys,
            views,
            manager,
            ending,
            inbox=page.inbox,
            asks=(at_terminal or manager.present) and can_ask(options),
            log=log,
        )
        store = open_things.enter_context(choice.opened(patience))
        matches = MatchLibrary(store, FrameTime(live=True), lines_out, registers=lays)
        session = None if options.resume is None else matches.resume(number_of(options))
        page.offer_setup(setup_source(store.path, _seated(options), lambda: views.language))
        noting = open_things.enter_context(recording(options, profile, film=not camera.live))
        real = camera.live and world is None and options.camera != "none"
        watch = PerceptionPipeline(frame_reader(options, live=real), profile, fault=options.setup_fault)
        if session is None and options.game and match is not None:
            begun = partial(_begun, matches, match, goes_on=options.goes_on and camera.live and not at_terminal)
            session = patience.awaited(begun)  # last: whatever is refused leaves no match behind
        if camera.live:
            table = _table(
                camera,
                watch,
                (*buttons, keys.buttons),
                matches,
                options,
                {
                    **LanguageSetting(views, store.path).handlers,
                    **DisplayChoice(screens, store.path).handlers,
                    **keys.handlers,
                },
                page,
                language=lambda: views.language,
            )
            table.record(noting)
            status = play_live(table, session, keys, views, (*buttons, page.inbox), manager, ending)
            session = table.session
        else:
            session = session or matches.begin(new_match(options))
            _play_film(camera, watch, session, keys, views, noting, ending)
    if session is not None and terminal is not None:
        tell_standing(session, options)
    return status


def _pressed(world: World | None) -> TrayButtons:
    """Return the buttons that keys press: those beside the simulated tray, if there is one."""
    return world.tray.buttons if world else TrayButtons(time.monotonic, random.Random(0))  # noqa: S311 - chatter


def _begun(matches: MatchLibrary, match: Match, *, goes_on: bool) -> MatchSession:
    """Go on with the match that was played last, if there is one and `goes_on`, or begin this one."""
    return (matches.continued(match) if goes_on else None) or matches.begin(match)


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


def _world(options: argparse.Namespace, match: Match | None) -> World:
    chance = random.Random(options.seed)  # noqa: S311 - dice of a game, repeatable on purpose
    dice = match.game.dice if match else MENU_DICE
    return World.of(dice, chance=chance, fps=SIMULATED_FPS, clock=time.monotonic, wait=time.sleep)


def _camera(options: argparse.Namespace, profile: Profile | None) -> Camera:
    """Open the camera; an appliance does not stop because its camera is not there yet."""
    with naming_line(options, "camera"):
        check_camera(options.camera)
        if is_device(options.camera) and not uses_terminal(options):
            shown_mm = profile.width_px / profile.px_per_mm if profile else 0.0
            return Reconnecting(lambda: open_camera(showing(options.camera, shown_mm)))
        return camera_with_pictures(options.camera, tell)


def _table(
    camera: Camera,
    watch: PerceptionPipeline,
    buttons: tuple[Buttons, ...],
    matches: MatchLibrary,
    options: argparse.Namespace,
    settings: Handlers,
    page: PageParts,
    *,
    language: Callable[[], Language],
) -> TableLoop:
    table: TableLoop
    seated = _seated(options)

    def start() -> Dialog:
        return matches.menu(seated, home=table.session is not None)

    watched = CameraThread(camera, watch, time.monotonic)
    checking = TableChecks(options, camera, watched)
    page.offer_profile(lambda: watch.profile)
    page.offer_checks(lambda: (checking.now(), language()))
    handlers = {**matches.handlers, **settings, **page.handlers, **checking.handlers}
    if is_device(options.camera):
        handlers |= calibration_handlers(lambda: watched.newest, options.profile, watch.use, camera)
        matches.calibrates = MenuAction.CALIBRATE in handlers
    matches.phones = MenuAction.DEVICES in handlers
    no_camera = options.camera == "none"
    table = TableLoop(
        watched,
        buttons,
        handlers,
        start,
        no_camera=no_camera,
        inbox=page.inbox,
        first_question=random.randrange(FIRST_QUESTIONS),  # noqa: S311 - no secret
        store_trouble=lambda: matches.trouble,
        switches_off=options.switches_off,
    )
    return table


def _seated(options: argparse.Namespace) -> tuple[str, ...]:
    return tuple(options.players.split(",")) if options.players else ()


def _play_film(
    camera: Camera,
    watch: PerceptionPipeline,
    session: MatchSession,
    keys: HandsAtKeys,
    views: Views,
    noting: TurnRecorder | None,
    ending: Ending,
) -> None:
    """Referee a film or photographs in view of people: they can look on and quit."""

    def shown(seen: FrameResult) -> None:
        now = snapshot(session, seen.pixel_reading)
        views.show(now, seen, time.monotonic())
        keys.obey(session, now, 0.0)
        if keys.quit or ending.asked:
            camera.close()

    run_film(camera, watch, session, on_frame=lambda _: None, shown=shown, tell=lambda _: None, recorder=noting)
