"""What every game shows in a real Chromium: the snapshot and nothing else, on a small phone, for everybody to use."""

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import browser as chromium
import pytest
from browser import PHONE, SCORES, Browser
from oled_games import moments
from page_program import page_of

from tabletop.core.checks import Check
from tabletop.core.message import say
from tabletop.dialogs.setup_state import SetupContext
from tabletop.interpret.press_table import WHOSE_GO
from tabletop.records.deriving import store_results
from tabletop.rules import Match, game_ids
from tabletop.session.snapshotting import THROW_ONE
from tabletop.store import FILE_NAME, Store
from tabletop.views.i18n.catalogue import ENGLISH_PHRASES, load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.snapshot import Snapshot
from tabletop.web.page import Page

pytestmark = pytest.mark.slow

MARKUP = "<img src=x onerror=alert(1)>"
TABLE = Snapshot("Pig", ("Ann", "Ben"), (3, 7), "Ann", THROW_ONE, hold="pause", bank=WHOSE_GO)
PIECES = {"crossings": ".crossed", "beetle": ".drawn", "lives": "i:not(.lost)"}  # as many as the score says
CELLS = "[...document.querySelectorAll('#board [data-cell]')].map(cell => [cell.dataset.cell, cell.dataset.value])"
TEXTS = (
    "[...document.querySelectorAll('#rows tbody td:not(:has(.box))')]"
    ".map(cell => [cell.dataset.value, cell.innerText.replace('\\u00a0\\u00d7', ' x')])"
)
OF_EACH = "[...document.querySelectorAll('#drawing ol.picture > li')].map(line => line.querySelectorAll('{}').length)"
CUT_OFF = (
    "[...document.querySelectorAll('#stage *, .large, .large span')].filter(e => e.checkVisibility() && e.innerText)"
    ".filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth).map(e => e.innerText)"
)
SHOWN = f"""
const done = arguments[0];
const look = () => document.body.dataset.count === "COUNT"
  ? done([document.documentElement.scrollWidth, {CUT_OFF}, {CELLS}, {TEXTS}, {OF_EACH}]) : setTimeout(look, 5);
look();
"""
BEYOND = (
    "[...document.querySelectorAll('body *')].filter(e => e.checkVisibility() && !e.closest('svg, #scroll, .unseen'))"
    ".filter(e => (box => box.width && (box.right > 360.5 || box.left < -.5))(e.getBoundingClientRect()))"
    ".map(e => e.id || e.className || e.tagName)"
)
STILL = "!document.getAnimations().length"
WRITE_MARKUP = "(() => { try { document.body.innerHTML = '<i></i>'; return 'run' } catch { return 'refused' } })()"
LETTERS = (
    "(() => { const at = document.querySelector('SELECTOR').firstChild, range = document.createRange();"
    " return [...at.data].map((_, n) => { range.setStart(at, n); range.setEnd(at, n + 1);"
    " return range.getBoundingClientRect().left; }); })()"
)
TWICE = "--blink-settings=defaultFontSize=32"
LARGE_GAMES = ("balut", "mia", "poker-dice", "roll-your-luck", "one-o-five", "beetle")
LAPTOP = (1280, 800)
LOOKS = [(size, dark) for size in (PHONE, LAPTOP) for dark in (False, True)]
SCRIPT = Path(__file__).resolve().parents[2] / "build" / "others" / "axe_playwright_python" / "axe.min.js"
JOINER = "\u2060"  # stands behind a hyphen at which no line may end
GRAVE = ("serious", "critical")  # of axe's four degrees, the two above "minor" and "moderate"
FIND = """
const done = arguments[0];
axe.run(document, { resultTypes: ["violations"], preload: false }).then((found) => done(found.violations.map((fault) =>
  [fault.impact, `${fault.id}: ${fault.nodes[0].html.slice(0, 160)} ${fault.nodes[0].any[0]?.message ?? ""}`])));
"""
RICHEST = ("stake", "choice", "keep", "throw", "all-throw", "start")  # the first of these that a game has


def show(phone: Browser, page: Page, shown: Snapshot) -> None:
    page.show(shown, None, time.monotonic())
    phone.until(f"document.body.dataset.count === '{page.feed.count}' && {STILL}")


