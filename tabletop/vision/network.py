"""A trained network: an ONNX file, computed by OpenCV's `dnn` module, on a Raspberry Pi and on a PC alike.

ONNX Runtime computes the same answers but for rounding. It takes 0.6 of the time on a PC, 1.5 times the instructions on
a Pi, and four packages more (docs/vision-record.md); so the reader that is tested is the one that is sold.
"""

from importlib import resources
from threading import Lock

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


class Network:
    """Weights and what computes with them: equal pixels give equal answers. Several threads may use it at once."""

    def __init__(self, weights: bytes) -> None:
        """Load weights in ONNX form."""
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(weights, np.uint8))
        self._lock = Lock()

    def answers(self, pixels: Floats) -> Floats:
        """Return the network's raw output, float32, for an input (N, channels, H, W) float32 as it was trained on."""
        with self._lock:
            self._net.setInput(pixels)
            return np.array(self._net.forward(), np.float32)


def shipped_weights(name: str) -> bytes:
    """Return the content of `weights/NAME.onnx`."""
    return resources.files("tabletop.vision").joinpath("weights", f"{name}.onnx").read_bytes()
