"""Films of hands throwing real dice, cut, thinned, darkened and shaken: each throw is taken once, within its rest."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import cos, sin
from pathlib import Path

import cv2
import numpy as np
import pytest
from labelled import PHOTOS, needs_photos
from numpy.typing import NDArray

from tabletop.core.ports import Frame
from tabletop.core.values import Moment
from tabletop.perception.pipeline import PerceptionPipeline
from tabletop.rules import Match
from tabletop.session.film_loop import step
from tabletop.session.match_library import MatchLibrary
from tabletop.store import Store
from tabletop.vision.reader import read

Picture = NDArray[np.uint8]
Change = Callable[[int, Picture], Picture]
AFTER = 24  # frames after the beginning of the rest in which no other throw may be taken
FPS = 30.0


def as_it_is(_: int, picture: Picture) -> Picture:
    return picture


def dark(share: float) -> Change:
    return lambda _, picture: np.asarray(cv2.convertScaleAbs(picture, alpha=share), np.uint8)


def half(_: int, picture: Picture) -> Picture:
    return np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)


def swaying(px: float, jump_at: int) -> Change:

    def change(number: int, picture: Picture) -> Picture:
        right, down = px * (sin(0.9 * number) + 0.5 * sin(2.1 * number)), px * cos(0.7 * number)
        jump = 3 * px * (number >= jump_at)
        way = np.array([[1, 0, right + jump], [0, 1, down - 0.6 * jump]], np.float32)
        return np.asarray(cv2.warpAffine(picture, way, picture.shape[1::-1], borderMode=cv2.BORDER_REPLICATE), np.uint8)

    return change


def trembling(px: float, turn_deg: float) -> Change:

    def change(number: int, picture: Picture) -> Picture:
        chance, (height, width) = np.random.default_rng(number), picture.shape[:2]
        way = np.array(cv2.getRotationMatrix2D((width / 2, height / 2), chance.uniform(-turn_deg, turn_deg), 1.0))
        way[:, 2] += np.asarray(chance.uniform(-px, px, 2))
        return np.asarray(cv2.warpAffine(picture, way, (width, height)), np.uint8)

    return change


@dataclass(frozen=True, slots=True)
class Variant:
    """A film from so many frames before its rest on, every so manieth frame of it, and what is done to each."""

    film: int
    before: int
    every: int
    changes: tuple[Change, ...]


VARIANTS = {
    "cut into the flight": Variant(1, 20, 1, (as_it_is,)),
    "cut, 15 frames a second": Variant(2, 14, 2, (as_it_is,)),
    "dark, 10 frames a second": Variant(0, 30, 3, (dark(0.4),)),
    "held in the hand, with a jump": Variant(1, 22, 1, (swaying(8.0, 48),)),
    "small, dark, trembling": Variant(2, 22, 1, (half, dark(0.5), trembling(2.0, 0.15))),
    "shaken and thinned": Variant(0, 30, 2, (swaying(5.0, 60), dark(0.6))),
}


RARER = {"cut into the flight", "shaken and thinned"}  # the others have what these change, and more of it


def frames_of(variant: Variant, path: Path, rest: int) -> Iterator[tuple[int, Frame]]:
    """Yield the numbers of a film's frames and the frames."""
    capture = cv2.VideoCapture(str(path))
    for number in range(rest + AFTER):
        assert capture.grab()
        if number >= rest - variant.before and number % variant.every == 0:
            good, picture = capture.retrieve()
            assert good
            for change in variant.changes:
                picture = change(number, np.asarray(picture, np.uint8))
            yield number, Frame(np.asarray(picture, np.uint8), number / FPS)
    capture.release()


@needs_photos
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.soak if name in RARER else pytest.mark.slow) for name in VARIANTS]
)
def test_a_changed_film_gives_its_throw_within_its_rest(name: str, tmp_path: Path) -> None:
    """The right faces, taken while all dice lie still by the manifest, and no other throw."""
    variant = VARIANTS[name]
    film = json.loads((PHOTOS / "manifest.json").read_text())["throws"][variant.film]
    first, last = film["rest_frames"]
    taken = []
    with Store(tmp_path / "a.db") as store:
        session = MatchLibrary(store, lambda: Moment("2026-01-01T00:00:00Z"), lambda _: None).begin(
            Match("yahtzee", ["Ann", "Ben"])
        )
        watch = PerceptionPipeline(read)
        for number, frame in frames_of(variant, PHOTOS / film["file"], first):
            before = len(session.match.log)
            step(frame, watch, session)
            taken += [(number, session.thrown) for event in session.match.log[before:] if event.kind == "throw"]
    ((number, faces),) = taken
    assert sorted(faces) == sorted(die["face"] for die in film["dice"])
    assert first <= number <= last
