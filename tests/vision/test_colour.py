"""The plain word for a die's colour, on rendered dice under five lights, and on labelled photographs."""

import itertools
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labelled import PHOTOS, needs_photos
from numpy.typing import NDArray

from tabletop.simulator.render import compose
from tabletop.simulator.scene import Light, PosedDie, Viewpoint, lying
from tabletop.vision.colour import NEUTRAL_LIGHT, body_colour, frame_tint
from tabletop.vision.image_io import open_picture
from tools.room.rare_look import RareLook
from tools.training.scenes.grounds import GROUNDS

Picture = NDArray[np.uint8]
Bgr = tuple[int, int, int]

# Bodies that people would call by these words, as BGR in white light
BODIES: dict[str, tuple[Bgr, ...]] = {
    "white": ((240, 244, 245), (225, 236, 240), (250, 250, 250)),
    "black": ((30, 30, 30), (25, 22, 20), (48, 44, 42)),
    "red": ((35, 30, 200), (30, 20, 140), (50, 50, 230)),
    "blue": ((190, 80, 25), (120, 45, 18), (220, 120, 40)),
    "green": ((60, 150, 35), (40, 95, 22), (80, 180, 60)),
    "yellow": ((40, 210, 245), (60, 225, 250), (25, 190, 235)),
}
DARK_PIPS, LIGHT_PIPS = (20, 20, 20), (240, 240, 240)
TABLES: tuple[tuple[str, Bgr], ...] = (
    ("plain", (150, 150, 150)),
    ("felt", (60, 95, 45)),
    ("wood", (60, 90, 130)),
    ("paper", (235, 238, 240)),
    ("weave", (35, 35, 38)),
    ("felt", (40, 35, 150)),
    ("weave", (140, 80, 40)),
)
SIZES_PX = (24.0, 34.0, 48.0)

# XYZ to linear sRGB, IEC 61966-2-1
TO_RGB = np.array([[3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570]])


def glowing(kelvin: float) -> NDArray[np.float64]:
    """Return the linear RGB of a body that glows at 2222 to 25000 K (B. Kang et al., J. Korean Phys. Soc. 41, 2002)."""
    t = kelvin
    if t <= 4000:
        x = -0.2661239e9 / t**3 - 0.2343589e6 / t**2 + 0.8776956e3 / t + 0.179910
        y = -0.9549476 * x**3 - 1.37418593 * x**2 + 2.09137015 * x - 0.16748867
    else:
        x = -3.0258469e9 / t**3 + 2.1070379e6 / t**2 + 0.2226347e3 / t + 0.240390
        y = 3.0817580 * x**3 - 5.87338670 * x**2 + 3.75112997 * x - 0.37001483
    rgb: NDArray[np.float64] = TO_RGB @ np.array([x / y, 1.0, (1 - x - y) / y])
    return rgb


@dataclass(frozen=True)
class Lighting:
    """A light as a camera sees it: the lamp, its temperature, for which one the picture is balanced, its strength."""

    lamp: Light
    kelvin: float
    balanced_kelvin: float
    strength: float = 1.0

    def tones(self) -> NDArray[np.float64]:
        """Return what the camera sees of white, (3,) linear BGR, the largest as strong as the light."""
        rgb = glowing(self.kelvin) / glowing(self.balanced_kelvin)
        tones: NDArray[np.float64] = rgb[::-1] / rgb.max() * self.strength
        return tones


# Temperatures: a lamp of ANSI C78.377's warmest common class and a camera whose balance stops at 4000 K; the sky of a
# northern window at 10000 K (CIE 15: daylight phases go on to 25000 K) and a camera balanced for 5500 K, the sun's. Dim
# is 2.5 stops below. The clear sun is some 8 times as strong as the sky, half a degree wide, here 30 degrees high.
LIGHTS = {
    "neutral": Lighting(Light(window=0.3), 5500, 5500),
    "warm lamp": Lighting(Light(window=0.3), 2700, 4000),
    "cold window": Lighting(Light(lamp=0.3, ambient=0.75, softness=0.3, window=0.6), 10000, 5500),
    "dim": Lighting(Light(window=0.3), 5500, 5500, strength=0.18),
    "hard sun": Lighting(Light(elevation_deg=30, lamp=1.1, ambient=0.14, softness=0.01, window=0.0), 5500, 5500),
}


TURNS = {name: number % 2 for number, name in enumerate(LIGHTS)}  # each light sees every other ground


def test_tones_are_the_published_ones() -> None:
    """A glowing body at 6500 K is about sRGB's white; one at 2700 K is at x 0.460, y 0.411 of CIE 1931."""
    assert glowing(6500) == pytest.approx([1, 1, 1], abs=0.06)
    xyz = np.linalg.inv(TO_RGB) @ glowing(2700)
    assert xyz[:2] / xyz.sum() == pytest.approx([0.460, 0.411], abs=0.002)


