"""What befalls a page in a real Chromium: asleep, no network, two who press at once, names in other letters."""

import signal
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from browser import PHONE, Browser
from page_program import page_of, program_of
from taken_commands import taken

from tabletop.core.ports import Press
from tabletop.dialogs.commands import GiveAnswers
from tabletop.rules import Throw
from tabletop.views.snapshot import Asking, MenuView, Snapshot
from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page
from tools.bench.page import page_times_ms

pytestmark = pytest.mark.slow

TABLE = Snapshot("Pig", ("Ann", "Ben"), (3, 7), "Ann", "roll or bank?", 8, hold="roll?", bank="bank")
WHO = "document.querySelector('#who').innerText === '{}'"
AWAY = "document.querySelector('#away').checkVisibility()"
OUTSIDE = (
    "performance.getEntriesByType('resource').map(entry => entry.name)"
    ".filter(name => !name.startsWith(location.origin))"
)
SCORES = (
    "Object.fromEntries([...document.querySelectorAll('#scores li')]"
    ".map(row => [row.querySelector('.name').firstChild.data, row.querySelector('.score').innerText]))"
)
HEAR = """
const toast = document.querySelector("#toast");
globalThis.late = "";
new MutationObserver(() => { late ||= toast.innerText; }).observe(toast, { childList: true });
"""
BESIDE = """
const left = (row, part) => row.querySelector(part).getBoundingClientRect().left;
return [...document.querySelectorAll("#scores li")].every((row) => left(row, ".name") < left(row, ".score"));
"""
HASTE = "const timeout = AbortSignal.timeout.bind(AbortSignal); AbortSignal.timeout = () => timeout(300);"
HISTORY = "[...document.querySelectorAll('#events li')]"
PRESS = "document.querySelector('#bank').click()"
TAB, ENTER = "\ue004", "\ue007"  # W3C WebDriver, 17.4.2
MOMENT = "document.body.dataset.moment"
LETTERS = (
    "(() => { const at = document.querySelector('#who').firstChild, range = document.createRange();"
    " return [...at.data].map((_, n) => { range.setStart(at, n); range.setEnd(at, n + 1);"
    " return range.getBoundingClientRect().left; }); })()"
)


def test_a_page_that_slept_shows_what_is_now(phone: Browser, page: Page) -> None:
    """Frozen while the match goes on: woken up, it shows the newest snapshot and presses answer that."""
    phone.open(f"http://{page.address}/#{page.pairing.digits}")
    phone.until("document.querySelector('#bank').checkVisibility()")
    phone.cdp("Page.setWebLifecycleState", {"state": "frozen"})
    for count in range(50):
        page.show(replace(TABLE, asked="Ben", scores=(count, 7)), None, time.monotonic())
    phone.cdp("Page.setWebLifecycleState", {"state": "active"})
    phone.until(f"{WHO.format('Ben')} && ({SCORES}).Ann === '49'")
    with taken(page.inbox) as wanted:
        phone.tap("#bank")
        phone.until("performance.getEntriesByName(location.origin + '/act').length === 1")
    assert wanted == [Press("bank")]


def test_a_pulled_network_comes_back(phone: Browser, page: Page) -> None:
    """Offline, the page says so and keeps what it showed; online again, it shows what has happened meanwhile."""
    phone.open(f"http://{page.address}/")
    phone.until(WHO.format("Ann"))
    pull(phone)
    phone.until(AWAY)
    page.show(replace(TABLE, asked="Ben"), None, time.monotonic())
    pull(phone, offline=False)
    phone.until(f"{WHO.format('Ben')} && !{AWAY}")


def test_a_throw_tapped_while_the_network_is_pulled_is_not_lost(phone: Browser, tmp_path: Path) -> None:
    """Five faces tapped offline stand there with a word about it, and are the throw once the network is back: once.

    A die set right offline is still asked about, and why is said above that; later the same tap answers it.
    """
    words = ("yahtzee", "--players", "Ann,Ben", "--camera", "none")
    with page_of(tmp_path, *words) as (address, digits):
        phone.open(f"http://{address}/#{digits}")
        phone.until("document.querySelector('#face-5')?.checkVisibility()")
        pull(phone)
        for face in (6, 2, 6, 5, 6):
            phone.tap(f"#face-{face}")
        phone.until("document.querySelector('#answers .tip')?.innerText === 'Sent as soon as the table is back.'")
        assert phone.value("document.querySelectorAll('#answers .entered .die').length") == 5
        assert phone.value(AWAY)
        pull(phone, offline=False)
        phone.until("document.querySelectorAll('#dice .die').length === 5")
        faces = phone.value("[...document.querySelectorAll('#dice .die')].map(die => die.ariaLabel[0])")
        assert sorted(faces) == ["2", "5", "6", "6", "6"]
        assert phone.value(f"{HISTORY}.length") == 1
        phone.run("document.querySelector('#events .die.tap').click()")
        phone.until("document.querySelector('#correct-faces .note').innerText")
        pull(phone)
        phone.tap("#correct-faces button[aria-label='4']")
        phone.until("document.querySelector('#toast').innerText.startsWith('The table is away')")
        assert phone.value("document.querySelector('#correct').open")
        pull(phone, offline=False)
        phone.until(f"!{AWAY}")
        phone.tap("#correct-faces button[aria-label='4']")
        phone.until(f"!document.querySelector('#correct').open && {MOMENT}.endsWith(',2')")


