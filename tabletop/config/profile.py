"""The profile: read from and written to its file, and what it makes of a reading."""

from collections.abc import Sequence
from dataclasses import fields, replace
from math import hypot, isfinite
from pathlib import Path
from typing import Any, cast

from tabletop.config import plane
from tabletop.config.lens import BENDS, Lens
from tabletop.core.errors import InputError
from tabletop.core.toml_file import TomlFile, read_toml
from tabletop.core.values import Die, Point, Profile, Quad, Reading, Unsure, Where

VERSION = 1  # of the file's form
TRAY_MM = (20.0, 3000.0)  # from a matchbox to a table: what a side of the tray may measure
DIE_MM = (4.0, 60.0)  # from the smallest dice sold to foam dice for children
PICTURE_PX = (16, 20_000)
SHAPE_TOLERANCE = 0.01  # 1640x1232 and 640x480 are the same picture, to the rounding of their sizes
CORNER_TOLERANCE = 0.02  # of the tray's width: how far the homography may carry a corner from where it belongs

_NAMES = ("version", *(field.name for field in fields(Profile)))


def load_profile(path: Path) -> Profile:
    """Read a profile; raises InputError naming the file, the line and what belongs there."""
    file = read_toml(path)
    file.check_names(_NAMES)
    if (version := file.values.get("version", VERSION)) != VERSION:
        raise file.wrong("version", f"{VERSION}: make the profile again with `tabletop calibrate`", version)
    profile = Profile(
        width_px=int(_number(file, "width_px", PICTURE_PX)),
        height_px=int(_number(file, "height_px", PICTURE_PX)),
        tray_px=_quad(file, "tray_px"),
        tray_mm=cast("tuple[float, float]", _numbers(file, "tray_mm", 2, TRAY_MM)),
        homography=cast("Any", _rows(file, "homography", 3, 3)),
        px_per_mm=_number(file, "px_per_mm", (0.01, 1000.0)),
        die_mm=_number(file, "die_mm", DIE_MM),
        rail_px=_quad(file, "rail_px") if "rail_px" in file.values else None,
        lens_bend=_number(file, "lens_bend", BENDS) if "lens_bend" in file.values else 0.0,
    )
    lens = _lens(profile)
    for seen, place in zip(profile.tray_px, _corners(profile.tray_mm), strict=True):
        x, y = plane.to_plane(profile.homography, lens.straight(seen))
        if hypot(x - place[0], y - place[1]) > CORNER_TOLERANCE * profile.tray_mm[0]:
            expected = f"a matrix that takes {seen} of tray_px to {place} mm (it gives {x:.0f}, {y:.0f})"
            raise file.wrong("homography", expected, file.values["homography"])
    return profile


def save_profile(profile: Profile, path: Path) -> None:
    """Write a profile so that `load_profile` gives the same again; raises InputError if that cannot be."""
    lines = ["# A profile of one set-up of camera and tray, made by `tabletop calibrate`.", f"version = {VERSION}"]
    for field in fields(profile):
        value = getattr(profile, field.name)
        if value != field.default:
            lines.append(f"{field.name} = {_toml(value)}")
    try:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: expected a place to write the profile to: {error.strerror}") from None


def place(reading: Reading, profile: Profile) -> Reading:
    """Return the reading in millimetres, each die marked as in the tray, on the rail or outside.

    A frame of another size but the same shape is the same picture; another shape raises InputError. Where tray and rail
    overlap it is the rail. Half a die beyond the border is still the tray: the top face of a die that leans on the wall
    is seen that much further out. A reading in millimetres comes back as it is.
    """
    if reading.unit == "mm":
        return reading
    zoom = _zoom(profile, reading.width, reading.height)
    dice = tuple(cast("Die", _placed(die, profile, zoom)) for die in reading.dice)
    unsure = tuple(cast("Unsure", _placed(thing, profile, zoom)) for thing in reading.unsure)
    return replace(reading, dice=dice, unsure=unsure, unit="mm", tray=profile.tray_mm)


