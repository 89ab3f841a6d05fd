"""Filter a reading by place: dice on the wall are unsure, dice outside and printed markers are dropped.

The reader mistakes some markers for dice. A marker that is fully visible has nothing on it, so a die reported there is
the marker itself. A die that covers it, even in part, hides it, and stays. Searching around one die takes 0.3 ms at
640x480.
"""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.config.mat import CODES, MARKERS, find_all
from tabletop.core.values import Die, Profile, Reading, Unsure, UnsureReason

Picture = NDArray[np.uint8]
Outline = NDArray[np.float64]

SEARCH_EDGES = 2.6  # around a reported die, in its edges: a marker of the mat is up to two die edges wide
KNOWN_S = 0.7  # a marker missed in some frames, under a hand or in noise, still counts for this long


class MarkerFilter:
    """Removes markers from readings; remembers for a short while where markers were fully visible."""

    def __init__(self) -> None:
        self._seen: dict[int, tuple[Outline, float]] = {}
        self._last: tuple[Reading, Reading] | None = None

    def apply(self, pixels: Picture, reading: Reading) -> Reading:
        """Return the reading, in pixels of this (H, W, 3) BGR picture, without markers.

        The same object if there are none. A reading that equals the last one, apart from its time, is not searched
        again.
        """
        last = self._last
        if last is not None and reading.dice is last[0].dice and reading.unsure is last[0].unsure:
            return reading if last[0] is last[1] else replace(last[1], time_s=reading.time_s)
        kept = self._without(pixels, reading)
        remembered = any(seen_s != reading.time_s for _, seen_s in self._seen.values())
        self._last = None if remembered and kept is not reading else (reading, kept)
        return kept

    def _without(self, pixels: Picture, reading: Reading) -> Reading:
        things: list[Die | Unsure] = [*reading.dice, *reading.unsure]
        for thing in things:
            for name, outline in _markers_around(pixels, thing).items():
                self._seen[name] = outline, reading.time_s
        known = [outline for outline, seen_s in self._seen.values() if reading.time_s - seen_s <= KNOWN_S]
        if not any(_is_on(thing, outline) for thing in things for outline in known):
            return reading
        return replace(
            reading,
            dice=tuple(die for die in reading.dice if not any(_is_on(die, outline) for outline in known)),
            unsure=tuple(doubt for doubt in reading.unsure if not any(_is_on(doubt, outline) for outline in known)),
        )


def without_markers(pixels: Picture, reading: Reading) -> Reading:
    """Return the reading of a photograph, in its pixels, without printed markers."""
    return MarkerFilter().apply(pixels, reading)


def _markers_around(pixels: Picture, thing: Die | Unsure) -> dict[int, Outline]:
    """Return the outlines of the mat's markers near something that was reported, by their numbers."""
    reach = SEARCH_EDGES * thing.size
    left, top = max(0, int(thing.x - reach)), max(0, int(thing.y - reach))
    part = pixels[top : int(thing.y + reach) + 1, left : int(thing.x + reach) + 1]
    if not part.size:
        return {}
    found = find_all(np.ascontiguousarray(part))
    return {name: outline + np.array([left, top]) for name, outline in found.items() if name in (*MARKERS, *CODES)}


def _is_on(thing: Die | Unsure, outline: Outline) -> bool:
    return cv2.pointPolygonTest(outline.astype(np.float32), (float(thing.x), float(thing.y)), measureDist=False) >= 0


WALL_EDGES = 1.0  # die edges: the centre of a die on the wall is at most this far outside the rolling area


def clip_to_tray(reading: Reading, profile: Profile) -> Reading:
    """Return the reading, in millimetres, without dice outside; a die on the wall becomes unsure, in the tray."""
    on_wall = tuple(
        Unsure(die.x, die.y, die.size, UnsureReason.ON_EDGE) for die in reading.dice if _on_wall(die, profile)
    )
    return replace(
        reading,
        dice=tuple(die for die in reading.dice if die.where != "outside"),
        unsure=(*(unsure for unsure in reading.unsure if unsure.where != "outside"), *on_wall),
    )


def _on_wall(die: Die, profile: Profile) -> bool:
    margin = WALL_EDGES * profile.die_mm
    near = all(-margin <= at <= side + margin for at, side in zip((die.x, die.y), profile.tray_mm, strict=True))
    return die.where == "outside" and near
