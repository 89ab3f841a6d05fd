"""Measuring a table with two buttons: what is confirmed, corrected, taken back and left out. No camera, no clock."""

from collections.abc import Sequence

import pytest

from tabletop.core.ports import Press
from tabletop.dialogs.scoring.dialog import DOUBT_S, SETTLED_S, Scoring
from tabletop.dialogs.scoring.pages import scoring_snapshot
from tabletop.dialogs.scoring.roll import LEANS, NO_DIE, Roll, Seen

HOLD, BANK, LONG_BANK = Press("hold"), Press("bank"), Press("bank", long=True)
AGAIN = Press("hold", long=True, repeat=True)


def lying(*faces: int) -> Roll:
    """Return dice as read, from left to right; 0 for one that was unsure."""
    return Roll.of(640, 480, tuple(Seen(face, 60.0 + 70 * at, 200.0, 56.0) for at, face in enumerate(faces)))


def thrown(state: Scoring, roll: Roll, at_s: float) -> Scoring:
    """Let these dice come to lie at this time, and lie there for long enough to be asked about."""
    return state.see(roll, at_s, at_s).see(roll, at_s, at_s + DOUBT_S)


def pressed(state: Scoring, *presses: Press) -> Scoring:
    """Press one after the other."""
    for press in presses:
        state = state.press(press)
    return state


def shown(state: Scoring) -> tuple[str, Sequence[str], int]:
    """Return title, lines and the line stepped to."""
    menu = scoring_snapshot(state).menu
    assert menu is not None
    return menu.title, menu.items, menu.at


def test_what_is_right_needs_one_press() -> None:
    """The faces are shown, sorted; BANK confirms them as they were read; the last roll ends it, and BANK says so."""
    state = thrown(Scoring(2), lying(5, 2, 3), 1.0)
    assert shown(state) == ("All right?", ("2 3 5",), 0)
    state = pressed(state, BANK)
    assert shown(state)[:2] == ("Throw the dice", ("roll 2 of 2",))
    state = pressed(thrown(state, lying(1), 9.0), BANK)
    assert (shown(state)[0], state.over) == ("Measured", False)
    assert [roll.true for roll in state.rolls] == [(5, 2, 3), (1,)]
    assert not any(roll.wrong for roll in state.rolls)
    assert pressed(state, BANK).over


def test_a_wrong_die_is_walked_to() -> None:
    """HOLD, HOLD to the second die, BANK, HOLD to the face, BANK: its truth is kept beside what was read."""
    state = pressed(thrown(Scoring(1), lying(5, 2, 3), 1.0), HOLD, HOLD)
    assert shown(state) == ("Which die?", ("5", "2", "3", "one is missed"), 1)
    assert [die.asked for die in scoring_snapshot(state).tray.dice] == [False, True, False]  # type: ignore[union-attr]
    state = pressed(state, BANK)
    assert shown(state) == ("not a 2 but?", ("1", "3", "4", "5", "6", "it leans", "no die"), 0)
    state = pressed(state, AGAIN, AGAIN, BANK)  # held down, HOLD steps on
    assert shown(state) == ("All right?", ("3 4 5",), 0)
    (roll,) = pressed(state, BANK).rolls
    assert ([thing.face for thing in roll.seen], roll.true, roll.wrong) == ([5, 2, 3], (5, 4, 3), True)


def test_a_die_too_few_and_one_too_many() -> None:
    """The last line adds a die that was not seen, and "no die" takes away what is none; both can be taken back."""
    state = pressed(thrown(Scoring(1), lying(5, 2), 1.0), HOLD, HOLD, HOLD, BANK)
    assert shown(state)[0:2] == ("Which face?", ("1", "2", "3", "4", "5", "6"))
    state = pressed(state, HOLD, HOLD, HOLD, BANK)  # a 4 was missed
    state = pressed(state, HOLD, BANK, *[HOLD] * 6, BANK)  # the 5 is no die
    assert shown(state)[1] == ("2 4",)
    (roll,) = pressed(state, BANK).rolls
    assert (roll.true, roll.missed) == ((NO_DIE, 2), (4,))
    (roll,) = pressed(state, HOLD, HOLD, HOLD, BANK, BANK).rolls  # it was not missed after all
    assert (roll.true, roll.missed) == ((NO_DIE, 2), ())


def test_an_unsure_die_is_asked_for_by_itself() -> None:
    """It blinks, and its face is asked before anything else; it counts as unsure, whatever it shows."""
    state = thrown(Scoring(1), lying(5, 0), 1.0)
    assert shown(state)[0] == "Which face?"
    assert [die.asked for die in scoring_snapshot(state).tray.dice] == [False, True]  # type: ignore[union-attr]
    (roll,) = pressed(state, HOLD, BANK, BANK).rolls
    assert (roll.true, roll.wrong) == ((5, 2), True)


