"""The room around a simulated tray: dice, cloth, light, camera quality; default or random."""

from dataclasses import astuple, dataclass, field
from random import Random

import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.grounds import FELT, GRAIN, RAIL_FELT, WOOD, paint_ground
from tabletop.simulator.scene import Bgr, Light, Look, Viewpoint
from tabletop.simulator.tray import HEIGHT_PX, LAYOUT, WIDTH_PX
from tabletop.simulator.tray_picture import CAMERA_PX
from tools.room.random_look import random_look
from tools.room.studio_light import StudioLight

# Cloth of trays that are sold: greens, wine, blues, black, grey, tan leather; BGR.
CLOTHS: tuple[Bgr, ...] = (
    (52, 96, 44), (60, 120, 40), (45, 30, 110), (120, 60, 30), (90, 40, 30), (38, 36, 36), (110, 110, 108),
    (70, 110, 160),
)  # fmt: skip
WOODS: tuple[Bgr, ...] = ((52, 84, 122), (35, 50, 75), (120, 160, 190), (30, 30, 32))
LEAST_CONTRAST = 90.0  # byte values between pips and body: dice that are meant to be read
FAINT = 60.0  # byte values between a body and its veins: they must not be taken for pips
TABLE_DICE = 60  # how many looks are drawn before plain ivory is taken
NEAR_PX = 530.0  # a camera that sees 62 degrees, as the Camera Module 2, over a tray that fills its 640 px
APART = 60.0  # byte values between dice and cloth, since people do not throw green dice on green felt


@dataclass(frozen=True, slots=True)
class Cloth:
    """The lining of the tray: colours of felt, rail and wood in BGR; grain: how uneven its weave is."""

    felt: Bgr = FELT
    rail: Bgr = RAIL_FELT
    wood: Bgr = WOOD
    grain: float = GRAIN


@dataclass(frozen=True, slots=True)
class Room:
    """The constants of a simulated evening.

    looks: of the dice in turn. noise: of the sensor, in grey levels. shutter_s: exposure time, for motion blur. pump:
    how much the exposure follows the picture's content, 0 to 1; drift: share by which it varies. drop: share of frames
    that never arrive; late: share with late time stamps. camera_px: height of the camera above the felt; aside_px: its
    distance from the centre of the tray, downwards in the frame.
    """

    looks: tuple[Look, ...] = (Look(),)
    cloth: Cloth = field(default_factory=Cloth)
    light: Light = field(default_factory=Light)
    noise: float = 1.5
    shutter_s: float = 1 / 60
    pump: float = 0.0
    drift: float = 0.0
    drop: float = 0.0
    late: float = 0.0
    camera_px: float = CAMERA_PX
    aside_px: float = 0.0

    def ground(self) -> NDArray[np.uint8]:
        """Return the empty tray, (HEIGHT_PX, WIDTH_PX, 3) BGR."""
        return paint_ground(LAYOUT, *astuple(self.cloth))

    def viewpoint(self) -> Viewpoint:
        """Return the camera's position."""
        return Viewpoint(distance_px=self.camera_px, x=WIDTH_PX / 2, y=HEIGHT_PX / 2 + self.aside_px)


def any_room(chance: Random) -> Room:
    """Return a random room: dice, cloth and light of all common kinds, a near or far webcam with faults."""
    rng = np.random.default_rng(chance.getrandbits(32))
    felt = _near(chance.choice(CLOTHS), 8, chance)
    cloth = Cloth(felt, _near(felt, 14, chance), _near(chance.choice(WOODS), 8, chance), chance.uniform(0.04, 0.16))
    light = StudioLight(
        azimuth_deg=chance.uniform(0, 360),
        elevation_deg=chance.uniform(40, 75),
        lamp=chance.uniform(0.35, 0.65),
        ambient=chance.uniform(0.4, 0.6),
        softness=chance.uniform(0.04, 0.3),
        tint=(chance.uniform(0.85, 1.05), 1.0, chance.uniform(0.95, 1.12)),
        window=chance.uniform(0.0, 0.7),
        window_azimuth_deg=chance.uniform(0, 360),
        second=chance.choice((0.0, chance.uniform(0.1, 0.3))),
        second_azimuth_deg=chance.uniform(0, 360),
    )
    alike = chance.random() < 0.7  # noqa: PLR2004 - share of sets of one kind
    looks = tuple(_table_die(felt, rng) for _ in range(1 if alike else 3))
    return Room(
        looks,
        cloth,
        light,
        noise=chance.uniform(0.5, 3.0),
        shutter_s=chance.uniform(1 / 200, 1 / 35),
        pump=chance.choice((0.0, chance.uniform(0.2, 0.8))),
        drift=chance.choice((0.0, chance.uniform(0.02, 0.08))),
        drop=chance.choice((0.0, 0.03, 0.1)),
        late=chance.choice((0.0, 0.1, 0.3)),
        camera_px=float(np.exp(rng.uniform(*np.log((NEAR_PX, CAMERA_PX))))),  # near ones as often as far ones
    )


def _table_die(felt: Bgr, rng: np.random.Generator) -> Look:
    """Return a die that people would play with: its pips stand out from it, and it from the cloth."""
    for _ in range(TABLE_DICE):
        look = random_look(rng)
        plain = not look.emblem and not look.metal and not look.pip_metal and look.worn < 0.4 and look.clear < 0.8  # noqa: PLR2004
        plain = plain and (look.marble is None or float(np.linalg.norm(np.subtract(look.body, look.marble))) < FAINT)
        apart = float(np.linalg.norm(np.subtract(look.body, look.pip)))
        if plain and apart > LEAST_CONTRAST and float(np.linalg.norm(np.subtract(look.body, felt))) > APART:
            return look
    return Look()


def _near(colour: Bgr, spread: int, chance: Random) -> Bgr:
    blue, green, red = (min(max(value + chance.randint(-spread, spread), 4), 250) for value in colour)
    return blue, green, red
