"""The overlay for streaming software in a real Chromium: transparent, nothing moves, nothing cut, no idle work."""

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
from browser import Browser
from numpy.typing import NDArray
from sampled import sampled

from tabletop.dialogs.menu import match_menu
from tabletop.interpret.offers import stop_option
from tabletop.rules import Choose, Match, game_ids, load, names
from tabletop.rules.conformance.trial import random_answer
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import snapshot
from tabletop.views.i18n.catalogue import ENGLISH_PHRASES, load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.snapshot import MenuView, Snapshot
from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page

LAYOUTS, THEMES = ("bar", "corner", "full"), ("dark", "light", "clear")
LOOKS = [*product(LAYOUTS, THEMES)]
STREAM = (1920, 1080)  # of a picture that is streamed
HARD = ("W" * 40, "李小龍" * 10, "مريم" * 6, "🦊" * 20, "Maximilianus", "Jo", "Śćibor", "x", "1234567", "(Owl)")
LONGEST = 60
STOPS = 0.3  # how often somebody stops who could roll on
LEAST_CONTRAST = 4.5  # WCAG 2.2, 1.4.3
START = Snapshot(menu=MenuView("Go on?", ("Continue: Pig", "Pig"), main=True))
IDLE_S, IDLE_SHARE = 5.0, 0.02  # of the time may be spent with tasks of the browser while nothing changes
MOVED = {"transform", "opacity"}  # what a browser moves without another layout
OF_A_KEYFRAME = {"offset", "computedOffset", "easing", "composite"}
TIMES = "\N{MULTIPLICATION SIGN}"
LOOK = (Path(__file__).parents[1] / "support" / "overlay_faults.js").read_text(encoding="utf-8")
STILL = (
    "document.documentElement.dataset.count === '{}' && !document.getAnimations().length"
    " && document.fonts.status === 'loaded'"
)
SHOWN = "document.querySelector('main').checkVisibility()"
COUNTED = """
for (const name of ["requestAnimationFrame", "setTimeout", "setInterval"]) {
  const own = globalThis[name];
  globalThis[name] = (...all) => { globalThis.begun = (globalThis.begun ?? 0) + 1; return own(...all); };
}
"""
TEXTS = """
globalThis.seen = new Set();
const who = document.querySelector("#who"), look = () => who.checkVisibility() && seen.add(who.textContent);
look();
new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
"""
BOXES = (
    "[...document.querySelectorAll('{}')].map(e => e.getBoundingClientRect())"
    ".map(b => [b.left, b.top, b.right, b.bottom])"
)
KEYFRAMES = "document.getAnimations().flatMap(a => a.effect.getKeyframes().flatMap(k => Object.keys(k)))"
COLOURS = """
const colour = (one, name, part) => getComputedStyle(one, part)[name].match(/[\\d.]+/g).map(Number);
const panel = (one) => one.matches("main") ? [colour(one, "backgroundColor", "::before")] : [];
return [...document.querySelectorAll("#game, #who, #ask, #players .name, #players .score, #sheet span")].map((one) => {
  const behind = [], under = one.closest("#players, #sheet") ? () => [] : panel;
  for (let at = one; at; at = at.parentElement) behind.push(colour(at, "backgroundColor"), ...under(at));
  return [one.id || one.className, colour(one, "color"), behind];
});
"""


def match_of(game_id: str, players: tuple[str, ...], language: str = "en") -> Iterator[Snapshot]:
    """Play a random match with these players, or with as many as it takes; yield all that the table shows of it."""
    game, _ = load(game_id)
    seated = players[: min(len(players), game.max_players)]
    session, chance, words = MatchSession(Match(game_id, seated)), Random(game_id), load_language(language)
    while True:
        yield replace(translated(snapshot(session, None), words), number=1)
        if session.match.over:
            return
        stop = stop_option(session.match.request)
        session.give(Choose(stop) if stop and chance.random() < STOPS else random_answer(session.match.request, chance))


