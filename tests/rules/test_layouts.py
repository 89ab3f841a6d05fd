"""How large screens picture the score sheet: each of our games says it, with the rows that its picture needs."""

from dataclasses import replace

import pytest
from oled_games import moments

from tabletop.rules import load
from tabletop.rules.catalog import built_in_ids
from tabletop.rules.declaration import wrong_facts
from tabletop.rules.game import LAYOUTS

ROWS = {
    "track": {"place", "heading", "needs"},
    "crossings": {str(number) for number in range(1, 13)},
    "beetle": {"body", "head", "legs", "eyes", "antennae", "tail"},
    "tiles": {str(number) for number in range(1, 10)},
    "frames": {f"frame {number}" for number in range(1, 11)},
    "holes": {f"hole {number}" for number in range(1, 19)},
}


@pytest.mark.parametrize("game_id", sorted(built_in_ids()))
def test_every_game_declares_a_layout(game_id: str) -> None:
    """One word, and at the end of a match the sheet has the rows that it pictures; a box for each that is chosen."""
    layout = load(game_id)[0].layout
    assert layout in LAYOUTS
    shown = moments(game_id)
    rows = {row[0] for row in shown["end"][0].drawn}
    assert ROWS.get(layout, set()) <= rows
    if layout == "counters":
        assert rows & {"pot", "out"}
    if layout == "boxes":
        asking = shown["choice"][0].asking
        assert asking is not None
        assert [str(shown["choice"][0].sheet[option.row or 0][0]) for option in asking.options] == [
            option.option for option in asking.options
        ]


def test_a_word_that_is_no_layout_is_refused() -> None:
    """A game of your own needs none."""
    game, play = load("pig")
    assert list(wrong_facts(replace(game, layout=None), play, "pig")) == []
    (wrong,) = wrong_facts(replace(game, layout="round"), play, "pig")  # type: ignore[arg-type]  # that is the point
    assert wrong == f"expected layout to be one of {', '.join(LAYOUTS)}, got 'round'"
