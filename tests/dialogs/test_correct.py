"""Correcting an answer: which throw, die and face; what would change and be lost."""

from random import Random

from tabletop.core.ports import Press
from tabletop.dialogs.commands import Correct, MenuAction
from tabletop.dialogs.menu import Menu
from tabletop.dialogs.mistakes import CORRECT_IT, LEAVE_IT, correct_menu, lost_by
from tabletop.interpret.log_views import is_forced
from tabletop.rules import Answer, Choose, Keep, Match, Throw, game_ids
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
    assert (sure.title, sure.items) == ("6 6 1 2 3 -> 1 2 3 5 6", (CORRECT_IT, LEAVE_IT))
    assert sure.note == "Ann: -6 points"


def test_one_die_is_not_asked_for_and_the_correction_is_taken() -> None:
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
        "Ann: banked 9; Ben: threw 3; Ben: banked 3"
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
    assert _menu(_walked(match, "other answers")).items == ("Ann: banked 200", "Ann: kept 1 1")
    sure = _walked(match, "other answers", "Ann: kept 1 1", "1")
    assert _menu(sure).note == "Ann: -100 points"
    assert sure.press(BANK) == Correct(2, Keep((1,)))


def test_a_joint_throw_is_corrected_die_by_die() -> None:
    match = Match("roll-your-luck", ["Ann", "Ben"], together=True)
    match.throw({"Ann": [3], "Ben": [5]})
    assert _menu(correct_menu(match)).items == ("all: 3 5",)
    assert _menu(_walked(match, "all: 3 5")).items == ("Ann: 3", "Ben: 5")
    sure = _walked(match, "all: 3 5", "Ben: 5", "4")
    assert _menu(sure).title == "3 5 -> 3 4"
    assert sure.press(BANK) == Correct(1, Throw({"Ann": (3,), "Ben": (4,)}))


def test_nothing_to_correct() -> None:
    assert correct_menu(_pig()) is None


# What is lost


def _lost(match: Match, number: int, answer: Answer) -> list[tuple[str, str | None]]:
    (event,) = match.draft_correct(number, answer)
    return [(lost.kind, lost.player) for lost in lost_by(match, event)]


def test_answers_that_no_longer_fit_are_lost_with_all_after_them() -> None:
    """Ten Thousand: a 1 was a 6, so 1 1 cannot be kept, and what came of it and after it does not stand."""
    match = Match("ten-thousand", ["Ann", "Ben"])
    match.throw([1, 1, 2, 3, 4, 5])
    match.keep([1, 1])
    match.choose("bank")
    match.throw([1, 1, 1, 2, 3, 4])
    lost = _lost(match, 1, Throw((1, 2, 3, 4, 5, 6)))
    assert lost == [("keep", "Ann"), ("choose", "Ann"), ("throw", "Ben")]


def test_who_left_after_a_lost_answer_is_listed() -> None:
    """Cleo's 5 was a 1: her bank is gone, and that she left is to be said again."""
    match = Match("pig", ["Cleo", "Ann", "Ben"])
    match.throw([5])
    match.choose("bank")
    match.leave("Cleo")
    match.throw([3])
    assert _lost(match, 1, Throw((1,))) == [("choose", "Cleo"), ("leave", "Cleo"), ("throw", "Ann")]


def _check_random_correction(game: str, chance: Random) -> None:
    """Correct at random in a random match: what stood before it stands after it, or is listed as lost."""
    facts = Match(game, ["Ann", "Ben", "Cleo"]).game
    match = Match(game, ["Ann", "Ben", "Cleo"], **random_options(facts.all_options, chance))
    for _ in range(chance.randint(2, 60)):
        if not match.over:
            match.apply(*match.draft(random_answer(match.request, chance)))
    number = chance.randint(1, match.event)
    request = [event.request for event in match.events if event.request][number - 1]
    (event,) = match.draft_correct(number, random_answer(request, chance))
    before, lost = match.events, lost_by(match, event)
    match.apply(event)
    gone = before[len(match.events) :]
    assert tuple(event for event in gone if not is_forced(event)) == lost


def test_in_every_game_nothing_is_silently_lost() -> None:
    for game in game_ids():
        for seed in range(2):
            _check_random_correction(game, Random(f"{seed} {game}"))
