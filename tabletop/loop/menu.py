"""Menus for two buttons: HOLD steps, BANK takes, long BANK goes back. Pure: pages in, pages or a decision out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from tabletop.ports import Press
from tabletop.rules import Answer
from tabletop.views.snapshot import Menu, Snapshot


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
class Act:
    """Something the table does.

    name: "undo" and "correct" ask on; "leave" ends this match for good, "menu" puts it aside, "quit" ends the table.
    "back" closes what was asked, and what was done with the dice meanwhile is no throw; "stay" closes it as if it had
    not been opened. "again" gives the answer that is offered anew, "enough" ends the offering.
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


Decision = NewMatch | Resume | Act | TakeBack | Correct
DECISIONS = (NewMatch, Resume, Act, TakeBack, Correct)


class Asking(Protocol):
    """Anything that has the two buttons to itself until it is answered: a menu, a name being spelled, faces told."""

    def press(self, press: Press) -> "Asking | Decision":
        """Return what is asked after this press, or what was decided."""

    @property
    def snapshot(self) -> Snapshot:
        """What views draw of it."""


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a page.

    leads: the page behind it, the decision that it is, whatever else then has the buttons, or what makes that of the
    menu, so that it can come back here.
    """

    label: str
    leads: "Page | Decision | Asking | Opening"
    note: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A titled list, never empty, and where HOLD has stepped to."""

    title: str
    items: tuple[Item, ...]
    at: int = 0


@dataclass(frozen=True, slots=True)
class Choice:
    """An open menu: the pages from the first to the one shown.

    home: long BANK on the first page closes the menu (in a match); without it there is nothing behind (at the start).
    """

    pages: tuple[Page, ...]
    home: bool = False

    def press(self, press: Press) -> "Asking | Decision":
        """Return the menu after this press, or what was decided."""
        *before, page = self.pages
        if press.button == "hold":  # a long one and each of its repeats is one more step
            return replace(self, pages=(*before, replace(page, at=(page.at + 1) % len(page.items))))
        if press.repeat:
            return self
        if press.long:
            if before:
                return replace(self, pages=tuple(before))
            return Act("back") if self.home else self
        leads = page.items[page.at].leads
        if isinstance(leads, Page):
            return replace(self, pages=(*self.pages, leads))
        return leads(self) if callable(leads) else leads

    @property
    def snapshot(self) -> Snapshot:
        """What views draw of it."""
        page = self.pages[-1]
        menu = Menu(page.title, tuple(item.label for item in page.items), page.at, page.items[page.at].note)
        return Snapshot(hold="next", bank="take", menu=menu)


Opening = Callable[[Choice], Asking]


def start_menu(open_matches: Sequence[Item], games: Sequence[Item]) -> Choice:
    """Return the menu of a table that waits for somebody: go on with what was open, or choose a game.

    games: items that lead to their pages of players. Where nothing is open it begins with the games.
    """
    list_of_games = Page("Which game?", tuple(games))
    if not open_matches:
        return Choice((list_of_games,))
    first = (*open_matches, Item("new game", list_of_games))
    return Choice((Page("Go on?", first),))


def players_page(game: str, name: str, seatings: Sequence[tuple[str, ...]]) -> Page:
    """Return the page that asks who plays, and behind each answer the page that starts."""
    items = []
    for players in seatings:
        who = ", ".join(players)
        start = Page(f"{name}: {len(players)}", (Item("start", NewMatch(game, players), who),))
        items.append(Item(who if len(players) <= 2 else f"{len(players)} players", start, who))  # noqa: PLR2004 - fits
    return Page("Who plays?", tuple(items))


def match_menu() -> Choice:
    """Return the menu inside a match."""
    sure = Page("End it for good?", (Item("no, play on", Act("back")), Item("yes, end it", Act("leave"))))
    items = (
        Item("play on", Act("back")),
        Item("undo", Act("undo"), "shows first what it takes back"),
        Item("correct", Act("correct"), "a die was read wrongly"),
        Item("other game", Act("menu"), "this one stays open"),
        Item("end match", sure, "it cannot be resumed"),
        Item("switch off", Act("quit"), "this one stays open"),
    )
    return Choice((Page("Menu", items),), home=True)


def failed(why: str) -> Choice:
    """Return a page that says what could not be done and leads back to the start menu."""
    return Choice((Page("That failed", (Item("back", Act("menu"), why),)),))
