"""Menus for two buttons: HOLD steps, BANK takes, long BANK goes back. Pure: pages in, pages or a decision out.

The match menu leads to the scores, the checks of the table, and the test for the display's chip.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from tabletop.core.checks import Check
from tabletop.core.message import join, say
from tabletop.core.ports import Press
from tabletop.dialogs.commands import Decision, Dialog, Leave, MenuAction, SetLanguage, UseChip
from tabletop.rules import Match
from tabletop.views.board import board
from tabletop.views.snapshot import ChipPattern, MenuView, Scan, Snapshot, TrayDrawing

EMPTY_CELL = "-"


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a page.

    target: the page behind it, a decision, another dialog, or a function that makes one from the menu, so that it can
    return here. given: the label is a name, which is never translated. tray, scan: drawn beside the list, or instead of
    it, while this line is selected.
    """

    label: str
    target: "Page | Decision | Dialog | Opening"
    note: str = ""
    given: bool = False
    tray: TrayDrawing | None = None
    scan: Scan | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A titled list, never empty. at: the selected line. main, sheet: see `MenuView`. bank: the label of BANK."""

    title: str
    items: tuple[Item, ...]
    at: int = 0
    main: bool = False
    sheet: bool = False
    bank: str = say("take")


@dataclass(frozen=True, slots=True)
class Menu:
    """An open menu: the pages from the first to the current one.

    home: long BANK on the first page closes the menu (in a match); otherwise there is nothing to return to (at the
    start).
    """

    pages: tuple[Page, ...]
    home: bool = False

    def step_to(self, at: int) -> "Menu":
        """Return the menu with this line selected, from 0."""
        *before, page = self.pages
        return replace(self, pages=(*before, replace(page, at=at)))

    def press(self, press: Press) -> Dialog | Decision:
        """Handle a press; return the menu, or the decision."""
        *before, page = self.pages
        if press.button == "hold":  # a long press and each repeat is one more step
            return replace(self, pages=(*before, replace(page, at=(page.at + 1) % len(page.items))))
        if press.repeat:
            return self
        if press.long:
            if before:
                return replace(self, pages=tuple(before))
            return MenuAction.BACK if self.home else self
        leads = page.items[page.at].target
        if isinstance(leads, Page):
            return replace(self, pages=(*self.pages, leads))
        return leads(self) if callable(leads) else leads

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot of this menu."""
        page = self.pages[-1]
        given = frozenset(at for at, item in enumerate(page.items) if item.given)
        labels, note = tuple(item.label for item in page.items), page.items[page.at].note
        menu = MenuView(page.title, labels, page.at, note, given, main=page.main, sheet=page.sheet)
        item = page.items[page.at]
        return Snapshot(hold=say("next"), bank=page.bank, menu=menu, tray=item.tray, scan=item.scan)


Opening = Callable[[Menu], Dialog]
PLAY_ON, NO = Item(say("play on"), MenuAction.BACK), Item(say("no, play on"), MenuAction.BACK)


def match_menu(match: Match, *, page: bool = False, display_test: bool = False) -> Menu:
    """Return the menu inside a match.

    page: whether the table can be seen in a browser. display_test: whether the display may have one of two chips.
    """
    sure = Page(say("End it for good?"), (NO, Item(say("yes, end it"), MenuAction.END_MATCH)))
    off = Page(say("Switch off?"), (Item(say("yes, switch off"), MenuAction.QUIT), NO))
    phones = Item(say("phones"), MenuAction.DEVICES, say("who may press there"))
    test = Item(say("display test"), MenuAction.DISPLAY_TEST, say("noise or a shifted picture?"))
    items = (
        PLAY_ON,
        Item(say("undo"), MenuAction.UNDO, say("shows first what it takes back")),
        Item(say("correct"), MenuAction.CORRECT, say("a die was misread")),
        Item(say("scores"), _scores(match), say("the score sheet")),
        *_players(match),
        *([phones] if page else []),
        Item(say("other game"), MenuAction.START_MENU, say("this one stays open")),
        Item(say("end match"), sure, say("it cannot be resumed")),
        Item(say("switch off"), off, say("this one stays open")),
        Item(say("language"), MenuAction.LANGUAGE),
        Item(say("check the table"), MenuAction.CHECK, say("camera, display, buttons")),
        *([test] if display_test else []),
    )
    return Menu((Page(say("Menu"), items, main=True),), home=True)


def _scores(match: Match) -> Page:
    """Return the page of everybody's score; BANK looks at a player's column of the sheet and comes back."""
    items = []
    sheet = board(match)
    for at, (name, points) in enumerate(match.scores.items()):
        rows = tuple(Item(join(": ", (row.label, row.cells[at] or EMPTY_CELL)), _back) for row in sheet)
        column = Page(say("{name}: {n}", name=name, n=points), rows, sheet=True, bank=say("back"))
        items.append(Item(f"{name}: {points}", column if rows else lambda menu: menu, given=True))
    return Page(say("Scores"), tuple(items), bank=say("sheet") if sheet else "")


def _back(menu: Menu) -> Menu:
    return replace(menu, pages=menu.pages[:-1])


