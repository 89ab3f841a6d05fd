"""A nudged or shaken camera: fixed parts and printed markers say how it stands, and no die moves for it."""

from collections.abc import Sequence
from random import Random

import cv2
import numpy as np
import pytest
from all_seeing import AllSeeing, WatchedWorld, places
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tabletop.config.mat import MARKERS
from tabletop.core.ports import Frame
from tabletop.perception.camera_pose import IDENTITY, Homography, MarkerReference, apply_to_points
from tabletop.perception.frame_reader import pixels_equal
from tabletop.perception.pipeline import BLACK, PerceptionPipeline
from tabletop.simulator.grounds import layout, paint_ground
from tabletop.simulator.hands import SKINS
from tabletop.vision.registration import fixed_parts, known, moved, shifted, small_and_even
from tools.room.world import RoomWorld

TRAY = paint_ground(layout(640, 480, 56.0))
PARTS = fixed_parts(TRAY)
PATTERN = np.asarray(cv2.resize(np.random.default_rng(2).integers(0, 255, (32, 24, 3), np.uint8), (640, 480)), np.uint8)
STAYED = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
CORNERS = np.array([(x, y, 1.0) for x in (0, 640) for y in (0, 480)])


@settings(max_examples=15, deadline=None)
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


@pytest.mark.parametrize(("dice", "fps"), [(1, 10.0), pytest.param(5, 30.0, marks=pytest.mark.slow)])
def test_a_nudged_camera_moves_no_die(dice: int, fps: float) -> None:
    """Nudged, and nudged again while a hand is over the tray: noticed, all dice stay where they were, no throw."""
    world = RoomWorld(dice, chance=Random(dice), fps=fps, drop=0.03)
    table = WatchedWorld(world)
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
    world = RoomWorld(1, chance=Random(3), fps=15.0)
    table = WatchedWorld(world)
    world.throw()
    table.run(0.5)
    before = table.eye.frames
    table.run(4.0)
    assert 3 <= table.eye.frames - before <= 5


def test_a_nudge_is_noticed_though_the_frames_after_it_are_equal() -> None:
    """A camera that gives one frame again and again once it was nudged: noticed once, and dice stay where they lay."""
    world = RoomWorld(2, chance=Random(4), fps=10.0)
    table = WatchedWorld(world)
    world.throw()
    before = table.run(0.8)
    assert before.nudged == 0
    world.bump_camera()
    frame = table.run(0.0).frame
    seen = [table.watch.process(Frame(frame.pixels.copy(), frame.time_s + n / 10), 2) for n in range(1, 20)][-1]
    assert seen.nudged == 1
    assert seen.rest is not None
    assert before.rest is not None
    assert seen.rest.arrived_s == before.rest.arrived_s
    assert np.abs(np.subtract(places(seen), places(before))).max() < 1.5


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


SIZE = (640, 480)
SIDE = 44  # pixels of a printed marker, and a quarter of it in white around
SHEET = ((0, 0), (SIZE[0], 0), SIZE, (0, SIZE[1]))
PLACES = np.array([(120.0, 100.0), (520.0, 100.0), (520.0, 380.0), (120.0, 380.0), (320.0, 240.0)])


