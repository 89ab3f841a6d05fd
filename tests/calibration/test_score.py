"""Measuring a table: intervals and figures against published ones, the file of rolls, and the simulated tray live."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest
from labelled import PHOTOS, needs_photos

from calibration.score.figures import as_json, as_text, figures_of
from calibration.score.intervals import wilson
from calibration.score.journal import Journal
from calibration.score.pictures import Pictures
from calibration.score.simulated import SimulatedScorer
from calibration.score.table import ScoreTable
from tabletop.cli.main import main
from tabletop.core.errors import InputError
from tabletop.core.ports import ButtonName
from tabletop.core.values import FACES
from tabletop.dialogs.scoring.dialog import Scoring
from tabletop.dialogs.scoring.roll import LEANS, Roll, Seen
from tabletop.perception.pipeline import PerceptionPipeline
from tabletop.session.camera_thread import CameraThread
from tabletop.simulator.tray.tray import BRISK
from tabletop.simulator.tray.tray_profile import profile_of
from tabletop.vision.labels import Failure, failures, load_labels
from tabletop.vision.reader import read
from tools.bench.pictures import photographs
from tools.room.room import Room
from tools.room.world import RoomWorld

ROOT = Path(__file__).parents[2]
WEIGHTS = ROOT / "tabletop" / "vision" / "weights"


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_intervals_are_the_published_ones(count: int, of: int, low: float, high: float) -> None:
    """The examples of Newcombe (1998), table I, method 3; mirrored, those of what was not counted."""
    assert wilson(count, of) == pytest.approx((low, high), abs=5e-5)
    assert wilson(of - count, of) == pytest.approx((1 - high, 1 - low), abs=5e-5)


def test_of_nothing_nothing_is_known() -> None:
    """The whole range; more than there are is a mistake."""
    assert wilson(0, 0) == (0.0, 1.0)
    with pytest.raises(ValueError, match="from 0 to 3"):
        wilson(4, 3)


def roll(read_as: str, true: str, missed: str = "") -> Roll:
    """Return a roll from faces as digits: 0 for unsure, and for no die."""
    seen = tuple(Seen(int(face), 60.0 + 70 * at, 200.0, 56.0) for at, face in enumerate(read_as))
    return Roll(640, 480, seen, tuple(map(int, true)), tuple(map(int, missed)))


def test_figures_of_four_rolls_counted_by_hand() -> None:
    """One exact, one misread in silence, one unsure and with a missed die, one with a thing that is no die."""
    rolls = [roll("165", "165"), roll("165", "162"), roll("10", "13", "6"), roll("1660", "1600")]
    figures = figures_of(rolls)
    assert [(share.count, share.of) for share in (figures.exact, figures.silent)] == [(1, 4), (1, 4)]
    dice = (figures.right, figures.misread, figures.unsure, figures.missed)
    assert [(share.count, share.of) for share in dice] == [(8, 11), (1, 11), (1, 11), (1, 11)]
    told = as_json(figures)
    assert told["confusion"]["2"] == [0, 0, 0, 0, 1, 0, 0, 0]
    assert told["confusion"]["6"] == [0, 0, 0, 0, 0, 3, 0, 1]
    assert told["extra"] == {"1": 0, "2": 0, "3": 0, "4": 0, "5": 0, "6": 1, "unsure": 1}
    assert as_text(figures).splitlines()[-2].split() == ["6", *"....", ".", "3", ".", "1"]


def test_the_file_goes_on_after_a_cut(tmp_path: Path) -> None:
    """What was confirmed is there, what was taken back is not, and half a line at the end is passed over."""
    path, rolls = tmp_path / "t.score", (roll("12", "12"), roll("34", "34"), roll("10", "16"))
    journal = Journal(path)
    assert journal.rolls == ()
    for standing in (rolls[:1], rolls[:2], rolls[:1], (rolls[0], rolls[2])):
        journal.bring_to(standing)
    whole = path.read_bytes()
    for cut in range(len(whole.splitlines()[-1]) + 1):  # the power fails while the last line is written
        path.write_bytes(whole[: len(whole) - 1 - cut])
        assert Journal(path).rolls == rolls[:1]
    Journal(path).bring_to(rolls)
    assert Journal(path).rolls == rolls
    assert Journal(path, new=True).rolls == ()
    assert Journal(tmp_path / "t.score.previous").rolls == rolls


@pytest.mark.parametrize("line", ["", "{}", "[]", '{"undo": true}', '{"undo": true}\n{"undo": true}', '{"true": [9]}'])
def test_a_damaged_file_is_named_with_its_line(line: str, tmp_path: Path) -> None:
    """Nothing is guessed, and nothing is written into it."""
    path = tmp_path / "t.score"
    Journal(path).bring_to((roll("12", "12"),))
    path.write_text(path.read_text() + f"{line}\n" * 2)
    with pytest.raises(InputError, match=r"t\.score, line [345]: expected a roll"):
        Journal(path)
    path.write_text("{}\n")
    with pytest.raises(InputError, match=r'line 1: expected \{"version": 1\}'):
        Journal(path)


class Evening:
    """A measurement of the simulated tray in simulated time; somebody who knows the truth answers, or a test does."""

    def __init__(self, folder: Path, rolls: int, dice: int = 3) -> None:
        self.journal = Journal(folder / "t.score")
        self.pictures = Pictures(folder / "pictures")
        self.manifest = folder / "pictures" / "manifest.json"
        self.world = RoomWorld(dice, chance=Random(5), room=Room(noise=1.0), pace=BRISK, fps=10.0)
        self.throws: list[dict[str, int]] = []  # how the next throws go; as usual once there are no more
        profile = profile_of(self.world.tray)
        thread = CameraThread(self.world.camera, PerceptionPipeline(read, profile))
        state = Scoring.resumed(rolls, self.journal.rolls, dice)
        self.table = ScoreTable(thread, (self.world.tray.buttons,), state, self.journal, self.pictures, profile)
        self.scorer = SimulatedScorer(self.world, self._throw)

    def _throw(self) -> None:
        self.world.throw(**(self.throws.pop(0) if self.throws else {}))  # type: ignore[arg-type]  # numbers of dice

    def frame(self) -> None:
        """Let a frame come."""
        assert self.table.camera_thread.step()
        self.table.tick(self.world.now_s)

    def until_rolls(self, count: int) -> None:
        """Let the scorer measure until so many rolls stand, or the measurement has ended."""
        while len(self.table.state.rolls) < count and not self.table.over:
            self.frame()
            self.scorer.act(self.table.state)

    def press(self, button: ButtonName, *, long: bool = False) -> None:
        """Press a button, and wait until it was obeyed."""
        end_s = self.world.tray.press(button, long=long)
        while self.world.now_s < end_s + 0.4:
            self.frame()

    def labels(self) -> list[tuple[str, list[int | None]]]:
        """Return each picture of the manifest with its faces."""
        images = json.loads(self.manifest.read_bytes())["images"]
        return [(image["file"], [die["face"] for die in image["dice"]]) for image in images]


def test_a_table_is_measured_live(tmp_path: Path) -> None:
    """A die on the floor, a die that leans, a wrong press taken back, a stop in the middle: all rolls have their truth.

    The pictures then are a set of labelled photographs that the reader's own measures take.
    """
    evening = Evening(tmp_path, rolls=3)
    evening.throws = [{"lost": 1}, {"leaning": 1}]
    evening.until_rolls(1)
    (first,) = evening.table.state.rolls
    assert len(first.faces) == 2
    truth = evening.world.truth().faces
    assert first.faces == truth
    evening.press("bank", long=True)  # asked once more ...
    assert (evening.table.state.rolls, evening.labels()) == ((), [])
    for button in ("hold", "bank", "bank", "bank"):  # ... and a wrong press: its first die is another face now
        evening.press(button)
    assert evening.table.state.rolls[0].faces != truth
    evening.press("bank", long=True)
    evening.until_rolls(2)  # he puts it right, and goes on
    assert evening.table.state.rolls[0].faces == truth
    stopped = evening.table.state.rolls
    assert stopped[1].doubtful
    evening.press("hold")
    evening.press("hold")
    evening.press("bank")
    assert evening.table.over

    again = Evening(tmp_path, rolls=3)
    assert again.table.state.rolls == stopped
    again.until_rolls(3)
    assert (len(again.journal.rolls), again.table.fault) == (3, None)

    labels = load_labels(again.manifest)
    assert [faces for _, faces in again.labels()] == [
        [face if face in FACES else None for face in each.true] for each in again.journal.rolls
    ]
    assert again.journal.rolls[1].true.count(LEANS) == 1
    found = list[Failure]()
    for path, labelled in labels.items():
        pixels = cv2.imread(str(path))
        assert pixels is not None
        reading = read(pixels, die_px=labelled.die_px, expect=labelled.expect)  # type: ignore[arg-type]
        found += failures(reading, labelled)
    assert sum(map(len, photographs(again.manifest.parent, 9).values())) == 3  # as `make bench` takes them
    assert found == []  # the die that leans has no face to be read wrongly


def test_pictures_stay_within_their_bound(tmp_path: Path) -> None:
    """Once they would become too large no other is kept; what is removed makes room again."""
    pictures = Pictures(tmp_path, most_mb=0.1)
    noise = np.random.default_rng(1).integers(0, 255, (120, 160, 3), np.uint8)  # 58 KB, whatever packs it
    kept = replace(roll("12", "12"), picture=pictures.keep(noise))
    assert (kept.picture, pictures.keep(noise), pictures.full) == ("rolls/00001.png", "", True)
    pictures.unlabel(kept, remove=True)
    assert pictures.keep(noise)
    assert Pictures(tmp_path, most_mb=0.1).keep(noise) == ""


def test_no_other_folder_is_written_into(tmp_path: Path) -> None:
    """A manifest of somebody else, and pictures without one, stay as they are."""
    (tmp_path / "manifest.json").write_text('{"images": []}')
    with pytest.raises(InputError, match="name another folder"):
        Pictures(tmp_path)
    assert (tmp_path / "manifest.json").read_text() == '{"images": []}'
    (tmp_path / "manifest.json").unlink()
    (tmp_path / "rolls").mkdir()
    (tmp_path / "rolls" / "00001.png").write_bytes(b"")
    with pytest.raises(InputError, match="name another folder"):
        Pictures(tmp_path)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--rolls", "0"), "expected --rolls from 1"),
        (("--rolls", "few"), "expected a whole number"),
        (("--dice", "99"), "expected --dice from 1 to 24"),
        (("--most-mb", "5"), "expected --keep-pictures DIR"),
        (("--keep-pictures", "p", "--most-mb", "0"), "expected --most-mb from 1"),
        (("--report", "--new"), "expected --report or --new"),
        (("--camera", "usb:0"), "expected buttons and a screen, or a terminal"),
        (("--profile", "missing.toml", "--camera", "sim"), "missing.toml"),
        (("--results", "/dev/null/t.score", "--camera", "sim"), "expected a file of rolls that can be read"),
    ],
)
def test_mistakes_cost_one_line(
    words: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2, one line that says what was expected, and no file."""
    results = tmp_path / "t.score"
    status = main(["calibrate", "score", "--results", str(results), *words])
    out, err = capsys.readouterr()
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert not results.exists()


