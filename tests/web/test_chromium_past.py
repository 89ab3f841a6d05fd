"""Past matches in a real Chromium: seen, filtered, opened and deleted with fingers and keys, in both languages."""

import json
import time
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from browser import PHONE, Browser
from played_events import played

from tabletop.core.message import say
from tabletop.core.values import Die, Reading
from tabletop.dialogs.setup_state import SetupContext
from tabletop.rules import Match
from tabletop.session.snapshotting import of_stored
from tabletop.store import Store
from tabletop.store.throws import KeptThrow, ThrowPictures
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
    phone.enter(page.address, page.pairing.digits, "#bank")
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
    phone.tap("#person button:nth-child(2)")
    phone.press("\ue004\ue007")
    phone.press("\ue007")
    phone.until("document.querySelector('#player').value === ''")
    phone.until("!document.querySelector('#matches').textContent.includes('Dora')")
    assert len(phone.all_of("#matches > li", "id")) == 2


@pytest.mark.slow
def test_a_past_match_shows_its_throws_and_its_recap(phone: Browser, page: Page, tmp_path: Path) -> None:
    """The picture opens beside its throw, a second look says what it sees, and the recap is that match's."""
    store = tmp_path / "tabletop.db"
    session, _ = played(store, Match("pig", NAMES[:2], target=2), 3)
    assert session.match.over
    (thrown, *_) = (n for n, event in enumerate(session.match.log, start=1) if event.kind == "throw")
    event = session.match.log[thrown - 1]
    assert isinstance(event.value, tuple)
    (face,) = event.value
    _, picture = cv2.imencode(".jpg", np.full((300, 400, 3), 90, np.uint8))
    reading = Reading(0.0, 400, 300, (Die(face, 200.0, 150.0, 40.0, 0.0, "", 0.97),))
    pictures = ThrowPictures(store)
    pictures.put(1, thrown, lambda: KeptThrow(picture.tobytes(), reading, replace(event, request=None).to_json()))
    pictures.close()
    page.offer(lambda _: SetupContext(()), lambda: None, tuple, store, None, of_stored)
    phone.enter(page.address, page.pairing.digits, "#bank")
    phone.open(f"http://{page.address}/past/past.html")
    phone.until_seen("#match-1 > button")
    phone.tap("#match-1 > button")
    phone.until_seen("#match-1 .shot")
    phone.picture(tmp_path / "match.png")
    phone.tap("#match-1 .shot")
    lines = "[...document.querySelectorAll('#throw-shown p')].map(line => line.innerText.toLowerCase())"
    phone.until(f"{lines}.includes({json.dumps(say('read: {text}', text=str(face)))})")
    phone.picture(tmp_path / "shot.png")
    phone.tap("#throw-shown > .large")
    phone.until(f"{lines}.includes({json.dumps(say('no correction is certain enough'))})")
    assert not phone.sees("#throw-shown .main")
    phone.tap("#throw-shown > .large:last-child")
    phone.until_seen("#throw-shown", gone=True)
    phone.tap("#match-1 .recap")
    phone.until_seen("#recap .saves a[download$=png]")
    assert phone.value("document.querySelector('#recap img').naturalWidth") == 1080
    assert phone.all_of("#recap .saves a[download$=txt]", "getAttribute('href')") == ["/recap.txt?match=1"]
    assert phone.value("document.documentElement.scrollWidth") == PHONE[0]
    phone.picture(tmp_path / "recap.png")
