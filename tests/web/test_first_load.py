"""What a browser fetches before the table is on its screen, and what it fetches only when somebody opens a form."""

import json
import time

import cv2
import numpy as np
import pytest
from browser import Browser
from oled_games import moments
from page_visitor import Visitor

from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import translated
from tabletop.web.app import STATIC
from tabletop.web.page import Page

FIRST_LOAD = 150_000  # bytes: with the font, the icon, the manifest and a large snapshot
ROOM = 500  # of them, for what is still to come
RARE = "/font/figtree-ext.woff2"  # letters such as those of Śćibor
SOON = {"/alive.js", "/alive.css", "/podium.js", "/look/dialogs.css", "/look/throw.js"}  # once the table is drawn
LATER = {*SOON, "/setup.js", "/setup.css", "/arm.js", "/arm.css", "/corners.js", "/signs.js"}  # and the checks
LATER |= {"/look/shot.js", "/look/recap.js", "/look/costs.js", "/look/tray.js", "/look/bgstats.js", "/look/programs.js"}
PAGES = ("/check/", "/overlay/", "/past/", "/players/", "/luck/", "/settings/", "/start/")
LATER |= {"/icon-180.png", "/icon-192.png", "/icon-512.png", RARE, "/font/LICENSE.txt", "/look/advice.js"}
SIZES = {f"/{path.relative_to(STATIC)}": path.stat().st_size for path in STATIC.rglob("*.*")}
FIRST = {name: size for name, size in SIZES.items() if name not in LATER and not name.startswith(PAGES)}
ASKED = "performance.getEntriesByType('resource').map(entry => new URL(entry.name).pathname)"
OF_THE_TABLE = {"/events", "/tray", "/pair"}


def test_the_first_load_is_light(page: Page) -> None:
    """Everything on the way to a Yahtzee of six in German, with half a kilobyte to spare; the form comes later."""
    page.show(translated(moments("yahtzee")["end"][0], load_language("de")), None, time.monotonic())
    assert SIZES.keys() >= LATER
    assert sum(FIRST.values()) + len(Visitor(page.address).get("/state").body) < FIRST_LOAD - ROOM


def test_it_can_be_put_on_the_home_screen(served: Page) -> None:
    """The manifest names icons that are there, as large as it says."""
    visitor = Visitor(served.address)
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
    phone.enter(page.address, page.pairing.digits, "#another")
    asked = {*phone.value(ASKED)} - OF_THE_TABLE
    assert {"/main.js", "/style.css", "/pictures.js"} <= asked <= {*FIRST, *SOON, RARE}
