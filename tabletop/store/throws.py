"""The pictures of throws, in files beside the store: written behind the events, bounded in number and age.

A picture is a JPEG, and beside it the reading and the event in JSON, which is written last. Nothing here raises for a
card that is full, slow or read-only: pictures are lost then, and nothing else.
"""

import json
import os
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import Full, Queue
from threading import Thread

from tabletop.core.values import Die, Reading, Unsure, UnsureReason

FOLDER = "throws"
MOST_PICTURES = 2_000  # 80 MB at 40 kB each: some forty evenings of fifty throws, and no card is too small for it
OLDEST_S = 90 * 24 * 3600.0  # nobody disputes a throw of last season, and pictures show hands and rooms
WAITING = 3  # pictures that wait for a slow card: with their frames, 20 MB at most
JOIN_S = 2.0  # at the end; then what is not written is lost
PICTURE, READING = ".jpg", ".json"
OFF = "off"  # in the folder of all stores: while this file is there, no picture is kept
PRIVATE_FOLDER, PRIVATE = 0o700, 0o600


@dataclass(frozen=True, slots=True)
class KeptThrow:
    """A throw as the camera saw it. picture: JPEG. reading: in its pixels. event: as stored, without its request."""

    picture: bytes
    reading: Reading
    event: Mapping[str, object]


Write = Callable[[Path, bytes], None]
"""Writes a whole file; raises OSError."""


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only this user may read, in a folder like that."""
    path.parent.parent.mkdir(PRIVATE_FOLDER, exist_ok=True)
    path.parent.mkdir(PRIVATE_FOLDER, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, PRIVATE), "wb") as file:
        file.write(data)


def folder_of(store: Path) -> Path:
    """Return the folder with the pictures of this store's matches."""
    return store.with_name(FOLDER) / store.stem


def _path(store: Path, match: int, event: int, suffix: str) -> Path:
    return folder_of(store) / f"{match:d}-{event:d}{suffix}"


def events_with_picture(store: Path, match: int) -> set[int]:
    """Return the numbers of the match's events that have a picture."""
    names = [path.stem.partition("-")[2] for path in folder_of(store).glob(f"{match:d}-*{READING}")]
    return {int(name) for name in names if name.isascii() and name.isdigit()}


def load_throw(store: Path, match: int, event: int) -> KeptThrow | None:
    """Return what was kept of this event, None if there is nothing or it is damaged."""
    try:
        facts = json.loads(_path(store, match, event, READING).read_bytes())
        seen = facts["reading"]
        dice = tuple(Die(**die) for die in seen["dice"])
        unsure = tuple(Unsure(**{**one, "reason": UnsureReason[one["reason"]]}) for one in seen["unsure"])
        reading = Reading(0.0, seen["width"], seen["height"], dice, unsure)
        return KeptThrow(_path(store, match, event, PICTURE).read_bytes(), reading, facts["event"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def delete_pictures(store: Path, match: int) -> None:
    """Delete all pictures of a match; raises OSError if one cannot be deleted."""
    for path in folder_of(store).glob(f"{match:d}-*"):
        path.unlink(missing_ok=True)


def are_kept(store: Path) -> bool:
    """Return whether people want pictures to be kept."""
    return not (folder_of(store).parent / OFF).exists()


def keep_pictures(store: Path, *, keep: bool) -> None:
    """Keep pictures from now on, or no more, until this is called again; raises OSError."""
    file = folder_of(store).parent / OFF
    if keep:
        file.unlink(missing_ok=True)
    else:
        file.parent.mkdir(PRIVATE_FOLDER, exist_ok=True)
        file.touch(PRIVATE)


class ThrowPictures:
    """Keeps pictures in a thread of its own, so that a slow card delays nobody.

    store: beside which they are. write: writes a file. clock: seconds since 1970, as of files.
    """

    def __init__(self, store: Path, write: Write = write_private, clock: Callable[[], float] = time.time) -> None:
        self._store, self._write, self._clock = store, write, clock
        self._waiting = Queue[tuple[int, int, Callable[[], KeptThrow]] | None](WAITING)
        self._kept = deque[tuple[float, Path]]()  # when, and the picture; the oldest first
        self._thread = Thread(target=self._run, name="throws", daemon=True)
        self._thread.start()

    def put(self, match: int, event: int, make: Callable[[], KeptThrow]) -> None:
        """Keep what `make` returns, later; it is lost if too many wait. Returns at once."""
        with suppress(Full):
            self._waiting.put_nowait((match, event, make))

    def close(self) -> None:
        """Write what still waits, for a moment at most."""
        with suppress(Full):
            self._waiting.put(None, timeout=JOIN_S)
            self._thread.join(JOIN_S)

    def _run(self) -> None:
        with suppress(OSError):
            found = folder_of(self._store).glob(f"*{PICTURE}")
            self._kept.extend(sorted((path.stat().st_mtime, path) for path in found))
        self._forget_old()
        while (item := self._waiting.get()) is not None:
            match, event, make = item
            try:
                if are_kept(self._store):
                    self._keep(_path(self._store, match, event, PICTURE), make())
            except Exception:  # noqa: BLE001, S112 - a full card, or a frame that cannot be encoded: this picture is lost
                continue

    def _keep(self, path: Path, throw: KeptThrow) -> None:
        facts = {"event": throw.event, "reading": asdict(throw.reading)}
        self._kept.append((self._clock(), path))  # even if it is written in part
        self._forget_old()
        self._write(path, throw.picture)
        self._write(path.with_suffix(READING), json.dumps(facts, default=lambda reason: reason.name).encode())

    def _forget_old(self) -> None:
        while self._kept and (len(self._kept) > MOST_PICTURES or self._kept[0][0] < self._clock() - OLDEST_S):
            path = self._kept.popleft()[1]
            for suffix in (READING, PICTURE):
                with suppress(OSError):
                    path.with_suffix(suffix).unlink(missing_ok=True)
