"""What is celebrated, and the best moments of a match: worked out by hand from the rules, then over all games."""

from random import Random

import pytest

from tabletop.rules import Answer, Choose, Keep, Match, Throw, game_ids
from tabletop.rules.conformance.trial import random_answer
from tabletop.session.cheers import highlights
from tabletop.session.manual_entry import ManualEntry
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import Course, MatchDisplay
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.snapshot import Highlight, Snapshot

ROLL, BANK = Choose("roll"), Choose("bank")
MOST_CHEERS = 1 / 3  # of all answers, where all play at random; more would be noise
SEATED = {"lcr": "Ann Ben Cleo"}  # which needs three


class Table:
    """A match whose display is looked at after each answer."""

    def __init__(self, game: str, players: str = "Ann Ben", **options: object) -> None:
        self.session = MatchSession(Match(game, players.split(), **options))
        self.display = MatchDisplay(ManualEntry(no_camera=False))
        self.display.begin(self.session)

    def after(self, *answers: Answer) -> str:
        """Give these answers; return what is celebrated after the last, empty for nothing."""
        shown = Snapshot()
        for answer in answers:
            self.session.give(answer)
            shown = self.display.show(self.session, None, 0.0)
        return shown.cheer


def test_points_that_could_have_been_banked_are_lost() -> None:
    """Not on the first throw of a turn, and not by banking."""
    table = Table("pig")
    assert table.after(Throw((1,))) == ""
    assert table.after(Throw((6,)), BANK) == ""
    assert table.after(Throw((5,)), ROLL, Throw((4,)), ROLL) == ""
    assert table.after(Throw((1,))) == "bust"
    assert table.after(Throw((1,))) == ""  # Ben had nothing to lose


def test_a_throw_that_is_taken_back_is_not_celebrated() -> None:
    table = Table("pig")
    table.after(Throw((5,)), ROLL, Throw((1,)))
    table.session.undo(1, 0.0)
    assert table.display.show(table.session, None, 0.0).cheer == ""


def test_other_busts() -> None:
    """Twenty One: beyond 21. Ten Thousand: no die scores."""
    table = Table("twenty-one")
    assert table.after(Throw((6,)), ROLL, Throw((6,)), ROLL, Throw((6,)), ROLL, Throw((6,))) == "bust"
    table = Table("ten-thousand")
    table.after(Throw((1, 1, 1, 2, 3, 4)), Keep((1, 1, 1)), ROLL)
    assert table.after(Throw((2, 3, 4))) == "bust"


def test_all_dice_score() -> None:
    table = Table("ten-thousand")
    assert table.after(Throw((1, 1, 1, 5, 5, 2)), Keep((1, 1, 1, 5, 5)), ROLL) == ""
    assert table.after(Throw((5,))) == "hot dice"


@pytest.mark.parametrize(
    ("game", "text", "german"),
    [("yahtzee", "yahtzee", "Kniffel"), ("yatzy", "yatzy", "Yatzy"), ("threes", "5 alike", "5 Gleiche")],
)
def test_all_dice_alike(game: str, text: str, german: str) -> None:
    """They are called what their box is called, in the language of the table."""
    table = Table(game)
    assert table.after(Throw((4, 4, 4, 4, 4))) == text
    shown = translated(table.display.show(table.session, None, 0.0), load_language("de"))
    assert shown.cheer == german


def test_throws_that_gave_a_game_its_name() -> None:
    table = Table("mexico")
    assert table.after(Throw((2, 2))) == ""
    assert table.after(ROLL, Throw((1, 2))) == "Mexico"


def test_the_box_is_shut() -> None:
    table = Table("shut-the-box")
    for tiles in ("4 5", "3 6", "1 8", "9"):
        assert table.after(Throw((4, 5)), Choose(tiles)) == ""
    assert table.after(Throw((4, 5))) == "box shut"


def test_who_overtakes_takes_the_lead() -> None:
    """Not the first to score, and not the leader of a moment ago: Ann leads, Ben passes her, she passes him again."""
    table = Table("pig")
    assert table.after(Throw((5,)), BANK) == ""
    assert table.after(Throw((6,)), BANK) == "Ben takes the lead"
    assert table.after(Throw((5,)), BANK) == ""
    assert table.after(Throw((1,)), Throw((2,)), BANK) == ""
    table.after(Throw((6,)), BANK)
    assert table.after(Throw((2,)), BANK) == ""
    assert table.after(Throw((6,)), BANK) == "Ben takes the lead"


@pytest.mark.parametrize("names", [["Ann", "Zoe"], ["Zoe", "Ann"]])
def test_of_equal_turns_the_first_is_the_best(names: list[str]) -> None:
    """Whatever the names: 2-0, 2-6, 8-6, 8-10, 12-10."""
    match = Match("pig", names, target=12)
    for face in (2, 6, 6, 4, 4):
        match.throw((face,))
        match.choose("bank")
    assert highlights(match, Course().whole(match))[0] == Highlight("gain", 6, names[1])


@pytest.mark.parametrize("game", game_ids())
def test_no_game_is_noisy(game: str) -> None:
    """A random match: few answers are celebrated, and what is called bust has brought its thrower nothing."""
    chance, table = Random(game), Table(game, SEATED.get(game, "Ann Ben"))
    given = cheered = 0
    while not table.session.match.over:
        before = table.session.match.scores
        given += 1
        text = table.after(random_answer(table.session.match.request, chance))
        cheered += bool(text)
        if text == "bust":
            assert table.session.match.scores == before
    assert cheered <= MOST_CHEERS * given


def test_the_best_moments_of_a_match() -> None:
    """Worked out by hand: 6-0, 6-4, 8-4, 8-9, 13-9, 13-14, 15-14, 15-19, 17-19, 17-24."""
    match = Match("pig", ["Ann", "Ben"], target=20)
    for face in (6, 4, 2, 5, 5, 5, 2, 5, 2, 5):
        match.throw((face,))
        match.choose("bank")
    assert match.winners == ("Ben",)
    assert highlights(match, Course().whole(match)) == (
        Highlight("gain", 6, "Ann"),
        Highlight("comeback", 6, "Ben"),
        Highlight("margin", 7, "Ben"),
        Highlight("throws", 10),
        Highlight("often", 5, face=5),
        Highlight("rare", 0, face=1),
    )


@pytest.mark.parametrize("game", game_ids())
def test_every_game_has_three_moments(game: str) -> None:
    """And they appear when the winner does, not before."""
    chance, table = Random(game), Table(game, SEATED.get(game, "Ann Ben"))
    while not table.session.match.over:
        assert table.display.show(table.session, None, 0.0).highlights == ()
        table.after(random_answer(table.session.match.request, chance))
    assert len(table.display.show(table.session, None, 0.0).highlights) >= 3