def paired(phone: Browser, page: Page) -> None:
    phone.enter(page.address, page.pairing.digits, "#undo")


def test_what_every_game_shows_is_what_the_snapshot_says_and_fits_a_small_phone(phone: Browser, page: Page) -> None:
    """Each kind of moment: every cell, nothing beside the screen or cut off, and every second one in German, too."""
    paired(phone, page)
    german, wrong, pieces = load_language("de"), set[object](), set[str]()
    for number, game_id in enumerate(game_ids()):
        for turn, (kind, (shown, *_)) in enumerate(moments(game_id).items(), start=number):
            wide, cut, cells, texts, drawn = measured(phone, page, shown)
            if turn % 2:
                german_wide, german_cut = measured(phone, page, translated(shown, german))[:2]
                wide, cut = max(wide, german_wide), cut + german_cut
            if wide != PHONE[0] or cut:
                wrong.add((game_id, kind, wide, str(cut)))
            if shown.menu is not None:
                continue
            assert (game_id, kind, filled(cells)) == (game_id, kind, sheet_of(shown))
            assert all(value == text.replace(JOINER, "") for value, text in texts), (game_id, kind)
            if shown.layout in PIECES and drawn:
                pieces.add(shown.layout)
                assert (game_id, kind, drawn) == (game_id, kind, list(shown.scores))
    assert wrong == set()
    assert pieces == set(PIECES)


def measured(phone: Browser, page: Page, shown: Snapshot) -> Any:  # noqa: ANN401 - values of JSON
    """Show it; return how wide the page is, what is cut off, its cells, their texts, and the pieces of each player."""
    page.show(shown, None, time.monotonic())
    look = SHOWN.replace("COUNT", str(page.feed.count)).replace("{}", PIECES.get(shown.layout, "i"))
    return phone.run(look, waits=True)


def filled(cells: Sequence[tuple[str, str]]) -> dict[str, str]:
    return {cell: value for cell, value in cells if value}


def sheet_of(shown: Snapshot) -> dict[str, str]:
    rows = [(row, at, cell) for row, (_, *cells) in enumerate(shown.sheet) for at, cell in enumerate(cells)]
    return {f"{row},{at}": cell for row, at, cell in rows if cell}


def test_names_with_markup_stay_names(phone: Browser, page: Page) -> None:
    """In scores, request, hint, sheet and log: nothing of it becomes an element, and nothing runs."""
    names = (MARKUP, "<b>Ben</b>")
    texts = {"asked": MARKUP, "hint": MARKUP, "offer": MARKUP, "sheet": ((MARKUP, "1", "2"),), "happened": names}
    page.show(replace(TABLE, players=names, **texts), None, time.monotonic())  # type: ignore[arg-type]
    phone.open(f"http://{page.address}/")
    phone.until("document.querySelector('#events').children.length === 2")
    assert (phone.text("#who"), phone.text("#board .name")) == (MARKUP, MARKUP)
    assert phone.all_of("main img, main b:not(.score)", "id") == []
    assert phone.value(WRITE_MARKUP) == "refused"


def test_names_and_languages_from_right_to_left(phone: Browser, page: Page) -> None:
    """Digits in such a name, and what is said of it, run from left to right; a whole language is laid out so."""
    paired(phone, page)
    show(phone, page, replace(TABLE, players=("דנה 12", "Ben"), asked="דנה 12"))
    name = phone.value(LETTERS.replace("SELECTOR", "#who"))
    assert name[0] > name[1] > name[2] > name[5] > name[4]
    assert phone.value(SCORES) == {"דנה 12": 3, "Ben": 7}
    show(phone, page, replace(TABLE, players=("דנה", "Ben"), hint="דנה: 1 x 5"))
    _, *name, _, first, _, sign, _, last = phone.value(LETTERS.replace("SELECTOR", "#hint"))[:10]
    assert name == sorted(name, reverse=True)
    assert max(name) < first < sign < last
    phrases = replace(ENGLISH_PHRASES, page={**ENGLISH_PHRASES.page, "menu": "תפריט", "undo": "בטל"})
    for words, direction in ((phrases, "rtl"), (ENGLISH_PHRASES, "ltr")):
        show(phone, page, replace(moments("centennial")["end"][0], phrases=words))
        assert phone.value("getComputedStyle(document.body).direction") == direction
        assert phone.value(BEYOND) == []


