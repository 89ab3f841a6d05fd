"""How a phone gets in: the QR code on the display, read by somebody else's reader, and what it leads to."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import zxingcpp
from glass import Glass
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from page_visitor import Visitor, let_in
from taken_commands import taken

from tabletop.cli.wiring.presenter import DOOR_S, Views
from tabletop.core.ports import Light, Press
from tabletop.dialogs.setup import setup_dialog
from tabletop.dialogs.setup_state import SetupContext, SetupState, Step
from tabletop.dialogs.welcome import Welcome
from tabletop.rules.catalog import load
from tabletop.session.snapshotting import THROW_ONE
from tabletop.store.first_steps import FirstSteps
from tabletop.views.i18n.catalogue import ENGLISH
from tabletop.views.oled.screen import Door, door_fits, draw_door
from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.canvas import code_lines
from tabletop.web.listening import Listening, listen
from tabletop.web.page import ADDRESS_S, DEVICES, Page, qr_code
from tabletop.web.pairing import SHOWN_S

TABLE = Snapshot("Pig", ("Ann", "Ben"), (3, 7), "Ann", THROW_ONE, hold="pause")
ADDRESSES = [
    *("10.0.0.5:80", "192.168.178.123:8080", "255.255.255.255:65535"),
    *("raspberrypi.local:8080", "raspberrypi.fritz.box:8080", "[2001:db8::1]:8080"),
]

PIXEL_PX = 4  # pixels of the phone's camera for one of the display


def seen_by_a_phone(pixels: NDArray[np.bool_]) -> str:
    """Return what a reader of QR codes that phones use finds on a display, or nothing."""
    picture = (pixels * 255).astype(np.uint8).repeat(PIXEL_PX, axis=0).repeat(PIXEL_PX, axis=1)
    return "".join(code.text for code in zxingcpp.read_barcodes(picture))


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_phone_reads_the_display(address: str) -> None:
    """Any address of four numbers, and the Pi's own name, from 128 by 64 pixels, with two pixels for a module."""
    door = Door(qr_code(address, "0427"), address, "0427")
    assert door_fits(door.code, 64)
    read = seen_by_a_phone(draw_door(door, 128, 64))
    assert read.startswith("http://")  # phones take HTTP:// for text
    assert read.lower() == f"http://{address}/0427"


@given(st.ip_addresses(v=4), st.integers(1, 65535), st.integers(0, 9999))
def test_any_address_of_four_numbers_fits_the_display(number: object, port: int, digits: int) -> None:
    """In the smallest code that a display of 64 rows shows with two pixels a module."""
    assert len(qr_code(f"{number}:{port}", f"{digits:04}")) == 25


def test_a_phone_reads_the_terminal() -> None:
    """Its upper and lower halves of cells put together again are the same code."""
    lines = code_lines(qr_code(ADDRESSES[1], "0427"))
    assert len(set(map(len, lines))) == 1
    halves = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}
    rows = [[halves[cell][half] for cell in line] for line in lines for half in (0, 1)]
    pixels = np.array(rows, np.bool_).repeat(2, axis=0).repeat(2, axis=1)
    assert seen_by_a_phone(pixels).lower() == f"http://{ADDRESSES[1]}/0427"


def test_a_flat_display_shows_no_code() -> None:
    """On 32 rows a module would have one pixel; the digits are said in a line there, as before."""
    assert not door_fits(qr_code(ADDRESSES[1], "0427"), 32)


class Evening:
    """A table with a page and two displays, at a time that the test sets."""

    def __init__(self, folder: Path, word: str = "lan") -> None:
        opened = listen("local", 0)
        own = Listening(word, "192.168.178.123" if word == "lan" else opened.host, opened.port, opened.socket)
        self.page = Page(own, lambda: 0.0, folder / DEVICES)
        self.large, self.flat = Glass(64), Glass(32)
        self.views = Views((self.large, self.flat), None, ENGLISH, entry=self.page)

    def at(self, now_s: float, snapshot: Snapshot = TABLE, light: Light = "full") -> str:
        self.views.show(snapshot, None, now_s, light)
        return seen_by_a_phone(self.large.pixels)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    opened = Evening(tmp_path)
    yield opened
    opened.page.close()


