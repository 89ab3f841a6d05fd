"""Every kind of screen, drawn at once: `python -m tabletop.views.oled_sheet FOLDER` writes a PNG each and `sheet.png`."""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from tabletop.views.oled import draw
from tabletop.views.snapshot import Menu, Snapshot

HEIGHTS = (64, 32)
ZOOM = 3
COLUMNS = 4
SIX = ("Wilhelmina-A", "Bartholomäus", "Élodie", "Śćibor", "Maximilianus", "Jo")
SIX_SCORES = (10350, 9800, 12050, 0, 10000, 99999)
TWO = ("Ann", "Bartholomew")

MATCH = Snapshot(game="Ten Thousand", players=TWO, scores=(4350, 5100), asked="Ann", hold="pause")

SCREENS: dict[str, Snapshot] = {
    "start-of-match": Snapshot("Pig", TWO, (0, 0), "Ann", "throw one die", hold="pause"),
    "start-of-match-six": Snapshot("Pig", SIX, (0,) * 6, "Wilhelmina-A", "throw one die", hold="pause"),
    "pig-choice": Snapshot(
        "Pig", TWO, (43, 61), "Ann", "roll or bank?", 21, thrown=(6,), kept=(False,), hold="roll", bank="bank"
    ),
    "pig-choice-long": Snapshot(
        "Pig", TWO, (43, 61), "Bartholomew", "roll or bank?", 21, thrown=(6,), kept=(False,), hold="roll", bank="bank"
    ),
    "pig-next-turn": Snapshot(
        "Pig", TWO, (64, 61), "Bartholomew", "throw one die", thrown=(1,), kept=(False,), hold="pause"
    ),
    "keep": Snapshot(
        "Ten Thousand",
        TWO,
        (4350, 5100),
        "Ann",
        "keep which?",
        350,
        "keep 1 5, bank",
        (1, 2, 3, 5, 5, 6),
        (True, False, False, True, False, False),
        hold="next",
        bank="keep",
    ),
    "keep-six-players": Snapshot(
        "Ten Thousand",
        SIX,
        SIX_SCORES,
        "Bartholomäus",
        "keep which?",
        12350,
        "keep 1 1 1 5 5, bank",
        (1, 1, 1, 5, 5, 6),
        (True, True, True, True, True, False),
        hold="next",
        bank="keep",
    ),
    "throw-six-players": Snapshot(
        "Ten Thousand",
        SIX,
        SIX_SCORES,
        "Élodie",
        "throw 3 dice",
        1100,
        thrown=(1, 1, 1, 2, 4, 6),
        kept=(True, True, True, False, False, False),
        hold="pause",
    ),
    "yahtzee-keep": Snapshot(
        "Yahtzee",
        TWO,
        (112, 98),
        "Bartholomew",
        "keep which?",
        0,
        "keep 3 3 3",
        (3, 3, 5, 3, 1),
        (True, True, False, True, False),
        hold="next",
        bank="keep",
    ),
    "yahtzee-box": Snapshot(
        "Yahtzee",
        TWO,
        (112, 98),
        "Ann",
        "choose",
        0,
        "three of a kind 25",
        (3, 3, 5, 3, 1),
        (True,) * 5,
        hold="next",
        bank="take",
    ),
    "hint": Snapshot(
        "Yahtzee",
        TWO,
        (112, 98),
        "Ann",
        "throw 5 dice",
        thrown=(3, 3, 5, 3, 1),
        kept=(False,) * 5,
        hint="one die is missing",
        hold="pause",
        bank="take",
    ),
    "hint-long": Snapshot(
        "Ten Thousand",
        TWO,
        (4350, 5100),
        "Ann",
        "keep which?",
        350,
        "keep 1 1",
        (1, 1, 2, 2, 3, 4),
        (True, True, False, False, False, False),
        "1 1 2 2 3 4 cannot be kept: keep 1 1, or less",
        "next",
        "keep",
    ),
    "doubt-six-players": Snapshot(
        "Ten Thousand",
        SIX,
        SIX_SCORES,
        "Śćibor",
        "throw 6 dice",
        thrown=(1, 1, 2, 2, 3, 4),
        kept=(False,) * 6,
        hint="die at the bottom middle: it leans on another one; nudge it",
        hold="pause",
    ),
    "paused": Snapshot(
        "Pig", TWO, (43, 61), "Ann", "throw one die", 21, thrown=(4,), kept=(False,), hold="go on", paused=True
    ),
    "all-throw": Snapshot("Aces", SIX[:4], (5, 5, 4, 5), "", "all throw", hold="pause"),
    "wide-letters": Snapshot(
        "Ten Thousand",
        ("WWWWWWWWWWWW", "MMMMMMMMMMMM"),
        (99999, 99999),
        "WWWWWWWWWWWW",
        "keep which?",
        99999,
        "keep 1 1 1 5 5 5, bank",
        (1, 1, 1, 5, 5, 5),
        (True,) * 6,
        hold="WWWWWWWWW",
        bank="MMMMMMMMM",
    ),
    "ten-players": Snapshot(
        "Pig",
        tuple(f"Player {number}" for number in range(1, 11)),
        tuple(range(10)),
        "Player 10",
        "roll or bank?",
        9,
        thrown=(2,),
        kept=(False,),
        hold="roll",
        bank="bank",
    ),
    "twenty-dice": Snapshot(
        "Pig",
        TWO,
        (43, 61),
        "Ann",
        "keep which?",
        40,
        "keep nothing",
        tuple(n % 6 + 1 for n in range(20)),
        tuple(n % 3 == 0 for n in range(20)),
        hold="next",
        bank="keep",
    ),
    "alone": Snapshot("Yahtzee", ("Ann",), (112,), "Ann", "throw 5 dice", hold="pause"),
    "won": Snapshot("Pig", TWO, (103, 61), thrown=(6,), kept=(False,), bank="again", winners=("Ann",)),
    "won-six": Snapshot("Ten Thousand", SIX, SIX_SCORES, bank="again", winners=("Jo",)),
    "tie": Snapshot("Pig", ("Ann", "Ben", "Cid"), (100, 100, 61), bank="again", winners=("Ann", "Ben")),
    "least-wins": Snapshot("Golf", ("Ann", "Ben", "Cid", "Dora"), (72, 70, 81, 75), bank="again", winners=("Ben",)),
    "menu": Snapshot(
        hold="next",
        bank="take",
        menu=Menu(
            "Menu", ("play on", "undo", "other game", "end match", "switch off"), 1, "takes back the last answer"
        ),
    ),
    "menu-games": Snapshot(hold="next", bank="take", menu=Menu("Which game?", ("Pig", "Ten Thousand", "Yahtzee"), 2)),
    "menu-two": Snapshot(hold="next", bank="take", menu=Menu("End it for good?", ("no, play on", "yes, end it"))),
    "menu-failed": Snapshot(
        hold="next",
        bank="take",
        menu=Menu("That failed", ("back",), 0, "the store cannot be written: no room on the disk; free some and go on"),
    ),
    "menu-start": Snapshot(
        hold="next",
        bank="take",
        menu=Menu("Ten Thousand: 6", ("start",), 0, "Wilhelmina-A, Bartholomäus, Élodie, Śćibor, Maximilianus, Jo"),
    ),
    "nothing": Snapshot(),
}


def pictures() -> Iterator[tuple[str, Image.Image]]:
    """Draw every screen at every height; names are those of the files."""
    for height in HEIGHTS:
        for name, snapshot in SCREENS.items():
            yield f"{name}-{height}", Image.fromarray(draw(snapshot, height=height))


def sheet() -> Image.Image:
    """Return all screens side by side, magnified, each with its name."""
    cells = list(pictures())
    width, height = 128 * ZOOM + 10, 64 * ZOOM + 26
    page = Image.new("L", (COLUMNS * width, -(-len(cells) // COLUMNS) * height), 90)
    for number, (name, picture) in enumerate(cells):
        x, y = number % COLUMNS * width + 5, number // COLUMNS * height + 20
        page.paste(picture.resize((picture.width * ZOOM, picture.height * ZOOM)).convert("L"), (x, y))
        ImageDraw.Draw(page).text((x, y - 15), name, fill=255)
    return page


def write(folder: Path) -> None:
    """Write every picture into a folder, and the sheet."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in pictures():
        picture.save(folder / f"{name}.png", optimize=True)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    write(target)
    sheet().save(target / "sheet.png")
