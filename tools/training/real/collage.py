"""Scenes made of real dice: cut out of labelled photographs and placed on other grounds, among other dice.

A rendered die never looks quite like a real one, and a photograph shows its dice on one ground only. Collages show
every die on grounds of all kinds, beside dice of all kinds.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.grounds import any_colour
from tabletop.vision.classifier import Kind
from tools.room.chance import chance
from tools.training.scene_files import ANGLE, FACE, FIELDS, KIND, SIZE, Scenes, X, Y
from tools.training.scenes.grounds import GROUNDS

Picture = NDArray[np.uint8]

REACH = 1.05  # edges: half the side of the square that a die is cut out of
LOOSE, TIGHT = 0.95, 0.36  # edges: only pixels nearer to the centre belong to the die
AREAS = (0.85, 2.2)  # square edges: a cut-out of another area failed
MODEL = 65  # numbers of OpenCV's model of a ground
ROUNDS = 3  # of the cutting
SOFT_PX = 0.8  # blur of a cut-out's border
ONE_KIND, OTHER_SOURCE = 0.2, 0.3  # shares: collages of copies of one die; dice of another source than the die before
BRIGHTNESS = (0.7, 1.2)
BYTE = 255
ZOOMS = (0.6, 1.5)  # of dice of the photographs' edge, the same for all dice of a collage but for UNLIKE
UNLIKE, MOST_UNLIKE = 0.12, 0.3  # log2: how dice of a collage differ
OWN_GROUND = 0.4  # share of collages on a piece of a photograph without a die
TRIES = 14  # for a free place
TOUCHING = 0.4  # share of dice laid against another one
NEAREST = 0.96  # of APART: dice are no nearer
APART = 1.02  # of two dice's mean side at which they touch
SHADOW, SHADOW_REACH = (0.25, 0.75), (0.05, 0.35)  # darkness; edges
SHADOW_BLUR = 0.06  # edges
DIE_PX = 48.0  # edge for which grounds are drawn
EMPTY = 1.1  # edges: a piece of ground is at least this far from every die


@dataclass(frozen=True, slots=True, eq=False)
class CutOut:
    """A die cut out of a photograph.

    pixels: (N, N, 3) uint8 BGR. mask: (N, N) float32, 0 to 1. size: its edge in pixels. side: its width including
    visible sides, pixels. angle: degrees. face: 0 to 6.
    """

    pixels: Picture
    mask: NDArray[np.float32]
    size: float
    side: float
    angle: float
    face: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """The layout of collages.

    side: in pixels, with dice at the photographs' edge. most: dice on one. shrunk: the final scale.
    """

    side: int
    most: int
    shrunk: float


@dataclass(frozen=True, slots=True)
class _Light:
    """brightness: of the dice. direction: of their shadows, radians; reach: how far, in edges; dark: 0 to 1."""

    brightness: float
    direction: float
    reach: float
    dark: float


def cut_out(pixels: Picture, die: NDArray[np.float32]) -> CutOut | None:
    """Return a die cut out of its photograph; None if it is cut off, or does not stand out from the ground."""
    x, y, size = float(die[X]), float(die[Y]), float(die[SIZE])
    reach = round(REACH * size)
    left, top = round(x) - reach, round(y) - reach
    height, width = pixels.shape[:2]
    if die[KIND] != Kind.FLAT or left < 0 or top < 0 or left + 2 * reach > width or top + 2 * reach > height:
        return None
    part = np.ascontiguousarray(pixels[top : top + 2 * reach, left : left + 2 * reach])
    rows, columns = np.mgrid[0 : 2 * reach, 0 : 2 * reach]
    away = np.hypot(columns - (x - left), rows - (y - top)) / size
    turn = np.radians(die[ANGLE])
    across = np.abs((columns - (x - left)) * np.cos(turn) + (rows - (y - top)) * np.sin(turn))
    along = np.abs((rows - (y - top)) * np.cos(turn) - (columns - (x - left)) * np.sin(turn))
    square = np.maximum(across, along) / size
    marks = np.full(part.shape[:2], cv2.GC_PR_BGD, np.uint8)
    marks[square < 0.5] = cv2.GC_PR_FGD  # noqa: PLR2004 - half an edge
    marks[square < TIGHT] = cv2.GC_FGD
    marks[away > LOOSE] = cv2.GC_BGD
    behind, front = np.zeros((1, MODEL)), np.zeros((1, MODEL))
    cv2.grabCut(part, marks, (0, 0, 1, 1), behind, front, ROUNDS, cv2.GC_INIT_WITH_MASK)
    solid = ((marks == cv2.GC_FGD) | (marks == cv2.GC_PR_FGD)).astype(np.uint8)
    solid = np.asarray(cv2.morphologyEx(solid, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    _, labels = cv2.connectedComponents(solid)
    solid = (labels == labels[round(y - top), round(x - left)]).astype(np.uint8)
    area = float(solid.sum()) / size**2
    if not AREAS[0] < area < AREAS[1]:
        return None
    mask = np.asarray(cv2.GaussianBlur(solid.astype(np.float32), (0, 0), SOFT_PX), np.float32)
    return CutOut(part, mask, size, size * area**0.5, float(die[ANGLE]), int(die[FACE]))


def cut_outs(photographs: Sequence[Scenes]) -> list[list[CutOut]]:
    """Return the dice that can be cut out of each source's photographs, without empty sources."""
    sources = [
        [
            found
            for pixels, truth in zip(source.pixels, source.truths, strict=True)
            for die in truth
            if (found := cut_out(np.asarray(pixels), die)) is not None
        ]
        for source in photographs
    ]
    return [source for source in sources if source]


