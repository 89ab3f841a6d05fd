"""Menus for two buttons: HOLD steps, BANK takes, long BANK goes back. Pure: pages in, pages or a decision out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from tabletop.core.ports import Press
from tabletop.dialogs.score_pages import ScorePages
from tabletop.rules import Answer, Match
from tabletop.views.snapshot import MenuView, Snapshot, TrayDrawing


@dataclass(frozen=True, slots=True)
class NewMatch:
    """Play this game with these players. settings: the options that are not as usual, `rules` first."""

    game: str
    players: tuple[str, ...] = ()
    settings: tuple[tuple[str, int | bool | str], ...] = ()


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on with a match of the store."""

    number: int


@dataclass(frozen=True, slots=True)
class MenuAction:
    """Something the table does.

    name: "undo" and "correct" ask on; "leave" ends this match for good, "menu" puts it aside, "quit" ends the table.
    "back" closes what was asked, and what was done with the dice meanwhile is no throw; "stay" closes it as if it had
    not been opened. "again" gives the answer that is offered anew, "enough" ends the offering. "rematch" asks for one,
    "join" who sits down, "language" what is spoken.
    """

    name: str


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back the newest entries of this match that are in force, then give these answers, all of it at once."""

    entries: int
    answers: tuple[Answer, ...] = ()


@dataclass(frozen=True, slots=True)
class Correct:
    """Correct a throw, keep or choice of this match. number: from 1, among those that stand."""

    number: int
    answer: Answer


@dataclass(frozen=True, slots=True)
class Leave:
    """This player leaves the match that is played."""

    name: str


@dataclass(frozen=True, slots=True)
class Join:
    """This player comes back, or sits down, at the match that is played."""

    name: str


@dataclass(frozen=True, slots=True)
class ForgetName:
    """Do not offer this name any more, and go on with what is asked."""

    name: str
    then: "Dialog"


@dataclass(frozen=True, slots=True)
class SetLanguage:
    """Show everything in this language from now on. language: its code, or its file."""

    language: str


Decision = NewMatch | Resume | MenuAction | TakeBack | Correct | Leave | Join | ForgetName | SetLanguage
DECISIONS = (NewMatch, Resume, MenuAction, TakeBack, Correct, Leave, Join, ForgetName, SetLanguage)


class Dialog(Protocol):
    """Anything that has the two buttons to itself until it is answered: a menu, a name being spelled, faces told."""

    def press(self, press: Press) -> "Dialog | Decision":
        """Return what is asked after this press, or what was decided."""

    @property
    def snapshot(self) -> Snapshot:
        """What views draw of it."""


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
    """A titled list, never empty, and where HOLD has stepped to."""

    title: str
    items: tuple[Item, ...]
    at: int = 0


@dataclass(frozen=True, slots=True)
class Menu:
    """An open menu: the pages from the first to the one shown.

    home: long BANK on the first page closes the menu (in a match); without it there is nothing behind (at the start).
    """

    pages: tuple[Page, ...]
    home: bool = False

    def press(self, press: Press) -> "Dialog | Decision":
        """Return the menu after this press, or what was decided."""
        *before, page = self.pages
        if press.button == "hold":  # a long one and each of its repeats is one more step
            return replace(self, pages=(*before, replace(page, at=(page.at + 1) % len(page.items))))
        if press.repeat:
            return self
        if press.long:
            if before:
                return replace(self, pages=tuple(before))
            return MenuAction("back") if self.home else self
        leads = page.items[page.at].target
        if isinstance(leads, Page):
            return replace(self, pages=(*self.pages, leads))
        return leads(self) if callable(leads) else leads

    @property
    def snapshot(self) -> Snapshot:
        """What views draw of it."""
        page = self.pages[-1]
        given = frozenset(at for at, item in enumerate(page.items) if item.given)
        menu = MenuView(page.title, tuple(item.label for item in page.items), page.at, page.items[page.at].note, given)
        return Snapshot(hold="next", bank="take", menu=menu, tray=page.items[page.at].tray)


Opening = Callable[[Menu], Dialog]


def match_menu(match: Match) -> Menu:
    """Return the menu inside a match."""
    sure = Page("End it for good?", (Item("no, play on", MenuAction("back")), Item("yes, end it", MenuAction("leave"))))
    items = (
        Item("play on", MenuAction("back")),
        Item("undo", MenuAction("undo"), "shows first what it takes back"),
        Item("correct", MenuAction("correct"), "a die was read wrongly"),
        Item("scores", lambda menu: ScorePages(match, menu), "the score sheet"),
        *_players(match),
        Item("other game", MenuAction("menu"), "this one stays open"),
        Item("end match", sure, "it cannot be resumed"),
        Item("switch off", MenuAction("quit"), "this one stays open"),
        Item("language", MenuAction("language")),
    )
    return Menu((Page("Menu", items),), home=True)


def _players(match: Match) -> tuple[Item, ...]:
    """Offer that somebody leaves or joins, where that is possible."""
    items = []
    there = match.present
    if len(there) > 1:
        items.append(Item("leave", Page("Who leaves?", tuple(Item(name, _leaves(name), given=True) for name in there))))
    if len(there) < len(match.players) or (match.game.joining and len(match.players) < match.game.max_players):
        items.append(Item("join", MenuAction("join"), "comes back, or sits down last"))
    return (Item("players", Page("Players", tuple(items)), "leave or join"),) if items and not match.over else ()


def _leaves(name: str) -> Page:
    return Page(f"{name} leaves?", (Item("no, play on", MenuAction("back")), Item("yes, leave", Leave(name))))


def language_page(languages: Mapping[str, str], now: str) -> Menu:
    """Return the page that asks which language is spoken. languages: by code or file, how each calls itself."""
    items = tuple(Item(name, SetLanguage(language), given=True) for language, name in languages.items())
    at = list(languages).index(now) if now in languages else 0
    return Menu((Page("Which language?", items, at),))


def failed(why: str, asked: Dialog | None = None) -> Menu:
    """Return a page that says what could not be done and leads back to what was asked, or to the start menu."""
    return Menu((Page("That failed", (Item("back", asked or MenuAction("menu"), why),)),))
