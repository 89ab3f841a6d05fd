"""What the camera holds: measured again in the light of the set-up, then held; what is not held is named."""

from pathlib import Path

import cv2
import pytest
from v4l2_camera import MANUAL, USUAL_EXPOSURE, Plugged

from calibration.guided.dialog import GuidedDialog
from calibration.guided.state import Guided, held_text, not_held
from tabletop.cameras.live_camera import CameraWorker, Described, LiveCamera
from tabletop.cameras.usb import UsbNodes, UsbOpening
from tabletop.cameras.words import camera_words
from tabletop.core.values import Reading
from tabletop.perception.pipeline import FrameResult


class Camera:
    """A USB camera that is stepped by hand. words: what stands behind `usb:`."""

    def __init__(self, root: Path, words: str) -> None:
        self.world = Plugged(root)
        nodes = UsbNodes(root / "dev", root / "sys", root / "proc")
        opening = UsbOpening(camera_words("usb", words), self.world.make, nodes)
        self.worker = CameraWorker(opening, "usb:0", (1280, 720), self.world.clock, self.world.wait)

    def run(self, seconds: float, run: GuidedDialog) -> None:
        end_s = self.world.now_s + seconds
        while self.world.now_s < end_s:
            frame = self.worker.step()
            if frame is not None:
                nothing = Reading(frame.time_s, 1280, 720)
                run.see(FrameResult(frame, nothing, nothing, None))


def test_the_step_measures_the_light_again_and_holds_it(tmp_path: Path) -> None:
    """Somebody dimmed the lamp while setting up: what was held in the brighter light would be too dark for ever."""
    camera = Camera(tmp_path, "0")
    run = GuidedDialog(lambda: None, tmp_path / "home.toml", camera=camera.worker, state=Guided(("light", "lock")))
    camera.run(2.5, run)
    camera.world.lux = 0.6
    camera.run(1.0, run)
    exposure = camera.world.controls[cv2.CAP_PROP_EXPOSURE]
    assert exposure == USUAL_EXPOSURE, "held in the light at the start"
    run.state = Guided(("lock",))
    camera.run(2.5, run)
    assert camera.world.controls[cv2.CAP_PROP_EXPOSURE] == pytest.approx(USUAL_EXPOSURE / 0.6, rel=0.01)
    assert camera.world.controls[cv2.CAP_PROP_AUTO_EXPOSURE] == MANUAL
    assert dict(run.state.held) == dict.fromkeys(("exposure", "gain", "white", "focus"), "locked")
    assert (held_text(run.state.held), not_held(run.state.held)) == ("4 of 4 locked", "")


def test_what_is_not_held_is_named(tmp_path: Path) -> None:
    """A lens without a motor is absent and no fault; a white balance that was left to the camera is one."""
    camera = Camera(tmp_path, "0,white=auto")
    for control in (cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS):
        del camera.world.controls[control]
    run = GuidedDialog(lambda: None, tmp_path / "home.toml", camera=camera.worker, state=Guided(("lock",)))
    camera.run(2.5, run)
    assert (held_text(run.state.held), not_held(run.state.held)) == ("2 of 3 locked", "not held: white balance")
    assert held_text(()) == "camera tells nothing"


def test_the_camera_that_play_opens_is_one_that_says(tmp_path: Path) -> None:
    """`LiveCamera` says nothing before its first frame, then what it holds, and can be asked to measure again."""
    world = Plugged(tmp_path)
    nodes = UsbNodes(tmp_path / "dev", tmp_path / "sys", tmp_path / "proc")
    camera = LiveCamera(UsbOpening(camera_words("usb", "0"), world.make, nodes), "usb:0", (1280, 720))
    assert isinstance(camera, Described)
    before = camera.facts
    camera.relight()
    camera.read()
    after = camera.facts
    assert before is None
    assert after is not None
    assert set(after.held) == {"exposure", "gain", "white", "focus"}
    camera.close()
