"""`tabletop read`: the dice in photographs, as a table for people or one JSON line a photograph, and as pictures.

Where pictures are written is checked before anything is read: nothing is written over that this command did not write.
"""

import argparse
import json
import math
import os
import sys
import time
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import cv2
import numpy as np
from PIL import Image

from tabletop.cameras.files import pictures_in
from tabletop.cli.wiring.args import named_profile, profile_file
from tabletop.config.own_dice import load_own_dice
from tabletop.config.profile import die_px as die_px_of_profile
from tabletop.config.profile import place
from tabletop.core.errors import InputError, one_line, printable
from tabletop.core.message import json_reason, reason_text
from tabletop.core.values import Profile, Reading
from tabletop.perception.tray_filter import without_markers
from tabletop.views.photo import Collection, Exhibit, Picture, contact_sheet, crop, marked
from tabletop.vision.image_io import open_picture
from tabletop.vision.labels import DIE_PX, Labelled, failures, load_labels
from tabletop.vision.own_dice import OwnDice
from tabletop.vision.reader import read

Identity = tuple[int, int]  # device and inode
SLASHES = tuple(separator for separator in (os.sep, os.altsep) if separator)
FORMATS = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".webp": "WEBP"}
QUALITY = 92  # of JPEG and WebP: fine lines stay clear
SOFTWARE = 0x0131  # EXIF tag
WRITTEN_BY = "tabletop read"  # marks our pictures: only these are written over
EXPECT = (0, 100)
BAD_INPUT_STATUS = 2
MS_PER_S = 1000.0
CLEAR_LINE = "\r\x1b[K"  # ECMA-48: to the line's start, erase it
BLANK_PX = 64  # side of the picture that is read to get ready
LONGEST_PX = 2000  # a larger photograph is searched smaller: in 108 million pixels the search took 90 s, so 2 s
EDGES_PX = (15.0, 22.0, 33.0, 50.0, 75.0, 110.0, 165.0)  # a named size may be off by a half: these leave no gap
# The groups in the order of the sheet, the worst first
HEADINGS = {
    "silent": "Wrong in silence (as many dice as there are, none unsure, other faces)",
    "wrong": "Wrong face",
    "false": "Read where no die has a label",
    "missed": "Missed",
    "unsure": "Unsure",
}


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
    profile: Profile | None
    labels: dict[Path, Labelled]
    drawn: list[Path]
    sheet: "Sheet | None"
    own: OwnDice | None

    def read(self, number: int, name: str) -> None:
        """Read one photograph, the first having number 1, report what is in it and draw what is asked for."""
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
            picture = marked(frame, seen)
            del frame  # two pictures of a large photograph in memory are enough
            save(picture, self.drawn[number - 1])

    def hints(self, name: str, frame: Picture) -> tuple[float | None, int | None]:
        """Return the die size and the number of dice to give the reader: as given, as labelled, of the profile."""
        die_px, expect = self.options.die_px, self.options.expect
        known = self.labels.get(Path(name).resolve()) if self.options.hints else None
        if known is not None:
            die_px = known.die_px if die_px is None else die_px
            expect = known.expect if expect is None else expect
        if die_px is None and self.profile is not None:
            height, width = frame.shape[:2]
            die_px = die_px_of_profile(self.profile, width, height)
        return die_px, expect


def _job(options: argparse.Namespace) -> _Job:
    """Return what is to be done, checked: mistakes in the arguments cost nothing but their line."""
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


def _own_dice(path: Path | None) -> OwnDice | None:
    """Return the taught dice of this file, None if none is named."""
    if path is None:
        return None
    if not (samples := load_own_dice(path)):
        raise InputError(f"{path}: expected a file with dice for --dice, as `tabletop dice export` writes it")
    return OwnDice(samples)


def _get_ready() -> None:
    """Load the reader, so that the first photograph's time is reading alone."""
    read(np.zeros((BLANK_PX, BLANK_PX, 3), np.uint8))


