"""Examples of all that the small screen shows: a snapshot for each kind of picture, with long names, large scores."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from glass import Glass
from numpy.typing import NDArray
from PIL import Image

from tabletop.cli.wiring.presenter import Views
from tabletop.core.message import say
from tabletop.dialogs.setup import OTHER_GAME, WHICH_GAME
from tabletop.interpret.hints import ONE_MISSING
from tabletop.session.manual_entry import SET_DIE
from tabletop.session.snapshotting import ROLL_OR_BANK, THROW_ONE
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.oled.screen import Door, draw, pages
from tabletop.views.snapshot import DieInTray, Entry, MenuView, Snapshot, Spelling, TrayDrawing
from tabletop.web.page import qr_code

SIX = ("Wilhelmina-A", "Bartholomäus", "Élodie", "Śćibor", "Maximilianus", "Jo")
SIX_SCORES = (10350, 9800, 12050, 0, 10000, 99999)
TWO = ("Ann", "Bartholomew")

BOXES = (
    ("ones", "3", "2"), ("twos", "", "6"), ("threes", "9", ""), ("three of a kind", "", "21"),
    ("full house", "25", ""), ("small straight", "", ""), ("yahtzee", "", ""), ("throws", "", "1"),
)  # fmt: skip
PARTS = (("body", "1", "1", "0"), ("head", "1", "0", "0"), ("legs", "4", "0", "0"), ("eyes", "2", "0", "0"))
LETTERS = (*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "-", "back", "done")
SMALL_LETTERS = (*"abcdefghijklmnopqrstuvwxyzäöü", "-", "back", "done")
ADDRESS, DIGITS = "192.168.178.123:8080", "0427"

TRAY = TrayDrawing(
    1.3,
    (DieInTray(0.16, 0.31, 3), DieInTray(0.5, 0.2, 3), DieInTray(0.42, 0.66, 5), DieInTray(0.72, 0.48),
        DieInTray(0.86, 0.84, 0, asked=True)),
)  # fmt: skip


def kept(marks: str) -> tuple[bool, ...]:
    """Return which dice are kept: x for those, a dot for others."""
    return tuple(mark == "x" for mark in marks)


PIG = Snapshot("Pig", TWO, (43, 61), "Ann", ROLL_OR_BANK, 21, thrown=(6,), kept=(False,), hold="roll", bank="bank")
TEN_THOUSAND = Snapshot(
    "Ten Thousand", TWO, (4350, 5100), "Ann", "keep which?", 350, "keep 1 5, bank", (1, 2, 3, 5, 5, 6),
    kept("x..x.."), hold="next", bank="keep",
)  # fmt: skip
SIX_PLAY = Snapshot("Ten Thousand", SIX, SIX_SCORES, "Wilhelmina-A", "throw 6 dice", hold="pause")
YAHTZEE = Snapshot(
    "Yahtzee", TWO, (112, 98), "Ann", "choose", offer="three of a kind 25", thrown=(3, 3, 5, 3, 1), kept=(True,) * 5,
    hold="next", bank="take",
)  # fmt: skip
DOUBT = Snapshot(
    "Yahtzee",
    TWO,
    (112, 98),
    "Ann",
    "throw 5 dice",
    thrown=(3, 3, 5, 3, 1),
    hint="die at the bottom right leans: nudge it",
    hold="pause",
    bank=SET_DIE,
    tray=TRAY,
)
LIST = Snapshot(hold="next", bank="take")
ENTRY = Snapshot("Yahtzee", TWO, (112, 98), hold="count up", bank="take")
WON = Snapshot("Pig", TWO, (103, 61), thrown=(6,), kept=(False,), bank="again", winners=("Ann",))

SCREENS: dict[str, Snapshot] = {
    "start-of-match": Snapshot("Pig", TWO, (0, 0), "Ann", THROW_ONE, hold="pause"),
    "start-of-match-six": replace(SIX_PLAY, game="Pig", scores=(0,) * 6, ask=THROW_ONE),
    "pig-choice": PIG,
    "pig-choice-long": replace(PIG, asked="Bartholomew"),
    "pig-next-turn": Snapshot("Pig", TWO, (64, 61), "Bartholomew", THROW_ONE, thrown=(1,), kept=(False,),
        hold="pause"),
    "keep": TEN_THOUSAND,
    "keep-six-players": Snapshot("Ten Thousand", SIX, SIX_SCORES, "Bartholomäus", "keep which?", 12350,
        "keep 1 1 1 5 5, bank", (1, 1, 1, 5, 5, 6), kept("xxxxx."), hold="next", bank="keep"),
    "throw-six-players": replace(SIX_PLAY, asked="Élodie", ask="throw 3 dice", at_stake=1100,
        thrown=(1, 1, 1, 2, 4, 6), kept=kept("xxx...")),
    "yahtzee-keep": replace(YAHTZEE, asked="Bartholomew", ask="keep which?", offer="keep 3 3 3", kept=kept("xx.x."),
        bank="keep"),
    "yahtzee-box": YAHTZEE,
    "hint": replace(DOUBT, kept=(False,) * 5, hint=ONE_MISSING, bank="take", tray=None),
    "hint-long": replace(TEN_THOUSAND, offer="keep 1 1", thrown=(1, 1, 2, 2, 3, 4), kept=kept("xx...."),
        hint="1 1 2 2 3 4 cannot be kept: keep 1 1, or less"),
    "doubt-six-players": replace(SIX_PLAY, asked="Śćibor", thrown=(1, 1, 2, 2, 3, 4), kept=(False,) * 6,
        hint="die at the bottom middle: it leans on another one; nudge it"),
    "paused": replace(PIG, ask=THROW_ONE, thrown=(4,), hold="go on", bank="", paused=True),
    "all-throw": Snapshot("Aces", ("Wilhelmina-A", "Bartholomäus", "Élodie", "Śćibor"), (5, 5, 4, 5), ask="all throw",
        hold="pause"),
    "wide-letters": Snapshot("Ten Thousand", ("WWWWWWWWWWWW", "MMMMMMMMMMMM"), (99999, 99999), "WWWWWWWWWWWW",
        "keep which?", 99999, "keep 1 1 1 5 5 5, bank", (1, 1, 1, 5, 5, 5), (True,) * 6, hold="WWWWWWWWW",
        bank="MMMMMMMMM"),
    "ten-players": replace(PIG, players=tuple(f"Player {n}" for n in range(1, 11)), scores=tuple(range(10)),
        asked="Player 10", at_stake=9, thrown=(2,)),
    "twenty-dice": replace(TEN_THOUSAND, game="Pig", scores=(43, 61), at_stake=40, offer="keep nothing",
        thrown=tuple(n % 6 + 1 for n in range(20)), kept=tuple(n % 3 == 0 for n in range(20))),
    "alone": Snapshot("Yahtzee", ("Ann",), (112,), "Ann", "throw 5 dice", hold="pause"),
    "won": WON,
    "won-six": Snapshot("Ten Thousand", SIX, SIX_SCORES, bank="again", winners=("Jo",)),
    "tie": Snapshot("Pig", ("Ann", "Ben", "Cid"), (100, 100, 61), bank="again", winners=("Ann", "Ben")),
    "least-wins": Snapshot("Golf", ("Ann", "Ben", "Cid", "Dora"), (72, 70, 81, 75), bank="again", winners=("Ben",),
        fewest_win=True),
    "menu": replace(LIST, menu=MenuView("Menu", ("play on", "undo", OTHER_GAME, "end match", "switch off"), 1,
        "takes back the last answer")),
    "menu-games": replace(LIST, menu=MenuView(WHICH_GAME, ("Pig", "Ten Thousand", "Yahtzee"), 2)),
    "menu-two": replace(LIST, menu=MenuView("End it for good?", ("no, play on", "yes, end it"))),
    "menu-failed": replace(LIST, menu=MenuView("That failed", ("back",),
        note="the store cannot be written: no room on the disk; free some and go on")),
    "menu-start": replace(LIST, menu=MenuView("Ten Thousand: 6", ("start",),
        note="Wilhelmina-A, Bartholomäus, Élodie, Śćibor, Maximilianus, Jo")),
    "behind": replace(PIG, game="Crag", scores=(-250, 10000), at_stake=-50, thrown=(5, 5, 2), kept=()),
    "doubt": replace(DOUBT, hint="die at the bottom right: could be 4 or 5; nudge it", bank="", tray=None),
    "doubt-tray": DOUBT,
    "doubt-tray-six": replace(SIX_PLAY, at_stake=1100, thrown=(1, 1, 2, 2, 3, 4),
        hint="die at the bottom middle: it leans on another one; nudge it", bank=SET_DIE,
        tray=replace(TRAY, shape=1.8)),
    "entry-tray": Snapshot(hold="count", bank="accept", entry=Entry("die at the bottom right", (), 1, 4), tray=TRAY),
    "entry-tray-stake": Snapshot(at_stake=350, hold="count", bank="accept", entry=Entry("die at the left", (), 1, 0),
        tray=replace(TRAY, shape=0.7)),
    "correct-tray": replace(LIST, menu=MenuView("Which die?", ("1", "3", "5"), 1, given=frozenset((0, 1, 2))),
        tray=TRAY),
    "correct-tray-face": replace(LIST, menu=MenuView("not a 3 but?", ("1", "2", "4", "5", "6"), 3), tray=TRAY),
    "trouble": Snapshot(
        "Pig",
        TWO,
        (43, 61),
        "Ann",
        THROW_ONE,
        hint="expected a picture from the camera within two seconds, got none: see that its cable sits firmly in both "
        "sockets, then switch the table off and on again",
        hold="pause",
    ),
    "won-ten": Snapshot("Pig", tuple(f"Player{n}" for n in range(1, 11)), tuple(range(10)), bank="again",
        winners=("Player10",)),
    "menu-long-items": replace(LIST, menu=MenuView("Who plays?",
        ("Bartholomäus, Maximilianus", "Wilhelmina-A, Bartholomäus"), 1, "the last ones")),
    "other-script": Snapshot("Pig", ("太郎", "Ann"), (3, 4), "太郎", THROW_ONE, hold="pause"),
    "long-hold": replace(PIG, kept=(), pressed="hold", held=0.6),
    "press": replace(PIG, thrown=(), kept=(), pressed="bank"),
    "press-of-nothing": Snapshot("Pig", TWO, (43, 61), "Ann", THROW_ONE, hold="pause", pressed="bank", held=0.4),
    "thrower": replace(PIG, kept=(), thrower="Ann"),
    "thrower-long": replace(TEN_THOUSAND, players=SIX, scores=SIX_SCORES, asked="Bartholomäus", at_stake=1350,
        thrower="Bartholomäus"),
    "thrower-lost": Snapshot("Pig", TWO, (43, 61), "Bartholomew", THROW_ONE, thrown=(1,), thrower="Ann"),
    "die-by-die": replace(TEN_THOUSAND, ask="keep this one?", offer="", hold="no", bank="keep it", cursor=4),
    "between": Snapshot("Pig", ("Ann", "Bartholomew", "Cid"), (64, 61, 64), "Bartholomew", THROW_ONE, hold="pause",
        between=True),
    "between-six": replace(SIX_PLAY, game="Pig", asked="Jo", ask=THROW_ONE, between=True),
    "boxes": Snapshot("Yahtzee", TWO, (37, 29), "Bartholomew", "throw 5 dice", hold="pause", sheet=BOXES),
    "parts": Snapshot("Beetle", ("Ann", "Ben", "Cid"), (8, 1, 0), "Ann", THROW_ONE, hold="pause", sheet=PARTS),
    "won-why": replace(WON, thrown=(), kept=(), why="Ann has 100 points or more when she banks"),
    "spelling": replace(LIST, spelling=Spelling("New name", "Wilhel", SMALL_LETTERS, 12)),
    "spelling-first": replace(LIST, spelling=Spelling("New name", "", LETTERS)),
    "spelling-done": replace(LIST, spelling=Spelling("New name", "Wilhelmina-A", LETTERS, 28)),
    "spelling-wide": replace(LIST, spelling=Spelling("New name", "WWWWWWWWWWWW", LETTERS, 22)),
    "entry": replace(ENTRY, entry=Entry("Ann", (3, 6), 5, 4)),
    "entry-one": replace(ENTRY, asked="Bartholomew", ask=THROW_ONE, entry=Entry("Bartholomew", (), 1, 6)),
    "entry-no-die": Snapshot(hold="count", bank="accept", entry=Entry("die at the bottom right", (), 1, 0)),
    "entry-long": replace(ENTRY, players=("WWWWWWWWWWWW", "Ann"), entry=Entry("WWWWWWWWWWWW", (1, 2, 3, 4, 5), 6, 2)),
    "nothing": Snapshot(),
}  # fmt: skip
GOLDEN = Path(__file__).parents[1] / "golden" / "oled"
WIDTH_PX, HEIGHTS_PX = 128, (64, 32)


def pages_of(name: str, height: int) -> list[NDArray[np.bool_]]:
    shown = SCREENS[name]
    return [draw(shown, WIDTH_PX, height, page) for page in range(pages(shown, WIDTH_PX, height))]


def pictures() -> Iterator[tuple[str, Image.Image]]:
    """Draw every example at every height, the pages of one below the other; names are those of the files."""
    for height in HEIGHTS_PX:
        for name in SCREENS:
            yield f"{name}-{height}", Image.fromarray(np.vstack(pages_of(name, height)))
    for code in ("en", "de"):
        for height in HEIGHTS_PX:
            yield f"welcome-{code}-{height}", Image.fromarray(welcome(code, height))


class Waiting(Glass):
    """A page that waits for its first phone, and the display of its table."""

    def notice(self, now_s: float) -> str:  # noqa: ARG002 - as every entry
        """Say nothing else."""
        return ""

    def door(self, now_s: float) -> None:
        """Nobody has asked for it."""

    def welcome(self) -> Door:
        return Door(qr_code(ADDRESS, DIGITS), ADDRESS, DIGITS)


def welcome(code: str, height: int) -> NDArray[np.bool_]:
    """Draw what a new table shows, in this language."""
    glass = Waiting(height)
    menu = MenuView(WHICH_GAME, ("Pig",), main=True)
    table = Snapshot(menu=menu, welcome=True, bank=say("take"))
    Views((glass,), None, load_language(code), entry=glass).show(table, None, 0.0)
    return glass.pixels
