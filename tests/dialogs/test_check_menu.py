"""The checks in the table's own menu: what is wrong comes first, and two buttons lead everywhere and back."""

from tabletop.core.checks import Check
from tabletop.core.ports import Press
from tabletop.dialogs.decisions import MenuAction
from tabletop.dialogs.menu import Menu, check_menu, match_menu
from tabletop.rules import Match

HOLD, BANK, BACK = Press("hold"), Press("bank"), Press("bank", long=True)
CHECKS = (
    Check("display", "address", found=True, right=True, figure="0x3c"),
    Check("clock", "time", found=True, right=None, figure="2026-12-24 18:00"),
    Check("camera", "mode", found=True, right=True, figure="1280x720"),
    Check("camera", "frame rate", found=True, right=False, figure="5 a second", remedy="another port"),
    Check("profile", "file", found=False, right=None, figure="none", remedy="`tabletop calibrate` makes one"),
)


def pressed(menu: Menu, *presses: Press) -> Menu:
    """Return the menu after these presses."""
    for press in presses:
        after = menu.press(press)
        assert isinstance(after, Menu)
        menu = after
    return menu


def shown(menu: Menu) -> tuple[tuple[str, ...], str]:
    """Return the lines and the note."""
    view = menu.snapshot.menu
    assert view is not None
    return view.items, view.note


def test_the_part_that_is_wrong_comes_first() -> None:
    """Then those of which nothing is known, then those that are right; the last line leads back."""
    menu = check_menu(CHECKS, in_match=True)
    assert shown(menu)[0] == (
        "camera: 1 fault",
        "clock: all right",
        "profile: not there",
        "display: all right",
        "back",
    )
    assert pressed(menu, HOLD, HOLD, HOLD, HOLD).press(BANK) == MenuAction.BACK
    assert menu.press(BACK) == MenuAction.BACK
    assert pressed(check_menu(CHECKS, in_match=False), *[HOLD] * 4).press(BANK) == MenuAction.START_MENU


def test_a_fault_says_figure_and_remedy_and_leads_back() -> None:
    """What is right shows its figure in its line."""
    menu = pressed(check_menu(CHECKS, in_match=True), BANK)
    assert shown(menu) == (("frame rate", "mode: 1280x720"), "5 a second: another port")
    assert shown(pressed(menu, HOLD))[1] == ""
    assert shown(pressed(menu, BANK)) == shown(check_menu(CHECKS, in_match=True))


def test_the_menu_of_a_match_leads_there() -> None:
    """Its last line asks for the checks."""
    menu: object = match_menu(Match("pig", ["Ann", "Ben"]))
    while isinstance(menu, Menu) and shown(menu)[0][menu.pages[-1].at] != "check the table":
        menu = menu.press(HOLD)
    assert isinstance(menu, Menu)
    assert menu.press(BANK) == MenuAction.CHECK
