"""Does the camera see a light that plays with the game? Blink it, and look for the blinking in the tray."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from math import inf
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.broadcast.wled import solid
from tabletop.config.hooks import WLED, Hook
from tabletop.core import DeviceError, checks, ports, say
from tabletop.doctor.receivers import THERE

PATTERN = (True, False, False, True, False, True, True, False)  # a room that slowly gets brighter cancels out
SETTLE_S, LOOK_S = 0.5, 0.3  # after each change: the lamp follows, then the pictures count
LEAST = 0.01  # of the room's light: less is noise
MOST = 1.0  # of the room's light, in any colour: up to this, throws beside a ring were measured (tools/scoring)
ANSWER_S, ANSWER_BYTES, OK = 3.0, 1 << 16, 200
LINEAR = np.square(np.arange(256, dtype=np.float32) / 255)  # cameras store about the root of the light
DARKEST = 1e-6  # of white: nothing is divided by zero
COLOURS = say("blue"), say("green"), say("red")
LIGHTS, WHITE = say("lights"), solid((255, 255, 255))


def light_checks(hooks: Iterable[Hook], camera: ports.Camera) -> Iterator[checks.Check]:
    """Yield a check of each WLED light; blinks it for some seconds, and leaves it as it was."""
    for hook in (hook for hook in hooks if hook.preset == WLED):
        try:
            shares = _blinked(hook, camera)
        except (OSError, HTTPException, ValueError, KeyError, TypeError, RecursionError, DeviceError):
            silent = say("no answer in time")
            yield checks.Check(LIGHTS, hook.name, found=False, right=False, figure=silent, remedy=THERE)
            continue
        figure, (most, colour) = say("the camera does not see it"), max(zip(shares, COLOURS, strict=True))
        if any(shares):
            mean, highest = round(100 * sum(shares) / len(shares)), round(100 * most)
            figure = say("brightens the tray by {n} %, {text} by {n2} %", n=mean, text=colour, n2=highest)
        yield checks.measured(LIGHTS, hook.name, most <= MOST, figure, say("turn it down, or away from the tray"))


def brightening(switch: Callable[[bool], object], camera: ports.Camera) -> tuple[float, ...]:
    """Return the shares of the room's blue, green and red light that a light adds in the tray.

    All 0.0 if the camera does not see it. switch: turns it on and off; the camera's pictures follow at once.
    """
    levels = []
    for on in PATTERN:
        switch(on)
        levels.append(_level(camera))
    pairs = np.array(levels).reshape(-1, 2, 3)
    added = (pairs[:, 0] - pairs[:, 1]) * np.where(PATTERN[::2], 1, -1)[:, None]
    shares = np.median(added, axis=0) / np.maximum(np.median(pairs.min(axis=1), axis=0), DARKEST)
    blinked = added.sum(axis=1) > np.median(added.sum(axis=1)) / 4
    seen = shares.max() >= LEAST and blinked.sum() >= len(blinked) - 1  # a hand may have reached in once
    return tuple(shares.tolist()) if seen else (0.0, 0.0, 0.0)


def _level(camera: ports.Camera) -> NDArray[np.float64]:
    """Return the mean light of the next pictures in their middle, which the tray fills, blue, green and red, (3,)."""
    begun_s, levels = inf, [np.zeros(3)]
    while (frame := camera.read()) is not None and frame.time_s <= begun_s + SETTLE_S + LOOK_S:
        begun_s = min(begun_s, frame.time_s)
        if frame.time_s > begun_s + SETTLE_S:
            height, width = frame.pixels.shape[:2]
            middle = frame.pixels[height // 5 : -height // 5, width // 5 : -width // 5]
            levels.append(np.array(cv2.mean(cv2.LUT(middle, LINEAR))[:3]))
    return np.asarray(np.mean(levels[1:] or levels, axis=0), np.float64)


def _blinked(hook: Hook, camera: ports.Camera) -> tuple[float, ...]:
    """Blink a lamp in white, as bright as the game's light; at the end it is as it was.

    Raises OSError, HTTPException, ValueError, KeyError or TypeError if it does not answer as WLED does.
    """
    found = _answer(hook)
    before = {key: found[key] for key in ("on", "bri", "seg")}
    try:
        return brightening(lambda on: _answer(hook, {**(WHITE if on else {"on": False}), "tt": 0}), camera)
    finally:
        _answer(hook, before)


def _answer(hook: Hook, state: dict[str, Any] | None = None) -> Any:  # noqa: ANN401 - JSON
    kind = HTTPSConnection if hook.tls else HTTPConnection
    with closing(kind(hook.host, hook.port, timeout=ANSWER_S)) as connection:
        headers = {"content-type": "application/json", **(hook.headers or {})}
        text = json.dumps(state) if state else None
        connection.request("POST" if state else "GET", hook.target, text, headers)
        answer = connection.getresponse()
        if answer.status != OK:
            raise HTTPException(answer.status)
        return json.loads(answer.read(ANSWER_BYTES))
