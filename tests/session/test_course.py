"""How the scores went: as they were after each bank, also after an undo, a correction and a resume."""

from tabletop.rules import Match
from tabletop.session.match_display import MOST_POINTS, Course


def banked(match: Match, *faces: int) -> None:
    """Throw each of these once and bank it, one player after the other."""
    for face in faces:
        match.throw([face])
        match.choose("bank")


def test_each_bank_is_a_point_of_the_course() -> None:
    """Ann 3, Ben 5, Ann 4: a point for each, from the beginning."""
    match, course = Match("pig", ["Ann", "Ben"]), Course()
    for face in (3, 5, 4):
        banked(match, face)
        course.of(match)
    assert course.of(match) == ((0, 0), (3, 0), (3, 5), (7, 5))


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


def test_a_resumed_match_has_its_course() -> None:
    """Somebody who looks only now sees how it went."""
    match = Match("pig", ["Ann", "Ben"])
    banked(match, 3, 5)
    assert Course().of(match) == ((0, 0), (3, 0), (3, 5))


def test_a_long_match_is_thinned_out() -> None:
    """No more points than a phone can show; the first and the newest are among them, and none goes back."""
    match, course = Match("pig", ["Ann", "Ben"], target=1000), Course()
    banked(match, *[6, 2] * 100)
    points = course.of(match)
    assert (len(points), points[0], points[-1]) == (MOST_POINTS, (0, 0), (600, 200))
    assert list(points) == sorted(points)


def test_who_leaves_keeps_his_score() -> None:
    """The course goes on for the others."""
    match, course = Match("pig", ["Ann", "Ben", "Cy"]), Course()
    banked(match, 3)
    course.of(match)
    match.leave("Ben")
    banked(match, 4)
    assert course.of(match)[-1][0] == 3
    assert course.of(match)[-1][2] == 4
