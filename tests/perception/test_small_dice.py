"""Small dice: they are looked at in other ways too, it is said that they are small, and tiny ones are asked about."""

from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.corners import profile_from
from tabletop.core.ports import Frame
from tabletop.core.values import Die, Reading, UnsureReason
from tabletop.perception.frame_reader import DieSizeEstimator, FrameReader, without_tiny
from tabletop.perception.pipeline import PerceptionPipeline
from tools.scoring import first_throws
from tools.scoring.first_throws import set_up, watched

FRAME = np.zeros((240, 320, 3), np.uint8)


def reading(size_px: float, confidence: float = 0.95, time_s: float = 0.0) -> Reading:
    dice = (Die(4, 40.0 * n, 100.0, size_px, 0.0, "blue", confidence) for n in range(1, 6))
    return Reading(time_s, 320, 240, tuple(dice))


class Reader:
    """A reader of dice of one size, read with little confidence. seen: (width, die_px) of each look."""

    def __init__(self, size_px: float) -> None:
        self.size_px, self.seen = size_px, list[tuple[int, float | None]]()

    def __call__(self, frame: NDArray[np.uint8], *, time_s: float, die_px: float | None, **_: object) -> Reading:
        self.seen.append((frame.shape[1], die_px))
        return reading(self.size_px, 0.7, time_s)


@pytest.mark.parametrize(("size_px", "widths"), [(18.0, {320, 282, 358}), (40.0, {320})])
def test_small_dice_are_looked_at_in_another_picture(size_px: float, widths: set[int]) -> None:
    """The reader never enlarges a picture, so for it other sizes of small dice are the same look."""
    reader = Reader(size_px)
    frames = FrameReader(reader, lambda _, dice: tuple(dice), DieSizeEstimator(None))
    for number in range(4):
        frames.read(Frame(FRAME + number, number / 10), 5, 0.0, 1.0)
    assert {width for width, _ in reader.seen} == widths
    assert all(die_px is None or die_px / width == pytest.approx(size_px / 320, rel=0.05)
               for width, die_px in reader.seen if width != FRAME.shape[1])  # fmt: skip


def test_it_is_said_once_enough_small_dice_were_seen() -> None:
    """Ten dice of 20 px; at 26 px it is still said, since sizes differ a little, at 30 px no more."""
    sizes = DieSizeEstimator(None)
    sizes.learn(reading(20.0), 1.0)
    assert sizes.fault == ""
    sizes.learn(reading(20.0), 1.0)
    assert sizes.fault == "dice look too small: lower the camera"
    for size_px, said in ((26.0, True), (30.0, False), (26.0, False), (24.0, True)):
        for _ in range(5):
            sizes.learn(reading(size_px), 1.0)
        assert bool(sizes.fault) == said


def test_the_pipeline_says_it() -> None:
    """It is in the result of a frame, where the session looks for what to tell people."""
    pipeline = PerceptionPipeline(Reader(18.0), None, lambda _, dice: tuple(dice))
    noise = np.random.default_rng(1).integers(40, 200, (6, *FRAME.shape), np.uint8)
    results = [pipeline.process(Frame(picture, number / 10)) for number, picture in enumerate(noise)]
    assert results[-1].drift == "dice look too small: lower the camera"


def test_tiny_dice_are_never_sure() -> None:
    """Below 12 px white dice were misread in photographs; above nothing changes."""
    tiny = without_tiny(reading(11.0))
    assert [len(tiny.dice), {doubt.reason for doubt in tiny.unsure}] == [0, {UnsureReason.UNREADABLE}]
    large = reading(12.5)
    assert without_tiny(large) is large


@pytest.mark.slow
def test_a_glossy_six_of_17_pixels_is_not_taken_for_a_four(monkeypatch: pytest.MonkeyPatch) -> None:
    """As seen in a simulated room: a four by 0.80 in each look at the picture as it is; the throw is asked about."""
    monkeypatch.setattr(first_throws, "THROWS", 2)
    for throws in watched(set_up(Random("1.27"), 0.0, (16.0, 30.0))):
        assert [throw.outcome for throw in throws] == ["right", "asked"]


class ReaderAtSize:
    """A reader that sees dice of 60 px, unless it is told that they have less than half or more than twice that."""

    def __call__(self, frame: NDArray[np.uint8], *, time_s: float, die_px: float | None, **_: object) -> Reading:
        seen = die_px is None or 30 < die_px < 120
        return reading(60.0, 0.95, time_s) if seen else Reading(time_s, frame.shape[1], frame.shape[0])


@pytest.mark.parametrize(("die_mm", "said"), [(16.0, "dice look 60 mm, set up for 16: calibrate"), (50.0, "")])
def test_dice_of_another_size_than_set_up_are_said(die_mm: float, said: str) -> None:
    """One pixel is one mm: at 16 mm nothing is read, after two looks at all sizes that is said; 50 is near enough."""
    corners = (0.0, 0.0), (320.0, 0.0), (320.0, 240.0), (0.0, 240.0)
    sizes = DieSizeEstimator(profile_from((320, 240), corners, (320.0, 240.0), die_mm))
    frames = FrameReader(ReaderAtSize(), lambda _, dice: tuple(dice), sizes)
    for second in range(4):
        frames.read(Frame(FRAME + second, float(second)), None, 1.0, 1.0)
        assert sizes.fault == (said if second > 0 else "")


class ReaderOfLarge:
    """A reader of dice that are a quarter of the picture wide, unless it is told a size. widths: of those pictures."""

    def __init__(self) -> None:
        self.widths = list[int]()

    def __call__(self, frame: NDArray[np.uint8], *, time_s: float, die_px: float | None, **_: object) -> Reading:
        height, width = frame.shape[:2]
        if die_px is not None:
            return Reading(time_s, width, height)
        self.widths.append(width)
        return Reading(time_s, width, height, reading(width / 4, 0.95).dice)


def test_dice_of_other_sizes_are_looked_for_in_a_smaller_picture() -> None:
    """1280 pixels, set up for dice of 100 of them: those of 320 are seen where 100 are 40, and told as 320."""
    corners = (0.0, 0.0), (1280.0, 0.0), (1280.0, 960.0), (0.0, 960.0)
    sizes, reader = DieSizeEstimator(profile_from((1280, 960), corners, (640.0, 480.0), 50.0)), ReaderOfLarge()
    frames = FrameReader(reader, lambda _, dice: tuple(dice), sizes)
    for second in range(3):
        frames.read(Frame(np.full((960, 1280, 3), second, np.uint8), float(second)), None, 1.0, 1.0)
    assert reader.widths == [512, 512]
    assert sizes.fault == "dice look 160 mm, set up for 50: calibrate"
