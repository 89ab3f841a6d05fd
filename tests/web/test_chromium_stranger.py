"""What a stranger meets in a real Chromium: large type, other directions, answers lost, a table that hangs."""

import re
import signal
import time
from dataclasses import replace
from pathlib import Path
from random import Random

import browser as chromium
import pytest
from browser import PHONE, Browser
from oled_games import moments
from page_program import page_of, program_of

from tabletop.rules import Match, Throw
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import snapshot
from tabletop.views.i18n.catalogue import ENGLISH_PHRASES, load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.snapshot import Snapshot
from tabletop.web.page import Page

pytestmark = pytest.mark.slow

SMALL = (360, 640)
TWICE = "--blink-settings=defaultFontSize=32"
GAMES = ("balut", "mia", "poker-dice", "roll-your-luck", "one-o-five", "beetle")
BEYOND = (
    "[...document.querySelectorAll('body *')].filter(e => e.checkVisibility() && !e.closest('svg, #scroll, .unseen'))"
    ".filter(e => (box => box.width && (box.right > 360.5 || box.left < -.5))(e.getBoundingClientRect()))"
    ".map(e => e.id || e.className || e.tagName)"
)
BROKEN = """
const broken = [];
const shown = "#bar .large, #bar span, #who, #list .item, #game, #small button, #device :is(label, p, a, button)";
for (const holder of document.querySelectorAll(shown)) {
  if (!holder.checkVisibility()) continue;
  for (const text of holder.childNodes) for (const word of text.data?.matchAll(/[^ -]+/g) ?? []) {
    const range = document.createRange();
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) broken.push(word[0]);
  }
}
return broken;
"""
WITHIN = "(box => box.top >= 0 && box.bottom <= innerHeight)(document.querySelector('{}').getBoundingClientRect())"
LEFT = "document.querySelector('{}').getBoundingClientRect().left"
HASTE = "globalThis.usual ??= AbortSignal.timeout.bind(AbortSignal); AbortSignal.timeout = () => usual(300);"
LEISURE = "AbortSignal.timeout = usual;"
AWAY = "document.querySelector('#away').checkVisibility()"
HEAD = "[...document.querySelectorAll('#small button')].filter(e => e.checkVisibility()).map(e => e.innerText)"
TITLE = "document.querySelector('#who').innerText === '{}'"


def show(browser: Browser, page: Page, shown: Snapshot) -> None:
    page.show(shown, None, time.monotonic())
    browser.until(f"document.body.dataset.count === '{page.feed.count}' && !document.getAnimations().length")


@pytest.mark.parametrize("dark", [False, True])
def test_wrong_digits_can_be_read_while_they_are_selected(phone: Browser, page: Page, *, dark: bool) -> None:
    """They are selected so that the next ones replace them: 4.5 to one, as WCAG 2.2 asks for texts (1.4.3)."""
    phone.resize(*PHONE, dark=dark)
    phone.open(f"http://{page.address}/")
    phone.until("document.querySelector('#digits')")
    style = "getComputedStyle(document.querySelector('#digits'), '::selection')"
    found = phone.value(f"(style => [style.color, style.backgroundColor])({style})")
    ink, ground = (luminance(colour) for colour in found)
    phone.resize(*PHONE)
    assert (max(ink, ground) + 0.05) / (min(ink, ground) + 0.05) >= 4.5


