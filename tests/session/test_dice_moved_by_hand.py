"""Dice that are sorted or pushed by hand before a throw: what was only moved was not thrown."""

from dataclasses import replace

import pytest
from evening import BANK, HOLD, Start

from tabletop.core.reasons import UnsureReason
from tabletop.core.values import Rest
from tabletop.rules import Keep


def test_sorting_by_hand_is_no_throw(start: Start) -> None:
    """Without a rail, dice that only changed places show the same faces: a hint, no event."""
    evening = start("yahtzee")
    evening.see(evening.tray.throw(6, 6, 1, 2, 3))
    evening.see(evening.tray.pick_up(6, 6), evening.tray.throw(6, 6))
    assert evening.kinds == ["throw"]
    assert "moved" in evening.session.notices.hint


@pytest.mark.parametrize(
    ("sorted_", "again", "thrown", "kept"),
    [((6, 6), (1, 2, 3), (4, 4, 5), [6, 6]), ((2, 6), (6,), (4,), [1, 2, 3, 6]), ((2, 6), (1,), (6,), [2, 3, 6, 6])],
)
def test_who_rolls_on_after_sorting_throws_only_what_he_takes_up(
    start: Start, sorted_: tuple[int, ...], again: tuple[int, ...], thrown: tuple[int, ...], kept: list[int]
) -> None:
    """Whether they were moved or thrown to the same faces nobody said: they lie there, and other dice are thrown."""
    evening = start("yahtzee")
    evening.see(evening.tray.throw(6, 6, 1, 2, 3))
    evening.see(evening.tray.pick_up(*sorted_), evening.tray.throw(*sorted_))
    evening.see(evening.tray.pick_up(*again))
    assert evening.kinds == ["throw"]
    evening.see(evening.tray.throw(*thrown))
    assert evening.kinds == ["throw", "keep", "throw"]
    assert (evening.told[1]["kept"], tuple(evening.told[2]["faces"])) == (kept, thrown)


def test_who_takes_up_dice_after_sorting_may_bank_what_lies_there(start: Start) -> None:
    """BANK then keeps what was moved as well as what was not: it all lies there while the others are in the hand."""
    evening = start("yahtzee")
    evening.see(evening.tray.throw(6, 6, 1, 2, 3))
    evening.see(evening.tray.pick_up(6, 6), evening.tray.throw(6, 6), evening.tray.pick_up(1, 2))
    evening.press(BANK)
    assert (evening.kinds, evening.told[-1]["kept"]) == (["throw", "keep"], [3, 6, 6])


def test_a_hand_over_dice_does_not_end_the_question_whether_they_were_only_moved(start: Start) -> None:
    """A hand hides two dice for a moment: nobody took them up, so BANK still says that the 6s were thrown again."""
    evening = start("yahtzee")
    evening.see(evening.tray.throw(6, 6, 1, 2, 3))
    evening.see(evening.tray.pick_up(6, 6), evening.tray.throw(6, 6))
    lying = list(evening.tray.dice)
    evening.see(evening.tray.pick_up(1, 2))
    evening.tray.dice = lying
    evening.see(evening.tray.rest())
    assert "moved" in evening.session.notices.hint
    evening.press(BANK)
    assert (evening.kinds, evening.told[-1]["kept"]) == (["throw", "keep"], [1, 2, 3])


def test_what_is_moved_is_never_thrown_because_it_cannot_be_kept(start: Start) -> None:
    """Ten Thousand: a 2 was sorted to the 1 and left there; that it cannot be kept is said, and no throw is made up."""
    evening = start("ten-thousand")
    evening.see(evening.tray.throw(1, 1, 2, 3, 4, 5))
    evening.see(evening.tray.pick_up(1, 2), evening.tray.throw(1, 2), evening.tray.pick_up(3, 4))
    evening.see(evening.tray.throw(6, 6))
    assert evening.kinds == ["throw"]
    assert "cannot be kept" in evening.session.notices.hint


