"""Dice without pips: solids of 4 to 20 faces with numerals, letters, runes, emblems or ornaments.

The surroundings network learns from many of them, because they caused most false positives on role players' tables.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.grounds import any_colour
from tools.room.chance import chance, from_quaternion, soft_noise
from tools.training.scenes.decal import Bgr, Drawing, Picture, lay
from tools.training.scenes.tiles import two_colours

MARK_PX = 64  # side of a mark
FINER = 2  # times as large as its span is a solid drawn, then made small
SPAN_PX = (24.0, 200.0)  # of the drawing
SPAN = (0.9, 1.9)  # width of a solid, in edges of the dice that would lie there
MOST = 8  # solids in a picture
TILT = 0.22  # standard deviation of the lean of the upper face, radians for each axis
INSIDE = 1e-6  # a vertex that is nearer to a plane than this lies on it
GOLDEN = (1 + 5**0.5) / 2
KINDS = ("numeral", "letter", "rune", "emblem", "ornament", "word")
SHARES = (0.5, 0.06, 0.1, 0.1, 0.16, 0.08)
FONTS = (cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_COMPLEX)

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Style:
    """The look of a set of solids. vein: the second colour of the body; size: of a mark, in inner diameters."""

    body: Bgr
    vein: Bgr
    ink: Bgr
    kind: str
    size: float
    rounding: float
    gloss: float


def add_marked_dice(frame: Picture, die_px: float, rng: np.random.Generator) -> None:
    """Scatter solids of one or several sets over the frame, in place."""
    height, width = frame.shape[:2]
    styles = [random_style(rng) for _ in range(int(rng.integers(1, 4)))]
    for _ in range(int(rng.integers(1, MOST + 1))):
        span = die_px * float(np.exp(rng.uniform(*np.log(SPAN))))
        drawing = solid(span, styles[int(rng.integers(len(styles)))], rng)
        at = (rng.uniform(0, width), rng.uniform(0, height))
        lay(frame, drawing, at, span, rng, thick=rng.uniform(0.02, 0.15), slant=0.15)


def random_style(rng: np.random.Generator) -> Style:
    """Return random colours, marks and finish for one set."""
    body, ink = two_colours(rng)
    vein = any_colour(rng) if chance(rng, 0.15) else tuple(int(value * rng.uniform(0.6, 1.0)) for value in body)
    blue, green, red = vein
    kind = KINDS[int(rng.choice(len(KINDS), p=SHARES))]
    size = rng.uniform(1.0, 1.35) if kind == "ornament" else rng.uniform(0.45, 1.0)
    return Style(body, (blue, green, red), ink, kind, float(size), float(rng.uniform(0.0, 0.06)), float(rng.uniform()))


def solid(span_px: float, style: Style, rng: np.random.Generator) -> Drawing:
    """Draw one solid, seen from above or nearly from above."""
    vertices, faces = solids()[int(rng.integers(len(solids())))]
    side = int(np.clip(span_px, *SPAN_PX)) * FINER
    turn = _looking_up(vertices[list(faces[int(rng.integers(len(faces)))])].mean(axis=0), rng)
    placed = vertices @ turn.T
    flat = (placed[:, :2] * 0.47 + 0.5) * side  # the radius of a solid is 1
    drawing, cover = np.empty((side, side, 3), np.uint8), np.zeros((side, side), np.uint8)
    veins = soft_noise(side, side, side * rng.uniform(0.05, 0.3), rng)[:, :, None] > rng.uniform(0, 1.5)
    drawing[:] = np.where(veins, style.vein, style.body)
    lamp = np.array([*rng.normal(0, 0.5, 2), 1.0])
    lamp /= np.linalg.norm(lamp)
    shade = np.ones((side, side), np.float32)
    for face in faces:
        middle = placed[list(face)].mean(axis=0)
        normal = middle / np.linalg.norm(middle)
        if normal[2] <= 0:
            continue
        outline = np.round(flat[list(face)] * 16).astype(np.int32)
        for layer, value in ((cover, 255.0), (shade, 0.45 + 0.6 * max(0.0, float(normal @ lamp)))):
            cv2.fillPoly(layer, [outline], value, cv2.LINE_AA, 4)
        _print(drawing, _mark(style.kind, len(faces), rng), placed[list(face)], style, side)
    soft = max(0.8, style.rounding * side)
    shade = np.asarray(cv2.GaussianBlur(shade, (0, 0), soft), np.float32)
    glow = np.asarray(cv2.GaussianBlur(cv2.Laplacian(shade, cv2.CV_32F), (0, 0), soft), np.float32)
    lit = drawing * shade[:, :, None] + style.gloss * 900 * np.abs(glow)[:, :, None]
    small = (side // FINER, side // FINER)
    pixels = cv2.resize(np.clip(lit, 0, 255).astype(np.uint8), small, interpolation=cv2.INTER_AREA)
    rounded = cv2.GaussianBlur(cover, (0, 0), soft)
    cover = np.asarray(cv2.resize(rounded, small, interpolation=cv2.INTER_AREA), np.uint8)
    sharp = np.clip((cover.astype(np.float32) - 90) * 4, 0, 255).astype(np.uint8)
    return np.asarray(pixels, np.uint8), sharp


@cache
def solids() -> tuple[tuple[Points, tuple[tuple[int, ...], ...]], ...]:
    """Return vertices (N, 3) of radius 1 at most, and faces as ordered vertex indices, of each kind of die."""
    signs = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    four = [sign for sign in signs if sign[0] * sign[1] * sign[2] > 0]
    eight = [tuple(length * (i == axis) for i in range(3)) for axis in range(3) for length in (-1, 1)]
    twelve = [tuple(np.roll((0, one, GOLDEN * two), shift)) for shift in range(3) for one in (-1, 1) for two in (-1, 1)]
    twenty = [
        *signs,
        *(tuple(np.roll((0, one / GOLDEN, two * GOLDEN), s)) for s in range(3) for one in (-1, 1) for two in (-1, 1)),
    ]
    # The kite faces of a ten-sided die are flat where its ring goes up and down by this share of its radius and tips.
    steps, tip, up = np.arange(10) * np.pi / 5, 1.1, 1.1 * np.tan(np.pi / 10) ** 2
    ten = [(float(np.cos(a)), float(np.sin(a)), up * (-1) ** i) for i, a in enumerate(steps)] + [
        (0, 0, tip),
        (0, 0, -tip),
    ]
    made = []
    for points in (four, signs, signs, eight, ten, twenty, twelve):
        vertices = np.array(points, np.float64)
        made.append((vertices / np.linalg.norm(vertices, axis=1).max(), _faces(vertices)))
    return tuple(made)


def _faces(vertices: Points) -> tuple[tuple[int, ...], ...]:
    """Return the faces of a convex solid whose middle is the origin."""
    found = dict[frozenset[int], tuple[int, ...]]()
    for first, second, third in combinations(range(len(vertices)), 3):
        corner = vertices[first]
        normal = np.cross(vertices[second] - corner, vertices[third] - corner)
        normal = normal * (np.sign(normal @ corner) or 1) / max(float(np.linalg.norm(normal)), INSIDE)
        height = (vertices - corner) @ normal
        if (height < INSIDE).all() and normal @ corner > INSIDE:
            on = np.flatnonzero(height > -INSIDE)
            across = vertices[on] - vertices[on].mean(axis=0)
            order = np.arctan2(across @ np.cross(normal, across[0]), across @ across[0])
            found[frozenset(map(int, on))] = tuple(int(i) for i in on[np.argsort(order)])
    return tuple(found.values())


def _looking_up(normal: Points, rng: np.random.Generator) -> Points:
    """Return a turn (3, 3) after which this direction points at the camera, or nearly so."""
    x, y, z = (float(value) for value in normal / np.linalg.norm(normal))
    # Half a turn about the direction halfway leads there; straight down, half a turn about any level one.
    turn = from_quaternion(0.0, x, y, z + 1) if z > INSIDE - 1 else from_quaternion(0.0, 1.0, 0.0, 0.0)
    lean = from_quaternion(1.0, float(rng.normal(0, TILT / 2)), float(rng.normal(0, TILT / 2)), float(rng.normal()))
    return np.asarray(lean, np.float64) @ np.asarray(turn, np.float64)


def _print(drawing: Picture, mark: NDArray[np.uint8], corners: Points, style: Style, side: int) -> None:
    """Print a mark on the face with these corners (K, 3), in place."""
    middle = corners.mean(axis=0)
    up = corners[0] - middle
    inner = min(
        float(np.linalg.norm((one + other) / 2 - middle))
        for one, other in zip(corners, np.roll(corners, 1, 0), strict=True)
    )
    up = up / np.linalg.norm(up) * inner * style.size
    across = np.cross(up, middle / np.linalg.norm(middle))
    origin = (middle - across - up)[:2]
    warp = np.stack([2 * across[:2], 2 * up[:2], origin], axis=1) * 0.47 * side
    warp[:, :2] /= MARK_PX
    warp[:, 2] += 0.5 * side
    ink = np.asarray(cv2.warpAffine(mark, warp, (side, side), flags=cv2.INTER_LINEAR), np.float32)[:, :, None] / 255
    drawing[:] = (drawing * (1 - ink) + np.array(style.ink) * ink).astype(np.uint8)


def _mark(kind: str, faces: int, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Return how much of each place of a face is inked, (MARK_PX, MARK_PX)."""
    mark = np.zeros((MARK_PX, MARK_PX), np.uint8)
    if kind == "numeral":
        number = int(rng.integers(0, max(faces, 10)))
        _write(mark, str(number) + "." * (number in (6, 9) and chance(rng, 0.5)), rng)
    elif kind == "letter":
        _write(mark, "ABCDEFGHJKLMNPRSTVWXYZ+-?!&"[int(rng.integers(27))], rng)
    elif kind == "word":
        _write(mark, "".join(chr(65 + int(i)) for i in rng.integers(0, 26, int(rng.integers(3, 8)))), rng)
    elif kind == "rune":
        points = rng.choice((8, 32, 56), (int(rng.integers(3, 7)), 2)) + rng.normal(0, 3, 2)
        cv2.polylines(mark, [points.astype(np.int32)], chance(rng, 0.2), 255, int(rng.integers(3, 9)), cv2.LINE_AA)
    elif kind == "emblem":
        count = int(rng.integers(3, 9))
        angles = np.arange(2 * count) * np.pi / count
        reach = np.where(np.arange(2 * count) % 2, 29, 29 * rng.uniform(0.2, 0.9))
        points = np.stack([32 + reach * np.cos(angles), 32 + reach * np.sin(angles)], axis=1)
        cv2.fillPoly(mark, [points.astype(np.int32)], 255, cv2.LINE_AA)
        cv2.circle(mark, (32, 32), int(rng.integers(2, 9)), 0, -1, cv2.LINE_AA)
    else:
        _ornament(mark, faces, rng)
    return mark


