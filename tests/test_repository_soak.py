"""`make soak` goes on where it stopped: the hours already spent are not spent again."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_soak_runs_only_what_has_not_passed(tmp_path: Path) -> None:
    """Of two soak tests one has passed and one failed; the next round runs only the failed one, mended meanwhile."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "soak.py").write_bytes((ROOT / "tests" / "soak.py").read_bytes())
    (tmp_path / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\nmarkers = ["soak: long"]\naddopts = "-p no:hypothesispytest"\n'
    )
    (tmp_path / "tests" / "test_long.py").write_text(
        "import pathlib, pytest\npytestmark = pytest.mark.soak\n"
        "def count(name):\n    with open(name, 'a') as runs:\n        runs.write('.')\n"
        "def test_good(): count('good')\n"
        "def test_bad():\n    count('bad')\n    assert pathlib.Path('mended').exists()\n"
    )
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], cwd=tmp_path, check=True)

    assert rounds(tmp_path) == "soak: 0 passed, 0 failed"
    assert (runs(tmp_path, "good"), runs(tmp_path, "bad")) == (1, 1)
    (tmp_path / "mended").touch()
    assert rounds(tmp_path) == "soak: 1 passed, 1 failed"
    assert (runs(tmp_path, "good"), runs(tmp_path, "bad")) == (1, 2)
    (state,) = (tmp_path / ".soak").iterdir()
    assert len((state / "passed").read_text().splitlines()) == 2
    assert (state / "failed").read_text() == ""


def rounds(folder: Path) -> str:
    """Ask for a round, wait for its end, and return what was said at its start."""
    program = (
        "import os, runpy; fork = os.fork\n"
        "def waiting():\n    child = fork()\n    child and os.waitpid(child, 0)\n    return child\n"
        "os.fork = waiting; runpy.run_path('tests/soak.py', run_name='__main__')"
    )
    bare = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=folder, env=bare, capture_output=True, text=True, check=True)
    return done.stdout.partition(", see")[0]


def runs(folder: Path, name: str) -> int:
    """Return how often a test has run."""
    return len((folder / name).read_text())
