"""The pictures of score sheets in a real Chromium: what they draw is what the snapshot says, of every game."""

import time
from dataclasses import replace

import pytest
from browser import PHONE, Browser
from oled_games import moments

from tabletop.rules import game_ids
from tabletop.views.snapshot import Asking, Snapshot
from tabletop.web.page import Page

pytestmark = pytest.mark.slow

CELLS = (
    "Object.fromEntries([...document.querySelectorAll('#sheet [data-cell]')]"
    ".map(cell => [cell.dataset.cell, cell.dataset.value]))"
)
LAPTOP, WALL = (1280, 800), (1920, 1080)
COLUMNS = "[...document.querySelectorAll('#rows thead th')].map(name => name.getBoundingClientRect().width)"
CUT = (
    "[...document.querySelectorAll('#rows thead span')]"
    ".filter(name => name.scrollWidth > name.clientWidth + 1 || name.scrollHeight > name.clientHeight + 1)"
    ".map(name => name.innerText)"
)
LINES = (
    "[...document.querySelectorAll('#rows .figures')]"
    ".map(box => [box.children.length, new Set([...box.children].map(figure => figure.offsetTop)).size].join())"
)
LOWEST = "Math.max(...[...document.querySelectorAll('#scores li')].map(score => score.getBoundingClientRect().bottom))"
MOST_PIECES = 12  # drawn one by one; of more, one stands beside a bar
COUNTS = {"crossings": ".crossed", "beetle": ".drawn", "lives": "i:not(.lost)", "counters": ".pieces i"}
OF_EACH = "[...document.querySelectorAll('#drawing ol.picture > li')].map(line => line.querySelectorAll('{}').length)"
COURSE = "[...document.querySelectorAll('.course g')].map(line => line.dataset.score)"
TEXTS = (
    "[...document.querySelectorAll('#rows tbody td:not(:has(.box))')].map(cell => [cell.dataset.value, cell.innerText])"
)
SEEN = """(() => {
  const place = (one) => document.querySelector(one).getBoundingClientRect();
  const [list, here] = ["#answers .boxes", "#answers .here"].map(place);
  return here.top >= list.top - 1 && here.bottom <= list.bottom + 1;
})()"""
ARRANGED = """
globalThis.painted = [];
const place = document.querySelector("#scroll"), rows = document.querySelector("#rows");
const wide = document.documentElement;
const fits = () => place.scrollWidth <= place.clientWidth + 1;
const look = () => place.checkVisibility() && painted.push([wide.clientWidth, rows.className, fits()]);
new ResizeObserver(look).observe(document.querySelector("#sheet-title")); // runs last before a frame is painted
new MutationObserver(look).observe(document.body, { attributeFilter: ["data-count"] });
"""
FACES_END = "Math.max(...[...document.querySelectorAll('.key')].map(key => key.getBoundingClientRect().bottom))"
SIX = ("Annalena", "Benjamin", "Caroline", "Dominic", "Eleanor", "Florence")  # for these a laptop's columns have room
TABLE = Snapshot("Pig", ("Ann",), (0,), hold="pause", bank="whose go?")


def test_what_is_drawn_is_what_the_snapshot_says(phone: Browser, page: Page) -> None:
    """Every cell with something in it stands in the table or in the picture; pieces are as many as the score says."""
    page.show(TABLE, None, time.monotonic())
    phone.open(f"http://{page.address}/")
    counted = set()
    for game_id in game_ids():
        for kind, (shown, *_) in moments(game_id).items():
            if shown.menu is not None:
                continue
            page.show(shown, None, time.monotonic())
            phone.until(f"document.body.dataset.count === '{page.feed.count}'")
            assert (game_id, kind, cells(shown)) == (game_id, kind, filled(phone.value(CELLS)))
            assert all(value == text for value, text in phone.value(TEXTS)), (game_id, kind)
            if shown.layout in COUNTS and (drawn := phone.value(OF_EACH.format(COUNTS[shown.layout]))):
                counted.add(shown.layout)
                pieces = counters(shown) if shown.layout == "counters" else list(shown.scores)
                assert (game_id, kind, drawn) == (game_id, kind, pieces)
            if shown.layout == "totals" and (ends := phone.value(COURSE)):
                counted.add("totals")
                assert ends == list(map(str, shown.scores))
    assert counted == {*COUNTS, "totals"}


