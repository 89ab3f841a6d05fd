"""The film of the README: tray, display, buttons and a phone through one turn, side by side. Needs Chromium.

PYTHONPATH=tests/support python -m tools.pictures.film docs/pictures    # turn.webp

Only the dice and the fingers are simulated. The outlines are what the reader found in the tray's pixels, the display
shows the memory of a chip that the driver wrote to, and the page comes from the table's server in a real browser.
"""

import io
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from browser import Browser
from display_chip import Bus, Ssd1306
from numpy.typing import NDArray
from panels import panel
from PIL import Image, ImageColor, ImageDraw, ImageFilter, ImageFont

from tabletop.cli.wiring.presenter import Views
from tabletop.core.ports import ButtonName, Light
from tabletop.core.values import Die
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.photo import outline
from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page
from tools.pictures.turn import FPS, Moment, one_turn

Rgb = tuple[int, int, int]
Box = tuple[int, int, int, int]  # left, top, right, bottom

SIZE_PX = (840, 592)  # as wide as GitHub shows a README
TRAY: Box = (18, 18, 530, 402)
BOX: Box = (18, 420, 530, 574)
PHONE: Box = (548, 18, 822, 574)
BEZEL_PX = 8
PHONE_CSS, PHONE_SCALE = (344, 720), 0.75  # what the phone shows, in CSS pixels, and pixels of the film for one
ZOOM = 2  # pixels of the film for one of the display
DISPLAY = (146, 433)  # its corner
BUTTONS: dict[ButtonName, tuple[int, int]] = {"hold": (82, 497), "bank": (466, 497)}
BUTTON_PX = 40  # its radius
FINE = 4  # times as fine as the film: what is drawn, before it is reduced

# Most colours are those of the page: tabletop/web/static/style.css
PAPER, INK, GOLD, IVORY = "#e4dccb", "#1c2420", "#f5c451", "#fffdf6"
CASE, GLASS, LIT = "#20262a", (4, 7, 10), (150, 220, 255)
KEY, KEY_TEXT, RIM, SHADOW = "#39434a", "#f2eee3", "#0c1013", "#3b3222"
FADE = 0.15  # of a button's light, a frame
LIT_SHARE = 0.4  # of its light: above it dark letters are easier to read
LABEL_PX = 19  # half a label's side, in a picture twice as large as the film's
STILL_PX = 2.0  # a die that lies no farther from where it was lies still
LAST_S = 1.2  # the last picture stays for this long before the turn begins again
QUALITY = 70  # of WebP
STILL = "!document.getAnimations().length"
FIGTREE = Path(__file__).parents[2] / "tabletop/web/static/font/figtree.woff2"
CLOCK = Path(__file__).with_name("film.js")


class Display:
    """A 128x64 display: a driver and an emulated chip."""

    width, height = 128, 64

    def __init__(self) -> None:
        self.chip = Ssd1306()
        self._panel = panel("ssd1306", Bus(self.chip))

    def picture(self) -> Image.Image:
        """Return the display's content, magnified."""
        lit = self.chip.glass().repeat(ZOOM, axis=0).repeat(ZOOM, axis=1)
        return Image.fromarray(np.where(lit[:, :, None], LIT, GLASS).astype(np.uint8))

    def show(self, pixels: NDArray[np.bool_]) -> None:
        """Send a picture to the chip."""
        self._panel.refresh(pixels, 0.0, "full")

    def light(self, light: Light) -> None:
        """Do nothing: the brightness is fixed."""

    def close(self) -> None:
        """Do nothing."""


class Phone:
    """The page on a phone, frame by frame."""

    def __init__(self, page: Page, browser: Browser) -> None:
        self._page, self._browser = page, browser
        browser.cdp("Page.addScriptToEvaluateOnNewDocument", {"source": CLOCK.read_text()})
        browser.open(f"http://{page.address}/#{page.pairing.digits}")
        browser.until(f"document.querySelector('#undo').checkVisibility() && document.body.dataset.alive && {STILL}")

    def picture(self) -> Image.Image:
        """Return the phone's screen, one frame after the previous picture."""
        self._browser.until(f"document.body.dataset.count === '{self._page.feed.count}'")
        self._browser.run(f"film({json.dumps(1000 / FPS)})")
        with Image.open(io.BytesIO(self._browser.screenshot())) as drawn:
            size = [round(side * PHONE_SCALE) for side in PHONE_CSS]
            return drawn.convert("RGB").resize((size[0], size[1]), Image.Resampling.LANCZOS)


