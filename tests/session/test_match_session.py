"""Playing at the table, from rests and presses to events: the tray's manners, and dice that are moved by hand."""

from dataclasses import replace

import pytest
from table_in_words import Table

from tabletop.core.values import Rest, Unit, UnsureReason
from tabletop.interpret.hints import ONE_MISSING, ONE_TOO_MANY

HAND = "throw 6 6 1 2 3"
SORTED = f"{HAND}, pick 6 6, throw 6 6"
THROWN = "throw 1 2 3 6 6"

Row = tuple[str, str, list[str], str]

# without a rail: the game, what is done, the events of it, and what the hint holds then
BARE: list[Row] = [
    # the die that was banked lies there still
    ("pig", "throw 4, pick, throw 6, BANK", ["throw 4", "choose roll", "throw 6", "choose bank"], ""),
    ("pig", "throw 4, BANK, look, BANK", ["throw 4", "choose bank"], "Ben"),
    ("yahtzee", "lies 1 2 2 5 6, BANK", ["throw 1 2 2 5 6"], ""),
    # a throw that is not whole
    ("yahtzee", "throw 1 2 3 4", [], ONE_MISSING),
    ("yahtzee", "throw 1 2 3", [], "2 dice are missing"),
    ("yahtzee", "throw 1 2 3 4, throw 6", ["throw 1 2 3 4 6"], ""),
    ("yahtzee", "throw 1 2 3, throw 6 6", ["throw 1 2 3 6 6"], ""),
    ("yahtzee", "throw 1 2 3 4 5 6", [], ONE_TOO_MANY),
    ("yahtzee", "throw 1 2 3 4, lean", [], "die at the bottom right leans: nudge it"),
    ("yahtzee", "throw 1 2 3 4, lean, flat, throw 6", ["throw 1 2 3 4 6"], ""),
    # dice left lying are kept
    ("yahtzee", f"{HAND}, pick 1 2 3", [THROWN], ""),
    ("yahtzee", f"{HAND}, pick 1 2 3, throw 6 4 4", [THROWN, "keep 6 6", "throw 4 4 6"], ""),
    # paused
    ("pig", "HOLD, throw 3, HOLD, look", [], ""),
    ("pig", "HOLD, throw 3, HOLD, look, pick, throw 2", ["throw 2"], ""),
    ("pig", "throw 4, undo, look", ["throw 4", "undo None"], ""),
    ("pig", "throw 4, undo, look, BANK", ["throw 4", "undo None", "throw 4"], ""),
    # dice that only changed places were not thrown
    ("yahtzee", SORTED, [THROWN], "moved"),
    ("yahtzee", f"{SORTED}, pick 1 2 3", [THROWN], ""),
    ("yahtzee", f"{SORTED}, pick 1 2 3, throw 4 4 5", [THROWN, "keep 6 6", "throw 4 4 5"], ""),
    ("yahtzee", f"{HAND}, pick 2 6, throw 2 6, pick 6, throw 4", [THROWN, "keep 1 2 3 6", "throw 4"], ""),
    ("yahtzee", f"{HAND}, pick 2 6, throw 2 6, pick 1, throw 6", [THROWN, "keep 2 3 6 6", "throw 6"], ""),
    ("yahtzee", f"{SORTED}, pick 1 2, BANK", [THROWN, "keep 3 6 6"], ""),
    ("yahtzee", f"{SORTED}, pick 1 2, BANK, look, BANK", [THROWN, "keep 3 6 6"], "Ann"),
    ("yahtzee", f"{SORTED}, pick 3, throw 3, BANK, look", [THROWN, "keep 1 2 6 6", "throw 3"], ""),
    ("ten-thousand", "throw 1 1 2 3 4 5, pick 1 2, throw 1 2, pick 3 4, throw 6 6", ["throw 1 1 2 3 4 5"], "cannot be"),
    # HOLD was walked to other dice than lie there
    ("yahtzee", "throw 1 2 1 3 6, HOLD, pick 1 3 6, throw 1 1 6", ["throw 1 1 2 3 6", "keep 1 2", "throw 1 1 6"], ""),
    ("yahtzee", "throw 1 2 1 3 6, HOLD, pick, throw 2 4 5 5 6", ["throw 1 1 2 3 6", "keep", "throw 2 4 5 5 6"], ""),
    ("yahtzee", "throw 1 4 4 2 6, pick 4 2 6, HOLD, throw 1 3 4", ["throw 1 2 4 4 6", "keep 1 4", "throw 1 3 4"], ""),
    # a straight sorted grip by grip, until none lies where it fell
    ("ten-thousand", "throw 1 2 3 4 5 6, pick 1 2 3, throw 1 2 3, look", ["throw 1 2 3 4 5 6"], "moved"),
    ("ten-thousand", f"throw 1 2 3 4 5 6{''.join(f', pick {n}, throw {n}, look' for n in range(1, 7))}",
     ["throw 1 2 3 4 5 6"], "moved"),
]  # fmt: skip

