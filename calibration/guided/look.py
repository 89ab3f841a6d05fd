"""Measure a table's condition in the newest frames: markers, framing, light, sharpness. Pure arithmetic on pixels.

watcher = Watcher()
look = watcher.look(pixels, time_s)
look.light.level, look.sharpness, look.view
"""

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.corners import Pinhole
from calibration.mat import PROMISED_MM, STEADY_PX, WORST_MM, MatView, averaged, fit, mat_in, missing_corners
from tabletop.config.mat import MARKERS, Outlines, find_all
from tabletop.core.values import Profile
from tabletop.perception.drift import straightened

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

AVERAGED = 6  # pictures over which markers are averaged
FLICKER_S = 1.2  # of pictures over which flicker is looked for: bands of mains lamps wander through in less
LEAST_PICTURES = 5  # for flicker
ROWS = 48  # bands of the picture whose brightness is followed
BORDER_SHARE = 0.25  # of a tray without markers, at its top and bottom: its rim throws shadows there
MOST_BORDER_MM = 32.0
CELLS = 3  # each way, in which the light is compared
BLOWN_LEVEL = 250  # of 255: the sensor has its limit here
PLACES = 6  # with the strongest edges, by which the lens is judged where no marker is in view
PLACE_SHARE = 0.05  # of the picture's width: the side of such a place, about a die
LEAST_STEP = 50  # grey levels from dark to bright there: in less the noise of a picture counts
INSIDE_SHARE = 0.012  # of the picture: a marker nearer to the border is about to be cut off


@dataclass(frozen=True, slots=True)
class Lighting:
    """The light on the tray.

    level: its median grey, 0 to 255. blown: share of saturated pixels. uneven: difference between its brightest and
    darkest ninth, divided by the median. flicker: variation of horizontal bands over time, relative to their
    brightness; None until enough frames were seen.
    """

    level: float
    blown: float
    uneven: float
    flicker: float | None


@dataclass(frozen=True, slots=True)
class Look:
    """The measurements of a frame. markers: the visible corner markers; missing: the others; mirrored: a mirror image.

    nameless: a mat's corners without the fifth marker, which identifies the mat. view: the position of the mat, None if
    not known to PROMISED_MM. moving: markers move. cut: one is nearly cut off by the border. tilt_deg: the camera's
    tilt, for a typical lens; 0 without a view. filled: share of the picture covered by the tray. sharpness: 0 to 100,
    None without a marker.
    """

    time_s: float
    lighting: Lighting
    markers: tuple[int, ...] = ()
    missing: tuple[int, ...] = MARKERS
    mirrored: bool = False
    nameless: bool = False
    view: MatView | None = None
    moving: bool = False
    cut: bool = False
    tilt_deg: float = 0.0
    filled: float = 0.0
    sharpness: float | None = None


class Watcher:
    """Measures the frames of one camera, remembering the newest ones as needed."""

    def __init__(self) -> None:
        self._outlines: deque[Outlines] = deque(maxlen=AVERAGED)
        self._rows: deque[tuple[float, Floats]] = deque()

    def look(self, pixels: Picture, time_s: float, known: Profile | None = None) -> Look:
        """Return the measurements of this frame, using those just before it. pixels: (H, W, 3) BGR.

        known: the tray's position if there is no marker, None for the whole picture.
        """
        height, width = pixels.shape[:2]
        grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
        found = find_all(pixels)
        self._outlines.append(found)
        outlines, moved_px = averaged(self._outlines)
        outlines = {name: outline for name, outline in outlines.items() if name in found}
        missing = tuple(missing_corners(outlines))
        seen = tuple(name for name in MARKERS if name in outlines)
        still = moved_px <= STEADY_PX
        view = _view(outlines, width, height) if still else None
        mirrored = not seen and any(name in MARKERS for name in find_all(np.ascontiguousarray(pixels[:, ::-1])))
        return Look(
            time_s,
            Lighting(*_light(grey, view, known), self._flicker(grey, time_s)),
            seen,
            missing,
            mirrored,
            not missing and mat_in(outlines) is None,
            view,
            moving=not still,
            cut=any(_is_cut(outline, width, height) for outline in outlines.values()),
            tilt_deg=0.0 if view is None else Pinhole.over(view.homography, width, height).tilt_deg,
            filled=0.0 if view is None else filled(view.profile(1.0)),
            sharpness=sharpness_of(grey, outlines or sharpest_places(grey)),
        )

    def _flicker(self, grey: Picture, time_s: float) -> float | None:
        rows = cv2.resize(grey, (1, ROWS), interpolation=cv2.INTER_AREA).ravel().astype(np.float64)
        self._rows.append((time_s, rows))
        while time_s - self._rows[0][0] > FLICKER_S:
            self._rows.popleft()
        if len(self._rows) < LEAST_PICTURES:
            return None
        together = np.array([rows for _, rows in self._rows])
        return float(np.median(together.std(axis=0) / np.maximum(together.mean(axis=0), 1.0)))


