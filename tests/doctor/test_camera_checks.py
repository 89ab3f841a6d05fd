"""The camera's lines: each figure against pictures whose blur, noise and dice are known."""

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.cameras.live_camera import CameraFacts
from tabletop.core.checks import Check
from tabletop.core.ports import Frame
from tabletop.core.values import Die, Reading, Unsure
from tabletop.doctor.camera import FRAME_RATE, SeenCamera, camera_checks, edge_width_px, watched
from tabletop.session.camera_thread import CameraFigures, CameraStatistics

SIZE = (360, 640)
FACTS = CameraFacts("HD Webcam", 640, 360, 30.0, "MJPG", {"exposure": "locked", "gain": "absent", "white": "locked"})


def tray(blur_px: float = 0.0) -> NDArray[np.uint8]:
    """Draw ten light squares of 40 px on a dark ground, blurred."""
    picture = np.full((*SIZE, 3), 60, np.uint8)
    for n in range(10):
        x, y = 60 + n % 5 * 110, 80 + n // 5 * 130
        picture[y : y + 40, x : x + 40] = 200
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), blur_px), np.uint8) if blur_px else picture


def figures(**other: object) -> CameraFigures:
    right = CameraFigures(640, 360, 0.03, dice=100, unsure=2, die_px=40.0, noise=1.5, pixels=tray())
    return replace(right, **other)  # type: ignore[arg-type]  # names of its fields


def lines(camera: SeenCamera) -> Mapping[str, Check]:
    return {check.name: check for check in camera_checks("usb:0", camera)}


@pytest.mark.parametrize("blur_px", [1.5, 2.5, 4.0])
def test_the_width_of_an_edge_is_that_of_its_blur(blur_px: float) -> None:
    """A step blurred by s is sqrt(2 pi) s wide where contrast is divided by the steepest slope."""
    expected_px = np.sqrt(2 * np.pi) * np.hypot(blur_px, 0.7)
    assert edge_width_px(tray(blur_px)) == pytest.approx(expected_px, rel=0.15)


def test_noise_is_no_edge_and_nothing_in_view_is_no_sharpness() -> None:
    """An empty tray with noise says nothing, a sharp picture with noise is still sharp."""
    noise = np.random.default_rng(3).normal(0, 6, (*SIZE, 3))
    assert edge_width_px(np.clip(60 + 0.3 * noise, 0, 255).astype(np.uint8)) is None
    assert edge_width_px(np.zeros((8, 8, 3), np.uint8)) is None
    noisy = edge_width_px(np.clip(tray(1.0) + noise, 0, 255).astype(np.uint8))
    assert noisy == pytest.approx(edge_width_px(tray(1.0)), rel=0.25)


def test_a_camera_that_is_right_has_nothing_to_mend() -> None:
    """Every figure that was asked for is there, and none has a remedy."""
    found = lines(SeenCamera(figures(), FACTS, fps=29.8))
    assert {name: check.figure for name, check in found.items()} == {
        "pictures": "HD Webcam usb:0",
        "mode": "640x360 MJPG",
        FRAME_RATE: "30 a second",
        "age of frames": "30 ms",
        "exposure": "held",
        "sharpness": f"edges {edge_width_px(tray()):.1f} px wide",
        "size of a die": "40 px",
        "unsure dice": "2 of 100",
        "noise": "1.5 grey levels",
    }
    assert all(check.right and check.found and not check.remedy for check in found.values())