def _players(match: Match) -> tuple[Item, ...]:
    """Offer that somebody leaves or joins, if that is possible."""
    there, items = match.present, list[Item]()
    if len(match.players) > 1:
        leaving = tuple(Item(name, _leaves(name), given=True) for name in there)
        items.append(Item(say("leave"), Page(say("Who leaves?"), leaving)))
    if len(there) < len(match.players) or (match.game.joining and len(match.players) < match.game.max_players):
        items.append(Item(say("join"), MenuAction.JOIN, say("comes back, or joins last")))
    if match.over or not items:
        return ()
    return (Item(say("players"), Page(say("Players"), tuple(items)), say("leave or join")),)


def _leaves(name: str) -> Page:
    return Page(say("{name} leaves?", name=name), (NO, Item(say("yes, leave"), Leave(name))))


def devices_page(count: int, *, in_match: bool = True, hotspot: bool = False) -> Menu:
    """Return the page about paired phones and tablets. count: how many there are. hotspot: it can be opened."""
    back = PLAY_ON if in_match else Item(say("back"), MenuAction.START_MENU)
    no = NO if in_match else Item(say("no"), MenuAction.START_MENU)
    sure = Page(say("Send {n} away?", n=count), (no, Item(say("yes, send away"), MenuAction.SEND_AWAY)))
    items = (
        Item(say("show the code"), MenuAction.SHOW_CODE, say("it lets a phone in")),
        *((Item(say("hotspot"), MenuAction.HOTSPOT, say("without other Wi-Fi")),) if hotspot else ()),
        *((Item(say("send all away"), sure, say("{n} may press", n=count)),) if count else ()),
        back,
    )
    return Menu((Page(say("Phones"), items),), home=in_match)


def parts_page(*, in_match: bool) -> Menu:
    """Return what tests the parts: its text is read on the display, HOLD steps, and BANK ends it."""
    back = MenuAction.BACK if in_match else MenuAction.START_MENU
    lines = (say("HOLD: next line"), say("BANK: end of the test"))
    return Menu((Page(say("Upright?"), tuple(Item(line, back) for line in lines), bank=say("done")),), home=in_match)


def trial_page() -> Menu:
    """Return what asks whether new settings stay."""
    note = say("BANK keeps them; otherwise the old ones come back")
    keep = Item(say("keep them"), MenuAction.KEEP_SETTINGS, note)
    return Menu((Page(say("New settings"), (keep, Item(say("the old ones"), MenuAction.OLD_SETTINGS))),))


def language_page(languages: Mapping[str, str], now: str) -> Menu:
    """Return the page that asks for the language. languages: code or file -> the language's own name."""
    items = tuple(Item(name, SetLanguage(language), given=True) for language, name in languages.items())
    at = list(languages).index(now) if now in languages else 0
    return Menu((Page(say("Which language?"), items, at),))


def failed(why: str, asked: Dialog | None = None) -> Menu:
    """Return a page that reports a failure and returns to the previous dialog, or to the start menu."""
    return Menu((Page(say("That failed"), (Item(say("back"), asked or MenuAction.START_MENU, why),)),))


def check_menu(checks: Sequence[Check], *, in_match: bool, updates: bool = False) -> Menu:
    """Return the menu that shows these checks, failed parts first.

    in_match: long BANK and the last line return to the match, otherwise to the start menu. updates: it can be updated.
    """
    back = Item(say("back"), MenuAction.BACK if in_match else MenuAction.START_MENU)
    parts = sorted(dict.fromkeys(check.part for check in checks), key=lambda part: _rank(_of(checks, part)))
    lines = tuple(Item(_label(part, _of(checks, part)), _page(part, _of(checks, part))) for part in parts)
    update = Item(say("update"), MenuAction.UPDATE, say("from a USB stick"))
    return Menu((Page(say("Check"), (*lines, *([update] if updates else []), back)),), home=in_match)


def _of(checks: Sequence[Check], part: str) -> list[Check]:
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
    label = join(": ", (check.name, check.figure)) if check.right is not False else check.name
    note = join(": ", (check.figure, check.remedy)) if check.right is False else check.remedy
    return Item(label, _back, note)


@dataclass(frozen=True, slots=True)
class DisplayTest:
    """A test picture, drawn for one chip after the other: HOLD shows the next one, BANK keeps the visible one.

    Only the right chip shows it without errors, so the question needs no reading. chips: at least two, the current one
    first; a long BANK keeps that.
    """

    chips: tuple[str, ...]
    at: int = 0

    def step_to(self, at: int) -> "DisplayTest":
        """Return the test with this line selected, from 0."""
        return replace(self, at=at)

    def press(self, press: Press) -> Dialog | Decision:
        """Handle a press; return the test, or the chip chosen."""
        if press.button == "hold":
            return self if press.repeat else replace(self, at=(self.at + 1) % len(self.chips))
        if press.repeat:
            return self
        return UseChip(self.chips[0 if press.long else self.at])

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot of this test: a picture on a display, a list elsewhere."""
        items = tuple(say("picture {n}", n=number) for number in range(1, len(self.chips) + 1))
        menu = MenuView(say("frame all round?"), items, self.at, say("only one of the two has a whole frame"))
        pattern = ChipPattern(self.chips[self.at], self.at + 1)
        return Snapshot(hold=say("other"), bank=say("clean"), menu=menu, pattern=pattern)
