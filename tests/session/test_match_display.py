"""What a match shows: the throw that ended it before the winner, what has happened, and how the scores went."""

from pathlib import Path
from random import Random

import pytest
from people import People, pig_at
from somebody import Somebody

from tabletop.rules import Match
from tabletop.rules.conformance.trial import random_answer
from tabletop.session.snapshotting import MOST_POINTS, Course
from tabletop.store import Store


def before_the_last_throw(game: str) -> tuple[Match, tuple[int, ...]]:
    """Play at random to the end; return the match before the throw that came last, and that throw."""
    chance, match = Random(game), Match(game, ["Ann", "Ben"])
    while not match.over:
        match.apply(*match.draft(random_answer(match.request, chance)))
    *before, last = match.events
    assert isinstance(last.value, tuple)
    return Match.replay(game, match.seated, match.options, before), last.value


def the_last_boxes() -> Match:
    """Return a Yahtzee in which Ben's third throw fills his last box, which is for twos."""
    match = Match("yahtzee", ["Ann", "Ben"])
    while len(match.request.options) != 1:
        match.throw((2, 2, 3, 4, 6))
        match.keep((2, 2, 3, 4, 6))
        if len(match.request.options) > 1:
            match.choose(next(box for box in match.request.options if box != "twos"))
    match.choose("twos")
    for kept in (2, 2), (2, 2, 2):
        match.throw((2, 2, 3, 4, 6) if len(kept) == 2 else (2, 5, 5))
        match.keep(kept)
    return match


def test_the_last_box_of_a_yahtzee(people: People) -> None:
    """Three twos and a fourth: 8 is read beside the dice, then who has won, without a press."""
    people.table.begin(people.matches.begin(the_last_boxes()))
    shown = people.throw(2, 6)
    session = people.session
    assert session.match.over
    assert (shown.winners, shown.thrower, shown.thrown) == ((), "Ben", (2, 2, 2, 2, 6))
    assert (shown.hint, shown.hold, shown.bank) == ("Ben writes 8 for twos", "", "who won?")
    people.now_s += 8.0
    assert people.table.tick(people.now_s).winners == ()
    people.now_s += 2.0
    shown = people.table.tick(people.now_s)
    assert (shown.winners, shown.bank) == (session.match.winners, "again")


def test_any_press_turns_to_who_has_won_and_begins_nothing(tmp_path: Path) -> None:
    for button in ("bank", "hold"):
        with Store(tmp_path / f"{button}.db") as store:
            somebody = Somebody(store, no_camera=True)
            match = somebody.play(the_last_boxes())
            assert somebody.tell(2, 6).winners == ()
            shown = somebody.press(button)
            assert (shown.winners, shown.bank) == (match.winners, "again")


@pytest.mark.parametrize("game", ["going-to-boston", "drop-dead", "multiplication", "dice-golf"])
def test_every_end_by_a_throw(people: People, game: str) -> None:
    """Other games, in which the last thing is a throw: who threw is named, with the dice; nobody has won yet."""
    match, faces = before_the_last_throw(game)
    thrower = match.request.player
    people.table.begin(people.matches.begin(match))
    shown = people.throw(*faces)
    assert (shown.winners, shown.thrower, shown.bank) == ((), thrower, "who won?")
    assert set(faces) <= set(shown.thrown)
    assert people.press("hold").winners != ()


def test_a_match_that_is_ended_by_a_press_says_at_once_who_has_won(people: People) -> None:
    pig_at(people, 6, target=6)
    shown = people.press("bank")
    assert (shown.winners, shown.bank) == (("Ann",), "again")


def test_an_undo_of_the_last_throw_and_another_one(people: People) -> None:
    """Long BANK while it is shown takes it back; the throw that comes then is shown as well."""
    people.table.begin(people.matches.begin(the_last_boxes()))
    people.throw(2, 6)
    shown = people.press("long bank", "bank")
    assert (shown.asked, shown.ask) == ("Ben", "throw 2 dice")
    shown = people.throw(3, 6)
    assert (shown.winners, shown.hint) == ((), "Ben writes 6 for twos")


