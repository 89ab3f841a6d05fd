"""The network on the page: what the root's helper and the real nmcli answer, in words; and in Chromium."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from admin_socket import serving
from browser import Browser
from network_machine import CAFE, HOME, OFFICE, RIGHT, WRONG, Networked, with_radio
from page_visitor import Visitor

from tabletop.cli.wiring.hotspot import HotspotKeeper
from tabletop.dialogs.commands import ACCEPTED, CloseHotspot, MenuAction
from tabletop.dialogs.hotspot import WHY, HotspotDialog
from tabletop.service import admin
from tabletop.views.i18n.catalogue import load_language
from tabletop.web.network import WORDS
from tabletop.web.page import Page

STATUS = "[data-section=network] [role=status]"


@pytest.fixture
def air(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Networked]:
    monkeypatch.setenv(admin.VARIABLE, str(tmp_path / "socket"))
    with with_radio(tmp_path) as helper, serving(helper, tmp_path / "socket"):
        yield helper


@pytest.fixture
def visitor(page: Page) -> Visitor:
    """Return a device that was let in."""
    visitor = Visitor(page.address)
    assert visitor.post("/pair", {"digits": page.pairing.digits}).status == 204
    return visitor


def test_a_table_that_was_not_installed(page: Page, visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Says so, and offers no hotspot. Who was not let in asks in vain; nonsense does not reach the helper."""
    monkeypatch.setenv(admin.VARIABLE, "/nowhere")
    assert not admin.is_there()
    stranger = Visitor(page.address)
    assert stranger.get("/networks").status == 403
    assert stranger.post("/network", {"ssid": HOME, "password": RIGHT}).status == 403
    for answer in (visitor.get("/networks"), visitor.post("/network", {"hotspot": False})):
        assert (answer.status, json.loads(answer.body)["why"]) == (422, WHY["not-installed"])
    for wrong in (
        {},
        {"ssid": HOME},
        {"ssid": 1, "password": ""},
        {"ssid": "x" * 201, "password": ""},
        {"hotspot": True},
    ):
        assert visitor.post("/network", wrong).status == 400


@pytest.mark.slow
@pytest.mark.usefixtures("air")
def test_the_menu_opens_the_hotspot_and_the_page_closes_it(page: Page, visitor: Visitor) -> None:
    """The display has the code of the network, then that of the page; the page never has the password."""
    assert admin.is_there()
    keeper = HotspotKeeper([page])
    dialog = keeper.handlers[MenuAction.HOTSPOT](MenuAction.HOTSPOT, None)
    assert isinstance(dialog, HotspotDialog)
    finish()
    first, second = (dialog.step_to(at).snapshot.scan for at in (0, 1))
    assert first is not None
    assert second is not None
    assert first.content.startswith("WIFI:T:WPA;S:")
    assert second.content == page.link
    told = visitor.get("/networks").body.decode()
    assert json.loads(told)["hotspot"] is True
    assert first.lines[1] not in told
    assert visitor.post("/network", {"hotspot": False}).status == 204
    (command,) = page.inbox.take()
    assert command.wants == CloseHotspot()
    keeper.handlers[CloseHotspot](command.wants, None)
    command.result.set_result(ACCEPTED)
    finish()
    assert dialog.snapshot.scan is None


def finish() -> None:
    """Wait for what the helper was asked."""
    for thread in threading.enumerate():
        if thread.name == "hotspot":
            thread.join()


@pytest.mark.slow
def test_a_phone_chooses_the_network(air: Networked, page: Page, phone: Browser, tmp_path: Path) -> None:
    """Three taps and the password; a wrong one gets a sentence, and the list comes back."""
    air.done("hotspot", on=True)
    phone.open(page.link)
    phone.until_seen("#device-open")
    phone.open(f"http://{page.address}/settings/settings.html")
    phone.until(f"document.querySelectorAll('.networks button').length === {len({CAFE, HOME, OFFICE}) + 2}")
    names = phone.all_of(".networks b", "textContent")
    assert (names[0], phone.text(STATUS)) == (HOME, "")  # nothing was tried yet
    phone.run("document.querySelector('.networks').scrollIntoView()")
    phone.picture(tmp_path / "list.png")
    for password, said in ((WRONG, WHY["wrong-password"]), (RIGHT, WORDS["joined"].replace("{text}", HOME))):
        phone.until_seen(".networks button")
        phone.tap(".networks li:first-child button")
        phone.write("#network-password", password)
        phone.picture(tmp_path / "password.png")
        phone.tap("[data-section=network] form .main")
        phone.until(f"document.querySelector({json.dumps(STATUS)})?.textContent.includes({json.dumps(said)})")
        phone.picture(tmp_path / "said.png")
    assert not air.done("networks")["hotspot"]


def test_each_word_is_german_too() -> None:
    """No text of the section stays English."""
    german = load_language("de")
    assert [text for text in (*WORDS.values(), *WHY.values()) if german.template(text, ("notes",)) == text] == []
