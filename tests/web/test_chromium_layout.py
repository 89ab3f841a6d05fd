"""Every game on one screen, in a real Chromium: nothing scrolled, cut off, broken or too small for a finger."""

import time
from collections.abc import Iterator
from itertools import product

import pytest
from browser import Browser
from oled_games import PLAYERS, moments
from screens import FAULTS, SIZES

from tabletop.rules import game_ids, load
from tabletop.views.i18n.catalogue import Language, load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.snapshot import Snapshot
from tabletop.web.page import Page

SEATS = (2, len(PLAYERS))
LANGUAGES = ("en", "de")


def shown(game_id: str, seats: int) -> Iterator[tuple[str, Snapshot]]:
    """Yield each kind of moment of a game with so many players, or as many as it takes; names have twelve letters."""
    game, _ = load(game_id)
    for kind, (now, *_) in moments(game_id, max(seats, game.min_players)).items():
        yield kind, now


@pytest.mark.parametrize(
    "every", [pytest.param(37, marks=pytest.mark.slow), pytest.param(1, marks=pytest.mark.soak)], ids=["some", "all"]
)
@pytest.mark.parametrize("game_id", game_ids())
def test_a_game_fits_one_screen(phone: Browser, page: Page, game_id: str, every: int) -> None:
    """Whose turn it is, dice in one row, board and actions, for two and for six. every: one of so many moments."""
    languages: dict[str, Language] = {code: load_language(code) for code in LANGUAGES}
    phone.enter(page.address, page.pairing.digits, "#undo")
    found, turn = dict[tuple[object, ...], object](), sum(map(ord, game_id))
    for seats in SEATS:
        for kind, now in shown(game_id, seats):
            for size, code in product(SIZES, LANGUAGES):
                turn += 1
                if turn % every:
                    continue
                phone.resize(*size, scale=1.0)
                page.show(translated(now, languages[code]), None, time.monotonic())
                phone.until(f"document.body.dataset.count === '{page.feed.count}' && !document.getAnimations().length")
                if faults := phone.run(FAULTS):
                    found[kind, seats, code, size] = faults
    assert found == {}
