"""Taps and answers on the page: they answer the question that their person saw; whole matches by them alone."""

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from people import People, pig_at
from tapped_table import TappedTable

from tabletop.core.ports import Press
from tabletop.dialogs.commands import ACCEPTED, REFUSED, STALE, Command, GiveAnswers, Inbox, Questions, Result, TakeLine
from tabletop.interpret.hints import ONE_MISSING
from tabletop.rules import Choose, Match, Throw, game_ids, load
from tabletop.session.snapshotting import ROLL_OR_BANK
from tabletop.store import Store
from tabletop.views.screen_care import OFF_AFTER_S
from tabletop.views.snapshot import Entry, MenuView, Snapshot, Spelling
from tabletop.web.payload import page_of


@pytest.fixture
def table(people: People) -> TappedTable:
    tapped = TappedTable(people)
    tapped.table.begin(None)
    pig_at(people, 4)
    tapped.look(5)
    return tapped


def become(put: Result | Future[Result]) -> Result:
    return put.result(0) if isinstance(put, Future) else put


def test_a_turn_of_pig(table: TappedTable) -> None:
    """BANK banks what was thrown, undo asks what to take back, the menu opens, and back closes it."""
    assert table.shown.at_stake == 4
    assert table.tap("bank") == ACCEPTED
    assert table.shown.scores == (4, 0)
    assert table.tap("undo") == ACCEPTED
    assert table.shown.menu is not None
    assert table.tap("undo") == ACCEPTED
    assert table.tap("menu") == ACCEPTED
    assert table.shown.menu is not None
    assert table.shown.menu.main


def test_a_line_is_taken_by_tapping_it(table: TappedTable) -> None:
    """Wherever HOLD has stepped to; the way back leads to that line."""
    table.tap("menu")
    assert table.take("scores") == ACCEPTED
    assert table.shown.menu is not None
    assert not table.shown.menu.main
    table.tap("undo")
    assert table.shown.menu.items[table.shown.menu.at] == "scores"
    assert table.take("play on") == ACCEPTED
    assert table.shown.menu is None


def test_a_face_is_entered_with_one_tap(people: People) -> None:
    """Where nobody watches the tray; a face that a die does not have changes nothing."""
    table = TappedTable(people, no_camera=True)
    table.table.begin(people.matches.begin(Match("pig", ("Ann", "Ben"))))
    table.look()
    assert table.tap("take", 4) == ACCEPTED
    assert table.shown.at_stake == 4


def test_a_name_is_spelled_with_a_tap_a_letter(people: People) -> None:
    """Wherever HOLD stands in the alphabet."""
    table = TappedTable(people)
    table.table.begin(None)
    table.look()
    for at in (0, -1, 0):  # Pig, other players, a new name
        assert table.shown.menu is not None
        table.tap("take", at % len(table.shown.menu.items))
    for letter in "Al":
        assert table.shown.spelling is not None
        assert table.tap("take", table.shown.spelling.letters.index(letter)) == ACCEPTED
    assert table.shown.spelling is not None
    assert table.shown.spelling.text == "Al"


@pytest.mark.parametrize("by_button", [False, True])
def test_of_two_who_bank_at_once_one_wins(table: TappedTable, *, by_button: bool) -> None:
    """Two devices, or a button and a device: one turn is banked, and the later one has to look again."""
    asks = table.shown.question_number
    first = table.inbox.put(Press("bank")) if by_button else table.put(do="bank", asks=asks)
    second = table.put(do="bank", asks=asks)
    table.look()
    assert (become(first), become(second)) == (ACCEPTED, STALE)
    assert table.send(do="bank", asks=asks) == STALE
    assert (table.shown.scores, table.shown.asked) == ((4, 0), "Ben")


def test_two_who_hold_do_not_roll_on(table: TappedTable) -> None:
    """HOLD asks again before it rolls on: that has to be meant, by somebody who saw it."""
    asks = table.shown.question_number
    first, second = (table.put(do="hold", asks=asks) for _ in range(2))
    table.look()
    assert (become(first), become(second)) == (ACCEPTED, STALE)
    assert table.send(do="hold", asks=asks) == STALE
    assert table.shown.at_stake == 4
    assert table.shown.awaited == 0
    assert table.tap("hold") == ACCEPTED
    assert table.shown.awaited == 1


def test_a_late_hold_pauses_nobody(table: TappedTable) -> None:
    """Meant to roll on, it comes when the turn has passed, where HOLD would pause the match."""
    asks = table.shown.question_number
    table.tap("bank")
    assert table.send(do="hold", asks=asks) == STALE
    assert (table.shown.asked, table.shown.paused) == ("Ben", False)


def test_a_tap_that_changes_nothing_does_not_lock_bank(table: TappedTable) -> None:
    """BANK that only says whose throw is due can be tapped again."""
    table.tap("bank")
    assert [table.tap("bank") for _ in range(3)] == [ACCEPTED] * 3


