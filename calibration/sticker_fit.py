"""From four stickers, as a picture shows them, to the plane and the lens between them, and how surely. Pure.

Each sticker is a square of STICKER_MM whose outer corner is the tray's; how it is turned is not known. So there are
fifteen numbers: the nine of a camera (`mat_solve.py`), the tray's width and height, and four angles.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.mat_edges import Edges, Floats, Grey, Segments, find_edges
from calibration.mat_fit import LEAST_EDGES, PASSES, SIDES, as_edges
from calibration.mat_pdf import STICKER_MM
from calibration.mat_solve import CAUTION, Camera, Caution, error_mm, solved
from tabletop.config import plane
from tabletop.config.markers import MARKERS
from tabletop.config.plane import Lens
from tabletop.core.values import Point, Quad

CAMERA_NUMBERS = 9
# For all edges of stickers, which are free to turn, so that what a lens hides binds them less than a mat's markers:
# were their edges seen without fault, the worst place would be 0.45 of `next_term_mm` off (0.58 in one view of ten).
# Chosen on 147 views (`tests/support/sticker_scenes.py`, seeds 901 to 930, 5 each), of which none is further off.
EDGES_CAUTION = Caution(standard_errors=2.0, lens_mm=0.04, hidden_share=0.4)
TURN_UNIT = 1.0  # radians: turns count from here, so that a small one is not sought in smaller steps
SQUARE = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])  # corners of a marker, clockwise from the top left


@dataclass(frozen=True, slots=True)
class StickerView:
    """How one camera sees four stickers. size_mm (2,): the tray's; turns (4,): of each sticker, radians clockwise.

    Places of edges are in mm from a sticker's own outer corner, along its own sides.
    """

    camera: Camera
    size_mm: Floats
    turns: Floats

    @property
    def numbers(self) -> Floats:
        """The fifteen numbers."""
        return np.concatenate([self.camera.numbers, self.size_mm, self.turns + TURN_UNIT])

    def with_numbers(self, numbers: Floats) -> "StickerView":
        """Return the view that has these fifteen."""
        camera = self.camera.with_numbers(numbers[:CAMERA_NUMBERS])
        size, turns = numbers[CAMERA_NUMBERS : CAMERA_NUMBERS + 2], numbers[CAMERA_NUMBERS + 2 :]
        return StickerView(camera, size, turns - TURN_UNIT)

    def places(self, seen: Floats) -> Floats:
        """Return (N, 2) mm of the tray for (N, 2) pixels."""
        return self.camera.places(seen)

    def pixels(self, places: Floats) -> Floats:
        """Return (N, 2) pixels for (N, 2) mm of the tray; the inverse of `places`."""
        return self.camera.pixels(places)

    def off_mm(self, edges: Edges) -> Floats:
        """Return (N,) how far each place on an edge is from its line."""
        away = self.places(edges.seen) - self.corners[edges.names]
        cos, sin = np.cos(self.turns)[edges.names], np.sin(self.turns)[edges.names]
        own = np.column_stack([away[:, 0] * cos + away[:, 1] * sin, away[:, 1] * cos - away[:, 0] * sin])
        return np.asarray(((own - edges.places) * edges.normals).sum(axis=1), np.float64)

    def next_term_mm(self, places: Floats) -> float:
        """Return how far the lens's next radial term may move these places (N, 2) of the tray."""
        return self.camera.next_term_mm(places)

    @property
    def corners(self) -> Floats:
        """The tray's corners, (4, 2) mm."""
        return SQUARE * self.size_mm

    def sticker_pixels(self, name: int, own: Floats) -> Floats:
        """Return (N, 2) pixels of places on a sticker, (N, 2) mm as `off_mm` has them."""
        cos, sin = np.cos(self.turns[name]), np.sin(self.turns[name])
        turned = np.column_stack([own[:, 0] * cos - own[:, 1] * sin, own[:, 0] * sin + own[:, 1] * cos])
        return self.pixels(turned + self.corners[name])

    @property
    def tray_px(self) -> Quad:
        """Where the camera sees the tray's corners."""
        first, second, third, fourth = ((float(x), float(y)) for x, y in self.pixels(self.corners))
        return first, second, third, fourth


def fitted(
    corners_px: Quad, size_mm: Point, outlines: Mapping[int, Floats], width_px: int, height_px: int, grey: Grey | None
) -> tuple[StickerView, float, float]:
    """Return the view in which the stickers lie best, how far off the worst place of the tray may be, and the misfit.

    Both in mm; the misfit is the root mean square of what the edges are off.

    corners_px, size_mm: the tray, to some mm. outlines: of the four stickers. grey: (H, W) the picture, None for the
    outlines' corners alone; so it is as well where hardly an edge is seen.
    """
    camera = Camera(plane.homography(corners_px, size_mm), Lens(width_px, height_px, 0.0))
    upright = StickerView(camera, np.array(size_mm), np.zeros(len(MARKERS)))
    turns = [_turn(upright.places(outlines[name])) for name in MARKERS]
    names = np.repeat(MARKERS, SIDES)
    seen = np.concatenate([outlines[name] for name in MARKERS])
    own = np.concatenate([(SQUARE - SQUARE[name]) * STICKER_MM for name in MARKERS])
    edges = as_edges(seen, own, names)
    view, _ = solved(replace(upright, turns=np.array(turns)), edges)
    caution = CAUTION
    if grey is not None and (better := _by_edges(view, [grey])):
        view, edges = better
        caution = EDGES_CAUTION
    wide, high = view.size_mm
    ends = np.concatenate([view.corners, [(wide / 2, high / 2)]])
    misfit_mm = float(np.sqrt((view.off_mm(edges) ** 2).mean()))
    return view, error_mm(view, edges, ends, len(edges.seen), caution), misfit_mm


def _by_edges(view: StickerView, greys: Sequence[Grey]) -> tuple[StickerView, Edges] | None:
    """Return the view by all edges of the stickers, and those that agree with it; None if there are too few."""
    edges = None
    for _ in range(PASSES):
        found = Edges.joined([_found(view, name, grey) for name in MARKERS for grey in greys])
        if len(found.seen) < LEAST_EDGES * len(greys):
            return None
        view, kept = solved(view, found)
        edges = found.only(kept)
    return None if edges is None else (view, edges)


def _found(view: StickerView, name: int, grey: Grey) -> Edges:
    left, top = -SQUARE[name] * STICKER_MM
    return find_edges(
        grey, Segments.of(name, STICKER_MM, (float(left), float(top))), lambda own: view.sticker_pixels(name, own)
    )


def _turn(outline: NDArray[np.float64]) -> float:
    """Return by how much a sticker is turned, by its diagonals: (4, 2) mm of its corners on the tray."""
    x, y = outline[2] - outline[0]
    u, v = outline[3] - outline[1]
    return float(np.arctan2(y - v, x - u))
