"""A die set right on the page: through the thread that plays the match, by one device at a time."""

import json
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from page_visitor import Visitor
from people import People, pig_at

from tabletop.dialogs.commands import ACCEPTED, REFUSED, STALE, Result
from tabletop.dialogs.decisions import Correct
from tabletop.rules import Throw
from tabletop.session.table_loop import TableLoop
from tabletop.views.snapshot import Snapshot
from tabletop.web.commands import command_of
from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page

TICK_S = 0.02
FOUR = {"throw": 1, "who": "", "was": 4}


class PageTable:
    """A table whose page is a real one, played by the test's own thread."""

    def __init__(self, people: People, folder: Path) -> None:
        self.people = people
        self.page = Page(listen("local", 0), lambda: people.now_s, folder / DEVICES)
        people.table = TableLoop(people.camera_thread, [], people.matches.handlers, people.start, inbox=self.page.inbox)

    def look(self) -> Snapshot:
        """Let the table turn once."""
        self.people.now_s += TICK_S
        shown = self.people.table.tick(self.people.now_s)
        self.page.show(shown, None, self.people.now_s)
        return shown

    def put(self, **sent: Any) -> Result | Future[Result]:  # noqa: ANN401 - values of JSON
        """Send a correction; return what will become of it."""
        read = command_of({"do": "correct", **FOUR, **sent}, self.page.shown)
        return read if isinstance(read, Result) else self.page.inbox.put(*read)

    def correct(self, **sent: Any) -> Result:  # noqa: ANN401 - values of JSON
        """Correct; return what became of it."""
        put = self.put(**sent)
        self.look()
        return put.result(0) if isinstance(put, Future) else put


@pytest.fixture
def table(people: People, tmp_path: Path) -> Iterator[PageTable]:
    """Throw a four in Pig; Ann is asked whether she rolls on."""
    opened = PageTable(people, tmp_path)
    pig_at(people, 4)
    opened.look()
    yield opened
    opened.page.close()


def test_a_die_is_set_right(table: PageTable) -> None:
    """By the rules of Pig six points are at stake then, not four; the old throw is no longer there to be corrected."""
    assert table.correct(face=6) == ACCEPTED
    assert table.look().at_stake == 6
    assert table.correct(face=5) == STALE
    assert table.look().at_stake == 6


def test_play_goes_on_while_somebody_looks_for_the_die(table: PageTable) -> None:
    """A throw, or a turn, that came meanwhile does not get in the way: an older throw is corrected all the same."""
    table.people.throw(3)
    assert table.look().at_stake == 7
    assert table.correct(face=6) == ACCEPTED
    assert table.look().at_stake == 9
    session = table.people.table.session
    assert session is not None
    assert [event.value for event in session.match.events if event.kind == "throw"] == [(6,), (3,)]


@pytest.mark.parametrize(
    "sent",
    [
        *({"face": face} for face in (4, 7, "6", True)),
        *({"face": 6, **wrong} for wrong in ({"was": 0}, {"throw": "1"}, {"who": 3})),
        {},
    ],
)
def test_what_is_no_correction_is_refused(table: PageTable, sent: dict[str, Any]) -> None:
    """No face, the same face, no throw: nothing is sent."""
    assert table.correct(**sent) == REFUSED
    assert table.look().at_stake == 4


def test_an_open_menu_stays_if_nothing_is_corrected(table: PageTable) -> None:
    """Who looks through the menu is not thrown out of it by somebody who comes too late."""
    table.people.table.menu = table.people.start()
    late = table.page.inbox.put(Correct(1, Throw((2,)), was=Throw((5,))))
    assert table.look().menu is not None
    assert late.result(0) == STALE


# Over the network


def test_what_it_would_change_and_all_that_happened(table: PageTable) -> None:
    """Only who was let in may ask what a correction would change; the history may be read by everybody."""
    visitor = Visitor(table.page.address)
    assert visitor.post("/would", FOUR).status == 403
    visitor.post("/pair", {"digits": table.page.pairing.digits})
    changes = json.loads(visitor.post("/would", FOUR).body)
    assert [change["text"] for change in changes["faces"] if change["face"] == 6] == ["at stake 6"]
    assert visitor.post("/would", {**FOUR, "was": 5}).status == 409
    assert visitor.post("/would", {**FOUR, "was": "4"}).status == 400
    past = json.loads(Visitor(table.page.address).get("/history").body)
    assert [(event["who"], [die["face"] for die in event["dice"]]) for event in past["events"]] == [("Ann", [4])]
    assert visitor.state()["dice"][0]["from"] == {"number": 1, "who": "", "face": 4, "guess": 0}


def test_all_that_happened_is_made_once_for_all(table: PageTable) -> None:
    """Many who ask get the same, made once; after a correction they get what is right now."""
    visitor, past = Visitor(table.page.address), table.page._site.past  # noqa: SLF001 - how often it was made
    with ThreadPoolExecutor(8) as many:
        bodies = set(many.map(lambda _: visitor.get("/history").body, range(24)))
    assert (len(bodies), past.makings) == (1, 1)
    assert table.correct(face=6) == ACCEPTED
    events = json.loads(visitor.get("/history").body)["events"]
    assert [[die["face"] for die in event["dice"]] for event in events if event["kind"] == "throw"] == [[6]]
    assert past.makings == 2


def test_a_correction_over_the_network(table: PageTable) -> None:
    """Done is 204; the same once more, 409; while the table answers nobody, 409 too, and nothing is done later."""
    visitor = Visitor(table.page.address)
    visitor.post("/pair", {"digits": table.page.pairing.digits})
    statuses = list[int]()
    asking = threading.Thread(
        target=lambda: statuses.append(visitor.post("/act", {"do": "correct", **FOUR, "face": 6}).status)
    )
    asking.start()
    shown = table.look()
    while asking.is_alive():
        shown = table.look()
    assert (statuses, shown.at_stake) == ([204], 6)
    assert visitor.post("/act", {"do": "correct", **FOUR, "face": 5}).status == 409