def test_figures_of_a_name_are_no_number(phone: Browser, page: Page) -> None:
    """A player called 2024 is called so everywhere; a score of as much stands in groups."""
    paired(phone, page)
    show(
        phone, page, replace(TABLE, players=("2024", "Ben"), scores=(12024, 2023), asked="2024", hint="2024 has 12024")
    )
    assert (phone.text("#who"), phone.text("#hint")) == ("2024", "2024 has 12,024")
    assert phone.all_of("#board .name", "innerText") == ["2024", "Ben"]
    assert phone.all_of("#board .score", "innerText") == ["12,024", "2,023"]


def test_a_hint_that_only_tells_what_happened_calls_nobody_to_the_tray(phone: Browser, page: Page) -> None:
    """The tray's button is marked where the table waits for somebody to look there."""
    mark = "getComputedStyle(document.querySelector('#view-tray'), '::after').content !== 'none'"
    paired(phone, page)
    for told in (False, True):
        show(phone, page, replace(TABLE, hint="one die too many", told=told))
        assert phone.value(mark) is not told
        assert phone.text("#hint") == "One die too many"


def test_a_question_alone_stands_in_the_middle_of_the_felt(phone: Browser, page: Page) -> None:
    """Such as the first of Mafia, before any dice lie there."""
    middle = "(box => (box.top + box.bottom) / 2)(document.querySelector('{}').getBoundingClientRect())"
    paired(phone, page)
    for table, apart in ((TABLE, False), (replace(TABLE, thrown=(4,), kept=(False,)), True)):
        show(phone, page, table)
        assert (abs(phone.value(middle.format("#head")) - phone.value(middle.format("#stage"))) > 2) is apart


def test_all_claims_of_a_number_fit_a_phone_held_across(phone: Browser, page: Page) -> None:
    """Six dice to claim below the numbers, none of them cut off."""
    paired(phone, page)
    phone.resize(844, 390, scale=1.0)
    show(phone, page, moments("liars-dice", 3)["claim"][0])
    phone.until_seen("#answers .claims")
    assert len(phone.all_of("#answers .claims .option", "id")) == 6
    assert phone.value("(place => place.scrollHeight - place.clientHeight)(document.querySelector('#answers'))") == 0


