"""What a browser fetches before the table is on its screen, and what it fetches only when somebody opens a form."""

import json
import re
import time
from html.parser import HTMLParser
from posixpath import dirname, join, normpath

import cv2
import numpy as np
import pytest
from browser import Browser
from oled_games import moments
from page_visitor import Visitor

from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import translated
from tabletop.web.page import Page

FIRST_LOAD = 150_000  # bytes as they are, not packed: with the icons, the manifest and a large snapshot
ROOM = 5_000  # of them, for what is still to come
IMPORTED = re.compile(
    r'^(?:import|export) (?:[^;]*? from )?"([^"]+)";', re.MULTILINE
)  # not import(...): that comes later
LATER = ("/setup.js", "/setup.css", "/arm.js")
ASKED = "performance.getEntriesByType('resource').map(entry => new URL(entry.name).pathname)"
STREAMS = {"/events", "/tray"}


class Linked(HTMLParser):
    """Gathers what a page of HTML has fetched."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take the addresses of links, scripts and pictures; a link in a text is followed by people only."""
        name = {"link": "href", "script": "src", "img": "src"}.get(tag, "")
        self.found += [value for key, value in attrs if key == name and value]


def test_the_first_load_is_light(page: Page) -> None:
    """Everything on the way to a Yahtzee of six in German, and 5 kB to spare; the form of a new match comes later."""
    page.show(translated(moments("yahtzee")["end"][0], load_language("de")), None, time.monotonic())
    visitor = Visitor(page.address)
    loaded = first_load(visitor)
    assert {"/", "/style.css", "/main.js", "/sheets/pictures.js", "/icon-180.png"} <= {*loaded}
    assert not {*LATER} & {*loaded}
    assert sum(loaded.values()) + len(visitor.get("/state").body) < FIRST_LOAD - ROOM


def test_it_can_be_put_on_the_home_screen(page: Page) -> None:
    """The manifest names icons that are there, as large as it says."""
    visitor = Visitor(page.address)
    answer = visitor.get("/look/app.webmanifest")
    manifest = json.loads(answer.body)
    assert answer.headers["content-type"] == "application/manifest+json"
    for icon in manifest["icons"]:
        picture = visitor.get(icon["src"])
        assert (picture.status, picture.headers["content-type"]) == (200, icon["type"])
        if icon["type"] == "image/png":
            pixels = cv2.imdecode(np.frombuffer(picture.body, np.uint8), cv2.IMREAD_COLOR)
            assert pixels is not None
            assert icon["sizes"] == f"{pixels.shape[1]}x{pixels.shape[0]}"
    assert visitor.get(manifest["start_url"]).status == 200


@pytest.mark.slow
def test_a_browser_fetches_no_more_than_that(phone: Browser, page: Page) -> None:
    """What Chromium has asked for when the table is drawn is what was counted, and the form when it is opened."""
    page.show(moments("yahtzee")["end"][0], None, time.monotonic())
    phone.open(f"http://{page.address}/#{page.pairing.digits}")
    phone.until("document.querySelector('#another').checkVisibility()")
    asked = {*phone.value(ASKED)} - STREAMS - {"/pair"}
    assert "/main.js" in asked
    assert asked <= {*first_load(Visitor(page.address))}


def first_load(visitor: Visitor) -> dict[str, int]:
    """Return the addresses that a browser fetches by itself, and how many bytes each has."""
    sizes: dict[str, int] = {}
    ahead = ["/"]
    while ahead:
        address = ahead.pop()
        if address in sizes:
            continue
        answer = visitor.get(address)
        assert (address, answer.status) == (address, 200)
        sizes[address] = len(answer.body)
        kind = answer.headers["content-type"].partition(";")[0]
        text = answer.body.decode() if kind.startswith("text/") else ""
        found = (
            Linked(text).found if kind == "text/html" else IMPORTED.findall(text) if kind == "text/javascript" else []
        )
        ahead += [normpath(join(dirname(address), other)) for other in found]
    return sizes
