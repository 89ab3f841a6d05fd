"""The profile: read from and written to its file, and applied to readings.

Set-ups have names: "home", "club", each a profile NAME.toml in one folder. Beside it are NAME.previous.toml, the one
before the last calibration, and NAME.unreadable.toml, one that the last calibration could not read.
"""

import json
import os
import re
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields, replace
from math import hypot
from pathlib import Path
from typing import Any, cast

from tabletop.config import plane
from tabletop.config.plane import BENDS, Lens
from tabletop.core.errors import InputError
from tabletop.core.toml_file import TomlFile, read_toml
from tabletop.core.values import Die, Point, Profile, Quad, Reading, SetUp, Unsure, Where

VERSION = 5  # of the file's form; all earlier ones are read
SETUP = "setup"  # the table of what was seen when the profile was made
# Follow from the rest: a corner that moved, and an end that is missing, show by them. Earlier versions have fewer.
_CHECKS = ("tray_middle", "rail_middle", "setup_seen")
TRAY_MM = (20.0, 3000.0)  # from a matchbox to a table: what a side of the tray may measure
DIE_MM = (4.0, 60.0)  # from the smallest dice sold to foam dice for children
PICTURE_PX = (16, 20_000)
PX_PER_MM = (0.01, 1000.0)
LARGEST = 1e9  # of any number: beyond it is a slip of the hand, and sums would lose digits
SHAPE_TOLERANCE = 0.01  # 1640x1232 and 640x480 are the same picture, to the rounding of their sizes
LIGHT_LEVEL = (1.0, 255.0)  # in a black picture nothing is found to calibrate by, and everything is brighter later
MOST_ERROR_MM = 1.0  # of the markers: calibration refuses a mat that fits worse
ERROR_MM = (0.0, MOST_ERROR_MM)
DICE = (0, 1000)
SHARE = (0.0, 1.0)
LIGHT, DARK = "light", "dark"  # pips, by the body

# Values are written to the last bit. So much is left for people who round corners to whole pixels.
CORNER_TOLERANCE_PX = 1.5  # largest error of the homography at a corner
MIDDLE_TOLERANCE_PX = 0.5  # of the middles of tray and rail: one number of the rail may be off by 2
SHARE_DIGITS = 6  # of the centres as written: to 0.02 px of the largest picture

FOLDER = "setups"  # beside the matches
SUFFIX, PREVIOUS, UNREADABLE = ".toml", ".previous", ".unreadable"
USUAL = "table"  # the set-up of a table that has only one
SETUP_NAME = re.compile(r"[\w-]{1,40}")  # letters, digits, hyphens: a name becomes a file

REMEDY = "; write it as it was, or make the profile again with `tabletop calibrate`"
MAKE_ONE = "; `tabletop calibrate` makes one"
_NAMES = ("version", *(field.name for field in fields(Profile)), *_CHECKS)
_SETUP_NAMES = tuple(field.name for field in fields(SetUp))

# The layout of the file: comments, and the fields below each.
_LAYOUT: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("The camera's pictures, and how much its lens bends them.", ("width_px", "height_px", "lens_bend")),
    (
        "Corners in such a picture, clockwise; the tray's first is where the millimetres begin. No rail is [].",
        ("tray_px", "rail_px"),
    ),
    (
        "The tray between its corners, and the matrix from pixels to millimetres on its ground.",
        ("tray_mm", "homography", "px_per_mm"),
    ),
    ("The edge of the dice.", ("die_mm",)),
    (
        "Checks of the rest: where tray and rail lie, in shares of the picture, and whether [setup] ends the file.",
        _CHECKS,
    ),
)


def load_profile(path: Path) -> Profile:
    """Read a profile; raises InputError naming the file, the line, the expected value and a remedy."""
    try:
        return _checked(read_toml(path))
    except InputError as error:
        raise InputError(f"{error}{REMEDY if path.exists() else MAKE_ONE}") from None


