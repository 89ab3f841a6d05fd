"""The page under axe-core in a real Chromium, light and dark, small and large: nothing serious, nothing critical."""

import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from axe import grave_faults
from browser import PHONE, Browser
from oled_games import moments
from page_program import page_of

from tabletop.rules import game_ids
from tabletop.views.snapshot import Snapshot
from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page

pytestmark = pytest.mark.slow

LARGE = (1280, 800)
LOOKS = [(size, dark) for size in (PHONE, LARGE) for dark in (False, True)]
RICHEST = ("stake", "choice", "keep", "throw", "all-throw", "start")  # the first of these that a game has
STILL = "!document.getAnimations().length"
TABLE = Snapshot("Pig", ("Ann",), (0,), hold="pause", bank="whose go?")


def in_each_look(phone: Browser, looks: Sequence[tuple[tuple[int, int], bool]] = LOOKS) -> list[str]:
    found = []
    for size, dark in looks:
        phone.resize(*size, dark=dark, scale=1.0)
        phone.until(STILL)
        found += grave_faults(phone)
    phone.resize(*PHONE)
    return found


@pytest.mark.longest
def test_every_game(phone: Browser, tmp_path: Path) -> None:
    """Each game in one of the four looks, by turns, each layout of sheets at its end in two of them."""
    page = Page(listen("local", 0), time.monotonic, tmp_path / DEVICES, simulated=True)
    page.show(TABLE, None, time.monotonic())
    phone.open(f"http://{page.address}/#{page.pairing.digits}")
    phone.until("document.querySelector('#bank').checkVisibility()")
    found, layouts = list[str](), set[str]()
    for number, game_id in enumerate(game_ids()):
        shown = moments(game_id)
        kind = next(kind for kind in RICHEST if kind in shown)
        size, dark = LOOKS[number % len(LOOKS)]
        phone.resize(*size, dark=dark, scale=1.0)
        for moment in (kind, "end"):
            page.show(shown[moment][0], None, time.monotonic())
            phone.until(f"document.body.dataset.count === '{page.feed.count}' && {STILL}")
            if moment == kind:
                found += grave_faults(phone)
            elif shown[moment][0].layout not in layouts:
                layouts.add(shown[moment][0].layout)
                found += in_each_look(phone, LOOKS[::3])
    page.close()
    assert found == []
    assert len(layouts) > 5


def test_form_history_wall_and_dialogs(phone: Browser, tmp_path: Path) -> None:
    """What is opened on top of the table, and the table on the wall."""
    with page_of(tmp_path, "pig", "--players", "Ann,Ben", "--camera", "none") as (address, digits):
        phone.open(f"http://{address}/")
        phone.until("document.querySelector('#join').checkVisibility()")
        phone.tap("#join")
        found = in_each_look(phone)
        phone.tap("#cancel")
        phone.open(f"http://{address}/#{digits}")
        phone.until("document.querySelector('#face-5')?.checkVisibility()")
        phone.tap("#face-5")
        phone.until("document.querySelector('#events .die.tap')")
        found += in_each_look(phone)
        phone.tap("#dice .die")
        phone.until("document.querySelector('#correct-faces .note').innerText")
        found += in_each_look(phone)
        phone.tap("#correct-cancel")
        phone.tap("#device-open")
        found += in_each_look(phone)
        phone.tap("#wall")
        phone.tap("#device-close")
        found += in_each_look(phone)
        phone.value("localStorage.clear()")
        phone.open(f"http://{address}/")
        phone.until("document.querySelector('#menu').checkVisibility()")
        phone.tap("#menu")
        phone.until("document.querySelector('#open-setup').checkVisibility()")
        phone.tap("#open-setup")
        phone.until("document.querySelector('.game')")
        found += in_each_look(phone)
        phone.tap("#game-yahtzee")
        phone.tap("details.house summary")
        found += in_each_look(phone)
    assert found == []
