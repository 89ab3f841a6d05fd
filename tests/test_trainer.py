"""What the eye is trained on: tiles, their variations, and the answers asked of the network. PyTorch is not needed."""

from pathlib import Path

import numpy as np
import pytest

from tabletop.trainer.lesson import lesson
from tabletop.trainer.tiles import CROP_PX, MOST_DICE, TILE_PX, rendered, tile, varied
from tabletop.vision.cells import NOMINAL_PX, STRIDE, peaks

CELLS = CROP_PX // STRIDE


def truth(*dice: tuple[float, float, float, float, float, float]) -> np.ndarray:
    """Return a tile's truth table of these dice: x, y, size, angle, face, hidden."""
    table = np.zeros((MOST_DICE, 6), np.float32)
    table[: len(dice)] = dice
    return table


def test_tiles_are_the_same_for_the_same_seed(tmp_path: Path) -> None:
    """A tile depends on seed and number only, and is kept in the folder as it was drawn."""
    one = rendered(tmp_path, 5, 3)
    again = rendered(tmp_path, 5, 3)
    assert (np.asarray(one.pixels) == np.asarray(again.pixels)).all()
    assert (one.truth == again.truth).all()
    assert (tile(5, 2).pixels == one.pixels[2]).all()
    assert not (tile(6, 2).pixels == one.pixels[2]).all()


def test_variations_move_the_truth_with_the_pixels() -> None:
    """A bright spot at a die's place is where the varied truth says, whatever the turn, zoom and mirror."""
    for seed in range(30):
        tile_pixels = np.full((TILE_PX, TILE_PX, 3), 100, np.uint8)
        x, y = 66, 80
        tile_pixels[y - 1 : y + 2, x - 1 : x + 2] = 240
        crop, moved, seen = varied(tile_pixels, truth((x, y, 40, 10, 3, 0)), np.random.default_rng(seed))
        assert crop.shape == (CROP_PX, CROP_PX, 3)
        assert seen.shape == (CELLS, CELLS)
        odd = np.abs(crop.astype(int) - int(np.median(crop))).max(axis=2).astype(float)
        rows, columns = np.mgrid[0:CROP_PX, 0:CROP_PX]
        place = (odd * columns).sum() / odd.sum(), (odd * rows).sum() / odd.sum()
        assert np.hypot(place[0] - moved[0, 0], place[1] - moved[0, 1]) < 1.5
        assert moved[0, 4] == 3


def test_variations_turn_the_angle_with_the_pixels() -> None:
    """A line along a die's edge has, after the variation, the angle that the varied truth says."""
    for seed in range(20):
        tile_pixels = np.full((TILE_PX, TILE_PX, 3), 90, np.uint8)
        for step in np.linspace(-30, 30, 200):  # a line at 25 degrees clockwise
            x, y = 72 + step * np.cos(np.radians(25)), 72 + step * np.sin(np.radians(25))
            tile_pixels[round(y), round(x)] = 230
        crop, moved, _ = varied(tile_pixels, truth((72, 72, 40, 25, 3, 0)), np.random.default_rng(seed))
        odd = np.abs(crop.astype(int) - int(np.median(crop))).max(axis=2) > 25
        rows, columns = np.nonzero(odd)
        spread = np.cov(columns, rows)
        across = np.linalg.eigh(spread)[1][:, 1]
        angle = np.degrees(np.arctan2(across[1], across[0]))
        assert abs((angle - moved[0, 3] + 45) % 90 - 45) < 4


def test_answers_of_a_perfect_network_are_read_back() -> None:
    """What is asked of the network, taken as its answer, gives back the dice with place, size, angle and face."""
    dice = ((40.0, 30.0, 36.0, 20.0, 4.0, 0.0), (80.0, 85.0, 50.0, 70.0, 1.0, 0.0))
    bump, asked, near, face, size, angle = lesson(truth(*dice), np.ones((CELLS, CELLS), bool))
    assert (asked == 1).all()
    assert near.sum() > 10
    chance = np.clip(bump, 1e-4, 1 - 1e-4)
    cells = np.concatenate([np.log(chance / (1 - chance))[None], np.log(face), size[None], angle]).astype(np.float32)
    found = peaks(cells, 1.0, 1.0)
    assert len(found) == 2
    for x, y, edge, degrees, value, _ in dice:
        one = min(found, key=lambda seen: abs(seen.x - x) + abs(seen.y - y))
        assert np.hypot(one.x - x, one.y - y) < 2
        assert one.size == pytest.approx(edge, rel=0.01)
        assert one.angle == pytest.approx(degrees, abs=0.5)
        assert one.face == value
    assert np.log2(50 / NOMINAL_PX) == pytest.approx(size.max(), abs=1e-5)


def test_nothing_is_asked_where_nothing_can_be_known() -> None:
    """Round a hidden die, at a die cut by the border and outside the tile no answer counts; odd faces ask no face."""
    seen = np.ones((CELLS, CELLS), bool)
    seen[:, 20:] = False
    table = truth((40, 40, 40, 0, 5, 1), (2, 90, 40, 0, 5, 0), (60, 90, 30, 0, 0, 0))
    _, asked, near, face, _, _ = lesson(table, seen)
    assert not asked[:, 20:].any()
    assert not asked[10, 10]
    assert not asked[22, 0]
    assert asked[2, 15]
    assert near[22, 14] == 1
    assert face[:, 22, 14] == pytest.approx([1 / 6] * 6)
