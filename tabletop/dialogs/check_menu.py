"""The checks of the table in its own menu: a line a part, and behind it each check with what to do. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from tabletop.core.checks import Check
from tabletop.core.message import join, say
from tabletop.dialogs.decisions import MenuAction
from tabletop.dialogs.menu import Item, Menu, Page


def check_menu(checks: Sequence[Check], *, in_match: bool) -> Menu:
    """Return the menu that shows these checks, those parts first that are not right.

    in_match: long BANK and the last line lead back to the match, else to the start menu.
    """
    back = Item(say("back"), MenuAction.BACK if in_match else MenuAction.START_MENU)
    parts = sorted(dict.fromkeys(check.part for check in checks), key=lambda part: _rank(_of(checks, part)))
    lines = tuple(Item(_label(part, _of(checks, part)), _page(part, _of(checks, part))) for part in parts)
    return Menu((Page(say("Check"), (*lines, back)),), home=in_match)


def _of(checks: Sequence[Check], part: str) -> list[Check]:
    """Return the checks of a part, those first that are not right."""
    return sorted((check for check in checks if check.part == part), key=lambda check: _rank([check]))


def _rank(checks: Sequence[Check]) -> int:
    rights = [check.right for check in checks]
    return 0 if False in rights else 1 if None in rights else 2


def _label(part: str, checks: Sequence[Check]) -> str:
    wrong = sum(check.right is False for check in checks)
    if wrong:
        return join(": ", (part, say("1 fault") if wrong == 1 else say("{n} faults", n=wrong)))
    return join(": ", (part, say("all right") if any(check.found for check in checks) else say("not there")))


def _page(part: str, checks: Sequence[Check]) -> Page:
    return Page(part, tuple(_item(check) for check in checks))


def _item(check: Check) -> Item:
    """Return the line of a check; BANK leads back to the parts."""
    label = join(": ", (check.name, check.figure)) if check.right is not False else check.name
    note = join(": ", (check.figure, check.remedy)) if check.right is False else check.remedy
    return Item(label, lambda menu: replace(menu, pages=menu.pages[:-1]), note)
