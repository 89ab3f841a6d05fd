"""After a match: its recap as picture and script, what decisions cost, and the luck report; on a phone as well."""

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from xml.etree import ElementTree as ET

import pytest
from browser import PHONE, Browser
from page_program import page_of
from page_visitor import Visitor, let_in
from PIL import Image

from tabletop.core.values import ClockState, Moment
from tabletop.rules import Match, game_ids
from tabletop.rules.conformance.trial import random_answer
from tabletop.rules.script import difference, examples_of
from tabletop.session.manual_entry import ManualEntry
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import MatchDisplay, of_stored
from tabletop.store import Store
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.snapshot import Snapshot
from tabletop.web import bgstats, payload, recap
from tabletop.web.page import Page

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ["Ann", "Ben", "Cid"]
MOST_ANSWERS = 400
# What the PNG that was made shows: its size, and the share of nearly white pixels. The browser reads it.
DRAWN = """
const done = arguments[0];
const { file } = document.querySelector("#recap .saves a[download$=png]");
createImageBitmap(file).then((made) => {
  const canvas = Object.assign(document.createElement("canvas"), { width: made.width, height: made.height });
  const context = canvas.getContext("2d");
  context.drawImage(made, 0, 0);
  const { data } = context.getImageData(0, 0, made.width, made.height);
  let light = 0;
  for (let at = 0; at < data.length; at += 4) light += data[at] > 240 && data[at + 1] > 240;
  globalThis.seen = [made.width, made.height, light / (made.width * made.height)];
  done(true);
});
"""
UNTIL_DONE = 1200  # answers of a seventh of a second: a machine with other things to do


def ended(match: Match, path: Path, seed: int = 52) -> Snapshot:
    """Return the end of a match of random answers; one that takes long is given up, and has a winner named."""
    with Store(path) as store:
        number = store.begin(match.game.id, match.seated, match.options, "2026-11-28T18:00:00Z")
    clock = ClockState("boot", 1.0, trusted=True)
    session = MatchSession(match, Store(path), number, lambda: Moment("2026-11-28T18:02:11.123Z", clock))
    chance = Random(seed)
    for _ in range(MOST_ANSWERS):
        if match.over:
            break
        session.give(random_answer(match.request, chance))
    if not match.over:
        session.journal.record(match.draft_abandon())
    display = MatchDisplay(ManualEntry(no_camera=False))
    display.begin(session)
    return display.show(session, None, 0.0)


@pytest.fixture
def pig(tmp_path: Path) -> Snapshot:
    return ended(Match("pig", ["Ann", "Ben"], target=30), tmp_path / "tabletop.db")


QUICK = ("pig", "mia", "roll-your-luck")
ALL = [game_id if game_id in QUICK else pytest.param(game_id, marks=pytest.mark.slow) for game_id in game_ids()]


@pytest.mark.parametrize("game_id", ALL)
def test_a_script_of_any_match_holds(game_id: str, tmp_path: Path) -> None:
    """`tabletop replay FILE` plays it to the same scores, joint throws and cups included; one figure changed fails."""
    shown = ended(Match(game_id, NAMES[: 2 + (game_id == "lcr")]), tmp_path / "tabletop.db")
    text = recap.script(shown, "")
    (example,) = examples_of(text)
    assert difference(example) is None
    (wrong,) = examples_of(text.replace('see scores is {"Ann": ', 'see scores is {"Ann": 9'))
    assert difference(wrong) is not None


def test_a_script_of_who_left_and_came_holds(tmp_path: Path) -> None:
    match = Match("pig", NAMES, target=10)
    match.leave("Ben")
    match.throw([6])
    match.choose("bank")
    match.join("Ben")
    (example,) = examples_of(recap.script(ended(match, tmp_path / "tabletop.db"), ""))
    assert {"leave Ben", "join Ben", "throw 6"} <= {line.text for line in example.lines}
    assert difference(example) is None


def texts(svg: str) -> list[str]:
    return ["".join(text.itertext()) for text in ET.fromstring(svg).iter(f"{SVG}text")]  # noqa: S314 - our own


def test_the_picture_has_everybody_and_the_dice(pig: Snapshot) -> None:
    """Names with their scores, how often each face fell, and everything that needs no colour: dashes that differ."""
    svg = recap.picture(pig, "2026-11-28")
    said = texts(svg)
    assert {
        "Pig",
        "2026-11-28",
        pig.over,
        *(f"{name} {score}" for name, score in zip(pig.players, pig.scores, strict=True)),
    } <= {*said}
    record = pig.record
    assert record is not None
    thrown = [event.value[0] for event in record.standing if event.kind == "throw" and isinstance(event.value, tuple)]
    assert said[-6:] == [str(thrown.count(face)) for face in range(1, 7)]
    lines = [*ET.fromstring(svg).iter(f"{SVG}polyline")]  # noqa: S314 - our own
    assert len({line.get("stroke-dasharray") for line in lines}) == len(lines) == 2