@pytest.fixture
def stream(phone: Browser, monkeypatch: pytest.MonkeyPatch) -> Iterator[Browser]:
    """Give the browser the size and the transparent ground of streaming software; players may have longer names."""
    monkeypatch.setattr(names, "LONGEST_NAME", LONGEST)
    phone.resize(*STREAM, scale=1.0)
    phone.cdp("Emulation.setDefaultBackgroundColorOverride", {"color": {"r": 0, "g": 0, "b": 0, "a": 0}})
    yield phone
    phone.cdp("Emulation.setDefaultBackgroundColorOverride", {})


def put(page: Page, shown: Snapshot) -> str:
    page.show(shown, None, time.monotonic())
    return str(page.feed.count)


def open_overlay(stream: Browser, page: Page, layout: str, theme: str) -> None:
    stream.open(f"http://{page.address}/overlay?layout={layout}&theme={theme}")
    stream.until(STILL.format(page.feed.count))


def still(stream: Browser, *, moves: bool = False) -> None:
    wanted = {"name": "prefers-reduced-motion", "value": "no-preference" if moves else "reduce"}
    stream.cdp("Emulation.setEmulatedMedia", {"features": [wanted]})


def plain(text: str) -> str:
    """Return a text without what makes it legible: signs between thousands, capitals, signs of multiplication."""
    return "".join(letter for letter in text.replace(TIMES, "x").casefold() if letter.isalnum())


def differences(seen: dict[str, Any], now: Snapshot, layout: str) -> list[object]:
    """Return what the overlay shows otherwise than the snapshot says."""
    kinds = ["won" if name in now.winners else "asked" if name == now.asked else "" for name in now.players]
    seats = [[name, str(score), kind] for name, score, kind in zip(now.players, now.scores, kinds, strict=True)]
    dice = [[face, kept] for face, kept in zip(now.thrown, now.kept, strict=False)]
    sheet = sorted([*map(plain, row)] for row in now.sheet) if layout == "full" else []
    found = [[name, score.replace(now.phrases.page["thousands"], ""), kind] for name, score, kind in seen["seats"]]
    pairs = [(found, seats), (seen["dice"], dice), (plain(seen["stake"]), plain(now.stake))]
    pairs.append((sorted([*map(plain, row)] for row in seen["sheet"]), sheet))
    return [pair for pair in pairs if pair[0] != pair[1]]


def faults_of(stream: Browser, page: Page, match: list[Snapshot], layout: str, theme: str) -> list[object]:
    """Show a whole match; return what moved, was cut, covered or wrong."""
    put(page, match[0])
    open_overlay(stream, page, layout, theme)
    found: list[object] = []
    for now in match:
        seen = stream.run(LOOK.replace("COUNT", put(page, now)), waits=True)
        found += [*seen["faults"], *differences(seen, now, layout)]
    return found + [f"layout shift: {what}" for what in stream.value("globalThis.shifts")]


@pytest.mark.parametrize("game_id", sampled(game_ids(), 6))
def test_nothing_moves_through_a_match(stream: Browser, page: Page, game_id: str) -> None:
    """Three players with names of any length and script: no layout shift, no cut figure, and what is shown is right."""
    still(stream)
    look = LOOKS[game_ids().index(game_id) % len(LOOKS)]
    assert faults_of(stream, page, [*match_of(game_id, HARD[:3], "de")], *look) == []


@pytest.mark.soak
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("game_id", game_ids())
def test_nothing_moves_with_few_or_many(stream: Browser, page: Page, game_id: str, layout: str) -> None:
    """Every game in every layout, with as few players as it takes and with as many; the theme changes."""
    still(stream)
    game, _ = load(game_id)
    for at, seats in enumerate((game.min_players, len(HARD))):
        theme = THEMES[(sum(map(ord, game_id)) + at) % len(THEMES)]
        assert faults_of(stream, page, [*match_of(game_id, HARD[-seats:])], layout, theme) == [], (seats, theme)


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_motion_takes_no_layout(stream: Browser, page: Page, layout: str) -> None:
    """What moves is moved and faded, ends by itself, shifts nothing, and stays away for those who want none."""
    match = [*match_of("ten-thousand", HARD[:2])]
    for moves in (True, False):
        still(stream, moves=moves)
        put(page, match[0])
        open_overlay(stream, page, layout, "dark")
        animated = set[str]()
        for now in match[:40]:
            stream.run(LOOK.replace("COUNT", put(page, now)), waits=True)
            animated |= {*stream.value(KEYFRAMES)} - OF_A_KEYFRAME
        assert animated == (MOVED if moves else set())
        assert stream.value("globalThis.shifts") == []
        stream.until(STILL.format(page.feed.count))


