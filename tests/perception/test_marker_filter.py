"""Printed markers are never dice: not sure ones, not unsure ones; dice that look like markers stay dice."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import cv2
import numpy as np
import pytest
from mat_camera import Picture, printed

from tabletop.config.mat import mat_of
from tabletop.core.values import Die, Reading, Unsure, UnsureReason
from tabletop.perception.tray_filter import KNOWN_S, MarkerFilter, without_markers
from tabletop.simulator.render import compose
from tabletop.simulator.scene import Look, PosedDie, lying
from tabletop.vision.reader import read

PX_PER_MM = 4.0
DIE_PX = 16 * PX_PER_MM


def sheet(paper: str, rail: str) -> Picture:
    return np.minimum(printed((paper, rail), round(25.4 * PX_PER_MM)), 225).astype(np.uint8)


def at(spots: Sequence[tuple[float, float]], time_s: float = 0.0) -> Reading:
    dice = tuple(Die(3, x, y, DIE_PX, 0, "white", 0.9) for x, y in spots)
    return Reading(time_s, 2000, 2000, dice, tuple(Unsure(x, y, DIE_PX, UnsureReason.GLARE) for x, y in spots))


def middles(paper: str, rail: str) -> list[tuple[float, float]]:
    boxes = mat_of(paper, rail).markers.values()
    return [((box.left + box.width / 2) * PX_PER_MM, (box.top + box.height / 2) * PX_PER_MM) for box in boxes]


def test_the_reader_takes_a_marker_for_a_die_and_the_filter_does_not() -> None:
    """Why there is a filter: without it something is reported on an empty mat, with it nothing."""
    picture = sheet("A4", "left")
    reading = read(picture, die_px=DIE_PX)
    assert reading.dice or reading.unsure
    clean = without_markers(picture, reading)
    assert (clean.dice, clean.unsure) == ((), ())


def test_each_marker_is_dropped_and_what_lies_elsewhere_stays() -> None:
    """Sure or unsure, on any of the five; in the middle of the tray everything stays."""
    picture = sheet("A3", "none")
    assert without_markers(picture, at(middles("A3", "none"))) == at(())
    elsewhere = at([(900, 500)])
    assert without_markers(picture, elsewhere) is elsewhere


def test_a_die_on_a_marker_stays() -> None:
    """It hides the marker; after it has lain there for a moment, it is believed."""
    picture = sheet("A4", "none")
    (x, y), *_ = middles("A4", "none")
    covered = compose(picture, [PosedDie(x + 10, y + 5, DIE_PX, lying(4, 20, Look()))])
    shown = at([(x + 10, y + 5)])
    assert without_markers(covered, shown) is shown
    markers = MarkerFilter()
    assert markers.apply(picture, at([(x, y)])).dice == ()
    assert markers.apply(covered, replace(shown, time_s=KNOWN_S / 2)).dice == ()
    assert markers.apply(covered, replace(shown, time_s=KNOWN_S * 1.1)).dice == shown.dice


def test_a_reading_that_is_repeated_is_not_searched_again() -> None:
    """The same dice in a later frame give the same, whatever that frame shows; other dice are looked at."""
    picture, black = sheet("A4", "none"), np.zeros((840, 1188, 3), np.uint8)
    markers, first = MarkerFilter(), at(middles("A4", "none"))
    assert markers.apply(picture, first).dice == ()
    later = markers.apply(black, replace(first, time_s=9.0))
    assert (later.dice, later.time_s) == ((), 9.0)
    others = at(middles("A4", "none"), time_s=9.0)
    assert markers.apply(black, others) is others
    assert markers.apply(picture, replace(others, time_s=9.5)).dice == others.dice


@pytest.mark.parametrize("body", [(15, 15, 15), (40, 20, 110)])
def test_no_die_is_taken_for_a_marker(body: tuple[int, int, int]) -> None:
    """Dark dice with light pips on white paper, each face at many angles: the nearest that dice come to markers."""
    look = Look(body=body, pip=(235, 235, 235))
    ground = np.full((700, 1300, 3), 225, np.uint8)
    spots = [(100.0 + 200 * face, 90.0 + 130 * row) for face, row in product(range(6), range(5))]
    dice = [PosedDie(x, y, DIE_PX, lying(1 + n // 5, 19.0 * (n % 5), look)) for n, (x, y) in enumerate(spots)]
    picture = cv2.GaussianBlur(compose(ground, dice), (0, 0), 0.8).astype(np.uint8)
    shown = at(spots)
    assert without_markers(picture, shown) is shown
