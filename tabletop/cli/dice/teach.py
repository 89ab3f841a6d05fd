"""`tabletop dice teach`: a die with a logo, numerals or stitched eyes is shown face by face."""

import argparse
import random
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from tabletop.cli.wiring.args import named_profile, profile_file
from tabletop.core.errors import DeviceError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from tabletop.session.teaching import Teacher

FACES = "123456"
TIMES = 3  # times each face is shown in the simulated tray
USUAL_LOOK = "taught"
SETTLED_S = 1.5  # after a throw, when hand and die are still in the simulated tray
SIMULATED_PX = 56.0  # edge of a die in the simulated tray
LONGEST_NAME = 20  # letters


def teach_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of teaching."""
    parser.add_argument(
        "--look", default=USUAL_LOOK, metavar="NAME", help=f"what these dice are called (default: {USUAL_LOOK})"
    )
    parser.add_argument(
        "--camera", metavar="sim|FILE|FOLDER|usb:N|pi", help="where pictures come from (default: as configured)"
    )
    parser.add_argument(
        "--faces", metavar="1,1,1,2,...", help="for photographs: the face that is up in each, in their order"
    )
    parser.add_argument("--die-px", type=float, metavar="N", help="edge of the die in pixels, if there is no profile")
    parser.add_argument("--buttons", default="auto", help="where presses come from (default: auto)")
    parser.add_argument("--screen", default="auto", help="where it is shown (default: auto)")
    parser.add_argument("--language", metavar="de|FILE.toml", help="language of the table (default: the system's)")
    parser.add_argument("--seed", type=int, help="for --camera sim: the same die again")
    parser.set_defaults(listen=None, port=None)  # a page shows matches, of which there is none


def teach(options: argparse.Namespace, path: Path) -> int:
    """Have every face shown, say which cannot be told apart, and add what was seen to the file; status 0."""
    from tabletop.config.file import configuration  # noqa: PLC0415 - `tabletop --help` needs none of this
    from tabletop.config.own_dice import bounded, load_own_dice, save_own_dice  # noqa: PLC0415
    from tabletop.config.profile import die_px as of_profile  # noqa: PLC0415
    from tabletop.session.teaching import Teacher  # noqa: PLC0415

    known = load_own_dice(path)
    if not options.look.isprintable() or not 0 < len(options.look) <= LONGEST_NAME:
        raise InputError(f"expected a name of 1 to {LONGEST_NAME} letters for --look, got {options.look!r}")
    options.camera = options.camera or configuration(options.config).camera or "usb:0"
    newest: list[NDArray[np.uint8] | None] = [None]
    profile = named_profile(profile_file(options.profile or configuration(options.config).profile))

    def die_px(picture: "NDArray[np.uint8]") -> float | None:
        return options.die_px or (of_profile(profile, *picture.shape[1::-1]) if profile is not None else None)

    teacher = Teacher(options.look, lambda: newest[0], die_px)
    if options.camera == "sim":
        options.die_px = options.die_px or SIMULATED_PX
        _teach_faces(teacher, newest, _simulated(options.seed))
    elif options.faces is not None or not _is_live(options.camera):
        _teach_faces(teacher, newest, _photographs(options))
    else:
        from tabletop.cli.dice.teach_live import teach_live  # noqa: PLC0415

        teacher = teach_live(options, die_px)
    if not teacher.samples:
        _tell("nothing was shown: nothing has changed")
        return 0
    left = [sample for sample in known if sample.look != options.look]  # shown again: instead of what it was
    save_own_dice(bounded([*left, *teacher.samples]), path)
    _report(teacher, options.look, path)
    return 0


def _report(teacher: "Teacher", look: str, path: Path) -> None:
    sys.stdout.write(f"{look}: {len(teacher.samples)} looks kept in {path}\n")
    for face, other in teacher.confused():
        sys.stdout.write(f"{face} and {other} cannot be told apart: such a die stays unsure\n")
    if teacher.missing:
        sys.stdout.write(f"not shown: {', '.join(map(str, teacher.missing))}\n")


def _teach_faces(
    teacher: "Teacher", newest: "list[NDArray[np.uint8] | None]", shown: "Iterator[tuple[NDArray[np.uint8], int]]"
) -> None:
    """Teach pictures whose faces are known; one in which no die is seen is told and left out."""
    for number, (picture, face) in enumerate(shown, 1):
        newest[0] = picture
        if hindrance := teacher.look(face):
            _tell(f"picture {number}: {hindrance}")


def _photographs(options: argparse.Namespace) -> "Iterator[tuple[NDArray[np.uint8], int]]":
    """Yield each photograph with the face that is up in it."""
    from tabletop.cameras.opening import open_camera  # noqa: PLC0415 - heavy imports wait

    words = (options.faces or "").split(",")
    if not all(word in FACES and len(word) == 1 for word in words):
        raise InputError(f"expected --faces with a face for each photograph, as 1,1,1,2,2,2, got {options.faces!r}")
    with ExitStack() as open_things:
        camera = open_camera(options.camera.removeprefix("photographs:"))
        open_things.callback(camera.close)
        for number, word in enumerate(words, 1):
            try:
                frame = camera.read()
            except DeviceError as error:
                _tell(str(error))
                continue
            if frame is None:
                raise InputError(f"expected {len(words)} photographs for these --faces, got {number - 1}")
            yield frame.pixels, int(word)


def _simulated(seed: int | None) -> "Iterator[tuple[NDArray[np.uint8], int]]":
    """Yield pictures of one simulated die, each face thrown often enough."""
    from tabletop.simulator.world import World  # noqa: PLC0415 - heavy imports wait

    world = World.of(1, chance=random.Random(seed))  # noqa: S311 - repeatable on purpose
    for face in (int(face) for face in FACES * TIMES):
        end_s = world.throw(faces=[face])
        yield world.show(max(end_s, world.tray.busy_until_s) + SETTLED_S), face


def _is_live(word: str) -> bool:
    return not (word.startswith("photographs:") or Path(word).exists())


def _tell(line: str) -> None:
    sys.stderr.write(f"tabletop dice: {line}\n")
