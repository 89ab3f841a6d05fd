"""What the page gets: the words and figures that the other views show, what has happened, what a face would change."""

import json
from collections.abc import Iterator
from random import Random

import pytest
from oled_games import moments

from tabletop.core.values import Die, Reading, Rest
from tabletop.dialogs.commands import Correct
from tabletop.rules import Answer, Choose, Keep, Match, Throw, game_ids
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import ROLL_OR_BANK
from tabletop.session.snapshotting import snapshot as snapshot_of
from tabletop.views.i18n.catalogue import languages, load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.panel import status, told
from tabletop.web.payload import SHORT, DieOfThrow, Lookback, packed, page_of

TABLE = Snapshot("Pig", ("Ann", "Ben"), (3, 7), "Ann", ROLL_OR_BANK, at_stake=5, thrown=(5,), kept=(False,))


def shown(language: str) -> Iterator[Snapshot]:
    words = load_language(language)
    for game_id in game_ids():
        for moment in moments(game_id).values():
            for snapshot in moment:
                yield translated(snapshot, words)


@pytest.mark.parametrize("language", sorted(languages()))
def test_the_page_says_what_the_terminal_says(language: str) -> None:
    """Every text of the terminal's line stands in what the page gets; scores, dice and sheet are the snapshot's."""
    kinds = set()
    for snapshot in shown(language):
        page = json.loads(packed(page_of(1, snapshot)))
        line, players = told(snapshot), page["players"]
        assert [player["name"] for player in players] == list(snapshot.players)
        assert [player["score"] for player in players] == list(snapshot.scores)
        assert {player["name"] for player in players if player["won"]} == set(snapshot.winners)
        assert [(die["face"], die["kept"]) for die in page["dice"]] == [
            *zip(snapshot.thrown, snapshot.kept, strict=True)
        ]
        assert page["sheet"] == [list(row) for row in snapshot.sheet]
        if snapshot.menu is not None:
            kinds.add("menu")
            assert (page["menu"]["title"], page["menu"]["note"]) == (snapshot.menu.title, snapshot.menu.note)
            assert page["menu"]["items"] == list(snapshot.menu.items)
            assert status(snapshot).endswith(page["menu"]["items"][page["menu"]["at"]])
        elif snapshot.winners:
            kinds.add("end")
            assert page["over"] == status(snapshot)
        else:
            kinds.add("match")
            texts = (page["asked"], page["ask"], page["hint"], page["stake"])
            assert [text for text in texts if text.casefold() not in line.casefold()] == []
    assert kinds == {"menu", "end", "match"}


@pytest.mark.parametrize(("fewest_win", "leader"), [(False, ["Ben"]), (True, ["Ann"])])
def test_who_leads(fewest_win: bool, leader: list[str]) -> None:
    """The most points, or the fewest where the fewest win; nobody while all are level."""
    table = Snapshot("Pig", ("Ann", "Ben"), (3, 7), fewest_win=fewest_win)
    level = Snapshot("Pig", ("Ann", "Ben"), (7, 7), fewest_win=fewest_win)
    assert [player["name"] for player in page_of(1, table)["players"] if player["leads"]] == leader
    assert [player["name"] for player in page_of(1, level)["players"] if player["leads"]] == []


def test_the_words_are_in_the_language_of_the_table() -> None:
    """No word of the page stays English in German, and the page knows which language it is in."""
    english, german = (page_of(1, translated(TABLE, load_language(code)))["words"] for code in ("en", "de"))
    assert (english["language"], german["language"]) == ("en", "de")
    assert english.keys() == german.keys()
    assert {name for name in german if german[name] == english[name]} <= {"language"}


@pytest.mark.parametrize(
    ("game_id", "kind", "awaited"),
    [("centennial", "start", 3), ("beetle", "start", 1), ("yahtzee", "start", 5), ("yahtzee", "keep", 0)],
)
def test_the_dice_that_are_awaited_are_drawn(game_id: str, kind: str, awaited: int) -> None:
    """As many as the rules throw at the start of a turn (three, one, five), and none where a choice is asked."""
    assert page_of(1, moments(game_id)[kind][0])["awaited"] == awaited


def session_of(game: str, *answers: Answer, players: tuple[str, ...] = ("Ann", "Ben")) -> MatchSession:
    session = MatchSession(Match(game, players))
    for answer in answers:
        session.give(answer)
    return session


def seen_of(session: MatchSession) -> Snapshot:
    return snapshot_of(session, None)


def test_a_die_is_of_the_newest_throw() -> None:
    """Unless it was kept from an earlier one of the turn: of three threes the two that were kept are."""
    session = session_of("yahtzee", Throw((2, 3, 3, 5, 6)), Keep((3, 3)), Throw((1, 3, 4)))
    now = seen_of(session)
    assert list(zip(now.thrown, Lookback(now).row(), strict=True)) == [
        (1, DieOfThrow(3, "", 1)),
        (3, DieOfThrow(1, "", 3)),
        (3, DieOfThrow(1, "", 3)),
        (3, DieOfThrow(3, "", 3)),
        (4, DieOfThrow(3, "", 4)),
    ]


def test_whose_die_it_is() -> None:
    """In a joint throw each die is its player's, and is corrected for him alone; before a throw there is none."""
    session = session_of("catch-up")
    assert Lookback(seen_of(session)).row() == []
    session.give(Throw({"Ann": (3,), "Ben": (5,)}))
    past = Lookback(seen_of(session))
    assert past.row() == [DieOfThrow(1, "Ann", 3), DieOfThrow(1, "Ben", 5)]
    right = past.correction(DieOfThrow(1, "Ben", 5), 6)
    assert right is not None
    assert right.answer == Throw({"Ann": (3,), "Ben": (6,)})


