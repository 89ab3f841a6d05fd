"""`tabletop read`: the dice in photographs, as a table for people or one JSON line a photograph."""

import argparse
import json
import math
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabletop.errors import InputError

if TYPE_CHECKING:
    from tabletop.dice import Profile, Reading

HELP = "read the dice in photographs"

DIE_PX = (4.0, 4000.0)  # edge of a die that a hint may name
EXPECT = (0, 100)
BAD_INPUT_STATUS = 2
MS_PER_S = 1000.0


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="photographs")
    parser.add_argument("--json", action="store_true", help="one JSON object a photograph, on one line")
    parser.add_argument(
        "--die-px", type=_die_px, metavar="N", help="about the edge of a die in pixels (0.6 to 1.8 times)"
    )
    parser.add_argument("--expect", type=_expect, metavar="N", help="how many dice there should be")
    parser.add_argument(
        "--profile", type=Path, metavar="FILE", help="a calibrated set-up: gives millimetres, tray or rail"
    )


def run(options: argparse.Namespace) -> int:
    """Read each photograph; those that are no pictures cost one line on standard error each and status 2."""
    from tabletop.vision.cells import shipped  # noqa: PLC0415 - heavy imports wait until a picture is read

    profile = _profile(options.profile)
    shipped()
    status = 0
    for name in options.files:
        try:
            reading, spent_ms = _read(name, options, profile)
        except InputError as error:
            sys.stderr.write(f"tabletop read: {' '.join(str(error).split())}\n")
            status = BAD_INPUT_STATUS
            continue
        text = json.dumps(as_json(name, reading, spent_ms)) if options.json else as_table(name, reading, spent_ms)
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    return status


def as_json(name: str, reading: "Reading", spent_ms: float) -> dict[str, Any]:
    """Return contract 1's object; with a profile it also says the unit and where each die lies."""
    placed = reading.unit == "mm"
    dice = [
        {"face": die.face, **_place(die.x, die.y, die.size), "angle": round(die.angle, 1) % 90, "colour": die.colour,
         "confidence": die.confidence, **({"where": die.where} if placed else {})}
        for die in reading.dice
    ]  # fmt: skip
    unsure = [
        {**_place(one.x, one.y, one.size), "reason": one.reason, **({"where": one.where} if placed else {})}
        for one in reading.unsure
    ]
    size = {"width": reading.width, "height": reading.height, "ms": round(spent_ms, 1)}
    return {"file": name, **size, **({"unit": "mm"} if placed else {}), "dice": dice, "unsure": unsure}


def as_table(name: str, reading: "Reading", spent_ms: float) -> str:
    """Return the same for people: a line for the photograph and one for each die."""
    faces = " ".join(str(die.face) for die in sorted(reading.dice, key=lambda die: die.face)) or "no dice"
    doubt = f", {len(reading.unsure)} unsure" if reading.unsure else ""
    lines = [f"{name}: {faces}{doubt}  ({reading.width}x{reading.height}, {spent_ms:.0f} ms)"]
    for die in reading.dice:
        where = f"  {die.where}" if reading.unit == "mm" else ""
        lines.append(
            f"  {die.face}  at {die.x:7.1f} {die.y:7.1f}  edge {die.size:6.1f} {reading.unit}  turned {die.angle:4.1f}"
            f"  {die.colour:<9} {die.confidence:4.0%}{where}"
        )
    lines += [
        f"  ?  at {one.x:7.1f} {one.y:7.1f}  edge {one.size:6.1f} {reading.unit}  {one.reason}"
        for one in reading.unsure
    ]
    return "\n".join(lines)


def _place(x: float, y: float, size: float) -> dict[str, float]:
    return {"x": round(x, 1), "y": round(y, 1), "size": round(size, 1)}


def _read(name: str, options: argparse.Namespace, profile: "Profile | None") -> tuple["Reading", float]:
    from tabletop.config.profile import die_px, place  # noqa: PLC0415
    from tabletop.vision.eye import read  # noqa: PLC0415
    from tabletop.vision.pictures import open_picture  # noqa: PLC0415

    frame = open_picture(Path(name))
    height, width = frame.shape[:2]
    hint = options.die_px
    if profile is not None and hint is None:
        hint = die_px(profile, width, height)
    begun = time.perf_counter()
    reading = read(frame, die_px=hint, expect=options.expect)
    if profile is not None:
        reading = place(reading, profile)
    return reading, (time.perf_counter() - begun) * MS_PER_S


def _profile(path: Path | None) -> "Profile | None":
    if path is None:
        return None
    from tabletop.config.profile import load_profile  # noqa: PLC0415

    return load_profile(path)


def _die_px(text: str) -> float:
    least, most = DIE_PX
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not least <= value <= most:
        raise argparse.ArgumentTypeError(f"expected pixels from {least:g} to {most:g}, got {text!r}")
    return value


def _expect(text: str) -> int:
    least, most = EXPECT
    if not text.isascii() or not text.isdigit() or not least <= int(text[:9]) <= most:
        raise argparse.ArgumentTypeError(f"expected a number of dice from {least} to {most}, got {text!r}")
    return int(text)