def collages(
    sources: list[list[CutOut]], photographs: Sequence[Scenes], count: int, view: Sheet, rng: np.random.Generator
) -> Scenes:
    """Return `count` collages of these dice, with equal numbers from each source; empty without dice.

    photographs: for grounds, with dice of the same edge. The camera's tilt is unknown.
    """
    made = [_collage(sources, photographs, view, rng) for _ in range(count if sources else 0)]
    ups = np.tile(np.array([[0.0, -1.0]], np.float32), (len(made), 1))
    return Scenes([pixels for pixels, _ in made], [truth for _, truth in made], ups)


def _collage(
    sources: list[list[CutOut]], photographs: Sequence[Scenes], view: Sheet, rng: np.random.Generator
) -> tuple[Picture, NDArray[np.float32]]:
    zoom = float(np.exp(rng.uniform(*np.log(ZOOMS))))
    ground = _piece(photographs, view.side, rng) if chance(rng, OWN_GROUND) else None
    scene = (_drawn(view.side, rng) if ground is None else ground).astype(np.float32)
    source = sources[int(rng.integers(len(sources)))]
    one_kind = source[int(rng.integers(len(source)))] if chance(rng, ONE_KIND) else None
    light = _Light(
        float(rng.uniform(*BRIGHTNESS)),
        float(rng.uniform(0, 2 * np.pi)),
        float(rng.uniform(*SHADOW_REACH)),
        float(rng.uniform(*SHADOW)),
    )
    truth: list[tuple[float, ...]] = []
    placed: list[tuple[float, float, float]] = []
    for _ in range(int(rng.integers(1, view.most + 1))):
        if chance(rng, OTHER_SOURCE):
            source = sources[int(rng.integers(len(sources)))]
        die = one_kind or source[int(rng.integers(len(source)))]
        scale = zoom * 2.0 ** float(np.clip(rng.normal(0, UNLIKE), -MOST_UNLIKE, MOST_UNLIKE))
        place = _free_place(die.side * scale, placed, view.side, rng)
        if place is not None:
            placed.append((*place, die.side * scale))
            turn = float(rng.uniform(0, 360))
            _lay(scene, die, place, (scale, turn), light)
            truth.append((*place, die.size * scale, (die.angle - turn) % 90, die.face, Kind.FLAT))
    fields = np.zeros((len(truth), FIELDS), np.float32)
    if truth:
        fields[:, : KIND + 1] = truth
    small = cv2.resize(scene, None, fx=view.shrunk, fy=view.shrunk, interpolation=cv2.INTER_AREA)
    fields[:, : SIZE + 1] *= view.shrunk
    return np.clip(small, 0, BYTE).astype(np.uint8), fields


