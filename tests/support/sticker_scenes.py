"""Four printed stickers in a tray under cameras drawn by chance, and what a profile of them misplaces."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from mat_camera import MatCamera, Picture, worse
from mat_scenes import Measured
from numpy.typing import NDArray

from calibration.from_mat import PROMISED_MM
from calibration.mat_pdf import CUT_MM, STICKER_MM
from calibration.stickers import TrayView, tray_of_stickers
from tabletop.config.markers import DICTIONARY, find_all
from tabletop.config.profile import place
from tabletop.core.values import Die, Reading

FELT = 70.0  # grey level
PAPER, INK = 245, 15
DOTS_PER_MM = 6
CELLS = 6
_CELL_DOTS = 60
_DRAWN_PER_MM = _CELL_DOTS * CELLS / STICKER_MM
MOST_TURN_DEG = 3.0  # of a sticker that somebody laid by eye
BORDER_MM = (CUT_MM - STICKER_MM) / 2  # of white paper around the marker; the tray of a profile lies within it
LEAST_PX_PER_MM = 1.6  # a die of 16 mm has 25 px


@dataclass(frozen=True)
class StickerScene:
    """A tray of this size with stickers, each turned about its outer corner, under a camera."""

    size_mm: tuple[float, float]
    turns_deg: tuple[float, ...]
    camera: MatCamera
    picture: Picture

    @cached_property
    def view(self) -> TrayView | None:
        """What is seen of it, as the guided run sees it."""
        height, width = self.picture.shape[:2]
        grey = np.asarray(cv2.cvtColor(self.picture, cv2.COLOR_BGR2GRAY), np.uint8)
        return tray_of_stickers(find_all(self.picture), width, height, grey)

    def measured(self) -> Measured | None:
        """Return how exact the tray is seen and said to be, None if no profile would be made of it."""
        view = self.view
        if view is None or view.error_mm > PROMISED_MM:
            return None
        return Measured(self.worst_mm(view), view.error_mm)

    def worst_mm(self, view: TrayView) -> float:
        """Return by how much the view misplaces the worst place of the tray."""
        across, down = np.meshgrid(*(np.linspace(0, side, 9) for side in self.size_mm))
        spots = np.column_stack([across.ravel(), down.ravel()])
        dice = tuple(Die(1, float(x), float(y), 30, 0, "red", 1.0) for x, y in self.camera.see(spots + BORDER_MM))
        placed = place(Reading(0, self.camera.width_px, self.camera.height_px, dice), view.profile).dice
        return max(float(np.hypot(die.x - x, die.y - y)) for die, (x, y) in zip(placed, spots, strict=True))


def scenes(seed: int, count: int) -> Iterator[StickerScene]:
    """Yield so many scenes; equal seeds give equal scenes."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        size = _in_dots(float(rng.uniform(180, 420))), _in_dots(float(rng.uniform(150, 320)))
        turns = tuple(float(rng.normal(0, MOST_TURN_DEG / 2)) for _ in range(4))
        width_px = int(rng.choice([640, 1280, 1640]))
        k1 = float(rng.uniform(-0.2, 0.05))
        least = LEAST_PX_PER_MM * max(size[0] / width_px, size[1] / (0.75 * width_px))
        camera = MatCamera(
            (size[0] + 2 * BORDER_MM, size[1] + 2 * BORDER_MM),
            tilt_deg=float(rng.uniform(0, 25)),
            turn_deg=float(rng.uniform(0, 360)),
            roll_deg=float(rng.uniform(-10, 10)),
            k1=k1,
            k2=0.1 * k1 * k1,
            width_px=width_px,
            height_px=width_px * 3 // 4,
            filled=float(rng.uniform(min(0.7, least), 0.78)),
        )
        blur_px = float(rng.uniform(0, 1.5)) * width_px / 1280
        picture = worse(
            camera.photograph(drawn(size, turns)), rng, blur_px, float(rng.uniform(0, 8)), float(rng.uniform(0.4, 1))
        )
        yield StickerScene(size, turns, camera, picture)


def _in_dots(side_mm: float) -> float:
    """Return the side of a tray near to this whose drawing is of whole dots, as a camera stretches it to its size."""
    return round((side_mm + 2 * BORDER_MM) * DOTS_PER_MM) / DOTS_PER_MM - 2 * BORDER_MM


def drawn(size_mm: tuple[float, float], turns_deg: tuple[float, ...]) -> Picture:
    """Return the tray's ground from straight above, (H, W, 3) BGR: felt, and on it the stickers with their paper."""
    size = tuple(round((side + 2 * BORDER_MM) * DOTS_PER_MM) for side in size_mm)
    ground = np.full((size[1], size[0]), FELT, np.float32)
    corners = ((0.0, 0.0), (size_mm[0], 0.0), size_mm, (0.0, size_mm[1]))
    room = round(1.2 * CUT_MM * DOTS_PER_MM)  # of a sticker however it is turned
    for name, (turn_deg, corner) in enumerate(zip(turns_deg, corners, strict=True)):
        cos, sin = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
        own_corner = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])[name] * STICKER_MM + BORDER_MM
        turn = np.array([(cos, -sin), (sin, cos)])
        left, top = 0 if name in (0, 3) else size[0] - room, 0 if name in (0, 1) else size[1] - room
        # from dots of the sticker's drawing to dots of the ground, both counted from the middle of the first dot
        scale = DOTS_PER_MM / _DRAWN_PER_MM
        shift = (np.array(corner) + BORDER_MM - turn @ own_corner) * DOTS_PER_MM - (left, top)
        matrix = np.column_stack([turn * scale, shift + turn @ np.array([0.5, 0.5]) * scale - 0.5])
        paper = cv2.warpAffine(_sticker(name), matrix, (room, room), flags=cv2.INTER_LINEAR, borderValue=-1.0)
        part = ground[top : top + room, left : left + room]
        part[:] = np.where(paper >= 0, paper, part)
    return np.repeat(ground.round().astype(np.uint8)[:, :, None], 3, axis=2)


def _sticker(name: int) -> NDArray[np.float32]:
    """Return a sticker's drawing, grey levels: the marker between its white borders, cells of whole dots."""
    code = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(DICTIONARY), name, CELLS) > 0
    cells = np.kron(np.where(code, PAPER, INK), np.ones((_CELL_DOTS, _CELL_DOTS)))
    bordered = np.pad(cells, round(BORDER_MM * _DRAWN_PER_MM), constant_values=PAPER).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(bordered, (0, 0), _DRAWN_PER_MM / DOTS_PER_MM / 2), np.float32)
