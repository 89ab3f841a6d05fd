"""A USB camera that fails in every way that real ones do: said within two seconds, and played on when it is back.

The driver runs over a camera with the calls and the faults of V4L2 behind OpenCV (`v4l2_camera`), in simulated time.
"""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from v4l2_camera import MANUAL, USUAL_GREY, Plugged

from tabletop.cameras import lines
from tabletop.cameras.live_camera import NOTICE_S, CameraFacts, CameraWorker
from tabletop.cameras.usb import UsbNodes, UsbOpening
from tabletop.cameras.words import CameraWords, camera_words
from tabletop.core.ports import Frame
from tabletop.core.reconnecting import LONGEST_WAIT_S

SAID_S = 2.0  # people read what is wrong within this
BACK_S = LONGEST_WAIT_S + 1.0  # and frames are back within this after it was repaired


class Watcher:
    """Somebody who takes each frame as it comes. frames: the frames; said: each line, with when it came."""

    def __init__(self, plugged: Plugged, words: CameraWords) -> None:
        self.world = plugged
        nodes = UsbNodes(plugged.root / "dev", plugged.root / "sys", plugged.root / "proc")
        opening = UsbOpening(words, plugged.make, nodes)
        size = (words.width, words.height)
        self.worker = CameraWorker(opening, f"usb:{words.number}", size, plugged.clock, plugged.wait)
        self.frames: list[Frame] = []
        self.said: list[tuple[float, str]] = []

    def run(self, seconds: float, until: Callable[[], bool] = lambda: False) -> None:
        end_s = self.world.now_s + seconds
        while self.world.now_s < end_s and not until():
            frame = self.worker.step()
            self.frames += [frame] if frame is not None else []
            line = self.worker.trouble or (frame.trouble if frame is not None else "")
            if line and line not in [said for _, said in self.said[-1:]]:
                self.said.append((self.world.now_s, line))

    def frame_comes(self, within_s: float = BACK_S) -> Frame:
        known = len(self.frames)
        self.run(within_s, lambda: len(self.frames) > known)
        assert len(self.frames) == known + 1, self.said
        return self.frames[-1]

    @property
    def facts(self) -> CameraFacts:
        assert self.worker.facts is not None
        return self.worker.facts


@pytest.fixture
def world(tmp_path: Path) -> Plugged:
    return Plugged(tmp_path)


@pytest.fixture
def watcher(world: Plugged) -> Watcher:
    return Watcher(world, CameraWords())


def test_every_frame_comes_with_the_time_of_its_exposure(watcher: Watcher) -> None:
    """At 30 a second, 1280x720, each frame a thirtieth after the one before, and none older than that."""
    watcher.run(3.0)
    assert len(watcher.frames) == pytest.approx(3.0 * 30, abs=8)
    assert {frame.pixels.shape for frame in watcher.frames} == {(720, 1280, 3)}
    assert np.diff([frame.time_s for frame in watcher.frames]) == pytest.approx(1 / 30)
    assert watcher.world.now_s - watcher.frames[-1].time_s < 1 / 30
    assert watcher.said == []
    assert (watcher.facts.model, watcher.facts.format) == ("HD Webcam", "MJPG")


def test_frames_that_waited_in_the_buffers_are_dropped(watcher: Watcher) -> None:
    """After two seconds in which nobody could look, the first four frames are two seconds old: they are not shown."""
    watcher.run(1.5)
    watcher.world.wait(2.0)
    back_s = watcher.world.now_s
    assert watcher.frame_comes().time_s > back_s - 0.1
    assert watcher.world.opened == 1


@pytest.mark.parametrize("away_s", [-1e4, 1e4, -3.0], ids=["earlier", "later", "a little"])
def test_a_camera_with_a_clock_of_its_own_is_used_by_arrival(watcher: Watcher, away_s: float) -> None:
    """Its frames are neither dropped for ever nor given a time that goes back."""
    watcher.run(1.0)
    watcher.world.own_clock_s = away_s
    watcher.run(2.0)
    times_s = [frame.time_s for frame in watcher.frames]
    assert watcher.world.now_s - times_s[-1] < 0.1
    assert min(np.diff(times_s)) > 0
    assert watcher.said == []


