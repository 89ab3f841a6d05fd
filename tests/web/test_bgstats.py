"""The link that creates a finished match in the app BG Stats, as its maker publishes the format, and its code."""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import zxingcpp
from browser import PHONE, Browser
from jsonschema import Draft202012Validator
from page_program import page_of
from page_visitor import Visitor
from PIL import Image

from tabletop.core.values import ClockState, Moment
from tabletop.rules import Choose, Match, Throw, game_ids
from tabletop.rules.conformance.trial import random_answer
from tabletop.session.manual_entry import ManualEntry
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import MatchDisplay
from tabletop.store import Store, StoredMatch
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.snapshot import Snapshot
from tabletop.web.bgstats import BREAK_S, LONGEST, link_of, play_of, posting
from tabletop.web.page import Page
from tabletop.web.payload import packed, places

SCHEMA = json.loads((Path(__file__).parents[1] / "data" / "bgstats-play.schema.json").read_text(encoding="utf-8"))
NAMES = ["Ann", "Ben", "Cid", "Dan"]
BEGUN = "2026-11-28T18:02:11.123Z"
STORED = StoredMatch(7, "pig", ("Ann", "Ben"), {}, BEGUN, "over", 0)
BANK = Choose("bank")
LAPTOP = (1280, 800)


def play_in(link: str) -> dict[str, Any]:
    """Return the play that an app finds in a link; it fits the published format."""
    address = urlsplit(link)
    assert (address.scheme, address.netloc, address.path) == ("https", "app.bgstatsapp.com", "/createPlay.html")
    assert link.isascii()
    ((data,),) = parse_qs(address.query, strict_parsing=True).values()
    play = json.loads(data)
    Draft202012Validator(SCHEMA).validate(play)
    assert isinstance(play, dict)
    return play


def of_each(play: dict[str, Any], key: str) -> list[Any]:
    return [player[key] for player in play["players"]]


def ended(session: MatchSession) -> Snapshot:
    display = MatchDisplay(ManualEntry(no_camera=False))
    display.begin(session)
    return display.show(session, None, 0.0)


class Evening:
    """A match that is stored. moments: of its entries."""

    def __init__(self, folder: Path, match: Match, moments: Iterator[Moment]) -> None:
        self.path = folder / "tabletop.db"
        with Store(self.path) as store:
            number = store.begin(match.game.id, match.seated, match.options, BEGUN)
        self._store = Store(self.path)
        self.session = MatchSession(match, self._store, number, lambda: next(moments))

    def give(self, *answers: Throw | Choose) -> "Evening":
        for answer in answers:
            self.session.give(answer)
        return self

    @property
    def shown(self) -> Snapshot:
        return ended(self.session)

    @property
    def play(self) -> dict[str, Any]:
        return play_in(posting(self.shown, self.path)["link"])


def ticking(minutes: float = 1.0, *, trusted: bool = True, boot: str = "one") -> Iterator[Moment]:
    """Yield moments, so many minutes apart, from 18:03."""
    for n in range(10_000):
        at = 18 * 60 + 3 + n * minutes
        yield Moment(
            f"2026-11-28T{int(at // 60):02}:{int(at % 60):02}:00.000Z", ClockState(boot, n * 60.0 * minutes, trusted)
        )


Begin = Callable[..., Evening]


@pytest.fixture
def begin(tmp_path: Path) -> Begin:
    def begun(match: Match, moments: Iterator[Moment] | None = None) -> Evening:
        (folder := tmp_path / str(len(list(tmp_path.iterdir())))).mkdir()
        return Evening(folder, match, moments or ticking())

    return begun


def won(evening: Evening) -> Evening:
    """Let Ann win a game of Pig to 10 by 12 to 5."""
    roll = Choose("roll")
    return evening.give(Throw((6,)), BANK, Throw((5,)), BANK, Throw((2,)), roll, Throw((4,)), BANK)


def pig() -> Match:
    return Match("pig", ["Ann", "Ben"], target=10)