@pytest.mark.slow
def test_more_than_ten_players_have_places(stream: Browser, page: Page) -> None:
    """Thirteen, which no game of the table seats: in every layout on the picture, nothing cut."""
    players = tuple(f"Player-{seat}" for seat in range(13))
    crowd = Snapshot("Pig", players, tuple(range(-5, 12995, 1000)), players[2], "throw 1 dice", number=1)
    still(stream)
    for layout in LAYOUTS:
        assert faults_of(stream, page, [crowd, replace(crowd, winners=players)], layout, "dark") == []


# Over a film


def picture(stream: Browser) -> NDArray[np.uint8]:
    found = cv2.imdecode(np.frombuffer(stream.screenshot(), np.uint8), cv2.IMREAD_UNCHANGED)
    assert found is not None
    assert found.shape == (STREAM[1], STREAM[0], 4)
    return found.astype(np.uint8)


@pytest.mark.slow
@pytest.mark.parametrize(("layout", "theme"), LOOKS)
def test_the_film_shows_through(stream: Browser, page: Page, layout: str, theme: str) -> None:
    """Alpha is 0 wherever no part is; panels cover their place, and without panels there are letters and dice alone."""
    still(stream)
    match = [*match_of("yahtzee", ("Ann", "Ben", "Cem"))]
    put(page, match[len(match) // 2])
    open_overlay(stream, page, layout, theme)
    alpha = picture(stream)[:, :, 3]
    outside, inside = np.ones_like(alpha, np.bool_), np.zeros_like(alpha, np.bool_)
    parts = "#turn, #throw, #players li, #sheet div" if layout == "full" else "main"
    boxes = stream.value(BOXES.format(parts))
    for left, top, right, bottom in np.array(boxes, int):
        inside[top + 1 : bottom, left + 1 : right] = True
        outside[top - 23 : bottom + 23, left - 23 : right + 23] = False  # with the panel around it, and its shadows
    assert not alpha[outside].any()
    covered = float((alpha[inside] > 0).mean())
    assert 0.02 < covered < 0.5 if theme == "clear" else covered > 0.95


def luminance(colour: NDArray[np.float64]) -> float:
    """Return the relative luminance of WCAG 2.2. colour: red, green and blue, 0 to 255."""
    linear = np.where(colour / 255 <= 0.04045, colour / 255 / 12.92, ((colour / 255 + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


def contrast(colour: list[float], behind: list[list[float]], film: float) -> float:
    """Return the contrast of a text over these layers, the nearest first, and a film of one grey."""
    ground = np.full(3, film)
    for layer in reversed(behind):
        alpha = layer[3] if len(layer) > 3 else 1.0
        ground = alpha * np.array(layer[:3]) + (1 - alpha) * ground
    one, other = sorted((luminance(np.array(colour[:3])), luminance(ground)))
    return (other + 0.05) / (one + 0.05)


@pytest.mark.slow
@pytest.mark.parametrize(("layout", "theme"), LOOKS)
def test_texts_are_legible_over_any_film(stream: Browser, page: Page, layout: str, theme: str) -> None:
    """In the colours of ten players, over white and over black; without panels it is the black outline that counts."""
    still(stream)
    match = [*match_of("chicago", HARD)]
    for now in (match[3], match[-1]):
        put(page, now)
        open_overlay(stream, page, layout, theme)
        found = stream.run(COLOURS)
        outlined = "rgb(0, 0, 0)" in stream.value("getComputedStyle(document.body).textShadow")
        assert outlined == (theme == "clear")
        films = (0.0,) if outlined else (0.0, 255.0)
        poor = {
            (name, film): round(contrast(colour, behind, film), 1)
            for name, colour, behind in found
            for film in films
            if contrast(colour, behind, film) < LEAST_CONTRAST
        }
        assert poor == {}


# While nothing changes, and while the table is away


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_idle_costs_next_to_nothing(stream: Browser, page: Page, layout: str) -> None:
    """No timer, frame or layout while nothing changes; the browser is busy for less than a fiftieth of the time."""
    put(page, [*match_of("chicago", HARD)][-1])
    open_overlay(stream, page, layout, "clear")
    stream.cdp("Performance.enable", {})
    stream.run(COUNTED)

    def measured() -> dict[str, float]:
        return {one["name"]: one["value"] for one in stream.cdp("Performance.getMetrics", {})["metrics"]}

    before = measured()
    stream.run(f"setTimeout(arguments[0], {IDLE_S * 1000})", waits=True)
    after = measured()
    spent = {name: after[name] - before[name] for name in ("TaskDuration", "LayoutCount", "Timestamp")}
    assert stream.value("globalThis.begun") == 1  # the pause of this test
    assert spent["LayoutCount"] == 0
    assert spent["TaskDuration"] < IDLE_SHARE * spent["Timestamp"]


@pytest.mark.slow
def test_a_restart_shows_nothing_wrong(stream: Browser, tmp_path: Path) -> None:
    """While the table is away the match stays, with a notice, and also while a restarted one asks whether to go on."""
    first, second = (replace(now, number=7) for now in [*match_of("pig", ("Ann", "Ben"))][5:7])
    page = Page(listen("local", 0), time.monotonic, tmp_path / DEVICES)
    put(page, first)
    open_overlay(stream, page, "bar", "dark")
    stream.run(TEXTS)
    page.close()
    stream.until("document.querySelector('#notice').checkVisibility()")
    assert stream.text("#notice") == ENGLISH_PHRASES.page["away"]
    assert stream.value(SHOWN)
    page = Page(listen("local", int(page.address.rpartition(":")[2])), time.monotonic, tmp_path / DEVICES)
    put(page, Snapshot())
    put(page, START)
    stream.until("!document.querySelector('#notice').checkVisibility()")
    stream.until(STILL.format(put(page, second)))
    assert {*stream.value("[...seen]")} <= {first.asked, second.asked}
    page.close()


@pytest.mark.slow
def test_menus_keep_the_table(stream: Browser, page: Page) -> None:
    """Over a match the table stays; before one, and after it was left, viewers read that there is none yet."""
    still(stream)
    session = MatchSession(Match("pig", ("Ann", "Ben")))
    put(page, START)
    open_overlay(stream, page, "corner", "dark")
    nobody = ENGLISH_PHRASES.page["nobody"].capitalize()
    assert stream.text("#who") == nobody
    stream.until(STILL.format(put(page, replace(snapshot(session, None), number=3))))
    assert stream.text("#who") == "Ann"
    stream.until(STILL.format(put(page, replace(match_menu(session.match).snapshot, number=3))))
    assert (stream.text("#who"), stream.all_of("#players .name", "textContent")) == ("Ann", ["Ann", "Ben"])
    stream.until(STILL.format(put(page, START)))
    assert (stream.text("#who"), stream.all_of("#players .name", "textContent")) == (nobody, [])


@pytest.mark.slow
@pytest.mark.parametrize("code", ["en", "de"])
def test_an_unknown_look_is_told(stream: Browser, page: Page, code: str) -> None:
    """The bar in the dark theme stands there instead, and the notice names what was not known; markup stays text."""
    words = load_language(code)
    shown = translated(next(match_of("pig", ("Ann", "Ben"), code)), words)
    put(page, shown)
    open_overlay(stream, page, "<b>strip", "$&")
    told = [shown.phrases.page[f"no_{name}"] for name in ("layout", "theme")]
    expected = " ".join(text.replace("{text}", given) for text, given in zip(told, ("<b>strip", "$"), strict=True))
    assert stream.text("#notice") == expected
    assert stream.value("[{...document.documentElement.dataset}].map(of => of.layout + of.theme)") == ["bardark"]
    assert stream.run(LOOK.replace("COUNT", str(page.feed.count)), waits=True)["faults"] == []
    stream.open(f"http://{page.address}/overlay")
    stream.until(STILL.format(page.feed.count))
    assert not stream.sees("#notice")
