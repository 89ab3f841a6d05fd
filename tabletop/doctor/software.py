"""The lines about what is no part that one can touch: store, clock, configuration, networks."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tabletop.config.file import Configuration, configuration
from tabletop.core.checks import Check
from tabletop.core.errors import InputError
from tabletop.core.message import say
from tabletop.doctor.rows import rows_check
from tabletop.doctor.setup import profile_checks
from tabletop.store.clock import BUILT, set_by

LEAST_FREE_MIB = 50  # a year of matches takes less; below, a card is all but full
MIB = 2**20


@dataclass(frozen=True, slots=True)
class Files:
    """Which files a table uses. config: None for the usual place. profile: None for none. root: of the system."""

    store: Path
    config: Path | None = None
    profile: Path | None = None
    root: Path = Path("/")


def file_checks(
    files: Files, now: datetime, *, thorough: bool = True, frame_px: tuple[int, int] | None = None
) -> Iterator[Check]:
    """Yield what there is to say of the files and of the clock.

    now: of the wall. thorough: read the whole store. frame_px: width and height of the camera's frames, if known.
    """
    yield from _store(files.store, thorough=thorough)
    yield _clock(now, files.root)
    yield _configuration(files.config)
    yield from profile_checks(files.profile, frame_px)


def _store(path: Path, *, thorough: bool) -> Iterator[Check]:
    part = say("store")
    folder = next((folder for folder in path.parents if folder.is_dir()), Path("/"))
    if not os.access(path if path.exists() else folder, os.W_OK):
        closed = say("make it writable for this user")
        yield Check(part, say("file"), found=path.exists(), right=False, figure=str(path), remedy=closed)
        return
    wrong = _damage(path) if thorough and path.exists() else ""
    remedy: str = say("move {text} away, and take a backup", text=str(path)) if wrong else ""
    yield Check(part, say("file"), found=path.exists(), right=not wrong, figure=wrong or str(path), remedy=remedy)
    if path.exists() and not wrong and (rows := rows_check(path, thorough=thorough)) is not None:
        yield rows
    free = shutil.disk_usage(folder).free // MIB
    right = free >= LEAST_FREE_MIB
    figure = say("{n} MiB", n=free)
    remedy = "" if right else say("make room: {n} MiB more", n=LEAST_FREE_MIB - free)
    yield Check(part, say("free space"), found=True, right=right, figure=figure, remedy=remedy)


def _damage(path: Path) -> str:
    """Return what SQLite says of a damaged store, empty if it is whole."""
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        try:
            (said,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        finally:
            connection.close()
    except sqlite3.Error as error:
        return str(error)
    return "" if said == "ok" else str(said)


def _clock(now: datetime, root: Path) -> Check:
    """Return whether the time is right. A table without network plays on, so a time that may be right is no fault."""
    time, by = now.strftime("%Y-%m-%d %H:%M"), set_by(now, root)
    if not by:
        remedy = say("connect it to the network once: it has no clock of its own")
        right = False if now < BUILT else None
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


def configured_or_empty(path: Path | None) -> Configuration:
    """Return the configuration; an empty one if it cannot be read, which is a line of its own."""
    try:
        return configuration(path)
    except InputError:
        return Configuration()
