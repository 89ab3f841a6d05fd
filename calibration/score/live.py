"""Measuring with people at the table: two buttons and a screen, or a terminal; the dice real, or simulated."""

import argparse
import os
import random
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from calibration.score.journal import Journal
from calibration.score.pictures import Pictures
from calibration.score.table import ScoreTable
from tabletop.cameras.opening import open_camera
from tabletop.cli.wiring.devices import open_buttons, open_screens, uses_terminal
from tabletop.cli.wiring.keyboard import HandsAtKeys
from tabletop.cli.wiring.language import language_of
from tabletop.cli.wiring.main_loop import play_live
from tabletop.cli.wiring.presenter import Views
from tabletop.config.file import configuration
from tabletop.config.own_dice import FILE_NAME, beside, load_own_dice
from tabletop.core.errors import InputError
from tabletop.core.values import Profile
from tabletop.dialogs.scoring.dialog import Scoring
from tabletop.perception.frame_reader import ReadFrame
from tabletop.perception.pipeline import PerceptionPipeline
from tabletop.session.camera_thread import CameraThread
from tabletop.simulator.room.world import World
from tabletop.simulator.tray.devices import TrayButtons
from tabletop.simulator.tray.tray_profile import profile_of
from tabletop.store import default_path
from tabletop.views.terminal.tray_picture import crop_of
from tabletop.views.terminal.view import TerminalView
from tabletop.vision.own_dice.model import OwnDice
from tabletop.vision.reader import read

SIMULATED_FPS = 15.0  # as in play


def score_live(
    options: argparse.Namespace,
    state: Scoring,
    journal: Journal,
    pictures: Pictures | None,
    profile: Profile | None,
) -> ScoreTable:
    """Let people measure until the goal is reached or they stop; return the table as it is then."""
    with ExitStack() as open_things:
        world = _world(options, state) if options.camera == "sim" else None
        camera = world.camera if world else open_camera(options.camera)
        open_things.callback(camera.close)
        if not camera.live:
            raise InputError(f"expected a camera over a tray, got a film or photographs: {options.camera}")
        profile = profile_of(world.tray) if world else profile
        pipeline = PerceptionPipeline(read if world else _reader(options.profile), profile)
        thread = CameraThread(camera, pipeline, time.monotonic)
        buttons, screens = open_buttons(options), open_screens(options)
        for close in (*(pair.close for pair in buttons), *(screen.close for screen in screens)):
            open_things.callback(close)
        terminal = None
        if uses_terminal(options):
            terminal = TerminalView(tray_keys=world is not None, crop=crop_of(profile))
            open_things.enter_context(terminal)
        language = language_of(options, configuration(options.config), os.environ)
        pressed = world.tray.buttons if world else TrayButtons(time.monotonic, random.Random(0))  # noqa: S311 - chatter
        keys = HandsAtKeys(terminal, world, pressed, free=True)
        table = ScoreTable(thread, (*buttons, keys.buttons), state, journal, pictures, profile)
        play_live(table, None, keys, Views(screens, terminal, language), buttons)
    return table


def _world(options: argparse.Namespace, state: Scoring) -> World:
    chance = random.Random(options.seed)  # noqa: S311 - dice of a game, repeatable on purpose
    return World.of(state.dice or 1, chance=chance, fps=SIMULATED_FPS, clock=time.monotonic, wait=time.sleep)


def _reader(profile: Path | None) -> ReadFrame:
    """Return the reader as it is in play, with what was learnt of the dice of this table."""
    samples = load_own_dice(beside(profile) if profile else default_path().with_name(FILE_NAME))
    return partial(read, own=OwnDice(samples)) if samples else read
