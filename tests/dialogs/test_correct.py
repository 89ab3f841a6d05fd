"""Correcting an answer: which throw, die and face; what would change and be lost; and what is lost is offered anew."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tabletop.core.ports import Press
from tabletop.dialogs.correct import LostAnswers, advance, answers_lost_by, correct_menu, next_offer, start
from tabletop.dialogs.decisions import Correct, MenuAction
from tabletop.dialogs.menu import Menu
from tabletop.interpret import obvious
from tabletop.rules import Answer, Choose, Correction, Event, Keep, Match, Throw, game_ids
from tabletop.rules.conformance.trial import random_answer, random_options
from tabletop.views.snapshot import MenuView

BANK, HOLD = Press("bank"), Press("hold")


def _pig(*answers: str | int, **options: object) -> Match:
    match = Match("pig", ["Ann", "Ben"], **options)
    for answer in answers:
        match.apply(*match.draft(Throw((answer,)) if isinstance(answer, int) else Choose(answer)))
    return match


def _menu(menu: object) -> MenuView:
    assert isinstance(menu, Menu)
    shown = menu.snapshot.menu
    assert shown is not None
    return shown


def _walked(match: Match, *labels: str) -> Menu:
    """Walk through the pages of the menu, taking these lines."""
    menu = correct_menu(match)
    assert menu is not None
    for label in labels:
        for _ in _menu(menu).items:
            if _menu(menu).items[_menu(menu).at] == label:
                break
            menu = menu.press(HOLD)  # type: ignore[assignment]  # HOLD leads from page to page
        menu = menu.press(BANK)  # type: ignore[assignment]  # asserted at the next line
        assert isinstance(menu, Menu)
    return menu


# The pages


def test_the_newest_throws_come_first() -> None:
    """Throws by name and faces, the newest first; keeps and choices behind the last line."""
    menu = _menu(correct_menu(_pig(4, "bank", 3, "roll", 5)))
    assert (menu.title, menu.items) == ("Which throw?", ("Ben: 5", "Ben: 3", "Ann: 4", "other answers"))


def test_no_list_is_longer_than_eight_lines() -> None:
    """Twenty throws: the older ones stand on pages behind a line of their own, and none is missing."""
    match = _pig(*[answer for face in (2, 3, 4, 5, 6) * 4 for answer in (face, "bank")], target=1000)
    seen, labels = [], list[str]()
    while True:
        page = _menu(_walked(match, *labels) if labels else correct_menu(match)).items
        assert len(page) <= 8
        seen += [line for line in page if ":" in line]
        if "older" not in page:
            break
        labels.append("older")
    assert len(seen) == 20


def test_die_and_face_are_asked_and_the_consequence_is_shown() -> None:
    """Yahtzee: a 6 that was a 5; the box that was chosen still stands, with other points."""
    match = Match("yahtzee", ["Ann", "Ben"])
    match.throw([6, 6, 1, 2, 3])
    match.keep([1, 2, 3, 6, 6])
    match.choose("sixes")
    assert _menu(_walked(match, "Ann: 6 6 1 2 3")).items == ("6", "1", "2", "3")
    assert _menu(_walked(match, "Ann: 6 6 1 2 3", "6")).items == ("1", "2", "3", "4", "5")
    sure = _menu(_walked(match, "Ann: 6 6 1 2 3", "6", "5"))
    assert (sure.title, sure.items) == ("6 6 1 2 3 -> 1 2 3 5 6", ("correct it", "leave it"))
    assert sure.note == "Ann: -6 points"


def test_one_die_is_not_asked_for_and_the_correction_is_taken() -> None:
    """Pig: throw, face, sure; BANK takes it, the other line leaves it."""
    match = _pig(4, "bank", 3)
    sure = _walked(match, "Ann: 4", "6")
    assert _menu(sure).note == "Ann: +2 points"
    assert sure.press(BANK) == Correct(1, Throw((6,)))
    left = sure.press(HOLD)
    assert isinstance(left, Menu)
    assert left.press(BANK) == MenuAction.BACK


def test_what_would_be_lost_is_told() -> None:
    """Ann's 5 was a 1: her bank is lost and all that came after it."""
    note = _menu(_walked(_pig(4, "roll", 5, "bank", 3, "bank"), "Ann: 5", "1")).note
    assert note == (
        "Ann: -9 points; Ben: -3 points; then it is Ben's turn; 3 answers are lost; "
        "Ann: bank 9; Ben: throw 3; Ben: bank 3"
    )


