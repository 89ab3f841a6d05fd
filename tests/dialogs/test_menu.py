"""Menus driven by presses alone: the menu of a match, the checks, the test of the display, teaching a die."""

from random import Random

import pytest

from tabletop.core.checks import Check
from tabletop.core.ports import Press
from tabletop.core.values import FACES
from tabletop.dialogs.commands import Decision, Dialog, MenuAction, NewMatch, UseChip
from tabletop.dialogs.menu import DisplayTest, Item, Menu, Page, check_menu, match_menu
from tabletop.doctor.camera import FRAME_RATE
from tabletop.rules import Match
from tabletop.session.teaching import Teaching
from tabletop.views.snapshot import ChipPattern

HOLD, BANK, BACK = Press("hold"), Press("bank"), Press("bank", long=True)
HELD, REPEAT, HELD_REPEAT = Press("hold", long=True), Press("hold", repeat=True), Press("hold", long=True, repeat=True)

INNER = Page("Inner", (Item("a", MenuAction.UNDO), Item("b", MenuAction.CORRECT)))
OUTER = Menu(
    (Page("Outer", (Item("play", NewMatch("pig", ("Ann",))), Item("inner", INNER), Item("c", MenuAction.QUIT))),)
)


def _pressed(menu: Menu, *presses: Press) -> Menu:
    for press in presses:
        led = menu.press(press)
        assert isinstance(led, Menu)
        menu = led
    return menu


def _at(menu: Menu) -> str:
    shown = menu.snapshot.menu
    assert shown is not None
    return shown.items[shown.at]


def test_a_held_hold_steps_on_and_round() -> None:
    """The long press and each of its repeats are one step each, from the last item to the first."""
    assert _at(_pressed(OUTER, HELD)) == "inner"
    assert _at(_pressed(OUTER, HELD, REPEAT)) == "c"
    assert _at(_pressed(OUTER, HELD, REPEAT, REPEAT)) == "play"
    assert _at(_pressed(match_menu(Match("pig", ["Ann", "Ben"])), HELD)) == "undo"


def test_a_held_bank_takes_and_goes_back_once() -> None:
    inside = _pressed(OUTER, HOLD, BANK)
    assert _at(inside) == "a"
    assert _at(_pressed(inside, BACK, Press("bank", repeat=True))) == "inner"
    assert _pressed(OUTER, BACK) == OUTER
    assert match_menu(Match("pig", ["Ann", "Ben"])).press(BACK) == MenuAction.BACK


def test_an_item_may_lead_to_another_asking_and_back() -> None:
    behind: list[Menu] = []

    def opened(menu: Menu) -> Menu:
        behind.append(menu)
        return Menu((INNER,))

    menu = Menu((Page("Outer", (Item("go", opened), Item("there", Menu((INNER,))))),))
    assert _at(_pressed(menu, BANK)) == "a"
    assert behind == [menu]
    assert _at(_pressed(menu, HOLD, BANK)) == "a"


def test_lines_of_the_menu_lead_there_and_switching_off_takes_one_more_press() -> None:
    menu = match_menu(Match("pig", ["Ann", "Ben"]))
    lines = menu.pages[0].items
    at = {item.label: number for number, item in enumerate(lines)}
    assert menu.step_to(at["check the table"]).press(BANK) == MenuAction.CHECK
    asked = _pressed(menu.step_to(at["switch off"]), BANK)
    assert asked.press(BANK) == MenuAction.QUIT
    assert _pressed(asked, HOLD).press(BANK) == MenuAction.BACK


CHECKS = (
    Check("display", "address", found=True, right=True, figure="0x3c"),
    Check("clock", "time", found=True, right=None, figure="2026-12-24 18:00"),
    Check("camera", "mode", found=True, right=True, figure="1280x720"),
    Check("camera", FRAME_RATE, found=True, right=False, figure="5 a second", remedy="another port"),
    Check("profile", "file", found=False, right=None, figure="none", remedy="`tabletop calibrate` makes one"),
)


def shown(menu: Menu) -> tuple[tuple[str, ...], str]:
    view = menu.snapshot.menu
    assert view is not None
    return view.items, view.note


