"""The small screen measured by its pixels: every game keeps to the places that the grammar's table gives each part."""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from oled_games import moments

from tabletop.rules import game_ids
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.oled.screen import draw, pages
from tabletop.views.snapshot import Snapshot

README = Path(__file__).parents[2] / "tabletop" / "views" / "README.md"
ROW = re.compile(
    r"^\| ([\w ]+) \| (\d+) to (\d+) \| (?:from )?(\d+)?(?: ?to (\d+))?(?:, one every (\d+))? \| (\d+) \|$",
    re.MULTILINE,
)
PLACES = {
    name: tuple(int(n or 0) for n in numbers) for name, *numbers in ROW.findall(README.read_text(encoding="utf-8"))
}
LANGUAGES = [load_language(code) for code in ("en", "de")]
MENUS = {"menu", "set-up"}

Pixels = NDArray[np.bool_]


def shown(game_id: str) -> Iterator[tuple[str, Snapshot]]:
    for (kind, every), language in product(moments(game_id).items(), LANGUAGES):
        yield from ((kind, translated(now, language)) for now in every)


def lit_rows(columns: Pixels) -> tuple[int, int]:
    rows = np.flatnonzero(columns.any(axis=1))
    return int(rows[0]), int(rows[-1])


def first_letter(picture: Pixels, left: int, rows: slice) -> Pixels:
    """Return the columns from the left on up to the first dark one, in these rows."""
    dark = np.flatnonzero(~picture[rows, left:].any(axis=0))
    return picture[rows, left : left + int(dark[0])]


def check_letter(picture: Pixels, part: str, *, accents: int) -> None:
    top, bottom, left, right, _, height = PLACES[part]
    rows = slice(top - accents, bottom + 1)
    edge = first_letter(picture, left, rows) if left else first_letter(picture[:, right::-1], 0, rows)
    assert edge.shape[1] > 1
    first, last = lit_rows(edge)
    assert last == bottom - rows.start
    assert first in {accents, 0} if accents else first == 0
    assert bottom - top + 1 == height


def check_dice(picture: Pixels, count: int) -> None:
    top, bottom, left, _, step, edge = PLACES["dice"]
    assert bottom - top + 1 == edge
    for n in range(min(count, 5)):
        die = picture[top : bottom + 1, left + n * step : left + n * step + edge]
        assert die[[0, -1], 1:-1].all()
        assert die[1:-1, [0, -1]].all()
        assert not picture[top : bottom + 1, left + n * step + edge].any()


def check_buttons(picture: Pixels, now: Snapshot) -> None:
    for button, label in (("HOLD", now.hold), ("BANK", now.bank)):
        top, bottom, left, right, _, height = PLACES[button]
        cell = picture[top : bottom + 1, left : right + 1]
        assert cell.shape[0] == height
        assert cell[[0, -1]].all() == cell[:, [0, -1]].all() == bool(label)
    assert not picture[PLACES["HOLD"][0] :, PLACES["HOLD"][3] + 1 : PLACES["BANK"][2]].any()


def check_table(kind: str, picture: Pixels, now: Snapshot) -> None:
    assert not picture[PLACES["HOLD"][0] - 1].any()
    check_letter(picture, "name", accents=2)
    if now.asked:
        check_letter(picture, "score", accents=0)
    if kind == "hint-leans" or now.winners:
        return
    check_letter(picture, "question", accents=2)
    check_dice(picture, len(now.thrown) or now.awaited)
    if now.at_stake and now.layout != "tiles":  # the letters of "45 open" reach below the line
        check_letter(picture, "at stake", accents=0)


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_keeps_to_the_grammar(game_id: str) -> None:
    """Two dark pixels at each edge however the picture is moved, the buttons, the name, the dice: in both languages."""
    assert set(PLACES) == {"name", "score", "dice", "at stake", "question", "HOLD", "BANK"}
    for kind, now in shown(game_id):
        for page in range(pages(now)):
            picture = draw(now, page=page)
            check_buttons(picture, now)
            moved = draw(now, page=page, shift=(2, 1))
            for edge in (picture[:2], picture[:, :2], moved[-2:], moved[:, -2:]):
                assert not edge.any()
        if kind not in MENUS:
            check_table(kind, draw(now), now)
