"""A page in a real Chromium that sleeps, loses its network or its table, is late, or is not looked at."""

import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from browser import HEAR, PHONE, SCORES, Browser
from english import english
from page_program import program_of
from taken_commands import taken

from tabletop.core.ports import Frame, Press
from tabletop.core.values import Die, Reading
from tabletop.dialogs.commands import STALE, GiveAnswers
from tabletop.interpret.press_table import REALLY_ROLL
from tabletop.rules import Throw
from tabletop.session.snapshotting import ROLL_OR_BANK
from tabletop.views.i18n.catalogue import ENGLISH_PHRASES
from tabletop.views.snapshot import Asking, Snapshot
from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page

pytestmark = pytest.mark.slow

TABLE = Snapshot("Pig", ("Ann", "Ben"), (3, 7), "Ann", ROLL_OR_BANK, 8, hold=REALLY_ROLL, bank="bank")
WHO = "document.querySelector('#who').innerText === '{}'"
AWAY = "document.querySelector('#away').checkVisibility()"
MOMENT = "document.body.dataset.moment"
WAITS = f"document.querySelector('#answers .tip')?.innerText.startsWith('Sent as soon as') && {AWAY}"
HASTE = "const timeout = AbortSignal.timeout.bind(AbortSignal); AbortSignal.timeout = () => timeout(300);"
NO_LOCK = "Object.defineProperty(navigator, 'wakeLock', { value: undefined, configurable: true })"
NO_FILM = "HTMLVideoElement.prototype.play = () => Promise.reject(new Error('refused'))"
PLAYED = "[...document.querySelectorAll('body > video')].some(film => !film.paused && film.checkVisibility())"
DEAF = (
    "window.EventSource = class extends EventTarget {"
    " static made = 0; constructor() { super(); window.EventSource.made += 1; } close() {} }"
)
YAHTZEE = ("yahtzee", "--players", "Ann,Ben", "--camera", "none")


def pull(phone: Browser, *, offline: bool = True) -> None:
    network = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    phone.cdp("Network.enable", {})
    phone.cdp("Network.emulateNetworkConditions", {"offline": offline, **network})
    phone.until(f"navigator.onLine !== {str(offline).lower()}")


@pytest.mark.usefixtures("phone")  # it says whether there is a browser
def test_a_page_that_slept_shows_what_is_now(page: Page) -> None:
    """Frozen while the match goes on: woken up, it shows the newest snapshot and presses answer that."""
    with Browser(*PHONE) as phone:  # one that was frozen draws no further page
        phone.enter(page.address, page.pairing.digits, "#bank")
        phone.cdp("Page.setWebLifecycleState", {"state": "frozen"})
        for count in range(50):
            page.show(replace(TABLE, asked="Ben", scores=(count, 7)), None, time.monotonic())
        phone.cdp("Page.setWebLifecycleState", {"state": "active"})
        phone.until(f"{WHO.format('Ben')} && ({SCORES}).Ann === 49")
        with taken(page.inbox) as wanted:
            phone.tap("#bank")
            phone.until("performance.getEntriesByName(location.origin + '/api/v1/command').length === 1")
        assert wanted == [Press("bank")]


@pytest.mark.parametrize("trouble", ["no network", "a table that hangs"])
def test_a_throw_tapped_while_the_table_is_away_counts_once(phone: Browser, tmp_path: Path, trouble: str) -> None:
    """Five faces, or a die set right, stand there with a word about it and count once, however late the answer."""
    with program_of(tmp_path, *YAHTZEE) as (address, digits, table):

        def cut(*, off: bool) -> None:
            if trouble == "no network":
                pull(phone, offline=off)
            else:
                table.send_signal(signal.SIGSTOP if off else signal.SIGCONT)

        phone.enter(address, digits, "#face-5")
        phone.run(HASTE)
        away_while(cut, lambda: enter(phone))
        phone.until(f"document.querySelectorAll('#dice .die').length === 5 && !{AWAY} && {MOMENT}.endsWith(',1')")
        assert sorted(face[0] for face in phone.all_of("#dice .die", "ariaLabel")) == ["2", "5", "6", "6", "6"]
        assert len(phone.all_of("#events li", "id")) == 1
        if trouble == "no network":
            phone.tap("#view-happened")
            phone.tap("#events .die.tap")
            phone.until("document.querySelector('#correct-faces .note').innerText")
            away_while(cut, lambda: set_right(phone))
            phone.until(f"!{AWAY}")
            phone.tap("#correct-faces button[aria-label='4']")
            phone.until(f"!document.querySelector('#correct').open && {MOMENT}.endsWith(',2')")


def away_while(cut: Callable[..., None], do: Callable[[], None]) -> None:
    cut(off=True)
    try:
        do()
    finally:
        cut(off=False)


def enter(phone: Browser) -> None:
    for face in (6, 2, 6, 5, 6):
        phone.tap(f"#face-{face}")
    phone.until(WAITS)
    assert len(phone.all_of("#answers .entered .die", "id")) == 5


def set_right(phone: Browser) -> None:
    phone.tap("#correct-faces button[aria-label='4']")
    phone.until(f"document.querySelector('#toast').innerText === '{english(ENGLISH_PHRASES.page['away'])}'")
    assert phone.value("document.querySelector('#correct').open")


