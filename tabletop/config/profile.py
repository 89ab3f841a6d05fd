"""The profile: read from and written to its file, and what it makes of a reading."""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, cast

from tabletop.config import plane
from tabletop.config.plane import BENDS, Lens
from tabletop.config.profile_check import (
    SHARE,
    SHARE_DIGITS,
    check_agreement,
    check_rail,
    check_setup,
    lens_of,
    middle_share,
    number,
    numbers,
    quad,
    rail_share,
    rows,
    truth,
    whole,
)
from tabletop.core.errors import InputError
from tabletop.core.toml_file import TomlFile, read_toml
from tabletop.core.values import Die, Point, Profile, Quad, Reading, SetUp, Unsure, Where

VERSION = 5  # of the file's form: the first had neither a bend of the lens nor what was seen at the set-up
# That are read; the second did not know whether pips are light or dark, the third had none of _CHECKS, the fourth not
# the rail's.
VERSIONS = (1, 2, 3, 4, VERSION)
_CHECKED_SINCE, _RAIL_CHECKED_SINCE = 4, 5
TRAY_MM = (20.0, 3000.0)  # from a matchbox to a table: what a side of the tray may measure
DIE_MM = (4.0, 60.0)  # from the smallest dice sold to foam dice for children
PICTURE_PX = (16, 20_000)
SHAPE_TOLERANCE = 0.01  # 1640x1232 and 640x480 are the same picture, to the rounding of their sizes

LIGHT_LEVEL = (1.0, 255.0)  # in a black picture nothing is found to calibrate by, and everything is brighter later
MOST_ERROR_MM = 0.5  # of the markers: a profile that fits worse replaces none, so none is written with more
ERROR_MM = (0.0, MOST_ERROR_MM)
DICE = (0, 1000)
PIPS = ("light", "dark", "")  # by the body; empty: not seen

REMEDY = "; write it as it was, or make the profile again with `tabletop calibrate`"
MAKE_ONE = "; `tabletop calibrate` makes one"
SETUP = "setup"  # the table of what was seen when the profile was made
_LATER = ("lens_bend", SETUP)  # what the first version had not
_RAIL_CHECK = "rail_middle"
# Follow from the rest: a wrong size, a corner of the rail that moved, and an end that is missing, show by them.
_CHECKS = ("tray_middle", _RAIL_CHECK, "setup_seen")
_NAMES = ("version", *(field.name for field in fields(Profile)))
_SETUP_NAMES = tuple(field.name for field in fields(SetUp))

# The file as it is written: comments, and the fields below each.
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
    """Read a profile; raises InputError naming the file, the line, what belongs there and what to do."""
    try:
        return _checked(read_toml(path, whole=True))
    except InputError as error:
        raise InputError(f"{error}{REMEDY if path.exists() else MAKE_ONE}") from None


def _checked(file: TomlFile) -> Profile:
    if stray := [name for name in _SETUP_NAMES if name in file.values]:
        raise InputError(f"{file.place(stray[0])}: expected the line [{SETUP}] above {stray[0]}; there is none")
    file.check_names((*_NAMES, *_CHECKS))
    if "version" not in file.values:
        raise file.missing("version", f"{VERSION}")
    version = file.values["version"]
    if version not in VERSIONS or isinstance(version, bool):
        newest = f"{VERSION} at most (a newer program made this; bring tabletop up to date)"
        raise file.wrong("version", newest if _is_later(version) else f"{VERSION}", version)
    if later := [name for name in _later_than(version) if name in file.values]:
        raise file.wrong("version", f"{VERSION}, as the line {later[0]} belongs to it", version)
    rail_is_there = "rail_px" in file.values if version == 1 else file.values.get("rail_px") != []
    profile = Profile(
        width_px=whole(file, "width_px", PICTURE_PX),
        height_px=whole(file, "height_px", PICTURE_PX),
        tray_px=quad(file, "tray_px"),
        tray_mm=cast("tuple[float, float]", numbers(file, "tray_mm", 2, TRAY_MM)),
        homography=cast("Any", rows(file, "homography", 3, 3)),
        px_per_mm=number(file, "px_per_mm", (0.01, 1000.0)),
        die_mm=number(file, "die_mm", DIE_MM),
        rail_px=quad(file, "rail_px") if rail_is_there else None,
        lens_bend=0.0 if version == 1 else number(file, "lens_bend", BENDS),
        setup=_setup(file, knows_pips=version > 2) if _has_setup(file, version) else None,  # noqa: PLR2004 - see VERSIONS
    )
    middle = cast("Point", numbers(file, "tray_middle", 2, SHARE)) if version >= _CHECKED_SINCE else None
    check_agreement(file, profile, middle)
    if version >= _RAIL_CHECKED_SINCE:
        check_rail(file, profile, _RAIL_CHECK)
    return profile


