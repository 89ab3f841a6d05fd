"""Motion in a real Chromium: each tap is seen at once, points fly, moments pass by themselves and cover no action."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from browser import SCORES, Browser
from page_program import page_of

from tabletop.rules import Answer, Choose, Match, Throw
from tabletop.session.manual_entry import ManualEntry
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import MatchDisplay
from tabletop.views.snapshot import MenuView, Snapshot
from tabletop.web.page import Page

pytestmark = pytest.mark.slow

AT_ONCE_MS = 100  # what people feel as at once (Card, Moran and Newell)
BRIEF_MS = 1200  # no moment is shown longer
STILL = "!document.getAnimations().length"
MOVES = "document.body.dataset.alive"
MOMENTS = "[...document.querySelectorAll('.moment')].map(moment => moment.innerText)"
WATCH = """
const isNew = () => !performance.getEntriesByName("changed").length;
const changed = () => requestAnimationFrame(() => { if (isNew()) performance.mark("changed"); });
const all = { subtree: true, childList: true, attributes: true, characterData: true };
new MutationObserver(changed).observe(document.body, all);
document.addEventListener("pointerdown", () => {
  performance.clearMarks();
  performance.mark("tap");
  setTimeout(() => { if (document.getAnimations().length) changed(); });
}, { capture: true });
"""
TOOK = "performance.getEntriesByName('changed')[0]?.startTime - performance.getEntriesByName('tap')[0]?.startTime"
TAPS_PLAYING = ("[data-throw]", "#dice .die", "#keep", "#view-tray", "#view-happened", "#view-happened", "#rows .box")
ROLL, BANK = Choose("roll"), Choose("bank")
TIMING = "document.querySelector('{}').getAnimations()[0].effect.getComputedTiming()"
LONGEST = """
const done = arguments[0], first = new Map(), last = new Map(), began = performance.now();
const look = () => {
  for (const moment of document.querySelectorAll(".moment")) if (Number(getComputedStyle(moment).opacity) > 0) {
    if (!first.has(moment)) first.set(moment, performance.now());
    last.set(moment, performance.now());
  }
  if (performance.now() - began < 4000) requestAnimationFrame(look);
  else done([...first].map(([moment, at]) => last.get(moment) - at));
};
look();
"""
OVER = """
const boxes = [...document.querySelectorAll(".moment")].map((moment) => moment.getBoundingClientRect());
return [...document.querySelectorAll("#bar button, #dice .die")].filter((made) => {
  const { left, right, top, bottom } = made.getBoundingClientRect();
  return boxes.some((box) => box.left < right && box.right > left && box.top < bottom && box.bottom > top);
}).map((made) => made.id);
"""


class Shown:
    """A match whose snapshots a page shows, one after each answer."""

    def __init__(self, page: Page, phone: Browser, game: str, players: str = "Ann Ben", **options: object) -> None:
        self.page, self.phone = page, phone
        self.session = MatchSession(Match(game, players.split(), **options))
        self.display = MatchDisplay(ManualEntry(no_camera=False))
        self.display.begin(self.session)
        self.show()
        phone.enter(page.address, page.pairing.digits, "#undo")
        phone.until(f"{MOVES} && {STILL}")

    def show(self) -> None:
        shown = replace(self.display.show(self.session, None, 0.0), number=1)
        self.page.show(shown, None, time.monotonic())

    def give(self, *answers: Answer) -> None:
        """Give these answers; return once the page has drawn what came of the last."""
        for answer in answers:
            self.session.give(answer)
            self.show()
            self.phone.until(f"document.body.dataset.count === '{self.page.feed.count}'")


@pytest.fixture
def calm(phone: Browser) -> Iterator[Browser]:
    phone.cdp("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]})
    yield phone
    phone.cdp("Emulation.setEmulatedMedia", {"features": []})


def test_every_tap_is_seen_at_once(phone: Browser, tmp_path: Path) -> None:
    """Also before the table has answered: throwing, dice, a box, the tray, what has happened, undo, a menu."""
    with page_of(tmp_path, "yahtzee", "--players", "Ann,Ben", "--seed", "3") as (address, digits):
        phone.enter(address, digits, "[data-throw]")
        phone.until(f"{MOVES} && {STILL}")
        phone.run(WATCH)
        took = {}
        for part in (*TAPS_PLAYING, "#undo", "#list .item"):
            phone.until_seen(f"{part}:not(:disabled)")
            phone.until(STILL)
            phone.tap(part)
            phone.until("performance.getEntriesByName('changed').length")
            took[part] = phone.value(TOOK)
    assert {part: ms for part, ms in took.items() if not 0 <= ms <= AT_ONCE_MS} == {}


def test_simulated_dice_tumble_from_the_tap_until_they_land(phone: Browser, tmp_path: Path) -> None:
    """The button rests meanwhile and says so; all dice of the throw tumble, and afterwards none does."""
    with page_of(tmp_path, "yahtzee", "--players", "Ann,Ben", "--seed", "3") as (address, digits):
        phone.enter(address, digits, "[data-throw]")
        phone.until(f"{MOVES} && {STILL}")
        before = phone.text("#throw")
        phone.tap("#throw")
        assert phone.all_of(".tumbling", "tagName") == ["SPAN"] * 5
        assert phone.sees("#throw:disabled")
        assert phone.text("#throw") != before
        phone.until_seen("#dice .die")
        phone.until(f"!document.querySelector('.tumbling') && {STILL}")
        assert phone.value("document.querySelectorAll('#dice .die').length") == 5


def test_points_fly_and_the_score_ends_as_it_is(phone: Browser, page: Page) -> None:
    """The next name appears once the points have arrived."""
    shown = Shown(page, phone, "pig")
    shown.give(Throw((6,)), ROLL, Throw((5,)))
    phone.until(STILL)
    shown.give(BANK)
    assert phone.all_of(".flying", "innerText") == ["+11"]
    arrive_ms, begins_ms = (
        phone.value(f"{TIMING.format(one)}.{of}") for one, of in ((".flying", "endTime"), (".passes", "delay"))
    )
    assert begins_ms >= arrive_ms
    phone.until(STILL)
    assert (phone.all_of(".flying", "innerText"), phone.value(SCORES)) == ([], {"Ann": 11, "Ben": 0})
    assert phone.all_of("[data-player=Ann] .score", "innerText") == ["11"]


def test_moments_pass_by_themselves_and_let_taps_through(phone: Browser, page: Page) -> None:
    """A bust, then the next name: in the board's place, each below 1.2 s, and gone at once when the match goes on."""
    shown = Shown(page, phone, "pig")
    shown.give(Throw((6,)), ROLL)
    phone.until(STILL)
    shown.give(Throw((1,)))
    assert phone.value(MOMENTS) == ["Bust", "Ben\nto play"]
    assert phone.run(OVER) == []
    assert all(0 < ms <= BRIEF_MS for ms in phone.run(LONGEST, waits=True))
    phone.until(STILL)
    assert phone.value(MOMENTS) == []
    shown.give(Throw((5,)), BANK, Throw((4,)), BANK)
    assert phone.value(MOMENTS)[-1] == "Ben\nto play"
    shown.give(Throw((3,)))
    assert phone.value(MOMENTS) == []


