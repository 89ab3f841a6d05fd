"""What another package offers is checked once: a broken camera or view costs one line that names its entry point."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest

from tabletop.cameras.opening import CheckedCamera
from tabletop.core.errors import DeviceError, InputError
from tabletop.core.ports import Frame
from tabletop.core.words import open_offered

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = """
import time
import numpy as np
from tabletop import Frame
class Device:
    live, width, height = True, 128, 64
    def read(self):
        time.sleep(0.1)
        return Frame(np.full((480, 640, 3), 90, np.uint8), time.monotonic())
    def edges(self): return ()
    def listen(self, call): pass
    def show(self, *what): pass
    def light(self, light): pass
    def close(self): pass
def opened(words): return Device()
"""
GROUPS = ("cameras", "buttons", "screens", "views")
OFFERED = "".join(f"[tabletop.{group}]\ntheirs = theirs:opened\n" for group in GROUPS)
# Tests that name the devices and views that there are.
TESTS = ("tests/config/test_file.py", "tests/cameras/test_cameras.py", "tests/views/test_view_of_a_package.py")
PIXELS = np.zeros((48, 64, 3), np.uint8)


class Given:
    """A camera that gives what it was given. live: as of the port."""

    def __init__(self, frame: object, *, live: bool = True) -> None:
        self.frame, self.live = frame, live

    def read(self) -> object:
        return self.frame

    def show(self) -> None:
        """Take no snapshot."""

    def close(self) -> None:
        """Close nothing."""


@pytest.mark.parametrize(
    ("frame", "fault"),
    [
        (PIXELS, "expected read() to return a Frame or None, got ndarray"),
        (Frame([[0]], 0.0), "expected pixels as a NumPy array, got list"),  # type: ignore[arg-type]  # the fault
        (Frame(PIXELS[..., 0], 0.0), "expected pixels of (height, width, 3) uint8, BGR, got (48, 64) uint8"),
        (Frame(PIXELS.astype(float), 0.0), "got (48, 64, 3) float64"),
        (Frame(PIXELS, time.time()), "expected time_s within 1 s of time.monotonic(), 50.0, got "),
        (Frame(PIXELS, 50.3), ""),
    ],
    ids=["no frame", "list", "grey", "float", "wall clock", "good"],
)
def test_the_first_frame_is_checked(frame: object, fault: str) -> None:
    """One line with the entry point, what was expected, and what came."""
    point = EntryPoint("theirs", "theirs:opened", "tabletop.cameras")
    camera = CheckedCamera(Given(frame), point, lambda: 50.0)
    if not fault:
        assert camera.read() is frame
        return
    with pytest.raises(InputError) as told:
        camera.read()
    assert str(told.value).startswith("--camera theirs (theirs:opened): expected")
    assert fault in str(told.value)
    assert "\n" not in str(told.value)


def test_a_film_has_a_clock_of_its_own() -> None:
    """Frames of a camera that is not live may begin at any time; one that was checked is not checked again."""
    point, given = EntryPoint("theirs", "theirs:opened", "tabletop.cameras"), Given(Frame(PIXELS, 0.0), live=False)
    camera = CheckedCamera(given, point)
    assert camera.read() is given.frame
    given.frame = None
    assert camera.read() is None


def _missing(_: str) -> object:
    raise DeviceError("push its plug in")


@pytest.mark.parametrize(
    ("kind", "opening", "fault"),
    [
        (
            "camera",
            lambda _: object(),
            "expected an object with live, read, close, got object without live, read, close",
        ),
        ("camera", object, "expected an open device, or a DeviceError, got TypeError: "),
        ("view", lambda _: Given(None), "expected a view with show(snapshot, frame, now_s), got TypeError: too many"),
        ("buttons", lambda _: Given(None), "got Given without edges, listen"),
        ("camera", _missing, "push its plug in"),
    ],
    ids=["no camera", "no words", "no snapshot", "no buttons", "not there"],
)
def test_what_is_opened_is_checked(
    kind: str, opening: Callable[..., object], fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Against its port, but for what it says itself."""
    monkeypatch.setitem(globals(), "opened", opening)
    with pytest.raises((InputError, DeviceError)) as told:
        open_offered(kind, EntryPoint("theirs", f"{__name__}:opened", "any"), "")
    assert fault in str(told.value)
    assert (opening is _missing) != str(told.value).startswith(f"--{kind} theirs ({__name__}:opened): ")


@pytest.mark.slow
def test_the_tests_hold_beside_a_package_that_offers_devices(tmp_path: Path) -> None:
    """With a camera, buttons, a screen and a view of another package in the same environment."""
    (tmp_path / "theirs.py").write_text(PACKAGE, encoding="utf-8")
    facts = tmp_path / "theirs-1.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1\n", encoding="utf-8")
    (facts / "entry_points.txt").write_text(OFFERED, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-m", "pytest", "-n", "0", "-q", "-m", "not slow", *TESTS]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
