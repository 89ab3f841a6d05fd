"""The shipped networks, computed by another implementation: OpenCV's own `dnn` module."""

import subprocess
import sys

import cv2
import numpy as np
import pytest

from tabletop.vision.network import Network, shipped_weights

SHAPES = {
    "detector": (1, 3, 240, 320),
    "classifier": (5, 3, 64, 64),
    "second_opinion": (2, 6, 96, 96),
    "surroundings": (3, 3, 64, 64),
    "tilt": (1, 3, 64, 64),
}
NEAR = 1e-3  # of a logit: what the order of additions may change

QUIET = """
import sys
import cv2
import numpy as np
cv2.setNumThreads(int(sys.argv[1]))
from tabletop.vision.network import Network, shipped_weights
Network(shipped_weights("tilt")).answers(np.zeros((1, 3, 64, 64), np.float32))
"""


@pytest.mark.parametrize("name", SHAPES)
def test_a_network_answers_as_opencv_computes_it(name: str) -> None:
    """On noise of mean 0 and spread 1, as what it is shown is normalised."""
    pixels = np.random.default_rng(5).standard_normal(SHAPES[name]).astype(np.float32)
    weights = shipped_weights(name)
    other = cv2.dnn.readNetFromONNX(np.frombuffer(weights, np.uint8))
    other.setInput(pixels)
    answers = Network(weights).answers(pixels)
    assert answers.dtype == np.float32
    assert np.abs(answers - other.forward()).max() < NEAR


@pytest.mark.parametrize("threads", ["1", "4"])
def test_a_network_that_answers_has_nothing_else_to_say(threads: str) -> None:
    """No warning on the terminal in which somebody plays."""
    done = subprocess.run([sys.executable, "-c", QUIET, threads], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