@pytest.mark.usefixtures("phone")  # it says whether there is a browser
def test_type_of_twice_the_size_fits_a_phone(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a browser is set by who needs it: in German nothing stands beyond the edge."""
    monkeypatch.setattr(chromium, "ARGUMENTS", [*chromium.ARGUMENTS, TWICE])
    german, beyond = load_language("de"), dict[str, object]()
    with Browser(*PHONE, scale=1.0) as large:
        paired(large, page)
        assert large.value("getComputedStyle(document.documentElement).fontSize") == "32px"
        for game in LARGE_GAMES:
            for kind in ("throw", "keep", "choice", "claim", "end", "menu"):
                if kind in (shown := moments(game)):
                    show(large, page, translated(shown[kind][0], german))
                    beyond[f"{game} {kind}"] = large.value(BEYOND)
        large.tap("#device-open")
        beyond["device"] = large.value(BEYOND)
    assert {place: found for place, found in beyond.items() if found} == {}


@pytest.mark.longest
@pytest.mark.parametrize("begin", [0, *(pytest.param(n, marks=pytest.mark.soak) for n in (1, 2))])
def test_axe_finds_nothing_grave_in_any_game(phone: Browser, page: Page, begin: int) -> None:
    """Every third game in one of the four looks, by turns, each layout of their sheets at its end in two of them."""
    paired(phone, page)
    found, layouts = list[str](), set[str]()
    for number, game_id in enumerate(list(game_ids())[begin::3]):
        shown = moments(game_id)
        kind = next(kind for kind in RICHEST if kind in shown)
        size, dark = LOOKS[number % len(LOOKS)]
        phone.resize(*size, dark=dark, scale=1.0)
        show(phone, page, shown[kind][0])
        found += grave_faults(phone)
        if (layout := shown["end"][0].layout) not in layouts:
            layouts.add(layout)
            show(phone, page, shown["end"][0])
            found += in_each_look(phone, LOOKS[::3])
    assert found == []
    assert len(layouts) > 3


def test_axe_finds_nothing_grave_in_form_history_wall_and_dialogs(phone: Browser, tmp_path: Path) -> None:
    """What is opened on top of the table, and the table on the wall."""
    with page_of(tmp_path, "pig", "--players", "Ann,Ben", "--camera", "none") as (address, digits):
        phone.open(f"http://{address}/")
        phone.until_seen("#join")
        phone.tap("#join")
        found = in_each_look(phone)
        phone.enter(address, digits, "#face-5")
        phone.tap("#face-5")
        phone.until("document.querySelector('#events .die.tap')")
        found += in_each_look(phone)
        phone.tap("#dice .die")
        phone.until("document.querySelector('#correct-faces .note').innerText")
        found += in_each_look(phone)
        phone.tap("#correct-cancel")
        phone.tap("#device-open")
        phone.until_seen("#program-name")
        phone.write("#program-name", "lights")
        phone.tap("#programs [type=submit]")
        phone.until_seen("#program-token")
        found += in_each_look(phone)
        phone.tap("#wall")
        phone.tap("#device-close")
        found += in_each_look(phone)
        phone.value("localStorage.clear()")
        phone.open(f"http://{address}/past/past.html")
        phone.until("document.querySelector('#matches button')")
        phone.tap("#matches button")
        phone.until("document.querySelector('#matches .acts button')")
        found += in_each_look(phone)
        phone.tap("#matches .acts button")
        phone.until_seen("#ask-twice")
        found += in_each_look(phone)
        phone.open(f"http://{address}/")
        phone.until_seen("#device-open")
        phone.tap("#device-open")
        phone.tap("#menu")
        phone.until_seen("#open-setup")
        phone.tap("#open-setup")
        phone.until("document.querySelector('.game')")
        found += in_each_look(phone)
        phone.tap("#game-yahtzee")
        phone.tap(".rules summary")
        found += in_each_look(phone)
    assert found == []


def test_axe_finds_nothing_grave_in_players_and_records(phone: Browser, page: Page, tmp_path: Path) -> None:
    """Of all, and of one."""
    with Store(tmp_path / FILE_NAME) as store:
        match = Match("pig", ["Ann", "Ben"], target=6)
        match.throw([6])
        match.choose("bank")
        number = store.begin("pig", match.seated, match.options, "2026-11-28T18:00:00Z")
        store.append(number, 1, [("2026-11-28T18:00:01Z", event.to_json()) for event in match.log])
        store.end(number, "over")
        store_results(store, number, match)
    paired(phone, page)
    phone.open(f"http://{page.address}/players/players.html")
    phone.until("document.querySelectorAll('#book table').length === 2")
    found = in_each_look(phone)
    phone.tap("#book table a")
    phone.until("document.querySelector('#book .form')")
    assert found + in_each_look(phone) == []


def test_axe_finds_nothing_grave_in_the_settings(phone: Browser, page: Page) -> None:
    """With what was found, and while a part is tested."""
    check = Check(say("display"), say("address"), found=True, right=False, figure="0x3d", instead="screen.address=0x3d")
    page.offer(lambda _: SetupContext(()), lambda: None, lambda: (check,))
    paired(phone, page)
    phone.open(f"http://{page.address}/settings/settings.html")
    phone.until("document.body.dataset.drawn")
    found = in_each_look(phone)
    phone.tap("[data-part=display] .test button")
    phone.until("document.querySelectorAll('[data-part=display] .test button').length === 2")
    assert found + in_each_look(phone) == []


def in_each_look(phone: Browser, looks: Sequence[tuple[tuple[int, int], bool]] = LOOKS) -> list[str]:
    found = []
    for size, dark in looks:
        phone.resize(*size, dark=dark, scale=1.0)
        phone.until(STILL)
        found += grave_faults(phone)
    phone.resize(*PHONE)
    return found


def grave_faults(browser: Browser) -> list[str]:
    """Return what axe calls serious or critical on the page as it stands; animations have to be over."""
    assert SCRIPT.is_file(), "expected axe in build/others: `make others` puts it there"
    if browser.value("typeof axe") == "undefined":
        browser.run(SCRIPT.read_text(encoding="utf-8"))
    return [text for impact, text in browser.run(FIND, waits=True) if impact in GRAVE]