def test_every_turn_is_on_the_course(tmp_path: Path) -> None:
    """Also those without points: Ann and Ben lose one each, Ann two more, and Ben wins with 3 and 3."""
    match = Match("pig", ["Ann", "Ben"], target=6)
    match.throw([1])
    match.throw([1])
    for _ in range(2):
        match.throw([1])
        match.throw([3])
        match.choose("bank")
    svg = recap.picture(ended(match, tmp_path / "tabletop.db"), "")
    ways = [line.get("points", "").split() for line in ET.fromstring(svg).iter(f"{SVG}polyline")]  # noqa: S314 - our own
    assert [len(way) for way in ways] == [4, 4]


def test_a_coached_match_stays_marked(tmp_path: Path) -> None:
    """On the page and in its recap; no app gets a link."""
    marked, path = "Pig (coached)", tmp_path / "tabletop.db"
    shown = ended(Match("pig", ["Ann", "Ben"], target=6, coach=True), path)
    assert payload.page_of(1, shown)["game"] == marked
    picture = recap.picture(shown, "")
    assert marked in texts(picture)
    assert f"<title>{marked}" in picture
    assert bgstats.posting(shown, path)["link"] == ""
    plain = ended(Match("pig", ["Ann", "Ben"], target=6), tmp_path / "plain.db")
    assert payload.page_of(1, plain)["game"] == "Pig"
    assert bgstats.posting(plain, tmp_path / "plain.db")["link"]


def test_names_are_texts(pig: Snapshot) -> None:
    """Whatever stands in them."""
    names = ('<b>&"', "Ben")
    assert f"{names[0]} {pig.scores[0]}" in texts(recap.picture(replace(pig, players=names), ""))


def test_the_day_is_that_of_a_trusted_clock(pig: Snapshot, tmp_path: Path) -> None:
    assert recap.day_of(pig.number, tmp_path / "tabletop.db") == "2026-11-28"
    assert recap.day_of(pig.number, tmp_path / "none.db") == ""


def test_nothing_is_told_during_a_match(page: Page, pig: Snapshot, tmp_path: Path) -> None:
    """Neither recap nor costs, to nobody; afterwards both to everybody, and luck to paired devices only."""
    page.offer(lambda _: None, lambda: None, tuple, tmp_path / "tabletop.db")  # type: ignore[arg-type, return-value]
    visitor = Visitor(page.address)
    page.show(replace(pig, winners=()), None, time.monotonic())
    assert [visitor.get(path).status for path in ("/recap.svg", "/recap.txt", "/costs", "/luck")] == [
        422,
        422,
        422,
        403,
    ]
    page.show(pig, None, time.monotonic())
    picture = visitor.get("/recap.svg")
    assert (picture.status, picture.headers["content-type"]) == (200, "image/svg+xml")
    assert visitor.get("/recap.txt").body.decode() == recap.script(pig, "2026-11-28")
    assert "roll" in visitor.get("/recap.txt").body.decode()


def test_every_past_match_has_its_recap(page: Page, pig: Snapshot, tmp_path: Path) -> None:
    """The same picture and script as at its end, in the language of the table; for devices that are let in."""
    german = load_language("de")
    with Store(tmp_path / "tabletop.db") as store:
        store.begin("pig", ["Ann", "Ben"], {}, "2026-11-28T19:00:00Z")
    page.offer(lambda _: None, lambda: None, tuple, tmp_path / "tabletop.db", None, of_stored)  # type: ignore[arg-type, return-value]
    page.show(translated(Snapshot(number=2), german), None, time.monotonic())
    friend, then = let_in(page), translated(pig, german)
    assert friend.get("/recap.svg?match=1").body.decode() == recap.picture(then, "2026-11-28")
    assert friend.get("/recap.txt?match=1").body.decode() == recap.script(then, "2026-11-28")
    assert [friend.get(f"/recap.svg{which}").status for which in ("", "?match=2", "?match=3", "?match=x")] == [422] * 4
    assert Visitor(page.address).get("/recap.svg?match=1").status == 422


def until_done(visitor: Visitor, path: str) -> dict[str, object]:
    for _ in range(UNTIL_DONE):
        answer = json.loads(visitor.get(path).body)
        assert isinstance(answer, dict)
        if not answer["working"]:
            return answer
    pytest.fail(f"{path} is still at work")


