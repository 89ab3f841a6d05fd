"""The Raspberry Pi's camera through the real Picamera2, over an imitation of what lies below it (libcamera, kernel).

Picamera2 comes from `make others`. Its threads run in the machine's own time, so these tests take some seconds.
"""

import gc
import subprocess
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
from tabletop.cli.main import main
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
        """Picamera2 itself would take 1536x864, which cuts a third off each side of the tray."""
        camera.read()
        assert sensor.set_to["mode"] == (2304, 1296)
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

    def test_the_mode_is_opened_without_trying_all(self, sensor: Sensor, camera: LiveCamera) -> None:
        """A board of 512 MB has no memory for the largest mode."""
        camera.read()
        assert sensor.configured == 1

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
        with pytest.raises(DeviceError) as told:
            open_pi("")
        assert str(told.value) == lines.loose("pi")

    def test_a_lamp_that_is_switched_on_is_measured_again(self, sensor: Sensor, camera: LiveCamera) -> None:
        """Held in the dusk, the picture would stay white."""
        sensor.lux = 0.3
        read_until(camera, lambda: locked(camera))
        sensor.lux = 4.0
        read_until(camera, lambda: sensor.set_to.get("ExposureTime") == 2500)

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

    @pytest.mark.parametrize(("name", "status"), [("tabletop", 0), ("cheese", 1)])
    def test_doctor_beside_the_program_that_has_the_camera(
        self,
        sensor: Sensor,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
        name: str,
        status: int,
    ) -> None:
        """The kernel says who has it: a table is no fault, anything else is."""
        sensor.busy = True
        monkeypatch.setattr(pi, "DEV", tmp_path)
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
        holder = tmp_path / name
        holder.write_text("import sys\nwith open(sys.argv[1]):\n    print(flush=True)\n    sys.stdin.read()\n")
        (tmp_path / "media3").touch()
        words = ["--camera", "pi", "--buttons", "none", "--screen", "none", "--store", str(tmp_path / "a.db")]
        program = [sys.executable, str(holder), str(tmp_path / "media3")]
        with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as has_it:
            assert has_it.stdout is not None
            has_it.stdout.readline()
            assert main(["doctor", *words]) == status
            has_it.communicate()
        said = capsys.readouterr().out
        expected = {
            "tabletop": "camera\n  -      pictures    pi, used by tabletop\n",
            "cheese": "camera\n  WRONG  pictures    pi\n",
        }
        assert said.startswith(expected[name])

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


def test_without_picamera2_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a laptop, and where it was built for another numpy: one line each, and no traceback."""
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(DeviceError, match=r"^camera pi needs picamera2, .*: sudo apt install python3-picamera2$"):
        open_pi("")


def test_a_clash_of_numpy_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Debian 12's Picamera2 raises a ValueError as soon as it is imported beside numpy 2."""
    (tmp_path / "picamera2.py").write_text("raise ValueError('numpy.dtype size changed')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "picamera2", raising=False)
    with pytest.raises(DeviceError, match=r"install with numpy<2 \(numpy.dtype size changed\)$"):
        open_pi("")