def test_what_is_at_stake_is_told() -> None:
    """In the midst of a turn no score changes, the stake does; where neither does, that is said."""
    assert _menu(_walked(_pig(4), "Ann: 4", "6")).note == "at stake 6"
    match = Match("yahtzee", ["Ann", "Ben"])
    match.throw([6, 6, 1, 2, 3])
    assert _menu(_walked(match, "Ann: 6 6 1 2 3", "1", "4")).note == "the scores stay"


def test_keeps_and_choices_can_be_corrected() -> None:
    """Ten Thousand: 1 1 were kept where a 1 was meant; what kept itself is not in the list."""
    match = Match("ten-thousand", ["Ann", "Ben"])
    match.throw([1, 1, 2, 3, 4, 4])
    match.keep([1, 1])
    match.choose("bank")
    match.throw([1, 2, 3, 4, 4, 6])
    match.keep([1])  # nothing else was possible
    assert _menu(_walked(match, "other answers")).items == ("Ann: bank 200", "Ann: keep 1 1")
    sure = _walked(match, "other answers", "Ann: keep 1 1", "1")
    assert _menu(sure).note == "Ann: -100 points"
    assert sure.press(BANK) == Correct(2, Keep((1,)))


def test_a_joint_throw_is_corrected_die_by_die() -> None:
    """Roll Your Luck, all at once: the throw in seat order, then whose die."""
    match = Match("roll-your-luck", ["Ann", "Ben"], together=True)
    match.throw({"Ann": [3], "Ben": [5]})
    assert _menu(correct_menu(match)).items == ("all: 3 5",)
    assert _menu(_walked(match, "all: 3 5")).items == ("Ann: 3", "Ben: 5")
    sure = _walked(match, "all: 3 5", "Ben: 5", "4")
    assert _menu(sure).title == "3 5 -> 3 4"
    assert sure.press(BANK) == Correct(1, Throw({"Ann": (3,), "Ben": (4,)}))


def test_nothing_to_correct() -> None:
    """Before the first throw there is no menu."""
    assert correct_menu(_pig()) is None


# What is lost is offered anew


def _corrected(match: Match, number: int, answer: Answer) -> tuple[tuple[Event, ...], list[Event]]:
    """Correct and return what was lost, and how it is offered to people who take all of it and answer nothing else."""
    (event,) = match.draft_correct(number, answer)
    assert isinstance(event.value, Correction)
    lost = answers_lost_by(match, event.value)
    match.apply(event)
    anew = start(lost, len(match.log))
    _answer_obvious(match)
    return lost, _take_all(anew, match)


def _take_all(anew: LostAnswers | None, match: Match) -> list[Event]:
    taken = list[Event]()
    while (
        anew is not None and (anew := advance(anew, match)) is not None and (now := next_offer(anew, match)) is not None
    ):
        match.apply(now)
        taken.append(now)
        _answer_obvious(match)
    return taken


def _answer_obvious(match: Match) -> None:
    while answers := obvious(match.request):
        match.apply(*match.draft(*answers))


FACE = st.integers(2, 6)
TURNS = st.lists(st.lists(FACE, min_size=1, max_size=4), min_size=1, max_size=8)


def _answers(turns: list[list[int]]) -> list[str | int]:
    """Return the answers of turns that were all banked."""
    return [answer for turn in turns for answer in (*_rolled_on(turn[:-1]), turn[-1], "bank")]


def _rolled_on(faces: list[int]) -> list[str | int]:
    return [answer for face in faces for answer in (face, "roll")]


@given(TURNS, st.data())
def test_a_throw_that_was_a_1_leaves_the_later_turns_as_they_were(turns: list[list[int]], data: st.DataObject) -> None:
    """Pig by its rules: the turn ends with the 1, and who takes all that is offered has the turns after it again."""
    at = data.draw(st.integers(0, len(turns) - 1))
    throw = data.draw(st.integers(0, len(turns[at]) - 1))
    match = _pig(*_answers(turns), target=1000)
    number = len(_answers(turns[:at])) + 2 * throw + 1
    _corrected(match, number, Throw((1,)))
    right = _pig(*_answers(turns[:at]), *_rolled_on(turns[at][:throw]), 1, *_answers(turns[at + 1 :]), target=1000)
    assert match.state() == right.state()


@given(TURNS, TURNS, FACE)
def test_a_1_that_was_none_lets_the_player_go_on(before: list[list[int]], after: list[list[int]], face: int) -> None:
    """Nothing is offered until Ann has ended her turn; then all of it, in its order."""
    match = _pig(*_answers(before), 1, *_answers(after), target=1000)
    (event,) = match.draft_correct(len(_answers(before)) + 1, Throw((face,)))
    assert isinstance(event.value, Correction)
    lost = answers_lost_by(match, event.value)
    match.apply(event)
    anew = start(lost, len(match.log))
    assert anew is not None
    assert next_offer(anew, match) is None
    match.choose("roll")
    match.throw([3])
    match.choose("bank")
    taken = _take_all(anew, match)
    assert [(event.player, event.value) for event in taken] == [(event.player, event.value) for event in lost]
    assert match.state() == _pig(*_answers(before), face, "roll", 3, "bank", *_answers(after), target=1000).state()


