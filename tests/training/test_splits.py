"""Which photographs are left out of training."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tools.training.real.splits import BLACK, PURPLE, RED, TAN, kept_apart, tray_colour

COLOURS = {BLACK: (38, 38, 42), RED: (40, 25, 190), PURPLE: (150, 70, 110), TAN: (60, 110, 160)}  # BGR
ENTRY: dict[str, Any] = {"file": "trays/a.png", "dice": [{"box": [100, 100, 140, 140]}, {"box": [200, 120, 240, 160]}]}


@pytest.mark.parametrize("colour", COLOURS)
def test_a_tray_is_known_by_its_colour(colour: int, tmp_path: Path) -> None:
    """Neither the dice nor what lies round the tray counts, and every second photograph is left out by colour."""
    picture = np.full((300, 300, 3), (90, 140, 130), np.uint8)
    cv2.circle(picture, (170, 130), 130, COLOURS[colour], -1)
    for die in ENTRY["dice"]:
        left, top, right, bottom = die["box"]
        cv2.rectangle(picture, (left, top), (right, bottom), (40, 220, 220), -1)
    assert tray_colour(picture, ENTRY) == colour
    (tmp_path / "trays").mkdir()
    cv2.imwrite(str(tmp_path / "trays" / "a.png"), picture)
    assert kept_apart(tmp_path, ENTRY, 1, 2) == (colour in {BLACK, PURPLE})
    assert not kept_apart(tmp_path, ENTRY, 1, 0)


def test_the_others_are_left_out_by_number(tmp_path: Path) -> None:
    """Close-ups are left out in runs of 50, photographs of other sources every second."""
    scopes = [kept_apart(tmp_path, {"file": f"scope/scope_{name}.jpg"}, 0, 2) for name in ("001", "049", "050", "100")]
    assert scopes == [True, True, False, True]
    assert [kept_apart(tmp_path, {"file": "nell/x.jpg"}, number, 2) for number in (4, 5)] == [True, False]