def dice_in(
    lighting: Lighting, word: str, number: int, *, clear: float, table: int
) -> tuple[Picture, list[tuple[float, float, float, float]]]:
    """Return a frame of six dice of one colour, all six faces up, and x, y, size and angle of each."""
    rng = np.random.default_rng(1000 * table + number)
    size, body = SIZES_PX[number % 3], BODIES[word][(number // 3 + table) % 3]
    pip = DARK_PIPS if word in ("white", "yellow") else LIGHT_PIPS
    look = RareLook(
        body=body, pip=pip, clear=clear, gloss=float(rng.uniform(0, 0.6)), dimple=float(rng.uniform(0, 0.8))
    )
    width, height = round(5.2 * size), round(3.6 * size)
    lamp = lighting.lamp
    upward = 1.25 * lamp.lamp * np.sin(np.radians(lamp.elevation_deg)) + lamp.ambient  # what a level ground gets
    kind, colour = TABLES[table % len(TABLES)]
    ground = GROUNDS[kind](height, width, colour, rng, size) * np.sqrt(upward)
    places = [
        ((1 + 1.6 * (i % 3)) * size + rng.uniform(-0.1, 0.1) * size, (1 + 1.6 * (i // 3)) * size, rng.uniform(0, 90))
        for i in range(6)
    ]
    dice = [PosedDie(x, y, size, lying(i + 1, angle, look), look) for i, (x, y, angle) in enumerate(places)]
    frame = compose(np.clip(ground, 0, 255).astype(np.uint8), dice, lamp, Viewpoint(distance_px=14 * size))
    # The renderer's linear light is the square of a byte's value.
    seen = frame * np.sqrt(lighting.tones()) + rng.normal(0, 2, frame.shape)
    return np.clip(seen, 0, 255).astype(np.uint8), [(x, y, size, angle) for x, y, angle in places]


def about(places: list[tuple[float, float, float, float]], seed: int) -> Iterator[tuple[float, float, float, float]]:
    """Yield the places as a reader tells them: off by some hundredths of a die and some degrees."""
    rng = np.random.default_rng(seed)
    for x, y, size, angle in places:
        off = rng.normal(0, 0.03, 3) * size
        yield x + off[0], y + off[1], size + 2 * off[2], angle + rng.normal(0, 3)


@pytest.mark.parametrize("name", LIGHTS)
def test_six_colours_in_five_lights(name: str) -> None:
    """White, black, red, blue, green and yellow dice get their words in 95 %, on grounds of all colours, on all faces.

    All dice of a frame have one colour, as at most tables, so that no die of another colour tells what the light is.
    """
    right = Counter[bool]()
    wrong = Counter[tuple[str, str, str]]()
    for (number, word), clear, turn in itertools.product(enumerate(BODIES), (0.0, 0.8), (TURNS[name],)):
        table = (number + 3 * turn + (clear > 0)) % len(TABLES)
        frame, places = dice_in(LIGHTS[name], word, number + turn, clear=clear, table=table)
        tint = frame_tint(frame)
        for place in about(places, table):
            told = body_colour(frame, *place, tint)
            right[told == word] += 1
            if told != word:
                wrong[word, told, TABLES[table][0]] += 1
    assert right[True] / right.total() >= 0.95, wrong


@settings(max_examples=40, deadline=None)
@given(
    st.integers(1, 40), st.integers(1, 40), st.integers(0, 2**32 - 1), st.floats(-50, 90), st.floats(-50, 90),
    st.floats(0.1, 200), st.floats(0, 90),
)  # fmt: skip
def test_any_place_gets_a_word(
    width: int, height: int, seed: int, x: float, y: float, size: float, angle: float
) -> None:
    """Whatever the pixels and the place, also outside of the frame, there is a word and no error."""
    frame = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    assert body_colour(frame, x, y, size, angle).isalpha()
    for plain in (0, 255):
        assert body_colour(np.full_like(frame, plain), x, y, size, angle) == ("white" if plain else "black")


def test_an_empty_frame_is_neutral() -> None:
    """A frame without pixels has a neutral light."""
    assert frame_tint(np.zeros((0, 5, 3), np.uint8)) == NEUTRAL_LIGHT


@needs_photos
@pytest.mark.parametrize(("source", "step"), [("matteo", 12), ("damian", 2)])
def test_white_dice_in_photographs(source: str, step: int) -> None:
    """The dice of two sources are white, some of them ivory under a warm lamp: 95 % are told so."""
    images = json.loads((PHOTOS / "manifest.json").read_text())["images"]
    share = {"matteo": 0.9, "damian": 0.75}[source]  # die_px there is that much above the edge
    right = Counter[bool]()
    for photo in [one for one in images if one["file"].startswith(source)][::step]:
        frame = open_picture(PHOTOS / photo["file"])
        tint = frame_tint(frame)
        for die in photo["dice"]:
            x0, y0, x1, y1 = die["box"]
            told = body_colour(frame, (x0 + x1) / 2, (y0 + y1) / 2, share * photo["die_px"], 0, tint)
            right[told == "white"] += 1
    assert right[True] / right.total() >= 0.95
