"""A dice tray of folded leather around a picture: walls, folds, seams and snaps, and the table beyond."""

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.grounds import any_colour
from tools.room.chance import chance, soft_noise

Picture = NDArray[np.uint8]
Points = NDArray[np.float64]
# Measured by eye on photographs of trays of seven colours, which hold dice of 16 mm; in dice
ACROSS = (5.0, 11.0)  # from the middle to a corner of the floor
WALL = (0.9, 2.0)  # as wide as a wall looks from above, and from aside
SEAM = 0.12  # from the rim to the stitches
STITCH = 0.22  # from one stitch to the next
SNAP = (0.25, 0.45)  # across
SHARES = 0.6, 0.7, 0.5  # of trays with six sides, with the floor's own leather on the walls, with stitches


def add_leather_tray(frame: Picture, die_px: float, rng: np.random.Generator) -> None:
    """Draw the walls of a tray and the area beyond them into the frame, in place. The floor is unchanged."""
    height, width = frame.shape[:2]
    floor = _floor(width, height, die_px, rng)
    middle = floor.mean(axis=0)
    wall = die_px * rng.uniform(*WALL)
    away = floor - middle
    rim = middle + away * (1 + wall / np.hypot(*away.T)[:, None])
    rim += rng.normal(0, wall * 0.25, 2)  # seen from aside, the walls on one side look wider
    leather = frame.mean(axis=(0, 1)) if chance(rng, SHARES[1]) else np.asarray(any_colour(rng), np.float64)
    _beyond(frame, rim, die_px, rng)
    grain = soft_noise(height, width, max(1.0, die_px * 0.15), rng)[:, :, None] * rng.uniform(0, 14)
    light = rng.uniform(0, 2 * np.pi)
    contrast = rng.uniform(0.05, 0.5)
    for first in range(len(floor)):
        second = (first + 1) % len(floor)
        side = np.array([floor[first], floor[second], rim[second], rim[first]])
        out = side.mean(axis=0) - middle
        shade = 1 + contrast * np.cos(np.arctan2(out[1], out[0]) - light) - rng.uniform(0, 0.15)
        _fill(frame, side, leather * shade + grain)
    edge = np.clip(leather * rng.uniform(0.5, 1.7) + rng.uniform(0, 30), 0, 255)
    fold = np.clip(leather * rng.uniform(0.3, 0.8), 0, 255)
    thin = max(1, round(die_px * 0.05))
    cv2.polylines(frame, [_whole(floor)], isClosed=True, color=fold.tolist(), thickness=thin, lineType=cv2.LINE_AA)
    cv2.polylines(frame, [_whole(rim)], isClosed=True, color=edge.tolist(), thickness=2 * thin, lineType=cv2.LINE_AA)
    if chance(rng, SHARES[2]):
        _stitch(frame, middle + (rim - middle) * (1 - SEAM * die_px / np.hypot(*away.T)[:, None]), die_px, edge)
    for inner, outer in zip(floor, rim, strict=True):  # the leather is folded at each corner, and held by a snap
        cv2.line(frame, _at(inner), _at(outer), fold.tolist(), thin, cv2.LINE_AA)
        _snap(frame, inner + (outer - inner) * rng.uniform(0.6, 1.1), die_px, rng)


def _floor(width: int, height: int, die_px: float, rng: np.random.Generator) -> Points:
    """Return the corners of the floor, so that a part of it is in the frame."""
    sides = 6 if chance(rng, SHARES[0]) else 4
    turns = rng.uniform(0, 2 * np.pi) + np.arange(sides) * 2 * np.pi / sides
    corners = np.stack([np.cos(turns), np.sin(turns) * rng.uniform(0.6, 1)], axis=1) * die_px * rng.uniform(*ACROSS)
    far = die_px * ACROSS[0] * 0.8  # the middle may lie outside, and the frame still shows some floor
    within = rng.uniform(-far, far, 2)
    placed: Points = corners + np.array([width / 2, height / 2]) + within
    return placed


def _beyond(frame: Picture, rim: Points, die_px: float, rng: np.random.Generator) -> None:
    """Cover what lies outside with the table, often with a cloth of many colours, darker beside the wall."""
    height, width = frame.shape[:2]
    table = np.full((height, width, 3), any_colour(rng), np.float64)
    if chance(rng, 0.6):
        period = max(1.0, die_px * rng.uniform(0.08, 0.5))
        specks = np.stack([soft_noise(height, width, period, rng) for _ in range(3)], axis=2)
        table += specks * rng.uniform(20, 90)
    inside = np.zeros((height, width), np.float32)
    cv2.fillPoly(inside, [_whole(rim)], 1.0)
    shadow = cv2.GaussianBlur(inside, (0, 0), max(0.5, die_px * 0.4))[:, :, None] * rng.uniform(0, 0.9)
    seen = np.clip(table * (1 - shadow), 0, 255)
    frame[:] = np.where(inside[:, :, None] > 0, frame, seen).astype(np.uint8)


def _fill(frame: Picture, corners: Points, pixels: NDArray[np.float64]) -> None:
    """Draw these pixels of a whole frame where the polygon is."""
    inside = np.zeros(frame.shape[:2], np.uint8)
    cv2.fillPoly(inside, [_whole(corners)], 1)
    frame[inside > 0] = np.clip(pixels, 0, 255).astype(np.uint8)[inside > 0]


def _stitch(frame: Picture, corners: Points, die_px: float, colour: NDArray[np.float64]) -> None:
    """Draw a seam as short lines."""
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        count = max(1, int(np.hypot(*(end - start)) / (STITCH * die_px)))
        for at in range(count):
            first, last = (start + (end - start) * (at + part) / count for part in (0.1, 0.6))
            cv2.line(frame, _at(first), _at(last), colour.tolist(), max(1, round(die_px * 0.03)), cv2.LINE_AA)


def _snap(frame: Picture, at: Points, die_px: float, rng: np.random.Generator) -> None:
    """Draw a round snap of metal with a light spot: dark on light it looks like a pip."""
    radius = max(1, round(die_px * rng.uniform(*SNAP) / 2))
    metal = float(rng.uniform(10, 190))
    cv2.circle(frame, _at(at), radius, (metal, metal, metal), cv2.FILLED, cv2.LINE_AA)
    spot = min(255.0, metal + rng.uniform(20, 120))
    cv2.circle(frame, _at(at - radius * 0.3), max(1, radius // 3), (spot, spot, spot), cv2.FILLED, cv2.LINE_AA)


def _whole(points: Points) -> NDArray[np.int32]:
    return np.asarray(np.round(points), np.int32)


def _at(point: Points) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))
