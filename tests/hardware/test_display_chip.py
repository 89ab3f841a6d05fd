"""The fake display chips do what their data sheets say, told by the byte and not by luma."""

import numpy as np
import pytest
from display_chip import Bus, DisplayChip, Sh1106, Ssd1306
from numpy.typing import NDArray

# how MicroPython's ssd1306.py sets a 128x64 module up (another program than the one that we use)
OTHER_SETUP = (
    *(0xAE, 0x20, 0x00, 0x40, 0xA1, 0xA8, 0x3F, 0xC8, 0xD3, 0x00, 0xDA, 0x12, 0xD5, 0x80),
    *(0xD9, 0xF1, 0xDB, 0x30, 0x81, 0xFF, 0xA4, 0xA6, 0x8D, 0x14, 0xAF),
)
UPRIGHT = (0xA1, 0xC8, 0xAF)


def blank(chip: DisplayChip) -> None:
    """Darken the memory by page addressing, which both chips know."""
    if isinstance(chip, Ssd1306):
        chip.write((0x00, 0x20, 0x02, 0x8D, 0x14))
    for page in range(8):
        chip.write((0x00, 0xB0 | page, 0x00, 0x10))
        chip.write((0x40, *([0] * chip.columns)))


def lit(chip: DisplayChip) -> list[tuple[int, int]]:
    """Return (row, column) of the pixels that are lit."""
    return [(int(row), int(column)) for row, column in np.argwhere(chip.glass())]


def picture() -> NDArray[np.bool_]:
    """Draw something without any symmetry."""
    return np.random.default_rng(3).random((64, 128)) < 0.3


def test_another_programs_bytes_show_its_picture() -> None:
    """MicroPython's set-up and window, then the picture row of bytes by row of bytes, lowest bit on top."""
    chip, wanted = Ssd1306(), picture()
    chip.write((0x00, *OTHER_SETUP))
    chip.write((0x00, 0x21, 0, 127, 0x22, 0, 7))
    pages = np.packbits(wanted.reshape(8, 8, 128), axis=1, bitorder="little")
    chip.write((0x40, *pages.ravel().tolist()))
    assert np.array_equal(chip.glass(), wanted)


@pytest.mark.parametrize(("chip", "first"), [(Ssd1306(), 0), (Sh1106(), 2)])
def test_one_pixel_by_page_addressing(chip: DisplayChip, first: int) -> None:
    """Page 1, column 3, bit 5 is row 13, an SH1106 shows its columns from 2 on; remap and scan mirror."""
    blank(chip)
    column = first + 3
    chip.write((0x00, *UPRIGHT, 0xB1, column & 0x0F, 0x10 | column >> 4))
    chip.write((0x40, 0b0010_0000))
    assert lit(chip) == [(13, 3)]
    chip.write((0x00, 0xA0))
    assert lit(chip) == [(13, 124)]
    chip.write((0x00, 0xC0))
    assert lit(chip) == [(50, 124)]
    chip.write((0x00, *UPRIGHT, 0x45))
    assert lit(chip) == [(8, 3)]
    chip.write((0x00, 0xD3, 0x08))
    assert lit(chip) == [(0, 3)]


def test_light_and_darkness() -> None:
    """Off, inverse, all on; and an SSD1306 is dark until its charge pump runs."""
    chip = Ssd1306()
    chip.write((0x00, 0xAF))
    assert not chip.glass().any()
    chip.write((0x00, 0x8D, 0x14))
    shown = chip.glass()
    assert 3000 < np.count_nonzero(shown) < 5200
    chip.write((0x00, 0xA7))
    assert np.array_equal(chip.glass(), ~shown)
    chip.write((0x00, 0xA6, 0xA5))
    assert chip.glass().all()
    chip.write((0x00, 0xA4, 0xAE))
    assert not chip.glass().any()


def test_addressing_by_columns() -> None:
    """Vertical addressing goes down the pages of its window, then to the next column."""
    chip = Ssd1306()
    blank(chip)
    chip.write((0x00, *UPRIGHT, 0x20, 0x01, 0x21, 10, 11, 0x22, 2, 3))
    chip.write((0x40, 1, 2, 4, 8))
    assert lit(chip) == [(16, 10), (18, 11), (25, 10), (27, 11)]


def test_the_other_chip_does_not_know_windows() -> None:
    """Windows are nothing to an SH1106: the bytes after 0x21 and 0x22 are commands of their own to it."""
    chip = Sh1106()
    chip.write((0x00, 0x21, 0x05, 0x7F))
    assert (chip.column & 0x0F, chip.start_line) == (5, 63)


def test_power_loss_leaves_garbage() -> None:
    """After power comes back the chip is off and remembers nothing."""
    chip = Ssd1306()
    chip.write((0x00, *OTHER_SETUP))
    before = chip.memory.copy()
    chip.power_up()
    assert not chip.glass().any()
    assert np.count_nonzero(before != chip.memory) > 3000


def test_a_bus_breaks_where_it_is_told() -> None:
    """What was sent before the wire came off has arrived; nothing answers at another address."""
    bus = Bus(Sh1106())
    bus.budget = 3
    with pytest.raises(OSError, match="Remote"):
        bus.write_i2c_block_data(0x3C, 0x00, [0xAF, 0xA1, 0xC8])
    assert (bus.chip.on, bus.chip.remapped, bus.chip.backwards) == (True, True, False)
    with pytest.raises(OSError, match="Remote"):
        bus.write_i2c_block_data(0x3D, 0x00, [0xAE])