@pytest.mark.parametrize("number", [0, 2], ids=["where it was", "another number"])
def test_a_camera_that_is_plugged_in_again_is_found(watcher: Watcher, number: int) -> None:
    """It fails at once for ever while `isOpened` stays True; back, it may have another number and no settings."""
    watcher.run(3.0)
    before, gone_s = watcher.frames[-1], watcher.world.now_s
    watcher.world.unplug()
    watcher.run(20.0)
    assert watcher.said[0][0] - gone_s < SAID_S
    assert [line for _, line in watcher.said] == [
        "camera usb:0 stopped answering: check its cable",
        "expected a camera at usb:0, got none: plug it in, or try another number",
    ]
    watcher.world.plug_in(number)
    after = watcher.frame_comes()
    assert after.pixels.shape == before.pixels.shape
    assert watcher.world.controls[cv2.CAP_PROP_AUTO_EXPOSURE] == MANUAL
    assert watcher.world.controls[cv2.CAP_PROP_EXPOSURE] == pytest.approx(157)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (("cheese",), "cheese"),
        (("python", "/opt/tabletop/current/bin/python", "-m", "tabletop", "play"), "tabletop"),
        (("python", "python", "photograph.py", "my/tabletop/a.jpg"), "python"),
    ],
)
def test_a_camera_that_another_program_has_is_taken_when_that_ends(
    world: Plugged, watcher: Watcher, words: tuple[str, ...], name: str
) -> None:
    """The program is named, a table's own name before Python's; tries come after 1, 2, 4 seconds, then every four."""
    tries: list[float] = []
    world.on_open = lambda: tries.append(world.now_s)
    world.take(*words)
    watcher.run(20.0)
    assert [line for _, line in watcher.said] == [str(lines.busy("usb:0", name))]
    assert np.diff(tries)[:4] == pytest.approx([1, 2, 4, 4], abs=0.1)
    world.let_go()
    watcher.frame_comes()


@pytest.mark.parametrize("frozen", [False, True])
def test_a_camera_that_repeats_one_picture_is_named(world: Plugged, watcher: Watcher, frozen: bool) -> None:
    """Not before ten seconds, and never for a still tray: a sensor has noise."""
    watcher.run(3.0)
    begun_s, world.frozen = world.now_s, frozen
    watcher.run(30.0)
    if not frozen:
        assert watcher.said == []
        return
    assert [said for _, said in watcher.said] == [str(lines.frozen("usb:0"))]
    assert 10.0 <= watcher.said[0][0] - begun_s < 12.0
    assert watcher.frames[-1].time_s < begun_s + 10.5
    world.frozen = False
    watcher.frame_comes()


def test_the_dark_is_no_frozen_picture(world: Plugged, watcher: Watcher) -> None:
    """Every pixel of a covered lens may be 0 in every picture."""
    world.lux, world.frozen = 0.0, True
    watcher.run(30.0)
    assert watcher.said == []


CAMERA, OTHER = ("HD Webcam: HD Webcam", "0", "usb"), ("HD Webcam: HD Webcam", "1", "usb")


@pytest.mark.parametrize(
    ("nodes", "found"),
    [
        ({1: CAMERA, 2: OTHER}, [1, None]),
        ({0: ("unicam-image", "0", "platform"), 1: CAMERA, 2: OTHER, 3: CAMERA, 4: OTHER}, [1, 3, None]),
        ({0: ("rp1-cfe-csi2_ch0", "0", ""), 8: ("Any", "0", ""), 20: ("pispbe-input", "0", "")}, [8, None]),
        ({0: ("vivid", "0", "platform")}, [0, None]),
        ({2: CAMERA, 10: CAMERA}, [2, 10, None]),
        ({0: ("bcm2835-codec-decode", "0", "platform")}, [None]),
        ({}, [None]),
    ],
)
def test_numbers_count_the_cameras_on_usb(
    tmp_path: Path, nodes: dict[int, tuple[str, str, str]], found: list[int | None]
) -> None:
    """Not the nodes: a Raspberry Pi has a dozen of its own, and a camera has two. Its bus may be unknown ("")."""
    for node, (name, index, bus) in nodes.items():
        facts = tmp_path / f"video{node}"
        facts.mkdir()
        (facts / "name").write_text(name)
        (facts / "index").write_text(index)
        if bus:
            (facts / "device").mkdir()
            (facts / "device/subsystem").symlink_to(f"/sys/bus/{bus}")
    assert [UsbNodes(sys=tmp_path).find(number, "") for number in range(len(found))] == found
    assert UsbNodes(sys=tmp_path / "elsewhere").find(3, "") == 3