def test_nothing_is_celebrated_at_a_reload_or_an_undo(phone: Browser, page: Page) -> None:
    shown = Shown(page, phone, "pig")
    shown.give(Throw((6,)), ROLL, Throw((1,)))
    phone.open(f"http://{page.address}/")
    phone.until(f"{MOVES} && document.body.dataset.count")
    assert phone.value(MOMENTS) == []
    shown.session.undo(1, 0.0)
    shown.show()
    phone.until(f"document.body.dataset.count === '{page.feed.count}'")
    assert phone.value(f"[{MOMENTS}.length, document.querySelectorAll('.flying, .confetti').length]") == [0, 0]


def test_who_wants_no_motion_reads_the_word_alone(calm: Browser, page: Page) -> None:
    shown = Shown(page, calm, "yahtzee")
    shown.give(Throw((4, 4, 4, 4, 4)))
    assert calm.value(MOMENTS) == ["Yahtzee!"]
    assert calm.value("document.querySelectorAll('.flying, .confetti, .tumbling').length") == 0
    moving = "document.getAnimations().flatMap(one => one.effect.getKeyframes()).filter(frame => frame.transform)"
    assert len(set(calm.value(f"{moving}.map(frame => frame.transform)"))) <= 1


def test_the_end_has_a_podium(phone: Browser, page: Page) -> None:
    """Ties share a step, the best moments are told, and the board is still there; all of it on the first screen."""
    shown = Shown(page, phone, "pig", "Ann Ben Cleo Dan", target=20)
    for face in (6, 4, 4, 5) * 3:
        shown.give(Throw((face,)), BANK)
    shown.give(Throw((6,)), BANK)
    phone.until_seen("#podium")
    phone.until(STILL)
    steps = phone.all_of("#podium .steps li", "innerText")
    assert [step.split("\n") for step in steps] == [["Dan", "15", "2"], ["Ann", "24", "1"], ["Ben", "Cleo", "12", "3"]]
    assert phone.all_of("#podium .moments b", "innerText")[0] == "6"
    assert phone.all_of("#bar button", "id") == ["another", "bank"]
    assert phone.value(SCORES) == {"Ann": 24, "Ben": 12, "Cleo": 12, "Dan": 15}
    assert phone.value("document.documentElement.scrollHeight <= innerHeight")


def test_the_winner_is_celebrated_after_the_last_throw(phone: Browser, page: Page) -> None:
    """It is shown first; then comes the podium, with pips that fly once, and not again when a menu closes."""
    shown = Shown(page, phone, "sevens-out", target=10)
    while not shown.session.match.over:
        shown.give(Throw((3, 4) if shown.session.match.at_stake else (6, 6)))
    assert not phone.sees("#podium")
    shown.display.turn_to_winner()
    shown.show()
    phone.until_seen("#podium")
    assert phone.sees("#podium.fresh")
    assert phone.all_of(".confetti", "tagName")
    phone.until(STILL)
    page.show(Snapshot(menu=MenuView("Menu", ("back",)), number=1), None, time.monotonic())
    phone.until_seen("#podium", gone=True)
    shown.show()
    phone.until_seen("#podium")
    assert phone.all_of(".confetti", "tagName") == []
