"""From `--record FILE` to what keeps a recording, or a film. `check_record` has refused what cannot be obeyed."""

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path

from tabletop import __version__
from tabletop.cameras.files import CODECS
from tabletop.cli.wiring.args import naming_line, tell
from tabletop.core.errors import InputError
from tabletop.core.ports import Camera
from tabletop.core.values import Profile
from tabletop.session.observer import TurnRecorder

SUFFIX = ".tar"
MOST_MIB = 1 << 20  # a tebibyte: more than any card has


def check_record(options: argparse.Namespace) -> None:
    """Raise InputError where --record or --record-mib cannot be obeyed; nothing is made or opened."""
    path, mib = options.record, options.record_mib
    if mib is not None and not 1 <= mib <= MOST_MIB:
        raise InputError(f"expected --record-mib from 1 to {MOST_MIB}, got {mib}")
    if path is not None:
        with naming_line(options, "record"):
            _check_file(path)


def _check_file(path: Path) -> None:
    endings = (SUFFIX, *CODECS)
    if path.suffix.lower() not in endings:
        near = get_close_matches(path.suffix.lower(), endings, n=1, cutoff=0.0)[0]
        raise InputError(
            f"expected --record FILE ending in {SUFFIX}, {' or '.join(CODECS)}, got {path.name}; "
            f"nearest: {path.stem}{near}"
        )
    if path.exists():
        raise InputError(f"expected a new file after --record, got one that exists: {path}")
    if not path.parent.is_dir():
        raise InputError(f"expected an existing folder for --record, got {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise InputError(f"expected a folder that can be written for --record, got {path.parent}")


def camera_of(options: argparse.Namespace, camera: Camera) -> Camera:
    """Return the camera, its film recorded where that was asked for."""
    if options.record is None or options.record.suffix.lower() == SUFFIX:
        return camera
    from tabletop.cameras.files import FilmRecorder  # noqa: PLC0415 - seldom asked for

    return FilmRecorder(camera, options.record)


@contextmanager
def recording(options: argparse.Namespace, profile: Profile | None, *, film: bool) -> Iterator[TurnRecorder | None]:
    """Keep a recording for as long as this lasts, where that was asked for.

    film: frames come one a turn of the loop, and nobody has a menu.
    """
    if options.record is None or options.record.suffix.lower() != SUFFIX:
        yield None
        return
    from tabletop.replay.recorder import MIB, USUAL_MIB, Recorder  # noqa: PLC0415 - seldom asked for
    from tabletop.store.clock import set_by  # noqa: PLC0415

    now = datetime.now(UTC)
    mib = USUAL_MIB if options.record_mib is None else options.record_mib
    facts = {
        "way": "film" if film else "table",
        "no_camera": options.camera == "none",
        "camera": options.camera,
        "begun": now.isoformat(timespec="seconds"),
        "clock": set_by(now) or "not set",
        "version": __version__,
    }
    recorder = Recorder(options.record, profile, facts, mib * MIB)
    try:
        yield TurnRecorder(recorder)
    finally:
        recorder.close()
        if recorder.closing_notice:
            tell(recorder.closing_notice)
