"""The pictures of the page in the README, drawn by a real Chromium: three on a phone, one on the wall.

PYTHONPATH=tests/support python -m tools.pictures.page docs/pictures
"""

import sys
import tempfile
import time
from pathlib import Path

from browser import PHONE, Browser
from oled_games import moments
from PIL import Image

from tabletop.views.snapshot import Snapshot
from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page

WALL = (1920, 1080)
SEATS = 3  # players on a phone
COLOURS = 255  # of a picture: a page has few, and the picture is a third as large
SHOWN = (
    ("turn", "ten-thousand", "stake", False),
    ("boxes", "yahtzee", "choice", True),
    ("track", "centennial", "between", False),
)
STILL = "!document.getAnimations().length"


def main(folder: Path) -> None:
    """Write page-turn, page-boxes, page-track and page-wall as PNG."""
    with tempfile.TemporaryDirectory() as kept:
        page = Page(listen("local", 0), time.monotonic, Path(kept) / DEVICES, simulated=True)
        page.show(Snapshot("Pig", ("Ann",), (0,)), None, time.monotonic())
        with Browser(*PHONE, scale=1.5) as browser:
            browser.open(f"http://{page.address}/#{page.pairing.digits}")
            browser.until("document.querySelector('#undo').checkVisibility()")
            for name, game, kind, dark in SHOWN:
                browser.resize(*PHONE, dark=dark, scale=1.5)
                keep(browser, page, moments(game, SEATS)[kind][0], folder / f"page-{name}.png")
            browser.resize(*WALL, scale=0.7)
            browser.tap("#device-open")
            browser.tap("#wall")
            browser.tap("#device-close")
            keep(browser, page, moments("yahtzee")["keep"][0], folder / "page-wall.png")
        page.close()


def keep(browser: Browser, page: Page, shown: Snapshot, path: Path) -> None:
    """Show a snapshot, and save the browser's rendering with few colours."""
    page.show(shown, None, time.monotonic())
    browser.until(f"document.body.dataset.count === '{page.feed.count}' && {STILL}")
    browser.picture(path)
    with Image.open(path) as drawn:
        drawn.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
