"""Labels of photographs: their form, and in what a reading differs from them."""

import importlib.util
import json
import re
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labelled import PHOTOS, needs_photos

from tabletop.core.errors import InputError
from tabletop.core.values import Die, Reading, Unsure, UnsureReason
from tools.bench.labels import Failure, Label, Labelled, failures, load_labels, matched

WIDTH, HEIGHT, DIE_PX = 640, 480, 40.0


def read(*dice: tuple[int, float, float], unsure: tuple[tuple[float, float], ...] = ()) -> Reading:
    """Return a reading of dice (face, x, y) and unsure ones (x, y)."""
    sure = tuple(Die(face, x, y, DIE_PX, 0.0, "white", 0.97) for face, x, y in dice)
    return Reading(0.0, WIDTH, HEIGHT, sure, tuple(Unsure(x, y, DIE_PX, UnsureReason.GLARE) for x, y in unsure))


def labelled(*dice: tuple[int, float, float], ignored: tuple[tuple[float, float], ...] = ()) -> Labelled:
    """Return labels of dice (face, x, y) and of those that count for nothing (x, y)."""
    labels = [Label(face, x, y) for face, x, y in dice]
    return Labelled(DIE_PX, (*labels, *(Label(0, x, y, counts=False) for x, y in ignored)))


def kinds(found: tuple[Failure, ...]) -> list[tuple[str, str, str]]:
    return [(one.kind, one.read_as, one.truth) for one in found]


def test_each_kind_of_failure() -> None:
    """Right dice are no failure; a wrong face, a die where none is, a missed one and an unsure one are told apart."""
    truth = labelled((1, 100, 100), (2, 200, 100), (3, 300, 100), (4, 400, 100), (5, 500, 100))
    reading = read((1, 105, 95), (3, 200, 100), (6, 300, 300), (5, 500, 100), unsure=((400, 100), (100, 300)))
    assert kinds(failures(reading, truth)) == [
        ("wrong", "read 3 (97%)", "is 2"),
        ("false", "read 6 (97%)", "no die with a label"),
        ("missed", "nothing told", "is 3"),
        ("unsure", "glare", "is 4"),
        ("unsure", "glare", "no die with a label"),
    ]
    assert failures(read((1, 105, 95)), labelled((1, 100, 100))) == ()


def test_silent_is_what_a_referee_would_take() -> None:
    """With as many dice as there are, none unsure and other faces, the wrong ones are silent; two swapped are wrong."""
    truth = labelled((1, 100, 100), (2, 200, 100))
    assert [one.kind for one in failures(read((1, 100, 100), (3, 200, 100)), truth)] == ["silent"]
    assert [one.kind for one in failures(read((1, 100, 100), (3, 300, 300)), truth)] == ["silent", "silent"]
    assert [one.kind for one in failures(read((2, 100, 100), (1, 200, 100)), truth)] == ["wrong", "wrong"]
    assert [one.kind for one in failures(read((3, 200, 100)), truth)] == ["wrong", "missed"]
    assert [one.kind for one in failures(read((3, 100, 100), unsure=((200, 100),)), truth)] == ["wrong", "unsure"]


def test_what_counts_for_nothing() -> None:
    """Near a label that is ignored, and at the border without a label, nothing is a failure."""
    truth = labelled((1, 100, 100), ignored=((200, 100),))
    reading = read((1, 100, 100), (5, 210, 110), (2, 20, 300), unsure=((200, 90), (10, 10)))
    assert failures(reading, truth) == ()
    assert truth.expect is None
    assert labelled((1, 1, 1), (2, 50, 1)).expect == 2


def test_nearest_pairs_first() -> None:
    """Of two dice within reach of a label the nearer is its own; the other keeps the other label."""
    labels = [Label(1, 100, 100), Label(2, 118, 100)]
    seen = [Unsure(112, 100, 40, UnsureReason.MAY_BE_NO_DIE), Unsure(103, 100, 40, UnsureReason.MAY_BE_NO_DIE)]
    assert matched(labels, seen, 22) == {0: 1, 1: 0}
    assert matched(labels, seen, 2) == {}