def luminance(colour: str) -> float:
    """Return the relative luminance of "rgb(r, g, b)" (WCAG 2.2)."""
    assert "rgba" not in colour
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.usefixtures("phone")  # it says whether there is a browser
def test_type_of_twice_the_size_fits_a_phone(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a browser is set by who needs it: in German nothing stands beyond the edge, and no word is broken."""
    monkeypatch.setattr(chromium, "ARGUMENTS", [*chromium.ARGUMENTS, TWICE])
    german, beyond, broken = load_language("de"), dict[str, object](), dict[str, object]()
    with Browser(*PHONE, scale=1.0) as large:
        large.open(f"http://{page.address}/#{page.pairing.digits}")
        large.until("document.querySelector('#bank').checkVisibility()")
        assert large.value("getComputedStyle(document.documentElement).fontSize") == "32px"
        for game in GAMES:
            for kind in ("throw", "keep", "choice", "claim", "end", "menu"):
                if kind in (shown := moments(game)):
                    show(large, page, translated(shown[kind][0], german))
                    beyond[f"{game} {kind}"] = large.value(BEYOND)
                    broken[f"{game} {kind}"] = large.run(BROKEN)
        simulated = replace(moments("pig")["stake"][0], number=1)
        show(large, page, translated(simulated, german))
        assert large.value("[...document.querySelectorAll('#bar > :not([hidden])')].length") == 3
        beyond["three buttons"], broken["three buttons"] = large.value(BEYOND), large.run(BROKEN)
        large.tap("#device-open")
        beyond["device"], broken["device"] = large.value(BEYOND), large.run(BROKEN)
        with page_of(tmp_path, "pig", "--players", "Ann,Ben", "--language", "de") as (address, digits):
            large.open(f"http://{address}/#{digits}")
            large.until("document.querySelector('#throw').checkVisibility()")
            for other, there in (("check/check.html", "#parts li"), ("arm", "#signs li")):
                large.open(f"http://{address}/{other}")
                large.until(f"document.querySelector('{there}')")
                assert large.value("document.documentElement.lang") == "de"
                beyond[other], broken[other] = large.value(BEYOND), large.run(BROKEN.replace("#game", "h1"))
    assert {place: found for place, found in beyond.items() if found} == {}
    assert {place: found for place, found in broken.items() if found} == {}


def test_long_words_leave_the_name_of_the_game_whole(phone: Browser, page: Page) -> None:
    """Two words that are long only together, and a long one on the button of another game."""
    phrases = replace(
        ENGLISH_PHRASES,
        page={**ENGLISH_PHRASES.page, "undo": "Angre det", "menu": "Valikkoja", "other_game": "Vaihtoehtopelivalinta"},
    )
    phone.resize(*PHONE)
    phone.open(f"http://{page.address}/#{page.pairing.digits}")
    show(phone, page, replace(moments("poker-dice")["end"][0], phrases=phrases))
    assert phone.value("(e => e.scrollHeight <= e.clientHeight + 2)(document.querySelector('#game'))")
    assert phone.value(BEYOND) == []
    assert phone.value("(e => e.scrollWidth <= e.clientWidth)(document.querySelector('#another'))")


def test_long_words_leave_names_whole_where_a_match_is_set_up(phone: Browser, tmp_path: Path) -> None:
    """Of the game and of who plays it, beside buttons with the long words of a language of somebody's own."""
    words = (Path(__file__).parents[2] / "tabletop/views/i18n/words/en.toml").read_text(encoding="utf-8")
    for text, said in (("begins", "aloittaa pelin"), ("Another game", "Vaihtoehtopelivalinta")):
        assert f'"{text}" = "{text}"' in words
        words = words.replace(f'"{text}" = "{text}"', f'"{text}" = "{said}"')
    (tmp_path / "long.toml").write_text(words, encoding="utf-8")
    with page_of(tmp_path, "--camera", "none", "--language", str(tmp_path / "long.toml")) as (address, digits):
        phone.open(f"http://{address}/#{digits}")
        phone.until("document.querySelector('#open-setup').checkVisibility()")
        phone.tap("#open-setup")
        phone.until("document.querySelector('#setup').open && document.querySelector('.game')")
        phone.run("document.querySelector('#game-poker-dice').click()")
        phone.write("#new-name", "Bartholomäus\ue007")
        phone.until("document.querySelector('.seat .name')")
        assert phone.value("(e => e.scrollWidth <= e.clientWidth)(document.querySelector('.seat .name'))")
        assert phone.value("document.querySelector('.chosen h3').offsetHeight") < 40  # one line of 22 px
        assert phone.value(BEYOND) == []


def test_a_language_from_right_to_left_is_laid_out_so(phone: Browser, page: Page) -> None:
    """What comes first stands at the right; figures, tracks and minus signs stay as they are read."""
    phrases = replace(ENGLISH_PHRASES, page={**ENGLISH_PHRASES.page, "menu": "תפריט", "undo": "בטל"})
    phone.open(f"http://{page.address}/#{page.pairing.digits}")
    shown = moments("centennial")["end"][0]
    show(phone, page, replace(shown, phrases=phrases, scores=(-2, *shown.scores[1:])))
    assert phone.value("getComputedStyle(document.body).direction") == "rtl"
    for first, second in (("#game", "#menu"), ("#another", "#bank"), ("#scores .name", "#scores .score")):
        assert phone.value(f"{LEFT.format(first)} > {LEFT.format(second)}")
    row = "document.querySelector('#drawing .strip')"
    assert phone.value(f"[...{row}.children].every((e, n, all) => !n || e.offsetLeft > all[n - 1].offsetLeft)")
    assert phone.value(
        "(text => { const at = n => { const range = document.createRange(); range.setStart(text, n);"
        " range.setEnd(text, n + 1); return range.getBoundingClientRect().left; }; return at(0) < at(1); })"
        "(document.querySelector('#scores .score').firstChild)"
    )
    assert phone.value(BEYOND) == []
    show(phone, page, shown)
    assert phone.value("getComputedStyle(document.body).direction") == "ltr"


def test_every_die_is_as_large_as_a_finger(phone: Browser, page: Page) -> None:
    """Six in a row, and those of the throw before while faces are entered: 44 px (WCAG 2.2, 2.5.5)."""
    phone.open(f"http://{page.address}/#{page.pairing.digits}")
    for kind in ("keep", "between"):
        show(phone, page, moments("ten-thousand")[kind][0])
        phone.value("document.querySelector('#dice').classList.add('again')" if kind == "between" else "0")
        sizes = phone.value("[...document.querySelectorAll('#dice .die')].map(die => die.offsetWidth)")
        assert min(sizes) >= 44


def test_who_sets_an_old_die_right_sees_question_and_way_back(phone: Browser, page: Page) -> None:
    """After forty throws of a game in which each loses what follows: the notes scroll, the rest stays on the screen."""
    session, chance = lost_game(), Random(5)
    while len(session.match.events) < 40:
        dice = session.match.request.dice
        assert isinstance(dice, int)
        session.give(Throw(tuple(chance.randint(1, 6) for _ in range(dice))))
    phone.resize(*SMALL)
    phone.open(f"http://{page.address}/#{page.pairing.digits}")
    show(phone, page, translated(snapshot(session, None), load_language("de")))
    phone.run("document.querySelector('#all').click()")
    phone.until("document.querySelector('#all').getAttribute('aria-expanded') === 'true'")
    phone.run("document.querySelector('#events li:last-child .die.tap').click()")
    phone.until("document.querySelector('#correct-faces .note')?.innerText")
    assert "und " in phone.text("#correct-faces")  # and more that are lost
    assert phone.value(f"{WITHIN.format('#correct-title')} && {WITHIN.format('#correct-cancel')}")
    assert phone.value(
        "Math.max(...[...document.querySelectorAll('#correct-faces li')].map(e => e.offsetHeight)) < 200"
    )
    phone.resize(*PHONE)


def lost_game() -> MatchSession:
    match = Match("one-o-five", ["Bartholomäus", "Jo", "Élodie"])
    return MatchSession(match)


def test_who_was_sent_away_is_not_left_in_the_form(phone: Browser, tmp_path: Path) -> None:
    """A tap that is refused there closes the form, and what lets this device in again stands where buttons stood."""
    with page_of(tmp_path, "--camera", "none") as (address, digits):
        phone.open(f"http://{address}/#{digits}")
        phone.until("document.querySelector('#open-setup').checkVisibility()")
        phone.tap("#open-setup")
        phone.until("document.querySelector('#setup').open && document.querySelector('.game')")
        phone.cdp("Network.clearBrowserCookies", {})
        phone.tap("#game-pig")
        phone.write("#new-name", "Ann")
        phone.tap("#setup-start")
        phone.until("!document.querySelector('#setup').open && document.querySelector('#join').checkVisibility()")


def test_a_form_that_a_table_does_not_send_is_told(phone: Browser, tmp_path: Path) -> None:
    """It hangs before the form came for the first time, and again later: each time that is said; then it opens."""
    with program_of(tmp_path, "--camera", "none") as (address, digits, table):
        phone.open(f"http://{address}/#{digits}")
        phone.until("document.querySelector('#open-setup').checkVisibility()")
        for _ in range(2):
            phone.run(HASTE)
            table.send_signal(signal.SIGSTOP)
            try:
                phone.tap("#open-setup")
                phone.until(AWAY)
            finally:
                table.send_signal(signal.SIGCONT)
            phone.until(f"!{AWAY}")
            phone.run(LEISURE)
            assert not phone.value("document.querySelector('#setup').open")
            phone.tap("#open-setup")
            phone.until("document.querySelector('#setup').open && document.querySelector('.game')")
            phone.tap("#close-setup")