def test_a_throw_waits_for_the_question_that_it_answers(phone: Browser, page: Page, tmp_path: Path) -> None:
    """Started again, the table asks nothing, then what it asked before: it is sent. Asked something else: it is not."""
    asking = Asking((7, 3), "roll", due=(("Ann", 1),))
    shown = replace(TABLE, number=7, asking=asking)
    port = int(page.address.partition(":")[2])
    for other, sent in ((asking, [GiveAnswers((Throw((4,)),))]), (replace(asking, moment=(7, 4)), [])):
        page.show(shown, None, time.monotonic())
        phone.open("about:blank")
        phone.open(f"http://{page.address}/#{page.pairing.digits}")
        phone.until("document.querySelector('#face-4')?.checkVisibility()")
        phone.run(HEAR)
        page.close()
        phone.tap("#face-4")
        phone.until("document.querySelector('#answers .tip')?.innerText.startsWith('Sent as soon')")
        page = Page(listen("local", port), time.monotonic, tmp_path / DEVICES)
        page.show(replace(shown, asking=None), None, time.monotonic())
        phone.until("!document.querySelector('#face-4') && !document.querySelector('#away').checkVisibility()")
        phone.value("late = ''")
        page.show(replace(shown, asking=other), None, time.monotonic())
        phone.until("document.querySelector('#face-4') && document.body.dataset.moment")
        with taken(page.inbox) as wanted:
            phone.until(f"Boolean(late) === {str(not sent).lower()}")
            while len(wanted) < len(sent):
                pass  # on its way
        assert wanted == sent
    page.close()


def test_a_throw_tapped_while_the_table_hangs_counts_once(phone: Browser, tmp_path: Path) -> None:
    """It refuses nothing and answers nothing; that is said. Later it gets the throw twice, and the second is late."""
    words = ("yahtzee", "--players", "Ann,Ben", "--camera", "none")
    with program_of(tmp_path, *words) as (address, digits, table):
        phone.open(f"http://{address}/#{digits}")
        phone.until("document.querySelector('#face-5')?.checkVisibility()")
        phone.run(HASTE)
        table.send_signal(signal.SIGSTOP)
        try:
            for face in (6, 2, 6, 5, 6):
                phone.tap(f"#face-{face}")
            phone.until(f"document.querySelector('#answers .tip')?.innerText.startsWith('Sent as soon') && {AWAY}")
        finally:
            table.send_signal(signal.SIGCONT)
        phone.until(f"document.querySelectorAll('#dice .die').length === 5 && !{AWAY}")
        phone.until(f"{MOMENT}.endsWith(',1')")
        assert phone.value(f"{HISTORY}.length") == 1


def pull(phone: Browser, *, offline: bool = True) -> None:
    network = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    phone.cdp("Network.enable", {})
    phone.cdp("Network.emulateNetworkConditions", {"offline": offline, **network})
    phone.until(f"navigator.onLine !== {str(offline).lower()}")


def test_of_two_who_press_at_once_one_wins(phone: Browser, tmp_path: Path) -> None:
    """Both bank the same points: they are counted once, and who was later reads so."""
    with (
        page_of(tmp_path, "pig", "--players", "Ann,Ben", "--camera", "none") as (address, digits),
        Browser(*PHONE) as other,
    ):
        for browser in (phone, other):
            browser.open(f"http://{address}/#{digits}")
            browser.until("document.querySelector('#face-5')?.checkVisibility()")
        phone.tap("#face-5")
        for browser in (phone, other):
            browser.until("document.querySelector('#stake').checkVisibility()")
            browser.run(HEAR)
        with ThreadPoolExecutor(2) as hands:
            list(hands.map(lambda browser: browser.run(PRESS), (phone, other)))
        for browser in (phone, other):
            browser.until(f"({SCORES}).Ann === '5' && {WHO.format('Ben')}")
        for browser, wishes in ((phone, 2), (other, 1)):  # one of them entered the throw
            browser.until(f"performance.getEntriesByName(location.origin + '/act').length === {wishes}")
        assert phone.value(SCORES) == {"Ann": "5", "Ben": "0"}
        assert sorted([phone.value("late !== ''"), other.value("late !== ''")]) == [False, True]


