"""The design's press table, row by row: what HOLD, BANK and a throw do, whatever the table waits for.

| request | HOLD | BANK | a throw |
|---|---|---|---|
| Roll | pause, and on again (nothing is taken meanwhile) | takes dice that lie there unread; else says whose throw is due | is it |
| Keep | walks through the legal parts, the dice seen set aside first, then the best | keeps what is shown; where the game then offers to stop, stops | keeps the part walked to with HOLD, else what lies aside; rolls on |
| Choose roll or bank | roll on (asks for a second press) | banks | rolls on |
| Choose among others | next one, best first | takes it | waits, with a hint |
"""  # noqa: E501 - a table cannot be broken

from collections.abc import Callable

import pytest
from table_in_words import Table

from tabletop.core.ports import Press
from tabletop.interpret import TableMemory, on_press
from tabletop.interpret.hints import ONE_TOO_MANY
from tabletop.interpret.press_table import LONGEST_LABEL, PRESS_TABLE, REALLY_ROLL, STOP, WHOSE_GO
from tabletop.rules import Choose, Request, Throw


def at(game: str, deeds: str = "") -> Callable[[], Table]:
    return lambda: Table(game).do(deeds)


pig, together, at_stake = at("pig"), at("roll-your-luck"), at("pig", "throw 4")
ten_thousand, hot_dice = at("ten-thousand", "throw 1 1 2 3 4 5"), at("ten-thousand", "throw 1 1 1 5 5 5")
die_by_die, everest = at("yahtzee", "throw 1 2 3 6 6"), at("everest", "throw 1 1 2")
Row = tuple[Callable[[], Table], str, list[str], str]

# what is waited for, what is done, which events come of it, and what a hint says then
ROWS: list[Row] = [
    # Roll
    (pig, "HOLD", [], ""),
    (pig, "HOLD, throw 3", [], ""),
    (pig, "HOLD, throw 3, HOLD", [], ""),
    (pig, "HOLD, BANK", [], "paused"),
    (pig, "HOLD, HOLD, throw 3", ["throw 3"], ""),
    (pig, "lies 3", [], ""),
    (pig, "lies 3, BANK", ["throw 3"], ""),
    (pig, "lies 3 3", [], ""),
    (pig, "lies 3 3, BANK", [], ONE_TOO_MANY),
    (pig, "BANK", [], "Ann to throw"),
    (pig, "throw 3", ["throw 3"], ""),
    (together, "BANK", [], "waiting for Ann and Ben to throw"),
    # Keep
    (ten_thousand, "HOLD", [], ""),
    (ten_thousand, "BANK", ["keep 1 1 5", "choose bank"], ""),
    (ten_thousand, "aside 5, BANK", ["keep 5", "choose bank"], ""),
    (ten_thousand, "aside 5, HOLD, BANK", ["keep 1 1 5", "choose bank"], ""),
    (ten_thousand, "HOLD, BANK", ["keep 1 1", "choose bank"], ""),
    (ten_thousand, "aside 5, pick, throw 2 2 3 4 6", ["keep 5", "choose roll", "throw 2 2 3 4 6"], ""),
    (ten_thousand, "HOLD, pick, throw 2 3 4 6", ["keep 1 1", "choose roll", "throw 2 3 4 6"], ""),
    (ten_thousand, "aside 1, HOLD, HOLD, pick, throw 2 3 4 6", ["keep 1 1", "choose roll", "throw 2 3 4 6"], ""),
    (ten_thousand, "aside 2", [], "cannot be kept"),
    (ten_thousand, "aside 5, hand, BANK", ["keep 5", "choose bank"], ""),
    (hot_dice, "pick, throw 2 2 3 4 6", [], "which die is kept? press HOLD"),  # one was kept off the table
    (die_by_die, "HOLD, pick, throw 4 4 5", [], ONE_TOO_MANY),
    (die_by_die, "HOLD, HOLD, BANK, HOLD, pick, throw 4 4 5 5", ["keep 1", "throw 4 4 5 5"], ""),
    # Choose roll or bank
    (at_stake, "HOLD", [], "HOLD again"),
    (at_stake, "HOLD, HOLD", ["choose roll"], ""),
    (at_stake, "HOLD, BANK", ["choose bank"], ""),
    (at_stake, "BANK", ["choose bank"], ""),
    (at_stake, "pick, throw 6", ["choose roll", "throw 6"], ""),
    # Choose among others
    (everest, "HOLD", [], ""),
    (everest, "BANK", ["choose 1 1 2"], ""),
    (everest, "HOLD, BANK", ["choose 1 3"], ""),
    (everest, "pick, throw 4 5 6", [], "choose first"),
    (everest, "pick, throw 4 5 6, BANK", ["choose 1 1 2", "throw 4 5 6"], ""),
]


