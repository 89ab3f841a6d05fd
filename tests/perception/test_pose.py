"""A nudged or shaken camera: the picture's fixed parts say how it stands, and no die moves for it."""

from random import Random

import cv2
import numpy as np
import pytest
from all_seeing import AllSeeing
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.interpret import TableMemory, on_rest
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.rules import Request, Throw
from tabletop.simulator.grounds import layout, paint_ground
from tabletop.vision.registration import fixed_parts, known, moved, shifted, small_and_even
from tools.room.hand import SKINS
from tools.room.world import RoomWorld

TRAY = paint_ground(layout(640, 480, 56.0))
PARTS = fixed_parts(TRAY)
PATTERN = np.asarray(cv2.resize(np.random.default_rng(2).integers(0, 255, (32, 24, 3), np.uint8), (640, 480)), np.uint8)
STAYED = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
CORNERS = np.array([(x, y, 1.0) for x in (0, 640) for y in (0, 480)])


@settings(max_examples=30, deadline=None)
@given(
    right=st.floats(-16, 16),
    down=st.floats(-16, 16),
    turn=st.floats(-1.2, 1.2),
    light=st.floats(0.4, 1.5),
    covered=st.floats(0, 0.25),
)
def test_where_the_picture_went_is_found(right: float, down: float, turn: float, light: float, covered: float) -> None:
    """Moved, turned, in other light, a quarter under an arm, noisy: right to a twentieth of a die at every corner."""
    truth = np.asarray(cv2.getRotationMatrix2D((320, 240), turn, 1.0))
    truth[:, 2] += np.array([right, down])
    picture = cv2.warpAffine(TRAY, truth, (640, 480), borderMode=cv2.BORDER_REPLICATE).astype(np.float32) * light
    picture[:, round(640 * (1 - covered)) :] = SKINS[0]
    picture += np.random.default_rng(1).normal(0, 1.5, picture.shape)
    evened = small_and_even(np.clip(picture, 0, 255).astype(np.uint8))[0]
    guess = shifted(PARTS, evened)
    assert guess is not None
    way = moved(PARTS, evened, guess)
    assert way is not None
    assert np.abs(CORNERS @ (way - truth).T).max() < 56.0 / 20


@pytest.mark.parametrize("picture", [np.zeros_like(TRAY), np.full_like(TRAY, 200), PATTERN])
def test_another_picture_is_not_known_again(picture: np.ndarray) -> None:
    """Black, plain, or something else: no way leads there; and nothing is known of black."""
    assert moved(fixed_parts(TRAY), small_and_even(picture)[0], STAYED) is None
    assert known(fixed_parts(picture)) == bool(picture.std())


def test_parts_that_may_move_are_none() -> None:
    """No point lies in a circle that was left out."""
    points = fixed_parts(TRAY, [(200, 200, 80)]).points * 2
    assert len(points)
    assert np.hypot(*(points - 200).T).min() >= 78


class Table:
    """Who watches a world through a reader that knows the truth, and waits for throws of all its dice."""

    def __init__(self, world: RoomWorld, dice: int) -> None:
        self.world, self.dice = world, dice
        self.eye = AllSeeing(world)
        self.watch = PerceptionPipeline(self.eye)
        self.memory = TableMemory()
        self.taken: list[tuple[int, ...]] = []
        self.seen: FrameResult | None = None

    def run(self, seconds: float) -> FrameResult:
        """Watch until all that was begun is over, and so many seconds more; return what was seen last."""
        end_s = max(self.world.now_s, self.world.tray.busy_until_s) + seconds
        while self.world.now_s < end_s or self.world.busy:
            frame = self.world.camera.read()
            assert frame is not None
            self.seen = self.watch.process(frame, self.dice)
            if self.seen.rest is None:
                continue
            outcome = on_rest(Request("roll", "Ann", self.dice), self.memory, self.seen.rest, (), lambda _: True)
            self.memory = outcome.memory
            self.taken += [answer.faces for answer in outcome.answers if isinstance(answer, Throw)]  # type: ignore[misc]  # no joint throws here
        assert self.seen is not None
        return self.seen


def places(seen: FrameResult) -> list[tuple[float, float]]:
    assert seen.rest is not None
    return sorted((die.x, die.y) for die in seen.rest.reading.dice)


@pytest.mark.parametrize(("dice", "fps"), [(1, 10.0), pytest.param(5, 30.0, marks=pytest.mark.slow)])
def test_a_nudged_camera_moves_no_die(dice: int, fps: float) -> None:
    """Nudged, and nudged again while a hand is over the tray: noticed, all dice stay where they were, no throw."""
    world = RoomWorld(dice, chance=Random(dice), fps=fps, drop=0.03)
    table = Table(world, dice)
    table.run(0.4)
    world.throw()
    before = places(table.run(0.8))
    world.bump_camera()
    seen = table.run(1.4)
    assert seen.nudged == 1
    assert np.abs(np.subtract(places(seen), before)).max() < 1.5
    world.wave_hand(1.0)
    world.bump_camera()
    seen = table.run(2.2)
    assert seen.nudged == 2
    assert np.abs(np.subtract(places(seen), before)).max() < 1.5
    assert {(round(die.x), round(die.y)) for die in seen.pixel_reading.dice} == {
        (round(die.x), round(die.y)) for die in world.truth().dice
    }
    assert len(table.taken) == 1


def test_a_still_tray_is_hardly_read() -> None:
    """In four seconds of nothing the reader reads half a second of frames, and then one a second."""
    world = RoomWorld(5, chance=Random(3), fps=15.0)
    table = Table(world, 5)
    world.throw()
    table.run(0.5)
    before = table.eye.frames
    table.run(4.0)
    assert 3 <= table.eye.frames - before <= 5
