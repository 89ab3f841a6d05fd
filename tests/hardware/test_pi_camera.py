"""The Raspberry Pi's camera through the real Picamera2, over an imitation of what lies below it (libcamera, kernel).

Picamera2 comes from `make others`. Its threads run in the machine's own time, so these tests take some seconds.
"""

import gc
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from libcamera_stand_in import CameraManager, Sensor, installed

from hardware import camera as pi
from hardware.camera import PiOpening, open_pi
from tabletop.cameras import lines
from tabletop.cameras.live_camera import LiveCamera
from tabletop.cameras.words import CameraWords
from tabletop.core.errors import DeviceError
from tabletop.core.ports import Frame

OTHERS = Path(__file__).resolve().parents[2] / "build" / "others"
SAID_S, BACK_S = 2.0, 4.0
WAITED_S = 10.0  # only a failing test waits for so long
HELD = ("exposure", "gain", "white", "focus")


@pytest.fixture
def sensor() -> Iterator[Sensor]:
    """Put a Camera Module 3 at the end of the ribbon."""
    sensor = Sensor()
    assert OTHERS.is_dir(), "expected Picamera2 in build/others: `make others` puts it there"
    with installed(sensor, str(OTHERS)):
        yield sensor


@pytest.fixture
def camera(sensor: Sensor) -> Iterator[LiveCamera]:
    assert sensor.there
    camera = open_pi("")
    yield camera
    camera.close()


def frame_within(camera: LiveCamera, seconds: float) -> Frame:
    end_s = time.monotonic() + seconds
    while time.monotonic() < end_s:
        with suppress(DeviceError):
            return camera.read()
    pytest.fail("no frame came")


def said_within(camera: LiveCamera, seconds: float) -> str:
    end_s = time.monotonic() + seconds
    while time.monotonic() < end_s:
        try:
            camera.read()
        except DeviceError as error:
            return str(error)
    pytest.fail("nothing was said")


def read_until(camera: LiveCamera, done: Callable[[], bool]) -> Frame:
    end_s = time.monotonic() + WAITED_S
    while time.monotonic() < end_s:
        frame = camera.read()
        if done():
            return frame
    pytest.fail("it never came")


def locked(camera: LiveCamera) -> bool:
    return camera.facts is not None and "free" not in camera.facts.held.values()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:setDaemon:DeprecationWarning")
