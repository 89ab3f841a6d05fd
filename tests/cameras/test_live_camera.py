"""The thread that grabs: a read gives a frame taken after it was asked for, never waits long, and ends."""

import threading
import time
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.cameras import live_camera as live
from tabletop.cameras.files import FilmRecorder
from tabletop.cameras.live_camera import CameraFacts, LiveCamera, Locks
from tabletop.core.errors import DeviceError
from tabletop.core.reconnecting import Reconnecting

WAITED_S = 10.0  # only a failing test waits for so long


class Stepwise:
    """A driver that gives a frame each time somebody lets it. hangs: `grab` does not come back."""

    def __init__(self) -> None:
        self.let, self.closed, self.hangs = threading.Semaphore(0), threading.Event(), False
        self.at_grab, self.go_on = threading.Event(), threading.Event()
        self.decoded = 0
        self.threads = set[int]()

    def grab(self) -> float | None:
        self.threads.add(threading.get_ident())
        self.at_grab.set()
        if self.hangs:
            self.go_on.wait(WAITED_S)
        return time.monotonic() if self.let.acquire(timeout=0.05) else None

    def pixels(self) -> NDArray[np.uint8]:
        """Decode it: the number of frames decoded is its grey."""
        self.decoded += 1
        return np.full((48, 64, 3), 100 + self.decoded, np.uint8)

    def meter(self) -> None:
        """Measure nothing."""

    def lock(self) -> Locks:
        return {}

    def restore(self, locks: Locks) -> None:
        """Hold nothing."""

    def facts(self) -> CameraFacts:
        return CameraFacts("Stepwise", 64, 48)

    def close(self) -> None:
        self.closed.set()


def test_a_read_gives_a_frame_that_was_taken_after_it_was_asked_for() -> None:
    """What came before is grabbed, not decoded; device calls are made in one thread; the end is quick."""
    source = Stepwise()
    camera = LiveCamera(lambda: source, "usb:0", (64, 48))
    source.let.release()
    assert camera.read().pixels[0, 0, 0] == 101
    assert camera.facts == CameraFacts("Stepwise", 64, 48)
    source.let.release(2)
    begun_s = time.monotonic()
    assert camera.read().time_s >= begun_s - 0.1
    camera.close()
    assert source.closed.is_set()
    assert source.decoded == 2
    assert source.threads.isdisjoint({threading.get_ident()})
    with pytest.raises(DeviceError):
        camera.read()
    camera.close()


def test_a_driver_that_hangs_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """`read` says within its time that nothing comes, and `close` leaves the thread behind."""
    monkeypatch.setattr(live, "READ_S", 0.05)
    monkeypatch.setattr(live, "JOIN_S", 0.05)
    source = Stepwise()
    source.hangs = True
    camera = LiveCamera(lambda: source, "usb:0", (64, 48))
    with pytest.raises(DeviceError, match="camera usb:0 stopped answering"):
        camera.read()
    assert source.at_grab.wait(WAITED_S)
    camera.close()
    assert not source.closed.is_set()
    source.go_on.set()
    assert source.closed.wait(WAITED_S)


@pytest.mark.parametrize("film", [False, True])
def test_a_read_that_waits_ends_when_the_table_stops(
    film: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A driver that hangs, with more patience than a test has: behind what waits for a camera, and behind a film."""
    monkeypatch.setattr(live, "READ_S", 10 * WAITED_S)
    monkeypatch.setattr(live, "JOIN_S", 0.05)
    source = Stepwise()
    source.hangs = True
    awaited = Reconnecting(lambda: LiveCamera(lambda: source, "usb:0", (64, 48)))
    camera = FilmRecorder(awaited, tmp_path / "a.avi") if film else awaited
    ended = threading.Event()

    def read() -> None:
        with pytest.raises(DeviceError):
            camera.read()
        ended.set()

    threading.Thread(target=read, daemon=True).start()
    assert source.at_grab.wait(WAITED_S)
    camera.interrupt()
    assert ended.wait(WAITED_S)
    source.go_on.set()
    camera.close()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (DeviceError("no camera"), "no camera"),
        (RuntimeError("VIDIOC_STREAMON"), "camera usb:0 failed: RuntimeError: VIDIOC_STREAMON"),
    ],
)
def test_a_camera_that_cannot_be_opened_says_so_each_time(error: Exception, said: str) -> None:
    """The first read and the next ones, whatever its driver raises."""

    def opening() -> Stepwise:
        raise error

    camera = LiveCamera(opening, "usb:0", (64, 48))
    for _ in range(2):
        with pytest.raises(DeviceError, match=said):
            camera.read()
    camera.close()


def test_a_camera_that_is_closed_before_it_was_read_is_let_go() -> None:
    """No thread has begun then."""
    source = Stepwise()
    unread = LiveCamera(lambda: source, "usb:0", (64, 48))
    unread.open()
    unread.close()
    assert source.closed.is_set()
