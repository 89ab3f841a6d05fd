"""Play unattended: a film, photographs, a bare camera, or simulated players in simulated time.

Recordings and the frame reader are opened here too, also for tables with people.
"""

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from tabletop import __version__
from tabletop.cameras import files, opening
from tabletop.cli.wiring import args, devices, outlets, presenter
from tabletop.config.own_dice import FILE_NAME, beside, load_own_dice
from tabletop.core import errors, ports, values
from tabletop.dialogs.event_text import event_text, result_text
from tabletop.dialogs.setup_state import TOGETHER
from tabletop.perception.frame_reader import ReadFrame
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.replay.recorder import MIB, USUAL_MIB, Recorder
from tabletop.rules import Event
from tabletop.session import film_loop, journal, match_library, match_session, observer, snapshotting
from tabletop.simulator.players import SimulatedPlayers, bring_own_dice
from tabletop.simulator.tray import BRISK, Tray, profile_of
from tabletop.store import Store, clock, default_path
from tabletop.views.i18n.catalogue import Language
from tabletop.vision import own_dice, reader

FPS = 10.0  # the least that the table must cope with; simulated time is paid for by the frame
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)  # times of films and simulations count from here (docs/commands.md)


class FrameTime:
    """The time for the store: the newest frame's time if frames have their own clock, else the system's."""

    def __init__(self, *, live: bool) -> None:
        self.live = live
        self.now_s = 0.0
        self._clock = clock.SystemClock()

    def note(self, frame: ports.Frame) -> None:
        """Set the time from a frame."""
        self.now_s = frame.time_s

    def __call__(self) -> values.Moment:
        """Return the moment."""
        return self._clock() if self.live else values.Moment(clock.written(EPOCH + timedelta(seconds=self.now_s)))


def play_unattended(options: argparse.Namespace, profile: values.Profile | None, language: Language) -> int:
    """Play one match as far as it goes; status 0 at the end of the match or of the film."""
    match = args.new_match(options)
    simulated = options.camera == "sim"
    with ExitStack() as open_things:
        with args.naming_line(options, "camera"):
            camera = None if simulated else camera_of(options, opening.camera_with_pictures(options.camera, args.tell))
        if camera is not None:
            open_things.callback(camera.close)
        broadcast, lines = outlets.Broadcast(options, page=False), Lines(as_json=options.json)
        others = (*devices.open_views(options), *broadcast.views)
        for view in others:
            open_things.callback(view.close)
        views = presenter.Views((), None, language, others)
        time = FrameTime(live=camera is not None and camera.live)
        store = open_things.enter_context(Store(options.store or default_path()))
        broadcast.start(store, open_things)
        matches = match_library.MatchLibrary(store, time, both(lines, broadcast.hub.stored), registers=simulated)
        if options.resume is None:
            if not simulated:
                args.tell_in_turn(match)
            session = matches.begin(match)
        else:
            session = matches.resume(args.number_of(options))
        lines.session = session

        def shown(seen: FrameResult) -> None:
            if others:
                views.show(snapshotting.snapshot(session, seen.pixel_reading), seen, seen.frame.time_s)

        if camera is None:
            _play_simulated(options, session, time.note, shown)
        else:
            watch = PerceptionPipeline(frame_reader(options, live=time.live), profile)
            with recording(options, profile, film=True) as recorder:
                film_loop.run_film(
                    camera, watch, session, on_frame=time.note, shown=shown, tell=args.tell, recorder=recorder
                )
            _check_for_throws(options, store, session)
        if not options.json:
            sys.stdout.write(result_text(session.match) + "\n")
    return 0


def _check_for_throws(options: argparse.Namespace, store: Store, session: match_session.MatchSession) -> None:
    """Name a film or folder without a throw; raise InputError for one picture, whose match is none to go on with."""
    if session.match.log:
        return
    said = f"expected a throw to be seen with --camera, found none in {options.camera}"
    if Path(options.camera).suffix.lower() not in (*files.PICTURE_SUFFIXES, ".gif"):
        args.tell(said)
        return
    store.end(session.journal.number, "abandoned")
    raise errors.InputError(said)


