"""Answers given on the page: whole matches by them alone, and what happens to those that come too late or are wrong."""

from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from random import Random
from typing import Any

import pytest
from people import People

from tabletop.dialogs.decisions import GiveAnswers
from tabletop.dialogs.wishes import Fate, WishBox
from tabletop.rules import Choose, Match, Throw, game_ids, load
from tabletop.session.table_loop import TableLoop
from tabletop.store import Store
from tabletop.views.snapshot import Snapshot
from tabletop.web.actions import Actions, Outcome
from tabletop.web.page_buttons import PageButtons
from tabletop.web.payload import page_of, still

TICK_S = 0.02
NAMES = ["Ann", "Ben", "Cy"]
MOST_LOOKS = 250  # at one match: all kinds of questions come before
QUICK = ("mia", "everest", "mexico", "centennial")


class Sheet:
    """A table without camera and OLED: whoever plays here has nothing but the JSON of the page."""

    def __init__(self, store: Store, *, no_camera: bool = True) -> None:
        self.people = People(store)
        self.buttons = PageButtons(lambda: self.people.now_s)
        self.actions = Actions(self.buttons)
        handlers, wishes = self.people.matches.handlers, self.actions.wishes
        self.table = self.people.table = TableLoop(
            self.people.camera_thread,
            [self.buttons],
            handlers,
            self.people.start,
            no_camera=no_camera,
            lit=[self.buttons],
            wishes=wishes,
        )

    def begin(self, game: str) -> Match:
        """Begin a match."""
        players = NAMES[: max(2, load(game)[0].min_players)]
        session = self.people.matches.begin(Match(game, players))
        self.table.begin(session)
        self.look()
        return session.match

    def look(self, ticks: int = 1) -> dict[str, Any]:
        """Let the table turn; return what the page gets."""
        shown = Snapshot()
        for _ in range(ticks):
            self.people.now_s += TICK_S
            shown = still(self.table.tick(self.people.now_s))
            self.actions.see(shown, self.people.now_s)
        return page_of(1, self.actions.asks, shown)

    def press(self, button: str) -> None:
        """Press BANK or HOLD until it has had its effect."""
        assert self.actions.press(button, self.actions.asks) is Outcome.DONE  # type: ignore[arg-type]  # a button's name
        self.look(20)

    def answer(self, **wish: object) -> Outcome | Fate:
        """Answer; return what became of it."""
        wished = self.actions.answer(wish)
        self.look()
        return wished.result(0) if isinstance(wished, Future) else wished


@pytest.fixture
def sheet(tmp_path: Path) -> Iterator[Sheet]:
    """Sit down with nothing but the page."""
    with Store(tmp_path / "a.db") as store:
        yield Sheet(store)


def wish_for(asking: dict[str, Any], chance: Random) -> dict[str, Any]:
    """Return any answer that the page may give."""
    wish: dict[str, Any] = {"moment": list(asking["moment"])}
    if asking["due"]:
        dice = sum(one["dice"] for one in asking["due"])
        return wish | {"do": "enter", "faces": [chance.randint(1, 6) for _ in range(dice)]}
    if asking["legal"]:
        return wish | {"do": "keep", "faces": list(chance.choice(asking["legal"]))}
    return wish | {"do": "choose", "at": chance.randrange(len(asking["options"]))}


def play(sheet: Sheet, game: str, most: int) -> Match:
    """Play a match from the page's JSON alone, and compare what it says with the match."""
    chance, match = Random(game), sheet.begin(game)
    for _ in range(most):
        now = sheet.look()
        assert [player["score"] for player in now["players"]] == list(match.scores.values())
        if match.over:
            break
        if now["asking"] is None:
            sheet.press("bank" if chance.random() < 0.7 else "hold")
        else:
            wish = wish_for(now["asking"], chance)
            assert sheet.answer(**wish) is Fate.DONE, (now, wish)
    return match


