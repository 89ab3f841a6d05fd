"""`tabletop doctor` on the page: every line with its figure and what to do, for devices that were let in."""

import json
import time

import pytest
from browser import PHONE, Browser
from page_visitor import Visitor

from tabletop.core.checks import Check
from tabletop.core.message import say
from tabletop.dialogs.setup_state import SetupContext
from tabletop.doctor.camera import FRAME_RATE
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import translated
from tabletop.web.page import Page

LONG = "/var/lib/tabletop/" + "a-very-long-name-without-a-gap-" * 4
CHECKS = (
    Check(say("camera"), say(FRAME_RATE), found=True, right=True, figure=say("{n} a second", n=30)),
    Check(say("clock"), say("time"), found=True, right=None, figure=say("{text}, not set: no dates", text="18:00")),
    Check(say("store"), say("file"), found=True, right=True, figure=LONG),
    Check(say("store"), say("free space"), found=True, right=False, figure=say("{n} MiB", n=9),
        remedy=say("make room: {n} MiB more", n=41)),
)  # fmt: skip


def test_who_was_let_in_sees_what_is_wrong_first(page: Page) -> None:
    """In the language of the table; nobody else, and nothing where nothing can be checked."""
    visitor = Visitor(page.address)
    page.offer(lambda _: SetupContext(()), lambda: None, lambda: CHECKS)
    page.show(translated(page.shown, load_language("de")), None, time.monotonic())
    assert visitor.get("/checks").status == 403
    assert visitor.post("/pair", {"digits": page.pairing.digits}).status == 204
    told = json.loads(visitor.get("/checks").body)
    assert (told["language"], told["title"], told["back"]) == ("de", "Prüfung", "zurück")
    assert [part["part"] for part in told["parts"]] == ["Speicher", "Uhr", "Kamera"]
    assert told["parts"][0]["checks"] == [
        {"name": "freier Platz", "right": False, "figure": "9 MiB", "remedy": "Platz schaffen: noch 41 MiB"},
        {"name": "Datei", "right": True, "figure": LONG, "remedy": ""},
    ]


@pytest.mark.slow
def test_it_fits_a_small_phone(page: Page, phone: Browser) -> None:
    """With a file of a long name; the way there and back leads through the page's settings."""
    page.offer(lambda _: SetupContext(()), lambda: None, lambda: CHECKS)
    phone.enter(page.address, page.pairing.digits, "#bank")
    phone.tap("#device-open")
    phone.tap("#check-link")
    phone.until("document.querySelectorAll('#parts li').length === 4")
    assert phone.value("document.documentElement.scrollWidth") == PHONE[0]
    assert LONG in phone.text("#parts section")
    phone.tap("#back")
    phone.until("document.querySelector('#ask')")
