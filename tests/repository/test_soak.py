"""`make soak` goes on where it stopped: the hours already spent are not spent again."""

import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def part(throws: int, *, delay_s: float = 0.1, **kinds: int) -> dict[str, object]:
    """Return the figures of one part of the long proof: so many throws, and so many that went wrong in each way."""
    lists = {kind: ["told"] * kinds.get(kind, 0) for kind in ("wrong", "missed", "false", "unread", "asked")}
    return {"throws": throws, **lists, "early": 0, "peer_right": 1, "peer_rests": 2, "delays_s": [delay_s]}


def test_soak_runs_only_what_has_not_passed(tmp_path: Path) -> None:
    """Of two soak tests one has passed and one failed; the next round runs only the failed one, mended meanwhile."""
    make_project(tmp_path)
    (tmp_path / "tests" / "test_long.py").write_text(
        "import pathlib, pytest\npytestmark = pytest.mark.soak\n"
        "def count(name):\n    with open(name, 'a') as runs:\n        runs.write('.')\n"
        "@pytest.fixture(scope='module')\ndef shared(): count('shared')\n"
        "def test_good(shared): count('good')\n"
        "def test_bad(shared):\n    count('bad')\n    at = next(pathlib.Path('.soak').glob('*/at')).read_text()\n"
        "    assert at == '2 of 2, tests/test_long.py::test_bad'\n    assert pathlib.Path('mended').exists()\n"
    )
    assert rounds(tmp_path) == "soak: 0 passed, 0 failed"
    assert [runs(tmp_path, name) for name in ("good", "bad", "shared")] == [1, 1, 1]
    (tmp_path / "mended").touch()
    assert rounds(tmp_path) == "soak: 1 passed, 1 failed"
    assert (runs(tmp_path, "good"), runs(tmp_path, "bad")) == (1, 2)
    (state,) = (tmp_path / ".soak").iterdir()
    assert len((state / "passed").read_text().splitlines()) == 2
    assert (state / "failed").read_text() == ""
    assert not (state / "at").exists()


def test_soak_goes_on_after_a_crash_and_runs_what_is_chosen(tmp_path: Path) -> None:
    """The test in which the process ended has failed; those behind it run or are skipped; no other file is run."""
    make_project(tmp_path)
    (tmp_path / "tests" / "test_crash.py").write_text(
        "import os, pathlib, pytest\npytestmark = pytest.mark.soak\n"
        "def test_before(): pass\ndef test_crash(): os._exit(1)\n"
        "def test_behind(): pass\n@pytest.mark.skip\ndef test_not_here(): pass\n"
    )
    (tmp_path / "tests" / "test_other.py").write_text("import pytest\n@pytest.mark.soak\ndef test_other(): pass\n")
    rounds(tmp_path, "tests/test_crash.py")
    (state,) = (tmp_path / ".soak").iterdir()
    names = {kind: (state / kind).read_text().split() for kind in ("passed", "failed", "skipped")}
    found = {kind: [name.partition("::")[2] for name in tests] for kind, tests in names.items()}
    assert found == {"passed": ["test_before", "test_behind"], "failed": ["test_crash"], "skipped": ["test_not_here"]}


@pytest.mark.parametrize(
    ("parts", "hands", "status", "said"),
    [
        ([part(500, wrong=1), part(500, wrong=1)], 300.0, 0, "holds"),
        ([part(500, wrong=1), part(100, wrong=1)], 60.0, 0, "holds so far"),
        ([part(500, wrong=2), part(500, wrong=1)], 300.0, 1, "does not hold: wrong"),
        ([part(33, wrong=3)], 0.0, 1, "does not hold: wrong so far"),
        ([part(500), part(500, missed=1)], 300.0, 1, "does not hold: missed"),
        ([part(500, false=1), part(500, delay_s=0.3), part(9, delay_s=0.3)], 300.0, 1,
         "does not hold: false, the median delay"),
    ],
)  # fmt: skip
def test_soak_tells_whether_all_parts_together_hold(
    parts: list[dict[str, object]], hands: float, status: int, said: str, tmp_path: Path
) -> None:
    """Two of a thousand may be wrong, none missed or false, the median delay a quarter of a second; else status 1."""
    make_project(tmp_path)
    head = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=tmp_path, capture_output=True, check=True)
    state = tmp_path / ".soak" / head.stdout.decode().strip()
    state.mkdir(parents=True)
    for n, figures in enumerate(parts):
        (state / f"throws-{n}.json").write_text(json.dumps(figures))
    (state / "hands-0.json").write_text(json.dumps({"seconds": hands, "false": 0}))
    with (state / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # as if it ran: asking starts nothing then
        done = subprocess.run(
            [sys.executable, "tools/soak.py"], cwd=tmp_path, capture_output=True, text=True, check=False
        )
    assert done.returncode == status
    assert done.stdout.splitlines()[-1].partition("median delay 0.25 s: ")[2] == said


def make_project(folder: Path) -> None:
    (folder / "tests").mkdir()
    (folder / "tools").mkdir()
    (folder / "tools" / "soak.py").write_bytes((ROOT / "tools" / "soak.py").read_bytes())
    (folder / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\nmarkers = ["soak: long"]\naddopts = "-p no:hypothesispytest"\n'
    )
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q"], cwd=folder, check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], cwd=folder, check=True)


def rounds(folder: Path, *chosen: str) -> str:
    program = (
        "import os, runpy; fork = os.fork\n"
        "def waiting():\n    child = fork()\n    child and os.waitpid(child, 0)\n    return child\n"
        "os.fork = waiting; runpy.run_path('tools/soak.py', run_name='__main__')"
    )
    bare = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    command = [sys.executable, "-c", program, *chosen]
    done = subprocess.run(command, cwd=folder, env=bare, capture_output=True, text=True, check=True)
    return done.stdout.partition(", see")[0]


def runs(folder: Path, name: str) -> int:
    return len((folder / name).read_text())
