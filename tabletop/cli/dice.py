"""`tabletop dice`: list, forget, export and import the dice that a table was taught."""

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

from tabletop.cli.wiring.args import profile_file
from tabletop.config.file import configuration
from tabletop.config.own_dice import FILE_NAME, beside, bounded, load_own_dice, save_own_dice
from tabletop.core.errors import InputError
from tabletop.store import default_path
from tabletop.vision.own_dice import Sample

USUAL_LOOK = "taught"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare a subcommand for each action."""
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--profile", type=Path, metavar="FILE|NAME", help="the dice of this set-up, kept beside its profile"
    )
    common.add_argument("--dice", type=Path, metavar="FILE", help="file of taught dice (default: the usual one)")
    common.add_argument("--config", type=Path, metavar="FILE", help="configuration file (default: the usual one)")
    commands = parser.add_subparsers(dest="what", metavar="COMMAND")
    listed = commands.add_parser("list", parents=[common], help="list the taught dice (the default)")
    listed.add_argument("--json", action="store_true", help="one JSON object per look, on one line")
    forget = commands.add_parser("forget", parents=[common], help="forget a look, or everything")
    forget.add_argument("look", nargs="?", metavar="LOOK", help="its name, as in `tabletop dice list`")
    forget.add_argument("--all", action="store_true", help="forget everything")
    export = commands.add_parser("export", parents=[common], help="write the taught dice to a file")
    export.add_argument("out", type=Path, metavar="OUT.dice")
    imported = commands.add_parser("import", parents=[common], help="add dice that another table was taught")
    imported.add_argument("file", type=Path, metavar="FILE.dice")
    _teach_arguments(
        commands.add_parser("teach", parents=[common], help="teach a die with logos or numerals, face by face")
    )
    parser.set_defaults(what="list", json=False, profile=None, dice=None, config=None)


def _teach_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--look", default=USUAL_LOOK, metavar="NAME", help=f"what these dice are called (default: {USUAL_LOOK})"
    )
    parser.add_argument(
        "--camera", metavar="sim|FILE|FOLDER|usb:N|pi", help="where pictures come from (default: as configured)"
    )
    parser.add_argument("--faces", metavar="1,1,1,2,...", help="for photographs: the face in each, in order")
    parser.add_argument("--die-px", type=float, metavar="N", help="edge of the die in pixels, if there is no profile")
    parser.add_argument("--buttons", default="auto", help="where presses come from (default: auto)")
    parser.add_argument("--screen", default="auto", help="where the table is shown (default: auto)")
    parser.add_argument("--language", metavar="de|FILE.toml", help="language of the table (default: the system's)")
    parser.add_argument("--seed", type=int, help="for --camera sim: the same die again")
    parser.set_defaults(listen=None, port=None)  # a page would show matches, and there is none


def run(options: argparse.Namespace) -> int:
    """Run one of the subcommands; status 0."""
    path = own_dice_path(options)
    if options.what == "teach":
        from tabletop.cli.dice_teaching import teach  # noqa: PLC0415 - the whole table behind it: half a second

        return teach(options, path)
    samples = load_own_dice(path)
    if options.what == "list":
        return _list(samples, path, as_json=options.json)
    if options.what == "forget":
        left = _forget(samples, options)
        save_own_dice(left, path)
        _tell(f"{len(samples) - len(left)} dice forgotten, {len(left)} left")
    elif options.what == "export":
        if not samples:
            raise InputError(f"{path}: expected taught dice, there are none yet: `tabletop dice teach`")
        save_own_dice(samples, options.out)
        _tell(f"{len(samples)} dice written to {options.out}")
    else:
        added = load_own_dice(options.file)
        if not added:
            raise InputError(f"{options.file}: expected a file with taught dice, as `tabletop dice export` writes it")
        both = bounded([*samples, *added])
        save_own_dice(both, path)
        _tell(f"{len(added)} dice read, {len(both)} known now")
    return 0


def own_dice_path(options: argparse.Namespace) -> Path:
    """Return the file of taught dice: from --dice, else beside the profile, else beside the matches."""
    if options.dice is not None:
        return Path(options.dice)
    profile = profile_file(options.profile or configuration(options.config).profile)
    return beside(profile) if profile is not None else default_path().with_name(FILE_NAME)


def _list(samples: tuple[Sample, ...], path: Path, *, as_json: bool) -> int:
    for look in dict.fromkeys(sample.look for sample in samples):
        counts = Counter(sample.face for sample in samples if sample.look == look)
        if as_json:
            faces = {str(face): counts[face] for face in sorted(counts)}
            sys.stdout.write(json.dumps({"look": look, "dice": counts.total(), "faces": faces, "taught": True}) + "\n")
        else:
            shown = ", ".join(f"{face}: {counts[face]}" for face in sorted(counts))
            sys.stdout.write(f"{look}: {counts.total()} looks ({shown})\n")
    if not samples and not as_json:
        sys.stdout.write(f"nothing taught yet ({path})\n")
    return 0


def _forget(samples: tuple[Sample, ...], options: argparse.Namespace) -> tuple[Sample, ...]:
    if (options.look is None) != bool(options.all):
        raise InputError("expected the name of a look, or --all, to forget; `tabletop dice list` has the names")
    if options.all:
        return ()
    looks = list(dict.fromkeys(sample.look for sample in samples))
    if options.look not in looks:
        known = ", ".join(looks) or "none: nothing has been taught yet"
        raise InputError(f"expected one of the looks {known}, got {options.look!r}")
    return tuple(sample for sample in samples if sample.look != options.look)


def _tell(line: str) -> None:
    sys.stderr.write(f"tabletop dice: {line}\n")