def test_a_match_resumed_at_its_end_shows_who_has_won(people: People) -> None:
    match = the_last_boxes()
    match.throw((2, 6))
    match.choose("twos")
    people.table.begin(people.matches.begin(match))
    assert people.table.tick(people.now_s).winners == match.winners


def test_events_stand_in_their_order_and_go_when_they_are_taken_back(people: People) -> None:
    """Throws and choices as they were made, newest last; after an undo without what was taken back."""
    people.table.begin(people.matches.begin(Match("pig", ["Ann", "Ben"])))
    people.throw(4)
    people.throw(2)
    shown = people.press("bank")
    assert shown.happened == ("Ann: threw 4", "Ann: rolled on", "Ann: threw 2", "Ann: banked 6")
    people.press("long bank")
    shown = people.press("bank")
    assert shown.happened == ("Ann: threw 4", "Ann: rolled on", "Ann: threw 2")


def test_answers_that_nobody_gave_are_left_out(people: People) -> None:
    """A single 5 among dice that score nothing is kept automatically: nobody needs to read that."""
    match = Match("ten-thousand", ["Ann", "Ben"])
    match.throw((2, 2, 3, 4, 5, 6))
    match.keep((5,))
    people.table.begin(people.matches.begin(match))
    assert people.table.tick(people.now_s).happened == ("Ann: threw 2 2 3 4 5 6",)


def test_a_throw_under_the_cup_is_told_without_its_faces(people: People) -> None:
    """What only one player has seen is a throw for everybody else; of several who throw at once, theirs."""
    for game, who in (("mia", "Ann"), ("liars-dice", "all")):
        match = Match(game, ["Ann", "Ben"])
        match.choose("hidden")
        people.table.begin(people.matches.begin(match))
        assert people.table.tick(people.now_s).happened == (f"{who}: threw under the cup",)


def test_a_long_match_is_cut_at_its_beginning(people: People) -> None:
    match = Match("pig", ["Ann", "Ben"], target=100)
    for _ in range(20):
        match.throw((2,))
        match.choose("bank")
    people.table.begin(people.matches.begin(match))
    shown = people.table.tick(people.now_s)
    assert len(shown.happened) == 24
    assert shown.happened[-1] == "Ben: banked 2"


def banked(match: Match, *faces: int) -> None:
    for face in faces:
        match.throw([face])
        match.choose("bank")


def test_each_bank_is_a_point_of_the_course() -> None:
    """Ann 3, Ben 5, Ann 4: a point for each, from the beginning, in a match that was resumed as well."""
    match, course = Match("pig", ["Ann", "Ben"]), Course()
    for face in (3, 5, 4):
        banked(match, face)
        course.of(match)
    assert course.of(match) == Course().of(match) == ((0, 0), (3, 0), (3, 5), (7, 5))


def test_what_is_taken_back_was_never_there() -> None:
    """After an undo, and where a die is corrected, it is as if it had gone so."""
    match, course = Match("pig", ["Ann", "Ben"]), Course()
    banked(match, 3, 5)
    course.of(match)
    match.undo()
    match.choose("roll")
    match.throw([6])
    match.choose("bank")
    assert course.of(match) == ((0, 0), (3, 0), (3, 11))
    match.correct(1, [2])
    assert course.of(match) == ((0, 0), (2, 0), (2, 11))


def test_a_long_match_is_thinned_out() -> None:
    """No more points than a phone can show; the first and the newest are among them, and none goes back."""
    match, course = Match("pig", ["Ann", "Ben"], target=1000), Course()
    banked(match, *[6, 2] * 100)
    points = course.of(match)
    assert (len(points), points[0], points[-1]) == (MOST_POINTS, (0, 0), (600, 200))
    assert list(points) == sorted(points)


def test_who_leaves_keeps_his_score() -> None:
    match, course = Match("pig", ["Ann", "Ben", "Cy"]), Course()
    banked(match, 3)
    course.of(match)
    match.leave("Ben")
    banked(match, 4)
    assert course.of(match)[-1][0] == 3
    assert course.of(match)[-1][2] == 4