class TestPicamera2:
    """What needs Picamera2."""

    def test_frames_are_upright_in_colour_and_new(self, camera: LiveCamera) -> None:
        """1280x720; blue first, as OpenCV has it; no older than two frames at 60 a second when they are returned."""
        frames = [camera.read() for _ in range(20)]
        ages_s = sorted(time.monotonic() - camera.read().time_s for _ in range(20))
        assert {frame.pixels.shape for frame in frames} == {(720, 1280, 3)}
        assert frames[-1].pixels[5, 5].tolist() == [130, 120, 120]
        assert frames[-1].pixels[-1, -1].tolist() == [130, 120, 120]
        assert ages_s[10] < 0.05
        times_s = [frame.time_s for frame in frames]
        assert times_s == sorted(times_s)
        assert camera.facts is not None
        assert (camera.facts.model, camera.facts.width, camera.facts.height) == ("imx708", 1280, 720)

    def test_the_widest_mode_that_is_fast_enough_is_used(self, sensor: Sensor, camera: LiveCamera) -> None:
        """Picamera2 would take 1536x864, which cuts the tray's sides off; to try all modes takes more than 512 MB."""
        camera.read()
        assert (sensor.set_to["mode"], sensor.configured) == ((2304, 1296), 1)
        assert sensor.set_to["FrameDurationLimits"] == (33333, 33333)

    def test_light_and_focus_are_measured_and_then_held(self, sensor: Sensor, camera: LiveCamera) -> None:
        """Under half the light the exposure is twice as long; then more light makes the picture brighter."""
        sensor.lux = 0.5
        read_until(camera, lambda: locked(camera) and sensor.set_to.get("ExposureTimeMode") == 1)
        assert sensor.set_to["ExposureTime"] == 20000
        assert sensor.set_to["ColourGains"] == (2.0, 1.5)
        assert (sensor.set_to["AfMode"], sensor.set_to["LensPosition"]) == (0, 2.4)
        assert camera.facts is not None
        assert camera.facts.held == dict.fromkeys(HELD, "locked")
        sensor.lux = 0.75
        assert [camera.read() for _ in range(10)][-1].pixels[0, 0, 1] == 180

    @pytest.mark.parametrize(
        ("words", "hangs", "most", "dioptres"),
        [("", False, 15.0, 2.9), ("", True, 15.0, 2.9), ("0,shows=520", False, 15.0, 2.498), ("", False, 2.0, 2.0)],
    )
    def test_a_lens_that_finds_nothing_is_set_to_the_trays_distance(
        self, sensor: Sensor, monkeypatch: pytest.MonkeyPatch, words: str, hangs: bool, most: float, dioptres: float
    ) -> None:
        """Over a plain cloth; a scan without an end; a profile (66 degrees show 520 mm from 0.400 m); a short range."""
        monkeypatch.setattr(pi, "SCAN_S", 1.0)
        sensor.sharp, sensor.scan_hangs, sensor.lens_range = None, hangs, (0.0, most)
        camera = open_pi(words)
        frame = read_until(camera, lambda: locked(camera) and sensor.set_to.get("AfMode") == 0)
        while not frame.trouble:
            frame = camera.read()
        assert sensor.lens_at == pytest.approx(dioptres, abs=0.01)
        assert frame.trouble == lines.unfocused("pi", round(1000 / sensor.lens_at))
        sensor.loose = True
        said_within(camera, SAID_S)
        sensor.loose, sensor.set_to, sensor.lens_at, sensor.af = False, {}, 1.0, 0
        frame_within(camera, BACK_S)
        assert sensor.set_to["AfMode"] == 0
        assert sensor.lens_at == pytest.approx(dioptres, abs=0.01)
        camera.close()

    def test_a_webcam_is_no_camera_at_a_ribbon(self, sensor: Sensor) -> None:
        """The list of libcamera has those on USB as well."""
        sensor.webcams = 2
        camera = open_pi("")
        camera.read()
        assert camera.facts is not None
        assert camera.facts.model == "imx708"
        camera.close()
        sensor.there = False
        with pytest.raises(DeviceError, match=r"^expected a camera at pi, got none: switch off, push its ribbon in$"):
            open_pi("")

    def test_a_loose_ribbon_is_said_and_recovered(self, sensor: Sensor, camera: LiveCamera) -> None:
        """No frame for a second: said within two. Firm again, frames come, and every buffer was given back."""
        read_until(camera, lambda: locked(camera) and sensor.set_to.get("ExposureTime") == 10000)
        sensor.loose = True
        assert said_within(camera, SAID_S) == "camera pi stopped answering: check its cable"
        sensor.loose, sensor.set_to = False, {}
        frame_within(camera, BACK_S)
        assert sensor.acquired == 1
        assert sensor.set_to["ExposureTime"] == 10000  # for the first frame already
        for _ in range(30):
            camera.read()

    def test_a_driver_that_hangs_is_left_behind(
        self, sensor: Sensor, camera: LiveCamera, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Closing never ends: people are told what to do, and if it ends after all, the frames go on."""
        monkeypatch.setattr(pi, "CLOSE_S", 0.1)
        camera.read()
        sensor.loose = sensor.hangs = True
        said_within(camera, SAID_S)
        end_s = time.monotonic() + WAITED_S
        while "hangs" not in (said := said_within(camera, SAID_S)):
            assert time.monotonic() < end_s
        assert said == "camera pi hangs: switch off, push its ribbon in, switch on"
        sensor.loose = sensor.hangs = False
        frame_within(camera, BACK_S)

    def test_another_program_and_no_camera_are_said(self, sensor: Sensor) -> None:
        """What to do is in the line; nothing stays open, however often it is tried."""
        sensor.busy = True
        camera = LiveCamera(PiOpening(CameraWords()), "pi", (1280, 720))
        open_files = len(list(Path("/proc/self/fd").iterdir()))
        for _ in range(5):
            with pytest.raises(DeviceError):
                camera.open()
        gc.collect()
        assert len(list(Path("/proc/self/fd").iterdir())) <= open_files
        with pytest.raises(DeviceError, match=r"^camera pi is used by another program: close it$"):
            open_pi("")
        sensor.busy, sensor.there = False, False
        with pytest.raises(DeviceError, match=r"^expected a camera at pi:1, got none: switch off, push its ribbon in$"):
            open_pi("1")
        assert sensor.acquired == 0

    def test_values_that_are_given_are_set(self, sensor: Sensor) -> None:
        """Milliseconds, a factor and dioptres; a lens without focus has none."""
        camera = open_pi("size=642x362,exposure=8,gain=2,white=auto,focus=3")
        try:
            read_until(camera, lambda: sensor.set_to.get("ExposureTime") == 8000)
            assert (sensor.set_to["AnalogueGain"], sensor.set_to["LensPosition"]) == (2.0, 3.0)
            assert camera.read().pixels.shape == (362, 642, 3)
        finally:
            camera.close()
        sensor.lens = False
        camera = open_pi("")
        read_until(camera, lambda: locked(camera))
        assert camera.facts is not None
        assert camera.facts.held["focus"] == "absent"
        camera.close()

    def test_it_lets_everything_go(self, sensor: Sensor) -> None:
        """The camera is free for the next program, and no thread of Picamera2 is left."""
        before = set(threading.enumerate())
        camera = open_pi("")
        camera.read()
        camera.close()
        assert sensor.acquired == 0
        assert CameraManager.current.cameras[0].released.wait(WAITED_S)
        for thread in set(threading.enumerate()) - before:
            thread.join(WAITED_S)
            assert not thread.is_alive(), thread


@pytest.mark.parametrize(
    ("raises", "said"),
    [
        (
            "ModuleNotFoundError('no', name='libcamera')",
            r"^camera pi needs libcamera, .*apt install python3-picamera2$",
        ),
        ("ValueError('numpy.dtype size changed')", r"install with numpy<2 \(numpy.dtype size changed\)$"),
    ],
)
def test_what_keeps_picamera2_from_being_imported_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, raises: str, said: str
) -> None:
    """On a laptop; where it was built for another numpy, as Debian 12's was: one line each, and no traceback."""
    (tmp_path / "picamera2.py").write_text(f"raise {raises}\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "picamera2", raising=False)
    with pytest.raises(DeviceError, match=said):
        open_pi("")
