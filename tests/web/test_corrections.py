"""A die set right on the page, by one device at a time, and one that cannot be read."""

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from page_visitor import Visitor, let_in
from people import People, pig_at
from tapped_table import TappedTable

from tabletop.core.ports import Frame
from tabletop.core.values import Die, Reading, Rest, Unsure, UnsureReason
from tabletop.dialogs.commands import ACCEPTED, REFUSED, STALE, Correct, Result
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.rules import Match, Throw
from tabletop.simulator.tray import Tray, profile_of
from tabletop.store import Store
from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page

FOUR = {"throw": 1, "who": "", "was": 4}


@pytest.fixture
def table(people: People) -> TappedTable:
    """Throw a four in Pig; Ann is asked whether she rolls on."""
    opened = TappedTable(people)
    pig_at(people, 4)
    opened.look()
    return opened


def correct(table: TappedTable, **sent: Any) -> Result:  # noqa: ANN401 - values of JSON
    return table.send(do="correct", **FOUR | sent)


def test_a_die_is_set_right(table: TappedTable) -> None:
    """By the rules of Pig six points are at stake then, not four; the old throw is no longer there to be corrected."""
    assert correct(table, face=6) == ACCEPTED
    assert table.look().at_stake == 6
    assert correct(table, face=5) == STALE
    assert table.look().at_stake == 6


def test_play_goes_on_while_somebody_looks_for_the_die(table: TappedTable) -> None:
    """A throw, or a turn, that came meanwhile does not get in the way: an older throw is corrected all the same."""
    table.people.throw(3)
    assert table.look().at_stake == 7
    assert correct(table, face=6) == ACCEPTED
    assert table.look().at_stake == 9
    assert [event.value for event in table.people.session.match.events if event.kind == "throw"] == [(6,), (3,)]


@pytest.mark.parametrize(
    "sent",
    [
        *({"face": face} for face in (4, 7, "6", True)),
        *({"face": 6, **wrong} for wrong in ({"was": 0}, {"throw": "1"}, {"who": 3})),
        {},
    ],
)
def test_what_is_no_correction_is_refused(table: TappedTable, sent: dict[str, Any]) -> None:
    """No face, the same face, no throw: nothing is sent."""
    assert correct(table, **sent) == REFUSED
    assert table.look().at_stake == 4


def test_an_open_menu_stays_if_nothing_is_corrected(table: TappedTable) -> None:
    """Who looks through the menu is not thrown out of it by somebody who comes too late."""
    table.people.table.menu = table.people.start()
    late = table.inbox.put(Correct(1, Throw((2,)), was=Throw((5,))))
    assert table.look().menu is not None
    assert late.result(0) == STALE


# Over the network


@pytest.fixture
def page(people: People, tmp_path: Path) -> Iterator[Page]:
    opened = Page(listen("local", 0), lambda: people.now_s, tmp_path / DEVICES)
    yield opened
    opened.close()


@pytest.fixture
def paged(people: People, page: Page) -> TappedTable:
    opened = TappedTable(people, page=page)
    pig_at(people, 4)
    opened.look()
    return opened


@pytest.mark.usefixtures("paged")
def test_what_it_would_change_and_all_that_happened(page: Page) -> None:
    """Only who was let in may ask what a correction would change; the history may be read by everybody."""
    visitor = Visitor(page.address)
    assert visitor.post("/would", FOUR).status == 403
    visitor.post("/pair", {"digits": page.pairing.digits})
    changes = json.loads(visitor.post("/would", FOUR).body)
    assert [change["text"] for change in changes["faces"] if change["face"] == 6] == ["at stake 6"]
    assert visitor.post("/would", {**FOUR, "was": 5}).status == 409
    assert visitor.post("/would", {**FOUR, "was": "4"}).status == 400
    past = json.loads(Visitor(page.address).get("/history").body)
    assert [(event["who"], [die["face"] for die in event["dice"]]) for event in past["events"]] == [("Ann", [4])]
    assert visitor.state()["dice"][0]["from"] == {"number": 1, "who": "", "face": 4, "guess": 0}