@pytest.mark.parametrize(("number", "line"), [(errno.EPERM, lines.forbidden), (errno.EACCES, lines.denied)])
def test_what_may_not_be_opened_says_whose_rule_it_is(
    world: Plugged, monkeypatch: pytest.MonkeyPatch, number: int, line: Callable[[str], str]
) -> None:
    """A service's (EPERM) or a group's (EACCES): the group video helps against the second only."""

    def refuse(*_: object) -> int:
        raise OSError(number, "no")

    monkeypatch.setattr(os, "open", refuse)
    nodes = UsbNodes(world.root / "dev", world.root / "sys", world.root / "proc")
    assert str(nodes.why_closed(0, "usb:0")) == line("usb:0")


def test_what_cannot_be_opened_says_why(world: Plugged) -> None:
    """A second camera that is not there, though the first has two nodes; a holder who may not be seen."""
    other = Watcher(world, CameraWords(number=1))
    other.run(1.0)
    assert other.said[0][1] == "expected a camera at usb:1, got none: plug it in, or try another number"
    world.holder = "somebody else's"
    hidden = Watcher(world, CameraWords())
    hidden.run(1.0)
    assert hidden.said[0][1] == "camera usb:0 is used by another program: close it"


def test_a_smaller_mode_after_a_return_is_never_played_with(watcher: Watcher) -> None:
    """People have a profile for 1280x720: frames of 640x480 are told, not used, until the camera has its mode."""
    watcher.run(2.0)
    watcher.world.unplug()
    watcher.run(2.0)
    watcher.world.modes = ((640, 480),)
    watcher.world.plug_in()
    watcher.run(8.0)
    assert watcher.said[-1][1] == "camera usb:0 sends 640x480, not 1280x720"
    assert {frame.pixels.shape[:2] for frame in watcher.frames} == {(720, 1280)}
    watcher.world.modes = ((1280, 720), (640, 480))
    watcher.frame_comes()


def test_a_camera_that_never_had_the_mode_is_used_as_it_is(world: Plugged, watcher: Watcher) -> None:
    """Told for some seconds, and then the line is the game's again."""
    world.modes = ((640, 480),)
    watcher.run(NOTICE_S + 6.0)
    assert watcher.frames[-1].pixels.shape == (480, 640, 3)
    assert {line for _, line in watcher.said} == {"camera usb:0 sends 640x480, not 1280x720"}
    assert watcher.frames[-1].trouble == ""


def test_a_slow_camera_is_told_and_goes_on(watcher: Watcher) -> None:
    """Five frames a second: told for some seconds, and played on; fast again: as before."""
    watcher.run(3.0)
    slow_s, watcher.world.fps = watcher.world.now_s, 5.0
    watcher.run(30.0)
    assert watcher.said[0][0] - slow_s < SAID_S
    assert watcher.said[0][1].startswith("camera usb:0 is slow, ")
    assert watcher.world.opened == 1
    assert watcher.frames[-1].trouble == ""
    assert watcher.world.now_s - watcher.frames[-1].time_s < 1.0
    watcher.world.fps = 30.0
    watcher.run(3.0)
    assert watcher.worker.fps > 25


def test_a_camera_that_takes_long_to_open_is_not_slow(world: Plugged, watcher: Watcher) -> None:
    """Its seconds without frames do not count as slowness, nor its first miss as a camera that is gone."""
    world.open_s = 1.4
    watcher.run(6.0)
    assert (watcher.said, world.opened) == ([], 1)


def test_the_light_is_measured_and_then_held(watcher: Watcher) -> None:
    """After a second nothing adjusts any more: exposure, gain, white balance and focus."""
    watcher.world.lux = 0.5
    watcher.run(0.5)
    assert watcher.facts.held["exposure"] == "free"
    watcher.run(2.0)
    assert watcher.facts.held == dict.fromkeys(("exposure", "gain", "white", "focus"), "locked")
    assert watcher.world.controls[cv2.CAP_PROP_EXPOSURE] == pytest.approx(157 * 2)
    assert watcher.world.controls[cv2.CAP_PROP_AUTO_WB] == watcher.world.controls[cv2.CAP_PROP_AUTOFOCUS] == 0