def figtree(size: int) -> ImageFont.FreeTypeFont:
    """Return the page's font, bold, at this height in pixels."""
    made = ImageFont.truetype(FIGTREE, size)
    made.set_variation_by_axes([700])
    return made


def fine(box: Box) -> list[int]:
    """Scale a box to the resolution used for drawing before the picture is reduced."""
    return [FINE * side for side in box]


def mask(size: tuple[int, int], radius: int) -> Image.Image:
    """Return a mask in the shape of a rectangle with round corners."""
    made = Image.new("L", (FINE * size[0], FINE * size[1]))
    ImageDraw.Draw(made).rounded_rectangle((0, 0, made.width - 1, made.height - 1), FINE * radius, fill=255)
    return made.resize(size, Image.Resampling.LANCZOS)


def table() -> Image.Image:
    """Return the static background: paper, shadows, the case and the phone."""
    drawn = Image.new("RGB", (FINE * SIZE_PX[0], FINE * SIZE_PX[1]), PAPER)
    shade = Image.new("L", SIZE_PX)
    for left, top, right, bottom in (TRAY, BOX, PHONE):
        ImageDraw.Draw(shade).rounded_rectangle((left, top + 5, right, bottom + 5), 16, fill=110)
    shadow = shade.filter(ImageFilter.GaussianBlur(7)).resize(drawn.size)
    drawn.paste(Image.new("RGB", drawn.size, SHADOW), (0, 0), shadow)
    pen = ImageDraw.Draw(drawn)
    pen.rounded_rectangle(fine(BOX), FINE * 18, fill=CASE)
    left, top = DISPLAY
    pen.rounded_rectangle(fine((left - 9, top - 7, left + 128 * ZOOM + 9, top + 64 * ZOOM + 7)), FINE * 7, fill=GLASS)
    pen.rounded_rectangle(fine(PHONE), FINE * 30, fill=INK)
    return drawn.resize(SIZE_PX, Image.Resampling.LANCZOS)


def blend(one: str, other: str, share: float) -> Rgb:
    """Blend two colours. share: of the second, 0 to 1."""
    red, green, blue = (
        round(a + share * (b - a)) for a, b in zip(ImageColor.getrgb(one), ImageColor.getrgb(other), strict=True)
    )
    return red, green, blue


def key(name: str, down: float) -> Image.Image:
    """Draw a button. down: how far it is pressed, 0 to 1."""
    side = 2 * (BUTTON_PX + 8)
    made = Image.new("RGB", (FINE * side, FINE * side), CASE)
    pen, middle = ImageDraw.Draw(made), FINE * side // 2
    pen.circle((middle, middle), FINE * (BUTTON_PX + 7), fill=blend(CASE, GOLD, 0.6 * down))
    pen.circle((middle, middle), FINE * (BUTTON_PX + 3), fill=RIM)
    pen.circle((middle, middle), FINE * (BUTTON_PX - 2 * down), fill=blend(KEY, GOLD, down))
    pen.text(
        (middle, middle), name.upper(), fill=INK if down > LIT_SHARE else KEY_TEXT, font=figtree(FINE * 17), anchor="mm"
    )
    return made.resize((side, side), Image.Resampling.LANCZOS)


