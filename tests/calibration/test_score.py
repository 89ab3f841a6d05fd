"""Scoring a table: each throw of the simulated tray is asked about, and the verdicts go into a CSV file."""

import csv
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.scoring import ScoreFile
from tabletop.cli.main import main
from tabletop.core.errors import InputError

GREY = np.full((48, 64, 3), 128, np.uint8)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.slow
def test_the_command_scores_simulated_dice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One question for each throw, asked again after another word; a second run goes on, `q` and no input stop."""
    path, asked = tmp_path / "s.csv", list[str]()
    words = ["calibrate", "score", "--camera", "sim", "--dice", "2", "--results", str(path), "--seed", "5"]

    def answering(*answers: str) -> None:
        left = iter(answers)

        def ask(question: str) -> str:
            asked.append(question)
            if (answer := next(left, None)) is None:
                raise EOFError
            return answer

        monkeypatch.setattr("builtins.input", ask)

    answering("y", "perhaps", "No", "q")
    assert main([*words, "--keep-pictures", str(tmp_path / "pictures")]) == 0
    assert capsys.readouterr().out == f"1 throws read right, 1 wrong ({path})\n"
    answering()
    assert main(words) == 0
    answering("y")
    assert main([*words, "--rolls", "3"]) == 0
    assert [(row["throw"], row["verdict"]) for row in rows(path)] == [("1", "right"), ("2", "wrong"), ("3", "right")]
    assert [question.partition(":")[0] for question in asked] == [f"throw {n}" for n in (1, 2, 2, 3, 3, 3)]
    for question, row in zip((asked[0], asked[1], asked[-1]), rows(path), strict=True):
        assert f": {row['read']}; right?" in question
        assert len(row["read"].split()) == 2
    pictures = [cv2.imread(str(path)) for path in sorted((tmp_path / "pictures").iterdir())]
    assert [picture.shape for picture in pictures if picture is not None] == [(480, 640, 3)] * 2
    assert all(one["time"] <= other["time"] for one, other in pairwise(rows(path)))


def test_a_damaged_file_is_named_with_its_line(tmp_path: Path) -> None:
    """Another table, a row of another length, another verdict, other bytes: refused, and left as it is."""
    path = tmp_path / "s.csv"
    ScoreFile(path).add("1 5", GREY, right=True)
    assert ScoreFile(path).verdicts == [True]
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
        (("--camera", "usb:77"), "expected a camera at usb:77, got none"),
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
