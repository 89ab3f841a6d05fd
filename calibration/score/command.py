"""`tabletop calibrate score`: roll, look, press; then how well this table reads these dice."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tabletop.cli.wiring.args import named_profile, profile_file, whole_number
from tabletop.core.errors import InputError

if TYPE_CHECKING:
    from calibration.score.journal import Journal
    from calibration.score.pictures import Pictures
    from calibration.score.table import ScoreTable
    from tabletop.dialogs.scoring.dialog import Scoring

HELP = "measure how well this table reads: roll, and confirm or correct each reading with two buttons"
ROLLS = 30  # with five dice: a share of 99 per cent is then known to within two
MOST_ROLLS = 10_000
MOST_DICE = 24
SIMULATED_DICE = 5
LEAST_MB, MOST_MB = 1, 100_000


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what is measured, where it is kept, and the devices."""
    parser.add_argument(
        "--rolls", type=whole_number, default=ROLLS, metavar="N", help=f"how many rolls in all (default: {ROLLS})"
    )
    parser.add_argument("--dice", type=whole_number, metavar="N", help="how many dice are thrown each time")
    parser.add_argument("--profile", type=Path, metavar="FILE|NAME", help="the profile of this set-up")
    parser.add_argument("--results", type=Path, metavar="FILE", help="where rolls are kept (default: by the profile)")
    parser.add_argument("--new", action="store_true", help="begin anew; the rolls so far stay beside it as .previous")
    parser.add_argument("--report", action="store_true", help="measure nothing: show the rolls so far")
    parser.add_argument("--json", action="store_true", help="show the figures as one JSON object")
    parser.add_argument(
        "--keep-pictures",
        type=Path,
        metavar="DIR",
        help="keep the pictures, labelled, in this folder (else none)",
    )
    parser.add_argument("--most-mb", type=float, metavar="N", help="how large they may become together (default: 200)")
    parser.add_argument("--camera", metavar="sim|usb:N|pi", help="where pictures come from (default: as configured)")
    parser.add_argument("--buttons", default="auto", help="where presses come from (default: auto)")
    parser.add_argument("--screen", default="auto", help="where it is shown (default: auto)")
    parser.add_argument("--language", metavar="de|FILE.toml", help="language of the table (default: the system's)")
    parser.add_argument("--config", type=Path, metavar="FILE", help="a configuration file, if not the usual one")
    parser.add_argument("--seed", type=whole_number, help="for --camera sim: the same dice again")
    parser.set_defaults(listen=None, port=None, views=[], store=None)  # a page shows matches, of which there is none


def run(options: argparse.Namespace) -> int:
    """Measure, or go on measuring, and show the figures; status 0."""
    from calibration.score.journal import Journal  # noqa: PLC0415 - `tabletop --help` needs none of this
    from tabletop.config.file import configuration  # noqa: PLC0415
    from tabletop.dialogs.scoring.dialog import Scoring  # noqa: PLC0415

    _check(options)
    configured = configuration(options.config)
    options.camera = options.camera or configured.camera or "usb:0"
    options.profile = profile_file(options.profile or configured.profile)
    journal = Journal(_results_path(options), new=options.new)
    dice = options.dice or (SIMULATED_DICE if options.camera == "sim" else None)
    state = Scoring.resumed(options.rolls, journal.rolls, dice)
    if not options.report and state.step != "done":
        _measure(options, state, journal)
    _show(options, journal)
    return 0


def _check(options: argparse.Namespace) -> None:
    for name, value, most in (("--rolls", options.rolls, MOST_ROLLS), ("--dice", options.dice, MOST_DICE)):
        if value is not None and not 1 <= value <= most:
            raise InputError(f"expected {name} from 1 to {most}, got {value}")
    if options.most_mb is not None and options.keep_pictures is None:
        raise InputError("--most-mb: expected --keep-pictures DIR with it, whose size it bounds")
    if options.most_mb is not None and not LEAST_MB <= options.most_mb <= MOST_MB:
        raise InputError(f"expected --most-mb from {LEAST_MB} to {MOST_MB}, got {options.most_mb:g}")
    if options.report and options.new:
        raise InputError("expected --report or --new, got both: a new measurement has nothing to show")


def _results_path(options: argparse.Namespace) -> Path:
    """Return where the rolls are kept: as --results says, else beside the profile, else beside the matches."""
    from calibration.score.journal import FILE_NAME, SUFFIX  # noqa: PLC0415 - as above
    from tabletop.store import default_path  # noqa: PLC0415

    if options.results is not None:
        return Path(options.results)
    if options.camera == "sim":
        return default_path().with_name(f"sim{SUFFIX}")
    return options.profile.with_suffix(SUFFIX) if options.profile else default_path().with_name(FILE_NAME)


def _measure(options: argparse.Namespace, state: "Scoring", journal: "Journal") -> None:
    from calibration.score.live import score_live  # noqa: PLC0415 - heavy imports wait
    from calibration.score.pictures import MOST_MB as USUAL_MB  # noqa: PLC0415
    from calibration.score.pictures import Pictures  # noqa: PLC0415
    from calibration.score.simulated import score_simulated  # noqa: PLC0415
    from tabletop.cli.wiring.devices import can_ask  # noqa: PLC0415

    profile = named_profile(options.profile)
    attended = can_ask(options)
    if not attended and options.camera != "sim":
        raise InputError("expected buttons and a screen, or a terminal, to confirm what is read")
    pictures = Pictures(options.keep_pictures, options.most_mb or USUAL_MB) if options.keep_pictures else None
    journal.prepare()
    if attended:
        table = score_live(options, state, journal, pictures, profile)
    else:
        table = score_simulated(state, journal, pictures, options.seed)
    _tell_end(table, pictures, options.keep_pictures)


def _tell_end(table: "ScoreTable", pictures: "Pictures | None", folder: Path | None) -> None:
    if table.fault is not None:
        raise table.fault
    left = table.state.goal - len(table.state.rolls)
    if left:
        _tell(f"{left} of {table.state.goal} rolls are left: the same command goes on")
    if table.state.left_out:
        _tell(
            f"rolls left out: {table.state.left_out} (dice moved before they were confirmed, or you took the roll out)"
        )
    if pictures is not None and pictures.full:
        _tell(f"{folder}: the pictures are as large as --most-mb allows: the newest rolls have none")


def _show(options: argparse.Namespace, journal: "Journal") -> None:
    from calibration.score.figures import as_json, as_text, figures_of  # noqa: PLC0415 - as above

    rolls = journal.rolls
    figures = figures_of(rolls)
    if options.json:
        sys.stdout.write(json.dumps({"file": str(journal.path), "rolls": len(rolls), **as_json(figures)}) + "\n")
    elif not rolls:
        sys.stdout.write(f"no rolls yet ({journal.path})\n")
    else:
        sys.stdout.write(f"{len(rolls)} rolls ({journal.path})\n{as_text(figures)}\n")


def _tell(line: str) -> None:
    sys.stderr.write(f"tabletop calibrate: {line}\n")