def test_a_match_of_pig_is_the_play_that_was_played(begin: Begin) -> None:
    """Worked out by hand: eight entries, a minute apart from 18:03, end at 18:10."""
    play = won(begin(pig())).play
    assert play["playDate"] == "2026-11-28 18:10:00"
    assert play["durationMin"] == 7
    assert play["game"] == {"name": "Pig", "sourceGameId": "Pig", "highestWins": True, "noPoints": False}
    assert of_each(play, "name") == ["Ann", "Ben"]
    assert of_each(play, "score") == [12, 5]
    assert of_each(play, "rank") == [1, 2]
    assert of_each(play, "winner") == of_each(play, "startPlayer") == [True, False]


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_played_to_its_end_fits_the_format(game_id: str) -> None:
    """The winners of the rules, ties too, are in first place; of the others the better score is ahead."""
    for seed in range(3):
        chance = Random(seed)
        match = Match(game_id, NAMES)
        while not match.over:
            match.apply(*match.draft(random_answer(match.request, chance)))
        play = play_in(link_of(play_of(match, places(ended(MatchSession(match))), STORED, ())))
        players = play["players"]
        assert {player["name"] for player in players if player["winner"]} == set(match.winners)
        assert [player["rank"] == 1 for player in players] == [player["winner"] for player in players]
        assert [player.get("score") for player in players] == (
            [None] * len(NAMES) if play["game"]["noPoints"] else list(match.scores.values())
        )
        assert play["game"]["noPoints"] == (match.game.counts != "points")
        assert play["game"]["highestWins"] != match.game.fewest_win
        assert sum(player["startPlayer"] for player in players) <= 1
        sign = 1 if play["game"]["highestWins"] else -1
        behind = [player for player in players if not player["winner"] and "score" in player]
        ranked = sorted(behind, key=lambda player: player["rank"])
        assert [sign * player["score"] for player in ranked] == sorted(
            (sign * player["score"] for player in behind), reverse=True
        )
        for one in behind:
            for other in behind:
                assert (one["rank"] == other["rank"]) == (one["score"] == other["score"])


def test_known_games_have_their_number() -> None:
    """As in the addresses of boardgamegeek.com; a name that is none of those has none."""
    ids = {}
    for game, options in (("yahtzee", {}), ("ten-thousand", {"rules": "farkle"}), ("liars-dice", {}), ("lcr", {})):
        match = Match(game, NAMES, **options)
        made = play_of(match, [1, 2, 2, 2], STORED, ())["game"]
        ids[made["name"]] = made.get("bggId")
    assert ids["Yahtzee"] == 2243
    assert {number for number in ids.values() if number} <= {2243, 3181, 45, 3522}


def test_an_untrusted_clock_gives_no_date_but_a_duration(begin: Begin) -> None:
    """A clock that never jumps measures the time all the same."""
    play = won(begin(pig(), ticking(trusted=False))).play
    assert "playDate" not in play
    assert play["durationMin"] == 7


def test_a_simulation_has_neither(begin: Begin) -> None:
    """Its times are not of this world."""
    play = won(begin(pig(), iter([Moment("1970-01-01T00:00:02Z")] * 9))).play
    assert not play.keys() & {"playDate", "durationMin"}


def test_a_break_is_not_playing_time(begin: Begin) -> None:
    """The table was switched off, or nobody came for longer than half an hour."""
    first, second, third = ticking(), ticking(boot="two"), ticking(boot="two")
    apart = [next(second) for _ in range(2 + int(BREAK_S / 60) + 5)]
    moments = [*(next(first) for _ in range(3)), apart[0], apart[1], *apart[-3:], *third]
    assert won(begin(pig(), iter(moments))).play["durationMin"] == 2 + 1 + 2


def test_the_same_match_is_the_same_play(begin: Begin) -> None:
    """After an undo and another end, too; another match, or another table's with the same number, is another."""
    evening = won(begin(pig()))
    before = evening.play
    evening.session.undo(1, 0.0)
    evening.give(BANK)
    assert evening.play["sourcePlayId"] == before["sourcePlayId"]
    assert evening.play["playDate"] > before["playDate"]
    others = [
        replace(STORED, number=8),
        replace(STORED, begun="2026-11-28T18:02:11.124Z"),
        replace(STORED, players=("Ann", "Cid")),
    ]
    ids = {play_of(pig(), [1, 2], stored, ())["sourcePlayId"] for stored in (STORED, *others)}
    assert len(ids) == 1 + len(others)


def test_who_has_left_comes_last(begin: Begin) -> None:
    """However many points were taken along."""
    evening = begin(Match("pig", ["Ann", "Ben", "Cid"], target=10))
    evening.give(Throw((6,)), BANK)
    evening.session.leave("Ann")
    evening.give(Throw((5,)), BANK, Throw((4,)), BANK, Throw((6,)), BANK)
    play = evening.play
    assert dict(zip(of_each(play, "name"), of_each(play, "rank"), strict=True)) == {"Ben": 1, "Cid": 2, "Ann": 3}
    assert of_each(play, "score") == [6, 11, 4]


def test_who_begins_is_who_won_the_roll_off() -> None:
    """Not who threw first in it; a tie is thrown again."""
    match = Match("lcr", ["Ann", "Ben", "Cid"], order="roll")
    for faces in ([5, 1], [5, 1], [2, 1], [1, 1], [6, 1]):
        match.throw(faces)
    assert match.request.player == "Ben"
    match.throw([6] * 3)
    begins = [player["startPlayer"] for player in play_of(match, [1, 1, 1], STORED, ())["players"]]
    assert begins == [False, True, False]