def _tell_progress(number: int, options: argparse.Namespace) -> None:
    if _is_watched(options):
        sys.stderr.write(f"{CLEAR_LINE}tabletop read: {number} of {len(options.files)}")
        sys.stderr.flush()


def _cleared(options: argparse.Namespace) -> str:
    return CLEAR_LINE if _is_watched(options) else ""


def _is_watched(options: argparse.Namespace) -> bool:
    """Return whether a person waits at a terminal without seeing the readings go by."""
    return len(options.files) > 1 and sys.stderr.isatty() and not sys.stdout.isatty()


def as_json(name: str, reading: Reading, spent_ms: float) -> dict[str, Any]:
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


def as_table(name: str, reading: Reading, spent_ms: float) -> str:
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


def advice(frame: Picture, reading: Reading, die_px: float | None, expect: int | None) -> str:
    """Return what to try next, "" if the reading has dice and nothing is in doubt.

    frame: the photograph that was read, (H, W, 3) uint8 BGR. die_px, expect: what the reader was told, None if nothing.
    Where nothing was found it is read again at several sizes, so that the size of the dice can be named.
    """
    if reading.dice and not reading.unsure:
        return ""
    if not reading.dice and die_px is None and (edge := _likely_edge(frame, expect)):
        return f"if there are dice, try --die-px {edge:.0f} (the edge of a die in pixels)"
    if not reading.dice and not reading.unsure:
        return "nothing that looks like a die: try --die-px N (the edge of a die in pixels), more light, or from nearer"
    missing = [
        words
        for words, given in (
            ("--die-px N (the edge of a die in pixels)", die_px),
            ("--expect N (how many dice)", expect),
        )
        if given is None
    ]
    return f"to be surer: try {' and '.join(missing)}" if missing else ""


def _likely_edge(frame: Picture, expect: int | None) -> float | None:
    """Return the edge in pixels with which most dice are found, and most surely; None if there are none with any."""
    scale = max(1.0, max(frame.shape[:2]) / LONGEST_PX)
    small = np.asarray(cv2.resize(frame, None, fx=1 / scale, fy=1 / scale, interpolation=cv2.INTER_AREA), np.uint8)
    readings = [read(small, die_px=edge, expect=expect).dice for edge in EDGES_PX]
    best = max(readings, key=lambda dice: (len(dice), sum(die.confidence for die in dice)))
    return scale * median(die.size for die in best) if best else None


def drawn_paths(text: str, names: Sequence[str]) -> list[Path]:
    """Return where the drawn picture of each photograph goes.

    One photograph goes to the file `text`; several (and one where `text` is a folder or ends in a slash) go into the
    folder `text`, which is made, under their own names; a name that comes again gets a number. Raises InputError if
    that would write over a photograph or over anything that this command did not write.
    """
    out = Path(text)
    if len(names) == 1 and not _is_folder(out) and not text.endswith(SLASHES):
        paths = [checked_path(out, "--draw")]
    else:
        _make_folder(out)
        paths = [out / name for name in _apart([Path(name).name for name in names])]
    photographs = _identities(names)
    for path in paths:
        _check_free(path, photographs, "--draw")
    return paths


def checked_path(out: Path, option: str) -> Path:
    """Return `out` if a picture can be written there, as far as can be known before."""
    if out.suffix.lower() not in FORMATS:
        kinds = ", ".join(FORMATS)
        raise InputError(
            f"{option} {out}: expected a file that ends in one of {kinds}, got {out.suffix or 'no ending'}"
        )
    if not _is_folder(out.parent):
        raise InputError(f"{option} {out}: expected an existing folder, got {out.parent}; make it first")
    if not os.access(out.parent, os.W_OK):
        raise InputError(f"{option} {out}: expected a folder that can be written to, got {out.parent}")
    return out


def sheet_path(out: Path, photographs: Iterable[str], drawn: Iterable[Path]) -> Path:
    """Return `out` if the sheet can be written there without writing over anything else."""
    checked_path(out, "--sheet")
    _check_free(out, _identities(photographs), "--sheet")
    if out.resolve() in {path.resolve() for path in drawn}:
        raise InputError(f"--sheet {out}: expected another file than those of --draw; name another one")
    return out


