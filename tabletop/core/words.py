"""Open devices from words such as `gpio:bank=17,hold=27`: an entry point, with settings after the colon.

Devices from other packages are checked once against their port.
"""

import inspect
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.metadata import EntryPoint
from typing import Any

import numpy as np

from tabletop.core import errors, ports


@dataclass(frozen=True, slots=True)
class Setting:
    """One `name=value` setting.

    meaning: the allowed values, for a one-line error. read: parses a text, None if invalid. default: None for a setting
    that is omitted unless given.
    """

    meaning: str
    read: Callable[[str], Any]
    default: Any = None


def number(default: int | None, allowed: range, meaning: str) -> Setting:
    """Return a setting for a whole number, decimal or hexadecimal (`0x3d`)."""

    def read(text: str) -> int | None:
        with suppress(ValueError):
            found = int(text, 0)
            return found if found in allowed else None
        return None

    return Setting(meaning, read, default)


def read_settings(option: str, words: str, known: Mapping[str, Setting], first: str = "") -> dict[str, Any]:
    """Parse settings; returns those given in `words` and the defaults of the others.

    option: the part before the colon, such as `--buttons gpio`, for errors. words: `name=value` pairs separated by
    commas; empty for the defaults. first: text that may precede them, for errors. Raises InputError.
    """
    found: dict[str, Any] = {}
    for word in words.split(",") if words.strip() else ():
        name, _, text = (part.strip() for part in word.partition("="))
        setting = known.get(name)
        if setting is None or name in found:
            names = ", ".join(f"{name}=" for name in known)
            close = get_close_matches(name, [other for other in known if other not in found], n=1)
            advice = f"; nearest: {close[0]}={text}" if close else ""
            raise errors.InputError(
                f"expected {option}:{first}name=value,... with each of {names} at most once, "
                f"got {word.strip()!r}{advice}"
            )
        found[name] = setting.read(text)
        if found[name] is None:
            raise errors.InputError(f"expected {option}:{name}= {setting.meaning}, got {text!r}")
    return {name: setting.default for name, setting in known.items() if setting.default is not None} | found


NEEDED = {  # command-line option -> methods its port requires, see `tabletop.core.ports` and `tabletop.views.port`
    "camera": ("live", "read", "close"),
    "buttons": ("edges", "listen", "close"),
    "screen": ("width", "height", "show", "light", "close"),
    "view": ("show", "close"),
}
CLOCK_S = 1.0  # a frame further than this from `time.monotonic` is timed by another clock


def open_offered(kind: str, point: EntryPoint, words: str) -> Any:  # noqa: ANN401 - the ports say what it must be
    """Load an entry point and open its device. kind: a key of `NEEDED`. words: the text after the colon.

    Raises DeviceError or InputError as the entry point does; InputError also if the device breaks its port's contract.
    """
    try:
        found = point.load()(words)
        if kind == "view":
            inspect.signature(found.show).bind(None, None, 0.0)
    except errors.TabletopError:
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


def broken(kind: str, point: EntryPoint, fault: str) -> errors.InputError:
    """Return the error for an entry point that breaks its contract. fault: what was expected, and what came."""
    return errors.InputError(f"--{kind} {point.name} ({point.value}): {fault}; tell the authors of that package")


def frame_fault(frame: object, now_s: float | None) -> str:
    """Return how a frame violates the contract of `Camera`; empty if it does not.

    now_s: by `time.monotonic`; None for a camera that is not live, whose clock may have any origin.
    """
    if not isinstance(frame, ports.Frame):
        return f"expected read() to return a Frame or None, got {type(frame).__name__}"
    pixels: object = frame.pixels
    if not isinstance(pixels, np.ndarray):
        return f"expected pixels as a NumPy array, got {type(pixels).__name__}"
    if pixels.dtype != np.uint8 or pixels.shape[2:] != (3,) or not pixels.size:
        return f"expected pixels of (height, width, 3) uint8, BGR, got {pixels.shape} {pixels.dtype}"
    if now_s is not None and not abs(frame.time_s - now_s) <= CLOCK_S:
        return f"expected time_s within {CLOCK_S:.0f} s of time.monotonic(), {now_s:.1f}, got {frame.time_s:.1f}"
    return ""
