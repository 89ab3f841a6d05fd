"""Shaded previews of solids before printing: a depth buffer, two lights, dark edges."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, radians, sin

import cv2
import numpy as np
from manifold3d import Manifold

from tools.models.files import mesh

Colour = tuple[int, int, int]  # blue, green, red

FINER = 3  # times as fine as the picture while it is drawn
GROUND: Colour = (249, 252, 253)  # the drawings' paper
LIGHTS = (((0.35, -0.55, 0.76), 0.62), ((-0.8, 0.1, 0.6), 0.22))  # towards the light, how strong
AMBIENT = 0.4
MARGIN = 0.06  # of the picture, on each side
EDGE_TURN = 0.9  # of two neighbours' normals, as a cosine: less is an edge
EDGE_STEP = 0.012  # of depths, of the size of what is shown
EDGE_DARK = 0.45
SHADE = 0.25  # how dark corners are at most


@dataclass(frozen=True, slots=True)
class View:
    """The direction of view. turn_deg: about the upright axis; tilt_deg: from above, 90 is straight down."""

    turn_deg: float
    tilt_deg: float
    width_px: int = 900
    height_px: int = 640


def picture(solids: Sequence[tuple[Manifold, Colour]], view: View) -> np.ndarray:
    """Return a picture of coloured solids without perspective: (height, width, 3), uint8."""
    faces, colours = _faces(solids)
    seen = faces @ _rotation(view).T
    low, high = seen.reshape(-1, 3).min(axis=0), seen.reshape(-1, 3).max(axis=0)
    size = np.array([view.width_px, view.height_px]) * FINER
    scale = min(size * (1 - 2 * MARGIN) / (high - low)[:2])
    points = (seen - (low + high) / 2) * (scale, -scale, 1.0) + (*(size / 2), 0.0)
    normals = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), np.finfo(float).tiny)
    depth, face = _nearest(points, (size[1], size[0]))
    hit = face >= 0
    light = AMBIENT + sum(strong * np.maximum(normals @ np.array(way), 0.0) for way, strong in LIGHTS)
    drawn = np.where(hit[..., None], (colours * light[:, None])[face], np.array(GROUND, float))
    dark = _edges(depth, normals[face] * hit[..., None], EDGE_STEP * float(np.linalg.norm(high - low)))
    drawn *= (1 - EDGE_DARK * dark - SHADE * _corners(depth, hit, scale))[..., None]
    picture = np.clip(drawn, 0, 255).astype(np.uint8)
    return cv2.resize(picture, (view.width_px, view.height_px), interpolation=cv2.INTER_AREA)


def _faces(solids: Sequence[tuple[Manifold, Colour]]) -> tuple[np.ndarray, np.ndarray]:
    faces, colours = list[np.ndarray](), list[np.ndarray]()
    for solid, colour in solids:
        corners, triangles = mesh(solid)
        faces.append(corners[triangles])
        colours.append(np.tile(np.array(colour, float), (len(triangles), 1)))
    return np.concatenate(faces), np.concatenate(colours)


def _rotation(view: View) -> np.ndarray:
    """Return the rows right, up and towards the viewer."""
    turn, tilt = radians(view.turn_deg), radians(view.tilt_deg)
    right = (cos(turn), sin(turn), 0.0)
    towards = (sin(turn) * cos(tilt), -cos(turn) * cos(tilt), sin(tilt))
    return np.array([right, np.cross(towards, right), towards])


def _nearest(points: np.ndarray, shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the depth of the nearest face at each pixel, and its number, -1 for none."""
    depth, face = np.full(shape, -np.inf), np.full(shape, -1)
    for number, corners in enumerate(points):
        (ax, ay, _), (bx, by, _), (cx, cy, _) = corners
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if area >= 0:  # seen from behind, or from its edge; y runs down
            continue
        left, top = np.maximum(np.floor(corners[:, :2].min(axis=0)), 0).astype(int)
        right, bottom = np.ceil(corners[:, :2].max(axis=0)).astype(int) + 1
        y, x = np.mgrid[top : min(bottom, shape[0]), left : min(right, shape[1])]
        second = ((x - ax) * (cy - ay) - (y - ay) * (cx - ax)) / area
        third = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / area
        z = corners[0, 2] * (1 - second - third) + corners[1, 2] * second + corners[2, 2] * third
        old = depth[y, x]
        nearer = (second >= 0) & (third >= 0) & (second + third <= 1) & (z > old)
        depth[y, x] = np.where(nearer, z, old)
        face[y, x] = np.where(nearer, number, face[y, x])
    return depth, face


def _edges(depth: np.ndarray, normals: np.ndarray, step: float) -> np.ndarray:
    dark = np.zeros(depth.shape)
    near = np.where(np.isfinite(depth), depth, -1e6)
    for axis in (0, 1):
        turned = (normals * np.roll(normals, 1, axis)).sum(axis=-1) < EDGE_TURN
        deeper = np.abs(near - np.roll(near, 1, axis)) > step
        both = np.isfinite(depth) | np.isfinite(np.roll(depth, 1, axis))
        dark = np.maximum(dark, (turned | deeper) & both)
    return cv2.GaussianBlur(dark, (3, 3), 0)


def _corners(depth: np.ndarray, hit: np.ndarray, scale: float) -> np.ndarray:
    """Return how much each pixel lies deeper than those around it, 0 to 1."""
    far = depth[hit].min()
    filled = np.where(hit, depth, far)
    around = cv2.GaussianBlur(filled, (0, 0), 8.0 * FINER)
    return np.where(hit, np.clip((around - filled) * scale / 60.0 / FINER, 0, 1), 0)
