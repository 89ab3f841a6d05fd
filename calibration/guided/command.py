"""`tabletop calibrate`, without a part or with one of its steps: guided, with two buttons and a screen."""

import argparse
import sys
from pathlib import Path

from tabletop.cli.wiring.args import whole_number

HELP = "one step of the guided run alone"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the set-up and the devices."""
    parser.add_argument(
        "--profile", metavar="NAME|FILE", help="the set-up that is made or made better (default: as configured)"
    )
    parser.add_argument("--camera", metavar="sim|usb:N|pi", help="where pictures come from (default: as configured)")
    parser.add_argument("--buttons", default="auto", help="where presses come from (default: auto)")
    parser.add_argument("--screen", default="auto", help="where it is shown (default: auto)")
    parser.add_argument("--language", metavar="de|FILE.toml", help="language of the table (default: the system's)")
    parser.add_argument("--config", type=Path, metavar="FILE", help="a configuration file, if not the usual one")
    parser.add_argument("--seed", type=whole_number, help="for --camera sim: the same dice again")
    parser.set_defaults(listen=None, port=None, views=[], store=None, json=False)


def run(options: argparse.Namespace) -> int:
    """Guide, then print the report and where the profile is; status 0. Stopped with Ctrl-C, say what is in the file."""
    from calibration.guided.live import guide_live, guide_simulated, report, states_of  # noqa: PLC0415 - heavy
    from tabletop.config.file import configuration  # noqa: PLC0415 - the same
    from tabletop.config.profile import FOLDER, USUAL, path_to_write  # noqa: PLC0415
    from tabletop.store import default_path  # noqa: PLC0415

    configured = configuration(options.config)
    word = str(options.profile or configured.profile or USUAL)
    is_file = Path(word).suffix or Path(word).parent != Path()
    out = Path(word) if is_file else path_to_write(word, default_path().with_name(FOLDER))
    state = states_of(options.part)
    options.camera = options.camera or configured.camera or "usb:0"
    simulated = options.camera == "sim"
    before = _content(out)
    try:
        table = guide_simulated(state, out, options.seed, _tell) if simulated else guide_live(options, state, out)
    except KeyboardInterrupt:
        _tell("stopped: nothing was changed" if _content(out) == before else f"stopped: {out} is written")
        raise
    if table.run.fault is not None:
        raise table.run.fault
    if table.run.state.checks:
        sys.stdout.write(report(table.run.state.checks) + "\n")
    name = word if is_file else f"{out} (play with --profile {word})"
    sys.stdout.write(f"{name}: written\n" if table.run.saved else "nothing was changed\n")
    return 0


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _tell(line: str) -> None:
    """Write a line at once, also where nobody is at a terminal."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
