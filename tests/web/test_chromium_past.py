"""Past matches in a real Chromium: seen, filtered, opened and deleted with fingers and keys, in both languages."""

import time
from pathlib import Path

import pytest
from browser import PHONE, Browser
from played_events import played

from tabletop.rules import Match
from tabletop.store import Store
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import phrases, translated
from tabletop.web.page import Page

NAMES = ("Ann", "Ben", "Cid", "Dora")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_match_is_found_looked_at_and_deleted(phone: Browser, page: Page, tmp_path: Path, language: str) -> None:
    """Nothing is cut off on a phone, and each line of the chart has its own dashes and marks; Enter twice deletes."""
    store, words = tmp_path / "tabletop.db", phrases(load_language(language)).past
    for seed, game in enumerate(("yacht", "pig", "aces")):
        played(store, Match(game, NAMES), seed)
    page.show(translated(page.shown, load_language(language)), None, time.monotonic())
    phone.open(f"http://{page.address}/#{page.pairing.digits}")
    phone.until_seen("#bank")
    phone.tap("#device-open")
    phone.until_seen("#past-link")
    phone.tap("#past-link")
    phone.until("document.querySelectorAll('#matches > li').length === 3")
    assert phone.text("h1") == words["title"]
    phone.tap("#match-1 > button")
    phone.until("document.querySelector('.chart')")
    phone.tap("#matches summary")
    lines = phone.all_of(".chart polyline", "getAttribute('stroke-dasharray')")
    marks = phone.all_of(".chart polyline + path", "getAttribute('d')")
    assert len({*lines}) == len({*marks}) == len(NAMES)
    assert {*NAMES} <= {*phone.all_of(".chart text", "textContent")}
    assert phone.value("document.documentElement.scrollWidth") == PHONE[0]
    phone.run(
        "const one = document.querySelector('#player'); one.value = 'Dora'; one.dispatchEvent(new Event('change'))"
    )
    phone.until_seen("#person")
    phone.tap("#match-2 > button")
    phone.until("document.querySelector('#match-2 .acts button')")
    phone.tap("#match-2 .acts button")
    phone.press("\ue00c")  # Escape
    phone.until("!document.querySelector('#ask-twice')")
    phone.tap("#match-2 .acts button")
    assert words["sure"] in phone.text("#ask-twice")
    phone.press("\ue004\ue007")  # Tab, Enter
    assert words["really"] in phone.text("#ask-twice")
    phone.press("\ue007")
    phone.until("!document.querySelector('#match-2')")
    with Store(store, looking=True) as opened:
        assert [match.number for match in opened.matches()] == [3, 1]
