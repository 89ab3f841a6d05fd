"""What would be taken back, corrected and given again, on the small screen: it can all be read, in every game."""

from collections.abc import Iterator
from itertools import chain, combinations
from random import Random

import pytest
from oled_games import HEIGHTS_PX, PLAYERS, WIDTH_PX
from oled_reading import as_read, read
from oled_snapshots import apart

from tabletop.core.ports import Press
from tabletop.dialogs.correct import correct_menu
from tabletop.dialogs.decisions import Decision, Dialog
from tabletop.dialogs.undo import undo_question
from tabletop.rules import Match, game_ids, load
from tabletop.rules.conformance.trial import random_answer
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.oled.screen import draw, layout, pages
from tabletop.views.snapshot import Snapshot

GERMAN = load_language("de")
MOST_PRESSES = 8
FEW = ("pig", "ten-thousand", "yahtzee", "everest")


def _shown(asked: Dialog | Decision | None, *buttons: Press) -> Iterator[Snapshot]:
    """Show a question and what it becomes with these presses."""
    for press in buttons:
        if asked is None or isinstance(asked, Decision):
            return
        yield asked.snapshot
        asked = asked.press(press)


def _questions(game: str) -> Iterator[Snapshot]:
    """Yield what is asked now and then in a random match of as many players with long names as it takes."""
    chance, hold, bank = Random(game), Press("hold"), Press("bank")
    match = Match(game, PLAYERS[: load(game)[0].max_players])
    for count in range(40):
        if match.over:
            return
        match.apply(*match.draft(random_answer(match.request, chance)))
        if count % 8 == 7:
            yield from _shown(undo_question(match), *[hold] * MOST_PRESSES)
            yield from _shown(correct_menu(match), hold, bank, bank, hold, bank, hold)


def _check(now: Snapshot, height: int) -> None:
    """Check that the chosen line begins on the first page, and that it and its note stand whole on the pages."""
    menu = now.menu
    assert menu is not None
    told = []
    for page in layout(now, height=height):
        told.append([word for box in page for word in box.text.split()])
        assert all(box.x >= 0 <= box.y and box.x + box.width <= WIDTH_PX for box in page)
        assert all(box.y + box.height <= height for box in page)
        assert all(apart(one, other) for one, other in combinations(page, 2))
    assert set(menu.items[menu.at].split()[:3]) <= set(told[0])
    assert set((menu.items[menu.at] + " " + menu.note).split()) <= set(chain.from_iterable(told))


def _check_game(game: str) -> None:
    for now in _questions(game):
        for height in HEIGHTS_PX:
            _check(now, height)
            _check(translated(now, GERMAN), height)


@pytest.mark.parametrize("game", FEW)
def test_what_would_be_taken_back_can_be_read(game: str) -> None:
    """Six players, names of twelve letters, both sizes, English and German."""
    _check_game(game)


@pytest.mark.slow
def test_what_would_be_taken_back_can_be_read_in_every_game() -> None:
    """The same for all games."""
    for game in game_ids():
        _check_game(game)


@pytest.mark.parametrize("height", HEIGHTS_PX)
def test_a_forgotten_bank_is_read_back_from_the_pixels(height: int) -> None:
    """The longest offer of all on the glass itself: two names of twelve letters."""
    match = Match("pig", PLAYERS)
    match.throw([4])
    match.choose("roll")
    match.throw([5])
    question = undo_question(match)
    assert question is not None
    now = question.snapshot
    told = [
        word
        for page in range(pages(now, height=height))
        for found in read(draw(now, height=height, page=page))
        for word in found.text.split()
    ]
    assert set(as_read(f"{PLAYERS[0]} banked first, this throw is {PLAYERS[1]}'s").split()) <= set(told)


def test_on_two_lines_what_it_takes_back_stands_beside_the_question() -> None:
    """Pig on the flat screen: the first page says what a second long BANK would do, the points with it."""
    match = Match("pig", ["Ann", "Ben"])
    match.throw([4])
    match.choose("bank")
    question = undo_question(match)
    assert question is not None
    first = " ".join(found.text for found in read(draw(question.snapshot, height=32)))
    assert set(as_read("Ann: bank 4 Ann: -4 points").split()) <= set(first.split())