def _checked(file: TomlFile) -> Profile:
    file.check_names(_NAMES, elsewhere=dict.fromkeys(_SETUP_NAMES, SETUP))
    if "version" not in file.values:
        raise file.missing("version", f"{VERSION}")
    version = file.values["version"]
    if type(version) is not int or not 1 <= version <= VERSION:
        newer = f"{VERSION} at most (a newer program made this; bring tabletop up to date)"
        raise file.wrong("version", newer if type(version) is int and version > VERSION else f"{VERSION}", version)
    profile = Profile(
        width_px=_whole(file, "width_px", PICTURE_PX),
        height_px=_whole(file, "height_px", PICTURE_PX),
        tray_px=_quad(file, "tray_px"),
        tray_mm=_numbers(file, "tray_mm", (2,), TRAY_MM),
        homography=_numbers(file, "homography", (3, 3)),
        px_per_mm=_numbers(file, "px_per_mm", (), PX_PER_MM),
        die_mm=_numbers(file, "die_mm", (), DIE_MM),
        rail_px=_quad(file, "rail_px") if file.values.get("rail_px") not in (None, []) else None,
        lens_bend=_numbers(file, "lens_bend", (), BENDS) if "lens_bend" in file.values else 0.0,
        setup=_setup(file) if SETUP in file.values else None,
    )
    _check_agreement(file, profile)
    return profile


def _setup(file: TomlFile) -> SetUp:
    """Return what was seen at the set-up: a table in which every number must be there."""
    table = file.table(SETUP)
    file.check_names(_SETUP_NAMES, SETUP)
    colours = table.get("die_colours", [])
    if not isinstance(colours, list) or not all(isinstance(colour, str) and colour for colour in colours):
        raise file.wrong(f"{SETUP}.die_colours", 'colours, ["white", "red"]', colours)
    pips = table.get("die_pips", [""] * len(colours))
    if (
        not isinstance(pips, list)
        or len(pips) not in (0, len(colours))
        or any(pip not in (LIGHT, DARK, "") for pip in pips)
    ):
        raise file.wrong(f"{SETUP}.die_pips", 'one of "light", "dark" or "" for each of die_colours', pips)
    return SetUp(
        light_level=_numbers(file, f"{SETUP}.light_level", (), LIGHT_LEVEL),
        marker_error_mm=_numbers(file, f"{SETUP}.marker_error_mm", (), ERROR_MM),
        dice=_whole(file, f"{SETUP}.dice", DICE),
        unsure_share=_numbers(file, f"{SETUP}.unsure_share", (), SHARE),
        die_colours=tuple(colours),
        die_pips=tuple(pips),
    )


def _check_agreement(file: TomlFile, profile: Profile) -> None:
    """Raise InputError if lines that are right alone contradict one another."""
    lens, (wide, high) = lens_of(profile), profile.tray_mm
    places: Quad = (0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high)
    for seen, at in zip(profile.tray_px, places, strict=True):
        straight = lens.straight(seen)
        x, y = plane.to_plane(profile.homography, straight)
        mm_per_px = min(plane.scale(profile.homography, straight), max(profile.tray_mm) / profile.width_px)
        if not hypot(x - at[0], y - at[1]) <= CORNER_TOLERANCE_PX * mm_per_px:
            expected = f"a matrix that takes {seen} of tray_px to {at} mm (it gives {x:.1f}, {y:.1f})"
            raise file.wrong("homography", expected, file.values["homography"])
    if profile.rail_px is not None and plane.holds(profile.rail_px, plane.middle(profile.tray_px)):
        raise file.wrong("rail_px", "a strip beside the tray (it covers the tray's middle)", file.values["rail_px"])
    for check, right in _checks(profile).items():
        said = file.values.get(check, right)
        if not _agree(said, right, profile):
            raise file.wrong(check, f"{_toml(right)}, by the other lines (one was changed)", said)


def _checks(profile: Profile) -> dict[str, list[float] | bool]:
    """Return what the lines of _CHECKS say of a profile.

    tray_middle, rail_middle: in shares of the picture's width and height; the latter the mean of the corners, empty
    without a rail. setup_seen: whether [setup] is there.
    """
    sizes = profile.width_px, profile.height_px
    rail = [sum(axis) / len(axis) for axis in zip(*(profile.rail_px or ()), strict=True)]
    middles = (
        [round(at / size, SHARE_DIGITS) for at, size in zip(point, sizes, strict=False)]
        for point in (plane.middle(profile.tray_px), rail)
    )
    return dict(zip(_CHECKS, (*middles, profile.setup is not None), strict=True))


