"""`python -m tools.scoring.setups`: reading accuracy by pixels per die, blur, noise, tilt and light.

Writes the tables of docs/calibration.md: rendered dice of six common looks on felt, five in a picture, each row one
change from a good set-up. Each picture is read as by a calibrated table (size known), and as an unknown photograph.
`--pictures N` for each row (default 40), `--seed N` for other dice, `--only TABLE` for one.
"""

import argparse
import sys
from collections import Counter
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.core.values import Reading
from tabletop.simulator.render import compose
from tabletop.simulator.scene import Light, Look, PosedDie, Viewpoint, lying, top_centre
from tabletop.vision.reader import read
from tools.room.chance import felt

WIDTH_MM, HEIGHT_MM = 220.0, 165.0  # of the tray in view
DIE_MM = 16.0
CAMERA_MM = 400.0
NEAR_EDGES = 0.5  # a reading this near to a die is that die
FELTS = ((52, 96, 44), (96, 52, 40), (40, 40, 120), (70, 70, 70))  # BGR: green, blue, red, grey
LOOKS = (
    Look(),
    Look(body=(40, 36, 180), pip=(240, 240, 240), gloss=0.8),
    Look(body=(22, 22, 24), pip=(235, 235, 235)),
    Look(body=(150, 70, 30), pip=(240, 240, 240), gloss=0.8),
    Look(body=(60, 130, 40), pip=(240, 240, 240), edge_radius=0.16),
    Look(body=(232, 240, 242), pip=(24, 22, 20), ball_radius=0.72, gloss=0.7),
)


@dataclass(frozen=True)
class SetUp:
    """The conditions of a picture. light: brightness relative to the right one."""

    die_px: float = 48.0
    blur_px: float = 0.6
    noise: float = 3.0
    tilt_deg: float = 0.0
    light: float = 1.0


TABLES: dict[str, list[tuple[str, SetUp]]] = {
    "pixels per die": [(f"{px:g}", SetUp(die_px=px)) for px in (8, 10, 12, 14, 18, 25, 40, 80)],
    "blur, pixels": [(f"{px:g}", SetUp(blur_px=px)) for px in (0.6, 2, 4, 5, 6, 8)],
    "noise, grey levels": [(f"{level:g}", SetUp(noise=level)) for level in (0, 10, 20, 30, 45, 60)],
    "tilt, degrees": [(f"{deg:g}", SetUp(tilt_deg=deg)) for deg in (0, 15, 25, 35, 45, 55)],
    "light, share of good": [(f"{share:g}", SetUp(light=share)) for share in (0.02, 0.04, 0.08, 0.3, 1, 2, 4, 6)],
}


def picture_of(setup: SetUp, rng: np.random.Generator) -> tuple[NDArray[np.uint8], list[tuple[float, float, int]]]:
    """Return a picture of five dice, and each die's top (x, y) and face."""
    scale = setup.die_px / DIE_MM
    wide, high = round(WIDTH_MM * scale), round(HEIGHT_MM * scale)
    ground = felt(high, wide, FELTS[int(rng.integers(len(FELTS)))], rng)
    camera = Viewpoint(setup.tilt_deg, float(rng.uniform(-20, 20)), CAMERA_MM * scale, wide / 2, high / 2)
    light = Light(azimuth_deg=float(rng.uniform(0, 360)), elevation_deg=float(rng.uniform(45, 75)))
    cells = [(column, row) for column in range(4) for row in range(3)]
    look = LOOKS[int(rng.integers(len(LOOKS)))]
    dice, truth = list[PosedDie](), list[tuple[float, float, int]]()
    for at in rng.permutation(len(cells))[:5]:
        column, row = cells[int(at)]
        x = (0.14 + 0.24 * column + rng.uniform(-0.04, 0.04)) * wide
        y = (0.18 + 0.32 * row + rng.uniform(-0.05, 0.05)) * high
        face = int(rng.integers(1, 7))
        die = PosedDie(float(x), float(y), setup.die_px, lying(face, float(rng.uniform(0, 90)), look), look)
        dice.append(die)
        top_x, top_y = top_centre(die, camera)
        truth.append((float(top_x), float(top_y), face))
    picture = compose(ground, dice, light, camera).astype(np.float32) * setup.light
    picture = cv2.GaussianBlur(picture, (0, 0), setup.blur_px) + rng.normal(0, setup.noise, picture.shape)
    return np.asarray(np.clip(picture, 0, 255), np.uint8), truth


def counted(reading: Reading, truth: list[tuple[float, float, int]], die_px: float) -> Counter[str]:
    """Return how many dice were right, unsure (or not seen), and silently wrong (including false dice)."""
    outcome = Counter[str]()
    left = list(reading.dice)
    for x, y, face in truth:
        near = min(left, key=lambda die: np.hypot(die.x - x, die.y - y), default=None)
        if near is None or np.hypot(near.x - x, near.y - y) > NEAR_EDGES * die_px:
            outcome["unsure"] += 1
            continue
        left.remove(near)
        outcome["right" if near.face == face else "wrong"] += 1
    outcome["wrong"] += len(left)
    return outcome


def row_of(name: str, setup: SetUp, pictures: int, seed: int) -> str:
    """Return a line of a table."""
    known, blind = Counter[str](), Counter[str]()
    rng = np.random.default_rng(seed)
    for _ in range(pictures):
        picture, truth = picture_of(setup, rng)
        known += counted(read(picture, die_px=setup.die_px, fixed_size=True), truth, setup.die_px)
        blind += counted(read(picture), truth, setup.die_px)
    dice = 5 * pictures
    shares = [f"{100 * each[what] / dice:.1f}" for each in (known, blind) for what in ("right", "unsure", "wrong")]
    return f"| {name} | {' | '.join(shares)} |"


def main() -> None:
    """Write all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=int, default=40)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--only", choices=TABLES, help="one of the tables")
    options = parser.parse_args()
    for title, rows in TABLES.items():
        if options.only not in (None, title):
            continue
        head = "right | unsure | wrong"
        sys.stdout.write(f"\n| {title} | {head} | {head} without profile |\n|---|---|---|---|---|---|---|\n")
        for name, setup in rows:
            sys.stdout.write(row_of(name, replace(setup), options.pictures, options.seed) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
