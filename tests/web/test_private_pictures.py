"""`pictures = "paired"`: an unpaired device sees nothing that comes from the camera, whatever address it asks."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from browser import Browser
from page_visitor import Visitor, let_in
from starlette.routing import Route

from tabletop.core.ports import Frame
from tabletop.dialogs.setup_state import SetupContext
from tabletop.session.snapshotting import ROLL_OR_BANK
from tabletop.views.snapshot import Snapshot
from tabletop.web.api import application
from tabletop.web.commands import READERS
from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page
from tabletop.web.setup import DECISIONS

TABLE = Snapshot("Pig", ("Ann", "Ben"), (3, 7), "Ann", ROLL_OR_BANK, thrown=(3,), kept=(False,))
STREAMS = ("/events", "/tray")
SHOW_PICTURES = {"/tray", "/arm/look"}
SENT = ({}, *({"do": do, "asks": 1, "moment": [0, 0]} for do in (*READERS, *DECISIONS)))


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    """Serve a table with a camera, to devices that were let in; its clock is a minute further at each look."""
    seconds = iter(range(0, 10**9, 60))
    opened = Page(listen("local", 0), lambda: float(next(seconds)), tmp_path / DEVICES, private=True)
    opened.offer(lambda _: SetupContext((), 0), lambda: None, tuple)
    yield opened
    opened.close()


def frame(seed: int) -> Frame:
    return Frame(np.random.default_rng(seed).integers(0, 256, (240, 320, 3), np.uint8), float(seed))


def answers(page: Page, visitor: Visitor) -> dict[str, list[object]]:
    """Return what each address of the server itself answers to each method, a code behind it included."""
    found: dict[str, list[object]] = {}
    for route in application(page._api).routes:  # noqa: SLF001 - what is served, as the server has it
        assert isinstance(route, Route), route
        path = route.path.replace("{digits}", "0000")
        if "POST" in (route.methods or ()):
            found[path] = [visitor.post(path, sent).body for sent in SENT]
        elif path in STREAMS and visitor.send("HEAD", path, None, {}).status == 200:
            with visitor.events(path) as events:
                found[path] = [next(events), *([next(events)] if path == "/events" else [])]
        else:
            given = visitor.get(path)
            found[path] = [given.status, given.body]
    return found


def test_nothing_of_the_camera_reaches_who_was_not_let_in(page: Page) -> None:
    """Another frame changes no answer of any address; for a device that was let in it changes those with pictures."""
    stranger, friend = Visitor(page.address), let_in(page)
    seen = []
    for seed in (1, 2):
        page.show(TABLE, frame(seed), float(seed))
        seen.append([answers(page, visitor) for visitor in (stranger, friend)])
    (before, own_before), (after, own_after) = seen
    assert before.keys() >= SHOW_PICTURES | {"/", "/state", "/history", "/check/check.html", "/arm", "/would"}
    assert {path for path in before if before[path] != after[path]} == set()
    assert {path for path in before if own_before[path] != own_after[path]} == SHOW_PICTURES
    assert [before[path][0] for path in sorted(SHOW_PICTURES)] == [403, 403]


def test_a_device_sent_away_sees_no_further_picture(page: Page) -> None:
    """Its stream, open since before, ends."""
    friend = let_in(page)
    page.show(TABLE, frame(1), 1.0)
    with friend.events("/tray") as pictures:
        next(pictures)
        page.send_away()
        page.show(TABLE, frame(2), 2.0)
        assert list(pictures) == []


@pytest.mark.slow
def test_a_phone_is_told_why_it_sees_no_picture(phone: Browser, page: Page) -> None:
    """A line in place of the tray until the phone is let in. An old code behind the address asks for the new one."""
    page.show(TABLE, frame(1), 1.0)
    old = next(digits for digits in ("0000", "0001") if digits != page.pairing.digits)
    phone.open(f"http://{page.address}/#{old}")
    phone.until("document.querySelector('#wrong').innerText")
    phone.value("document.querySelector('#view-tray').click()")  # behind the question for the digits
    phone.until_seen("#tray-closed")
    assert not phone.sees("#picture")
    assert phone.text("#wrong") == TABLE.phrases.page["old_code"]
    phone.write("#digits", page.pairing.digits)
    phone.tap("#enter")
    phone.until("document.body.dataset.tray")
    assert not phone.sees("#tray-closed")