def test_the_part_that_is_wrong_comes_first() -> None:
    """Then those of which nothing is known, then those that are right; the last line leads back."""
    menu = check_menu(CHECKS, in_match=True)
    assert shown(menu)[0] == ("camera: 1 fault", "clock: all right", "profile: not there", "display: all right", "back")
    assert _pressed(menu, HOLD, HOLD, HOLD, HOLD).press(BANK) == MenuAction.BACK
    assert menu.press(BACK) == MenuAction.BACK
    assert _pressed(check_menu(CHECKS, in_match=False), *[HOLD] * 4).press(BANK) == MenuAction.START_MENU


def test_a_fault_says_figure_and_remedy_and_leads_back() -> None:
    """What is right shows its figure in its line."""
    menu = _pressed(check_menu(CHECKS, in_match=True), BANK)
    assert shown(menu) == ((FRAME_RATE, "mode: 1280x720"), "5 a second: another port")
    assert shown(_pressed(menu, HOLD))[1] == ""
    assert shown(_pressed(menu, BANK)) == shown(check_menu(CHECKS, in_match=True))


def display_after(*presses: Press) -> Dialog | Decision:
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
        ((HELD_REPEAT, BANK), "ssd1306"),
    ],
)
def test_hold_shows_the_other_and_bank_keeps_it(presses: tuple[Press, ...], chip: str) -> None:
    """The one shown is kept; a long BANK keeps the one from before; a repeat of HOLD does nothing."""
    assert display_after(*presses) == UseChip(chip)


def test_what_it_shows_is_drawn_as_the_chip_that_it_asks_about() -> None:
    """Picture 1 is the chip used before, 2 the other one; a list says the same where there is no display."""
    for at, chip in enumerate(("ssd1306", "sh1106")):
        shown = DisplayTest(("ssd1306", "sh1106"), at).snapshot
        assert shown.pattern == ChipPattern(chip, at + 1)
        assert shown.menu is not None
        assert (shown.menu.items[shown.menu.at], shown.hold, shown.bank) == (f"picture {at + 1}", "other", "clean")


def test_the_menu_offers_it_where_there_is_something_to_test() -> None:
    match = Match("pig", ["Ann", "Ben"])
    with_test = match_menu(match, display_test=True).pages[0].items
    usual = [item.label for item in match_menu(match).pages[0].items]
    assert [item.label for item in with_test] == [*usual, "display test"]
    assert with_test[-1].target is MenuAction.DISPLAY_TEST


class Table:
    """What a table with a die in it does: it notes the faces, and sees no die where `empty`."""

    def __init__(self) -> None:
        self.seen: list[int] = []
        self.empty = False

    def look(self, face: int) -> str:
        if self.empty:
            return "no die"
        self.seen.append(face)
        return ""

    def forget(self) -> None:
        self.seen.pop()


def step_to(dialog: Dialog | Decision, face: int) -> Dialog | Decision:
    """Press HOLD until this face is the one stepped to: at most five times."""
    for _ in range(len(FACES)):
        assert isinstance(dialog, Teaching)
        if dialog.face == face:
            return dialog
        dialog = dialog.press(HOLD)
    raise AssertionError(face)


def test_any_order_ends_once_each_face_was_shown_three_times() -> None:
    """Eighteen faces in a random order: all are noted in that order, and the last press ends it, no press before."""
    table, order = Table(), list(FACES * 3)
    Random(1).shuffle(order)
    dialog: Dialog | Decision = Teaching(table.look, table.forget)
    for face in order:
        dialog = step_to(dialog, face)
        assert isinstance(dialog, Teaching)
        dialog = dialog.press(BANK)
    assert dialog is MenuAction.QUIT
    assert table.seen == order


def test_long_bank_takes_back_and_with_nothing_taken_ends() -> None:
    table = Table()
    dialog: Dialog | Decision = Teaching(table.look, table.forget)
    for press, seen in ((BANK, [1]), (HOLD, [1]), (BANK, [1, 2]), (BACK, [1]), (BACK, [])):
        assert isinstance(dialog, Teaching)
        dialog = dialog.press(press)
        assert table.seen == seen
    assert isinstance(dialog, Teaching)
    assert dialog.press(BACK) is MenuAction.QUIT


def test_what_is_not_seen_is_said_and_not_counted() -> None:
    table = Table()
    table.empty = True
    dialog = Teaching(table.look, table.forget).press(BANK)
    assert isinstance(dialog, Teaching)
    menu = dialog.snapshot.menu
    assert menu is not None
    assert (menu.note, menu.at, dialog.shown) == ("no die", 0, ())