class Tray:
    """The camera's picture with its reading: an outline around each die at rest, and its face.

    Gold marks kept dice. Of equal dice, those kept earlier are marked first, then those that lay there before.
    """

    size = TRAY[2] - TRAY[0], TRAY[3] - TRAY[1]

    def __init__(self) -> None:
        self._before: list[tuple[Die, bool]] = []  # with whether it was kept

    def picture(self, moment: Moment) -> Image.Image:
        """Return the frame of this moment."""
        seen = Image.fromarray(np.ascontiguousarray(moment.pixels[:, :, ::-1]))
        picture = seen.resize((2 * self.size[0], 2 * self.size[1]), Image.Resampling.LANCZOS)
        pen, scale = ImageDraw.Draw(picture), picture.width / seen.width
        marked = self._marked(moment)
        for die, kept in marked:
            if any(still(die, was) for was, _ in self._before):
                mark(pen, die, scale, GOLD if kept else IVORY)
        self._before = marked
        return picture.resize(self.size, Image.Resampling.LANCZOS)

    def _marked(self, moment: Moment) -> list[tuple[Die, bool]]:
        def lay(die: Die) -> tuple[bool, bool]:
            was = [kept for other, kept in self._before if still(die, other)]
            return True not in was, not was

        dice = sorted(moment.reading.dice if moment.reading else (), key=lay)
        left = Counter(face for face, kept in zip(moment.shown.thrown, moment.shown.kept, strict=False) if kept)
        marked = []
        for die in dice:
            marked.append((die, left[die.face] > 0))
            left[die.face] -= 1
        return marked


def still(die: Die, was: Die) -> bool:
    """Return whether a die lies at the place of another one."""
    return die.face == was.face and np.hypot(die.x - was.x, die.y - was.y) < STILL_PX


def mark(pen: ImageDraw.ImageDraw, die: Die, scale: float, colour: str) -> None:
    """Draw an outline, and a label at its upper right corner."""
    corners = [(float(x), float(y)) for x, y in outline(die, scale)]
    ring = [*corners, *corners[:2]]
    pen.line(ring, fill=INK, width=11, joint="curve")
    pen.line(ring, fill=colour, width=6, joint="curve")
    x, y = max(corners, key=lambda corner: corner[0] - corner[1])
    y = max(y, LABEL_PX + 4.0)  # not beyond the edge
    pen.rounded_rectangle(
        (x - LABEL_PX, y - LABEL_PX, x + LABEL_PX, y + LABEL_PX), 9, fill=colour, outline=INK, width=2
    )
    pen.text((x, y), str(die.face), fill=INK, font=figtree(30), anchor="mm")


def frames(moments: list[Moment], page: Page, browser: Browser) -> Iterator[Image.Image]:
    """Yield the frames of the film."""
    still_life, tray, display = table(), Tray(), Display()
    views = Views((display,), None, load_language("en"), (page,))
    views.show(moments[0].shown, None, moments[0].time_s)
    tray.picture(moments[0])  # so that the first picture of the film has outlines
    phone = Phone(page, browser)
    round_tray = mask(Tray.size, 12)
    light: dict[ButtonName, float] = dict.fromkeys(BUTTONS, 0.0)
    for moment in moments:
        views.show(moment.shown, None, moment.time_s)
        picture = still_life.copy()
        picture.paste(tray.picture(moment), TRAY[:2], round_tray)
        picture.paste(display.picture(), DISPLAY)
        for name, (x, y) in BUTTONS.items():
            light[name] = 1.0 if moment.shown.pressed == name else max(0.0, light[name] - FADE)
            drawn = key(name, light[name])
            picture.paste(drawn, (x - drawn.width // 2, y - drawn.height // 2))
        shown = phone.picture()
        picture.paste(shown, (PHONE[0] + BEZEL_PX, PHONE[1] + BEZEL_PX), mask(shown.size, 22))
        yield picture


def main(folder: Path) -> None:
    """Write turn.webp."""
    moments = one_turn()
    with tempfile.TemporaryDirectory() as kept_in, Browser(*PHONE_CSS, scale=2 * PHONE_SCALE) as browser:
        page = Page(listen("local", 0), time.monotonic, Path(kept_in) / DEVICES)
        pictures = list(frames(moments, page, browser))
        page.close()
    spent_ms = [round(1000 / FPS)] * (len(pictures) - 1) + [round(1000 * LAST_S)]
    pictures[0].save(
        folder / "turn.webp",
        save_all=True,
        append_images=pictures[1:],
        duration=spent_ms,
        loop=0,
        quality=QUALITY,
        method=6,
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
