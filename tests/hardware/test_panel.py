"""Real display drivers on chips that are fakes to the byte: every pixel, lost wires, the wrong chip. No thread."""

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from display_chip import Bus, Sh1106, Ssd1306
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from panels import CHIPS, drawn_picture, panel, random_picture

from hardware.panel import RENEW_S, RETRY_S, Pages, Windows, patches

if TYPE_CHECKING:
    from tabletop.core.ports import Light

# luma calls a method that Pillow 14 takes away; pyproject.toml holds Pillow below it
# How MicroPython's ssd1306.py sets a 128x64 module up: an oracle for our chips that is not luma.
OTHER_SETUP = (
    *(0xAE, 0x20, 0x00, 0x40, 0xA1, 0xA8, 0x3F, 0xC8, 0xD3, 0x00, 0xDA, 0x12, 0xD5, 0x80),
    *(0xD9, 0xF1, 0xDB, 0x30, 0x81, 0xFF, 0xA4, 0xA6, 0x8D, 0x14, 0xAF),
)
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")


def test_another_programs_bytes_show_its_picture_on_our_chip() -> None:
    """MicroPython's set-up and window, then the picture row of bytes by row of bytes, lowest bit on top."""
    chip, wanted = Ssd1306(), random_picture(3)
    chip.write((0x00, *OTHER_SETUP))
    chip.write((0x00, 0x21, 0, 127, 0x22, 0, 7))
    pages = np.packbits(wanted.reshape(8, 8, 128), axis=1, bitorder="little")
    chip.write((0x40, *pages.ravel().tolist()))
    assert np.array_equal(chip.glass(), wanted)


@pytest.mark.parametrize("name", CHIPS)
def test_every_pixel_is_where_it_was_drawn(name: str) -> None:
    """Words, noise, all and nothing, one after the other, on memory that begins as garbage."""
    bus = Bus(CHIPS[name]())
    rows = bus.chip.rows
    oled = panel(name, bus)
    pictures = [drawn_picture(rows), random_picture(1, rows), np.ones((rows, 128), bool), np.zeros((rows, 128), bool)]
    for now_s, picture in enumerate([*pictures, random_picture(2, rows)]):
        oled.refresh(picture, float(now_s))
        assert np.array_equal(bus.chip.glass(), picture)


def test_an_sh1106_of_32_rows_holds_the_picture() -> None:
    """Such a module's wiring is not published: here only its memory is looked at."""
    bus = Bus(Sh1106(rows=32))
    picture = random_picture(4, 32)
    panel("sh1106", bus).refresh(picture, 0.0)
    assert np.array_equal(bus.chip.memory[:32, 2:130], picture)


@pytest.mark.parametrize("name", CHIPS)
def test_garbage_is_never_seen(name: str) -> None:
    """From power-on to the first picture the glass is dark, and later it never blinks."""
    bus = Bus(CHIPS[name]())
    picture, looks = random_picture(7, bus.chip.rows), list[NDArray[np.bool_]]()
    bus.after = lambda: looks.append(bus.chip.glass())
    oled = panel(name, bus)
    oled.refresh(picture, 0.0)
    assert np.array_equal(looks[-1], picture)
    assert not np.any(looks[:-1])
    looks.clear()
    oled.refresh(picture, RENEW_S)
    assert looks
    assert all(np.array_equal(look, picture) for look in looks)


def inverted(picture: NDArray[np.bool_], left: int, top: int, width: int, height: int) -> NDArray[np.bool_]:
    other = picture.copy()
    other[top : top + height, left : left + width] ^= True
    return other


RECTANGLES = st.tuples(st.integers(0, 127), st.integers(0, 63), st.integers(1, 128), st.integers(1, 64))
STEPS = st.one_of(
    st.tuples(st.just("draw"), st.lists(RECTANGLES, min_size=1, max_size=4)),
    st.tuples(st.just("noise"), st.integers(0, 99)),
    st.tuples(st.just("light"), st.sampled_from(["full", "dim", "off"])),
    st.tuples(st.just("wait"), st.floats(0.0, 15.0)),
    st.tuples(st.just("cut"), st.integers(0, 2300)),
    st.tuples(st.just("power"), st.none()),
)