def _agree(said: object, expected: list[float] | bool, profile: Profile) -> bool:
    if isinstance(expected, bool):
        return said is expected
    shares = _of_shape(said, (len(expected),), (-LARGEST, LARGEST))
    sizes = (profile.width_px, profile.height_px)
    return shares is not None and all(
        abs(one - other) * size <= MIDDLE_TOLERANCE_PX
        for one, other, size in zip(shares, expected, sizes, strict=False)
    )


def lens_of(profile: Profile) -> Lens:
    """Return the lens of the profile's pictures."""
    return Lens(profile.width_px, profile.height_px, profile.lens_bend)


def _whole(file: TomlFile, name: str, limits: tuple[int, int]) -> int:
    value = _numbers(file, name, (), limits)
    if not value.is_integer():
        raise file.wrong(name, f"a whole number from {limits[0]} to {limits[1]}", value)
    return int(value)


def _quad(file: TomlFile, name: str) -> Quad:
    """Return four corners without `plane.fault`."""
    corners: Quad = _numbers(file, name, (4, 2))
    if fault := plane.fault(corners):
        raise file.wrong(name, f"four corners, clockwise; {fault}", file.values[name])
    return corners


def _numbers(
    file: TomlFile, name: str, shape: tuple[int, ...], limits: tuple[float, float] = (-LARGEST, LARGEST)
) -> Any:  # noqa: ANN401 - a number, or tuples of this shape
    """Return the number or numbers of this key ("key" or "table.key"): a float for (), for (4, 2) tuples of tuples."""
    table, _, key = name.rpartition(".")
    values = file.table(table) if table else file.values
    each = f"from {limits[0]} to {limits[1]}"
    expected = f"{' rows of '.join(map(str, shape))} numbers in brackets, each {each}" if shape else f"a number {each}"
    if key not in values:
        raise file.missing(name, expected)
    found = _of_shape(values[key], shape, limits)
    if found is None:
        raise file.wrong(name, expected, values[key])
    return found


def _of_shape(value: object, shape: tuple[int, ...], limits: tuple[float, float]) -> Any:  # noqa: ANN401 - the same
    """Return a value as floats in tuples of this shape, None if it is anything else."""
    if not shape:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return float(cast("float", value)) if is_number and limits[0] <= cast("float", value) <= limits[1] else None
    if not isinstance(value, list) or len(value) != shape[0]:
        return None
    parts = tuple(_of_shape(part, shape[1:], limits) for part in value)
    return None if None in parts else parts


def save_profile(profile: Profile, path: Path) -> None:
    """Write a profile that `load_profile` reads back; raises InputError on failure.

    The file is replaced atomically: after an interruption it is either the old or the new one.
    """
    beside = path.with_name(f".{path.name}.new")
    try:
        with beside.open("w", encoding="utf-8") as file:
            file.write(as_text(profile))
            file.flush()
            os.fsync(file.fileno())
        _checked(read_toml(beside))
        beside.replace(path)
    except (OSError, InputError) as error:
        with suppress(OSError):
            beside.unlink()
        if isinstance(error, InputError):
            reason = f"expected a profile that can be read again; calibrate once more ({error})"
            raise InputError(f"{path}: {reason}") from None
        raise InputError(f"{path}: expected a place to write the profile to: {error.strerror}") from None


def as_text(profile: Profile) -> str:
    """Return the text of the profile's file."""
    lines = ["# A profile of one set-up of camera and tray, made by `tabletop calibrate`.", f"version = {VERSION}"]
    checks = _checks(profile)
    for comment, names in _LAYOUT:
        lines += ["", f"# {comment}"]
        lines += [f"{name} = {_toml(checks[name] if name in checks else getattr(profile, name))}" for name in names]
    if profile.setup is not None:
        lines += ["", "# What was seen when it was made; later pictures are compared with it.", f"[{SETUP}]"]
        lines += [f"{name} = {_toml(getattr(profile.setup, name))}" for name in _SETUP_NAMES]
    return "\n".join(lines) + "\n"


