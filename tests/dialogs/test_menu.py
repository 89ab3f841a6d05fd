"""Menus driven by presses alone: HOLD steps, held on it steps on, BANK takes, long BANK goes back."""

from tabletop.core.ports import Press
from tabletop.dialogs.decisions import MenuAction, NewMatch
from tabletop.dialogs.menu import Item, Menu, Page, match_menu
from tabletop.rules import Match

HOLD, BANK, BACK = Press("hold"), Press("bank"), Press("bank", long=True)
HELD, REPEAT = Press("hold", long=True), Press("hold", repeat=True)

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
    """Repeats of BANK do nothing: who holds it too long goes back by one page, not by two."""
    inside = _pressed(OUTER, HOLD, BANK)
    assert _at(inside) == "a"
    assert _at(_pressed(inside, BACK, Press("bank", repeat=True))) == "inner"
    assert _pressed(OUTER, BACK) == OUTER
    assert match_menu(Match("pig", ["Ann", "Ben"])).press(BACK) == MenuAction.BACK


def test_an_item_may_lead_to_another_asking_and_back() -> None:
    """What an item opens is told which menu stands behind it."""
    behind: list[Menu] = []

    def opened(menu: Menu) -> Menu:
        behind.append(menu)
        return Menu((INNER,))

    menu = Menu((Page("Outer", (Item("go", opened), Item("there", Menu((INNER,))))),))
    assert _at(_pressed(menu, BANK)) == "a"
    assert behind == [menu]
    assert _at(_pressed(menu, HOLD, BANK)) == "a"


def test_switching_off_takes_one_more_press() -> None:
    """A press on the wrong line of the menu ends no evening: BANK again does, HOLD and BANK plays on."""
    menu = match_menu(Match("pig", ["Ann", "Ben"]))
    while _at(menu) != "switch off":
        menu = _pressed(menu, HOLD)
    asked = _pressed(menu, BANK)
    assert asked.press(BANK) == MenuAction.QUIT
    assert _pressed(asked, HOLD).press(BANK) == MenuAction.BACK