def test_each_die_of_a_joint_throw_names_its_player(phone: Browser, page: Page) -> None:
    """As the history has them: whoever looks up knows whose die is whose."""
    shown = moments("catch-up")["all-throw"][0]
    page.show(shown, None, time.monotonic())
    phone.open(f"http://{page.address}/")
    phone.until(f"document.querySelectorAll('#dice .die').length === {len(shown.thrown)}")
    rows = "[...document.querySelectorAll('#events li:first-child .faces')].map(row => row.innerText.trim())"
    assert phone.value("[...document.querySelectorAll('#dice .die')].map(die => die.dataset.who)") == phone.value(rows)


def test_a_row_alone_stands_player_by_player_where_its_columns_do_not_fit(phone: Browser, page: Page) -> None:
    """On a phone each name beside its figure, all within the screen; on a laptop and back the same cells."""
    shown = replace(moments("sevens-out")["end"][0], players=SIX)
    page.show(shown, None, time.monotonic())
    phone.open(f"http://{page.address}/")
    phone.until(f"document.body.dataset.count === '{page.feed.count}'")
    (row,) = [row for row in shown.sheet if row[0] == "turns"]
    for size, alone in ((PHONE, True), (LAPTOP, False), (PHONE, True)):
        phone.resize(*size)
        phone.until(f"document.querySelector('#rows').classList.contains('each') === {str(alone).lower()}")
        assert phone.value("[...document.querySelectorAll('#rows tbody td')].map(cell => cell.innerText)") == list(
            row[1:]
        )
        names = "[...document.querySelectorAll('#rows th')].map(name => name.innerText.trim())"
        assert [name for name in phone.value(names) if name in shown.players] == list(shown.players)
        assert phone.value(
            "document.querySelector('#scroll').scrollWidth <= document.querySelector('#scroll').clientWidth"
        )


def test_nobody_sees_a_sheet_that_is_about_to_be_arranged(phone: Browser, page: Page) -> None:
    """In the very frame in which a sheet comes, or a screen gets another width, it is arranged for that width."""
    page.show(TABLE, None, time.monotonic())
    phone.open(f"http://{page.address}/")
    phone.until("!document.querySelector('#side').checkVisibility() && document.body.dataset.count")
    phone.run(ARRANGED)
    page.show(replace(moments("sevens-out")["end"][0], players=SIX), None, time.monotonic())
    phone.until(f"document.body.dataset.count === '{page.feed.count}'")
    for size in (LAPTOP, PHONE):
        phone.resize(*size)
    painted = phone.value("painted")
    assert {width for width, *_ in painted} == {PHONE[0], LAPTOP[0]}
    for width, arranged, fits in painted:
        assert (fits, "each" in arranged) == (True, width == PHONE[0])


def test_columns_are_alike_and_names_whole(phone: Browser, page: Page) -> None:
    """Of six players with long and short names, on a laptop and on the wall: all columns as wide, no name cut off."""
    page.show(moments("yahtzee")["choice"][0], None, time.monotonic())
    phone.open(f"http://{page.address}/")
    phone.until(f"document.body.dataset.count === '{page.feed.count}'")
    for size in (LAPTOP, WALL):
        phone.resize(*size, scale=1.0)
        for _ in ("as it was", "other"):
            widths = phone.value(COLUMNS)
            assert (len(widths), max(widths) - min(widths) < 1.0, phone.value(CUT)) == (6, True, [])
            phone.value("document.querySelector('#wall').click()")
    phone.resize(*PHONE)


def test_four_figures_of_a_box_stand_two_and_two_on_a_phone(phone: Browser, page: Page) -> None:
    """Balut of six: the four figures of each box in two lines, all columns as wide."""
    page.show(moments("balut")["end"][0], None, time.monotonic())
    phone.open(f"http://{page.address}/")
    phone.until(f"document.body.dataset.count === '{page.feed.count}'")
    assert set(phone.value(LINES)) == {"4,2"}
    widths = phone.value(COLUMNS)
    assert max(widths) - min(widths) < 2.0