@pytest.mark.parametrize("name", CHIPS)
@given(steps=st.lists(STEPS, max_size=15))
@settings(max_examples=20, deadline=None)
def test_the_glass_shows_the_picture_after_anything(name: str, steps: list[tuple[str, Any]]) -> None:
    """Changes anywhere, wires that break, chips that lose their power, any light: right at once or after a renewal."""
    bus = Bus(CHIPS[name]())
    oled, picture, now_s = panel(name, bus), random_picture(1, bus.chip.rows), 0.0
    light: Light = "full"
    for kind, what in steps:
        bus.budget = what if kind == "cut" else None
        healed = kind not in ("cut", "power")
        if kind == "draw":
            for rectangle in what:
                picture = inverted(picture, *rectangle)
        elif kind in {"noise", "cut"}:
            picture = random_picture(what, bus.chip.rows)
        elif kind == "light":
            light = what
        elif kind == "wait":
            now_s += what
        else:
            bus.chip.power_up()
        if not healed:
            oled.refresh(picture, now_s, light)
            bus.budget, now_s = None, now_s + RENEW_S  # longer than to the next trial
        if oled.trouble:
            now_s += RETRY_S
        oled.refresh(picture, now_s, light)
        assert oled.trouble == ""
        assert np.array_equal(bus.chip.glass(), picture if light != "off" else np.zeros_like(picture)), kind


@given(st.integers(0, 2**32), st.integers(1, 400), st.booleans())
def test_patches_hold_every_change(seed: int, changes: int, windows: bool) -> None:
    """Copying them makes the old memory the new one, and it is never dearer than all of it."""
    chance = np.random.default_rng(seed)
    before = chance.integers(0, 256, (8, 128), np.uint8)
    after = before.copy()
    after[chance.integers(0, 8, changes), chance.integers(0, 128, changes)] ^= 0xFF
    addressing = Windows() if windows else Pages()
    found = patches(before, after, addressing)
    for patch in found:
        rows, columns = slice(patch.first_page, patch.last_page + 1), slice(patch.first_column, patch.last_column + 1)
        before[rows, columns] = np.array(patch.of(after), np.uint8).reshape(before[rows, columns].shape)
        assert windows or patch.first_page == patch.last_page
    assert np.array_equal(before, after)
    overhead = addressing.command_bytes + 4
    whole = 1024 + overhead * (1 if windows else 8)
    assert sum(patch.size + overhead for patch in found) <= whole


@pytest.mark.parametrize("name", CHIPS)
def test_a_command_cut_in_two_does_no_harm(name: str) -> None:
    """The chip still waits for the rest of it: what comes next must not be taken for that. Of a changed part too."""
    for budget, whole in [*((budget, True) for budget in range(0, 60, 2)), *((budget, False) for budget in range(15))]:
        bus = Bus(CHIPS[name]())
        oled, picture = panel(name, bus), random_picture(budget, bus.chip.rows)
        if not whole:
            oled.refresh(inverted(picture, 40, 10, 30, 20), -1.0)
        bus.budget = budget
        oled.refresh(picture, 0.0)
        bus.budget = None
        oled.refresh(picture, RETRY_S)
        assert np.array_equal(bus.chip.glass(), picture), budget


def test_a_lost_chip_is_tried_again_every_few_seconds() -> None:
    """Not more often, whatever is to be shown meanwhile; the reason is kept for people."""
    bus = Bus(Ssd1306())
    bus.budget = 0
    oled, failures = panel("ssd1306", bus), 0
    for tenth in range(100):
        due_s = oled.refresh(random_picture(tenth), tenth / 10)
        assert due_s > tenth / 10
        failures += due_s == tenth / 10 + RETRY_S
    assert failures == 4
    assert "0x3C" in oled.trouble