def test_the_exposure_leaves_time_for_the_next_frame(watcher: Watcher) -> None:
    """In the dusk the camera would expose for 78 ms; held are the 33 ms that 30 frames a second leave."""
    watcher.world.lux = 0.2
    watcher.run(3.0)
    assert watcher.world.controls[cv2.CAP_PROP_EXPOSURE] == pytest.approx(333, abs=1)


@pytest.mark.parametrize(("before", "after"), [(1.0, 40.0), (0.0, 1.0), (0.05, 1.0)], ids=["sun", "lamp on", "dusk"])
def test_other_light_is_measured_again(watcher: Watcher, before: float, after: float) -> None:
    """Started in the dark, or under a lamp and then in the sun: a picture without a mark is no picture for long."""
    watcher.world.lux = before
    watcher.run(4.0)
    watcher.world.lux = after
    watcher.run(5.0)
    assert 60 < watcher.frames[-1].pixels[-1, -1, 0] < 180
    assert watcher.facts.held["exposure"] == "locked"


@pytest.mark.parametrize("share", [0.1, 0.5, 1.8])
def test_a_camera_that_names_a_wrong_exposure_is_not_held_to_it(watcher: Watcher, share: float) -> None:
    """It is tried twice; then the camera goes on measuring, and that is told; also after it was unplugged."""
    watcher.world.named_share = share
    watcher.run(8.0)
    assert watcher.facts.held["exposure"] == "free"
    assert watcher.frames[-1].pixels[-1, -1, 0] == USUAL_GREY
    assert [line for _, line in watcher.said] == ["camera usb:0 cannot hold its exposure: it keeps adjusting"]
    watcher.world.unplug()
    watcher.run(2.0)
    watcher.world.plug_in()
    watcher.run(8.0)
    assert watcher.facts.held["exposure"] == "free"
    assert watcher.frames[-1].pixels[-1, -1, 0] == USUAL_GREY


def test_a_hand_as_the_light_is_held_is_no_wrong_exposure(watcher: Watcher) -> None:
    """The picture is darker by half for a moment: it is measured again, and held then."""
    watcher.run(3.0, lambda: watcher.worker.facts is not None and watcher.facts.held["exposure"] == "locked")
    watcher.world.lux = 0.5
    watcher.run(0.8)
    watcher.world.lux = 1.0
    watcher.run(4.0)
    assert watcher.facts.held["exposure"] == "locked"
    assert watcher.said == []


def test_a_camera_that_does_not_obey_is_seen_through(watcher: Watcher) -> None:
    """It answers True to everything and changes nothing: it is used, and its exposure is called free."""
    watcher.world.obeys = False
    watcher.run(4.0)
    assert watcher.facts.held["exposure"] == watcher.facts.held["focus"] == "free"
    assert len(watcher.frames) > 60


def test_a_camera_with_few_controls_is_used_as_it_is(world: Plugged, watcher: Watcher) -> None:
    """A cheap one has a fixed focus, and neither gain nor exposure."""
    for name in (cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS, cv2.CAP_PROP_GAIN, cv2.CAP_PROP_AUTO_EXPOSURE):
        del world.controls[name]
    watcher.run(4.0)
    assert watcher.facts.held == {"exposure": "locked", "gain": "absent", "white": "locked", "focus": "absent"}


def test_values_that_are_given_are_set(world: Plugged) -> None:
    """Exposure in milliseconds, white balance in kelvin, and the focus left to the camera."""
    watcher = Watcher(world, camera_words("usb", "0,size=640x480,exposure=8,white=3200,focus=auto"))
    watcher.run(3.0)
    assert watcher.frames[-1].pixels.shape == (480, 640, 3)
    assert world.controls[cv2.CAP_PROP_EXPOSURE] == 80
    assert world.controls[cv2.CAP_PROP_WB_TEMPERATURE] == 3200
    assert world.controls[cv2.CAP_PROP_AUTOFOCUS] == 1
