"""Playing at the table, from rests and presses to stored events: the two buttons and the tray's manners."""

import pytest
from evening import BANK, HOLD, Start

from tabletop.session.journal import load_match
from tabletop.session.snapshotting import snapshot


def test_a_turn_of_pig_is_rolled_and_banked(start: Start) -> None:
    """Throw, throw again (that is rolling on), BANK: the points are Ann's, and Ben is asked."""
    ann = start("pig")
    ann.see(ann.tray.throw(4))
    ann.see(ann.tray.pick_up(), ann.tray.throw(6))
    assert ann.session.match.at_stake == 10
    ann.press(BANK)
    assert ann.session.match.scores == {"Ann": 10, "Ben": 0}
    assert ann.session.match.request.player == "Ben"
    assert ann.kinds == ["throw", "choose", "throw", "choose"]


def test_the_die_that_was_banked_is_not_the_next_players_throw(start: Start) -> None:
    """After BANK the die still lies there; it is not counted again, not even for a BANK of Ben's."""
    evening = start("pig")
    evening.see(evening.tray.throw(4))
    evening.press(BANK)
    evening.see(evening.tray.rest())
    evening.press(BANK)
    assert evening.kinds == ["throw", "choose"]
    assert "Ben" in evening.session.notices.hint


def test_hold_rolls_on_at_the_second_press(start: Start) -> None:
    """HOLD at roll or bank asks for itself again before it rolls on."""
    evening = start("pig")
    evening.see(evening.tray.throw(4))
    evening.press(HOLD)
    assert evening.kinds == ["throw"]
    assert "HOLD again" in evening.session.notices.hint
    evening.press(HOLD)
    assert evening.kinds == ["throw", "choose"]
    assert evening.session.match.request.kind == "roll"


def test_dice_that_lay_there_are_read_only_when_bank_says_so(start: Start) -> None:
    """Five dice at the start are no throw; BANK makes them one."""
    evening = start("yahtzee")
    evening.see(evening.tray.there_before(1, 2, 2, 5, 6))
    assert evening.kinds == []
    assert snapshot(evening.session, None).bank == "take"
    evening.press(BANK)
    assert evening.told[0]["faces"] == [1, 2, 2, 5, 6]


@pytest.mark.parametrize(("thrown", "hint"), [((1, 2, 3, 4), "one die is missing"), ((1, 2, 3), "2 dice are missing")])
def test_a_missing_die_is_a_hint_and_can_be_thrown_after(start: Start, thrown: tuple[int, ...], hint: str) -> None:
    """Fewer dice than are due give no event; the others thrown beside them complete the throw."""
    evening = start("yahtzee")
    evening.see(evening.tray.throw(*thrown))
    assert (evening.kinds, evening.session.notices.hint) == ([], hint)
    evening.see(evening.tray.throw(*(6,) * (5 - len(thrown))))
    assert evening.told[0]["faces"] == sorted([*thrown, *(6,) * (5 - len(thrown))])


def test_one_die_too_many_is_a_hint(start: Start) -> None:
    """Six dice where five are due give no event."""
    evening = start("yahtzee")
    evening.see(evening.tray.throw(1, 2, 3, 4, 5, 6))
    assert (evening.kinds, evening.session.notices.hint) == ([], "one die too many")


def test_a_leaning_die_is_never_guessed(start: Start) -> None:
    """An unsure die is named with its place and reason; once it is nudged flat the throw is taken."""
    evening = start("yahtzee")
    evening.see(evening.tray.throw(1, 2, 3, 4))
    evening.see(evening.tray.lean())
    assert (evening.kinds, evening.session.notices.hint) == ([], "die at the bottom right leans: nudge it")
    evening.tray.doubts.clear()
    evening.see(evening.tray.throw(6))
    assert evening.told[0]["faces"] == [1, 2, 3, 4, 6]


