"""`tabletop doctor`: check each part of the table and print its state, measurements and remedies."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from tabletop.cameras.opening import open_camera
from tabletop.cli.wiring import args, devices
from tabletop.config.hooks import Hook
from tabletop.core import checks, errors
from tabletop.doctor import collect, lights
from tabletop.doctor.camera import SeenCamera, watched
from tabletop.store import default_path

FAULT_STATUS = 1
WATCH_S = 4.0  # a second to measure the light, and three seconds of frames
VIDEO_DEVICE = "dev/video0"  # the first USB camera


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments that docs/commands.md lists."""
    parser.add_argument("--camera", metavar="usb:N|pi|FILE|none", help="which camera (default: as configured)")
    parser.add_argument("--buttons", metavar="gpio|none", help="which buttons (default: as configured)")
    parser.add_argument("--screen", metavar="ssd1306|sh1106|none", help="which display (default: as configured)")
    parser.add_argument("--profile", type=Path, metavar="FILE", help="a calibrated set-up (`tabletop calibrate`)")
    parser.add_argument("--store", type=Path, metavar="FILE", help="file of matches (default: the usual place)")
    parser.add_argument("--config", type=Path, metavar="FILE", help="configuration file (default: the usual one)")
    parser.add_argument("--json", action="store_true", help="write all checks as one JSON array")


def run(options: argparse.Namespace) -> int:
    """Run all checks; status 0 if nothing is wrong, 1 if something is. Raises InputError for invalid options."""
    args.check_store(options)
    if options.config is not None and not options.config.is_file():
        raise errors.InputError(f"expected a file after --config, got none: {options.config}")
    configured = collect.configured_or_empty(options.config)
    table = checks.CheckedTable(
        options.camera or configured.camera or _usual_camera(),
        options.buttons or configured.buttons or "auto",
        options.screen or configured.screen or "auto",
        views=configured.views,
    )
    devices.check_devices(table.buttons, table.screen)
    profile = _profile(options.profile or configured.profile, table.camera)
    files = collect.Files(options.store or default_path(), options.config, profile)
    options.places = {} if options.camera else configured.places
    with args.naming_line(options, "camera"):
        seen = _watched(table.camera, configured.hooks)
    found = collect.checks(table, files, seen, datetime.now(tz=UTC))
    sys.stdout.write(f"{json.dumps([_as_json(check) for check in found])}\n" if options.json else _text(found))
    return FAULT_STATUS if collect.faults(found) else 0


def _profile(word: Path | None, camera: str) -> Path | None:
    """Return the profile's file that `play` would take; a word that means none as it is, for a line of its own."""
    try:
        return args.profile_file(word) or args.usual_setup(camera)
    except errors.InputError:
        return word


def _usual_camera() -> str:
    return "usb:0" if (Path("/") / VIDEO_DEVICE).exists() else "auto"


def _watched(word: str, hooks: Sequence[Hook]) -> SeenCamera:
    """Watch a camera for some seconds, and whether it sees the lights. Raises InputError for a word that means none."""
    if word in ("auto", *collect.NOT_LIVE):
        return SeenCamera()
    try:
        camera = open_camera(word)
    except errors.DeviceError as error:
        return SeenCamera(trouble=str(error), holder=error.holder)
    try:
        seen = watched(camera, WATCH_S)
        return replace(seen, lights=tuple(lights.light_checks(hooks, camera))) if camera.live and seen.figures else seen
    finally:
        camera.close()


def _as_json(check: checks.Check) -> dict[str, str | bool | None]:
    return {
        "part": check.part,
        "check": check.name,
        "found": check.found,
        "right": check.right,
        "figure": check.figure,
        "remedy": check.remedy,
    }


def _text(found: Sequence[checks.Check]) -> str:
    """Return the checks as lines, each part under its name, what to do below what is wrong."""
    lines = list[str]()
    width = max(len(check.name) for check in found)
    part = ""
    for check in found:
        if check.part != part:
            part = check.part
            lines.append(part)
        mark = {True: "right", False: "WRONG", None: "-"}[check.right]
        lines.append(f"  {mark:<5}  {check.name:<{width}}  {check.figure}".rstrip())
        if check.remedy:
            lines.append(f"         {'':<{width}}  -> {check.remedy}")
    wrong = sum(check.right is False for check in found)
    lines.append("")
    if any(check.right is None for check in found):
        lines.append("- is no fault: it is not there and not asked for, or nobody can tell")
    things = "thing is" if wrong == 1 else "things are"
    lines.append(f"{wrong} {things} wrong: see ->" if wrong else "nothing is wrong")
    return "\n".join(lines) + "\n"