@pytest.mark.parametrize(("begin", "deeds", "events", "hint"), ROWS)
def test_the_press_table(begin: Callable[[], Table], deeds: str, events: list[str], hint: str) -> None:
    table = begin()
    before = len(table.taken)
    table.do(deeds)
    assert table.taken[before:] == events
    assert hint in table.hint
    assert bool(hint) == bool(table.hint)


@pytest.mark.parametrize(
    ("begin", "deeds", "shown"),
    [
        (pig, "", ("", "pause", WHOSE_GO)),
        (pig, "lies 3", ("", "pause", "take")),
        (pig, "lies 3 3", ("", "pause", WHOSE_GO)),
        (pig, "HOLD", ("", "go on", "")),
        (ten_thousand, "", ("keep 1 1 5, bank 250", "next", "bank")),
        (ten_thousand, "HOLD", ("keep 1 1, bank 200", "next", "bank")),
        (ten_thousand, "aside 5", ("keep 5, bank 50", "next", "bank")),
        (ten_thousand, "aside 5, hand", ("keep 5, bank 50", "next", "bank")),
        (ten_thousand, "HOLD, HOLD, HOLD, HOLD, HOLD", ("keep 1 1 5, bank 250", "next", "bank")),
        # dice that are carried back are no longer aside, and end an older walk
        (ten_thousand, "aside 1 1, back 1", ("keep 1, bank 100", "next", "bank")),
        (ten_thousand, "aside 1 1, back 1 1", ("keep 1 1 5, bank 250", "next", "bank")),
        (ten_thousand, "HOLD, HOLD, HOLD, HOLD", ("keep 5, bank 50", "next", "bank")),
        (ten_thousand, "HOLD, HOLD, HOLD, HOLD, aside 1 1", ("keep 1 1, bank 200", "next", "bank")),
        (ten_thousand, "HOLD, HOLD, HOLD, HOLD, aside 1 1, hand", ("keep 1 1, bank 200", "next", "bank")),
        (die_by_die, "HOLD, HOLD, BANK, HOLD", ("keep this 3?", "leave", "keep")),
        (at_stake, "", ("", REALLY_ROLL, "bank")),
        (at_stake, "HOLD", ("", "roll", "bank")),
        (everest, "", ("1 1 2: 3 points", "next", "take")),
        (everest, "HOLD, HOLD, HOLD", ("for 2 points", "next", "open")),
    ],
)
def test_the_bottom_line_says_what_the_buttons_do(
    begin: Callable[[], Table], deeds: str, shown: tuple[str, str, str]
) -> None:
    assert begin().do(deeds).shown == shown


def test_labels_are_nine_letters_at_most() -> None:
    labels = [does.label for buttons in PRESS_TABLE.values() for does in (buttons.hold, buttons.bank)]
    assert max(len(label) for label in labels if label != STOP) <= LONGEST_LABEL == 9


@pytest.mark.parametrize("press", [Press("hold", long=True, repeat=True), Press("hold", repeat=True)])
@pytest.mark.parametrize(
    "request_",
    [Request("roll", "Ann", 1), Request("keep", "Ann", 1, ((1,), ())), Request("choose", "Ann", 0, (), ("a", "b"))],
)
def test_a_button_that_is_held_on_does_nothing_in_play(press: Press, request_: Request) -> None:
    """Repeated presses are for lists of the menu."""
    memory = TableMemory(unconfirmed="undo")
    outcome = on_press(request_, memory, press, None, (), lambda _: True)
    assert (outcome.memory, outcome.answers, outcome.hint) == (memory, (), "")


# HOLD and hands together


@pytest.mark.parametrize(
    ("deeds", "kept"),
    [
        ("HOLD, aside 5, pick, throw 1 2 3 4 6", "keep 5"),  # set aside after HOLD: that is the newer word
        ("HOLD, aside 1, pick, throw 2 3 4 6", "keep 1 1"),  # the 1 is one of those walked to
        ("aside 5, HOLD, pick, throw 2 3 4", "keep 1 1 5"),
        ("aside 5, HOLD, HOLD, pick, throw 2 3 4 6", "keep 1 1"),  # walked past what lies aside
    ],
)
def test_the_newer_word_counts(deeds: str, kept: str) -> None:
    """What came last counts, HOLD or dice set aside; dice that belong to the part walked to contradict nothing."""
    table = ten_thousand().do(deeds)
    assert table.taken[1] == kept


