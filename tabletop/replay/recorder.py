"""Writes what a table sees and decides while people play, in a thread of its own.

The table only puts things on a queue of bounded size: a slow card costs pictures, never a press. A picture that shows
what an earlier one shows is not kept twice, except around an event, a press or a new hint: what was decided there must
be decided again from the very same frames.
"""

import errno
import json
import os
import shutil
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import cv2

from tabletop.core.message import say
from tabletop.core.ports import Edge, Frame
from tabletop.core.values import Profile, Reading
from tabletop.replay.archive import Archive, Slot
from tabletop.replay.frame_dedup import FrameDeduplicator
from tabletop.replay.serialization import edge_json, profile_json, reading_json

MIB = 1 << 20
USUAL_MIB = 1024  # about an hour of dice in motion, an evening of a game
LINES_BEYOND = 0.1  # share of the limit that lines may exceed it by, when no picture finds room any more
QUEUE_BYTES = 64 * MIB  # of pictures that wait for the card: two seconds at 640x480 and 30 a second
BEFORE_S, AFTER_S = 1.0, 0.3  # around an event each frame is kept: the rest before it lasts a quarter of a second
WAITING_BYTES = 32 * MIB  # of pictures that wait for an event which may come; large cameras wait less than BEFORE_S
QUALITY = 95  # JPEG: half a megabyte of noise is left out, no pip is
CHUNK_S = 1.0  # lines are on the card after this; so are the pictures, or the store's own writing would wait for them
FULL_COLOUR = int(cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444)  # colour as fine as light: dice are told apart by it
STEPS = 4  # the size is reported when it has grown by another quarter of the limit: now and then in an evening
SPARE_BYTES = 64 * MIB  # of the card are left to the store of the matches: years of evenings
NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
LATEST = 16  # frames that a turn of the loop may be about


@dataclass(slots=True)
class _Shot:
    """A frame that waits to be written. frame: None if its picture was lost; jpeg: empty until it is encoded."""

    number: int
    frame: Frame | None
    time_s: float
    at_rest: bool
    reading: Reading
    like: int | None = None
    near: bool = False
    jpeg: bytes = b""


_Line = tuple[float, str]
_Turn = tuple[float, bool, str]
"""Of a turn of the loop: when it was, whether something happened in it, and its line."""


