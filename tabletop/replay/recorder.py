"""Record what a table sees and decides during play, in a separate thread.

The table only adds to a bounded queue: a slow card costs pictures, never a press. A picture that equals an earlier one
is not stored twice.
"""

import errno
import json
import os
import shutil
import threading
import time
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.core import Profile, Reading, distance_in_edges, say
from tabletop.core.ports import Edge, Frame
from tabletop.replay import recording

MIB = 1 << 20
USUAL_MIB = 1024  # about an hour of dice in motion, an evening of a game
PICTURES_SHARE = 0.9  # of the limit that pictures may fill: lines go on for hours in the rest
QUEUE_BYTES = 96 * MIB  # that may wait for the card: two seconds at 640x480 and 30 a second, with a turn for each frame
QUALITY = 95  # JPEG: half a megabyte of noise is left out, no pip is
FULL_COLOUR = int(cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444)  # colour as fine as light: it distinguishes dice
SYNC_S = 1.0  # what was written is on the card after this
SPARE_BYTES = 64 * MIB  # of the card are left to the store of the matches: years of evenings
NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
LATEST = 16  # frames that a turn of the loop may be about
SMALL_PX = (80, 60)  # each of its pixels is the mean of a block: the sensor's noise is gone, a moved die is not
SAME_GREY = 5.0  # grey levels of such a mean; 64 pixels with noise of 8 levels stay within 4 of each other
SAME_EDGES = 0.05  # of a die's edge: the reader's own noise over a still tray

_Shot = tuple[dict[str, Any], NDArray[np.uint8] | None, Reading]
"""A frame that waits to be written: how its line begins, its pixels (None if they are lost), its reading."""


class StillFrames:
    """Finds frames that equal an earlier one, apart from noise."""

    def __init__(self) -> None:
        self._known: tuple[int, NDArray[np.float32], Reading] | None = None

    def like(self, number: int, pixels: NDArray[np.uint8], reading: Reading) -> int | None:
        """Return the number of an earlier frame that equals this one; None if it shows something new."""
        small = cv2.resize(pixels, SMALL_PX, interpolation=cv2.INTER_AREA)
        grey = np.asarray(np.asarray(small, np.float32).mean(axis=2), np.float32)
        if self._known is not None:
            like, before, then = self._known
            if float(np.abs(grey - before).max()) <= SAME_GREY and _alike(reading, then):
                return like
        self._known = number, grey, reading
        return None


def _alike(reading: Reading, other: Reading) -> bool:
    if Counter(die.face for die in reading.dice) != Counter(die.face for die in other.dice):
        return False
    if len(reading.unsure) != len(other.unsure):
        return False
    return all(
        any(die.face == there.face and distance_in_edges(die, there) <= SAME_EDGES for there in other.dice)
        for die in reading.dice
    )


