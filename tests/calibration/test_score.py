"""Scoring a table: verdicts by two buttons into a CSV file, over the simulated tray."""

import csv
import sys
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pexpect
import pytest

from calibration.scoring import ScoreFile, Scoring
from tabletop.cli.main import main
from tabletop.core.errors import InputError
from tabletop.core.ports import ButtonName, Press
from tabletop.perception.pipeline import PerceptionPipeline
from tabletop.session.camera_thread import CameraThread
from tabletop.session.table_loop import TableLoop
from tabletop.simulator.tray import BRISK, profile_of
from tabletop.vision.reader import read
from tools.room.room import Room
from tools.room.world import RoomWorld

GREY = np.full((48, 64, 3), 128, np.uint8)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


class Evening:
    """A scored evening at the simulated tray, in simulated time."""

    def __init__(self, folder: Path, goal: int) -> None:
        self.path = folder / "scored.csv"
        self.world = RoomWorld(2, chance=Random(5), room=Room(noise=1.0), pace=BRISK, fps=10.0)
        thread = CameraThread(self.world.camera, PerceptionPipeline(read, profile_of(self.world.tray)))
        self.scoring = Scoring(ScoreFile(self.path, folder / "pictures"), lambda: thread.newest, goal)
        self.table = TableLoop(thread, (self.world.tray.buttons,), {}, lambda: self.scoring)
        self.table.begin(None)

    def run(self, seconds: float) -> None:
        end_s = self.world.now_s + seconds
        while self.world.now_s < end_s:
            assert self.table.camera_thread.step()
            self.shown = self.table.tick(self.world.now_s)

    def throw(self, **how: int) -> str:
        self.run(self.world.throw(**how) - self.world.now_s + 3.0)  # type: ignore[arg-type]  # numbers of dice
        assert self.shown.menu is not None
        self.asked = self.shown.menu.items[0]
        return " ".join(map(str, self.world.truth().faces))

    def press(self, button: ButtonName, *, long: bool = False) -> None:
        self.run(self.world.tray.press(button, long=long) - self.world.now_s + 0.4)


def test_verdicts_are_written_throw_by_throw(tmp_path: Path) -> None:
    """BANK says right, HOLD wrong; the newest verdict can be changed; pictures are kept; scoring goes on and ends."""
    evening = Evening(tmp_path, goal=4)
    evening.run(1.0)
    evening.press("bank")  # no dice lie there yet
    assert not evening.path.exists()
    truths = [evening.throw()]
    assert evening.asked == truths[0]
    evening.press("bank")
    evening.throw(leaning=1)
    truths.append(evening.asked)
    evening.press("bank")
    evening.press("hold")  # a wrong press, corrected
    evening.press("hold", long=True)  # means nothing
    truths.append(evening.throw())
    evening.press("bank")
    evening.press("bank", long=True)
    assert evening.table.over
    assert [(row["throw"], row["read"], row["verdict"]) for row in rows(evening.path)] == [
        ("1", truths[0], "right"),
        ("2", truths[1], "wrong"),
        ("3", truths[2], "right"),
    ]
    pictures = [cv2.imread(str(path)) for path in sorted((tmp_path / "pictures").iterdir())]
    assert [picture.shape for picture in pictures if picture is not None] == [(480, 640, 3)] * 3

    again = Evening(tmp_path, goal=4)
    again.throw()
    again.press("hold")
    assert again.table.over
    assert [row["verdict"] for row in rows(again.path)] == ["right", "wrong", "right", "wrong"]


def test_a_repeated_press_says_nothing(tmp_path: Path) -> None:
    """A button held down neither scores a throw nor stops."""
    scoring = Scoring(ScoreFile(tmp_path / "s.csv"), lambda: None, 1)
    for button in ("bank", "hold"):
        assert scoring.press(Press(button, long=True, repeat=True)) is scoring


def test_a_damaged_file_is_named_with_its_line(tmp_path: Path) -> None:
    """Another table, a row of another length, another verdict, other bytes: refused, and left as it is."""
    path = tmp_path / "s.csv"
    ScoreFile(path).add("1 5", GREY, right=True)
    assert ScoreFile(path).counts == (1, 0)
    good = path.read_text()
    for text, line in (("a,b\n1,2\n", 1), ("", 1), (good + "2,now\n", 3), (good + "2,now,1 5,maybe\n", 3)):
        path.write_text(text)
        with pytest.raises(InputError, match=rf"s\.csv, line {line}: expected"):
            ScoreFile(path)
        assert path.read_text() == text
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="line 1"):
        ScoreFile(path)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--rolls", "0"), "expected --rolls from 1"),
        (("--rolls", "few"), "expected a whole number"),
        (("--dice", "99"), "expected --dice from 1 to 24"),
        (("--camera", "usb:0"), "expected buttons and a screen, or a terminal"),
        (("--results", "/dev/null/t.csv", "--camera", "sim"), "expected a file that can be read"),
    ],
)
def test_mistakes_cost_one_line(
    words: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2, one line that says what was expected, and no file."""
    results = tmp_path / "t.csv"
    status = main(["calibrate", "score", "--results", str(results), *words])
    out, err = capsys.readouterr()
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert not results.exists()


@pytest.mark.slow
def test_the_command_scores_simulated_dice(tmp_path: Path) -> None:
    """In a terminal: `t` throws, `b` says right, and after one throw the command ends with its counts."""
    path = tmp_path / "s.csv"
    words = ["-m", "tabletop", "calibrate", "score", "--camera", "sim", "--rolls", "1", "--results", str(path)]
    environ = {"TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    child = pexpect.spawn(sys.executable, words, dimensions=(36, 110), env=environ, timeout=60)
    child.expect("0 right, 0 wrong")
    child.send("t")
    child.expect(r"BANK: yes")
    child.send("b")
    child.expect("1 throws read right, 0 wrong")
    child.expect(pexpect.EOF)
    child.close()
    assert (child.exitstatus, [row["verdict"] for row in rows(path)]) == (0, ["right"])
