"""The display test as a dialog: answered blind, by two buttons."""

import pytest

from tabletop.core.ports import Press
from tabletop.dialogs.decisions import Decision, Dialog, MenuAction, UseChip
from tabletop.dialogs.menu import DisplayTest, match_menu
from tabletop.rules import Match
from tabletop.views.snapshot import ChipPattern

HOLD, BANK = Press("hold"), Press("bank")
BACK, REPEAT = Press("bank", long=True), Press("hold", long=True, repeat=True)


def pressed(*presses: Press) -> Dialog | Decision:
    """Return what the test leads to after these presses."""
    now: Dialog | Decision = DisplayTest(("ssd1306", "sh1106"))
    for press in presses:
        assert isinstance(now, DisplayTest)
        now = now.press(press)
    return now


@pytest.mark.parametrize(
    ("presses", "chip"),
    [
        ((BANK,), "ssd1306"),
        ((HOLD, BANK), "sh1106"),
        ((HOLD, HOLD, BANK), "ssd1306"),
        ((HOLD, BACK), "ssd1306"),
        ((REPEAT, BANK), "ssd1306"),
    ],
)
def test_hold_shows_the_other_and_bank_keeps_it(presses: tuple[Press, ...], chip: str) -> None:
    """The one shown is kept; a long BANK keeps the one from before; a repeat of HOLD does nothing."""
    assert pressed(*presses) == UseChip(chip)


def test_what_it_shows_is_drawn_as_the_chip_that_it_asks_about() -> None:
    """Picture 1 is the chip used before, 2 the other one; a list says the same where there is no display."""
    for at, chip in enumerate(("ssd1306", "sh1106")):
        shown = DisplayTest(("ssd1306", "sh1106"), at).snapshot
        assert shown.pattern == ChipPattern(chip, at + 1)
        assert shown.menu is not None
        assert (shown.menu.items[shown.menu.at], shown.hold, shown.bank) == (f"picture {at + 1}", "other", "clean")


def test_the_menu_offers_it_where_there_is_something_to_test() -> None:
    """As its last line, so that nobody has to learn the menu again."""
    match = Match("pig", ["Ann", "Ben"])
    with_test = match_menu(match, display_test=True).pages[0].items
    usual = [item.label for item in match_menu(match).pages[0].items]
    assert [item.label for item in with_test] == [*usual, "display test"]
    assert with_test[-1].target is MenuAction.DISPLAY_TEST
