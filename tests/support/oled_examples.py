"""Examples of all that the small screen shows: a snapshot for each kind of picture, with long names, large scores."""

from dataclasses import replace

from tabletop.views.snapshot import DieInTray, Entry, MenuView, Snapshot, Spelling, TrayDrawing

SIX = ("Wilhelmina-A", "Bartholomäus", "Élodie", "Śćibor", "Maximilianus", "Jo")
SIX_SCORES = (10350, 9800, 12050, 0, 10000, 99999)
TWO = ("Ann", "Bartholomew")

BOXES = (
    ("ones", "3", "2"),
    ("twos", "", "6"),
    ("threes", "9", ""),
    ("three of a kind", "", "21"),
    ("full house", "25", ""),
    ("small straight", "", ""),
    ("yahtzee", "", ""),
    ("throws", "", "1"),
)
PARTS = (("body", "1", "1", "0"), ("head", "1", "0", "0"), ("legs", "4", "0", "0"), ("eyes", "2", "0", "0"))
LETTERS = (*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "-", "back", "done")
SMALL_LETTERS = (*"abcdefghijklmnopqrstuvwxyzäöü", "-", "back", "done")

TRAY = TrayDrawing(
    1.3,
    (
        DieInTray(0.16, 0.31, 3),
        DieInTray(0.5, 0.2, 3),
        DieInTray(0.42, 0.66, 5),
        DieInTray(0.72, 0.48),
        DieInTray(0.86, 0.84, 0, asked=True),
    ),
)

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
        menu=MenuView(
            "Menu", ("play on", "undo", "other game", "end match", "switch off"), 1, "takes back the last answer"
        ),
    ),
    "menu-games": Snapshot(
        hold="next", bank="take", menu=MenuView("Which game?", ("Pig", "Ten Thousand", "Yahtzee"), 2)
    ),
    "menu-two": Snapshot(hold="next", bank="take", menu=MenuView("End it for good?", ("no, play on", "yes, end it"))),
    "menu-failed": Snapshot(
        hold="next",
        bank="take",
        menu=MenuView(
            "That failed", ("back",), 0, "the store cannot be written: no room on the disk; free some and go on"
        ),
    ),
    "menu-start": Snapshot(
        hold="next",
        bank="take",
        menu=MenuView("Ten Thousand: 6", ("start",), 0, "Wilhelmina-A, Bartholomäus, Élodie, Śćibor, Maximilianus, Jo"),
    ),
    "behind": Snapshot(
        "Crag", TWO, (-250, 10000), "Ann", "roll or bank?", -50, thrown=(5, 5, 2), hold="roll", bank="bank"
    ),
    "doubt": Snapshot(
        "Yahtzee",
        TWO,
        (112, 98),
        "Ann",
        "throw 5 dice",
        thrown=(3, 3, 5, 3, 1),
        hint="die at the bottom right: could be 4 or 5; nudge it",
        hold="pause",
    ),
    "doubt-tray": Snapshot(
        "Yahtzee",
        TWO,
        (112, 98),
        "Ann",
        "throw 5 dice",
        thrown=(3, 3, 5, 3, 1),
        hint="die at the bottom right leans: nudge it",
        hold="pause",
        bank="set die",
        tray=TRAY,
    ),
    "doubt-tray-six": Snapshot(
        "Ten Thousand",
        SIX,
        SIX_SCORES,
        "Wilhelmina-A",
        "throw 6 dice",
        1100,
        thrown=(1, 1, 2, 2, 3, 4),
        hint="die at the bottom middle: it leans on another one; nudge it",
        hold="pause",
        bank="set die",
        tray=replace(TRAY, shape=1.8),
    ),
    "entry-tray": Snapshot(hold="count", bank="accept", entry=Entry("die at the bottom right", (), 1, 4), tray=TRAY),
    "entry-tray-stake": Snapshot(
        at_stake=350,
        hold="count",
        bank="accept",
        entry=Entry("die at the left", (), 1, 0),
        tray=replace(TRAY, shape=0.7),
    ),
    "correct-tray": Snapshot(
        hold="next", bank="take", menu=MenuView("Which die?", ("1", "3", "5"), 1, given=frozenset((0, 1, 2))), tray=TRAY
    ),
    "correct-tray-face": Snapshot(
        hold="next", bank="take", menu=MenuView("not a 3 but?", ("1", "2", "4", "5", "6"), 3), tray=TRAY
    ),
    "trouble": Snapshot(
        "Pig",
        TWO,
        (43, 61),
        "Ann",
        "throw one die",
        hint="expected a picture from the camera within two seconds, got none: see that its cable sits firmly in both "
        "sockets, then switch the table off and on again",
        hold="pause",
    ),
    "won-ten": Snapshot(
        "Pig", tuple(f"Player{n}" for n in range(1, 11)), tuple(range(10)), bank="again", winners=("Player10",)
    ),
    "menu-long-items": Snapshot(
        hold="next",
        bank="take",
        menu=MenuView("Who plays?", ("Bartholomäus, Maximilianus", "Wilhelmina-A, Bartholomäus"), 1, "the last ones"),
    ),
    "other-script": Snapshot("Pig", ("太郎", "Ann"), (3, 4), "太郎", "throw one die", hold="pause"),
    "long-hold": Snapshot(
        "Pig",
        TWO,
        (43, 61),
        "Ann",
        "roll or bank?",
        21,
        thrown=(6,),
        hold="roll",
        bank="bank",
        pressed="hold",
        held=0.6,
    ),
    "press": Snapshot("Pig", TWO, (43, 61), "Ann", "roll or bank?", 21, hold="roll", bank="bank", pressed="bank"),
    "press-of-nothing": Snapshot("Pig", TWO, (43, 61), "Ann", "throw one die", hold="pause", pressed="bank", held=0.4),
    "thrower": Snapshot(
        "Pig", TWO, (43, 61), "Ann", "roll or bank?", 21, thrown=(6,), hold="roll", bank="bank", thrower="Ann"
    ),
    "thrower-long": Snapshot(
        "Ten Thousand",
        SIX,
        SIX_SCORES,
        "Bartholomäus",
        "keep which?",
        1350,
        "keep 1 5, bank",
        (1, 2, 3, 5, 5, 6),
        (True, False, False, True, False, False),
        hold="next",
        bank="keep",
        thrower="Bartholomäus",
    ),
    "thrower-lost": Snapshot("Pig", TWO, (43, 61), "Bartholomew", "throw one die", thrown=(1,), thrower="Ann"),
    "die-by-die": Snapshot(
        "Ten Thousand",
        TWO,
        (4350, 5100),
        "Ann",
        "keep this one?",
        350,
        "",
        (1, 2, 3, 5, 5, 6),
        (True, False, False, True, False, False),
        hold="no",
        bank="keep it",
        cursor=4,
    ),
    "between": Snapshot(
        "Pig", ("Ann", "Bartholomew", "Cid"), (64, 61, 64), "Bartholomew", "throw one die", hold="pause", between=True
    ),
    "between-six": Snapshot("Pig", SIX, SIX_SCORES, "Jo", "throw one die", hold="pause", between=True),
    "boxes": Snapshot("Yahtzee", TWO, (37, 29), "Bartholomew", "throw 5 dice", hold="pause", sheet=BOXES),
    "parts": Snapshot("Beetle", ("Ann", "Ben", "Cid"), (8, 1, 0), "Ann", "throw one die", hold="pause", sheet=PARTS),
    "won-why": Snapshot(
        "Pig", TWO, (103, 61), bank="again", winners=("Ann",), why="Ann has 100 points or more when she banks"
    ),
    "spelling": Snapshot(hold="next", bank="take", spelling=Spelling("New name", "Wilhel", SMALL_LETTERS, 12)),
    "spelling-first": Snapshot(hold="next", bank="take", spelling=Spelling("New name", "", LETTERS)),
    "spelling-done": Snapshot(hold="next", bank="take", spelling=Spelling("New name", "Wilhelmina-A", LETTERS, 28)),
    "spelling-wide": Snapshot(hold="next", bank="take", spelling=Spelling("New name", "WWWWWWWWWWWW", LETTERS, 22)),
    "entry": Snapshot(hold="count up", bank="take", entry=Entry("Ann", (3, 6), 5, 4)),
    "entry-one": Snapshot(hold="count up", bank="take", entry=Entry("Bartholomäus", (), 1, 6)),
    "entry-no-die": Snapshot(hold="count", bank="accept", entry=Entry("die at the bottom right", (), 1, 0)),
    "entry-long": Snapshot(hold="count up", bank="take", entry=Entry("WWWWWWWWWWWW", (1, 2, 3, 4, 5), 6, 2)),
    "nothing": Snapshot(),
}
