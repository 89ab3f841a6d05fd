"""Whether pictures are equal, and what a camera that repeats its frames costs and hides: nothing."""

from random import Random

import numpy as np
from all_seeing import AllSeeing
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.core.ports import Frame
from tabletop.perception.frame_reader import pixels_equal
from tabletop.perception.pipeline import BLACK, FrameResult, PerceptionPipeline
from tools.room.world import RoomWorld


@settings(max_examples=50, deadline=None)
@given(
    height=st.integers(1, 9),
    width=st.integers(1, 9),
    flipped=st.booleans(),
    spot=st.integers(0),
    seed=st.integers(0, 9),
)
def test_pictures_are_equal_to_the_last_byte(height: int, width: int, spot: int, seed: int, *, flipped: bool) -> None:
    """A copy is equal; a copy with one byte off by one, or of another shape, is not; as its bytes say."""
    one = np.random.default_rng(seed).integers(0, 255, (height, width, 3), np.uint8)
    one = one[:, ::-1] if flipped else one
    other = one.copy()
    assert pixels_equal(one, one)
    assert pixels_equal(one, other)
    other.reshape(-1)[spot % other.size] += 1
    assert not pixels_equal(one, other)
    assert not pixels_equal(one, np.vstack([one, one]))


def watched(world: RoomWorld, watch: PerceptionPipeline, seconds: float) -> FrameResult:
    """Watch for so long and until all is over; return what was seen last."""
    end_s = world.now_s + seconds
    while True:
        frame = world.camera.read()
        assert frame is not None
        seen = watch.process(frame, 5)
        if world.now_s >= end_s and not world.busy:
            return seen


def lying(seen: FrameResult) -> tuple[list[tuple[float, float]], float]:
    assert seen.rest is not None
    return sorted((die.x, die.y) for die in seen.rest.reading.dice), max(seen.rest.arrived_s)


def test_a_nudge_is_noticed_though_the_frames_after_it_are_equal() -> None:
    """A camera that gives one frame again and again once it was nudged: noticed once, and dice stay where they lay."""
    fps = 10.0
    world = RoomWorld(5, chance=Random(4), fps=fps)
    watch = PerceptionPipeline(AllSeeing(world))
    world.throw()
    seen = watched(world, watch, 2.5)
    before, arrived_s = lying(seen)
    assert seen.nudged == 0
    world.bump_camera()
    frame = watched(world, watch, 0.0).frame
    for count in range(1, round(2 * fps)):
        seen = watch.process(Frame(frame.pixels.copy(), frame.time_s + count / fps), 5)
    assert seen.nudged == 1
    now, now_s = lying(seen)
    assert now_s == arrived_s
    assert np.abs(np.subtract(now, before)).max() < 1.5


def test_black_stays_black() -> None:
    """A black frame and its equals are told as black, and the first light one after them is not."""
    world = RoomWorld(2, chance=Random(1), fps=30.0)
    watch = PerceptionPipeline(AllSeeing(world))
    light = world.camera.read()
    assert light is not None
    told = [
        watch.process(Frame(pixels.copy(), time_s * 0.1)).trouble
        for time_s, pixels in enumerate([light.pixels, light.pixels * 0, light.pixels * 0, light.pixels, light.pixels])
    ]
    assert told == ["", BLACK, BLACK, "", ""]