def test_left_lying_is_keep_and_roll_on_and_throw(start: Start) -> None:
    """Yahtzee without a rail: three picked up and thrown again beside two that lie is one keep and one throw."""
    evening = start("yahtzee")
    evening.see(evening.tray.throw(6, 6, 1, 2, 3))
    evening.see(evening.tray.pick_up(1, 2, 3))
    assert evening.kinds == ["throw"]
    evening.see(evening.tray.throw(6, 4, 4))
    assert evening.kinds == ["throw", "keep", "throw"]
    assert (evening.told[1]["kept"], evening.told[2]["faces"]) == ([6, 6], [4, 4, 6])


def test_kept_on_the_rail_over_two_throws(start: Start) -> None:
    """Yahtzee with a rail: what was kept before counts as kept again, and may be picked up."""
    evening = start("yahtzee", unit="mm")
    evening.see(evening.tray.throw(6, 6, 1, 2, 3))
    evening.see(evening.tray.to_rail(6, 6), evening.tray.pick_up(1, 2, 3), evening.tray.throw(6, 4, 4))
    evening.see(evening.tray.to_rail(6), evening.tray.pick_up(4, 4), evening.tray.throw(2, 6))
    kept = [event["kept"] for event in evening.told if event["kind"] == "keep"]
    assert kept[:2] == [[6, 6], [6, 6, 6]]
    assert sorted(evening.session.match.state()["request"]["options"]) != []
    assert evening.session.match.request.kind == "choose"  # the third throw keeps itself: nothing else is legal


def test_ten_thousand_sets_aside_and_banks(start: Start) -> None:
    """The scoring dice on the rail and BANK: keep and bank in one press, two events."""
    evening = start("ten-thousand", unit="mm")
    evening.see(evening.tray.throw(1, 1, 5, 2, 3, 4))
    evening.see(evening.tray.to_rail(1, 1))
    evening.press(BANK)
    assert evening.kinds == ["throw", "keep", "choose"]
    assert evening.told[1]["kept"] == [1, 1]
    assert evening.session.match.scores["Ann"] == 200


def test_ten_thousand_rolls_on_with_what_was_kept(start: Start) -> None:
    """T4 of the rule book at the table: a 1 kept, then two more thrown and kept: 300, not 1000."""
    evening = start("ten-thousand", unit="mm")
    evening.see(evening.tray.throw(1, 2, 3, 4, 4, 6))  # only the 1 scores: it is kept without a question
    evening.see(evening.tray.to_rail(1), evening.tray.pick_up(2, 3, 4, 4, 6), evening.tray.throw(1, 1, 2, 3, 6))
    evening.see(evening.tray.to_rail(1, 1))
    evening.press(BANK)
    assert evening.session.match.scores["Ann"] == 300


def test_hot_dice_are_picked_up_and_thrown_again(start: Start) -> None:
    """Where all six dice score, throwing all six again keeps them all and rolls on."""
    evening = start("ten-thousand", unit="mm")
    evening.see(evening.tray.throw(1, 2, 3, 4, 5, 6))
    evening.see(evening.tray.pick_up(), evening.tray.throw(2, 2, 3, 4, 6, 6))
    assert evening.kinds[:4] == ["throw", "keep", "choose", "throw"]
    assert evening.told[1]["kept"] == [1, 2, 3, 4, 5, 6]


def test_dice_that_do_not_score_are_told_at_once(start: Start) -> None:
    """A 2 and a 3 on the rail cannot be kept: said before anything is thrown, naming what can."""
    evening = start("ten-thousand", unit="mm")
    evening.see(evening.tray.throw(1, 5, 2, 3, 4, 4))
    evening.see(evening.tray.to_rail(2, 3))
    assert evening.session.notices.hint.startswith("2 3 cannot be kept: keep 1 5")
    evening.see(evening.tray.pick_up(1, 5, 4, 4), evening.tray.throw(6, 6, 2, 2))
    assert evening.kinds == ["throw"]


