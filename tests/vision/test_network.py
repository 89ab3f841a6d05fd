"""The shipped networks, computed by two implementations that know nothing of each other."""

import json
import subprocess
import sys
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from tabletop.vision.classify.second_opinion import centre_answers
from tabletop.vision.network import ON_A_PC, OnnxRuntimeNetwork, OpenCvNetwork, shipped_weights
from tabletop.vision.reader import read
from tools.bench.pictures import still

SHAPES = {
    "detector": (1, 3, 240, 320),
    "classifier": (5, 3, 64, 64),
    "second_opinion": (2, 6, 96, 96),
    "surroundings": (3, 3, 64, 64),
    "tilt": (1, 3, 64, 64),
}
REWRITTEN = ("classifier", "second_opinion")
NEAR = 1e-3  # of a logit: what the order of additions may change
TELEMETRY = b"events.data.microsoft.com"

PROGRAM = """
import sys
import cv2
import numpy as np
cv2.setNumThreads(int(sys.argv[1]))
from tabletop.vision.network import load_network, shipped_weights
load_network(shipped_weights("tilt")).answers(np.zeros((1, 3, 64, 64), np.float32))
"""

READ_BY_OPENCV = """
import json, sys
sys.modules["onnxruntime"] = None  # as where it is not installed
from tools.bench.pictures import still
from tabletop.vision.network import ON_A_PC
from tabletop.vision.reader import read
frames = [still(640, 480, 60.0, 5, seed).open() for seed in range(4)]
readings = [read(frame, die_px=60.0) for frame in frames] + [read(frames[0])]
print(json.dumps([ON_A_PC, [[(die.face, die.x, die.y) for die in reading.dice] for reading in readings]]))
"""

on_a_pc = pytest.mark.skipif(not ON_A_PC, reason="only a PC has ONNX Runtime")


def _noise(name: str) -> np.ndarray:
    """Return noise of mean 0 and spread 1, as what a network is shown is normalised."""
    return np.random.default_rng(5).standard_normal(SHAPES[name]).astype(np.float32)


@on_a_pc
@pytest.mark.parametrize("name", SHAPES)
def test_both_compute_the_same(name: str) -> None:
    """The file that OpenCV is given and the other one, each by its own implementation."""
    one = OnnxRuntimeNetwork(shipped_weights(name, on_a_pc=True)).answers(_noise(name))
    other = OpenCvNetwork(shipped_weights(name, on_a_pc=False)).answers(_noise(name))
    assert one.dtype == other.dtype == np.float32
    if name == "second_opinion":  # rewritten, it answers in the middle only
        one, other = centre_answers(one), centre_answers(other)
    assert np.abs(one - other).max() < NEAR


@pytest.mark.parametrize("name", SHAPES)
def test_opencv_is_given_what_was_rewritten_for_it(name: str) -> None:
    """A file of its own for what has one, else the same."""
    assert (shipped_weights(name, on_a_pc=False) != shipped_weights(name, on_a_pc=True)) is (name in REWRITTEN)
    folder = Path(str(resources.files("tabletop.vision").joinpath("weights", "opencv")))
    assert sorted(file.stem for file in folder.iterdir()) == sorted(REWRITTEN)


@on_a_pc
def test_a_table_without_onnx_runtime_reads_the_same() -> None:
    """Four frames with the size of dice known, one without: the same faces at the same places."""
    done = subprocess.run([sys.executable, "-c", READ_BY_OPENCV], capture_output=True, text=True, check=True)
    on_pc, by_opencv = json.loads(done.stdout)
    assert not on_pc
    frames = [still(640, 480, 60.0, 5, seed).open() for seed in range(4)]
    readings = [read(frame, die_px=60.0) for frame in frames] + [read(frames[0])]
    here = [[(die.face, die.x, die.y) for die in reading.dice] for reading in readings]
    assert [len(dice) for dice in here] == [5] * 5
    for dice, others in zip(here, by_opencv, strict=True):
        assert np.array(dice) == pytest.approx(np.array(others), abs=NEAR)


@pytest.mark.parametrize("threads", ["1", "4"])
def test_a_network_that_answers_has_nothing_else_to_say(threads: str) -> None:
    """No warning on the terminal in which somebody plays."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, threads], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


@on_a_pc
def test_what_computes_them_tells_nobody() -> None:
    """From 1.28 on ONNX Runtime sends telemetry; the table asks for nothing outside."""
    spec = find_spec("onnxruntime")
    assert spec is not None
    assert spec.origin is not None
    libraries = sorted(Path(spec.origin).parent.rglob("*.so*"))
    assert libraries
    assert [file.name for file in libraries if TELEMETRY in file.read_bytes()] == []
