"""Check whether the table still matches its profile: markers, light, and the share of unsure dice.

Small camera movements are followed while the program runs; larger ones are reported. The profile file is never changed.
Only profiles from the guided calibration are checked, because only these record the original condition.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from math import hypot
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.config import plane
from tabletop.config.mat import MARKERS, find_markers
from tabletop.config.plane import Lens
from tabletop.core.message import say
from tabletop.core.values import Matrix, Point, Profile, Quad, Rest

Picture = NDArray[np.uint8]

LOOK_S = 5.0  # interval between light measurements
SAID_AFTER = 3  # consecutive checks that must agree: a hand, or somebody passing the lamp, is gone by then
DARKER, BRIGHTER = 0.5, 1.6  # of the light at calibration; the reader tolerates far more: docs/calibration.md
EXACT_MM = 0.5  # smaller shifts of the markers count as none
PLAIN_MM = 5.0  # larger shifts are not measurement errors, whichever marker it is
FOLLOWED_SHARE = 0.15  # of the tray's width: a larger shift means another set-up
RECENT_DICE = 40  # the window for the share of unsure dice
MORE_UNSURE = 0.15  # more than at calibration: six more of 40 dice
GROUND_MM = 3.0  # of the tray per pixel of the small picture whose light is measured

DARK = say("much darker than when set up")
BRIGHT = say("much brighter than when set up")
MOVED = say("the camera has moved since set-up: calibrate")
UNREAD = say("set-up cannot be read: calibrate")
UNSURE = say("more dice unsure than when set up")


class DriftWatch:
    """Compares one table with its profile. profile: as followed now, None if there is none.

    fault: why there is none.
    """

    def __init__(self, profile: Profile | None, fault: str = "") -> None:
        self.profile, self._made, self._fault = profile, profile, fault
        self._looked_s, self._off, self._same = float("-inf"), "", 0
        self._light, self._moved, self._unsure = "", "", ""
        self._dice: deque[bool] = deque(maxlen=RECENT_DICE)

    @property
    def text(self) -> str:
        """The most important deviation, empty if there is none."""
        return self._moved or self._light or self._unsure or self._fault

    def look(self, pixels: Picture, time_s: float, *, reference: bool) -> None:
        """Check a still frame now and then. reference: whether readings use the pixels of this very frame."""
        setup = self._made.setup if self._made is not None else None
        if setup is None or time_s - self._looked_s < LOOK_S:
            return
        if reference and setup.marker_error_mm:
            self._follow(pixels)
        self._looked_s = time_s
        share = self._level(pixels) / max(setup.light_level, 1.0)
        off = DARK if share < DARKER else BRIGHT if share > BRIGHTER else ""
        self._same = self._same + 1 if off == self._off else 1
        self._off = off
        if self._same >= SAID_AFTER:
            self._light = off

    def count(self, rest: Rest) -> None:
        """Count the dice of a new rest."""
        setup = self._made.setup if self._made is not None else None
        if setup is None or not setup.dice:
            return
        self._dice.extend([False] * len(rest.reading.dice) + [True] * len(rest.reading.unsure))
        full = len(self._dice) == RECENT_DICE
        share = sum(self._dice) / RECENT_DICE
        self._unsure = UNSURE if full and share > setup.unsure_share + MORE_UNSURE else ""

    def _follow(self, pixels: Picture) -> None:
        """Take over where the markers are now, if all are in view and not far from where they were."""
        made = cast("Profile", self._made)
        found = find_markers(pixels)
        zoom = made.width_px / pixels.shape[1]
        if len(found) < len(MARKERS):
            self._compare({n: (float(found[n][n][0]) * zoom, float(found[n][n][1]) * zoom) for n in found})
            return
        corners = cast("Quad", tuple((float(found[n][n][0]) * zoom, float(found[n][n][1]) * zoom) for n in MARKERS))
        if plane.fault(corners):
            return
        off_mm = max(hypot(x - u, y - v) for (x, y), (u, v) in zip(corners, made.tray_px, strict=True)) / made.px_per_mm
        self._moved = MOVED if off_mm > FOLLOWED_SHARE * made.tray_mm[0] else ""
        if off_mm <= EXACT_MM or self._moved:
            self.profile = made
        else:
            self.profile = followed(made, corners)

    def _compare(self, corners: Mapping[int, Point]) -> None:
        """Say that the camera has moved where all the tray's corners in view show it; with one hidden none is followed.

        corners: by their number, in pixels of the profile; empty if no marker is in view, which says nothing.
        """
        now = cast("Profile", self.profile)
        off_px = [hypot(x - now.tray_px[n][0], y - now.tray_px[n][1]) for n, (x, y) in corners.items()]
        if off_px and min(off_px) > PLAIN_MM * now.px_per_mm:
            self._moved = MOVED
        elif off_px and max(off_px) <= PLAIN_MM * now.px_per_mm:
            self._moved = ""

    def _level(self, pixels: Picture) -> float:
        profile = cast("Profile", self.profile)
        grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
        return float(np.median(straightened(grey, profile.homography, profile.width_px, profile.tray_mm)))


def straightened(
    grey: Picture, homography: Matrix, width_px: int, tray_mm: tuple[float, float], rim_mm: float = 0.0
) -> Picture:
    """Return the tray in a grey picture, (H, W), seen from straight above, small, without the rim at top and bottom.

    homography: from pixels of a picture of width_px to mm of the tray; the given one may be larger or smaller.
    """
    zoom = width_px / grey.shape[1]
    onto = np.array(homography) @ np.diag([zoom, zoom, 1.0])
    shift = np.array([[1, 0, 0], [0, 1, -rim_mm], [0, 0, GROUND_MM]])
    size = (round(tray_mm[0] / GROUND_MM), round((tray_mm[1] - 2 * rim_mm) / GROUND_MM))
    return np.asarray(cv2.warpPerspective(grey, shift @ onto, size), np.uint8)


def followed(profile: Profile, corners: Quad) -> Profile:
    """Return the profile of the same tray with its corners at these pixels."""
    lens = Lens(profile.width_px, profile.height_px, profile.lens_bend)
    straight = cast("Quad", tuple(map(lens.straight, corners)))
    matrix = plane.homography(straight, profile.tray_mm)
    rail = None
    if profile.rail_px is not None:
        back = cast("Matrix", np.linalg.inv(np.array(matrix)).tolist())
        places = [plane.to_plane(profile.homography, lens.straight(corner)) for corner in profile.rail_px]
        rail = cast("Quad", tuple(lens.seen(plane.to_plane(back, place)) for place in places))
    middle = plane.middle(straight)
    mm_per_px = plane.scale(matrix, middle) * lens.stretch(lens.seen(middle))
    return replace(profile, tray_px=corners, homography=matrix, px_per_mm=1 / mm_per_px, rail_px=rail)
