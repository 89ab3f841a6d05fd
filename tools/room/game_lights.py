"""A ring or strip of coloured lamps around the tray that plays with the game, as WLED controllers drive them.

Its light adds to the room's: brighter near the lamps, from all sides at a low angle, with glints on polished dice. Each
lamp of the ring has a colour of its own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.grounds import Layout
from tabletop.simulator.scene import Light, Pane, PosedDie, direction
from tabletop.simulator.tray_picture import MotionPx, Picture, TrayPicture
from tools.room.room import Room

Floats = NDArray[np.floating]
Colour = tuple[float, float, float]  # blue, green, red, 0 to 1

OFF: Colour = (0.0, 0.0, 0.0)
RED, GREEN, BLUE, WHITE, AMBER = (0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 1.0), (0.0, 0.5, 1.0)
TURNS: tuple[Colour, ...] = (RED, BLUE, GREEN, AMBER, (1.0, 0.0, 1.0), (1.0, 1.0, 0.0))
FADE_S = 0.7  # WLED's default transition
LAMPS = 16
COARSE_PX = 8  # the light is smooth: it is computed on every eighth pixel
MAINS_HZ = 100.0  # twice the frequency of the mains
ROWS_S = 1 / 30  # a rolling shutter takes this from the first to the last row
GLARE = 3.0  # how much brighter a lamp seen by the camera is than white paper under it
GLARE_PX = 9
LINEAR = np.square(np.arange(256, dtype=np.float32) / 255)


@dataclass(frozen=True, slots=True)
class RingGlow(Light):
    """The light of a white ring of low lamps, alone."""

    lamp: float = 0.12
    ambient: float = 0.5
    softness: float = 0.3

    def lamps(self) -> tuple[tuple[NDArray[np.float32], float], ...]:
        """Return four of the lamps, one from each corner."""
        return tuple((direction(azimuth_deg, 25.0), self.lamp) for azimuth_deg in (40.0, 140.0, 220.0, 320.0))

    def mirrored(self) -> tuple[Pane, ...]:
        """Return the ring that polished dice mirror, low around them."""
        return (Pane(0.0, 90.0, 2.1, 0.15, 1.0, ring=True),)


@dataclass(frozen=True, slots=True)
class Effect:
    """What the ring shows for a while. lasts_s: then it keeps `leaves`.

    colours: from seconds since the beginning and the lamps' places along the ring (K,) 0 to 1, (K, 3) BGR 0 to 1.
    """

    lasts_s: float
    colours: Callable[[float, Floats], Floats]
    leaves: Colour = OFF


def fade(begin: Colour, end: Colour) -> Effect:
    """Fade from one colour to another, as at each turn."""
    first, last = np.array(begin), np.array(end)
    return Effect(FADE_S, lambda at_s, along: np.tile(first + (last - first) * at_s / FADE_S, (len(along), 1)), end)


def blink(colour: Colour, times: int = 3, hertz: float = 2.0, leaves: Colour = OFF) -> Effect:
    """Switch on and off, hard, as at a bust."""
    lit = np.array(colour)
    return Effect(times / hertz, lambda at_s, along: np.tile(lit * (at_s * hertz % 1 < 1 / 2), (len(along), 1)), leaves)


def rainbow(lasts_s: float = 2.0, leaves: Colour = OFF) -> Effect:
    """Let all colours run round the ring, one round in two seconds, as at a win."""

    def colours(at_s: float, along: Floats) -> Floats:
        hue = 6 * (along[:, None] + at_s / 2 + np.array([2 / 3, 1 / 3, 0.0]))
        return np.asarray(np.clip(np.abs(hue % 6 - 3) - 1, 0, 1))

    return Effect(lasts_s, colours, leaves)


def chase(colour: Colour, lasts_s: float = 2.0, leaves: Colour = OFF) -> Effect:
    """Let a quarter of the ring run round once a second: a bright thing that moves along the rim."""
    return Effect(lasts_s, lambda at_s, along: np.array(colour) * ((along + at_s) % 1 < 1 / 4)[:, None], leaves)


class GameLights:
    """The ring over one tray. room, layout: what it shines on.

    strength: white light of all lamps over that of the room, on average over the tray. high_px: of the lamps above the
    felt. seen: whether the camera sees the lamps, at the picture's border. mains: share by which the lamps flicker.
    """

    def __init__(
        self,
        room: Room,
        layout: Layout,
        strength: float,
        *,
        high_px: float = 120.0,
        seen: bool = False,
        mains: float = 0.0,
    ) -> None:
        self.picture = _TwoPictures(room)
        self._strength, self._mains = strength, mains
        wide, high = layout.width_px, layout.height_px
        self._along = np.arange(LAMPS) / LAMPS
        columns, rows = np.meshgrid(np.arange(0, wide, COARSE_PX), np.arange(0, high, COARSE_PX))
        x, y = zip(*(_on_rim(at, wide, high) for at in self._along), strict=True)
        far2 = (columns[..., None] - np.array(x)) ** 2 + (rows[..., None] - np.array(y)) ** 2 + high_px**2
        shares = high_px / far2**1.5  # a lamp's light falls slanting, and with the square of the distance
        self._shares = shares / shares.sum(axis=2).mean()
        self._seen, glare = seen, np.zeros((high, wide), np.float32)
        for at_x, at_y in zip(x, y, strict=True):
            cv2.circle(glare, (round(at_x), round(at_y)), GLARE_PX, (GLARE,), -1)
        self._glare = np.asarray(cv2.GaussianBlur(glare, (0, 0), 2.0), np.float32)[..., None]
        self._played: list[tuple[float, Effect]] = []

    def play(self, effect: Effect, at_s: float) -> None:
        """Begin an effect at this time, not before the last one began."""
        self._played.append((at_s, effect))

    @property
    def ends_s(self) -> float:
        """When the newest effect is over and the light is steady, before all times without one."""
        return max((at_s + effect.lasts_s for at_s, effect in self._played), default=-np.inf)

    def colours(self, time_s: float) -> Floats:
        """Return the lamps' colours at this time, (LAMPS, 3) BGR 0 to 1."""
        begun = [(at_s, effect) for at_s, effect in self._played if at_s <= time_s]
        if not begun:
            return np.zeros((LAMPS, 3))
        at_s, effect = begun[-1]
        if time_s - at_s >= effect.lasts_s:
            return np.tile(np.array(effect.leaves), (LAMPS, 1))
        return effect.colours(time_s - at_s, self._along)

    def lit(self, picture: Picture, time_s: float) -> Picture:
        """Return the picture of the tray, with the hands over it, in the ring's light too."""
        colours = self.colours(time_s)
        if not colours.any():
            return picture
        # A hand is in neither of the two pictures: it is lit as the room lights it.
        own = self.picture.by_ring
        if picture is not self.picture.by_room:
            own = np.where((picture == self.picture.by_room).all(axis=2, keepdims=True), own, picture)
        height, width = picture.shape[:2]
        field = np.asarray(cv2.resize((self._shares @ colours).astype(np.float32), (width, height)), np.float32)
        wave = np.sin(2 * np.pi * MAINS_HZ * (time_s + np.arange(height) / height * ROWS_S))
        field *= self._strength * (1 + self._mains * wave.astype(np.float32))[:, None, None]
        lit = _linear(picture) + field * (_linear(own) + self._glare if self._seen else _linear(own))
        return np.asarray(cv2.convertScaleAbs(cv2.sqrt(lit), alpha=255.0), np.uint8)


class _TwoPictures(TrayPicture):
    """Draws the tray in the room's light, and keeps the same in that of a white ring alone."""

    def __init__(self, room: Room) -> None:
        super().__init__(room.ground(), room.light, room.viewpoint())
        self._ring = TrayPicture(room.ground(), RingGlow(), room.viewpoint())
        self.by_room = self.by_ring = room.ground()

    def draw(self, lying: Sequence[PosedDie], moving: Sequence[tuple[PosedDie, MotionPx]]) -> Picture:
        """Return the frame in the room's light."""
        self.by_room, self.by_ring = super().draw(lying, moving), self._ring.draw(lying, moving)
        return self.by_room


def _on_rim(at: float, wide: int, high: int) -> tuple[float, float]:
    """Return the place along the picture's border, clockwise from the upper left corner."""
    way = at * 2 * (wide + high)
    along, back = min(way, wide), max(0.0, way - wide - high)
    return along - min(back, wide), min(max(0.0, way - wide), high) - max(0.0, back - wide)


def _linear(picture: Picture) -> NDArray[np.float32]:
    return np.asarray(cv2.LUT(picture, LINEAR), np.float32)
