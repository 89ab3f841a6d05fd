"""The small screen in random matches of every game: as it was looked at, whole, and read back from its pixels."""

import re
from dataclasses import replace
from itertools import chain, product

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
from tabletop.views.snapshot import Snapshot

NEEDED = {"end", "menu", "set-up", "start"}
GERMAN = load_language("de")


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_fits(game_id: str) -> None:
    """Nothing is cut off or drawn over, in German too."""
    shown = moments(game_id)
    assert set(shown) >= NEEDED
    for height in HEIGHTS_PX:
        for now in chain.from_iterable(shown.values()):
            check_boxes(now, height)
            check_boxes(translated(now, GERMAN), height)
    check_asks(game_id, *shown["start"])
    check_ranking(*shown["end"])


@pytest.mark.parametrize(("game_id", "line"), [("shut-the-box", r"[\d ]+ zuklappen\?"), ("mia", r"\d\d: \w+\?")])
def test_a_choice_is_asked_once(game_id: str, line: str) -> None:
    """As Germans say it: "5 zuklappen?" for tiles, and "22: glauben?" for what somebody has claimed."""
    (now,) = moments(game_id)["choice"]
    texts = [box.text for box in layout(translated(now, GERMAN), height=64)[0]]
    assert [text for text in texts if text.endswith("?") and re.fullmatch(line, text)]


def test_every_game_is_shown_as_it_was_looked_at() -> None:
    """After a wanted change: `make golden`, and look at it."""
    changed = list[str]()
    for game_id, height in product(game_ids(), HEIGHTS_PX):
        with Image.open(GOLDEN / f"{game_id}-{height}.png") as golden:
            same = np.array_equal(np.asarray(golden), np.asarray(picture(game_id, height)))
            changed += [f"{game_id}-{height}"] * (not same)
    assert changed == []


def check_asks(game_id: str, start: Snapshot) -> None:
    """Check that the first page says who is asked, and to do or to choose what: in both languages, for few and many."""
    few = max(2, load(game_id)[0].min_players)
    for now in (start, replace(start, players=start.players[:few], scores=start.scores[:few])):
        for shown, height in product((now, translated(now, GERMAN)), HEIGHTS_PX):
            texts = [box.text for box in layout(shown, height=height)[0]]
            assert shown.asked in texts or not shown.asked
            assert any(text.endswith("?") for text in texts) or shown.ask.casefold() in " ".join(texts).casefold()


def check_ranking(end: Snapshot) -> None:
    """Check that the winners of a match have the fewest points where the game says so, and nowhere else."""
    scores = dict(zip(end.players, end.scores, strict=True))
    best = max(scores[name] for name in end.winners)
    others = [score for name, score in scores.items() if name not in end.winners]
    assert others or set(end.scores) == {best}  # a tie of all tells nothing
    assert end.fewest_win == any(best < score for score in others)


def test_every_golden_picture_has_its_game() -> None:
    """No file is left over, and all together are small enough to be kept with the program."""
    files = list(GOLDEN.iterdir())
    assert {file.name for file in files} == {f"{game}-{height}.png" for game in game_ids() for height in HEIGHTS_PX}
    assert sum(file.stat().st_size for file in files) < 1_500_000


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


def test_dice_that_lie_there_from_another_turn_say_who_threw_them() -> None:
    """Beside them, while the name above is the next player's: nobody takes them for theirs."""
    (now,) = moments("pig")["between"]
    assert now.record is not None
    thrower = next(event.player for event in reversed(now.record.log) if event.kind == "throw")
    texts = {box.text for box in layout(now)[0]}
    assert thrower != now.asked
    assert {now.asked, f"{thrower} threw"} <= texts