def _write(mark: NDArray[np.uint8], text: str, rng: np.random.Generator) -> None:
    font, thick = FONTS[int(rng.integers(len(FONTS)))], int(rng.integers(3, 7))
    (width, height), _ = cv2.getTextSize(text, font, 1.0, thick)
    scale = min(58 / width, rng.uniform(34, 56) / height)
    at = (round(32 - width * scale / 2), round(32 + height * scale / 2))
    cv2.putText(mark, text, at, font, scale, 255, max(1, round(thick * scale / 2)), cv2.LINE_AA)
    cv2.flip(mark, -1, mark)  # upright on its face


def _ornament(mark: NDArray[np.uint8], faces: int, rng: np.random.Generator) -> None:
    """Draw scrolls and strokes all over a face, often with a frame and a numeral in the midst."""
    for _ in range(int(rng.integers(8, 30))):
        at = tuple(int(value) for value in rng.integers(4, 60, 2))
        size = tuple(int(value) for value in rng.integers(3, 16, 2))
        start, turn = float(rng.uniform(0, 360)), float(rng.uniform(0, 180))
        cv2.ellipse(
            mark, at, size, turn, start, start + rng.uniform(90, 300), 255, int(rng.integers(1, 4)), cv2.LINE_AA
        )
    if chance(rng, 0.6):
        cv2.circle(mark, (32, 32), int(rng.integers(14, 22)), 0, -1)
        inner = np.zeros_like(mark)
        _write(inner, str(int(rng.integers(1, faces + 1))), rng)
        small = cv2.resize(inner, (30, 30), interpolation=cv2.INTER_AREA)
        mark[17:47, 17:47] = np.maximum(mark[17:47, 17:47], small)
    if chance(rng, 0.5):
        cv2.rectangle(mark, (2, 2), (61, 61), 255, int(rng.integers(1, 4)))
    if chance(rng, 0.2):
        np.subtract(255, mark, out=mark)