class Recorder:
    """Writes a recording.

    path: a new file. profile: of the set-up. facts: what else stands in the first line. limit: bytes; where it is
    reached the oldest pictures that are not around an event go first. spare: bytes of the card that are left to others,
    above all to the store of the matches. Raises InputError if the file cannot be made.
    """

    def __init__(
        self,
        path: Path,
        profile: Profile | None = None,
        facts: Mapping[str, Any] | None = None,
        limit: int = USUAL_MIB * MIB,
        spare: int = SPARE_BYTES,
    ) -> None:
        self._archive, self._limit = Archive(path, limit), limit
        self._folder, self._spare = path.parent, spare
        self.lost = self.full = self.kept = 0
        self.trouble = self._why = ""
        self._gave_up = False
        self._count = 0
        self._latest: deque[tuple[Frame, int]] = deque(maxlen=LATEST)
        self._queued, self._lock = 0, threading.Lock()
        self._queue: SimpleQueue[_Shot | _Turn | None] = SimpleQueue()
        self._waiting: deque[_Shot | _Line] = deque()
        self._waiting_bytes = 0
        self._quiet, self._new = FrameDeduplicator(), -1
        self._near_until_s = float("-inf")
        self._dull: deque[Slot] = deque()
        self._lines: list[str] = []
        self._chunk, self._chunk_s = 0, float("-inf")
        self._lines.append(json.dumps({"recording": 1, "profile": profile_json(profile), **(facts or {})}))
        self._synced_s = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    def add_frame(self, frame: Frame, reading: Reading) -> None:
        """Take in a frame and what was read in it, in pixels. Returns at once, in any thread."""
        if self.trouble:
            return
        number, self._count = self._count, self._count + 1
        self._latest.append((frame, number))
        shot = _Shot(number, frame, frame.time_s, frame.at_rest, reading)
        with self._lock:
            if self._queued + frame.pixels.nbytes > QUEUE_BYTES:
                shot.frame = None
                self.lost += 1
            else:
                self._queued += frame.pixels.nbytes
        self._queue.put(shot)

    def turned(self, now_s: float, frame: Frame | None, edges: Sequence[Edge], changes: Mapping[str, Any]) -> None:
        """Take a turn of the loop: the frame that was processed, edges of buttons, and what is new."""
        if self.trouble:
            return
        number = next((number for shown, number in reversed(self._latest) if shown is frame), None)
        line: dict[str, Any] = {"turn": now_s, "frame": number}
        if edges:
            line["edges"] = [edge_json(edge) for edge in edges]
        matters = bool(edges or any(changes.get(name) for name in ("events", "hint", "match", "taps")))
        self._queue.put((now_s, matters, json.dumps(line | dict(changes))))

    def close(self) -> None:
        """Write what waits and end the file. Closing twice does nothing."""
        if self._thread.is_alive():
            self._queue.put(None)
        self._thread.join()

    @property
    def closing_notice(self) -> str:
        """What people should know at the end; empty if everything was kept."""
        parts = [f"{self.trouble} ({self._why})" if self._why else self.trouble] if self.trouble else []
        if self.lost:
            parts.append(f"{self.lost} pictures lost: the card is too slow")
        if self.full:
            parts.append(f"{self.full} pictures left out: {self._limit // MIB} MiB are full")
        return "; ".join(parts)

    @property
    def current_notice(self) -> str:
        """What people should know now, in one line; empty while the file is small."""
        if self.trouble:
            return self.trouble
        if self.full:
            return say("recording full: new pictures are left out")
        if self._gave_up:
            return say("recording full: the oldest pictures go")
        steps = STEPS * self._archive.size // self._limit
        if not steps:
            return ""
        return say(
            "recording: {n} of {n2} MiB", n=min(steps, STEPS) * self._limit // STEPS // MIB, n2=self._limit // MIB
        )

    # In the thread

    def _run(self) -> None:
        closed = False
        try:
            while (item := self._next()) is not None:
                self._take(item)
            closed = True
            self._settle_until(float("inf"))
            self._write_lines()
            self._archive.close()
        except OSError as error:  # the card is full or gone: the match goes on without a recording
            self._archive.leave()
            self._why = error.strerror or ""
            full = error.errno in NO_SPACE
            self.trouble = (
                say("recording ended: the card is full") if full else say("recording ended: the card has failed")
            )
            while not closed:
                closed = self._queue.get() is None

    def _next(self) -> _Shot | _Turn | None:
        """Return what comes next; while nothing comes, write what waits."""
        with suppress(Empty):
            return self._queue.get(timeout=CHUNK_S)
        self._settle_until(float("inf"))
        self._write_lines()
        return self._queue.get()

    def _take(self, item: _Shot | _Turn) -> None:
        if isinstance(item, _Shot):
            self._take_shot(item)
            self._settle_until(item.time_s - BEFORE_S)
            return
        now_s, matters, line = item
        if matters:
            self._near_until_s = now_s + AFTER_S
            for waiting in self._waiting:
                if isinstance(waiting, _Shot):
                    waiting.near = True
        self._waiting.append((now_s, line))
        self._settle_until(now_s - BEFORE_S)

    def _take_shot(self, shot: _Shot) -> None:
        shot.near = shot.time_s <= self._near_until_s
        if shot.frame is not None:
            if self._quiet.same(shot.frame, shot.reading):
                self._forget_pixels(shot)
                shot.like = self._new
            elif self._quiet.still(shot.frame, shot.reading):
                shot.like = self._new
                self._waiting_bytes += shot.frame.pixels.nbytes
            else:
                self._new = shot.number
                self._encode(shot)
        self._waiting.append(shot)

    def _encode(self, shot: _Shot) -> None:
        if shot.frame is not None:
            how = [cv2.IMWRITE_JPEG_QUALITY, QUALITY, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, FULL_COLOUR]
            shot.jpeg = cv2.imencode(".jpg", shot.frame.pixels, how)[1].tobytes()
            self._forget_pixels(shot)

    def _forget_pixels(self, shot: _Shot) -> None:
        if shot.frame is not None:
            with self._lock:
                self._queued -= shot.frame.pixels.nbytes
            shot.frame = None

    def _settle_until(self, time_s: float) -> None:
        """Write what waits no longer: it is older than this, or there is too much of it."""
        while self._waiting:
            first = self._waiting[0]
            at_s = first.time_s if isinstance(first, _Shot) else first[0]
            if at_s > time_s and self._waiting_bytes <= WAITING_BYTES:
                return
            self._waiting.popleft()
            if isinstance(first, _Shot):
                self._lines.append(self._written(first))
            else:
                self._lines.append(first[1])
            if at_s >= self._chunk_s + CHUNK_S:
                self._chunk_s = at_s
                self._write_lines()

    def _written(self, shot: _Shot) -> str:
        """Write the picture of a frame, if it gets one, and return its line."""
        if shot.frame is not None:  # quiet, and of another noise than the one it is like
            self._waiting_bytes -= shot.frame.pixels.nbytes
            if shot.near:
                self._encode(shot)
                shot.like = None
            self._forget_pixels(shot)
        line: dict[str, Any] = {"frame": shot.number, "time": shot.time_s}
        if shot.at_rest:
            line["at_rest"] = True
        if shot.like is not None:
            return json.dumps(line | {"like": shot.like})
        kept = bool(shot.jpeg) and self._room_for(shot)
        return json.dumps(line | {"picture": kept} | reading_json(shot.reading))

    def _room_for(self, shot: _Shot) -> bool:
        """Write a picture; False if there is no room."""
        slot = self._added(f"pictures/{shot.number:07}.jpg", shot.jpeg)
        if slot is None:
            self.full += 1
            return False
        if not shot.near:
            self._dull.append(slot)
        self.kept += 1
        return True

    def _added(self, name: str, data: bytes, *, beyond: bool = False) -> Slot | None:
        """Write a member, if need be in the place of the oldest pictures away from events."""
        while (slot := self._archive.add(name, data)) is None and self._dull:
            self._archive.give_up(self._dull.popleft())
            self._gave_up = True
        return self._archive.add(name, data, beyond=True) if slot is None and beyond else slot

    def _write_lines(self) -> None:
        if not self._lines:
            return
        if shutil.disk_usage(self._folder).free < self._spare:
            raise OSError(
                errno.ENOSPC, f"{os.strerror(errno.ENOSPC)}: {self._spare // MIB} MiB are left to the matches"
            )
        data = "".join(f"{line}\n" for line in self._lines).encode()
        beyond = self._archive.size < self._limit * (1 + LINES_BEYOND)
        if self._added(f"lines/{self._chunk:06}.jsonl", data, beyond=beyond) is None:
            self.trouble = say("recording ended: it is full")
        self._chunk, self._lines = self._chunk + 1, []
        if time.monotonic() >= self._synced_s + CHUNK_S:
            self._archive.sync()
            self._synced_s = time.monotonic()
