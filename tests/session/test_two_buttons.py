"""Whole matches by somebody who knows nothing but two buttons and what can be read off the pixels of the screen."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray
from oled_reading import as_read, read
from somebody import Somebody

from tabletop.rules import Match, game_ids, load
from tabletop.store import Store
from tabletop.views.oled.screen import draw, pages

MOST_QUESTIONS = 300  # long games are left then
READ_EVERY = 13  # a picture takes long to read: the others are only pressed on
NAMES = ("Wilhelmina-A", "Ben", "Zoe")
Pixels = NDArray[np.bool_]


@pytest.fixture
def somebody(tmp_path: Path) -> Iterator[Somebody]:
    """Sit down at a table without a camera."""
    with Store(tmp_path / "a.db") as store:
        yield Somebody(store, no_camera=True)


def labels(picture: Pixels) -> tuple[str, str]:
    """Return what HOLD and BANK do, as the bottom line has it, dark on lit; empty for none."""
    height, width = picture.shape
    low = [found for found in read(picture[-16:]) if found.inverse]
    left = " ".join(found.text for found in low if found.x < width // 3)
    right = " ".join(found.text for found in low if found.x >= width // 3)
    assert height in (32, 64)
    return left, right


@pytest.mark.slow
@pytest.mark.parametrize("height", [64, 32])
@pytest.mark.parametrize("game", game_ids())
def test_a_match_is_played_off_the_pixels(game: str, height: int, somebody: Somebody) -> None:
    """What the bottom line says decides what is pressed; the name, the faces told and the end stand on the screen."""
    chance, facts = Random(f"{game} {height}"), load(game)[0]
    match = somebody.play(Match(game, NAMES[: max(2, facts.min_players)]))
    told: list[int] = []
    throws: list[tuple[int, ...]] = []
    for count in range(MOST_QUESTIONS):
        shown = somebody.table.tick(somebody.now_s)
        hold, bank = shown.hold, shown.bank
        if count % READ_EVERY == 0:
            picture = draw(shown, height=height)
            assert labels(picture) == (as_read(hold), as_read(bank))
            every = " ".join(
                found.text
                for page in range(pages(shown, height=height))
                for found in read(draw(shown, height=height, page=page))
            )
            assert all(as_read(word) in every for word in (*shown.winners, *filter(None, [match.request.player])))
        if match.over and bank == "who won?":  # the throw that ended it is shown first
            somebody.press("bank")
            continue
        if match.over:
            assert (hold, bank) == ("new game", "again")
            break
        if bank == "accept":
            assert shown.entry is not None
            face = chance.randint(1, 6)
            somebody.tell(face)
            told.append(face)
            if len(told) == shown.entry.due:
                throws.append(tuple(sorted(told)))
                told.clear()
        elif hold == "go on":  # at a throw under the cup HOLD has paused
            somebody.press("hold")
        else:
            assert bank
            somebody.press(
                "hold", chance.choice((0, 0, 1, 2)) if bank not in ("bank", "stop") else chance.choice((0, 1))
            )
            if somebody.table.tick(somebody.now_s).bank != "accept":
                somebody.press("bank")
    assert [event.value for event in match.events if event.kind == "throw"] == throws
    assert Match.replay(game, match.seated, match.options, match.log).state() == match.state()
