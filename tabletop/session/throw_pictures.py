"""What is kept of a throw: the frame in which it was read, cropped to the tray, with its reading."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

import cv2

from tabletop.core.values import Die, Reading, Rest, Unsure
from tabletop.perception.pipeline import FrameResult
from tabletop.rules import Event
from tabletop.session.camera_thread import CameraThread
from tabletop.store.throws import KeptThrow, ThrowPictures
from tabletop.views.terminal.tray_picture import Crop

TYPICAL_BYTES = 48_000
# The longest side, and the quality of the JPEG: only noise needs the last.
SIZES = ((1280, 85), (1280, 70), (960, 70), (960, 50), (640, 50))
Thing = TypeVar("Thing", Die, Unsure)


def keep_throws(
    pictures: ThrowPictures, camera_thread: CameraThread, crop: Callable[[], Crop]
) -> Callable[[int, int, Event, Rest], None]:
    """Return what is told of each throw that is stored, with match and event number. crop: the tray in a frame."""

    def threw(match: int, number: int, event: Event, rest: Rest) -> None:
        seen = camera_thread.seen_at(rest.reading.time_s)
        if seen is not None:
            pictures.put(match, number, partial(kept_throw, event, seen, crop()))

    return threw


def kept_throw(event: Event, seen: FrameResult, crop: Crop) -> KeptThrow:
    """Return the throw in the first of `SIZES` that is small enough, without what lies outside the crop."""
    height, width = seen.frame.pixels.shape[:2]
    left, top = int(crop.left * width), int(crop.top * height)
    bottom, right = max(round(crop.bottom * height), top + 1), max(round(crop.right * width), left + 1)
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