@pytest.mark.parametrize(
    ("deeds", "given"),
    [
        ("HOLD, HOLD, HOLD, HOLD, aside 1 1", "keep 1 1, bank 200"),  # HOLD had led to the 5
        ("aside 1 1", "keep 1 1, bank 200"),
        ("HOLD, aside 5", "keep 5, bank 50"),
        ("aside 5, HOLD, HOLD", "keep 1 1, bank 200"),  # what lies aside, then the best, then the next
        ("HOLD", "keep 1 1, bank 200"),
        ("", "keep 1 1 5, bank 250"),
    ],
)
def test_bank_gives_what_was_meant_when_the_next_player_has_taken_all_the_dice(deeds: str, given: str) -> None:
    """Ann set dice aside and forgot BANK; Ben takes up all six, those on the rail too, and throws: it is still told."""
    table = ten_thousand().do(deeds).do("pick 2 3 4, pick all, throw 2 2 3 4 6 6")
    assert table.hint == "the next player's throw? BANK first"
    assert table.shown == (given, "next", "bank")
    kept = given.removeprefix("keep ").split(",")[0]
    assert table.do("BANK").taken[1:] == [f"keep {kept}", "choose bank", "throw 2 2 3 4 6 6"]


def test_an_accidental_hold_does_not_keep_other_dice_than_lie_aside() -> None:
    """Yahtzee: HOLD walked to the 6s, then the 1s were carried to the rail, as many: they are kept."""
    table = Table("yahtzee").do("throw 1 1 3 6 6, HOLD")
    assert table.shown[0] == "keep 6 6"
    table.do("aside 1 1")
    assert table.shown[0] == "keep 1 1"
    assert table.do("pick, throw 2 2 3").taken[1:] == ["keep 1 1", "throw 2 2 3"]


def test_a_throw_is_taken_again_beside_dice_that_were_kept() -> None:
    """Yahtzee without a rail, after an undo: BANK takes the three dice again, without the 6s kept before."""
    table = Table("yahtzee").do("throw 1 2 3 6 6, pick 1 2 3, throw 2 4 6")
    table.session.undo(1, table.tray.now_s)
    table.session.on_rest(table.tray.rest(), moving_hint=False)
    assert table.shown[2] == "take"
    assert table.do("BANK").taken[-1] == "throw 2 4 6"


def test_a_stray_die_stays_one_when_a_throw_is_given_to_the_next_player() -> None:
    """Ten Thousand, a 3 beside the dice: when Ann's BANK was forgotten it is no die of Ben's hand either."""
    table = Table("ten-thousand").do("lies 3, throw 1 1 1 5 5 5, pick 1 1 1 5 5 5, throw 1 1 2 4 6 6")
    given = Choose("bank"), Throw((1, 1, 2, 4, 6, 6))
    table.session.undo(2, table.tray.now_s, given)
    assert table.session.match.request.player == "Ben"
    table.do("pick 1 2 4 6 6")
    assert (table.shown[0], table.session.notices.hint) == ("keep 1, bank 100", "")


def test_what_cannot_be_read_is_asked_about_where_dice_are_to_be_read() -> None:
    """What lay there before and cannot be read is nothing alone; beside a die that BANK may take it is asked about."""
    table = pig()
    table.session.on_rest(table.tray.lean(), moving_hint=False)
    table.session.tray.ignore_current_dice(table.tray.now_s)
    table.session.on_rest(table.tray.rest(), moving_hint=False)
    assert (table.session.doubt, table.shown[2]) == (None, WHOSE_GO)
    table.do("lies 3")
    assert table.session.doubt is not None


def test_a_walk_ends_with_its_question() -> None:
    table = everest().do("HOLD, HOLD")
    table.session.give(Choose("pass"), Throw((4, 4, 5)))
    assert table.shown[0] == "4 4 5: 3 points"


def test_without_a_camera_rolling_on_is_said_with_hold() -> None:
    """A keep does not stop of itself; then BANK banks and HOLD rolls on, once."""
    table = Table("ten-thousand")
    table.session.by_hand = True
    table.do("throw 1 1 2 3 4 5, HOLD")
    assert table.shown == ("keep 1 1: 200 points", "next", "keep")
    assert table.do("BANK").shown == ("", "roll", "bank")
    assert table.do("HOLD").taken == ["throw 1 1 2 3 4 5", "keep 1 1", "choose roll"]
