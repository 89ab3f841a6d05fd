"""A die that cannot be read: somebody taps it on the picture of the tray and says what it shows."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from people import People
from tapped_table import TappedTable

from tabletop.core.ports import Frame
from tabletop.core.values import Die, Reading, Rest, Unsure, UnsureReason
from tabletop.dialogs.commands import ACCEPTED, REFUSED, STALE, Result
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.rules import Match
from tabletop.simulator.tray import Tray, profile_of
from tabletop.store import Store

WIDTH, HEIGHT = 400, 200
LEFT = Unsure(100.0, 50.0, 20.0, UnsureReason.TWO_FACES, faces=(4, 6))
RIGHT = Unsure(300.0, 50.0, 20.0, UnsureReason.TOO_DARK)


class Watched(TappedTable):
    """A table whose camera sees what it is given, with a phone."""

    def see(self, *unsure: Unsure, dice: tuple[Die, ...] = ()) -> None:
        """Let these lie in the tray, thrown just now."""
        self.people.now_s += 1.0
        now_s = self.people.now_s
        reading = Reading(now_s, WIDTH, HEIGHT, dice, unsure)
        rest = Rest(reading, (now_s,) * len(dice), (now_s,) * len(unsure))
        frame = Frame(np.zeros((HEIGHT, WIDTH, 3), np.uint8), now_s)
        self.people.camera_thread.newest = FrameResult(frame, reading, reading, rest, unsure=unsure)
        self.look()

    def set_face(self, **sent: Any) -> Result:  # noqa: ANN401 - whatever comes from outside
        """Say what a die shows; return what became of it."""
        return self.send(do="face", **sent)


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    """Sit down at such a table, with Yahtzee's little sister: a throw of one die."""
    with Store(tmp_path / "a.db") as store:
        watched = Watched(People(store))
        watched.table.begin(watched.people.matches.begin(Match("pig", ["Ann", "Ben"])))
        watched.look()
        yield watched


def throws(watched: Watched) -> list[object]:
    """Return the throws of the match."""
    assert watched.table.session is not None
    return [event.value for event in watched.table.session.match.log if event.kind == "throw"]


def test_what_somebody_says_it_shows_counts(watched: Watched) -> None:
    """A tap a little beside its middle is meant for it; nothing is counted before."""
    watched.see(LEFT)
    assert throws(watched) == []
    assert watched.set_face(at=[108, 44], face=4) == ACCEPTED
    assert throws(watched) == [(4,)]


def test_of_two_the_one_that_was_tapped_is_meant(watched: Watched) -> None:
    """What is no die after all goes, and the other one is still asked about."""
    watched.see(LEFT, RIGHT)
    assert watched.set_face(at=[300, 50], face=0) == ACCEPTED
    assert throws(watched) == []
    assert watched.set_face(at=[100, 50], face=6) == ACCEPTED
    assert throws(watched) == [(6,)]


def test_a_die_that_is_gone_is_not_set(watched: Watched) -> None:
    """Nudged meanwhile, or tapped beside it: whoever tapped is told to look again."""
    watched.see(LEFT)
    assert watched.set_face(at=[200, 50], face=4) == STALE
    watched.see(dice=(Die(2, 100.0, 50.0, 20.0, 0.0, "red", 0.9),))
    assert watched.set_face(at=[100, 50], face=4) == STALE
    assert throws(watched) == [(2,)]


@pytest.mark.parametrize(
    "sent",
    [
        {"at": [100, 50], "face": 7},
        {"at": [100, 50], "face": True},
        {"at": [100, 50]},
        {"at": [100], "face": 4},
        {"at": "there", "face": 4},
        {"face": 4},
    ],
)
def test_what_is_no_face_or_place_is_refused(watched: Watched, sent: dict[str, Any]) -> None:
    """Nothing comes of it."""
    watched.see(LEFT)
    assert watched.set_face(**sent) == REFUSED
    assert throws(watched) == []


def test_the_pipeline_says_where_they_lie_in_the_tray() -> None:
    """With a profile places are millimetres; in the same order as in the picture, so that a tap finds them."""
    profile = profile_of(Tray(5, chance=Random(1)))
    width, height = profile.width_px, profile.height_px
    corner = profile.tray_px[0]
    near = Unsure(corner[0] + 80.0, corner[1] + 80.0, 30.0, UnsureReason.TOO_DARK)
    seen = Reading(1.0, width, height, (), (near, Unsure(width - 1.0, height - 1.0, 30.0, UnsureReason.TOO_DARK)))
    pipeline = PerceptionPipeline(lambda *_, **__: seen, profile)
    result = pipeline.process(Frame(np.zeros((height, width, 3), np.uint8), 1.0, at_rest=True))
    assert result.pixel_reading.unsure == seen.unsure
    assert len(result.unsure) == len(seen.unsure)
    assert result.unsure[0] in result.reading.unsure
    assert 0.0 < result.unsure[0].x < profile.tray_mm[0] / 2
