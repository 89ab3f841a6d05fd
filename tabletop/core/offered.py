"""What other packages offer through entry points: opened by name, and checked once against its port."""

import inspect
from importlib.metadata import EntryPoint
from typing import Any

import numpy as np

from tabletop.core.errors import InputError, TabletopError
from tabletop.core.ports import Frame

NEEDED = {  # by option of the command line: what its port in `tabletop.core.ports` or `tabletop.views.port` asks for
    "camera": ("live", "read", "close"),
    "buttons": ("edges", "listen", "close"),
    "screen": ("width", "height", "show", "light", "close"),
    "view": ("show", "close"),
}
CLOCK_S = 1.0  # a frame that is further than this from `time.monotonic` has the time of another clock


def open_offered(kind: str, point: EntryPoint, words: str) -> Any:  # noqa: ANN401 - the ports say what it must be
    """Return what an entry point opens. kind: one of `NEEDED`. words: what stands after the colon.

    Raises DeviceError or InputError as the entry point does; InputError also if it breaks its port's contract.
    """
    try:
        found = point.load()(words)
        if kind == "view":
            inspect.signature(found.show).bind(None, None, 0.0)
    except TabletopError:
        raise
    except Exception as error:
        what = "a view with show(snapshot, frame, now_s)" if kind == "view" else "an open device, or a DeviceError"
        raise broken(kind, point, f"expected {what}, got {type(error).__name__}: {error}") from error
    missing = [name for name in NEEDED[kind] if not hasattr(found, name)]
    if missing:
        needed = ", ".join(NEEDED[kind])
        got = f"{type(found).__name__} without {', '.join(missing)}"
        raise broken(kind, point, f"expected an object with {needed}, got {got}")
    return found


def broken(kind: str, point: EntryPoint, fault: str) -> InputError:
    """Return the error about an entry point that breaks its contract. fault: what was expected, and what came."""
    return InputError(f"--{kind} {point.name} ({point.value}): {fault}; tell the authors of that package")


def frame_fault(frame: object, now_s: float | None) -> str:
    """Return how a camera's frame breaks the contract of `Camera`, empty if it does not.

    now_s: by `time.monotonic`; None for a camera that is not live, whose times may begin anywhere.
    """
    if not isinstance(frame, Frame):
        return f"expected read() to return a Frame or None, got {type(frame).__name__}"
    pixels: object = frame.pixels
    if not isinstance(pixels, np.ndarray):
        return f"expected pixels as a NumPy array, got {type(pixels).__name__}"
    if pixels.dtype != np.uint8 or pixels.shape[2:] != (3,) or not pixels.size:
        return f"expected pixels of (height, width, 3) uint8, BGR, got {pixels.shape} {pixels.dtype}"
    if now_s is not None and not abs(frame.time_s - now_s) <= CLOCK_S:
        return f"expected time_s within {CLOCK_S:.0f} s of time.monotonic(), {now_s:.1f}, got {frame.time_s:.1f}"
    return ""
