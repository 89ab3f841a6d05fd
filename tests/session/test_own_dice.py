"""Learning the dice in play: every throw is rendered, so that the true face of each die is known."""

from argparse import Namespace
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.cli.wiring.learning import learning
from tabletop.config.own_dice import FILE_NAME, load_own_dice
from tabletop.core.errors import InputError
from tabletop.core.moment import Moment
from tabletop.core.ports import Frame
from tabletop.perception.pipeline import PerceptionPipeline
from tabletop.rules import Match, Throw
from tabletop.session.film_loop import step
from tabletop.session.match.journal import NullEventSink
from tabletop.session.match.match_session import MatchSession
from tabletop.session.own_dice.confirmed import LEFT_OUT, confirmed_faces
from tabletop.session.own_dice.learner import DiceLearner
from tabletop.session.own_dice.teacher import NO_DIE, NO_PICTURE, TWO_DICE, Teacher
from tabletop.simulator.tray.tray_profile import profile_of
from tabletop.vision.own_dice.model import OwnDice
from tabletop.vision.reader import read
from tools.room.rare_look import RareLook
from tools.room.room import Room
from tools.room.world import RoomWorld

Picture = NDArray[np.uint8]

FACES = (1, 2, 3, 4, 5, 6)
DIE_PX = 56.0  # edge of a die in the simulated tray
SETTLED_S = 1.5  # after a throw, when all that was begun is over


def photographs(world: RoomWorld, faces: tuple[int, ...]) -> list[Picture]:
    """Return a picture of one die for each of these faces, thrown anew each time."""
    pictures = []
    for face in faces:
        end_s = world.throw(faces=[face])
        pictures.append(np.ascontiguousarray(world.show(max(end_s, world.tray.busy_until_s) + SETTLED_S)))
    return pictures


class PhotographedEvening:
    """A match of Two-dice Pig, each throw a photograph of the simulated tray; who throws rolls on."""

    def __init__(self, path: Path, *, learns: bool = True, calibrated: bool = False) -> None:
        self.world = RoomWorld(2, chance=Random(4))
        profile = profile_of(self.world.tray) if calibrated else None
        self.learner = DiceLearner(path, profile, learns=learns, at_once=True)
        self.watch = PerceptionPipeline(self.learner.read, profile)
        match = Match("two-dice-pig", ["Ann", "Ben"])
        self.session = MatchSession(match, NullEventSink(), 1, lambda: Moment(""), lambda _: None)
        self.learner.observe(self.session, None)

    def throw(self, *faces: int) -> None:
        """Throw, photograph and referee it."""
        end_s = self.world.throw(faces=faces)
        pixels = self.world.show(max(end_s, self.world.tray.busy_until_s) + SETTLED_S)
        seen = step(Frame(np.ascontiguousarray(pixels), self.world.now_s, at_rest=True), self.watch, self.session)
        self.learner.observe(self.session, seen)

    def undo(self) -> None:
        """Take the newest entry back."""
        self.session.undo(1, (), self.world.now_s)
        self.learner.observe(self.session, None)

    def faces(self) -> Counter[int]:
        """Return how often each face was learnt, as the file has it."""
        return Counter(sample.face for sample in load_own_dice(self.learner.path))


@pytest.mark.parametrize("calibrated", [False, True])
def test_a_throw_is_learnt_once_the_next_was_taken(tmp_path: Path, *, calibrated: bool) -> None:
    """The dice of all throws but the last are in the file, each with its true face; the last may still be corrected."""
    evening = PhotographedEvening(tmp_path / "own.dice", calibrated=calibrated)
    evening.throw(3, 5)
    assert evening.faces() == {}
    evening.throw(2, 4)
    assert evening.faces() == {3: 1, 5: 1}
    evening.throw(6, 4)
    assert evening.faces() == {3: 1, 5: 1, 2: 1, 4: 1}
    assert evening.learner.learnt == 4


def test_what_was_learnt_is_taken_out_by_an_undo(tmp_path: Path) -> None:
    """Undone throws are no longer known, also those that had stood for a while."""
    evening = PhotographedEvening(tmp_path / "own.dice")
    for faces in ((3, 5), (2, 4), (6, 4)):
        evening.throw(*faces)
    while len(evening.session.match.events) > 1:
        evening.undo()
    assert evening.faces() == {}


def test_a_correction_sets_right_what_was_learnt(tmp_path: Path) -> None:
    """The three was a two, people say: the die is known with that face from then on."""
    evening = PhotographedEvening(tmp_path / "own.dice")
    for faces in ((3, 5), (2, 4), (6, 4)):
        evening.throw(*faces)
    evening.session.correct(1, Throw((2, 5)), evening.world.now_s)
    evening.learner.observe(evening.session, None)
    assert evening.faces() == {2: 2, 5: 1, 4: 1}


def test_nothing_is_learnt_where_that_is_switched_off(tmp_path: Path) -> None:
    """Without learning no file is written."""
    evening = PhotographedEvening(tmp_path / "own.dice", learns=False)
    for faces in ((3, 5), (2, 4)):
        evening.throw(*faces)
    assert not evening.learner.path.exists()


@pytest.mark.parametrize(
    ("read", "standing", "confirmed"),
    [
        ((3, 5), (5, 3), (3, 5)),
        ((3, 5, 5), (2, 5, 5), (2, 5, 5)),
        ((5, 3, 5), (3, 5, 6), (LEFT_OUT, 3, LEFT_OUT)),  # which of the two fives was the six?
        ((1, 2, 3), (4, 5, 3), (LEFT_OUT, LEFT_OUT, 3)),
        ((1, 2), (1, 2, 3), (LEFT_OUT, LEFT_OUT)),
    ],
)
def test_faces_that_a_correction_leaves_open_are_left_out(
    read: tuple[int, ...], standing: tuple[int, ...], confirmed: tuple[int, ...]
) -> None:
    """A die gets the corrected face only if no other die can be meant."""
    assert confirmed_faces(read, standing) == confirmed


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
@pytest.mark.uncounted
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
def test_damaged_file_costs_what_was_learnt_and_not_the_table(damaged: bytes, tmp_path: Path) -> None:
    """It stays as it is, to be put right; one that the command line names has to be good."""
    path = tmp_path / FILE_NAME
    path.write_bytes(damaged)
    options = Namespace(dice=None, profile=None, store=tmp_path / "tabletop.db", no_learning=False)
    with learning(options, None, live=True) as learner:
        assert learner is None
    assert path.read_bytes() == damaged
    options.dice = path
    with pytest.raises(InputError), learning(options, None, live=True):
        pass


def test_file_damaged_during_play_is_written_again(tmp_path: Path) -> None:
    """Dice are read again after a calibration; what is known by then is enough to go on."""
    path = tmp_path / FILE_NAME
    learner = DiceLearner(path, None, at_once=True)
    path.write_bytes(b"no archive")
    learner.reload()
    assert load_own_dice(path) == ()
