"""Random scenes: one frame with its truth, of all kinds that the eye must stand.

The dice of a scene lie on one ground seen by one leaning camera, alone, spread or touching, among things that are no
dice, and a camera's faults lie over it all.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.simulator.still import compose
from tabletop.simulator.still_grounds import GROUNDS, happens
from tabletop.simulator.still_look import (
    Camera,
    Light,
    Look,
    PosedDie,
    as_rotation,
    face_up,
    from_quaternion,
    lean_deg,
    lying,
    top_centre,
    turn_about,
)
from tabletop.simulator.still_looks import BLACKS, COLOURS, WHITES, random_look
from tabletop.simulator.still_things import add_edge, add_hand, add_thing
from tabletop.simulator.still_wear import wear

LEANS_DEG = 14.0  # a die that leans more shows no face that anybody would score
HIDDEN_SHARE = 0.25  # of the top face under a hand: nobody needs to read that
TRIES = 12  # to find a free place for one more die
GROUND_KINDS = (0.3, 0.35, 0.35)  # shares of grey, coloured and odd grounds
TUMBLING, LEANING = 0.03, 0.1  # shares of dice in the air or on an edge, and of those that lean a little


@dataclass(frozen=True, slots=True)
class Truth:
    """One die of a scene.

    x, y: the middle of its top face in pixels. size: its edge in pixels. angle: degrees clockwise, 0 to 90. face: 1 to
    6, or 0 where no face can be told (it leans, or carries an emblem). hidden: partly covered.
    """

    x: float
    y: float
    size: float
    angle: float
    face: int
    hidden: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A frame, (H, W, 3) uint8 BGR, and the dice in it."""

    pixels: NDArray[np.uint8]
    dice: tuple[Truth, ...]


@dataclass(frozen=True, slots=True)
class _Spot:
    """A die's place on the ground (pixels from the frame's middle), its edge and its turn in degrees."""

    x: float
    y: float
    size: float
    turn: float

    def corners(self) -> NDArray[np.float32]:
        box = ((self.x, self.y), (self.size, self.size), self.turn)
        return np.asarray(cv2.boxPoints(box), np.float32)


def random_scene(rng: np.random.Generator, *, width: int, height: int, die_px: float, most: int = 8) -> Scene:
    """Return a scene of up to `most` dice of about `die_px` pixels."""
    camera = _camera(width, height, die_px, rng)
    light = _light(rng)
    ground = _ground(width, height, die_px, rng)
    for _ in range(int(rng.choice((0, 0, 0, 1, 1, 2, 4)))):
        add_thing(ground, die_px, rng)
    if happens(rng, 0.15):
        add_edge(ground, rng)
    spots = _spots(width, height, die_px, most, rng)
    one_kind = random_look(rng) if happens(rng, 0.6) else None
    dice = [_posed(spot, one_kind or random_look(rng), camera, width, height, rng) for spot in spots]
    blanks = [PosedDie(die.x, die.y, die.size_px, die.rotation, _no_die(rng)) for die in dice[:1] if happens(rng, 0.06)]
    frame = compose(ground, blanks + dice[len(blanks) :], light, camera)
    covered = np.zeros((height, width), bool)
    if happens(rng, 0.1):
        covered = add_hand(frame, die_px, rng)
    truths = tuple(_truth(die, camera, covered) for die in dice[len(blanks) :])
    return Scene(wear(frame, die_px, rng), truths)


def _truth(die: PosedDie, camera: Camera, covered: NDArray[np.bool_]) -> Truth:
    x, y = top_centre(die, camera)
    face = face_up(die)
    emblem = die.look.emblem and die.look.emblem_face == face
    up = die.rotation[2]
    axis = max(range(3), key=lambda i: abs(up[i]))
    side = np.array([row[(axis + 1) % 3] for row in die.rotation], np.float32)
    seen = camera.turn() @ side
    angle = float(np.degrees(np.arctan2(seen[1], seen[0])) % 90)
    reach = max(1, round(die.size_px * 0.4))
    left, top = max(0, round(x) - reach), max(0, round(y) - reach)
    patch = covered[top : max(0, round(y) + reach), left : max(0, round(x) + reach)]
    hidden = bool(patch.size and patch.mean() > HIDDEN_SHARE)
    return Truth(x, y, die.size_px, angle, 0 if emblem or lean_deg(die) > LEANS_DEG else face, hidden)


def _camera(width: int, height: int, die_px: float, rng: np.random.Generator) -> Camera:
    tilt = abs(rng.normal(0, 6)) if happens(rng, 0.5) else rng.uniform(5, 46)
    distance = die_px * rng.uniform(9, 45)
    away = rng.normal(0, 0.15, 2) * distance
    return Camera(
        tilt_deg=float(tilt),
        tilt_azimuth_deg=float(rng.uniform(0, 360)),
        distance_px=float(distance),
        x=float(width / 2 + away[0]),
        y=float(height / 2 + away[1]),
    )