@pytest.mark.parametrize(
    ("face", "text"), [(6, "at stake 6"), (1, "at stake 0; then it is Ben's turn"), (2, "at stake 2")]
)
def test_what_another_face_would_change(face: int, text: str) -> None:
    """By the rules of Pig: a one loses the turn, any other face is at stake."""
    changes = Lookback(seen_of(session_of("pig", Throw((4,))))).would_change(DieOfThrow(1, "", 4))
    assert changes is not None
    assert {change["face"]: change["text"] for change in changes["faces"]}[face] == text
    assert changes["entries"] == 1


def test_of_many_answers_that_are_lost_the_first_is_named() -> None:
    """Six faces stand beside one another on a phone: the first answer that no longer counts, and how many more."""
    session = session_of("pig", Throw((4,)), Choose("bank"), *[Throw((1,))] * 6)
    changes = Lookback(seen_of(session)).would_change(DieOfThrow(1, "", 4))
    assert changes is not None
    assert changes["faces"][0]["text"].endswith("; 7 answers are lost; Ann: banked 4; and 6 more")


def test_after_a_correction_answers_are_said_to_give_what_they_give_now() -> None:
    """Ann banked six; her die was a three: she has three, and page and display both say that she banked three."""
    session = session_of("pig", Throw((6,)), Choose("bank"), Throw((4,)))
    session.correct(1, Throw((3,)), 0.0)
    now = seen_of(session)
    assert now.scores == (3, 0)
    assert [event["text"] for event in Lookback(now).history(whole=True)["events"]] == [
        "Ben: threw 4",
        "Ann: banked 3",
        "Ann: threw 3",
    ]
    assert now.happened == ("Ann: threw 3", "Ann: banked 3", "Ben: threw 4")


def test_it_is_said_in_the_language_of_the_table() -> None:
    """Events and what would change, in German."""
    now = translated(seen_of(session_of("pig", Throw((4,)), Choose("roll"))), load_language("de"))
    past = Lookback(now)
    assert [event["text"] for event in past.history(whole=True)["events"]][-1] == "Ann: Wurf 4"
    changes = past.would_change(DieOfThrow(1, "", 4))
    assert changes is not None
    assert "dann ist Ben dran" in changes["faces"][0]["text"]


def test_a_correction_names_what_it_replaces() -> None:
    """The whole throw with the one face changed; a throw that shows the old face no more gives none."""
    past = Lookback(seen_of(session_of("yahtzee", Throw((2, 3, 3, 5, 6)))))
    was = Throw((2, 3, 3, 5, 6))
    assert past.correction(DieOfThrow(1, "", 3), 4) == Correct(1, Throw((2, 3, 4, 5, 6)), was=was)
    for gone in (DieOfThrow(1, "", 4), DieOfThrow(2, "", 3), DieOfThrow(0, "", 3), DieOfThrow(1, "Ann", 1)):
        assert past.correction(gone, 2) is None
        assert past.would_change(gone) is None


def test_the_second_guess_travels_with_the_die() -> None:
    """Of two fours the one read less surely; a guess that is the face itself is none, nor one of an older throw."""
    session = session_of("yahtzee")
    dice = [
        Die(face, 50.0 * at, 50.0, 30.0, 0.0, "red", sure, second=second)
        for at, (face, sure, second) in enumerate([(4, 0.99, 6), (4, 0.7, 5), (2, 0.9, 2), (1, 0.9, 0), (6, 0.8, 5)])
    ]
    rest = Rest(Reading(20.0, 640, 480, tuple(dice)), (20.0,) * 5)
    session.on_rest(rest, moving_hint=False)
    past = Lookback(seen_of(session))
    guesses = {face: past.second_guess(DieOfThrow(1, "", face)) for face in (1, 2, 4, 6)}
    assert guesses == {4: 5, 6: 5, 2: 0, 1: 0}
    assert past.history(whole=False)["events"][0]["dice"][1] == {"number": 1, "who": "", "face": 2, "guess": 0}


def test_the_history_is_short_at_first() -> None:
    """All events of a random match stand in the whole one, newest first; the short one is its beginning."""
    chance, session = Random(1), session_of("yahtzee")
    for _ in range(40):
        request = session.match.request
        if request.kind == "roll":
            assert isinstance(request.dice, int)
            session.give(Throw(tuple(sorted(chance.randint(1, 6) for _ in range(request.dice)))))
        elif request.kind == "keep":
            session.give(Keep(chance.choice(request.legal)))
        else:
            session.give(Choose(chance.choice(request.options)))
    past = Lookback(seen_of(session))
    whole, short = past.history(whole=True), past.history(whole=False)
    assert short["events"] == whole["events"][:SHORT]
    assert short["more"] == len(whole["events"]) - SHORT > 10
    thrown = [event for event in reversed(whole["events"]) if event["kind"] == "throw"]
    faces = [tuple(die["face"] for die in event["dice"]) for event in thrown]
    assert faces == [event.value for event in session.match.events if event.kind == "throw"]


def test_nothing_to_look_back_on() -> None:
    """Before a match."""
    past = Lookback(Snapshot())
    assert past.history(whole=True) == {"entries": 0, "events": [], "more": 0}
    assert past.row() == []
