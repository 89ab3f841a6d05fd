"""The simulated tray as a set-up: its profile, known exactly."""

from tabletop.core.values import Profile, Quad
from tabletop.simulator.physics.placement import Area
from tabletop.simulator.tray.tray import SIZE_PX, Tray


def profile_of(tray: Tray) -> Profile:
    """Return the profile that a perfect calibration of this tray would give."""
    layout = tray.layout
    felt, scale = layout.felt, 1.0 / layout.px_per_mm
    return Profile(
        width_px=layout.width_px,
        height_px=layout.height_px,
        tray_px=_corners(felt),
        tray_mm=((felt.right - felt.left) * scale, (felt.bottom - felt.top) * scale),
        homography=((scale, 0.0, -felt.left * scale), (0.0, scale, -felt.top * scale), (0.0, 0.0, 1.0)),
        px_per_mm=layout.px_per_mm,
        die_mm=SIZE_PX * scale,
        rail_px=_corners(layout.rail),
    )


def _corners(area: Area) -> Quad:
    left, top, right, bottom = map(float, (area.left, area.top, area.right, area.bottom))
    return (left, top), (right, top), (right, bottom), (left, bottom)
