"""The page in a real Chromium, held upright: looked at, let in, played with, and what may never run there."""

import time
from dataclasses import replace
from pathlib import Path

import pytest
from browser import PHONE, Browser
from oled_games import moments
from page_program import page_of
from taken_commands import taken

from tabletop.core.ports import Press
from tabletop.rules import game_ids
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.snapshot import Snapshot
from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page

pytestmark = pytest.mark.slow

MARKUP = "<img src=x onerror=alert(1)>"
TABLE = Snapshot("Pig", ("Ann", "Ben"), (3, 7), "Ann", "throw one die", hold="pause", bank="whose go?")
SMALL = (
    "[...document.querySelectorAll('button')].filter(b => b.checkVisibility())"
    ".filter(b => Math.min(b.offsetWidth, b.offsetHeight) < 44).map(b => b.id)"
)
NAMELESS = (
    "[...document.querySelectorAll('button, input, [role=list]')].filter(e => e.checkVisibility())"
    ".filter(e => !(e.innerText || e.ariaLabel || e.labels?.length)).map(e => e.id)"
)
SCORES = (
    "Object.fromEntries([...document.querySelectorAll('#scores li')]"
    ".map(row => [row.querySelector('.name').firstChild.data, row.querySelector('.score').innerText]))"
)
CUT_OFF = (
    "[...document.querySelectorAll('#stage *, .large, .large span')].filter(e => e.checkVisibility() && e.innerText)"
    ".filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth).map(e => e.innerText)"
)
BEYOND = (
    "[document.querySelector('#scroll')].filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.id)"
    ".concat([...document.querySelectorAll('#scores li')].slice(0, 2)"
    ".filter(() => document.querySelector('#answers li'))"
    ".filter(e => e.getBoundingClientRect().bottom > document.querySelector('#bar').getBoundingClientRect().top)"
    ".map(e => e.innerText))"
)
MEASURED = f"""
const done = arguments[0];
const look = () => document.body.dataset.count === "COUNT"
  ? done([document.documentElement.scrollWidth, {CUT_OFF}, {BEYOND}]) : setTimeout(look, 5);
look();
"""
STANDS_OUT = """(() => {
  const colour = (one) => getComputedStyle(one).backgroundColor.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const page = colour(document.body);
  const from = (one) => colour(one).reduce((sum, part, at) => sum + Math.abs(part - page[at]), 0);
  const shown = [...document.querySelectorAll("#bar button")].filter((button) => button.checkVisibility());
  return shown.sort((one, other) => from(other) - from(one))[0].id;
})()"""
UNDER_WORDS = """(() => {
  const toast = document.querySelector("#toast");
  [toast.textContent, toast.hidden] = ["Too fast. Wait a moment.", false];
  toast.showPopover();
  const { left, top, width, height } = toast.getBoundingClientRect();
  const met = document.elementFromPoint(left + width / 2, top + height / 2);
  toast.hidePopover();
  return met.closest("main")?.localName;
})()"""
WRITE_MARKUP = "(() => { try { document.body.innerHTML = '<i></i>'; return 'run' } catch { return 'refused' } })()"


def test_a_turn_of_pig_with_the_buttons_of_the_page(phone: Browser, tmp_path: Path) -> None:
    """Watch, enter wrong digits and then the right ones, throw until points are at stake, bank, and see the score."""
    with page_of(tmp_path, "pig", "--players", "Ann,Ben", "--seed", "3") as (address, digits):
        phone.open(f"http://{address}/")
        phone.until("document.querySelector('#who').innerText === 'Ann'")
        assert phone.text("#ask") == "throw one die"
        assert phone.value("document.querySelector('#bank').checkVisibility()") is False
        phone.tap("#join")
        phone.write("#digits", "0000" if digits != "0000" else "0001")
        phone.tap("#enter")
        phone.until("document.querySelector('#wrong').innerText")
        assert phone.text("#wrong") == "Those are not the digits."
        phone.write("#digits", digits)
        phone.tap("#enter")
        phone.until("document.querySelector('#bank').checkVisibility()")
        while not phone.value("document.querySelector('#stake').checkVisibility()"):
            events = phone.value("document.querySelector('#events').children.length")
            phone.until("document.querySelector('#hint').hidden")  # what is said first would be pressed away with BANK
            assert phone.value(STANDS_OUT) == "throw"
            phone.tap("#throw")
            phone.until(f"document.querySelector('#events').children.length > {events}")
        stake, name = phone.text("#stake").removeprefix("at stake "), phone.text("#who")
        assert phone.value(STANDS_OUT) == "bank"
        phone.tap("#bank")
        name = name.removesuffix(" threw")
        phone.until(f"({SCORES})['{name}'] === '{stake}'")
        assert phone.value("document.documentElement.scrollWidth") == PHONE[0]
        assert phone.value("document.cookie") == ""