def place(reading: Reading, profile: Profile) -> Reading:
    """Convert a reading to millimetres, with each die marked as in the tray, on the rail or outside.

    A frame of another size but the same shape is the same view; another shape raises InputError. Where tray and rail
    overlap, the rail wins. Half a die beyond the border still counts as the tray: the top face of a die that leans on
    the wall is seen that much further out. A reading in millimetres is returned unchanged.
    """
    if reading.unit == "mm":
        return reading
    zoom = _zoom(profile, reading.width, reading.height)
    dice = tuple(cast("Die", _placed(die, profile, zoom)) for die in reading.dice)
    unsure = tuple(cast("Unsure", _placed(thing, profile, zoom)) for thing in reading.unsure)
    return replace(reading, dice=dice, unsure=unsure, unit="mm", tray=profile.tray_mm)


def die_px(profile: Profile, width: int, height: int) -> float:
    """Return the edge of a die at the centre of the tray, in pixels of a frame of this size (see `place`)."""
    return profile.die_mm * profile.px_per_mm / _zoom(profile, width, height)


def _placed(seen: Die | Unsure, profile: Profile, zoom: float) -> Die | Unsure:
    lens, at = lens_of(profile), (seen.x * zoom, seen.y * zoom)
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


def _zoom(profile: Profile, width: int, height: int) -> float:
    """Return pixels of the profile's pictures for one pixel of a frame of this size."""
    across, down = profile.width_px / width, profile.height_px / height
    if abs(across / down - 1) > SHAPE_TOLERANCE:
        raise InputError(
            f"expected pictures of the profile's shape, {profile.width_px}x{profile.height_px}, got {width}x{height}: "
            "choose that size, or calibrate again with a picture of this one"
        )
    return (across + down) / 2


def _toml(value: object) -> str:
    if value is None:
        return "[]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)  # TOML's basic strings are JSON's
    return f"[{', '.join(map(_toml, value))}]" if isinstance(value, Sequence) else str(value)


def profile_path(word: Path, folder: Path) -> Path:
    """Return the file meant by --profile: an existing file, else the set-up of this name.

    A word with a folder or a suffix is always a file. Raises InputError naming the existing set-ups.
    """
    if not is_name(word):
        return word
    path = folder / f"{word}{SUFFIX}"
    if not path.is_file():
        known = ", ".join(names(folder)) or "none yet"
        raise InputError(
            f"expected a profile's file or the name of a set-up ({known}), got {word}; "
            f"`tabletop calibrate --profile {word}` makes one"
        )
    return path


def is_name(word: Path) -> bool:
    """Return whether a value of --profile is the name of a set-up, and not an existing file."""
    return SETUP_NAME.fullmatch(str(word)) is not None and not word.is_file()


def path_to_write(name: str, folder: Path) -> Path:
    """Return the file of a set-up, existing or not; raises InputError for an invalid name."""
    if not SETUP_NAME.fullmatch(name):
        raise InputError(f"expected a name of letters, digits and hyphens for a set-up, got {name!r}")
    return folder / f"{name}{SUFFIX}"


def names(folder: Path) -> list[str]:
    """Return the names of the set-ups in this folder, sorted; empty if there is no folder."""
    with suppress(OSError):
        stems = (path.stem for path in folder.glob(f"*{SUFFIX}"))
        return sorted(stem for stem in stems if not stem.endswith((PREVIOUS, UNREADABLE)))
    return []


def previous(path: Path) -> Path:
    """Return the path of the previous profile."""
    return path.with_name(f"{path.stem}{PREVIOUS}{path.suffix}")


def unreadable(path: Path) -> Path:
    """Return the path for an unreadable profile, which may still be repaired by hand."""
    return path.with_name(f"{path.stem}{UNREADABLE}{path.suffix}")


def replace_profile(new: Profile, path: Path) -> None:
    """Write a profile, keeping the existing one as `previous`, or as `unreadable` if it cannot be read.

    Raises InputError if nothing can be written; the old profile then stays.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path.parent}: expected a folder for set-ups: {error.strerror}") from None
    if path.is_file():
        try:
            old = load_profile(path)
        except InputError:
            with suppress(OSError):  # the last line reports a full disk
                shutil.copyfile(path, unreadable(path))
        else:
            save_profile(old, previous(path))
    save_profile(new, path)