def sharpness_of(grey: Picture, outlines: Outlines) -> float | None:
    """Return the sharpness of the markers' edges, 0 to 100; None without a marker.

    The steepest step between adjacent pixels, divided by the full step from black to white: 100 if an edge falls
    between two pixels, 40 for a blur of one pixel (the height of a Gaussian of that width), 20 for one of two.
    """
    figures = []
    for outline in outlines.values():
        left, top = np.maximum(outline.min(axis=0).astype(int) - 3, 0)
        right, bottom = outline.max(axis=0).astype(int) + 4
        part = grey[top:bottom, left:right].astype(np.float64)
        if min(part.shape) < 2:  # noqa: PLR2004 - one step needs two pixels
            continue
        dark, bright = np.percentile(part, (5, 95))
        steps = np.hypot(np.diff(part, axis=0)[:, :-1], np.diff(part, axis=1)[:-1])
        figures.append(float(np.percentile(steps, 99)) / max(bright - dark, 1.0))
    return min(100.0, 100 * float(np.median(figures))) if figures else None


def sharpest_places(grey: Picture) -> Outlines:
    """Return squares around the strongest edges of a picture without markers: the dice, and the tray's rim.

    PLACES of them, fewer in a tiny picture; none if nothing exceeds the noise.
    """
    side = max(8, round(PLACE_SHARE * grey.shape[1]))
    rows, columns = grey.shape[0] // side, grey.shape[1] // side
    blocks = grey[: rows * side, : columns * side].reshape(rows, side, columns, side).swapaxes(1, 2)
    dark, bright = np.percentile(blocks, (5, 95), axis=(2, 3))
    strongest = np.argsort(-(bright - dark).ravel(), kind="stable")[:PLACES]
    found: Outlines = {}
    for number, at in enumerate(map(int, strongest)):
        row, column = divmod(at, columns)
        if bright[row, column] - dark[row, column] >= LEAST_STEP:
            left, top = column * side, row * side
            found[number] = np.array([(left, top), (left + side, top), (left + side, top + side), (left, top + side)])
    return found


def _view(outlines: Outlines, width: int, height: int) -> MatView | None:
    """Return how the mat lies, None if too few markers are in view or they do not say it well enough."""
    mat = mat_in(outlines)
    if mat is None or len(missing_corners(outlines)) > 1:
        return None
    view = fit(mat, outlines, width, height)
    return view if view.misfit_mm <= WORST_MM and view.error_mm <= PROMISED_MM else None


def _light(grey: Picture, view: MatView | None, tray: Profile | None) -> tuple[float, float, float]:
    """Return level, blown share and unevenness of the tray; of the whole picture while no tray is known."""
    ground = grey
    if view is not None:
        mat = view.mat
        tray_mm = mat.tray.width, mat.tray.height
        ground = straightened(grey, view.homography, view.width_px, tray_mm, mat.markers[0].width)
    elif tray is not None:
        rim_mm = min(MOST_BORDER_MM, BORDER_SHARE * tray.tray_mm[1])
        ground = straightened(grey, tray.homography, tray.width_px, tray.tray_mm, rim_mm)
    small = cv2.resize(ground, (CELLS * 8, CELLS * 8), interpolation=cv2.INTER_AREA)
    cells = [np.median(part) for rows in np.split(small, CELLS) for part in np.split(rows, CELLS, axis=1)]
    level = float(np.median(ground))
    return level, float((ground >= BLOWN_LEVEL).mean()), float((max(cells) - min(cells)) / max(level, 1.0))


def _is_cut(outline: Floats, width: int, height: int) -> bool:
    border = INSIDE_SHARE * width
    (left, top), (right, bottom) = outline.min(axis=0), outline.max(axis=0)
    return bool(min(left, top, width - right, height - bottom) < border)


def filled(profile: Profile) -> float:
    """Return the share of the picture covered by the tray."""
    return float(cv2.contourArea(np.array(profile.tray_px, np.float32))) / (profile.width_px * profile.height_px)
