"""What each value of a profile's file must be, by itself and beside the others; a mistake names the line."""

from math import hypot
from typing import cast

from tabletop.config import plane
from tabletop.config.plane import Lens
from tabletop.core.toml_file import TomlFile
from tabletop.core.values import Point, Profile, Quad, SetUp

# Values are written to the last bit. So much is left for people who round corners to whole pixels.
CORNER_TOLERANCE_PX = 1.5  # how far the homography may carry a corner from where it belongs
MIDDLE_TOLERANCE_PX = 1.0  # between the tray's middle by its corners, and by its shares of the picture
RAIL_TOLERANCE_PX = 0.5  # the same of the mean of the rail's corners: one number may be off by 2
SCALE_TOLERANCE = 0.02  # of px_per_mm, against what the homography says
TRAY_OUTSIDE, RAIL_OUTSIDE = 0.1, 0.5  # of the picture's size: how far outside a corner may lie, if the camera is near
RAIL_SHARE = (-RAIL_OUTSIDE, 1 + RAIL_OUTSIDE)
LARGEST = 1e9  # of any number: beyond it is a slip of the hand, and sums would lose digits
SHARE = (0.0, 1.0)
SHARE_TOLERANCE = 1e-4  # of unsure dice, which are written to four digits
SHARE_DIGITS = 6  # of the tray's middle as it is written: to 0.02 px of the largest picture


def check_agreement(file: TomlFile, profile: Profile, tray_middle: Point | None) -> None:
    """Raise InputError where lines that are right by themselves contradict one another.

    tray_middle: as the file says, see `middle_share`; None if it is of a version that does not.
    """
    moved = _moved_corner(profile)
    _check_size(file, profile, tray_middle, alone=moved is not None)
    if moved is not None:
        seen, (x, y), at = moved
        expected = f"a matrix that takes {seen} of tray_px to {at} mm (it gives {x:.1f}, {y:.1f})"
        raise file.wrong("homography", expected, file.values["homography"])
    scale = px_per_mm_of(profile)
    if abs(profile.px_per_mm / scale - 1) > SCALE_TOLERANCE:
        raise file.wrong("px_per_mm", f"about {scale:.3f}, as homography and tray_px say", profile.px_per_mm)
    for name, corners, most in (
        ("tray_px", profile.tray_px, TRAY_OUTSIDE),
        ("rail_px", profile.rail_px or (), RAIL_OUTSIDE),
    ):
        if any(_outside(corner, profile) > most for corner in corners):
            picture = f"corners in a picture of {profile.width_px}x{profile.height_px}"
            raise file.wrong(name, picture, file.values[name])
    if profile.rail_px is not None and plane.holds(profile.rail_px, plane.middle(profile.tray_px)):
        raise file.wrong("rail_px", "a strip beside the tray (it covers the tray's middle)", file.values["rail_px"])


def check_setup(file: TomlFile, table: str, setup: SetUp) -> None:
    """Raise InputError where something was seen of dice without any, or where the unsure ones are no whole number.

    With a digit lost, the share would stand for what is usual at this table, and play would warn always or never.
    """
    if setup.dice == 0 and (setup.unsure_share or setup.die_colours):
        raise file.wrong(f"{table}.dice", "1 or more, as unsure_share and die_colours tell of dice", setup.dice)
    unsure = round(setup.unsure_share * setup.dice)
    if abs(setup.unsure_share * setup.dice - unsure) > SHARE_TOLERANCE * setup.dice:
        nearest = f"{unsure} of {setup.dice} dice, which is {unsure / setup.dice:.4g}"
        raise file.wrong(f"{table}.unsure_share", nearest, setup.unsure_share)


def middle_share(profile: Profile) -> Point:
    """Return where the middle of the tray is seen, in shares of the picture's width and height."""
    x, y = plane.middle(profile.tray_px)
    return x / profile.width_px, y / profile.height_px


def check_rail(file: TomlFile, profile: Profile, name: str) -> None:
    """Raise InputError where the rail does not lie where the line of this name says, see `rail_share`."""
    if name not in file.values:
        raise file.missing(name, "[number, number], or [] without a rail")
    shares, sizes = rail_share(profile), (profile.width_px, profile.height_px)
    said = numbers(file, name, 2, RAIL_SHARE) if file.values[name] != [] else ()
    if not said and shares:
        raise file.wrong(name, f"[{shares[0]:.6f}, {shares[1]:.6f}], as rail_px says", [])
    off = any(abs(share - at) * size > RAIL_TOLERANCE_PX for share, at, size in zip(shares, said, sizes, strict=False))
    if len(shares) < len(said) or off:
        x, y = (share * size for share, size in zip(said, sizes, strict=True))
        line = file.lines.get(name, "?")
        raise file.wrong(
            "rail_px", f"corners round {x:.0f}, {y:.0f}, as {name} (line {line}) says", file.values["rail_px"]
        )


def rail_share(profile: Profile) -> tuple[float, ...]:
    """Return the mean of the rail's corners, in shares of the picture's width and height; empty without a rail."""
    corners = profile.rail_px or ()
    sizes = (profile.width_px, profile.height_px) if corners else ()
    return tuple(sum(corner[axis] for corner in corners) / len(corners) / size for axis, size in enumerate(sizes))