def test_all_that_happened_is_made_once_for_all(paged: TappedTable, page: Page) -> None:
    """Many who ask get the same, made once; after a correction they get what is right now."""
    visitor, past = Visitor(page.address), page._site.past  # noqa: SLF001 - how often it was made
    with ThreadPoolExecutor(8) as many:
        bodies = set(many.map(lambda _: visitor.get("/history").body, range(24)))
    assert (len(bodies), past.encodings) == (1, 1)
    assert correct(paged, face=6) == ACCEPTED
    events = json.loads(visitor.get("/history").body)["events"]
    assert [[die["face"] for die in event["dice"]] for event in events if event["kind"] == "throw"] == [[6]]
    assert past.encodings == 2


def test_a_correction_over_the_network(paged: TappedTable, page: Page) -> None:
    """Done is 204; the same once more, 409; while the table answers nobody, 409 too, and nothing is done later."""
    visitor = let_in(page)
    statuses = list[int]()
    asking = threading.Thread(
        target=lambda: statuses.append(visitor.post("/api/v1/command", {"do": "correct", **FOUR, "face": 6}).status)
    )
    asking.start()
    shown = paged.look()
    while asking.is_alive():
        shown = paged.look()
    assert (statuses, shown.at_stake) == ([204], 6)
    assert visitor.post("/api/v1/command", {"do": "correct", **FOUR, "face": 5}).status == 409


WIDTH, HEIGHT = 400, 200
LEFT = Unsure(100.0, 50.0, 20.0, UnsureReason.TWO_FACES, faces=(4, 6))
RIGHT = Unsure(300.0, 50.0, 20.0, UnsureReason.TOO_DARK)


class Watched(TappedTable):
    """A table whose camera sees what it is given, with a phone."""

    def see(self, *unsure: Unsure, dice: tuple[Die, ...] = ()) -> None:
        self.people.now_s += 1.0
        now_s = self.people.now_s
        reading = Reading(now_s, WIDTH, HEIGHT, dice, unsure)
        rest = Rest(reading, (now_s,) * len(dice), (now_s,) * len(unsure))
        frame = Frame(np.zeros((HEIGHT, WIDTH, 3), np.uint8), now_s)
        self.people.camera_thread.newest = FrameResult(frame, reading, reading, rest, unsure=unsure)
        self.look()


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    """Sit down at such a table, with Yahtzee's little sister: a throw of one die."""
    with Store(tmp_path / "a.db") as store:
        watched = Watched(People(store))
        watched.table.begin(watched.people.matches.begin(Match("pig", ["Ann", "Ben"])))
        watched.look()
        yield watched


def throws(watched: Watched) -> list[object]:
    return [event.value for event in watched.people.session.match.log if event.kind == "throw"]


def test_what_somebody_says_it_shows_counts(watched: Watched) -> None:
    """A tap a little beside its middle is meant for it; nothing is counted before."""
    watched.see(LEFT)
    assert throws(watched) == []
    assert watched.send(do="face", at=[108, 44], face=4) == ACCEPTED
    assert throws(watched) == [(4,)]


def test_of_two_the_one_that_was_tapped_is_meant(watched: Watched) -> None:
    """What is no die after all goes, and the other one is still asked about."""
    watched.see(LEFT, RIGHT)
    assert watched.send(do="face", at=[300, 50], face=0) == ACCEPTED
    assert throws(watched) == []
    assert watched.send(do="face", at=[100, 50], face=6) == ACCEPTED
    assert throws(watched) == [(6,)]


def test_a_die_that_is_gone_is_not_set(watched: Watched) -> None:
    """Nudged meanwhile, or tapped beside it: the tap is refused with the advice to look again."""
    watched.see(LEFT)
    assert watched.send(do="face", at=[200, 50], face=4) == STALE
    watched.see(dice=(Die(2, 100.0, 50.0, 20.0, 0.0, "red", 0.9),))
    assert watched.send(do="face", at=[100, 50], face=4) == STALE
    assert throws(watched) == [(2,)]


@pytest.mark.parametrize(
    "sent",
    [
        *({"at": [100, 50], **sent} for sent in ({"face": 7}, {"face": True}, {})),
        *({"face": 4, **sent} for sent in ({"at": [100]}, {"at": "there"}, {})),
    ],
)
def test_what_is_no_face_or_place_is_refused(watched: Watched, sent: dict[str, Any]) -> None:
    """Nothing comes of it."""
    watched.see(LEFT)
    assert watched.send(do="face", **sent) == REFUSED
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
