"""What the terminal shows of every game, out of random matches, as text."""

from collections.abc import Iterator
from pathlib import Path

from oled_games import moments
from terminal_pictures import drawn

from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.snapshot import Snapshot

GOLDEN = Path(__file__).parents[1] / "golden" / "terminal"
COLUMNS, ROWS = 80, 24
TELLING = ("choice", "keep", "stake", "claim", "all-throw", "throw", "start")  # moments, the one that tells most first
NOT_OF_A_MATCH = ("menu", "set-up", "end")


def of_match(game_id: str) -> Iterator[Snapshot]:
    """Yield each kind of moment of a match, before its end: there people want to see who has won."""
    return (now for kind, (now, *_) in moments(game_id).items() if kind not in NOT_OF_A_MATCH)


def golden(game_id: str) -> str:
    """Return the screen of the moment that tells most, in both languages."""
    found = moments(game_id)
    (now, *_) = next(found[kind] for kind in TELLING if kind in found)
    screens = (drawn(translated(now, load_language(code)), COLUMNS, ROWS, numbers=False) for code in ("en", "de"))
    return "".join(f"{line.rstrip()}\n" for screen in screens for line in (*screen.display, "-" * COLUMNS))
