"""The terminal in random matches of every game: the board stands beside the tray, and the dice show their pips."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pyte
import pytest
from oled_games import PLAYERS
from terminal_games import GOLDEN, golden, of_match
from terminal_pictures import drawn

from tabletop.rules import game_ids
from tabletop.views.i18n.catalogue import ENGLISH, Language, load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.snapshot import Snapshot

GERMAN = load_language("de")
SIZES = [(80, 24), (120, 40)]
FOOTER_ROWS = 4
DIE_COLUMNS, DIE_ROWS = 8, 3  # a small die with the gap beside it, and its rows without that of its lower edge


def screens(game_id: str, size: tuple[int, int], language: Language) -> Iterator[tuple[Snapshot, pyte.Screen]]:
    for now in of_match(game_id):
        shown = translated(now, language)
        yield shown, drawn(shown, *size)


def test_every_game_looks_as_it_was_looked_at() -> None:
    """After a wanted change: `make golden`, and look at it."""
    looked_at = {game_id: (GOLDEN / f"{game_id}.txt").read_text(encoding="utf-8") for game_id in game_ids()}
    assert {game_id: golden(game_id) for game_id in game_ids()} == looked_at


def test_every_golden_text_has_its_game() -> None:
    """No file is left over."""
    assert {path.stem for path in GOLDEN.iterdir()} == set(game_ids())


@pytest.mark.parametrize("game_id", game_ids())
def test_the_board_is_on_screen_at_every_moment(game_id: str) -> None:
    """Every player with the score, and what the game is played on; nothing of what BANK takes is cut off."""
    for size, language in product(SIZES, (ENGLISH, GERMAN)):
        for now, screen in screens(game_id, size, language):
            text = "\n".join(screen.display[:-FOOTER_ROWS])
            for name, score in zip(now.players, now.scores, strict=True):
                assert name[:4] in text
                assert re.search(rf"(?<!\d){score}(?!\d)", text)
            check_boxes(now, text)
            check_pictures(now, text)
            below = " ".join(screen.display[-FOOTER_ROWS:]).casefold()
            assert now.hint or all(word in below for word in re.findall(r"\w+", now.offer.partition(":")[0].casefold()))


def check_boxes(now: Snapshot, text: str) -> None:
    """Check that each open box that would bring points says how many."""
    asking = now.asking
    if asking is None or now.layout != "boxes":
        return
    for option in asking.options or asking.boxes:
        if option.row is not None and option.gives:
            label = now.sheet[option.row][0][:18].rstrip()
            line = next(line for line in text.splitlines() if f"{label.casefold()} " in line.casefold())
            assert f"+{option.gives}" in line


def check_pictures(now: Snapshot, text: str) -> None:
    """Check what is drawn instead of rows of the sheet."""
    if now.layout == "lives":
        assert text.count("♥") == sum(now.scores)
    if now.layout == "track":
        assert text.count("●") == len(now.players)
    if now.layout == "tiles" and now.asked:
        seat = now.players.index(now.asked)
        tiles = [row for row in now.drawn if row[0].isdigit()]
        strip = next(line for line in text.splitlines() if re.search(r"( [\d·]  ){9}", f"{line}  "))
        shown = strip.split()[-len(tiles) :]
        assert shown == ["·" if row[seat + 1] == "x" else row[0] for row in tiles]


@pytest.mark.parametrize("game_id", game_ids())
def test_dice_show_their_pips_without_colours(game_id: str) -> None:
    """Read back from the characters: as many holes as the face has, in the order thrown."""
    for now in of_match(game_id):
        two = replace(now, players=now.players[:2], scores=now.scores[:2], sheet=(), drawn=(), kinds=())
        if len(now.thrown) > 5 or not set(now.asked or PLAYERS[0]) & set(PLAYERS[0]):
            continue
        screen = drawn(replace(two, happened=()), 120, 24, colours=0)
        rows = screen.display[24 - FOOTER_ROWS - DIE_ROWS - 2 :][:DIE_ROWS]
        dice = [[row[at * DIE_COLUMNS :][: DIE_COLUMNS - 1] for row in rows] for at in range(len(now.thrown))]
        assert tuple("".join(die).count("▀") for die in dice) == now.thrown