def test_no_one_begins_a_joint_throw() -> None:
    """All throw at once in the first round."""
    match = Match("roll-your-luck", ["Mary", "Joe"])
    match.throw({"Mary": [2], "Joe": [5]})
    assert [player["startPlayer"] for player in play_of(match, [1, 1], STORED, ())["players"]] == [False, False]


def test_an_open_and_an_abandoned_match_have_no_link(begin: Begin) -> None:
    """Nor a match that is in no store, or gone from it."""
    evening = begin(pig())
    assert posting(evening.shown, evening.path) == {"link": "", "code": ()}
    evening.session.journal.record(evening.session.match.draft_abandon())
    assert posting(evening.shown, evening.path) == {"link": "", "code": ()}
    over = won(begin(pig())).shown
    assert posting(over, None) == {"link": "", "code": ()}
    assert posting(over, evening.path.with_name("elsewhere.db")) == {"link": "", "code": ()}


def test_the_longest_names_have_a_link_without_a_code(begin: Begin) -> None:
    """Ten names as long as the table takes, of letters and marks with four bytes each."""
    letters, mark = [chr(0x1E900 + n) for n in range(12)], chr(0x1E8D0)
    names = ["".join(letter + 2 * mark for letter in letters[n:] + letters[:n]) for n in range(10)]
    match = Match("pig", names, target=5)
    offered = posting(begin(match).give(Throw((6,)), BANK).shown, None)
    assert offered == {"link": "", "code": ()}
    evening = begin(Match("pig", names, target=5)).give(Throw((6,)), BANK)
    offered = posting(evening.shown, evening.path)
    assert of_each(play_in(offered["link"]), "name") == names
    assert LONGEST / 2 < len(offered["link"]) <= LONGEST
    assert offered["code"] == ()


def test_a_longer_link_than_the_app_takes_is_none() -> None:
    """Its maker names 8,000 characters."""
    play = play_of(pig(), [1, 2], STORED, ())
    spare = 8000 - len(link_of(play))
    assert (
        len(link_of(play | {"comments": "x" * (spare - len(link_of(play | {"comments": ""})) + len(link_of(play)))}))
        == 8000
    )
    assert link_of(play | {"comments": "x" * spare}) == ""


def test_the_page_serves_it_to_everybody_who_looks(begin: Begin, page: Page) -> None:
    """Without having been let in: it says no more than the board does."""
    evening = won(begin(pig()))
    page.offer(lambda _: None, lambda: None, tuple, evening.path)  # type: ignore[arg-type, return-value]
    page.show(evening.shown, None, time.monotonic())
    answer = Visitor(page.address).get("/bgstats")
    assert answer.status == 200
    assert json.loads(answer.body) == json.loads(packed(posting(evening.shown, evening.path)))


@pytest.mark.slow
def test_the_program_knows_its_store(tmp_path: Path) -> None:
    """A match of `tabletop play` itself, played from a phone: its end is dated."""
    before = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}"
    played = ("pig", "--players", "Ann,Ben", "--set", "target=5", "--camera", "none")
    with page_of(tmp_path, *played) as (address, digits):
        device = Visitor(address)
        device.post("/pair", {"digits": digits})
        moment = device.state()["asking"]["moment"]
        assert device.post("/api/v1/command", {"do": "enter", "moment": moment, "faces": [6]}).status == 204
        while not (now := device.state())["over"]:
            device.post("/api/v1/command", {"do": "bank", "asks": now["asks"]})
        play = play_in(json.loads(device.get("/bgstats").body)["link"])
    assert of_each(play, "score") == [6, 0]
    assert before <= play["playDate"] <= f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}"


@pytest.mark.slow
@pytest.mark.parametrize("code", ["en", "de"])
def test_a_phone_reads_the_code_on_the_page(
    phone: Browser, page: Page, begin: Begin, tmp_path: Path, code: str
) -> None:
    """From a small phone and a laptop, in light and dark; it is the link beside it."""
    evening = won(begin(pig()))
    page.offer(lambda _: None, lambda: None, tuple, evening.path)  # type: ignore[arg-type, return-value]
    language = load_language(code)
    page.show(translated(evening.shown, language), None, time.monotonic())
    phone.open(f"http://{page.address}/")
    for size, dark in ((PHONE, False), (LAPTOP, True)):
        phone.resize(*size, dark=dark)
        phone.until_seen(".post")
        phone.until("!document.getAnimations().length")
        phone.tap(".post")
        phone.until_seen("#bgstats svg")
        phone.picture(tmp_path / "shown.png")
        with Image.open(tmp_path / "shown.png") as picture:
            (read,) = zxingcpp.read_barcodes(picture)
        assert [read.text] == phone.all_of("#bgstats a", "href")
        assert play_in(read.text) == evening.play
        assert phone.value("document.documentElement.scrollWidth") <= size[0]
        phone.tap("#bgstats button")
        phone.until_seen("#bgstats", gone=True)