@pytest.mark.parametrize("game", QUICK)
def test_a_match_is_played_by_answers_alone(sheet: Sheet, game: str) -> None:
    """Throws entered, dice kept, boxes and claims chosen; only rolling on and stopping are BANK and HOLD."""
    assert play(sheet, game, 4000).over


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(set(game_ids()) - {*QUICK}))
def test_every_match_is(sheet: Sheet, game: str) -> None:
    """The same of every other game, as far as it gets."""
    assert play(sheet, game, MOST_LOOKS).event


def test_of_two_answers_the_first_counts(sheet: Sheet) -> None:
    """Two devices enter a throw at the same moment: the second is too late, before and after the first is taken."""
    match = sheet.begin("pig")
    wish = {"do": "enter", "faces": [4], "moment": list(sheet.look()["asking"]["moment"])}
    first, second = sheet.actions.answer(wish), sheet.actions.answer({**wish, "faces": [6]})
    assert second is Outcome.LATE
    sheet.look()
    assert isinstance(first, Future)
    assert first.result(0) is Fate.DONE
    assert sheet.answer(**wish) is Outcome.LATE
    assert [event.value for event in match.log if event.kind == "throw"] == [(4,)]


def test_a_throw_that_is_sent_again_counts_once(tmp_path: Path) -> None:
    """Its answer was lost on the way: late while it stands, after an undo, of a table started again, in a rematch."""
    with Store(tmp_path / "a.db") as store:
        sheet = Sheet(store)
        match = sheet.begin("yahtzee")
        wish = {"do": "enter", "faces": [6, 2, 6, 5, 6], "moment": list(sheet.look()["asking"]["moment"])}
        assert sheet.answer(**wish) is Fate.DONE
        assert sheet.answer(**wish) is Outcome.LATE
        session = sheet.table.session
        assert session is not None
        session.undo(1, (), sheet.people.now_s)
        assert sheet.look()["asking"]["kind"] == "roll"  # the same question, but it was answered before
        assert sheet.answer(**wish) is Outcome.LATE
        assert [entry.kind for entry in match.log] == ["throw", "undo"]
        again = {**wish, "moment": list(sheet.look()["asking"]["moment"])}
        assert sheet.answer(**again) is Fate.DONE
        number = session.journal.number
    with Store(tmp_path / "a.db") as store:
        sheet = Sheet(store)
        resumed = sheet.people.matches.resume(number)
        sheet.table.begin(resumed)
        for late in (wish, again):
            sheet.look()
            assert sheet.answer(**late) is Outcome.LATE
        assert [entry.kind for entry in resumed.match.log] == ["throw", "undo", "throw"]
        rematch = sheet.begin("yahtzee")
        assert sheet.answer(**wish) is Outcome.LATE
        assert len(rematch.log) == 0


def test_an_answer_to_what_is_no_longer_asked_changes_nothing(sheet: Sheet) -> None:
    """The match goes on while a wish is on its way: it names another moment, and is dropped."""
    match = sheet.begin("yahtzee")
    session = sheet.table.session
    assert session is not None
    fate = sheet.actions.wishes.put(GiveAnswers((Choose("ones"),)), session.journal.moment)
    session.answer(Throw((1, 1, 2, 3, 4)))
    before = len(match.log)
    sheet.look()
    assert fate.result(0) is Fate.LATE
    assert len(match.log) == before


@pytest.mark.parametrize(
    "wish",
    [
        {"do": "enter", "faces": [1, 2, 3, 4]},
        {"do": "enter", "faces": [1, 2, 3, 4, 7]},
        {"do": "enter", "faces": [1, 2, 3, 4, True]},
        {"do": "enter", "faces": "12345"},
        {"do": "enter"},
        {"do": "keep", "faces": [1]},
        {"do": "choose", "at": 0},
        {"do": "choose", "at": "ones"},
    ],
)
def test_what_is_no_answer_is_refused(sheet: Sheet, wish: dict[str, Any]) -> None:
    """To a throw of five dice that is entered."""
    match = sheet.begin("yahtzee")
    moment = list(sheet.look()["asking"]["moment"])
    assert sheet.answer(**wish, moment=moment) is Outcome.UNKNOWN
    assert len(match.log) == 0