# with a rail
RAILED: list[Row] = [
    ("ten-thousand", "throw 1 1 5 2 3 4, aside 1 1, BANK", ["throw 1 1 2 3 4 5", "keep 1 1", "choose bank"], ""),
    (  # all six score: thrown again they are kept, and roll on
        "ten-thousand", "throw 1 2 3 4 5 6, pick, throw 2 2 3 4 6 6",
        ["throw 1 2 3 4 5 6", "keep 1 2 3 4 5 6", "choose roll", "throw 2 2 3 4 6 6"], "",
    ),
    ("ten-thousand", "throw 1 5 2 3 4 4, aside 2 3", ["throw 1 2 3 4 4 5"], "2 3 cannot be kept: keep 1 5"),
    ("ten-thousand", "throw 1 5 2 3 4 4, aside 2 3, pick 1 5 4 4, throw 6 6 2 2", ["throw 1 2 3 4 4 5"], "cannot"),
    (  # what was kept before may be picked up again; the third throw of Yahtzee keeps itself
        "yahtzee", f"{HAND}, aside 6 6, pick 1 2 3, throw 6 4 4, aside 6, pick 4 4, throw 2 6",
        [THROWN, "keep 6 6", "throw 4 4 6", "keep 6 6 6", "throw 2 6"], "",
    ),
    (  # T4 of the rule book: 100 and 200, not 1000
        "ten-thousand", "throw 1 2 3 4 4 6, aside 1, pick 2 3 4 4 6, throw 1 1 2 3 6, aside 1 1, BANK",
        ["throw 1 2 3 4 4 6", "keep 1", "choose roll", "throw 1 1 2 3 6", "keep 1 1", "choose bank"], "",
    ),
    ("plus-and-minus", "throw 1 2 3 4 6, aside 2", ["throw 1 2 3 4 6"], "2 cannot be kept: keep 4 6, or others"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("unit", "game", "deeds", "events", "hint"), [*(("px", *row) for row in BARE), *(("mm", *row) for row in RAILED)]
)
def test_what_is_done_at_the_tray_leads_to_these_events(
    unit: Unit, game: str, deeds: str, events: list[str], hint: str
) -> None:
    table = Table(game, unit).do(deeds)
    assert table.taken == events
    assert hint in table.hint


def test_a_hand_over_dice_does_not_end_the_question_whether_they_were_only_moved() -> None:
    """A hand hides two dice for a moment: nobody took them up, so BANK still says that the 6s were thrown again."""
    table = Table("yahtzee", "px").do(SORTED)
    lying = list(table.tray.dice)
    table.do("pick 1 2")
    table.tray.dice = lying
    assert "moved" in table.do("look").hint
    assert table.do("BANK").taken == [THROWN, "keep 1 2 3", "throw 6 6"]


def test_dice_thrown_in_one_go_after_sorting_are_those_taken_up() -> None:
    """No rest was seen while they were in the hand: what lay there while others were sorted is not what was kept."""
    table = Table("yahtzee", "px").do(SORTED)
    table.tray.pick_up(1, 2, 3)
    assert table.do("throw 4 4 5").taken == [THROWN, "keep 6 6", "throw 4 4 5"]


def test_a_moved_die_that_is_in_doubt_later_is_named_and_can_be_told() -> None:
    """A sorted 6 cannot be read any more: it is named, and BANK leads to its face."""
    table = Table("yahtzee", "px").do(f"{SORTED}, pick 1 2 3")
    _, _, came_s = table.tray.dice.pop()
    table.tray.doubts.append(("leans", came_s))
    table.tray.now_s += 3.0
    assert "leans" in table.do("look").hint
    assert table.session.doubt is not None
    assert "leans" in table.do("throw 4 4 5").hint
    assert table.taken == [THROWN]


def test_the_same_faces_seen_rolling_are_a_throw() -> None:
    """Two 6s again, without a rail: no hand moved them, so Ann has kept the others and rolled on."""
    table = Table("yahtzee", "px").do(f"{HAND}, pick 6 6")
    thrown = table.tray.throw(6, 6)
    table.session.on_rest(replace(thrown, rolled_s=max(thrown.arrived_s)), moving_hint=False)
    assert table.taken == [THROWN, "keep 1 2 3", "throw 6 6"]


@pytest.mark.parametrize("walked", ["", ", HOLD"])
def test_a_die_in_doubt_that_lies_untouched_keeps_the_face_that_was_counted(walked: str) -> None:
    """Yahtzee, 1 2 3 6 6: while 1 and 2 are in the hand a 6 is no longer sure; then 4 5 are thrown."""
    table = Table("yahtzee", "px").do(f"throw 3 6 6 1 2{walked}, pick 1 2")

    def doubted(rest: Rest) -> Rest:
        *others, six = rest.reading.dice[:3]
        reading = replace(
            rest.reading, dice=(*others, *rest.reading.dice[3:]), unsure=(six.unsure(UnsureReason.LEANS),)
        )
        arrived_s = rest.arrived_s[:2] + rest.arrived_s[3:]
        return replace(rest, reading=reading, arrived_s=arrived_s, unsure_arrived_s=rest.arrived_s[2:3])

    for rest in (table.tray.rest(), table.tray.throw(4, 5)):
        table.session.on_rest(doubted(rest), moving_hint=False)
    assert table.taken == [THROWN, "keep 3 6 6", "throw 4 5"]