def test_taps_for_a_throw_that_somebody_else_enters_are_not_dropped_in_silence(phone: Browser, tmp_path: Path) -> None:
    """Both enter the same throw of five: who was slower reads that it is there, who was first reads nothing."""
    with (
        page_of(tmp_path, "yahtzee", "--players", "Ann,Ben", "--camera", "none") as (address, digits),
        Browser(*PHONE) as other,
    ):
        for browser in (phone, other):
            browser.open(f"http://{address}/#{digits}")
            browser.until("document.querySelector('#face-5')?.checkVisibility()")
            browser.run(HEAR)
        for _ in range(3):
            phone.tap("#face-5")
        for _ in range(5):
            other.tap("#face-2")
        for browser in (phone, other):
            browser.until("!document.querySelector('#face-5')")
        phone.until("late !== ''")
        assert other.value("late") == ""


def test_names_from_right_to_left(phone: Browser, page: Page) -> None:
    """Hebrew and Arabic names run from right to left, digits in them from left to right; scores stay beside them."""
    for name in ("דנה", "ليلى", "דנה 12"):
        page.show(replace(TABLE, players=(name, "Ben"), asked=name), None, time.monotonic())
        phone.open(f"http://{page.address}/")
        phone.until(WHO.format(name))
        lefts = phone.value(LETTERS)
        assert lefts[0] > lefts[1] > lefts[2]
        if name.endswith("12"):
            assert lefts[-2] < lefts[-1] < lefts[2]
        assert phone.value(SCORES) == {name: "3", "Ben": "7"}
        assert phone.run(BESIDE)
        assert phone.value("document.documentElement.scrollWidth") == PHONE[0]


def test_what_is_said_of_a_name_from_right_to_left_keeps_its_order(phone: Browser, page: Page) -> None:
    """Figures and signs behind it run from left to right, as behind any other name."""
    for text in ("דנה: 1 x 5", "דנה: 2 3"):
        page.show(replace(TABLE, players=("דנה", "Ben"), asked="Ben", hint=text), None, time.monotonic())
        phone.open(f"http://{page.address}/")
        phone.until("document.querySelector('#hint').checkVisibility()")
        lefts = phone.value(LETTERS.replace("#who", "#hint"))
        name, rest = lefts[1:4], lefts[5:]
        assert name == sorted(name, reverse=True)
        assert rest == sorted(rest)
        assert max(name) < rest[0]
    page.show(Snapshot(menu=MenuView("Which throw?", ("דנה: 2 3",))), None, time.monotonic())
    phone.until("document.querySelector('#list .item')?.checkVisibility()")
    name, rest = (lefts := phone.value(LETTERS.replace("#who", "#list .item")))[1:4], lefts[5:]
    assert max(name) < rest[0]
    assert rest == sorted(rest)


def test_a_pig_with_the_keyboard_alone(phone: Browser, tmp_path: Path) -> None:
    """From the digits to the winner without a pointer, and without a request to anybody but the table."""
    with page_of(tmp_path, "pig", "--players", "Ann,Ben", "--set", "target=8", "--camera", "none") as (address, digits):
        phone.open(f"http://{address}/")
        phone.until("document.querySelector('#join').checkVisibility()")
        for _ in range(8):
            phone.press(TAB)
            if phone.value("document.activeElement.id") == "join":
                break
        phone.press(ENTER)
        phone.until("document.activeElement.id === 'digits'")
        phone.press(digits + ENTER)
        for face in "463":  # Ann 4, Ben 6, Ann 7... and once more
            phone.until("document.querySelector('#face-5')?.checkVisibility()")
            phone.press(face)
            phone.until("document.querySelector('#stake').checkVisibility()")
            phone.press("b")
            phone.until("!document.querySelector('#stake').checkVisibility()")
        assert phone.value(SCORES) == {"Ann": "7", "Ben": "6"}
        phone.until("document.querySelector('#face-5')?.checkVisibility()")
        phone.press("5")
        phone.until("document.querySelector('#stake').checkVisibility()")
        phone.press("b")
        phone.until("document.querySelector('#scores .won')")
        assert phone.text("#scores .won .name") == "Ben"
        assert phone.value(OUTSIDE) == []


@pytest.mark.usefixtures("phone")
def test_every_event_on_disk_is_drawn(tmp_path: Path) -> None:
    """What measures how long that takes finds a later moment for each event; the bar itself is no matter of a test."""
    times_ms = page_times_ms(tmp_path, 6)
    assert len(times_ms) == 6
    assert min(times_ms) > 0.0
