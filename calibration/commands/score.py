"""`tabletop calibrate score`: confirm for each throw whether it was read right; the verdicts go into a CSV file."""

import argparse
import random
import sys
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tabletop.cli.numbers import whole_number
from tabletop.core.errors import InputError

if TYPE_CHECKING:
    from tabletop.perception.frame_reader import ReadFrame

HELP = "measure how well this table reads: throw, and confirm each reading"
THROWS = 30  # if none is wrong, fewer than 12 of 100 are (Wilson interval of 95 per cent)
MOST_THROWS = 10_000
MOST_DICE = 24
SIMULATED_FPS = 15.0  # as in play
SIMULATED_DICE = 5
RESULTS = "scored.csv"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the number of throws, the output file, and the camera."""
    parser.add_argument(
        "--rolls", type=whole_number, default=THROWS, metavar="N", help=f"how many throws in all (default: {THROWS})"
    )
    parser.add_argument("--dice", type=whole_number, metavar="N", help="how many dice you throw each time")
    parser.add_argument("--profile", type=Path, metavar="FILE|NAME", help="a calibrated set-up (`tabletop calibrate`)")
    parser.add_argument(
        "--results", type=Path, default=Path(RESULTS), metavar="FILE", help=f"the CSV file (default: {RESULTS})"
    )
    parser.add_argument("--keep-pictures", type=Path, metavar="DIR", help="keep a picture of each throw in this folder")
    parser.add_argument("--camera", metavar="sim|usb:N|pi", help="where pictures come from (default: as configured)")
    parser.add_argument("--config", type=Path, metavar="FILE", help="configuration file (default: the usual one)")
    parser.add_argument("--seed", type=whole_number, help="for --camera sim: the same dice again")


def run(options: argparse.Namespace) -> int:
    """Score until the goal is reached or people stop; status 0."""
    from calibration.scoring import ScoreFile, score, throws_of  # noqa: PLC0415 - `tabletop --help` needs none of this
    from tabletop.cameras.opening import open_camera  # noqa: PLC0415
    from tabletop.cli.wiring.args import named_profile, profile_file  # noqa: PLC0415
    from tabletop.config.file import configuration  # noqa: PLC0415
    from tabletop.perception.pipeline import PerceptionPipeline  # noqa: PLC0415
    from tabletop.simulator.tray import Tray, profile_of  # noqa: PLC0415

    for name, value, most in (("--rolls", options.rolls, MOST_THROWS), ("--dice", options.dice, MOST_DICE)):
        if value is not None and not 1 <= value <= most:
            raise InputError(f"expected {name} from 1 to {most}, got {value}")
    configured = configuration(options.config)
    word = options.camera or configured.camera or "usb:0"
    options.profile = profile_file(options.profile or configured.profile)
    file = ScoreFile(options.results, options.keep_pictures)
    dice, chance = options.dice or SIMULATED_DICE, random.Random(options.seed)  # noqa: S311 - repeatable
    tray = Tray(dice, chance=chance, fps=SIMULATED_FPS) if word == "sim" else None
    profile = profile_of(tray) if tray is not None else named_profile(options.profile)
    with closing(tray.camera if tray is not None else open_camera(word)) as camera, suppress(EOFError):
        if tray is None and not camera.live:
            raise InputError(f"expected a camera over a tray, got a film or photographs: {word}")
        pipeline = PerceptionPipeline(_reader(options.profile, simulated=tray is not None), profile)
        throw = tray.throw if tray is not None else lambda: sys.stdout.write("throw the dice\n")
        score(throws_of(camera, pipeline, options.dice, throw), file, options.rolls, input)
    right = sum(file.verdicts)
    sys.stdout.write(f"{right} throws read right, {len(file.verdicts) - right} wrong ({options.results})\n")
    return 0


def _reader(profile: Path | None, *, simulated: bool) -> "ReadFrame":
    """Return the reader as it is in play, with the dice that this table was taught."""
    from tabletop.config.own_dice import FILE_NAME, beside, load_own_dice  # noqa: PLC0415 - heavy imports wait
    from tabletop.store import default_path  # noqa: PLC0415
    from tabletop.vision.own_dice import OwnDice  # noqa: PLC0415
    from tabletop.vision.reader import read  # noqa: PLC0415

    place = beside(profile) if profile else default_path().with_name(FILE_NAME)
    samples = () if simulated else load_own_dice(place)
    return partial(read, own=OwnDice(samples)) if samples else read
