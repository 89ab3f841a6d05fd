"""Menus for two buttons: HOLD steps, BANK takes, long BANK goes back. Pure: pages in, pages or a decision out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from tabletop.core.message import say
from tabletop.core.ports import Press
from tabletop.dialogs.decisions import Decision, Dialog, Leave, MenuAction, SetLanguage
from tabletop.dialogs.score_pages import ScorePages
from tabletop.rules import Match
from tabletop.views.snapshot import MenuView, Snapshot, TrayDrawing


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a page.

    leads: the page behind it, the decision that it is, whatever else then has the buttons, or what makes that of the
    menu, so that it can come back here. given: the label is what people named, the same in every language. tray: drawn
    beside the list while this line is the one stepped to.
    """

    label: str
    target: "Page | Decision | Dialog | Opening"
    note: str = ""
    given: bool = False
    tray: TrayDrawing | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A titled list, never empty, and where HOLD has stepped to. main: as in `MenuView`."""

    title: str
    items: tuple[Item, ...]
    at: int = 0
    main: bool = False


@dataclass(frozen=True, slots=True)
class Menu:
    """An open menu: the pages from the first to the one shown.

    home: long BANK on the first page closes the menu (in a match); without it there is nothing behind (at the start).
    """

    pages: tuple[Page, ...]
    home: bool = False

    def step_to(self, at: int) -> "Menu":
        """Return it with this line stepped to, from 0."""
        *before, page = self.pages
        return replace(self, pages=(*before, replace(page, at=at)))

    def press(self, press: Press) -> Dialog | Decision:
        """Return the menu after this press, or what was decided."""
        *before, page = self.pages
        if press.button == "hold":  # a long one and each of its repeats is one more step
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
        """What views draw of it."""
        page = self.pages[-1]
        given = frozenset(at for at, item in enumerate(page.items) if item.given)
        labels, note = tuple(item.label for item in page.items), page.items[page.at].note
        menu = MenuView(page.title, labels, page.at, note, given, main=page.main)
        return Snapshot(hold=say("next"), bank=say("take"), menu=menu, tray=page.items[page.at].tray)


Opening = Callable[[Menu], Dialog]


def match_menu(match: Match, *, page: bool = False, display_test: bool = False) -> Menu:
    """Return the menu inside a match.

    page: whether the table can be seen in a browser. display_test: there is a display that may have one of two chips.
    """
    sure = Page(
        say("End it for good?"),
        (Item(say("no, play on"), MenuAction.BACK), Item(say("yes, end it"), MenuAction.END_MATCH)),
    )
    off = Page(
        say("Switch off?"),
        (Item(say("yes, switch off"), MenuAction.QUIT), Item(say("no, play on"), MenuAction.BACK)),
    )
    items = (
        Item(say("play on"), MenuAction.BACK),
        Item(say("undo"), MenuAction.UNDO, say("shows first what it takes back")),
        Item(say("correct"), MenuAction.CORRECT, say("a die was misread")),
        Item(say("scores"), lambda menu: ScorePages(match, menu), say("the score sheet")),
        *_players(match),
        *((Item(say("phones"), MenuAction.DEVICES, say("who may press there")),) if page else ()),
        Item(say("other game"), MenuAction.START_MENU, say("this one stays open")),
        Item(say("end match"), sure, say("it cannot be resumed")),
        Item(say("switch off"), off, say("this one stays open")),
        Item(say("language"), MenuAction.LANGUAGE),
        Item(say("check the table"), MenuAction.CHECK, say("camera, display, buttons")),
        *(
            [Item(say("display test"), MenuAction.DISPLAY_TEST, say("noise or a shifted picture?"))]
            if display_test
            else []
        ),
    )
    return Menu((Page(say("Menu"), items, main=True),), home=True)


def _players(match: Match) -> tuple[Item, ...]:
    """Offer that somebody leaves or joins, if that is possible."""
    items = []
    there = match.present
    if len(match.players) > 1:
        items.append(
            Item(say("leave"), Page(say("Who leaves?"), tuple(Item(name, _leaves(name), given=True) for name in there)))
        )
    if len(there) < len(match.players) or (match.game.joining and len(match.players) < match.game.max_players):
        items.append(Item(say("join"), MenuAction.JOIN, say("comes back, or joins last")))
    return (
        (Item(say("players"), Page(say("Players"), tuple(items)), say("leave or join")),)
        if items and not match.over
        else ()
    )


def _leaves(name: str) -> Page:
    return Page(
        say("{name} leaves?", name=name),
        (Item(say("no, play on"), MenuAction.BACK), Item(say("yes, leave"), Leave(name))),
    )


def devices_page(count: int, *, in_match: bool = True) -> Menu:
    """Return the page about the phones and tablets that may press. count: how many there are."""
    back = Item(say("play on"), MenuAction.BACK) if in_match else Item(say("back"), MenuAction.START_MENU)
    no = Item(say("no, play on"), MenuAction.BACK) if in_match else Item(say("no"), MenuAction.START_MENU)
    sure = Page(say("Send {n} away?", n=count), (no, Item(say("yes, send away"), MenuAction.SEND_AWAY)))
    items = (
        Item(say("show the code"), MenuAction.SHOW_CODE, say("it lets a phone in")),
        *((Item(say("send all away"), sure, say("{n} may press", n=count)),) if count else ()),
        back,
    )
    return Menu((Page(say("Phones"), items),), home=in_match)


def language_page(languages: Mapping[str, str], now: str) -> Menu:
    """Return the page that asks which language is spoken. languages: by code or file, how each calls itself."""
    items = tuple(Item(name, SetLanguage(language), given=True) for language, name in languages.items())
    at = list(languages).index(now) if now in languages else 0
    return Menu((Page(say("Which language?"), items, at),))


def failed(why: str, asked: Dialog | None = None) -> Menu:
    """Return a page that says what could not be done and leads back to what was asked, or to the start menu."""
    return Menu((Page(say("That failed"), (Item(say("back"), asked or MenuAction.START_MENU, why),)),))
