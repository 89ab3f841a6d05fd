"""A camera over a printed mat, as the oracle of its calibration: OpenCV's own lens, of another model than ours."""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import pypdfium2
from numpy.typing import NDArray

from calibration.mat_pdf import mat_pdf
from tabletop.config.mat import Mat, mat_of
from tabletop.config.profile import place
from tabletop.core.values import Die, Profile, Reading

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

TABLE = (70, 95, 110)  # BGR of the wood on which the mat lies
MM_PER_INCH = 25.4
DRAWN_DPI = 400  # to 0.06 mm


@cache
def printed(mat: Mat | tuple[str, str], dpi: int) -> Picture:
    """Return the mat's PDF as a raster of this resolution, (H, W, 3) BGR.

    PDFium draws the edges of rectangles at whole pixels, at 100 dpi up to 0.3 mm from where a printer puts them. So the
    page is drawn finer, and its pixels averaged.
    """
    mat = mat_of(*mat) if isinstance(mat, tuple) else mat
    document = pypdfium2.PdfDocument(mat_pdf(mat, str))
    finer = max(1, round(DRAWN_DPI / dpi))
    drawn = document[0].render(scale=finer * dpi / 72).to_numpy()[:, :, :3]
    size = round(mat.width_mm * dpi / MM_PER_INCH), round(mat.height_mm * dpi / MM_PER_INCH)
    averaged = drawn if finer == 1 else cv2.resize(drawn, size, interpolation=cv2.INTER_AREA)
    return np.asarray(np.ascontiguousarray(averaged), np.uint8)


@dataclass(frozen=True)
class MatCamera:
    """A camera that looks at the middle of a sheet.

    tilt_deg: by how much, from straight down, towards turn_deg; roll_deg: turned around its own axis. k1, k2: Brown's
    radial terms. print_scale: size of the print by what was meant. width_px, height_px: of its pictures.
    """

    sheet_mm: tuple[float, float]
    tilt_deg: float = 0.0
    turn_deg: float = 0.0
    roll_deg: float = 0.0
    k1: float = 0.0
    k2: float = 0.0
    print_scale: float = 1.0
    width_px: int = 1280
    height_px: int = 960
    filled: float = 0.8  # of the picture by the sheet, at most

    def see(self, on_sheet: Floats) -> Floats:
        """Return (N, 2) pixels of places on the sheet, in mm of what was meant."""
        ground = np.column_stack([on_sheet * self.print_scale, np.zeros(len(on_sheet))])
        rotation, shift, matrix = self._pose()
        seen = cv2.projectPoints(ground, cv2.Rodrigues(rotation)[0], shift, matrix, self._bent())[0]
        return np.asarray(seen, np.float64).reshape(-1, 2)

    def photograph(self, sheet: Picture) -> Picture:
        """Return the picture of a flat drawing of the sheet: for each pixel, what lies where its ray meets it."""
        rotation, shift, matrix = self._pose()
        columns, rows = np.meshgrid(np.arange(self.width_px), np.arange(self.height_px))
        pixels = np.column_stack([columns.ravel(), rows.ravel()]).astype(np.float64)
        rays = cv2.undistortPoints(pixels[:, None], matrix, self._bent()).reshape(-1, 2)
        onto = np.linalg.inv(np.column_stack([rotation[:, 0], rotation[:, 1], shift]))
        met = np.column_stack([rays, np.ones(len(rays))]) @ onto.T
        places = met[:, :2] / met[:, 2:] / self.print_scale
        scale = np.array(sheet.shape[1::-1]) / self.sheet_mm
        at = (places * scale - 0.5).astype(np.float32).reshape(self.height_px, self.width_px, 2)
        share = float(scale[0] / self._px_per_mm)
        soft = cv2.GaussianBlur(sheet, (0, 0), max(0.3, 0.45 * share))  # no finer than the pixels: no jagged edges
        seen = cv2.remap(soft, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderValue=TABLE)
        return np.asarray(seen, np.uint8)

    @property
    def _focal_px(self) -> float:
        return 0.9 * self.width_px  # 58 degrees wide

    @property
    def _px_per_mm(self) -> float:
        return self._focal_px / self._away_mm

    @property
    def _away_mm(self) -> float:
        wide, high = (side * self.print_scale for side in self.sheet_mm)
        return self._focal_px / (self.filled * min(self.width_px / wide, self.height_px / high))

    def _pose(self) -> tuple[Floats, Floats, Floats]:
        axis = np.array([np.cos(np.radians(self.turn_deg)), np.sin(np.radians(self.turn_deg)), 0.0])
        lean = cv2.Rodrigues(axis * np.radians(self.tilt_deg))[0]
        roll = cv2.Rodrigues(np.array([0.0, 0.0, np.radians(self.roll_deg)]))[0]
        rotation = np.asarray(roll @ lean, np.float64)
        middle = np.array([*self.sheet_mm, 0.0]) / 2 * self.print_scale
        shift = np.array([0.0, 0.0, self._away_mm]) - rotation @ middle
        matrix = np.array([[self._focal_px, 0, self.width_px / 2], [0, self._focal_px, self.height_px / 2], [0, 0, 1]])
        return rotation, shift, matrix

    def _bent(self) -> Floats:
        return np.array([self.k1, self.k2, 0.0, 0.0])


def worse(picture: Picture, rng: np.random.Generator, blur_px: float, noise: float, shadow: float) -> Picture:
    """Return the picture blurred, noisy, and with a soft shadow across it that leaves this share of the light."""
    height, width = picture.shape[:2]
    angle, at = rng.uniform(0, 2 * np.pi), rng.uniform(0.3, 0.7)
    columns, rows = np.meshgrid(np.linspace(0, 1, width), np.linspace(0, 1, height))
    across = (columns - at) * np.cos(angle) + (rows - at) * np.sin(angle)
    light = 1 - (1 - shadow) / (1 + np.exp(-across / 0.04))
    dull = cv2.GaussianBlur(picture, (0, 0), blur_px) if blur_px else picture
    seen = dull * light[:, :, None] + rng.normal(0, noise, picture.shape)
    return np.asarray(np.clip(seen, 0, 255), np.uint8)


def worst_mm(profile: Profile, camera: MatCamera, mat: Mat) -> float:
    """Return by how much the profile misplaces the worst point of the tray, and check that the rail is one.

    The truth is what the camera projects, in mm of what was meant; dice stand for points.
    """
    across, down = np.meshgrid(np.linspace(0, mat.tray.width, 9), np.linspace(0, mat.tray.height, 7))
    spots = np.column_stack([across.ravel(), down.ravel()])
    seen = camera.see(spots + np.array([mat.tray.left, mat.tray.top]))
    placed = place(_dice_at(seen, camera), profile).dice
    assert {die.where for die in placed} == {"tray"}
    if mat.rail is not None:
        middle = (mat.rail.left + mat.rail.width / 2, mat.rail.top + mat.rail.height / 2)
        (kept,) = place(_dice_at(camera.see(np.array([middle])), camera), profile).dice
        assert kept.where == "rail"
    return max(float(np.hypot(die.x - x, die.y - y)) for die, (x, y) in zip(placed, spots, strict=True))


def _dice_at(seen: Floats, camera: MatCamera) -> Reading:
    dice = tuple(Die(1, float(x), float(y), 30, 0, "red", 1.0) for x, y in seen)
    return Reading(0, camera.width_px, camera.height_px, dice)