def _free_place(
    side: float, placed: list[tuple[float, float, float]], width: int, rng: np.random.Generator
) -> tuple[float, float] | None:
    for _ in range(TRIES):
        if placed and chance(rng, TOUCHING):
            x, y, other = placed[int(rng.integers(len(placed)))]
            direction, away = rng.uniform(0, 2 * np.pi), APART * (side + other) / 2
            spot = float(x + away * np.cos(direction)), float(y + away * np.sin(direction))
        else:
            spot = float(rng.uniform(0, width)), float(rng.uniform(0, width))
        inside = all(0 <= value < width for value in spot)
        if inside and all(
            np.hypot(spot[0] - x, spot[1] - y) > APART * NEAREST * (side + other) / 2 for x, y, other in placed
        ):
            return spot
    return None


def _lay(
    scene: NDArray[np.float32], die: CutOut, place: tuple[float, float], pose: tuple[float, float], light: _Light
) -> None:
    """Draw a die and its shadow into a scene, in place. pose: factor of its size, and degrees counter-clockwise."""
    scale, turn = pose
    extent = (scene.shape[1], scene.shape[0])
    middle = (die.pixels.shape[1] / 2, die.pixels.shape[0] / 2)
    matrix = cv2.getRotationMatrix2D(middle, turn, scale)
    matrix[:, 2] += np.array(place) - np.array(middle)
    mask = cv2.warpAffine(die.mask, matrix, extent)
    pixels = cv2.warpAffine(die.pixels, matrix, extent, borderMode=cv2.BORDER_REPLICATE)
    size = die.size * scale
    away = light.reach * size * np.array([np.cos(light.direction), np.sin(light.direction)])
    move = np.array([[1, 0, away[0]], [0, 1, away[1]]], np.float32)
    cast = cv2.warpAffine(cv2.GaussianBlur(mask, (0, 0), 1 + SHADOW_BLUR * size), move, extent)
    scene *= (1 - light.dark * cast)[:, :, None]
    scene += (pixels.astype(np.float32) * light.brightness - scene) * mask[:, :, None]


def _drawn(side: int, rng: np.random.Generator) -> Picture:
    names = list(GROUNDS)
    blue, green, red = (int(value) for value in np.clip(np.asarray(any_colour(rng)) + rng.normal(0, 10, 3), 5, 250))
    ground = GROUNDS[names[int(rng.integers(len(names)))]](side, side, (blue, green, red), rng, DIE_PX)
    return np.asarray(ground, np.uint8)


def _piece(photographs: Sequence[Scenes], wanted: int, rng: np.random.Generator) -> Picture | None:
    """Return a piece of a photograph in which there is no die; None if none was found."""
    for _ in range(TRIES):
        source = photographs[int(rng.integers(len(photographs)))]
        number = int(rng.integers(len(source)))
        pixels, truth = np.asarray(source.pixels[number]), source.truths[number]
        height, width = pixels.shape[:2]
        side = int(rng.integers(wanted // 3, wanted + 1))
        if min(height, width) <= side:
            continue
        left, top = int(rng.integers(width - side)), int(rng.integers(height - side))
        clear = EMPTY * truth[:, SIZE]
        near = (
            (truth[:, X] > left - clear)
            & (truth[:, X] < left + side + clear)
            & (truth[:, Y] > top - clear)
            & (truth[:, Y] < top + side + clear)
        )
        if not near.any():
            part = pixels[top : top + side, left : left + side]
            return np.asarray(cv2.resize(part, (wanted, wanted), interpolation=cv2.INTER_LINEAR), np.uint8)
    return None
