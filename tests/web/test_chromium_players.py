"""Players and records on the page: reached from its settings, by links from player to player, on a phone and beyond."""

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest
from browser import PHONE, Browser
from page_visitor import Visitor

from tabletop.core.message import say
from tabletop.records.deriving import store_results
from tabletop.rules import Match
from tabletop.session.journal import ending_of
from tabletop.store import FILE_NAME, Store
from tabletop.views.i18n.catalogue import ENGLISH_PHRASES, load_language
from tabletop.views.i18n.translate import translated
from tabletop.web.page import Page

LONG = "Bartholomäus"
LAPTOP = (1280, 800)
PLAYERS = ENGLISH_PHRASES.page["players"]


def fill(folder: Path) -> None:
    """Two matches of Pig that Ann wins, one to 10 points that the other wins, and one that Ann plays alone."""
    with Store(folder / FILE_NAME) as store:
        for names, target, faces in (("Ann", 6, (6,)), ("Ann", 6, (6,)), ("Ann", 10, (5, 6, 1, 4)), ("", 6, (6,))):
            match = Match("pig", [names, LONG] if names else ["Ann"], target=target)
            for face in faces:
                match.throw([face])
                if not match.over and match.request.kind == "choose":
                    match.choose("bank")
            number = store.begin("pig", match.seated, match.options, "2026-11-28T18:00:00Z")
            store.append(number, 1, [("2026-11-28T18:00:01Z", event.to_json()) for event in match.log])
            store.end(number, ending_of(match))
            store_results(store, number, match)


def test_only_who_was_let_in_sees_them(page: Page, tmp_path: Path) -> None:
    """Someone unknown is nobody: all are shown then."""
    visitor = Visitor(page.address)
    assert visitor.get("/players").status == 401
    assert visitor.post("/pair", {"digits": page.pairing.digits}).status == 204
    assert visitor.get("/players").status == 503  # nothing is stored yet
    fill(tmp_path)
    told = json.loads(visitor.get("/players?name=%3Cb%3E").body)
    assert (told["name"], told["players"]) == (
        "",
        [{"name": "Ann", "played": 4, "won": 2}, {"name": LONG, "played": 3, "won": 1}],
    )
    (won, lost) = json.loads(visitor.get("/players?name=Ann").body)["games"]
    assert (won["streak"], won["rows"][0]["alone"], lost["streak"]) == (2, 1, 0)
    assert (lost["rules"], lost["against"]) != (won["rules"], won["against"])
    assert lost["against"] == [[LONG, 0, 0, 1]]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
def test_from_the_settings_to_a_player_and_back(phone: Browser, page: Page, tmp_path: Path, language: str) -> None:
    """Nothing is wider than a small phone, or a laptop, and no name is cut."""
    fill(tmp_path)
    words = load_language(language)
    page.show(translated(page.shown, words), None, time.monotonic())
    phone.enter(page.address, page.pairing.digits, "#device-open")
    phone.tap("#device-open")
    phone.until_seen("#players-link")
    phone.tap("#players-link")
    for size in (PHONE, LAPTOP):
        phone.resize(*size)
        phone.until("document.body.dataset.shown === '*'")
        assert phone.text("h1") == words.template(PLAYERS, ("screen",))
        assert phone.value("document.documentElement.scrollWidth") == size[0]
        phone.tap(f"#book a[href='#{LONG.replace('ä', '%C3%A4')}']")
        phone.until(f"document.body.dataset.shown === '{LONG}'")
        assert phone.text("h1") == LONG
        assert phone.all_of("#book .form li", "innerText") == ["2/2", "2/2", "1/2"]
        assert phone.value("document.documentElement.scrollWidth") == size[0]
        assert phone.value("document.documentElement.lang") == language
        phone.tap("#back")
    phone.until("document.body.dataset.shown === '*'")
    phone.tap("#back")
    phone.until_seen("#device-open")


@pytest.mark.slow
def test_a_record_stands_on_the_podium(phone: Browser, page: Page) -> None:
    """Said aloud behind the winner; a match without one has no such line."""
    phone.enter(page.address, page.pairing.digits, "#undo")
    over = replace(page.shown, asked="", winners=(LONG,), players=("Ann", LONG))
    page.show(over, None, time.monotonic())
    phone.until_seen("#podium")
    assert not phone.sees("#podium .cheer")
    fell = replace(over, cheer=say("record: {name} has won {n} times in a row", name=LONG, n=12))
    page.show(translated(fell, load_language("de")), None, time.monotonic())
    phone.until_seen("#podium .cheer")
    assert phone.text("#podium .cheer") == f"Rekord: {LONG} hat 12-mal in Folge gewonnen"
    assert phone.text("#live").endswith(f"Rekord: {LONG} hat 12-mal in Folge gewonnen.")
    assert phone.value("document.documentElement.scrollWidth") == PHONE[0]