def _later_than(version: int) -> tuple[str, ...]:
    """Return the names that a file of this version has not."""
    if version >= _RAIL_CHECKED_SINCE:
        return ()
    checks = _CHECKS if version < _CHECKED_SINCE else (_RAIL_CHECK,)
    return (*checks, *_LATER) if version == 1 else checks


def _is_later(version: object) -> bool:
    return isinstance(version, int) and version > VERSION


def _has_setup(file: TomlFile, version: int) -> bool:
    """Return whether the table of the set-up is there; raises InputError if the file says otherwise."""
    there = SETUP in file.values
    if version >= _CHECKED_SINCE and truth(file, "setup_seen") != there:
        raise file.wrong("setup_seen", f"{str(there).lower()}, or the lines from [{SETUP}] on", not there)
    return there


def _setup(file: TomlFile, *, knows_pips: bool) -> SetUp:
    """Return what was seen at the set-up: a table in which every line must be there."""
    file.table(SETUP)
    file.check_names(_SETUP_NAMES if knows_pips else _SETUP_NAMES[:-1], SETUP)
    lists = _SETUP_NAMES[-2:] if knows_pips else _SETUP_NAMES[-2:-1]
    if missing := [name for name in lists if name not in file.table(SETUP)]:
        raise file.missing(f"{SETUP}.{missing[0]}", 'words, ["..."]')
    colours = file.table(SETUP)["die_colours"]
    if not isinstance(colours, list) or not all(isinstance(colour, str) and colour for colour in colours):
        raise file.wrong(f"{SETUP}.die_colours", 'colours, ["white", "red"]', colours)
    if len(set(colours)) < len(colours):
        raise file.wrong(f"{SETUP}.die_colours", "each colour once", colours)
    pips = file.table(SETUP)["die_pips"] if knows_pips else [""] * len(colours)
    if not isinstance(pips, list) or len(pips) not in (0, len(colours)) or any(pip not in PIPS for pip in pips):
        raise file.wrong(f"{SETUP}.die_pips", 'one of "light", "dark" or "" for each of die_colours', pips)
    setup = SetUp(
        light_level=number(file, f"{SETUP}.light_level", LIGHT_LEVEL),
        marker_error_mm=number(file, f"{SETUP}.marker_error_mm", ERROR_MM),
        dice=whole(file, f"{SETUP}.dice", DICE),
        unsure_share=number(file, f"{SETUP}.unsure_share", SHARE),
        die_colours=tuple(colours),
        die_pips=tuple(pips),
    )
    check_setup(file, SETUP, setup)
    return setup


def save_profile(profile: Profile, path: Path) -> None:
    """Write a profile so that `load_profile` gives the same again; raises InputError if that cannot be.

    The file is replaced at once: whoever stops this has the old one or the new one.
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
    middle, rail = ([round(share, SHARE_DIGITS) for share in at(profile)] for at in (middle_share, rail_share))
    checks = {"tray_middle": middle, _RAIL_CHECK: rail, "setup_seen": profile.setup is not None}
    for comment, names in _LAYOUT:
        lines += ["", f"# {comment}"]
        values = {name: checks[name] if name in checks else getattr(profile, name) for name in names}
        lines += [f"{name} = {_toml([] if value is None else value)}" for name, value in values.items()]
    if profile.setup is not None:
        lines += ["", "# What was seen when it was made; later pictures are compared with it.", f"[{SETUP}]"]
        lines += [f"{name} = {_toml(getattr(profile.setup, name))}" for name in _SETUP_NAMES]
    return "\n".join(lines) + "\n"


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
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)  # TOML's basic strings are JSON's
    return f"[{', '.join(map(_toml, value))}]" if isinstance(value, Sequence) else str(value)
