"""A second look at dice at rest, whatever it costs: several pictures, each read at several scales, tones and turns.

`python -m tabletop.vision.second_look` does it as a program of its own at the lowest priority: a pickle of the
arguments of `second_look` in, a pickle of the reading out.
"""

import os
import pickle
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.core.values import Die, Reading, Unsure, UnsureReason, distance_in_edges
from tabletop.vision.acceptance import DUE, SURE_UNKNOWN_SIZE, doubt, is_tipped
from tabletop.vision.classifier import APART, Found, Kind
from tabletop.vision.reader import find_dice

Picture = NDArray[np.uint8]
LEAST_NICE, FIRST_KILLED = 19, "1000"  # the lowest priority of a process, and the highest among those to be killed
# Power of the light, and whether dice of another size are left out: darker for what glare washed out, lighter for what
# lies in the shade. With the last two, 162 instead of 157 of 207 throws are put right: tools/scoring.
TONES = ((2.0, False), (0.5, False), (4.0, True), (6.0, True))
SMALLER, LARGER = 0.7, 1.4
NOT_FLAT = 0.3  # share that the face of a leaning or covered die counts, against that of a flat one
LEAST = 1e-3  # added to each chance, so that no single look is final
TOUCHING = 0.85  # edges: dice that touch are no nearer, but the top and a side of a leaning die are


def looks(picture: Picture, expect: int, die_px: float | None, *, closely: bool) -> list[Sequence[Found]]:
    """Return what each look at a picture finds, in its pixels. closely: look in all ways, not in the usual two."""

    def find(shown: Picture, zoom: float = 1.0, *, sized: bool = True, fixed: bool = False) -> Sequence[Found]:
        px = die_px * zoom if die_px is not None and sized else None
        found = find_dice(shown, die_px=px, expect=expect, fixed_size=fixed and px is not None).found
        return [replace(one, x=one.x / zoom, y=one.y / zoom, size=one.size / zoom) for one in found]

    found = [find(picture), find(picture, fixed=True)]
    if closely:
        shares, right = np.linspace(0, 1, 256), picture.shape[1] - 1
        for power, fixed in TONES:
            found.append(find(np.asarray(np.rint(255 * shares**power), np.uint8)[picture], fixed=fixed))
        for zoom, way in ((SMALLER, cv2.INTER_AREA), (LARGER, cv2.INTER_CUBIC)):
            zoomed = np.asarray(cv2.resize(picture, None, fx=zoom, fy=zoom, interpolation=way), np.uint8)
            found.append(find(zoomed, zoom, fixed=True))
        found.append([_mirrored(one, right) for one in find(np.ascontiguousarray(picture[:, ::-1]))])
        found.append(find(picture, sized=False))
    return found


def _mirrored(one: Found, right: int) -> Found:
    return replace(one, x=right - one.x, angle=-one.angle % 90, up=(-one.up[0], one.up[1]))


@dataclass(eq=False)
class Spot:
    """Where dice were found, by the likeliest of them. seen: what was found there, with the number of its picture."""

    best: Found
    seen: list[tuple[int, Found]] = field(default_factory=list)

    def judged(self, counts: Sequence[int]) -> Found:
        """Return what all looks say together; the picture that shows the die best says most. counts: looks at each."""
        chances = np.zeros(len(counts))
        for number, one in self.seen:
            chances[number] += one.chance / counts[number]
        weights = np.array(
            [
                chances[number]
                / counts[number]
                * (one.kinds[Kind.FLAT] + NOT_FLAT * (one.chance - one.kinds[Kind.FLAT]))
                for number, one in self.seen
            ]
        )
        logs = np.log(np.array([one.faces for _, one in self.seen]) + LEAST)
        faces = np.exp(weights @ logs / max(weights.sum(), LEAST))
        kinds = np.mean([one.kinds for number, one in self.seen if number == chances.argmax()], axis=0)
        kinds[Kind.FLAT :] *= chances.max() / max(kinds[Kind.FLAT :].sum(), LEAST)
        kinds[Kind.NOTHING] = 1 - chances.max()
        return replace(self.best, kinds=tuple(kinds.tolist()), faces=tuple((faces / faces.sum()).tolist()))


def second_look(pictures: Sequence[Picture], expect: int, die_px: float | None = None) -> Reading:
    """Return the reading of `expect` dice that lie still in pictures of one size, (H, W, 3) uint8 BGR.

    It is in pixels of the first picture, which is looked at most closely. A die's confidence is that in its face.
    """
    spots, counts = list[Spot](), list[int]()
    for number, picture in enumerate(pictures):
        found = looks(picture, expect, die_px, closely=number == 0)
        counts.append(len(found))
        for one in chain.from_iterable(found):
            near = next((spot for spot in spots if distance_in_edges(one, spot.best) < APART), None)
            if near is None:
                spots.append(near := Spot(one))
            near.seen.append((number, one))
            if number == 0 and one.chance > near.best.chance:
                near.best = one
    judged = sorted((spot.judged(counts) for spot in spots), key=lambda one: -one.chance)
    taken, leaning = list[Found](), set[Found]()
    for one in judged:
        rival = next((other for other in taken if distance_in_edges(one, other) < TOUCHING), None)
        if rival is None and len(taken) < expect:
            taken.append(one)
        elif rival is not None and one.chance >= DUE and one.face != rival.face:
            leaning.add(rival)  # two of its faces are seen
    leaning.update(one for one in taken if one.kinds[Kind.LEANING] > one.kinds[Kind.FLAT] or is_tipped(one, taken))
    height, width = pictures[0].shape[:2]
    clear = [one for one in taken if one.chance >= DUE and max(one.faces) >= SURE_UNKNOWN_SIZE]
    sure = [one for one in clear if one not in leaning]
    dice = (Die(one.face, one.x, one.y, one.size, one.angle, "", max(one.faces), up=one.up) for one in sure)
    unsure = (
        Unsure(one.x, one.y, one.size, UnsureReason.LEANS) if one in leaning else doubt(pictures[0], one)
        for one in taken
        if one not in sure
    )
    return Reading(0.0, width, height, tuple(dice), tuple(unsure))


def main() -> None:
    """Look once, as asked on standard input."""
    with suppress(OSError):
        os.nice(LEAST_NICE)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(FIRST_KILLED)  # where memory runs out, the table goes on
    cv2.setNumThreads(1)
    seen = second_look(*pickle.load(sys.stdin.buffer))  # noqa: S301 - from the table, which started this program
    sys.stdout.buffer.write(pickle.dumps(seen))


if __name__ == "__main__":
    main()
