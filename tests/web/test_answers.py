"""Answers given on the page: whole matches by them alone, and what happens to those that come too late or are wrong."""

from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from random import Random
from typing import Any

import pytest
from people import People
from tapped_table import TappedTable

from tabletop.dialogs.commands import ACCEPTED, REFUSED, STALE, Inbox
from tabletop.dialogs.decisions import GiveAnswers
from tabletop.rules import Choose, Match, Throw, game_ids, load
from tabletop.store import Store
from tabletop.web.payload import page_of

NAMES = ["Ann", "Ben", "Cy"]
MOST_LOOKS = 250  # at one match: all kinds of questions come before
QUICK = ("mia", "everest", "mexico", "centennial")


class Sheet(TappedTable):
    """A table without camera and OLED: whoever plays here has nothing but the JSON of the page."""

    def __init__(self, store: Store, *, no_camera: bool = True) -> None:
        super().__init__(People(store), no_camera=no_camera)

    def begin(self, game: str) -> Match:
        """Begin a match."""
        players = NAMES[: max(2, load(game)[0].min_players)]
        session = self.people.matches.begin(Match(game, players))
        self.table.begin(session)
        self.look()
        return session.match

    def page(self) -> dict[str, Any]:
        """Let the table turn; return what the page gets."""
        return page_of(1, self.look())


@pytest.fixture
def sheet(tmp_path: Path) -> Iterator[Sheet]:
    """Sit down with nothing but the page."""
    with Store(tmp_path / "a.db") as store:
        yield Sheet(store)


def answer_for(asking: dict[str, Any], chance: Random) -> dict[str, Any]:
    """Return any answer that the page may give."""
    sent: dict[str, Any] = {"moment": list(asking["moment"])}
    if asking["due"]:
        dice = sum(one["dice"] for one in asking["due"])
        return sent | {"do": "enter", "faces": [chance.randint(1, 6) for _ in range(dice)]}
    if asking["legal"]:
        return sent | {"do": "keep", "faces": list(chance.choice(asking["legal"]))}
    return sent | {"do": "choose", "at": chance.randrange(len(asking["options"]))}


def play(sheet: Sheet, game: str, most: int) -> Match:
    """Play a match from the page's JSON alone, and compare what it says with the match."""
    chance, match = Random(game), sheet.begin(game)
    for _ in range(most):
        now = sheet.page()
        assert [player["score"] for player in now["players"]] == list(match.scores.values())
        if match.over:
            break
        if now["asking"] is None:
            assert sheet.tap("bank" if chance.random() < 0.7 else "hold") == ACCEPTED
        else:
            sent = answer_for(now["asking"], chance)
            assert sheet.send(**sent) == ACCEPTED, (now, sent)
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
    sent = {"do": "enter", "faces": [4], "moment": list(sheet.page()["asking"]["moment"])}
    first, second = sheet.put(**sent), sheet.put(**{**sent, "faces": [6]})
    sheet.look()
    assert isinstance(first, Future)
    assert isinstance(second, Future)
    assert (first.result(0), second.result(0)) == (ACCEPTED, STALE)
    assert sheet.send(**sent) == STALE
    assert [event.value for event in match.log if event.kind == "throw"] == [(4,)]


def test_a_throw_that_is_sent_again_counts_once(tmp_path: Path) -> None:
    """Its answer was lost on the way: late while it stands, after an undo, of a table started again, in a rematch."""
    with Store(tmp_path / "a.db") as store:
        sheet = Sheet(store)
        match = sheet.begin("yahtzee")
        sent = {"do": "enter", "faces": [6, 2, 6, 5, 6], "moment": list(sheet.page()["asking"]["moment"])}
        assert sheet.send(**sent) == ACCEPTED
        assert sheet.send(**sent) == STALE
        session = sheet.table.session
        assert session is not None
        session.undo(1, (), sheet.people.now_s)
        assert sheet.page()["asking"]["kind"] == "roll"  # the same question, but it was answered before
        assert sheet.send(**sent) == STALE
        assert [entry.kind for entry in match.log] == ["throw", "undo"]
        again = {**sent, "moment": list(sheet.page()["asking"]["moment"])}
        assert sheet.send(**again) == ACCEPTED
        number = session.journal.number
    with Store(tmp_path / "a.db") as store:
        sheet = Sheet(store)
        resumed = sheet.people.matches.resume(number)
        sheet.table.begin(resumed)
        for late in (sent, again):
            sheet.look()
            assert sheet.send(**late) == STALE
        assert [entry.kind for entry in resumed.match.log] == ["throw", "undo", "throw"]
        rematch = sheet.begin("yahtzee")
        assert sheet.send(**sent) == STALE
        assert len(rematch.log) == 0


