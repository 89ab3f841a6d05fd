"""The display drivers on chips that are fakes to the byte, and pictures for them."""

from collections.abc import Callable

import numpy as np
from display_chip import Bus, DisplayChip, Sh1106, Ssd1306
from luma.core.interface.serial import i2c
from luma.oled import device
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from hardware.panel import Panel

CHIPS: dict[str, Callable[[], DisplayChip]] = {
    "ssd1306": Ssd1306,
    "sh1106": Sh1106,
    "ssd1306 of 32 rows": lambda: Ssd1306(rows=32, com_pins=0x02),
}


def random_picture(seed: int, rows: int = 64) -> NDArray[np.bool_]:
    return np.random.default_rng(seed).random((rows, 128)) < 0.5


def drawn_picture(rows: int = 64) -> NDArray[np.bool_]:
    """Return a frame, a diagonal and words: what a table shows."""
    image = Image.new("1", (128, rows))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 127, rows - 1), outline=1)
    draw.line((0, 0, 127, rows - 1), fill=1)
    draw.text((20, 8), "Ann 25", fill=1)
    return np.asarray(image, bool)


def panel(name: str, bus: Bus) -> Panel:
    driver = getattr(device, name.split(maxsplit=1)[0])
    return Panel(driver, lambda: i2c(bus=bus, address=0x3C), width=128, height=bus.chip.rows)
