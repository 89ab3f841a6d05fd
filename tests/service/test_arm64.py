"""On a Raspberry Pi's processor, emulated: the locked wheels load, referee and reader say what they say here."""

import json
import os
import platform
from pathlib import Path

import arm64_guest
import numpy as np
import pytest
from emulated_arm64 import ROOT, emulated, locked, set_up, why_not

from tabletop.rules import game_ids
from tabletop.simulator.render import compose
from tabletop.simulator.scene import Light, Look, PosedDie, Viewpoint, face_up, lying
from tools.room.chance import felt
from tools.room.random_look import random_look

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("_emulator")]
GUEST = ROOT / "tests" / "support" / "arm64_guest.py"
FRAMES, DICE, DIE_PX = 10, 4, 60.0
NEAR = 1e-3  # of a pixel, of a chance: what the order of additions may change


@pytest.fixture(scope="module")
def _emulator() -> None:
    if why_not() and "CI" not in os.environ:  # there it can be emulated, or the test fails
        pytest.skip(why_not())
    set_up()


def test_every_locked_package_has_a_wheel_that_loads() -> None:
    """Under Debian 12's own Python for arm64."""
    found = json.loads(emulated(GUEST, "imports"))
    assert found["machine"] == "aarch64"
    assert found["python"].startswith("3.11.")
    assert locked().count("==") == (ROOT / "requirements.lock").read_text().count("==")


def test_the_referee_says_what_the_rule_texts_say() -> None:
    """Every worked example of every game."""
    found = json.loads(emulated(GUEST, "examples", ROOT / "tests" / "scripts"))
    assert found["wrong"] == []
    assert sorted(found["held"]) == sorted(game_ids())
    assert min(found["held"].values()) >= 3


def test_ten_frames_are_read_as_here(tmp_path: Path) -> None:
    """The same faces, the same doubts, the same places: of five frames of white dice and five of dice of all kinds."""
    frames, faces = zip(*(_frame(number) for number in range(FRAMES)), strict=True)
    np.save(tmp_path / "frames.npy", np.stack(frames))
    here = arm64_guest.readings(str(tmp_path / "frames.npy"))
    there = json.loads(emulated(GUEST, "readings", tmp_path / "frames.npy"))
    assert platform.machine() != "aarch64"  # else nothing is compared
    for reading, truth in zip(there[: FRAMES // 2], faces, strict=False):
        assert sorted(die["face"] for die in reading["dice"]) == truth
    assert there == _rounded(json.loads(json.dumps(here, default=str)))


def _frame(number: int) -> tuple[np.ndarray, list[int]]:
    rng = np.random.default_rng(number)
    look = Look() if number < FRAMES // 2 else random_look(rng)
    dice = []
    for place in range(DICE):
        x, y = ((place % 2 + 0.5) * 120 + rng.uniform(-15, 15), (place // 2 + 0.5) * 120 + rng.uniform(-15, 15))
        dice.append(PosedDie(x, y, DIE_PX, lying(int(rng.integers(1, 7)), rng.uniform(0, 360), look), look))
    ground = felt(240, 240, (60, 95, 45), rng)
    frame = compose(ground, dice, Light(azimuth_deg=rng.uniform(0, 360)), Viewpoint(distance_px=14 * DIE_PX))
    return frame, sorted(map(face_up, dice))


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return pytest.approx(value, abs=NEAR)
    if isinstance(value, dict):
        return {name: _rounded(one) for name, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, list) else value