def test_where_exactly_so_many_dice_are_kept_nobody_is_told_to_keep_less(start: Start) -> None:
    """Plus and Minus keeps two dice and no fewer: other pairs may do, a single die never does."""
    evening = start("plus-and-minus", unit="mm")
    evening.see(evening.tray.throw(1, 2, 3, 4, 6))
    evening.see(evening.tray.to_rail(2))
    assert evening.session.notices.hint == "2 cannot be kept: keep 4 6, or others"


def test_a_throw_waits_for_a_choice(start: Start) -> None:
    """Ben throws while Ann has still to choose a box: nothing is lost, his throw counts after her choice."""
    evening = start("yahtzee")
    evening.see(evening.tray.throw(1, 2, 3, 4, 6))
    evening.press(HOLD)
    while evening.session.match.request.kind == "keep":  # Ann keeps all five: the longest part
        offer = evening.session.offer
        assert offer is not None
        evening.press(BANK if offer.label == "keep 1 2 3 4 6" else HOLD)
    evening.see(evening.tray.pick_up(), evening.tray.throw(5, 5, 5, 5, 5))
    assert "choose first" in evening.session.notices.hint
    evening.press(BANK)
    evening.see(evening.tray.rest())
    assert evening.told[-1] == {
        "n": 4,
        "time": "2026-01-01T00:00:01Z",
        "kind": "throw",
        "player": "Ben",
        "faces": [5] * 5,
    }


def test_nothing_is_taken_while_paused(start: Start) -> None:
    """HOLD before a throw pauses; what children do meanwhile is no throw, and neither is it afterwards."""
    evening = start("pig")
    evening.press(HOLD)
    evening.see(evening.tray.throw(3))
    evening.press(HOLD)
    evening.see(evening.tray.rest())
    assert evening.kinds == []
    evening.see(evening.tray.pick_up(), evening.tray.throw(2))
    assert evening.told[0]["faces"] == [2]


def test_undo_takes_back_and_bank_reads_again(start: Start) -> None:
    """A throw taken back: the die that lies there is taken again only by BANK."""
    evening = start("pig")
    evening.see(evening.tray.throw(4))
    evening.session.undo(1, (), evening.tray.now_s)
    evening.see(evening.tray.rest())
    assert evening.session.match.event == 0
    evening.press(BANK)
    assert [event["kind"] for event in evening.told] == ["throw", "undo", "throw"]


def test_a_store_that_cannot_write_is_waited_out(start: Start) -> None:
    """While another program locks the file nothing is obeyed; the same rest is taken when it can be stored."""
    evening = start("pig")
    database = evening.store._database  # noqa: SLF001 - only SQLite itself can be told to be full
    pages = database.execute("PRAGMA page_count").fetchone()[0]
    database.execute(f"PRAGMA max_page_count={pages}")
    faces = iter([2, 3, 4, 5, 6] * 200)
    while "free some space" not in evening.session.notices.hint:
        evening.see(evening.tray.pick_up(), evening.tray.throw(next(faces)))
    before = evening.session.match.event
    assert before == len(evening.store.events(evening.session.journal.number))
    database.execute("PRAGMA max_page_count=100000")
    evening.see(evening.tray.rest())
    assert evening.session.match.event > before
    assert evening.session.notices.hint == ""


def test_what_was_told_is_what_the_store_gives_back(start: Start) -> None:
    """After throws, an undo and a bank the stored log leads to the same match."""
    evening = start("pig")
    evening.see(evening.tray.throw(4), evening.tray.pick_up(), evening.tray.throw(5))
    evening.session.undo(1, (), evening.tray.now_s)
    evening.see(evening.tray.pick_up(), evening.tray.throw(6))
    evening.press(BANK)
    match = load_match(evening.store, evening.store.match(evening.session.journal.number))
    assert match.state() == evening.session.match.state()
    stored = evening.store.events(evening.session.journal.number)
    assert [event.n for event in stored] == [event["n"] for event in evening.told]