def test_the_first_answer_lost_is_asked_again_and_the_rest_of_a_turn_that_went_another_way_is_passed_over() -> None:
    """Ten Thousand: a 1 was a 6, so 1 1 cannot be kept; with more dice to throw Ann throws again, Ben's turn stays."""
    match = Match("ten-thousand", ["Ann", "Ben"])
    match.throw([1, 1, 2, 3, 4, 5])
    match.keep([1, 1])
    match.choose("roll")
    match.throw([5, 5, 2, 3])
    match.keep([5, 5])
    match.choose("bank")
    match.throw([1, 1, 1, 2, 3, 4])
    (event,) = match.draft_correct(1, Throw((1, 2, 3, 4, 5, 6)))
    assert isinstance(event.value, Correction)
    lost = answers_lost_by(match, event.value)
    assert [event.kind for event in lost] == ["keep", "choose", "throw", "keep", "choose", "throw"]
    match.apply(event)
    anew = start(lost, len(match.log))
    assert anew is not None
    assert (match.request.kind, match.request.player, next_offer(anew, match)) == ("keep", "Ann", None)
    match.keep([1])
    anew = advance(anew, match)
    assert anew is not None
    again = next_offer(anew, match)
    assert again is not None
    assert again.answer == Choose("roll")
    match.apply(again)
    anew = advance(anew, match)
    assert anew is not None
    assert next_offer(anew, match) is None  # five dice are due, four were thrown
    match.throw([1, 2, 3, 4, 4])
    match.keep([1])
    match.choose("roll")
    anew = advance(anew, match)
    assert anew is not None
    assert next_offer(anew, match) is None  # now four are due, but it is another turn than it was
    match.throw([1, 1, 2, 3])
    match.keep([1, 1])
    match.choose("bank")
    anew = advance(anew, match)
    assert anew is not None
    again = next_offer(anew, match)
    assert again is not None
    assert (again.player, again.answer) == ("Ben", Throw((1, 1, 1, 2, 3, 4)))


def test_who_left_since_is_offered_to_leave_again() -> None:
    """Cleo's 5 was a 1: her bank is gone, but that she left the table after it is not."""
    match = Match("pig", ["Cleo", "Ann", "Ben"])
    for answer in (Throw((5,)), Choose("bank")):
        match.apply(*match.draft(answer))
    match.leave("Cleo")
    match.throw([3])
    lost, taken = _corrected(match, 1, Throw((1,)))
    assert [event.kind for event in lost] == ["choose", "leave", "throw"]
    assert [(event.kind, event.player) for event in taken] == [("leave", "Cleo"), ("throw", "Ann")]
    assert match.present == ("Ann", "Ben")


def test_an_undo_ends_the_offering() -> None:
    """Whoever takes the correction back has everything again: nothing is offered twice."""
    match = _pig(4, "roll", 5, "bank", 3)
    (event,) = match.draft_correct(3, Throw((1,)))
    assert isinstance(event.value, Correction)
    anew = start(answers_lost_by(match, event.value), len(match.log))
    match.apply(event)
    match.undo()
    assert anew is not None
    assert advance(anew, match) is None


def _check_random_corrections(game: str, chance: Random) -> int:
    """Correct at random in a random match; what is offered is what was lost, in its order, and never refused."""
    facts = Match(game, ["Ann", "Ben", "Cleo"]).game
    match = Match(game, ["Ann", "Ben", "Cleo"], **random_options(facts.all_options, chance))
    for _ in range(chance.randint(2, 60)):
        if not match.over:
            match.apply(*match.draft(random_answer(match.request, chance)))
            _answer_obvious(match)
    number = chance.randint(1, match.event)
    request = [event.request for event in match.events if event.request][number - 1]
    lost, taken = _corrected(match, number, random_answer(request, chance))
    order = iter(lost)
    for event in taken:
        assert any((event.kind, event.player, event.value) == (was.kind, was.player, was.value) for was in order)
    return len(taken)


def test_in_every_game_what_is_offered_is_what_was_lost_in_its_order() -> None:
    """Six matches of each; in several games something comes back at once, and nothing that was not lost ever does."""
    offering = {
        game for game in game_ids() for seed in range(6) if _check_random_corrections(game, Random(f"{seed} {game}"))
    }
    assert len(offering) > 4