def test_all_faces_are_seen_on_a_phone_held_across(phone: Browser, page: Page) -> None:
    """Above the button that takes a face back, after a throw of another and beside dice that are kept."""
    phone.resize(*PHONE[::-1])
    phone.open(f"http://{page.address}/#{page.pairing.digits}")
    for count, (kind, dice) in enumerate((("between", 5), ("keep", 2)), start=1):
        shown = moments("yatzy")[kind][0]
        asking = Asking((1, count), "roll", due=((shown.players[0], dice),))
        page.show(replace(shown, asking=asking), None, time.monotonic())
        phone.until(f"document.body.dataset.moment === '1,{count}'")
        phone.tap("#face-2")
        phone.until("document.querySelector('#clear').checkVisibility()")
        assert phone.value(
            f"scrollY === 0 && {FACES_END} <= document.querySelector('#clear').getBoundingClientRect().top"
        )
    phone.resize(*PHONE)


def test_whoever_claims_sees_all_scores(phone: Browser, page: Page) -> None:
    """Liar's Dice of six on a small phone: thirty claims to choose from, and all scores above the buttons."""
    shown = moments("liars-dice")["claim"][0]
    page.show(shown, None, time.monotonic())
    phone.open(f"http://{page.address}/#{page.pairing.digits}")
    phone.until("document.querySelector('#answers .claims')?.checkVisibility()")
    assert phone.value("document.querySelectorAll('#scores li').length") == len(shown.players)
    assert phone.value(f"{LOWEST} <= document.querySelector('#bar').getBoundingClientRect().top")


def test_a_long_list_scrolls_by_itself_with_the_best_first(phone: Browser, page: Page) -> None:
    """What it gives falls from line to line, as HOLD walks; the line chosen is seen, and on a long screen all are."""
    shown = moments("yahtzee")["choice"][0]
    assert shown.asking is not None
    options = shown.asking.options
    least = min(range(len(options)), key=lambda at: options[at].gives or 0)
    phone.open(f"http://{page.address}/#{page.pairing.digits}")
    page.show(replace(shown, asking=replace(shown.asking, at=least)), None, time.monotonic())
    phone.until("document.querySelector('#answers .boxes')?.checkVisibility()")
    gives = phone.value("[...document.querySelectorAll('#answers .boxes b')].map(line => Number(line.innerText))")
    assert gives == sorted((option.gives or 0 for option in options), reverse=True)
    box = "document.querySelector('#answers .boxes')"
    phone.until(f"{box}.scrollHeight > {box}.clientHeight")
    assert phone.value(SEEN)
    phone.resize(PHONE[0], 1800)
    phone.until(f"!{box}.classList.contains('more') && {box}.scrollHeight === {box}.clientHeight")
    phone.resize(*PHONE)
    phone.until(f"{box}.scrollHeight > {box}.clientHeight")


def test_bank_stands_out_only_where_it_takes_a_throw(phone: Browser, page: Page) -> None:
    """While a hint stands a throw is still what is asked for; dice that lie there unread are what BANK takes."""
    shown = replace(moments("pig")["hint"][0], bank="take")
    phone.open(f"http://{page.address}/#{page.pairing.digits}")
    for unread in (False, True):
        page.show(replace(shown, unread=unread), None, time.monotonic())
        phone.until(f"document.body.dataset.count === '{page.feed.count}'")
        phone.until("document.querySelector('#bank').checkVisibility()")
        assert shown.hint
        same = "getComputedStyle(document.querySelector('#bank')).color === getComputedStyle(document.body).color"
        assert phone.value(same) is not unread


def counters(shown: Snapshot) -> list[int]:
    """Return how many pieces are drawn of each player: none where a player or the pot has many."""
    pot = [int(row[1]) for row in shown.drawn if row[0] in ("pot", "out") and row[1]]
    return [0] * len(shown.scores) if max(*shown.scores, *pot) > MOST_PIECES else list(shown.scores)


def cells(shown: Snapshot) -> dict[str, str]:
    return {
        f"{row},{player}": cell
        for row, (_, *of_row) in enumerate(shown.sheet)
        for player, cell in enumerate(of_row)
        if cell
    }


def filled(drawn: dict[str, str]) -> dict[str, str]:
    return {cell: value for cell, value in drawn.items() if value}
