"""Place the dice of a random scene: spread, touching, packed, or of mixed sizes; never overlapping."""

import math
from dataclasses import dataclass

import numpy as np

from tools.room.chance import chance

TRIES = 12  # to find a free place for one more die
MIXED, UNLIKE = 0.15, 0.2  # shares of scenes with sizes up to 1:2, and of those with a few unlike dice
MOST_GAP = 0.15  # edges between dice in a row
DENSE = 0.12  # share of scenes whose dice are packed


@dataclass(frozen=True, slots=True)
class Spot:
    """A die's place on the ground (pixels from the frame's centre), its edge and its rotation in degrees."""

    x: float
    y: float
    size: float
    turn: float


def spots(width: int, height: int, die_px: float, most: int, rng: np.random.Generator) -> list[Spot]:
    """Return 1 to `most` places that do not overlap, in pixels from the frame's centre; some dice touch."""
    dense = chance(rng, DENSE)
    count = most if dense else int(rng.integers(1, most + 1))
    touching = 0.95 if dense else rng.choice((0.0, 0.15, 0.6))
    mixed = chance(rng, MIXED)
    unlike = 0.2 if chance(rng, UNLIKE) else 0.03
    found: list[Spot] = []
    for _ in range(count):
        size = float(
            die_px * (2 ** rng.uniform(-0.5, 0.5) if mixed else np.exp(np.clip(rng.normal(0, unlike), -0.5, 0.5)))
        )
        for _ in range(TRIES):
            if found and rng.random() < touching:
                spot = _beside(found[int(rng.integers(len(found)))], size, rng)
            else:
                reach = 0.3 if dense else 0.55
                x, y = rng.uniform(-reach, reach) * width, rng.uniform(-reach, reach) * height
                spot = Spot(float(x), float(y), size, float(rng.uniform(0, 360)))
            if not any(overlap(spot, other) for other in found):
                found.append(spot)
                break
    return found


def row(die_px: float, most: int, rng: np.random.Generator) -> list[Spot]:
    """Return two to `most` equal dice in a row, edge to edge, as people line them up; from the frame's centre on."""
    count, turn = int(rng.integers(2, most + 1)), float(rng.uniform(0, 360))
    step = die_px * (1 + float(rng.choice((0.0, 0.02, rng.uniform(0, MOST_GAP)))))
    direction, first = np.radians(turn + 90 * rng.integers(4)), -int(rng.integers(count))
    return [
        Spot(float(n * step * np.cos(direction)), float(n * step * np.sin(direction)), die_px, turn)
        for n in range(first, first + count)
    ]


def _beside(other: Spot, size: float, rng: np.random.Generator) -> Spot:
    """Return a die that touches another one, flush with it or turned."""
    flush = chance(rng, 0.5)
    turn = other.turn if flush else float(rng.uniform(0, 360))
    direction = np.radians(other.turn + 90 * rng.integers(4) + (rng.normal(0, 3) if flush else rng.uniform(-45, 45)))
    away = (other.size + size) * 0.47
    while True:
        x, y = other.x + away * np.cos(direction), other.y + away * np.sin(direction)
        spot = Spot(float(x), float(y), size, turn)
        if not overlap(spot, other):
            return spot
        away += 0.03 * size


def overlap(spot: Spot, other: Spot) -> bool:
    """Return whether two squares overlap by more than a touch.

    Separating axes: two squares are apart if their projections on one of the four directions of their sides are.
    """
    across, down = other.x - spot.x, other.y - spot.y
    between = math.radians((other.turn - spot.turn) % 90)
    width = math.cos(between) + math.sin(between)  # of a turned square of edge 1, along the other's side
    touch = 0.02 * spot.size
    for turn, reach in ((spot.turn, spot.size + other.size * width), (other.turn, other.size + spot.size * width)):
        cosine, sine = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        away = max(abs(across * cosine + down * sine), abs(down * cosine - across * sine))
        if away > reach / 2 - touch:
            return False
    return True