def save(picture: Picture, path: Path) -> None:
    """Write (H, W, 3) BGR pixels as the kind of file that the path's ending names, whole or not at all."""
    exif = Image.Exif()
    exif[SOFTWARE] = WRITTEN_BY
    part = path.parent / f".{os.getpid()}.part"
    try:
        with part.open("xb") as file:
            Image.fromarray(picture[:, :, ::-1]).save(file, FORMATS[path.suffix.lower()], quality=QUALITY, exif=exif)
        part.replace(path)
    except (OSError, ValueError) as error:  # Pillow raises the latter for pictures that a kind of file cannot hold
        text = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: expected a place where a picture can be written: {text}") from None
    finally:
        part.unlink(missing_ok=True)


def _make_folder(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--draw {out}: expected a folder, or a name for a new one: {error.strerror}") from None
    if not os.access(out, os.W_OK):
        raise InputError(f"--draw {out}: expected a folder that can be written to")


def _apart(names: Sequence[str]) -> list[str]:
    """Return file names that differ even where capitals do not count, with endings that can be written."""
    used: set[str] = set()
    chosen = []
    for name in names:
        suffix = Path(name).suffix if Path(name).suffix.lower() in FORMATS else ".png"
        stem = name.removesuffix(suffix)
        number, free = 1, stem + suffix
        while free.casefold() in used:
            number += 1
            free = f"{stem}-{number}{suffix}"
        used.add(free.casefold())
        chosen.append(free)
    return chosen


def _check_free(path: Path, taken: set[Identity], option: str) -> None:
    """Refuse a path where something lies that this command did not write."""
    if not os.path.lexists(path):
        return
    if _identity(path) in taken:
        raise InputError(f"{option} {path}: expected another place than the photograph itself; name another one")
    if not _ours(path):
        raise InputError(f"{option} {path}: something else lies there; take it away or name another place")


def _identity(path: Path) -> Identity | None:
    """Return what is the same for all names of one file, None if there is none."""
    try:
        found = path.stat()
    except (OSError, ValueError):  # the latter for names that no system takes
        return None
    return found.st_dev, found.st_ino


def _identities(names: Iterable[str]) -> set[Identity]:
    return {identity for identity in (_identity(Path(name)) for name in names) if identity}


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name that is too long, for one
        return False


def _ours(path: Path) -> bool:
    try:
        if not path.is_file():
            return False
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(path, formats=sorted(set(FORMATS.values()))) as picture:
                return bool(picture.getexif().get(SOFTWARE) == WRITTEN_BY)
    except Exception:  # noqa: BLE001 - whatever Pillow says of a strange file: it is none of ours
        return False


@dataclass(slots=True)
class Sheet:
    """What failed so far. labels: by resolved path; photographs without labels show what is unsure only."""

    labels: dict[Path, Labelled]
    collection: Collection = field(default_factory=lambda: Collection(tuple(HEADINGS)))
    photographs: int = 0
    failed: int = 0

    def add(self, name: str, frame: Picture, reading: Reading) -> None:
        """Take in one photograph; reading: in pixels of the frame, of which only crops are kept."""
        found = failures(reading, self.labels.get(Path(name).resolve()))
        self.photographs += 1
        self.failed += bool(found)
        for failure in found:
            picture = crop(frame, failure.x, failure.y, failure.size)
            self.collection.add(failure.kind, Exhibit(picture, failure.truth, failure.read_as, Path(name).name))

    def write(self, path: Path) -> None:
        """Write the sheet."""
        photographs = "1 photograph" if self.photographs == 1 else f"{self.photographs} photographs"
        judged = "wrong or unsure" if self.labels else "unsure"
        title = f"{photographs}, {self.failed} of them with something {judged}"
        save(contact_sheet(self.collection, HEADINGS, title), path)