def test_a_tap_counts_while_the_display_is_dark(table: TappedTable) -> None:
    """The display is off after an hour, but the person who taps sees the page: BANK banks, and the display is lit."""
    table.people.now_s += OFF_AFTER_S
    table.look()
    assert table.table.care.light(table.people.now_s) == "off"
    table.tap("bank")
    assert table.shown.scores == (4, 0)
    assert table.table.care.light(table.people.now_s) == "full"


# Questions


def judged(questions: Questions, wants: Press | TakeLine, asked: int) -> Result | None:
    return questions.judge(Command(wants, asked))


LISTS = [
    (Snapshot(menu=MenuView("Which?", ("a", "b", "c", "d"))), 4),
    (Snapshot(spelling=Spelling("Name?", "An", ("a", "b", "n", "done"))), 4),
    (Snapshot(entry=Entry("Ann", (3,), 5, 1)), 7),
    (Snapshot("Pig", ("Ann", "Ben"), (0, 0)), 0),
]


@pytest.mark.parametrize(("shown", "length"), LISTS, ids=["menu", "letters", "faces", "no list"])
def test_only_a_line_that_is_there_can_be_taken(shown: Snapshot, length: int) -> None:
    """Others are refused, before any dialog sees them."""
    questions = Questions(500)
    questions.numbered(shown)
    taken = [at for at in range(-1, 70) if judged(questions, TakeLine(at), questions.number) is None]
    assert taken == [*range(length)]


def test_hold_may_step_quicker_than_the_phone_shows() -> None:
    """It names the list, wherever it has stepped to since; for another list it is stale, and so is BANK."""
    questions = Questions(500)
    questions.numbered(Snapshot(menu=MenuView("Which?", ("a", "b", "c"))))
    asks = questions.number
    for at in (1, 2):
        assert judged(questions, Press("hold"), asks) is None
        questions.close(Press("hold"))
        assert judged(questions, Press("hold"), asks) is None
        questions.numbered(Snapshot(menu=MenuView("Which?", ("a", "b", "c"), at)))
        assert judged(questions, Press("bank"), asks) == STALE
    questions.numbered(Snapshot(menu=MenuView("Really?", ("a", "b", "c"), 2)))
    assert judged(questions, Press("hold"), asks) == STALE
    assert judged(questions, Press("hold"), questions.number + 1) == STALE


@pytest.mark.parametrize("asked", [0, 499, 10**6])
def test_a_question_of_before_a_restart_is_stale(asked: int) -> None:
    """Numbers begin elsewhere at each start."""
    questions = Questions(500)
    questions.numbered(Snapshot("Pig", ("Ann", "Ben"), (0, 0)))
    assert judged(questions, Press("bank"), asked) == STALE


def test_what_bank_answers() -> None:
    """A hint or a lit button leaves the question as it is; another offer, or another line of a menu, does not."""
    asks = Snapshot("Pig", ("Ann", "Ben"), (3, 7), "Ann", ROLL_OR_BANK)
    for other, number in (
        ({"hint": ONE_MISSING}, 501),
        ({"pressed": "bank", "held": 0.5}, 501),
        ({"at_stake": 6}, 502),
        ({"asked": "Ben"}, 502),
        ({"paused": True}, 502),
    ):
        questions = Questions(500)
        questions.numbered(asks)
        assert questions.numbered(replace(asks, **other)).question_number == number


def test_what_cannot_be_done_is_refused(table: TappedTable) -> None:
    """Real dice cannot be thrown from a phone."""
    assert table.tap("throw") == REFUSED
    assert table.tap("dance") == REFUSED


NAMES = ["Ann", "Ben", "Cy"]
MOST_LOOKS = 250  # at one match: all kinds of questions come before
QUICK = ("mia", "everest", "mexico", "centennial")


class Sheet(TappedTable):
    """A table without camera and OLED: the player has nothing but the JSON of the page."""

    def __init__(self, store: Store, *, no_camera: bool = True) -> None:
        super().__init__(People(store), no_camera=no_camera)

    def begin(self, game: str) -> Match:
        players = NAMES[: max(2, load(game)[0].min_players)]
        session = self.people.matches.begin(Match(game, players))
        self.table.begin(session)
        self.look()
        return session.match

    def page(self) -> dict[str, Any]:
        """Let the table turn; return what the page gets."""
        return page_of(1, self.look())

    def answer(self, do: str, **sent: Any) -> Result:  # noqa: ANN401 - values of JSON
        return self.send(do=do, moment=list(self.page()["asking"]["moment"]), **sent)


@pytest.fixture
def sheet(tmp_path: Path) -> Iterator[Sheet]:
    with Store(tmp_path / "a.db") as store:
        yield Sheet(store)


def answer_for(asking: dict[str, Any], chance: Random) -> dict[str, Any]:
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


