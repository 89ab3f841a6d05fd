"""Looking and mending in a real Chromium: the tray, a die set right in two taps, what has happened, two devices."""

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from browser import PHONE, Browser
from page_program import page_of
from taken_commands import taken

from tabletop.core.ports import Frame
from tabletop.core.values import Die, Reading, Unsure, UnsureReason
from tabletop.dialogs.commands import SetFace
from tabletop.views.snapshot import Snapshot
from tabletop.web.page import Page

pytestmark = pytest.mark.slow

DICE = (Die(3, 200.0, 100.0, 40.0, 0.0, "red", 0.9), Die(5, 300.0, 150.0, 40.0, 20.0, "red", 0.9))
TABLE = Snapshot(
    "Pig",
    ("Ann", "Ben"),
    (3, 7),
    "Ann",
    "roll or bank?",
    8,
    thrown=(3, 5),
    kept=(True, False),
    hold="roll?",
    bank="bank",
    reading=Reading(1.0, 400, 200, DICE),
)
SHOWN = "[...document.querySelectorAll('#outlines .mark')].map(mark => [mark.classList[1], mark.textContent]).sort()"
PIXEL = "[...document.querySelector('#picture').getContext('2d').getImageData(200, 20, 1, 1).data].slice(0, 3)"
PLAY_ON = (
    "(document.querySelector('#answers .option') ?? document.querySelector('#throw')).click()"  # whichever is shown
)
FACES = "[...document.querySelectorAll('#dice .die')].map(die => parseInt(die.ariaLabel))"


def frame(grey: int) -> Frame:
    return Frame(np.full((200, 400, 3), grey, np.uint8), time.monotonic())


def throw(phone: Browser) -> None:
    before = phone.value("document.body.dataset.count")
    phone.tap("#throw")
    phone.until(f"document.body.dataset.count > {before} && document.querySelector('#dice .die')")


def center(phone: Browser, selector: str) -> None:
    phone.value(f"document.querySelector('{selector}').scrollIntoView({{block: 'center'}})")


def test_the_tray_is_seen_while_it_is_on_the_screen(phone: Browser, page: Page) -> None:
    """The picture with its outlines; once the phone is put away, and when it is scrolled out, nothing is made."""
    page.show(TABLE, frame(90), time.monotonic())
    phone.open(f"http://{page.address}/")
    phone.until("document.querySelector('#tray').checkVisibility()")
    center(phone, "#tray")
    phone.until("document.querySelectorAll('#outlines .mark').length === 2")
    assert phone.value(SHOWN) == [["kept", "3"], ["sure", "5"]]
    assert phone.value(PIXEL) == pytest.approx([90] * 3, abs=4)
    page.show(replace(TABLE, kept=(False, False)), frame(200), time.monotonic())
    phone.until("document.querySelectorAll('#outlines .sure').length === 2")
    assert phone.value(PIXEL) == pytest.approx([200] * 3, abs=4)
    phone.value("document.body.style.paddingTop = '3000px'")
    phone.value("window.scrollTo(0, 0)")
    phone.until("document.querySelector('#tray').getBoundingClientRect().top > innerHeight")
    phone.until("document.body.dataset.looks === 'no'")
    made = page.tray.encodings
    page.show(TABLE, frame(10), time.monotonic())
    with Browser(*PHONE) as other:
        other.open(f"http://{page.address}/")
        other.until("document.body.dataset.tray")
        assert page.tray.encodings == made + 1  # of the other one alone
        assert phone.value("document.querySelectorAll('#outlines .sure').length") == 2


def test_a_die_that_cannot_be_read_is_told_in_two_taps(phone: Browser, page: Page) -> None:
    """The die on the picture, then its face: the likeliest come first, and it may be no die at all."""
    unsure = Unsure(100.0, 60.0, 40.0, UnsureReason.TWO_FACES, faces=(2, 6))
    page.show(replace(TABLE, reading=Reading(1.0, 400, 200, DICE, (unsure,))), frame(90), time.monotonic())
    phone.open(f"http://{page.address}/#{page.pairing.digits}")
    phone.until("document.querySelector('#outlines .unsure.tap')")
    center(phone, "#tray")
    phone.tap("#outlines .unsure .reach")
    phone.until("document.querySelector('#correct').open")
    offered = phone.value("[...document.querySelectorAll('#correct-faces button')].map(face => face.ariaLabel)")
    assert offered == ["2", "6", "1", "3", "4", "5", "no dice"]
    assert phone.value("document.querySelectorAll('#correct-faces .guess').length") == 2
    with taken(page.inbox) as wanted:
        phone.tap("#correct-faces li:nth-child(2) button")
        phone.until("!document.querySelector('#correct').open")
        while not wanted:
            pass  # on its way
    assert wanted == [SetFace(100, 60, 6)]


