"""Light for random scenes: lamps, windows, glare on top faces, and sunlight with the shadow of a window frame."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.scene import Light, Pane, Viewpoint
from tools.room.chance import chance
from tools.room.studio_light import StudioLight

Picture = NDArray[np.uint8]

GLARE, RINGS, SECOND_LAMP = 0.3, 0.18, 0.2  # shares of scenes
LOW_SUN_DEG = (12.0, 35.0)


def random_light(camera: Viewpoint, rng: np.random.Generator) -> Light:
    """Return the light of a scene; glares are aimed so that the tops of flat dice reflect them into that camera."""
    lamp = float(rng.uniform(0.05, 0.85))
    hard = chance(rng, 0.35)
    low = chance(rng, 0.12)
    warm = rng.uniform(-0.22, 0.22)  # warm light has more red and less blue
    tint = (1 - warm, 1.0, 1 + warm) if chance(rng, 0.5) else (1.0, 1.0, 1.0)
    panes = []
    if chance(rng, GLARE):
        panes += [_glare(camera, rng, ring=False) for _ in range(int(rng.integers(1, 3)))]
    if chance(rng, RINGS):
        panes.append(_glare(camera, rng, ring=True))
    return StudioLight(
        azimuth_deg=_against(camera, rng) if low else float(rng.uniform(0, 360)),
        elevation_deg=float(rng.uniform(*LOW_SUN_DEG) if low else rng.uniform(18, 88)),
        lamp=lamp,
        ambient=float(1.05 - lamp * rng.uniform(0.7, 1)),
        softness=float(rng.uniform(0.01, 0.06) if hard else rng.uniform(0.05, 0.5)),
        tint=tint,
        window=float(rng.uniform(0, 1.6)) if chance(rng, 0.6) else 0.0,
        window_azimuth_deg=float(rng.uniform(0, 360)),
        window_elevation_deg=float(rng.uniform(40, 90)),
        window_wide=float(rng.uniform(0.03, 0.5)),
        window_high=float(rng.uniform(0.03, 0.4)),
        panes=tuple(panes),
        second=float(rng.uniform(0.15, 0.5)) if chance(rng, SECOND_LAMP) else 0.0,
        second_azimuth_deg=float(rng.uniform(0, 360)),
        second_elevation_deg=float(rng.uniform(25, 80)),
    )


def _mirror_direction(camera: Viewpoint) -> tuple[float, float]:
    """Return azimuth and elevation, in degrees, of what a level mirror shows to the camera."""
    to_eye = camera.turn()[2]  # the camera's own axis towards it, in world axes
    azimuth = math.degrees(math.atan2(-float(to_eye[1]), -float(to_eye[0])))
    return azimuth, math.degrees(math.asin(min(1.0, float(to_eye[2]))))


def _against(camera: Viewpoint, rng: np.random.Generator) -> float:
    """Return the azimuth of a low lamp behind the dice, seen from the camera."""
    return float(_mirror_direction(camera)[0] + rng.normal(0, 35))


def _glare(camera: Viewpoint, rng: np.random.Generator, *, ring: bool) -> Pane:
    """Return a strip lamp, a window or a ring that lies across many tops but seldom covers a whole one."""
    azimuth, elevation = _mirror_direction(camera)
    steep = max(0.15, math.cos(math.radians(elevation)))
    away = rng.normal(0, 7, 2)
    strip = chance(rng, 0.5)
    return Pane(
        azimuth_deg=float(azimuth + away[0] / steep),
        elevation_deg=float(np.clip(elevation + away[1], 5, 89.9)),
        wide=float(rng.uniform(0.06, 0.4)),
        high=float(rng.uniform(0.02, 0.05) if strip or ring else rng.uniform(0.04, 0.16)),
        strength=float(rng.uniform(0.8, 5) if strip or ring else rng.uniform(0.4, 1.8)),
        roll_deg=float(rng.uniform(0, 180)),
        ring=ring,
    )


def add_sunlight(frame: Picture, die_px: float, rng: np.random.Generator) -> None:
    """Shade the frame, in place, except some stripes or panes in the sun: hard edges across dice and ground."""
    height, width = frame.shape[:2]
    sunny = np.zeros((height, width), np.float32)
    middle = np.array([width, height]) * rng.uniform(0.2, 0.8, 2)
    angle = rng.uniform(0, np.pi)
    along, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    across = across + along * rng.uniform(-0.6, 0.6)
    far, step = float(height + width), die_px * rng.uniform(0.4, 4)
    high = far if chance(rng, 0.6) else die_px * rng.uniform(1, 4)
    for pane in range(-1, int(rng.integers(0, 4))):
        left, right = pane * step, (pane + rng.uniform(0.5, 0.95)) * step
        corners = [
            middle + across * a + along * b for a, b in ((left, -high), (right, -high), (right, high), (left, high))
        ]
        cv2.fillPoly(sunny, [np.asarray(corners, np.int32)], (1.0,), cv2.LINE_AA)
    soft = cv2.GaussianBlur(sunny, (0, 0), max(0.4, die_px * rng.uniform(0.005, 0.08)))
    if chance(rng, 0.4):
        soft = 1 - soft
    dark = rng.uniform(0.35, 0.75)
    gain = dark + (rng.uniform(1.0, 1.35) - dark) * soft[:, :, None] * np.ones(3, np.float32)
    gain *= 1 + (soft[:, :, None] - 0.5) * np.array([-0.08, 0, 0.08], np.float32)
    frame[:] = np.clip(frame * gain, 0, 255).astype(np.uint8)
