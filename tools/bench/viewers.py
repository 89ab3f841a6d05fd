"""Viewers of the page: how soon the last one gets a stored event, and their cost to the reading thread."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median

from tabletop.core.ports import Frame
from tabletop.views.snapshot import Snapshot
from tabletop.vision import reader
from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page
from tools.bench.figure import MS_PER_S, Figure, one_core
from tools.bench.pictures import still

CROWDS = (1, 20, 100)  # viewers
WATCHED_BY = 20  # while frames are read
DICE, WIDTH_PX, HEIGHT_PX, DIE_PX = 6, 640, 480, 60.0
FRAMES_AN_EVENT = 10  # three events a second, at thirty frames: more than anybody plays
# Viewers in a process of their own: each number that all of them have, and when that was. As many trays besides.
CROWD = """
import re, selectors, socket, sys, time
host, port, viewers = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
streams, seen = selectors.DefaultSelector(), {}
for path in ["/events", "/tray"] * viewers:
    stream = socket.create_connection((host, port))
    stream.sendall(f"GET {path} HTTP/1.1\\r\\nHost: {host}:{port}\\r\\n\\r\\n".encode())
    streams.register(stream, selectors.EVENT_READ, bytearray())
while True:
    for key, _ in streams.select():
        part = key.fileobj.recv(1 << 20)
        if not part:
            sys.exit()
        key.data.extend(part)
        end = key.data.rfind(b"\\n\\n")
        for number in re.findall(rb'"hint":"event (\\d+)"', key.data[: max(end, 0)]):
            seen[number] = seen.get(number, 0) + 1
            if seen[number] == viewers:
                print(int(number), time.monotonic(), flush=True)
        del key.data[: max(end, 0)]
"""


def viewer_figures(throw: Callable[[], None], shown: Callable[[], Snapshot], *, quick: bool) -> Iterator[Figure]:
    """Measure and yield one figure after another. throw: stores an event. shown: returns the current snapshot."""
    with tempfile.TemporaryDirectory() as folder:
        page = Page(listen("local", 0), time.monotonic, Path(folder) / DEVICES)
        for viewers in CROWDS[:1] if quick else CROWDS:
            times_ms = _times_ms(page, viewers, throw, shown, 3 if quick else 100)
            note = f"worst {max(times_ms):.1f} ms"
            yield Figure(f"event on disk to the last viewer of {viewers}", median(times_ms), "ms", len(times_ms), note)
        with one_core():
            yield _cost(page, shown(), 1 if quick else 6, 4 if quick else 60)
        page.close()


@contextmanager
def _crowd(page: Page, viewers: int, shown: Snapshot) -> Iterator[Callable[[int], float]]:
    """Let as many look; yield what returns when all of them had the snapshot of a number, in seconds."""
    host, _, port = page.address.partition(":")
    command = [sys.executable, "-I", "-S", "-c", CROWD, host, port, str(viewers)]
    page.show(replace(shown, hint="event 0"), None, time.monotonic())
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as crowd:
        out = crowd.stdout

        def had_by_all(number: int) -> float:
            for line in out or ():
                of, at_s = line.split()
                if int(of) == number:
                    return float(at_s)
            raise RuntimeError(f"expected that {viewers} viewers have snapshot {number}, but they have left")

        had_by_all(0)
        yield had_by_all
        crowd.terminate()


def _times_ms(
    page: Page, viewers: int, throw: Callable[[], None], shown: Callable[[], Snapshot], runs: int
) -> list[float]:
    times_ms = []
    with _crowd(page, viewers, shown()) as had_by_all:
        for number in range(1, runs + 1):
            throw()
            start_s = time.monotonic()
            page.show(replace(shown(), hint=f"event {number}"), None, start_s)
            times_ms.append(MS_PER_S * (had_by_all(number) - start_s))
    return times_ms


def _cost(page: Page, shown: Snapshot, rounds: int, frames: int) -> Figure:
    """Return the reading thread's own CPU time a frame, watched to alone; measured by turns."""
    alone_ms, watched_ms = list[float](), list[float]()
    for _ in range(rounds):
        alone_ms += _frames_ms(page, shown, frames)
        with _crowd(page, WATCHED_BY, shown):
            watched_ms += _frames_ms(page, shown, frames)
    note = f"{median(alone_ms):.2f} and {median(watched_ms):.2f} ms of its own; each looks at the tray too"
    value = median(watched_ms) / median(alone_ms)
    return Figure(f"ratio: CPU time of a frame, {WATCHED_BY} viewers to none", value, "x", len(watched_ms), note)


def _frames_ms(page: Page, shown: Snapshot, frames: int) -> list[float]:
    """Return the CPU time that this thread spends on each frame: reading it, and handing it to the page."""
    picture, times_ms = still(WIDTH_PX, HEIGHT_PX, DIE_PX, DICE), []
    for number in range(1, frames + 1):
        pixels = picture.open().copy()
        start_s = time.thread_time()
        reading = reader.read(pixels, die_px=picture.die_px, expect=DICE, fixed_size=True)
        now_s = time.monotonic()
        hint = f"frames {number // FRAMES_AN_EVENT}"
        page.show(replace(shown, hint=hint, reading=reading), Frame(pixels, now_s), now_s)
        times_ms.append(MS_PER_S * (time.thread_time() - start_s))
    return times_ms
