"""Picamera2, and what it does not say of a Raspberry Pi's sensors: modes, fields of view, focus."""

from collections.abc import Mapping
from math import radians, tan
from types import ModuleType
from typing import Any

from tabletop.cameras import lines
from tabletop.core.errors import DeviceError

USUAL_FOCUS = 2.9  # dioptres: 0.345 m, the lens of the stand in docs/building.md over the middle of its tray
FIELD_DEG, WIDE_FIELD_DEG = 66.0, 102.0  # across, of Camera Module 3 and its wide model, as their maker states them
MM_PER_M = 1000.0
# Of each sensor the smallest mode that sees all of the tray: its size, bits, and pictures a second (kernel's drivers).
# Picamera2 knows no more without configuring the camera for every mode, which takes more memory than a small board has.
MODES: Mapping[str, tuple[tuple[int, int], int, float]] = {
    "imx708": ((2304, 1296), 10, 56.0),  # Camera Module 3
    "imx219": ((1640, 1232), 10, 41.0),  # Camera Module 2
    "imx477": ((2028, 1520), 12, 40.0),  # HQ Camera
    "ov5647": ((1296, 972), 10, 46.0),  # Camera Module 1
}


def picamera2_module() -> ModuleType:
    """Return Picamera2; raises DeviceError saying how to install it, or what it clashes with."""
    try:
        import picamera2  # noqa: PLC0415 - half a second, and only on a Raspberry Pi
    except ImportError as error:
        missing = (error.name or "picamera2").partition(".")[0]
        raise DeviceError(lines.not_installed(missing)) from error
    except ValueError as error:  # "numpy.dtype size changed": built for another numpy than the one installed
        raise DeviceError(lines.other_numpy(str(error))) from error
    return picamera2  # type: ignore[no-any-return]  # it ships no types


def widest_mode(camera: Any, fps: float) -> dict[str, Any]:  # noqa: ANN401 - Picamera2 ships no types
    """Return the smallest mode of the sensor that sees as much of the tray as any that is fast enough.

    The mode nearest to the size asked for is often a cut-out of the sensor's middle: the tray would not be in view.
    fps: pictures a second. Empty if no mode is fast enough.
    """
    size, bits, most_fps = MODES.get(str(camera.camera_properties.get("Model", "")).partition("_")[0], ((0, 0), 0, 0.0))
    if fps <= most_fps:
        return {"output_size": size, "bit_depth": bits}
    modes = [mode for mode in camera.sensor_modes if mode.get("fps", 0.0) >= fps * 0.99]
    if not modes:
        return {}
    best = max(modes, key=lambda mode: (mode["crop_limits"][2] * mode["crop_limits"][3], -mode["size"][0]))
    return {"output_size": best["size"], "bit_depth": best["bit_depth"]}


def usual_focus(model: str, shown_mm: int) -> float:
    """Return the dioptres of the tray's distance. shown_mm: the width of what the picture shows of it, 0 if unknown."""
    if not shown_mm:
        return USUAL_FOCUS
    field = WIDE_FIELD_DEG if "wide" in model else FIELD_DEG
    return 2 * MM_PER_M * tan(radians(field) / 2) / shown_mm
