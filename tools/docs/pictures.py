"""The pictures of the games: display and page at moments of a random match of three players.

The display is drawn by the table's own code. The page needs Chromium and its driver; without them it has no pictures.
"""

import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import browser
import numpy as np
from oled_games import moments
from PIL import Image

from tabletop.rules import game_ids
from tabletop.views.i18n.catalogue import Language, load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.oled.screen import draw
from tabletop.views.snapshot import Snapshot
from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page

PLAYERS = ("Ann", "Ben", "Cleo")
MAIN = ("keep", "choice", "claim", "stake", "throw", "all-throw", "between", "start")  # the first that a game has
FIRST = ("throw", "all-throw", "between", "start")
LAST = "end"
ZOOM, SMALL_ZOOM, GAP_PX = 3, 2, 24
GLASS, LIT = np.array((6, 8, 12), np.uint8), np.array((150, 220, 255), np.uint8)  # a blue-white OLED
PHONE = (360, 740)
SCALE = 1.5
COLOURS = 128  # a page has few
STILL = "!document.getAnimations().length"


def has_browser() -> bool:
    """Return whether pictures of the page can be made."""
    return browser.is_there()


def write(folder: Path, languages: Sequence[str]) -> None:
    """Write the pictures of all games into assets/games of the folder of each language."""
    for code in languages:
        language, games = load_language(code), folder / code / "assets" / "games"
        games.mkdir(parents=True)
        for game_id in game_ids():
            main, *others = shown(game_id, language)
            display(main, SMALL_ZOOM).save(games / f"{game_id}.png", optimize=True)
            stack(display(now, ZOOM) for now in (main, *others)).save(games / f"{game_id}-display.png", optimize=True)
    if has_browser():
        photograph(folder, languages)


def shown(game_id: str, language: Language) -> list[Snapshot]:
    """Return the moment to show first, and others of the same match."""
    found = {kind: now[0] for kind, now in moments(game_id, len(PLAYERS), PLAYERS).items()}
    main = next(kind for kind in MAIN if kind in found)
    kinds = dict.fromkeys((main, next(kind for kind in FIRST if kind in found), LAST))
    return [translated(found[kind], language) for kind in kinds]


def display(now: Snapshot, zoom: int) -> Image.Image:
    """Return the display's pixels, magnified, with the look of an OLED."""
    lit = draw(now).repeat(zoom, axis=0).repeat(zoom, axis=1)
    return Image.fromarray(np.where(lit[:, :, None], LIT, GLASS)).quantize(2)


def stack(pictures: Iterable[Image.Image]) -> Image.Image:
    """Return displays of one size stacked on a transparent background."""
    drawn = list(pictures)
    width, height = drawn[0].size
    whole = Image.new("RGBA", (width, len(drawn) * (height + GAP_PX) - GAP_PX), (0, 0, 0, 0))
    for place, picture in enumerate(drawn):
        whole.paste(picture, (0, place * (height + GAP_PX)))
    return whole


def photograph(folder: Path, languages: Sequence[str]) -> None:
    """Write screenshots of the page on a phone, light and dark."""
    with tempfile.TemporaryDirectory() as kept:
        page = Page(listen("local", 0), time.monotonic, Path(kept) / DEVICES, simulated=True)
        page.show(Snapshot("Pig", PLAYERS[:1], (0,)), None, time.monotonic())
        with browser.Browser(*PHONE, scale=SCALE) as window:
            window.open(f"http://{page.address}/#{page.pairing.digits}")
            window.until_seen("#undo")
            for code in languages:
                language = load_language(code)
                for shade in ("light", "dark"):
                    window.resize(*PHONE, dark=shade == "dark", scale=SCALE)
                    preferred = {"prefers-color-scheme": shade, "prefers-reduced-motion": "reduce"}
                    features = [{"name": name, "value": value} for name, value in preferred.items()]
                    window.cdp("Emulation.setEmulatedMedia", {"features": features})
                    for game_id in game_ids():
                        page.show(shown(game_id, language)[0], None, time.monotonic())
                        window.until(f"document.body.dataset.count === '{page.feed.count}' && {STILL}")
                        path = folder / code / "assets" / "games" / f"{game_id}-{shade}.png"
                        window.picture(path)
                        with Image.open(path) as taken:
                            few = taken.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
                        few.save(path, optimize=True)
        page.close()
