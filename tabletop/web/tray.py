"""The camera's view of the tray for all viewers: at most two pictures a second, each encoded once.

The thread that plays the match only hands over its newest frame and snapshot. A picture is encoded in the server's
thread when a viewer waits for one; without viewers nothing is done. The page draws the outlines itself, so that they
stay sharp and can be tapped: a picture comes with the places of the dice. Paired devices may also see the whole frame
with the figures for adjusting camera and lamp.
"""

import asyncio
import base64
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from importlib.metadata import entry_points
from math import hypot
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.core import message, ports
from tabletop.core.values import Die, Profile, Reading, Signs, Unsure
from tabletop.views.i18n.translate import HINT
from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.tray_picture import WHOLE, Crop
from tabletop.web import feed, payload

EVERY_S = 0.5  # between two pictures
LOOK_S = 0.1  # how often a new frame is looked for once a picture is due
LONGEST_SIDE_PX = 640  # as wide as a phone shows it, with two pixels for each of its own
QUALITY = 72  # of the JPEG, of 100: 20 to 40 kB, and pips stay round
PARTS = 4  # decimals of a place, as part of the picture: a tenth of a pixel


class TrayFeed:
    """Delivers the newest picture of the tray to any number of viewers.

    clock: in seconds; sleep: on that clock. crop: the visible part of a frame. encodings: how many pictures were
    encoded.
    """

    def __init__(
        self, clock: Callable[[], float], crop: Crop = WHOLE, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self.encodings = 0
        self._clock, self._crop, self._sleep = clock, crop, sleep
        self._newest: tuple[ports.Frame, Snapshot] | None = None
        self._shown: tuple[object, ...] = ()
        self._pixels: NDArray[np.uint8] | None = None
        self._made: feed.Published | None = None
        self._due_s = float("-inf")
        self._closed = False

    def put(self, frame: ports.Frame | None, snapshot: Snapshot) -> None:
        """Hand over the newest frame and the snapshot whose reading belongs to it, from any one thread."""
        if frame is not None:
            self._newest = frame, snapshot

    @property
    def frame(self) -> ports.Frame | None:
        """The newest frame, None before the first."""
        return None if self._newest is None else self._newest[0]

    def close(self) -> None:
        """Disconnect all viewers, from any thread."""
        self._closed = True

    async def after(self, count: int) -> feed.Published | None:
        """Wait for a picture newer than this number, -1 for any, and return it; None once closed."""
        while not self._closed:
            if self._clock() >= self._due_s:
                self._make()
            if self._made is not None and self._made.count > count:
                return self._made
            await self._sleep(max(self._due_s - self._clock(), LOOK_S))
        return None

    def _make(self) -> None:
        """Encode the newest frame, unless it would be the same picture again."""
        if self._newest is None:
            return
        frame, snapshot = self._newest
        height, width = frame.pixels.shape[:2]
        reading = snapshot.reading
        if reading is None or (reading.width, reading.height) != (width, height):
            reading = Reading(0.0, width, height)
        kept = tuple(sorted(face for face, kept in zip(snapshot.thrown, snapshot.kept, strict=False) if kept))
        seen = reading.dice, reading.unsure, kept
        if self._pixels is frame.pixels and self._shown == seen:  # a camera that sees nothing new repeats its array
            return
        self._pixels, self._shown, self._due_s = frame.pixels, seen, self._clock() + EVERY_S
        self.encodings += 1
        picture = base64.b64encode(jpeg(frame.pixels, crop_for(reading, self._crop))).decode()
        shown = {"count": self.encodings, **tray_of(reading, kept, self._crop), "picture": picture}
        self._made = feed.Published(self.encodings, payload.packed(shown))


def crop_for(reading: Reading, crop: Crop) -> Crop:
    """Return the part to show: the whole frame if anything outside the crop was read, as people may be asked."""
    things: Iterable[Die | Unsure] = (*reading.dice, *reading.unsure)
    return crop if all(crop.holds(thing.x / reading.width, thing.y / reading.height) for thing in things) else WHOLE


def jpeg(pixels: NDArray[np.uint8], crop: Crop = WHOLE) -> bytes:
    """Return the part of a frame, (H, W, 3) uint8 BGR, as JPEG of at most LONGEST_SIDE_PX pixels a side."""
    height, width = pixels.shape[:2]
    left, top = int(crop.left * width), int(crop.top * height)
    part = pixels[top : max(round(crop.bottom * height), top + 1), left : max(round(crop.right * width), left + 1)]
    zoom = LONGEST_SIDE_PX / max(part.shape[:2])
    if zoom < 1.0:
        part = np.asarray(cv2.resize(part, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA), np.uint8)
    _, data = cv2.imencode(".jpg", part, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
    return data.tobytes()


def tray_of(reading: Reading, kept: tuple[int, ...], crop: Crop = WHOLE) -> dict[str, Any]:
    """Return the places of dice in the picture, as JSON values.

    reading: in pixels of the frame. kept: the faces set aside. x, y: as fractions of the picture's width and height;
    size: of its width; shape: its width divided by its height. An unsure die has its two possible faces, if known, else
    none, and its place in the frame, in pixels, to identify it when its face is entered.
    """
    shown = crop_for(reading, crop)
    wide, high = (shown.right - shown.left) * reading.width, (shown.bottom - shown.top) * reading.height
    aside = _set_aside(reading, kept)

    def placed(thing: Die | Unsure) -> dict[str, float]:
        x, y = thing.x - shown.left * reading.width, thing.y - shown.top * reading.height
        return {"x": round(x / wide, PARTS), "y": round(y / high, PARTS), "size": round(thing.size / wide, PARTS)}

    return {
        "shape": round(wide / high, PARTS),
        "dice": [
            {**placed(die), "angle": round(die.angle), "face": die.face, "kept": at in aside}
            for at, die in enumerate(reading.dice)
        ],
        "unsure": [
            {**placed(unsure), "faces": list(unsure.faces), "at": [round(unsure.x), round(unsure.y)]}
            for unsure in reading.unsure
        ],
    }


def _set_aside(reading: Reading, kept: tuple[int, ...]) -> frozenset[int]:
    """Return the indices of the dice that are set aside: of equal ones those farthest from the middle of all dice.

    The table keeps faces and not dice, so which of two equal ones is marked makes no difference to the score; dice that
    somebody set aside lie away from the others.
    """
    dice = reading.dice
    if not dice or not kept:
        return frozenset()
    x, y = (sum(getattr(die, axis) for die in dice) / len(dice) for axis in ("x", "y"))
    left = Counter(kept)
    aside = set()
    for at in sorted(range(len(dice)), key=lambda at: -hypot(dice[at].x - x, dice[at].y - y)):
        if left[dice[at].face] > 0:
            left[dice[at].face] -= 1
            aside.add(at)
    return frozenset(aside)


GROUP, NAME = "tabletop.signs", "arm"  # the entry point: a class whose objects are `SeeSigns`
SAID = ("name", "figure", "advice")

Corners = tuple[tuple[float, float], ...]  # of a tray that no marker shows, in parts of the picture; empty if unknown
SeeSigns = Callable[[NDArray[np.uint8], float, Corners], Signs]  # takes pixels and their time in seconds
ProfileSource = Callable[[], Profile | None]  # what the table reads with now


class ArmLook:
    """Provides the frame with its figures for adjusting camera and lamp, at most twice a second.

    profile: returns the current profile.
    """

    def __init__(self) -> None:
        self.profile: ProfileSource = lambda: None
        self._signs: SeeSigns | None = None
        self._lock = asyncio.Lock()
        self._made_s, self._made = float("-inf"), b"null"

    async def look(self, frame: ports.Frame | None, now_s: float, shown: Snapshot) -> bytes:
        """Return the newest frame and its figures as JSON; `null` if there are none.

        frame: the newest one. shown: the current snapshot.
        """
        async with self._lock:  # several who look get the same picture
            if now_s - self._made_s >= EVERY_S:
                self._made = await asyncio.to_thread(self._look, frame, shown)
                self._made_s = now_s
            return self._made

    def _look(self, frame: ports.Frame | None, shown: Snapshot) -> bytes:
        self._signs = self._signs or installed()
        if self._signs is None or frame is None:
            return b"null"
        seen = self._signs(frame.pixels, frame.time_s, self._tray(shown))
        said = partial(shown.language.translate, sections=HINT)
        height, width = frame.pixels.shape[:2]
        shares = [[(round(x / width, PARTS), round(y / height, PARTS)) for x, y in each] for each in seen.markers]
        return payload.packed(
            {
                "title": said(message.say("set up the camera")),
                "good": said(message.say("good")),
                "picture": base64.b64encode(jpeg(frame.pixels)).decode(),
                "markers": shares,
                "signs": [{part: said(getattr(sign, part)) for part in SAID} for sign in seen.signs],
            }
        )

    def _tray(self, shown: Snapshot) -> Corners:
        """Return where the tray lies: as set in the guided run, else as in the current profile."""
        if shown.menu is not None and shown.menu.guided:
            return shown.menu.tray
        profile = self.profile()
        if profile is None or (profile.setup is not None and profile.setup.marker_error_mm):
            return ()  # markers say where that tray lies now: the camera may have been moved
        return profile.tray_shares


def installed() -> SeeSigns | None:
    """Return the function that measures a frame's figures, from the package that offers it; None if there is none."""
    found = [point for point in entry_points(group=GROUP) if point.name == NAME]
    return found[0].load()() if found else None
