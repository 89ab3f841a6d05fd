"""The small screen in random matches of every game: as it was looked at, whole, and read back from its pixels."""

from dataclasses import replace

import numpy as np
import pytest
from oled_games import GOLDEN, HEIGHTS_PX, moments, picture
from oled_reading import stands
from oled_snapshots import check_boxes
from PIL import Image

from tabletop.rules import game_ids, load
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.oled.screen import draw, layout
from tabletop.views.oled.text import BIG, ink

NEEDED = {"end", "menu", "set-up", "start"}
GERMAN = load_language("de")


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_is_shown_as_it_was_looked_at(game_id: str) -> None:
    """After a wanted change: `make golden`, and look at what changed."""
    assert set(moments(game_id)) >= NEEDED
    for height in HEIGHTS_PX:
        with Image.open(GOLDEN / f"{game_id}-{height}.png") as golden:
            assert np.array_equal(np.asarray(golden), np.asarray(picture(game_id, height)))


def test_every_golden_picture_has_its_game() -> None:
    """No file is left over, and all together are small enough to be kept with the program."""
    files = list(GOLDEN.iterdir())
    assert {file.name for file in files} == {f"{game}-{height}.png" for game in game_ids() for height in HEIGHTS_PX}
    assert sum(file.stat().st_size for file in files) < 1_500_000


@pytest.mark.parametrize("game_id", game_ids())
def test_the_first_page_of_a_match_asks_something(game_id: str) -> None:
    """In English and in German, at both sizes, two players and many: who is asked, and to do or to choose what."""
    (start,) = moments(game_id)["start"]
    few = max(2, load(game_id)[0].min_players)
    for now in (start, replace(start, players=start.players[:few], scores=start.scores[:few])):
        for shown in (now, translated(now, GERMAN)):
            for height in HEIGHTS_PX:
                texts = [box.text for box in layout(shown, height=height)[0]]
                assert shown.asked in texts or not shown.asked
                assert any(text.endswith("?") for text in texts) or shown.ask in " ".join(texts)


@pytest.mark.parametrize("game_id", game_ids())
def test_nothing_is_cut_off_or_drawn_over_in_any_game(game_id: str) -> None:
    """In English and in German, all pages at both sizes."""
    for shown in moments(game_id).values():
        for now in (*shown, *(translated(one, GERMAN) for one in shown)):
            for height in HEIGHTS_PX:
                check_boxes(now, height)


@pytest.mark.parametrize("game_id", game_ids())
def test_the_ranking_knows_which_end_leads(game_id: str) -> None:
    """Who won a whole match has the fewest where the game says that the fewest win, and nowhere else fewer than any."""
    (end,) = moments(game_id)["end"]
    scores = dict(zip(end.players, end.scores, strict=True))
    best = max(scores[name] for name in end.winners)
    others = [score for name, score in scores.items() if name not in end.winners]
    assert others or set(end.scores) == {best}  # a tie of all tells nothing
    assert end.fewest_win == any(best < score for score in others)


@pytest.mark.parametrize("height", HEIGHTS_PX)
def test_every_text_is_found_in_the_pixels(height: int) -> None:
    """The letters themselves say it, not what was meant to be drawn; a wrong pixel makes a text unreadable."""
    for shown, *_ in moments("ten-thousand").values():
        for page, boxes in enumerate(layout(shown, height=height)):
            picture = draw(shown, height=height, page=page)
            assert [box.text for box in boxes if box.text and not stands(picture, box.text)] == []
    drawn = np.pad(ink("Ann", BIG).pixels, 4)
    assert stands(drawn, "Ann")
    drawn[10, 8] ^= True
    assert not stands(drawn, "Ann")
