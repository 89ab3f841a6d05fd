"""`tabletop play`: the table itself.

With buttons and a screen (a terminal, or the appliance) it asks what to play and offers to resume; without them it
never asks: a film or photographs are refereed to their end, and simulated players play in simulated time.
"""

import argparse
import os
from pathlib import Path

from tabletop.cli.numbers import match_number, whole_number
from tabletop.cli.wiring.args import NEWEST, check_listen, check_record, check_store, merge, profile_in_use, tell
from tabletop.cli.wiring.devices import greeted, interactive, language_of, show_mistake
from tabletop.config import file, own_games
from tabletop.core.errors import InputError, TabletopError, one_line
from tabletop.service.service_manager import EndedEarlyError, Ending, ServiceManager

SCREENS = "auto|terminal|ssd1306|sh1106|none"
BUTTONS = "auto|gpio|keys|none"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments that docs/commands.md lists."""
    parser.add_argument("game", nargs="?", metavar="GAME", help="a game, by any of its names (`tabletop games`)")
    parser.add_argument("--players", metavar="Ann,Ben", help="names in seat order, separated by commas")
    parser.add_argument(
        "--set", action="append", default=[], metavar="OPTION=VALUE", dest="settings", help="set an option of the game"
    )
    parser.add_argument(
        "--camera", metavar="sim|FILE|FOLDER|usb:N|pi|none", help="where pictures come from (default: sim)"
    )
    parser.add_argument("--buttons", metavar=BUTTONS, help="where presses come from (default: auto)")
    parser.add_argument("--screen", metavar=SCREENS, help="where the table is shown (default: auto)")
    parser.add_argument(
        "--view",
        action="append",
        default=[],
        metavar="NAME[:OPTIONS]",
        dest="views",
        help="add a view from an installed package; repeatable",
    )
    parser.add_argument("--profile", type=Path, metavar="FILE|NAME", help="a calibrated set-up (`tabletop calibrate`)")
    parser.add_argument(
        "--resume",
        nargs="?",
        type=match_number,
        const=NEWEST,
        metavar="MATCH",
        help="resume this match, or the newest open one",
    )
    parser.add_argument("--language", metavar="de|FILE.toml", help="language of the table (default: the system's)")
    parser.add_argument("--dice", type=Path, metavar="FILE", help="the dice that this table was taught (default: "
                        "beside the profile or the matches; with a film or simulated dice: none)")  # fmt: skip
    parser.add_argument("--no-learning", action="store_true", help=argparse.SUPPRESS)  # of earlier versions: no effect
    parser.add_argument(
        "--listen",
        metavar="local|lan",
        help="also serve the page to browsers: on this machine, or in the local network",
    )
    parser.add_argument(
        "--pictures", metavar="all|paired", help="who sees the camera's pictures on the page (default: all)"
    )
    parser.add_argument("--port", metavar="N", help="port of the page (default: 8080)")
    parser.add_argument(
        "--mqtt", metavar="mqtt://HOST[:PORT]", help="tell this MQTT broker, and Home Assistant, what happens"
    )
    parser.add_argument(
        "--record", type=Path, metavar="FILE", help="record what the table sees and decides (.tar), or a film"
    )
    parser.add_argument(
        "--record-mib", type=whole_number, metavar="N", help="maximum size of the .tar in MiB (default: 1024)"
    )
    parser.add_argument("--json", action="store_true", help="write each stored event as one JSON line")
    parser.add_argument("--seed", type=whole_number, metavar="N", help="seed for simulated dice and players")
    parser.add_argument("--store", type=Path, metavar="FILE", help="file of matches (default: the usual place)")
    parser.add_argument("--config", type=Path, metavar="FILE", help="configuration file (default: the usual one)")


def run(options: argparse.Namespace) -> int:
    """Play until the match is over, the camera ends, or somebody quits."""
    ending = Ending()
    with ending.heeded(early=True), ServiceManager.taken_from(os.environ) as manager:
        try:
            return _play(options, manager, ending)
        except EndedEarlyError:
            manager.stopping()
            return 0
        except TabletopError as error:
            if manager.present:
                show_mistake(error, options, manager, ending.wait)
            if not ending.asked:
                raise
            tell(one_line(error))
            return 0


def _play(options: argparse.Namespace, manager: ServiceManager, ending: Ending) -> int:
    own_games.offer_own_games()
    for line in own_games.not_run():
        tell(line)
    configured = file.configuration(options.config)
    merge(options, configured)
    language = language_of(options, configured, os.environ)
    check_listen(options)
    if options.settings and options.game is None and options.resume is None:
        raise InputError("expected a GAME for these --set options, got none")
    if options.settings and options.resume is not None:
        raise InputError("expected --set with a new match, got --resume: the rules of a match stay as they are")
    check_record(options)
    check_store(options)
    profile = profile_in_use(options)
    if interactive(options):
        with greeted(options, language, manager) as screens:  # first: the table itself takes some seconds on a Pi
            from tabletop.cli.wiring.attended import play_attended  # noqa: PLC0415 - OpenCV and the server behind it

            ending.check()
            return play_attended(options, profile, language, screens, manager, ending)
    if options.camera == "none":
        raise InputError(
            "expected buttons and a screen, or a terminal, for --camera none: somebody must enter the faces"
        )
    from tabletop.cli.wiring.unattended import play_unattended  # noqa: PLC0415

    ending.check()
    ending.let_go()
    return play_unattended(options, profile, language)