def test_the_code_is_there_at_the_start_and_when_somebody_asks(evening: Evening) -> None:
    """With a look at the table in between; then the table alone. The flat display says the digits in words."""
    address = f"http://192.168.178.123:{evening.page.address.rpartition(':')[2]}/{evening.page.pairing.digits}"
    assert [evening.at(now_s) for now_s in (0.0, DOOR_S + 1.0, ADDRESS_S + 1.0)] == [address, "", ""]
    flat = evening.flat.pixels
    evening.page.pairing.show(100.0)
    assert evening.at(100.0) == address
    assert (evening.flat.pixels != flat).any()
    assert evening.at(100.0 + SHOWN_S + 1.0) == ""


def test_the_code_is_never_in_the_way(evening: Evening) -> None:
    """A button that is pressed shows the table at once, until somebody asks again."""
    evening.at(50.0)
    evening.page.pairing.show(100.0)
    assert evening.at(100.0)
    assert evening.at(101.0, replace(TABLE, pressed="hold")) == ""
    assert evening.at(102.0) == ""
    evening.at(200.0)
    evening.page.pairing.show(201.0)
    assert evening.at(201.0)


def test_a_dark_display_lights_up_for_it(evening: Evening) -> None:
    """Somebody at the table has asked for the digits, and has touched no button."""
    evening.at(0.0)
    evening.at(50.0, light="off")
    assert evening.large.lights[-1] == "off"
    evening.page.pairing.show(100.0)
    assert evening.at(100.0, light="off")
    assert evening.large.lights.pop() == "full"


def test_only_the_network_gets_a_code(tmp_path: Path) -> None:
    """No phone can open an address that is this machine's own."""
    evening = Evening(tmp_path, "local")
    assert evening.at(0.0) == ""
    evening.page.close()


def test_devices_are_sent_away(tmp_path: Path) -> None:
    """They may press no more, also after a restart, and the digits that they know are old."""
    for start in range(2):
        page = Page(listen("local", 0), time.monotonic, tmp_path / DEVICES)
        assert page.devices() == 0
        if start == 0:
            visitor, digits = let_in(page), page.pairing.digits
            with taken(page.inbox):
                assert (page.devices(), visitor.act("hold")) == (1, 204)
            while page.pairing.digits == digits:  # one time in 10,000 the new ones are the old ones
                page.send_away()
            assert (page.devices(), visitor.act("hold")) == (0, 403)
            assert visitor.post("/pair", {"digits": digits}).status == 403
        page.close()


BANK, HOLD = Press("bank"), Press("hold")
KNOWN = SetupContext((load("pig")[0],))


def offer(page: Page, first: FirstSteps) -> None:
    page.offer(lambda _: KNOWN, lambda: None, tuple, first=first)


def pair(page: Page) -> None:
    here = Visitor(f"127.0.0.1:{page.address.rpartition(':')[2]}")
    assert here.post("/pair", {"digits": page.pairing.digits}).status == 204


def test_the_welcome_is_shown_until_the_first_phone(evening: Evening, tmp_path: Path) -> None:
    """For hours, beside the address now and then. The phone that scans it is in, and the menu is there."""
    offer(evening.page, FirstSteps(tmp_path / "a.db", is_new=True, offers=True))
    menu = setup_dialog(SetupState(KNOWN, (Step("first"),)), home=False)
    welcome = Welcome(menu, lambda: evening.page.welcome() is not None, lambda: None)
    evening.at(0.0)
    for now_s in (1.0, DOOR_S + 1.0, 5000.0, 90000.0):
        assert evening.at(now_s, welcome.snapshot).endswith(f"/{evening.page.pairing.digits}")
    pair(evening.page)
    assert welcome.snapshot == menu.snapshot
    assert evening.at(90001.0, welcome.snapshot) == ""
    assert welcome.press(HOLD) == menu.press(HOLD)


@pytest.mark.parametrize("button", [BANK, HOLD])
def test_a_button_ends_the_welcome_and_does_nothing_else(evening: Evening, tmp_path: Path, button: Press) -> None:
    """Nobody has begun a match by it. The next start shows the welcome again, unless a phone was ever let in."""
    first = FirstSteps(tmp_path / "a.db", is_new=True, offers=True)
    offer(evening.page, first)
    menu = setup_dialog(SetupState(KNOWN, (Step("first"),)), home=False)
    evening.at(0.0)
    welcome = Welcome(menu, lambda: evening.page.welcome() is not None, first.end_welcome)
    assert welcome.press(button) is menu
    assert not welcome.snapshot.welcome
    offer(evening.page, FirstSteps(tmp_path / "a.db", is_new=True, offers=True))
    assert evening.page.welcome()
    pair(evening.page)
    evening.page.send_away()
    assert not evening.page.welcome()
