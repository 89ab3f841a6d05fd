"""A view of a small package, found by its entry point, is shown the table beside everything else."""

import json
import re
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import cv2
import numpy as np
import pytest

from tabletop.cli.main import main
from tabletop.session.snapshotting import THROW_ONE

PACKAGE = '''
"""A scoreboard: writes one line of JSON a snapshot into a file."""

import json
from pathlib import Path

from tabletop.core.errors import DeviceError


class Board:
    def __init__(self, path):
        self.lines, self.last = path.open("w", encoding="utf-8"), None

    def show(self, snapshot, frame, now_s):
        if snapshot != self.last and not self.lines.closed:
            self.last = snapshot
            size = None if frame is None else frame.pixels.shape
            facts = {"game": snapshot.game, "scores": snapshot.scores, "ask": snapshot.ask, "frame": size}
            self.lines.write(json.dumps(facts) + "\\n")

    def close(self):
        if not self.lines.closed:
            self.lines.write('"closed"\\n')
        self.lines.close()


def open_board(options):
    if not options:
        raise DeviceError("expected --view board:FILE, got no file")
    return Board(Path(options))
'''
FACTS = {
    "METADATA": "Metadata-Version: 2.1\nName: board\nVersion: 1\n",
    "entry_points.txt": "[tabletop.views]\nboard = board_for_test:open_board\n",
}


@pytest.fixture(autouse=True)
def _board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "board_for_test.py").write_text(PACKAGE, encoding="utf-8")
    facts = tmp_path / "board-1.dist-info"
    facts.mkdir()
    for name, text in FACTS.items():
        (facts / name).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("board_for_test", None)


def lines(path: Path) -> list[object]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_it_shows_a_film_and_is_closed(tmp_path: Path) -> None:
    """`play --view board:FILE` opens it with its options, shows it each change with the frame, and closes it."""
    (tmp_path / "photos").mkdir()
    for number in range(2):
        cv2.imwrite(str(tmp_path / "photos" / f"{number}.png"), np.full((120, 160, 3), (40, 90, 60), np.uint8))
    words = ["pig", "--camera", str(tmp_path / "photos"), "--buttons", "none", "--screen", "none"]
    words += ["--view", f"board:{tmp_path / 'shown'}", "--store", str(tmp_path / "a.db")]
    assert main(["play", *words]) == 0
    *shown, closed = lines(tmp_path / "shown")
    assert closed == "closed"
    assert shown[-1] == {"game": "Pig", "scores": [0, 0], "ask": THROW_ONE, "frame": [120, 160, 3]}


def test_the_example_of_the_guide_runs_to_the_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The class that docs/architecture.md shows: a match without a terminal ends, and each turn is written once."""
    guide = (Path(__file__).resolve().parents[2] / "docs" / "architecture.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(class Lamp.*?)```", guide, re.DOTALL)
    (tmp_path / "board_for_test.py").write_text(example.replace("class Lamp", "class open_board"), encoding="utf-8")
    words = ["pig", "--players", "Ann,Ben", "--set", "target=6", "--seed", "1", "--store", str(tmp_path / "a.db")]
    assert main(["play", *words, "--json", "--view", f"board:{tmp_path / 'shown'}"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    turns = (tmp_path / "shown").read_text(encoding="utf-8").splitlines()
    throwers = [f"turn of {name}" for name, _ in groupby(event["player"] for event in events)]
    assert [turn for turn in turns if turn != "turn of everybody"] == throwers


@pytest.mark.parametrize(
    ("word", "complaint"),
    [
        ("bord:x", "expected --view .*board or .*buzzer.*, got 'bord:x'"),
        ("board", "expected --view board:FILE, got no file"),
    ],
)
def test_a_wrong_word_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], word: str, complaint: str
) -> None:
    """A name that no package has, and what the package itself refuses: one line and status 2."""
    words = ["pig", "--camera", "sim", "--buttons", "none", "--screen", "none", "--store", str(tmp_path / "a")]
    assert main(["play", *words, "--view", word]) == 2
    assert re.search(f"{complaint}$", capsys.readouterr().err.splitlines()[-1])
