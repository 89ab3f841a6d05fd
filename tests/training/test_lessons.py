"""What the reader learns from: scenes, cuttings, patches and the answers asked for. PyTorch is not needed."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.vision.classifier import Kind
from tabletop.vision.detector import EDGE_PX, STRIDE, peaks
from tabletop.vision.network import CROP_SIDE_PX
from tabletop.vision.network import EDGE_PX as PATCH_EDGE_PX
from tools.training.degradations import KINDS, degraded_picture
from tools.training.lessons.classifier import DIE, NO_DIE, at_place, classifier_patch
from tools.training.lessons.detector import CROP_PX, answered
from tools.training.scene_files import CLOSE, FAR, FIELDS, TIPPED, SceneView, Truths, rendered, scene
from tools.training.variations import cut, turn_of

CELLS = CROP_PX // STRIDE
NOWHERE = np.zeros((0, 3), np.float32)
STRAIGHT = np.zeros(2, np.float32)


def truth(*dice: tuple[float, ...]) -> Truths:
    table = np.zeros((len(dice) + 1, FIELDS), np.float32)
    for row, die in enumerate(dice):
        table[row, : len(die)] = die
    return table


@pytest.mark.parametrize("view", [FAR, CLOSE, TIPPED])
def test_scenes_are_the_same_for_the_same_seed(view: SceneView, tmp_path: Path) -> None:
    """A scene depends on view, seed and number only, and is kept in the folder as it was drawn."""
    one = rendered(tmp_path, view, 5, 2)
    again = rendered(tmp_path, view, 5, 2)
    assert (np.asarray(one.pixels) == np.asarray(again.pixels)).all()
    assert (np.asarray(one.truths) == np.asarray(again.truths)).all()
    assert one.pixels[0].shape == (view.side, view.side, 3)
    drawn = scene(view, 5, 1)
    assert drawn.pixels.shape[0] == view.side * view.fine
    assert not (scene(view, 6, 1).pixels == drawn.pixels).all()
    assert (one.truths[1][:, 2] > 0).sum() == len(drawn.dice)


def test_cuttings_move_the_truth_with_the_pixels() -> None:
    """A bright spot at a point of the picture is where the map says, whatever the turn, zoom and mirror."""
    rng = np.random.default_rng(1)
    picture = np.zeros((144, 144, 3), np.uint8)
    cv2.circle(picture, (66, 80), 2, (255, 255, 255), -1)
    for _ in range(30):
        zoom = float(rng.uniform(0.5, 1.5))
        crop, matrix, shift = cut(picture, (70.0, 75.0), zoom, turn_of(rng), CROP_PX, cv2.BORDER_REPLICATE)
        x, y = matrix @ np.array([66, 80]) + shift
        weight = crop[:, :, 0].astype(float)
        rows, columns = np.mgrid[0:CROP_PX, 0:CROP_PX]
        assert (weight * columns).sum() / weight.sum() == pytest.approx(x, abs=0.6)
        assert (weight * rows).sum() / weight.sum() == pytest.approx(y, abs=0.6)


def test_patches_turn_the_angle_with_the_pixels() -> None:
    """A line along a die's edge has in the patch the angle that the patch's facts say, and its middle the offset."""
    picture = np.full((144, 144, 3), 90, np.uint8)
    step = 60 * np.array([np.cos(np.radians(25)), np.sin(np.radians(25))])  # 25 degrees clockwise
    ends = [tuple(int(value) for value in np.round(72 + sign * step)) for sign in (-1, 1)]
    cv2.line(picture, ends[0], ends[1], (230, 230, 230), 1)
    for seed in range(30):
        table = truth((72, 72, 40, 25, 3, Kind.FLAT))
        pixels, kind, face, facts, placed, _ = classifier_patch(
            picture, table, NOWHERE, np.random.default_rng(seed), STRAIGHT
        )
        if not placed:
            continue
        odd = np.abs(pixels.astype(int) - int(np.median(pixels))).max(axis=2) > 40
        rows, columns = np.nonzero(odd)
        if len(rows) < 30 or odd.mean() > 0.2:
            continue  # drowned in noise
        across = np.linalg.eigh(np.cov(columns, rows))[1][:, 1]
        angle = np.degrees(np.arctan2(across[1], across[0]))
        told = np.degrees(np.arctan2(facts[3], facts[4])) / 4
        assert abs((angle - told + 45) % 90 - 45) < 5
        assert (kind, face) == (Kind.FLAT, 2)
        from_middle = np.array([-across[1], across[0]]) @ (
            np.array([columns.mean(), rows.mean()]) - (CROP_SIDE_PX - 1) / 2
        )
        said = np.array([-across[1], across[0]]) @ (np.array(facts[:2]) * PATCH_EDGE_PX)
        assert from_middle == pytest.approx(said, abs=2.5)


def test_answers_of_a_perfect_detector_are_read_back() -> None:
    """What is asked of the detector, taken as its answer, gives back the dice with place and size."""
    dice = ((40.0, 30.0, 18.0, 20.0, 4.0, 1.0), (70.0, 75.0, 28.0, 70.0, 1.0, 1.0))
    bump, asked, near, facts, whose = answered(truth(*dice), np.ones((CELLS, CELLS), np.float32))
    assert (asked == 1).all()
    assert near.sum() > 5
    assert (whose[7, 10], whose[18, 17], whose[0, 0]) == (0, 1, -1)
    chance = np.clip(bump, 1e-4, 1 - 1e-4)
    found = peaks(np.concatenate([np.log(chance / (1 - chance))[None], facts]).astype(np.float32), 1.0, 1.0)
    assert len(found) == 2
    for x, y, edge, *_ in dice:
        one = min(found, key=lambda seen: abs(seen.x - x) + abs(seen.y - y))
        assert (one.x, one.y, one.size) == pytest.approx((x, y, edge), abs=0.01)
    assert np.log2(28 / EDGE_PX) == pytest.approx(facts[2].max(), abs=1e-5)


def test_nothing_is_asked_where_nothing_can_be_known() -> None:
    """Round a covered die, at a die cut by the border and outside the scene no answer of the detector counts."""
    seen = np.ones((CELLS, CELLS), np.float32)
    seen[:, 20:] = 0
    table = truth((40, 40, 20, 0, 5, Kind.COVERED), (1, 80, 20, 0, 5, 1), (60, 80, 16, 0, 0, Kind.LEANING))
    _, asked, near, _, _ = answered(table, seen)
    assert not asked[:, 20:].any()
    assert not asked[10, 10]
    assert not asked[20, 0]
    assert asked[2, 15]
    assert near[20, 15] == 1


@given(st.floats(0, 0.9), st.floats(0, 360), st.floats(-1.5, 1.5))
def test_a_patch_shows_the_die_that_it_is_centred_on(away: float, direction: float, scale: float) -> None:
    """Near the middle and of about its size it is the die; well beside it, or at half its size, nothing."""
    die = (60.0, 60.0, 30.0, 0.0, 4.0, float(Kind.FLAT))
    x = 60 + away * 30 * np.cos(np.radians(direction))
    y = 60 + away * 30 * np.sin(np.radians(direction))
    kind, seen, asked = at_place(truth(die)[:1], (x, y, 30 * 2**scale), (144, 144))
    if away < DIE - 0.01 and abs(scale) < 0.64:
        assert (kind, asked) == (Kind.FLAT, 1.0)
        assert seen is not None
    if away > NO_DIE + 0.01 or abs(scale) > 0.86:
        assert (kind, seen, asked) == (Kind.NOTHING, None, 1.0)
    if kind == Kind.NOTHING:
        assert seen is None


def test_a_die_cut_by_the_border_is_covered() -> None:
    """A die whose top face the scene cuts counts as covered; one that leans stays leaning; no dice, nothing."""
    extent = (144, 144)
    assert at_place(truth((8, 60, 30, 0, 4, Kind.FLAT))[:1], (8, 60, 30), extent)[0] == Kind.COVERED
    assert at_place(truth((60, 60, 30, 0, 0, Kind.LEANING))[:1], (60, 60, 30), extent)[0] == Kind.LEANING
    assert at_place(np.zeros((0, FIELDS), np.float32), (60, 60, 30), extent) == (Kind.NOTHING, None, 1.0)


@pytest.mark.parametrize("kind", KINDS)
def test_spoiled_photographs_keep_their_labels_on_the_dice(kind: str) -> None:
    """However a picture is made worse, the labelled box still lies round what was drawn there, about as large."""
    picture = np.full((400, 600, 3), 60, np.uint8)
    for x, y in ((150, 100), (450, 300)):
        cv2.rectangle(picture, (x - 30, y - 30), (x + 30, y + 30), (200, 210, 220), -1)
    dice = [{"face": 1, "box": [x - 30.0, y - 30.0, x + 30.0, y + 30.0]} for x, y in ((150, 100), (450, 300))]
    worse, entry = degraded_picture(
        kind, picture, {"file": "a/b.png", "die_px": 60.0, "dice": dice, "width": 600, "height": 400}
    )
    assert (worse.shape[1], worse.shape[0]) == (entry["width"], entry["height"])
    assert not np.array_equal(worse, picture)
    light = cv2.GaussianBlur(worse, (0, 0), 2).mean(axis=2)
    count, _, facts, middles = cv2.connectedComponentsWithStats((light > light.mean() + light.std()).astype(np.uint8))
    assert count == 3
    for index, die in enumerate(sorted(entry["dice"], key=lambda die: die["box"][1]), 1):
        left, top, right, bottom = die["box"]
        assert np.hypot((left + right) / 2 - middles[index][0], (top + bottom) / 2 - middles[index][1]) < 2
        assert np.sqrt(facts[index][cv2.CC_STAT_AREA]) == pytest.approx(right - left, rel=0.15)
    assert entry["die_px"] == pytest.approx(60 if kind != "small" else 30, rel=0.1)
