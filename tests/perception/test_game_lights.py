"""Lamps around the tray that flash with the game are neither hands nor throws, and hide no face."""

from itertools import islice

import pytest

from tools.scoring.game_lights import SHOWS, STRENGTHS, TRAYS, Table, cases, watch

SAMPLE = slice(0, 48, 16)  # a fade, a rainbow and a strobe, each in another tray with other dice
ALL = len(SHOWS) * len(TRAYS) ** 2  # each show in each tray with each kind of dice


def _worse(table: Table, strength: float) -> list[str]:
    """Return what went wrong beside the ring and not beside a dark one, in the same room with the same throws."""
    lit = watch(table, strength)
    if not lit.lines and not lit.figures["camera moved a lot"]:
        return []
    dark = watch(table, 0.0)
    worse = lit.verdicts - dark.verdicts
    del worse["right"]
    moved = lit.figures["camera moved a lot"] > dark.figures["camera moved a lot"]
    return lit.lines + ["camera moved a lot"] * moved if worse or moved else []


@pytest.mark.slow
@pytest.mark.parametrize("table", list(islice(cases(), ALL))[SAMPLE], ids=str)
def test_throws_are_read_beside_flashing_lamps(table: Table) -> None:
    """In time, with their faces and once each, as bright as the room."""
    assert _worse(table, 1.0) == []


@pytest.mark.soak
@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize("table", list(islice(cases(), ALL)), ids=str)
def test_throws_are_read_beside_all_lamps(table: Table, strength: float) -> None:
    """Fades, flashes, rainbows and a flicker, in each tray with each kind of dice, at most as bright as the room."""
    assert _worse(table, strength) == []