def test_an_answer_to_what_is_no_longer_asked_changes_nothing(sheet: Sheet) -> None:
    """The match goes on while an answer is on its way: it names another moment, and is dropped."""
    match = sheet.begin("yahtzee")
    session = sheet.table.session
    assert session is not None
    result = sheet.inbox.put(GiveAnswers((Choose("ones"),)), session.journal.asked)
    session.answer(Throw((1, 1, 2, 3, 4)))
    before = len(match.log)
    sheet.look()
    assert result.result(0) == STALE
    assert len(match.log) == before


@pytest.mark.parametrize(
    "sent",
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
def test_what_is_no_answer_is_refused(sheet: Sheet, sent: dict[str, Any]) -> None:
    """To a throw of five dice that is entered."""
    match = sheet.begin("yahtzee")
    moment = list(sheet.page()["asking"]["moment"])
    assert sheet.send(**sent, moment=moment) == REFUSED
    assert len(match.log) == 0


def test_the_referee_has_the_last_word(sheet: Sheet) -> None:
    """A part that may not be kept is refused, and another can be kept afterwards."""
    match = sheet.begin("ten-thousand")
    asking = sheet.page()["asking"]
    faces = [1, 1, 5, 2, 3, 4][: asking["due"][0]["dice"]]
    assert sheet.send(do="enter", faces=faces, moment=list(asking["moment"])) == ACCEPTED
    moment = list(sheet.page()["asking"]["moment"])
    assert sheet.send(do="keep", faces=[2, 3], moment=moment).status == "refused"
    assert sheet.send(do="keep", faces=[1], moment=moment) == ACCEPTED
    assert match.kept == (1,)


def test_a_throw_is_entered_only_where_nobody_watches(tmp_path: Path) -> None:
    """With a camera over the tray a throw is thrown."""
    with Store(tmp_path / "a.db") as store:
        sheet = Sheet(store, no_camera=False)
        match = sheet.begin("pig")
        assert sheet.page()["asking"] is None
        assert sheet.send(do="enter", faces=[6], moment=[1, 0]) == STALE
        session = sheet.table.session
        assert session is not None
        result = sheet.inbox.put(GiveAnswers((Throw((6,)),)), (1, 0))
        sheet.look()
        assert result.result(0).status == "refused"
        assert len(match.log) == 0


def test_boxes_say_what_they_would_give_while_dice_are_kept(sheet: Sheet) -> None:
    """After the first throw of a Yahtzee turn, by its rule text; a box taken then keeps all dice first."""
    match = sheet.begin("yahtzee")
    sheet.send(do="enter", faces=[4, 1, 3, 2, 1], moment=list(sheet.page()["asking"]["moment"]))
    asking = sheet.page()["asking"]
    gives = {box["label"]: box["gives"] for box in asking["boxes"]}
    told = {"ones": 2, "twos": 2, "fours": 4, "sixes": 0, "small straight": 30, "large straight": 0, "chance": 11}
    assert {label: gives[label] for label in told} == told
    assert len(gives) == 13
    at = [box["label"] for box in asking["boxes"]].index("small straight")
    assert sheet.send(do="write", at=13, faces=[4, 1, 3, 2, 1], moment=asking["moment"]) == REFUSED
    assert sheet.send(do="write", at=at, faces=[4, 1, 3, 2], moment=asking["moment"]).status == "refused"
    assert sheet.send(do="write", at=at, faces=[4, 1, 3, 2, 1], moment=asking["moment"]) == ACCEPTED
    assert match.scores == {"Ann": 30, "Ben": 0}
    assert match.request.player == "Ben"


@pytest.mark.parametrize("game", ["pig", "ten-thousand", "threes"])
def test_nothing_is_said_of_boxes_where_there_are_none(sheet: Sheet, game: str) -> None:
    """Keeping all dice leads to no box there."""
    sheet.begin(game)
    due = sheet.page()["asking"]["due"][0]["dice"]
    sheet.send(do="enter", faces=[1] * due, moment=list(sheet.page()["asking"]["moment"]))
    asking = sheet.page()["asking"]
    assert asking is None or asking["boxes"] == []


def test_a_command_that_nobody_takes_is_dropped() -> None:
    """The page gives it up after a while, and it is not carried out later."""
    inbox, calls = Inbox(lambda: 1.0), list[int]()
    inbox.listen(lambda: calls.append(1))
    result = inbox.put(GiveAnswers((Choose("bank"),)))
    assert calls == [1]
    assert result.cancel()
    assert inbox.take() == []