def px_per_mm_of(profile: Profile) -> float:
    """Return pixels per mm in the middle of the tray, as the homography says."""
    lens = lens_of(profile)
    middle = plane.middle(cast("Quad", tuple(lens.straight(corner) for corner in profile.tray_px)))
    return 1 / (plane.scale(profile.homography, middle) * lens.stretch(lens.seen(middle)))


def lens_of(profile: Profile) -> Lens:
    """Return the lens that the profile's pictures were taken with."""
    return Lens(profile.width_px, profile.height_px, profile.lens_bend)


def _moved_corner(profile: Profile) -> tuple[Point, Point, Point] | None:
    """Return the first corner that the homography does not carry to its place: seen, carried to, its place, or None."""
    lens, (wide, high) = lens_of(profile), profile.tray_mm
    places: Quad = (0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high)
    for seen, at in zip(profile.tray_px, places, strict=True):
        straight = lens.straight(seen)
        x, y = plane.to_plane(profile.homography, straight)
        mm_per_px = min(plane.scale(profile.homography, straight), max(profile.tray_mm) / profile.width_px)
        if not hypot(x - at[0], y - at[1]) <= CORNER_TOLERANCE_PX * mm_per_px:
            return seen, (x, y), at
    return None


def _check_size(file: TomlFile, profile: Profile, tray_middle: Point | None, *, alone: bool) -> None:
    """Raise InputError for a width or height that puts the tray's middle elsewhere in the picture.

    alone: only if one of the two does: with a corner moved as well it is tray_px that is wrong.
    """
    if tray_middle is None:
        return
    sizes = ("width_px", profile.width_px), ("height_px", profile.height_px)
    middle = plane.middle(profile.tray_px)
    off = [axis for axis in (0, 1) if abs(tray_middle[axis] * sizes[axis][1] - middle[axis]) > MIDDLE_TOLERANCE_PX]
    if off and not (alone and len(off) == len(sizes)):
        name, size = sizes[off[0]]
        share = tray_middle[off[0]]
        fitting = f"about {middle[off[0]] / share:.0f}" if share > 0 else "another"
        line = file.lines.get("tray_middle", "?")
        raise file.wrong(name, f"{fitting}, as tray_px and tray_middle (line {line}) say", size)


def _outside(corner: Point, profile: Profile) -> float:
    """Return how far outside the picture a corner lies, in shares of its size; below 0 inside."""
    sizes = profile.width_px, profile.height_px
    return max(abs(at / size - 0.5) - 0.5 for at, size in zip(corner, sizes, strict=True))


def whole(file: TomlFile, name: str, limits: tuple[int, int]) -> int:
    """Return a whole number of the file; name: "key" or "table.key"; raises InputError as all below."""
    value = number(file, name, limits)
    if not value.is_integer():
        raise file.wrong(name, f"a whole number from {limits[0]} to {limits[1]}", value)
    return int(value)


def truth(file: TomlFile, name: str) -> bool:
    """Return a truth value of the file."""
    if name not in file.values:
        raise file.missing(name, "true or false")
    value = file.values[name]
    if not isinstance(value, bool):
        raise file.wrong(name, "true or false", value)
    return value


def number(file: TomlFile, name: str, limits: tuple[float, float]) -> float:
    """Return a number of the file; name: "key" or "table.key"."""
    least, most = limits
    table, _, key = name.rpartition(".")
    values = file.table(table) if table else file.values
    if key not in values:
        raise file.missing(name, f"a number from {least} to {most}")
    value = values[key]
    if not _is_number(value) or not least <= value <= most:
        raise file.wrong(name, f"a number from {least} to {most}", value)
    return float(value)


def numbers(file: TomlFile, name: str, count: int, limits: tuple[float, float]) -> tuple[float, ...]:
    """Return so many numbers."""
    least, most = limits
    expected = f"[{', '.join(['number'] * count)}], each from {least} to {most}"
    if name not in file.values:
        raise file.missing(name, expected)
    value = file.values[name]
    if not _is_row(value, count) or not all(least <= number <= most for number in value):
        raise file.wrong(name, expected, value)
    return tuple(map(float, value))


def rows(file: TomlFile, name: str, count: int, width: int) -> tuple[tuple[float, ...], ...]:
    """Return so many rows of numbers, each of this width."""
    expected = f"{count} rows of {width} numbers, [[..], ..]"
    if name not in file.values:
        raise file.missing(name, expected)
    value = file.values[name]
    if not isinstance(value, list) or len(value) != count or not all(_is_row(row, width) for row in value):
        raise file.wrong(name, expected, value)
    return tuple(tuple(map(float, row)) for row in value)


def quad(file: TomlFile, name: str) -> Quad:
    """Return four corners without `plane.fault`."""
    corners = cast("Quad", rows(file, name, 4, 2))
    if fault := plane.fault(corners):
        raise file.wrong(name, f"four corners, clockwise; {fault}", file.values[name])
    return corners


def _is_row(value: object, width: int) -> bool:
    return isinstance(value, list) and len(value) == width and all(_is_number(number) for number in value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and -LARGEST <= value <= LARGEST