def _light(rng: np.random.Generator) -> Light:
    lamp = float(rng.uniform(0.05, 0.85))
    hard = happens(rng, 0.3)
    tint = rng.uniform(0.8, 1.1, 3) if happens(rng, 0.5) else np.ones(3)
    return Light(
        azimuth_deg=float(rng.uniform(0, 360)),
        elevation_deg=float(rng.uniform(18, 88)),
        lamp=lamp,
        ambient=float(1.05 - lamp * rng.uniform(0.7, 1)),
        softness=float(rng.uniform(0.01, 0.06) if hard else rng.uniform(0.05, 0.5)),
        tint=(float(tint[0]), float(tint[1]), float(tint[2])),
        window=float(rng.uniform(0, 1.6)) if happens(rng, 0.6) else 0.0,
        window_azimuth_deg=float(rng.uniform(0, 360)),
        window_elevation_deg=float(rng.uniform(40, 90)),
        window_wide=float(rng.uniform(0.03, 0.5)),
        window_high=float(rng.uniform(0.03, 0.4)),
    )


def _ground(width: int, height: int, die_px: float, rng: np.random.Generator) -> NDArray[np.uint8]:
    shades = (WHITES + BLACKS, COLOURS, ())[int(rng.choice(3, p=GROUND_KINDS))]
    if shades:
        base = np.asarray(shades[int(rng.integers(len(shades)))]) + rng.normal(0, 15, 3)
    else:
        base = rng.integers(10, 245, 3).astype(np.float64)
    blue, green, red = (int(value) for value in np.clip(base, 5, 250))
    names = list(GROUNDS)
    weights = np.array([0.2 if name in ("plain", "paper", "felt") else 0.08 for name in names])
    weights[names.index("dots")] = 0.03
    name = names[int(rng.choice(len(names), p=weights / weights.sum()))]
    return GROUNDS[name](height, width, (blue, green, red), rng, die_px)


def _spots(width: int, height: int, die_px: float, most: int, rng: np.random.Generator) -> list[_Spot]:
    """Return places that do not overlap; some dice touch, some sets are of mixed sizes."""
    count = 0 if happens(rng, 0.1) else int(rng.integers(1, most + 1))
    touching = rng.choice((0.0, 0.15, 0.6))
    mixed = 0.25 if happens(rng, 0.25) else 0.04
    spots: list[_Spot] = []
    for _ in range(count):
        size = float(die_px * np.exp(rng.normal(0, mixed)))
        for _ in range(TRIES):
            if spots and rng.random() < touching:
                spot = _beside(spots[int(rng.integers(len(spots)))], size, rng)
            else:
                x, y = rng.uniform(-0.55, 0.55) * width, rng.uniform(-0.55, 0.55) * height
                spot = _Spot(float(x), float(y), size, float(rng.uniform(0, 360)))
            if not any(_overlap(spot, other) for other in spots):
                spots.append(spot)
                break
    return spots


def _beside(other: _Spot, size: float, rng: np.random.Generator) -> _Spot:
    """Return a die that touches another one, flush with it or turned."""
    flush = happens(rng, 0.5)
    turn = other.turn if flush else float(rng.uniform(0, 360))
    direction = np.radians(other.turn + 90 * rng.integers(4) + (rng.normal(0, 3) if flush else rng.uniform(-45, 45)))
    away = (other.size + size) * 0.47
    while True:
        x, y = other.x + away * np.cos(direction), other.y + away * np.sin(direction)
        spot = _Spot(float(x), float(y), size, turn)
        if not _overlap(spot, other):
            return spot
        away += 0.03 * size


def _overlap(one: _Spot, other: _Spot) -> bool:
    """Return whether two squares overlap by more than a touch (separating axes)."""
    if np.hypot(one.x - other.x, one.y - other.y) > 0.72 * (one.size + other.size):
        return False
    corners = one.corners(), other.corners()
    for box in corners:
        for i in (0, 1):
            axis = box[i + 1] - box[i]
            axis = axis / np.linalg.norm(axis)
            first, second = corners[0] @ axis, corners[1] @ axis
            gap = max(first.min() - second.max(), second.min() - first.max())
            if gap > -0.02 * one.size:
                return False
    return True


def _posed(spot: _Spot, look: Look, camera: Camera, width: int, height: int, rng: np.random.Generator) -> PosedDie:
    face = int(rng.integers(1, 7))
    rotation = lying(face, spot.turn, look)
    lift = 0.0
    kind = rng.random()
    if kind < TUMBLING:  # tumbling, or standing on an edge
        first, second, third, fourth = (float(value) for value in rng.normal(size=4))
        rotation = from_quaternion(first, second, third, fourth)
        lift = float(rng.uniform(0, 1) * spot.size) if happens(rng, 0.5) else 0.0
    elif kind < LEANING:  # leans a little against something
        axis = rng.uniform(0, 2 * np.pi)
        lean = turn_about((float(np.cos(axis)), float(np.sin(axis)), 0.0), float(rng.uniform(1, 9)))
        rotation = as_rotation(lean @ np.asarray(rotation, np.float32))
    seen = camera.turn() @ np.array([spot.x, spot.y, 0], np.float32)
    return PosedDie(width / 2 + float(seen[0]), height / 2 + float(seen[1]), spot.size, rotation, look, lift)


def _no_die(rng: np.random.Generator) -> Look:
    """Return a cube without pips: a block, an eraser, a sugar lump, or a letter cube."""
    look = random_look(rng)
    return Look(body=look.body, edge_radius=look.edge_radius, gloss=look.gloss, bulge=look.bulge, blank=True)