FREE = replace(FACTS, held={"exposure": "free", "white": "locked"})
FAULTS = {
    "mode": SeenCamera(figures(), replace(FACTS, width=1280, height=720), fps=30.0),
    FRAME_RATE: SeenCamera(figures(), FACTS, fps=5.0),
    "age of frames": SeenCamera(figures(age_s=1.2), FACTS, fps=30.0),
    "exposure": SeenCamera(figures(), FREE, fps=30.0),
    "sharpness": SeenCamera(figures(pixels=tray(4.0)), FACTS, fps=30.0),
    "size of a die": SeenCamera(figures(die_px=12.0), FACTS, fps=30.0),
    "unsure dice": SeenCamera(figures(unsure=30), FACTS, fps=30.0),
    "noise": SeenCamera(figures(noise=11.0), FACTS, fps=30.0),
    "pictures": SeenCamera(figures(), FACTS, fps=30.0, trouble="camera usb:0 is slow"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_one_line_with_a_remedy(name: str) -> None:
    """This line is wrong and says what to do, and no other is."""
    found = lines(FAULTS[name])
    assert [check.name for check in found.values() if not check.right] == [name]
    assert found[name].remedy


def test_what_cannot_be_said_is_neither_right_nor_wrong() -> None:
    """No dice, no second frame, no exposure to hold; a film says nothing of itself; no frame at all is wrong."""
    empty = np.full((*SIZE, 3), 60, np.uint8)
    seen = figures(dice=0, unsure=0, die_px=0.0, noise=None, pixels=empty)
    found = lines(SeenCamera(seen, replace(FACTS, held={}), fps=30.0))
    assert [name for name, check in found.items() if check.right is None] == ["exposure", "sharpness", "dice", "noise"]
    assert set(lines(SeenCamera(figures()))).isdisjoint({FRAME_RATE, "age of frames", "exposure"})
    assert lines(SeenCamera())["pictures"] == Check("camera", "pictures", False, False, "usb:0", "none came")


def test_the_noise_is_that_of_the_sensor() -> None:
    """Five grey levels of noise are measured as five, while somebody's hand moves through a part of the frames."""
    chance, statistics = np.random.default_rng(5), CameraStatistics()
    assert statistics.figures() is None
    die = Die(3, 80.0, 100.0, 40.0, 0.0, "white", 0.99)
    for n in range(12):
        picture = np.clip(tray() + chance.normal(0, 5, (*SIZE, 3)), 0, 255).astype(np.uint8)
        moving = n in (5, 6)
        if moving:
            picture[100:300, 100 + 40 * n : 300 + 40 * n] = 180
        unsure = (Unsure(80.0, 100.0, 40.0, "leans"),) * 9 if moving else ()  # type: ignore[arg-type]  # its reason is not looked at
        statistics.add(Frame(picture, n / 30), Reading(n / 30, 640, 360, (die,), unsure), n / 30 + 0.04)
    found = statistics.figures()
    assert found is not None
    assert found.noise == pytest.approx(5.0, rel=0.05)
    assert found.unsure == 0
    assert 5 <= found.dice <= 9
    assert found.die_px == 40.0
    assert found.age_s == pytest.approx(0.04)


class Slideshow:
    """A film of one picture with a little noise, or photographs. at_rest: whether they are photographs."""

    live = False

    def __init__(self, frames: int, *, at_rest: bool) -> None:
        self._left, self._at_rest, self._chance = frames, at_rest, np.random.default_rng(1)

    def read(self) -> Frame | None:
        self._left -= 1
        noise = self._chance.integers(0, 3, (*SIZE, 3)).astype(np.uint8)
        return Frame(tray() + noise, float(-self._left), self._at_rest) if self._left >= 0 else None

    def close(self) -> None:
        """Do nothing."""


@pytest.mark.parametrize("at_rest", [False, True])
def test_a_film_is_watched_for_a_while(*, at_rest: bool) -> None:
    """Its frames are read, every fourth one of them; photographs all."""
    read = list[float]()

    def reader(frame: NDArray[np.uint8], *, time_s: float, **_: object) -> Reading:
        assert frame.shape == (*SIZE, 3)
        read.append(time_s)
        return Reading(0.0, 640, 360, (Die(1, 80.0, 100.0, 40.0, 0.0, "white", 0.99),))

    seen = watched(Slideshow(9, at_rest=at_rest), 1.0, reader)
    assert len(read) == (9 if at_rest else 2)
    assert seen.facts is None
    assert seen.figures is not None
    assert seen.figures.dice == len(read) - 1


def test_a_camera_that_a_table_of_ours_has_is_no_fault() -> None:
    """Its figures are the table's to give; any other program that has it is in the way."""
    (ours,) = camera_checks("usb:0", SeenCamera(trouble="camera usb:0 is used by tabletop", holder="tabletop"))
    assert (ours.found, ours.right, ours.figure) == (True, None, "usb:0, used by tabletop")
    assert ours.remedy == "the table plays with it: its menu has the figures"
    (cheese,) = camera_checks("usb:0", SeenCamera(trouble="camera usb:0 is used by cheese", holder="cheese"))
    assert (cheese.right, cheese.remedy) == (False, "camera usb:0 is used by cheese")