def test_a_die_that_leans_is_rightly_in_doubt() -> None:
    """It has no face: unsure is what the table should say of it, and a face is wrong."""
    state = thrown(Scoring(1), lying(5, 0), 1.0)
    (roll,) = pressed(state, *[HOLD] * 6, BANK, BANK).rolls
    assert (roll.true, roll.faces, roll.dice, roll.wrong) == ((5, LEANS), (5,), 2, False)
    (roll,) = pressed(thrown(Scoring(1), lying(5, 4), 1.0), HOLD, HOLD, BANK, *[HOLD] * 5, BANK, BANK).rolls
    assert (roll.true, roll.wrong) == ((5, LEANS), True)


def test_dice_must_lie_before_they_are_asked_about() -> None:
    """Sure ones for as long as dice arrive one by one, unsure ones until the reader has had its time."""
    sure, unsure = lying(5, 2), lying(5, 0)
    assert Scoring(1).see(sure, 1.0, 1.0 + SETTLED_S - 0.01).asked is None
    assert Scoring(1).see(sure, 1.0, 1.0 + SETTLED_S + 0.01).asked == sure
    assert Scoring(1).see(unsure, 1.0, 1.0 + SETTLED_S + 0.01).asked is None
    assert Scoring(1).see(unsure, 1.0, 1.0 + SETTLED_S).see(sure, 1.0, 1.0 + DOUBT_S).asked == sure  # it became sure


def test_what_lies_there_at_the_start_is_read_when_bank_says_so() -> None:
    """As in play; without dice BANK only says that there are none."""
    old = float("-inf")
    state = Scoring(1).see(lying(), old, 1.0)
    assert pressed(state, BANK).asked is None
    state = state.see(lying(4), old, 9.0)
    assert state.asked is None
    assert pressed(state, BANK).asked == lying(4)


def test_dice_that_move_before_they_are_confirmed_are_read_again() -> None:
    """A nudge, or the next throw: the roll is not counted, and the report can say so. The same dice are asked once."""
    state = thrown(Scoring(2), lying(5, 0), 1.0)
    state = thrown(state.see(None, 0.0, 5.0), lying(5, 3), 6.0)
    assert (state.asked, state.left_out) == (lying(5, 3), 1)
    assert scoring_snapshot(state).menu.note == "the dice moved: read again"  # type: ignore[union-attr]
    state = pressed(state, BANK).see(lying(5, 3), 6.0, 60.0)
    assert (state.asked, len(state.rolls)) == (None, 1)


def test_a_correction_is_not_lost_to_a_hand_in_the_tray() -> None:
    """Once somebody corrects, the roll stays, and what was thrown meanwhile is asked about after it."""
    state = pressed(thrown(Scoring(3), lying(5, 2), 1.0), HOLD)
    state = thrown(state, lying(6, 6), 9.0)
    assert state.asked == lying(5, 2)
    state = pressed(state, BANK, BANK, BANK)  # the 5 is a 1
    assert [roll.true for roll in state.rolls] == [(1, 2)]
    assert state.see(lying(6, 6), 9.0, 20.0).asked == lying(6, 6)


def test_long_bank_takes_back_the_last_roll() -> None:
    """A wrong press: the roll is asked about once more, with the next one waiting; twice more leaves it out."""
    state = pressed(thrown(Scoring(3), lying(5, 2), 1.0), BANK, LONG_BANK)
    assert (state.rolls, state.asked) == ((), lying(5, 2))
    state = thrown(state, lying(6), 9.0)
    assert state.asked == lying(5, 2)
    right = pressed(state, HOLD, BANK, BANK, BANK).see(lying(6), 9.0, 20.0)
    assert ([roll.true for roll in right.rolls], right.asked) == ([(1, 2)], lying(6))
    gone = pressed(state, LONG_BANK)
    assert (gone.rolls, gone.asked, gone.left_out) == ((), None, 1)
    assert pressed(Scoring(3), LONG_BANK).asked is None


@pytest.mark.parametrize("back", [(LONG_BANK,), (HOLD, LONG_BANK)])
def test_long_bank_goes_back_one_page(back: tuple[Press, ...]) -> None:
    """From a face to the dice, and from there to the question: nothing has changed."""
    state = pressed(thrown(Scoring(1), lying(5, 2), 1.0), HOLD, BANK, *back)
    assert state.step == "die"
    state = pressed(state, LONG_BANK)
    assert (state.step, state.asked) == ("question", lying(5, 2))


def test_stopping_is_two_presses_and_loses_nothing() -> None:
    """HOLD asks, BANK measures on, HOLD and BANK stop; with the rolls so far it goes on."""
    state = pressed(thrown(Scoring(3), lying(5, 2), 1.0), BANK, HOLD)
    assert shown(state)[0] == "Stop?"
    assert shown(pressed(state, BANK))[0] == shown(pressed(state, LONG_BANK))[0] == "Throw the dice"
    state = pressed(state, HOLD, BANK)
    assert state.over
    again = Scoring.resumed(3, state.rolls)
    assert shown(again)[1] == ("roll 2 of 3",)
    assert shown(Scoring.resumed(1, state.rolls))[0] == "Measured"


def test_another_number_of_dice_than_is_thrown_is_said() -> None:
    """A die on the floor, or one that was missed: the note asks."""
    menu = scoring_snapshot(thrown(Scoring(1, 3), lying(5, 2), 1.0)).menu
    assert menu is not None
    assert menu.note == "2 dice, not 3: on the floor?"