def printed(picture: NDArray[np.uint8], markers: Sequence[int]) -> NDArray[np.uint8]:
    """Return the picture with these markers at its corners, 70 pixels from the border."""
    picture = picture.copy()
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    white = SIDE + SIDE // 2
    for number in markers:
        x, y = (min(max(at - white // 2, 70), side - 70 - white) for at, side in zip(SHEET[number], SIZE, strict=True))
        picture[y : y + white, x : x + white] = 225
        drawn = cv2.aruco.generateImageMarker(dictionary, number, SIDE)
        inside = slice(y + SIDE // 4, y + SIDE // 4 + SIDE), slice(x + SIDE // 4, x + SIDE // 4 + SIDE)
        picture[inside] = np.clip(drawn, 25, 225)[:, :, None]
    return picture


def nudge(right: float, down: float, turn: float, scale: float = 1.0, tilt: float = 0.0) -> Homography:
    """Return what a camera nudged so sees of its first picture; turn: degrees; tilt: of its depth, over the picture."""
    way = np.vstack([cv2.getRotationMatrix2D((320, 240), turn, scale), IDENTITY[2]])
    way[:2, 2] += right, down
    away = np.eye(3)
    away[2] = tilt / SIZE[0], -tilt / SIZE[1], 1.0
    return np.asarray(away @ way, np.float64)


class Marked(WatchedWorld):
    """The camera sees these printed markers beside the dice."""

    def __init__(self, markers: Sequence[int]) -> None:
        super().__init__(RoomWorld(3, chance=Random(8), fps=10.0, noise=0.0))
        self.markers = markers

    def picture(self, pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return np.asarray(cv2.warpPerspective(printed(pixels, self.markers), self.way, SIZE), np.uint8)


FAR = {
    "shifted and turned": nudge(60, -20, 10),
    "turned": nudge(-10, 30, -25),
    "raised": nudge(10, 0, 3, scale=0.8),
    "lowered and tilted": nudge(-15, 10, 6, scale=1.08, tilt=0.08),
}


@pytest.mark.slow
@pytest.mark.parametrize("way", FAR.values(), ids=FAR)
def test_markers_lead_a_nudged_camera_back(way: Homography) -> None:
    """Far, and back again: noticed, every die stays where it lay and as large, no throw; then a throw is one."""
    table = Marked(MARKERS)
    table.run(0.4)
    table.world.throw()
    seen = table.run(1.0)
    before, size_px = places(seen), seen.reading.dice[0].size
    assert len(table.taken) == 1
    for count, there in enumerate((way, IDENTITY), start=1):
        table.way = there
        seen = table.run(1.5)
        assert (seen.nudged, seen.elsewhere) == (count, 0)
        assert np.abs(np.subtract(places(seen), before)).max() < 3.0
        assert seen.rest is not None
        assert all(abs(die.size - size_px) < 0.03 * size_px for die in seen.rest.reading.dice)
    assert len(table.taken) == 1
    table.world.throw()
    table.run(1.0)
    assert len(table.taken) == 2


def test_a_camera_that_looks_elsewhere_has_seen_no_throw() -> None:
    """Without markers, moved far: said after two seconds, what lies there was not thrown; the next throw is one."""
    table = Marked(())
    table.run(0.4)
    table.world.throw()
    table.run(1.0)
    table.way = nudge(100, 60, 40)  # all dice stay in view
    seen = table.run(3.5)
    assert (seen.nudged, seen.elsewhere) == (1, 1)
    assert seen.rest is not None
    assert max(seen.rest.arrived_s) == float("-inf")
    assert len(table.taken) == 1
    table.world.throw()
    table.run(1.0)
    assert len(table.taken) == 2
    dark = table.watch.process(Frame(np.zeros((*SIZE[::-1], 3), np.uint8), table.world.now_s + 0.1))
    assert (dark.nudged, dark.elsewhere) == (1, 1)  # nothing new to be said


@pytest.mark.parametrize(
    ("markers", "right"), [((0, 1, 2, 3), 2.0), ((1, 2, 3), 3.0), ((0, 2), 4.0), ((3,), None), ((), None)]
)
def test_how_many_markers_are_needed(markers: tuple[int, ...], right: float | None) -> None:
    """Two tell a shift and a turn to 4 pixels, three and four all of it; one is not trusted; a wrong place neither."""
    ground = np.full((*SIZE[::-1], 3), 90, np.uint8)
    marked = MarkerReference()
    marked.learn(printed(ground, MARKERS), IDENTITY)
    assert marked.known == len(MARKERS)
    way = nudge(40, -30, 12, tilt=0.06 if len(markers) > 2 else 0.0)
    found = marked.estimate_pose(np.asarray(cv2.warpPerspective(printed(ground, markers), way, SIZE), np.uint8))
    if right is None:
        assert found is None
    else:
        assert found is not None
        assert np.hypot(*(apply_to_points(apply_to_points(PLACES, way), found) - PLACES).T).max() < right
    shuffled = printed(ground, MARKERS)
    shuffled[:, :320], shuffled[:, 320:] = shuffled[:, 320:].copy(), shuffled[:, :320].copy()
    assert marked.estimate_pose(shuffled) is None
