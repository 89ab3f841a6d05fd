"""Taught dice: every throw is rendered, so the true face of each die is known."""

from argparse import Namespace
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.cli.wiring.unattended import frame_reader
from tabletop.config.own_dice import FILE_NAME, save_own_dice
from tabletop.core.errors import InputError
from tabletop.session.teaching import NO_DIE, NO_PICTURE, TWO_DICE, Teacher
from tabletop.vision.own_dice import OwnDice
from tabletop.vision.reader import read
from tools.room.rare_look import RareLook
from tools.room.room import Room
from tools.room.world import RoomWorld

Picture = NDArray[np.uint8]

FACES = (1, 2, 3, 4, 5, 6)
DIE_PX = 56.0  # edge of a die in the simulated tray
SETTLED_S = 1.5  # after a throw, when all that was begun is over


def photographs(world: RoomWorld, faces: tuple[int, ...]) -> list[Picture]:
    pictures = []
    for face in faces:
        end_s = world.throw(faces=[face])
        pictures.append(np.ascontiguousarray(world.show(max(end_s, world.tray.busy_until_s) + SETTLED_S)))
    return pictures


def test_the_teacher_says_why_it_cannot_look() -> None:
    """No picture, an empty tray, two dice: each is said, and nothing is kept; one die is kept."""
    two, lone = RoomWorld(2, chance=Random(5)), RoomWorld(1, chance=Random(6))
    after_s = {world: world.throw() + SETTLED_S for world in (two, lone)}
    pictures = iter((None, np.full((480, 640, 3), 90, np.uint8), two.show(after_s[two]), lone.show(after_s[lone])))
    teacher = Teacher("logo", lambda: next(pictures))
    assert [teacher.look(1) for _ in range(4)] == [NO_PICTURE, NO_DIE, TWO_DICE, ""]
    assert [sample.face for sample in teacher.samples] == [1]
    assert teacher.missing == (2, 3, 4, 5, 6)


@pytest.mark.slow
def test_a_die_with_numerals_is_read_once_each_face_was_shown_three_times() -> None:
    """Of twelve rendered throws of it none is read untaught; taught, at least nine are, and none wrongly."""
    numbered = Room(looks=(RareLook(numerals=True),))
    pictures = iter(photographs(RoomWorld(1, chance=Random(1), room=numbered), FACES * 3))
    teacher = Teacher("numbers", lambda: next(pictures), lambda _: DIE_PX)
    assert [teacher.look(face) for face in FACES * 3] == [""] * 18
    own = OwnDice(teacher.samples)
    told = Counter[tuple[str, bool]]()
    for face, picture in zip(
        FACES * 2, photographs(RoomWorld(1, chance=Random(2), room=numbered), FACES * 2), strict=True
    ):
        for name, known in (("untaught", None), ("taught", own)):
            dice = read(picture, die_px=DIE_PX, expect=1, own=known).dice
            told.update((name, die.face == face) for die in dice)
    assert told["taught", True] >= 9
    assert told["taught", False] == 0
    assert told["untaught", True] <= 2


@pytest.mark.parametrize("damaged", [b"no archive", b""])
def test_damaged_file_costs_what_was_taught_and_not_the_table(damaged: bytes, tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    path.write_bytes(damaged)
    options = Namespace(dice=None, profile=None, store=tmp_path / "tabletop.db")
    assert frame_reader(options, live=True) is read
    assert path.read_bytes() == damaged
    options.dice = path
    with pytest.raises(InputError):
        frame_reader(options, live=True)


@pytest.mark.parametrize(("live", "named", "used"), [(True, False, True), (False, False, False), (False, True, True)])
def test_the_table_reads_with_what_it_was_taught(tmp_path: Path, *, live: bool, named: bool, used: bool) -> None:
    """A three, taught as a five, is a five; a film is read without taught dice unless they are named."""
    (picture,) = photographs(RoomWorld(1, chance=Random(6)), (3,))
    teacher = Teacher("odd", lambda: picture, lambda _: DIE_PX)
    assert teacher.look(5) == ""
    path = tmp_path / FILE_NAME
    save_own_dice(teacher.samples, path)
    options = Namespace(dice=path if named else None, profile=None, store=tmp_path / "tabletop.db")
    (die,) = frame_reader(options, live=live)(picture, time_s=0.0, die_px=DIE_PX, expect=1, fixed_size=False).dice
    assert die.face == (5 if used else 3)
