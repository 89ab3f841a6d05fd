"""A trained network: an ONNX file, and what computes it.

On a PC that is ONNX Runtime, in 0.6 of the time that OpenCV takes there. On a Raspberry Pi, and wherever ONNX Runtime
is not installed, it is OpenCV's `dnn` module, whose method for small convolutions needs two thirds of ONNX Runtime's
instructions on its processor. Both give the same answers but for rounding: docs/vision-record.md has the figures.
"""

import platform
from importlib import resources
from threading import Lock
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

try:
    import onnxruntime
except ImportError:
    onnxruntime = None

Floats = NDArray[np.float32]

ON_A_PC = onnxruntime is not None and platform.machine() == "x86_64"
INPUT = "pixels"  # the only input of a file that tools/training/onnx_files/export.py wrote; there is one output
ERRORS_ONLY = 3  # ONNX Runtime's level: it would warn of processors and graphics cards that it does not know


class Network(Protocol):
    """Weights and what computes with them: equal pixels give equal answers. Several threads may use it at once."""

    def answers(self, pixels: Floats) -> Floats:
        """Return the network's raw output, float32, for an input (N, channels, H, W) float32 as it was trained on."""


def load_network(weights: bytes) -> Network:
    """Return the network of an ONNX file's content, computed by what is quicker on this machine."""
    return OnnxRuntimeNetwork(weights) if ON_A_PC else OpenCvNetwork(weights)


def shipped_weights(name: str, *, on_a_pc: bool = ON_A_PC) -> bytes:
    """Return the content of `weights/NAME.onnx`; where OpenCV computes, as it was rewritten for that, if it was."""
    folder = resources.files("tabletop.vision").joinpath("weights")
    rewritten = folder.joinpath("opencv", f"{name}.onnx")
    file = rewritten if not on_a_pc and rewritten.is_file() else folder.joinpath(f"{name}.onnx")
    return file.read_bytes()


class OpenCvNetwork:
    """A network that OpenCV computes."""

    def __init__(self, weights: bytes) -> None:
        """Load weights in ONNX form."""
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(weights, np.uint8))
        self._lock = Lock()

    def answers(self, pixels: Floats) -> Floats:
        """Return what `Network` says."""
        with self._lock:
            self._net.setInput(pixels)
            return np.array(self._net.forward(), np.float32)


class OnnxRuntimeNetwork:
    """A network that ONNX Runtime computes, with as many threads as OpenCV has (`cv2.setNumThreads`)."""

    def __init__(self, weights: bytes) -> None:
        """Load weights in ONNX form."""
        self._weights = weights
        self._sessions: dict[int, onnxruntime.InferenceSession] = {}
        self._session()

    def answers(self, pixels: Floats) -> Floats:
        """Return what `Network` says."""
        (answer,) = self._session().run(None, {INPUT: pixels})
        return np.asarray(answer, np.float32)

    def _session(self) -> "onnxruntime.InferenceSession":
        """Return the session for as many threads as OpenCV has now; a session's own number is fixed."""
        threads = cv2.getNumThreads()
        if threads not in self._sessions:
            options = onnxruntime.SessionOptions()
            options.log_severity_level = ERRORS_ONLY
            options.intra_op_num_threads = threads
            options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # no thread waits busily
            options.enable_cpu_mem_arena = False  # one keeps what the largest picture needed, for 2 % of the time
            options.enable_mem_pattern = False
            self._sessions[threads] = onnxruntime.InferenceSession(
                self._weights, options, providers=["CPUExecutionProvider"]
            )
        return self._sessions[threads]