@pytest.mark.parametrize("grips", [((1, 2, 3), (4, 5, 6)), ((1,), (2,), (3,), (4,), (5,), (6,))])
def test_dice_that_are_all_put_in_order_were_not_thrown(start: Start, grips: tuple[tuple[int, ...], ...]) -> None:
    """A straight sorted grip by grip, until none lies where it fell: it is asked each time, and counts once."""
    evening = start("ten-thousand")
    evening.see(evening.tray.throw(1, 2, 3, 4, 5, 6))
    for grip in grips:
        evening.see(evening.tray.pick_up(*grip), evening.tray.throw(*grip))
        evening.see(evening.tray.rest())
        assert (evening.kinds, "moved" in evening.session.notices.hint) == (["throw"], True)


def test_dice_thrown_in_one_go_after_sorting_are_those_taken_up(start: Start) -> None:
    """No rest was seen while they were in the hand: what lay there while others were sorted is not what was kept."""
    evening = start("yahtzee")
    evening.see(evening.tray.throw(6, 6, 1, 2, 3))
    evening.see(evening.tray.pick_up(6, 6), evening.tray.throw(6, 6))
    evening.tray.pick_up(1, 2, 3)
    evening.see(evening.tray.throw(4, 4, 5))
    assert [event.get("kept", event.get("faces")) for event in evening.told[1:]] == [[6, 6], [4, 4, 5]]


def test_moved_dice_that_were_banked_are_no_throw(start: Start) -> None:
    """BANK a second time: what is kept lies there, and is not taken for the dice that are due."""
    evening = start("yahtzee")
    evening.see(evening.tray.throw(6, 6, 1, 2, 3))
    evening.see(evening.tray.pick_up(6, 6), evening.tray.throw(6, 6), evening.tray.pick_up(1, 2))
    evening.press(BANK)
    evening.see(evening.tray.rest())
    evening.press(BANK)
    assert evening.kinds == ["throw", "keep"]


def test_a_moved_die_that_is_in_doubt_later_is_named_and_can_be_told(start: Start) -> None:
    """A sorted 6 cannot be read any more: it is named, and BANK leads to its face."""
    evening = start("yahtzee")
    evening.see(evening.tray.throw(6, 6, 1, 2, 3))
    evening.see(evening.tray.pick_up(6, 6), evening.tray.throw(6, 6), evening.tray.pick_up(1, 2, 3))
    _, _, came_s = evening.tray.dice.pop()
    evening.tray.doubts.append(("leans", came_s))
    evening.tray.now_s += 3.0
    evening.see(evening.tray.rest())
    assert "leans" in evening.session.notices.hint
    assert evening.session.doubt is not None
    evening.see(evening.tray.throw(4, 4, 5))
    assert (evening.kinds, "leans" in evening.session.notices.hint) == (["throw"], True)


def test_bank_keeps_what_was_moved_before_the_dice_that_are_asked_about(start: Start) -> None:
    """Two 6s are sorted, then a 3: BANK says that the 3 was thrown again, and the 6s are kept with the others."""
    evening = start("yahtzee")
    evening.see(evening.tray.throw(6, 6, 1, 2, 3))
    evening.see(evening.tray.pick_up(6, 6), evening.tray.throw(6, 6), evening.tray.pick_up(3), evening.tray.throw(3))
    evening.press(BANK)
    evening.see(evening.tray.rest())
    kept, thrown = (event.get("kept", event.get("faces")) for event in evening.told[1:])
    assert (kept, thrown) == ([1, 2, 6, 6], [3])


def test_the_same_faces_seen_rolling_are_a_throw(start: Start) -> None:
    """Two 6s again, without a rail: no hand moved them, so Ann has kept the others and rolled on."""
    evening = start("yahtzee")
    evening.see(evening.tray.throw(6, 6, 1, 2, 3))
    evening.see(evening.tray.pick_up(6, 6))
    thrown = evening.tray.throw(6, 6)
    evening.see(replace(thrown, rolled_s=max(thrown.arrived_s)))
    assert evening.kinds == ["throw", "keep", "throw"]
    assert [event["faces"] for event in evening.told if event["kind"] == "throw"] == [[1, 2, 3, 6, 6], [6, 6]]


