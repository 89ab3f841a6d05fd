"""The shipped networks: OpenCV answers as another implementation does, and says nothing else."""

import subprocess
import sys

import numpy as np
import pytest

from tabletop.vision.network import Network, shipped_weights
from tabletop.vision.second_opinion import centre_answers

# What ONNX Runtime 1.27 answered to noise of seed 5, with the files as PyTorch exported them, before two were rewritten
# for OpenCV: the first, middle and last number, mean and spread.
ANSWERED = {
    "detector": ((1, 3, 240, 320), (-3.0887, 0.0596, -0.7782, -0.9489, 1.3599)),
    "classifier": ((5, 3, 64, 64), (2.8773, -0.4881, -0.2217, -0.2507, 0.9895)),
    "second_opinion": ((2, 6, 96, 96), (-2.6757, -2.0628, -0.0200, -0.0311, 1.1923)),
    "surroundings": ((3, 3, 64, 64), (-1.8010, -2.1401, -2.0038, -1.9816, 0.1393)),
    "tilt": ((1, 3, 64, 64), (-0.0455, -0.0411, 0.4530, 0.1222, 0.2340)),
}
NEAR = 1e-3  # of a logit: what the order of additions may change

PROGRAM = """
import sys
import cv2
import numpy as np
cv2.setNumThreads(4)
from tabletop.vision.network import Network, shipped_weights
Network(shipped_weights("tilt")).answers(np.zeros((1, 3, 64, 64), np.float32))
"""


@pytest.mark.parametrize("name", ANSWERED)
def test_the_answers_are_those_of_another_implementation(name: str) -> None:
    """Noise of mean 0 and spread 1, as what a network is shown is normalised; float32."""
    shape, told = ANSWERED[name]
    answer = Network(shipped_weights(name)).answers(np.random.default_rng(5).standard_normal(shape).astype(np.float32))
    assert answer.dtype == np.float32
    if name == "second_opinion":
        answer = centre_answers(answer)
    flat = answer.ravel()
    here = (flat[0], flat[len(flat) // 2], flat[-1], flat.mean(), flat.std())
    assert here == pytest.approx(told, abs=NEAR)


def test_a_network_that_answers_has_nothing_else_to_say() -> None:
    """No warning on the terminal in which people play."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
