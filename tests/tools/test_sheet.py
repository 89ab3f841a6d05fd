"""The sheet of what the reader misses: crops with the die in the middle, the worst group first."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from tools.bench.pictures import still
from tools.bench.sheet import CROP_PX, OUTSIDE, Exhibit, contact_sheet, crop, main


@pytest.mark.parametrize("size_px", [10.0, 40.0, 300.0, 5000.0])
def test_crops_show_the_die_in_the_middle(size_px: float) -> None:
    """Whatever its size, a die fills the middle half of its crop; beyond the frame's border it is grey."""
    frame = np.zeros((400, 600, 3), np.uint8)
    first, last = ((round(300 + s * size_px / 2), round(200 + s * size_px / 2)) for s in (-1, 1))
    cv2.rectangle(frame, first, last, (0, 0, 255), -1)
    cut = crop(frame, 300.0, 200.0, size_px)
    middle = slice(round(0.3 * CROP_PX), round(0.7 * CROP_PX))
    if size_px <= 300:
        assert (cut[middle, middle, 2] > 200).all()
        assert cut[: CROP_PX // 6, :, 2].max() < 160
    assert (crop(frame, -900, 50, 40) == OUTSIDE).all()
    assert (crop(frame, 0, 200, 40)[:, : CROP_PX // 2 - 3] == OUTSIDE).all()


def test_sheet_has_the_groups_in_order() -> None:
    """All crops are there, whole, the more important group above."""
    blue, red = (Exhibit(np.full((CROP_PX, CROP_PX, 3), colour, np.uint8), ("is 4", "\udcff\n"))
                 for colour in ((200, 20, 10), (10, 20, 200)))  # fmt: skip
    sheet = contact_sheet({"unsure": [red] * 20, "silent": [blue]}, "21 photographs")
    rows = {}
    for name, exhibit, count in (("silent", blue, 1), ("unsure", red, 20)):
        place = np.nonzero((sheet == exhibit.picture[0, 0]).all(axis=2))
        assert len(place[0]) == count * CROP_PX**2
        rows[name] = place[0]
    assert rows["silent"].max() < rows["unsure"].min()


def test_a_wrong_label_is_on_the_sheet(tmp_path: Path) -> None:
    """A die whose label says another face is shown, one that is read right is not."""
    picture = still(640, 480, 60.0, 2)
    Image.fromarray(picture.open()[:, :, ::-1]).save(tmp_path / "a.png")
    heights = []
    for shift in (0, 1):
        dice = [
            {"face": (label.face - 1 + shift) % 6 + 1, "box": [label.x - 30, label.y - 30, label.x + 30, label.y + 30]}
            for label in picture.truth.labels
        ]
        manifest = {"images": [{"file": "a.png", "die_px": 60, "dice": dice}]}
        (tmp_path / "manifest.json").write_text(json.dumps(manifest))
        assert main([str(tmp_path), str(tmp_path / "sheet.png")]) == 0
        with Image.open(tmp_path / "sheet.png") as sheet:
            heights.append(sheet.height)
    assert heights[0] < CROP_PX < heights[1]
