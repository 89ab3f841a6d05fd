"""The picture of the tray: what of it is shown, where things lie in it, and how seldom it is made."""

import asyncio
import base64
import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from page_visitor import Visitor

from tabletop.core.ports import Frame
from tabletop.core.values import Die, Reading, Unsure, UnsureReason
from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.tray_picture import WHOLE, Crop
from tabletop.web.app import MOST_VIEWERS
from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page
from tabletop.web.tray import LONGEST_SIDE_PX, TrayFeed, jpeg, tray_of

WIDTH, HEIGHT = 400, 200
MIDDLE, RIGHT = Die(3, 200.0, 100.0, 40.0, 10.4, "red", 0.9), Die(3, 390.0, 100.0, 40.0, 0.0, "red", 0.9)
LEFT = Die(5, 180.0, 80.0, 40.0, 0.0, "red", 0.9)
READING = Reading(1.0, WIDTH, HEIGHT, (MIDDLE, RIGHT, LEFT))
TABLE = Snapshot("Pig", ("Ann", "Ben"), (3, 7), "Ann", reading=READING, thrown=(3, 3, 5), kept=(True, False, False))


def frame(grey: int, time_s: float = 1.0) -> Frame:
    return Frame(np.full((HEIGHT, WIDTH, 3), grey, np.uint8), time_s)


def decoded(data: bytes) -> dict[str, Any]:
    shown = dict(json.loads(data))
    return {**shown, "picture": pixels_of(base64.b64decode(shown["picture"]))}


def pixels_of(picture: bytes) -> NDArray[np.uint8]:
    found = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
    assert found is not None
    return np.asarray(found, np.uint8)


# Where things lie


def test_places_are_parts_of_the_picture() -> None:
    """A die in the middle is at a half and a half, its edge a tenth of the width; an unsure one has its two faces."""
    unsure = Unsure(100.0, 150.0, 40.0, UnsureReason.TWO_FACES, faces=(4, 6))
    shown = tray_of(replace(READING, dice=(MIDDLE,), unsure=(unsure,)), ())
    assert shown["shape"] == 2.0
    assert shown["dice"] == [{"x": 0.5, "y": 0.5, "size": 0.1, "angle": 10, "face": 3, "kept": False}]
    assert shown["unsure"] == [{"x": 0.25, "y": 0.75, "size": 0.1, "faces": [4, 6], "at": [100, 150]}]


def test_only_the_tray_is_shown() -> None:
    """Places are parts of the crop; if a die lies outside it, everything is shown, since people are asked about it."""
    half = Crop(0.25, 0.0, 0.75, 1.0)
    inside = tray_of(replace(READING, dice=(MIDDLE,)), (), half)
    assert (inside["shape"], inside["dice"][0]["x"], inside["dice"][0]["size"]) == (1.0, 0.5, 0.2)
    assert tray_of(READING, (), half)["shape"] == 2.0


@pytest.mark.parametrize(
    ("kept", "marked"),
    [((), [False] * 3), ((3,), [False, True, False]), ((3, 3), [True, True, False]), ((5, 6), [False, False, True])],
)
def test_dice_set_aside_are_marked(kept: tuple[int, ...], marked: list[bool]) -> None:
    """Of two threes of which one is kept, the one away from the others; a face that is not seen marks none."""
    assert [die["kept"] for die in tray_of(READING, kept)["dice"]] == marked


def test_a_picture_is_small_and_keeps_its_shape() -> None:
    """The crop alone, at most as wide as a phone shows it, never enlarged."""
    large = np.zeros((1000, 2000, 3), np.uint8)
    large[:, 1000:] = 255
    whole, right = pixels_of(jpeg(large)), pixels_of(jpeg(large, Crop(0.5, 0.0, 1.0, 1.0)))
    assert (whole.shape, right.shape) == ((320, LONGEST_SIDE_PX, 3), (LONGEST_SIDE_PX, LONGEST_SIDE_PX, 3))
    assert whole[:, :310].max() < 20
    assert right.min() > 235
    assert pixels_of(jpeg(frame(7).pixels)).shape == (HEIGHT, WIDTH, 3)


