"""What the trainer takes from labelled photographs, whose boxes do not say where in them the top faces lie."""

import json
from pathlib import Path

import cv2
import numpy as np

from tabletop.simulator.still import Camera, Light, Look, PosedDie, compose, lying, top_centre
from tabletop.simulator.still_grounds import felt
from tabletop.trainer.photographs import photographs
from tabletop.vision.judge import shipped

WIDTH, HEIGHT, DIE_PX = 640, 480, 60.0


def test_places_are_those_of_the_top_faces_and_not_of_the_boxes(tmp_path: Path) -> None:
    """Under a steep camera a box holds the top face and a side face; what is learnt from is the top one's middle."""
    camera = Camera(tilt_deg=40, tilt_azimuth_deg=90, distance_px=1500, x=WIDTH / 2, y=HEIGHT / 2)
    ground = felt(HEIGHT, WIDTH, (60, 95, 45), np.random.default_rng(1))
    look = Look()
    dice = [
        PosedDie(110.0 + 140 * (number % 4), 150.0 + 170 * (number // 4), DIE_PX, lying(face, 20 * number, look), look)
        for number, face in enumerate((1, 2, 3, 4, 5, 6, 5, 4))
    ]
    picture = compose(ground, dice, Light(), camera)
    boxes = []
    for die in dice:  # of what differs from the ground with only that die on it; its shadow is dark
        alone = compose(ground, [die], Light(), camera).astype(int)
        rows, columns = np.nonzero((alone - ground > 40).any(axis=2))
        boxes.append([float(columns.min()), float(rows.min()), float(columns.max()), float(rows.max())])
    (tmp_path / "nell").mkdir()
    cv2.imwrite(str(tmp_path / "nell" / "one.png"), picture)
    labels = [{"face": face, "box": box} for face, box in zip((1, 2, 3, 4, 5, 6, 5, 4), boxes, strict=True)]
    edges = [max(right - left, low - high) for left, high, right, low in boxes]
    entry = {"file": "nell/one.png", "die_px": float(np.median(edges)), "dice": labels}
    (tmp_path / "manifest.json").write_text(json.dumps({"images": [entry]}))
    scenes = photographs(tmp_path, shipped(), lambda *_: True)
    zoom = scenes.pixels[0].shape[1] / WIDTH
    tops = np.array([top_centre(die, camera) for die in dice])
    middles = np.array([[left + right, high + low] for left, high, right, low in boxes]) / 2
    by_boxes, learnt = (np.hypot(*(at - tops).T) / DIE_PX for at in (middles, scenes.truths[0][:, :2] / zoom))
    assert by_boxes.min() > 0.15
    assert learnt.max() < 0.2
    assert learnt.mean() < by_boxes.mean() / 3