def _play_simulated(
    options: argparse.Namespace,
    session: match_session.MatchSession,
    on_frame: Callable[[ports.Frame], None],
    shown: Callable[[FrameResult], None],
) -> None:
    chance = random.Random(options.seed)  # noqa: S311 - dice of a game, repeatable on purpose
    tray = Tray(session.match.game.dice, chance=chance, pace=BRISK, fps=FPS)
    if session.match.options.get(TOGETHER):
        bring_own_dice(tray, session.match)
    players = SimulatedPlayers(tray, random.Random(chance.getrandbits(64)), rail=True)  # noqa: S311 - whims of players

    def shown_and_answered(seen: FrameResult) -> None:
        shown(seen)
        players.act(session.match, snapshotting.snapshot(session, seen.pixel_reading))

    profile, camera = profile_of(tray), camera_of(options, tray.camera)
    with closing(camera), recording(options, profile, film=True) as recorder:
        film_loop.run_film(
            camera,
            PerceptionPipeline(reader.read, profile),
            session,
            on_frame=on_frame,
            shown=shown_and_answered,
            tell=args.tell,
            recorder=recorder,
            buttons=tray.buttons,
        )


class Lines:
    """Writes each stored event as one line: JSON, or text."""

    def __init__(self, *, as_json: bool) -> None:
        self.session: match_session.MatchSession | None = None
        self._as_json = as_json

    def __call__(self, data: Mapping[str, Any]) -> None:
        """Write one event."""
        if self._as_json:
            line = json.dumps(dict(data))
        elif self.session is not None:
            line = event_text(Event.from_json(data), self.session.match)
        else:
            return
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


def both(first: journal.EventListener, second: journal.EventListener) -> journal.EventListener:
    """Return a listener that calls these two."""

    def listener(line: Mapping[str, Any]) -> None:
        first(line)
        second(line)

    return listener


def camera_of(options: argparse.Namespace, camera: ports.Camera) -> ports.Camera:
    """Return the camera, with its film recorded if configured."""
    if options.record is None or options.record.suffix.lower() == args.RECORDING_SUFFIX:
        return camera
    return files.FilmRecorder(camera, options.record)


@contextmanager
def recording(
    options: argparse.Namespace, profile: values.Profile | None, *, film: bool
) -> Iterator[observer.TurnRecorder | None]:
    """Record inside the `with` block, if configured.

    film: one frame comes per iteration of the loop, and there is no menu.
    """
    if options.record is None or options.record.suffix.lower() != args.RECORDING_SUFFIX:
        yield None
        return
    now = datetime.now(UTC)
    mib = USUAL_MIB if options.record_mib is None else options.record_mib
    facts = {
        "way": "film" if film else "table",
        "no_camera": options.camera == "none",
        "camera": options.camera,
        "begun": now.isoformat(timespec="seconds"),
        "clock": clock.set_by(now) or "not set",
        "version": __version__,
    }
    recorder = Recorder(options.record, profile, facts, mib * MIB)
    try:
        yield observer.TurnRecorder(recorder)
    finally:
        recorder.close()
        if recorder.closing_notice:
            args.tell(recorder.closing_notice)


def frame_reader(options: argparse.Namespace, *, live: bool) -> ReadFrame:
    """Return the frame reader, with the taught dice from --dice, else those of this table.

    live: the frames come from a camera; a film or simulated dice use taught dice only if --dice names them. A file that
    cannot be read is left alone, and the table plays without taught dice. Raises InputError if --dice names it.
    """
    path = options.dice
    if path is None and live:
        path = beside(options.profile) if options.profile else (options.store or default_path()).with_name(FILE_NAME)
    if path is None:
        return reader.read
    try:
        taught = load_own_dice(path)
    except errors.InputError as error:
        if options.dice is not None:
            raise
        args.tell(f"{error}; the table plays without: repair the file, or delete it")
        return reader.read
    return partial(reader.read, own=own_dice.OwnDice(taught)) if taught else reader.read