# How often


class Afternoon:
    """A time that goes on while somebody waits, in which the camera sees something new at every look.

    viewers: how many wait at once, each for its part of the time.
    """

    def __init__(self, viewers: int) -> None:
        self.now_s, self.feed = 0.0, TrayFeed(lambda: self.now_s, WHOLE, self.sleep)
        self._viewers = viewers
        self.feed.put(frame(100), TABLE)

    async def sleep(self, seconds: float) -> None:
        self.now_s += seconds / self._viewers
        self.feed.put(frame(int(self.now_s * 20) % 256, self.now_s), TABLE)
        if self.now_s > 60.0:
            self.feed.close()
        await asyncio.sleep(0)

    async def look(self) -> int:
        """Look on until a minute is over; return how many pictures came."""
        count, pictures = -1, 0
        while picture := await self.feed.after(count):
            count, pictures = picture.count, pictures + 1
        return pictures


def test_two_pictures_a_second_for_all() -> None:
    """Twenty viewers get the same pictures, each made once, at most two a second, and hardly fewer."""

    async def looking(minute: Afternoon) -> list[int]:
        return await asyncio.gather(*(minute.look() for _ in range(20)))

    minute = Afternoon(20)
    each = asyncio.run(looking(minute))
    assert (len(each), min(each) > 100) == (20, True)
    assert minute.feed.encodings <= 121


def test_a_still_tray_is_sent_once() -> None:
    """Nothing new, no picture, whatever the time; dice set aside on the page are something new."""
    still, times = frame(1), iter(range(0, 100, 10))
    feed = TrayFeed(lambda: float(next(times)))
    feed.put(still, TABLE)
    first = asyncio.run(feed.after(-1))
    feed.put(replace(still, time_s=2.0), TABLE)
    assert asyncio.run(feed.after(-1)) is first
    feed.put(replace(still, time_s=2.0), replace(TABLE, kept=(False,) * 3))
    second = asyncio.run(feed.after(1))
    assert first is not None
    assert second is not None
    assert [[die["kept"] for die in decoded(shown.data)["dice"]] for shown in (first, second)] == [
        [False, True, False],
        [False] * 3,
    ]


def test_nobody_looks() -> None:
    """However much the camera sees: no picture is made."""
    feed = TrayFeed(lambda: 0.0)
    for number in range(500):
        feed.put(frame(number % 256), TABLE)
    assert feed.encodings == 0


# Over the network


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    opened = Page(listen("local", 0), time.monotonic, tmp_path / DEVICES)
    opened.show(TABLE, frame(200), 1.0)
    yield opened
    opened.close()


def test_the_tray_comes_over_the_network(page: Page) -> None:
    """Picture and places together; the next frame follows."""
    with Visitor(page.address).events("/tray") as pictures:
        first = next(pictures)[1]
        page.show(TABLE, frame(50), 2.0)
        second = next(pictures)[1]
    greys = [round(float(decoded(json.dumps(shown).encode())["picture"].mean())) for shown in (first, second)]
    assert greys == [200, 50]
    assert len(first["dice"]) == 3


def test_a_reading_of_another_frame_is_not_drawn(page: Page) -> None:
    """A reading that does not fit the picture would mark the wrong places."""
    page.show(replace(TABLE, reading=replace(READING, width=1, height=1)), frame(90), 2.0)
    with Visitor(page.address).events("/tray") as pictures:
        assert next(pictures)[1]["dice"] == []


def test_one_viewer_of_the_tray_too_many(page: Page) -> None:
    """He is asked to wait, and the match itself can still be looked at."""
    with ExitStack() as crowd:
        for _ in range(MOST_VIEWERS):
            next(crowd.enter_context(Visitor(page.address).events("/tray")))
        assert Visitor(page.address).get("/tray").status == 503
        assert next(crowd.enter_context(Visitor(page.address).events()))[0] == "you"
        assert page.tray.encodings == 1