class Recorder:
    """Writes a recording.

    path: a new file. profile: of the table. facts: further content of the first line. limit: the file never exceeds
    this many bytes. spare: bytes of the card reserved for others, above all for the store. Raises InputError if the
    file cannot be created.

    kept, lost, full: pictures that were written, that came too fast for the card, and that did not fit in the file.
    trouble: why the recording ended early, empty while it has not.
    """

    def __init__(
        self,
        path: Path,
        profile: Profile | None = None,
        facts: Mapping[str, Any] | None = None,
        limit: int = USUAL_MIB * MIB,
        spare: int = SPARE_BYTES,
    ) -> None:
        self.kept = self.lost = self.full = 0
        self.trouble = self._why = ""
        self._tar, self._path, self._limit, self._spare = recording.TarWriter(path, limit), path, limit, spare
        self._count = 0
        self._latest: deque[tuple[Frame, int]] = deque(maxlen=LATEST)
        self._queue: SimpleQueue[_Shot | str | None] = SimpleQueue()
        head = {"recording": recording.VERSION, "profile": recording.profile_json(profile), **(facts or {})}
        self._lines = [json.dumps(head)]
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    def add_frame(self, frame: Frame, reading: Reading) -> None:
        """Add a frame and its reading, in pixels. Returns at once; thread-safe."""
        if self.trouble:
            return
        number, self._count = self._count, self._count + 1
        self._latest.append((frame, number))
        fits = self._queue.qsize() * frame.pixels.nbytes < QUEUE_BYTES
        self.lost += not fits
        line = {"frame": number, "time": frame.time_s, **({"at_rest": True} if frame.at_rest else {})}
        self._queue.put((line, frame.pixels if fits else None, reading))

    def turned(self, now_s: float, frame: Frame | None, edges: Sequence[Edge], changes: Mapping[str, Any]) -> None:
        """Add an iteration of the loop: the processed frame, button edges, and changes."""
        if self.trouble:
            return
        number = next((number for shown, number in reversed(self._latest) if shown is frame), None)
        line: dict[str, Any] = {"turn": now_s, "frame": number}
        if edges:
            line["edges"] = [recording.edge_json(edge) for edge in edges]
        self._queue.put(json.dumps(line | dict(changes)))

    def close(self) -> None:
        """Write the queued entries and close the file. Closing twice does nothing."""
        self._queue.put(None)
        self._thread.join()

    @property
    def closing_notice(self) -> str:
        """A message for users at the end; empty if everything was stored."""
        parts = [f"{self.trouble} ({self._why})" if self._why else self.trouble] if self.trouble else []
        if self.lost:
            parts.append(f"{self.lost} pictures lost: the card is too slow")
        if self.full:
            parts.append(f"{self.full} pictures left out: {self._limit // MIB} MiB are full")
        return "; ".join(parts)

    @property
    def current_notice(self) -> str:
        """A one-line message for users now; empty if there is none."""
        return self.trouble or (say("recording full: new pictures are left out") if self.full else "")

    # In the thread

    def _run(self) -> None:
        try:
            self._write()
            self._tar.close()
        except OSError as error:  # the card is full or gone: the match goes on without a recording
            self._tar.leave()
            self._why = error.strerror or ""
            full = error.errno in NO_SPACE
            self.trouble = (
                say("recording ended: the card is full") if full else say("recording ended: the card has failed")
            )
        with suppress(Empty):  # after an error nothing that waits is written
            while True:
                self._queue.get_nowait()

    def _write(self) -> None:
        """Write what comes, the lines of each second together, until the end or until nothing more fits."""
        still, chunk, due_s, ended = StillFrames(), 0, 0.0, False  # the first line is written at once
        while not (ended or self.trouble):
            with suppress(Empty):
                item = self._queue.get(timeout=SYNC_S)
                ended = item is None
                if item is not None:
                    self._lines.append(item if isinstance(item, str) else self._written(item, still))
            if self._lines and (ended or time.monotonic() >= due_s or len(self._lines) >= recording.LINES_A_CHUNK):
                self._write_lines(chunk)
                chunk, due_s = chunk + 1, time.monotonic() + SYNC_S

    def _written(self, shot: _Shot, still: StillFrames) -> str:
        line, pixels, reading = shot
        kept = False
        if pixels is not None:
            if (like := still.like(line["frame"], pixels, reading)) is not None:
                return json.dumps(line | {"like": like})
            how = [cv2.IMWRITE_JPEG_QUALITY, QUALITY, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, FULL_COLOUR]
            jpeg = cv2.imencode(".jpg", pixels, how)[1].tobytes()
            kept = self._tar.add(recording.picture_name(line["frame"]), jpeg, PICTURES_SHARE)
            self.kept, self.full = self.kept + kept, self.full + (not kept)
        return json.dumps(line | {"picture": kept} | recording.reading_json(reading))

    def _write_lines(self, chunk: int) -> None:
        if shutil.disk_usage(self._path.parent).free < self._spare:
            raise OSError(
                errno.ENOSPC, f"{os.strerror(errno.ENOSPC)}: {self._spare // MIB} MiB are left to the matches"
            )
        data = "".join(f"{line}\n" for line in self._lines).encode()
        if not self._tar.add(f"lines/{chunk:06}.jsonl", data):
            self.trouble = say("recording ended: it is full")
        self._lines = []
        self._tar.sync()
