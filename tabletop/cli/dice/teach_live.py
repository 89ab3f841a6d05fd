"""Teaching with people at the table: two buttons and a screen, or a terminal."""

import argparse
import os
import random
import time
from collections.abc import Callable
from contextlib import ExitStack

from tabletop.cameras.opening import open_camera
from tabletop.cli.wiring.devices import can_ask, open_buttons, open_screens, uses_terminal
from tabletop.cli.wiring.keyboard import HandsAtKeys
from tabletop.cli.wiring.language import language_of
from tabletop.cli.wiring.main_loop import play_live
from tabletop.cli.wiring.presenter import Views
from tabletop.config.file import configuration
from tabletop.core.errors import InputError
from tabletop.perception.pipeline import PerceptionPipeline
from tabletop.session.camera_thread import CameraThread
from tabletop.session.table_loop import TableLoop
from tabletop.session.teaching import Picture, Teacher, Teaching
from tabletop.simulator.devices import TrayButtons
from tabletop.views.terminal.view import TerminalView
from tabletop.vision.reader import read


def teach_live(options: argparse.Namespace, die_px: Callable[[Picture], float | None]) -> Teacher:
    """Let people show a die until every face was seen often enough or they stop; return what was seen.

    die_px: the edge of a die in a picture, None if unknown.
    """
    options.json, options.views = False, []
    if not can_ask(options):
        raise InputError("expected buttons and a screen, or a terminal, to teach dice; or --faces and photographs")
    with ExitStack() as open_things:
        camera = open_camera(options.camera)
        open_things.callback(camera.close)
        thread = CameraThread(camera, PerceptionPipeline(read), time.monotonic)

        def picture() -> Picture | None:
            return thread.newest.frame.pixels if thread.newest is not None else None

        teacher = Teacher(options.look, picture, die_px)
        buttons, screens = open_buttons(options), open_screens(options)
        for pair in buttons:
            open_things.callback(pair.close)
        for screen in screens:
            open_things.callback(screen.close)
        terminal = TerminalView(tray_keys=False) if uses_terminal(options) else None
        if terminal is not None:
            open_things.enter_context(terminal)
        language = language_of(options, configuration(options.config), os.environ)
        keys = HandsAtKeys(terminal, None, TrayButtons(time.monotonic, random.Random(0)))  # noqa: S311 - chatter
        table = TableLoop(thread, (*buttons, keys.buttons), {}, lambda: Teaching(teacher.look, teacher.forget))
        play_live(table, None, keys, Views(screens, terminal, language), buttons)
    return teacher