def test_a_throw_that_is_sent_again_counts_once(tmp_path: Path) -> None:
    """Its answer was lost on the way: late while it stands, after an undo, of a table started again, in a rematch."""
    with Store(tmp_path / "a.db") as store:
        sheet = Sheet(store)
        match = sheet.begin("yahtzee")
        sent = {"do": "enter", "faces": [6, 2, 6, 5, 6], "moment": list(sheet.page()["asking"]["moment"])}
        assert sheet.send(**sent) == ACCEPTED
        assert sheet.send(**sent) == STALE
        session = sheet.people.session
        session.undo(1, sheet.people.now_s)
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
    session = sheet.people.session
    result = sheet.inbox.put(GiveAnswers((Choose("ones"),)), session.journal.asked)
    session.answer(Throw((1, 1, 2, 3, 4)))
    before = len(match.log)
    sheet.look()
    assert result.result(0) == STALE
    assert len(match.log) == before


@pytest.mark.parametrize(
    "sent",
    [
        *(
            {"do": "enter", "faces": faces}
            for faces in ([1, 2, 3, 4], [1, 2, 3, 4, 7], [1, 2, 3, 4, True], "12345", None)
        ),
        *({"do": "keep", "faces": [1]}, {"do": "choose", "at": 0}, {"do": "choose", "at": "ones"}),
    ],
)
def test_what_is_no_answer_is_refused(sheet: Sheet, sent: dict[str, Any]) -> None:
    """To a throw of five dice that is entered."""
    match = sheet.begin("yahtzee")
    assert sheet.answer(**sent) == REFUSED
    assert len(match.log) == 0


def test_the_referee_has_the_last_word(sheet: Sheet) -> None:
    """A part that may not be kept is refused, and another can be kept afterwards."""
    match = sheet.begin("ten-thousand")
    assert sheet.answer("enter", faces=[1, 1, 5, 2, 3, 4]) == ACCEPTED
    assert sheet.answer("keep", faces=[2, 3]).status == "refused"
    assert sheet.answer("keep", faces=[1]) == ACCEPTED
    assert match.kept == (1,)


def test_a_throw_is_entered_only_where_nobody_watches(tmp_path: Path) -> None:
    """With a camera over the tray a throw is thrown."""
    with Store(tmp_path / "a.db") as store:
        sheet = Sheet(store, no_camera=False)
        match = sheet.begin("pig")
        assert sheet.page()["asking"] is None
        assert sheet.send(do="enter", faces=[6], moment=[1, 0]) == STALE
        result = sheet.inbox.put(GiveAnswers((Throw((6,)),)), (1, 0))
        sheet.look()
        assert result.result(0).status == "refused"
        assert len(match.log) == 0


def test_boxes_say_what_they_would_give_while_dice_are_kept(sheet: Sheet) -> None:
    """After the first throw of a Yahtzee turn, by its rule text; a box taken then keeps all dice first."""
    match = sheet.begin("yahtzee")
    sheet.answer("enter", faces=[4, 1, 3, 2, 1])
    gives = {box["label"]: box["gives"] for box in sheet.page()["asking"]["boxes"]}
    told = {"ones": 2, "twos": 2, "fours": 4, "sixes": 0, "small straight": 30, "large straight": 0, "chance": 11}
    assert {label: gives[label] for label in told} == told
    assert len(gives) == 13
    at = list(gives).index("small straight")
    assert sheet.answer("write", at=13, faces=[4, 1, 3, 2, 1]) == REFUSED
    assert sheet.answer("write", at=at, faces=[4, 1, 3, 2]).status == "refused"
    assert sheet.answer("write", at=at, faces=[4, 1, 3, 2, 1]) == ACCEPTED
    assert match.scores == {"Ann": 30, "Ben": 0}
    assert match.request.player == "Ben"


@pytest.mark.parametrize("game", ["pig", "ten-thousand", "threes"])
def test_nothing_is_said_of_boxes_where_there_are_none(sheet: Sheet, game: str) -> None:
    """Keeping all dice leads to no box there."""
    sheet.begin(game)
    due = sheet.page()["asking"]["due"][0]["dice"]
    sheet.answer("enter", faces=[1] * due)
    asking = sheet.page()["asking"]
    assert asking is None or asking["boxes"] == []


@pytest.mark.parametrize(
    ("game", "faces", "again"),
    [("ten-thousand", [1, 1, 1, 5, 5, 5], 6), ("ten-thousand", [1, 1, 1, 5, 5, 2], 0), ("yahtzee", [1] * 5, 0)],
)
def test_it_says_how_many_dice_follow_where_all_are_kept(sheet: Sheet, game: str, faces: list[int], again: int) -> None:
    """Rules of Dice Play: "Should all six dice be set aside as scoring then the player may roll them all again"."""
    sheet.begin(game)
    sheet.answer("enter", faces=faces)
    assert sheet.page()["asking"]["again"] == again


def test_a_command_that_nobody_takes_is_dropped() -> None:
    """The page gives it up after a while, and it is not carried out later."""
    inbox, calls = Inbox(lambda: 1.0), list[int]()
    inbox.listen(lambda: calls.append(1))
    result = inbox.put(GiveAnswers((Choose("bank"),)))
    assert calls == [1]
    assert result.cancel()
    assert inbox.take() == []
