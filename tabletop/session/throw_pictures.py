"""What is kept of a throw: the frame in which it was read, cropped to the tray, with its reading.

The frames of the newest throw stay in memory for a second look.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

import cv2

from tabletop.core.values import Die, Reading, Rest, Unsure, is_at_one_of
from tabletop.perception.pipeline import FrameResult
from tabletop.rules import Event
from tabletop.session.camera_thread import CameraThread
from tabletop.store.throws import KeptThrow, ThrowPictures
from tabletop.views.photo import Picture
from tabletop.views.terminal.tray_picture import Crop

TYPICAL_BYTES = 48_000
# The longest side, and the quality of the JPEG: only noise needs the last.
SIZES = ((1280, 85), (1280, 70), (960, 70), (960, 50), (640, 50))
Thing = TypeVar("Thing", Die, Unsure)


class ThrowKeeper:
    """Keeps the picture of each throw that is stored, and the frames of the newest one. crop: the tray in a frame."""

    def __init__(self, pictures: ThrowPictures, camera_thread: CameraThread, crop: Callable[[], Crop]) -> None:
        self._pictures, self._camera_thread, self._crop = pictures, camera_thread, crop
        self._newest: tuple[tuple[int, int], FrameResult, tuple[FrameResult, ...]] | None = None

    def threw(self, match: int, number: int, event: Event, rest: Rest) -> None:
        """Keep a throw, as `MatchSession.threw`."""
        frames = self._camera_thread.seen_near(rest.reading.time_s)
        if not frames:
            return
        seen = min(frames, key=lambda seen: abs(seen.frame.time_s - rest.reading.time_s))
        self._newest = (match, number), seen, frames
        self._pictures.put(match, number, partial(kept_throw, event, seen, self._crop()))

    def held(self, match: int, number: int) -> tuple[Picture, ...]:
        """Return the frames of the newest throw, as cropped as its picture, the one that was read first; () for others.

        Those since then count as long as its dice lie there.
        """
        if self._newest is None or self._newest[0] != (match, number):
            return ()
        _, seen, frames = self._newest
        later = (one for one in self._camera_thread.seen_near() if one.frame.time_s > frames[-1].frame.time_s)
        shape = seen.frame.pixels.shape
        same = (one for one in (*frames, *later) if one.frame.pixels.shape == shape and _lies_as(seen, one))
        pixels = [seen.frame.pixels, *(one.frame.pixels for one in same if one is not seen)]
        left, top, right, bottom = _box(self._crop(), *shape[1::-1])
        return tuple(picture[top:bottom, left:right] for picture in pixels)


def _lies_as(before: FrameResult, now: FrameResult) -> bool:
    """Return whether all dice of a reading are seen where they were."""
    seen: tuple[Die | Unsure, ...] = (*now.pixel_reading.dice, *now.pixel_reading.unsure)
    places: tuple[Die | Unsure, ...] = (*before.pixel_reading.dice, *before.pixel_reading.unsure)
    return all(is_at_one_of(die, seen) for die in places)


def _box(crop: Crop, width: int, height: int) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of a crop in pixels, the last two outside."""
    left, top = int(crop.left * width), int(crop.top * height)
    return left, top, max(round(crop.right * width), left + 1), max(round(crop.bottom * height), top + 1)


def kept_throw(event: Event, seen: FrameResult, crop: Crop) -> KeptThrow:
    """Return the throw in the first of `SIZES` that is small enough, without what lies outside the crop."""
    height, width = seen.frame.pixels.shape[:2]
    left, top, right, bottom = _box(crop, width, height)
    part = seen.frame.pixels[top:bottom, left:right]
    zoom, data = 1.0, b""
    for side_px, quality in SIZES:
        zoom = min(side_px / max(part.shape[:2]), 1.0)
        small = part if zoom == 1.0 else cv2.resize(part, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
        data = cv2.imencode(".jpg", small, (cv2.IMWRITE_JPEG_QUALITY, quality))[1].tobytes()
        if len(data) <= TYPICAL_BYTES:
            break

    def placed(things: tuple[Thing, ...]) -> tuple[Thing, ...]:
        inside = [(thing, crop.holds(thing.x / width, thing.y / height)) for thing in things]
        return tuple(_moved(thing, left, top, zoom) for thing, shown in inside if shown)

    rows, columns = (round(side * zoom) for side in part.shape[:2])
    seen_dice, seen_unsure = seen.pixel_reading.dice, seen.pixel_reading.unsure
    reading = Reading(seen.frame.time_s, columns, rows, placed(seen_dice), placed(seen_unsure))
    return KeptThrow(data, reading, replace(event, request=None).to_json())


def _moved(thing: Thing, left: int, top: int, zoom: float) -> Thing:
    """Return a thing as it lies in a part of the frame; pixel (0, 0) is a square centred there, so its centre moves."""
    x, y = ((at + 0.5) * zoom - 0.5 for at in (thing.x - left, thing.y - top))
    return replace(thing, x=x, y=y, size=thing.size * zoom)