@pytest.fixture
def played(tmp_path: Path) -> Iterator[tuple[str, str, Visitor]]:
    """Play Pig to 6 from a phone: Ann banks 2 of 6, Ben 3, Ann wins with 5."""
    words = ("pig", "--players", "Ann,Ben", "--set", "target=6", "--camera", "none")
    with page_of(tmp_path, *words) as (address, digits):
        device = Visitor(address)
        device.post("/pair", {"digits": digits})
        faces = [2, 3, 5]
        while not (now := device.state())["over"]:
            if faces and (now["asking"] or {}).get("due"):
                wish = {"do": "enter", "moment": now["asking"]["moment"], "faces": faces[:1]}
                faces = faces[device.post("/api/v1/command", wish).status == 204 :]
            else:
                device.post("/api/v1/command", {"do": "bank", "asks": now["asks"]})
        yield address, digits, device


@pytest.mark.slow
def test_costs_and_luck_of_a_real_match(played: tuple[str, str, Visitor]) -> None:
    """Another process works them out: banking 2 of 6 cost chance to win, winning nothing; three dice say nothing."""
    _, _, device = played
    told = until_done(device, "/costs")
    assert told["percent"] is True
    worst = told["worst"]
    assert isinstance(worst, list)
    assert {(one["player"], one["did"], one["best"]) for one in worst} == {
        ("Ann", "bank", "roll"),
        ("Ben", "bank", "roll"),
    }
    ben = max(one["cost"] for one in worst if one["player"] == "Ben")
    assert device.post("/api/v1/command", {"do": "correct", "throw": 3, "who": "", "was": 3, "face": 4}).status == 204
    while not device.state()["corrections"]:
        pass
    corrected = until_done(device, "/costs")["worst"]
    assert isinstance(corrected, list)
    assert ben not in [one["cost"] for one in corrected]
    luck = until_done(device, "/luck")
    assert isinstance(luck["sets"], list)
    (dice,) = luck["sets"]
    assert (dice["thrown"], dice["deviating"]) == (3, [])
    assert [low for low, _ in dice["intervals"].values()] == [0] * 6


@pytest.mark.slow
def test_the_coach_speaks_during_a_coached_match(phone: Browser, tmp_path: Path) -> None:
    """With 4 at stake to 6, Ann wins by 2 to 6 and loses the turn by a 1: rolling on is best, and banking costs."""
    words = ("pig", "--players", "Ann,Ben", "--set", "target=6", "--set", "coach=true", "--camera", "none")
    with page_of(tmp_path, *words) as (address, digits):
        device = Visitor(address)
        device.post("/pair", {"digits": digits})
        asking = device.state()["asking"]
        phone.resize(*PHONE)
        phone.open(f"http://{address}/#{digits}")
        phone.until_seen("#advice")
        device.post("/api/v1/command", {"do": "enter", "moment": asking["moment"], "faces": [4]})
        told = until_done(device, "/costs")
        assert isinstance(told["worst"], list)
        assert [(one["did"], one["cost"] > 0) for one in told["worst"]] == [("roll", False), ("bank", True)]
        phone.until_seen("#advice li:nth-child(2)")
        phone.picture(tmp_path / "advice.png")
        assert phone.value("document.documentElement.scrollWidth") <= PHONE[0]


@pytest.mark.slow
def test_on_a_phone(played: tuple[str, str, Visitor], phone: Browser, tmp_path: Path) -> None:
    """The picture opens, and its PNG is what the SVG shows; nothing is wider than the phone."""
    address, digits, device = played
    until_done(device, "/costs")
    phone.resize(*PHONE)
    phone.enter(address, digits, "#recap-open")
    phone.until("!document.getAnimations().length")
    phone.picture(tmp_path / "podium.png")
    phone.tap("#recap-open")
    phone.until_seen("#recap .saves a[download$=png]")
    assert phone.value("document.querySelector('#recap img').naturalWidth") == 1080
    phone.picture(tmp_path / "recap.png")
    phone.run(DRAWN, waits=True)
    wide, high, light = phone.value("globalThis.seen")
    assert (wide, high) == (1080, 1440)
    assert light > 0.005  # dice and names: an empty canvas has none
    phone.tap("#recap > button:last-child")
    phone.until_seen("#recap", gone=True)
    phone.tap("#costs-open")
    phone.until_seen("#costs li")
    phone.picture(tmp_path / "costs.png")
    assert phone.value("document.documentElement.scrollWidth") <= PHONE[0]
    phone.open(f"http://{address}/luck/luck.html")
    phone.until_seen("#report table")
    phone.value("window.scrollTo(0, 0)")
    phone.picture(tmp_path / "luck.png")
    assert phone.value("document.documentElement.scrollWidth") <= PHONE[0]
    with Image.open(tmp_path / "luck.png") as picture:
        assert picture.convert("L").histogram()[0:60] != [0] * 60
