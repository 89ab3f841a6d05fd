"""Screenshots of the page for every game, on a phone and on a laptop, alternating light and dark.

PYTHONPATH=tests/support python -m tools.pictures.screens build/screens pig yahtzee   # all games without a name
"""

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from browser import Browser
from oled_games import moments

from tabletop.rules import game_ids
from tabletop.views.snapshot import Snapshot
from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page

SIZES = {"phone": (360, 740), "laptop": (1280, 800)}  # CSS pixels
STILL = "!document.getAnimations().length"


@contextmanager
def browsing(page: Page) -> Iterator[Browser]:
    """Open the page in a paired browser."""
    with Browser(*SIZES["phone"], scale=1.0) as browser:
        browser.open(f"http://{page.address}/#{page.pairing.digits}")
        browser.until_seen("#undo")
        yield browser


def main(folder: Path, games: list[str]) -> None:
    """Write a screenshot of each kind of moment in these games at each size, alternating light and dark.

    A moment that is light on the phone is dark on the laptop.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as kept:
        page = Page(listen("local", 0), time.monotonic, Path(kept) / DEVICES, simulated=True)
        page.show(Snapshot("Pig", ("Ann",), (0,)), None, time.monotonic())
        with browsing(page) as browser:
            for number, game_id in enumerate(games):
                for place, (kind, shown) in enumerate(moments(game_id).items(), start=number):
                    page.show(shown[0], None, time.monotonic())
                    for turn, (size, (width, height)) in enumerate(SIZES.items(), start=place):
                        browser.resize(width, height, dark=bool(turn % 2), scale=1.0)
                        browser.until(f"document.body.dataset.count === '{page.feed.count}' && {STILL}")
                        browser.picture(folder / f"page-{game_id}-{kind}-{size}.png")
        page.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or list(game_ids()))
