"""All checks of a table: camera, files, clock, networks, and those from other packages."""

import os
import shutil
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import entry_points
from itertools import islice
from pathlib import Path
from typing import cast

import numpy as np

from tabletop.config.file import Configuration, configuration
from tabletop.config.profile import SHAPE_TOLERANCE, die_px, load_profile
from tabletop.core import InputError, Profile, ReplayError, StoreError, TabletopError, join, say
from tabletop.core.checks import Check, CheckedTable, Checking, is_missing, measured
from tabletop.doctor.camera import CAMERA, LARGER_DICE, MOST_UNSURE, SURER_DICE, SeenCamera, camera_checks
from tabletop.doctor.receivers import receiver_checks
from tabletop.perception.frame_reader import LEAST_DIE_PX
from tabletop.rules import Event
from tabletop.store import Store, clock, opening
from tabletop.store.rows import sound, stored_options, stored_players
from tabletop.vision.reader import read

LEAST_FREE_MIB = 50  # a year of matches takes less; below, a card is all but full
MIB = 2**20
MOST_NAMED = 20  # damaged rows, before the others are only counted
TYPES = {"TEXT": str, "INTEGER": int}  # of the columns of the side tables; any other is damage
SIDE_TABLES = ("name", "clock", "colour", "playing", "preset", "same_name", "sequence")
SIDE_PX, GREY, DIE_PX = 320, 96, 40.0  # of an empty picture
GROUP = "tabletop.checks"
NOT_LIVE = ("sim", "none")  # words of `--camera` that mean no real camera
PROFILE, STORE = say("profile"), say("store")


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a table. config: None for the default. profile: None if there is none. root: of the file system."""

    store: Path
    config: Path | None = None
    profile: Path | None = None
    root: Path = Path("/")


def file_checks(
    files: Files, now: datetime, *, thorough: bool = True, frame_px: tuple[int, int] | None = None
) -> Iterator[Check]:
    """Yield the checks of the files and of the clock.

    now: of the wall clock. thorough: read the whole store. frame_px: width and height of the camera's frames, if known.
    """
    yield from _store(files.store, thorough=thorough)
    yield _clock(now, files.root)
    yield _configuration(files.config)
    yield from receiver_checks(files.store, configured_or_empty(files.config).hooks)
    yield from profile_checks(files.profile, frame_px)


def _store(path: Path, *, thorough: bool) -> Iterator[Check]:
    folder = next((folder for folder in path.parents if folder.is_dir()), Path("/"))
    if not os.access(path if path.exists() else folder, os.W_OK):
        closed = say("make it writable for this user")
        yield Check(STORE, say("file"), found=path.exists(), right=False, figure=str(path), remedy=closed)
        return
    wrong = _damage(path) if thorough and path.exists() else ""
    remedy: str = say("move {text} away, and take a backup", text=str(path)) if wrong else ""
    yield Check(STORE, say("file"), found=path.exists(), right=not wrong, figure=wrong or str(path), remedy=remedy)
    if path.exists() and not wrong and (rows := rows_check(path, thorough=thorough)) is not None:
        yield rows
    free = shutil.disk_usage(folder).free // MIB
    remedy = say("make room: {n} MiB more", n=LEAST_FREE_MIB - free)
    yield measured(STORE, say("free space"), free >= LEAST_FREE_MIB, say("{n} MiB", n=free), remedy)


def _damage(path: Path) -> str:
    """Return what SQLite says of a damaged store, empty if it is whole."""
    try:
        with closing(_reading(path)) as database:
            (said,) = database.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        return str(error)
    return "" if said == "ok" else str(said)


def rows_check(path: Path, *, thorough: bool) -> Check | None:
    """Check that every row can be read; None if the store cannot be opened, which another check reports.

    thorough: read the events as well.
    """
    try:
        with Store(path, looking=True) as store:
            found = list(islice(_damaged(store, thorough=thorough), MOST_NAMED + 1))
    except StoreError:
        return None
    except sqlite3.Error as error:  # a table was replaced by what cannot be read at all
        away = say("move {text} away, and take a backup", text=str(path))
        return Check(STORE, say("rows"), found=True, right=False, figure=str(error), remedy=away)
    more = (say("and more"),) if len(found) > MOST_NAMED else ()
    figure = join("; ", (*found[:MOST_NAMED], *more)) or say("all can be read")
    remedy = say("the matches named cannot be played on; the others can. Nothing is deleted")
    return measured(STORE, say("rows"), not found, figure, remedy)


def _damaged(store: Store, *, thorough: bool) -> Iterator[str]:
    matches = store.matches()
    for match in matches:
        if match.damage:
            yield say("match {n}: {text}", n=match.number, text=match.damage)
        for event in store.events(match.number) if thorough else ():
            try:
                Event.from_json(event.body)
            except ReplayError:
                yield say("match {n}: event {n2}", n=match.number, n2=event.n)
    if thorough:
        yield from _damaged_beside(store.path, {match.number for match in matches})


def _damaged_beside(path: Path, matches: set[int]) -> Iterator[str]:
    """Yield the events whose match is lost, and the damaged rows of the other tables."""
    with closing(_reading(path)) as database:
        database.text_factory = opening.as_text
        for (match,) in database.execute("SELECT DISTINCT match FROM event"):
            if match not in matches:
                yield say("match {text} is lost, its events are there", text=str(match))
        for table in SIDE_TABLES:
            types = [TYPES.get(kind, object) for _, _, kind, *_ in database.execute(f"PRAGMA table_info({table})")]
            rows = database.execute(f"SELECT * FROM {table}") if types else ()  # noqa: S608 - one of the names above
            for n, row in enumerate(rows, start=1):
                if not sound(row, *types) or (table == "preset" and not _is_preset(row)):
                    yield say("{text}: row {n}", text=table, n=n)


def _reading(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)


def _is_preset(row: tuple[str, ...]) -> bool:
    try:
        stored_players(row[2])
        stored_options(row[3])
    except ValueError:
        return False
    return True


def _clock(now: datetime, root: Path) -> Check:
    """Return whether the time is right. A table without network plays on, so a time that may be right is no fault."""
    time, by = now.strftime("%Y-%m-%d %H:%M"), clock.set_by(now, root)
    if not by:
        remedy = say("connect it to the network once: it has no clock of its own")
        right = False if now < clock.BUILT else None
        return Check(say("clock"), say("time"), True, right, say("{text}, not set: no dates", text=time), remedy)
    figures = {
        "network": say("{text}, from the network", text=time),
        "battery": say("{text}, from its battery clock", text=time),
        "machine": time,
    }
    return Check(say("clock"), say("time"), found=True, right=True, figure=figures[by])


def _configuration(path: Path | None) -> Check:
    part, name = say("configuration"), say("file")
    try:
        found = configuration(path)
    except InputError as error:
        return Check(part, name, found=True, right=False, figure=str(path or ""), remedy=str(error))
    if found.path is None:
        return Check(part, name, found=False, right=None, figure=say("not there"))
    return Check(part, name, found=True, right=True, figure=str(found.path))


def profile_checks(path: Path | None, frame_px: tuple[int, int] | None = None) -> Iterator[Check]:
    """Yield the checks of a profile's file. frame_px: width and height of the camera's frames, if known."""
    name = say("file")
    if path is None:
        remedy = say("`tabletop calibrate` makes one")
        yield Check(PROFILE, name, found=False, right=None, figure=say("not there"), remedy=remedy)
        return
    try:
        profile = load_profile(path)
    except TabletopError as error:
        yield Check(PROFILE, name, found=path.exists(), right=False, figure=str(path), remedy=str(error))
        return
    yield Check(PROFILE, name, found=True, right=True, figure=str(path))
    yield from _known(profile, frame_px or (profile.width_px, profile.height_px))


def _known(profile: Profile, frame_px: tuple[int, int]) -> Iterator[Check]:
    width, height = frame_px
    setup = profile.setup
    fits = abs(profile.width_px * height / (profile.height_px * width) - 1) <= SHAPE_TOLERANCE
    wide, high = (round(side) for side in profile.tray_mm)
    error_mm = setup.marker_error_mm if setup is not None else 0.0
    figure = (
        say("{n} x {n2} mm, good to {text} mm", n=wide, n2=high, text=f"{error_mm:.1f}")
        if error_mm
        else say("tray of {n} x {n2} mm", n=wide, n2=high)
    )
    other = say("made in pictures of {n} x {n2}: calibrate again", n=profile.width_px, n2=profile.height_px)
    yield measured(PROFILE, say("tray"), fits, figure, other)
    if not fits:
        return
    edge_px = die_px(profile, width, height)
    figure = say("{text} mm, {n} px", text=f"{profile.die_mm:.1f}", n=round(edge_px))
    yield measured(PROFILE, say("size of a die"), edge_px >= LEAST_DIE_PX, figure, LARGER_DICE)
    if setup is not None and setup.dice:
        figure = say("{n} of {n2} at the set-up", n=round(setup.unsure_share * setup.dice), n2=setup.dice)
        yield measured(PROFILE, say("unsure dice"), setup.unsure_share <= MOST_UNSURE, figure, SURER_DICE)


def configured_or_empty(path: Path | None) -> Configuration:
    """Return the configuration; an empty one if it cannot be read, which another check reports."""
    try:
        return configuration(path)
    except InputError:
        return Configuration()


def checks(
    table: CheckedTable, files: Files, camera: SeenCamera, now: datetime, *, thorough: bool = True
) -> tuple[Check, ...]:
    """Return all checks, in the order of troubleshooting. Opens no device that a table may be using.

    camera: the facts from its owner. now: of the wall clock. thorough: also check everything on disk, which takes some
    seconds; leave that out during play.
    """
    found = [*_camera(table, camera)]
    for checking in added():
        found += _guarded(checking, table)
    figures = camera.figures
    frame_px = None if figures is None else (figures.width, figures.height)
    found += file_checks(files, now, thorough=thorough, frame_px=frame_px)
    if thorough:
        found.append(network_check())
    return tuple(found)


def added() -> list[tuple[str, Checking]]:
    """Return the checks of other packages, by name."""
    points = sorted(entry_points(group=GROUP), key=lambda point: point.name)
    return [(point.name, cast("Checking", point.load())) for point in points]


def _guarded(named: tuple[str, Checking], table: CheckedTable) -> Iterable[Check]:
    """Return what a package found; one that fails is a line, and no end."""
    name, checking = named
    try:
        return list(checking(table))
    except Exception as error:  # noqa: BLE001 - code of others
        remedy = say("report this: {text}", text=f"{type(error).__name__}: {error}")
        return [Check(name, say("check"), found=False, right=False, remedy=remedy)]


def _camera(table: CheckedTable, camera: SeenCamera) -> Iterator[Check]:
    if table.camera in NOT_LIVE:
        yield Check(CAMERA, say("pictures"), found=False, right=None, figure=table.camera)
    elif table.camera == "auto" and camera.figures is None:
        right = is_missing(table, table.camera)
        absent, remedy = say("not there"), say("plug one in")
        yield Check(CAMERA, say("pictures"), found=False, right=right, figure=absent, remedy=remedy)
    else:
        yield from camera_checks(table.camera, camera)
    yield from camera.lights


def faults(found: Sequence[Check]) -> int:
    """Return the number of failed checks."""
    return sum(check.right is False for check in found)


def network_check() -> Check:
    """Read an empty picture twice, and time the second: the first one loads."""
    picture = np.full((SIDE_PX, SIDE_PX, 3), GREY, np.uint8)
    part, name = say("networks"), say("reading")
    try:
        read(picture, die_px=DIE_PX)
        begun_s = time.perf_counter()
        read(picture, die_px=DIE_PX)
    except Exception as error:  # noqa: BLE001 - OpenCV may raise anything on a file that is damaged
        return Check(part, name, found=False, right=False, figure=str(error), remedy=say("install the table again"))
    figure = say("{n} ms", n=round((time.perf_counter() - begun_s) * 1000))
    return Check(part, name, found=True, right=True, figure=figure)