def test_the_command_measures_and_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Simulated dice in simulated time: figures as text and as JSON; a report of what is there measures nothing."""
    words = ["calibrate", "score", "--camera", "sim", "--seed", "1", "--dice", "2", "--results", str(tmp_path / "s")]
    assert main([*words, "--report"]) == 0
    assert capsys.readouterr().out.startswith("no rolls yet")
    assert main([*words, "--rolls", "1"]) == 0
    assert "rolls read exactly" in capsys.readouterr().out
    assert main([*words, "--rolls", "9", "--report", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["rolls"], sum(map(sum, told["confusion"].values()))) == (1, 2)
    low, high = wilson(1, 1)
    assert (told["exact"]["low"], told["exact"]["high"]) == (pytest.approx(low, abs=1e-4), high)


@pytest.mark.slow
@needs_photos
def test_the_photographs_own_scoring_program_takes_the_pictures(tmp_path: Path) -> None:
    """`score.py` beside the labelled photographs reads the manifest, and its figures are those of the measurement."""
    words = ["calibrate", "score", "--camera", "sim", "--seed", "3", "--rolls", "6", "--results", str(tmp_path / "s")]
    assert main([*words, "--keep-pictures", str(tmp_path / "own")]) == 0
    shutil.copy(PHOTOS / "score.py", tmp_path / "own")
    command = f"{sys.executable} -m tabletop"
    program = [sys.executable, str(PHOTOS / "score.py"), "--manifest", str(tmp_path / "own/manifest.json"), "--json"]
    done = subprocess.run([*program, "--command", command], capture_output=True, text=True, check=True)
    measure = [sys.executable, "-m", "training.measure", "--networks", str(WEIGHTS), "--workers", "1"]
    done_too = subprocess.run(
        [*measure, "--photographs", str(tmp_path / "own")], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "rolls" in done_too.stdout
    figures = json.loads(done.stdout)["rolls"]
    rolls = Journal(tmp_path / "s").rolls
    exact = figures_of(rolls).exact
    assert (figures["photos"], figures["exact"]) == (6, pytest.approx(100 * exact.count / exact.of))
