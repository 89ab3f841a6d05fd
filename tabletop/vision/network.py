"""A trained network: an ONNX file, run by ONNX Runtime.

It computes these networks in half the time that OpenCV's own `dnn` module takes, from files as PyTorch exports them.
"""

from importlib import resources

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

Floats = NDArray[np.float32]

INPUT = "pixels"  # the only input of a file that training/onnx_files/export.py wrote; there is one output
ERRORS_ONLY = 3  # ONNX Runtime's level: it warns of graphics cards that it cannot look at, of which a Pi has one

onnxruntime.set_default_logger_severity(ERRORS_ONLY)


class Network:
    """Weights and what computes with them: equal pixels give equal answers. Several threads may use it at once.

    It computes with as many threads as OpenCV does (`cv2.setNumThreads`); none of them waits busily.
    """

    def __init__(self, weights: bytes) -> None:
        """Load weights in ONNX form."""
        self._weights = weights
        self._sessions: dict[int, onnxruntime.InferenceSession] = {}
        self._session()

    def answers(self, pixels: Floats) -> Floats:
        """Return the network's raw output, float32, for an input (N, channels, H, W) float32 as it was trained on."""
        (answer,) = self._session().run(None, {INPUT: pixels})
        return np.asarray(answer, np.float32)

    def _session(self) -> onnxruntime.InferenceSession:
        """Return the session for as many threads as OpenCV has now; a session's own number is fixed."""
        threads = cv2.getNumThreads()
        if threads not in self._sessions:
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = threads
            options.add_session_config_entry("session.intra_op.allow_spinning", "0")
            options.enable_cpu_mem_arena = False  # one keeps what the largest picture needed, for 2 % of the time
            options.enable_mem_pattern = False
            self._sessions[threads] = onnxruntime.InferenceSession(
                self._weights, options, providers=["CPUExecutionProvider"]
            )
        return self._sessions[threads]


def shipped_weights(name: str) -> bytes:
    """Return the content of `weights/NAME.onnx`."""
    return resources.files("tabletop.vision").joinpath("weights", f"{name}.onnx").read_bytes()