@pytest.fixture(scope="module")
def scoring() -> ModuleType:
    spec = importlib.util.spec_from_file_location("score", PHOTOS / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


place = st.tuples(st.integers(0, 16).map(lambda i: 40.0 * i), st.integers(0, 12).map(lambda i: 40.0 * i))
spot = st.tuples(place, st.floats(-25, 25), st.floats(-25, 25)).map(
    lambda one: (one[0][0] + one[1], one[0][1] + one[2])
)


@needs_photos
@settings(max_examples=100, deadline=None)
@given(
    labels=st.lists(st.tuples(st.integers(1, 3), place, st.booleans()), max_size=6, unique_by=lambda one: one[1]),
    dice=st.lists(st.tuples(st.integers(1, 3), spot), max_size=6),
    near=st.lists(st.tuples(st.integers(1, 3), st.floats(-30, 30)), max_size=6),
    unsure=st.lists(spot, max_size=3),
)
def test_failures_are_those_of_the_scoring_program(
    scoring: ModuleType,
    labels: list[tuple[int, tuple[float, float], bool]],
    dice: list[tuple[int, tuple[float, float]]],
    near: list[tuple[int, float]],
    unsure: list[tuple[float, float]],
) -> None:
    """Photographs without failures are its exact ones, silent ones are its silent ones, and all its counts agree."""
    close = [(face, (label[1][0] + off, label[1][1])) for label, (face, off) in zip(labels, near, strict=False)]
    reading = read(*((face, x, y) for face, (x, y) in [*dice, *close]), unsure=tuple(unsure))
    boxes: list[dict[str, Any]] = [
        {"face": face, "box": [x - 20, y - 20, x + 20, y + 20], "truncated": not counts}
        for face, (x, y), counts in labels
    ]
    photo = {"dice": boxes, "die_px": DIE_PX, "width": WIDTH, "height": HEIGHT}
    as_object = {
        "dice": [{"face": die.face, "x": die.x, "y": die.y} for die in reading.dice],
        "unsure": [{"x": one.x, "y": one.y} for one in reading.unsure],
    }
    score = scoring.score(photo, as_object)
    truth = Labelled(DIE_PX, tuple(Label(face, x, y, counts) for face, (x, y), counts in labels))
    found = failures(reading, truth)
    count = Counter(one.kind for one in found)
    assert score["exact"] == (not found)
    assert score["silent"] == bool(count["silent"])
    assert score["doubts"] == count["unsure"]
    if not score["silent"]:
        assert score["false"] == count["false"]
        assert score["n"] - score["ok"] == count["wrong"] + count["missed"] + score["unsure"]


def test_the_form_of_labels(tmp_path: Path) -> None:
    """Names are relative to the folder of the labels; other keys are ignored, and marked dice count for nothing."""
    dice = [{"face": 3, "box": [10, 20, 30, 40]}, {"face": 2, "box": [0, 0, 9, 9], "truncated": True}]
    file = tmp_path / "labels.json"
    file.write_text(
        json.dumps({"images": [{"file": "sub/a.jpg", "die_px": 20, "dice": dice, "licence": "MIT"}], "x": 1})
    )
    labels = (Label(3, 20.0, 30.0), Label(2, 4.5, 4.5, counts=False))
    assert load_labels(file) == {(tmp_path / "sub" / "a.jpg").resolve(): Labelled(20.0, labels)}


@pytest.mark.parametrize("content", ["no JSON", "[]", '{"images": 3}', '{"images": [{"file": "a.jpg", "die_px": 20}]}'])
def test_labels_of_another_form(content: str, tmp_path: Path) -> None:
    """What is not of the form, or not there, is refused in one line that names the file."""
    file = tmp_path / "labels.json"
    file.write_text(content)
    for path in (file, tmp_path / "absent.json"):
        with pytest.raises(InputError, match=f"^{re.escape(str(path))}: expected [^\n]*$"):
            load_labels(path)
