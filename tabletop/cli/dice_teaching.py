"""`tabletop dice teach`: teach a die face by face, from photographs, simulated, or live at the table."""

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from tabletop.cameras.opening import open_camera
from tabletop.cli.wiring import args, devices, main_loop
from tabletop.config import file, own_dice
from tabletop.config.profile import die_px as die_px_of_profile
from tabletop.core.errors import DeviceError, InputError
from tabletop.perception.pipeline import PerceptionPipeline
from tabletop.session.camera_thread import CameraThread
from tabletop.session.teaching import Picture, Teacher, Teaching
from tabletop.simulator.tray import Tray
from tabletop.vision.reader import read

FACE_LETTERS = "123456"
TIMES = 3  # times each face is shown in the simulated tray
SETTLED_S = 1.5  # after a throw, when hand and die are still in the simulated tray
SIMULATED_PX = 56.0  # edge of a die in the simulated tray
LONGEST_NAME = 20  # letters


def teach(options: argparse.Namespace, path: Path) -> int:
    """Teach every face, report which look alike, and add the samples to the file; status 0."""
    known = own_dice.load_own_dice(path)
    if not options.look.isprintable() or not 0 < len(options.look) <= LONGEST_NAME:
        raise InputError(f"expected a name of 1 to {LONGEST_NAME} letters for --look, got {options.look!r}")
    options.camera = options.camera or file.configuration(options.config).camera or "usb:0"
    newest: list[Picture | None] = [None]
    profile = args.named_profile(args.profile_file(options.profile or file.configuration(options.config).profile))

    def die_px(picture: Picture) -> float | None:
        return options.die_px or (die_px_of_profile(profile, *picture.shape[1::-1]) if profile is not None else None)

    teacher = Teacher(options.look, lambda: newest[0], die_px)
    if options.camera == "sim":
        options.die_px = options.die_px or SIMULATED_PX
        _teach_faces(teacher, newest, _simulated(options.seed))
    elif options.faces is not None or not _is_live(options.camera):
        _teach_faces(teacher, newest, _photographs(options))
    else:
        teacher = _teach_live(options, die_px)
    if not teacher.samples:
        _tell("nothing was shown: nothing has changed")
        return 0
    left = [sample for sample in known if sample.look != options.look]  # shown again: instead of what it was
    own_dice.save_own_dice(own_dice.bounded([*left, *teacher.samples]), path)
    _report(teacher, options.look, path)
    return 0


def _report(teacher: Teacher, look: str, path: Path) -> None:
    sys.stdout.write(f"{look}: {len(teacher.samples)} looks kept in {path}\n")
    for face, other in teacher.confused():
        sys.stdout.write(f"{face} and {other} cannot be told apart: such a die stays unsure\n")
    if teacher.missing:
        sys.stdout.write(f"not shown: {', '.join(map(str, teacher.missing))}\n")


def _teach_faces(teacher: Teacher, newest: list[Picture | None], shown: Iterator[tuple[Picture, int]]) -> None:
    """Teach pictures whose faces are known; one without a die is named and left out."""
    for number, (picture, face) in enumerate(shown, 1):
        newest[0] = picture
        if hindrance := teacher.look(face):
            _tell(f"picture {number}: {hindrance}")


def _photographs(options: argparse.Namespace) -> Iterator[tuple[Picture, int]]:
    words = (options.faces or "").split(",")
    if not all(word in FACE_LETTERS and len(word) == 1 for word in words):
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


def _simulated(seed: int | None) -> Iterator[tuple[Picture, int]]:
    """Yield pictures of one simulated die, each face thrown often enough."""
    tray = Tray(1, chance=random.Random(seed))  # noqa: S311 - repeatable on purpose
    for face in (int(face) for face in FACE_LETTERS * TIMES):
        end_s = tray.throw(faces=[face])
        yield tray.show(end_s + SETTLED_S), face


def _is_live(word: str) -> bool:
    return not (word.startswith("photographs:") or Path(word).exists())


def _teach_live(options: argparse.Namespace, die_px: Callable[[Picture], float | None]) -> Teacher:
    """Let people show a die until every face was seen often enough or they stop; return what was seen.

    die_px: the edge of a die in a picture, None if unknown.
    """
    options.json, options.views = False, []
    if not devices.can_ask(options):
        raise InputError("expected buttons and a screen, or a terminal, to teach dice; or --faces and photographs")
    with ExitStack() as open_things:
        camera = open_camera(options.camera)
        open_things.callback(camera.close)
        thread = CameraThread(camera, PerceptionPipeline(read), time.monotonic)

        def picture() -> Picture | None:
            return thread.newest.frame.pixels if thread.newest is not None else None

        teacher = Teacher(options.look, picture, die_px)
        teaching = Teaching(teacher.look, teacher.forget)
        main_loop.play_dialog(options, thread, teaching)
    return teacher


def _tell(line: str) -> None:
    sys.stderr.write(f"tabletop dice: {line}\n")