def test_a_die_is_set_right_in_two_taps(phone: Browser, tmp_path: Path) -> None:
    """The die, then its face: among the dice shown, and on the tray; the reader's second guess comes first."""
    with page_of(tmp_path, "pig", "--players", "Ann,Ben", "--seed", "3") as (address, digits):
        phone.open(f"http://{address}/{digits}")
        phone.until("document.querySelector('#throw').checkVisibility()")
        assert phone.value("location.pathname") == "/"
        throw(phone)
        (face,) = phone.value(FACES)
        phone.tap("#dice .die")
        first = int(phone.value("document.querySelector('#correct-faces button').ariaLabel"))
        assert phone.value("document.querySelector('#correct-faces button').className") == "guess"
        assert phone.value("[...document.querySelectorAll('#correct-faces button')].length") == 5
        phone.until("document.querySelector('#correct-faces .note').innerText")
        wanted = f"at stake {first}" if first > 1 else "at stake 0"
        assert phone.text("#correct-faces .note").startswith(wanted)
        phone.tap("#correct-faces button")
        phone.until(f"{FACES}.join() === '{first}'")
        assert phone.value("document.querySelector('#correct').open") is False
        assert first != face


def test_what_has_happened_can_be_mended(phone: Browser, tmp_path: Path) -> None:
    """Short at first, whole on demand, each throw with its faces; an old one is corrected there."""
    with page_of(tmp_path, "yahtzee", "--players", "Ann,Ben", "--seed", "5") as (address, digits):
        phone.open(f"http://{address}/{digits}")
        phone.until("document.querySelector('#throw').checkVisibility()")
        while not phone.value("document.querySelector('#all').checkVisibility()"):
            before = phone.value("document.body.dataset.count")
            phone.value(PLAY_ON)
            phone.until(f"document.body.dataset.count > {before}")
        short = phone.value("document.querySelectorAll('#events li').length")
        center(phone, "#all")
        phone.tap("#all")
        phone.until(f"document.querySelectorAll('#events li').length > {short}")
        last = "#events li.throw:last-child .die"
        center(phone, last)
        faces = "[...document.querySelectorAll('#events li.throw:last-child .die')].map(die => die.ariaLabel.slice(-1))"
        other = next(face for face in "654321" if face not in phone.value(faces))
        phone.tap(last)
        phone.tap(f"#correct-faces button[aria-label='{other}']")
        phone.until(f"{faces}.includes('{other}')")
        assert phone.value(f"document.activeElement === document.querySelector('{last}')")  # the keyboard goes on there
        assert phone.value("document.documentElement.scrollWidth") == PHONE[0]


def test_a_device_makes_no_sound_unasked(phone: Browser, page: Page) -> None:
    """Sounds, reading aloud and wall mode are off until somebody switches them on, for this device alone."""
    page.show(TABLE, None, time.monotonic())
    phone.open(f"http://{page.address}/")
    phone.until("document.querySelector('#who').innerText === 'Ann'")
    switches = "['sounds', 'speech', 'wall'].map(name => document.querySelector(`#${name}`).checked)"
    assert phone.value(switches) == [False] * 3
    phone.tap("#device-open")
    phone.tap("#sounds")
    phone.tap("#wall")
    phone.tap("#device-close")
    phone.until("document.body.dataset.awake")
    assert phone.value("document.querySelector('#bar').checkVisibility()") is False
    phone.open(f"http://{page.address}/")
    phone.until(f"{switches}.join() === 'true,false,true'")
    with Browser(*PHONE) as other:
        other.open(f"http://{page.address}/")
        other.until("document.querySelector('#who').innerText === 'Ann'")
        assert other.value(switches) == [False] * 3
    phone.value("localStorage.clear()")


def test_after_a_correction_only_what_is_new_is_said(phone: Browser, tmp_path: Path) -> None:
    """The request was said already; what is said then is what is at stake, and that it was corrected."""
    with page_of(tmp_path, "pig", "--players", "Ann,Ben", "--seed", "3") as (address, digits):
        phone.open(f"http://{address}/{digits}")
        phone.until("document.querySelector('#throw').checkVisibility()")
        throw(phone)
        phone.until("document.querySelector('#live').innerText.startsWith('Ann: roll or bank?')")
        phone.tap("#dice .die")
        phone.tap("#correct-faces button[aria-label='6']")
        phone.until("document.querySelector('#live').innerText.startsWith('6. at stake 6.')")
        assert "Ann" not in phone.text("#live")
