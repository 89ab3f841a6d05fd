"""`tabletop read`: the dice in photographs, as a table for people or one JSON line a photograph, and as pictures."""

import argparse
import json
import math
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabletop.cameras.files import pictures_in
from tabletop.cli.wiring.args import named_profile, profile_file
from tabletop.core.errors import InputError, one_line, printable
from tabletop.core.message import json_reason, reason_text
from tabletop.vision.labels import DIE_PX

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tabletop.cli.read.failures import Sheet
    from tabletop.core.values import Profile, Reading
    from tabletop.vision.labels import Labelled
    from tabletop.vision.own_dice import OwnDice

HELP = "read the dice in photographs"

EXPECT = (0, 100)
BAD_INPUT_STATUS = 2
MS_PER_S = 1000.0
CLEAR_LINE = "\r\x1b[K"  # ECMA-48: to the line's start, erase it
BLANK_PX = 64  # side of the picture that is read to get ready


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
        "--profile", type=Path, metavar="FILE|NAME", help="a calibrated set-up: gives millimetres, tray or rail"
    )
    parser.add_argument("--dice", type=Path, metavar="FILE", help="with these taught dice (`tabletop dice`)")
    parser.add_argument("--draw", metavar="OUT", help="write the photograph with what was read drawn in; "
                        "of several photographs OUT is a folder")  # fmt: skip
    parser.add_argument("--sheet", type=Path, metavar="OUT", help="write one picture with all dice that are unsure")
    parser.add_argument("--labels", type=Path, metavar="FILE", help="what the photographs show: then the sheet "
                        "has the dice that were read wrongly too")  # fmt: skip
    parser.add_argument("--hints", action="store_true", help="take --die-px and --expect of each photograph "
                        "from --labels")  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Read each photograph; those that are no pictures cost one line on standard error each and status 2."""
    options.files = [file for name in options.files for file in _photographs(name)]
    job = _job(options)
    _get_ready()
    status = 0
    for number, name in enumerate(options.files, 1):
        _tell_progress(number, options)
        try:
            job.read(number, name)
        except InputError as error:
            sys.stderr.write(f"{_cleared(options)}tabletop read: {one_line(error)}\n")
            status = BAD_INPUT_STATUS
    sys.stderr.write(_cleared(options))
    if job.sheet is not None:
        job.sheet.write(options.sheet)
    return status


@dataclass(frozen=True, slots=True)
class _Job:
    """What is done with each photograph. drawn: a path for each photograph, or none at all."""

    options: argparse.Namespace
    profile: "Profile | None"
    labels: "dict[Path, Labelled]"
    drawn: list[Path]
    sheet: "Sheet | None"
    own: "OwnDice | None"

    def read(self, number: int, name: str) -> None:
        """Read one photograph, the first having number 1, report what is in it and draw what is asked for."""
        from tabletop.cli.read.advice import advice  # noqa: PLC0415 - heavy imports wait until a picture is read
        from tabletop.cli.read.output import save  # noqa: PLC0415
        from tabletop.config.profile import place  # noqa: PLC0415
        from tabletop.perception.tray_filter import without_markers  # noqa: PLC0415
        from tabletop.vision.image_io import open_picture  # noqa: PLC0415
        from tabletop.vision.reader import read  # noqa: PLC0415

        frame = open_picture(Path(name))
        die_px, expect = self.hints(name, frame)
        begun = time.perf_counter()
        seen = without_markers(frame, read(frame, die_px=die_px, expect=expect, own=self.own))
        reading = seen if self.profile is None else place(seen, self.profile)
        spent_ms = (time.perf_counter() - begun) * MS_PER_S
        as_text = (
            json.dumps(as_json(name, reading, spent_ms)) if self.options.json else as_table(name, reading, spent_ms)
        )
        sys.stdout.write(as_text + "\n")
        sys.stdout.flush()
        if not self.options.json and (hint := advice(frame, seen, die_px, expect)):
            sys.stdout.write(f"  {hint}\n")
        if self.sheet is not None:
            self.sheet.add(name, frame, seen)
        if self.drawn:
            from tabletop.views.photo import marked  # noqa: PLC0415

            picture = marked(frame, seen)
            del frame  # two pictures of a large photograph in memory are enough
            save(picture, self.drawn[number - 1])

    def hints(self, name: str, frame: "NDArray[np.uint8]") -> tuple[float | None, int | None]:
        """Return the die size and the number of dice to give the reader: as given, as labelled, of the profile."""
        from tabletop.config.profile import die_px as profile_die_px  # noqa: PLC0415

        die_px, expect = self.options.die_px, self.options.expect
        known = self.labels.get(Path(name).resolve()) if self.options.hints else None
        if known is not None:
            die_px = known.die_px if die_px is None else die_px
            expect = known.expect if expect is None else expect
        if die_px is None and self.profile is not None:
            height, width = frame.shape[:2]
            die_px = profile_die_px(self.profile, width, height)
        return die_px, expect


def _job(options: argparse.Namespace) -> _Job:
    """Return what is to be done, checked: mistakes in the arguments cost nothing but their line."""
    from tabletop.cli.read.failures import Sheet  # noqa: PLC0415
    from tabletop.cli.read.output import drawn_paths, sheet_path  # noqa: PLC0415
    from tabletop.vision.labels import load_labels  # noqa: PLC0415 - as above

    if options.labels is not None and options.sheet is None and not options.hints:
        raise InputError("--labels: expected --sheet OUT or --hints with it, which use them")
    if options.hints and options.labels is None:
        raise InputError("--hints: expected --labels FILE with it, where the hints are")
    profile = named_profile(profile_file(options.profile))
    labels = {} if options.labels is None else load_labels(options.labels)
    drawn = [] if options.draw is None else drawn_paths(options.draw, options.files)
    sheet = None
    if options.sheet is not None:
        sheet_path(options.sheet, options.files, drawn)
        sheet = Sheet(labels)
    return _Job(options, profile, labels, drawn, sheet, _own_dice(options.dice))


def _photographs(name: str) -> list[str]:
    """Return the photographs of a folder by name; itself of a file, and of a folder without any."""
    folder = Path(name)
    return ([str(path) for path in pictures_in(folder)] if folder.is_dir() else []) or [name]


def _own_dice(path: Path | None) -> "OwnDice | None":
    """Return the taught dice of this file, None if none is named."""
    if path is None:
        return None
    from tabletop.config.own_dice import load_own_dice  # noqa: PLC0415 - as above
    from tabletop.vision.own_dice import OwnDice  # noqa: PLC0415

    if not (samples := load_own_dice(path)):
        raise InputError(f"{path}: expected a file with dice for --dice, as `tabletop dice export` writes it")
    return OwnDice(samples)


def _get_ready() -> None:
    """Load the reader, so that the first photograph's time is reading alone."""
    import numpy as np  # noqa: PLC0415

    from tabletop.vision.reader import read  # noqa: PLC0415

    read(np.zeros((BLANK_PX, BLANK_PX, 3), np.uint8))


def _tell_progress(number: int, options: argparse.Namespace) -> None:
    if _is_watched(options):
        sys.stderr.write(f"{CLEAR_LINE}tabletop read: {number} of {len(options.files)}")
        sys.stderr.flush()


def _cleared(options: argparse.Namespace) -> str:
    return CLEAR_LINE if _is_watched(options) else ""


def _is_watched(options: argparse.Namespace) -> bool:
    """Return whether somebody waits at a terminal who does not see the readings go by."""
    return len(options.files) > 1 and sys.stderr.isatty() and not sys.stdout.isatty()


def as_json(name: str, reading: "Reading", spent_ms: float) -> dict[str, Any]:
    """Return the object that `tabletop read --json` prints; with a profile also the unit and where each die lies."""
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


def as_table(name: str, reading: "Reading", spent_ms: float) -> str:
    """Return the same for people: a line for the photograph and one for each die."""
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