def test_the_referee_has_the_last_word(sheet: Sheet) -> None:
    """A part that may not be kept is refused, and another can be kept afterwards."""
    match = sheet.begin("ten-thousand")
    asking = sheet.look()["asking"]
    faces = [1, 1, 5, 2, 3, 4][: asking["due"][0]["dice"]]
    assert sheet.answer(do="enter", faces=faces, moment=list(asking["moment"])) is Fate.DONE
    moment = list(sheet.look()["asking"]["moment"])
    assert sheet.answer(do="keep", faces=[2, 3], moment=moment) is Fate.REFUSED
    assert sheet.answer(do="keep", faces=[1], moment=moment) is Fate.DONE
    assert match.kept == (1,)


def test_a_throw_is_entered_only_where_nobody_watches(tmp_path: Path) -> None:
    """With a camera over the tray a throw is thrown."""
    with Store(tmp_path / "a.db") as store:
        sheet = Sheet(store, no_camera=False)
        match = sheet.begin("pig")
        assert sheet.look()["asking"] is None
        assert sheet.answer(do="enter", faces=[6], moment=[1, 0]) is Outcome.LATE
        session = sheet.table.session
        assert session is not None
        fate = sheet.actions.wishes.put(GiveAnswers((Throw((6,)),)), (1, 0))
        sheet.look()
        assert fate.result(0) is Fate.REFUSED
        assert len(match.log) == 0


def test_boxes_say_what_they_would_give_while_dice_are_kept(sheet: Sheet) -> None:
    """After the first throw of a Yahtzee turn, by its rule text; a box taken then keeps all dice first."""
    match = sheet.begin("yahtzee")
    sheet.answer(do="enter", faces=[4, 1, 3, 2, 1], moment=list(sheet.look()["asking"]["moment"]))
    asking = sheet.look()["asking"]
    gives = {box["label"]: box["gives"] for box in asking["boxes"]}
    told = {"ones": 2, "twos": 2, "fours": 4, "sixes": 0, "small straight": 30, "large straight": 0, "chance": 11}
    assert {label: gives[label] for label in told} == told
    assert len(gives) == 13
    at = [box["label"] for box in asking["boxes"]].index("small straight")
    assert sheet.answer(do="write", at=13, faces=[4, 1, 3, 2, 1], moment=asking["moment"]) is Outcome.UNKNOWN
    assert sheet.answer(do="write", at=at, faces=[4, 1, 3, 2], moment=asking["moment"]) is Fate.REFUSED
    assert sheet.answer(do="write", at=at, faces=[4, 1, 3, 2, 1], moment=asking["moment"]) is Fate.DONE
    assert match.scores == {"Ann": 30, "Ben": 0}
    assert match.request.player == "Ben"


@pytest.mark.parametrize("game", ["pig", "ten-thousand", "threes"])
def test_nothing_is_said_of_boxes_where_there_are_none(sheet: Sheet, game: str) -> None:
    """Keeping all dice leads to no box there."""
    sheet.begin(game)
    due = sheet.look()["asking"]["due"][0]["dice"]
    sheet.answer(do="enter", faces=[1] * due, moment=list(sheet.look()["asking"]["moment"]))
    asking = sheet.look()["asking"]
    assert asking is None or asking["boxes"] == []


def test_a_wish_that_nobody_takes_is_dropped() -> None:
    """Who has waited too long is told so, and it is not done later."""
    box = WishBox()
    fate = box.put(GiveAnswers((Choose("bank"),)))
    assert fate.cancel()
    assert box.take() == []