def die_px(profile: Profile, width: int, height: int) -> float:
    """Return the edge of a die in the middle of the tray, in pixels of a frame of this size (see `place`)."""
    return profile.die_mm * profile.px_per_mm / _zoom(profile, width, height)


def _placed(seen: Die | Unsure, profile: Profile, zoom: float) -> Die | Unsure:
    lens, at = _lens(profile), (seen.x * zoom, seen.y * zoom)
    point = lens.straight(at)
    x, y = plane.to_plane(profile.homography, point)
    size = seen.size * zoom * lens.stretch(at) * plane.scale(profile.homography, point)
    where = _where(profile, lens, point, (x, y))
    if isinstance(seen, Unsure):
        return replace(seen, x=x, y=y, size=size, where=where)
    return replace(seen, x=x, y=y, size=size, where=where, angle=plane.turned(profile.homography, point, seen.angle))


def _where(profile: Profile, lens: Lens, straight_px: Point, point_mm: Point) -> Where:
    if profile.rail_px is not None:
        rail = cast("Quad", tuple(lens.straight(corner) for corner in profile.rail_px))
        if plane.holds(rail, straight_px):
            return "rail"
    margin = profile.die_mm / 2
    inside = all(-margin <= at <= side + margin for at, side in zip(point_mm, profile.tray_mm, strict=True))
    return "tray" if inside else "outside"


def _lens(profile: Profile) -> Lens:
    return Lens(profile.width_px, profile.height_px, profile.lens_bend)


def _zoom(profile: Profile, width: int, height: int) -> float:
    """Return pixels of the profile's pictures for one pixel of a frame of this size."""
    across, down = profile.width_px / width, profile.height_px / height
    if abs(across / down - 1) > SHAPE_TOLERANCE:
        raise InputError(
            f"expected pictures of the profile's shape, {profile.width_px}x{profile.height_px}, got {width}x{height}: "
            "choose that size, or calibrate again with a picture of this one"
        )
    return (across + down) / 2


def _corners(size_mm: tuple[float, float]) -> Quad:
    wide, high = size_mm
    return (0, 0), (wide, 0), (wide, high), (0, high)


def _number(file: TomlFile, name: str, limits: tuple[float, float]) -> float:
    least, most = limits
    if name not in file.values:
        raise file.missing(name, f"a number from {least} to {most}")
    value = file.values[name]
    if not _is_number(value) or not least <= value <= most:
        raise file.wrong(name, f"a number from {least} to {most}", value)
    return float(value)


def _numbers(file: TomlFile, name: str, count: int, limits: tuple[float, float]) -> tuple[float, ...]:
    least, most = limits
    expected = f"[{', '.join(['number'] * count)}], each from {least} to {most}"
    if name not in file.values:
        raise file.missing(name, expected)
    value = file.values[name]
    if not _is_row(value, count) or not all(least <= number <= most for number in value):
        raise file.wrong(name, expected, value)
    return tuple(map(float, value))


def _rows(file: TomlFile, name: str, count: int, width: int) -> tuple[tuple[float, ...], ...]:
    expected = f"{count} rows of {width} numbers, [[..], ..]"
    if name not in file.values:
        raise file.missing(name, expected)
    value = file.values[name]
    if not isinstance(value, list) or len(value) != count or not all(_is_row(row, width) for row in value):
        raise file.wrong(name, expected, value)
    return tuple(tuple(map(float, row)) for row in value)


def _quad(file: TomlFile, name: str) -> Quad:
    corners = cast("Quad", _rows(file, name, 4, 2))
    if fault := plane.fault(corners):
        raise file.wrong(name, f"four corners, clockwise; {fault}", file.values[name])
    return corners


def _is_row(value: object, width: int) -> bool:
    return isinstance(value, list) and len(value) == width and all(_is_number(number) for number in value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _toml(value: object) -> str:
    return f"[{', '.join(map(_toml, value))}]" if isinstance(value, Sequence) else str(value)
