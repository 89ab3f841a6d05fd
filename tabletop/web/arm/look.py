"""The picture of the camera with its signs, for a device that may act: made while one looks, twice a second at most."""

import asyncio
import base64
import json
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from starlette.responses import Response

from tabletop.core.message import say
from tabletop.core.ports import Frame
from tabletop.core.values import Profile, Signs
from tabletop.views.i18n.catalogue import Language
from tabletop.views.i18n.translate import HINT
from tabletop.views.snapshot import Snapshot

GROUP, NAME = (
    "tabletop.signs",
    "arm",
)  # the entry point: a class; its objects take pixels, time and `Corners`, and return `Signs`
EVERY_S = 0.5  # between two pictures
LONGEST_SIDE_PX = 640  # as wide as a phone shows it
QUALITY = 70  # of the JPEG, of 100
PARTS = 4  # decimals of a place, as part of the picture's width and height

JSON = {"content-type": "application/json", "cache-control": "no-store"}
SAID = ("name", "figure", "advice")

Corners = tuple[tuple[float, float], ...]  # of a tray that no marker shows, in parts of the picture; empty if unknown
SeeSigns = Callable[[NDArray[np.uint8], float, Corners], Signs]
Translate = Callable[[str], str]


ProfileSource = Callable[[], Profile | None]  # what the table reads with now
LanguageSource = Callable[[int], tuple[object, Language]]
"""Returns the language of the table behind something else; as `SetupSource`, which it is."""


class ArmLook:
    """Makes what the page of the arm shows. signs: None for those of the installed package.

    profile: returns what the table reads with.
    """

    def __init__(self, signs: SeeSigns | None = None) -> None:
        self._signs = signs
        self.profile: ProfileSource = lambda: None
        self._lock = asyncio.Lock()
        self._made_s, self._made = float("-inf"), b""

    async def answer(
        self, frame: Frame | None, now_s: float, source: LanguageSource | None, shown: Snapshot | None = None
    ) -> Response:
        """Answer with the newest picture and its signs as JSON; `null` if there are none to be had.

        frame: the newest one. source: knows the language, None for English. shown: what the table shows now.
        """
        async with self._lock:  # several who look get the same picture
            if now_s - self._made_s >= EVERY_S:
                self._made = await asyncio.to_thread(self._look, frame, source, shown)
                self._made_s = now_s
            return Response(self._made, headers=JSON)

    def _look(self, frame: Frame | None, source: LanguageSource | None, shown: Snapshot | None) -> bytes:
        self._signs = self._signs or installed()
        if self._signs is None or frame is None:
            return b"null"
        language = None if source is None else source(0)[1]
        seen = self._signs(frame.pixels, frame.time_s, self._tray(shown))
        asked = {} if shown is None else asked_of(shown)
        translate: Translate = str if language is None else lambda text: language.translate(text, HINT)
        return encoded(frame.pixels, seen, translate, asked)

    def _tray(self, shown: Snapshot | None) -> Corners:
        """Return where the tray lies: as somebody has shown it in the guided run, else as the table reads with."""
        menu = None if shown is None else shown.menu
        if menu is not None and menu.guided:
            return menu.tray
        profile = self.profile()
        if profile is None or (profile.setup is not None and profile.setup.marker_error_mm):
            return ()  # markers say where that tray lies now: the camera may have been moved
        return profile.tray_shares


def installed() -> SeeSigns | None:
    """Return what says signs of a picture, from the package that offers it; None if there is none."""
    found = [point for point in entry_points(group=GROUP) if point.name == NAME]
    return found[0].load()() if found else None


def asked_of(snapshot: Snapshot) -> dict[str, Any]:
    """Return what the guided run asks now, in values of JSON; `guided` is null while nobody is guided."""
    menu, phrases = snapshot.menu, snapshot.phrases
    guided: dict[str, Any] | None = None
    if menu is not None and menu.guided:
        guided = {"title": menu.title, "line": menu.items[menu.at], "note": menu.note, "corners": menu.corners}
        guided |= {"hold": snapshot.hold, "bank": snapshot.bank}
    words = {"begin": phrases.page["calibrate"], "tap": phrases.page["corners_tap"], "use": phrases.page["corners_use"]}
    words |= {"keys": phrases.page["corners_keys"], "picture": phrases.page["tray"], "language": phrases.language_code}
    return {
        "asks": snapshot.question_number,
        "match": snapshot.number,
        "guided": guided,
        "words": words | {"late": phrases.page["late"]},
    }


def encoded(pixels: NDArray[np.uint8], seen: Signs, translate: Translate, asked: dict[str, Any] | None = None) -> bytes:
    """Return a picture (H, W, 3) with its signs as JSON; places are parts of its width and height.

    asked: what else the page is told, see `asked_of`.
    """
    height, width = pixels.shape[:2]
    smaller = min(1.0, LONGEST_SIDE_PX / max(height, width))
    small = cv2.resize(pixels, (round(width * smaller), round(height * smaller)), interpolation=cv2.INTER_AREA)
    packed = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
    made: dict[str, Any] = {
        "title": translate(say("set up the camera")),
        "good": translate(say("good")),
        "picture": base64.b64encode(packed).decode(),
        "markers": [[[round(x / width, PARTS), round(y / height, PARTS)] for x, y in each] for each in seen.markers],
        "signs": [{part: translate(getattr(sign, part)) for part in SAID} for sign in seen.signs],
        **(asked or {}),
    }
    return json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode()
