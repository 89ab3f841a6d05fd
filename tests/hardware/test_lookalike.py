"""SSD1306 or SH1106: what the test picture shows on the right chip and on the wrong one, and how it is mended."""

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from display_chip import Bus, DisplayChip, Sh1106, Ssd1306
from numpy.typing import NDArray
from panels import random_picture

from hardware.panel import CONTRAST, DIM_CONTRAST
from hardware.screens import CHIPS, Oled, open_sh1106, open_ssd1306
from tabletop.dialogs.menu import DisplayTest
from tabletop.views.oled.screen import draw

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")

CHIP = {"ssd1306": Ssd1306, "sh1106": Sh1106}
OPENERS = {"ssd1306": open_ssd1306, "sh1106": open_sh1106}
PATTERN = draw(DisplayTest(CHIPS).snapshot, shift=(2, 1))


class HeardBus(Bus):
    """A bus that knows which contrast was sent last: the picture before it is complete then."""

    contrast = -1

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Sequence[int]) -> None:
        super().write_i2c_block_data(i2c_addr, register, data)
        if register == 0x00 and data[0] == CONTRAST and len(data) > 1:
            with self.changed:
                self.contrast = data[1]
                self.changed.notify_all()


class Table:
    """A display of one kind that was bought as another: what it is, and as what it was opened."""

    def __init__(self, real: str, named: str) -> None:
        chip: DisplayChip = CHIP[real]()
        self.bus, self.real = HeardBus(chip), real
        self.screen: Oled = OPENERS[named]("", self.bus, lambda: 0.0)

    def shows(self, picture: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Show a picture, a dot, and the picture again; return the glass when all of it is sent."""
        dotted = picture.copy()
        dotted[30, 60] ^= True
        for pixels in (picture, dotted, picture):
            self.screen.show(pixels)
            self.screen.light("dim")
            assert self.bus.wait_until(lambda: self.bus.contrast == DIM_CONTRAST)
            self.screen.light("full")
            assert self.bus.wait_until(lambda: self.bus.contrast != DIM_CONTRAST)
        return self.bus.chip.glass()


@pytest.fixture(params=[(real, named) for real in CHIPS for named in CHIPS], ids=" sold as ".join)
def table(request: pytest.FixtureRequest) -> Iterator[Table]:
    sitting = Table(*request.param)
    yield sitting
    sitting.screen.close()


def frame_of(picture: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])


def test_the_frame_lies_on_the_outermost_pixels() -> None:
    """All of them are lit, and it is not shifted against burn-in; on the flat display too."""
    assert frame_of(PATTERN).all()
    assert frame_of(draw(DisplayTest(CHIPS, 1).snapshot, 128, 32, shift=(2, 1))).all()
    assert not PATTERN[1:3, 1:-1].any()


def test_only_the_right_chip_shows_a_whole_frame(table: Table) -> None:
    """As each chip in turn: whole and exact as the one that it is, at least a side of the frame gone as the other."""
    for chip in (*CHIPS, *CHIPS):
        table.screen.use_chip(chip)
        glass = table.shows(PATTERN)
        if chip == table.real:
            assert np.array_equal(glass, PATTERN)
        else:
            assert (~frame_of(glass)).sum() >= 60


def test_a_wrong_name_is_mended_at_once_and_for_good(table: Table) -> None:
    """After the answer every picture is exact, and equal pictures cost nothing again."""
    table.shows(PATTERN)
    table.screen.use_chip(table.real)
    for picture in map(random_picture, range(3)):
        assert np.array_equal(table.shows(picture), picture)
    sent = table.bus.bytes_sent
    table.screen.use_chip(table.real)
    table.screen.show(random_picture(2))
    dot = random_picture(2)
    dot[0, 0] ^= True
    table.screen.show(dot)
    assert table.bus.wait_until(lambda: np.array_equal(table.bus.chip.glass(), dot))
    assert table.bus.bytes_sent - sent < 10
