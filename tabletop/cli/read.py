"""`tabletop read`: read the dice in photographs; print a table or JSON lines, and draw the results.

Existing files are never overwritten.
"""

import argparse
import json
import math
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from io import BytesIO
from pathlib import Path
from statistics import median
from typing import Any

import cv2
import numpy as np
from PIL import Image

from tabletop.cameras.files import pictures_in
from tabletop.cli.wiring.args import named_profile, next_free, profile_file
from tabletop.config.own_dice import load_own_dice
from tabletop.config.profile import die_px as die_px_of_profile
from tabletop.config.profile import place
from tabletop.core import InputError, Profile, Reading, one_line, printable
from tabletop.core.message import json_reason, reason_text
from tabletop.perception.tray_filter import without_markers
from tabletop.views.photo import Picture, marked
from tabletop.vision import image_io, own_dice, reader

SLASHES = tuple(separator for separator in (os.sep, os.altsep) if separator)
FORMATS = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".webp": "WEBP"}
QUALITY = 92  # of JPEG and WebP: fine lines stay clear
DIE_PX = (4.0, 4000.0)  # edge of a die that a hint may name
EXPECT = (0, 100)
BAD_INPUT_STATUS = 2
MS_PER_S = 1000.0
BLANK_PX = 64  # side of the picture that is read to get ready
LONGEST_PX = 2000  # a larger photograph is searched smaller: in 108 million pixels the search took 90 s, so 2 s
EDGES_PX = (15.0, 22.0, 33.0, 50.0, 75.0, 110.0, 165.0)  # a named size may be off by a half: these leave no gap


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("files", nargs="+", metavar="FILE|FOLDER", help="photographs, or folders of them")
    parser.add_argument("--json", action="store_true", help="one JSON object per photograph, on one line")
    parser.add_argument(
        "--die-px",
        type=_die_px,
        metavar="N",
        help="approximate edge of a die in pixels (0.6 to 1.8 times the true edge)",
    )
    parser.add_argument("--expect", type=_expect, metavar="N", help="how many dice there should be")
    parser.add_argument(
        "--profile", type=Path, metavar="FILE|NAME", help="a calibrated set-up: adds millimetres, and tray or rail"
    )
    parser.add_argument("--dice", type=Path, metavar="FILE", help="also recognise these taught dice (`tabletop dice`)")
    parser.add_argument("--draw", metavar="OUT", help="write the photograph with the result drawn in; "
                        "of several photographs OUT is a folder")  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Read each photograph; each unreadable file gives a line on standard error and status 2."""
    files = [file for name in options.files for file in _photographs(name)]
    profile = named_profile(profile_file(options.profile))
    own = _own_dice(options.dice)
    drawn_path = None if options.draw is None else drawn_paths(options.draw, files)
    reader.read(np.zeros((BLANK_PX, BLANK_PX, 3), np.uint8))  # loads the networks: each time is of reading alone
    status = 0
    for name in files:
        try:
            frame, seen = _read(options, name, profile, own)
            if drawn_path is not None:
                picture = marked(frame, seen)
                del frame  # two pictures of a large photograph in memory are enough
                save(picture, drawn_path(name))
        except InputError as error:
            sys.stderr.write(f"tabletop read: {one_line(error)}\n")
            status = BAD_INPUT_STATUS
    return status


def _read(
    options: argparse.Namespace, name: str, profile: Profile | None, own: own_dice.OwnDice | None
) -> tuple[Picture, Reading]:
    """Read one photograph and report what is in it; return its pixels, and the reading in pixels."""
    frame = image_io.open_picture(Path(name))
    die_px = options.die_px
    if die_px is None and profile is not None:
        height, width = frame.shape[:2]
        die_px = die_px_of_profile(profile, width, height)
    begun = time.perf_counter()
    seen = without_markers(frame, reader.read(frame, die_px=die_px, expect=options.expect, own=own))
    reading = seen if profile is None else place(seen, profile)
    spent_ms = (time.perf_counter() - begun) * MS_PER_S
    lines = [json.dumps(as_json(name, reading, spent_ms)) if options.json else as_table(name, reading, spent_ms)]
    if not options.json and (hint := advice(frame, seen, die_px, options.expect)):
        lines.append(f"  {hint}")
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()
    return frame, seen


def _photographs(name: str) -> list[str]:
    """Return the photographs of a folder by name; itself of a file, and of a folder without any."""
    folder = Path(name)
    return ([str(path) for path in pictures_in(folder)] if folder.is_dir() else []) or [name]


def _own_dice(path: Path | None) -> own_dice.OwnDice | None:
    """Return the taught dice of this file, None if none is named."""
    if path is None:
        return None
    if not (samples := load_own_dice(path)):
        raise InputError(f"{path}: expected a file with dice for --dice, as `tabletop dice export` writes it")
    return own_dice.OwnDice(samples)


def as_json(name: str, reading: Reading, spent_ms: float) -> dict[str, Any]:
    """Return the object that `tabletop read --json` prints; with a profile also the unit and the place of each die."""
    placed = reading.unit == "mm"
    dice = [
        {"face": die.face, **_place(die.x, die.y, die.size), "angle": round(die.angle, 1) % 90, "colour": die.colour,
         "confidence": die.confidence, **({"where": die.where} if placed else {})}
        for die in reading.dice
    ]  # fmt: skip
    unsure = [
        {
            **_place(unsure.x, unsure.y, unsure.size),
            "reason": json_reason(unsure),
            **({"where": unsure.where} if placed else {}),
        }
        for unsure in reading.unsure
    ]
    size = {"width": reading.width, "height": reading.height, "ms": round(spent_ms, 1)}
    return {"file": name, **size, **({"unit": "mm"} if placed else {}), "dice": dice, "unsure": unsure}


def as_table(name: str, reading: Reading, spent_ms: float) -> str:
    """Return the same as text: a line for the photograph and one for each die."""
    faces = " ".join(str(die.face) for die in sorted(reading.dice, key=lambda die: die.face)) or "no dice"
    doubt = f", {len(reading.unsure)} unsure" if reading.unsure else ""
    lines = [f"{printable(name)}: {faces}{doubt}  ({reading.width}x{reading.height}, {spent_ms:.0f} ms)"]
    for die in reading.dice:
        where = f"  {die.where}" if reading.unit == "mm" else ""
        lines.append(
            f"  {die.face}  at {die.x:7.1f} {die.y:7.1f}  edge {die.size:6.1f} {reading.unit}  turned {die.angle:4.1f}"
            f"  {die.colour:<9} {die.confidence:4.0%}{where}"
        )
    lines += [
        f"  ?  at {unsure.x:7.1f} {unsure.y:7.1f}  edge {unsure.size:6.1f} {reading.unit}  {reason_text(unsure)}"
        for unsure in reading.unsure
    ]
    return "\n".join(lines)


def _place(x: float, y: float, size: float) -> dict[str, float]:
    return {"x": round(x, 1), "y": round(y, 1), "size": round(size, 1)}


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


def advice(frame: Picture, reading: Reading, die_px: float | None, expect: int | None) -> str:
    """Return a suggestion what to try next, "" if the reading has dice and none is unsure.

    frame: the photograph, (H, W, 3) uint8 BGR. die_px, expect: the hints given to the reader, None if none. If nothing
    was found, it is read again at several sizes, to suggest a size.
    """
    if reading.dice and not reading.unsure:
        return ""
    if not reading.dice and die_px is None and (edge := _likely_edge(frame, expect)):
        return f"if there are dice, try --die-px {edge:.0f} (the edge of a die in pixels)"
    if not reading.dice and not reading.unsure:
        return "nothing that looks like a die: try --die-px N (the edge of a die in pixels), more light, or from nearer"
    hints = {"--die-px N (the edge of a die in pixels)": die_px, "--expect N (how many dice)": expect}
    missing = [words for words, given in hints.items() if given is None]
    return f"to be surer: try {' and '.join(missing)}" if missing else ""


def _likely_edge(frame: Picture, expect: int | None) -> float | None:
    """Return the edge in pixels with which most dice are found, and most surely; None if there are none with any."""
    scale = max(1.0, max(frame.shape[:2]) / LONGEST_PX)
    small = np.asarray(cv2.resize(frame, None, fx=1 / scale, fy=1 / scale, interpolation=cv2.INTER_AREA), np.uint8)
    readings = [reader.read(small, die_px=edge, expect=expect).dice for edge in EDGES_PX]
    best = max(readings, key=lambda dice: (len(dice), sum(die.confidence for die in dice)))
    return scale * median(die.size for die in best) if best else None


def drawn_paths(text: str, files: list[str]) -> Callable[[str], Path]:
    """Return a function from the name of a photograph to the path of its drawing.

    A single photograph goes to the file `text`; several (or one, if `text` is a folder or ends in a slash) go into the
    folder `text`, which is created, under their own names, numbered if taken. Raises InputError if it is known in
    advance that no picture can be written there.
    """
    out = Path(text)
    if len(files) > 1 or out.is_dir() or text.endswith(SLASHES):
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"--draw {out}: expected a folder, or a name for a new one: {error.strerror}") from None
        return partial(_path_in, out)
    if out.suffix.lower() not in FORMATS:
        got = out.suffix or "no ending"
        raise InputError(f"--draw {out}: expected a file that ends in one of {', '.join(FORMATS)}, got {got}")
    if not out.parent.is_dir():
        raise InputError(f"--draw {out}: expected an existing folder, got {out.parent}; make it first")
    if os.path.lexists(out):
        raise InputError(f"--draw {out}: expected a name that is free, something lies there; name another")
    return lambda _: out


def _path_in(folder: Path, name: str) -> Path:
    file = Path(name).name
    return next_free(folder / (file if Path(file).suffix.lower() in FORMATS else f"{file}.png"))


def save(picture: Picture, path: Path) -> None:
    """Write (H, W, 3) BGR pixels into a new file, in the format of the path's suffix."""
    packed = BytesIO()
    try:
        Image.fromarray(picture[:, :, ::-1]).save(packed, FORMATS[path.suffix.lower()], quality=QUALITY)
        with path.open("xb") as file:
            file.write(packed.getbuffer())
    except (OSError, ValueError) as error:  # Pillow raises the latter for pictures that a kind of file cannot hold
        text = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: expected a place where a picture can be written: {text}") from None