def test_a_throw_waits_for_the_question_that_it_answers(phone: Browser, page: Page, tmp_path: Path) -> None:
    """Started again, the table asks nothing, then what it asked before: it is sent. Asked something else: it is not."""
    asking = Asking((7, 3), "roll", due=(("Ann", 1),))
    shown = replace(TABLE, number=7, asking=asking)
    port = int(page.address.partition(":")[2])
    for other, sent in ((asking, [GiveAnswers((Throw((4,)),))]), (replace(asking, moment=(7, 4)), [])):
        page.show(shown, None, time.monotonic())
        phone.open("about:blank")
        phone.enter(page.address, page.pairing.digits, "#face-4")
        phone.run(HEAR)
        page.close()
        phone.tap("#face-4")
        phone.until(WAITS)
        page = Page(listen("local", port), time.monotonic, tmp_path / DEVICES)
        page.show(replace(shown, asking=None), None, time.monotonic())
        phone.until(f"!document.querySelector('#face-4') && !{AWAY}")
        phone.value("heard = ''")
        page.show(replace(shown, asking=other), None, time.monotonic())
        phone.until_seen("#face-4")
        with taken(page.inbox) as wanted:
            phone.until(f"Boolean(heard) === {str(not sent).lower()}")
            while len(wanted) < len(sent):
                pass  # on its way
        assert wanted == sent
    page.close()


def test_a_phone_that_wakes_opens_its_stream_at_once(phone: Browser, page: Page) -> None:
    """Whether or not the old one says that it is dead; one that does not begin is opened again."""
    for waking in ("document.dispatchEvent(new Event('visibilitychange'))", "dispatchEvent(new Event('online'))"):
        phone.open(f"http://{page.address}/")
        phone.until(WHO.format("Ann"))
        phone.run(DEAF)
        phone.run(waking)
        assert phone.value("window.EventSource.made") >= 1
    made = phone.value("window.EventSource.made")
    phone.until(f"window.EventSource.made > {made}")


def test_a_late_press_is_told_and_fetches_the_state(phone: Browser, page: Page) -> None:
    """A stream that has died in silence shows what is asked no longer: the 409 opens a new one."""
    phone.enter(page.address, page.pairing.digits, "#bank")
    phone.run(DEAF + ";" + HEAR)
    phone.run("document.querySelector('#bank').click()")
    while not (commands := page.inbox.take()):
        pass  # on its way
    commands[0].result.set_result(STALE)  # and no stream says so
    phone.until("window.EventSource.made === 1 && heard !== ''")


def test_a_device_does_nothing_unasked(phone: Browser, page: Page) -> None:
    """Sounds, reading aloud and wall mode are off until somebody switches them on, and stay on from then."""
    phone.open(f"http://{page.address}/")
    phone.until(WHO.format("Ann"))
    switches = "['sounds', 'speech', 'wall'].map(name => document.querySelector(`#${name}`).checked).join()"
    assert phone.value(switches) == "false,false,false"
    phone.tap("#device-open")
    phone.tap("#sounds")
    phone.tap("#wall")
    phone.tap("#device-close")
    phone.until("document.body.dataset.awake")
    phone.open(f"http://{page.address}/")
    phone.until(f"{switches} === 'true,false,true'")


def test_a_film_inside_the_page_keeps_the_screen_on(phone: Browser, page: Page) -> None:
    """Where there is no lock; it goes when wall mode ends. Where it may not play either, the page says so."""
    note = "document.querySelector('#wall-note').textContent"
    phone.open(f"http://{page.address}/")
    phone.until(WHO.format("Ann"))
    phone.run(NO_LOCK)
    phone.run("document.querySelector('#wall').click()")
    phone.until(f"document.body.dataset.awake === 'film' && {PLAYED}")
    promised = phone.value(note)
    phone.run("document.querySelector('#wall').click()")
    phone.until("!document.querySelector('video') && !document.body.dataset.awake")
    phone.run(NO_FILM)
    phone.run("document.querySelector('#wall').click()")
    phone.until(f"{note}.length")
    assert phone.value(note) != promised


def test_the_tray_is_seen_while_it_is_on_the_screen(phone: Browser, page: Page) -> None:
    """The picture with its outlines; once the board stands there again, nothing is made."""
    dice = (Die(3, 200.0, 100.0, 40.0, 0.0, "red", 0.9), Die(5, 300.0, 150.0, 40.0, 20.0, "red", 0.9))
    shown = replace(TABLE, thrown=(3, 5), kept=(True, False), reading=Reading(1.0, 400, 200, dice))
    page.show(shown, frame(90), time.monotonic())
    phone.open(f"http://{page.address}/")
    phone.until_seen("#who")
    phone.tap("#view-tray")
    phone.until("document.querySelectorAll('#outlines .mark').length === 2")
    marks = (
        "[...document.querySelectorAll('#outlines .mark')].map(mark => [mark.classList[1], mark.textContent]).sort()"
    )
    assert phone.value(marks) == [["kept", "3"], ["sure", "5"]]
    pixel = "[...document.querySelector('#picture').getContext('2d').getImageData(200, 20, 1, 1).data].slice(0, 3)"
    assert phone.value(pixel) == pytest.approx([90] * 3, abs=4)
    phone.tap("#view-tray")
    phone.until("document.body.dataset.looks === 'no'")
    made = page.tray.encodings
    page.show(replace(shown, kept=(False, False)), frame(10), time.monotonic())
    with Browser(*PHONE) as other:
        other.open(f"http://{page.address}/")
        other.until_seen("#who")
        other.tap("#view-tray")
        other.until("document.body.dataset.tray")
        assert page.tray.encodings == made + 1  # of the other one alone
        assert phone.value(marks) == [["kept", "3"], ["sure", "5"]]


def frame(grey: int) -> Frame:
    return Frame(np.full((200, 400, 3), grey, np.uint8), time.monotonic())
