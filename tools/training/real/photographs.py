"""Labelled photographs as scenes.

Their labels have only upright boxes; edges and rotations come from a classifier trained on rendered scenes.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.core.errors import InputError
from tabletop.vision.classifier import Classifier, Found, Kind
from tabletop.vision.detector import CandidatePlace
from tabletop.vision.image_io import open_picture
from tools.training.scene_files import FIELDS, KIND, SIZE, Scenes, Truths

LICENSED = (
    "nell",
    "matteo",
    "damian",
    "dice3",
    "trays",
    "scope",
    "casino",
)  # sources whose licence allows training, credited in NOTICE
CLOSE_PX, FAR_PX = 48.0, 20.0  # edge of the dice in the scenes made of them
BOX_SHARE = 1.15  # die_px over the edge of a die, usually: boxes are upright, dice are turned
WHOLE_BOXES = ("trays/", "scope/")  # sources whose boxes go round the whole die; elsewhere round its top face
CLEAR, NEAR = 0.5, 0.35  # chance of a die; edges: a place as near as this to its box's middle is its top face's
DISPUTED = 0.9  # sureness; most such labels, looked at by eye, are wrong: docs/accuracy.md
LOOKS = 3  # of the classifier, each at the edge that the look before gave
LIKELY = (0.6, 1.6)  # of the photograph's median edge: an edge outside this range is a mistake

Picture = NDArray[np.uint8]
Chosen = Callable[[int, dict[str, Any]], bool]


def photographs(folder: Path, classifier: Classifier, chosen: Chosen, edge_px: float = CLOSE_PX) -> Scenes:
    """Return the chosen photographs (by number and entry) of a folder's manifest.json, scaled to that edge.

    Raises InputError if there is no manifest.
    """
    manifest = folder / "manifest.json"
    if not manifest.exists():
        raise InputError(f"{folder}: expected labelled photographs with a manifest.json, found none")
    images = json.loads(manifest.read_text())["images"]
    taken = [
        entry
        for number, entry in enumerate(images)
        if entry["file"].split("/")[0] in LICENSED and chosen(number, entry)
    ]
    made = [_scene(folder, entry, classifier, edge_px) for entry in taken]
    upright = np.tile(np.array([[0.0, -1.0]], np.float32), (len(made), 1))  # the camera's lean is not known
    return Scenes([pixels for pixels, _ in made], [truth for _, truth in made], upright)


def _scene(folder: Path, entry: dict[str, Any], classifier: Classifier, edge_px: float) -> tuple[Picture, Truths]:
    picture = open_picture(folder / entry["file"])
    zoom = CLOSE_PX * BOX_SHARE / float(entry["die_px"])
    interpolation = cv2.INTER_AREA if zoom < 1 else cv2.INTER_LINEAR
    close = np.asarray(cv2.resize(picture, None, fx=zoom, fy=zoom, interpolation=interpolation), np.uint8)
    middles = [tuple(zoom * value for value in _middle(die["box"])) for die in entry["dice"]]
    found = _sized(classifier, close, middles)
    typical_px = float(np.median([candidate.size for candidate in found])) if found else CLOSE_PX
    places = _top_faces(middles, found) if str(entry["file"]).startswith(WHOLE_BOXES) else middles
    truth = np.zeros((len(found), FIELDS), np.float32)
    for row, (die, (x, y), candidate) in enumerate(zip(entry["dice"], places, found, strict=True)):
        size = candidate.size if LIKELY[0] < candidate.size / typical_px < LIKELY[1] else typical_px
        kind = Kind.COVERED if die.get("truncated") else Kind.FLAT
        unknown = die.get("custom_face") or _disputed(candidate, die["face"])
        truth[row, : KIND + 1] = (x, y, size, candidate.angle, 0 if unknown else die["face"], kind)
    share = edge_px / CLOSE_PX
    if share == 1:
        return close, truth
    truth[:, :3] *= share
    return np.asarray(cv2.resize(close, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8), truth


def _disputed(candidate: Found, label: int) -> bool:
    """Return whether the classifier is so sure of another face that the label is likely wrong: no face is taught."""
    return candidate.face != label and candidate.sureness >= DISPUTED


def _top_faces(middles: list[tuple[float, ...]], found: list[Found]) -> list[tuple[float, ...]]:
    """Return the middles of the top faces of dice whose boxes go round the whole die, sides and all."""
    clear = [
        candidate.chance >= CLEAR and float(np.hypot(candidate.x - x, candidate.y - y)) < NEAR * candidate.size
        for (x, y), candidate in zip(middles, found, strict=True)
    ]
    shifts = [
        (candidate.x - x, candidate.y - y)
        for (x, y), candidate, known in zip(middles, found, clear, strict=True)
        if known
    ]
    right, down = np.median(shifts, axis=0) if shifts else (0.0, 0.0)
    return [
        (candidate.x, candidate.y) if known else (x + float(right), y + float(down))
        for (x, y), candidate, known in zip(middles, found, clear, strict=True)
    ]


def _middle(box: list[float]) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _sized(classifier: Classifier, picture: Picture, middles: list[tuple[float, ...]]) -> list[Found]:
    sizes = [CLOSE_PX] * len(middles)
    found: list[Found] = []
    for _ in range(LOOKS):
        found = list(
            classifier.look(
                picture, [CandidatePlace(x, y, size, 0.0) for (x, y), size in zip(middles, sizes, strict=True)]
            )
        )
        sizes = [float(np.clip(candidate.size, CLOSE_PX * LIKELY[0], CLOSE_PX * LIKELY[1])) for candidate in found]
    return found


def mixed(
    rng: np.random.Generator, rendered: int, groups: list[Scenes], share: float, batch: int
) -> Iterator[NDArray[np.int64]]:
    """Yield indices of scenes endlessly: `share` of each batch from photographs, the rest from rendered scenes.

    groups: the photographs of each source, whose indices follow those of the rendered scenes; a source is drawn in
    proportion to the square root of its number of dice.
    """
    many = round(batch * share) if groups else 0
    weights = np.concatenate([_weights(group) for group in groups]) if groups else np.ones(0)
    while True:
        drawn = rng.integers(0, rendered, batch - many)
        if many:
            real = rendered + rng.choice(len(weights), many, p=weights / weights.sum())
            drawn = np.concatenate([drawn, real])
        yield drawn


def _weights(group: Scenes) -> NDArray[np.float64]:
    """Return the weight of each photograph of a source, in all the square root of its number of dice.

    A source without dice counts as if each photograph had a die.
    """
    dice = sum(int((truth[:, SIZE] > 0).sum()) for truth in group.truths)
    return np.full(len(group), (dice or len(group)) ** 0.5 / len(group))