@pytest.mark.parametrize("walked", [False, True])
def test_a_die_in_doubt_that_lies_untouched_keeps_the_face_that_was_counted(start: Start, walked: bool) -> None:
    """Yahtzee, 1 2 3 6 6: while 1 and 2 are in the hand a 6 is no longer sure; then 4 5 are thrown.

    walked: HOLD was pressed before anything was picked up.
    """
    evening = start("yahtzee")
    evening.see(evening.tray.throw(3, 6, 6, 1, 2))
    if walked:
        evening.press(HOLD)
    evening.see(evening.tray.pick_up(1, 2))

    def doubted(rest: Rest) -> Rest:
        *others, six = rest.reading.dice[:3]
        later = rest.reading.dice[3:]
        reading = replace(rest.reading, dice=(*others, *later), unsure=(six.unsure(UnsureReason.LEANS),))
        arrived_s = rest.arrived_s[:2] + rest.arrived_s[3:]
        return replace(rest, reading=reading, arrived_s=arrived_s, unsure_arrived_s=rest.arrived_s[2:3])

    evening.see(doubted(evening.tray.rest()), doubted(evening.tray.throw(4, 5)))
    assert evening.kinds == ["throw", "keep", "throw"]
    assert (evening.told[1]["kept"], sorted(evening.told[2]["faces"])) == ([3, 6, 6], [4, 5])


def test_dice_left_lying_are_kept_though_hold_was_walked_to_more(start: Start) -> None:
    """Yahtzee, 1 1 2 3 6: HOLD walked to 1 2 3, then a 1 and the 2 stay and three dice are thrown.

    Two dice in the tray and three thrown are the whole hand; with 1 2 3 kept there would be one die too many.
    """
    evening = start("yahtzee")
    evening.see(evening.tray.throw(1, 2, 1, 3, 6))
    evening.press(HOLD)
    evening.see(evening.tray.pick_up(1, 3, 6), evening.tray.throw(1, 1, 6))
    assert evening.kinds == ["throw", "keep", "throw"]
    assert (evening.told[1]["kept"], sorted(evening.told[2]["faces"])) == ([1, 2], [1, 1, 6])


def test_all_dice_thrown_again_after_hold_keep_none(start: Start) -> None:
    """Yahtzee, 1 1 2 3 6: HOLD walked to 1 2 3, then all five are picked up and thrown."""
    evening = start("yahtzee")
    evening.see(evening.tray.throw(1, 2, 1, 3, 6))
    evening.press(HOLD)
    evening.see(evening.tray.pick_up(1, 2, 1, 3, 6), evening.tray.throw(2, 4, 5, 5, 6))
    assert evening.kinds == ["throw", "keep", "throw"]
    assert (evening.told[1]["kept"], sorted(evening.told[2]["faces"])) == ([], [2, 4, 5, 5, 6])


def test_dice_left_lying_are_kept_though_hold_was_walked_to_as_many_others(start: Start) -> None:
    """Yahtzee, 1 2 4 4 6: 1 4 are left lying, HOLD walks to 4 4, and the three others are thrown."""
    evening = start("yahtzee")
    evening.see(evening.tray.throw(1, 4, 4, 2, 6))
    evening.see(evening.tray.pick_up(4, 2, 6))
    evening.press(HOLD)
    assert evening.session.offer is not None
    assert evening.session.offer.answers == (Keep((4, 4)),)
    evening.see(evening.tray.throw(1, 3, 4))
    assert evening.kinds == ["throw", "keep", "throw"]
    assert (evening.told[1]["kept"], sorted(evening.told[2]["faces"])) == ([1, 4], [1, 3, 4])