def test_every_game_fits_a_small_phone(phone: Browser, page: Page) -> None:
    """At each kind of moment of each game: nothing beside the screen, nothing in the stage cut off, in German too.

    Nor does a sheet have to be moved sideways, and whoever chooses from a list sees scores below it.
    """
    page.show(TABLE, None, time.monotonic())
    phone.open(f"http://{page.address}/#{page.pairing.digits}")
    phone.until("document.querySelector('#bank').checkVisibility()")
    german, wrong = load_language("de"), set()
    for game_id in game_ids():
        for kind, shown in moments(game_id).items():
            for snapshot in (shown[0], translated(shown[0], german)):
                page.show(snapshot, None, time.monotonic())
                wide, *beyond = phone.run(MEASURED.replace("COUNT", str(page.feed.count)), waits=True)
                if wide != PHONE[0] or any(beyond):
                    wrong.add((game_id, kind, wide, str(beyond)))
    assert wrong == set()


def test_names_with_markup_stay_names(phone: Browser, page: Page) -> None:
    """In scores, request, hint, sheet and log: nothing of it becomes an element, and nothing runs."""
    names = (MARKUP, "<b>Ben</b>")
    page.show(
        replace(
            TABLE, players=names, asked=MARKUP, hint=MARKUP, offer=MARKUP, sheet=((MARKUP, "1", "2"),), happened=names
        ),
        None,
        time.monotonic(),
    )
    phone.open(f"http://{page.address}/")
    phone.until("document.querySelector('#events').children.length === 2")
    assert phone.text("#who") == MARKUP
    assert phone.text("#scores .name") == MARKUP
    assert phone.value("document.querySelectorAll('main img, main b:not(.large b)').length") == 0
    assert phone.value(WRITE_MARKUP) == "refused"


def test_the_page_comes_back_when_the_table_does(phone: Browser, page: Page, tmp_path: Path) -> None:
    """It says that the table is away, and goes on by itself when it is there again at the same address."""
    page.show(replace(moments("yahtzee")["end"][0], asked="Ann", winners=()), None, time.monotonic())
    phone.open(f"http://{page.address}/")
    phone.until("document.querySelector('#who').innerText === 'Ann'")
    page.close()
    phone.until("document.querySelector('#away').checkVisibility()")
    assert phone.text("#away") == "The table is away. Trying again."
    phone.value("document.querySelector('#events').scrollIntoView()")
    assert phone.value("document.querySelector('#away').getBoundingClientRect().top >= 0")  # wherever one has scrolled
    port = int(page.address.partition(":")[2])
    again = Page(listen("local", port), time.monotonic, tmp_path / DEVICES)
    again.show(replace(TABLE, asked="Ben"), None, time.monotonic())
    phone.until("document.querySelector('#who').innerText === 'Ben'")
    assert phone.value("document.querySelector('#away').checkVisibility()") is False
    again.close()


def test_everybody_can_use_it(phone: Browser, page: Page) -> None:
    """Buttons are large enough for a thumb and have names, landmarks are there, what changes is spoken, keys press."""
    page.show(replace(TABLE, thrown=(4, 2), kept=(True, False)), None, time.monotonic())
    phone.open(f"http://{page.address}/#{page.pairing.digits}")
    phone.until("document.querySelector('#bank').checkVisibility()")
    assert phone.value(SMALL) == []
    assert phone.value(NAMELESS) == []
    assert phone.value("location.hash") == ""
    assert phone.value(UNDER_WORDS) == "main"  # words that come for a moment catch no tap
    assert phone.value("['header', 'main', 'h1'].every(name => document.querySelectorAll(name).length === 1)")
    assert phone.value("[...document.querySelectorAll('#dice > *')].map(die => die.ariaLabel)") == ["4, set aside", "2"]
    assert phone.text("#live") == "Ann: throw one die."
    page.show(replace(TABLE, hint="one die is missing"), None, time.monotonic())
    phone.until("document.querySelector('#live').innerText === 'one die is missing.'")
    with taken(page.inbox) as wanted:
        phone.write("body", "h")
        phone.until("performance.getEntriesByName(location.origin + '/act').length === 1")
    assert wanted == [Press("hold")]
