"""Playing where nobody can be asked: a film, photographs, a bare camera, or simulated players in simulated time."""

import argparse
import json
import random
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tabletop.cameras.files import PICTURE_SUFFIXES
from tabletop.cameras.opening import camera_with_pictures
from tabletop.cli.wiring.args import naming_line, new_match, number_of, tell, tell_one_by_one
from tabletop.cli.wiring.devices import open_views
from tabletop.cli.wiring.presenter import Views
from tabletop.cli.wiring.record_option import camera_of, recording
from tabletop.cli.wiring.taught_dice import frame_reader
from tabletop.core.errors import InputError
from tabletop.core.ports import Frame
from tabletop.core.values import Moment, Profile
from tabletop.dialogs.event_text import event_text, result_text
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.rules import Event
from tabletop.session.film_loop import run_film
from tabletop.session.match_library import MatchLibrary
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import snapshot
from tabletop.store import Store, default_path
from tabletop.store.clock import SystemClock, written
from tabletop.views.i18n.catalogue import Language

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)  # times of films and simulations count from here (docs/commands.md)


class FrameTime:
    """The time to note: of the newest frame where frames have their own time, else the world's."""

    def __init__(self, *, live: bool) -> None:
        self.live = live
        self.now_s = 0.0
        self._clock = SystemClock()

    def note(self, frame: Frame) -> None:
        """Take over the time of a frame."""
        self.now_s = frame.time_s

    def __call__(self) -> Moment:
        """Return the moment."""
        return self._clock() if self.live else Moment(written(EPOCH + timedelta(seconds=self.now_s)))


def play_unattended(options: argparse.Namespace, profile: Profile | None, language: Language) -> int:
    """Play one match as far as it goes; status 0 at its end and at the end of the film."""
    match = new_match(options)
    simulated = options.camera == "sim"
    with ExitStack() as open_things:
        with naming_line(options, "camera"):
            camera = None if simulated else camera_of(options, camera_with_pictures(options.camera, tell))
        if camera is not None:
            open_things.callback(camera.close)
        others = open_views(options)
        for view in others:
            open_things.callback(view.close)
        views = Views((), None, language, others)
        time = FrameTime(live=camera is not None and camera.live)
        store = open_things.enter_context(Store(options.store or default_path()))
        lines = Lines(as_json=options.json)
        matches = MatchLibrary(store, time, lines, registers=simulated)
        if options.resume is None:
            if not simulated:
                tell_one_by_one(match)
            session = matches.begin(match)
        else:
            session = matches.resume(number_of(options))
        lines.session = session

        def shown(seen: FrameResult) -> None:
            if others:
                views.show(snapshot(session, seen.pixel_reading), seen, seen.frame.time_s)

        if camera is None:
            _play_simulated(options, session, time, shown)
        else:
            watch = PerceptionPipeline(frame_reader(options, live=time.live), profile)
            with recording(options, profile, film=True) as recorder:
                run_film(camera, watch, session, on_frame=time.note, shown=shown, tell=tell, recorder=recorder)
            _check_for_throws(options, store, session)
        if not options.json:
            sys.stdout.write(result_text(session.match) + "\n")
    return 0


def _check_for_throws(options: argparse.Namespace, store: Store, session: MatchSession) -> None:
    """Name a film or folder without a throw; raise InputError for one picture, whose match is none to go on with."""
    if session.match.log:
        return
    said = f"expected a throw to be seen with --camera, found none in {options.camera}"
    if Path(options.camera).suffix.lower() not in (*PICTURE_SUFFIXES, ".gif"):
        tell(said)
        return
    store.end(session.journal.number, "abandoned")
    raise InputError(said)


def _play_simulated(
    options: argparse.Namespace, session: MatchSession, time: FrameTime, shown: Callable[[FrameResult], None]
) -> None:
    from tabletop.cli.wiring.simulated_match import play_simulated  # noqa: PLC0415 - a film needs no simulator

    chance = random.Random(options.seed)  # noqa: S311 - dice of a game, repeatable on purpose
    play_simulated(
        session,
        chance,
        on_frame=time.note,
        shown=shown,
        filmed=lambda camera: camera_of(options, camera),
        recorded=lambda profile: recording(options, profile, film=True),
    )


class Lines:
    """Writes each event, once it is on disk, as one line: JSON, or words."""

    def __init__(self, *, as_json: bool) -> None:
        self.session: MatchSession | None = None
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
