"""The small screen in random matches of every game: as it was looked at, whole, and read back from its pixels."""

from dataclasses import replace

import numpy as np
import pytest
from oled_examples import SCREENS
from oled_games import GOLDEN, HEIGHTS_PX, moments, picture
from oled_reading import Found, as_read, read
from oled_snapshots import check_boxes
from PIL import Image

from tabletop.rules import game_ids, load
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.oled.font import can_draw
from tabletop.views.oled.screen import draw, layout
from tabletop.views.oled.text import GIANT
from tabletop.views.snapshot import Snapshot

NEEDED = {"end", "menu", "set-up", "start"}
GERMAN = load_language("de")
LARGE_PX = 32  # rows of a number that is read from afar


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


def check_read_back(now: Snapshot, height: int, most_pages: int) -> None:
    """Read the labels on every page, and name and number of a match on its first; every text where it stands."""
    first: tuple[Found, ...] = ()
    for page, boxes in enumerate(layout(now, height=height)[:most_pages]):
        found = read(draw(now, height=height, page=page))
        first = first or found
        labels = [text for text in (now.hold, now.bank) if text]
        lit = [text for text in found if text.inverse and text.y > height - 16]
        assert [text.text for text in sorted(lit, key=lambda text: text.x)] == list(map(as_read, labels))
        seen = as_read(" ".join(text.text for text in sorted(found, key=lambda text: (text.y, text.x)))).split()
        for box in boxes:
            if box.text and can_draw(box.text) and not set(box.text) <= set("-_ "):
                assert set(as_read(box.text).split()) <= set(seen), box.text
    if now.asked and not now.hint and now.menu is None and not now.winners:
        number = f"{now.at_stake:+d}" if now.at_stake else str(now.scores[now.players.index(now.asked)])
        texts = {text.text: text.height for text in first}
        words = " ".join(texts).split()
        assert as_read(now.asked) in words
        assert number in words
        if height == 64:
            assert any(number in text.split() and high == LARGE_PX for text, high in texts.items())


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
def test_labels_name_and_number_are_read_back_from_the_pixels(height: int) -> None:
    """The letters themselves say it, not what was meant to be drawn."""
    for shown in moments("ten-thousand").values():
        check_read_back(shown[0], height, most_pages=1)


@pytest.mark.slow
@pytest.mark.parametrize("game_id", game_ids())
def test_the_pages_of_every_game_are_read_back_from_the_pixels(game_id: str) -> None:
    """Each text of the first pages, at both sizes."""
    for shown in moments(game_id).values():
        for now in shown:
            for height in HEIGHTS_PX:
                check_read_back(now, height, most_pages=2)


def test_the_reader_reads_what_is_drawn_and_nothing_else() -> None:
    """A picture without words has none; a wrong pixel makes a letter unreadable."""
    assert read(np.zeros((64, 128), dtype=np.bool_)) == ()
    assert read(np.ones((64, 128), dtype=np.bool_)) == ()
    chance = np.random.default_rng(1)
    assert not any(len(text.text) > 2 for text in read(chance.random((64, 128)) < 0.5))
    drawn = draw(SCREENS["pig-choice"])
    (name,) = (text for text in read(drawn) if text.text == "Ann")
    drawn[name.y + 10, name.x : name.x + 5] ^= True
    assert "Ann" not in {text.text for text in read(drawn)}
    assert GIANT.down * 7 >= name.height
