"""A camera nudged far: by printed markers it finds its way back, without them it says that it cannot."""

from collections.abc import Sequence
from random import Random

import cv2
import numpy as np
import pytest
from all_seeing import AllSeeing
from numpy.typing import NDArray

from tabletop.config.markers import MARKERS
from tabletop.core.ports import Frame
from tabletop.core.values import Reading
from tabletop.interpret import TableMemory, on_rest
from tabletop.perception.camera.markers import MarkerReference
from tabletop.perception.camera.transforms import IDENTITY, Homography, apply_to_points, apply_to_reading
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.rules import Request, Throw
from tools.room.world import RoomWorld

SIZE = (640, 480)
SIDE = 44  # pixels of a printed marker, and a quarter of it in white around
CORNERS = ((0, 0), (SIZE[0], 0), SIZE, (0, SIZE[1]))
PLACES = np.array([(120.0, 100.0), (520.0, 100.0), (520.0, 380.0), (120.0, 380.0), (320.0, 240.0)])


def printed(picture: NDArray[np.uint8], markers: Sequence[int]) -> NDArray[np.uint8]:
    """Return the picture with these markers at its corners, 70 pixels from the border."""
    picture = picture.copy()
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    white = SIDE + SIDE // 2
    for number in markers:
        x, y = (
            min(max(at - white // 2, 70), side - 70 - white) for at, side in zip(CORNERS[number], SIZE, strict=True)
        )
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


class Table:
    """Somebody who waits for throws of a world's dice, with a camera that can be put anywhere over it."""

    def __init__(self, markers: Sequence[int], dice: int = 5) -> None:
        self.world = RoomWorld(dice, chance=Random(8), fps=10.0, noise=0.0)
        self.dice, self.markers, self.way = dice, markers, IDENTITY
        self._truth = AllSeeing(self.world)
        self.watch = PerceptionPipeline(self)
        self.memory, self.taken = TableMemory(), list[tuple[int, ...]]()

    def __call__(
        self, frame: NDArray[np.uint8], *, time_s: float, die_px: float | None, expect: int | None, fixed_size: bool
    ) -> Reading:
        truth = self._truth(frame, time_s=time_s, die_px=die_px, expect=expect, fixed_size=fixed_size)
        return apply_to_reading(truth, self.way)

    def run(self, seconds: float) -> FrameResult:
        """Watch until all is over, and so long more; return what was seen last."""
        end_s = max(self.world.now_s, self.world.tray.busy_until_s) + seconds
        while True:
            frame = self.world.camera.read()
            assert frame is not None
            pixels = np.asarray(cv2.warpPerspective(printed(frame.pixels, self.markers), self.way, SIZE), np.uint8)
            seen = self.watch.process(Frame(pixels, frame.time_s), self.dice)
            if seen.rest is not None:
                outcome = on_rest(Request("roll", "Ann", self.dice), self.memory, seen.rest, (), lambda _: True)
                self.memory = outcome.memory
                self.taken += [answer.faces for answer in outcome.answers if isinstance(answer, Throw)]  # type: ignore[misc]  # no joint throws here
            if self.world.now_s >= end_s and not self.world.busy:
                return seen


def places(seen: FrameResult) -> list[tuple[float, float]]:
    assert seen.rest is not None
    return sorted((die.x, die.y) for die in seen.rest.reading.dice)


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
    table = Table(MARKERS)
    table.run(0.4)
    table.world.throw()
    seen = table.run(1.0)
    before, size_px = places(seen), seen.reading.dice[0].size
    assert len(table.taken) == 1
    for count, moved in enumerate((way, IDENTITY), start=1):
        table.way = moved
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
    table = Table(())
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
